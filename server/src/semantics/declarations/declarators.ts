/**
 * Turns declaration specifiers and declarators into types: which qualifier applies at which level, and the default address space
 * of an object or a pointee (OpenCL C 3.0 §6.7.8). `binder.ts` declares the names.
 */
import type { OpenCLDialect } from "../../dialect.ts";
import { append } from "../../lists.ts";
import { type AddressSpace, wordsWithRole } from "../../qualifiers.ts";
import type { ViewSpan } from "../../source.ts";
import type { Declarator, Expression, FunctionDeclarator, Name, Parameter, Specifiers, TypeId, Word } from "../../syntax/ast.ts";
import { lastPart } from "../../syntax/walk.ts";
import { constantInteger } from "../expressions/constant-expressions.ts";
import { runtimePart } from "../expressions/non-constant-parts.ts";
import { type Context, placeOf } from "../facts/context.ts";
import type { FunctionPointerFact } from "../facts/opencl-facts.ts";
import { isHandle } from "../types/opaque.ts";
import { innermostElement } from "../types/predicates.ts";
import type { ParameterDeclaration, VariableSymbol } from "../types/symbols.ts";
import {
  type ArrayType,
  addQualifiers,
  arithmetic,
  containsUnknown,
  type FunctionType,
  type Type,
  unknownType,
  unqualified,
  unqualifiedType,
} from "../types/types.ts";
import { excludeVariableLength, missFeature, withoutReadWrite } from "./access-qualifiers.ts";
import { emitCallsIn } from "./host-calls.ts";
import { typeOfName } from "./name-resolution.ts";
import { applyAttributes, attributeWords, effective, emitSpaces, qualifiersOf, typeOfSpecifiers } from "./specifiers.ts";

/** The kind of entity that a declarator declares; it determines the default address space. */
export type DeclaredAs = "program" | "static" | "block" | "parameter" | "member" | "typedef" | "type-id" | "result";

/** The result of a declarator. */
export interface Declared {
  readonly type: Type;
  readonly name: Name | undefined;
  /** Present for a function: the declarator with its parameters. */
  readonly function: FunctionDeclarator | undefined;
  /** The object's own address space is spelled, here or in a typedef. */
  readonly isSpaceExplicit: boolean;
  readonly isPack: boolean;
  /** Words after the name. */
  readonly trailingWords: readonly Word[];
  readonly isStructuredBinding: boolean;
}

/** Records a declarator that creates a pointer or a reference to a function, or a block with a variable number of arguments. */
export function emitFunctionPointer(
  { isEmitting, dialect, program, unit }: Context,
  kind: FunctionPointerFact["kind"],
  span: ViewSpan,
): void {
  if (isEmitting && dialect.language === "opencl") program.facts.functionPointers.push({ kind, place: { unit, span } });
}

/** The type of a type-id. */
export function typeOfTypeId(context: Context, type: TypeId): Type {
  return bindDeclarator(context, type.specifiers, type.declarator, "type-id").type;
}

/** CUDA's specifiers of a variable, which may also follow the `*` of its pointer. */
const ofVariables: ReadonlySet<string> = new Set(wordsWithRole("memory-space", "annotation"));

/** The type and name of a declarator with its specifiers. */
export function bindDeclarator(context: Context, specifiers: Specifiers, declarator: Declarator, as: DeclaredAs): Declared {
  return applyDeclarator(context, typeOfSpecifiers(context, specifiers), declarator, as);
}

