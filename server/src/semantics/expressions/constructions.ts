/**
 * Constructs objects, `T(a)` and `new T(a)`: which constructor the arguments select, and how each is converted to its parameter. For
 * `new` and `delete` in C++ for OpenCL also whether the program defines the operator that they call.
 */
import type { ViewSpan } from "../../source.ts";
import type { Expression } from "../../syntax/ast.ts";
import { typeOfTypeId } from "../declarations/declarators.ts";
import { emitDefaulted } from "../declarations/defaulted-objects.ts";
import { emitConversionCall, emitDefaultConstruction, emitDestruction, emitHostCall } from "../declarations/host-calls.ts";
import { type Context, isOpenCL, placeOf } from "../facts/context.ts";
import type { Value } from "../facts/evaluator.ts";
import { constructorsOf, initializingConstructors, takes } from "../symbols/candidates.ts";
import { functionsOf, lookupIn } from "../symbols/scope.ts";
import { isDefaulted } from "../symbols/special-functions.ts";
import { chooseConstructor, instantiateConstructor } from "../templates/constructor-choice.ts";
import { innermostElement, isDefinedClass } from "../types/predicates.ts";
import type { FunctionSymbol, RecordSymbol } from "../types/symbols.ts";
import { isOpaqueToUs, pointerTo, type Type, unqualifiedType } from "../types/types.ts";
import { checkConstruction } from "./class-objects.ts";
import { accepts, checkConversionOfConst, costOfConversionTo, mayAccept } from "./conversion-costs.ts";
import { evaluate } from "./expressions.ts";
import { convert } from "./implicit-conversion.ts";
import { convertInto, passList } from "./initializers.ts";
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

/**
 * Passes the values to the constructor of a member, or of a base or the same object, which are no whole objects. nvcc overlooks those that a
 * constructor for the host cannot call.
 */
export function constructPart(
  context: Context,
  type: Type,
  values: readonly Expression[],
  { span, isMember }: { readonly span?: ViewSpan | undefined; readonly isMember: boolean },
): void {
  construct(context, type, values, span, { isPart: true, isBase: !isMember });
}

/** How an object is constructed: as a part of another one, or by a list; by an expression that nvcc does not judge in the text of a template. */
interface Construction {
  readonly isPart?: boolean;
  readonly isBase?: boolean;
  readonly isOverlooked?: boolean;
}

/** Passes the values to an object's constructor, or to the members of an aggregate. */
export function construct(
  context: Context,
  type: Type,
  values: readonly Expression[],
  span: ViewSpan | undefined,
  { isPart = false, isBase = false, isOverlooked = false }: Construction = {},
): void {
  const evaluated = values.map((expression) => (expression.kind === "list" ? unknownValue : evaluate(context, expression)));
  if (!isBase && isCreatedBy(evaluated, type)) return;
  const [first] = values;
  const isCopied = !isPart && isCopiedImplicitly(context, evaluated, type);
  const constructor = type.kind === "record" && !isCopied ? constructorFor(context, type.record, values, evaluated, span) : undefined;
  if (first !== undefined && (isCopied || (!isPart && constructor === "implicit")))
    return convert(context, evaluated[0] ?? unknownValue, type, { context: "initialize", operand: first, target: undefined });
  const isOpen =
    isOpaqueToUs(type) || constructor === "open" || (type.kind === "record" && (type.record.isIncomplete || type.record.isDependent));
  const only = constructor === "open" || constructor === "implicit" ? undefined : constructor;
  const at = span ?? values[0]?.span;
  const instance = only === undefined || at === undefined ? undefined : instantiateConstructor(context, only, evaluated, at);
  const isByDefault = values.length === 0 && (only === undefined || isDefaulted(only));
  if (only !== undefined && !isByDefault && at !== undefined && accepts(context, only, evaluated))
    emitHostCall(context, only, { as: "constructor", count: evaluated.length }, at, {
      ...(isPart || isInherited(only, type) ? { isOverlooked: true } : {}),
      ...(isBase || isInherited(only, type) ? { isOfBase: true } : {}),
    });
  else if (type.kind === "record" && values.length === 0 && span !== undefined)
    emitDefaultConstruction(context, type.record, span, {
      ...(isPart ? { isOverlooked: true } : {}),
      ...(isBase ? { isOfBase: true } : {}),
    });
  for (const [index, expression] of values.entries()) {
    const value = evaluated[index] ?? unknownValue;
    const parameter = (instance ?? only)?.type.parameters[index];
    // Another constructor may take an object that a list alone initializes: the one that copies.
    if (expression.kind === "list") passList(context, expression, values.length > 1 ? parameter : undefined, undefined);
    else if (isOpen) access(context, value, "bind", expression, true);
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
        emitConversionCall(context, value, type, { context: "cast", operand: expression });
      }
      read(context, value, expression);
    }
  }
}

/**
 * True if the only value is a new object of the class: then it is the constructed object itself (C++17 §11.6p17.6.1). nvcc sees no copy in
 * earlier standards either.
 */
function isCreatedBy([value, ...others]: readonly Value[], type: Type): boolean {
  if (value?.type.kind !== "record" || type.kind !== "record" || others.length > 0) return false;
  return value.type.record === type.record && !value.isLvalue;
}

/** True if the only value is an object of the class that none of its own constructors takes: the implicit one copies it. */
function isCopiedImplicitly(context: Context, [value, ...others]: readonly Value[], type: Type): boolean {
  if (isOpenCL(context) || value?.type.kind !== "record" || type.kind !== "record" || others.length > 0) return false;
  const own = constructorsOf(type.record).filter((each) => takes(each, 1));
  return value.type.record === type.record && own.every((each) => !each.isTemplate && !mayAccept(context, each, [value]));
}

/** True for a constructor of a base that the class makes its own. nvcc infers on which side it runs. */
function isInherited({ record }: FunctionSymbol, type: Type): boolean {
  return type.kind === "record" && record !== type.record;
}

/**
 * The constructor that the arguments select; undefined if the class declares none for this many, "implicit" if an implicit one copies,
 * "open" if it is uncertain.
 */
function constructorFor(
  context: Context,
  record: RecordSymbol,
  expressions: readonly Expression[],
  values: readonly Value[],
  span: ViewSpan | undefined,
): FunctionSymbol | "implicit" | "open" | undefined {
  const all = isOpenCL(context) ? constructorsOf(record) : initializingConstructors(record);
  if (all.length > 0 && hasExpansion(expressions)) return "open";
  const candidates = all.filter((candidate) => takes(candidate, values.length));
  if (candidates.length === 0) return undefined;
  // If the object is converted to the class, the implicit constructor copies it.
  const [first] = values;
  if (values.length === 1 && first !== undefined && !isOpenCL(context) && costOfConversionTo(context, first.type, record) !== undefined)
    return "open";
  const hasTemplate = candidates.some(({ isTemplate }) => isTemplate);
  if (hasTemplate && !isOpenCL(context)) return chooseConstructor(context, record, candidates, values) ?? "open";
  if (candidates.length === 1) return candidates[0];
  if (isOpenCL(context)) return "open";
  const whole = span ?? expressions[0]?.span;
  if (whole === undefined) return "open";
  return choose(context, candidates, values, { arguments: expressions, span: whole }, record.tag ?? "") ?? "open";
}

/** True if the arguments contain an expansion, `values...`, so that their number is unknown. */
export function hasExpansion(values: readonly Expression[]): boolean {
  return values.some(({ kind }) => kind === "pack-expansion");
}

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
  if (object.kind === "record" && (list === undefined || initializingConstructors(object.record).length > 0))
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
