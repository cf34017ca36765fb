/**
 * Evaluates `new` and `delete`: the type of the result, and in C++ for OpenCL whether the program defines the operator that they
 * call. `class-objects.ts` and `calls.ts` choose the constructor.
 */
import type { ViewSpan } from "../../source.ts";
import type { Expression } from "../../syntax/ast.ts";
import { typeOfTypeId } from "../declarations/declarators.ts";
import { emitDefaulted } from "../declarations/defaulted-objects.ts";
import { emitDestruction } from "../declarations/host-calls.ts";
import { type Context, placeOf } from "../facts/context.ts";
import { evaluate, type Value } from "../facts/evaluator.ts";
import { constructorsOf, takes } from "../symbols/candidates.ts";
import { functionsOf, lookupIn } from "../symbols/scope.ts";
import { innermostElement, isDefinedClass } from "../types/predicates.ts";
import type { FunctionSymbol, RecordSymbol } from "../types/symbols.ts";
import { isOpaqueToUs, pointerTo, type Type } from "../types/types.ts";
import { construct } from "./constructions.ts";
import { convert, convertInto } from "./implicit-conversion.ts";
import { read, rvalue } from "./values.ts";

/** The pointer that `new` gives; walks the arguments that initialize the object. */
export function evaluateNew(context: Context, e: NewExpression): Value {
  const type = typeOfTypeId(context, { ...e.type, specifiers: { ...e.type.specifiers, words: [...e.words, ...e.type.specifiers.words] } });
  const isPlain =
    type.kind === "arithmetic" ||
    type.kind === "pointer" ||
    type.kind === "enum" ||
    (type.kind === "array" && type.element.kind === "arithmetic");
  const object = type.kind === "array" ? type.element : type;
  // The first argument is the size.
  const fits = (operator: FunctionSymbol) => takes(operator, 1 + e.placement.length);
  const feature = e.placement.length > 0 ? "placement new" : "new";
  missOperator(context, object, { feature, operators: [type.kind === "array" ? "operator new[]" : "operator new"], fits, span: e.span });
  initializeNew(context, type, e);
  if (!e.isInitialized) emitDefaulted(context, type, { as: "new", place: placeOf(context, e.type.span) });
  const value = rvalue(pointerTo(object));
  return isPlain && e.placement.length === 0 ? { ...value, heap: "new" } : value;
}

/** Converts the arguments to the new object, as those of a variable's initializer. nvcc judges no scalar in the text of a template. */
function initializeNew(context: Context, type: Type, { arguments: values, span }: NewExpression): void {
  const [only, ...others] = values;
  const list = only?.kind === "list" && others.length === 0 ? only.elements.map(({ value }) => value) : undefined;
  // Each element of an array without arguments is constructed by default.
  const object = only === undefined ? innermostElement(type) : type;
  if (object.kind === "record" && (list === undefined || constructorsOf(object.record).length > 0))
    return construct(context, object, list ?? values, span);
  if (only === undefined || others.length > 0) for (const value of values) read(context, evaluate(context, value), value);
  else if (list !== undefined) convertInto(context, only, type, undefined, "initialize");
  else convert(context, evaluate(context, only), type, { context: "initialize", operand: only, target: undefined, isOverlooked: true });
}

/** Checks `delete` of this pointer. */
export function checkDelete(context: Context, pointer: Type, span: ViewSpan): void {
  const object = pointer.kind === "pointer" ? pointer.pointee : pointer;
  emitDestruction(context, object, span);
  missOperator(context, object, { feature: "delete", operators: ["operator delete", "operator delete[]"], fits: () => true, span });
}

type NewExpression = Extract<Expression, { kind: "new" }>;

interface Use {
  readonly feature: "new" | "placement new" | "delete";
  readonly operators: readonly string[];
  readonly fits: (operator: FunctionSymbol) => boolean;
  readonly span: ViewSpan;
}

/**
 * Records a missing operator. C++ for OpenCL has only the operators that the program declares, in the class or globally (C++ for
 * OpenCL §2.2).
 */
function missOperator(context: Context, object: Type, { feature, operators, fits, span }: Use): void {
  const { dialect, program } = context;
  if (dialect.language !== "opencl" || !context.isEmitting || isOpaqueToUs(object)) return;
  const own = object.kind === "record" ? membersOf(object.record, operators) : [];
  if (own === undefined || (own.length === 0 && program.reading.isPartial)) return;
  const candidates = own.length > 0 ? own : operators.flatMap((name) => functionsOf(lookupIn(program.program, name)));
  if (candidates.some((operator) => operator.isTemplate || fits(operator))) return;
  const { start } = span;
  const end = start + (feature === "delete" ? feature : "new").length;
  const misfit = candidates.length > 0 ? { misfit: operators.join(" or ") } : {};
  program.facts.features.push({ name: feature, place: placeOf(context, { start, end }), ...misfit });
}

/** The operators of a class, or of the nearest base that has some; undefined if one of these classes is not completely known. */
function membersOf(record: RecordSymbol, names: readonly string[]): readonly FunctionSymbol[] | undefined {
  if (!isDefinedClass(record)) return undefined;
  const own = record.functions.filter(({ name }) => names.includes(name));
  if (own.length > 0) return own;
  const inherited = record.bases.map((base) => (base.kind === "record" ? membersOf(base.record, names) : undefined));
  return inherited.every((found) => found !== undefined) ? inherited.flat() : undefined;
}
