/**
 * A file that is read piece by piece. The results for a piece are kept while nothing that the piece can see has changed. After an
 * edit of a body, one piece is read and judged in the old world of names. After any other edit there is a new world; the pieces
 * whose meaning may have changed are judged in it first, and the others after them.
 */
import { type AskedDialect, askedDialect } from "../asked-dialect.ts";
import { type Budget, onBudget } from "../budget.ts";
import { runRules } from "../diagnostics/report.ts";
import { type CompileSettings, type Dialect, isStandardConfigured } from "../dialect.ts";
import type { Finding } from "../finding.ts";
import type { PieceReading, Row, RowUnits } from "../preprocess/preprocessor.ts";
import { fileOf } from "../preprocess/row.ts";
import type { Rule } from "../rules/rule.ts";
import { prelude } from "../semantics/builtins/index.ts";
import type { Facts } from "../semantics/facts/facts.ts";
import { joined, type World } from "../semantics/units/world.ts";
import type { Locate, UnitLocation } from "../source.ts";
import { inOneGo, type Steps } from "../steps.ts";
import type { SyntaxTree } from "../syntax/ast.ts";
import { dropTouched, type Judgement, keepJudgements, mostAtOnce } from "./kept-judgements.ts";
import type { Tools } from "./options.ts";
import { budgetOf, type CostsOfWorlds, factsOfFile, factsOfPiece, type PieceCosts } from "./piece-costs.ts";
import { type DialectReading, newWorld, newWorlds, readingIn, sameWorlds, treesOf } from "./piece-worlds.ts";
import { textOf } from "./read-file.ts";

/** The results for an open file, piece by piece. */
export interface PieceFile {
  readonly row: Row;
  readonly settings: CompileSettings;
  readonly readings: readonly DialectReading[];
  treeOf(reading: PieceReading): SyntaxTree;
  /** The judgement of a piece; undefined while it has none. */
  judgementOf(index: number): Judgement | undefined;
  /** The findings of rules about single items under a dialect, in places of pieces. All pieces must have been judged. */
  findings(at: number): readonly Finding<UnitLocation>[];
  /** The facts of the whole file under a dialect. All pieces must have been judged. Dialects that agree have the same facts. */
  factsOf(at: number): Facts;
  /** Gives a dialect a world of its own, if one of the questions so far has another answer under it. */
  separate(at: number): Steps<void>;
  /** Expressions whose type was needed under the first dialect, and how many of those types were unknown. */
  readonly understanding: { readonly expressions: number; readonly unknownExpressions: number };
  /**
   * The part of the file's budget that the pieces have left, whenever they were judged. If it is negative, the file is read as a
   * whole, which finds the place where the budget ends, and the same place after any edits.
   */
  readonly budget: Budget;
  readonly isTooComplex: boolean;
  /** Converts a place in a piece to one in the file. */
  readonly locate: Locate;
}

/** The inputs of a piece file. */
export interface PieceSource {
  readonly tools: Tools;
  readonly uri: string;
  readonly settings: CompileSettings;
  readonly dialects: readonly Dialect[];
  /** The rules that judge single pieces. */
  readonly rules: readonly Rule[];
}

interface State extends PieceFile, PieceCosts {
  readonly readings: DialectReading[];
  readonly judgements: (Judgement | undefined)[];
  readonly stale: Set<number>;
  /** The facts of the whole file under each dialect, once they were needed. */
  readonly facts: Map<World, Facts>;
}

/** An open file that is being edited. */
export interface PieceFileHolder {
  /** Updates the file, and judges the pieces that an edit has touched; a word if it cannot be read by pieces. */
  update(source: PieceSource): Steps<PieceFile | "absent" | "unread" | "too-large" | "overdrawn">;
  /** Judges all remaining pieces whose findings may have changed. */
  complete(): Steps<void>;
  /** The number of those pieces. */
  left(): number;
  /** The file as of the last update; undefined if there is none. */
  current(): PieceFile | undefined;
}

/** The current state of the file, for results of earlier texts. Units ask it for their position, findings for all facts. */
interface Current {
  treeOf: PieceFile["treeOf"] | undefined;
  row: Row | undefined;
  state: State | undefined;
}

/** The length in characters from which a piece's body is walked in steps, by the check of the whole file. */
const longestPiece = 65_536;
/** The limit on pieces. A file with more is generated, and each piece requires a pass over all others. */
const mostPieces = 10_000;

/** The start of a piece in its file; undefined if the uri does not name a piece. */
function startIn(row: Row | undefined, uri: string): number | undefined {
  const index = row?.indices.get(uri);
  return index === undefined ? undefined : row?.starts[index];
}

