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
import { type Flavour, flavourOf } from "./canonical.ts";
import { agreedMeaning, type WorkspaceDefinitions, workspaceDefinitions } from "./definitions.ts";
import { type CachedUnit, cachedUnitOf, includeForced, isReusable, readModule } from "./includes.ts";
import { createInterner, type Interner } from "./interner.ts";
import { Environment, type Macro } from "./macros.ts";
import type { Job, Words, Workspace } from "./module.ts";
import { createView } from "./origin.ts";
import { hasOperators, predefined } from "./predefined.ts";
import { createResolver } from "./resolve.ts";
import { createSources } from "./sources.ts";
import { createUnitCache } from "./unit-cache.ts";
import type { Unit } from "./view.ts";

export interface Preprocessor {
  /** The unit of a file that is compiled by itself. `prelude` is read before its first line. */
  unit(uri: string, dialect: Dialect, settings: CompileSettings, prelude?: Source): Unit | "absent" | "unread";
  /** These files changed, came or went. Returns whether the workspace may say something else now to a unit that asked it. */
  forget(uris: readonly string[]): boolean;
}

/** What one top-level file may cost: headers read anew, their characters, and tokens that expansion makes. */
const freshBudget = { files: 20_000, characters: 1 << 26, tokens: 3_000_000 } as const;
/** Combinations of dialect and settings that are kept. */
const mostBases = 64;

/** Everything that is so before a file's first line. */
interface Base {
  readonly environment: Environment;
  readonly prelude: Unit | undefined;
  newJob(): Job;
}

/** Keeps what it made of files until `forget` names them, or one that they depend on. */
export function createPreprocessor(files: Files): Preprocessor {
  const interner = createInterner();
  const sources = createSources(files, interner);
  const resolver = createResolver({ read: sources.read, list: () => files.list() });
  const definitions = workspaceDefinitions(files);
  const readings = createReadings(definitions, interner);
  const cache = createUnitCache(interner);
  const bases = new Map<string, Base>();
  const withPreludes = new WeakMap<Unit, Map<Unit, Unit>>();
  const pending = new Set<string>();

  /** Changes are looked at when the next unit is asked for, so that the host may tell of them in any order. */
  const settle = () => {
    const haveMoved = [...pending].map((uri) => sources.change(uri, resolver.isListed)).includes(true);
    // A file that comes or goes may change what any include means.
    if (haveMoved) resolver.forget();
    cache.forget(haveMoved ? "everything" : pending);
    definitions.forget([...pending]);
    readings.forget();
    pending.clear();
  };
  const makeBase = (dialect: Dialect, settings: CompileSettings, prelude: Source | undefined): Base => {
    const reading = readings.of(dialect);
    const environment = predefined(dialect, settings, reading.flavour, interner);
    const source = (uri: string) => sources.of(uri, reading.flavour.cplusplus);
    const newJob = (): Job => ({
      ...reading,
      interner,
      resolver,
      dialect,
      settings,
      source,
      budget: { ...freshBudget },
      bombs: new Set(),
      counter: 0,
    });
    if (prelude === undefined) return { environment, prelude: undefined, newJob };
    const file = sources.builtin(prelude, reading.flavour.cplusplus);
    const job = newJob();
    const known = cache.find(file.uri, job, (entry) => isReusable(cache, entry, file, job, environment));
    const cached = known ?? cachedUnitOf(readModule(job, cache, new Environment(interner, environment), [""], file), file, 0);
    if (known === undefined) cache.add(file.uri, job, cached);
    environment.apply(cached.changes);
    return { environment, prelude: cached.unit, newJob };
  };
  const baseOf = (dialect: Dialect, settings: CompileSettings, prelude: Source | undefined): Base => {
    const key = keyOf(dialect, settings, prelude);
    const base = bases.get(key) ?? makeBase(dialect, settings, prelude);
    if (bases.size >= mostBases) bases.clear();
    bases.set(key, base);
    return base;
  };
  const withPrelude = (unit: Unit, prelude: Unit | undefined): Unit => {
    if (prelude === undefined) return unit;
    const known = withPreludes.get(unit) ?? new Map<Unit, Unit>();
    withPreludes.set(unit, known);
    const start: Location = { uri: unit.uri, span: { start: 0, end: 0 } };
    const result = known.get(prelude) ?? {
      ...unit,
      includes: [{ at: 0, name: `"${prelude.uri}"`, location: start, unit: prelude }, ...unit.includes],
    };
    known.set(prelude, result);
    return result;
  };
  const read = (uri: string, { environment: outer, newJob }: Base): Unit | "absent" | "unread" => {
    const job = newJob();
    const file = job.source(uri);
    if (file === "absent" || file === "unread") return file;
    if (file === "too-large") return tooLarge(uri);
    const key = [uri, ...job.settings.forcedIncludes, "top"].join("\n");
    const environment = new Environment(interner, outer);
    const known = cache.find(key, job, (entry) => isReusable(cache, entry, file, job, environment));
    if (known !== undefined) return known.unit;
    const module = readModule(job, cache, environment, [], file, (fresh) => {
      for (const name of job.settings.forcedIncludes) includeForced(cache, fresh, name, { uri, span: { start: 0, end: 0 } });
    });
    const cached: CachedUnit = cachedUnitOf(module, file, 0);
    if (!module.isDegraded) cache.add(key, job, cached);
    return cached.unit;
  };
  return {
    unit: (uri, dialect, settings, prelude) => {
      if (pending.size > 0) settle();
      const base = baseOf(dialect, settings, prelude);
      const unit = read(uri, base);
      return typeof unit === "string" ? unit : withPrelude(unit, base.prelude);
    },
    forget: (uris) => {
      for (const uri of uris) pending.add(uri);
      return definitions.differ(uris);
    },
  };
}

function keyOf(dialect: Dialect, settings: CompileSettings, prelude: Source | undefined): string {
  const own =
    dialect.language === "opencl"
      ? [dialect.standard, ...dialect.features]
      : [dialect.standard, dialect.relocatableDeviceCode, dialect.hip, ...dialect.architectures];
  const macros = settings.macros.map(({ name, value }) => (value === undefined ? `-U${name}` : `-D${name}=${value}`));
  return [
    dialect.language,
    ...own,
    ...macros,
    "-I",
    ...settings.includePaths,
    "-include",
    ...settings.forcedIncludes,
    prelude?.uri,
    prelude?.text,
  ].join("\n");
}

function tooLarge(uri: string): Unit {
  const location: Location = { uri, span: { start: 0, end: 0 } };
  const view = createView({ uri, text: "", segments: [], blanks: [], splices: [] });
  return { uri, view, includes: [], notes: [{ kind: "too-large", message: "this file is too large to be read", location }] };
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

export { dependenciesOf, unreadOf } from "./dependencies.ts";
