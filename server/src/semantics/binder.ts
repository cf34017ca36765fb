/**
 * Declares what items say, in order, and has function bodies walked. Types come from `declarators.ts`, functions and their
 * redeclarations from `functions.ts`; here is decided what kind of thing each declaration is and which scope it enters.
 */
import type { AliasItem, DeclarationItem, Declarator, InitDeclarator, Item, NamespaceItem, Specifiers, TypeId, UsingItem } from "../syntax/ast.ts";
import { declaratorName } from "../syntax/walk.ts";
import { rememberAliasTemplate } from "./class-templates.ts";
import { convertInitializer } from "./convert.ts";
import { rememberConstant } from "./constant-expressions.ts";
import { type Context, placeOf } from "./context.ts";
import { applyDeclarator, bindDeclarator, type Declared, type DeclaredAs, typeOfSpecifiers, typeOfTypeId, wordsOf } from "./declarators.ts";
import { evaluate } from "./expressions.ts";
import { bindFunction, type FunctionRole } from "./functions.ts";
import { declareHalf } from "./halves.ts";
import { initializationOf } from "./initialization.ts";
import { layoutOfDeclaration } from "./layout-attributes.ts";
import { functionReading, lastPart, scopeOfDefinition, scopeOfQualifier } from "./names.ts";
import { bindOnDemand, canWait } from "./on-demand.ts";
import { declareHere, declaringScope, qualify, readLayoutAttribute } from "./records.ts";
import { bindInstantiation, bindTemplate } from "./template-items.ts";
import { runtimePart } from "./runtime-parts.ts";
import { createScope, declare, enclosingNamespace, lookup, lookupIn, ownNames, redeclare, type Scope, setNames, unknownSymbol, useScope } from "./scope.ts";
import type { MemorySpace, PlacedWord, RecordSymbol, Symbol, TypedefSymbol, VariableSymbol } from "./symbols.ts";
import type { Value } from "./values.ts";
import { argumentsOf, completed, externsOf, isInternal, isReallyVariable, objectType, previousOf, variableScope } from "./variables.ts";
import { addQualifiers, containsUnknown, isOpaqueToUs, type Type, unknownType } from "./types.ts";

/** Binds items in order. */
export function bindItems(context: Context, items: readonly Item[]): void {
  for (const item of items) bindItem(context, item, "primary");
}

/** Declares what an item says in the scope of the context, or notes that it can wait until somebody asks for its names. */
export function bindItem(context: Context, item: Item, role: FunctionRole): void {
  if (!canWait(context) || !bindOnDemand(context, item, () => bindNow(context, item, role))) bindNow(context, item, role);
}

function bindNow(context: Context, item: Item, role: FunctionRole): void {
  switch (item.kind) {
    case "declaration":
      return bindDeclaration(context, item, role);
    case "function":
      return bindFunctionItem(context, item, role);
    case "template":
      return bindTemplate(context, item);
    case "instantiation":
      return bindInstantiation(context, item);
    case "namespace":
      return bindNamespace(context, item);
    case "linkage":
      return bindItems(item.isBlock ? context : { ...context, isLinked: true }, item.items);
    case "using":
      return bindUsing(context, item);
    case "namespace-alias": {
      const target = scopeOfQualifier(context, { ...item.name, parts: [...item.name.parts, { text: "", span: item.name.span }] });
      if (target !== undefined) context.scope.inner.set(item.alias, target);
      return;
    }
    case "alias":
      return bindAlias(context, item);
    case "static-assert":
      if (context.isEmitting) evaluate({ ...context, isEmitting: false }, item.condition);
      return;
    case "access":
      return;
    case "unknown":
      return bindUnknown(context, item.items);
  }
}

/**
 * What could be read inside something unreadable: names become unknown. The bodies of functions are read all the same, but
 * nothing follows from their heads: an unknown macro may make them overloads of others, or give a parameter another space.
 */
function bindUnknown(context: Context, items: readonly Item[]): void {
  context.program.reading.isPartial = true;
  for (const item of items) {
    if (item.kind === "declaration") {
      for (const { declarator } of item.declarators) {
        const { name } = applyDeclarator(context, unknownType, declarator, "type-id");
        const text = name === undefined ? undefined : lastPart(name)?.text;
        if (text !== undefined) redeclare(declaringScope(context.scope), text, unknownSymbol(text));
      }
    } else bindItem({ ...context, isUncertain: true }, item, "primary");
    if (item.kind === "function") declareUnknown(context, item.declarator);
  }
}

