/**
 * Scopes and name lookup. A scope in which some declaration could not be read says so, because a name that is not found
 * there may still exist; callers treat "not found" and "unknown" alike: as nothing known.
 */
import type { FunctionSymbol, RecordSymbol, Symbol, UnknownSymbol } from "./symbols.ts";

export type ScopeKind = "program" | "namespace" | "record" | "template" | "function" | "block";

/**
 * Counts while a translation unit is read, so that what is bound later (see `on-demand.ts`) finds only the names that its
 * text could see. Names of classes are not counted: the whole class sees them (C++17 §6.3.7).
 */
export interface Clock {
  now: number;
  isPast: boolean;
  /** How many declarations are being bound on demand, one because of the other. */
  depth: number;
}

/** A declaration of a header that is bound when one of its names is asked for. */
interface Waiting {
  readonly time: number;
  bind: (() => void) | undefined;
}

// Beyond this depth, which no library reaches whose authors are human, names are unknown.
const deepest = 300;

export interface Scope {
  readonly kind: ScopeKind;
  readonly clock: Clock;
  /** Of a namespace: when each name was first declared. */
  readonly since: Map<string, number> | undefined;
  /** Of a namespace: declarations that nobody has asked for yet, by name. */
  readonly waiting: Map<string, Waiting[]> | undefined;
  /** When the scope itself was made. */
  readonly born: number;
  /** Qualified, without a trailing `::`; empty at program scope. */
  readonly qualifiedName: string;
  readonly parent: Scope | undefined;
  readonly names: Map<string, Symbol[]>;
  /** Nested namespaces and records, by name. */
  readonly inner: Map<string, Scope>;
  /** Scopes whose names are visible here: using directives, bases, inline and unnamed namespaces. */
  readonly using: { readonly scope: Scope; readonly since: number }[];
  readonly record?: RecordSymbol;
  /** Inside an unnamed namespace. */
  readonly isInternal: boolean;
}

/** A scope inside of `parent`, whose clock it shares; without a parent that of a translation unit. */
export function createScope(
  kind: ScopeKind,
  parent: Scope | undefined,
  options: { readonly name?: string; readonly record?: RecordSymbol; readonly isInternal?: boolean } = {},
): Scope {
  const outer = parent?.qualifiedName ?? "";
  const qualifiedName = options.name === undefined ? outer : outer === "" ? options.name : `${outer}::${options.name}`;
  const clock = parent?.clock ?? { now: 0, isPast: false, depth: 0 };
  const isNamespace = kind === "program" || kind === "namespace";
  return {
    kind,
    clock,
    since: isNamespace ? new Map() : undefined,
    waiting: isNamespace ? new Map() : undefined,
    born: clock.now,
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
  const present = ownNames(scope, name);
  if (present === undefined) setNames(scope, name, [symbol]);
  else if (!present.includes(symbol)) present.push(symbol);
}

/** What was declared under a name in this very scope. */
export function ownNames(scope: Scope, name: string): Symbol[] | undefined {
  settle(scope, name);
  return scope.names.get(name);
}

/** Removes what a name stood for here and lets it stand for `symbol` alone. */
export function redeclare(scope: Scope, name: string, symbol: Symbol): void {
  setNames(scope, name, [symbol]);
}

/** Lets a name stand for exactly these. */
export function setNames(scope: Scope, name: string, symbols: Symbol[]): void {
  settle(scope, name);
  scope.names.set(name, symbols);
  if (scope.since?.has(name) === false) scope.since.set(name, scope.clock.now);
}

/** Makes the names of another scope visible in this one, from here on. */
export function useScope(scope: Scope, other: Scope): void {
  scope.using.push({ scope: other, since: scope.clock.now });
}

/** Whether so many declarations are being bound, one because of the other, that no more should be. */
export function isTooDeep({ depth }: Clock): boolean {
  return depth > deepest;
}

/** Runs something as if nothing had been declared after that time. */
export function inPast(clock: Clock, time: number, run: () => void): void {
  const { now, isPast, depth } = clock;
  Object.assign(clock, { now: time, isPast: true, depth: depth + 1 });
  try {
    run();
  } finally {
    Object.assign(clock, { now, isPast, depth });
  }
}

/** The time of something that waits; what comes after it is later. */
export function passTime(clock: Clock): number {
  const { now } = clock;
  if (!clock.isPast) clock.now += 1;
  return now;
}

/** Has `bind` run before anybody finds one of the names here. */
export function wait({ clock, waiting }: Scope, names: readonly string[], bind: () => void): void {
  const entry: Waiting = { time: passTime(clock), bind };
  for (const name of names) {
    const others = waiting?.get(name);
    if (others === undefined) waiting?.set(name, [entry]);
    else others.push(entry);
  }
}

/** Binds what waits under a name, in order, as far as it was declared by now; false where that goes too deep. */
function settle({ clock, waiting }: Scope, name: string): boolean {
  const entries = waiting?.get(name);
  if (waiting === undefined || entries === undefined) return true;
  const due = entries.filter(({ time }) => time <= clock.now);
  if (due.length === 0) return true;
  if (isTooDeep(clock)) return false;
  const later = entries.filter(({ time }) => time > clock.now);
  if (later.length === 0) waiting.delete(name);
  else waiting.set(name, later);
  for (const entry of due) {
    const { bind } = entry;
    entry.bind = undefined;
    if (bind !== undefined) inPast(clock, entry.time, bind);
  }
  return true;
}

/** Tags have a name space of their own in C (C11 §6.2.3): the name under which a scope has them. */
export function tagKey(tag: string): string {
  return `tag ${tag}`;
}

function isDeclared({ clock, since }: Scope, name: string): boolean {
  return !clock.isPast || since === undefined || (since.get(name) ?? 0) <= clock.now;
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
  if (!settle(scope, name)) return [unknownSymbol(name)];
  const own = scope.names.get(name);
  if (own !== undefined && isDeclared(scope, name)) return own;
  for (const other of scope.using) {
    const found = other.since > scope.clock.now ? [] : lookupIn(other.scope, name, seen);
    if (found.length > 0) return found;
  }
  return [];
}

/** The namespace or record of that name directly in `scope` or one it uses. */
export function innerScope(scope: Scope, name: string, seen: Set<Scope> = new Set()): Scope | undefined {
  if (seen.has(scope)) return undefined;
  seen.add(scope);
  settle(scope, name);
  const own = scope.inner.get(name);
  if (own !== undefined && own.born <= scope.clock.now) return own;
  for (const other of scope.using) {
    const found = other.since > scope.clock.now ? undefined : innerScope(other.scope, name, seen);
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

function hasUnknownBase(record: RecordSymbol, depth = 0): boolean {
  return (
    depth > deepest || record.isIncomplete || record.bases.some((base) => base.kind !== "record" || hasUnknownBase(base.record, depth + 1))
  );
}
