/**
 * Units that have been read, by file and by what else decides how it is read: the flavour of the language and the include
 * paths. Of each a few variants are kept, which differ in the macros that they consulted.
 */
import type { CachedUnit, UnitCache } from "./includes.ts";
import type { Interner } from "./interner.ts";
import type { Job } from "./module.ts";

/** Variants of one file, most recently used first. */
const mostVariants = 12;

export function createUnitCache(interner: Interner): UnitCache & { forget(uris: ReadonlySet<string> | "everything"): void } {
  const units = new Map<string, CachedUnit[]>();
  const keyOf = (name: string, { flavour, settings }: Job) => [name, flavour.key, ...settings.includePaths].join("\n");
  const answer = (question: string, { workspace }: Job): string => {
    const [kind, name = ""] = question.split(" ");
    const id = interner.idOf(name);
    return kind === "meaning" ? (workspace.meaningOf(id)?.key ?? "") : String(workspace.isDefinedAnywhere(id));
  };
  return {
    find: (name, job, isUsable) => {
      const variants = units.get(keyOf(name, job)) ?? [];
      const index = variants.findIndex(isUsable);
      const found = variants[index];
      if (found !== undefined && index > 0) {
        variants.splice(index, 1);
        variants.unshift(found);
      }
      return found;
    },
    add: (name, job, cached) => {
      const key = keyOf(name, job);
      units.set(key, [cached, ...(units.get(key) ?? [])].slice(0, mostVariants));
    },
    areCurrent: (decisions, job) => [...decisions].every(([question, relied]) => answer(question, job) === relied),
    forget: (uris) => {
      if (uris === "everything") return units.clear();
      for (const [key, variants] of units) {
        const left = variants.filter(({ files }) => ![...uris].some((uri) => files.has(uri)));
        if (left.length === 0) units.delete(key);
        else if (left.length < variants.length) units.set(key, left);
      }
    },
  };
}
