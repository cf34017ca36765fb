/**
 * Decides whether an edit stayed within one function body: only if no other piece depends on what has changed.
 */
import type { Unit, View } from "../../preprocess/view/view.ts";
import type { ViewSpan } from "../../source.ts";
import type { FunctionItem } from "../../syntax/ast.ts";
import { leaveExterns } from "../declarations/variable-lookup.ts";
import type { Scope } from "../symbols/scope.ts";

/** True if everything before and after the body is unchanged, in the same place. */
export function isSameHead(old: Unit, { body: oldBody }: FunctionItem, unit: Unit, { body }: FunctionItem): boolean {
  if (oldBody === undefined || body === undefined) return false;
  const start = (view: View, span: ViewSpan) => view.text.slice(0, span.start);
  const end = (view: View, span: ViewSpan) => view.text.slice(span.end).trimEnd();
  return (
    start(old.view, oldBody.span) === start(unit.view, body.span) &&
    end(old.view, oldBody.span) === end(unit.view, body.span) &&
    old.includes.length === unit.includes.length &&
    old.includes.every((site, at) => site.unit === unit.includes[at]?.unit && site.at === unit.includes[at]?.at) &&
    (old.switches ?? []).length === (unit.switches ?? []).length
  );
}

/**
 * True if the body, as it was or as it is now, may declare an `extern` variable that another body declares too: they are one
 * variable. Forgets the declarations in the old body.
 */
export function sharesExterns(scope: Scope, old: Unit, unit: Unit): boolean {
  if (!mayDeclareExtern(old) && !mayDeclareExtern(unit)) return false;
  const names = leaveExterns(scope, old);
  const words = new Set([old, unit].flatMap(({ view }) => view.text.match(/[\w$]+/g) ?? []));
  return names.some((name) => words.has(name));
}

/** True if its text contains the word `extern`. */
export function mayDeclareExtern({ view }: Unit): boolean {
  return /\bextern\b/.test(view.text);
}

/** Replaces the content of a unit, which stays the same object for its piece. */
export function replaceContent(old: Unit, { uri: _, ...content }: Unit): void {
  const { uri, row } = old;
  for (const key of Object.keys(old)) Reflect.deleteProperty(old, key);
  Object.assign(old, content, { uri, ...(row === undefined ? {} : { row }) });
}
