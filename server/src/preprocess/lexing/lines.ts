/** Where the lines and the directives of a list of tokens begin and end. */
import { Sign } from "./interner.ts";
import { Flag, type TokenList } from "./lexer.ts";

/** True for the first token of a line, and behind the last token of the list. */
export function startsLine({ flags, count }: TokenList, index: number): boolean {
  return index >= count || ((flags[index] ?? 0) & Flag.startsLine) !== 0;
}

/** `#` as the first token of its line (C11 §6.10p2). */
export function isDirective(tokens: TokenList, at: number): boolean {
  return tokens.ids[at] === Sign.hash && startsLine(tokens, at);
}

/** The index after the last token of the directive whose `#` is at `hash`. */
export function endOfDirective(tokens: TokenList, hash: number): number {
  let end = hash + 1;
  while (!startsLine(tokens, end)) end += 1;
  return end;
}
