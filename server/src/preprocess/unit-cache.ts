/**
 * Keeps Units of headers, by file and by everything else that affects how it is read: the language mode and the include
 * paths. A few variants of each are kept, which differ in the macros that they consulted. Those that are dropped are still found as long
 * as a file holds them, so that a header is not another unit for each of its includes.
 */
import { countUpTo } from "../lists.ts";
import { memo } from "../memo.ts";
import type { CachedUnit, UnitCache } from "./includes.ts";
import type { Interner } from "./lexing/interner.ts";
import type { Job } from "./module.ts";
import { areEqualViews } from "./view/origin.ts";
import type { Unit } from "./view/view.ts";

/** Variants of one file, most recently used first. */
const mostVariants = 12;
/** The greatest total size of all units, in bytes of their texts, segments and dependencies. */
const mostBytes = 64_000_000;
/** The size of a segment in bytes, and of what a unit depends on: a macro, a name without one, a file. */
const bytesOfSegment = 40;
const bytesOfMacro = 12;
const bytesOfNumber = 4;

/** Units by what they consulted, kept up to a total size; the least recently used are dropped first. */
export function createUnitCache(
  interner: Interner,
  most: number = mostBytes,
): UnitCache & { readonly generation: number; forget(uris: ReadonlySet<string> | "everything"): void } {
  /** The most recently used files are last. */
  const units = new Map<string, CachedUnit[]>();
  let size = 0;
  let generation = 0;
  const dropped = createDropped();
  const put = (key: string, variants: CachedUnit[]) => {
    size += sizeOf(variants) - sizeOf(units.get(key) ?? []);
    units.delete(key);
    if (variants.length > 0) units.set(key, variants);
  };
  const keyOf = (name: string, { mode, settings }: Job) => {
    const { assumed } = settings;
    return [name, mode.key, ...settings.includePaths, ...(assumed !== undefined && name.startsWith(assumed.uri) ? [assumed.key] : [])].join(
      "\n",
    );
  };
  const answer = (question: string, { workspace }: Job): string => {
    const [kind, name = ""] = question.split(" ");
    const id = interner.idOf(name);
    return kind === "meaning" ? (workspace.meaningOf(id)?.key ?? "") : String(workspace.isDefinedAnywhere(id));
  };
  return {
    get generation() {
      return generation;
    },
    find: (name, job, isUsable) => {
      const key = keyOf(name, job);
      const variants = units.get(key) ?? [];
      const found = variants.find(isUsable) ?? dropped.of(key).find(isUsable);
      if (found !== undefined) put(key, [found, ...variants.filter((variant) => variant !== found)]);
      return found;
    },
    add: (name, job, cached) => {
      // Work in steps may continue with files as they were before the last change. Its results must not be shared.
      if (job.generation !== generation) return cached;
      const key = keyOf(name, job);
      const others = units.get(key) ?? [];
      const added = withKnownView(cached, others);
      const all = [added, ...others];
      put(key, all.slice(0, mostVariants));
      dropped.add(key, all.slice(mostVariants));
      for (const [oldest, variants] of units) {
        if (size <= most || oldest === key) break;
        put(oldest, []);
        dropped.add(oldest, variants);
      }
      return added;
    },
    areCurrent: (decisions, job) => [...decisions].every(([question, relied]) => answer(question, job) === relied),
    forget: (uris) => {
      generation += 1;
      const changed = uris === "everything" ? [] : [...uris].map((uri) => interner.idOf(uri));
      const stays = ({ files }: CachedUnit) => uris !== "everything" && !changed.some((file) => isAmong(files, file));
      dropped.keep(stays);
      for (const [key, variants] of [...units]) {
        const left = variants.filter(stays);
        if (left.length < variants.length) put(key, left);
      }
    },
  };
}

/** Units that the cache does not keep. */
interface Dropped {
  add(key: string, variants: readonly CachedUnit[]): void;
  /** Those that something else holds. */
  of(key: string): readonly CachedUnit[];
  /** Forgets the others. */
  keep(stays: (cached: CachedUnit) => boolean): void;
}

function createDropped(): Dropped {
  const units = new Map<string, readonly WeakRef<Unit>[]>();
  const entryOf = memo((_: Unit): { cached: CachedUnit | undefined } => ({ cached: undefined }));
  const cachedOf = (reference: WeakRef<Unit>): CachedUnit | undefined => {
    const unit = reference.deref();
    return unit === undefined ? undefined : entryOf(unit).cached;
  };
  const filter = (key: string, stays: (cached: CachedUnit) => boolean): void => {
    const before = units.get(key) ?? [];
    const left = before.filter((each) => {
      const cached = cachedOf(each);
      return cached !== undefined && stays(cached);
    });
    units.delete(key);
    if (left.length > 0) units.set(key, left);
  };
  return {
    of: (key) => (units.get(key) ?? []).flatMap((each) => cachedOf(each) ?? []),
    add: (key, variants) => {
      if (variants.length === 0) return;
      for (const cached of variants) entryOf(cached.unit).cached = cached;
      filter(key, (known) => !variants.includes(known));
      units.set(key, [...(units.get(key) ?? []), ...variants.map(({ unit }) => new WeakRef(unit))]);
      // One more is looked after for each that is added, so that few stay that nothing holds.
      const [oldest] = units.keys();
      if (oldest !== undefined) filter(oldest, () => true);
    },
    keep: (stays) => {
      for (const key of [...units.keys()]) filter(key, stays);
    },
  };
}

function isAmong(sorted: Int32Array, number: number): boolean {
  return sorted[countUpTo(sorted.length, (at) => sorted[at], number) - 1] === number;
}

/** Most variants of a header differ only in the headers that they include, and their Views are equal. */
function withKnownView(cached: CachedUnit, others: readonly CachedUnit[]): CachedUnit {
  const known = others.find(({ unit }) => areEqualViews(unit.view, cached.unit.view));
  return known === undefined ? cached : { ...cached, unit: { ...cached.unit, view: known.unit.view } };
}

function sizeOf(variants: readonly CachedUnit[]): number {
  const views = new Set(variants.map(({ unit }) => unit.view));
  let size = 0;
  for (const { text, segments } of views) size += text.length + bytesOfSegment * segments.length;
  for (const { consulted, changes, files } of variants) {
    const macros = consulted.defined.ids.length + consulted.tested.ids.length + changes.ids.length;
    size += bytesOfMacro * macros + bytesOfNumber * (consulted.absent.length + files.length);
  }
  return size;
}
