/**
 * Resolves qualified names to symbols, and names to types. A name with an unknown part (a template's specialization, an unknown
 * class) is unknown, never "not found". Only the integers of the standard library are known without their headers.
 */
import type { InitDeclarator, Name, NamePart, Parameter, Specifiers } from "../../syntax/ast.ts";
import { asFunction } from "../../syntax/lowering/array-pointers.ts";
import { lastPart } from "../../syntax/walk.ts";
import type { Context } from "../facts/context.ts";
import { scopeOfRecord } from "../symbols/record-scopes.ts";
import { innerScope, lookup, lookupIn, programScope, type Scope, unknownSymbol } from "../symbols/scope.ts";
import { definedClass, specialize } from "../templates/class-templates.ts";
import type { Symbol, UnknownSymbol } from "../types/symbols.ts";
import { fixedWidth, lacks, openclTypeOfName } from "../types/type-names.ts";
import { dependentType, type Type, unknownType, unqualified } from "../types/types.ts";

/** The name as written, without template arguments. */
export function printName(name: Name): string {
  return (name.isGlobal ? "::" : "") + name.parts.map((part) => part.text).join("::");
}

/** The symbols of a name; empty if nothing of that name is known. */
export function resolveName(context: Context, name: Name): readonly Symbol[] {
  const last = lastPart(name);
  if (last === undefined) return [];
  if (name.parts.length === 1 && !name.isGlobal) return lookup(context.scope, last.text);
  const scope = scopeOfQualifier(context, name);
  if (scope === undefined) return [symbolOfUnread(name, last.text)];
  return lookupIn(scope, last.text);
}

/** The symbol of a name whose declaration was not found. In `std` and `cuda::std`, an integer of `<cstdint>` still has its type. */
export function symbolOfUnread({ parts }: Name, last: string): UnknownSymbol {
  const qualifier = parts.slice(0, -1).map(({ text }) => text);
  const type = standardNamespaces.has(qualifier.join("::")) ? fixedWidth(last) : undefined;
  return type === undefined ? unknownSymbol(last) : { ...unknownSymbol(last), type };
}

const standardNamespaces: ReadonlySet<string> = new Set(["std", "cuda::std"]);

/** The type that `P<int>` names if P is a template parameter, or if P is unknown. */
function dependentOrUnknown({ kind }: Symbol): Type {
  return kind === "template-parameter" ? dependentType : unknownType;
}

/** The scope of `a::b::` before the last part; undefined if it is unknown. */
export function scopeOfQualifier(context: Context, name: Name): Scope | undefined {
  return scopeBefore(context, name, false);
}

/** Like `scopeOfQualifier`, for a member that is defined outside of its class, where `P<T>::` means the template itself. */
export function scopeOfDefinition(context: Context, name: Name): Scope | undefined {
  return scopeBefore(context, name, true);
}

function scopeBefore(context: Context, name: Name, isDefinition: boolean): Scope | undefined {
  let scope: Scope | undefined = name.isGlobal ? programScope(context.scope) : undefined;
  for (const part of name.parts.slice(0, -1)) {
    const next: Scope | undefined =
      scope === undefined ? nearestScope(context, part, isDefinition) : partScope(context, scope, part, isDefinition);
    if (next === undefined) return undefined;
    scope = next;
  }
  return scope;
}

function nearestScope(context: Context, part: NamePart, isDefinition: boolean): Scope | undefined {
  for (let current: Scope | undefined = context.scope; current !== undefined; current = current.parent) {
    const isThere = innerScope(current, part.text) !== undefined || lookupIn(current, part.text).some(isClassLike);
    if (isThere) return partScope(context, current, part, isDefinition);
  }
  return undefined;
}

function isClassLike({ kind }: Symbol): boolean {
  return kind === "record" || kind === "typedef" || kind === "template-parameter" || kind === "unknown";
}

/** The namespace or class that one part of a name refers to in a scope. */
function partScope(context: Context, scope: Scope, part: NamePart, isDefinition: boolean): Scope | undefined {
  const written = part.templateArguments;
  const inner = innerScope(scope, part.text);
  if (written === undefined && inner !== undefined) return inner;
  for (const symbol of lookupIn(scope, part.text)) {
    if (written === undefined) {
      const type = typeOfSymbol(symbol);
      return type?.kind === "record" ? scopeOfRecord(type.record) : undefined;
    }
    if (symbol.kind !== "record" && symbol.kind !== "typedef") continue;
    const defined = isDefinition && symbol.kind === "record" ? definedClass(context, symbol, written) : undefined;
    if (defined !== undefined) return scopeOfRecord(defined);
    const type = specialize({ ...context, isEmitting: false }, symbol, written);
    return type.kind === "record" ? scopeOfRecord(type.record) : undefined;
  }
  return undefined;
}

/** The type of a name, or undefined if the name is not a known type's. */
export function typeOfName(context: Context, name: Name): Type | undefined {
  const part = lastPart(name);
  if (part === undefined) return undefined;
  const symbols = resolveName(context, name);
  for (const symbol of symbols) {
    const type = typeOfSymbol(symbol);
    if (type === undefined) continue;
    if (part.templateArguments === undefined || symbol.kind === "unknown") return type;
    // The name of a constructor stands for its class.
    const template = symbol.kind === "function" ? symbol.record : symbol;
    return template?.kind === "record" || template?.kind === "typedef"
      ? specialize(context, template, part.templateArguments)
      : dependentOrUnknown(symbol);
  }
  if (symbols.length > 0) return undefined;
  if (context.dialect.language === "cuda") return fixedWidth(part.text);
  return lacks(context.dialect, part.text) ? undefined : openclTypeOfName(part.text);
}

function typeOfSymbol(symbol: Symbol): Type | undefined {
  switch (symbol.kind) {
    case "typedef":
      return symbol.type;
    case "record":
      return { kind: "record", record: symbol, qualifiers: unqualified };
    case "enum":
      return { kind: "enum", enumeration: symbol, qualifiers: unqualified };
    case "template-parameter":
      return symbol.type === undefined ? { kind: "dependent", name: symbol.name, qualifiers: unqualified } : undefined;
    case "function":
      // In the scope of a class, its constructors hide the class's own name (C++17 §12p2).
      return symbol.record !== undefined && symbol.name === symbol.record.tag
        ? { kind: "record", record: symbol.record, qualifiers: unqualified }
        : undefined;
    case "unknown":
      return symbol.type ?? unknownType;
    default:
      return undefined;
  }
}

/** False if the specifiers name something that is not known to be a type. */
export function namesType(context: Context, { type }: Specifiers): boolean {
  return type?.kind !== "named" || typeOfName(context, type.name) !== undefined;
}

/**
 * A declarator with an initializer. If its arguments turn out to be parameters, the result is the function that it declares. A name of
 * an unread header, alone, is more often a value than a type.
 */
export function functionReading(context: Context, written: InitDeclarator): InitDeclarator {
  const read = asFunction(written);
  return read?.parameters.every((each) => isParameter(context, each)) === true ? read.declared : written;
}

function isParameter(context: Context, { specifiers: { type }, declarator }: Parameter): boolean {
  if (type?.kind !== "named") return true;
  const named = typeOfName(context, type.name);
  return named !== undefined && (named.kind !== "unknown" || declarator.kind !== "abstract");
}
