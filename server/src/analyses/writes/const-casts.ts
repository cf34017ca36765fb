/**
 * Follows the result of a C-style cast that drops const to the writes through it: directly, through local pointers and references as
 * long as they hold it, and in functions that receive it. Only the objects that the cast's operand promised not to write count: their
 * members and elements, and no other object that a member points or refers to.
 */
import { demand } from "../../budget.ts";
import type { AccessFact, AccessPath, AccessStep, CallFact, ConversionFact, Facts } from "../../semantics/facts/facts.ts";
import { isInSpace } from "../../semantics/types/address-spaces.ts";
import { contains } from "../../semantics/types/places.ts";
import { innermostElement } from "../../semantics/types/predicates.ts";
import { isSamePlace, type Place, type VariableSymbol } from "../../semantics/types/symbols.ts";
import type { Type } from "../../semantics/types/types.ts";
import { dereferences, isAddress, levelsOf } from "../access-paths.ts";
import { builtinWrite, ownObject } from "../effects.ts";
import {
  accessesAround,
  accessesTo,
  callsAround,
  callsOn,
  callsWith,
  conversionsAround,
  conversionsFrom,
  variableOf,
} from "../fact-index.ts";
import { type HeldValue, type HeldValues, heldValues } from "../held-values.ts";
import { conditionsAround } from "../lane-guards.ts";

/** The const objects that a pointer leads to, by the number of pointers on the way: 1 for the pointee, 2 for its pointee. */
type Levels = readonly number[];

/** A parameter, or the object of a member function, that receives the address of what was const. */
export interface ConstReceiver {
  readonly call: CallFact;
  /** `ownObject` for the object of a member function. */
  readonly index: number;
  readonly place: Place;
}

/** What happens to the objects that a cast made writable. */
export interface CastUses {
  readonly writes: readonly Place[];
  /** Arguments of the language's own functions that write through them: atomics, `memcpy`. */
  readonly builtinWrites: readonly Place[];
  readonly receivers: readonly ConstReceiver[];
}

/** True for a C-style cast that removes const from a level of its operand. A `const_cast` shows that the author wants that. */
export function dropsConst(fact: ConversionFact): boolean {
  return fact.context === "cast" && fact.cast === "c-style" && droppedLevels(fact.from, fact.to).length > 0;
}

/** The levels that are const in one type of pointer, and not in another. */
function droppedLevels(from: Type, to: Type): Levels {
  const levels: number[] = [];
  let [source, target] = [pointeeOf(from), to.kind === "pointer" ? pointeeOf(to) : undefined];
  for (let level = 1; source !== undefined && target !== undefined; level++) {
    if (target.kind === "unknown" || target.kind === "function") break;
    if (isConstObject(source) && !isConstObject(target)) levels.push(level);
    [source, target] = [pointeeOf(source), pointeeOf(target)];
  }
  return levels;
}

function pointeeOf(type: Type): Type | undefined {
  return type.kind === "pointer" ? type.pointee : type.kind === "array" ? type.element : undefined;
}

function isConstObject(type: Type): boolean {
  return type.qualifiers.const || innermostElement(type).qualifiers.const;
}

