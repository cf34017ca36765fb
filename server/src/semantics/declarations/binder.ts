/**
 * Binds items in order, and starts the walk over function bodies. It decides what kind of entity each declaration declares, and in
 * which scope. Types come from `declarators.ts`, functions and their redeclarations from `functions.ts`.
 */
import { spend } from "../../budget.ts";
import { isGpuWord } from "../../qualifiers.ts";
import type { AliasItem, DeclarationItem, Declarator, Item, NamespaceItem, Specifiers, TypeId, UsingItem } from "../../syntax/ast.ts";
import { declaratorName, hasWord, lastPart, unqualifiedName } from "../../syntax/walk.ts";
import { type Context, placeOf } from "../facts/context.ts";
import { evaluate } from "../facts/evaluator.ts";
import {
  bindRunLater,
  createScope,
  declare,
  enclosingNamespace,
  isNamespace,
  lookup,
  lookupIn,
  ownNames,
  redeclare,
  type Scope,
  setNames,
  unknownSymbol,
  useScope,
  useUnread,
} from "../symbols/scope.ts";
import { rememberAliasTemplate, rememberGuide } from "../templates/class-templates.ts";
import { bindInstantiation, bindTemplate } from "../templates/template-items.ts";
import type { SpecifierWord, Symbol, TypedefSymbol } from "../types/symbols.ts";
import { isSizeName } from "../types/type-names.ts";
import { type Type, unknownType } from "../types/types.ts";
import { applyDeclarator, bindDeclarator, type Declared, type DeclaredAs, typeOfTypeId, wordsOf } from "./declarators.ts";
import { bindFunction, type FunctionRole } from "./functions.ts";
import { emitCallsIn } from "./host-calls.ts";
import { attributesOf, emitStrayAttributes } from "./layout-attributes.ts";
import { functionReading, resolveName, scopeOfQualifier, symbolOfUnread } from "./name-resolution.ts";
import { afterDefinition, canBeLazy, memberOutside, type Run, runsOf } from "./on-demand.ts";
import { declareHere, declaringScope, readLayoutAttribute } from "./records.ts";
import { typeOfSpecifiers } from "./specifiers.ts";
import { declareAnonymousMember, declareVariable } from "./variable-declarations.ts";
import { isReallyVariable } from "./variable-lookup.ts";

/** Binds items in order, or registers them to be bound when one of their names is looked up. */
export function bindItems(context: Context, items: readonly Item[]): void {
  if (canBeLazy(context)) for (const run of runsOf(context, items)) bindRun(context, run, 0, run.items.length);
  else for (const item of items) bindItem(context, item, "primary");
}

/** Binds the items `from` … `to` of a run, or registers them to be bound when one of their names is looked up. */
export function bindRun(context: Context, { items, names }: Run, from: number, to: number): void {
  const bindAt = (index: number) => {
    const item = items[index];
    if (item === undefined) return;
    for (const each of item.kind === "deferred" ? item.read() : [item])
      if (names === undefined || !waitsForClass(context, each)) bindNow(context, each, "primary");
  };
  if (names === undefined) for (let index = from; index < to && spend(); index += 1) bindAt(index);
  else if (spend(to - from)) bindRunLater(context.scope, names, from, to, bindAt);
}

/** True if an item of a header that defines a member outside of its class is bound when the class is defined. */
function waitsForClass(context: Context, item: Item): boolean {
  const name = memberOutside(item);
  const record = name === undefined ? undefined : scopeOfQualifier(context, name)?.record;
  return record !== undefined && afterDefinition(record, context.scope, () => bindNow(context, item, "primary"));
}

/** Binds an item in the scope of the context. */
export function bindItem(context: Context, item: Item, role: FunctionRole): void {
  if (spend()) bindNow(context, item, role);
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
      emitCallsIn(context, item.condition);
      return;
    case "access":
      return;
    case "deferred":
      for (const each of item.read()) bindNow(context, each, role);
      return;
    case "unknown":
      return bindUnknown(context, item.items);
  }
}

/**
 * Binds the readable parts of unreadable code, whose names become unknown. Function bodies are still walked, but nothing follows
 * from the heads of the functions: an unknown macro may make them overloads of others, or give a parameter another address space.
 */
function bindUnknown(context: Context, items: readonly Item[]): void {
  context.program.reading.isPartial = true;
  for (const item of items) {
    // Already in its own body, a call of the function may be one of an overload.
    if (item.kind === "function") declareUnknown(context, item.declarator);
    if (item.kind === "declaration") {
      for (const { declarator } of item.declarators) {
        const { name } = applyDeclarator(context, unknownType, declarator, "type-id");
        const text = name === undefined ? undefined : lastPart(name)?.text;
        if (text !== undefined) redeclare(declaringScope(context.scope), text, unknownSymbol(text));
      }
    } else bindItem({ ...context, isUncertain: true }, item, "primary");
  }
}

