/**
 * Resolves qualified names to symbols, and names to types. A name that leads through something unknown (a template's
 * specialisation, a class that we cannot see) is unknown, never "not found".
 */
import type { Name } from "../syntax/ast.ts";
import type { Context } from "./context.ts";
import { typeOfAlias } from "./instantiations.ts";
import { innerScope, lookup, lookupIn, lookupScope, programScope, type Scope, unknownSymbol } from "./scope.ts";
import type { Symbol } from "./symbols.ts";
import { fixedWidth, lacks, openclTypeOfName } from "./type-names.ts";
import { type Type, unknownType, unqualified } from "./types.ts";

/** The last part of a name: what is declared or referred to. */
export function lastPart(name: Name): Name["parts"][number] | undefined {
  return name.parts[name.parts.length - 1];
}

/** The identifier of an unqualified name without template arguments. */
export function simpleName(name: Name): string | undefined {
  if (name.isGlobal || name.parts.length !== 1) return undefined;
  const part = name.parts[0];
  return part === undefined || part.templateArguments !== undefined ? undefined : part.text;
}

/** The name as written, without template arguments. */
export function spellName(name: Name): string {
  return (name.isGlobal ? "::" : "") + name.parts.map((part) => part.text).join("::");
}

/** What the name stands for; empty when nothing of that name is known. */
export function resolveName(context: Context, name: Name): readonly Symbol[] {
  const last = lastPart(name);
  if (last === undefined) return [];
  if (name.parts.length === 1 && !name.isGlobal) return lookup(context.scope, last.text);
  const scope = scopeOfQualifier(context, name);
  if (scope === undefined) return [unknownSymbol(last.text)];
  return lookupIn(scope, last.text);
}

/** The scope that `a::b::` in front of the last part names; undefined when it is not known. */
export function scopeOfQualifier(context: Context, name: Name): Scope | undefined {
  let scope: Scope | undefined = name.isGlobal ? programScope(context.scope) : undefined;
  for (const part of name.parts.slice(0, -1)) {
    if (part.templateArguments !== undefined) return undefined;
    const next: Scope | undefined = scope === undefined ? lookupScope(context.scope, part.text) : innerScope(scope, part.text);
    if (next === undefined) return undefined;
    scope = next;
  }
  return scope;
}

/** The type that a name stands for, or undefined when it stands for something else or for nothing known. */
export function typeOfName(context: Context, name: Name): Type | undefined {
  const part = lastPart(name);
  if (part === undefined) return undefined;
  const symbols = resolveName(context, name);
  for (const symbol of symbols) {
    if (symbol.kind === "typedef" && symbol.template !== undefined) return part.templateArguments === undefined ? unknownType : typeOfAlias(context, symbol, part.templateArguments);
    const type = typeOfSymbol(symbol);
    if (type === undefined) continue;
    // `P<int>`: which members and what size it has is the instantiation's business, and we do not instantiate.
    if (part.templateArguments === undefined || symbol.kind === "unknown") return type;
    return symbol.kind === "record" ? someClass : unknownType;
  }
  if (symbols.length > 0) return undefined;
  if (context.dialect.language === "cuda") return fixedWidth(part.text);
  return lacks(context.dialect, part.text) ? undefined : openclTypeOfName(part.text);
}

const someClass: Type = { kind: "unknown", isClass: true, qualifiers: unqualified };

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
      // Among a class's members its constructors hide the name that the class has there itself (C++17 §12p2).
      return symbol.record !== undefined && symbol.name === symbol.record.tag ? { kind: "record", record: symbol.record, qualifiers: unqualified } : undefined;
    case "unknown":
      return unknownType;
    default:
      return undefined;
  }
}
