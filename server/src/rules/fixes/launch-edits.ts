/**
 * Parts of refactorings of a kernel and its launches: all declarations and launches of a kernel, the statement of a call, and the
 * edits of parameter lists. They return undefined, so that no fix is offered, unless everything is visible in the file.
 */
import { callsOf, functionsNamed, referencesTo } from "../../analyses/fact-index.ts";
import { areInSameFile, hasCLinkage } from "../../preprocess/unit-row.ts";
import type { CallFact, Facts } from "../../semantics/facts/facts.ts";
import { bodyAt } from "../../semantics/types/places.ts";
import type { FunctionSymbol, Place, VariableSymbol } from "../../semantics/types/symbols.ts";
import type { ViewSpan } from "../../source.ts";
import { encloses } from "../../spans.ts";
import type { Expression, Statement } from "../../syntax/ast.ts";
import type { PlacedEdit } from "../rule.ts";

/** Every launch of a kernel; undefined if its name is used otherwise, or if other files may use it. */
export function launchesOf(kernel: FunctionSymbol, facts: Facts): readonly CallFact[] | undefined {
  const launches = callsOf(facts, kernel).filter(({ launch }) => launch !== undefined);
  const named = referencesTo(facts, kernel).length;
  if (launches.length === 0 || named !== launches.length || facts.unread.length > 0) return undefined;
  const isOverloaded = functionsNamed(facts, kernel.name).length > 1;
  return isOverloaded && facts.calls.some(({ callee }) => callee === undefined) ? undefined : launches;
}

/** True for a kernel whose declarations can be edited: not a template, without C linkage, not a member. */
export function isEditable({ isTemplate, record, declarations, specializations }: FunctionSymbol, facts: Facts): boolean {
  if (isTemplate || record !== undefined || specializations.length > 0) return false;
  return declarations.every(
    ({ place, namePlace, declarator, role }) =>
      role === "primary" && !declarator.isVariadic && isExact(namePlace) && isOwn(place, facts) && !hasCLinkage(place.unit),
  );
}

function isOwn({ unit }: Place, { calls, functions }: Facts): boolean {
  return (
    calls.some(({ place }) => areInSameFile(place.unit, unit)) ||
    functions.some(({ declarations }) => declarations.some((each) => each.isDefinition && areInSameFile(each.place.unit, unit)))
  );
}

function isExact({ unit, span }: Place): boolean {
  return unit.view.origin(span).exact;
}

/** The call's own statement `f(…);` including its semicolon; undefined if the call is part of a larger expression. */
export function statementOf(call: CallFact): Place | undefined {
  const { unit, span } = call.place;
  const body = call.lambda === undefined ? bodyAt(call.within, call.place) : undefined;
  const own = body === undefined ? undefined : find(body, span);
  const { text } = unit.view;
  const end = text.indexOf(";", span.end) + 1;
  const statement = { unit, span: { start: span.start, end } };
  return own === undefined || end === 0 || text.slice(span.end, end - 1).trim() !== "" || !isExact(statement) ? undefined : statement;
}

/** The innermost block around a place of a function. */
export function blockAround(within: FunctionSymbol | undefined, place: Place): ViewSpan | undefined {
  const body = bodyAt(within, place);
  if (body === undefined) return undefined;
  let found: ViewSpan = body.span;
  visit(body, (statement) => {
    if (statement.kind === "block" && encloses(statement.span, place.span)) found = statement.span;
    // A branch without braces contains only its statement.
    if (statement.kind === "if")
      for (const branch of [statement.then, statement.otherwise])
        if (branch !== undefined && encloses(branch.span, place.span)) found = branch.span;
  });
  return found;
}

function find(body: Statement, span: ViewSpan): Expression | undefined {
  let found: Expression | undefined;
  visit(body, (statement) => {
    if (statement.kind === "expression" && statement.expression.span.start === span.start && statement.expression.span.end === span.end)
      found = statement.expression;
  });
  return found;
}

/** Visits a statement and all statements in it, outermost first. */
export function visit(statement: Statement, use: (statement: Statement) => void): void {
  use(statement);
  switch (statement.kind) {
    case "block":
    case "unknown":
      for (const inner of statement.statements) visit(inner, use);
      return;
    case "labeled":
      for (const inner of statement.body) visit(inner, use);
      return;
    case "if":
      visit(statement.then, use);
      if (statement.otherwise !== undefined) visit(statement.otherwise, use);
      return;
    case "for":
    case "while":
    case "do":
    case "switch":
    case "range-for":
      return visit(statement.body, use);
    case "try":
      for (const inner of [statement.body, ...statement.handlers]) visit(inner, use);
      return;
    default:
      return;
  }
}

/** Adds a parameter at the end of every declaration. */
export function addParameter({ declarations }: FunctionSymbol, text: string): readonly PlacedEdit[] {
  return declarations.map(({ parameters, declarator, place }) => {
    const last = parameters[parameters.length - 1];
    if (last !== undefined) return { place: last.place, how: "after" as const, text: `, ${text}` };
    return { place: { unit: place.unit, span: declarator.parameterSpan }, text: `(${text})` };
  });
}

/** Removes an element of a list of parameters or arguments with the comma beside it. */
export function withoutElement(elements: readonly { readonly place: Place }[], index: number): PlacedEdit | undefined {
  const place = elements[index]?.place;
  if (place === undefined) return undefined;
  const before = elements[index - 1]?.place;
  const after = elements[index + 1]?.place;
  const { unit, span } = place;
  if (before !== undefined) return { place: { unit, span: { start: before.span.end, end: span.end } }, text: "" };
  return { place: { unit, span: { start: span.start, end: after?.span.start ?? span.end } }, text: "" };
}

/** Adds an argument at the end of a call. */
export function addArgument({ arguments: values, place }: CallFact, text: string): PlacedEdit {
  const last = values[values.length - 1];
  if (last !== undefined) return { place: last.place, how: "after", text: `, ${text}` };
  return { place: { unit: place.unit, span: { start: place.span.end - 1, end: place.span.end } }, how: "before", text };
}

/** Uses of a variable by name. */
export function usesOf(variable: VariableSymbol, facts: Facts): readonly Place[] {
  return referencesTo(facts, variable).map(({ place }) => place);
}
