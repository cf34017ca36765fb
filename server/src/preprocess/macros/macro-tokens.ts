/**
 * Tokens during macro expansion: their text, where they were spelled, which macros must not be expanded in them any more
 * (Prosser's hide sets), and which invocation they came from.
 */
import type { Interner } from "../lexing/interner.ts";
import { Sign } from "../lexing/interner.ts";
import { Flag, Kind, type TokenList, textOf, tokenize } from "../lexing/lexer.ts";
import type { Macro } from "./macros.ts";

/** A token during expansion, with its origin. */
export interface MacroToken {
  readonly kind: number;
  /** As in the interner; 0 for literals. */
  readonly id: number;
  readonly text: string;
  /** White space precedes it. */
  readonly spaced: boolean;
  /** The file that contains its text, and the place; undefined if it was generated (`##`, `#`, predefined macros). */
  readonly uri: string | undefined;
  readonly start: number;
  readonly end: number;
  /** Its index in the list that it was read from; -1 if it was generated. */
  readonly index: number;
  readonly hidden: HideSet | undefined;
  /** The smallest invocation in the file being read that it came from; absent for a token that the author wrote there. */
  readonly via: Invocation | undefined;
}

/** An invocation in the file that is being read: its tokens and its macro. */
export interface Invocation {
  readonly macro: Macro;
  readonly first: number;
  readonly last: number;
}

/** Names of macros, linked: sets grow by one name at a time and are shared by many tokens. */
export interface HideSet {
  readonly id: number;
  readonly rest: HideSet | undefined;
  readonly size: number;
}

/** True if the name must not be expanded again (Prosser's algorithm). */
export function isHidden(set: HideSet | undefined, id: number): boolean {
  for (let node = set; node !== undefined; node = node.rest) if (node.id === id) return true;
  return false;
}

/** The set with one more name; sets are shared and never changed. */
export function hide(set: HideSet | undefined, id: number): HideSet {
  return isHidden(set, id) && set !== undefined ? set : { id, rest: set, size: (set?.size ?? 0) + 1 };
}

/** The names that are hidden by either set. */
export function union(a: HideSet | undefined, b: HideSet | undefined): HideSet | undefined {
  if (a === b || b === undefined) return a;
  if (a === undefined) return b;
  const known = idsOf(a);
  let result: HideSet = a;
  for (let node: HideSet | undefined = b; node !== undefined; node = node.rest)
    if (!known.has(node.id)) result = { id: node.id, rest: result, size: result.size + 1 };
  return result;
}

function idsOf(set: HideSet | undefined): ReadonlySet<number> {
  const ids = new Set<number>();
  for (let node = set; node !== undefined; node = node.rest) ids.add(node.id);
  return ids;
}

/** The names that are hidden by both sets. */
export function intersection(a: HideSet | undefined, b: HideSet | undefined): HideSet | undefined {
  if (a === b) return a;
  const known = idsOf(b);
  let result: HideSet | undefined;
  for (let node = a; node !== undefined; node = node.rest)
    if (known.has(node.id)) result = { id: node.id, rest: result, size: (result?.size ?? 0) + 1 };
  return result;
}

/** Converts a token of a list. */
export function macroTokenAt(list: TokenList, index: number, uri: string | undefined, interner: Interner): MacroToken {
  return {
    kind: list.kinds[index] ?? Kind.other,
    id: list.ids[index] ?? Sign.none,
    text: textOf(list, index, interner),
    spaced: ((list.flags[index] ?? 0) & Flag.spaced) !== 0,
    uri,
    start: list.starts[index] ?? 0,
    end: list.ends[index] ?? 0,
    index,
    hidden: undefined,
    via: undefined,
  };
}

/** Converts a token of a macro's body. The names of `hidden` must not be expanded in it. */
export function bodyTokenAt(
  { list, definition }: Macro,
  index: number,
  hidden: HideSet | undefined,
  via: Invocation | undefined,
  interner: Interner,
): MacroToken {
  return {
    kind: list.kinds[index] ?? Kind.other,
    id: list.ids[index] ?? Sign.none,
    text: textOf(list, index, interner),
    spaced: ((list.flags[index] ?? 0) & Flag.spaced) !== 0,
    uri: definition?.uri,
    start: list.starts[index] ?? 0,
    end: list.ends[index] ?? 0,
    index: -1,
    hidden,
    via,
  };
}

/** The token with another hide set. A spread takes twice as long, and this is the most frequent of all copies. */
export function withHidden(token: MacroToken, hidden: HideSet | undefined): MacroToken {
  const { kind, id, text, spaced, uri, start, end, index, via } = token;
  return { kind, id, text, spaced, uri, start, end, index, hidden, via };
}

/** A token without a place. */
export function generatedToken(text: string, kind: number, spaced: boolean, interner: Interner): MacroToken {
  const hasId = kind === Kind.identifier || kind === Kind.punctuator;
  return {
    kind,
    id: hasId ? interner.idOf(text) : Sign.none,
    text,
    spaced,
    uri: undefined,
    start: 0,
    end: 0,
    index: -1,
    hidden: undefined,
    via: undefined,
  };
}

/** The token that a text consists of, or undefined if it is not exactly one. */
export function onlyToken(text: string, spaced: boolean, interner: Interner): MacroToken | undefined {
  if (/^[A-Za-z_$][\w$]*$/.test(text)) return generatedToken(text, Kind.identifier, spaced, interner);
  const list = tokenize(text, interner, true);
  if (list.count !== 1 || list.starts[0] !== 0 || list.ends[0] !== text.length) return undefined;
  return generatedToken(textOf(list, 0, interner), list.kinds[0] ?? Kind.other, spaced, interner);
}
