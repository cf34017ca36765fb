/**
 * Creates the Units of files, and keeps them. A Unit is reused wherever all the macros that it consulted have the same meaning. So
 * dialects that a file does not distinguish share one Unit, and a header is read once for all of its includers.
 * Code whose build is unknown is read with three deviations from the standard. An include whose computed path cannot be resolved is
 * looked up by its trailing file name. In OpenCL a group `#ifdef X` that contains only includes and definitions, where X is defined
 * nowhere in the workspace, is active (`branches.ts`). An unknown name in capitals in place of a qualifier has the meaning that all
 * its definitions in the workspace agree on (`definitions.ts`).
 */
import type { CompileSettings, Dialect } from "../dialect.ts";
import { memoByPair } from "../memo.ts";
import { isEmbedded } from "../names.ts";
import type { Files, FileUri, Source, UnitLocation } from "../source.ts";
import { inOneGo, type Steps } from "../steps.ts";
import { type ChangedDefinitions, createLanguages, type EnabledExtensions, workspaceDefinitions } from "./definitions.ts";
import { type CachedUnit, cachedUnitOf, includeForced, isReusable, readModule } from "./includes.ts";
import { createCutter } from "./lexing/cut.ts";
import { Environment } from "./macros/macros.ts";
import type { Job } from "./module.ts";
import { defineFromSettings } from "./predefined.ts";
import { createPreludes, keyOfDialect, type Preludes } from "./preludes.ts";
import { anyInclude, guardOfRow, placeOfName, type ReadList, type ReadPiece, readList } from "./read-list.ts";
import { answersTo, createResolver, type Request, type Resolved } from "./resolve.ts";
import { createRows, type Piece, type Row } from "./row.ts";
import { createSources } from "./sources.ts";
import { createUnitCache } from "./unit-cache.ts";
import { emptyView } from "./view/origin.ts";
import type { Unit } from "./view/view.ts";

/** Creates the Units of files, and keeps what several share. */
export interface Preprocessor {
  /** The unit of a file that is compiled by itself. `prelude` is read before its first line. */
  unit(uri: string, dialect: Dialect, settings: CompileSettings, prelude?: Source): Unit | "absent" | "unread";
  /** Like `unit`, in steps; the result is valid as long as no file has changed meanwhile. */
  unitInSteps(uri: string, dialect: Dialect, settings: CompileSettings, prelude?: Source): Steps<Unit | "absent" | "unread">;
  /** A file as a row of pieces; `earlier` is its row before an edit. */
  row(uri: string, dialect: Dialect, earlier: Row | undefined): Row | "absent" | "unread" | "too-large";
  /** A file as one piece. */
  wholeRow(row: Row, dialect: Dialect): Row;
  /**
   * The pieces of a row as units of their own, read like a file that is compiled by itself; `earlier` is the last reading in this
   * dialect. The pieces of a header for which `rowOf` has a row follow its `#include`.
   */
  readList(
    row: Row,
    rowOf: (uri: FileUri) => Row | undefined,
    dialect: Dialect,
    settings: CompileSettings,
    prelude: Source | undefined,
    earlier: ListUnits | undefined,
  ): Steps<ListUnits>;
  /** Finds the file that an include names, as when it is read. */
  resolve(request: Request): Resolved | undefined;
  /** The current answers to the questions of a unit's includes (`includeQuestions`), which were searched in these paths. */
  answersTo(questions: string, includePaths: readonly string[]): string;
  /** All definitions of a name in the workspace, as a text that is equal as long as they are. */
  definitionsOf(name: string): string;
  /** The extensions that headers and hosts of the workspace enable. */
  enabledExtensions(): EnabledExtensions;
  /** These files were edited, created or deleted. Returns which answers of `definitionsOf` and `enabledExtensions` may differ now. */
  forget(uris: readonly string[]): ChangedDefinitions;
  /** Drops the tokens of a file that is not needed soon. */
  release(uri: string): void;
}

/** A file and its open headers, whose pieces have been read. */
export interface ListUnits extends ReadList {
  readonly prelude: Unit | undefined;
  /** The state of the preprocessor at that time; anything that has changed since is tested again. */
  readonly stamp: Stamp;
}

interface Stamp {
  readonly base: object;
  readonly tick: number;
}

/** How many readings of a piece are kept: dialects that a piece does not distinguish share one. */
const mostReadings = 8;

/**
 * The limits on one top-level file: its headers, their characters, the tokens that expansion creates, and those of them that are
 * left for the parser. A longer file may have more tokens, and each header adds to them (`chargeHeader`).
 */
