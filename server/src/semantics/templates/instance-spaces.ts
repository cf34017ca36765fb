/**
 * C++ for OpenCL: checks a template's declarations for the address spaces in its arguments. A class may get members and parameters
 * in an address space that does not allow them. A function has no such instantiation at all (C++17 §17.8.2p8).
 */
import { addressSpaceOf } from "../../qualifiers.ts";
import type { Declarator, Item, Specifiers } from "../../syntax/ast.ts";
import { bindDeclarator, bindParameters } from "../declarations/declarators.ts";
import { type Context, emptySink, type FactSink, type InstantiatedClass } from "../facts/context.ts";
import type { InstantiatedParameter, InstantiationRequest, SpaceFact } from "../facts/facts.ts";
import { recordOf } from "../types/predicates.ts";
import type { RecordSymbol, VariableSymbol } from "../types/symbols.ts";
import { printType, unqualified } from "../types/types.ts";
import { textOfInstance } from "./class-templates.ts";

/** Records members, and parameters of member functions, that are in a named address space, in the class and in its parts. */
export function addMembers(sink: FactSink, { record, place }: InstantiatedClass): void {
  const seen = new Set<RecordSymbol>();
  const open = [record];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next) || next.instance === undefined) continue;
    seen.add(next);
    const name = printType({ kind: "record", record: next, qualifiers: unqualified });
    addOwn(sink, next, { name, place });
    for (const type of [...next.bases, ...(next.members ?? []).map((member) => member.type)]) {
      const part = recordOf(type);
      if (part !== undefined) open.push(part);
    }
  }
}

function addOwn(sink: FactSink, record: RecordSymbol, instantiation: InstantiationRequest): void {
  for (const variable of [...(record.members ?? []), ...record.functions.flatMap(({ declarations }) => declarations.flatMap(parametersOf))])
    if (canBeMisplaced(variable)) sink.instantiatedVariables.push({ variable, instantiation });
  const text = textOfInstance(record);
  for (const item of text?.body.members ?? [])
    for (const [specifiers, declarator] of declarators(item))
      if (text !== undefined)
        for (const fact of conflictsIn(text.context, specifiers, declarator)) sink.spaces.push({ ...fact, instantiation });
}

function parametersOf({ parameters }: { readonly parameters: readonly { readonly symbol: VariableSymbol }[] }): readonly VariableSymbol[] {
  return parameters.map(({ symbol }) => symbol);
}

function canBeMisplaced({ scope, type, isSpaceExplicit }: VariableSymbol): boolean {
  return type.kind !== "reference" && type.qualifiers.space !== undefined && (scope === "member" || isSpaceExplicit);
}

function declarators(item: Item): readonly (readonly [Specifiers, Declarator])[] {
  // A nested class is bound only once.
  if (item.kind === "function") return [[item.specifiers, item.declarator]];
  if (item.kind !== "declaration" || item.specifiers.type?.kind === "record" || item.specifiers.type?.kind === "enum") return [];
  return item.declarators.map(({ declarator }) => [item.specifiers, declarator]);
}

type Conflict = Extract<SpaceFact, { readonly kind: "second-space" }>;

/** Declarations that add an address space to a type that already has another one. */
export function conflictsIn(context: Context, specifiers: Specifiers, declarator: Declarator): readonly Conflict[] {
  const facts = emptySink();
  const inner: Context = { ...context, program: { ...context.program, facts }, isEmitting: true };
  const { function: withParameters } = bindDeclarator(inner, specifiers, declarator, "member");
  if (withParameters !== undefined) bindParameters(inner, withParameters);
  return facts.spaces.filter((fact): fact is Conflict => fact.kind === "second-space" && addressSpaceOf(fact.word.text) !== fact.first);
}

/**
 * OpenCL: true if the instantiation puts the parameter into an address space other than private, the only one that parameters can
 * be in.
 */
export function hasImpossibleSpace({ of, type }: InstantiatedParameter): boolean {
  const { space } = type.qualifiers;
  return space !== undefined && space !== "private" && type.kind !== "reference" && !of.symbol.isSpaceExplicit;
}
