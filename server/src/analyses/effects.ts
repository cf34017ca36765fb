/**
 * The effects of functions on objects that they receive by pointer or reference: writing them, storing their address, passing them
 * on. A function's own body gives its own effects; `reached` adds those of the functions that it calls. An unknown function, or one
 * without a body here, has no effects.
 */
import { demand } from "../budget.ts";
import { append } from "../lists.ts";
import { memo } from "../memo.ts";
import type { AccessPath, AccessStep, CallFact, Facts } from "../semantics/facts/facts.ts";
import type { FunctionSymbol, Place, VariableSymbol } from "../semantics/types/symbols.ts";
import { type Type, unknownType } from "../semantics/types/types.ts";
import { leavesObject, partOfPointee } from "./access-paths.ts";
import { isUndecided } from "./device-code.ts";
import { assignmentsOf } from "./fact-index.ts";
import { type HeldValues, heldValues } from "./held-values.ts";
import { isReplaced, type ObjectFlow, objectFlow } from "./object-flow.ts";

/** Stands for the object of a member function, in place of a parameter's index. */
export const ownObject = -1;

/** The function writes a part of the object. */
export interface WriteEffect {
  readonly kind: "write";
  readonly place: Place;
  /** The path from the object to the part. */
  readonly steps: readonly AccessStep[];
  /** The type of the part. */
  readonly type: Type;
}

/** The object's address is stored where it outlives the call. */
export interface StoreEffect {
  readonly kind: "store";
  readonly place: Place;
}

/** The object, or a part of it, is passed to another function. */
export interface Pass {
  readonly callee: FunctionSymbol;
  readonly index: number;
  readonly steps: readonly AccessStep[];
  /** The argument. */
  readonly place: Place;
}

/** The effects of a function's own body on a parameter, and the functions that it passes the parameter on to. */
export interface OwnEffects {
  readonly effects: readonly (WriteEffect | StoreEffect)[];
  readonly passes: readonly Pass[];
}

/** The effects of functions on their parameters, both their own and those of the functions that they call. */
export interface Effects {
  /** The effects of a function's own body on the object behind a parameter, or on its own object. */
  own(callee: FunctionSymbol, index: number): OwnEffects;
  /** The same effects, and those of the functions in this file that it calls, directly or indirectly. */
  reached(callee: FunctionSymbol, index: number): readonly (WriteEffect | StoreEffect)[];
}

const nothing: OwnEffects = { effects: [], passes: [] };

/** The effects of one file's functions. */
export const effectsOf = memo(createEffects);

function createEffects(facts: Facts): Effects {
  const flow = objectFlow(facts);
  // Arguments of a template may discard a branch of `if constexpr`, `?:`, `&&` or `||`.
  const isCertain = ({ place }: { readonly place: Place }) => !isUndecided(place, facts);
  const accesses = groupByFunction(
    facts.accesses.filter((each) => (each.mode === "write" || each.mode === "read-write") && isCertain(each)),
  );
  const stores = groupByFunction(addressStores(facts, flow).filter((each) => each.isStatic && isCertain(each)));
  const calls = groupByFunction(facts.calls.filter(isCertain));
  const bodies = new Map<FunctionSymbol, ReadonlyMap<VariableSymbol | undefined, OwnEffects>>();
  const answers = new Map<FunctionSymbol, Map<number, readonly (WriteEffect | StoreEffect)[]>>();
  const bodyOf = (callee: FunctionSymbol): ReadonlyMap<VariableSymbol | undefined, OwnEffects> => {
    const known = bodies.get(callee);
    if (known !== undefined) return known;
    const body = createBody(callee, facts);
    for (const { path, place, type } of accesses.get(callee) ?? [])
      body.add(flow.resolve(path), place, (steps) => ({ kind: "write", place, steps, type }));
    for (const { object, place } of stores.get(callee) ?? []) body.add(object, place, () => ({ kind: "store", place }));
    for (const call of calls.get(callee) ?? []) addCall(body, call, flow);
    bodies.set(callee, body.effects);
    return body.effects;
  };
  const own = (callee: FunctionSymbol, index: number): OwnEffects => {
    if (isSpecialized(callee)) return nothing;
    const symbol = definitionParameter(callee, index);
    return (index !== ownObject && symbol === undefined ? undefined : bodyOf(callee).get(symbol)) ?? nothing;
  };
  const reached = (callee: FunctionSymbol, index: number): readonly (WriteEffect | StoreEffect)[] => {
    const ofCallee = answers.get(callee) ?? new Map<number, readonly (WriteEffect | StoreEffect)[]>();
    answers.set(callee, ofCallee);
    const answer = ofCallee.get(index) ?? close({ callee, index, steps: [] }, own);
    ofCallee.set(index, answer);
    return answer;
  };
  return { own, reached };
}

