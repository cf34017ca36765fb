/**
 * A file that is read piece by piece: what is known of a piece is kept while nothing that it can see has changed. An edit of a body
 * reads and judges one piece in the old world of names; an edit of anything else makes a new world, in which the pieces that may mean
 * something else now are judged first, and the others after them.
 */
import { createBudget, drawing, stepsForRules } from "../budget.ts";
import { runRules } from "../diagnostics/report.ts";
import { type CompileSettings, type Dialect, isStandardSaid } from "../dialect.ts";
import type { Finding } from "../finding.ts";
import type { PieceReading, Row, RowUnits } from "../preprocess/preprocessor.ts";
import type { Rule } from "../rules/rule.ts";
import { prelude } from "../semantics/builtins/index.ts";
import { createWorld, type World, type WorldPiece } from "../semantics/units/world.ts";
import type { Location } from "../source.ts";
import type { Steps } from "../steps.ts";
import type { SyntaxTree } from "../syntax/ast.ts";
import type { Tools } from "./options.ts";
import { type NamesOfPiece, namesOfPiece, touchedBy } from "./touched-pieces.ts";

/** A file as one dialect reads it. */
export interface DialectReading {
  readonly dialect: Dialect;
  readonly units: RowUnits;
  readonly world: World;
  /** The pieces as the world has them: a piece keeps its unit while its body is edited. */
  readonly pieces: readonly WorldPiece[];
}

/** What the rules of single items say of a piece under each dialect. */
export interface Judgement {
  readonly found: readonly (readonly Finding[])[];
  /** For each dialect: the piece uses nothing that the dialect lacks. */
  readonly isComplete: readonly boolean[];
}

/** What is kept of an open file, piece by piece. */
export interface PieceFile {
  readonly row: Row;
  readonly settings: CompileSettings;
  readonly readings: readonly DialectReading[];
  treeOf(reading: PieceReading): SyntaxTree;
  /** The judgement of a piece; undefined while it has none. */
  judgementOf(index: number): Judgement | undefined;
  /** A place in a piece as one in the file. */
  locate(location: Location): Location;
}

/** What a piece file is made from. */
export interface PieceSource {
  readonly tools: Tools;
  readonly uri: string;
  readonly settings: CompileSettings;
  readonly dialects: readonly Dialect[];
  /** The rules that are run over single pieces. */
  readonly rules: readonly Rule[];
}

interface State extends PieceFile {
  readonly judgements: Map<string, Judgement>;
  readonly stale: Set<string>;
}

/** An open file that is edited. */
export interface PieceFileHolder {
  /** The row of the text as it is; undefined where there is none. */
  rowOf(source: PieceSource): Row | undefined;
  /** Brings the file up to date, and judges the pieces that an edit has touched; undefined where there is no text. */
  update(source: PieceSource): Steps<PieceFile | "absent" | "unread" | "too-large">;
  /** Judges all other pieces that may say something else now. */
  complete(): Steps<void>;
  /** How many those are. */
  left(): number;
}

