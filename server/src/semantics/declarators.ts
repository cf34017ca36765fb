/**
 * Turns declaration specifiers and declarators into types: which qualifier stands at which level, and which address space
 * an object or a pointee has when nobody wrote one (OpenCL C 3.0 §6.7.8). Declaring the names is `binder.ts`'s work.
 */
import type { OpenCLDialect } from "../dialect.ts";
import type { Span } from "../source.ts";
import type { Attribute, Declarator, Expression, FunctionDeclarator, Name, Parameter, Specifiers, TypeId, TypeSpecifier, Word } from "../syntax/ast.ts";
import { type Context, placeOf } from "./context.ts";
import { constantInteger } from "./constant-expressions.ts";
import { bindEnum, bindRecord } from "./records.ts";
import { evaluate, typeOfExpression } from "./expressions.ts";
import type { FunctionPointerFact } from "./facts.ts";
import { missFeature, withAccess, withoutReadWrite } from "./handles.ts";
import { lastPart, resolveName, typeOfName } from "./names.ts";
import type { FunctionSymbol, ParameterDeclaration, VariableSymbol } from "./symbols.ts";
import { runtimePart } from "./runtime-parts.ts";
import { lacks, typeOfPrimitive } from "./type-names.ts";
import { type AddressSpace, addQualifiers, type ArrayType, containsUnknown, type FunctionType, type Qualifiers, type Type, unknownType, unqualified, unqualifiedType } from "./types.ts";

/** What kind of thing a declarator declares; it decides the default address space. */
export type DeclaredAs = "program" | "static" | "block" | "parameter" | "member" | "typedef" | "type-id" | "result";

export interface Declared {
  readonly type: Type;
  readonly name: Name | undefined;
  /** Present when the declared thing is a function: the declarator with its parameters. */
  readonly function: FunctionDeclarator | undefined;
  /** The object's own space was written, here or in a typedef. */
  readonly isSpaceExplicit: boolean;
  readonly isPack: boolean;
  /** Words that stand after the name. */
  readonly trailingWords: readonly Word[];
  readonly isStructuredBinding: boolean;
}

const spaces: Readonly<Record<string, AddressSpace>> = {
  __global: "global",
  __local: "local",
  __constant: "constant",
  __private: "private",
  __generic: "generic",
  opencl_global: "global",
  opencl_local: "local",
  opencl_constant: "constant",
  opencl_private: "private",
  opencl_generic: "generic",
  // Parts of global memory that a unified memory tells apart (cl_intel_unified_shared_memory); nothing is said of what differs.
  opencl_global_device: "global",
  opencl_global_host: "global",
};

/** The address space that a canonical word names, if it is one. */
export function spaceOfWord(word: string): AddressSpace | undefined {
  return Object.hasOwn(spaces, word) ? spaces[word] : undefined;
}

/** What qualifier words say together; of several spaces the first counts, and placement rules report the others. */
function qualifiersOf(words: readonly { readonly text: string }[]): Qualifiers {
  let { space, const: isConst, volatile: isVolatile, restrict } = unqualified;
  for (const { text } of words) {
    space ??= spaceOfWord(text);
    if (text === "const") isConst = true;
    else if (text === "volatile") isVolatile = true;
    else if (text === "restrict") restrict = true;
  }
  return { space, const: isConst, volatile: isVolatile, restrict };
}

/** The type that the specifiers alone name, with their qualifiers. */
export function typeOfSpecifiers(context: Context, specifiers: Specifiers): Type {
  const base = withAccess(context, specifiers.type === undefined ? unknownType : typeOfSpecifier(context, specifiers.type), specifiers.words);
  const attributed = applyAttributes(context, base, specifiers.attributes);
  const qualifiers = qualifiersOf(effective(context, specifiers.words));
  emitSpaces(context, specifiers.words, attributed.qualifiers.space);
  // A qualifier on a reference type that came through a name is ignored (C++17 §11.3.2p1).
  return attributed.kind === "reference" ? attributed : addQualifiers(attributed, qualifiers);
}

/** Where there is no generic address space, `__generic` is reported and in front of a `*` taken for not written, as compilers do. */
function effective<W extends { readonly text: string }>({ dialect }: Context, words: readonly W[]): readonly W[] {
  return dialect.language === "opencl" && !dialect.genericAddressSpace ? words.filter(({ text }) => text !== "__generic") : words;
}

