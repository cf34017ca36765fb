/**
 * Counts how many lanes of a warp reach a place. A condition like `threadIdx.x == 0` lets one lane through, `threadIdx.x < 8` lets
 * eight. If a condition's effect on lanes is unknown, so is the number.
 */
import type { Facts } from "../semantics/facts/facts.ts";
import { bodyAt } from "../semantics/types/places.ts";
import type { FunctionSymbol, Place } from "../semantics/types/symbols.ts";
import type { ViewSpan } from "../source.ts";
import { encloses } from "../spans.ts";
import type { Expression, Statement } from "../syntax/ast.ts";
import { walkExpressions } from "../syntax/walk.ts";
import { type LaneDependence, laneDependence, warpSize } from "./lane-dependence.ts";

/** How many lanes can be at a place of a function; undefined if that is unknown. */
export function lanesThatReach(within: FunctionSymbol, place: Place, facts: Facts): number | undefined {
  const body = bodyAt(within, place);
  if (body === undefined) return undefined;
  const guards: Guard[] = [];
  collect(body, place.span, guards);
  let most: number | undefined = warpSize;
  for (const { condition, isNegated, isCase } of guards) {
    if (isCase === true) continue;
    const lanes = lanesOf(condition, isNegated, place, laneDependence(facts));
    most = most === undefined || lanes === undefined ? undefined : Math.min(most, lanes);
  }
  return most;
}

/**
 * The conditions that hold at a place, outermost first, including those of earlier returns; undefined if there is no body around
 * the place.
 */
export function conditionsAround(within: FunctionSymbol, place: Place): readonly Expression[] | undefined {
  const body = bodyAt(within, place);
  if (body === undefined) return undefined;
  const guards: Guard[] = [];
  collect(body, place.span, guards);
  return guards.map(({ condition }) => condition);
}

interface Guard {
  readonly condition: Expression;
  /** The place is reached if the condition is false. */
  readonly isNegated: boolean;
  /** The value of a `switch`. */
  readonly isCase?: true;
}

/** Collects the conditions around a place, outermost first, and those of returns before it. */
function collect(statement: Statement, at: ViewSpan, guards: Guard[]): void {
  if (!encloses(statement.span, at)) return;
  switch (statement.kind) {
    case "block":
    case "unknown":
      return collectAll(statement.statements, at, guards);
    case "labeled":
      return collectAll(statement.body, at, guards);
    case "item":
      if (statement.item.kind !== "declaration") return;
      for (const { initializer } of statement.item.declarators) {
        if (initializer?.kind === "value") collectIn(initializer.value, at, guards);
        if (initializer?.kind === "direct") for (const each of initializer.arguments) collectIn(each, at, guards);
      }
      return;
    case "expression":
      return collectIn(statement.expression, at, guards);
    case "return":
      return statement.value === undefined ? undefined : collectIn(statement.value, at, guards);
    case "if": {
      const condition = statement.condition?.kind === "expression" ? statement.condition.expression : undefined;
      const isThen = encloses(statement.then.span, at);
      const isElse = statement.otherwise !== undefined && encloses(statement.otherwise.span, at);
      if ((isThen || isElse) && condition !== undefined && !statement.isConstexpr) guards.push({ condition, isNegated: isElse });
      if (isThen) collect(statement.then, at, guards);
      else if (isElse && statement.otherwise !== undefined) collect(statement.otherwise, at, guards);
      else if (statement.condition !== undefined) collect(statement.condition, at, guards);
      return;
    }
    case "for":
    case "while":
    case "do":
    case "range-for":
      return collect(statement.body, at, guards);
    case "switch":
      if (statement.condition?.kind === "expression")
        guards.push({ condition: statement.condition.expression, isNegated: false, isCase: true });
      return collect(statement.body, at, guards);
    default:
      return;
  }
}

/** Collects the conditions in an expression that decide whether a part of it is evaluated. */
function collectIn(expression: Expression, at: ViewSpan, guards: Guard[]): void {
  walkExpressions(expression, (e) => {
    if (e.kind === "conditional") {
      const isThen = e.then !== undefined && encloses(e.then.span, at);
      if (isThen || encloses(e.otherwise.span, at)) guards.push({ condition: e.condition, isNegated: !isThen });
    } else if (e.kind === "binary" && (e.operator === "&&" || e.operator === "||") && encloses(e.right.span, at))
      guards.push({ condition: e.left, isNegated: e.operator === "||" });
  });
}

function collectAll(statements: readonly Statement[], at: ViewSpan, guards: Guard[]): void {
  for (const statement of statements) {
    if (statement.span.start > at.start) return;
    if (encloses(statement.span, at)) collect(statement, at, guards);
    else if (statement.kind === "if" && statement.condition?.kind === "expression" && leaves(statement.then))
      guards.push({ condition: statement.condition.expression, isNegated: true });
  }
}

function leaves(statement: Statement): boolean {
  if (statement.kind === "block") return statement.statements.some(leaves);
  return statement.kind === "return" || statement.kind === "jump";
}

/** How many lanes a condition lets through at most; undefined if it may select a single lane. */
function lanesOf(e: Expression, isNegated: boolean, place: Place, dependence: LaneDependence): number | undefined {
  if (e.kind === "parenthesized") return lanesOf(e.inner, isNegated, place, dependence);
  if (e.kind === "unary" && e.operator === "!") return lanesOf(e.operand, !isNegated, place, dependence);
  if (e.kind !== "binary") return dependence.of(e, place).kind === "uniform" ? warpSize : undefined;
  if (e.operator === "&&" || e.operator === "||") {
    const [left, right] = [e.left, e.right].map((part) => lanesOf(part, isNegated, place, dependence));
    if (left === undefined || right === undefined) return undefined;
    return (e.operator === "&&") === !isNegated ? Math.min(left, right) : warpSize;
  }
  const [left, right] = [dependence.of(e.left, place), dependence.of(e.right, place)];
  if (left.kind === "uniform" && right.kind === "uniform") return warpSize;
  const isEqual = e.operator === (isNegated ? "!=" : "==");
  if (isEqual || !["<", "<=", ">", ">=", "!=", "=="].includes(e.operator)) return undefined;
  // The condition selects the first lanes.
  const isBelow = isNegated ? e.operator === ">=" || e.operator === ">" : e.operator === "<" || e.operator === "<=";
  const includes = e.operator === "<=" || e.operator === ">" ? 1 : 0;
  if (isBelow && left.kind === "lanes" && left.stride === 1 && right.kind === "uniform" && right.value !== undefined)
    return Math.max(1, Math.min(warpSize, Number(right.value) + includes));
  return warpSize;
}
