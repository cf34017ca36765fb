/**
 * Scopes and name lookup. A scope with a declaration that could not be read is marked, because a name that is not found there may
 * still exist. Callers treat "not found" and "unknown" alike: nothing is known.
 */
import { spend } from "../../budget.ts";
import type { FunctionDeclaration, FunctionSymbol, RecordSymbol, Symbol, UnknownSymbol } from "../types/symbols.ts";
import { type Clock, deepest, inPast, isTooDeep, passTime } from "./clock.ts";
import {
  createLazyDeclarations,
  type LazyByName,
  type LazyDeclaration,
  materialize,
  type NamedRun,
  nextBefore,
  registerOne,
  registerRun,
} from "./lazy-declarations.ts";

/** What a scope belongs to. */
export type ScopeKind = "program" | "namespace" | "record" | "template" | "function" | "block";

/**
 * From this depth on, declarations are bound in their order instead of on demand, so that a chain of them does not need more of the
 * stack.
 */
const deepOnDemand = 24;

/** The symbols of a name, with the time of each declaration. */
interface Version {
  readonly symbols: readonly Symbol[];
  /** Ascending. */
  readonly times: readonly number[];
}

/** The names in a part of the program, with their meanings. */
export interface Scope {
  readonly kind: ScopeKind;
  readonly clock: Clock;
  /** For a namespace or class: when each of a name's symbols was declared. */
  readonly times: Map<string, number[]> | undefined;
  /** For a namespace: declarations by name that have not been needed yet. For a class: definitions of members of any class. */
  readonly lazy: LazyByName | undefined;
  /** When the scope itself was created. */
  readonly born: number;
  /** Qualified, without a trailing `::`; empty at program scope. */
  readonly qualifiedName: string;
  readonly parent: Scope | undefined;
  readonly names: Map<string, Symbol[]>;
  /** Earlier meanings of names that were declared again, oldest first. Each is valid until the time of the next. */
  readonly earlier: Map<string, Version[]> | undefined;
  /** Nested namespaces and records, by name. */
  readonly inner: Map<string, Scope>;
  /** Scopes whose names are visible here: using directives, bases, inline and unnamed namespaces. */
  readonly using: { readonly scope: Scope; readonly since: number }[];
  readonly record?: RecordSymbol;
  /** Inside an unnamed namespace. */
  readonly isInternal: boolean;
}

/** Creates a scope inside of `parent`, whose clock it shares; without a parent, the scope of a translation unit. */
export function createScope(
  kind: ScopeKind,
  parent: Scope | undefined,
  options: { readonly name?: string; readonly record?: RecordSymbol; readonly isInternal?: boolean } = {},
): Scope {
  const outer = parent ?? { qualifiedName: "" };
  const qualifiedName = options.name === undefined ? outer.qualifiedName : qualify(outer, options.name);
  const clock = parent?.clock ?? { now: 0, isPast: false, depth: 0, list: createLazyDeclarations(), lookups: undefined };
  const isOfNamespace = isNamespace({ kind });
  const isTimed = isOfNamespace || kind === "record";
  return {
    kind,
    clock,
    times: isTimed ? new Map() : undefined,
    lazy: isOfNamespace ? new Map() : kind === "record" ? clock.list.members : undefined,
    born: clock.now,
    qualifiedName,
    parent,
    names: new Map(),
    earlier: isTimed ? new Map() : undefined,
    inner: new Map(),
    using: [],
    ...(options.record === undefined ? {} : { record: options.record }),
    isInternal: options.isInternal ?? parent?.isInternal ?? false,
  };
}

/** Adds a symbol under a name; several symbols with one name are overloads, or a tag and an object. */
export function declare(scope: Scope, name: string, symbol: Symbol): void {
  const present = ownNames(scope, name);
  if (present === undefined) setNames(scope, name, [symbol]);
  else if (!present.includes(symbol)) {
    present.push(symbol);
    scope.times?.get(name)?.push(scope.clock.now);
  }
}

/** The symbols declared under a name in this very scope. */
export function ownNames(scope: Scope, name: string): Symbol[] | undefined {
  scope.clock.lookups?.add(name);
  bindLazyNames(scope, name);
  return scope.names.get(name);
}

/** Replaces all symbols of a name in this scope by `symbol`. */
export function redeclare(scope: Scope, name: string, symbol: Symbol): void {
  setNames(scope, name, [symbol]);
}

/** Sets the symbols of a name. */
export function setNames(scope: Scope, name: string, symbols: Symbol[]): void {
  bindLazyNames(scope, name);
  const { times, earlier, clock } = scope;
  const before = scope.names.get(name);
  const since = times?.get(name);
  if (before !== undefined && since !== undefined && (since[0] ?? 0) < clock.now) {
    const versions = earlier?.get(name) ?? [];
    earlier?.set(name, versions);
    versions.push({ symbols: before, times: since });
  }
  scope.names.set(name, symbols);
  times?.set(
    name,
    symbols.map(() => clock.now),
  );
}

/** Makes the names of another scope visible in this one from here on. */
export function useScope(scope: Scope, other: Scope): void {
  scope.using.push({ scope: other, since: scope.clock.now });
}