function declareUnknown(context: Context, declarator: Declarator): void {
  const name = declaratorName(declarator);
  const part = name === undefined || name.parts.length > 1 ? undefined : lastPart(name);
  if (part !== undefined) declare(declaringScope(context.scope), part.text, unknownSymbol(part.text));
}

function bindFunctionItem(context: Context, item: Extract<Item, { kind: "function" }>, role: FunctionRole): void {
  const declared = bindDeclarator(context, item.specifiers, item.declarator, "result");
  if (declared.function === undefined) return;
  bindFunction(friendContext(context, item.specifiers), { item, specifiers: item.specifiers, declared, declarator: declared.function, role });
}

/** A friend declaration names a member of the enclosing namespace (C++17 §10.3.1.2p3). */
function friendContext(context: Context, specifiers: Specifiers): Context {
  return specifiers.words.some(({ text }) => text === "friend") ? { ...context, scope: enclosingNamespace(context.scope) } : context;
}

/** Declares every declarator of a declaration, in any scope. */
function bindDeclaration(context: Context, item: DeclarationItem, role: FunctionRole): void {
  const has = (word: string) => item.specifiers.words.some(({ text }) => text === word);
  if (item.declarators.length === 0 && !has("friend")) declareHere(context, item.specifiers.type);
  const base = typeOfSpecifiers(context, item.specifiers);
  if (item.declarators.length === 0) return declareAnonymousMember(context, item, base);
  for (const written of item.declarators) {
    const init = functionReading(context, written);
    const as: DeclaredAs = has("typedef") ? "typedef" : declaredAs(context, has("static") || has("extern"));
    const declared = applyDeclarator(context, base, init.declarator, as);
    if (init.initializer?.kind === "direct" && isC(context)) {
      // C has no such initialisers: these are a function's parameters, `int f(int (*p)[4]);`, read as C++ would.
      const name = declared.name === undefined ? undefined : lastPart(declared.name)?.text;
      if (name !== undefined) redeclare(declaringScope(context.scope), name, unknownSymbol(name));
    } else if (has("typedef")) declareTypedef(context, item.specifiers, declared);
    else if (declared.function !== undefined && !isReallyVariable(context, declared)) {
      const function_ = { item: undefined, specifiers: item.specifiers, declared, declarator: declared.function, role, initializer: init.initializer, span: item.span };
      bindFunction(friendContext(context, item.specifiers), function_);
    } else if (!has("friend")) declareVariable(context, item, init, declared, base);
  }
}

function isC({ dialect }: Context): boolean {
  return dialect.language === "opencl" && !dialect.cplusplus;
}

function declaredAs(context: Context, isStatic: boolean): DeclaredAs {
  const { kind } = declaringScope(context.scope);
  if (kind === "record") return isStatic ? "program" : "member";
  if (kind === "program" || kind === "namespace") return "program";
  return isStatic ? "static" : "block";
}

function declareTypedef(context: Context, specifiers: Specifiers, declared: Declared): void {
  if (declared.name === undefined) return;
  const name = lastPart(declared.name)?.text ?? "";
  const { type } = declared;
  if (type.kind === "record" && type.record.tag === undefined) for (const attribute of specifiers.attributes) readLayoutAttribute(context, type.record, attribute);
  const symbol: TypedefSymbol = { kind: "typedef", name, type: named(type, name), place: placeOf(context, declared.name.span), isBuiltin: context.isBuiltin };
  redeclareKeepingFunctions(declaringScope(context.scope), name, symbol);
  if (context.isEmitting) {
    context.program.facts.typedefs.push(symbol);
    emitWords(context, wordsOf(context, specifiers, declared), { on: "typedef", type: symbol.type });
  }
}

/** `typedef struct { } S;` gives the record its name for linkage and messages (C++17 §10.1.3p9). */
function named(type: Type, name: string): Type {
  if (type.kind === "record" && type.record.tag === undefined) Object.assign(type.record, { tag: name, qualifiedName: name });
  if (type.kind === "enum" && type.enumeration.tag === undefined) Object.assign(type.enumeration, { tag: name, qualifiedName: name });
  return type;
}

function bindAlias(context: Context, item: AliasItem): void {
  const type = typeOfTypeId(context, item.type);
  emitTypeWords(context, item.type, "typedef");
  // An alias template stands for a type that its arguments decide.
  const isTemplate = context.scope.kind === "template";
  const symbol: TypedefSymbol = { kind: "typedef", name: item.name, type: isTemplate ? unknownType : type, place: placeOf(context, item.nameSpan), isBuiltin: context.isBuiltin };
  redeclareKeepingFunctions(declaringScope(context.scope), item.name, symbol);
  if (isTemplate) rememberAliasTemplate(context, symbol);
}

