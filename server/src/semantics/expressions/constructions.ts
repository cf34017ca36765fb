/** Constructs objects: which constructor the arguments select, and how each is converted to its parameter. */
import type { ViewSpan } from "../../source.ts";
import type { Expression } from "../../syntax/ast.ts";
import { emitDefaulted } from "../declarations/defaulted-objects.ts";
import { accepts, emitConversionCall, emitDefaultConstruction, emitHostCall } from "../declarations/host-calls.ts";
import { type Context, isOpenCL, placeOf } from "../facts/context.ts";
import type { Value } from "../facts/evaluator.ts";
import { constructorsOf, takes } from "../symbols/candidates.ts";
import { instantiateMember } from "../templates/instance-members.ts";
import type { FunctionSymbol, RecordSymbol } from "../types/symbols.ts";
import { isOpaqueToUs, type Type, unqualifiedType } from "../types/types.ts";
import { checkConstruction } from "./class-objects.ts";
import { checkConversionOfConst, costOfConversionTo } from "./conversion-costs.ts";
import { evaluate } from "./expressions.ts";
import { convert } from "./implicit-conversion.ts";
import { choose } from "./overloads.ts";
import { access, read, rvalue, unknownValue } from "./values.ts";

/** The value of `T(a, b)`, which constructs a T. */
export function evaluateConstruct(context: Context, type: Type, values: readonly Expression[], whole: Expression): Value {
  const only = values.length === 1 ? values[0] : undefined;
  if (only !== undefined && type.kind === "pointer") {
    convert(context, evaluate(context, only), type, {
      context: "cast",
      operand: only,
      place: placeOf(context, whole.span),
      target: undefined,
      cast: "functional",
    });
    return rvalue(type);
  }
  checkConstruction(context, type, values.length, whole);
  construct(context, type, values, whole.span, { isOverlooked: true });
  if (values.length === 0) emitDefaulted(context, unqualifiedType(type), { as: "value", place: placeOf(context, whole.span) });
  return rvalue(type);
}

/** Passes the values to the constructor of a member or a base. nvcc overlooks those that a constructor for the host cannot call. */
export function constructPart(context: Context, type: Type, values: readonly Expression[], span: ViewSpan | undefined): void {
  construct(context, type, values, span, { isPart: true });
}

/** How an object is constructed: as a part of another one; by an expression that nvcc does not judge in the text of a template. */
interface Construction {
  readonly isPart?: boolean;
  readonly isOverlooked?: boolean;
}

/** Passes the values to an object's constructor, or to the members of an aggregate. */
export function construct(
  context: Context,
  type: Type,
  values: readonly Expression[],
  span: ViewSpan | undefined,
  { isPart = false, isOverlooked = false }: Construction = {},
): void {
  const evaluated = values.map((expression) => evaluate(context, expression));
  const constructor = type.kind === "record" ? constructorFor(context, type.record, values, evaluated, span) : undefined;
  const isOpen =
    isOpaqueToUs(type) || constructor === "open" || (type.kind === "record" && (type.record.isIncomplete || type.record.isDependent));
  const only = constructor === "open" ? undefined : constructor;
  if (only !== undefined && span !== undefined) instantiateMember(context, only, span);
  const at = span ?? values[0]?.span;
  if (only !== undefined && at !== undefined && accepts(context, only, evaluated))
    emitHostCall(context, only, "constructor", at, isPart ? { isOverlooked: true } : {});
  else if (type.kind === "record" && values.length === 0 && span !== undefined) emitDefaultConstruction(context, type.record, span, isPart);
  for (const [index, expression] of values.entries()) {
    const value = evaluated[index] ?? unknownValue;
    const parameter = only?.type.parameters[index];
    if (isOpen) access(context, value, "bind", expression, true);
    else if (parameter !== undefined)
      convert(context, value, parameter, {
        context: "pass",
        operand: expression,
        target: only?.declarations[0]?.parameters[index],
        isOverlooked,
      });
    else {
      if (type.kind === "arithmetic" && values.length === 1) {
        checkConversionOfConst(context, value, expression.span, type);
        emitConversionCall(context, value, type, "cast", expression.span);
      }
      read(context, value, expression);
    }
  }
}

/** The constructor that the arguments select; undefined if the class declares none for this many, "open" if it is uncertain. */
export function constructorFor(
  context: Context,
  record: RecordSymbol,
  expressions: readonly Expression[],
  values: readonly Value[],
  span: ViewSpan | undefined,
): FunctionSymbol | "open" | undefined {
  const all = constructorsOf(record);
  if (all.length > 0 && hasExpansion(expressions)) return "open";
  const candidates = all.filter((candidate) => takes(candidate, values.length));
  if (candidates.length === 0) return undefined;
  // If the object is converted to the class, the implicit constructor copies it.
  const [first] = values;
  if (values.length === 1 && first !== undefined && !isOpenCL(context) && costOfConversionTo(context, first.type, record) !== undefined)
    return "open";
  if (candidates.length === 1) return candidates[0];
  if (isOpenCL(context) || candidates.some(({ isTemplate }) => isTemplate)) return "open";
  const whole = span ?? expressions[0]?.span;
  if (whole === undefined) return "open";
  return choose(context, candidates, values, { arguments: expressions, span: whole }, record.tag ?? "") ?? "open";
}

/** True if the arguments contain an expansion, `values...`, so that their number is unknown. */
export function hasExpansion(values: readonly Expression[]): boolean {
  return values.some(({ kind }) => kind === "pack-expansion");
}
