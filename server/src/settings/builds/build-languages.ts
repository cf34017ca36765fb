/**
 * The languages of build scripts, one row for each: the names of its files, how it writes comments, and what a definition of a macro
 * looks like in it. An option `-DNAME=value` is a definition in all of them. Which definitions count is decided by `build-macros.ts`.
 */
import { baseNameOf } from "../../names.ts";

/** A definition of a macro in a script. Offsets count in the script. */
export interface WrittenDefinition {
  readonly name: string;
  /** Undefined if the script computes it, or `variable` has it. */
  readonly value: string | undefined;
  /** The variable of the script that has the value. */
  readonly variable?: string;
  readonly start: number;
  readonly end: number;
}

interface BuildLanguage {
  readonly names: RegExp;
  /** Matches a comment. */
  readonly remarks: RegExp;
  /** Matches a list of definitions, which the first group contains, and one definition in it: its name, and its value. */
  readonly lists: readonly { readonly list: RegExp; readonly item: RegExp }[];
}

const hashRemarks = /(?<=^|\s)#[^\n]*/g;
/** A name with a value in one string, as compilers take it after `-D`. */
const nameWithValue = /(?<![\w$-])([A-Za-z_]\w*)(?:=\\?("?)([^\s";,)\]\\]*)\\?\2)?(?=["'\s;,)\]]|$)/g;
/** A string with a definition: `"NAME=value"`. */
const quotedDefinition = /["']([A-Za-z_]\w*)(?:=()([^"']*))?["']/g;
/** A pair of Python: `("NAME", "value")`, `("NAME", None)`. */
const pair = /\(\s*["'](\w+)["']\s*,\s*()(?:["']([^"']*)["']|(\d+)|None)\s*,?\s*\)/g;

const languages: readonly BuildLanguage[] = [
  {
    // CMake
    names: /^(?:CMakeLists\.txt|.*\.cmake)$/,
    remarks: hashRemarks,
    lists: [
      { list: /\badd_compile_definitions\s*\(([^()]*)\)/gi, item: nameWithValue },
      // The first argument is the target.
      { list: /\btarget_compile_definitions\s*\(\s*\S+([^()]*)\)/gi, item: nameWithValue },
    ],
  },
  {
    // Python: setuptools and PyTorch's extensions, SCons, waf, Bazel
    names: /^(?:setup\.py|SConstruct|SConscript|wscript|BUILD(?:\.bazel)?|.*\.bzl)$/,
    remarks: hashRemarks,
    lists: [
      { list: /\b(?:define_macros|CPPDEFINES)\s*\+?=\s*\[((?:[^[\]]){0,2000})\]/g, item: pair },
      { list: /\b(?:CPPDEFINES|defines|local_defines)\s*\+?=\s*\[((?:[^[\]()]){0,2000})\]/g, item: quotedDefinition },
    ],
  },
  {
    // Visual Studio
    names: /^.*\.(?:vcxproj|props|targets)$/i,
    remarks: /<!--[\s\S]*?(?:-->|$(?![\s\S]))/g,
    lists: [{ list: /<(?:Defines|PreprocessorDefinitions)\b[^<>]*>([^<>]*)</g, item: nameWithValue }],
  },
  // Meson
  { names: /^meson\.build$/, remarks: hashRemarks, lists: [] },
  // node-gyp
  {
    names: /^(?:binding\.gyp|.*\.gypi)$/,
    remarks: hashRemarks,
    lists: [{ list: /["']defines[!+?]?["']\s*:\s*\[([^[\]]{0,2000})\]/g, item: quotedDefinition }],
  },
  // Premake and xmake
  {
    names: /^(?:premake\d?\.lua|xmake\.lua)$/,
    remarks: /--[^\n]*/g,
    lists: [{ list: /\b(?:add_)?defines\s*[({]+([^(){}]{0,2000})[)}]/g, item: quotedDefinition }],
  },
  // Make, Ninja
  { names: /^(?:GNUmakefile|[Mm]akefile(?:\..*)?|.*\.(?:mk|mak|ninja))$/, remarks: hashRemarks, lists: [] },
];

/** True for names of build scripts. */
export function isBuildFile(name: string): boolean {
  return languageOf(name) !== undefined;
}

function languageOf(name: string): BuildLanguage | undefined {
  const base = baseNameOf(name);
  return languages.find(({ names }) => names.test(base));
}

/** A build script whose comments are replaced by blanks, so that offsets stay. */
export function withoutRemarks(name: string, text: string): string {
  const remarks = languageOf(name)?.remarks ?? hashRemarks;
  return text.replace(remarks, (remark) => remark.replace(/[^\n]/g, " "));
}

/** An option; its value may be in escaped quotes. */
const option = /(?<![\w-])-D ?([A-Za-z_]\w*)(?:=(?:\\?")?([^\s"',;)\]<>\\]*))?/g;
const keywords: ReadonlySet<string> = new Set(["PUBLIC", "PRIVATE", "INTERFACE"]);

/** The definitions in a build script without remarks. */
export function definitionsInScript(name: string, text: string): readonly WrittenDefinition[] {
  const found: WrittenDefinition[] = [];
  const add = (macro: string, value: string | undefined, start: number, length: number) =>
    found.push({ name: macro, ...valueOf(value), start, end: start + length });
  for (const { 0: whole, 1: macro = "", 2: value, index } of text.matchAll(option)) add(macro, value, index, whole.length);
  for (const { list, item } of languageOf(name)?.lists ?? [])
    for (const { 0: whole, 1: contents = "", index } of text.matchAll(list))
      for (const [, macro = "", , value, number] of contents.matchAll(item))
        if (!keywords.has(macro)) add(macro, value ?? number, index, whole.length);
  return found;
}

function valueOf(written: string | undefined): Pick<WrittenDefinition, "value" | "variable"> {
  if (written === undefined || written === "") return { value: "1" };
  const variable = /^\$[{(](\w+)[})]$/.exec(written)?.[1];
  if (variable !== undefined) return { value: undefined, variable };
  return { value: /^[\w.]+$/.test(written) ? written : undefined };
}

const assignment = /\bset\s*\(\s*(\w+)\s+"?([\w.]+)|^[ \t]*(\w+)[ \t]*[:?]?=[ \t]*([\w.]+)/gim;

/** The variables that a script sets, each with its first value. */
export function variablesInScript(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [, name, value, other, otherValue] of text.matchAll(assignment)) {
    const key = name ?? other ?? "";
    if (!found.has(key)) found.set(key, value ?? otherValue ?? "");
  }
  return found;
}