function redeclareKeepingFunctions(scope: Scope, name: string, symbol: Symbol): void {
  const present = ownNames(scope, name) ?? [];
  setNames(scope, name, [symbol, ...present.filter(({ kind }) => kind === "function")]);
}

const memoryWords: Readonly<Record<string, MemorySpace>> = { __constant__: "constant", __shared__: "shared", __managed__: "managed", __device__: "device" };

/** Of `__device__ __constant__` the more special one counts. */
function memorySpaceOf(context: Context, words: readonly PlacedWord[], scope: VariableSymbol["scope"]): MemorySpace | undefined {
  if (context.dialect.language !== "cuda") return undefined;
  for (const word of ["__constant__", "__shared__", "__managed__", "__device__"]) {
    if (words.some(({ text }) => text === word)) return memoryWords[word];
  }
  return scope === "program" || scope === "static-member" ? "host" : undefined;
}

function declareVariable(context: Context, item: DeclarationItem, init: InitDeclarator, declared: Declared, base: Type): void {
  const scope = declaringScope(context.scope);
  if (declared.isStructuredBinding) {
    if (context.isEmitting) emitWords(context, wordsOf(context, item.specifiers, declared), { on: "structured-binding", type: declared.type });
    return declareBindings(context, init);
  }
  if (declared.name === undefined && scope.kind !== "record") return;
  const name = declared.name === undefined ? "" : (lastPart(declared.name)?.text ?? "");
  const words = wordsOf(context, item.specifiers, declared);
  const has = (text: string) => words.some((word) => word.text === text);
  const isReallyFunctionSyntax = declared.type.kind === "function";
  const object = isReallyFunctionSyntax ? objectType(declared.type, base) : declared.type;
  const place = declared.name === undefined ? init.span : declared.name.span;
  const kind = variableScope(scope, has("static"));
  const isQualified = declared.name !== undefined && declared.name.parts.length > 1;
  // In C this is what the parser made of `UNKNOWN size_t a`.
  if (isQualified && !context.dialect.cplusplus) return redeclare(scope, name, unknownSymbol(name));
  const target = isQualified && declared.name !== undefined ? scopeOfDefinition(context, declared.name) : scope;
  const draft: VariableSymbol = {
    kind: "variable",
    name,
    qualifiedName: qualify(target ?? scope, name),
    // `constexpr` makes the object itself const, whatever it points to (C++17 §10.1.5p9).
    type: completed(has("constexpr") && object.kind !== "reference" ? addQualifiers(object, { const: true }) : object, init),
    scope: isQualified ? (target?.kind === "record" ? "static-member" : "program") : kind,
    memorySpace: memorySpaceOf(context, words, isQualified ? "static-member" : kind),
    words,
    place: placeOf(context, place),
    declaration: { unit: context.unit, span: { start: item.specifiers.span.start, end: init.declarator.span.end } },
    initializer: init.initializer ?? (isReallyFunctionSyntax ? argumentsOf(declared) : undefined),
    owner: context.within,
    depth: context.depth,
    ...(target?.record === undefined ? {} : { record: target.record }),
    ...(context.lambda === undefined ? {} : { lambda: context.lambda }),
    ...previousOf(target, name, has("extern")),
    isSpaceExplicit: declared.isSpaceExplicit,
    isDependent: containsUnknown(declared.type) && context.isTemplate,
    ...(context.isTemplate ? { isTemplated: true } : {}),
    ...(context.isLinked === true && context.within === undefined ? { isLinked: true } : {}),
    ...(isInternal(target ?? scope, declared.type, words) ? { isInternal: true } : {}),
    isDefinition: !(has("extern") && init.initializer === undefined) && !(kind === "static-member" && !has("inline") && !has("constexpr")),
    ...(init.bitWidth === undefined ? {} : { bitWidth: init.bitWidth }),
    ...layoutOfDeclaration(context, item.specifiers, init.declarator),
    sharesSpecifiers: item.declarators.length > 1,
  };
  const deduced = deduceAuto(context, draft, init);
  const initialization = initializationOf({ ...context, scope: target ?? scope }, deduced);
  const variable: VariableSymbol = initialization === undefined ? deduced : { ...deduced, initialization };
  rememberConstant({ ...context, scope: target ?? scope }, variable);
  if (target !== undefined) enterVariable(target, variable, isQualified);
  if (target !== undefined && kind === "block" && has("extern") && !variable.isDependent) externsOf(target).set(name, variable);
  if (variable.memorySpace === "constant" && !context.isBuiltin) context.program.facts.constants.push(variable);
  if (variable.scope !== "member") declareHalf(context, variable.type, place);
  if (context.isEmitting) {
    const part = needsConstant(context, variable) ? runtimePart({ ...context, scope: target ?? scope }, variable.initializer, variable.type) : undefined;
    context.program.facts.variables.push({ variable, ...(part === undefined ? {} : { runtimePart: placeOf(context, part.span) }) });
    emitWords(context, words, { on: variable.scope === "member" ? "member" : "variable", variable, type: variable.type });
  }
  if (!isReallyFunctionSyntax || variable.initializer !== undefined) convertInitializer({ ...context, scope: target ?? scope }, variable);
}

