/**
 * Macro expansion (C11 §6.10.3, by Prosser's algorithm with hide sets). Expanded tokens remember where they were spelled,
 * so that the View can lead back to an argument or to a macro's body. Work is bounded by a budget of tokens.
 */
import type { Environment, Macro } from "./macros.ts";
import { type Token, tokenize } from "./lexer.ts";

/** A token on its way through expansion. */
export interface Piece {
  readonly token: Token;
  /** The file that its text stands in; undefined where it was made (`##`, `#`, predefined macros). */
  readonly uri: string | undefined;
  /** Macros that must not be expanded in it any more. */
  readonly hidden: ReadonlySet<string>;
}

/** Gives the next token of the file when an invocation's arguments reach beyond what is at hand. */
export type More = () => Piece | undefined;

export interface ExpansionState {
  readonly environment: Environment;
  /** Macros that are left alone although they are defined (keywords of the language). */
  isExempt(name: string): boolean;
  /** Tokens that may still be made; shared by one file. */
  readonly budget: { left: number };
  /** The line and file for `__LINE__` and `__FILE__`. */
  dynamic(macro: Macro): string;
}

const nothingHidden: ReadonlySet<string> = new Set();
const deepest = 400;

export function pieceOf(token: Token, uri: string | undefined): Piece {
  return { token, uri, hidden: nothingHidden };
}

/**
 * Expands pieces completely. `more` supplies what follows them; pieces taken from it that turn out not to belong to an
 * invocation are part of the result too. Undefined when the budget ran out.
 */
export function expand(pieces: readonly Piece[], state: ExpansionState, more: More | undefined, depth = 0): readonly Piece[] | undefined {
  const result: Piece[] = [];
  const stack = [...pieces].reverse();
  while (stack.length > 0) {
    const piece = stack.pop();
    if (piece === undefined) break;
    state.budget.left -= 1;
    if (state.budget.left < 0 || depth > deepest) return undefined;
    const macro = macroOf(piece, state);
    if (macro === undefined) {
      result.push(piece);
      continue;
    }
    const replacement = replace(piece, macro, stack, state, more, depth);
    if (replacement === "exhausted") return undefined;
    if (replacement === undefined) result.push(piece);
    else for (let index = replacement.length - 1; index >= 0; index -= 1) stack.push(replacement[index] ?? piece);
  }
  return result;
}

/** The macro that this piece invokes, as far as the piece alone says. */
export function macroOf(piece: Piece, state: ExpansionState): Macro | undefined {
  const { token, hidden } = piece;
  if (token.kind !== "identifier" || hidden.has(token.text) || state.isExempt(token.text)) return undefined;
  return state.environment.get(token.text);
}

function replace(piece: Piece, macro: Macro, stack: Piece[], state: ExpansionState, more: More | undefined, depth: number): readonly Piece[] | "exhausted" | undefined {
  if (macro.isDynamic === true) return tokenize(state.dynamic(macro), false).map((token) => ({ ...pieceOf({ ...token, spaced: piece.token.spaced }, undefined) }));
  const own: Set<string> = new Set(piece.hidden);
  if (macro.parameters === undefined) {
    own.add(macro.name);
    return withSpacing(paste(bodyOf(macro), own), piece);
  }
  const invocation = collectArguments(stack, more);
  if (invocation === undefined) return undefined;
  const named = nameArguments(macro, invocation.arguments);
  if (named === undefined) {
    // A wrong number of arguments: left as it is, the parser will say what it makes of it.
    for (let index = invocation.taken.length - 1; index >= 0; index -= 1) stack.push(invocation.taken[index] ?? piece);
    return undefined;
  }
  // C11 leaves open which set results; Prosser's is the intersection with the closing parenthesis'.
  const shared = new Set([...piece.hidden].filter((name) => invocation.close.hidden.has(name)));
  shared.add(macro.name);
  const substituted = substitute(macro, named, state, depth);
  return substituted === undefined ? "exhausted" : withSpacing(paste(substituted, shared), piece);
}

