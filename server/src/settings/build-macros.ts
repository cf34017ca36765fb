/**
 * Infers macros that a project's build defines and without which kernels of a file are inactive: `#ifdef USE_CUDA` around them, or
 * `#if REAL == 32 … #elif REAL == 64` without `#else`. Definitions are read from build scripts, and for OpenCL from the options that
 * host code passes as a literal. A macro that the file's kernels do not need is left alone, because the build may define it for
 * other files only. Settings override the inference.
 */
import type { Language } from "../dialect.ts";
import { tokensOf } from "../embedded/embedded.ts";
import { withoutComments } from "../embedded/join.ts";
import type { HostToken } from "../embedded/literals.ts";
import { baseNameOf } from "../names.ts";
import { type Files, type Location, textOf } from "../source.ts";
import { wordPattern } from "../words.ts";
import { definitionsInScript, isBuildFile, variablesInScript, withoutRemarks } from "./builds/build-languages.ts";
import { programsOf } from "./builds/built-programs.ts";
import { type Alternatives, alternativesIn, macroAroundHeader } from "./builds/header-conditions.ts";
import { createIncludeGraph } from "./builds/include-graph.ts";
import type { InferredMacro } from "./inferred-macros.ts";
import { isOptions, kernelFilesIn, maySayStandard } from "./standard-statements.ts";

/** Answers which macros of the build a file's kernels need. */
export interface BuildMacros {
  of(name: string, language: Language): readonly InferredMacro[];
  /** Macros that the host program defines for some builds of its OpenCL programs, and that a file or its headers test. */
  optional(name: string): readonly InferredMacro[];
  /** Reports that these files were edited, created or deleted. True if answers may differ now. */
  changed(names: readonly string[]): boolean;
}

/** A definition in a build; the value is undefined if only the build knows it. */
interface Definition {
  readonly name: string;
  readonly value: string | undefined;
  /** The variable with the value, which this script does not set. */
  readonly variable?: string;
  readonly location: Location;
  /** Host code defines it for OpenCL programs alone. */
  readonly isOfHost: boolean;
  /** Host code appends it to the options of some builds. */
  readonly isOptional: boolean;
  /** The names of the kernel files that the host code names. */
  readonly builds?: readonly string[];
  /** The names of the kernel files for which host code certainly chooses it. */
  readonly programs?: RegExp;
}

