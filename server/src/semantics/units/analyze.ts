/**
 * Analyzes a translation unit in one pass: headers at their includes, then the file itself. The result is the facts. A name is
 * resolved when the pass reaches it, so the order of declarations matters as in a compiler.
 */
import { isSpent } from "../../budget.ts";
import type { Dialect } from "../../dialect.ts";
import { append } from "../../lists.ts";
import type { Unit } from "../../preprocess/view/view.ts";
import { inOneGo, type Steps } from "../../steps.ts";
import type { Item, SyntaxTree } from "../../syntax/ast.ts";
import { evaluator } from "../expressions/evaluator.ts";
import { type Context, emptySink, type FactSink, outermost, type Program } from "../facts/context.ts";
import { countedFacts } from "../facts/counted-facts.ts";
import type { Facts } from "../facts/facts.ts";
import { type ProgramNames, programNames } from "../symbols/program-names.ts";
import { createScope } from "../symbols/scope.ts";
import { walkInstantiatedBodies } from "../templates/instantiated-bodies.ts";
import { unwrittenQualifiers } from "../types/address-spaces.ts";
import type { Place } from "../types/symbols.ts";
import { builtinUnit } from "./builtin-unit.ts";
import { withoutConsequences } from "./consequences.ts";
import { initialSwitches } from "./extension-switches.ts";
import { bindAround, type Front, frontOf, isPauseAt } from "./headers.ts";
import { bindItemInSteps } from "./items-in-steps.ts";
import { reservedNames } from "./reserved-names.ts";

/** The inputs of one file's analysis. */
export interface AnalyzeInput {
  readonly unit: Unit;
  readonly dialect: Dialect;
  /** The uri of the file whose facts are needed: the unit's own, or a header that it includes. */
  readonly focus: string;
  /**
   * Keeps address spaces that are not written open as long as all standards agree about their effects (`address-spaces.ts`). The
   * types in the facts then show the spaces of one standard, so this is for callers that show no types.
   */
  readonly sharesSpaces?: boolean;
  /** The syntax tree of a unit's View; only the declarations for a unit that is not in focus. Called once per unit. */
  syntaxOf(unit: Unit, isFocus: boolean): SyntaxTree;
  /** Parses a text with declarations of the language. */
  parseText(text: string): SyntaxTree;
}

/** The facts of a file, and how much of it was understood. */
export interface Analysis {
  readonly facts: Facts;
  readonly names: ProgramNames;
  readonly expressions: number;
  readonly unknownExpressions: number;
  /** The item in which the budget ran out, if it did. */
  readonly endedAt?: Place;
}

/** The facts of one file under one dialect. Never throws on broken source; unknown parts yield no facts. */
export function analyze(input: AnalyzeInput): Analysis {
  return inOneGo(analyzeInSteps(input));
}

/** Like `analyze`, in steps: one for every few headers, and one for each item of the file in focus. */
export function* analyzeInSteps(input: AnalyzeInput): Steps<Analysis> {
  const facts: FactSink = emptySink();
  const scope = createScope("program", undefined);
  const { dialect } = input;
  const isShared = input.sharesSpaces === true && dialect.language === "opencl" && !dialect.cplusplus;
  const program: Program = {
    dialect,
    unwritten: isShared ? unwrittenQualifiers(() => (dialect.genericAddressSpace ? "generic" : "private")) : undefined,
    facts,
    program: scope,
    evaluator,
    parseBuiltin: (text) => ({ items: input.parseText(text).items, unit: builtinUnit(text) }),
    builtins: new Map(),
    state: initialSwitches(dialect, input.unit.mayEnableHalf === true),
    counts: { expressions: 0, unknown: 0 },
    reading: { isPartial: false, endedAt: undefined },
    instantiations: { depth: 0, count: 0, bodies: [], classes: [] },
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
  yield* walkInstantiatedBodies(program, facts, () => [facts]);
  // A function that headers declare too occurs once for each of them.
  const met: Facts = { ...facts, functions: [...new Set(facts.functions)] };
  const reported: Facts = input.dialect.language === "opencl" ? { ...met, ...withoutConsequences(met, input.dialect) } : met;
  return {
    facts: countedFacts((kind) => reported[kind]),
    names: programNames(scope),
    expressions: program.counts.expressions,
    unknownExpressions: program.counts.unknown,
    ...(program.reading.endedAt === undefined ? {} : { endedAt: program.reading.endedAt }),
  };
}

/** Binds a unit's items, and its headers at their places. Adds it to `bound`. */
function* bindUnit(outer: Context, input: AnalyzeInput, unit: Unit, bound: Set<Unit>): Steps<void> {
  bound.add(unit);
  const isFocus = unit.uri === input.focus || (input.focus !== input.unit.uri && unit.view.segments.areIn(input.focus));
  const context: Context = { ...outer, unit, isEmitting: isFocus, isBuiltin: unit.uri.startsWith("builtin:") };
  const front = frontOf(context, bound, (header) => bindUnit(context, input, header, bound));
  const { items, errors, unknownWords, endsAt } = input.syntaxOf(unit, isFocus);
  if (isFocus || isPauseAt(unit, bound)) yield;
  if (isFocus)
    append(
      context.program.facts.unread,
      [...errors, ...unknownWords].map((span) => ({ unit, span })),
    );
  const last = yield* isFocus ? bindFocus(context, front, items) : bindAround(context, front, items);
  if (last !== undefined) return giveUp(context, { unit, span: last.span });
  if (endsAt !== undefined) giveUp(context, { unit, span: { start: endsAt, end: endsAt + 1 } });
  if (front.nextOffset() < Number.POSITIVE_INFINITY) yield* front.toEnd();
  if (isFocus && input.dialect.language === "opencl") {
    append(context.program.facts.spaces, reservedNames(unit, input.dialect.cplusplus));
  }
}

/** Binds the items of a file in focus. If the budget runs out, it stops and returns the item at which that happened. */
function* bindFocus(context: Context, front: Front, items: readonly Item[]): Steps<Item | undefined> {
  for (const item of items) {
    if (front.nextOffset() <= item.span.end) yield* front.upTo(item.span);
    yield* bindItemInSteps(context, item);
    if (isSpent()) return item;
    yield;
  }
  return undefined;
}

/** Marks the rest of the file as unknown from here on. */
function giveUp({ program }: Context, place: Place): void {
  program.reading.isPartial = true;
  program.reading.endedAt ??= place;
}
