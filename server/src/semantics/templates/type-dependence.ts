/**
 * Whether the type of an expression in a template's body may depend on the template's arguments (C++17 §17.7.2.2). Compilers judge an
 * operator with such an operand only in the instantiations.
 */
import type { Expression } from "../../syntax/ast.ts";
import { childExpressions } from "../../syntax/walk.ts";
import type { Context } from "../facts/context.ts";
import { evaluate, type Value } from "../facts/evaluator.ts";
import type { RecordSymbol, VariableSymbol } from "../types/symbols.ts";
import { containsUnknown, referred, type Type } from "../types/types.ts";

/** True for an assignment of these operands to a constant object, on which a template's arguments may have influence. */
export function isOpenWrite(context: Context, { type, path }: Value, operands: readonly Expression[]): boolean {
  const isConstant = type.qualifiers.const || type.qualifiers.space === "constant" || path?.root?.memorySpace === "constant";
  return (
    context.isEmitting &&
    (context.isTemplate || context.isGeneric === true) &&
    isConstant &&
    operands.some((each) => mayBeTypeDependent(context, each))
  );
}

/** False if the type is certainly the same for all arguments. */
function mayBeTypeDependent(context: Context, e: Expression): boolean {
  const isOpen = (inner: Expression) => mayBeTypeDependent(context, inner);
  switch (e.kind) {
    case "number":
    case "character":
    case "string":
    case "boolean":
    case "nullptr":
    case "sizeof":
    case "alignof":
    case "noexcept":
      return false;
    case "cast":
    case "named-cast":
    case "bit-cast":
    case "compound-literal":
    case "construct":
      return isOpenType(typeOf(context, e));
    case "name": {
      const { type, path } = valueOf(context, e);
      const [first] = path?.steps ?? [];
      const isOwn = path?.root === undefined && first?.kind === "member";
      return isOpenType(type) || (isOwn && first.member !== undefined && !isOfTemplate(context, first.member));
    }
    case "member":
      return isOpenType(typeOf(context, e)) || isOpenMember(context, e);
    case "call":
      return isOpenType(typeOf(context, e)) || isOpenCallee(context, e.function) || e.arguments.some(isOpen);
    case "parenthesized":
    case "unary":
    case "update":
    case "binary":
    case "assignment":
    case "conditional":
    case "comma":
    case "subscript":
    case "list":
      return childExpressions(e).some(isOpen);
    default:
      return true;
  }
}

function valueOf(context: Context, e: Expression): Value {
  return evaluate({ ...context, isEmitting: false }, e);
}

function typeOf(context: Context, e: Expression): Type {
  return valueOf(context, e).type;
}

/** The length of an array may be a template's parameter. */
function isOpenType(type: Type): boolean {
  const own = referred(type);
  return containsUnknown(own) || (own.kind === "array" && own.length === undefined);
}

/** A member is certain in an object of certain type, and in one of a class around the code if that class itself declares the member. */
function isOpenMember(context: Context, e: Extract<Expression, { kind: "member" }>): boolean {
  const type = isThis(e.object) ? undefined : referred(typeOf(context, e.object));
  const object = type?.kind === "pointer" ? type.pointee : type;
  if (object !== undefined && !(object.kind === "record" && object.record.isDependent)) return mayBeTypeDependent(context, e.object);
  const steps = valueOf(context, e).path?.steps ?? [];
  const last = steps.findLast(({ kind }) => kind === "member");
  if (last?.kind !== "member" || last.member === undefined || !isOfTemplate(context, last.member)) return true;
  return object?.kind === "record" ? !isAround(context, object.record) || mayBeTypeDependent(context, e.object) : false;
}

/** True for `this` and `(*this)`. */
function isThis(e: Expression): boolean {
  if (e.kind === "parenthesized") return isThis(e.inner);
  return e.kind === "this" || (e.kind === "unary" && e.operator === "*" && isThis(e.operand));
}

/** Calls of templates and of members of a template's own class depend on the arguments. */
function isOpenCallee(context: Context, callee: Expression): boolean {
  const { functions = [] } = callee.kind === "name" ? valueOf(context, callee) : {};
  return functions.length === 0 || functions.some(({ isTemplate, record }) => isTemplate || record !== undefined);
}

/** True for a member that a class around the code declares. Those of its bases depend on the object, whose type may have others. */
function isOfTemplate(context: Context, { record }: VariableSymbol): boolean {
  return record !== undefined && (isAround(context, record) || !isInTemplate(context));
}

/** True if a class around the code is a template's. */
function isInTemplate(context: Context): boolean {
  return recordsAround(context).some(({ isDependent }) => isDependent);
}

function isAround(context: Context, record: RecordSymbol): boolean {
  return recordsAround(context).includes(record);
}

function recordsAround({ scope, within }: Context): readonly RecordSymbol[] {
  const found = within?.record === undefined ? [] : [within.record];
  for (let current: Context["scope"] | undefined = scope; current !== undefined; current = current.parent)
    if (current.record !== undefined) found.push(current.record);
  return found;
}