/** Records space words that cannot all hold, and those that the standard in force does not have. `present` is the type's own space. */
function emitSpaces(context: Context, words: readonly Word[], present: AddressSpace | undefined, isBehindStar = false): void {
  const { dialect } = context;
  if (!context.isEmitting || dialect.language !== "opencl") return;
  let first = present;
  for (const { text, span } of words) {
    const space = spaceOfWord(text);
    if (space === undefined) continue;
    const word = { text, place: placeOf(context, span) };
    if (first !== undefined) context.program.facts.spaces.push({ kind: "second-space", word, first });
    if (text === "__generic" && !dialect.genericAddressSpace) context.program.facts.spaces.push({ kind: "unsupported-generic", word, ...(isBehindStar ? { isOverlooked: true } : {}) });
    first ??= space;
  }
}

/** Records that a declarator makes a pointer or a reference to a function. */
export function emitFunctionPointer({ isEmitting, dialect, program, unit }: Context, kind: FunctionPointerFact["kind"], span: Span): void {
  if (isEmitting && dialect.language === "opencl") program.facts.functionPointers.push({ kind, place: { unit, span } });
}

/** The type of a type-id. */
export function typeOfTypeId(context: Context, type: TypeId): Type {
  return bindDeclarator(context, type.specifiers, type.declarator, "type-id").type;
}

const annotations = new Set(["__grid_constant__", "__constant__", "__shared__", "__device__", "__managed__"]);

/** The type and name that a declarator gives to its specifiers. */
export function bindDeclarator(context: Context, specifiers: Specifiers, declarator: Declarator, as: DeclaredAs): Declared {
  return applyDeclarator(context, typeOfSpecifiers(context, specifiers), declarator, as);
}

/** The same for a base type that was made once for several declarators (`struct S { } a, *b;`). */
export function applyDeclarator(context: Context, base: Type, declarator: Declarator, as: DeclaredAs): Declared {
  let type = base;
  let name: Name | undefined;
  let lastFunction: FunctionDeclarator | undefined;
  let isPack = false;
  let isStructuredBinding = false;
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
        checkInnerParameters(context, lastFunction);
        // A memory space or annotation behind the star is about the declared object, like one in front.
        trailingWords.push(...current.words.filter(({ text }) => annotations.has(text)));
        type = { kind: "pointer", pointee: defaultPointee(context, type), qualifiers: qualifiersOf([...current.words, ...attributeWords(current.attributes)]) };
        lastFunction = undefined;
        current = current.inner;
        break;
      case "block-pointer":
        checkInnerParameters(context, lastFunction);
        if (missFeature(context, "block", { start: current.span.start, end: current.span.start + 1 })) type = unknownType;
        else type = type.kind === "function" ? { kind: "block", function: type, qualifiers: qualifiersOf(current.words) } : unknownType;
        lastFunction = undefined;
        current = current.inner;
        break;
      case "reference":
        if (type.kind === "function") emitFunctionPointer(context, "reference", current.span);
        type = type.kind === "reference" ? type : { kind: "reference", referent: defaultPointee(context, type), isRvalue: current.isRvalue, qualifiers: unqualified };
        lastFunction = undefined;
        current = current.inner;
        break;
      case "member-pointer":
        trailingWords.push(...current.words.filter(({ text }) => annotations.has(text)));
        type = { kind: "member-pointer", qualifiers: qualifiersOf(current.words) };
        lastFunction = undefined;
        current = current.inner;
        break;
      case "array":
        type = arrayOf(context, type, current.size);
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
        trailingWords.push(...current.words);
        current = current.inner;
        break;
    }
  }
  if (as === "typedef") checkInnerParameters(context, lastFunction);
  const isSpaceExplicit = type.qualifiers.space !== undefined;
  return { type: withDefaultSpace(context, type, as), name, function: type.kind === "function" ? lastFunction : undefined, isSpaceExplicit, isPack, trailingWords, isStructuredBinding };
}

