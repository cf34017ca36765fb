/**
 * Finds which macros of its build a text needs, tests and defines: those of conditionals without `#else` around kernels, and of chains
 * of tests for values. `alternatives.ts` and `header-conditions.ts` find what certainly holds; `build-macros.ts` decides what is defined.
 */
import { withoutComments } from "../../embedded/join.ts";
import { memo } from "../../memo.ts";
import { alternativesIn } from "./alternatives.ts";
import { macroAroundHeader } from "./header-conditions.ts";

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

/** The text after an `#else` that rejects all other values, without its comments. */
const rejects = /^\s*#[ \t]*error\b/;

const definedName = /^[ \t]*#[ \t]*define[ \t]+(\w+)/gm;

/** A text that is asked what it says about macros of its build. Each answer is found once, when it is first wanted. */
export interface MacroOutline {
  readonly text: string;
}

/** The tests for values of each macro of chains of such tests. */
export const chainsOf = memo(({ text }: MacroOutline) => chainsIn(text));
/** The macro without which the file is empty. */
export const wholeOf = memo(({ text }: MacroOutline) => macroAroundHeader(text));
/** The cases of which the build chooses one. */
export const alternativesOf = memo(({ text }: MacroOutline) => alternativesIn(text));
/** The macros that conditionals test. */
export const testedOf = memo(({ text }: MacroOutline) => testedMacros(text));
/** The macros that directives define. */
export const definedOf = memo(({ text }: MacroOutline) => new Set([...text.matchAll(definedName)].map(([, macro = ""]) => macro)));

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
      !rejects.test(withoutComments(text.slice(index + whole.length, index + whole.length + 400)))
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
