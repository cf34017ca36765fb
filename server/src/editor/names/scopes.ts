/** Decides which local variables are visible at a place: those declared before it in a block around it. */
import { append } from "../../lists.ts";
import type { Unit } from "../../preprocess/view/view.ts";
import type { Facts } from "../../semantics/facts/facts.ts";
import type { VariableSymbol } from "../../semantics/types/symbols.ts";
import type { ViewSpan } from "../../source.ts";
import type { Statement } from "../../syntax/ast.ts";
import { childStatements } from "../../syntax/walk.ts";

/**
 * The part of the View in which a variable or parameter of a function can be named (C11 §6.2.1p4); undefined for other variables, and if
 * the function has no body.
 */
export function scopeSpanOf({ owner, scope, place }: VariableSymbol): ViewSpan | undefined {
  if (owner === undefined || (scope !== "block" && scope !== "parameter")) return undefined;
  const around = owner.declarations.find(
    (declaration) =>
      declaration.place.unit === place.unit &&
      declaration.place.span.start <= place.span.start &&
      place.span.end <= Math.max(declaration.place.span.end, declaration.body?.span.end ?? 0),
  );
  if (around === undefined) return undefined;
  const { body } = around;
  if (body === undefined || place.span.start < body.span.start)
    return { start: place.span.start, end: Math.max(around.place.span.end, body?.span.end ?? 0) } as ViewSpan;
  return { start: place.span.start, end: innermost(body, place.span.start).end } as ViewSpan;
}

/** The local variables that can be named at an offset of a unit's View, the innermost last. */
export function localsAt({ variables }: Facts, unit: Unit, offset: number): readonly VariableSymbol[] {
  const visible = variables.flatMap(({ variable }) => {
    if (variable.place.unit !== unit || variable.place.span.start > offset) return [];
    const span = scopeSpanOf(variable);
    return span !== undefined && span.start <= offset && offset <= span.end ? [{ variable, start: span.start }] : [];
  });
  return visible.sort((a, b) => a.start - b.start).map(({ variable }) => variable);
}

/** The innermost statement that opens a scope around an offset. */
function innermost(statement: Statement, offset: number): ViewSpan {
  let found = statement.span;
  const open: Statement[] = [statement];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.span.start > offset || next.span.end <= offset) continue;
    if (opensScope(next)) found = next.span;
    append(open, childStatements(next));
  }
  return found;
}

function opensScope({ kind }: Statement): boolean {
  return kind === "block" || kind === "for" || kind === "range-for" || kind === "if" || kind === "while" || kind === "switch";
}
