/**
 * Puts arguments into a macro's body: parameters (C11 §6.10.3.1), `#` (§6.10.3.2), `##` (§6.10.3.3), `__VA_OPT__`
 * (C++20 §15.6.2) and GNU's `, ## __VA_ARGS__`.
 */

import { Sign } from "../lexing/interner.ts";
import { Kind } from "../lexing/lexer.ts";
import type { Expander } from "./expand.ts";
import type { Macro } from "./macros.ts";
import { type HideSet, type Invocation, intersection, madePiece, onlyToken, type Piece, union } from "./pieces.ts";

/** A token of a substituted body. */
export interface Part {
  /** Undefined for a placemarker: an empty argument beside a `##`. */
  readonly piece: Piece | undefined;
  /** A `##` of the body itself; one that came from an argument is an ordinary token. */
  readonly isPaste: boolean;
}

/** The arguments of one invocation, as written and expanded. */
export interface Arguments {
  /** How many were written. */
  readonly count: number;
  /** The arguments as written, by parameter. */
  readonly raw: readonly (readonly Piece[])[];
  expanded(list: readonly Piece[]): readonly Piece[] | undefined;
  readonly via: Invocation | undefined;
}

/** A literal or an identifier that pasting made longer than this is a bomb. */
const longest = 65_536;

/** The body with its parameters replaced; undefined when the budget ran out. */
export function substitute(macro: Macro, body: readonly Part[], given: Arguments, expander: Expander): readonly Part[] | undefined {
  const expansions: (readonly Piece[] | undefined)[] = [];
  const optional = expander.interner.idOf("__VA_OPT__");
  const parameters = macro.parameters ?? [];
  const last = macro.isVariadic ? parameters.length - 1 : -1;
  const parameterAt = (at: number): number => {
    const piece = body[at]?.piece;
    return piece === undefined || piece.kind !== Kind.identifier ? -1 : parameters.indexOf(piece.id);
  };
  const expandedOf = (parameter: number): readonly Piece[] | undefined => {
    expansions[parameter] ??= given.expanded(given.raw[parameter] ?? []);
    return expansions[parameter];
  };
  const between = (from: number, to: number): Part[] | undefined => {
    const parts: Part[] = [];
    for (let at = from; at < to; at += 1) {
      const part = body[at] as Part;
      const piece = part.piece as Piece;
      if (piece.id === Sign.hash && at + 1 < to) {
        const stringized = stringOperand(at + 1, to);
        if (stringized === "exhausted") return undefined;
        if (stringized !== undefined) {
          const literal = { ...stringize(stringized.operand, piece.spaced, expander), via: given.via };
          expander.budget.left -= literal.text.length >> 3;
          if (literal.text.length > longest) return undefined;
          parts.push({ piece: literal, isPaste: false });
          at = stringized.last;
          continue;
        }
      }
      const isLeft = at + 1 < to && body[at + 1]?.isPaste === true;
      const isRight = at > from && body[at - 1]?.isPaste === true;
      const parameter = parameterAt(at);
      if (last >= 0 && piece.id === optional && body[at + 1]?.piece?.id === Sign.openParenthesis) {
        const close = closingOf(body, at + 1, to);
        const inner = optionalParts(at + 2, close);
        if (inner === undefined) return undefined;
        addAll(parts, inner, piece.spaced, isRight || (close + 1 < to && body[close + 1]?.isPaste === true));
        at = close;
      } else if (parameter < 0) {
        parts.push(part);
      } else if (parameter === last && isRight && body[at - 2]?.piece?.id === Sign.comma && at - 2 >= from) {
        // GNU: the comma goes when the variable arguments were left out, and is not pasted when they are there.
        const raw = given.raw[parameter] ?? [];
        const isLeftOut = given.count <= last || (last === 0 && raw.length === 0 && !expander.isStrictC);
        parts.pop();
        if (isLeftOut) parts.pop();
        addAll(parts, raw, piece.spaced, isLeft);
      } else if (isLeft || isRight) {
        addAll(parts, given.raw[parameter] ?? [], piece.spaced, true);
      } else {
        const pieces = expandedOf(parameter);
        if (pieces === undefined) return undefined;
        addAll(parts, pieces, piece.spaced, false);
      }
      expander.budget.left -= 1;
      if (expander.budget.left < 0) return undefined;
    }
    return parts;
  };
  const optionalParts = (from: number, to: number): readonly Piece[] | undefined => {
    const variable = expandedOf(last);
    if (variable === undefined) return undefined;
    if (variable.length === 0) return [];
    const parts = between(from, to);
    const pasted = parts === undefined ? "exhausted" : paste(parts, undefined, expander);
    return pasted === "exhausted" ? undefined : pasted;
  };
  const stringOperand = (
    at: number,
    to: number,
  ): { readonly operand: readonly Piece[]; readonly last: number } | "exhausted" | undefined => {
    const parameter = parameterAt(at);
    if (parameter >= 0) return { operand: given.raw[parameter] ?? [], last: at };
    if (last < 0 || body[at]?.piece?.id !== optional || body[at + 1]?.piece?.id !== Sign.openParenthesis) return undefined;
    const close = closingOf(body, at + 1, to);
    const operand = optionalParts(at + 2, close);
    return operand === undefined ? "exhausted" : { operand, last: close };
  };
  return between(0, body.length);
}