/** The writes through the result of such a cast, and the functions that receive it. */
export function usesOfCast(fact: ConversionFact, facts: Facts): CastUses {
  const levels = droppedLevels(fact.from, fact.to);
  const writes: Place[] = [];
  const builtinWrites: Place[] = [];
  const receivers: ConstReceiver[] = [];
  const holders: Holder[] = [];
  const held = new Map<VariableSymbol, HeldValues>();
  const seen = new Set<ConversionFact>();
  const write = (access: AccessFact, steps: readonly AccessStep[] | undefined, from: Levels) => {
    const isWrite = access.mode === "write" || access.mode === "read-write";
    if (!isWrite || steps === undefined || access.type.qualifiers.const || isInSpace(access.type.qualifiers, "constant")) return;
    if (isReached({ steps }, from) && !writes.some((place) => isSamePlace(place, access.place))) writes.push(access.place);
  };
  const hold = (conversion: ConversionFact, from: Levels) => {
    const variable = variableOf(conversion.target);
    const isLocal = variable?.scope === "block" || variable?.scope === "parameter";
    const left = from.filter((level) => !isConstAt(conversion.to, level));
    if (!isLocal || left.length === 0 || seen.has(conversion)) return;
    if (conversion.context !== "initialize" && conversion.context !== "assign") return;
    seen.add(conversion);
    holders.push({ variable, conversion, levels: left });
  };
  const receive = (call: CallFact, index: number, place: Place, from: Levels) => {
    if (!from.includes(1) || call.launch !== undefined) return;
    // Filling a constant object through the runtime's functions is common, and other rules know their memory.
    if (/^(?:cuda|hip)/.test(call.name)) return;
    if (index !== ownObject && builtinWrite(call, index, place) !== undefined) builtinWrites.push(place);
    else if (call.callee !== undefined && !call.callee.isBuiltin) receivers.push({ call, index, place });
  };

  for (const access of accessesAround(facts, fact.place)) write(access, stepsBehind(fact, access.path), levels);
  for (const conversion of conversionsAround(facts, fact.place))
    hold(
      conversion,
      levelsAfter(
        valuesOf(conversion, (path, place) => valueBehind(fact, path, place)),
        conversion.to,
        levels,
      ),
    );
  for (const call of callsAround(facts, fact.place)) {
    if (call.object !== undefined && contains(call.object.place, fact.place))
      receive(call, ownObject, call.object.place, objectLevels(stepsBehind(fact, call.object.path), levels));
    for (const [index, { path, place }] of call.arguments.entries())
      if (contains(place, fact.place)) receive(call, index, place, passedLevels(call, index, valueBehind(fact, path, place), levels));
  }
  for (const holder of holders) {
    demand();
    const { variable } = holder;
    const values = held.get(variable) ?? heldValues(facts, variable);
    held.set(variable, values);
    const steps = ({ root, steps: own }: AccessPath) => (root === variable ? own : undefined);
    for (const access of accessesTo(facts, variable))
      if (mayHold(holder, access.place, values)) write(access, steps(access.path), holder.levels);
    for (const conversion of conversionsFrom(facts, variable))
      if (mayHold(holder, conversion.operandPlace, values))
        hold(
          conversion,
          levelsAfter(
            valuesOf(conversion, (path) => path && steps(path)),
            conversion.to,
            holder.levels,
          ),
        );
    for (const call of callsOn(facts, variable))
      if (call.object?.path !== undefined && mayHold(holder, call.object.place, values))
        receive(call, ownObject, call.object.place, objectLevels(call.object.path.steps, holder.levels));
    for (const call of callsWith(facts, variable))
      for (const [index, { path, place }] of call.arguments.entries())
        if (path?.root === variable && mayHold(holder, place, values))
          receive(call, index, place, passedLevels(call, index, path.steps, holder.levels));
  }
  return { writes, builtinWrites, receivers };
}

/** A local variable that gets a pointer, or a reference, to what was const. */
interface Holder {
  readonly variable: VariableSymbol;
  readonly conversion: ConversionFact;
  readonly levels: Levels;
}

/**
 * True if the variable still holds the pointer at a place. Where it may also hold another one, a condition that did not hold at the
 * assignment may know that.
 */
function mayHold({ variable, conversion }: Holder, place: Place, values: HeldValues): boolean {
  if (variable.type.kind === "reference") return true;
  const all = values(place);
  const own = [...(all ?? [])].find(({ source }) => source === conversion);
  if (all === undefined || own === undefined) return false;
  if (isOnly(own, all)) return true;
  const within = conversion.within;
  const [before, at] = within === undefined ? [] : [conditionsAround(within, conversion.operandPlace), conditionsAround(within, place)];
  return before !== undefined && at !== undefined && at.every((condition) => before.includes(condition));
}

function isOnly(own: HeldValue, all: ReadonlySet<HeldValue>): boolean {
  return all.size === 1 && own.source !== "unknown" && own.source !== "argument" && own.source.alternatives === undefined;
}

