/**
 * A source and the header that it includes, both open. The service that has seen every edit is compared with one that sees only the last
 * text, whichever file is asked for first.
 */
import { type CompileSettings, noSettings } from "../server/src/dialect.ts";
import type { Diagnostic } from "../server/src/finding.ts";
import { rules } from "../server/src/rules/index.ts";
import { createService, type Service } from "../server/src/service.ts";
import type { SyntaxParser } from "../server/src/syntax/parser.ts";
import { checkedFrom, toldWithFixes } from "./open-files.ts";
import { memoryFiles } from "./service.ts";

/** A service over files that are open except those named `closed`, or that it reads as wholes. */
export function serviceOver(
  parser: SyntaxParser,
  texts: ReadonlyMap<string, string>,
  isOpen: boolean,
  settings: CompileSettings = noSettings,
): Service {
  return createService({
    files: memoryFiles(texts),
    parser,
    settingsOf: () => settings,
    isOpen: (uri) => isOpen && !uri.includes("closed"),
  });
}

/** What a service says about a file. The order of what a summary lists depends on how the file was read. */
export function told(service: Service, uri: string) {
  const { summary, ...checked } = checkedFrom(service, uri);
  const lists = Object.entries(summary ?? {}).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map((each) => JSON.stringify(each)).sort() : value,
  ]);
  return { ...checked, summary: Object.fromEntries(lists) as Readonly<Record<string, unknown>> };
}

/** The findings of a check. */
export function saidBy(service: Service, uri: string): readonly string[] {
  return toldWithFixes(service.check(uri).diagnostics);
}

const ofItems = new Set(rules.filter(({ check, checkFile }) => checkFile === undefined && check !== undefined).map(({ id }) => id));

/** The findings of rules that judge single items, without their fixes: what a glance computes. */
export function toldOfItems(diagnostics: readonly Diagnostic[]): readonly string[] {
  return toldWithFixes(diagnostics.filter(({ rule }) => ofItems.has(rule)).map((diagnostic) => ({ ...diagnostic, fixes: [] })));
}

/** A difference between a service that saw the edits and a new one, in words; undefined if there is none. */
export function differenceAfter(
  parser: SyntaxParser,
  kept: Service,
  texts: ReadonlyMap<string, string>,
  edited: string,
  settings: CompileSettings = noSettings,
): string | undefined {
  kept.changed([edited]);
  const glance = kept.glance(edited, []);
  const fresh = serviceOver(parser, new Map(texts), true, settings);
  try {
    const difference = differenceOf(kept, fresh, texts);
    if (difference !== undefined || glance === undefined) return difference;
    const [seen, all] = [toldOfItems(glance.diagnostics), toldOfItems(fresh.check(edited).diagnostics)];
    return seen.join() === all.join() ? undefined : `the glance at ${edited} has ${seen.join(" ")} instead of ${all.join(" ")}`;
  } finally {
    fresh.dispose();
  }
}

/** A difference between what two services say about files, in words; undefined if there is none. */
export function differenceOf(kept: Service, fresh: Service, texts: ReadonlyMap<string, string>): string | undefined {
  for (const uri of [...texts.keys()].reverse()) {
    const [before = "", now = ""] = [told(kept, uri), told(fresh, uri)].map((each) => JSON.stringify(each, null, 1));
    if (before !== now) return `${uri}: fresh has ${linesOnlyIn(now, before)}, kept has ${linesOnlyIn(before, now)}`;
  }
  return undefined;
}

function linesOnlyIn(text: string, other: string): string {
  const known = new Set(other.split("\n"));
  return text
    .split("\n")
    .filter((line) => !known.has(line))
    .join(" ");
}