/** Records the parameters of a function type whose space is not theirs to choose; those of declared functions are facts themselves. */
function checkInnerParameters(context: Context, declarator: FunctionDeclarator | undefined): void {
  if (declarator === undefined || !context.isEmitting || context.dialect.language !== "opencl") return;
  for (const { symbol } of bindParameters(context, declarator, undefined)) {
    const { kind, qualifiers } = symbol.type;
    if (!symbol.isSpaceExplicit || qualifiers.space === undefined || qualifiers.space === "private" || kind === "reference" || kind === "unknown") continue;
    context.program.facts.spaces.push({ kind: "inner-parameter", name: symbol.name, space: qualifiers.space, place: symbol.place });
  }
}

/** The parameters of a function declarator, each with its symbol. `(void)` has none. */
export function bindParameters(context: Context, declarator: FunctionDeclarator, owner: FunctionSymbol | undefined): readonly ParameterDeclaration[] {
  const parameters: ParameterDeclaration[] = [];
  for (const parameter of declarator.parameters) {
    if (isVoidParameter(declarator, parameter)) return [];
    parameters.push(bindParameter(context, parameter, parameters.length, owner));
  }
  return parameters;
}

function bindParameter(context: Context, parameter: Parameter, index: number, owner: FunctionSymbol | undefined): ParameterDeclaration {
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
    owner,
    depth: 0,
    index,
    isPack: declared.isPack,
    isSpaceExplicit: declared.isSpaceExplicit,
    isDependent: containsUnknown(type),
    isDefinition: true,
    sharesSpecifiers: false,
  };
  const mark = parameter.declarator.kind === "reference" ? parameter.declarator : undefined;
  const reference = mark === undefined ? {} : { referencePlace: placeOf(context, { start: mark.span.start, end: mark.span.start + (mark.isRvalue ? 2 : 1) }) };
  return { symbol, words, place, writtenType: declared.type, ...reference };
}

/** Specifier words and those after the declarator, with their places. */
export function wordsOf(context: Context, specifiers: Specifiers, declared: Pick<Declared, "trailingWords">): readonly { text: string; place: ReturnType<typeof placeOf> }[] {
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
  return declarator.parameters.length === 1 && parameter.declarator.kind === "abstract" && type?.kind === "primitive" && type.words[0] === "void";
}

function typeOfSpecifier(context: Context, specifier: TypeSpecifier): Type {
  switch (specifier.kind) {
    case "primitive":
      if (specifier.words.some((word) => word.startsWith("double")) && missFeature(context, specifier.words.join(" "), specifier.span)) return unknownType;
      return typeOfPrimitive(specifier.words, context.dialect.language);
    case "named":
      return typeOfName(context, specifier.name) ?? unavailable(context, specifier.name) ?? (specifier.isDependent ? { kind: "dependent", name: undefined, qualifiers: unqualified } : unknownType);
    case "record":
      return bindRecord(context, specifier);
    case "enum":
      return bindEnum(context, specifier);
    case "auto":
      // It may be a reference, to an object that has a space.
      return specifier.isDecltype === true && context.dialect.language === "opencl" ? unknownType : { kind: "auto", qualifiers: unqualified };
    case "decltype":
      return specifier.expression.kind === "type-id" ? typeOfTypeId(context, specifier.expression) : declaredType(context, specifier.expression);
    case "atomic":
      return { kind: "atomic", value: typeOfTypeId(context, specifier.type), qualifiers: unqualified };
    case "unknown":
      return unknownType;
  }
}

/**
 * `decltype(x)` of a variable is its declared type (C++17 §10.1.7.2p4); of anything else only the value's type is kept. In C
 * the View spells GNU's `typeof` so, which keeps every qualifier of an object, the address space included.
 */
function declaredType(context: Context, expression: Expression): Type {
  const symbols = expression.kind === "name" ? resolveName(context, expression.name) : [];
  const [symbol] = symbols;
  if (symbols.length !== 1 || symbol?.kind !== "variable") return context.dialect.language === "opencl" ? typeOfObject(context, expression) : unqualifiedType(typeOfExpression(context, expression));
  if (symbol.type.kind === "reference" || (context.dialect.language === "opencl" && !context.dialect.cplusplus)) return symbol.type;
  const { const: isConst, volatile } = symbol.type.qualifiers;
  return addQualifiers(unqualifiedType(symbol.type), { const: isConst, volatile });
}