/** Like `bindDeclarator`, for a base type that several declarators share (`struct S { } a, *b;`). */
export function applyDeclarator(context: Context, base: Type, declarator: Declarator, as: DeclaredAs): Declared {
  let type = base;
  let name: Name | undefined;
  let lastFunction: FunctionDeclarator | undefined;
  let isPack = false;
  let isStructuredBinding = false;
  let handles: { readonly of: "pointer" | "array"; readonly type: Type; readonly span: ViewSpan } | undefined;
  let variableLength: ViewSpan | undefined;
  const trailingWords: Word[] = [];
  for (let current: Declarator | undefined = declarator; current !== undefined; ) {
    switch (current.kind) {
      case "name":
        name = current.name;
        current = undefined;
        break;
      case "abstract":
        current = undefined;
        break;
      case "structured-binding":
        isStructuredBinding = true;
        current = undefined;
        break;
      case "pointer":
        emitSpaces(context, current.words, undefined, true);
        if (type.kind === "function") emitFunctionPointer(context, "pointer", current.span);
        if (isHandle(type)) handles ??= { of: "pointer", type, span: { start: current.span.start, end: current.span.start + 1 } };
        checkInnerParameters(context, lastFunction);
        // A memory space or annotation after the star applies to the declared object, like one before the star.
        append(
          trailingWords,
          current.words.filter(({ text }) => ofVariables.has(text)),
        );
        type = {
          kind: "pointer",
          pointee: defaultPointee(context, type),
          qualifiers: qualifiersOf([...current.words, ...attributeWords(context, current.attributes)]),
        };
        lastFunction = undefined;
        current = current.inner;
        break;
      case "block-pointer":
        checkInnerParameters(context, lastFunction);
        if (type.kind === "function" && type.isVariadic) emitFunctionPointer(context, "variadic block", current.span);
        if (missFeature(context, "block", { start: current.span.start, end: current.span.start + 1 })) type = unknownType;
        else type = type.kind === "function" ? { kind: "block", function: type, qualifiers: qualifiersOf(current.words) } : unknownType;
        lastFunction = undefined;
        current = current.inner;
        break;
      case "reference":
        if (type.kind === "function") emitFunctionPointer(context, "reference", current.span);
        type =
          type.kind === "reference"
            ? type
            : { kind: "reference", referent: defaultPointee(context, type), isRvalue: current.isRvalue, qualifiers: unqualified };
        lastFunction = undefined;
        current = current.inner;
        break;
      case "member-pointer":
        append(
          trailingWords,
          current.words.filter(({ text }) => ofVariables.has(text)),
        );
        if (type.kind === "function") emitFunctionPointer(context, "pointer", current.span);
        type = memberPointerTo(context, type, lastFunction, current);
        lastFunction = undefined;
        current = current.inner;
        break;
      case "array":
        if (isHandle(type)) handles ??= { of: "array", type, span: current.span };
        // nvcc judges no calls in the types of a lambda's parameters.
        if (current.size !== undefined && as !== "parameter") emitCallsIn(context, current.size);
        type = arrayOf(context, type, current.size);
        if (type.extent === "variable") variableLength ??= current.span;
        lastFunction = undefined;
        current = current.inner;
        break;
      case "function":
        type = functionOf(context, type, current);
        emitSpaces(context, current.words, undefined);
        lastFunction = current;
        current = current.inner;
        break;
      case "pack":
        isPack = true;
        current = current.inner;
        break;
      case "qualified":
        emitSpaces(context, current.words, type.qualifiers.space);
        type = applyAttributes(context, addQualifiers(type, qualifiersOf(effective(context, current.words))), current.attributes);
        append(trailingWords, current.words);
        current = current.inner;
        break;
    }
  }
  if (as === "typedef") checkInnerParameters(context, lastFunction);
  const part = name === undefined ? undefined : lastPart(name);
  const { facts } = context.program;
  if (handles !== undefined && context.isEmitting)
    facts.opaqueTypes.push({ kind: "compound", of: handles.of, type: handles.type, place: placeOf(context, part?.span ?? handles.span) });
  if (variableLength !== undefined && mayNotVary(context, type, as)) excludeVariableLength(context, part, variableLength);
  const isSpaceExplicit = type.qualifiers.space !== undefined;
  return {
    type: withDefaultSpace(context, type, as),
    name,
    function: type.kind === "function" ? lastFunction : undefined,
    isSpaceExplicit,
    isPack,
    trailingWords,
    isStructuredBinding,
  };
}

/** A pointer to a member. The qualifiers of a function are known if its parameters are written here, and not in an alias. */
function memberPointerTo(
  context: Context,
  member: Type,
  written: FunctionDeclarator | undefined,
  { of, words }: Extract<Declarator, { kind: "member-pointer" }>,
): Type {
  const { const: isConst, volatile } = qualifiersOf(written?.words ?? []);
  return {
    kind: "member-pointer",
    of: typeOfName(context, of) ?? unknownType,
    member: member.kind !== "function" ? member : written === undefined ? unknownType : addQualifiers(member, { const: isConst, volatile }),
    qualifiers: qualifiersOf(words),
  };
}

