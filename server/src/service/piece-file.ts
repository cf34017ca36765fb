/**
 * A file that is read piece by piece, with its open headers. The results for a piece are kept while nothing that the piece can see has
 * changed. After an edit of a body, one piece is read and judged in the old semantic model. After any other edit there is a new model;
 * the pieces whose meaning may have changed are judged in it first, and the others after them.
 */
import { createBudget, onBudget } from "../budget.ts";
import { isWrittenFor } from "../diagnostics/merge.ts";
import { runRules } from "../diagnostics/report.ts";
import { type CompileSettings, type Dialect, isStandardConfigured } from "../dialect.ts";
import type { Finding } from "../finding.ts";
import { greatest } from "../lists.ts";
import type { ListUnits, ReadPiece, Row } from "../preprocess/preprocessor.ts";
import { fileOf } from "../preprocess/row.ts";
import type { Unit } from "../preprocess/view/view.ts";
import type { Rule } from "../rules/rule.ts";
import type { Facts } from "../semantics/facts/facts.ts";
import { joined, type SemanticModel } from "../semantics/units/semantic-model.ts";
import { type FileUri, type Locate, textOf, type UnitLocation } from "../source.ts";
import { inOneGo, type Steps } from "../steps.ts";
import type { SyntaxTree } from "../syntax/ast.ts";
import { type TrackedDialect, trackedDialect } from "../tracked-dialect.ts";
import { type CheckedPieces, dropInvalidated, keepFindings, mostAtOnce, type PieceFindings } from "./kept-findings.ts";
import { type CostsOfModels, factsOfFile, factsOfPiece, type PieceCosts, reachOf, stepsOf } from "./piece-costs.ts";
import { type ListSource, type PieceList, readPieces, type Unlisted } from "./piece-list.ts";
import { type DialectModel, newModel, newModels, parseLongPieces, readingIn, sameModels, treesOf } from "./piece-models.ts";

/** The results for an open file, piece by piece. */
export interface PieceFile {
  readonly row: Row;
  readonly settings: CompileSettings;
  /** The file under each dialect; indices are those in its row. */
  readonly readings: readonly DialectPieces[];
  treeOf(reading: ReadPiece): SyntaxTree;
  /**
   * The index of the first piece that the budget of the translation unit does not cover: it and all after it have no findings and no
   * facts. The number of pieces if it covers all.
   */
  readonly end: number;
  /** The findings of a piece; undefined while it has not been checked. */
  findingsOf(index: number): PieceFindings | undefined;
  /** The findings of rules about single items under a dialect, in places of pieces. All pieces must have been judged. */
  findings(at: number): readonly Finding<UnitLocation>[];
  /** The facts of the whole file under a dialect. All pieces must have been judged. Dialects that agree have the same facts. */
  factsOf(at: number): Facts;
  /** Gives a dialect a model of its own, if one of the questions so far has another answer under it. */
  separate(at: number): Steps<void>;
  /** Expressions whose type was needed under the first dialect, and how many of those types were unknown. */
  understanding(): { readonly expressions: number; readonly unknownExpressions: number };
  /** The steps that the pieces leave for the rules about several of them. */
  readonly stepsLeft: number;
  /** Converts a place in a piece to one in its file. */
  readonly locate: Locate;
}

/** An open file under one dialect. */
export interface DialectPieces {
  readonly dialect: Dialect;
  /** Its pieces, as the preprocessor and as the model have them. */
  readonly pieces: readonly ReadPiece[];
  readonly units: readonly Unit[];
  /** The list that the file is a part of. */
  readonly list: ListUnits;
}

/** The inputs of a translation unit that is read by pieces. */
export interface PieceSource extends ListSource {
  /** The rules that judge a file. */
  rulesOf(uri: FileUri): readonly Rule[];
}

interface State extends PieceCosts, CheckedPieces {
  readonly list: PieceList;
  readonly settings: CompileSettings;
  readonly readings: DialectModel[];
  /** The facts of whole files under each dialect, once they were needed. */
  readonly facts: Map<SemanticModel, Map<FileUri, Facts>>;
  /** The rules that have judged each file. */
  readonly rules: Map<FileUri, readonly Rule[]>;
  /** A piece took too many steps in these models, so names may be unknown in them. */
  isSpoilt: boolean;
  separate(at: number): Steps<void>;
  /** A file of the list; undefined if it is not a part of it. */
  file(uri: FileUri): PieceFile | undefined;
}