/** Records that the names of a namespace are visible here, although its declarations are unknown. */
export function useUnread(scope: Scope): void {
  useScope(scope, unread);
}

const unread = createScope("namespace", undefined);

/** True if a name that is looked up from here may also be declared in a namespace whose declarations are unknown. */
export function seesUnread(scope: Scope): boolean {
  for (let current: Scope | undefined = scope; current !== undefined; current = current.parent) {
    if (current.using.length === 0) continue;
    for (const each of usedBy(current)) if (each === unread) return true;
  }
  return false;
}

/** A name with the name of its scope in front. */
export function qualify({ qualifiedName }: Pick<Scope, "qualifiedName">, name: string): string {
  return qualifiedName === "" ? name : `${qualifiedName}::${name}`;
}

/** Registers `bind` to run before one of the names is looked up in this scope; returns the time at which they are declared. */
export function bindLater({ clock, lazy }: Scope, names: readonly string[], bind: () => void): number {
  const time = passTime(clock);
  registerOne(clock.list, lazy, names, { time, isOneTime: clock.isPast }, bind);
  return time;
}

/**
 * Registers `bind` to run before a name of one of the declarations `from` … `to` of a run is looked up in this scope, or in any
 * class.
 */
export function bindRunLater({ clock, lazy }: Scope, run: NamedRun, from: number, to: number, bind: (index: number) => void): void {
  registerRun(clock.list, lazy, run, { from, to, time: clock.now, isOneTime: clock.isPast }, bind);
  if (!clock.isPast) clock.now += to - from;
}

/** Binds the lazy declarations with a name that precede the current time, in order; false if that nests too deeply. */
function bindLazyNames({ clock, lazy }: Scope, name: string): boolean {
  if (lazy === undefined) return true;
  materialize(clock.list, name);
  // Binding a class registers its definition under the names of its friends.
  for (let entries = lazy.get(name); entries !== undefined; entries = lazy.get(name)) {
    const due = entries.filter(({ time }) => time <= clock.now);
    if (due.length === 0) return true;
    if (isTooDeep(clock)) return false;
    if (clock.depth >= deepOnDemand) bindBefore(clock, due[0]?.time ?? clock.now);
    const later = entries.filter(({ time }) => time > clock.now);
    if (later.length === 0) lazy.delete(name);
    else lazy.set(name, later);
    for (const entry of due) bindLazy(clock, entry);
  }
  return true;
}

/** Binds all lazy declarations before a time, oldest first, so that a declaration is bound after those that it refers to. */
function bindBefore(clock: Clock, time: number): void {
  for (let next = nextBefore(clock.list, time); next !== undefined; next = nextBefore(clock.list, time)) bindLazy(clock, next);
}

function bindLazy(clock: Clock, entry: LazyDeclaration): void {
  const { bind } = entry;
  entry.bind = undefined;
  if (bind !== undefined) inPast(clock, entry.time, bind);
}

/** The key of a tag: tags have a name space of their own in C (C11 §6.2.3). */
export function tagKey(tag: string): string {
  return `tag ${tag}`;
}

/**
 * The symbols of a name in this very scope at the current time; undefined if it is not declared yet. All names of a class are
 * visible at all times, because the whole class sees them; an out-of-class redefinition counts from its place on.
 */
function namesNow({ kind, clock, times, names, earlier }: Scope, name: string): readonly Symbol[] | undefined {
  const symbols = names.get(name);
  const since = times?.get(name);
  if (!clock.isPast || symbols === undefined || since === undefined) return symbols;
  const now = upTo({ symbols, times: since }, clock.now);
  const version = now === undefined ? earlier?.get(name)?.findLast(({ times: [first = 0] }) => first <= clock.now) : undefined;
  if (version !== undefined) return upTo(version, clock.now);
  return now ?? (kind === "record" ? symbols : undefined);
}

/** The symbols of a version that were declared by then; undefined if there are none. */
function upTo({ symbols, times }: Version, now: number): readonly Symbol[] | undefined {
  if ((times[times.length - 1] ?? 0) <= now) return symbols;
  const count = times.findIndex((time) => time > now);
  return count <= 0 ? undefined : symbols.slice(0, count);
}

/** The declarations of a function before the place that is being read. */
export function declarationsNow({ clock }: Scope, { declarations }: FunctionSymbol): readonly FunctionDeclaration[] {
  return clock.isPast ? declarations.filter(({ since }) => since <= clock.now) : declarations;
}

/** The symbols of an identifier's innermost declaration, searched outward from `scope` (C++17 §6.4.1). Empty if nothing is known. */
export function lookup(scope: Scope, name: string): readonly Symbol[] {
  scope.clock.lookups?.add(name);
  for (let current: Scope | undefined = scope; current !== undefined; current = current.parent) {
    const found = lookupIn(current, name);
    if (found.length > 0) return bringsFunctions(current, name, found) ? [...found, ...functionsAround(current, name, found)] : found;
    // An unknown base class may declare any name.
    if (current.record !== undefined && hasUnknownBase(current.record)) return [unknownSymbol(name)];
  }
  return [];
}