function declareUnknown(context: Context, declarator: Declarator): void {
  const name = declaratorName(declarator);
  const part = name === undefined || name.parts.length > 1 ? undefined : lastPart(name);
  const scope = declaringScope(context.scope);
  if (part === undefined || ownNames(scope, part.text)?.some(({ kind }) => kind === "unknown") === true) return;
  declare(scope, part.text, unknownSymbol(part.text));
}

function bindFunctionItem(context: Context, item: Extract<Item, { kind: "function" }>, role: FunctionRole): void {
  const declared = bindDeclarator(context, item.specifiers, item.declarator, "result");
  if (declared.function === undefined) return;
  bindFunction(friendContext(context, item.specifiers), {
    item,
    specifiers: item.specifiers,
    declared,
    declarator: declared.function,
    role,
  });
}

/** A friend declaration declares a member of the enclosing namespace (C++17 §10.3.1.2p3). */
function friendContext(context: Context, specifiers: Specifiers): Context {
  return hasWord(specifiers.words, "friend") ? { ...context, scope: enclosingNamespace(context.scope) } : context;
}

/** Thousands of variables may be declared in one declaration; each takes so much longer than a look-up. */
const stepsPerDeclarator = 12;

/** Binds every declarator of a declaration, in any scope. */
function bindDeclaration(context: Context, item: DeclarationItem, role: FunctionRole): void {
  const has = (word: string) => hasWord(item.specifiers.words, word);
  if (item.declarators.length === 0 && !has("friend")) declareHere(context, item.specifiers.type);
  const base = typeOfSpecifiers(context, item.specifiers);
  if (item.declarators.length === 0) {
    emitStrayAttributes(context, item.specifiers.attributes, "type");
    return declareAnonymousMember(context, item, base);
  }
  for (const written of item.declarators) {
    if (!spend(stepsPerDeclarator)) return;
    const init = functionReading(context, written);
    const as: DeclaredAs = has("typedef") ? "typedef" : declaredAs(context, has("static") || has("extern"));
    const declared = applyDeclarator(context, base, init.declarator, as);
    if (init.initializer?.kind === "direct" && isC(context)) {
      // C has no such initializers, so these are the parameters of a function, `int f(int (*p)[4]);`, parsed as in C++.
      const name = declared.name === undefined ? undefined : lastPart(declared.name)?.text;
      if (name !== undefined) redeclare(declaringScope(context.scope), name, unknownSymbol(name));
    } else if (has("typedef")) {
      declareTypedef(context, item.specifiers, declared);
      emitStrayAttributes(context, attributesOf(item.specifiers, init.declarator), "typedef");
    } else if (isGuide(context, item.specifiers, declared)) continue;
    else if (declared.function !== undefined && !isReallyVariable(context, declared)) {
      const function_ = {
        item: undefined,
        specifiers: item.specifiers,
        declared,
        declarator: declared.function,
        role,
        initializer: init.initializer,
        span: item.span,
      };
      bindFunction(friendContext(context, item.specifiers), function_);
    } else if (!has("friend")) declareVariable(context, item, init, declared, base);
  }
}

/** True for a deduction guide, `Box(T *) -> Box<T>;`, which declares no function (C++17 §17.9). Its class keeps that it has one. */
function isGuide(context: Context, { type }: Specifiers, { name, function: head }: Declared): boolean {
  if (type !== undefined || head?.trailingReturn === undefined || name === undefined) return false;
  const record = resolveName(context, name).find((symbol) => symbol.kind === "record");
  if (record !== undefined) rememberGuide(record);
  return record !== undefined;
}

function isC({ dialect }: Context): boolean {
  return dialect.language === "opencl" && !dialect.cplusplus;
}

function declaredAs(context: Context, isStatic: boolean): DeclaredAs {
  const scope = declaringScope(context.scope);
  if (scope.kind === "record") return isStatic ? "program" : "member";
  if (isNamespace(scope)) return "program";
  return isStatic ? "static" : "block";
}

function declareTypedef(context: Context, specifiers: Specifiers, declared: Declared): void {
  if (declared.name === undefined) return;
  const name = unqualifiedName(declared.name);
  const { type } = declared;
  const scope = declaringScope(context.scope);
  const previous = ownNames(scope, name)?.find((each) => each.kind === "typedef");
  if (type.kind === "record" && type.record.tag === undefined)
    for (const attribute of specifiers.attributes) readLayoutAttribute(context, type.record, attribute);
  const symbol: TypedefSymbol = {
    kind: "typedef",
    name,
    type: named(context, type, name),
    place: placeOf(context, declared.name.span),
    isBuiltin: context.isBuiltin,
    ...(previous === undefined || previous.isBuiltin ? {} : { previous }),
    ...(isNumbered(context, specifiers, type) ? { isNumbered: true } : {}),
  };
  redeclareKeepingFunctions(scope, name, symbol);
  if (context.isEmitting) {
    context.program.facts.typedefs.push(symbol);
    emitWords(context, wordsOf(context, specifiers, declared), { on: "typedef" });
  }
}

/**
 * CUDA: true if the type comes from a typedef with a numbered address space, `typedef __attribute__((address_space(3))) float F;`,
 * directly or through another typedef.
 */
