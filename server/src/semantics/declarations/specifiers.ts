/** The type of a declaration's specifiers, with its qualifiers, address space and attributes. */
import { type AddressSpace, addressSpaceOf } from "../../qualifiers.ts";
import type { Attribute, Expression, Name, Specifiers, TypeId, TypeSpecifier, Word } from "../../syntax/ast.ts";
import { lastPart } from "../../syntax/walk.ts";
import { constantInteger } from "../expressions/constant-expressions.ts";
import { type Context, placeOf } from "../facts/context.ts";
import { evaluate } from "../facts/evaluator.ts";
import { boundedType } from "../types/bounded-type.ts";
import { lacks, typeOfPrimitive } from "../types/type-names.ts";
import {
  addQualifiers,
  containsUnknown,
  dependentType,
  isOpaqueToUs,
  type Qualifiers,
  referred,
  type Type,
  unknownType,
  unqualified,
  unqualifiedType,
} from "../types/types.ts";
import { missFeature, useDouble, withAccess } from "./access-qualifiers.ts";
import { emitWords } from "./binder.ts";
import { typeOfTypeId } from "./declarators.ts";
import { resolveName, typeOfName } from "./name-resolution.ts";
import { bindEnum, bindRecord } from "./records.ts";

/** The qualifiers that the words add up to. The first of several address spaces counts; rules report the others. */
export function qualifiersOf(words: readonly { readonly text: string }[]): Qualifiers {
  let { space, const: isConst, volatile: isVolatile, restrict } = unqualified;
  for (const { text } of words) {
    space ??= addressSpaceOf(text);
    if (text === "const") isConst = true;
    else if (text === "volatile") isVolatile = true;
    else if (text === "restrict") restrict = true;
  }
  return { space, const: isConst, volatile: isVolatile, restrict };
}

/** The type of the specifiers alone, with their qualifiers. */
export function typeOfSpecifiers(context: Context, specifiers: Specifiers): Type {
  const base = withAccess(
    context,
    specifiers.type === undefined ? unknownType : boundedType(typeOfSpecifier(context, specifiers.type)),
    specifiers.words,
  );
  const attributed = applyAttributes(context, base, specifiers.attributes);
  const written = qualifiersOf(effective(context, specifiers.words));
  emitSpaces(context, specifiers.words, attributed.qualifiers.space);
  const isWrong = written.restrict && cannotRestrict(attributed);
  // nvcc ignores it.
  if (isWrong && context.dialect.language === "opencl") emitRestrict(context, specifiers.words, attributed);
  const qualifiers = isWrong ? { ...written, restrict: false } : written;
  // A qualifier on a typedef of a reference type is ignored (C++17 §11.3.2p1).
  return attributed.kind === "reference" ? attributed : addQualifiers(attributed, qualifiers);
}

/** The words that take effect. Without a generic address space, `__generic` is reported, and ignored before a `*`, as in compilers. */
export function effective<W extends { readonly text: string }>({ dialect }: Context, words: readonly W[]): readonly W[] {
  const isGeneric = ({ text }: W) => text === "__generic";
  if (dialect.language !== "opencl" || !words.some(isGeneric) || dialect.genericAddressSpace) return words;
  return words.filter((word) => !isGeneric(word));
}

/** Records address spaces that exclude each other, and those that the selected standard lacks. `present` is the type's own space. */
export function emitSpaces(context: Context, words: readonly Word[], present: AddressSpace | undefined, isAfterStar = false): void {
  const { dialect } = context;
  if (!context.isEmitting || dialect.language !== "opencl") return;
  let first = present;
  for (const { text, span } of words) {
    const space = addressSpaceOf(text);
    if (space === undefined) continue;
    const word = { text, place: placeOf(context, span) };
    if (first !== undefined) context.program.facts.spaces.push({ kind: "second-space", word, first });
    if (text === "__generic" && !dialect.genericAddressSpace)
      context.program.facts.spaces.push({ kind: "unsupported-generic", word, ...(isAfterStar ? { isOverlooked: true } : {}) });
    first ??= space;
  }
}

