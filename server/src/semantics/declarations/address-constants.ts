/**
 * Finds an address in an initializer that the linker could not fill in. The address of an object with static storage duration is a
 * constant (C11 §6.6p9), also as an integer that is wide enough for it and with a number added; narrower, negated or multiplied it
 * is not. `non-constant-parts.ts` finds everything else that is not constant.
 */
import type { Expression, Initializer } from "../../syntax/ast.ts";
import { stringIn } from "../../syntax/walk.ts";
import type { Context } from "../facts/context.ts";
import { evaluate, typeOfExpression } from "../facts/evaluator.ts";
import { sizeOf } from "../types/layout.ts";
import type { Type } from "../types/types.ts";

/** The bytes of an address. OpenCL C compilers that are asked without a device assume 64 bits. */
const addressBytes = 8;

/** The part of the initializer of a variable of this type that computes with an address as if it were a number. */
export function addressAsNumber(context: Context, initializer: Initializer | undefined, type: Type): Expression | undefined {
  if (context.dialect.language !== "opencl" || context.dialect.cplusplus || initializer?.kind !== "value") return undefined;
  return partFor({ ...context, isEmitting: false }, initializer.value, type);
}

/** Like `addressAsNumber`, for a value or a braced list that initializes an object of the type. */
function partFor(context: Context, e: Expression, type: Type): Expression | undefined {
  if (e.kind !== "list") return isTooNarrow(type) && isAddress(context, e) ? e : computedPart(context, e);
  if (type.kind === "array" && isText(e, type.element)) return undefined;
  const members = type.kind === "record" ? (type.record.members ?? []) : [];
  for (const [index, { value, designators }] of e.elements.entries()) {
    const inner = type.kind === "array" ? type.element : type.kind === "record" ? members[index]?.type : type;
    // After a designator, and where braces are left out, the positions no longer say which part is initialized.
    const isAggregate = inner?.kind === "array" || inner?.kind === "record";
    if (inner === undefined || designators.length > 0 || (isAggregate && value.kind !== "list")) return undefined;
    const part = partFor(context, value, inner);
    if (part !== undefined) return part;
  }
  return undefined;
}

/** True for a string in braces whose characters initialize the elements of an array. */
function isText(list: Expression, element: Type): boolean {
  const literal = stringIn(list);
  const isWide = literal !== undefined && !literal.text.startsWith('"');
  return literal !== undefined && (isWide || sizeOf(element) === 1);
}

/** True for numbers that cannot hold an address. A truth value can: the address of an object is true. */
function isTooNarrow(type: Type): boolean {
  if (type.kind === "enum") return true;
  if (type.kind !== "arithmetic" || type.name === "bool" || type.alias !== undefined) return false;
  const size = sizeOf(type);
  return type.name === "half" || type.name === "float" || type.name === "double" || (size !== undefined && size < addressBytes);
}

/** The first part of a value that no relocation can express. */
function computedPart(context: Context, e: Expression): Expression | undefined {
  switch (e.kind) {
    case "parenthesized":
      return computedPart(context, e.inner);
    case "cast":
      if (isTooNarrow(typeOfExpression(context, e)) && isAddress(context, e.operand)) return e;
      return computedPart(context, e.operand);
    case "unary":
      if (e.operator !== "-" && e.operator !== "~") return undefined;
      return isNumber(context, e.operand) ? e : computedPart(context, e.operand);
    case "binary": {
      if (e.operator === "&&" || e.operator === "||") return undefined;
      const [left, right] = [isNumber(context, e.left), isNumber(context, e.right)];
      const isSum = e.operator === "+" || (e.operator === "-" && !right);
      if (isSum ? left && right : left || right) return e;
      return computedPart(context, e.left) ?? computedPart(context, e.right);
    }
    default:
      return undefined;
  }
}

/** True for an address that has become an integer. */
function isNumber(context: Context, e: Expression): boolean {
  return isAddress(context, e) && typeOfExpression(context, e).kind === "arithmetic";
}

/** True for the address of a named object, as a pointer or as an integer, with or without a number added. */
function isAddress(context: Context, e: Expression): boolean {
  switch (e.kind) {
    case "parenthesized":
      return isAddress(context, e.inner);
    case "cast": {
      const type = typeOfExpression(context, e);
      return (
        (type.kind === "pointer" || (type.kind === "arithmetic" && type.name !== "bool" && !isTooNarrow(type))) &&
        isAddress(context, e.operand)
      );
    }
    case "unary":
      return e.operator === "&" && isNamedObject(context, e.operand);
    case "name":
      return isNamedObject(context, e) && typeOfExpression(context, e).kind === "array";
    case "string":
      return true;
    case "binary":
      if (e.operator === "+") return isAddress(context, e.left) !== isAddress(context, e.right);
      return e.operator === "-" && isAddress(context, e.left) && !isAddress(context, e.right);
    default:
      return false;
  }
}

/** True for a variable and its parts, but not for what a pointer points to: the pointer may be a number, as in `offsetof`. */
function isNamedObject(context: Context, e: Expression): boolean {
  switch (e.kind) {
    case "parenthesized":
      return isNamedObject(context, e.inner);
    case "member":
      return !e.isArrow && isNamedObject(context, e.object);
    case "subscript":
      return typeOfExpression(context, e.object).kind === "array" && isNamedObject(context, e.object);
    case "name": {
      const { type, path } = evaluate(context, e);
      return path?.root !== undefined && path.steps.length === 0 && type.kind !== "unknown" && path.root.type.kind !== "reference";
    }
    default:
      return false;
  }
}
