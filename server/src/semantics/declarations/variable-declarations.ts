/** Declares variables: objects, members, deduced types for `auto`, structured bindings, and members of anonymous records. */
import { type MemorySpace, qualifiers } from "../../qualifiers.ts";
import type { ViewSpan } from "../../source.ts";
import type { DeclarationItem, Expression, InitDeclarator, Parameter, Specifiers } from "../../syntax/ast.ts";
import { hasWord, unqualifiedName } from "../../syntax/walk.ts";
import { constantNumber, rememberConstant } from "../expressions/constant-expressions.ts";
import { declareHalf } from "../expressions/floating-point.ts";
import { runtimePart } from "../expressions/non-constant-parts.ts";
import { type Context, isHip, placeOf } from "../facts/context.ts";
import { evaluate, type Value } from "../facts/evaluator.ts";
import { declare, ownNames, qualify, redeclare, type Scope, setNames, unknownSymbol } from "../symbols/scope.ts";
import { completeClass } from "../templates/instance-members.ts";
import { boundedType } from "../types/bounded-type.ts";
import { deducedType, isDeduced } from "../types/deduced-type.ts";
import type { RecordSymbol, SpecifierWord, Symbol, VariableSymbol } from "../types/symbols.ts";
import { addQualifiers, containsUnknown, isOpaqueToUs, type Type, unknownType, unqualified, withQualifiers } from "../types/types.ts";
import { addressAsNumber } from "./address-constants.ts";
import { emitWords } from "./binder.ts";
import { type Declared, wordsOf } from "./declarators.ts";
import { emitDefaultedVariable } from "./defaulted-objects.ts";
import { hasEffect, initializationOf } from "./initialization.ts";
import { attributesOf, emitStrayAttributes, layoutOfDeclaration } from "./layout-attributes.ts";
import { resolveName, scopeOfDefinition } from "./name-resolution.ts";
import { declaringScope } from "./records.ts";
import { declareBindings } from "./structured-bindings.ts";
import { argumentsOf, completed, enterExtern, isInternal, objectType, previousOf, variableScope } from "./variable-lookup.ts";

/** The memory space that the words specify. Of `__device__ __constant__` the more specific one counts. */
function memorySpaceOf(context: Context, words: readonly SpecifierWord[], scope: VariableSymbol["scope"]): MemorySpace | undefined {
  if (context.dialect.language !== "cuda") return undefined;
  const named = qualifiers.find(({ word, memorySpace }) => memorySpace !== undefined && hasWord(words, word));
  if (named !== undefined) return named.memorySpace;
  return scope === "program" || scope === "static-member" ? "host" : undefined;
}

