/**
 * Finds which assignments may have given a local pointer the value that it has at a place. The walk follows the statements of the
 * body that declares the pointer: branches join, loops run any number of times, a complete assignment replaces the values before it.
 */
import { demand } from "../budget.ts";
import { append, countUpTo } from "../lists.ts";
import type { AccessFact, AccessPath, ConversionFact, Facts } from "../semantics/facts/facts.ts";
import { contains } from "../semantics/types/places.ts";
import { isSamePlace, type Place, type VariableSymbol } from "../semantics/types/symbols.ts";
import type { ViewSpan } from "../source.ts";
import { encloses } from "../spans.ts";
import type { Expression, Statement } from "../syntax/ast.ts";
import { childStatements, hasWord, ownExpressions, walkExpressions } from "../syntax/walk.ts";
import { accessesTo, conversionsTo } from "./fact-index.ts";

/** Where a pointer got its value: from a conversion, from the caller of the function, or from something unknown. */
export interface HeldValue {
  readonly source: ConversionFact | "argument" | "unknown";
}

/** What a variable may hold at a place that uses it; undefined if the walk cannot tell. */
export type HeldValues = (place: Place) => ReadonlySet<HeldValue> | undefined;

type State = ReadonlySet<HeldValue>;

const nothing: State = new Set();

/** An assignment, or something else that changes the variable. */
interface Change {
  readonly at: number;
  /** Nothing for a null pointer or a declaration without initializer. */
  readonly value: HeldValue | undefined;
  /** The variable may keep its earlier value. */
  readonly isPartial: boolean;
}

/** Follows the values of one local pointer or parameter through the body around it. Null pointers are not values. */
export function heldValues(facts: Facts, variable: VariableSymbol): HeldValues {
  const body = bodyOf(variable);
  const uses = accessesTo(facts, variable);
  const isElsewhere = ({ lambda, place, mode, path }: AccessFact) =>
    place.unit !== variable.place.unit || (lambda !== variable.lambda && mode !== "read" && path.steps.length === 0);
  if (body === undefined || uses.some(isElsewhere) || hasWord(variable.words, "static")) return () => undefined;
  const { unit } = variable.place;
  const changes = changesOf(facts, variable, uses, body);
  if (variable.scope === "parameter" && changes.length === 0) {
    const argument: State = new Set([{ source: "argument" }]);
    return (place) => (place.unit === unit && encloses(body.span, place.span) ? argument : undefined);
  }
  const marks = [...uses.map(({ place }) => place.span.start), ...changes.map(({ at }) => at)].sort((a, b) => a - b);
  const segments = follow(body, { changes, marks, text: unit.view.text, isParameter: variable.scope === "parameter" });
  if (segments === undefined) return () => undefined;
  return ({ unit: other, span: { start } }) => {
    const found = other === unit ? segments[countUpTo(segments.length, (at) => segments[at]?.start, start) - 1] : undefined;
    return found !== undefined && start < found.end ? found.state : undefined;
  };
}

function bodyOf({ lambda, owner, place, scope }: VariableSymbol): Statement | undefined {
  if (scope !== "block" && scope !== "parameter") return undefined;
  const around = (body: Statement | undefined) => (body !== undefined && encloses(body.span, place.span) ? body : undefined);
  if (lambda?.lambda !== undefined) return around(lambda.lambda.body);
  const own = owner?.declarations.find(({ body, place: whole }) => body !== undefined && contains(whole, place))?.body;
  return scope === "parameter" ? own : around(own);
}