/** True if a template has an explicit specialization, whose body counts instead for some arguments. */
export function isSpecialized({ isTemplate, specializations }: FunctionSymbol): boolean {
  return isTemplate && specializations.some(({ declarations }) => declarations.some(({ role }) => role === "specialization"));
}

/** Visits each call once, in breadth-first order, so that each function of a recursion counts only once. */
function close(start: Pick<Pass, "callee" | "index" | "steps">, own: Effects["own"]): readonly (WriteEffect | StoreEffect)[] {
  const found: (WriteEffect | StoreEffect)[] = [];
  const seen = new Map<FunctionSymbol, Set<number>>();
  const open = [start];
  for (const { callee, index, steps } of open) {
    demand();
    const known = seen.get(callee) ?? new Set<number>();
    seen.set(callee, known);
    if (known.has(index)) continue;
    known.add(index);
    const { effects, passes } = own(callee, index);
    demand((effects.length + passes.length) * (1 + (steps.length >> 3)));
    append(
      found,
      effects.map((effect) => (effect.kind === "write" ? { ...effect, steps: [...steps, ...effect.steps] } : effect)),
    );
    append(
      open,
      passes.map((pass) => ({ ...pass, steps: [...steps, ...pass.steps] })),
    );
  }
  return found;
}

/** The parameter of a function's definition. */
export function definitionParameter({ declarations }: FunctionSymbol, index: number): VariableSymbol | undefined {
  return declarations.find(({ isDefinition }) => isDefinition)?.parameters[index]?.symbol;
}

interface Body {
  readonly effects: ReadonlyMap<VariableSymbol | undefined, OwnEffects>;
  /** Adds an effect on the object of a path, if that object is behind a parameter at the place, or is the function's own. */
  add(path: AccessPath, place: Place, effect: (steps: readonly AccessStep[]) => WriteEffect | StoreEffect): void;
  pass(path: AccessPath | undefined, pass: Omit<Pass, "steps">): void;
}

function createBody(callee: FunctionSymbol, facts: Facts): Body {
  const parameters = new Set(callee.declarations.flatMap((declaration) => declaration.parameters.map(({ symbol }) => symbol)));
  const effects = new Map<VariableSymbol | undefined, { readonly effects: (WriteEffect | StoreEffect)[]; readonly passes: Pass[] }>();
  const of = (root: VariableSymbol | undefined) => {
    const known = effects.get(root) ?? { effects: [], passes: [] };
    effects.set(root, known);
    return known;
  };
  const held = new Map<VariableSymbol, HeldValues>();
  // A parameter may have thousands of accesses, and each asks.
  const replaced = new Map<VariableSymbol, boolean>();
  const isArgument = (parameter: VariableSymbol, place: Place): boolean => {
    const isOther = replaced.get(parameter) ?? isReplaced(parameter, facts);
    replaced.set(parameter, isOther);
    if (!isOther) return true;
    const values = held.get(parameter) ?? heldValues(facts, parameter);
    held.set(parameter, values);
    return [...(values(place) ?? [])].some(({ source }) => source === "argument");
  };
  const stepsOf = (path: AccessPath, place: Place) => {
    if (path.root !== undefined && !parameters.has(path.root)) return undefined;
    const steps = partReceived(path);
    return path.root === undefined || (steps !== undefined && isArgument(path.root, place)) ? steps : undefined;
  };
  return {
    effects,
    add: (path, place, effect) => {
      const steps = stepsOf(path, place);
      if (steps !== undefined) of(path.root).effects.push(effect(steps));
    },
    pass: (path, pass) => {
      const steps = path === undefined ? undefined : stepsOf(path, pass.place);
      if (path !== undefined && steps !== undefined) of(path.root).passes.push({ ...pass, steps });
    },
  };
}