/** True if an array in this declared type must have a constant length. Compilers of CUDA only see that of a local name. */
function mayNotVary({ dialect }: Context, type: Type, as: DeclaredAs): boolean {
  return dialect.language === "opencl" ? !containsUnknown(type) : as === "block" || as === "static" || as === "typedef";
}

/**
 * Records those parameters of a function type that have an address space which a parameter cannot have. Parameters of declared
 * functions have facts of their own.
 */
function checkInnerParameters(context: Context, declarator: FunctionDeclarator | undefined): void {
  if (declarator === undefined || !context.isEmitting || context.dialect.language !== "opencl") return;
  for (const { symbol } of bindParameters(context, declarator)) {
    const { kind, qualifiers } = symbol.type;
    if (
      !symbol.isSpaceExplicit ||
      qualifiers.space === undefined ||
      qualifiers.space === "private" ||
      kind === "reference" ||
      kind === "unknown"
    )
      continue;
    context.program.facts.spaces.push({ kind: "inner-parameter", name: symbol.name, space: qualifiers.space, place: symbol.place });
  }
}

/** The parameters of a function declarator, each with its symbol, whose owner is not known yet; none for `(void)`. */
export function bindParameters(context: Context, declarator: FunctionDeclarator): readonly ParameterDeclaration[] {
  const parameters: ParameterDeclaration[] = [];
  for (const parameter of declarator.parameters) {
    if (isVoidParameter(declarator, parameter)) return [];
    parameters.push(bindParameter(context, parameter, parameters.length));
  }
  return parameters;
}

function bindParameter(context: Context, parameter: Parameter, index: number): ParameterDeclaration {
  const declared = bindDeclarator(context, parameter.specifiers, parameter.declarator, "parameter");
  const name = declared.name === undefined ? undefined : lastPart(declared.name);
  const words = wordsOf(context, parameter.specifiers, declared);
  const place = placeOf(context, parameter.span);
  const type = withoutReadWrite(context, adjustParameter(declared.type), parameter.specifiers.words);
  const symbol: VariableSymbol = {
    kind: "variable",
    name: name?.text ?? "",
    qualifiedName: name?.text ?? "",
    type,
    scope: "parameter",
    memorySpace: undefined,
    words,
    place: declared.name === undefined ? place : placeOf(context, declared.name.span),
    declaration: place,
    initializer: undefined,
    owner: undefined,
    depth: 0,
    index,
    isPack: declared.isPack,
    isSpaceExplicit: declared.isSpaceExplicit,
    isDependent: containsUnknown(type),
    isDefinition: true,
    sharesSpecifiers: false,
  };
  const mark = parameter.declarator.kind === "reference" ? parameter.declarator : undefined;
  const reference =
    mark === undefined
      ? {}
      : { referencePlace: placeOf(context, { start: mark.span.start, end: mark.span.start + (mark.isRvalue ? 2 : 1) }) };
  return { symbol, words, place, writtenType: declared.type, ...reference };
}

/** The words of the specifiers and those after the declarator, with their places. */
export function wordsOf(
  context: Context,
  specifiers: Specifiers,
  declared: Pick<Declared, "trailingWords">,
): readonly { text: string; place: ReturnType<typeof placeOf> }[] {
  return [...specifiers.words, ...declared.trailingWords].map((word) => ({ text: word.text, place: placeOf(context, word.span) }));
}

/** A parameter of array type is a pointer to its element, one of function type a pointer to it (C11 §6.7.6.3p7). */
function adjustParameter(type: Type): Type {
  if (type.kind === "array") {
    const space = type.qualifiers.space === undefined ? undefined : "private";
    return { kind: "pointer", pointee: type.element, qualifiers: { ...unqualified, space } };
  }
  if (type.kind === "function") return { kind: "pointer", pointee: type, qualifiers: unqualified };
  return type;
}

function isVoidParameter(declarator: FunctionDeclarator, parameter: Parameter): boolean {
  const type = parameter.specifiers.type;
  return (
    declarator.parameters.length === 1 && parameter.declarator.kind === "abstract" && type?.kind === "primitive" && type.words[0] === "void"
  );
}