/** Everything that may change the variable, in source order. */
function changesOf(facts: Facts, variable: VariableSymbol, uses: readonly AccessFact[], body: Statement): readonly Change[] {
  const partial = conditionalSpans(body);
  const changes: Change[] = [];
  const sources = conversionsTo(facts, variable).filter(({ context }) => context === "initialize" || context === "assign");
  const add = (at: number, source: ConversionFact | undefined, written: Expression | undefined) => {
    if (source !== undefined && keepsValue(source, variable)) return;
    const isPartial =
      source?.alternatives?.some(({ path }) => isWhole(path, variable)) === true ||
      partial.some(({ start, end }) => start <= at && at <= end);
    const isNull = source === undefined ? written?.kind === "nullptr" : source.isNullConstant;
    changes.push({ at, value: isNull ? undefined : { source: source ?? "unknown" }, isPartial });
  };
  if (variable.scope === "block") {
    const initial = sources.find(({ context }) => context === "initialize");
    const end = Math.max(variable.declaration.span.end, initial?.operandPlace.span.end ?? 0);
    const { initializer } = variable;
    if (initial !== undefined || initializer !== undefined)
      add(end, initial, initializer?.kind === "value" ? initializer.value : undefined);
    else changes.push({ at: end, value: undefined, isPartial: false });
  }
  for (const { mode, path, place, assigned, assignment } of uses) {
    if (path.steps.length > 0 || mode === "read" || mode === "read-write") continue;
    const source = assigned === undefined ? undefined : sources.find(({ operandPlace }) => isSamePlace(operandPlace, assigned));
    add(assigned?.span.end ?? place.span.end, source, assigned === undefined ? undefined : assignment?.value);
  }
  return changes.sort((a, b) => a.at - b.at);
}

/** True for `p = p + 1`, which stays in the same object. */
function keepsValue({ path }: ConversionFact, variable: VariableSymbol): boolean {
  return isWhole(path, variable);
}

function isWhole(path: AccessPath | undefined, variable: VariableSymbol): boolean {
  return path?.root === variable && path.steps.length === 0;
}

/** The operands that are not always evaluated. */
function conditionalSpans(body: Statement): readonly ViewSpan[] {
  const found: ViewSpan[] = [];
  const inExpression = (expression: Expression) =>
    walkExpressions(expression, (e) => {
      if (e.kind === "conditional")
        append(
          found,
          [e.then, e.otherwise].flatMap((branch) => branch?.span ?? []),
        );
      else if (e.kind === "binary" && (e.operator === "&&" || e.operator === "||")) found.push(e.right.span);
      else if (e.kind === "statement-expression") found.push(e.span);
    });
  const inStatement = (statement: Statement): void => {
    demand();
    for (const own of ownExpressions(statement)) inExpression(own);
    for (const inner of childStatements(statement)) inStatement(inner);
  };
  inStatement(body);
  return found;
}

// ---------------------------------------------------------------- the walk

interface Walk {
  readonly changes: readonly Change[];
  /** The offsets of all uses and changes, ascending. */
  readonly marks: readonly number[];
  readonly text: string;
  readonly isParameter: boolean;
}

/** A stretch of the text without a change, and what the variable holds there. */
interface Segment {
  readonly start: number;
  readonly end: number;
  readonly state: State;
}

/** The values after a statement, if its end is reached, and those at its jumps. */
interface Outcome {
  readonly end: State | undefined;
  readonly breaks: State | undefined;
  readonly continues: State | undefined;
}

