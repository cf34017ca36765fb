/** OpenCL: finds calls that match no overload only because a pointer points into another address space. */
import type { Dialect } from "../dialect.ts";
import type { AddressSpace } from "../qualifiers.ts";
import type { NoMatchFact } from "../semantics/facts/facts.ts";
import { containsSpace } from "../semantics/types/address-spaces.ts";
import { compare } from "../semantics/types/conversion-rules.ts";
import type { FunctionSymbol } from "../semantics/types/symbols.ts";
import { type PointerType, printType, type Type, unqualifiedType } from "../semantics/types/types.ts";

/** The argument that fits no overload because of its address space. */
export interface SpaceMismatch {
  /** The argument whose space is wrong. */
  readonly index: number;
  /** The overloads that would fit with other spaces. */
  readonly candidates: readonly FunctionSymbol[];
}

/**
 * Finds the argument whose address space is wrong: with other address spaces, and no other change, the arguments would match an
 * overload. Undefined if the call fails for another reason. If there are several overloads, those that need the fewest changes
 * decide.
 */
export function spaceMismatch(
  { candidates, arguments: given }: Pick<NoMatchFact, "candidates" | "arguments">,
  dialect: Dialect,
): SpaceMismatch | undefined {
  let fewest: readonly number[] | undefined;
  let best: FunctionSymbol[] = [];
  for (const candidate of candidates) {
    const { type } = candidate;
    if (type.parameters.length > given.length || (type.parameters.length < given.length && !type.isVariadic)) continue;
    const wrong = mismatches(type.parameters, given, dialect);
    if (wrong === undefined || wrong.length === 0) continue;
    if (fewest === undefined || wrong.length < fewest.length) {
      fewest = wrong;
      best = [];
    }
    if (wrong.length === fewest.length && wrong[0] === fewest[0]) best.push(candidate);
  }
  const index = fewest?.[0];
  return index === undefined ? undefined : { index, candidates: best };
}

function mismatches(parameters: readonly Type[], given: NoMatchFact["arguments"], dialect: Dialect): readonly number[] | undefined {
  const wrong: number[] = [];
  for (const [index, parameter] of parameters.entries()) {
    const argument = given[index]?.type;
    if (argument === undefined) return undefined;
    const type = decay(argument);
    if (parameter.kind === "reference") {
      const fit = bindsTo(argument, parameter.referent);
      if (fit === undefined) return undefined;
      if (!fit) wrong.push(index);
      continue;
    }
    if (parameter.kind !== "pointer") {
      if (
        type.kind === "pointer" ||
        (type.kind === "vector" && parameter.kind === "vector" && printType(type) !== printType(unqualifiedType(parameter)))
      )
        return undefined;
      continue;
    }
    if (type.kind !== "pointer") {
      // This is a null pointer constant.
      if (type.kind !== "arithmetic") return undefined;
      continue;
    }
    const verdict = compare(type, parameter, dialect, false);
    if (verdict.kind === "ok" || (verdict.kind === "discards-qualifiers" && !verdict.isError)) continue;
    if (verdict.kind !== "changes-address-space" || verdict.isNested) return undefined;
    // In C a pointer to another type would only cause a warning.
    if (dialect.cplusplus && compare(inSpace(type, parameter.pointee.qualifiers.space), parameter, dialect, false).kind === "incompatible")
      return undefined;
    wrong.push(index);
  }
  return wrong;
}

/**
 * Whether a reference can be bound to such an object. False if it could be bound only to one in another space; undefined if to
 * neither.
 */
function bindsTo(type: Type, referent: Type): boolean | undefined {
  const { space } = type.qualifiers;
  if (
    space === undefined ||
    printType(unqualifiedType(type)) !== printType(unqualifiedType(referent)) ||
    (type.qualifiers.const && !referent.qualifiers.const)
  )
    return undefined;
  return referent.qualifiers.space === undefined || containsSpace(referent.qualifiers.space, space);
}

function inSpace(pointer: PointerType, space: AddressSpace | undefined): PointerType {
  return { ...pointer, pointee: { ...pointer.pointee, qualifiers: { ...pointer.pointee.qualifiers, space } } };
}

/** The type of an argument passed by value: arrays become pointers, qualifiers are dropped. */
export function decay(type: Type): Type {
  return unqualifiedType(type.kind === "array" ? { kind: "pointer", pointee: type.element, qualifiers: type.qualifiers } : type);
}