/** Declares one variable of a declaration, and records its specifiers and its initializer. */
export function declareVariable(context: Context, item: DeclarationItem, init: InitDeclarator, declared: Declared, base: Type): void {
  const scope = declaringScope(context.scope);
  if (declared.isStructuredBinding) {
    if (context.isEmitting) emitWords(context, wordsOf(context, item.specifiers, declared), { on: "structured-binding" });
    return declareBindings(context, item, init, declared.type);
  }
  if (declared.name === undefined && scope.kind !== "record") return;
  const name = declared.name === undefined ? "" : unqualifiedName(declared.name);
  const words = wordsOf(context, item.specifiers, declared);
  const has = (text: string) => hasWord(words, text);
  const isReallyFunctionSyntax = declared.type.kind === "function";
  const initializer = init.initializer ?? (isReallyFunctionSyntax ? argumentsOf(declared) : undefined);
  const object = deduceClass(context, item, isReallyFunctionSyntax ? objectType(declared.type, base) : declared.type, initializer);
  const place = declared.name === undefined ? init.span : declared.name.span;
  const kind = variableScope(scope, has("static"));
  const isQualified = declared.name !== undefined && declared.name.parts.length > 1;
  // In C this is how the parser reads `UNKNOWN size_t a`.
  if (isQualified && !context.dialect.cplusplus) return redeclare(scope, name, unknownSymbol(name));
  const target = isQualified && declared.name !== undefined ? scopeOfDefinition(context, declared.name) : scope;
  const isLinked = context.isLinked === true && context.within === undefined;
  const draft: VariableSymbol = {
    kind: "variable",
    name,
    qualifiedName: qualify(target ?? scope, name),
    // `constexpr` makes the object itself const, whatever its pointee is (C++17 §10.1.5p9).
    type: completed(has("constexpr") && object.kind !== "reference" ? addQualifiers(object, { const: true }) : object, init),
    scope: isQualified ? (target?.kind === "record" ? "static-member" : "program") : kind,
    memorySpace: memorySpaceOf(context, words, isQualified ? "static-member" : kind),
    words,
    place: placeOf(context, place),
    declaration: { unit: context.unit, span: { start: item.specifiers.span.start, end: init.declarator.span.end } },
    initializer,
    owner: context.within,
    depth: context.depth,
    ...(target?.record === undefined ? {} : { record: target.record }),
    ...(context.lambda === undefined ? {} : { lambda: context.lambda }),
    ...previousOf(target, name, has("extern")),
    isSpaceExplicit: declared.isSpaceExplicit,
    isDependent: containsUnknown(declared.type) && context.isTemplate,
    ...(context.isTemplate ? { isTemplated: true } : {}),
    ...(isInternal(target ?? scope, declared.type, words) ? { isInternal: true } : {}),
    // `extern "C" int x;` declares, like `extern int x;` (C++17 §10.5p7).
    isDefinition:
      !((has("extern") || isLinked) && init.initializer === undefined) &&
      !(kind === "static-member" && !has("inline") && !has("constexpr")),
    ...(init.bitWidth === undefined ? {} : { bitWidth: constantNumber(context, init.bitWidth) ?? Number.NaN }),
    ...layoutOfDeclaration(context, item.specifiers, init.declarator),
    sharesSpecifiers: item.declarators.length > 1,
  };
  const deduced = deduceAuto(context, { ...draft, type: boundedType(draft.type) }, init);
  const inScope = { ...context, scope: target ?? scope };
  const initialization = initializationOf(inScope, deduced);
  const variable: VariableSymbol = {
    ...deduced,
    ...(initialization === undefined ? {} : { initialization }),
    ...(isHip(context) && deduced.memorySpace === "shared" && hasEffect(inScope, deduced) ? { hasEffect: true } : {}),
  };
  rememberConstant(inScope, variable);
  if (target !== undefined) enterVariable(target, variable, isQualified);
  if (target !== undefined && kind === "block" && has("extern") && !variable.isDependent) enterExtern(target, variable);
  if (variable.memorySpace === "constant" && !context.isBuiltin) context.program.facts.constants.push(variable);
  if (variable.scope !== "member") declareHalf(context, variable.type, place);
  if (context.isEmitting) {
    const inner = { ...context, scope: target ?? scope };
    const part = needsConstant(context, variable)
      ? (runtimePart(inner, variable.initializer, variable.type) ?? addressAsNumber(inner, variable.initializer, variable.type))
      : undefined;
    context.program.facts.variables.push({ variable, ...(part === undefined ? {} : { runtimePart: placeOf(context, part.span) }) });
    // What is defined outside of a class that was not found may have its initializer there.
    if (!isQualified || variable.previous !== undefined) emitDefaultedVariable(context, variable);
    emitNumberedSpace(context, item.specifiers, variable);
    completeClass(context, variable.type, place);
    const on = variable.scope === "member" ? "member" : "variable";
    emitWords(context, words, { on, variable });
    emitStrayAttributes(context, attributesOf(item.specifiers, init.declarator), on, variable.type);
  }
  if (!isReallyFunctionSyntax || variable.initializer !== undefined)
    context.program.evaluator.convertInitializer({ ...context, scope: target ?? scope }, variable);
}

