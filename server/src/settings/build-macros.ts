/**
 * Infers macros that a project's build defines and without which kernels of a file are inactive: `#ifdef USE_CUDA` around them, or
 * `#if REAL == 32 … #elif REAL == 64` without `#else`. Definitions are read from build scripts, and for OpenCL from the options that
 * host code passes as a literal. A macro that the file's kernels do not need is left alone, because the build may define it for
 * other files only. Of cases that declare a type or an address space, one is chosen. Settings override the inference.
 */
import type { Language } from "../dialect.ts";
import { isWrapped } from "../embedded/c-literals.ts";
import { tokensOf } from "../embedded/embedded.ts";
import { isSign } from "../embedded/host-tokens.ts";
import type { HostToken } from "../embedded/literals.ts";
import { meaningOf } from "../encoding.ts";
import { baseNameOf, hostOf } from "../names.ts";
import { type Files, type Location, textOf } from "../source.ts";
import { wordPattern } from "../words.ts";
import type { Alternative } from "./builds/alternatives.ts";
import { definitionsInScript, isBuildFile, variablesInScript, withoutRemarks } from "./builds/build-languages.ts";
import { programsOf } from "./builds/built-programs.ts";
import { appendedTo, type GivenValue, isValue, possibleValues, preferredValue, returnedBy } from "./builds/given-values.ts";
import { createIncludeGraph } from "./builds/include-graph.ts";
import { alternativesOf, chainsOf, definedOf, type MacroOutline, neededMacros, testedOf, wholeOf } from "./builds/needed-macros.ts";
import type { InferredMacro } from "./inferred-macros.ts";
import { buildsPrograms, isOptions, kernelFilesIn, maySayStandard } from "./standard-statements.ts";

/** Answers which macros of the build a file's kernels need. */
export interface BuildMacros {
  /** `set` are the macros that the settings define: no case is chosen of which they choose one. */
  of(name: string, language: Language, set?: readonly { readonly name: string }[]): readonly InferredMacro[];
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
  /** What host code appends to the option as its value. */
  readonly given?: GivenValue;
}

