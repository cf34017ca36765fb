/**
 * C++: pointers to members. What `&C::f` points to, and which member `o.*p` selects. `operators.ts` evaluates the operands, and
 * `calls.ts` passes the arguments of a call through such a pointer.
 */
import type { ViewSpan } from "../../source.ts";
import type { Expression } from "../../syntax/ast.ts";
import { type Context, placeOf } from "../facts/context.ts";
import type { Value } from "../facts/evaluator.ts";
import { addQualifiers, isOpaqueToUs, type MemberPointerType, type Type, unqualified } from "../types/types.ts";
import { lvalue, rvalue, unknownValue } from "./values.ts";

/** The value of `&C::f` for a member function; undefined for any other operand, or if several functions have that name. */
export function addressOfMember(operand: Expression, { functions = [] }: Value): Value | undefined {
  const [only, ...others] = functions;
  if (operand.kind !== "name" || operand.name.parts.length < 2 || only?.record === undefined || others.length > 0) return undefined;
  const { record, declarations, isTemplate, type } = only;
  if (isTemplate || record.isDependent || declarations.some(({ words }) => words.some(({ text }) => text === "static"))) return undefined;
  const has = (word: string): boolean => declarations.some(({ declarator }) => declarator.words.some(({ text }) => text === word));
  return rvalue({
    kind: "member-pointer",
    of: { kind: "record", record, qualifiers: unqualified },
    member: addQualifiers(type, { const: has("const"), volatile: has("volatile") }),
    qualifiers: unqualified,
  });
}

/** The object that the left operand of `->*` points to. */
export function dereferenced({ type }: Value): Value {
  return type.kind === "pointer" ? lvalue(type.pointee, undefined) : unknownValue;
}

/**
 * The member of an object that a pointer to member selects. An object is const if the object is, even if it is `mutable` (C++17
 * §8.5p5). A function must have the object's const and volatile (§8.5p6), which is recorded if it lacks them.
 */
export function memberPointedTo(context: Context, { type: object, isLvalue }: Value, pointer: Type, span: ViewSpan): Value {
  if (pointer.kind !== "member-pointer" || object.kind !== "record" || isOpaqueToUs(pointer.member)) return unknownValue;
  const { space, const: isConst, volatile } = object.qualifiers;
  if (pointer.member.kind !== "function") return { type: addQualifiers(pointer.member, { space, const: isConst, volatile }), isLvalue };
  checkObject(context, pointer, object, span);
  return rvalue(pointer.member);
}

function checkObject(context: Context, callee: MemberPointerType, object: Type, span: ViewSpan): void {
  const { const: isConst, volatile } = object.qualifiers;
  if (context.isEmitting && (isConst || volatile))
    context.program.facts.constObjects.push({ callee, object, place: placeOf(context, span) });
}
