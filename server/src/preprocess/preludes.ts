/**
 * Everything that precedes the first line of a file: the compilers' predefined macros, and the languages' preludes. It depends on
 * no file, so the preprocessors of one process share it. It never changes, except that the interner grows: the numbers that one
 * preprocessor assigns are valid in all of them.
 */
import { type Dialect, noSettings } from "../dialect.ts";
import type { Source } from "../source.ts";
import { inOneGo } from "../steps.ts";
import { type CachedUnit, cachedUnitOf, isReusable, readModule } from "./includes.ts";
import { createInterner, type Interner } from "./lexing/interner.ts";
import { tokenize } from "./lexing/lexer.ts";
import { type Changes, Environment } from "./macros/macros.ts";
import { type Job, type SourceFile, sourceFileOf, type WorkspaceMacros } from "./module.ts";
import { predefined } from "./predefined.ts";
import { createUnitCache } from "./unit-cache.ts";

/** Predefined macros and preludes that have been read. */
export interface Preludes {
  readonly interner: Interner;
  /** The macros that a compiler of the dialect predefines. */
  predefined(dialect: Dialect): Changes;
  /** A prelude, read after the macros of an environment. */
  read(prelude: Source, job: Job, environment: Environment): CachedUnit;
}

/** The number of dialects whose macros are kept. */
const mostDialects = 64;

/** A prelude asks nothing about the workspace. */
const noWorkspace: WorkspaceMacros = { meaningOf: () => undefined, isDefinedAnywhere: () => false };

/** One instance for all preprocessors of a process. */
export function createPreludes(): Preludes {
  const interner = createInterner();
  const cache = createUnitCache(interner);
  const files = new Map<string, SourceFile>();
  const macros = new Map<string, Changes>();
  const fileOf = ({ uri, text }: Source, cplusplus: boolean): SourceFile => {
    const key = `${cplusplus ? "+" : "-"}${uri}`;
    const known = files.get(key);
    if (known?.tokens.text === text) return known;
    const file = sourceFileOf(uri, tokenize(text, interner, cplusplus));
    files.set(key, file);
    return file;
  };
  return {
    interner,
    predefined: (dialect) => {
      const key = keyOfDialect(dialect);
      const known = macros.get(key) ?? predefined(dialect, interner).changes;
      if (macros.size >= mostDialects) macros.clear();
      macros.set(key, known);
      return known;
    },
    read: (prelude, { dialect, ...rest }, environment) => {
      const job: Job = { ...rest, dialect, settings: noSettings, workspace: noWorkspace, generation: cache.generation };
      const file = fileOf(prelude, job.mode.cplusplus);
      const known = cache.find(file.uri, job, (entry) => isReusable(cache, entry, file, job, environment));
      if (known !== undefined) return known;
      const fresh = cachedUnitOf(inOneGo(readModule(job, cache, new Environment(interner, environment), [""], file)), file, 0);
      return cache.add(file.uri, job, fresh);
    },
  };
}

/** Dialects with equal keys have the same predefined macros. */
export function keyOfDialect(dialect: Dialect): string {
  const own =
    dialect.language === "opencl"
      ? [dialect.standard, ...dialect.features]
      : [dialect.standard, dialect.relocatableDeviceCode, dialect.hip, dialect.side, ...dialect.architectures];
  return [dialect.language, ...own].join("\n");
}