/** Nothing is known at first; what is learnt stays until the holder is dropped. */
export function createPieceFile(): PieceFileHolder {
  let state: State | undefined;
  let given: PieceSource | undefined;
  /** Each row grows out of the last one, so that pieces keep their names. */
  let last: Row | undefined;
  const rowOf = ({ tools, uri, dialects: [first] }: PieceSource): Row | "absent" | "unread" | "too-large" => {
    const row = first === undefined ? "absent" : tools.preprocessor.row(uri, first, last);
    last = typeof row === "string" ? undefined : row;
    return row;
  };
  return {
    rowOf: (source) => {
      const row = rowOf(source);
      return typeof row === "string" ? undefined : row;
    },
    update: function* (source) {
      const isSame = given !== undefined && isSameSource(given, source);
      given = source;
      const row = rowOf(source);
      const next = typeof row === "string" ? row : yield* updated(source, row, isSame ? state : undefined);
      if (typeof next === "string") {
        state = undefined;
        return next;
      }
      state = next;
      return next;
    },
    left: () => state?.row.pieces.filter(({ uri }) => state?.stale.has(uri) !== false || !state.judgements.has(uri)).length ?? 0,
    complete: function* () {
      // An edit may put another state in the place of this one between two steps.
      for (let index = 0; state !== undefined && given !== undefined && index < state.row.pieces.length; index += 1) {
        const { uri } = state.row.pieces[index] ?? { uri: "" };
        if (state.stale.has(uri) || !state.judgements.has(uri)) yield* judge(given, state, index);
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

function* updated(source: PieceSource, cut: Row, old: State | undefined): Steps<State> {
  const { tools, uri, dialects } = source;
  const [first] = dialects;
  let row = cut;
  let units = yield* readUnits(source, row, old);
  if (first !== undefined && units.some(({ isMiscut }) => isMiscut)) {
    row = tools.preprocessor.wholeRow(row, first);
    units = yield* readUnits(source, row, undefined);
  }
  const treeOf = trees(tools);
  const kept = old === undefined ? undefined : sameWorlds(old, units, treeOf);
  const readings = kept ?? (yield* newReadings(source, units, treeOf));
  const indices = new Map(row.pieces.map((piece, index) => [piece.uri, index]));
  const state: State = {
    row,
    settings: source.settings,
    readings,
    treeOf,
    judgements: new Map(),
    stale: new Set(),
    judgementOf: (index) => state.judgements.get(row.pieces[index]?.uri ?? ""),
    locate: (location) => {
      const index = indices.get(location.uri);
      const start = index === undefined ? undefined : row.starts[index];
      if (start === undefined) return location;
      const { span } = location;
      return { uri, span: { start: start + span.start, end: start + span.end } };
    },
  };
  if (old !== undefined && old.row.isWhole === row.isWhole) keepJudgements(old, state, kept !== undefined);
  for (const [index, piece] of row.pieces.entries())
    if (!state.judgements.has(piece.uri) && old !== undefined) yield* judge(source, state, index);
  return state;
}

function* readUnits({ tools, settings, dialects }: PieceSource, row: Row, old: State | undefined): Steps<readonly RowUnits[]> {
  const units: RowUnits[] = [];
  for (const [index, dialect] of dialects.entries()) {
    units.push(yield* tools.preprocessor.readRow(row, dialect, settings, prelude(dialect), old?.readings[index]?.units));
    yield;
  }
  return units;
}

function trees({ syntax }: Tools): (reading: PieceReading) => SyntaxTree {
  const known = new WeakMap<PieceReading, SyntaxTree>();
  return (reading) => {
    const tree = known.get(reading) ?? syntax.of(reading.piece.uri, textToParse(reading));
    known.set(reading, tree);
    return tree;
  };
}

/** The parser gets whole declarations: a namespace that only opens here is closed for it. */
function textToParse(reading: PieceReading): string {
  const { text } = reading.unit.view;
  const scope = scopeOf(reading);
  return scope === "opens" ? `${text}}` : scope === "closes" ? "" : text;
}

function scopeOf({ piece, made }: PieceReading): WorldPiece["scope"] {
  if (piece.kind === "opens" && made.depth === 1) return "opens";
  return piece.kind === "closes" && made.depth === -1 ? "closes" : undefined;
}

function* newReadings(
  { tools, dialects }: PieceSource,
  units: readonly RowUnits[],
  treeOf: (reading: PieceReading) => SyntaxTree,
): Steps<readonly DialectReading[]> {
  const readings: DialectReading[] = [];
  for (const [index, dialect] of dialects.entries()) {
    const own = units[index];
    if (own === undefined) continue;
    const sources = new Map<WorldPiece, PieceReading>();
    const pieces = own.pieces.map((reading) => {
      const piece: WorldPiece = { unit: { ...reading.unit }, scope: scopeOf(reading) };
      sources.set(piece, reading);
      return piece;
    });
    const world = yield* drawing(
      createBudget(),
      createWorld({
        dialect,
        prelude: own.prelude,
        pieces,
        syntaxOf: (piece) => {
          const reading = sources.get(piece);
          return reading === undefined ? { items: [], errors: [], unknownWords: [] } : treeOf(reading);
        },
        declarationsOf: (unit) => tools.syntax.declarationsOf(unit.uri, unit.view.text),
        parseText: tools.syntax.builtin,
      }),
    );
    readings.push({ dialect, units: own, world, pieces });
  }
  return readings;
}

/** The old worlds, where only bodies have changed; each of those is in its world then. */
function sameWorlds(
  old: State,
  units: readonly RowUnits[],
  treeOf: (reading: PieceReading) => SyntaxTree,
): readonly DialectReading[] | undefined {
  const readings: DialectReading[] = [];
  for (const [at, reading] of old.readings.entries()) {
    const now = units[at];
    if (now === undefined || now.prelude !== reading.units.prelude || now.pieces.length !== reading.units.pieces.length) return undefined;
    for (const [index, piece] of now.pieces.entries()) {
      const before = reading.units.pieces[index];
      if (before === piece) continue;
      // Others that read the same text in the same way are left as they are.
      if (before === undefined || before.piece.uri !== piece.piece.uri || scopeOf(piece) !== scopeOf(before)) return undefined;
      if (before.unit !== piece.unit && !reading.world.replaceBody(index, piece.unit, treeOf(piece))) return undefined;
    }
    readings.push({ ...reading, units: now });
  }
  return readings;
}

/** Carries over what was said of pieces that an edit cannot have touched; in a new world the rest is to be judged again. */
function keepJudgements(old: State, state: State, isSameWorld: boolean): void {
  const [reading] = state.readings;
  const [oldReading] = old.readings;
  if (reading === undefined || oldReading === undefined) return;
  // A macro may change what a piece says whose own text is the same.
  const edited = new Set(
    state.readings.flatMap(({ units }, at) => {
      const before = new Map(old.readings[at]?.units.pieces.map((each) => [each.piece.uri, each]));
      return units.pieces.filter((each) => before.get(each.piece.uri) !== each).map(({ piece }) => piece.uri);
    }),
  );
  const changed = reading.units.pieces.filter(({ piece }) => edited.has(piece.uri));
  const present = new Set(state.row.pieces.map(({ uri }) => uri));
  const names = (each: PieceReading, of: State): NamesOfPiece => namesOfPiece(each, of.treeOf(each));
  const gone = oldReading.units.pieces.filter(({ piece }) => edited.has(piece.uri) || !present.has(piece.uri));
  // In the same world only the bodies of templates are seen by others, which read them again with arguments.
  const seen = [...changed.map((each) => names(each, state)), ...gone.map((each) => names(each, old))].filter(
    ({ isTemplate }) => isTemplate || !isSameWorld,
  );
  const touched =
    seen.length === 0
      ? edited
      : touchedBy(
          reading.units.pieces.map((each) => names(each, state)),
          seen,
        );
  if (isSameWorld && seen.length > 0)
    for (const [index, { piece }] of reading.units.pieces.entries())
      if (touched === "all" || touched.has(piece.uri)) for (const { world } of state.readings) world.forgetFacts(index);
  for (const { piece } of reading.units.pieces) {
    const known = old.judgements.get(piece.uri);
    if (known === undefined || edited.has(piece.uri) || touched === "all" || touched.has(piece.uri)) {
      if (known !== undefined && touched === "all" && !edited.has(piece.uri)) {
        state.judgements.set(piece.uri, known);
        state.stale.add(piece.uri);
      }
      continue;
    }
    state.judgements.set(piece.uri, known);
    if (!isSameWorld || old.stale.has(piece.uri)) state.stale.add(piece.uri);
  }
}

/** Runs the rules of single items over a piece, under each dialect. */
function* judge({ rules, settings }: PieceSource, state: State, index: number): Steps<void> {
  const { row, readings, judgements, stale } = state;
  const piece = row.pieces[index];
  if (piece === undefined) return;
  const found: (readonly Finding[])[] = [];
  const isComplete: boolean[] = [];
  const file = {
    uri: piece.uri,
    text: piece.text,
    isStandardSaid: isStandardSaid(settings),
    isIncluded: () => false,
    textOf: () => piece.text,
  };
  for (const { dialect, world } of readings) {
    const made = yield* drawing(createBudget(), world.factsOf(index));
    const own = yield* drawing(createBudget(stepsForRules), runRules(rules, made.own, dialect, settings.limits, file));
    const ofInstances = made.hasInstances
      ? yield* drawing(createBudget(stepsForRules), runRules(rules, made.instances, dialect, settings.limits, file))
      : [];
    found.push([...own, ...ofInstances]);
    isComplete.push(made.own.features.length === 0 && !made.own.spaces.some(({ kind }) => kind === "unsupported-generic"));
  }
  judgements.set(piece.uri, { found, isComplete });
  stale.delete(piece.uri);
}
