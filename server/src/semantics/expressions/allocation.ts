/**
 * Evaluates `new` and `delete`: the type of the result, and in C++ for OpenCL whether the program defines the operator that they
 * call. `class-objects.ts` and `calls.ts` choose the constructor.
 */
import type { ViewSpan } from "../../source.ts";
import type { Expression } from "../../syntax/ast.ts";
import { typeOfTypeId } from "../declarations/declarators.ts";
import { accepts, emitDefaultConstruction, emitDestruction, emitHostCall } from "../declarations/host-calls.ts";
import { type Context, placeOf } from "../facts/context.ts";
import type { Value } from "../facts/evaluator.ts";
import { takes } from "../symbols/candidates.ts";
import { functionsOf, lookupIn } from "../symbols/scope.ts";
import { isDefinedClass } from "../types/predicates.ts";
import type { FunctionSymbol, RecordSymbol } from "../types/symbols.ts";
import { isOpaqueToUs, pointerTo, type Type } from "../types/types.ts";
import { constructorFor } from "./calls.ts";
import { rvalue } from "./values.ts";

/** The pointer that `new` gives, whose constructor gets the values. */
export function evaluateNew(context: Context, e: Extract<Expression, { kind: "new" }>, values: readonly Value[]): Value {
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
  emitNewObject(context, object, e, values);
  const value = rvalue(pointerTo(object));
  return isPlain && e.placement.length === 0 ? { ...value, heap: "new" } : value;
}

/** Records the constructor that `new` calls with these arguments, which are walked already. */
function emitNewObject(context: Context, type: Type, e: Extract<Expression, { kind: "new" }>, values: readonly Value[]): void {
  if (type.kind !== "record" || context.dialect.language !== "cuda") return;
  if (values.length === 0) return emitDefaultConstruction(context, type.record, e.span);
  const quiet = { ...context, isEmitting: false };
  const constructor = constructorFor(quiet, type.record, e.arguments, values, e.span);
  if (constructor !== undefined && constructor !== "open" && accepts(quiet, constructor, values))
    emitHostCall(context, constructor, "constructor", e.span);
}

/** Checks `delete` of this pointer. */
export function checkDelete(context: Context, pointer: Type, span: ViewSpan): void {
  const object = pointer.kind === "pointer" ? pointer.pointee : pointer;
  emitDestruction(context, object, span);
  missOperator(context, object, { feature: "delete", operators: ["operator delete", "operator delete[]"], fits: () => true, span });
}

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