function addAll(parts: Part[], pieces: readonly Piece[], isSpaced: boolean, isOperand: boolean): void {
  if (pieces.length === 0 && isOperand) parts.push({ piece: undefined, isPaste: false });
  let isFirst = true;
  for (const piece of pieces) {
    parts.push({ piece: isFirst && piece.spaced !== isSpaced ? { ...piece, spaced: isSpaced } : piece, isPaste: false });
    isFirst = false;
  }
}

function closingOf(body: readonly Part[], open: number, to: number): number {
  let depth = 0;
  for (let at = open; at < to; at += 1) {
    const id = body[at]?.piece?.id;
    if (id === Sign.openParenthesis) depth += 1;
    if (id === Sign.closeParenthesis) depth -= 1;
    if (depth === 0) return at;
  }
  return to;
}

/** Joins the operands of `##` and adds the hide set to everything. */
export function paste(parts: readonly Part[], hidden: HideSet | undefined, expander: Expander): readonly Piece[] | "exhausted" {
  const joined: (Piece | undefined)[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at] as Part;
    const right = parts[at + 1];
    if (!part.isPaste || joined.length === 0 || right === undefined) {
      joined.push(part.piece);
      continue;
    }
    const left = joined.pop();
    at += 1;
    if (left === undefined || right.piece === undefined) {
      const only = left ?? right.piece;
      joined.push(only);
      continue;
    }
    const one = pasteTwo(left, right.piece, expander);
    // Two tokens that make no one token stay two, as with most compilers (C11 leaves it undefined).
    if (one === undefined) joined.push(left, { ...right.piece, spaced: false });
    else joined.push(one);
    expander.budget.left -= 1 + (one === undefined ? 0 : one.text.length >> 3);
    if (one !== undefined && one.text.length > longest) return "exhausted";
  }
  const result: Piece[] = [];
  // Most tokens of a replacement share one set, so most unions are the same.
  let before: HideSet | undefined;
  let after = hidden;
  for (const piece of joined) {
    if (piece === undefined) continue;
    if (piece.hidden !== before) {
      before = piece.hidden;
      after = union(before, hidden);
      expander.budget.left -= (after?.size ?? 0) >> 3;
    }
    result.push(after === piece.hidden ? piece : { ...piece, hidden: after });
  }
  return result;
}

function pasteTwo(left: Piece, right: Piece, expander: Expander): Piece | undefined {
  const one = onlyToken(left.text + right.text, left.spaced, expander.interner);
  if (one === undefined) return undefined;
  return { ...one, hidden: intersection(left.hidden, right.hidden), via: left.via ?? right.via };
}

/** `#parameter`: the argument's spelling as a string literal (C11 §6.10.3.2p2). */
function stringize(pieces: readonly Piece[], spaced: boolean, expander: Expander): Piece {
  let text = "";
  let isFirst = true;
  for (const piece of pieces) {
    if (!isFirst && piece.spaced) text += " ";
    text += piece.kind === Kind.string || piece.kind === Kind.character ? piece.text.replace(/[\\"]/g, "\\$&") : piece.text;
    isFirst = false;
    if (text.length > longest) break;
  }
  return madePiece(`"${text}"`, Kind.string, spaced, expander.interner);
}
