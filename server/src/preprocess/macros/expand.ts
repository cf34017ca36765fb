/**
 * Macro expansion (C11 §6.10.3, by Prosser's algorithm). Pieces keep where they were spelled, so that the View can lead back
 * to an argument or to a macro's body. Work is bounded by a budget, and so is depth; what exceeds them stays unexpanded.
 */
import type { Interner } from "../lexing/interner.ts";
import { Sign } from "../lexing/interner.ts";
import { Kind } from "../lexing/lexer.ts";
import type { Macro } from "./macros.ts";
import { type HideSet, hide, type Invocation, intersection, isHidden, madePiece, type Piece, pieceAt } from "./pieces.ts";
import { type Part, paste, substitute } from "./substitute.ts";

/** What follows an invocation in the file. */
export interface Supply {
  /** True where the next token is `(` and its `)` exists. */
  isCallNext(): boolean;
  next(): Piece | undefined;
}

/** What expansion asks of the module. */
export interface Expander {
  readonly interner: Interner;
  /** The macro of a name, or undefined where it has none or is to be left alone. */
  macroOf(id: number): Macro | undefined;
  /** Work that may still be done. */
  readonly budget: { left: number };
  /** The text that `__LINE__` and its like become at a piece. */
  dynamic(macro: Macro, piece: Piece): string;
  /** See `Flavour`. */
  readonly isStrictC: boolean;
  /** In a condition, answers `defined X` and `__has_include(…)` before their operands are expanded (C11 §6.10.1p4). */
  readonly operators?: Operators;
}

/** The operators of conditions, such as `__has_include`. */
export interface Operators {
  isOperator(id: number): boolean;
  /** `operands` are the tokens inside of the parentheses, or the one name without them. */
  answer(operator: Piece, operands: readonly Piece[]): Piece;
}

/** How deep arguments may nest. */
const deepest = 200;

/** Expands pieces completely; undefined when the budget ran out. */
export function expand(pieces: readonly Piece[], expander: Expander, supply: Supply | undefined, depth = 0): readonly Piece[] | undefined {
  const result: Piece[] = [];
  const stack: Piece[] = [];
  for (let index = pieces.length - 1; index >= 0; index -= 1) stack.push(pieces[index] as Piece);
  for (let piece = stack.pop(); piece !== undefined; piece = stack.pop()) {
    expander.budget.left -= 1;
    if (expander.budget.left < 0 || depth > deepest) return undefined;
    if (piece.kind !== Kind.identifier) {
      result.push(piece);
      continue;
    }
    if (expander.operators?.isOperator(piece.id) === true) {
      result.push(operate(piece, stack, expander.operators));
      continue;
    }
    const macro = expander.macroOf(piece.id);
    if (macro === undefined || isHidden(piece.hidden, macro.id)) {
      result.push(piece);
      continue;
    }
    const replacement = replace(piece, macro, stack, expander, supply, depth);
    if (replacement === "exhausted") return undefined;
    if (replacement === undefined) result.push(piece);
    else for (let index = replacement.length - 1; index >= 0; index -= 1) stack.push(replacement[index] as Piece);
  }
  return result;
}

function operate(operator: Piece, stack: Piece[], operators: Operators): Piece {
  const operands: Piece[] = [];
  const first = stack.pop();
  if (first === undefined) return operators.answer(operator, operands);
  if (first.id !== Sign.openParenthesis) return operators.answer(operator, [first]);
  for (let depth = 1; ; ) {
    const piece = stack.pop();
    if (piece === undefined) break;
    if (piece.id === Sign.openParenthesis) depth += 1;
    else if (piece.id === Sign.closeParenthesis) depth -= 1;
    if (depth === 0) break;
    operands.push(piece);
  }
  return operators.answer(operator, operands);
}

