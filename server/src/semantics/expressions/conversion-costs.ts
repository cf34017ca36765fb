/**
 * Computes the cost of passing a value to a parameter in C++: the implicit conversion sequence, and its rank (C++17 §16.3.3.1). If
 * a class that may define a conversion is unknown, the cost is open. `overloads.ts` chooses the function.
 */
import { append } from "../../lists.ts";
import type { ViewSpan } from "../../source.ts";
import { type Context, placeOf } from "../facts/context.ts";
import type { Value } from "../facts/evaluator.ts";
import { constructorsOf, isExplicit } from "../symbols/candidates.ts";
import { isSameType } from "../types/compatible.ts";
import { compare } from "../types/conversion-rules.ts";
import { isArithmetic, isDefinedClass } from "../types/predicates.ts";
import type { FunctionSymbol, RecordSymbol } from "../types/symbols.ts";
import {
  containsUnknown,
  isFloating,
  isInteger,
  isOpaqueToUs,
  type Qualifiers,
  type Type,
  unqualified,
  unqualifiedType,
} from "../types/types.ts";
import { decayed, promoted } from "./values.ts";

/** Smaller is better, and zero is an identity. Undefined if there is no conversion, "open" if there may be one. */
export type Cost = number | "open" | undefined;

type RecordType = Extract<Type, { kind: "record" }>;
type ReferenceType = Extract<Type, { kind: "reference" }>;

/** The cost of an exact match that adds qualifiers, or binds a reference to const to a value. */
const adjustment = 1;
const promotion = 2;
const conversion = 3;
const toVoid = 4;
const toBool = 5;
/** The cost of a call of a constructor or a conversion function (C++17 §16.3.3.1.2). */
export const userDefined = 100;
/** The cost of passing the argument to `...` (C++17 §16.3.3.1.3). */
export const ellipsis = 200;

/** True if no argument is converted, except that qualifiers are added: no other function can be better. */
export function areExact(costs: readonly Cost[]): boolean {
  return costs.every((cost) => typeof cost === "number" && cost <= adjustment);
}

/** The cost of passing the value to a parameter of this type (C++17 §16.3.3.1). */
export function costInCplusplus(context: Context, given: Value, parameter: Type): Cost {
  if (isOpaqueToUs(given.type) || given.functions !== undefined || containsUnknown(parameter)) return "open";
  return parameter.kind === "reference" ? costOfReference(context, given, parameter) : costOfValue(context, given, parameter, true);
}

/** The cost of calling a member function on an object with these qualifiers (C++17 §16.3.1p4). */
export function costOfObject(object: Type, method: FunctionSymbol): Cost {
  if (object.kind !== "record" || method.record === undefined) return 0;
  const words = new Set(method.declarations.flatMap(({ declarator, words: own }) => [...declarator.words, ...own].map(({ text }) => text)));
  if (words.has("static")) return 0;
  if (words.has("&") || words.has("&&")) return "open";
  const own: Qualifiers = { ...object.qualifiers, const: words.has("const"), volatile: words.has("volatile") };
  return costOfQualifiers(object.qualifiers, own);
}

function costOfQualifiers(from: Qualifiers, to: Qualifiers): number | undefined {
  if ((from.const && !to.const) || (from.volatile && !to.volatile)) return undefined;
  return from.const === to.const && from.volatile === to.volatile ? 0 : adjustment;
}

/** The cost of binding a reference (C++17 §11.6.3p5 and §16.3.3.1.4). */
function costOfReference(context: Context, given: Value, { referent, isRvalue }: ReferenceType): Cost {
  const { type } = given;
  const isLvalue = given.isLvalue && given.isExpiring !== true;
  if (type.kind === "function" || referent.kind === "function") return "open";
  const isSame = isSameType(unqualifiedType(type), unqualifiedType(referent));
  if (isSame === undefined) return "open";
  const isBase = !isSame && type.kind === "record" && referent.kind === "record" ? isDerived(type.record, referent.record) : false;
  const holdsValues = isRvalue || (innermost(referent).const && !innermost(referent).volatile);
  if (isSame || isBase === true) {
    const cost = costOfQualifiers(innermost(type), innermost(referent));
    if (cost === undefined || (isLvalue ? isRvalue : !holdsValues)) return undefined;
    // An rvalue reference binds to a value better than a reference to const does (C++17 §16.3.3.2p3.2.3).
    return cost + (isBase === true ? conversion : 0) + (!isLvalue && !isRvalue ? adjustment : 0);
  }
  if (isBase === undefined) return "open";
  if (holdsValues) return costOfValue(context, given, referent, true);
  // A reference to non-const can only be bound to the result of a conversion function that returns an object.
  return type.kind === "record" && mayConvertToObject(type.record) ? "open" : undefined;
}