/** Records `restrict` on a type other than a pointer; a type definition for such a type is recorded where it is declared. */
function emitRestrict(context: Context, words: readonly Word[], type: Type): void {
  if (!context.isEmitting) return;
  const word = words.find(({ text }) => text === "restrict");
  if (word !== undefined)
    context.program.facts.restricts.push({ word: { text: word.text, place: placeOf(context, word.span) }, type: unqualifiedType(type) });
}

function cannotRestrict(type: Type): boolean {
  switch (type.kind) {
    case "array":
      return cannotRestrict(type.element);
    case "void":
    case "arithmetic":
    case "vector":
    case "record":
    case "enum":
    case "opaque":
    case "atomic":
      return true;
    default:
      return false;
  }
}

/** Records the GPU's words on a class, an enumeration or a template argument, where they mean nothing. */
function emitPlaced(context: Context, words: readonly Word[], on: "record" | "type"): void {
  if (!context.isEmitting || context.dialect.language !== "cuda" || words.length === 0) return;
  const placed = words.map(({ text, span }) => ({ text, place: placeOf(context, span) }));
  emitWords(context, placed, { on });
}

/** Records those words in the template arguments of a name. */
function emitInArguments(context: Context, { parts }: Name): void {
  if (!context.isEmitting || context.dialect.language !== "cuda") return;
  for (const { templateArguments = [] } of parts)
    for (const argument of templateArguments) {
      if (argument.kind !== "type-id") continue;
      emitPlaced(context, argument.specifiers.words, "type");
      if (argument.specifiers.type?.kind === "named") emitInArguments(context, argument.specifiers.type.name);
    }
}

function typeOfSpecifier(context: Context, specifier: TypeSpecifier): Type {
  switch (specifier.kind) {
    case "primitive":
      if (specifier.words.some((word) => word.startsWith("double")) && missFeature(context, specifier.words.join(" "), specifier.span))
        return unknownType;
      if (specifier.words.includes("double")) useDouble(context, specifier.words.join(" "), specifier.span);
      return typeOfPrimitive(specifier.words, context.dialect.language);
    case "named": {
      emitInArguments(context, specifier.name);
      const type = typeOfName(context, specifier.name) ?? unavailable(context, specifier.name) ?? unknownType;
      if (type.kind === "vector" && type.element === "double") useDoubleVector(context, specifier.name);
      return specifier.isDependent && type.kind === "unknown" ? dependentType : type;
    }
    case "record":
      emitPlaced(context, specifier.words, "record");
      return bindRecord(context, specifier);
    case "enum":
      emitPlaced(context, specifier.words, "record");
      return bindEnum(context, specifier);
    case "auto":
      return { kind: "auto", qualifiers: unqualified, ...(specifier.isDecltype === true ? { isDecltype: true } : {}) };
    case "decltype":
      if (specifier.isTypeof === true) return typeofType(context, specifier.expression);
      return specifier.expression.kind === "type-id"
        ? typeOfTypeId(context, specifier.expression)
        : declaredType(context, specifier.expression);
    case "atomic":
      return { kind: "atomic", value: typeOfTypeId(context, specifier.type), qualifiers: unqualified };
    case "unknown":
      return unknownType;
  }
}

/**
 * GNU's `typeof` in C++: the type of an object or value, or the type in the parentheses, without reference. In C it keeps every
 * qualifier of an object.
 */
function typeofType(context: Context, operand: Expression | TypeId): Type {
  if (operand.kind === "type-id") return referred(typeOfTypeId(context, operand));
  if (operand.kind === "name") return referred(declaredType(context, operand));
  if (context.dialect.language === "opencl") return typeOfObject(context, operand, true);
  const { type, isLvalue, functions } = evaluate({ ...context, isEmitting: false, isUnevaluated: true }, operand);
  if (!isLvalue || functions !== undefined || type.kind === "function") return unqualifiedType(type);
  const { const: isConst, volatile } = type.qualifiers;
  return addQualifiers(unqualifiedType(type), { const: isConst, volatile });
}

/**
 * `decltype(x)` of a variable is its declared type (C++17 §10.1.7.2p4), in OpenCL with its address space; for other expressions,
 * it is the type of the value.
 */
