/**
 * Finds every write that reaches certain objects: to the object or a part of it, through pointers and references that can only lead
 * to it, and in functions of this file that receive its address. `passed-objects.ts` asks about functions of other files.
 */
import { memo } from "../memo.ts";
import type { AccessFact, AccessPath, AccessStep, CallFact, Facts } from "../semantics/facts/facts.ts";
import type { FunctionSymbol, Place, VariableSymbol } from "../semantics/types/symbols.ts";
import type { Type } from "../semantics/types/types.ts";
import { hasWord } from "../syntax/walk.ts";
import { leavesObject } from "./access-paths.ts";
import { builtinWrite, effectsOf, ownObject, type StoreEffect, type WriteEffect } from "./effects.ts";
import { objectFlow } from "./object-flow.ts";

/** One write that reaches an object. */
export interface ObjectWrite {
  readonly object: VariableSymbol;
  /** Where the object is written, or passed to something that writes it. */
  readonly place: Place;
  /**
   * `direct`: the write names the object. `alias`: it goes through a pointer or reference. `callee`: `place` is in a function that
   * receives the object. `builtin`: a function of the language writes through its argument.
   */
  readonly how: "direct" | "alias" | "callee" | "builtin";
  /** The path from the object to the written part. */
  readonly steps: readonly AccessStep[];
  /** The type of the part. */
  readonly type: Type;
  /** For callee and builtin: the call, and its argument. */
  readonly call?: CallFact;
  readonly argument?: Place;
  /** As in `AccessFact`. */
  readonly assignment?: AccessFact["assignment"];
  /** The function in which `object` is named. */
  readonly within: FunctionSymbol | undefined;
  readonly lambda?: FunctionSymbol | undefined;
}

/** An object that a call passes by reference or by address, and the effects of the function on it as far as this file shows. */
export interface PassedObject {
  readonly object: AccessPath & { readonly root: VariableSymbol };
  readonly call: CallFact;
  readonly callee: FunctionSymbol;
  /** The parameter that receives it; `ownObject` for the object of a member function. */
  readonly index: number;
  readonly argument: Place;
  readonly effects: readonly (WriteEffect | StoreEffect)[];
}

/** The writes to objects for which `isObject` is true. */
export function writesTo(facts: Facts, isObject: (variable: VariableSymbol) => boolean): readonly ObjectWrite[] {
  return [
    ...directWrites(facts).filter(({ object }) => isObject(object)),
    ...builtinWrites(facts).filter(({ object }) => isObject(object)),
    ...passedObjects(facts, isObject).flatMap(calleeWrites),
  ];
}

/** Every call that passes such an object, or a part of it, other than by value. */
export function passedObjects(facts: Facts, isObject: (variable: VariableSymbol) => boolean): readonly PassedObject[] {
  const effects = effectsOf(facts);
  return passedByCalls(facts)
    .filter(({ object }) => isObject(object.root))
    .map((each) => ({ ...each, effects: effects.reached(each.callee, each.index) }));
}

/** Every call that passes any object, or a part of it, other than by value. */
const passedByCalls = memo((facts: Facts): readonly Omit<PassedObject, "effects">[] => {
  const flow = objectFlow(facts);
  const found: Omit<PassedObject, "effects">[] = [];
  for (const call of facts.calls) {
    const { callee, object } = call;
    if (callee === undefined || callee.isBuiltin || call.launch !== undefined) continue;
    const add = (path: AccessPath | undefined, index: number, argument: Place) => {
      const root = path?.root;
      if (path === undefined || root === undefined || leavesObject(path)) return;
      found.push({ object: { ...path, root }, call, callee, index, argument });
    };
    if (object?.path !== undefined) add(flow.resolve(object.path), ownObject, object.place);
    for (const [index, { place }] of call.arguments.entries()) add(flow.passed(call, index), index, place);
  }
  return found;
});

/** Writes that name the object, or a pointer or reference that leads to it. */
const directWrites = memo((facts: Facts): readonly ObjectWrite[] => {
  const flow = objectFlow(facts);
  const writes: ObjectWrite[] = [];
  for (const access of facts.accesses) {
    if (access.mode !== "write" && access.mode !== "read-write") continue;
    const path = flow.resolve(access.path);
    const { root, steps } = path;
    if (root === undefined || leavesObject(path)) continue;
    const { place, type, within, lambda, assignment } = access;
    const how = access.path.root === root ? "direct" : "alias";
    writes.push({ object: root, place, how, steps, type, within, lambda, ...(assignment && { assignment }) });
  }
  return writes;
});

const builtinWrites = memo((facts: Facts): readonly ObjectWrite[] => {
  const flow = objectFlow(facts);
  const writes: ObjectWrite[] = [];
  for (const call of facts.calls) {
    for (const [index, { place }] of call.arguments.entries()) {
      const effect = builtinWrite(call, index, place);
      const path = effect === undefined ? undefined : flow.passed(call, index);
      const root = path?.root;
      if (effect === undefined || path === undefined || root === undefined || leavesObject(path)) continue;
      writes.push({
        object: root,
        place,
        how: "builtin",
        steps: path.steps,
        type: effect.type,
        call,
        argument: place,
        within: call.within,
        lambda: call.lambda,
      });
    }
  }
  return writes;
});

function calleeWrites({ object, call, argument, effects }: PassedObject): readonly ObjectWrite[] {
  return effects.flatMap((effect): readonly ObjectWrite[] => {
    if (effect.kind !== "write") return [];
    const steps = [...object.steps, ...effect.steps];
    return [
      {
        object: object.root,
        place: effect.place,
        how: "callee",
        steps,
        type: effect.type,
        call,
        argument,
        within: call.within,
        lambda: call.lambda,
      },
    ];
  });
}

/** The mutable member through which a const object can be written. */
export function mutableOf(steps: readonly AccessStep[]): string | undefined {
  const mutable = steps.find((step) => step.kind === "member" && hasWord(step.member?.words ?? [], "mutable"));
  return mutable?.kind === "member" ? mutable.name : undefined;
}
