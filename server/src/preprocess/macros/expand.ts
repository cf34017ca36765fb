/**
 * Expands macros (C11 §6.10.3, by Prosser's algorithm). Tokens keep the place where they were spelled, so that the View can be
 * mapped back to an argument or to a macro's body. A budget limits the work and `deepest` the depth; beyond these, names stay
 * unexpanded.
 */
import type { Interner } from "../lexing/interner.ts";
import { Sign } from "../lexing/interner.ts";
import { Kind } from "../lexing/lexer.ts";
import {
  bodyTokenAt,
  generatedToken,
  type HideSet,
  hide,
  type Invocation,
  intersection,
  isHidden,
  type MacroToken,
} from "./macro-tokens.ts";
import type { Macro } from "./macros.ts";
import { type Part, paste, substitute } from "./substitute.ts";

/** What follows an invocation in the file. */
export interface Supply {
  /** True if the next token is `(` and there is a matching `)`. */
  isCallNext(): boolean;
  next(): MacroToken | undefined;
}

/** What expansion needs from the module. */
export interface Expander {
  readonly interner: Interner;
  /** The macro of a name, or undefined if it has none or must not be expanded. */
  macroOf(id: number): Macro | undefined;
  /** The remaining budget of work. */
  readonly budget: { left: number };
  /** The text of `__LINE__` and the like at a token. */
  dynamic(macro: Macro, token: MacroToken): string;
  /** See `LanguageMode`. */
  readonly isStrictC: boolean;
  /** In a condition, evaluates `defined X` and `__has_include(…)` before their operands are expanded (C11 §6.10.1p4). */
  readonly operators?: Operators;
}

/** The operators of conditions, such as `__has_include`. */
export interface Operators {
  isOperator(id: number): boolean;
  /** `operands` are the tokens inside of the parentheses, or the only name without them. */
  answer(operator: MacroToken, operands: readonly MacroToken[]): MacroToken;
}

/** The limit on nested arguments. */
const deepest = 200;

/** Expands tokens completely; undefined when the budget ran out. */
export function expand(
  macroTokens: readonly MacroToken[],
  expander: Expander,
  supply: Supply | undefined,
  depth = 0,
): readonly MacroToken[] | undefined {
  const result: MacroToken[] = [];
  const stack: MacroToken[] = [];
  for (let index = macroTokens.length - 1; index >= 0; index -= 1) stack.push(macroTokens[index] as MacroToken);
  for (let token = stack.pop(); token !== undefined; token = stack.pop()) {
    expander.budget.left -= 1;
    if (expander.budget.left < 0 || depth > deepest) return undefined;
    if (token.kind !== Kind.identifier) {
      result.push(token);
      continue;
    }
    if (expander.operators?.isOperator(token.id) === true) {
      result.push(operate(token, stack, expander.operators));
      continue;
    }
    const macro = expander.macroOf(token.id);
    if (macro === undefined || isHidden(token.hidden, macro.id)) {
      result.push(token);
      continue;
    }
    const replacement = replace(token, macro, stack, expander, supply, depth);
    if (replacement === "exhausted") return undefined;
    if (replacement === undefined) result.push(token);
    else for (let index = replacement.length - 1; index >= 0; index -= 1) stack.push(replacement[index] as MacroToken);
  }
  return result;
}

function operate(operator: MacroToken, stack: MacroToken[], operators: Operators): MacroToken {
  const operands: MacroToken[] = [];
  const first = stack.pop();
  if (first === undefined) return operators.answer(operator, operands);
  if (first.id !== Sign.openParenthesis) return operators.answer(operator, [first]);
  for (let depth = 1; ; ) {
    const token = stack.pop();
    if (token === undefined) break;
    if (token.id === Sign.openParenthesis) depth += 1;
    else if (token.id === Sign.closeParenthesis) depth -= 1;
    if (depth === 0) break;
    operands.push(token);
  }
  return operators.answer(operator, operands);
}

