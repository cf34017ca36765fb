/**
 * Classes of headers are defined when something first looks into them: most of a large library's are never looked into,
 * and binding them all is most of the work on a file that includes one. What they mean is as if it had been done at once:
 * their names are looked up among what was declared before them (see `Clock` in `scope.ts`).
 */
import { inPast, type Scope } from "./scope.ts";
import type { RecordSymbol } from "./symbols.ts";

/** What a definition fills in. */
const ofRecord = ["members", "functions", "staticMembers", "bases", "alignment", "isPacked", "isPolymorphic", "hasVirtualBase", "hasAccessLabels", "isIncomplete"] as const;
const ofScope = ["names", "inner", "using"] as const;

/** Records whose definition was read, now or for later. */
const defined = new WeakSet<RecordSymbol>();

/** Whether a definition of the record was met, without causing it to be bound. */
export function isDefined(record: RecordSymbol): boolean {
  return defined.has(record) || record.members !== undefined;
}

/** Has `define` run before anybody sees what it fills in of the record or finds a name in the record's scope. */
export function defineOnDemand(record: RecordSymbol, scope: Scope, define: () => void): void {
  defined.add(record);
  const restore: (() => void)[] = [];
  const { clock } = scope;
  const time = clock.now;
  if (!clock.isPast) clock.now += 1;
  const complete = () => {
    for (const each of restore) each();
    inPast(clock, time, define);
  };
  for (const key of ofRecord) restore.push(guard(record, key, complete));
  for (const key of ofScope) restore.push(guard(scope, key, complete));
}

/** Replaces a property by one that first runs `complete`; the result puts it back. */
function guard<T extends object, K extends keyof T>(object: T, key: K, complete: () => void): () => void {
  const value = object[key];
  Object.defineProperty(object, key, {
    configurable: true,
    enumerable: true,
    get: () => {
      complete();
      return object[key];
    },
    set: (next: T[K]) => {
      complete();
      object[key] = next;
    },
  });
  return () => Object.defineProperty(object, key, { configurable: true, enumerable: true, writable: true, value });
}
