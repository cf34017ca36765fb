/**
 * The preprocessor's door and its caches. Units are kept by file and by how it is read, and reused exactly where all the
 * macros that they consulted mean the same again; so dialects that a file does not ask about share one unit, and a header is
 * read once for all of its includers.
 *
 * Three liberties, all for code whose build we do not see. An include whose computed path cannot be resolved is looked up by
 * its trailing file name. In OpenCL a group `#ifdef X` that holds only includes and definitions, where X is defined nowhere in
 * the workspace, is taken (`directives.ts`). And an unknown name in capitals that stands where a qualifier would is what all
 * definitions of it in the workspace agree on (`definitions.ts`).
 */
import type { CompileSettings, Dialect } from "../dialect.ts";
import type { Files, Location, Source } from "../source.ts";
import { inOneGo, type Steps } from "../steps.ts";
import { type Flavour, flavourOf } from "./canonical.ts";
import { agreedMeaning, type WorkspaceDefinitions, workspaceDefinitions } from "./definitions.ts";
import { type CachedUnit, cachedUnitOf, includeForced, isReusable, readModule } from "./includes.ts";
import { createCutter } from "./lexing/cut.ts";
import type { Interner } from "./lexing/interner.ts";
import { Environment, type Macro } from "./macros/macros.ts";
import type { Job, Words, Workspace } from "./module.ts";
import { createView } from "./origin.ts";
import { defineFromSettings, hasOperators } from "./predefined.ts";
import { createPreludes, keyOfDialect, type Preludes } from "./preludes.ts";
import { type PieceReading, type RowReading, readRow, wholeWorkspace } from "./read-row.ts";
import { createResolver } from "./resolve.ts";
import { createRows, type Piece, type Row } from "./row.ts";
import { createSources } from "./sources.ts";
import { createUnitCache } from "./unit-cache.ts";
import type { Unit } from "./view.ts";

/** Gives Units of files, and keeps what several share. */
export interface Preprocessor {
  /** The unit of a file that is compiled by itself. `prelude` is read before its first line. */
  unit(uri: string, dialect: Dialect, settings: CompileSettings, prelude?: Source): Unit | "absent" | "unread";
  /** The same in steps; what it gives counts as long as no file has changed meanwhile. */
  unitInSteps(uri: string, dialect: Dialect, settings: CompileSettings, prelude?: Source): Steps<Unit | "absent" | "unread">;
  /** A file as a row of pieces; `earlier` is its row before an edit. */
  row(uri: string, dialect: Dialect, earlier: Row | undefined): Row | "absent" | "unread" | "too-large";
  /** A file as one piece. */
  wholeRow(row: Row, dialect: Dialect): Row;
  /** The pieces of a row as units of their own, read like a file that is compiled by itself; `earlier` is the last reading in this dialect. */
  readRow(
    row: Row,
    dialect: Dialect,
    settings: CompileSettings,
    prelude: Source | undefined,
    earlier: RowUnits | undefined,
  ): Steps<RowUnits>;
  /** These files changed, came or went. Returns whether the workspace may say something else now to a unit that asked it. */
  forget(uris: readonly string[]): boolean;
}

/** A row that has been read. */
export interface RowUnits extends RowReading {
  readonly prelude: Unit | undefined;
  /** Whether the files of the workspace decide if `half` may be computed with: no; they were asked; they leave it open. */
  readonly half: HalfOfBuild;
  /** How the preprocessor stood then: what has changed since is asked about anew. */
  readonly stamp: Stamp;
}

interface Stamp {
  readonly base: object;
  readonly tick: number;
}

/** Readings of a piece that are kept: dialects that a piece does not ask about share one. */
const mostReadings = 8;

/**
 * What one top-level file may cost: its headers, their characters, and tokens that expansion makes; of those more for a longer
 * file. Headers of real projects whose declarations are made by macros take 600,000.
 */
const freshBudget = { files: 20_000, characters: 1 << 26, tokens: 1_500_000 } as const;
const tokensPerCharacter = 2;
/** Combinations of dialect and settings that are kept. */
const mostBases = 64;

/** Everything that is so before a file's first line. */
interface Base {
  readonly environment: Environment;
  readonly prelude: Unit | undefined;
  /** `length`: of the top-level file. */
  newJob(length: number): Job;
}

