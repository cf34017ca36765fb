/**
 * Every write that reaches certain objects: to them, to a part of them, through pointers and references that lead to
 * nothing else, and in functions that are called with their address. What a pointer may point to is only concluded where
 * every one of its sources is seen.
 */
import type { AccessFact, AccessPath, AccessStep, CallFact, Facts } from "../semantics/facts.ts";
import type { FunctionSymbol, Place, VariableSymbol } from "../semantics/symbols.ts";
import type { Type } from "../semantics/types.ts";

/** How deep pointers to pointers and calls are followed. */
const stepsFollowed = 8;

export interface ObjectWrite {
  readonly object: VariableSymbol;
  /** Where it is written, or handed to something that writes. */
  readonly place: Place;
  /**
   * direct: the object is named; alias: a pointer or reference is; callee: `place` is in a function that is called with
   * the object; builtin: a function of the language writes through its argument.
   */
  readonly how: "direct" | "alias" | "callee" | "builtin";
  /** From the object to the part that is written. */
  readonly steps: readonly AccessStep[];
  /** Of the part. */
  readonly type: Type;
  readonly access: AccessFact | undefined;
  /** Of callee and builtin: the call, and its argument. */
  readonly call?: CallFact;
  readonly argument?: Place;
  /** The function in which `object` is named. */
  readonly within: FunctionSymbol | undefined;
  readonly lambda?: FunctionSymbol | undefined;
}

export interface ObjectFlow {
  /** The object that an lvalue is a part of, behind known pointers and references. */
  resolve(path: AccessPath): AccessPath;
  /** The object that a pointer points to, where that is known. */
  pointee(path: AccessPath | undefined): AccessPath | undefined;
  /** The writes to objects for which `isObject` holds. */
  writesTo(isObject: (variable: VariableSymbol) => boolean): readonly ObjectWrite[];
}

const cache = new WeakMap<Facts, ObjectFlow>();

/** Follows the pointers of one file's functions. */
export function objectFlow(facts: Facts): ObjectFlow {
  const known = cache.get(facts);
  if (known !== undefined) return known;
  const flow = createFlow(facts);
  cache.set(facts, flow);
  return flow;
}

/** A write through a parameter, or to the object of a member function (`parameter` is then undefined). */
interface Effect {
  readonly place: Place;
  readonly steps: readonly AccessStep[];
  readonly type: Type;
}

function createFlow(facts: Facts): ObjectFlow {
  const sources = sourcesOf(facts);
  const pointee = (path: AccessPath | undefined, depth = stepsFollowed): AccessPath | undefined => {
    if (path === undefined || depth === 0) return undefined;
    const last = path.steps[path.steps.length - 1];
    if (last?.kind === "address") return resolve({ root: path.root, steps: path.steps.slice(0, -1) }, depth - 1);
    if (path.steps.length > 0 || path.root === undefined) return undefined;
    const from = sources.get(path.root);
    if (from === undefined || from === "unknown") return undefined;
    const targets = from.map((source) => pointee(source, depth - 1));
    const first = targets[0];
    return first !== undefined && targets.every((target) => target !== undefined && target.root === first.root) ? first : undefined;
  };
  const resolve = (path: AccessPath, depth = stepsFollowed): AccessPath => {
    const at = path.steps.findIndex(({ kind }) => kind === "dereference");
    if (at < 0 || depth === 0) return path;
    const isReference = at === 0 && path.root?.type.kind === "reference";
    const target = isReference ? boundTo(path.root, depth) : pointee({ root: path.root, steps: path.steps.slice(0, at) }, depth);
    return target === undefined ? path : resolve({ root: target.root, steps: [...target.steps, ...path.steps.slice(at + 1)] }, depth - 1);
  };
  const boundTo = (variable: VariableSymbol | undefined, depth: number): AccessPath | undefined => {
    const from = variable === undefined ? undefined : sources.get(variable);
    const only = from === undefined || from === "unknown" || from.length !== 1 ? undefined : from[0];
    return only === undefined ? undefined : resolve(only, depth - 1);
  };
  const effects = createEffects(facts, (path) => resolve(path), (path) => pointee(path));
  return {
    resolve: (path) => resolve(path),
    pointee: (path) => pointee(path),
    writesTo: (isObject) => [...directWrites(facts, resolve, isObject), ...callWrites(facts, pointee, resolve, effects, isObject)],
  };
}