/** A translation unit whose files are being edited. */
export interface PieceUnit {
  /** Updates the list, and judges the pieces that an edit has touched. */
  update(source: PieceSource): Steps<PieceList | Unlisted>;
  /** Judges all remaining pieces of a file whose findings may have changed; for the complete check, also those whose fixes may have. */
  complete(uri: FileUri, isForCheck: boolean): Steps<void>;
  /** The number of those pieces. */
  left(uri: FileUri): number;
  /** A piece took too many steps since the last complete check, so the others have to be judged in another model. */
  isSpoilt(): boolean;
  /** A file as of the last update; undefined if there is none. */
  file(uri: FileUri): PieceFile | undefined;
  /** The list as of the last update. */
  list(): PieceList | undefined;
}

/** The current state, for results of earlier texts. Units ask it for their position, findings for all facts. */
interface Current {
  treeOf: CheckedPieces["treeOf"] | undefined;
  list: PieceList | undefined;
  state: State | undefined;
}

/** The start of a piece in its file; undefined if the uri does not name a piece. */
function startIn(list: PieceList | undefined, uri: string): number | undefined {
  const row = list?.rows.get(fileOf(uri));
  const index = row?.indices.get(uri);
  return index === undefined ? undefined : row?.starts[index];
}

/** Creates a translation unit without results. It keeps its results until it is dropped. */
export function createPieceUnit(): PieceUnit {
  const current: Current = { list: undefined, state: undefined, treeOf: undefined };
  let given: PieceSource | undefined;
  /** The pieces that must be judged again: for the complete check, also those with fixes of an earlier model. */
  const openPieces = (uri: FileUri, isComplete: boolean): readonly number[] => {
    const { state } = current;
    if (state === undefined) return [];
    const { pieceFindings, stale, list } = state;
    return (list.ofFile.get(uri) ?? []).filter(
      (index) =>
        index < state.reach.end &&
        (pieceFindings[index] === undefined || stale.has(index) || (isComplete && pieceFindings[index]?.isOfEarlierModel)),
    );
  };
  return {
    update: function* (source) {
      const isSame = given !== undefined && isSameSource(given, source, current.state?.rules);
      const old = isSame ? current.state : undefined;
      given = source;
      const list = yield* readPieces(source, old?.list);
      current.state = typeof list === "string" ? undefined : yield* updated(source, list, old, current);
      return list;
    },
    file: (uri) => current.state?.file(uri),
    list: () => current.state?.list,
    isSpoilt: () => current.state?.isSpoilt === true,
    left: (uri) => openPieces(uri, false).length,
    complete: function* (uri, isForCheck) {
      current.state?.rules.set(uri, given?.rulesOf(uri) ?? []);
      // An edit may replace this state between two steps.
      for (;;) {
        let { state } = current;
        if (state?.isSpoilt === true && given !== undefined && isForCheck) state = yield* updated(given, state.list, state, current);
        const open = openPieces(uri, isForCheck);
        if (state === undefined || given === undefined || state.isSpoilt || open.length === 0) return;
        for (const index of open) {
          if (state !== current.state || index >= state.reach.end) break;
          yield* checkPiece(given, state, index, current);
        }
      }
    },
  };
}

function isSameSource(a: PieceSource, b: PieceSource, rules: State["rules"] | undefined): boolean {
  return (
    JSON.stringify(a.settings) === JSON.stringify(b.settings) &&
    a.dialects.length === b.dialects.length &&
    a.dialects.every(({ label }, at) => label === b.dialects[at]?.label) &&
    [...(rules ?? [])].every(([uri, before]) => {
      const now = b.rulesOf(uri);
      return before.length === now.length && before.every((rule, at) => rule === now[at]);
    })
  );
}

