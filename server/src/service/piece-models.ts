/**
 * The semantic models in which the pieces of a file and its open headers are read. All dialects that give the same answers to every question of the
 * pieces share a model. When a part of a piece that others can see has changed, the model is recreated. When only a body has
 * changed, the model is kept with the new body in place.
 */
import { createBudget, onBudget } from "../budget.ts";
import type { Dialect } from "../dialect.ts";
import { memo } from "../memo.ts";
import type { ListUnits, ReadPiece } from "../preprocess/preprocessor.ts";
import { fileOf } from "../preprocess/row.ts";
import { emptyView } from "../preprocess/view/origin.ts";
import type { IncludeSite, Unit } from "../preprocess/view/view.ts";
import type { ModelPiece } from "../semantics/units/entries.ts";
import { meansTheSameAfter } from "../semantics/units/prelude-names.ts";
import { createSemanticModel, type SemanticModel } from "../semantics/units/semantic-model.ts";
import { inOneGo, type Steps } from "../steps.ts";
import type { SyntaxTree } from "../syntax/ast.ts";
import { type TrackedDialect, trackedDialect } from "../tracked-dialect.ts";
import type { Tools } from "./options.ts";

/** A file and its open headers as read under one dialect. */
export interface DialectModel {
  readonly dialect: Dialect;
  readonly units: ListUnits;
  /** The model. Dialects that agree share it. */
  readonly model: SemanticModel;
  /** The questions of the model so far. A dialect with another answer to one of them needs another model. */
  readonly tracked: TrackedDialect;
  /** The model's pieces: a piece keeps its unit while its body is edited. */
  readonly pieces: readonly ModelPiece[];
}

/** The tree of a piece, once it is parsed. */
const parsedOf = memo((_: ReadPiece): { tree: SyntaxTree | undefined } => ({ tree: undefined }));

/** The trees of pieces, each parsed on first use, and kept as long as the piece's reading. */
export function treesOf({ syntax }: Tools): (reading: ReadPiece) => SyntaxTree {
  return (reading) => {
    const parsed = parsedOf(reading);
    parsed.tree ??= inOneGo(syntax.ofPiece(reading.piece.uri, textToParse(reading)));
    return parsed.tree;
  };
}

/** The length in characters from which a piece is parsed in steps, before its tree is needed. */
const parsedInSteps = 16_384;

/** Parses the long pieces, in steps. */
export function* parseLongPieces({ syntax }: Tools, units: readonly ListUnits[]): Steps<void> {
  for (const reading of units.flatMap(({ pieces }) => pieces)) {
    if (reading.unit.view.text.length < parsedInSteps) continue;
    const parsed = parsedOf(reading);
    parsed.tree ??= yield* syntax.ofPiece(reading.piece.uri, textToParse(reading));
  }
}

/**
 * The text of a piece for the parser, which needs complete declarations: a namespace that only opens in the piece is closed at its
 * end.
 */
function textToParse(reading: ReadPiece): string {
  const { text } = reading.unit.view;
  const scope = scopeOf(reading);
  return scope === "opens" ? `${text}}` : scope === "closes" ? "" : text;
}

function scopeOf({ piece, cached }: ReadPiece): ModelPiece["scope"] {
  if (piece.kind === "opens" && cached.depth === 1) return "opens";
  return piece.kind === "closes" && cached.depth === -1 ? "closes" : undefined;
}

/** The inputs of new models. */
export interface ModelsInput {
  readonly tools: Tools;
  readonly dialects: readonly Dialect[];
  /** The pieces as read under each dialect. */
  readonly units: readonly ListUnits[];
  treeOf(reading: ReadPiece): SyntaxTree;
  /** The most steps that a model may take. */
  readonly steps: number;
  /** Receives the number of steps that each model takes. */
  readonly costs: Map<SemanticModel | ModelPiece, number>;
  /** The current start of a piece in its file, after any later edits; undefined if the uri does not name a piece. */
  startOf(uri: string): number | undefined;
}

/** The reading under each dialect, with as few new models as possible at first. */
export function* newModels(input: ModelsInput): Steps<readonly DialectModel[]> {
  const readings: DialectModel[] = [];
  for (const [index, dialect] of input.dialects.entries()) {
    const own = input.units[index];
    if (own !== undefined) readings.push(readingIn(readings, input.tools, dialect, own) ?? (yield* newModel(input, dialect, own)));
  }
  return readings;
}

/**
 * A reading in one of the existing models; undefined if, for each of them, one of its questions has another answer under the
 * dialect.
 */