/** The paths of all values that a conversion may convert, as far as they are known. */
function valuesOf(
  { path, operandPlace, alternatives }: ConversionFact,
  relative: (path: AccessPath | undefined, place: Place) => readonly AccessStep[] | undefined,
): readonly (readonly AccessStep[])[] {
  const all = alternatives === undefined ? [path] : alternatives.map((each) => each.path);
  return all.map((each) => relative(each, operandPlace)).filter((steps) => steps !== undefined);
}

/** The steps from the cast's result to an lvalue that is reached through it. */
function stepsBehind(fact: ConversionFact, path: AccessPath | undefined): readonly AccessStep[] | undefined {
  const own = fact.path;
  if (own === undefined || path === undefined || path.root !== own.root || own.root === undefined) return undefined;
  const start = isAddress(own) ? own.steps.length - 1 : own.steps.length + 1;
  const pointee = isAddress(own) ? own.steps.slice(0, -1) : [...own.steps, { kind: "dereference" as const }];
  if (path.steps.length < start || pointee.some(({ kind }, index) => path.steps[index]?.kind !== kind)) return undefined;
  return [{ kind: "dereference" }, ...path.steps.slice(start)];
}

/** The steps from the cast's result to a pointer, or to an object that a reference binds to; none for the result itself. */
function valueBehind(fact: ConversionFact, path: AccessPath | undefined, place: Place): readonly AccessStep[] | undefined {
  if (isSamePlace(place, fact.place)) return [];
  if (fact.path === undefined || path === undefined || path.root !== fact.path.root || path.root === undefined) return undefined;
  const isResult = path.steps.length === fact.path.steps.length && path.steps.every(({ kind }, at) => kind === fact.path?.steps[at]?.kind);
  return isResult && contains(place, fact.place) ? [] : stepsBehind(fact, path);
}

function isReached(path: Pick<AccessPath, "steps">, levels: Levels): boolean {
  const level = levelsOf(path);
  return level !== undefined && levels.includes(level);
}

/** The levels of a pointer or reference that gets one of these values. */
function levelsAfter(values: readonly (readonly AccessStep[])[], to: Type, levels: Levels): Levels {
  const found = values.flatMap((steps) => levelsBehind(steps, to.kind === "reference", levels));
  return [...new Set(found)];
}

/** The levels of a pointer whose value is at the end of the steps, or is the address of what is there. */
function levelsBehind(steps: readonly AccessStep[], isReference: boolean, levels: Levels): Levels {
  const count = dereferences({ steps });
  const last = steps.map(({ kind }) => kind === "dereference").lastIndexOf(true);
  const isPartOfRecord = steps.some(({ kind }) => kind === "member");
  if (isReference || isAddress({ steps })) {
    if (levelsOf({ steps }) === undefined || count === 0) return [];
    // The pointers in a record lead to other objects.
    return levels.filter((level) => level === count || (level > count && !isPartOfRecord)).map((level) => level - count + 1);
  }
  return isPartOfRecord && last >= 0 ? [] : levels.filter((level) => level > count).map((level) => level - count);
}

function objectLevels(steps: readonly AccessStep[] | undefined, levels: Levels): Levels {
  return steps !== undefined && isReached({ steps }, levels) ? [1] : [];
}

function passedLevels(
  { callee, arguments: values }: CallFact,
  index: number,
  steps: readonly AccessStep[] | undefined,
  levels: Levels,
): Levels {
  const parameter = callee?.type.parameters[index];
  if (steps === undefined || (parameter?.kind !== "pointer" && parameter?.kind !== "reference")) return [];
  // An array is passed as a pointer to its elements.
  const isObject = parameter.kind === "reference" || (values[index]?.type.kind === "array" && !isAddress({ steps }));
  return levelsBehind(steps, isObject, levels).filter((level) => !isConstAt(parameter, level));
}

/** True if the type promises again that the objects of a level are not written. */
function isConstAt(type: Type, level: number): boolean {
  let current: Type | undefined = type.kind === "reference" ? type.referent : pointeeOf(type);
  for (let at = 1; at < level && current !== undefined; at++) current = pointeeOf(current);
  return current !== undefined && isConstObject(current);
}