/** Keeps what it made of files until `forget` names them, or one that they depend on. Others may use the same `preludes`. */
export function createPreprocessor(files: Files, preludes: Preludes = createPreludes()): Preprocessor {
  const { interner } = preludes;
  const sources = createSources(files, interner);
  const resolver = createResolver({ read: sources.read, list: () => files.list() });
  const definitions = workspaceDefinitions(files);
  const readings = createReadings(definitions, interner);
  const cache = createUnitCache(interner);
  const bases = new Map<string, Base>();
  const withPreludes = {
    no: new WeakMap<Unit, Map<Unit, Unit>>(),
    asked: new WeakMap<Unit, Map<Unit, Unit>>(),
    open: new WeakMap<Unit, Map<Unit, Unit>>(),
  };
  const pending = new Set<string>();
  const rows = createRows(interner, createCutter(interner));
  const pieceReadings = new WeakMap<Piece, Map<string, PieceReading[]>>();
  /** Counts changes of files, and says when each changed last; "workspace" stands for what was asked of all files. */
  let tick = 0;
  const changedAt = new Map<string, number>();

  /** Changes are looked at when the next unit is asked for, so that the host may tell of them in any order. */
  const settle = () => {
    const haveMoved = [...pending].map((uri) => sources.change(uri, resolver.isListed)).includes(true);
    tick += 1;
    for (const uri of pending) changedAt.set(uri, tick);
    if (haveMoved) changedAt.set(wholeWorkspace, tick);
    // A file that comes or goes may change what any include means.
    if (haveMoved) resolver.forget();
    cache.forget(haveMoved ? "everything" : pending);
    definitions.forget([...pending]);
    readings.forget();
    pending.clear();
  };
  const makeBase = (dialect: Dialect, settings: CompileSettings, prelude: Source | undefined): Base => {
    const reading = readings.of(dialect);
    const environment = new Environment(interner);
    environment.apply(preludes.predefined(dialect));
    defineFromSettings(settings, reading.flavour, environment, interner);
    const source = (uri: string) => sources.of(uri, reading.flavour.cplusplus, settings.largestFile);
    const newJob = (length: number): Job => ({
      ...reading,
      interner,
      resolver,
      dialect,
      settings,
      source,
      budget: { ...freshBudget, tokens: freshBudget.tokens + tokensPerCharacter * length },
      bombs: new Set(),
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
  const withPrelude = (unit: Unit, prelude: Unit | undefined, half: HalfOfBuild): Unit => {
    if (prelude === undefined) return unit;
    const known = withPreludes[half].get(unit) ?? new Map<Unit, Unit>();
    withPreludes[half].set(unit, known);
    const start: Location = { uri: unit.uri, span: { start: 0, end: 0 } };
    const result = known.get(prelude) ?? {
      ...unit,
      includes: [{ at: 0, name: `"${prelude.uri}"`, location: start, unit: prelude }, ...unit.includes],
      ...(half === "no" ? {} : { asksWorkspace: true as const }),
      ...(half === "open" ? { mayEnableHalf: true as const } : {}),
    };
    known.set(prelude, result);
    return result;
  };
  const read = function* (uri: string, { environment: outer, newJob }: Base): Steps<Unit | "absent" | "unread"> {
    const text = sources.read(uri);
    const job = newJob(text.length);
    const file = job.source(uri);
    if (file === "absent" || file === "unread") return file;
    if (file === "too-large") return tooLarge(uri);
    const key = [uri, ...namesOfForced(job.settings), "top"].join("\n");
    const environment = new Environment(interner, outer);
    const known = cache.find(key, job, (entry) => isReusable(cache, entry, file, job, environment));
    if (known !== undefined) return known.unit;
    yield;
    const module = yield* readModule(job, cache, environment, [], file, function* (fresh) {
      for (const forced of job.settings.forcedIncludes) yield* includeForced(cache, fresh, forced, { uri, span: { start: 0, end: 0 } });
    });
    const cached: CachedUnit = cachedUnitOf(module, file, 0);
    // Where a limit was reached, that depends on nothing but the file and what it consulted: every top-level file begins alike.
    cache.add(key, job, cached);
    return cached.unit;
  };
  const halfOf = (units: readonly Unit[], dialect: Dialect, settings: CompileSettings): HalfOfBuild => {
    if (!isBuildUnknown(dialect, settings) || !units.some(hasHalf)) return "no";
    const seen = new Set<Unit>();
    if (units.some((unit) => switchesHalf(unit, seen))) return "no";
    return definitions.enableHalf() ? "open" : "asked";
  };
  const readRowOf = function* (
    row: Row,
    base: Base,
    dialect: Dialect,
    settings: CompileSettings,
    earlier: RowUnits | undefined,
  ): Steps<RowUnits> {
    const job = base.newJob(row.text.length);
    // Files may change between two steps; what is read counts as it stood at the first.
    const now = tick;
    const since = earlier?.stamp.base === base ? earlier.stamp.tick : -1;
    const hasChanged = (uri: string) => uri !== row.uri && (changedAt.get(uri) ?? 0) > since;
    const isUndisturbed = since >= 0 && ![...changedAt.keys()].some(hasChanged);
    const key = [job.flavour.key, ...job.settings.includePaths].join("\n");
    const known = (piece: Piece): PieceReading[] => {
      const byFlavor = pieceReadings.get(piece) ?? new Map<string, PieceReading[]>();
      pieceReadings.set(piece, byFlavor);
      const readings = byFlavor.get(key) ?? [];
      byFlavor.set(key, readings);
      if (readings.length > mostReadings) readings.length = mostReadings;
      return readings;
    };
    const reader = {
      cache,
      job,
      base: base.environment,
      known,
      isUndisturbed,
      tick: now,
      changedAt: (uri: string) => changedAt.get(uri) ?? 0,
    };
    const reading = yield* readRow(reader, row, earlier);
    const units = reading.pieces.map(({ unit }) => unit);
    return { ...reading, prelude: base.prelude, half: halfOf(units, dialect, settings), stamp: { base, tick: now } };
  };
  const unitInSteps: Preprocessor["unitInSteps"] = function* (uri, dialect, settings, prelude) {
    if (pending.size > 0) settle();
    const base = baseOf(dialect, settings, prelude);
    const unit = yield* read(uri, base);
    if (typeof unit === "string") return unit;
    return withPrelude(unit, base.prelude, halfOf([unit], dialect, settings));
  };
  return {
    row: (uri, dialect, earlier) => {
      if (pending.size > 0) settle();
      const { cplusplus } = dialect;
      const text = sources.textOf(uri, cplusplus);
      return text === "absent" || text === "unread" || text === "too-large" ? text : rows.of(uri, text, cplusplus, earlier);
    },
    wholeRow: ({ uri, text }, { cplusplus }) => rows.whole(uri, text, cplusplus),
    readRow: (row, dialect, settings, prelude, earlier) => {
      if (pending.size > 0) settle();
      return readRowOf(row, baseOf(dialect, settings, prelude), dialect, settings, earlier);
    },
    unit: (...asked) => inOneGo(unitInSteps(...asked)),
    unitInSteps,
    forget: (uris) => {
      for (const uri of uris) pending.add(uri);
      const mayDiffer = definitions.differ(uris);
      if (mayDiffer) changedAt.set(wholeWorkspace, tick + 1);
      return mayDiffer;
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
  ].join("\n");
}

/** Whether the files of the workspace decide if `half` may be computed with: no; they were asked; they leave it open. */
type HalfOfBuild = "no" | "asked" | "open";

function isBuildUnknown(dialect: Dialect, { origin, standardFrom }: CompileSettings): boolean {
  return dialect.language === "opencl" && (origin === "defaults" || standardFrom !== undefined);
}

function hasHalf({ view }: Unit): boolean {
  return /\bhalf\b/.test(view.text);
}

/** A pragma of the unit or of a header says whether the extension is on. */
function switchesHalf({ switches = [], includes }: Unit, seen: Set<Unit>): boolean {
  if (switches.some(({ name }) => name === "cl_khr_fp16" || name === "all")) return true;
  return includes.some(({ unit }) => {
    if (unit === undefined || seen.has(unit)) return false;
    seen.add(unit);
    return switchesHalf(unit, seen);
  });
}

function namesOfForced({ forcedIncludes }: CompileSettings): readonly string[] {
  return forcedIncludes.flatMap(({ name, uri }) => [name, uri]);
}

function tooLarge(uri: string): Unit {
  const location: Location = { uri, span: { start: 0, end: 0 } };
  const view = createView({ uri, text: "", segments: [], blanks: [], splices: [] });
  return {
    uri,
    view,
    includes: [],
    notes: [{ kind: "too-large", message: "not read: longer than 'largestFile' in the settings allows", location }],
  };
}

/** What a flavour means in terms of the interner, and what the workspace says to it. */
interface FlavourReading {
  readonly flavour: Flavour;
  readonly spellings: ReadonlyMap<number, string>;
  readonly words: Words;
  readonly workspace: Workspace;
}

function createReadings(definitions: WorkspaceDefinitions, interner: Interner): { of(dialect: Dialect): FlavourReading; forget(): void } {
  const known = new Map<string, FlavourReading>();
  const meanings = new Map<string, Map<number, Macro | undefined>>();
  const words: Words = {
    defined: interner.idOf("defined"),
    pragma: interner.idOf("_Pragma"),
    pragmaName: interner.idOf("pragma"),
    private: interner.idOf("private"),
    pipe: interner.idOf("pipe"),
    operators: new Set(hasOperators.map((name) => interner.idOf(name))),
  };
  const meaningOf = (id: number, flavour: Flavour): Macro | undefined => {
    const own = meanings.get(flavour.key) ?? new Map<number, Macro | undefined>();
    meanings.set(flavour.key, own);
    if (!own.has(id)) own.set(id, agreedMeaning(interner.textOf(id), definitions, flavour, interner));
    return own.get(id);
  };
  return {
    of: (dialect) => {
      const flavour = flavourOf(dialect);
      const reading = known.get(flavour.key) ?? {
        flavour,
        spellings: new Map([...flavour.spellings].map(([word, spelling]) => [interner.idOf(word), spelling])),
        words,
        workspace: {
          meaningOf: (id: number) => meaningOf(id, flavour),
          isDefinedAnywhere: (id: number) => definitions.of(interner.textOf(id)).length > 0,
        },
      };
      known.set(flavour.key, reading);
      return reading;
    },
    forget: () => meanings.clear(),
  };
}

export { asksWorkspace, dependenciesOf, unreadOf } from "./dependencies.ts";
export type { PieceReading } from "./read-row.ts";
export type { Piece, Row } from "./row.ts";
