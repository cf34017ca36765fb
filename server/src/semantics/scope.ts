/**
 * Scopes and name lookup. A scope in which some declaration could not be read says so, because a name that is not found
 * there may still exist; callers treat "not found" and "unknown" alike: as nothing known.
 */
import type { FunctionSymbol, RecordSymbol, Symbol, UnknownSymbol } from "./symbols.ts";

export type ScopeKind = "program" | "namespace" | "record" | "template" | "function" | "block";

export interface Scope {
  readonly kind: ScopeKind;
  /** Qualified, without a trailing `::`; empty at program scope. */
  readonly qualifiedName: string;
  readonly parent: Scope | undefined;
  readonly names: Map<string, Symbol[]>;
  /** Nested namespaces and records, by name. */
  readonly inner: Map<string, Scope>;
  /** Scopes whose names are visible here: using directives, bases, inline and unnamed namespaces. */
  readonly using: Scope[];
  readonly record?: RecordSymbol;
  /** Inside an unnamed namespace. */
  readonly isInternal: boolean;
}

export function createScope(kind: ScopeKind, parent: Scope | undefined, options: { readonly name?: string; readonly record?: RecordSymbol; readonly isInternal?: boolean } = {}): Scope {
  const outer = parent?.qualifiedName ?? "";
  const qualifiedName = options.name === undefined ? outer : outer === "" ? options.name : `${outer}::${options.name}`;
  return {
    kind,
    qualifiedName,
    parent,
    names: new Map(),
    inner: new Map(),
    using: [],
    ...(options.record === undefined ? {} : { record: options.record }),
    isInternal: options.isInternal ?? parent?.isInternal ?? false,
  };
}

/** Adds a symbol under a name; several symbols of one name are overloads, or a tag beside an object. */
export function declare(scope: Scope, name: string, symbol: Symbol): void {
  const present = scope.names.get(name);
  if (present === undefined) scope.names.set(name, [symbol]);
  else if (!present.includes(symbol)) present.push(symbol);
}

/** Removes what a name stood for here and lets it stand for `symbol` alone. */
export function redeclare(scope: Scope, name: string, symbol: Symbol): void {
  scope.names.set(name, [symbol]);
}

/** The scope of an identifier's innermost declaration, outwards from `scope` (C++17 §6.4.1). Empty when nothing is known. */
export function lookup(scope: Scope, name: string): readonly Symbol[] {
  for (let current: Scope | undefined = scope; current !== undefined; current = current.parent) {
    const found = lookupIn(current, name);
    if (found.length > 0) return found;
    // A base class that we cannot see may declare any name.
    if (current.record !== undefined && hasUnknownBase(current.record)) return [unknownSymbol(name)];
  }
  return [];
}

/** What a name stands for in this very scope, through its using directives (C++17 §6.4.3). */
export function lookupIn(scope: Scope, name: string, seen: Set<Scope> = new Set()): readonly Symbol[] {
  if (seen.has(scope)) return [];
  seen.add(scope);
  const own = scope.names.get(name);
  if (own !== undefined) return own;
  for (const other of scope.using) {
    const found = lookupIn(other, name, seen);
    if (found.length > 0) return found;
  }
  return [];
}

/** The namespace or record of that name, outwards from `scope`. */
export function lookupScope(scope: Scope, name: string): Scope | undefined {
  for (let current: Scope | undefined = scope; current !== undefined; current = current.parent) {
    const found = innerScope(current, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The namespace or record of that name directly in `scope` or one it uses. */
export function innerScope(scope: Scope, name: string, seen: Set<Scope> = new Set()): Scope | undefined {
  if (seen.has(scope)) return undefined;
  seen.add(scope);
  const own = scope.inner.get(name);
  if (own !== undefined) return own;
  for (const other of scope.using) {
    const found = innerScope(other, name, seen);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The outermost scope of a chain. */
export function programScope(scope: Scope): Scope {
  let current = scope;
  while (current.parent !== undefined) current = current.parent;
  return current;
}

/** The nearest scope that declarations of namespace members go to. */
export function enclosingNamespace(scope: Scope): Scope {
  let current = scope;
  while (current.kind !== "program" && current.kind !== "namespace" && current.parent !== undefined) current = current.parent;
  return current;
}

/** The functions among symbols of one name. */
export function functionsOf(symbols: readonly Symbol[]): readonly FunctionSymbol[] {
  return symbols.filter((symbol): symbol is FunctionSymbol => symbol.kind === "function");
}

export function unknownSymbol(name: string): UnknownSymbol {
  return { kind: "unknown", name };
}

function hasUnknownBase(record: RecordSymbol): boolean {
  return record.isIncomplete || record.bases.some((base) => base.kind !== "record" || hasUnknownBase(base.record));
}