/**
 * OpenCL C initialises objects of static storage duration, constant memory included, before the program runs (C11 §6.7.9p4);
 * C++ for OpenCL only those that a function declares in constant memory. CUDA does so for what lies in device memory.
 */
function needsConstant(context: Context, variable: VariableSymbol): boolean {
  if (context.dialect.language === "cuda") return variable.initialization === "dynamic";
  if (variable.initializer === undefined || variable.scope === "member") return false;
  const isConstant = variable.type.qualifiers.space === "constant";
  if (context.dialect.cplusplus) return isConstant && variable.scope === "block";
  return isConstant || variable.scope === "program" || variable.words.some(({ text }) => text === "static");
}

function enterVariable(scope: Scope, variable: VariableSymbol, isQualified: boolean): void {
  if (scope.record !== undefined && !isQualified) (variable.scope === "member" ? scope.record.members : scope.record.staticMembers)?.push(variable);
  if (variable.name === "") return;
  const tagless = (ownNames(scope, variable.name) ?? []).filter(({ kind }) => kind === "record" || kind === "enum");
  setNames(scope, variable.name, [variable, ...tagless]);
}

/** `auto x = e;`, `auto *p = e;` take their type from the initialiser (C++17 §10.1.7.4); everything else about auto stays open. */
function deduceAuto(context: Context, variable: VariableSymbol, init: InitDeclarator): VariableSymbol {
  const { type } = variable;
  const isAuto = type.kind === "auto" || (type.kind === "pointer" && type.pointee.kind === "auto") || (type.kind === "reference" && type.referent.kind === "auto");
  if (!isAuto) return variable;
  if (init.initializer?.kind !== "value") return { ...variable, type: unknownType };
  const source = evaluate({ ...context, isEmitting: false }, init.initializer.value);
  if (type.kind !== "auto") return { ...variable, type: deducedThrough(type, source) };
  const value = source.type;
  const deduced = value.kind === "reference" ? value.referent : value;
  if (deduced.kind === "array" || deduced.kind === "function") return { ...variable, type: unknownType };
  const qualifiers = { ...type.qualifiers, space: type.qualifiers.space };
  return { ...variable, type: { ...deduced, qualifiers } };
}

/** `auto *p = &x;` and `auto &r = x;`: the other object's space comes with its type, and no other can be written. */
function deducedThrough(type: Type, source: Value): Type {
  if (isOpaqueToUs(source.type)) return unknownType;
  if (type.kind === "reference" && source.isLvalue) {
    const referent = deducedFrom(source.type, type.referent);
    return referent === undefined ? unknownType : { ...type, isRvalue: false, referent };
  }
  if (type.kind !== "pointer") return unknownType;
  const from = source.type.kind === "array" ? source.type.element : source.type.kind === "pointer" ? source.type.pointee : undefined;
  const pointee = from === undefined || isOpaqueToUs(from) ? undefined : deducedFrom(from, type.pointee);
  return pointee === undefined ? unknownType : { ...type, pointee };
}

function deducedFrom(type: Type, { qualifiers }: Type): Type | undefined {
  const { space } = qualifiers;
  return space !== undefined && space !== type.qualifiers.space ? undefined : addQualifiers(type, qualifiers);
}

function declareBindings(context: Context, init: InitDeclarator): void {
  for (let current = init.declarator; ; ) {
    if (current.kind === "structured-binding") {
      for (const name of current.names) redeclare(context.scope, name, unknownSymbol(name));
      return;
    }
    if (current.kind === "name" || current.kind === "abstract") return;
    current = current.inner;
  }
}