/** What each local pointer is made from, and each reference bound to; "unknown" where something is not seen. */
function sourcesOf({ conversions, accesses }: Facts): ReadonlyMap<VariableSymbol, readonly AccessPath[] | "unknown"> {
  const sources = new Map<VariableSymbol, AccessPath[] | "unknown">();
  const add = (variable: VariableSymbol, path: AccessPath | undefined) => {
    const known = sources.get(variable);
    if (known === "unknown") return;
    if (path === undefined) sources.set(variable, "unknown");
    else if (known === undefined) sources.set(variable, [path]);
    else known.push(path);
  };
  for (const { context, target, path, isNullConstant } of conversions) {
    if ((context !== "initialize" && context !== "assign") || target === undefined || !("kind" in target) || isNullConstant) continue;
    // Parameters are what callers make them.
    if (target.scope === "block") add(target, path);
  }
  // A pointer whose own address is taken may be changed by whoever has it.
  for (const { mode, path } of accesses) {
    if ((mode === "address" || mode === "bind") && path.steps.length === 0 && path.root?.type.kind === "pointer") sources.set(path.root, "unknown");
  }
  return sources;
}

function directWrites(facts: Facts, resolve: (path: AccessPath) => AccessPath, isObject: (variable: VariableSymbol) => boolean): readonly ObjectWrite[] {
  const writes: ObjectWrite[] = [];
  for (const access of facts.accesses) {
    if (access.mode !== "write" && access.mode !== "read-write") continue;
    const { root, steps } = resolve(access.path);
    if (root === undefined || !isObject(root) || steps.some(({ kind }) => kind === "dereference")) continue;
    const how = access.path.root === root ? "direct" : "alias";
    writes.push({ object: root, place: access.place, how, steps, type: access.type, access, within: access.within, lambda: access.lambda });
  }
  return writes;
}

function callWrites(
  facts: Facts,
  pointee: (path: AccessPath | undefined) => AccessPath | undefined,
  resolve: (path: AccessPath) => AccessPath,
  effects: Effects,
  isObject: (variable: VariableSymbol) => boolean,
): readonly ObjectWrite[] {
  const writes: ObjectWrite[] = [];
  const add = (call: CallFact, argument: Place, object: AccessPath | undefined, found: readonly Effect[], isBuiltin: boolean) => {
    if (object?.root === undefined || !isObject(object.root) || object.steps.some(({ kind }) => kind === "dereference")) return;
    for (const effect of found) {
      writes.push({
        object: object.root, place: effect.place, how: isBuiltin ? "builtin" : "callee", steps: [...object.steps, ...effect.steps], type: effect.type,
        access: undefined, call, argument, within: call.within, lambda: call.lambda,
      });
    }
  };
  for (const call of facts.calls) {
    const { callee, object } = call;
    if (callee !== undefined && object?.path !== undefined) add(call, object.place, resolve(object.path), effects.ofObject(callee), false);
    for (const [index, argument] of call.arguments.entries()) {
      if (argument.path === undefined) continue;
      const builtin = builtinEffect(call, index, argument.place);
      const target = isReference(callee, index) ? resolve(argument.path) : pointee(pointerPath(argument));
      if (builtin !== undefined) add(call, argument.place, target, [builtin], true);
      if (callee !== undefined) add(call, argument.place, target, effects.ofParameter(callee, index), false);
    }
  }
  return writes;
}

// ---------------------------------------------------------------- what functions do with what they are given

interface Effects {
  ofParameter(callee: FunctionSymbol, index: number): readonly Effect[];
  ofObject(callee: FunctionSymbol): readonly Effect[];
}

function createEffects(facts: Facts, resolve: (path: AccessPath) => AccessPath, pointee: (path: AccessPath | undefined) => AccessPath | undefined): Effects {
  const accesses = groupByFunction(facts.accesses.filter(({ mode }) => mode === "write" || mode === "read-write"));
  const calls = groupByFunction(facts.calls);
  const known = new Map<FunctionSymbol, Map<number, readonly Effect[]>>();
  // -1 is the object of a member function.
  const of = (callee: FunctionSymbol, index: number): readonly Effect[] => {
    const own = known.get(callee) ?? new Map<number, readonly Effect[]>();
    known.set(callee, own);
    const present = own.get(index);
    if (present !== undefined) return present;
    // While a recursive function is looked at, it adds nothing of its own.
    own.set(index, []);
    const symbol = definitionParameter(callee, index);
    const found: Effect[] = index >= 0 && symbol === undefined ? [] : [...writesThrough(accesses.get(callee) ?? [], symbol, resolve), ...passedOn(calls.get(callee) ?? [], symbol, resolve, pointee, of)];
    own.set(index, found);
    return found;
  };
  return { ofParameter: of, ofObject: (callee) => of(callee, -1) };
}