/** Creates the inference. It reads build scripts and host sources once, and again when one of them changes. */
export function createBuildMacros(files: Files): BuildMacros {
  const byFile = new Map<string, readonly Definition[]>();
  let all: ReadonlyMap<string, readonly Definition[]> | undefined;
  const needs = new Map<string, { readonly text: string; readonly needed: ReadonlyMap<string, readonly string[]> }>();
  const gather = (): ReadonlyMap<string, readonly Definition[]> => {
    if (all !== undefined) return all;
    const names = files.list().filter(maySayStandard);
    // While one of the files is unread, it is unknown what it defines.
    if (names.some((name) => files.read(name) === "unread")) return new Map();
    for (const name of names) {
      const found = definitionsIn(name, textOf(files, name));
      if (found.length > 0) byFile.set(name, found);
    }
    const byName = new Map<string, Definition[]>();
    const elsewhere = variablesOf(names.filter(isBuildFile));
    for (const written of [...byFile.values()].flat()) {
      const value = written.variable === undefined ? written.value : elsewhere().get(written.variable);
      const each = { ...written, value };
      const known = byName.get(each.name);
      if (known === undefined) byName.set(each.name, [each]);
      else known.push(each);
    }
    all = byName;
    return byName;
  };
  /** The variables that scripts set for others: those that they include, and those of the folders below. Asked for rarely. */
  const variablesOf = (scripts: readonly string[]) => {
    let known: ReadonlyMap<string, string> | undefined;
    return (): ReadonlyMap<string, string> => {
      known ??= new Map(scripts.toReversed().flatMap((script) => [...variablesInScript(withoutRemarks(script, textOf(files, script)))]));
      return known;
    };
  };
  const neededBy = (name: string): ReadonlyMap<string, readonly string[]> => {
    const text = textOf(files, name);
    const known = needs.get(name);
    if (known?.text === text) return known.needed;
    const needed = neededMacros(text);
    needs.set(name, { text, needed });
    return needed;
  };
  const graph = createIncludeGraph(files, outlineOf);
  /** What a file and the headers that it includes say, the file first. */
  const outlinesOf = (name: string) => graph.reached(name, mostHeaders).map((uri) => ({ uri, ...graph.of(uri) }));
  /** The needs of a file, and chains of tests in its headers for macros that the build defines: they decide the types of its kernels. */
  const neededWithHeaders = (name: string): ReadonlyMap<string, readonly string[]> => {
    const defined = gather();
    if (defined.size === 0) return neededBy(name);
    const needed = new Map(neededBy(name));
    for (const { chains, whole } of outlinesOf(name).slice(1)) {
      if (whole !== undefined && !needed.has(whole) && isOfScript(defined.get(whole))) needed.set(whole, []);
      for (const [macro, values] of chains) if (defined.has(macro) && !needed.has(macro)) needed.set(macro, values);
    }
    return needed;
  };
  /** The macros that the host program which names the file always defines so: those with a value that it uses, and those of its options. */
  const givenTo = (name: string): readonly InferredMacro[] => {
    const text = textOf(files, name);
    const base = baseNameOf(name);
    return [...gather()].flatMap(([macro, all]): readonly InferredMacro[] => {
      const [chosen] = all.filter(({ programs }) => programs?.test(base) === true);
      if (chosen?.value !== undefined && outlinesOf(name).some(({ tested }) => tested.has(macro)))
        return [{ name: macro, value: chosen.value, location: chosen.location }];
      const own = all.filter(({ isOfHost, builds }) => isOfHost && builds?.includes(base) === true);
      const [first] = own;
      if (first?.value === undefined || first.value === "1" || own.some(({ value, isOptional }) => isOptional || value !== first.value))
        return [];
      const isUsed = wordPattern(macro).test(text) && !new RegExp(`#[ \\t]*define[ \\t]+${macro}\\b`).test(text);
      return isUsed ? [{ name: macro, value: first.value, location: first.location }] : [];
    });
  };
  const neededIn = (name: string, language: Language): readonly InferredMacro[] =>
    [...neededWithHeaders(name)].flatMap(([macro, tested]): readonly InferredMacro[] => {
      const own = (gather().get(macro) ?? []).filter(({ isOfHost }) => !isOfHost || language === "opencl");
      const [first] = own;
      if (first === undefined) return [];
      const known = own.find(({ value }) => value !== undefined && (tested.length === 0 || tested.includes(value)))?.value;
      return [{ name: macro, value: known ?? tested[0] ?? "1", location: first.location }];
    });
  /** For chains of tests of several macros none of which is defined: the one to choose, if the file uses what the branches define. */
  const chosenFor = (name: string, known: ReadonlySet<string>): readonly InferredMacro[] => {
    const outlines = outlinesOf(name);
    const found = new Map<string, InferredMacro>();
    let defined: ReadonlySet<string> | undefined;
    for (const { uri, text: ofFile, alternatives } of outlines) {
      for (const { tests, chosen, defines } of alternatives) {
        const text = outlines[0]?.text ?? "";
        if (!defines.some((macro) => wordPattern(macro).test(text))) continue;
        defined ??= new Set(outlines.flatMap((each) => [...each.text.matchAll(definedName)].map(([, macro = ""]) => macro)));
        if (tests.some(({ macro }) => known.has(macro) || defined?.has(macro) === true || found.has(macro))) continue;
        const { macro, value } = tests.find((test) => gather().has(test.macro)) ?? chosen;
        const at = ofFile.indexOf(macro);
        found.set(macro, { name: macro, value, location: { uri, span: { start: at, end: at + macro.length } } });
      }
    }
    return [...found.values()];
  };
  const alsoGiven = (needed: readonly InferredMacro[], more: readonly InferredMacro[]) =>
    more.filter((given) => needed.every((other) => other.name !== given.name));
  return {
    of: (name, language) => {
      const needed = neededIn(name, language);
      if (language !== "opencl") return needed;
      const given = [...needed, ...alsoGiven(needed, givenTo(name))];
      return [...given, ...chosenFor(name, new Set(given.map(({ name: macro }) => macro)))];
    },
    optional: (name) => {
      const found = [...gather().values()].flat().filter(({ isOptional, value }) => isOptional && value !== undefined);
      if (found.length === 0) return [];
      const outlines = outlinesOf(name);
      const first = new Map<string, InferredMacro>();
      for (const { name: macro, value = "1", location } of found)
        if (!first.has(macro) && outlines.some(({ tested }) => tested.has(macro))) first.set(macro, { name: macro, value, location });
      return [...first.values()];
    },
    changed: (names) => {
      // An edited text would be read again anyway; a closed document may have been the only text of its file.
      for (const name of names) needs.delete(name);
      // Nothing has been requested yet.
      if (all === undefined) return false;
      let differs = false;
      for (const name of names.filter(maySayStandard)) {
        const before = byFile.get(name) ?? [];
        const now = definitionsIn(name, textOf(files, name));
        const meaning = (found: readonly Definition[]) =>
          JSON.stringify(
            found.map(({ name: macro, value, variable, isOptional, programs }) => [macro, value, variable, isOptional, `${programs}`]),
          );
        differs ||= meaning(before) !== meaning(now);
        byFile.set(name, now);
      }
      if (differs) all = undefined;
      return differs;
    },
  };
}