/**
 * True if a using directive in a function may make more functions of that name visible. They are visible as if they were declared
 * in the namespaces around the function (C++17 §10.3.4p2).
 */
function bringsFunctions(scope: Scope, name: string, found: readonly Symbol[]): boolean {
  const isLocal = scope.kind === "block" || scope.kind === "function";
  return isLocal && scope.using.length > 0 && !scope.names.has(name) && found.some(({ kind }) => kind === "function");
}

function functionsAround(scope: Scope, name: string, known: readonly Symbol[]): readonly Symbol[] {
  const around = scope.parent === undefined ? [] : lookup(scope.parent, name);
  return around.filter((symbol) => symbol.kind === "function" && !known.includes(symbol));
}

/** The symbols of a name in this very scope, through its using directives (C++17 §6.4.3). */
export function lookupIn(scope: Scope, name: string): readonly Symbol[] {
  scope.clock.lookups?.add(name);
  if (!bindLazyNames(scope, name)) return [unknownSymbol(name)];
  const own = namesNow(scope, name) ?? none;
  // Functions of a used namespace inside of this one overload its own (C++17 §10.3.4p2).
  const isOverloaded = scope.kind !== "record" && scope.using.length > 0 && own.some(({ kind }) => kind === "function");
  if (own.length > 0 && !isOverloaded) return own;
  if (!spend()) return own.length > 0 ? own : [unknownSymbol(name)];
  return scope.using.length === 0 ? own : lookupInUsed(scope, name, own);
}

/** The symbols of a name in the scopes that this one uses, after `own`, its own functions. */
function lookupInUsed(scope: Scope, name: string, own: readonly Symbol[]): readonly Symbol[] {
  let found = own;
  for (const each of usedBy(scope)) {
    const orUnknown = () => (found.length > 0 ? found : [unknownSymbol(name)]);
    if (!bindLazyNames(each, name)) return orUnknown();
    const others = namesNow(each, name) ?? none;
    if (found.length === 0) {
      const isOverloaded = scope.kind !== "record" && others.some(({ kind }) => kind === "function");
      if (others.length > 0 && !isOverloaded) return others;
      found = others;
    } else if (others.length > 0 && (!isNamespace(scope) || isInside(each, scope))) {
      const known = found;
      found = [...known, ...others.filter((symbol) => symbol.kind === "function" && !known.includes(symbol))];
    }
    if (!spend()) return orUnknown();
  }
  return found;
}

const none: readonly Symbol[] = [];

/** True for a namespace, among them the global one. */
export function isNamespace({ kind }: Pick<Scope, "kind">): boolean {
  return kind === "program" || kind === "namespace";
}

function isInside(scope: Scope, outer: Scope): boolean {
  for (let current = scope.parent; current !== undefined; current = current.parent) if (current === outer) return true;
  return false;
}

/** The namespace or record with that name in `scope`, or in a scope that it uses. */
export function innerScope(scope: Scope, name: string): Scope | undefined {
  const own = ownInner(scope, name);
  if (own !== undefined || !spend() || scope.using.length === 0) return own;
  for (const each of usedBy(scope)) {
    const found = ownInner(each, name);
    if (found !== undefined) return found;
    if (!spend()) return undefined;
  }
  return undefined;
}

function ownInner(scope: Scope, name: string): Scope | undefined {
  scope.clock.lookups?.add(name);
  bindLazyNames(scope, name);
  const own = scope.inner.get(name);
  return own !== undefined && own.born <= own.clock.now ? own : undefined;
}

/** The other scopes whose names are visible in a scope now, each once, depth first. */
function* usedBy(scope: Scope): Generator<Scope> {
  const seen = new Set([scope]);
  const open = [{ of: scope, next: 0 }];
  for (let top = open[open.length - 1]; top !== undefined; top = open[open.length - 1]) {
    const other = top.of.using[top.next];
    top.next += 1;
    if (other === undefined) open.pop();
    else if (other.since <= top.of.clock.now && !seen.has(other.scope)) {
      seen.add(other.scope);
      yield other.scope;
      open.push({ of: other.scope, next: 0 });
    }
  }
}

/** The outermost scope of a chain. */
export function programScope(scope: Scope): Scope {
  let current = scope;
  while (current.parent !== undefined) current = current.parent;
  return current;
}

/** The nearest namespace scope, which namespace members are declared in. */
export function enclosingNamespace(scope: Scope): Scope {
  let current = scope;
  while (!isNamespace(current) && current.parent !== undefined) current = current.parent;
  return current;
}

/** The functions among symbols of one name. */
export function functionsOf(symbols: readonly Symbol[]): readonly FunctionSymbol[] {
  return symbols.filter((symbol): symbol is FunctionSymbol => symbol.kind === "function");
}

/** A name about which nothing may be concluded. */
export function unknownSymbol(name: string): UnknownSymbol {
  return { kind: "unknown", name };
}

function hasUnknownBase(record: RecordSymbol, depth = 0): boolean {
  return (
    depth > deepest || record.isIncomplete || record.bases.some((base) => base.kind !== "record" || hasUnknownBase(base.record, depth + 1))
  );
}