/** `union { int a; float b; };` inside a record: its members are the record's. */
function declareAnonymousMember(context: Context, item: DeclarationItem, type: Type): void {
  const { record } = context.scope;
  const { type: specifier } = item.specifiers;
  if (specifier?.kind !== "record" || specifier.name !== undefined || specifier.members === undefined || type.kind !== "record") {
    if (context.isEmitting) emitWords(context, wordsOf(context, item.specifiers, { trailingWords: [] }), { on: "record", type });
    return;
  }
  const place = placeOf(context, specifier.span);
  const member: VariableSymbol = {
    kind: "variable", name: "", qualifiedName: "", type, scope: record === undefined ? "program" : "member", memorySpace: undefined, words: [],
    place, declaration: placeOf(context, item.span), initializer: undefined, owner: context.within, depth: context.depth,
    ...(record === undefined ? {} : { record }), isSpaceExplicit: false, isDependent: false, isDefinition: true, sharesSpecifiers: false,
  };
  record?.members?.push(member);
  for (const inner of namedMembers(type.record)) declare(context.scope, inner.name, record === undefined ? variableOfUnion(context, item, inner) : inner);
}

/** The members that are found as if they were declared where an anonymous record stands, also those of anonymous records in it. */
function namedMembers({ members = [] }: RecordSymbol): readonly VariableSymbol[] {
  return members.flatMap((member) => (member.name !== "" ? [member] : member.type.kind === "record" ? namedMembers(member.type.record) : []));
}

/** In a function or namespace they are variables, and have nothing to do with `this` (C++17 §12.3.1). */
function variableOfUnion(context: Context, { specifiers }: DeclarationItem, inner: VariableSymbol): Symbol {
  const isOfBlock = context.within !== undefined;
  if (specifiers.words.some(({ text }) => isOfBlock || text !== "static")) return unknownSymbol(inner.name);
  const { record: _, ...rest } = inner;
  return { ...rest, scope: isOfBlock ? "block" : "program", owner: context.within, depth: context.depth };
}

function bindNamespace(context: Context, item: NamespaceItem): void {
  let scope = context.scope;
  for (const name of item.names.length === 0 ? [""] : item.names) {
    let next = scope.inner.get(name);
    if (next === undefined) {
      next = createScope("namespace", scope, { ...(name === "" ? {} : { name }), isInternal: scope.isInternal || name === "" });
      scope.inner.set(name, next);
      // Members of unnamed and inline namespaces are visible outside (C++17 §10.3.1.1, §10.3.1p8).
      if (name === "" || item.isInline) useScope(scope, next);
    }
    scope = next;
  }
  bindItems({ ...context, scope }, item.items);
}

function bindUsing(context: Context, item: UsingItem): void {
  const last = lastPart(item.name);
  if (last === undefined) return;
  if (item.isNamespace) {
    const qualifier = scopeOfQualifier(context, { ...item.name, parts: [...item.name.parts, { text: "", span: item.name.span }] });
    if (qualifier !== undefined && qualifier !== context.scope) useScope(context.scope, qualifier);
    return;
  }
  const symbols = item.name.parts.length > 1 ? lookupQualified(context, item) : lookup(context.scope, last.text);
  for (const symbol of symbols.length > 0 ? symbols : [unknownSymbol(last.text)]) declare(context.scope, last.text, symbol);
}

function lookupQualified(context: Context, item: UsingItem): readonly Symbol[] {
  const scope = scopeOfQualifier(context, item.name);
  const last = lastPart(item.name);
  if (scope === undefined || last === undefined) return [];
  return scope === context.scope ? [] : lookupIn(scope, last.text);
}

const gpuWords = new Set(["__global", "__local", "__constant", "__private", "__generic", "__grid_constant__", "__constant__", "__device__", "__shared__", "__managed__", "__global__", "__host__", "__kernel"]);

/** CUDA's words in a type that declares nothing. OpenCL's say something there, and have facts of their own. */
export function emitTypeWords(context: Context, { specifiers, declarator }: TypeId, on: "typedef" | "cast" | "new" | "type"): void {
  if (!context.isEmitting || context.dialect.language !== "cuda") return;
  const behind = declarator.kind === "pointer" || declarator.kind === "qualified" ? declarator.words : [];
  emitWords(context, wordsOf(context, specifiers, { trailingWords: behind }), { on });
}

/** One fact for each word of ours. */
export function emitWords(context: Context, words: readonly PlacedWord[], on: Omit<Context["program"]["facts"]["words"][number], "word">): void {
  for (const word of words) if (gpuWords.has(word.text)) context.program.facts.words.push({ word, ...on });
}