/** Creates a holder without results. It keeps its results until it is dropped. */
export function createPieceFile(): PieceFileHolder {
  const current: Current = { row: undefined, state: undefined, treeOf: undefined };
  let given: PieceSource | undefined;
  /** Each row is derived from the last one, so that pieces keep their names. */
  let last: Row | undefined;
  const rowOf = ({ tools, uri, dialects: [first] }: PieceSource): Row | "absent" | "unread" | "too-large" => {
    const row = first === undefined ? "absent" : tools.preprocessor.row(uri, first, last);
    last = typeof row === "string" ? undefined : row;
    const isTooLarge =
      last !== undefined && (last.pieces.length > mostPieces || last.pieces.some(({ text }) => text.length > longestPiece));
    return isTooLarge ? "too-large" : row;
  };
  const left = (): number => {
    const { state } = current;
    if (state === undefined) return 0;
    const { judgements, stale } = state;
    return judgements.reduce((count, judgement, index) => (judgement === undefined || stale.has(index) ? count + 1 : count), 0);
  };
  return {
    update: function* (source) {
      const isSame = given !== undefined && isSameSource(given, source);
      given = source;
      const row = rowOf(source);
      const next = typeof row === "string" ? row : yield* updated(source, row, isSame ? current.state : undefined, current);
      current.state = typeof next === "string" ? undefined : next;
      return next;
    },
    current: () => current.state,
    left,
    complete: function* () {
      if (left() === 0) return;
      // An edit may replace this state between two steps.
      for (let index = 0; ; index += 1) {
        const { state } = current;
        const piece = state?.row.pieces[index];
        if (state === undefined || given === undefined || piece === undefined) return;
        if (state.stale.has(index) || state.judgements[index] === undefined) yield* judge(given, state, index, current);
      }
    },
  };
}

function isSameSource(a: PieceSource, b: PieceSource): boolean {
  return (
    JSON.stringify(a.settings) === JSON.stringify(b.settings) &&
    a.dialects.length === b.dialects.length &&
    a.dialects.every(({ label }, at) => label === b.dialects[at]?.label) &&
    a.rules.length === b.rules.length &&
    a.rules.every((rule, at) => rule === b.rules[at])
  );
}

function* updated(source: PieceSource, cut: Row, old: State | undefined, current: Current): Steps<State | "overdrawn"> {
  const { tools, uri, dialects } = source;
  const [first] = dialects;
  let row = cut;
  let units = yield* readUnits(source, row, old);
  // Reading such a file as one piece here would repeat the work of the check that reads it as a whole.
  if (units.some(({ isOverdrawn }) => isOverdrawn)) return "overdrawn";
  if (first !== undefined && units.some(({ isMiscut }) => isMiscut)) {
    row = tools.preprocessor.wholeRow(row, first);
    units = yield* readUnits(source, row, undefined);
  }
  current.treeOf ??= treesOf(tools);
  const { treeOf } = current;
  const kept = old === undefined ? undefined : sameWorlds(tools, old.readings, units, treeOf);
  const budget = budgetOf(row, units);
  const costs: CostsOfWorlds = kept === undefined || old === undefined ? new Map() : old.costs;
  const input = { tools, dialects, units, treeOf, budget, costs, startOf: (uri: string) => startIn(current.row, uri) };
  const readings = [...(kept ?? (yield* newWorlds(input)))];
  current.row = row;
  const state: State = {
    row,
    settings: source.settings,
    readings,
    treeOf,
    // In the same world most judgements stay. The old state is not used any more.
    judgements: kept === undefined || old === undefined ? row.pieces.map(() => undefined) : old.judgements,
    stale: kept === undefined || old === undefined ? new Set() : old.stale,
    judgementOf: (index) => state.judgements[index],
    facts: new Map(),
    budget,
    costs,
    spentOnFacts: 0,
    get isTooComplex() {
      return budget.left < 0;
    },
    findings: (at) => state.judgements.flatMap((judgement) => judgement?.found[at] ?? []),
    factsOf: (at) => {
      const reading = readings[at];
      if (reading === undefined) return joined([]);
      const facts = state.facts.get(reading.world) ?? factsOfFile(state, reading);
      state.facts.set(reading.world, facts);
      return facts;
    },
    separate: function* (at) {
      const reading = readings[at];
      if (reading === undefined || reading.asked.agreesWith(reading.dialect)) return;
      const { dialect, units } = reading;
      readings[at] = readingIn(readings, tools, dialect, units) ?? (yield* newWorld(input, dialect, units));
    },
    get understanding() {
      return understandingOf(state);
    },
    locate: ({ uri: given, span }) => {
      const start = startIn(row, given);
      if (start === undefined) return { uri: fileOf(given), span };
      return { uri, span: { start: start + span.start, end: start + span.end } };
    },
  };
  let unjudged: readonly number[] = [];
  if (old !== undefined && kept !== undefined) {
    for (const cost of costs.values()) budget.left -= cost;
    unjudged = dropTouched(old, state);
  } else if (old !== undefined) {
    if (old.row.isWhole === row.isWhole) keepJudgements(old, state);
    unjudged = state.judgements.flatMap((judgement, index) => (judgement === undefined ? [index] : []));
  }
  chargeForJudgements(state);
  // The judgements belong to this state from here on, even if the check is abandoned.
  current.state = state;
  if (unjudged.length <= mostAtOnce) for (const index of unjudged) yield* judge(source, state, index, current);
  return state;
}