/** In C++ `decltype` of an object is a reference to it and `typeof` is not: there both stay open. */
function typeOfObject(context: Context, expression: Expression): Type {
  const named = expression.kind === "name" ? typeOfName(context, expression.name) : undefined;
  if (named !== undefined) return named;
  const { type, isLvalue } = evaluate({ ...context, isEmitting: false }, expression);
  if (!isLvalue) return unqualifiedType(type);
  return context.dialect.cplusplus ? unknownType : type;
}

/** A type of another standard is none in this one. */
function unavailable(context: Context, name: Name): Type | undefined {
  const part = lastPart(name);
  if (context.dialect.language !== "opencl" || part === undefined || name.parts.length > 1 || resolveName(context, name).length > 0) return undefined;
  if (lacks(context.dialect, part.text)) missFeature(context, part.text, part.span);
  return unknownType;
}

function applyAttributes(context: Context, type: Type, attributes: readonly Attribute[]): Type {
  let result = type;
  for (const attribute of attributes) {
    const space = spaceOfWord(attribute.name);
    if (space !== undefined) {
      emitSpaces(context, [{ text: attribute.name, span: attribute.span }], result.qualifiers.space);
      result = addQualifiers(result, { space });
    }
    // A numbered space is none that we know anything about.
    else if (attribute.name === "address_space") return unknownType;
    else if (attribute.name === "ext_vector_type" || attribute.name === "vector_size") {
      const length = constantInteger(context, attribute.arguments[0]);
      if (result.kind !== "arithmetic" || length === undefined || attribute.name === "vector_size") return unknownType;
      result = { kind: "vector", element: result.name, length: Number(length), qualifiers: result.qualifiers };
    }
  }
  return result;
}

function attributeWords(attributes: readonly Attribute[]): readonly { readonly text: string }[] {
  return attributes.map(({ name }) => ({ text: name }));
}

function arrayOf(context: Context, element: Type, size: import("../syntax/ast.ts").Expression | undefined): ArrayType {
  const { qualifiers } = element;
  if (size === undefined) return { kind: "array", element, length: undefined, extent: "absent", qualifiers };
  const length = constantInteger(context, size);
  if (length !== undefined && length >= 0n && length <= BigInt(Number.MAX_SAFE_INTEGER)) return { kind: "array", element, length: Number(length), extent: "fixed", qualifiers };
  const part = context.dialect.language === "opencl" ? runtimePart(context, { kind: "value", value: size, span: size.span }) : undefined;
  // What a macro stands for may be the way out of a build that we do not see: `#ifndef N`, `#define N p->n`.
  const isVariable = part !== undefined && context.unit.view.origin(part.span).exact;
  return { kind: "array", element, length: undefined, extent: isVariable ? "variable" : "unknown", qualifiers };
}

function functionOf(context: Context, result: Type, declarator: FunctionDeclarator): FunctionType {
  const parameters = bindParameters({ ...context, isEmitting: false }, declarator, undefined).map(({ symbol }) => unqualifiedType(symbol.type));
  const trailing = declarator.trailingReturn === undefined ? result : typeOfTypeId(context, declarator.trailingReturn);
  return { kind: "function", result: trailing, parameters, isVariadic: declarator.isVariadic, qualifiers: unqualified };
}

/**
 * A pointee without a space: generic where the standard has it, private otherwise (OpenCL C 3.0 §6.7.8, 1.2 §6.5).
 * What a name that we cannot see would say stays open.
 */
function defaultPointee(context: Context, pointee: Type): Type {
  if (context.dialect.language !== "opencl") return pointee;
  if (pointee.qualifiers.space !== undefined || pointee.kind === "function") return pointee;
  if (innermostElement(pointee).kind === "unknown" || pointee.kind === "dependent" || pointee.kind === "auto") return pointee;
  return addQualifiers(pointee, { space: context.dialect.genericAddressSpace ? "generic" : "private" });
}

/**
 * The space of an object for which nobody wrote one: global at program scope and for `static` and `extern` where the
 * standard lets such variables be global, private for everything else (OpenCL C 3.0 §6.7.8).
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

function innermostElement(type: Type): Type {
  let current = type;
  while (current.kind === "array") current = current.element;
  return current;
}
