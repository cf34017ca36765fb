/**
 * One pass over a translation unit: headers first, where they are included, then the file itself; out come the facts.
 * Everything about a name is decided when it is met, so that the order of declarations counts as it does for a compiler.
 */
import type { Dialect } from "../dialect.ts";
import type { Unit, View } from "../preprocess/view.ts";
import type { Span } from "../source.ts";
import { inOneGo, type Steps } from "../steps.ts";
import type { Item, SyntaxTree } from "../syntax/ast.ts";
import { bindItem } from "./binder.ts";
import { withoutConsequences } from "./consequences.ts";
import { type Context, emptySink, type FactSink, outermost, type Program } from "./context.ts";
import type { Facts } from "./facts.ts";
import { walkInstantiatedBodies } from "./instantiated-bodies.ts";
import { reservedNames } from "./reserved-names.ts";
import { createScope } from "./scope.ts";

export interface AnalyzeInput {
  readonly unit: Unit;
  readonly dialect: Dialect;
  /** The uri of the file whose facts are wanted: the unit's own, or a header's that it includes. */
  readonly focus: string;
  /** The syntax tree of a unit's View; of a unit that is not in focus only the declarations. Called once per unit. */
  syntaxOf(unit: Unit, isFocus: boolean): SyntaxTree;
  /** Parses a declaration text of the language. */
  parseText(text: string): SyntaxTree;
}

export interface Analysis {
  readonly facts: Facts;
  readonly expressions: number;
  readonly unknownExpressions: number;
}

/** The facts of one file under one dialect. Never throws on broken source; unknown parts give no facts. */
export function analyze(input: AnalyzeInput): Analysis {
  return inOneGo(analyzeInSteps(input));
}

/** The same, a step for each unit and for each item of the file whose facts are wanted. */
export function* analyzeInSteps(input: AnalyzeInput): Steps<Analysis> {
  const facts: FactSink = emptySink();
  const scope = createScope("program", undefined);
  const program: Program = {
    dialect: input.dialect,
    facts,
    program: scope,
    parseBuiltin: (text) => ({ items: input.parseText(text).items, unit: builtinUnit(text) }),
    builtins: new Map(),
    state: { isHalfEnabled: false },
    counts: { expressions: 0, unknown: 0 },
    reading: { isPartial: false },
    instantiations: { depth: 0, count: 0, bodies: [] },
  };
  const context: Context = {
    program,
    dialect: input.dialect,
    unit: input.unit,
    scope,
    isEmitting: false,
    isBuiltin: false,
    ...outermost,
  };
  yield* bindUnit(context, input, input.unit, new Set());
  yield* walkInstantiatedBodies(program);
  const told: Facts = input.dialect.language === "opencl" ? { ...facts, ...withoutConsequences(facts, input.dialect) } : facts;
  return { facts: told, expressions: program.counts.expressions, unknownExpressions: program.counts.unknown };
}

/** Binds a unit's items with its headers' in between. A unit that was bound before adds nothing new. */
function* bindUnit(outer: Context, input: AnalyzeInput, unit: Unit, bound: Set<Unit>): Steps<void> {
  if (bound.has(unit)) return;
  bound.add(unit);
  const isFocus = unit.uri === input.focus || (input.focus !== input.unit.uri && unit.view.segments.some(({ uri }) => uri === input.focus));
  const context: Context = { ...outer, unit, isEmitting: isFocus, isBuiltin: unit.uri.startsWith("builtin:") };
  const includes = [...unit.includes].sort((a, b) => a.at - b.at);
  let next = 0;
  const includeUpTo = function* (offset: number): Steps<void> {
    for (let site = includes[next]; site !== undefined && site.at <= offset; site = includes[next]) {
      next += 1;
      if (site.unit !== undefined) yield* bindUnit(context, input, site.unit, bound);
      else {
        context.program.reading.isPartial = true;
        // What a header that is not there would switch on is open.
        context.program.state.isHalfEnabled = true;
        context.program.facts.enabledExtensions.push("all");
      }
    }
  };
  const switchHalf = switchesOf(context, unit);
  const { items, errors, unknownWords } = input.syntaxOf(unit, isFocus);
  yield;
  if (isFocus) context.program.facts.unread.push(...[...errors, ...unknownWords].map((span) => ({ unit, span })));
  for (const item of items) {
    yield* includeUpTo(startOf(item));
    switchHalf(item.span);
    bindItem(context, item, "primary");
    if (isFocus) yield;
  }
  yield* includeUpTo(Number.POSITIVE_INFINITY);
  switchHalf({ start: Number.POSITIVE_INFINITY, end: Number.POSITIVE_INFINITY });
  if (isFocus && input.dialect.language === "opencl") {
    context.program.facts.spaces.push(...reservedNames(unit, input.dialect.cplusplus));
  }
}

/** Obeys the pragmas in front of an item; one inside of it that switches on counts for all of it. */
function switchesOf({ program, dialect }: Context, { switches = [] }: Unit): (item: Span) => void {
  const isSupported = dialect.language === "opencl" && dialect.features.has("cl_khr_fp16");
  for (const { name, isOn } of switches) if (isOn) program.facts.enabledExtensions.push(name);
  const own = switches.filter(({ name }) => name === "cl_khr_fp16" || name === "all");
  let next = 0;
  return ({ start, end }) => {
    for (let each = own[next]; each !== undefined && (each.at <= start || (each.at < end && each.isOn)); each = own[next]) {
      next += 1;
      program.state.isHalfEnabled = each.isOn && isSupported;
    }
  };
}

function startOf(item: Item): number {
  return item.span.start;
}

function builtinUnit(text: string): Unit {
  const view: View = {
    text,
    segments: [{ start: 0, uri: "builtin:functions", offset: 0, length: text.length }],
    origin: (span) => ({ location: { uri: "builtin:functions", span }, exact: false }),
    offsetOf: () => undefined,
  };
  return { uri: "builtin:functions", view, includes: [], notes: [] };
}