/** The expansion of the invocation that begins with `token`; undefined if `token` does not begin one. */
function replace(
  token: MacroToken,
  macro: Macro,
  stack: MacroToken[],
  expander: Expander,
  supply: Supply | undefined,
  depth: number,
): readonly MacroToken[] | "exhausted" | undefined {
  if (macro.special === "reserved") return undefined;
  if (macro.special === "dynamic") {
    const text = expander.dynamic(macro, token);
    return [
      {
        ...generatedToken(text, text.startsWith('"') ? Kind.string : Kind.number, token.spaced, expander.interner),
        via: viaOf(token, token, macro),
      },
    ];
  }
  if (macro.parameters === undefined) {
    const hidden = hide(token.hidden, macro.id);
    return spaced(paste(bodyOf(macro, viaOf(token, token, macro), hidden, expander), hidden, expander), token);
  }
  const call = collectArguments(stack, supply, expander);
  if (call === undefined) return undefined;
  const given = assign(macro, call);
  if (given === undefined) {
    // With a wrong number of arguments, the invocation stays as it is, and the parser handles it.
    for (let index = call.taken.length - 1; index >= 0; index -= 1) stack.push(call.taken[index] as MacroToken);
    return undefined;
  }
  const via = viaOf(token, call.close, macro);
  // C11 leaves the resulting set open; Prosser's is the intersection with that of the closing parenthesis.
  const hidden: HideSet = hide(intersection(token.hidden, call.close.hidden), macro.id);
  const parts = substitute(
    macro,
    bodyOf(macro, via, hidden, expander),
    { raw: given, count: call.lists.length, expanded: (list) => expand(list, expander, undefined, depth + 1), via },
    expander,
  );
  if (parts === undefined) return "exhausted";
  return spaced(paste(parts, hidden, expander), token);
}

/** The invocation by the author that these tokens stand for, or else the one that contributed its name. */
function viaOf(name: MacroToken, close: MacroToken, macro: Macro): Invocation | undefined {
  const isWritten = name.via === undefined && close.via === undefined && name.index >= 0;
  return isWritten ? { macro, first: name.index, last: close.index } : (name.via ?? close.via);
}

/** The tokens with the white space of the macro's name before the first one. */
function spaced(macroTokens: readonly MacroToken[] | "exhausted", like: MacroToken): readonly MacroToken[] | "exhausted" {
  if (macroTokens === "exhausted") return macroTokens;
  const first = macroTokens[0];
  if (first === undefined || first.spaced === like.spaced) return macroTokens;
  return [{ ...first, spaced: like.spaced }, ...macroTokens.slice(1)];
}

/** The body of a macro. Its tokens get the hide set of the result at once, so that they need not be copied for it. */
function bodyOf(macro: Macro, via: Invocation | undefined, hidden: HideSet, { interner }: Expander): Part[] {
  const parts: Part[] = [];
  for (let at = macro.from; at < macro.to; at += 1) {
    const token = bodyTokenAt(macro, at, hidden, via, interner);
    parts.push({ token, isPaste: token.id === Sign.paste });
  }
  return parts;
}

interface Call {
  readonly lists: readonly (readonly MacroToken[])[];
  /** The commas between the arguments. */
  readonly commas: readonly MacroToken[];
  readonly close: MacroToken;
  /** Every consumed token, including the parentheses. */
  readonly taken: readonly MacroToken[];
}

function collectArguments(stack: MacroToken[], supply: Supply | undefined, expander: Expander): Call | undefined {
  const top = stack[stack.length - 1];
  if (top === undefined ? supply?.isCallNext() !== true : top.id !== Sign.openParenthesis) return undefined;
  const taken: MacroToken[] = [];
  const lists: MacroToken[][] = [];
  const commas: MacroToken[] = [];
  let current: MacroToken[] = [];
  for (let depth = 0; ; ) {
    const token = stack.pop() ?? supply?.next();
    if (token === undefined) {
      for (let index = taken.length - 1; index >= 0; index -= 1) stack.push(taken[index] as MacroToken);
      return undefined;
    }
    taken.push(token);
    expander.budget.left -= 1;
    switch (token.id) {
      case Sign.openParenthesis:
        depth += 1;
        if (depth === 1) continue;
        break;
      case Sign.closeParenthesis:
        depth -= 1;
        if (depth > 0) break;
        lists.push(current);
        return { lists, commas, close: token, taken };
      case Sign.comma:
        if (depth > 1) break;
        lists.push(current);
        commas.push(token);
        current = [];
        continue;
      default:
        break;
    }
    current.push(token);
  }
}

/** Arguments by parameter; undefined if there are too many or too few. The variable ones are joined, with their commas. */
function assign(macro: Macro, { lists, commas }: Call): readonly (readonly MacroToken[])[] | undefined {
  const parameters = macro.parameters ?? [];
  if (parameters.length === 0) return lists.length === 1 && lists[0]?.length === 0 ? [] : undefined;
  if (!macro.isVariadic) return lists.length === parameters.length ? lists : undefined;
  const fixed = parameters.length - 1;
  if (lists.length < fixed) return undefined;
  const variable: MacroToken[] = [];
  for (let index = fixed; index < lists.length; index += 1) {
    const comma = index > fixed ? commas[index - 1] : undefined;
    if (comma !== undefined) variable.push(comma);
    for (const token of lists[index] ?? []) variable.push(token);
  }
  return [...lists.slice(0, fixed), variable];
}