/** What the invocation that begins with `piece` becomes; undefined where it turns out to be none. */
function replace(
  piece: Piece,
  macro: Macro,
  stack: Piece[],
  expander: Expander,
  supply: Supply | undefined,
  depth: number,
): readonly Piece[] | "exhausted" | undefined {
  if (macro.special === "reserved") return undefined;
  if (macro.special === "dynamic") {
    const text = expander.dynamic(macro, piece);
    return [
      {
        ...madePiece(text, text.startsWith('"') ? Kind.string : Kind.number, piece.spaced, expander.interner),
        via: viaOf(piece, piece, macro),
      },
    ];
  }
  if (macro.parameters === undefined)
    return spaced(paste(bodyOf(macro, viaOf(piece, piece, macro), expander), hide(piece.hidden, macro.id), expander), piece);
  const call = collectArguments(stack, supply, expander);
  if (call === undefined) return undefined;
  const given = assign(macro, call);
  if (given === undefined) {
    // A wrong number of arguments: left as it is, the parser will say what it makes of it.
    for (let index = call.taken.length - 1; index >= 0; index -= 1) stack.push(call.taken[index] as Piece);
    return undefined;
  }
  const via = viaOf(piece, call.close, macro);
  const parts = substitute(
    macro,
    bodyOf(macro, via, expander),
    { raw: given, count: call.lists.length, expanded: (list) => expand(list, expander, undefined, depth + 1), via },
    expander,
  );
  if (parts === undefined) return "exhausted";
  // C11 leaves open which set results; Prosser's is the intersection with the closing parenthesis'.
  const hidden: HideSet = hide(intersection(piece.hidden, call.close.hidden), macro.id);
  return spaced(paste(parts, hidden, expander), piece);
}

/** The invocation that the author wrote and that these tokens stand for, or else the one that brought its name. */
function viaOf(name: Piece, close: Piece, macro: Macro): Invocation | undefined {
  const isWritten = name.via === undefined && close.via === undefined && name.index >= 0;
  return isWritten ? { macro, first: name.index, last: close.index } : (name.via ?? close.via);
}

/** The first token stands as far from its neighbor as the macro's name did. */
function spaced(pieces: readonly Piece[] | "exhausted", like: Piece): readonly Piece[] | "exhausted" {
  if (pieces === "exhausted") return pieces;
  const first = pieces[0];
  if (first === undefined || first.spaced === like.spaced) return pieces;
  return [{ ...first, spaced: like.spaced }, ...pieces.slice(1)];
}

function bodyOf(macro: Macro, via: Invocation | undefined, { interner }: Expander): Part[] {
  const parts: Part[] = [];
  for (let at = macro.from; at < macro.to; at += 1) {
    const piece = pieceAt(macro.list, at, macro.definition?.uri, interner);
    parts.push({ piece: { ...piece, index: -1, via }, isPaste: piece.id === Sign.paste });
  }
  return parts;
}

interface Call {
  readonly lists: readonly (readonly Piece[])[];
  /** The commas between them. */
  readonly commas: readonly Piece[];
  readonly close: Piece;
  /** Every token that was taken, parentheses included. */
  readonly taken: readonly Piece[];
}

function collectArguments(stack: Piece[], supply: Supply | undefined, expander: Expander): Call | undefined {
  const top = stack[stack.length - 1];
  if (top === undefined ? supply?.isCallNext() !== true : top.id !== Sign.openParenthesis) return undefined;
  const taken: Piece[] = [];
  const lists: Piece[][] = [];
  const commas: Piece[] = [];
  let current: Piece[] = [];
  for (let depth = 0; ; ) {
    const piece = stack.pop() ?? supply?.next();
    if (piece === undefined) {
      for (let index = taken.length - 1; index >= 0; index -= 1) stack.push(taken[index] as Piece);
      return undefined;
    }
    taken.push(piece);
    expander.budget.left -= 1;
    switch (piece.id) {
      case Sign.openParenthesis:
        depth += 1;
        if (depth === 1) continue;
        break;
      case Sign.closeParenthesis:
        depth -= 1;
        if (depth > 0) break;
        lists.push(current);
        return { lists, commas, close: piece, taken };
      case Sign.comma:
        if (depth > 1) break;
        lists.push(current);
        commas.push(piece);
        current = [];
        continue;
      default:
        break;
    }
    current.push(piece);
  }
}

/** Arguments by parameter; undefined when there are too many or too few. The variable ones are one, with their commas. */
function assign(macro: Macro, { lists, commas }: Call): readonly (readonly Piece[])[] | undefined {
  const parameters = macro.parameters ?? [];
  if (parameters.length === 0) return lists.length === 1 && lists[0]?.length === 0 ? [] : undefined;
  if (!macro.isVariadic) return lists.length === parameters.length ? lists : undefined;
  const fixed = parameters.length - 1;
  if (lists.length < fixed) return undefined;
  const variable: Piece[] = [];
  for (let index = fixed; index < lists.length; index += 1) {
    const comma = index > fixed ? commas[index - 1] : undefined;
    if (comma !== undefined) variable.push(comma);
    for (const piece of lists[index] ?? []) variable.push(piece);
  }
  return [...lists.slice(0, fixed), variable];
}