function withSpacing(pieces: readonly Piece[], like: Piece): readonly Piece[] {
  const first = pieces[0];
  if (first === undefined || first.token.spaced === like.token.spaced) return pieces;
  return [{ ...first, token: { ...first.token, spaced: like.token.spaced } }, ...pieces.slice(1)];
}

function bodyOf(macro: Macro): Part[] {
  return macro.body.map((token) => ({ piece: pieceOf(token, macro.definition?.uri), isPasted: isPaste(token) }));
}

/** A piece of a substituted body; `isPasted` marks a `##` of the body itself (one from an argument is an ordinary token). */
interface Part {
  readonly piece: Piece | undefined;
  readonly isPasted: boolean;
}

interface Invocation {
  readonly arguments: readonly (readonly Piece[])[];
  readonly close: Piece;
  readonly taken: readonly Piece[];
}

function collectArguments(stack: Piece[], more: More | undefined): Invocation | undefined {
  const taken: Piece[] = [];
  const next = (): Piece | undefined => {
    const piece = stack.pop() ?? more?.();
    if (piece !== undefined) taken.push(piece);
    return piece;
  };
  const giveBack = () => {
    for (let index = taken.length - 1; index >= 0; index -= 1) {
      const piece = taken[index];
      if (piece !== undefined) stack.push(piece);
    }
    return undefined;
  };
  if (next()?.token.text !== "(") return giveBack();
  const list: Piece[][] = [[]];
  for (let depth = 1; ; ) {
    const piece = next();
    if (piece === undefined) return giveBack();
    const { text, kind } = piece.token;
    if (kind === "punctuator" && text === "(") depth += 1;
    else if (kind === "punctuator" && text === ")") {
      depth -= 1;
      if (depth === 0) return { arguments: list, close: piece, taken };
    } else if (kind === "punctuator" && text === "," && depth === 1) {
      list.push([]);
      continue;
    }
    list[list.length - 1]?.push(piece);
  }
}

function nameArguments(macro: Macro, given: readonly (readonly Piece[])[]): ReadonlyMap<string, readonly Piece[]> | undefined {
  const parameters = macro.parameters ?? [];
  const isEmpty = given.length === 1 && given[0]?.length === 0;
  const count = isEmpty && parameters.length === 0 ? 0 : given.length;
  const required = macro.isVariadic ? parameters.length - 1 : parameters.length;
  if (macro.isVariadic ? count < required : count !== required) return undefined;
  const named = new Map<string, readonly Piece[]>();
  for (const [index, parameter] of parameters.entries()) {
    if (!macro.isVariadic || index < parameters.length - 1) named.set(parameter, given[index] ?? []);
    else named.set(parameter, joinWithCommas(given.slice(index)));
  }
  return named;
}

function joinWithCommas(lists: readonly (readonly Piece[])[]): readonly Piece[] {
  const comma = pieceOf({ kind: "punctuator", text: ",", start: 0, end: 0, spaced: false, startsLine: false }, undefined);
  return lists.flatMap((list, index) => (index === 0 ? list : [comma, ...list]));
}

