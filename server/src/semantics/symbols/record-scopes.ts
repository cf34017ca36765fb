/** The scopes of classes, which `records.ts` creates and lookups through objects need. */
import type { RecordSymbol } from "../types/symbols.ts";
import { createScope, type Scope } from "./scope.ts";

const scopes = new WeakMap<RecordSymbol, Scope>();

/** The scope of a record's members, for lookups through an object; undefined before it is created. */
export function scopeOfRecord(record: RecordSymbol): Scope | undefined {
  return scopes.get(record);
}

/** The scope of a definition outside of its class: the parameters of the templates around it, whose parent is the class. */
export function scopeOutside(scope: Scope, ofClass: Scope): Scope {
  const inner = createScope("template", ofClass);
  for (let current: Scope | undefined = scope; current !== undefined && current.kind === "template"; current = current.parent) {
    for (const [name, symbols] of current.names) if (!inner.names.has(name)) inner.names.set(name, symbols);
  }
  return inner;
}

/** The instantiations of class templates that a class is, or is nested in; the outermost first. */
export function instancesAround(record: RecordSymbol): readonly RecordSymbol[] {
  const found: RecordSymbol[] = [];
  for (let scope = scopes.get(record); scope !== undefined; scope = scope.parent)
    if (scope.record?.instance !== undefined) found.unshift(scope.record);
  return found;
}

/** Keeps the scope that was created for a record. */
export function setScopeOfRecord(record: RecordSymbol, scope: Scope): void {
  scopes.set(record, scope);
}