function innermost(type: Type): Qualifiers {
  return type.kind === "array" ? innermost(type.element) : type.qualifiers;
}

function mayConvertToObject(record: RecordSymbol): boolean {
  const functions = conversionFunctions(record);
  return functions === undefined || functions.some(({ type, isTemplate }) => isTemplate || type.result.kind !== "arithmetic");
}

function costOfValue(context: Context, given: Value, to: Type, mayCallUser: boolean): Cost {
  const value = decayed(given);
  const from = value.type;
  const isSame = isSameType(from, unqualifiedType(to));
  if (isSame === true) return 0;
  if (from.kind === "record" || to.kind === "record") return mayCallUser ? costOfClass(context, given, to) : undefined;
  if (isSame === undefined) return "open";
  if (to.kind === "pointer") return costOfPointer(context, value, to);
  if (to.kind === "arithmetic" && to.name === "bool" && from.kind === "pointer") return toBool;
  if (from.kind === "enum" && to.kind === "arithmetic") return costOfEnum(from, to);
  if (from.kind !== "arithmetic" || to.kind !== "arithmetic")
    return from.kind === "pointer" || from.kind === "nullptr" || to.kind === "enum" ? undefined : "open";
  if (isInteger(from) && isInteger(to)) return isSameType(promoted(from), to) === true ? promotion : conversion;
  return isFloating(from) && from.name === "float" && to.name === "double" ? promotion : conversion;
}

function costOfEnum({ enumeration }: Extract<Type, { kind: "enum" }>, to: Type): Cost {
  if (enumeration.isScoped) return undefined;
  return to.kind === "arithmetic" && to.name === "int" && enumeration.underlying === undefined ? promotion : conversion;
}

/** The cost of a pointer conversion (C++17 §7.5 and §7.11). */
function costOfPointer(context: Context, value: Value, to: Extract<Type, { kind: "pointer" }>): Cost {
  const { type: from } = value;
  if (value.isNull === true || from.kind === "nullptr") return conversion;
  if (from.kind !== "pointer") return isArithmetic(from) ? undefined : "open";
  const verdict = compare(from, to, context.dialect, false);
  if (verdict.kind === "unknown") return "open";
  if (verdict.kind !== "ok") return undefined;
  if (to.pointee.kind === "void") return toVoid;
  return isSameType(unqualifiedType(from.pointee), unqualifiedType(to.pointee)) === false ? conversion : adjustment;
}

/** The cost of a conversion to or from a class: to a base, by a constructor of the target, or by a conversion function of the source. */
function costOfClass(context: Context, given: Value, to: Type): Cost {
  const { type: from } = given;
  if (from.kind === "record" && to.kind === "record") {
    const isBase = isDerived(from.record, to.record);
    if (isBase !== false) return isBase === true ? conversion : "open";
  }
  const ways = [...constructorsInto(context, given, to), ...(from.kind === "record" ? conversionsOutOf(context, from, to) : [])];
  if (ways.some((way) => typeof way === "number")) return userDefined;
  return ways.includes("open") ? "open" : undefined;
}

function constructorsInto(context: Context, given: Value, to: Type): readonly Cost[] {
  if (to.kind !== "record") return [];
  if (!isDefinedClass(to.record)) return ["open"];
  // `using Base::Base;` may make the constructors of a base available.
  const inherited: readonly Cost[] = to.record.bases.length > 0 ? ["open"] : [];
  const own = constructorsOf(to.record).map((constructor): Cost => {
    if (isExplicit(constructor)) return undefined;
    if (constructor.isTemplate) return "open";
    const [first, second] = constructor.type.parameters;
    const isCallable = second === undefined || constructor.declarations.some((each) => hasDefault(each, 1));
    if (first === undefined) return constructor.type.isVariadic ? userDefined : undefined;
    return isCallable ? standardCost(context, given, first) : undefined;
  });
  return [...own, ...inherited];
}

function hasDefault({ declarator }: FunctionSymbol["declarations"][number], index: number): boolean {
  return declarator.parameters[index]?.defaultValue !== undefined;
}

/** The cost without a second user-defined conversion (C++17 §15.3p4). */
function standardCost(context: Context, given: Value, parameter: Type): Cost {
  if (containsUnknown(parameter)) return "open";
  if (parameter.kind !== "reference") return costOfValue(context, given, parameter, false);
  const { referent } = parameter;
  const isClass = given.type.kind === "record" || referent.kind === "record";
  if (!isClass) return costOfReference(context, given, parameter);
  if (given.type.kind !== "record" || referent.kind !== "record") return undefined;
  return given.type.record === referent.record || isDerived(given.type.record, referent.record) !== false
    ? costOfReference(context, given, parameter)
    : undefined;
}

