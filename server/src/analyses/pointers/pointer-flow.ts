/**
 * Finds where the pointers of one file come from, as far as its declarations, assignments and calls show. That is enough to know
 * that a generic pointer, or an integer cast from one, can only point into certain address spaces. All assignments count, in any
 * order; a source that is not visible makes the answer unknown.
 */
import { append } from "../../lists.ts";
import { memo } from "../../memo.ts";
import type { AddressSpace } from "../../qualifiers.ts";
import type { AccessFact, AccessPath, ConversionFact, Facts } from "../../semantics/facts/facts.ts";
import { overlaps } from "../../semantics/types/address-spaces.ts";
import { isSamePlace, type Place, type VariableSymbol } from "../../semantics/types/symbols.ts";
import { isInteger, type Type } from "../../semantics/types/types.ts";
import type { Expression } from "../../syntax/ast.ts";
import { leavesObject } from "../access-paths.ts";
import { readsAt, variableOf } from "../fact-index.ts";
import { groupBy } from "../group-by.ts";

/** A place where a value comes from, and the space that it points into. */
export interface PointerOrigin {
  readonly space: AddressSpace;
  readonly place: Place;
}

/** How many variables are followed to their sources. */
const stepsFollowed = 8;

/** Answers where a pointer, or the integer that it was cast to, may come from. */
export interface PointerFlow {
  /** Every space that the operand of a conversion may point into; undefined if one of its sources is unknown. */
  originsOf(fact: ConversionFact): readonly PointerOrigin[] | undefined;
  /** Like `originsOf`, for the pointers whose bits make up an integer. Also undefined if it combines several, as a difference does. */
  originsOfBits(integer: Expression, unit: Place["unit"]): readonly PointerOrigin[] | undefined;
  /** The arguments that this file's calls pass for a parameter; empty if nothing calls the function. */
  passedTo(parameter: VariableSymbol): readonly ConversionFact[];
}

/** Follows the pointers of one file. A pointer that code elsewhere may have written has no known origins. */
export const pointerFlow: (facts: Facts) => PointerFlow = memo(createPointerFlow);