const freshBudget = { files: 20_000, characters: 1 << 25, tokens: 1_500_000, written: 100_000 } as const;
const tokensPerCharacter = 2;
/** The greatest total size of the units of top-level files. A file's unit is needed again only for its headers, or after an edit. */
const mostOfTops = 4_000_000;
/** The number of combinations of dialect and settings that are kept. */
const mostBases = 64;

/** The state before a file's first line. */
interface Base {
  readonly environment: Environment;
  readonly prelude: Unit | undefined;
  /** `length` is the length of the top-level file. */
  newJob(length: number): Job;
}

/**
 * Creates a preprocessor. It keeps its results for a file until `forget` names the file or one that it depends on. Several
 * preprocessors may share `preludes`.
 */
export function createPreprocessor(files: Files, preludes: Preludes = createPreludes()): Preprocessor {
  const { interner } = preludes;
  const sources = createSources(files, interner);
  const resolver = createResolver({ read: sources.read, list: () => files.list() });
  const definitions = workspaceDefinitions(files);
  const readings = createLanguages(definitions, interner);
  const cache = createUnitCache(interner);
  const tops = createUnitCache(interner, mostOfTops);
  const bases = new Map<string, Base>();
  const pending = new Set<string>();
  const rows = createRows(interner, createCutter(interner));
  const readingsOf = memoByPair((_: Piece, _modeAndPaths: string): ReadPiece[] => []);
  /** Counts changes of files. `changedAt` records when each changed last, and when answers about the workspace did. */
  let tick = 0;
  const changedAt = new Map<string, number>();

  /** Changes are processed when the next unit is requested, so that the host may announce them in any order. */
  const processChanges = () => {
    const haveMoved = [...pending].map((uri) => sources.change(uri, resolver.isListed)).includes(true);
    tick += 1;
    // A source in a literal is no piece of another file.
    for (const uri of pending) if (!isEmbedded(uri)) changedAt.set(uri, tick);
    if (haveMoved) changedAt.set(anyInclude, tick);
    // A created or deleted file may change the meaning of any include.
    if (haveMoved) resolver.forget();
    for (const kept of [cache, tops]) kept.forget(haveMoved ? "everything" : pending);
    definitions.forget([...pending]);
    readings.forget();
    pending.clear();
  };
  const makeBase = (dialect: Dialect, settings: CompileSettings, prelude: Source | undefined): Base => {
    const reading = readings.of(dialect);
    const environment = new Environment(interner);
    environment.apply(preludes.predefined(dialect));
    defineFromSettings(settings, { mode: reading.mode, dialect }, environment, interner);
    const source = (uri: string) => sources.of(uri, reading.mode.cplusplus, settings.largestFile);
    const newJob = (length: number): Job => ({
      ...reading,
      interner,
      resolver,
      dialect,
      settings,
      source,
      budget: {
        ...freshBudget,
        tokens: freshBudget.tokens + tokensPerCharacter * length,
        written: freshBudget.written + tokensPerCharacter * length,
      },
      oversizedMacros: new Set(),
      refused: { cyclic: new Set(), isTooDeep: false },
      generation: cache.generation,
      counter: 0,
    });
    if (prelude === undefined) return { environment, prelude: undefined, newJob };
    const { changes, unit } = preludes.read(prelude, newJob(prelude.text.length), environment);
    environment.apply(changes);
    return { environment, prelude: unit, newJob };
  };
  const baseOf = (dialect: Dialect, settings: CompileSettings, prelude: Source | undefined): Base => {
    const key = keyOf(dialect, settings, prelude);
    const base = bases.get(key) ?? makeBase(dialect, settings, prelude);
    if (bases.size >= mostBases) bases.clear();
    bases.set(key, base);
    return base;
  };
  const after = memoByPair((unit: Unit, prelude: Unit): Unit => {
    const start: UnitLocation = { uri: unit.uri, span: { start: 0, end: 0 } };
    return { ...unit, includes: [{ at: 0, name: `"${prelude.uri}"`, location: start, unit: prelude }, ...unit.includes] };
  });
  const read = function* (uri: string, { environment: outer, newJob }: Base): Steps<Unit | "absent" | "unread"> {
    const text = sources.read(uri);
    const job = newJob(text.length);
    const file = job.source(uri);
    if (file === "absent" || file === "unread") return file;
    if (file === "too-large") return tooLarge(uri);
    const key = [uri, ...namesOfForced(job.settings), "top"].join("\n");
    const environment = new Environment(interner, outer);
    const known = tops.find(key, job, (entry) => isReusable(cache, entry, file, job, environment));
    if (known !== undefined) return known.unit;
    yield;
    const module = yield* readModule(job, cache, environment, [], file, function* (fresh) {
      for (const forced of job.settings.forcedIncludes) yield* includeForced(cache, fresh, forced, { uri, span: { start: 0, end: 0 } });
    });
    const cached: CachedUnit = cachedUnitOf(module, file, 0);
    // If a limit was reached, the reason is in the file itself and what it consulted, because every top-level file begins in the
    // same state.
    return tops.add(key, job, cached).unit;
  };
  const readListOf = function* (
    row: Row,
    rowOf: (uri: FileUri) => Row | undefined,
    base: Base,
    earlier: ListUnits | undefined,
  ): Steps<ListUnits> {
    const guardByPieces = (uri: string) => {
      const header = rowOf(uri);
      return header === undefined ? undefined : guardOfRow(header, interner);
    };
    const job: Job = { ...base.newJob(row.text.length), guardByPieces };
    // Files may change between two steps; the result represents the state at the first one.
    const now = tick;
    const since = earlier?.stamp.base === base ? earlier.stamp.tick : -1;
    const hasChanged = (uri: string) => earlier?.rows.has(uri) !== true && (changedAt.get(uri) ?? 0) > since;
    const isUndisturbed = since >= 0 && ![...changedAt.keys()].some(hasChanged);
    const key = [job.mode.key, ...job.settings.includePaths].join("\n");
    const known = (piece: Piece): ReadPiece[] => {
      const readings = readingsOf(piece, key);
      if (readings.length > mostReadings) readings.length = mostReadings;
      return readings;
    };
    const reader = {
      cache,
      job,
      rowOf,
      base: base.environment,
      known,
      isUndisturbed,
      tick: now,
      changedAt: (uri: string) => changedAt.get(uri) ?? 0,
    };
    const reading = yield* readList(reader, row, earlier);
    return { ...reading, prelude: base.prelude, stamp: { base, tick: now } };
  };
  const unitInSteps: Preprocessor["unitInSteps"] = function* (uri, dialect, settings, prelude) {
    if (pending.size > 0) processChanges();
    const base = baseOf(dialect, settings, prelude);
    const unit = yield* read(uri, base);
    if (typeof unit === "string") return unit;
    return base.prelude === undefined ? unit : after(unit, base.prelude);
  };
  return {
    row: (uri, dialect, earlier) => {
      if (pending.size > 0) processChanges();
      const { cplusplus } = dialect;
      const text = sources.textOf(uri, cplusplus);
      return text === "absent" || text === "unread" || text === "too-large" ? text : rows.of(uri, text, cplusplus, earlier);
    },
    wholeRow: ({ uri, text }, { cplusplus }) => rows.whole(uri, text, cplusplus),
    readList: (row, rowOf, dialect, settings, prelude, earlier) => {
      if (pending.size > 0) processChanges();
      return readListOf(row, rowOf, baseOf(dialect, settings, prelude), earlier);
    },
    resolve: (request) => {
      if (pending.size > 0) processChanges();
      return resolver.resolve(request);
    },
    unit: (...given) => inOneGo(unitInSteps(...given)),
    unitInSteps,
    answersTo: (questions, includePaths) => {
      if (pending.size > 0) processChanges();
      return answersTo(questions, includePaths, resolver);
    },
    definitionsOf: (name) => {
      if (pending.size > 0) processChanges();
      return JSON.stringify(definitions.of(name));
    },
    enabledExtensions: () => {
      if (pending.size > 0) processChanges();
      return definitions.enabled();
    },
    release: sources.release,
    forget: (uris) => {
      for (const uri of uris) pending.add(uri);
      const differences = definitions.differences(uris);
      for (const name of differences.names) changedAt.set(placeOfName(name), tick + 1);
      return differences;
    },
  };
}

function keyOf(dialect: Dialect, settings: CompileSettings, prelude: Source | undefined): string {
  const macros = settings.macros.map(({ name, value }) => (value === undefined ? `-U${name}` : `-D${name}=${value}`));
  return [
    keyOfDialect(dialect),
    ...macros,
    "-I",
    ...settings.includePaths,
    "-include",
    ...namesOfForced(settings),
    prelude?.uri,
    prelude?.text,
    settings.largestFile,
    settings.assumed?.key,
  ].join("\n");
}

function namesOfForced({ forcedIncludes }: CompileSettings): readonly string[] {
  return forcedIncludes.flatMap(({ name, uri }) => [name, uri]);
}

function tooLarge(uri: string): Unit {
  const location: UnitLocation = { uri, span: { start: 0, end: 0 } };
  return {
    uri,
    view: emptyView(uri),
    includes: [],
    notes: [{ kind: "too-large", message: "not read: longer than 'largestFile' in the settings allows", location }],
  };
}

export { dependenciesOf, unreadOf } from "./dependencies.ts";
export type { Entered } from "./module.ts";
export type { ReadPiece } from "./read-list.ts";
export type { Piece, Row } from "./row.ts";