// ---------------------------------------------------------------- definitions

const option = /(?<![\w-])-D ?([A-Za-z_]\w*)(?:=([^\s"',;)\]]*))?/g;
/** The definitions of one file: a build script, or a source of the host. */
function definitionsIn(uri: string, text: string): readonly Definition[] {
  if (isBuildFile(uri)) return ofScript(uri, withoutRemarks(uri, text));
  if (!text.includes("-D") || !/\bcl(?:Build|Compile)Program\b|\bcl::Program\b|\bpyopencl\b|OpenCL/.test(text)) return [];
  const tokens = tokensOf(uri, text);
  const builds = kernelFilesIn(tokens);
  return tokens.flatMap((token, index) => {
    if (token.kind !== "literal" || !isOptions(token.value)) return [];
    const isOptional = isAppended(tokens, index);
    const programs = isOptional ? undefined : programsOf(tokens, index);
    // A value that only the running program knows is chosen by `inferred-macros.ts`.
    return [...token.value.matchAll(option)]
      .filter(([, , value]) => value === undefined || /^[\w.]+$/.test(value))
      .map(([, name = "", value = "1"]) => ({
        ...definition(uri, name, value, token.start, token.end, true),
        isOptional,
        builds,
        ...(programs === undefined ? {} : { programs }),
      }));
  });
}

/** True for a literal that is appended to options, or chosen by a condition. */
function isAppended(tokens: readonly HostToken[], index: number): boolean {
  const spelled = tokens.slice(Math.max(0, index - 8), index).map((token) => (token.kind === "literal" ? '""' : token.text));
  const next = tokens[index + 1];
  return (
    /(?:\+ =|\?|\b(?:append|push_back|emplace_back|add|strn?cat|extend)) ?(?:\( )?(?:\w+ , )?(?:\[ )?$/.test(`${spelled.join(" ")} `) ||
    /\? (?:""|\w+) : $/.test(`${spelled.join(" ")} `) ||
    (next?.kind === "word" && next.text === "if" && tokens[index - 1]?.kind === "sign")
  );
}

/** The definitions of a build script. A variable has the value that the script gives it, or else that of another script. */
function ofScript(uri: string, text: string): readonly Definition[] {
  const own = variablesInScript(text);
  return definitionsInScript(uri, text).map(({ name, value, variable, start, end }) => {
    const known = value ?? (variable === undefined ? undefined : own.get(variable));
    const found = definition(uri, name, known, start, end, false);
    return known === undefined && variable !== undefined ? { ...found, variable } : found;
  });
}

function definition(uri: string, name: string, value: string | undefined, start: number, end: number, isOfHost: boolean): Definition {
  return { name, value, location: { uri, span: { start, end } }, isOfHost, isOptional: false };
}

// ---------------------------------------------------------------- needs

const directive = /^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif|define)\b(.*)$/gm;
const kernelWord = /\b__global__\b|\b(?:__)?kernel\b(?=[\s\w(),]{0,200}\bvoid\b)/;
const isDefined = /^(?:defined\s*\(?\s*)?([A-Za-z_]\w*)\s*\)?$/;
const isEqual = /^\(?\s*([A-Za-z_]\w*)\s*==\s*(\d+)\s*\)?$/;

/** The macros that conditionals of a text test. */
function testedMacros(text: string): ReadonlySet<string> {
  const conditions = [...text.matchAll(directive)]
    .filter(([, word = ""]) => /if/.test(word))
    .map(([, , rest = ""]) => withoutComments(rest));
  return new Set(conditions.flatMap((condition) => condition.match(/[A-Za-z_]\w*/g) ?? []));
}

/** A file that includes more is judged by these. */
const mostHeaders = 100;

/** The text after an `#else` that rejects all other values. */
const rejects = /^\s*(?:\/\/[^\n]*\s*)*#[ \t]*error\b/;

const definedName = /^[ \t]*#[ \t]*define[ \t]+(\w+)/gm;

/** True for a macro that a build script defines. */
function isOfScript(definitions: readonly Definition[] | undefined): boolean {
  return definitions?.some(({ isOfHost }) => !isOfHost) === true;
}

/** What a file says about macros of its build. */
interface Outline {
  readonly text: string;
  readonly chains: ReadonlyMap<string, readonly string[]>;
  /** The macro without which the file is empty. */
  readonly whole: string | undefined;
  readonly alternatives: readonly Alternatives[];
  /** The macros that its conditionals test. */
  readonly tested: ReadonlySet<string>;
}

function outlineOf(text: string): Outline {
  return {
    text,
    chains: chainsIn(text),
    whole: macroAroundHeader(text),
    alternatives: alternativesIn(text),
    tested: testedMacros(text),
  };
}

interface Open {
  /** Undefined if the conditional tests something else, or has an `#else`. */
  macro: string | undefined;
  readonly values: string[];
  readonly start: number;
}

/**
 * The macros that a text needs, with the values that it tests: those of conditionals without `#else` around kernels, and of chains of
 * tests for values.
 */
export function neededMacros(text: string): ReadonlyMap<string, readonly string[]> {
  return kernelWord.test(text)
    ? conditionsIn(text, (values, inside) => values.length > 1 || kernelWord.test(withoutComments(inside)))
    : new Map();
}

/** The macros that chains of tests for values need. */
function chainsIn(text: string): ReadonlyMap<string, readonly string[]> {
  return /^[ \t]*#[ \t]*elif/m.test(text) ? conditionsIn(text, (values) => values.length > 1) : new Map();
}

/** The conditionals without another way out whose tested values and text count. */
function conditionsIn(
  text: string,
  counts: (values: readonly string[], inside: string) => boolean,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  if (!/^[ \t]*#[ \t]*if/m.test(text)) return found;
  const defined = new Set<string>();
  const open: Open[] = [];
  for (const { 0: whole, 1: word = "", 2: rest = "", index } of text.matchAll(directive)) {
    const condition = withoutComments(rest).trim();
    const current = open[open.length - 1];
    if (word === "define") defined.add(/^\w*/.exec(condition)?.[0] ?? "");
    else if (word.startsWith("if")) open.push(opened(word, condition, index + whole.length));
    else if (current === undefined) continue;
    else if (word === "endif") {
      open.pop();
      const { macro, values, start } = current;
      if (macro === undefined || found.has(macro)) continue;
      if (counts(values, text.slice(start, index))) found.set(macro, values);
    } else if (
      word !== "else" ||
      current.values.length === 0 ||
      !rejects.test(text.slice(index + whole.length, index + whole.length + 400))
    ) {
      const [, macro, value = ""] = word === "elif" ? (isEqual.exec(condition) ?? []) : [];
      if (macro === undefined || macro !== current.macro || current.values.length === 0) current.macro = undefined;
      current.values.push(value);
    }
  }
  for (const name of defined) found.delete(name);
  return found;
}

function opened(word: string, condition: string, start: number): Open {
  const [, equal, value = ""] = word === "if" ? (isEqual.exec(condition) ?? []) : [];
  if (equal !== undefined) return { macro: equal, values: [value], start };
  const macro = word === "ifndef" ? undefined : isDefined.exec(condition)?.[1];
  // Compilers define names with underscores.
  return { macro: macro?.startsWith("__") === true ? undefined : macro, values: [], start };
}