/** The part of the object behind a parameter, or of `this`, that a path refers to; undefined if the path leads to another object. */
function partReceived({ root, steps }: AccessPath): readonly AccessStep[] | undefined {
  if (root === undefined) return leavesObject({ steps }) ? undefined : steps;
  return partOfPointee({ steps });
}

function addCall(body: Body, call: CallFact, flow: ObjectFlow): void {
  const { callee, object } = call;
  const isPass = callee !== undefined && !callee.isBuiltin && call.launch === undefined;
  if (isPass && object?.path !== undefined) body.pass(flow.resolve(object.path), { callee, index: ownObject, place: object.place });
  for (const [index, { place }] of call.arguments.entries()) {
    const effect = builtinWrite(call, index, place);
    if (effect === undefined && !isPass) continue;
    const path = flow.passed(call, index);
    if (effect !== undefined && path !== undefined) body.add(path, place, (steps) => ({ ...effect, steps }));
    if (isPass) body.pass(path, { callee, index, place });
  }
}

function groupByFunction<T extends { readonly within: FunctionSymbol | undefined }>(
  items: readonly T[],
): ReadonlyMap<FunctionSymbol, readonly T[]> {
  const groups = new Map<FunctionSymbol, T[]>();
  for (const item of items) {
    if (item.within === undefined) continue;
    const group = groups.get(item.within);
    if (group === undefined) groups.set(item.within, [item]);
    else group.push(item);
  }
  return groups;
}

// ---------------------------------------------------------------- functions of the language

/** Functions that write bytes through their first argument, including those of the CUDA runtime. */
const writers = /^(?:(?:__builtin_|std::)?mem(?:cpy|move|set)|cudaMem(?:cpy|set)\w*)$/;

/**
 * The write of a builtin function through its pointers to non-const: atomics, `sincosf`, `frexpf`. What takes a `void *` may only
 * convert or release it: `to_global`, `make_cudaPitchedPtr`, `free`.
 */
export function builtinWrite(call: CallFact, index: number, place: Place): WriteEffect | undefined {
  const isWriter = index === 0 && writers.test(call.name);
  const parameter = call.callee?.isBuiltin === true ? call.callee.type.parameters[index] : undefined;
  const pointee = parameter?.kind === "pointer" ? parameter.pointee : undefined;
  const written = pointee === undefined || pointee.qualifiers.const || pointee.kind === "function" ? undefined : pointee;
  const isWritten = written !== undefined && (written.kind !== "void" || call.name === "capture_event_profiling_info");
  return isWriter || isWritten ? { kind: "write", place, steps: [], type: written ?? unknownType } : undefined;
}

// ---------------------------------------------------------------- stored addresses

/** A place where the address of an object is stored. */
export interface AddressStore {
  /** The object whose address it is. */
  readonly object: AccessPath;
  readonly place: Place;
  /**
   * The address is stored in a variable with static storage duration; otherwise it is stored through a pointer parameter of a
   * kernel.
   */
  readonly isStatic: boolean;
  readonly within: FunctionSymbol | undefined;
}

/** Every assignment that stores the address of an object in memory that certainly outlives the function. */
export function addressStores(facts: Facts, flow: ObjectFlow): readonly AddressStore[] {
  return facts.conversions.flatMap(({ context, from, path, operandPlace, within }): readonly AddressStore[] => {
    if (context !== "assign" || path === undefined || (from.kind !== "pointer" && from.kind !== "array")) return [];
    const destination = assignmentsOf(facts, operandPlace).at(-1);
    if (destination === undefined) return [];
    const object = flow.pointee(path) ?? { root: path.root, steps: [...path.steps, { kind: "dereference" as const }] };
    const kept = flow.resolve(destination.path);
    const isStatic = (kept.root?.scope === "program" || kept.root?.scope === "static-member") && !leavesObject(kept);
    const isOfKernel =
      kept.steps[0]?.kind === "dereference" &&
      kept.root?.scope === "parameter" &&
      within?.declarations.some(({ execution }) => execution.kernel) === true;
    return isStatic || isOfKernel ? [{ object, place: operandPlace, isStatic, within }] : [];
  });
}