/** Charges the budget for the judgements that were kept. */
function chargeForJudgements({ judgements, budget }: State): void {
  for (const judgement of judgements) budget.left -= judgement?.cost ?? 0;
}

function* readUnits({ tools, settings, dialects }: PieceSource, row: Row, old: State | undefined): Steps<readonly RowUnits[]> {
  const units: RowUnits[] = [];
  for (const [index, dialect] of dialects.entries()) {
    units.push(yield* tools.preprocessor.readRow(row, dialect, settings, prelude(dialect), old?.readings[index]?.units));
    yield;
  }
  return units;
}

function understandingOf({ readings: [first] }: State): PieceFile["understanding"] {
  const made = first?.pieces.map((_, index) => inOneGo(first.world.factsOf(index))) ?? [];
  return {
    expressions: made.reduce((sum, { expressions }) => sum + expressions, 0),
    unknownExpressions: made.reduce((sum, { unknownExpressions }) => sum + unknownExpressions, 0),
  };
}

/** The findings of rules about single items for a piece under one dialect, and the rules' questions about the dialect. */
interface JudgedPiece {
  readonly world: World;
  readonly asked: AskedDialect;
  readonly found: readonly Finding<UnitLocation>[];
  readonly isComplete: boolean;
  /** The steps that its rules took. */
  readonly cost: number;
}

/** Runs the rules about single items on a piece, under each dialect, but only once for dialects that agree. */
function* judge(source: PieceSource, state: State, index: number, current: Current): Steps<void> {
  const { row, readings, judgements, stale, budget } = state;
  const piece = row.pieces[index];
  if (piece === undefined) return;
  budget.left += judgements[index]?.cost ?? 0;
  const judged: JudgedPiece[] = [];
  for (const [at, { dialect }] of readings.entries()) {
    yield* state.separate(at);
    const isAlike = ({ world, asked }: JudgedPiece) => world === readings[at]?.world && asked.agreesWith(dialect);
    const known = judged.find(isAlike);
    if (known !== undefined) judged.push(known);
    else {
      let own = yield* judgeUnder(source, state, index, at, current);
      // The rules may have asked a new question about the dialect.
      for (yield* state.separate(at); own !== undefined && own.world !== readings[at]?.world; yield* state.separate(at))
        own = yield* judgeUnder(source, state, index, at, current);
      if (own !== undefined) judged.push(own);
    }
  }
  judgements[index] = {
    found: judged.map(({ found }) => found),
    isComplete: judged.map(({ isComplete }) => isComplete),
    isBlank: judged.every(({ found, isComplete }) => isComplete && found.length === 0),
    cost: [...new Set(judged)].reduce((sum, { cost }) => sum + cost, 0),
  };
  stale.delete(index);
  state.facts.clear();
}

function* judgeUnder(
  { tools, rules, settings }: PieceSource,
  state: State,
  index: number,
  at: number,
  current: Current,
): Steps<JudgedPiece | undefined> {
  const { row, readings, budget } = state;
  const piece = row.pieces[index];
  const reading = readings[at];
  if (piece === undefined || reading === undefined) return undefined;
  const file = {
    uri: piece.uri,
    text: piece.text,
    isStandardConfigured: isStandardConfigured(settings),
    isIncluded: () => false,
    textOf: (uri: string) => textOf(tools.options.files, fileOf(uri)),
    facts: () => (current.state ?? state).factsOf(at),
  };
  const { dialect, world } = reading;
  const asked = askedDialect(dialect);
  const run = (facts: Facts) => onBudget(budget, runRules(rules, facts, asked.dialect, settings.limits, file));
  const { own, instances, hasInstances } = yield* factsOfPiece(state, reading, index);
  const before = budget.left + state.spentOnFacts;
  const found = [...(yield* run(own)), ...(hasInstances ? yield* run(instances) : [])];
  const cost = before - budget.left - state.spentOnFacts;
  const isComplete = own.features.length === 0 && !own.spaces.some(({ kind }) => kind === "unsupported-generic");
  return { world, asked, found, isComplete, cost };
}
