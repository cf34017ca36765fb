/**
 * Checks the examples of rules: the settings under which an example is checked, its marked lines, its findings, and the result of its
 * preferred fixes. Both the tests of the rules and their documentation pages use this.
 */
import { type CompileSettings, noSettings, type OpenCLStandard } from "../server/src/dialect.ts";
import type { Diagnostic } from "../server/src/finding.ts";
import type { RuleExample } from "../server/src/rules/rule.ts";
import { createService } from "../server/src/service.ts";
import type { Edit } from "../server/src/source.ts";
import type { SyntaxParser } from "../server/src/syntax/parser.ts";
import { openclStandards, optionalFeatures } from "./fixtures.ts";
import { memoryFiles } from "./service.ts";

export interface Judgement {
  /** `CL1.2`, `sm_60`, or `no standard` for all at once. */
  readonly name: string;
  readonly settings: CompileSettings;
}

/** Every way in which an example must behave the same: all standards, or the one that it names. */
export function judgementsOf({ language, standard }: RuleExample): readonly Judgement[] {
  if (standard !== undefined) return [{ name: standard, settings: settingsOf(language, standard) }];
  const none = { name: "no standard", settings: noSettings };
  return language === "cuda" ? [none] : [none, ...openclStandards.map((name) => ({ name, settings: settingsOf("opencl", name) }))];
}

function settingsOf(language: RuleExample["language"], standard: string): CompileSettings {
  if (language === "cuda") return { ...noSettings, architectures: [Number(standard.replace(/^sm_/, ""))] };
  if (standard !== "CL3.0min") return { ...noSettings, openclStandard: standard as OpenCLStandard };
  return { ...noSettings, openclStandard: "CL3.0", openclExtensions: new Map(optionalFeatures.map((name) => [name, false])) };
}

/** The uri under which a text of an example is checked. */
export function exampleUri({ language, standard }: RuleExample): string {
  if (language === "cuda") return "file:///example.cu";
  return standard?.startsWith("clc++") === true ? "file:///example.clcpp" : "file:///example.cl";
}

/** The checker's findings for a text, including those of the link, in source order. */
export function checkText(parser: SyntaxParser, uri: string, text: string, settings: CompileSettings): readonly Diagnostic[] {
  const service = createService({ files: memoryFiles(new Map([[uri, text]])), parser, settingsOf: () => settings });
  try {
    const found = [...service.check(uri).diagnostics, ...(service.link().get(uri) ?? [])];
    return found.sort((a, b) => a.location.span.start - b.location.span.start);
  } finally {
    service.dispose();
  }
}

/** Lines, counted from one, that end in the marker `// <-`. */
export function markedLines(text: string): readonly number[] {
  return text.split("\n").flatMap((line, index) => (/\/\/ <-\s*$/.test(line) ? [index + 1] : []));
}

export function withoutMarkers(text: string): string {
  return text.replace(/[ \t]*\/\/ <-[ \t]*$/gm, "");
}

/** The line of an offset, counted from one. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** The text after the preferred fix of every diagnostic; an edit that several of them need is made once. */
export function fixedText(text: string, diagnostics: readonly Diagnostic[]): string {
  const edits = new Map<string, Edit>();
  for (const { fixes } of diagnostics) {
    for (const edit of fixes.find(({ isPreferred }) => isPreferred)?.edits ?? []) {
      edits.set(`${edit.location.span.start} ${edit.location.span.end} ${edit.text}`, edit);
    }
  }
  const backwards = [...edits.values()].sort((a, b) => b.location.span.start - a.location.span.start);
  return backwards.reduce(
    (result, { location: { span }, text: replacement }) => result.slice(0, span.start) + replacement + result.slice(span.end),
    text,
  );
}