/** The values at every statement that uses the variable, in source order; undefined if a jump leads to a label. */
function follow(body: Statement, walk: Walk): readonly Segment[] | undefined {
  const segments = new Map<number, Segment>();
  let isKnown = true;
  const gained = new Map<Statement, State>();
  const hasMark = ({ start, end }: ViewSpan) => {
    const before = countUpTo(walk.marks.length, (at) => walk.marks[at], start - 1);
    const next = walk.marks[before];
    return next !== undefined && next <= end;
  };
  const through = (span: ViewSpan, state: State): State => {
    if (!hasMark(span)) return state;
    let current = state;
    let { start } = span;
    const record = (end: number) => {
      if (start < end) segments.set(start, { start, end, state: joined(segments.get(start)?.state, current) ?? current });
    };
    for (let next = countUpTo(walk.changes.length, (at) => walk.changes[at]?.at, span.start); next < walk.changes.length; next++) {
      const change = walk.changes[next];
      if (change === undefined || change.at > span.end) break;
      demand();
      record(change.at);
      start = change.at;
      current = new Set([...(change.isPartial ? current : []), ...(change.value === undefined ? [] : [change.value])]);
    }
    record(span.end);
    return current;
  };
  const inOrder = (statements: readonly Statement[], state: State): Outcome => {
    let current: State | undefined = state;
    let [breaks, continues]: (State | undefined)[] = [];
    for (const statement of statements) {
      // What follows a jump is reached through a label, if at all.
      const outcome = run(statement, current ?? nothing, current === undefined);
      current = outcome.end;
      breaks = joined(breaks, outcome.breaks);
      continues = joined(continues, outcome.continues);
    }
    return { end: current, breaks, continues };
  };
  const loop = (statement: Extract<Statement, { kind: "for" | "while" | "do" | "range-for" }>, state: State): Outcome => {
    const pass = (start: State): { readonly again: State; readonly exit: State | undefined } => {
      const tested = statement.kind === "do" || statement.kind === "range-for" ? start : condition(statement.condition, start);
      const { end, breaks, continues } = run(statement.body, tested);
      const ended = joined(end, continues);
      let again = ended ?? nothing;
      if (statement.kind === "for" && statement.update !== undefined && ended !== undefined) again = through(statement.update.span, ended);
      if (statement.kind === "do" && ended !== undefined) again = through(statement.condition.span, ended);
      return { again, exit: joined(statement.kind === "do" ? ended && again : tested, breaks) };
    };
    // What an iteration adds does not depend on what was there before.
    const added = gained.get(statement) ?? pass(nothing).again;
    gained.set(statement, added);
    return { end: pass(joined(state, added) ?? state).exit, breaks: undefined, continues: undefined };
  };
  const condition = (statement: Statement | undefined, state: State): State =>
    statement === undefined ? state : (run(statement, state).end ?? state);
  const run = (statement: Statement, state: State, isSkipped = false): Outcome => {
    demand();
    switch (statement.kind) {
      case "block":
      case "unknown":
        return inOrder(statement.statements, state);
      case "labeled":
        return inOrder(statement.body, state);
      case "if": {
        const tested = condition(statement.condition, condition(statement.initializer, state));
        const then = run(statement.then, tested);
        const otherwise = statement.otherwise === undefined ? plain(tested) : run(statement.otherwise, tested);
        return {
          end: joined(then.end, otherwise.end),
          breaks: joined(then.breaks, otherwise.breaks),
          continues: joined(then.continues, otherwise.continues),
        };
      }
      case "for":
        return loop(statement, condition(statement.initializer, state));
      case "range-for":
        return loop(statement, through(statement.range.span, state));
      case "while":
      case "do":
        return loop(statement, state);
      case "switch":
        return choose(statement, condition(statement.condition, state));
      case "try": {
        const body = run(statement.body, state);
        const handlers = statement.handlers.map((handler) => run(handler, joined(state, body.end) ?? state).end);
        return { ...body, end: handlers.reduce(joined, body.end) };
      }
      case "return":
        if (!isSkipped) through(statement.span, state);
        return { end: undefined, breaks: undefined, continues: undefined };
      case "jump": {
        const word = walk.text.slice(statement.span.start, statement.span.start + 8);
        if (word.startsWith("break")) return { end: undefined, breaks: state, continues: undefined };
        if (word.startsWith("continue")) return { end: undefined, breaks: undefined, continues: state };
        isKnown = false;
        return plain(state);
      }
      default:
        return plain(through(statement.span, state));
    }
  };
  /** A `switch` enters each of its labels, or none of them if it has no `default`. */
  const choose = (statement: Extract<Statement, { kind: "switch" }>, state: State): Outcome => {
    const statements = statement.body.kind === "block" ? statement.body.statements : [statement.body];
    let current: State | undefined;
    let [breaks, continues]: (State | undefined)[] = [];
    let hasDefault = false;
    for (const each of statements) {
      if (each.kind === "labeled") {
        current = joined(current, state);
        hasDefault ||= each.value === undefined && walk.text.startsWith("default", each.span.start);
      }
      const outcome = run(each, current ?? nothing, current === undefined);
      current = outcome.end;
      breaks = joined(breaks, outcome.breaks);
      continues = joined(continues, outcome.continues);
    }
    return { end: joined(joined(current, breaks), hasDefault ? undefined : state), breaks: undefined, continues };
  };
  run(body, walk.isParameter ? new Set([{ source: "argument" }]) : nothing);
  return isKnown ? [...segments.values()].sort((a, b) => a.start - b.start) : undefined;
}

function plain(state: State): Outcome {
  return { end: state, breaks: undefined, continues: undefined };
}

/** The values of two paths that meet; undefined if neither gets there. */
function joined(a: State | undefined, b: State | undefined): State | undefined {
  if (a === undefined || b === undefined || a === b) return a ?? b;
  return new Set([...a, ...b]);
}