function createPointerFlow(facts: Facts): PointerFlow {
  const gained = groupBy(facts.conversions, ({ context, target }) => (context === "cast" ? undefined : variableOf(target)));
  const writes = groupBy(facts.accesses, ({ mode, path }) => (mode !== "read" && path.steps.length === 0 ? path.root : undefined));
  const toInteger = facts.conversions.filter(({ context, from, to }) => context === "cast" && isPointer(from) && isInteger(to));
  const calls = groupBy(facts.calls, ({ callee }) => callee);

  const visiting = new Set<VariableSymbol>();
  const originsOfVariable = (variable: VariableSymbol, steps: number): readonly PointerOrigin[] | undefined => {
    const { type } = variable;
    if (type.kind !== "pointer") return undefined;
    const { space } = type.pointee.qualifiers;
    if (space !== "generic") return space === undefined ? undefined : [{ space, place: variable.place }];
    // A parameter of a function that other files may call, or a variable whose address escapes, may have any value.
    if (
      steps === 0 ||
      variable.scope !== "block" ||
      (writes.get(variable) ?? []).some(({ mode }) => mode !== "write" && mode !== "read-write")
    )
      return undefined;
    // `p = p + 1` does not add an origin.
    if (visiting.has(variable)) return [];
    visiting.add(variable);
    const origins = allOf(
      (gained.get(variable) ?? []).filter(({ isNullConstant }) => !isNullConstant),
      (fact) => originsOfOperand(fact, steps - 1),
    );
    visiting.delete(variable);
    return origins;
  };
  const originsOfOperand = (
    { from, path, operandPlace, alternatives }: ConversionFact,
    steps: number,
  ): readonly PointerOrigin[] | undefined => {
    if (alternatives !== undefined) return allOf(alternatives, ({ type, path: other }) => originsOfValue(type, other, operandPlace, steps));
    return originsOfValue(from, path, operandPlace, steps);
  };
  const originsOfValue = (
    from: Type,
    path: AccessPath | undefined,
    operandPlace: Place,
    steps: number,
  ): readonly PointerOrigin[] | undefined => {
    const space = isPointer(from) ? pointeeOf(from).qualifiers.space : undefined;
    const root = path?.root;
    const last = path?.steps[path.steps.length - 1];
    const isAddress = last?.kind === "address" && !(path !== undefined && leavesObject(path));
    if (root !== undefined && isAddress && root.type.qualifiers.space !== undefined)
      return [{ space: root.type.qualifiers.space, place: operandPlace }];
    if (root !== undefined && path?.steps.length === 0) {
      const origins = originsOfVariable(root, steps);
      if (origins !== undefined) return origins.map((origin) => ({ ...origin, place: operandPlace }));
    }
    return space === undefined || space === "generic" ? undefined : [{ space, place: operandPlace }];
  };
  const accessAt = (wanted: Place): AccessFact | undefined => readsAt(facts, wanted)[0];
  const originsOfInteger = (variable: VariableSymbol): readonly PointerOrigin[] | undefined => {
    const changes = writes.get(variable) ?? [];
    if (visiting.has(variable) || changes.some(({ mode }) => mode === "bind" || mode === "address")) return undefined;
    const { initializer, place, scope, owner } = variable;
    const values = changes.flatMap(({ assignment, place: { unit } }) =>
      assignment?.operator === "=" ? [{ value: assignment.value, unit }] : [],
    );
    if (initializer?.kind === "value") values.push({ value: initializer.value, unit: place.unit });
    const called = scope === "parameter" && owner !== undefined ? calls.get(owner) : undefined;
    for (const { arguments: given } of called ?? [])
      for (const argument of given.slice(variable.index ?? 0).slice(0, 1))
        values.push({ value: argument.expression, unit: argument.place.unit });
    visiting.add(variable);
    const origins = values.length === 0 ? undefined : allOf(values, ({ value, unit }) => originsOfBits(value, unit));
    visiting.delete(variable);
    return origins;
  };
  /** The origins of a union member, if another member was written. */
  const originsInUnion = ({ path: { root, steps } }: AccessFact): readonly PointerOrigin[] | undefined => {
    const last = steps[steps.length - 1];
    if (root === undefined || last?.kind !== "member" || last.member?.record?.key !== "union") return undefined;
    const record = last.member.record;
    const written = facts.accesses.filter(({ mode, path }) => {
      const own = path.steps[path.steps.length - 1];
      return (
        mode === "write" &&
        path.root === root &&
        path.steps.length === steps.length &&
        own?.kind === "member" &&
        own.member?.record === record
      );
    });
    const origins = written.map(({ type, place }) => ({ space: pointedSpace(type), place }));
    return origins.length > 0 &&
      origins.every((origin): origin is PointerOrigin => origin.space !== undefined && origin.space !== "generic")
      ? origins
      : undefined;
  };
  const originsOfBits = (e: Expression, unit: Place["unit"]): readonly PointerOrigin[] | undefined => {
    const bits = (part: Expression) => originsOfBits(part, unit);
    switch (e.kind) {
      case "parenthesized":
        return bits(e.inner);
      case "cast":
      case "named-cast": {
        const cast = toInteger.find(({ place }) => isSamePlace(place, { unit, span: e.span }));
        return cast === undefined ? bits(e.operand) : originsOfOperand(cast, stepsFollowed);
      }
      case "conditional":
        return allOf([e.then, e.otherwise], (part) => (part === undefined ? undefined : bits(part)));
      case "comma":
        return bits(e.right);
      case "binary": {
        const [left, right] = [bits(e.left), bits(e.right)];
        if (left !== undefined && right !== undefined) return undefined;
        return ["+", "-", "|", "&", "^"].includes(e.operator) ? (left ?? (e.operator === "-" ? undefined : right)) : undefined;
      }
      case "call":
        // These functions keep the bits.
        return e.function.kind === "name" && /^as_u?long$/.test(e.function.name.parts[0]?.text ?? "") && e.arguments[0] !== undefined
          ? bits(e.arguments[0])
          : undefined;
      case "name":
      case "member": {
        const access = accessAt({ unit, span: e.span });
        if (access === undefined || access.path.root === undefined) return undefined;
        return access.path.steps.length === 0 ? originsOfInteger(access.path.root) : originsInUnion(access);
      }
      default:
        return undefined;
    }
  };
  return {
    originsOf: (fact) => originsOfOperand(fact, stepsFollowed),
    originsOfBits: (integer, unit) => {
      const origins = originsOfBits(integer, unit);
      return origins === undefined || origins.length === 0 ? undefined : origins;
    },
    passedTo: (parameter) => (gained.get(parameter) ?? []).filter(({ context }) => context === "pass"),
  };
}

/** True if no origin can be in the pointer's declared space. Only then is anything reported. */
export function areAllDisjoint(origins: readonly PointerOrigin[] | undefined, space: AddressSpace): origins is readonly PointerOrigin[] {
  return origins !== undefined && origins.length > 0 && origins.every((origin) => !overlaps(origin.space, space));
}

/** The address space of a pointer's or an array's elements; undefined for other types, and if it is unknown. */
export function pointedSpace(type: Type): AddressSpace | undefined {
  return isPointer(type) ? pointeeOf(type).qualifiers.space : undefined;
}

function isPointer(type: Type): type is Extract<Type, { kind: "pointer" | "array" }> {
  return type.kind === "pointer" || type.kind === "array";
}

function pointeeOf(type: Extract<Type, { kind: "pointer" | "array" }>): Type {
  return type.kind === "pointer" ? type.pointee : type.element;
}

function allOf<T>(items: readonly T[], originsOf: (item: T) => readonly PointerOrigin[] | undefined): readonly PointerOrigin[] | undefined {
  const origins: PointerOrigin[] = [];
  for (const item of items) {
    const found = originsOf(item);
    if (found === undefined) return undefined;
    append(origins, found);
  }
  return origins;
}