/** Records the attributes of a parameter that mean an address space or belong to kernels. */
export function emitParameterAttributes(context: Context, { specifiers, declarator }: Parameter, symbol: VariableSymbol): void {
  emitNumberedSpace(context, specifiers, symbol);
  emitStrayAttributes(context, attributesOf(specifiers, declarator), "parameter");
}

/** CUDA: records `__attribute__((address_space(3)))` among the specifiers of an object, unless it applies to a pointee. */
function emitNumberedSpace(context: Context, specifiers: Specifiers, variable: VariableSymbol): void {
  const span = specifiers.attributes.find(({ name }) => name === "address_space")?.span ?? numberedName(context, specifiers);
  const { kind } = elementOf(variable.type);
  const isLocalStatic = variable.scope === "block" && variable.memorySpace === undefined && hasWord(variable.words, "static", "extern");
  if (span === undefined || context.dialect.language !== "cuda" || kind === "pointer" || kind === "reference" || isLocalStatic) return;
  const word = { text: "address_space" as const, place: placeOf(context, span) };
  context.program.facts.words.push({ word, on: variable.scope === "member" ? "member" : "variable", variable });
}

function elementOf(type: Type): Type {
  return type.kind === "array" ? elementOf(type.element) : type;
}

/** The name of a typedef with a numbered address space. */
function numberedName(context: Context, { type }: Specifiers): ViewSpan | undefined {
  if (context.dialect.language !== "cuda" || type?.kind !== "named") return undefined;
  return resolveName(context, type.name).some((symbol) => symbol.kind === "typedef" && symbol.isNumbered === true) ? type.span : undefined;
}

/**
 * True if the initializer must be constant. In OpenCL C this holds for objects of static storage duration, including constant
 * memory (C11 §6.7.9p4), in C++ for OpenCL for those that a function declares in constant memory, and in CUDA for those in device
 * memory and constexpr variables of functions.
 */
function needsConstant(context: Context, variable: VariableSymbol): boolean {
  if (context.dialect.language === "cuda")
    return variable.initialization === "dynamic" || (variable.scope === "block" && hasWord(variable.words, "constexpr"));
  if (variable.initializer === undefined || variable.scope === "member") return false;
  const isConstant = variable.type.qualifiers.space === "constant";
  if (context.dialect.cplusplus) return isConstant && variable.scope === "block";
  return isConstant || variable.scope === "program" || hasWord(variable.words, "static");
}

function enterVariable(scope: Scope, variable: VariableSymbol, isQualified: boolean): void {
  if (scope.record !== undefined && !isQualified)
    (variable.scope === "member" ? scope.record.members : scope.record.staticMembers)?.push(variable);
  if (variable.name === "") return;
  const tagless = (ownNames(scope, variable.name) ?? []).filter(({ kind }) => kind === "record" || kind === "enum");
  setNames(scope, variable.name, [variable, ...tagless]);
}

/** The type of an object whose class is named without the arguments of its template, which the initializer decides. */
function deduceClass(context: Context, { specifiers }: DeclarationItem, type: Type, initializer: InitDeclarator["initializer"]): Type {
  const name = specifiers.type?.kind === "named" ? specifiers.type.name : undefined;
  if (context.dialect.language !== "cuda" || type.kind !== "record" || name === undefined) return type;
  const values =
    initializer?.kind === "direct" ? initializer.arguments : initializer?.kind === "value" ? elementsOf(initializer.value) : [];
  const deduced = context.program.evaluator.deducedClass(context, name, type, () =>
    values.map((value) => evaluate({ ...context, isEmitting: false }, value)),
  );
  return deduced === undefined ? type : addQualifiers(deduced, type.qualifiers);
}

function elementsOf(value: Expression): readonly Expression[] {
  return value.kind === "list" ? value.elements.map((element) => element.value) : [value];
}