function* updated(source: PieceSource, list: PieceList, last: State | undefined, current: Current): Steps<State> {
  const { tools, dialects } = source;
  const { units } = list;
  const old = last?.list.isWhole === list.isWhole ? last : undefined;
  current.treeOf ??= treesOf(tools);
  const { treeOf } = current;
  yield* parseLongPieces(tools, units);
  const kept = old === undefined || old.isSpoilt ? undefined : sameModels(tools, old.readings, units, treeOf);
  const steps = stepsOf(list.rows.values(), units);
  const costs: CostsOfModels = kept === undefined || old === undefined ? new Map() : old.costs;
  const input = { tools, dialects, units, treeOf, steps, costs, startOf: (uri: string) => startIn(current.list, uri) };
  const readings = [...(kept ?? (yield* newModels(input)))];
  current.list = list;
  const files = new Map<FileUri, PieceFile>();
  const state: State = {
    list,
    settings: source.settings,
    readings,
    treeOf,
    // In the same model most findings stay. The old state is not used any more.
    pieceFindings: kept === undefined || old === undefined ? list.pieces.map(() => undefined) : old.pieceFindings,
    stale: kept === undefined || old === undefined ? new Set() : old.stale,
    heads: kept !== undefined && old !== undefined ? old.heads : new Map([...(old?.heads ?? [])].filter(([uri]) => list.indices.has(uri))),
    facts: new Map(),
    rules: old?.rules ?? new Map(),
    steps,
    costs,
    reach: { end: list.pieces.length, left: steps },
    isSpoilt: false,
    separate: function* (at) {
      const reading = readings[at];
      if (reading === undefined || reading.tracked.agreesWith(reading.dialect)) return;
      const { dialect, units } = reading;
      readings[at] = readingIn(readings, tools, dialect, units) ?? (yield* newModel(input, dialect, units));
    },
    file: (uri) => {
      const row = list.rows.get(uri);
      const file = files.get(uri) ?? (row === undefined ? undefined : fileIn(state, row));
      if (file !== undefined) files.set(uri, file);
      return file;
    },
  };
  let unjudged: readonly number[] = [];
  if (old !== undefined && kept !== undefined) {
    unjudged = dropInvalidated(old, state);
  } else if (old !== undefined) {
    keepFindings(old, state);
    unjudged = state.pieceFindings.flatMap((known, index) => (known === undefined ? [index] : []));
  }
  state.reach = reachOf(state, readings, state.pieceFindings);
  // The findings belong to this state from here on, even if the check is abandoned.
  current.state = state;
  const shown = unjudged.filter((index) => state.rules.has(fileOf(list.pieces[index]?.uri ?? "")));
  if (shown.length <= mostAtOnce) for (const index of shown) if (index < state.reach.end) yield* checkPiece(source, state, index, current);
  return state;
}

/** A file of a list. */
function fileIn(state: State, row: Row): PieceFile {
  const { list, readings, pieceFindings, settings, treeOf } = state;
  const own = list.ofFile.get(row.uri) ?? [];
  const covered = () => own.filter((index) => index < state.reach.end);
  const inFile = new Map<DialectModel, DialectPieces>();
  const readingOf = (reading: DialectModel): DialectPieces => {
    const { dialect, units: of, pieces: ofModel } = reading;
    let pieces: readonly ReadPiece[] | undefined;
    let units: readonly Unit[] | undefined;
    const made: DialectPieces = inFile.get(reading) ?? {
      dialect,
      get pieces() {
        pieces ??= own.flatMap((index) => of.pieces[index] ?? []);
        return pieces;
      },
      get units() {
        units ??= own.flatMap((index) => ofModel[index]?.unit ?? []);
        return units;
      },
      list: of,
    };
    inFile.set(reading, made);
    return made;
  };
  return {
    row,
    settings,
    get readings() {
      return readings.map(readingOf);
    },
    treeOf,
    get end() {
      return covered().length;
    },
    findingsOf: (index) => ((own[index] ?? state.reach.end) < state.reach.end ? pieceFindings[own[index] ?? -1] : undefined),
    findings: (at) => covered().flatMap((index) => pieceFindings[index]?.found[at] ?? []),
    factsOf: (at) => {
      const reading = readings[at];
      if (reading === undefined) return joined([]);
      const known = state.facts.get(reading.model) ?? new Map<FileUri, Facts>();
      state.facts.set(reading.model, known);
      const facts = known.get(row.uri) ?? factsOfFile(state, reading, new Set(own));
      known.set(row.uri, facts);
      return facts;
    },
    separate: state.separate,
    understanding: () => understandingOf(readings[0], covered()),
    get stepsLeft() {
      return state.reach.left;
    },
    locate: ({ uri: given, span }) => {
      const start = startIn(list, given);
      const uri = fileOf(given);
      return start === undefined ? { uri, span } : { uri, span: { start: start + span.start, end: start + span.end } };
    },
  };
}

function understandingOf(first: DialectModel | undefined, own: readonly number[]): ReturnType<PieceFile["understanding"]> {
  const made = first === undefined ? [] : own.map((index) => inOneGo(first.model.factsOf(index)));
  return {
    expressions: made.reduce((sum, { expressions }) => sum + expressions, 0),
    unknownExpressions: made.reduce((sum, { unknownExpressions }) => sum + unknownExpressions, 0),
  };
}