/** Replaces parameters (C11 §6.10.3.1), `#` (§6.10.3.2) and marks `##` (§6.10.3.3); GNU's `, ## __VA_ARGS__` and `__VA_OPT__`. */
function substitute(macro: Macro, named: ReadonlyMap<string, readonly Piece[]>, state: ExpansionState, depth: number): Part[] | undefined {
  const parts: Part[] = [];
  const { body } = macro;
  const expanded = new Map<string, readonly Piece[]>();
  const last = macro.isVariadic ? macro.parameters?.[macro.parameters.length - 1] : undefined;
  for (let at = 0; at < body.length; at += 1) {
    const token = body[at];
    if (token === undefined) break;
    const following = body[at + 1];
    const raw = token.kind === "identifier" ? named.get(token.text) : undefined;
    if ((token.text === "#" || token.text === "%:") && following !== undefined && named.has(following.text)) {
      parts.push({ piece: pieceOf(stringize(named.get(following.text) ?? [], token), undefined), isPasted: false });
      at += 1;
    } else if (token.text === "__VA_OPT__" && last !== undefined && following?.text === "(") {
      const close = closingOf(body, at + 1);
      const inner = (named.get(last) ?? []).length === 0 ? [] : substitute({ ...macro, body: body.slice(at + 2, close) }, named, state, depth);
      if (inner === undefined) return undefined;
      parts.push(...inner);
      at = close;
    } else if (raw !== undefined) {
      const isOperand = isPaste(following) || isPaste(body[at - 1]);
      if (isOperand && token.text === last && isPaste(body[at - 1]) && body[at - 2]?.text === ",") {
        // GNU: the comma goes when there are no variable arguments, and is not pasted when there are.
        parts.pop();
        if (raw.length === 0) parts.pop();
        else for (const piece of raw) parts.push({ piece, isPasted: false });
        continue;
      }
      let pieces: readonly Piece[] | undefined = raw;
      if (!isOperand) {
        pieces = expanded.get(token.text) ?? expand(raw, state, undefined, depth + 1);
        if (pieces === undefined) return undefined;
        expanded.set(token.text, pieces);
      }
      if (pieces.length === 0 && isOperand) parts.push({ piece: undefined, isPasted: false });
      for (const [index, piece] of pieces.entries()) parts.push({ piece: index === 0 ? { ...piece, token: { ...piece.token, spaced: token.spaced } } : piece, isPasted: false });
    } else parts.push({ piece: pieceOf(token, macro.definition?.uri), isPasted: isPaste(token) });
    state.budget.left -= 1;
    if (state.budget.left < 0) return undefined;
  }
  return parts;
}

function isPaste(token: Token | undefined): boolean {
  return token !== undefined && (token.text === "##" || token.text === "%:%:");
}

function closingOf(body: readonly Token[], open: number): number {
  let depth = 0;
  for (let at = open; at < body.length; at += 1) {
    if (body[at]?.text === "(") depth += 1;
    if (body[at]?.text === ")") depth -= 1;
    if (depth === 0) return at;
  }
  return body.length;
}

/** Joins the operands of `##` and adds the hide set to everything. */
function paste(parts: readonly Part[], hidden: ReadonlySet<string>): readonly Piece[] {
  const result: Piece[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at];
    if (part?.isPasted === true && at > 0 && at < parts.length - 1) {
      const left = parts[at - 1]?.piece === undefined ? undefined : result.pop();
      const right = parts[at + 1]?.piece;
      at += 1;
      if (left === undefined && right === undefined) continue;
      result.push(...joined(left, right).map((piece) => ({ ...piece, hidden: union(piece.hidden, hidden) })));
    } else if (part?.piece !== undefined) result.push({ ...part.piece, hidden: union(part.piece.hidden, hidden) });
  }
  return result;
}

function joined(left: Piece | undefined, right: Piece | undefined): readonly Piece[] {
  if (left === undefined) return right === undefined ? [] : [right];
  if (right === undefined) return [left];
  const text = left.token.text + right.token.text;
  const tokens = tokenize(text, true);
  const only = tokens[0];
  // Two tokens that make no one token stay two, as with most compilers (C11 leaves it undefined).
  if (only === undefined || tokens.length > 1) return [left, { ...right, token: { ...right.token, spaced: false } }];
  const { kind } = only;
  return [{ token: { ...left.token, kind, text }, uri: undefined, hidden: new Set([...left.hidden].filter((name) => right.hidden.has(name))) }];
}

function union(a: ReadonlySet<string>, b: ReadonlySet<string>): ReadonlySet<string> {
  if (a.size === 0) return b;
  let grown: Set<string> | undefined;
  for (const name of b) {
    if (a.has(name)) continue;
    grown ??= new Set(a);
    grown.add(name);
  }
  return grown ?? a;
}

/** `#parameter`: the argument's spelling as a string literal (C11 §6.10.3.2p2). */
function stringize(pieces: readonly Piece[], like: Token): Token {
  let text = "";
  for (const [index, { token }] of pieces.entries()) {
    if (index > 0 && (token.spaced || token.startsLine)) text += " ";
    text += token.kind === "string" || token.kind === "character" ? token.text.replace(/[\\"]/g, "\\$&") : token.text;
  }
  return { kind: "string", text: `"${text}"`, start: like.start, end: like.end, spaced: like.spaced, startsLine: false };
}