/** Deduces `auto x = e;` and `auto *p = e;` from the initializer (C++17 §10.1.7.4); any other use of auto stays unknown. */
function deduceAuto(context: Context, variable: VariableSymbol, init: InitDeclarator): VariableSymbol {
  const { type } = variable;
  if (!isDeduced(type)) return variable;
  if (init.initializer?.kind !== "value") return { ...variable, type: unknownType };
  const operand = init.initializer.value;
  const source = evaluate({ ...context, isEmitting: false }, operand);
  const deduced =
    type.kind === "auto" && type.isDecltype === true
      ? declaredAs(context, operand, source, type)
      : deducedType(context.dialect, type, source);
  return { ...variable, type: boundedType(deduced) };
}

/**
 * The type of `decltype(auto) x = e;`: that of the variable or member if `e` names one, otherwise a reference if `e` is an object, or
 * the type of the value (C++17 §10.1.7.2p4).
 */
function declaredAs(context: Context, operand: Expression, { type, isLvalue }: Value, { qualifiers: { space } }: Type): Type {
  const [symbol, ...others] = operand.kind === "name" ? resolveName(context, operand.name) : [];
  if (isOpaqueToUs(type) || type.kind === "function" || operand.kind === "member") return unknownType;
  if (operand.kind === "name") {
    if (symbol?.kind !== "variable" || others.length > 0 || symbol.type.kind === "array") return unknownType;
    const { const: isConst, volatile, restrict } = symbol.type.qualifiers;
    return symbol.type.kind === "reference" ? symbol.type : withQualifiers(symbol.type, { const: isConst, volatile, restrict, space });
  }
  if (isLvalue) return { kind: "reference", referent: type, isRvalue: false, qualifiers: unqualified };
  const isScalar = type.kind === "pointer" || type.kind === "arithmetic" || type.kind === "vector" || type.kind === "enum";
  return isScalar ? withQualifiers(type, { ...unqualified, space }) : unknownType;
}

/** Declares the members of `union { int a; float b; };` in a record as members of that record. */
export function declareAnonymousMember(context: Context, item: DeclarationItem, type: Type): void {
  const { record } = context.scope;
  const { type: specifier } = item.specifiers;
  if (specifier?.kind !== "record" || specifier.name !== undefined || specifier.body === undefined || type.kind !== "record") {
    if (context.isEmitting) emitWords(context, wordsOf(context, item.specifiers, { trailingWords: [] }), { on: "record" });
    return;
  }
  const place = placeOf(context, specifier.span);
  const member: VariableSymbol = {
    kind: "variable",
    name: "",
    qualifiedName: "",
    type,
    scope: record === undefined ? "program" : "member",
    memorySpace: undefined,
    words: [],
    place,
    declaration: placeOf(context, item.span),
    initializer: undefined,
    owner: context.within,
    depth: context.depth,
    ...(record === undefined ? {} : { record }),
    isSpaceExplicit: false,
    isDependent: false,
    isDefinition: true,
    sharesSpecifiers: false,
  };
  record?.members?.push(member);
  for (const inner of namedMembers(type.record))
    declare(context.scope, inner.name, record === undefined ? variableOfUnion(context, item, inner) : inner);
}

/** The members that are found as if they were declared in place of an anonymous record, including those of nested anonymous records. */
function namedMembers({ members = [] }: RecordSymbol): readonly VariableSymbol[] {
  return members.flatMap((member) =>
    member.name !== "" ? [member] : member.type.kind === "record" ? namedMembers(member.type.record) : [],
  );
}

/** A member of an anonymous union in a function or namespace. It is a variable, and unrelated to `this` (C++17 §12.3.1). */
function variableOfUnion(context: Context, { specifiers }: DeclarationItem, inner: VariableSymbol): Symbol {
  const isOfBlock = context.within !== undefined;
  if (specifiers.words.some(({ text }) => isOfBlock || text !== "static")) return unknownSymbol(inner.name);
  const { record: _, ...rest } = inner;
  return { ...rest, scope: isOfBlock ? "block" : "program", owner: context.within, depth: context.depth };
}
