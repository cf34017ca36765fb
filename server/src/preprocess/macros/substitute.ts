/**
 * Inserts arguments into a macro's body: parameters (C11 §6.10.3.1), `#` (§6.10.3.2), `##` (§6.10.3.3), `__VA_OPT__` (C++20
 * §15.6.2) and GNU's `, ## __VA_ARGS__`.
 */
import { Sign } from "../lexing/interner.ts";
import { Kind } from "../lexing/lexer.ts";
import type { Expander } from "./expand.ts";
import {
  generatedToken,
  type HideSet,
  type Invocation,
  intersection,
  type MacroToken,
  onlyToken,
  union,
  withHidden,
} from "./macro-tokens.ts";
import type { Macro } from "./macros.ts";

/** A token of a substituted body. */
export interface Part {
  /** Undefined for a placemarker: an empty argument next to a `##`. */
  readonly token: MacroToken | undefined;
  /** A `##` of the body itself; one from an argument is an ordinary token. */
  readonly isPaste: boolean;
}

/** The arguments of one invocation, as written and expanded. */
export interface Arguments {
  /** The number of arguments in the invocation. */
  readonly count: number;
  /** The arguments as written, by parameter. */
  readonly raw: readonly (readonly MacroToken[])[];
  expanded(list: readonly MacroToken[]): readonly MacroToken[] | undefined;
  readonly via: Invocation | undefined;
}

/** The limit on a literal or an identifier created by pasting. */
const longest = 65_536;

/** The body with its parameters replaced; undefined when the budget ran out. */
export function substitute(macro: Macro, body: readonly Part[], given: Arguments, expander: Expander): readonly Part[] | undefined {
  const expansions: (readonly MacroToken[] | undefined)[] = [];
  const optional = expander.interner.idOf("__VA_OPT__");
  const parameters = macro.parameters ?? [];
  const last = macro.isVariadic ? parameters.length - 1 : -1;
  const parameterAt = (at: number): number => {
    const token = body[at]?.token;
    return token === undefined || token.kind !== Kind.identifier ? -1 : parameters.indexOf(token.id);
  };
  const expandedOf = (parameter: number): readonly MacroToken[] | undefined => {
    expansions[parameter] ??= given.expanded(given.raw[parameter] ?? []);
    return expansions[parameter];
  };
  const between = (from: number, to: number): Part[] | undefined => {
    const parts: Part[] = [];
    for (let at = from; at < to; at += 1) {
      const part = body[at] as Part;
      const token = part.token as MacroToken;
      if (token.id === Sign.hash && at + 1 < to) {
        const stringized = stringOperand(at + 1, to);
        if (stringized === "exhausted") return undefined;
        if (stringized !== undefined) {
          const literal = { ...stringize(stringized.operand, token.spaced, expander), via: given.via };
          expander.budget.left -= literal.text.length >> 3;
          if (literal.text.length > longest) return undefined;
          parts.push({ token: literal, isPaste: false });
          at = stringized.last;
          continue;
        }
      }
      const isLeft = at + 1 < to && body[at + 1]?.isPaste === true;
      const isRight = at > from && body[at - 1]?.isPaste === true;
      const parameter = parameterAt(at);
      if (last >= 0 && token.id === optional && body[at + 1]?.token?.id === Sign.openParenthesis) {
        const close = closingOf(body, at + 1, to);
        const inner = optionalParts(at + 2, close);
        if (inner === undefined) return undefined;
        addAll(parts, inner, token.spaced, isRight || (close + 1 < to && body[close + 1]?.isPaste === true));
        at = close;
      } else if (parameter < 0) {
        parts.push(part);
      } else if (parameter === last && isRight && body[at - 2]?.token?.id === Sign.comma && at - 2 >= from) {
        // GNU: the comma is dropped if the variable arguments are missing, and not pasted if they exist.
        const raw = given.raw[parameter] ?? [];
        const isLeftOut = given.count <= last || (last === 0 && raw.length === 0 && !expander.isStrictC);
        parts.pop();
        if (isLeftOut) parts.pop();
        addAll(parts, raw, token.spaced, isLeft);
      } else if (isLeft || isRight) {
        addAll(parts, given.raw[parameter] ?? [], token.spaced, true);
      } else {
        const macroTokens = expandedOf(parameter);
        if (macroTokens === undefined) return undefined;
        addAll(parts, macroTokens, token.spaced, false);
      }
      expander.budget.left -= 1;
      if (expander.budget.left < 0) return undefined;
    }
    return parts;
  };
  const optionalParts = (from: number, to: number): readonly MacroToken[] | undefined => {
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
  ): { readonly operand: readonly MacroToken[]; readonly last: number } | "exhausted" | undefined => {
    const parameter = parameterAt(at);
    if (parameter >= 0) return { operand: given.raw[parameter] ?? [], last: at };
    if (last < 0 || body[at]?.token?.id !== optional || body[at + 1]?.token?.id !== Sign.openParenthesis) return undefined;
    const close = closingOf(body, at + 1, to);
    const operand = optionalParts(at + 2, close);
    return operand === undefined ? "exhausted" : { operand, last: close };
  };
  return between(0, body.length);
}

