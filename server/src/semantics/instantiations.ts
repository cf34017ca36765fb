/**
 * Templates and their arguments: what an alias template makes of them, and which function templates are instantiated. Bodies
 * of templates are not instantiated here; rules conclude from the arguments what is wrong with a declaration.
 */
import type { Span } from "../source.ts";
import type { Name, TemplateArgument } from "../syntax/ast.ts";
import { type Context, placeOf } from "./context.ts";
import { typeOfTypeId } from "./declarators.ts";
import { lastPart } from "./names.ts";
import type { FunctionSymbol, TypedefSymbol } from "./symbols.ts";
import { addQualifiers, isOpaqueToUs, type Type, unknownType, withQualifiers } from "./types.ts";

/** The types that template arguments are; undefined for a value, and for a type that is not known here. */
export function typesOfArguments(context: Context, written: readonly TemplateArgument[]): readonly (Type | undefined)[] {
  return written.map((argument) => {
    if (argument.kind !== "type-id") return undefined;
    const type = typeOfTypeId(context, argument);
    return isOpaqueToUs(type) && !(type.kind === "unknown" && type.isClass === true) ? undefined : type;
  });
}

/** What an alias template stands for with these arguments (C++17 §17.5.7); unknown where one of them is. */
export function typeOfAlias(context: Context, { template }: TypedefSymbol, written: readonly TemplateArgument[]): Type {
  if (template === undefined || template.parameters.some(({ isPack }) => isPack)) return unknownType;
  const types = typesOfArguments(context, written);
  const bound = new Map<string, Type>();
  for (const [index, { name, kind }] of template.parameters.entries()) {
    const type = types[index];
    if (name !== undefined && kind === "type" && type !== undefined) bound.set(name, type);
  }
  return substitute(template.pattern, bound);
}

/** A type with template parameters replaced; what has no replacement is unknown. */
function substitute(type: Type, bound: ReadonlyMap<string, Type>): Type {
  switch (type.kind) {
    case "dependent": {
      const replacement = type.name === undefined ? undefined : bound.get(type.name);
      if (replacement === undefined) return withQualifiers(unknownType, type.qualifiers);
      // `const T` of a reference is that reference (C++17 §11.3.2p6).
      return replacement.kind === "reference" ? replacement : addQualifiers(replacement, type.qualifiers);
    }
    case "pointer":
      return { ...type, pointee: substitute(type.pointee, bound) };
    case "reference":
      return { ...type, referent: substitute(type.referent, bound) };
    case "array":
      return { ...type, element: substitute(type.element, bound) };
    case "arithmetic":
    case "void":
    case "enum":
    case "opaque":
      return type;
    case "record":
      return type.record.isDependent ? unknownType : type;
    default:
      return unknownType;
  }
}

/** The name of a function template is used: by a call, a launch, or where its address is taken. */
export function emitUse(context: Context, functions: readonly FunctionSymbol[], name: Name, deducedFrom: number, span: Span): void {
  const template = functions.length === 1 ? functions[0] : undefined;
  // In a template that nobody instantiates nothing is instantiated either.
  if (template === undefined || !context.isEmitting || context.isTemplate) return;
  emit(context, template, name, deducedFrom, span);
}

/** `template void k<S>(S, int *);` names its template, whose other arguments follow from its own parameters (C++17 §17.9.2.2). */
export function emitExplicitInstantiation(context: Context, template: FunctionSymbol | undefined, name: Name, parameters: number, span: Span): void {
  if (template !== undefined && context.isEmitting) emit(context, template, name, parameters, span);
}

function emit(context: Context, template: FunctionSymbol, name: Name, deducedFrom: number, span: Span): void {
  if (template.templateParameters === undefined || template.isBuiltin) return;
  const written = lastPart(name)?.templateArguments ?? [];
  context.program.facts.instantiations.push({ template, arguments: typesOfArguments(context, written), deducedFrom, place: placeOf(context, span) });
}
