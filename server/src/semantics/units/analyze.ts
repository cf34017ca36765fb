/**
 * Analyzes a translation unit in one pass: headers at their includes, then the source itself. The result is the facts of the files in
 * focus, each for itself. A name is resolved when the pass reaches it, so the order of declarations matters as in a compiler.
 */
import { createBudget, isSpent, onBudget, stepsForRules, stepsLeft } from "../../budget.ts";
import type { Dialect } from "../../dialect.ts";
import { append } from "../../lists.ts";
import type { Unit } from "../../preprocess/view/view.ts";
import type { ViewSpan } from "../../source.ts";
import { inOneGo, type Steps } from "../../steps.ts";
import type { FunctionItem, Item, SyntaxTree } from "../../syntax/ast.ts";
import { type Context, outermost, type Program } from "../facts/context.ts";
import { countedFacts } from "../facts/counted-facts.ts";
import type { Facts } from "../facts/facts.ts";
import { recordLookups } from "../symbols/clock.ts";
import { type ProgramNames, programNames } from "../symbols/program-names.ts";
import { walkInstantiatedBodies } from "../templates/instantiated-bodies.ts";
import { markIgnoredLambdas } from "../templates/lambda-uses.ts";
import { implicitSpaceQualifiers } from "../types/address-spaces.ts";
import type { FunctionDeclaration, Place } from "../types/symbols.ts";
import { withoutConsequences } from "./consequences.ts";
import { declaredFunctions, type FileInFocus, filesInFocus } from "./files-in-focus.ts";
import { bindAround, type IncludeCursor, includeCursorOf, isPauseAt } from "./headers.ts";
import { bindItemInSteps } from "./items-in-steps.ts";
import { newProgram } from "./new-program.ts";
import { type Reached, reachedBodies } from "./reached-bodies.ts";
import { reservedNames } from "./reserved-names.ts";

/** The inputs of an analysis. */
interface UnitInput {
  readonly unit: Unit;
  readonly dialect: Dialect;
  /**
   * Keeps address spaces that are not written open as long as all standards agree about their effects (`address-spaces.ts`). The
   * types in the facts then show the spaces of one standard, so this is for callers that show no types.
   */
  readonly sharesSpaces?: boolean;
  /** The syntax tree of a unit's View; only the declarations for a unit that is not in focus. Called once per unit. */
  syntaxOf(unit: Unit, isFocus: boolean): SyntaxTree;
  /** Parses a text with declarations of the language. */
  parseText(text: string): SyntaxTree;
  /** Reads a body in another file, if those that the file instantiates are needed. */
  bodyAt?(view: Unit["view"], span: ViewSpan): FunctionItem["body"];
}

/** The inputs of one file's analysis. */
export interface AnalyzeInput extends UnitInput {
  /** The uri of the file whose facts are needed: the unit's own, or a header that it includes. */
  readonly focus: string;
}