function declaredType(context: Context, expression: Expression): Type {
  const symbols = expression.kind === "name" ? resolveName(context, expression.name) : [];
  const [symbol] = symbols;
  if (symbols.length !== 1 || symbol?.kind !== "variable")
    return context.dialect.language === "opencl" ? typeOfObject(context, expression) : typeInCuda(context, expression);
  if (symbol.type.kind === "reference" || context.dialect.language === "opencl") return symbol.type;
  const { const: isConst, volatile } = symbol.type.qualifiers;
  return addQualifiers(unqualifiedType(symbol.type), { const: isConst, volatile });
}

/**
 * `decltype` of an expression that names no variable: a member's declared type, a reference to any other object, or the type of a value
 * (C++17 §10.1.7.2p4).
 */
function typeInCuda(context: Context, expression: Expression): Type {
  const { type, isLvalue, path, functions } = evaluate({ ...context, isEmitting: false, isUnevaluated: true }, expression);
  if (functions !== undefined || isOpaqueToUs(type) || containsUnknown(type) || type.kind === "function") return unqualifiedType(type);
  if (expression.kind !== "member")
    return isLvalue ? { kind: "reference", referent: type, isRvalue: false, qualifiers: unqualified } : unqualifiedType(type);
  const step = path?.steps.at(-1);
  return step?.kind === "member" && step.member !== undefined ? step.member.type : unqualifiedType(type);
}

/** OpenCL: the type of an object. In C++ `decltype` of an object is a reference to it, whose address space stays unknown. */
function typeOfObject(context: Context, expression: Expression, isTypeof = false): Type {
  const named = expression.kind === "name" ? typeOfName(context, expression.name) : undefined;
  if (named !== undefined) return named;
  const { type, isLvalue } = evaluate({ ...context, isUnevaluated: true }, expression);
  if (!isLvalue) return unqualifiedType(type);
  return context.dialect.cplusplus && !isTypeof ? unknownType : type;
}

/**
 * OpenCL: the unknown type for a plain name that nothing declares. If the selected standard lacks a type of that name, that is
 * recorded. Undefined for all other names.
 */
function unavailable(context: Context, name: Name): Type | undefined {
  const part = lastPart(name);
  if (context.dialect.language !== "opencl" || part === undefined || name.parts.length > 1 || resolveName(context, name).length > 0)
    return undefined;
  if (!lacks(context.dialect, part.text)) return { kind: "unknown", name: part.text, qualifiers: unqualified };
  missFeature(context, part.text, part.span);
  return unknownType;
}

/** Records the name of a vector of doubles; a name of the program's own is recorded where it is declared. */
function useDoubleVector(context: Context, name: Name): void {
  const part = lastPart(name);
  if (part !== undefined && /^double\d+$/.test(part.text)) useDouble(context, part.text, part.span);
}

/** Applies `vector_size`, address-space attributes and the like to a type. */
export function applyAttributes(context: Context, type: Type, attributes: readonly Attribute[]): Type {
  let result = type;
  for (const attribute of attributes) {
    const text = attributeWord(context, attribute);
    const space = addressSpaceOf(text);
    if (space !== undefined) {
      emitSpaces(context, [{ text, span: attribute.span }], result.qualifiers.space);
      result = addQualifiers(result, { space });
    }
    // The number is unknown.
    else if (attribute.name === "address_space") return unknownType;
    else if (attribute.name === "ext_vector_type" || attribute.name === "vector_size") {
      const length = constantInteger(context, attribute.arguments[0]);
      if (result.kind !== "arithmetic" || length === undefined || attribute.name === "vector_size") return unknownType;
      result = { kind: "vector", element: result.name, length: Number(length), qualifiers: result.qualifiers };
    }
  }
  return result;
}

/** The attributes that have the same meaning as a qualifying word. */
export function attributeWords(context: Context, attributes: readonly Attribute[]): readonly { readonly text: string }[] {
  return attributes.map((attribute) => ({ text: attributeWord(context, attribute) }));
}

/** The attribute's name; for a numbered address space, which is a qualifier, `address_space(3)` with its number. */
function attributeWord(context: Context, { name, arguments: [first] }: Attribute): string {
  if (name !== "address_space") return name;
  const number = constantInteger(context, first);
  return number === undefined ? name : `${name}(${number})`;
}
