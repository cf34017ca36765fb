/** Short questions about facts, symbols and expressions that several rules ask. Questions about the whole program are in `analyses/`. */
import { fileOf } from "../preprocess/row.ts";
import type { AccessFact, Facts } from "../semantics/facts/facts.ts";
import type { Place, VariableSymbol } from "../semantics/types/symbols.ts";
import type { Expression } from "../syntax/ast.ts";
import { hasWord } from "../syntax/walk.ts";
import type { CheckedFile } from "./rule.ts";

/** Every access that changes its object. */
export function* writesOf(facts: Facts): Generator<AccessFact> {
  for (const access of facts.accesses) if (isWrite(access)) yield access;
}

/** True for an access that changes its object. */
export function isWrite({ mode }: AccessFact): boolean {
  return mode === "write" || mode === "read-write";
}

/** True for a parameter with `__grid_constant__`, spelled directly or by a macro. */
export function isGridConstant({ scope, words }: VariableSymbol): boolean {
  return scope === "parameter" && hasWord(words, "__grid_constant__");
}

/** True for a string literal, possibly in parentheses, or a choice between two. */
export function isStringLiteral(operand: Expression): boolean {
  if (operand.kind === "parenthesized") return isStringLiteral(operand.inner);
  if (operand.kind === "conditional")
    return operand.then !== undefined && isStringLiteral(operand.then) && isStringLiteral(operand.otherwise);
  return operand.kind === "string";
}

/** True if a finding at the place is one in the file. Questions about headers may need definitions that the file does not need. */
export function isIn({ uri }: Pick<CheckedFile, "uri">, { unit, span }: Place): boolean {
  return fileOf(unit.view.origin(span).location.uri) === fileOf(uri);
}