function definitionParameter({ declarations }: FunctionSymbol, index: number): VariableSymbol | undefined {
  return declarations.find(({ isDefinition }) => isDefinition)?.parameters[index]?.symbol;
}

/** The part of an object behind a parameter (or `this`) that a path names; undefined where it names something else. */
function behind({ root, steps }: AccessPath, parameter: VariableSymbol | undefined): readonly AccessStep[] | undefined {
  if (root !== parameter) return undefined;
  if (parameter === undefined) return steps.some(({ kind }) => kind === "dereference") ? undefined : steps;
  const [first, ...rest] = steps;
  return first?.kind === "dereference" && !rest.some(({ kind }) => kind === "dereference") ? rest : undefined;
}

function writesThrough(accesses: readonly AccessFact[], parameter: VariableSymbol | undefined, resolve: (path: AccessPath) => AccessPath): readonly Effect[] {
  return accesses.flatMap((access) => {
    const steps = behind(resolve(access.path), parameter);
    return steps === undefined ? [] : [{ place: access.place, steps, type: access.type }];
  });
}

function passedOn(
  calls: readonly CallFact[],
  parameter: VariableSymbol | undefined,
  resolve: (path: AccessPath) => AccessPath,
  pointee: (path: AccessPath | undefined) => AccessPath | undefined,
  of: (callee: FunctionSymbol, index: number) => readonly Effect[],
): readonly Effect[] {
  const effects: Effect[] = [];
  const add = (steps: readonly AccessStep[] | undefined, found: readonly Effect[]) => {
    if (steps !== undefined) effects.push(...found.map((effect) => ({ ...effect, steps: [...steps, ...effect.steps] })));
  };
  for (const call of calls) {
    const { callee, object } = call;
    if (callee !== undefined && object?.path !== undefined) add(behind(resolve(object.path), parameter), of(callee, -1));
    for (const [index, argument] of call.arguments.entries()) {
      if (argument.path === undefined) continue;
      const pointer = pointerPath(argument);
      const target = isReference(callee, index) ? resolve(argument.path) : (pointee(pointer) ?? { root: argument.path.root, steps: [...argument.path.steps, { kind: "dereference" as const }] });
      const builtin = builtinEffect(call, index, argument.place);
      if (builtin !== undefined) add(behind(target, parameter), [builtin]);
      if (callee !== undefined) add(behind(target, parameter), of(callee, index));
    }
  }
  return effects;
}

function isReference(callee: FunctionSymbol | undefined, index: number): boolean {
  return callee?.declarations[0]?.parameters[index]?.symbol.type.kind === "reference";
}

/** An array is passed as a pointer to its elements. */
export function pointerPath({ path, type }: CallFact["arguments"][number]): AccessPath | undefined {
  return path !== undefined && type.kind === "array" ? { root: path.root, steps: [...path.steps, { kind: "address" }] } : path;
}

function groupByFunction<T extends { readonly within: FunctionSymbol | undefined }>(items: readonly T[]): ReadonlyMap<FunctionSymbol, readonly T[]> {
  const groups = new Map<FunctionSymbol, T[]>();
  for (const item of items) {
    if (item.within === undefined) continue;
    const group = groups.get(item.within);
    if (group === undefined) groups.set(item.within, [item]);
    else group.push(item);
  }
  return groups;
}

/** Functions that write through their first argument whatever its type is. */
const writers = new Set(["memcpy", "memmove", "memset", "__builtin_memcpy", "__builtin_memset", "__builtin_memmove", "std::memcpy", "std::memset", "std::memmove"]);

/** A builtin function writes through its pointers to what is not const: atomics, `sincosf`, `frexpf`. */
function builtinEffect(call: CallFact, index: number, place: Place): Effect | undefined {
  const isWriter = index === 0 && writers.has(call.name);
  const parameter = call.callee?.isBuiltin === true ? call.callee.type.parameters[index] : undefined;
  const written = parameter?.kind === "pointer" ? parameter.pointee : undefined;
  if (!isWriter && (written === undefined || written.qualifiers.const || written.kind === "function")) return undefined;
  return { place, steps: [], type: written ?? { kind: "unknown", qualifiers: { space: undefined, const: false, volatile: false, restrict: false } } };
}
