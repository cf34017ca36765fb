/**
 * Finds values that host code may give a macro in its options where no literal has them: `"-DT=" + nameOf(type)`, where a function
 * returns literals, or `"-DT=" + (isHalf ? "half" : "float")`. Which macros get one is decided by `build-macros.ts`.
 */
import { isSign } from "../../embedded/host-tokens.ts";
import type { HostToken } from "../../embedded/literals.ts";
import { wordPattern } from "../../words.ts";
import { afterLiteral } from "../option-texts.ts";

/** What may follow a literal that ends with `-DNAME=`. */
export interface GivenValue {
  /** The literals in the expression. */
  readonly texts: readonly string[];
  /** The functions that it calls, the outermost first. */
  readonly functions: readonly string[];
}

/** How many tokens of the expression are looked at. */
const mostTokens = 24;

/** The expression that is appended to the literal at this place; undefined if none is. */
export function appendedTo(tokens: readonly HostToken[], index: number): GivenValue | undefined {
  const next = afterLiteral(tokens, index);
  const start = isSign(tokens[next], "+") ? next + 1 : isSign(tokens[next], "<") && isSign(tokens[next + 1], "<") ? next + 2 : undefined;
  if (start === undefined) return undefined;
  const texts: string[] = [];
  const functions: string[] = [];
  let depth = 0;
  for (let at = start; at < tokens.length && at < start + mostTokens; at += 1) {
    const token = tokens[at];
    if (token === undefined) break;
    if (token.kind === "literal") texts.push(token.value);
    else if (token.kind === "word") {
      if (isSign(tokens[at + 1], "(")) functions.push(token.text);
    } else if (token.text === "(") depth += 1;
    else if (token.text === ")") depth -= 1;
    // What follows is another argument, another part or another statement.
    if (depth < 0 || (depth === 0 && token.kind === "sign" && [";", ",", "+", "<"].includes(token.text))) break;
  }
  return { texts, functions };
}

/** A type, or a part of a name. Numbers differ from program to program, so `build-macros.ts` gives them only to what the host names. */
const plainValue = /^[A-Za-z_]\w*$/;
const qualifier = /^(?:__)?(?:global|local|constant|private|generic|const|volatile|restrict|kernel|read_only|write_only)$/;
const returned = /\breturn\s+(?:std\s*::\s*)?(?:string\s*\(\s*)?"(\w+)"/g;

/** The values that an expression may have: its literals, or those that `returned` has for the first of its functions with any. */
export function possibleValues({ texts, functions }: GivenValue, returned: (name: string) => readonly string[]): readonly string[] {
  const own = texts.filter(isValue);
  if (own.length > 0) return own;
  for (const name of functions) {
    const found = returned(name);
    if (found.length > 0) return found;
  }
  return [];
}

/** True for a text that may stand for a macro in any place; what only the right program has is left out. */
export function isValue(text: string): boolean {
  return plainValue.test(text) && !qualifier.test(text);
}

/** The literals that the body of a function returns, if the text has its definition. */
export function returnedBy(name: string, source: string): readonly string[] {
  if (!source.includes(name)) return [];
  const head = new RegExp(`${wordPattern(name).source}\\s*\\([^;{}]{0,300}\\)\\s*(?:const\\s*)?\\{`).exec(source);
  if (head === null) return [];
  const rest = source.slice(head.index + head[0].length, head.index + 4000);
  const end = rest.search(/\n\}|\n[ \t]*\}\n\n/);
  return [...rest.slice(0, end < 0 ? 1000 : end).matchAll(returned)].map(([, value = ""]) => value).filter(isValue);
}

const ownType = /^(?:u?(?:char|short|int|long)|float|double)\d*$/;

/** Of several values the first type of the language, or else the first value, that is not about half precision: every device has those. */
export function preferredValue(values: readonly string[]): string | undefined {
  const others = values.filter((value) => !/half|^h$|imageh$/.test(value));
  return others.find((value) => ownType.test(value)) ?? others[0] ?? values[0];
}