export function readingIn(
  readings: readonly DialectModel[],
  { syntax }: Tools,
  dialect: Dialect,
  units: ListUnits,
): DialectModel | undefined {
  const alike = readings.find(
    (other) =>
      other.units.pieces.every((piece, at) => piece === units.pieces[at]) &&
      other.tracked.agreesWith(dialect) &&
      meansTheSameAfter(
        other.units.prelude,
        units.prelude,
        units.pieces.map(({ unit }) => unit),
        (unit) => syntax.declarationsOf(unit.uri, unit.view.text),
      ),
  );
  return alike === undefined ? undefined : { ...alike, dialect, units };
}

/** A reading in a model of its own. */
export function* newModel(
  { tools, treeOf, steps, costs, startOf }: Omit<ModelsInput, "dialects" | "units">,
  dialect: Dialect,
  units: ListUnits,
): Steps<DialectModel> {
  const sources = new Map<ModelPiece, ReadPiece>();
  const rows = new Map<string, { readonly units: Unit[]; startOf(uri: string): number | undefined; readonly sites: IncludeSite[] }>();
  const rowOf = (uri: string) => {
    const row = rows.get(uri) ?? { units: [], startOf, sites: [] };
    rows.set(uri, row);
    return row;
  };
  /** A header whose pieces follow, for those who look into the headers of a unit. */
  const headerOf = (uri: string): Unit => ({ uri, view: emptyView(uri), includes: rowOf(uri).sites, notes: [] });
  const pieces = units.pieces.map((reading) => {
    const row = rowOf(fileOf(reading.piece.uri));
    const { enters } = reading;
    const includes = reading.unit.includes.map((site) =>
      site.isFollowed === true && enters !== undefined ? { ...site, unit: headerOf(String(enters.uri)) } : site,
    );
    const unit: Unit = { ...reading.unit, includes, row };
    const location = { uri: unit.uri, span: { start: 0, end: 0 } };
    row.units.push(unit);
    row.sites.push({ at: 0, name: "", location, unit });
    const piece: ModelPiece = { unit, scope: scopeOf(reading) };
    sources.set(piece, reading);
    return piece;
  });
  const tracked = trackedDialect(dialect);
  const budget = createBudget(steps);
  const model = yield* onBudget(
    budget,
    createSemanticModel({
      dialect: tracked.dialect,
      prelude: units.prelude,
      pieces,
      syntaxOf: (piece) => {
        const reading = sources.get(piece);
        return reading === undefined ? { items: [], errors: [], unknownWords: [] } : treeOf(reading);
      },
      declarationsOf: (unit) => tools.syntax.declarationsOf(unit.uri, unit.view.text),
      parseText: tools.syntax.builtin,
    }),
  );
  costs.set(model, steps - budget.left);
  return { dialect, units, model, tracked, pieces };
}

/** The old models with the edited bodies, if only bodies have changed. */
export function sameModels(
  tools: Tools,
  old: readonly DialectModel[],
  units: readonly ListUnits[],
  treeOf: (reading: ReadPiece) => SyntaxTree,
): readonly DialectModel[] | undefined {
  const readings: DialectModel[] = [];
  for (const [at, reading] of old.entries()) {
    const now = units[at];
    if (now === undefined || now.prelude !== reading.units.prelude || now.pieces.length !== reading.units.pieces.length) return undefined;
    const first = readings.find(({ model }) => model === reading.model);
    const edited: number[] = [];
    now.pieces.forEach((piece, index) => {
      if (piece !== reading.units.pieces[index]) edited.push(index);
    });
    if (first === undefined ? !replaceBodies(reading, now, edited, treeOf) : !isStillAlike(tools, first.units, now, edited))
      return undefined;
    readings.push({ ...reading, units: now });
  }
  return readings;
}

/** Replaces the edited bodies in the model; false if more than bodies has changed. */
function replaceBodies(
  { units, model }: DialectModel,
  now: ListUnits,
  edited: readonly number[],
  treeOf: (reading: ReadPiece) => SyntaxTree,
): boolean {
  return edited.every((index) => {
    const before = units.pieces[index];
    const piece = now.pieces[index];
    if (before === undefined || piece === undefined) return false;
    if (before.piece.uri !== piece.piece.uri || scopeOf(piece) !== scopeOf(before)) return false;
    // Other dialects that read the same text in the same way are not changed.
    return before.unit === piece.unit || model.replaceBody(index, piece.unit, treeOf(piece));
  });
}

/** True if a dialect reads the edited pieces in the same way as the dialect with which it shares a model. */
function isStillAlike({ syntax }: Tools, first: ListUnits, now: ListUnits, edited: readonly number[]): boolean {
  const pieces = edited.map((index) => now.pieces[index]);
  return (
    edited.every((index, at) => first.pieces[index] === pieces[at]) &&
    meansTheSameAfter(
      first.prelude,
      now.prelude,
      pieces.flatMap((piece) => (piece === undefined ? [] : [piece.unit])),
      (unit) => syntax.declarationsOf(unit.uri, unit.view.text),
    )
  );
}