/** Creates the inference. It reads build scripts and host sources once, and again when one of them changes. */
export function createBuildMacros(files: Files): BuildMacros {
  const byFile = new Map<string, readonly Definition[]>();
  let all: ReadonlyMap<string, readonly Definition[]> | undefined;
  /** The values that host code gives macros, each with the place of the option. */
  let given: ReadonlyMap<string, readonly InferredMacro[]> = new Map();
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
    given = valuesGiven(names);
    for (const written of [...byFile.values()].flat()) {
      if (written.given !== undefined) continue;
      const value = written.variable === undefined ? written.value : elsewhere().get(written.variable);
      const each = { ...written, value };
      const known = byName.get(each.name);
      if (known === undefined) byName.set(each.name, [each]);
      else known.push(each);
    }
    all = byName;
    return byName;
  };
  /** The values that host code gives macros, as far as it shows them. */
  const valuesGiven = (names: readonly string[]): ReadonlyMap<string, readonly InferredMacro[]> => {
    const found = new Map<string, InferredMacro[]>();
    const hosts = names.filter((name) => !isBuildFile(name));
    const returned = new Map<string, ReadonlyMap<string, readonly string[]>>();
    /** The literals that a function of the file, or else of the first other one with such a function, returns. */
    const returnedIn = (uri: string, name: string): readonly string[] => {
      const byHost = returned.get(name) ?? new Map(hosts.map((host) => [host, returnedBy(name, textOf(files, host))]));
      returned.set(name, byHost);
      return [byHost.get(uri) ?? [], ...byHost.values()].find((values) => values.length > 0) ?? [];
    };
    for (const { name, value, given: appended, location, isOfHost } of [...byFile.values()].flat()) {
      if (!isOfHost || (appended === undefined && value === undefined)) continue;
      const values =
        appended === undefined ? [value ?? ""].filter(isValue) : possibleValues(appended, (name) => returnedIn(location.uri, name));
      const chosen = preferredValue(values);
      if (chosen === undefined) continue;
      const known = found.get(name) ?? [];
      known.push({ name, value: chosen, location });
      found.set(name, known);
    }
    return found;
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
  const graph = createIncludeGraph(files, (text): MacroOutline => ({ text }));
  /** What a file and the headers that it includes say, the file first. */
  const outlinesOf = (name: string) => graph.reached(name, mostHeaders).map((uri) => ({ uri, outline: graph.of(uri) }));
  /** The needs of a file, and chains of tests in its headers for macros that the build defines: they decide the types of its kernels. */
  const neededWithHeaders = (name: string): ReadonlyMap<string, readonly string[]> => {
    const defined = gather();
    if (defined.size === 0) return neededBy(name);
    const needed = new Map(neededBy(name));
    for (const { outline } of outlinesOf(name).slice(1)) {
      const whole = wholeOf(outline);
      if (whole !== undefined && !needed.has(whole) && isOfScript(defined.get(whole))) needed.set(whole, []);
      for (const [macro, values] of chainsOf(outline)) if (defined.has(macro) && !needed.has(macro)) needed.set(macro, values);
    }
    return needed;
  };
  /** The macros that the host program which names the file always defines so: those with a value that it uses, and those of its options. */
  const givenTo = (name: string): readonly InferredMacro[] => {
    const text = textOf(files, name);
    const base = baseNameOf(name);
    return [...gather()].flatMap(([macro, all]): readonly InferredMacro[] => {
      const [chosen] = all.filter(({ programs }) => programs?.test(base) === true);
      if (chosen?.value !== undefined && outlinesOf(name).some(({ outline }) => testedOf(outline).has(macro)))
        return [{ name: macro, value: chosen.value, location: chosen.location }];
      const own = all.filter(({ isOfHost, builds }) => isOfHost && builds?.includes(base) === true);
      const [first] = own;
      if (first?.value === undefined || first.value === "1" || own.some(({ value, isOptional }) => isOptional || value !== first.value))
        return [];
      const isUsed = wordPattern(macro).test(text) && !new RegExp(`#[ \\t]*define[ \\t]+${macro}\\b`).test(text);
      return isUsed ? [{ name: macro, value: first.value, location: first.location }] : [];
    });
  };
  /** How the build defines a macro. The options of a host program are for its OpenCL sources. */
  const definitionsOf = (macro: string, language: Language) =>
    (gather().get(macro) ?? []).filter(({ isOfHost }) => !isOfHost || language === "opencl");
  const neededIn = (name: string, language: Language): readonly InferredMacro[] =>
    [...neededWithHeaders(name)].flatMap(([macro, tested]): readonly InferredMacro[] => {
      const own = definitionsOf(macro, language);
      const [first] = own;
      if (first === undefined) return [];
      const known = own.find(({ value }) => value !== undefined && (tested.length === 0 || tested.includes(value)))?.value;
      return [{ name: macro, value: known ?? tested[0] ?? "1", location: first.location }];
    });
  /** For alternatives of which nothing chooses one: the one to choose, if the file uses what they declare. */
  const chosenFor = (name: string, language: Language, known: ReadonlySet<string>): readonly InferredMacro[] => {
    const outlines = outlinesOf(name);
    const found = new Map<string, InferredMacro>();
    let defined: ReadonlySet<string> | undefined;
    for (const { uri, outline } of outlines) {
      for (const { tests, chosen, declares, areSpaces, areTypes } of alternativesOf(outline)) {
        if (language !== "opencl" && (!areTypes || tests.some(({ macro }) => otherLanguage.test(macro)))) continue;
        const text = outlines[0]?.outline.text ?? "";
        if (!declares.some((macro) => wordPattern(macro).test(text))) continue;
        defined ??= new Set(outlines.flatMap((each) => [...definedOf(each.outline)]));
        if (tests.some(({ macro }) => known.has(macro) || defined?.has(macro) === true || found.has(macro))) continue;
        const ofBuild = (test: Alternative) => definitionsOf(test.macro, language);
        const isOfBuild = (test: Alternative) => ofBuild(test).some(({ value }) => value === test.value);
        const { macro, value } = tests.find(isOfBuild) ?? tests.find((test) => ofBuild(test).length > 0) ?? chosen;
        const others = areSpaces ? tests.filter((test) => test.macro !== macro || test.value !== value) : [];
        const at = outline.text.indexOf(macro);
        found.set(macro, {
          name: macro,
          value,
          location: { uri, span: { start: at, end: at + macro.length } },
          ...(others.length === 0 ? {} : { others: others.map((other) => ({ name: other.macro, value: other.value })) }),
        });
      }
    }
    return [...found.values()];
  };
  /** The values of words that the program uses and nothing else of it defines: types and parts of names. The nearest host counts. */
  const undefinedIn = (name: string, known: ReadonlySet<string>): readonly InferredMacro[] => {
    if (given.size === 0) return [];
    const outlines = outlinesOf(name);
    return [...given].flatMap(([macro, values]): readonly InferredMacro[] => {
      const pattern = new RegExp(`(?<!\\w)${macro.replace("%s", "[A-Za-z]\\w*?")}(?!\\w)`, "g");
      const words = macro.startsWith("%s") ? outlines.flatMap(({ outline }) => outline.text.match(pattern) ?? []) : [macro];
      return [...new Set(words)].flatMap((word) => {
        if (known.has(word) || given.has(word) !== (word === macro) || outlines.some(({ outline }) => definedOf(outline).has(word)))
          return [];
        const isTested = outlines.some(({ outline }) => testedOf(outline).has(word));
        // Code in a conditional may need the macro only there.
        const using = isTested ? outlines.slice(0, 1) : outlines;
        if (!using.some(({ outline: { text } }) => text.includes(word) && isUsed(word, text))) return [];
        const shared = ({ location: { uri } }: InferredMacro) => commonLength(uri, name);
        const nearest = values.reduce((most, each) => Math.max(most, shared(each)), 0);
        const best = values.filter((each) => shared(each) === nearest);
        const value = preferredValue(best.map((each) => each.value));
        return best
          .filter((each) => each.value === value)
          .slice(0, 1)
          .map((each) => ({ ...each, name: word }));
      });
    });
  };
  const alsoGiven = (needed: readonly InferredMacro[], more: readonly InferredMacro[]) =>
    more.filter((given) => needed.every((other) => other.name !== given.name));
  /** The file of a source that is all of one, as a raw literal: its conditionals are there. Any other name stays. */
  const fileOf = (name: string): string => {
    const host = hostOf(name);
    return host !== name && isWrapped(textOf(files, host)) ? host : name;
  };
  return {
    of: (source, language, set = []) => {
      const name = fileOf(source);
      const needed = neededIn(name, language);
      const certain = language === "opencl" ? [...needed, ...alsoGiven(needed, givenTo(name))] : needed;
      const namesOf = (macros: readonly { readonly name: string }[]) => new Set(macros.map(({ name: macro }) => macro));
      const chosen = [...certain, ...chosenFor(name, language, namesOf([...set, ...certain]))];
      if (language !== "opencl") return chosen;
      return [...chosen, ...undefinedIn(name, namesOf(chosen))];
    },
    optional: (source) => {
      const found = [...gather().values()].flat().filter(({ isOptional, value }) => isOptional && value !== undefined);
      if (found.length === 0) return [];
      const outlines = outlinesOf(fileOf(source));
      const first = new Map<string, InferredMacro>();
      for (const { name: macro, value = "1", location } of found)
        if (!first.has(macro) && outlines.some(({ outline }) => testedOf(outline).has(macro)))
          first.set(macro, { name: macro, value, location });
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
        differs ||= meaningOf(before) !== meaningOf(now);
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
  if (!/-D|\b(?:cmplr_def|define(?:_int)?)\s*\(/.test(text)) return [];
  if (!/opencl|\bocl\b|-D ?%s_/i.test(text) && !buildsPrograms(text)) return [];
  const tokens = tokensOf(uri, text);
  const builds = kernelFilesIn(tokens);
  return tokens.flatMap((token, index): readonly Definition[] => {
    if (token.kind !== "literal") return [];
    const defined = definedByCall(tokens, index);
    if (defined !== undefined) return [{ ...definition(uri, token.value, defined.value, token.start, token.end, true), builds }];
    const named = [...token.value.matchAll(namedByFormat)].map(([, name = "", value]) =>
      definition(uri, name, value, token.start, token.end, true),
    );
    if (named.length > 0 || !isOptions(token.value)) return named;
    const isOptional = isAppended(tokens, index);
    const programs = isOptional ? undefined : programsOf(tokens, index);
    // A value that only the running program knows is chosen by `inferred-macros.ts`.
    const given = token.value.endsWith("=") ? appendedTo(tokens, index) : undefined;
    return [...token.value.matchAll(option)]
      .filter(([, , value]) => value === undefined || /^[\w.]+$/.test(value) || (value === "" && given !== undefined))
      .map(([, name = "", value = "1"]) => ({
        ...definition(uri, name, value === "" ? undefined : value, token.start, token.end, true),
        isOptional,
        builds,
        ...(programs === undefined ? {} : { programs }),
        ...(value === "" && given !== undefined ? { given } : {}),
      }));
  });
}

/** An option whose name a format completes: `-D%s_DATA_T=float`. */
const namedByFormat = /(?<![\w-])-D ?(%s_\w*[A-Za-z]\w*)=(\w+)(?=\s|$)/g;

/**
 * What a call defines, if a literal is the name: `cmplr_def("NAME", 4)` and `define("NAME", 4)` of bindings for Rust and Java,
 * `define_int("NAME", n)`, whose value the running program may know alone.
 */
function definedByCall(tokens: readonly HostToken[], index: number): { readonly value: string | undefined } | undefined {
  const [token, open, callee, value] = [tokens[index], tokens[index - 1], tokens[index - 2], tokens[index + 2]];
  const name = callee?.kind === "word" ? callee.text : "";
  const isCall = isSign(open, "(") && /^(?:cmplr_def|define(?:_int)?)$/.test(name) && isSign(tokens[index + 1], ",");
  if (!isCall || token?.kind !== "literal" || !/^[A-Za-z_]\w*$/.test(token.value)) return undefined;
  const [, number] = (value?.kind === "word" && /^(\d+)(?:[iu]\d+|[uUlL]+)?$/.exec(value.text)) || [];
  if (number !== undefined && isSign(tokens[index + 3], ")")) return { value: number };
  return name === "define_int" ? { value: undefined } : undefined;
}

/** Matches what stands before a literal that is added or assigned to options. `snprintf` adds to them only behind their start, at `o + n`. */
const isAdded = /\b(?:emplace|insert|push|put) \( (?:\w+ \( )?$|< < $|\bsn?printf \( [^;",]*\+[^;"]*, $|[\w\]] = $/;

/** True for a literal that is appended to options, chosen by a condition, or put into options in a conditional. */
function isAppended(tokens: readonly HostToken[], index: number): boolean {
  const spelled = tokens.slice(Math.max(0, index - 16), index).map((token) => (token.kind === "literal" ? '""' : token.text));
  const before = `${spelled.join(" ")} `;
  const next = tokens[index + 1];
  return (
    /(?:\+ =|\?|\b(?:append|push_back|emplace_back|add|strn?cat|extend)) ?(?:\( )?(?:\w+ , )?(?:\[ )?$/.test(before) ||
    /\? (?:""|\w+) : $/.test(before) ||
    (next?.kind === "word" && next.text === "if" && tokens[index - 1]?.kind === "sign") ||
    (isAdded.test(before) && isConditional(tokens, index))
  );
}

/** How far in front of a statement its condition may stand, in tokens. */
const mostInBlock = 400;

/** True if the innermost block around a token is that of an `if`, an `else` or a `switch`, or its statement follows one. */
function isConditional(tokens: readonly HostToken[], index: number): boolean {
  let depth = 0;
  let isOwnStatement = true;
  for (let at = index - 1; at > Math.max(0, index - mostInBlock); at -= 1) {
    const token = tokens[at];
    if (isOwnStatement && token?.kind === "word" && (token.text === "if" || token.text === "else")) return true;
    if (token?.kind !== "sign") continue;
    if (";{}".includes(token.text)) isOwnStatement = false;
    if (token.text === "}") depth += 1;
    else if (token.text === "{" && depth > 0) depth -= 1;
    else if (token.text === "{") {
      const head = tokens.slice(Math.max(0, at - 60), at).map((each) => (each.kind === "literal" ? '""' : each.text));
      return /\b(?:else|(?:if|switch) \([^;{}]*\)) $/.test(`${head.join(" ")} `);
    }
  }
  return false;
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

// ---------------------------------------------------------------- names and places

/** Macros that choose another language or another compiler than CUDA's. */
const otherLanguage = /hip|rocm|amd|sycl|opencl|metal|musa|xpu|cpu/i;

/** A file that includes more is judged by these. */
const mostHeaders = 100;

/** True if code uses a word, not only a directive. */
function isUsed(macro: string, text: string): boolean {
  return new RegExp(`^(?![ \\t]*#[ \\t]*(?:el)?if)[^\\n]*${wordPattern(macro).source}`, "m").test(text);
}

/** How much of two names is the same up to a folder. */
function commonLength(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return one.lastIndexOf("/", at);
}

/** True for a macro that a build script defines. */
function isOfScript(definitions: readonly Definition[] | undefined): boolean {
  return definitions?.some(({ isOfHost }) => !isOfHost) === true;
}