/** The names that a piece has looked up in any of its models. */
function lookupsOf(models: ReadonlySet<SemanticModel>, index: number): ReadonlySet<string> {
  const names = new Set<string>();
  for (const model of models)
    for (const lookups of Object.values(model.lookupsOf(index) ?? {})) for (const name of lookups) names.add(name);
  return names;
}

/** The findings of rules about single items for a piece under one dialect, and the rules' questions about the dialect. */
interface CheckedPiece {
  readonly model: SemanticModel;
  readonly tracked: TrackedDialect;
  readonly found: readonly Finding<UnitLocation>[];
  readonly isComplete: boolean;
  /** The steps that its facts and its rules took. */
  readonly cost: number;
}

/** Runs the rules about single items on a piece, under each dialect, but only once for dialects that agree. */
function* checkPiece(source: PieceSource, state: State, index: number, current: Current): Steps<void> {
  const { list, readings, pieceFindings, stale, steps, treeOf } = state;
  if (list.pieces[index] === undefined) return;
  const checked: CheckedPiece[] = [];
  const own = readings.flatMap(({ units }) => units.pieces[index] ?? []);
  /** It has too many tokens for the parser. */
  const isCut = own.some((reading) => treeOf(reading).endsAt !== undefined);
  for (const [at, { dialect }] of isCut ? [] : readings.entries()) {
    yield* state.separate(at);
    const isAlike = ({ model, tracked }: CheckedPiece) => model === readings[at]?.model && tracked.agreesWith(dialect);
    const known = checked.find(isAlike);
    if (known !== undefined) checked.push(known);
    else {
      let own = yield* checkUnder(source, state, index, at, current);
      // The rules may have asked a new question about the dialect.
      for (yield* state.separate(at); own !== undefined && own.model !== readings[at]?.model; yield* state.separate(at))
        own = yield* checkUnder(source, state, index, at, current);
      if (own !== undefined) checked.push(own);
    }
  }
  const isSpent = checked.some(({ cost }) => cost > steps);
  const isTooLong = isSpent || isCut;
  pieceFindings[index] = {
    found: isTooLong ? [] : checked.map(({ found }) => found),
    isComplete: isTooLong ? [] : checked.map(({ isComplete }) => isComplete),
    isBlank: isTooLong || checked.every(({ found, isComplete }) => isComplete && found.length === 0),
    lookups: lookupsOf(new Set(checked.map(({ model }) => model)), index),
    isOfEarlierModel: false,
    cost: [...new Set(checked)].reduce((sum, { cost }) => sum + cost, 0),
    ...(isTooLong ? { tooLong: greatest(own.map(({ unit }) => unit.view.text.length)) } : {}),
  };
  state.isSpoilt ||= isSpent;
  state.reach = reachOf(state, readings, pieceFindings);
  stale.delete(index);
  state.facts.clear();
}

function* checkUnder(
  { tools, rulesOf, settings }: PieceSource,
  state: State,
  index: number,
  at: number,
  current: Current,
): Steps<CheckedPiece | undefined> {
  const { list, readings, steps, costs } = state;
  const piece = list.pieces[index];
  const reading = readings[at];
  if (piece === undefined || reading === undefined) return undefined;
  const uri = fileOf(piece.uri);
  const rules = state.rules.get(uri) ?? rulesOf(uri);
  const file = {
    uri: piece.uri,
    text: piece.text,
    isStandardConfigured: isStandardConfigured(settings),
    readers: () => "none" as const,
    compiledFor: () => "device" as const,
    mayBeEnabledBefore: () => false,
    textOf: (uri: string) => textOf(tools.options.files, fileOf(uri)),
    facts: () => (current.state?.file(uri) ?? state.file(uri))?.factsOf(at) ?? joined([]),
  };
  const { dialect, model } = reading;
  const tracked = trackedDialect(dialect);
  const budget = createBudget(steps);
  const run = (facts: Facts) => onBudget(budget, runRules(rules, facts, tracked.dialect, settings.limits, file, "of items"));
  const { own, instances, hasInstances } = yield* factsOfPiece(budget, costs, reading, index);
  const { left } = budget;
  const found = [...(yield* run(own)), ...(hasInstances ? yield* run(instances) : [])];
  const cost = (costs.get(reading.pieces[index] ?? model) ?? 0) + left - budget.left;
  const isComplete = isWrittenFor(own, dialect);
  return { model, tracked, found, isComplete, cost };
}