function arrayOf(context: Context, element: Type, size: Expression | undefined): ArrayType {
  const { qualifiers } = element;
  if (size === undefined) return { kind: "array", element, length: undefined, extent: "absent", qualifiers };
  const length = constantInteger(context, size);
  if (length !== undefined && length >= 0n && length <= BigInt(Number.MAX_SAFE_INTEGER))
    return { kind: "array", element, length: Number(length), extent: "fixed", qualifiers };
  const part = runtimePart(context, { kind: "value", value: size, span: size.span });
  if (context.dialect.language === "cuda" && part !== undefined) readBound(context, size);
  // The macro may be a fallback for builds that this check does not see: `#ifndef N`, `#define N p->n`.
  const isVariable = part !== undefined && context.unit.view.origin(part.span).exact;
  return { kind: "array", element, length: undefined, extent: isVariable ? "variable" : "unknown", qualifiers };
}

/** Evaluates an array bound that is computed at run time; nvcc does not support such arrays on the device. */
function readBound(context: Context, size: Expression): void {
  if (!context.isEmitting || context.within === undefined || context.scope.kind === "record") return;
  context.program.evaluator.convertInto(context, size, sizeType, undefined, "initialize");
}

const sizeType = arithmetic("unsigned long");

function functionOf(context: Context, result: Type, declarator: FunctionDeclarator): FunctionType {
  const parameters = bindParameters({ ...context, isEmitting: false }, declarator).map(({ symbol }) => unqualifiedType(symbol.type));
  const trailing =
    declarator.trailingReturn === undefined ? result : typeOfTypeId(asMember(context, declarator), declarator.trailingReturn);
  return { kind: "function", result: trailing, parameters, isVariadic: declarator.isVariadic, qualifiers: unqualified };
}

/** The context after the parameters of a member function, where `this` can be used (C++17 §8.1.2p3). */
function asMember(context: Context, { words }: FunctionDeclarator): Context {
  const { record } = context.scope;
  if (context.dialect.language !== "opencl" || record === undefined || context.scope.kind !== "record") return context;
  const { space, const: isConst, volatile } = qualifiersOf(words);
  const qualifiers = { ...unqualified, const: isConst, volatile, space: space ?? noSpace(context.dialect) };
  return { ...context, object: { kind: "record", record, qualifiers } };
}

/**
 * The default address space of a pointee: generic if the standard has it, otherwise private (OpenCL C 3.0 §6.7.8, 1.2 §6.5). An
 * unknown name may have an address space, so nothing is assumed.
 */
function defaultPointee(context: Context, pointee: Type): Type {
  if (context.dialect.language !== "opencl") return pointee;
  if (pointee.qualifiers.space !== undefined || pointee.kind === "function") return pointee;
  if (innermostElement(pointee).kind === "unknown" || pointee.kind === "dependent" || pointee.kind === "auto") return pointee;
  const { implicitSpace } = context.program;
  if (implicitSpace !== undefined && pointee.kind !== "array") return addQualifiers(pointee, implicitSpace(false, false, false));
  return addQualifiers(pointee, { space: noSpace(context.dialect) });
}

function noSpace({ genericAddressSpace }: OpenCLDialect): AddressSpace {
  return genericAddressSpace ? "generic" : "private";
}

/**
 * The default address space of an object: global at program scope and for `static` and `extern` if the standard allows global
 * variables, otherwise private (OpenCL C 3.0 §6.7.8).
 */
function withDefaultSpace(context: Context, type: Type, as: DeclaredAs): Type {
  if (context.dialect.language !== "opencl" || as === "typedef" || as === "type-id" || as === "member" || as === "result") return type;
  const base = innermostElement(type);
  if (type.qualifiers.space !== undefined || type.kind === "function" || type.kind === "reference" || type.kind === "void") return type;
  if (base.kind === "unknown" || base.kind === "dependent" || (base.kind === "opaque" && base.name === "sampler_t")) return type;
  return addQualifiers(type, { space: defaultSpace(context.dialect, as) });
}

function defaultSpace(dialect: OpenCLDialect, as: DeclaredAs): AddressSpace {
  const isStatic = as === "program" || as === "static";
  return isStatic && dialect.programScopeGlobalVariables ? "global" : "private";
}
