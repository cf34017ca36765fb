/** The scopes of classes, which `records.ts` creates and lookups through objects need. */
import type { RecordSymbol } from "../types/symbols.ts";
import type { Scope } from "./scope.ts";

const scopes = new WeakMap<RecordSymbol, Scope>();

/** The scope of a record's members, for lookups through an object; undefined before it is created. */
export function scopeOfRecord(record: RecordSymbol): Scope | undefined {
  return scopes.get(record);
}

/** Keeps the scope that was created for a record. */
export function setScopeOfRecord(record: RecordSymbol, scope: Scope): void {
  scopes.set(record, scope);
}