function addAll(parts: Part[], macroTokens: readonly MacroToken[], isSpaced: boolean, isOperand: boolean): void {
  if (macroTokens.length === 0 && isOperand) parts.push({ token: undefined, isPaste: false });
  let isFirst = true;
  for (const token of macroTokens) {
    parts.push({ token: isFirst && token.spaced !== isSpaced ? { ...token, spaced: isSpaced } : token, isPaste: false });
    isFirst = false;
  }
}

function closingOf(body: readonly Part[], open: number, to: number): number {
  let depth = 0;
  for (let at = open; at < to; at += 1) {
    const id = body[at]?.token?.id;
    if (id === Sign.openParenthesis) depth += 1;
    if (id === Sign.closeParenthesis) depth -= 1;
    if (depth === 0) return at;
  }
  return to;
}

/** Joins the operands of `##` and adds the hide set to everything. */
export function paste(parts: readonly Part[], hidden: HideSet | undefined, expander: Expander): readonly MacroToken[] | "exhausted" {
  const joined: (MacroToken | undefined)[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at] as Part;
    const right = parts[at + 1];
    if (!part.isPaste || joined.length === 0 || right === undefined) {
      joined.push(part.token);
      continue;
    }
    const left = joined.pop();
    at += 1;
    if (left === undefined || right.token === undefined) {
      const only = left ?? right.token;
      joined.push(only);
      continue;
    }
    const one = pasteTwo(left, right.token, expander);
    // Two tokens that do not form one token stay two, as in most compilers (C11 leaves it undefined).
    if (one === undefined) joined.push(left, { ...right.token, spaced: false });
    else joined.push(one);
    expander.budget.left -= 1 + (one === undefined ? 0 : one.text.length >> 3);
    if (one !== undefined && one.text.length > longest) return "exhausted";
  }
  const result: MacroToken[] = [];
  // Most tokens of a replacement share one set, so most unions are equal.
  let before: HideSet | undefined;
  let after = hidden;
  for (const token of joined) {
    if (token === undefined) continue;
    if (token.hidden !== before) {
      before = token.hidden;
      after = union(before, hidden);
      expander.budget.left -= (after?.size ?? 0) >> 3;
    }
    result.push(after === token.hidden ? token : withHidden(token, after));
  }
  return result;
}

function pasteTwo(left: MacroToken, right: MacroToken, expander: Expander): MacroToken | undefined {
  const one = onlyToken(left.text + right.text, left.spaced, expander.interner);
  if (one === undefined) return undefined;
  return { ...one, hidden: intersection(left.hidden, right.hidden), via: left.via ?? right.via };
}

/** `#parameter`: the argument's spelling as a string literal (C11 §6.10.3.2p2). */
function stringize(macroTokens: readonly MacroToken[], spaced: boolean, expander: Expander): MacroToken {
  let text = "";
  let isFirst = true;
  for (const token of macroTokens) {
    if (!isFirst && token.spaced) text += " ";
    text += token.kind === Kind.string || token.kind === Kind.character ? token.text.replace(/[\\"]/g, "\\$&") : token.text;
    isFirst = false;
    if (text.length > longest) break;
  }
  return generatedToken(`"${text}"`, Kind.string, spaced, expander.interner);
}