/** The cost of initializing an object of one class with the result of another class's conversion functions. */
export function costOfConversionTo(context: Context, from: Type, record: RecordSymbol): Cost {
  if (from.kind !== "record" || isDerived(from.record, record) === true) return undefined;
  const ways = conversionsOutOf(context, from, { kind: "record", record, qualifiers: unqualified });
  return ways.find((way) => typeof way === "number") ?? ways.find((way) => way === "open");
}

function conversionsOutOf(context: Context, from: RecordType, to: Type): readonly Cost[] {
  const functions = conversionFunctions(from.record);
  if (functions === undefined) return ["open"];
  return functions.map((function_): Cost => {
    if (isExplicit(function_)) return undefined;
    if (function_.isTemplate) return "open";
    const object = costOfObject(from, function_);
    if (typeof object !== "number") return object;
    const value = resultOf(function_);
    return containsUnknown(value.type) ? "open" : standardCost(context, value, to);
  });
}

/**
 * What an object is converted to: this type, a truth value, for which explicit functions count too (C++17 §7p4), or whatever a builtin
 * operator accepts.
 */
export type Wanted = Type | "condition" | "operand";

/** Records an object that is const while those of its class's conversion functions that give what is wanted are not. */
export function checkConversionOfConst(context: Context, { type }: Value, span: ViewSpan, wanted: Wanted): void {
  if (!context.isEmitting || !context.dialect.cplusplus || type.kind !== "record" || !type.qualifiers.const) return;
  const functions = conversionFunctions(type.record)?.filter((each) => mayGive(context, each, wanted));
  const [callee] = functions ?? [];
  if (callee === undefined || functions?.some((each) => each.isTemplate || costOfObject(type, each) !== undefined) !== false) return;
  context.program.facts.constObjects.push({ callee, object: type, place: placeOf(context, span) });
}

/** True if a conversion function may give what is wanted. An explicit one may only give exactly the type. */
function mayGive(context: Context, function_: FunctionSymbol, wanted: Wanted): boolean {
  if (wanted === "condition" || function_.isTemplate) return true;
  if (wanted === "operand") return !isExplicit(function_);
  const value = resultOf(function_);
  if (containsUnknown(value.type)) return true;
  if (isExplicit(function_)) return isSameType(unqualifiedType(value.type), unqualifiedType(wanted)) !== false;
  return standardCost(context, value, wanted) !== undefined;
}

function resultOf({ type: { result } }: FunctionSymbol): Value {
  return result.kind === "reference" ? { type: result.referent, isLvalue: !result.isRvalue } : { type: result, isLvalue: false };
}

/** The conversion functions of a class and its bases; undefined if some of them may be unknown. */
export function conversionFunctions(record: RecordSymbol, depth = 0): readonly FunctionSymbol[] | undefined {
  if (!isDefinedClass(record) || depth > deepest) return undefined;
  const found = record.functions.filter(({ name }) => /^operator [^ ]/.test(name) && !notConversions.test(name));
  for (const base of record.bases) {
    const inherited = base.kind === "record" ? conversionFunctions(base.record, depth + 1) : undefined;
    if (inherited === undefined) return undefined;
    append(found, inherited);
  }
  return found;
}

const notConversions = /^operator (new|delete|co_await)\b/;
const deepest = 20;

/** Whether the class is this one or has it as a base, at any depth; undefined if a base is unknown. */
export function isDerived(record: RecordSymbol, base: RecordSymbol, depth = 0): boolean | undefined {
  if (record === base) return true;
  if (depth > deepest) return undefined;
  let result: boolean | undefined = isDefinedClass(record) ? false : undefined;
  for (const type of record.bases) {
    const found = type.kind === "record" ? isDerived(type.record, base, depth + 1) : undefined;
    if (found === true) return true;
    if (found === undefined) result = undefined;
  }
  return result;
}

/** True if the function certainly accepts the arguments, so that no implicit copy is meant instead of the only constructor. */
export function accepts(context: Context, { type, isTemplate }: FunctionSymbol, values: readonly Value[]): boolean {
  return (
    isTemplate ||
    values.every((value, index) => {
      const parameter = type.parameters[index];
      return parameter !== undefined && typeof costInCplusplus(context, value, parameter) === "number";
    })
  );
}

/** True if the function may accept the arguments. */
export function mayAccept(context: Context, { type: { parameters } }: FunctionSymbol, values: readonly Value[]): boolean {
  return values.every((value, index) => {
    const parameter = parameters[index];
    return parameter === undefined || costInCplusplus(context, value, parameter) !== undefined;
  });
}
