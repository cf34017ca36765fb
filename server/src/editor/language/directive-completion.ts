/**
 * Completes words of preprocessor directives: the directives themselves, headers in `#include`, macros in conditions, and the pragmas of
 * OpenCL with their extensions. The body of a macro's definition is completed like other code.
 */
import type { ReadFile } from "../../diagnostics/analyzed-files.ts";
import { definitionsIn } from "../../preprocess/macros/definitions-in.ts";
import { prelude } from "../../semantics/builtins/index.ts";
import { type Files, type SourceSpan, textOf } from "../../source.ts";
import { codeTokens } from "../names/tokens.ts";
import type { CompletionEntry } from "./completion.ts";
import { includesOf } from "./includes.ts";
import { extensionWords } from "./opencl-words.ts";
import { headersOf } from "./symbols.ts";

const directives = ["define", "elif", "else", "endif", "error", "if", "ifdef", "ifndef", "include", "line", "pragma", "undef"];
const predefined = ["__OPENCL_VERSION__", "__OPENCL_C_VERSION__", "__ENDIAN_LITTLE__", "__IMAGE_SUPPORT__", "__FAST_RELAXED_MATH__"];

/** The words that may stand at an offset in a directive; undefined outside of directives, and in the body of a macro. */
export function directiveCompletions(file: ReadFile, text: string, offset: number, files: Files | undefined): Entries | undefined {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  if (!/^[ \t]*#/.test(line) || /^[ \t]*#[ \t]*define[ \t]+\w+[\s(]/.test(line)) return undefined;
  const inComment = codeTokens(text).some(({ kind, start, end }) => kind === "comment" && start < offset && offset <= end);
  if (inComment) return [];
  const path = /#[ \t]*include[ \t]*["<]([^">]*)$/.exec(line)?.[1];
  if (path !== undefined) return files === undefined ? [] : headers(file, path, offset, files);
  if (/#[ \t]*\w*$/.test(line)) return words(directives, "directive");
  if (/#[ \t]*(?:if|elif|ifdef|ifndef|undef)\b/.test(line)) return macroNames(file, text, offset, files);
  return file.readings[0]?.dialect.language === "opencl" ? pragmaWords(line) : [];
}

type Entries = readonly CompletionEntry[];

function words(labels: readonly string[], detail: string): Entries {
  return labels.map((label, distance) => ({ kind: "word", label, detail, rank: 0, distance }));
}

/** OpenCL C 3.0 §6.10 and the extensions' specification §1.1. */
function pragmaWords(line: string): Entries {
  const [, given] = /#[ \t]*pragma[ \t]+(.*)$/.exec(line) ?? [];
  if (given === undefined) return [];
  if (/^\w*$/.test(given)) return words(["OPENCL EXTENSION", "OPENCL FP_CONTRACT", "once", "unroll"], "pragma");
  if (/^OPENCL[ \t]+\w*$/.test(given)) return words(["EXTENSION", "FP_CONTRACT"], "pragma");
  if (/^OPENCL[ \t]+EXTENSION[ \t]+\w*$/.test(given)) return words([...extensionWords.toSorted(byVendor), "all"], "extension");
  if (/^OPENCL[ \t]+EXTENSION[ \t]+\w+[ \t]*:[ \t]*\w*$/.test(given)) return words(["enable", "disable"], "behavior");
  return /^OPENCL[ \t]+FP_CONTRACT[ \t]+\w*$/.test(given) ? words(["ON", "OFF", "DEFAULT"], "switch") : [];
}

/** Extensions of Khronos come before those of vendors. */
function byVendor(a: string, b: string): number {
  return Number(!a.startsWith("cl_khr_")) - Number(!b.startsWith("cl_khr_"));
}

/** Macros that a condition may test: the author's, the language's, and those that other conditions of the file test. */
function macroNames({ readings: [reading] }: ReadFile, text: string, offset: number, files: Files | undefined): Entries {
  if (reading === undefined) return [];
  const texts = [text, ...(files === undefined ? [] : headersOf(reading.unit).map((uri) => textOf(files, uri)))];
  const own = texts.flatMap((each) => definitionsIn(each).map(({ name }) => name));
  const tested = [...text.matchAll(/^[ \t]*#[ \t]*(?:if|elif|ifdef|ifndef)\b(.*)$/gm)]
    .filter(({ index, 0: whole }) => offset < index || offset > index + whole.length)
    .flatMap(([, condition = ""]) => condition.match(/[A-Za-z_]\w*/g) ?? []);
  const language = [...predefined, ...extensionWords, ...definitionsIn(prelude(reading.dialect).text).map(({ name }) => name)];
  const entry = (label: string, detail: string, rank: number): CompletionEntry => ({ kind: "macro", label, detail, rank });
  const all = [
    entry("defined", "operator", 0),
    ...own.map((label) => entry(label, "macro", 0)),
    ...tested.map((label) => entry(label, "tested in this file", 0)),
    ...(reading.dialect.language === "opencl" ? language : []).map((label) => entry(label, "OpenCL C", 1)),
  ];
  return [...new Map([...all].reverse().map((each) => [each.label, each])).values()].reverse();
}

/** The headers and folders that may follow the part of a path before the offset, as seen from the file and from the include paths. */
function headers(file: ReadFile, path: string, offset: number, files: Files): Entries {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const span: SourceSpan = { start: offset - path.length + folder.length, end: offset };
  const found = new Map<string, CompletionEntry>();
  const listed = files.list().filter((uri) => uri !== file.uri);
  for (const root of rootsOf(file)) {
    const from = resolved(root, folder);
    for (const uri of listed) {
      if (!uri.startsWith(from)) continue;
      const [name = "", ...deeper] = decodeURIComponent(uri.slice(from.length)).split("/");
      const label = deeper.length > 0 ? `${name}/` : name;
      if (found.has(label) || !/\/$|\.(?:h|hh|hpp|hxx|inc|inl|cl|clh|ocl|opencl|cuh|cu)$/i.test(label)) continue;
      found.set(label, {
        kind: "file",
        label,
        detail: deeper.length > 0 ? "folder" : "header",
        rank: deeper.length > 0 ? 1 : 0,
        replaces: span,
      });
    }
  }
  return [...found.values()];
}

/** The folders in which headers are looked up, each with a slash at its end: the file's, those of the settings, those of other includes. */
function rootsOf(file: ReadFile): readonly string[] {
  const own = file.uri.slice(0, file.uri.lastIndexOf("/") + 1);
  const [reading] = file.readings;
  const others = includesOf(file).flatMap(({ span, uri }) => {
    const written = reading?.unit.includes.find(({ location }) => location.span.start === span.start)?.name.slice(1, -1);
    return written !== undefined && uri.endsWith(`/${written}`) ? [uri.slice(0, uri.length - written.length)] : [];
  });
  return [...new Set([own, ...file.settings.includePaths.map((each) => (each.endsWith("/") ? each : `${each}/`)), ...others])];
}

/** The folder of a path that starts at another folder. */
function resolved(root: string, folder: string): string {
  const parts = root.split("/").slice(0, -1);
  for (const part of folder.split("/").slice(0, -1)) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(encodeURIComponent(part));
  }
  return `${parts.join("/")}/`;
}