/** The inputs of the analysis of several files of one translation unit. */
export interface AnalyzeFilesInput extends UnitInput {
  readonly focus: readonly string[];
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
export function* analyzeInSteps(input: AnalyzeInput): Steps<FileAnalysis> {
  const analyses = yield* analyzeFilesInSteps({ ...input, focus: [input.focus] });
  return analyses.get(input.focus) as FileAnalysis;
}

/** The analysis of one of several files. */
export interface FileAnalysis extends Analysis {
  /** The steps that its own text took. */
  readonly steps: number;
  /** What the file instantiates in others; absent if that decides nothing. */
  readonly reached?: Reached;
}

/** The facts of several files of a translation unit, each as if it alone were in focus, except that each name is bound once for all. */
export function* analyzeFilesInSteps(input: AnalyzeFilesInput): Steps<ReadonlyMap<string, FileAnalysis>> {
  const { dialect, unit } = input;
  const isShared = input.sharesSpaces === true && dialect.language === "opencl" && !dialect.cplusplus;
  const implicitSpace = isShared ? implicitSpaceQualifiers(() => (dialect.genericAddressSpace ? "generic" : "private")) : undefined;
  const program: Program = { ...newProgram(input), implicitSpace };
  const { facts: shared, program: scope } = program;
  const base: Context = { program, dialect, unit, scope, isEmitting: false, isBuiltin: false, ...outermost };
  const files = filesInFocus(program, input.focus);
  yield* bindUnit({ base, input, bound: new Set(), fileOf: files.of }, unit);
  const analyses = new Map<string, FileAnalysis>();
  for (const file of files.all) {
    const before = stepsLeft();
    const { program: own } = file;
    yield* inFocus(
      file,
      walkInstantiatedBodies(own, own.facts, () => [own.facts]),
    );
    if (dialect.language === "cuda") markIgnoredLambdas(own.facts.calls);
    // A function that headers declare too occurs once for each of them.
    const met: Facts = { ...own.facts, functions: declaredFunctions(shared.functions, file, files) };
    const reported: Facts = dialect.language === "opencl" ? { ...met, ...withoutConsequences(met, dialect) } : met;
    analyses.set(file.uri, {
      facts: countedFacts((kind) => reported[kind]),
      expressions: own.counts.expressions,
      unknownExpressions: own.counts.unknown,
      names: programNames(scope),
      ...(program.reading.endedAt === undefined ? {} : { endedAt: program.reading.endedAt }),
      steps: file.steps + before - stepsLeft(),
      ...(yield* reachedFrom(input, file)),
    });
  }
  return analyses;
}

/** What a file instantiates in others. That has a budget of its own, so that the facts of the file do not depend on it. */
function* reachedFrom({ bodyAt, dialect }: UnitInput, { program, uri }: FileInFocus): Steps<Pick<FileAnalysis, "reached">> {
  if (bodyAt === undefined) return {};
  const isOutside = ({ place: { unit } }: FunctionDeclaration) => unit.uri !== uri && !unit.uri.startsWith("builtin:");
  const bodyOf = ({ place: { unit, span } }: FunctionDeclaration) => bodyAt(unit.view, span);
  const reached = yield* onBudget(createBudget(stepsForRules), reachedBodies(program, bodyOf, isOutside));
  if (reached === undefined) return {};
  const { facts } = reached;
  return { reached: dialect.language === "opencl" ? { ...reached, facts: { ...facts, ...withoutConsequences(facts, dialect) } } : reached };
}

/** The walk over a translation unit. */
interface Walk {
  /** The context outside of every file in focus. */
  readonly base: Context;
  readonly input: AnalyzeFilesInput;
  readonly bound: Set<Unit>;
  fileOf(unit: Unit): FileInFocus | undefined;
}

/** Binds a unit's items, and its headers at their places. Adds it to `bound`. */
function* bindUnit(walk: Walk, unit: Unit): Steps<void> {
  const { base, input, bound } = walk;
  bound.add(unit);
  const file = walk.fileOf(unit);
  const isFocus = file !== undefined;
  const context: Context = {
    ...base,
    program: file?.program ?? base.program,
    unit,
    isEmitting: isFocus,
    isBuiltin: unit.uri.startsWith("builtin:"),
  };
  const cursor = includeCursorOf(context, bound, (header) => bindUnit(walk, header));
  const { items, errors, unknownWords, endsAt } = input.syntaxOf(unit, isFocus);
  if (isFocus || isPauseAt(unit, bound)) yield;
  if (isFocus)
    append(
      context.program.facts.unread,
      [...errors, ...unknownWords].map((span) => ({ unit, span })),
    );
  const last = yield* file !== undefined ? bindFocus(context, file, cursor, items) : bindAround(context, cursor, items);
  if (last !== undefined) return giveUp(context, { unit, span: last.span });
  if (endsAt !== undefined) giveUp(context, { unit, span: { start: endsAt, end: endsAt + 1 } });
  if (cursor.nextOffset() < Number.POSITIVE_INFINITY) yield* cursor.toEnd();
  if (isFocus && input.dialect.language === "opencl") {
    append(context.program.facts.spaces, reservedNames(unit, input.dialect.cplusplus));
  }
}

/** Binds the items of a file in focus. If the budget runs out, it stops and returns the item at which that happened. */
function* bindFocus(context: Context, file: FileInFocus, cursor: IncludeCursor, items: readonly Item[]): Steps<Item | undefined> {
  for (const item of items) {
    if (cursor.nextOffset() <= item.span.end) yield* cursor.upTo(item.span);
    const before = stepsLeft();
    yield* inFocus(file, bindItemInSteps(context, item));
    file.steps += before - stepsLeft();
    if (isSpent()) return item;
    yield;
  }
  file.declaredBefore = context.program.facts.functions.length;
  return undefined;
}

/** Does a part of the work on a file, and notes the names that it looks up. */
function* inFocus({ lookups, program }: FileInFocus, steps: Steps<void>): Steps<void> {
  if (lookups === undefined) return yield* steps;
  for (;;) {
    if (recordLookups(program.program.clock, lookups, () => steps.next()).done === true) return;
    yield;
  }
}

/** Marks the rest of the file as unknown from here on. */
function giveUp({ program }: Context, place: Place): void {
  program.reading.isPartial = true;
  program.reading.endedAt ??= place;
}