function isNumbered(context: Context, { attributes, type: specifier }: Specifiers, type: Type): boolean {
  if (context.dialect.language !== "cuda" || type.kind === "pointer" || type.kind === "reference") return false;
  if (attributes.some(({ name }) => name === "address_space")) return true;
  const symbols = specifier?.kind === "named" ? resolveName(context, specifier.name) : [];
  return symbols.some((symbol) => symbol.kind === "typedef" && symbol.isNumbered === true);
}

/** `typedef struct { } S;` names the record for linkage and messages (C++17 §10.1.3p9). */
function named({ dialect }: Context, type: Type, name: string): Type {
  if (type.kind === "record" && type.record.tag === undefined) Object.assign(type.record, { tag: name, qualifiedName: name });
  if (type.kind === "enum" && type.enumeration.tag === undefined) Object.assign(type.enumeration, { tag: name, qualifiedName: name });
  // A program that declares `size_t` means the device's type of that name.
  if (type.kind === "arithmetic" && type.alias === undefined && isSizeName(name) && dialect.language === "opencl")
    return { ...type, alias: name };
  return type;
}

function bindAlias(context: Context, item: AliasItem): void {
  const type = typeOfTypeId(context, item.type);
  emitTypeWords(context, item.type, "typedef");
  // An alias template stands for a type that depends on its arguments.
  const isTemplate = context.scope.kind === "template";
  const symbol: TypedefSymbol = {
    kind: "typedef",
    name: item.name,
    type: isTemplate ? unknownType : type,
    place: placeOf(context, item.nameSpan),
    isBuiltin: context.isBuiltin,
  };
  redeclareKeepingFunctions(declaringScope(context.scope), item.name, symbol);
  if (isTemplate) rememberAliasTemplate(context, symbol);
}

function redeclareKeepingFunctions(scope: Scope, name: string, symbol: Symbol): void {
  const present = ownNames(scope, name) ?? [];
  setNames(scope, name, [symbol, ...present.filter(({ kind }) => kind === "function")]);
}

function bindNamespace(context: Context, item: NamespaceItem): void {
  bindItems(enterNamespace(context, item), item.items);
}

/** The context of a namespace's items; declares the namespace if it is new. */
export function enterNamespace(context: Context, item: NamespaceItem): Context {
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
  return { ...context, scope };
}

/** Namespaces that compilers provide. Their functions take what their own headers declare, or have well-known names. */
const knownNamespaces: ReadonlySet<string> = new Set(["std", "cooperative_groups", "nvcuda"]);

function bindUsing(context: Context, item: UsingItem): void {
  const last = lastPart(item.name);
  if (last === undefined) return;
  if (item.isNamespace) {
    const qualifier = scopeOfQualifier(context, { ...item.name, parts: [...item.name.parts, { text: "", span: item.name.span }] });
    if (qualifier === undefined && !knownNamespaces.has(item.name.parts[0]?.text ?? "")) useUnread(context.scope);
    if (qualifier === undefined) return;
    if (qualifier !== context.scope) useScope(context.scope, qualifier);
    return;
  }
  inheritConstructors(context, item);
  const symbols = item.name.parts.length > 1 ? lookupQualified(context, item) : lookup(context.scope, last.text);
  for (const symbol of symbols.length > 0 ? symbols : [symbolOfUnread(item.name, last.text)]) declare(context.scope, last.text, symbol);
}

/** Remembers for a class that it gets the constructors of a base: `using Base::Base;`. */
function inheritConstructors(context: Context, { name }: UsingItem): void {
  const record = context.scope.kind === "record" ? context.scope.record : undefined;
  const base = record === undefined ? undefined : scopeOfQualifier(context, name)?.record;
  const [before, last] = name.parts.slice(-2).map(({ text }) => text);
  if (record === undefined || base === undefined || record.inherits?.includes(base) === true) return;
  if (last === before || last === base.tag) record.inherits = [...(record.inherits ?? []), base];
}

function lookupQualified(context: Context, item: UsingItem): readonly Symbol[] {
  const scope = scopeOfQualifier(context, item.name);
  const last = lastPart(item.name);
  if (scope === undefined || last === undefined) return [];
  return scope === context.scope ? [] : lookupIn(scope, last.text);
}

/** Records CUDA's specifiers on a type that declares nothing. OpenCL's specifiers have facts of their own there. */
export function emitTypeWords(context: Context, { specifiers, declarator }: TypeId, on: "typedef" | "cast" | "new" | "type"): void {
  if (!context.isEmitting || context.dialect.language !== "cuda") return;
  const trailing = declarator.kind === "pointer" || declarator.kind === "qualified" ? declarator.words : [];
  emitWords(context, wordsOf(context, specifiers, { trailingWords: trailing }), { on });
}

/** Records one fact for each CUDA specifier. */
export function emitWords(
  context: Context,
  words: readonly SpecifierWord[],
  on: Omit<Context["program"]["facts"]["words"][number], "word">,
): void {
  for (const { text, place } of words) if (isGpuWord(text)) context.program.facts.words.push({ word: { text, place }, ...on });
}
