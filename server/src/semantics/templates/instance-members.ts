/**
 * Member functions of classes that templates make: their bodies are read again with the class's arguments where something
 * calls them. What is kept of that is `instantiated-bodies.ts`'s decision.
 */
import type { Span } from "../../source.ts";
import { type Context, placeOf } from "../facts/context.ts";
import type { FunctionDeclaration, FunctionSymbol } from "../types/symbols.ts";
import { spell, unqualified } from "../types/types.ts";

interface Member {
  /** Inside the class, where the template's parameters mean the arguments. */
  readonly context: Context;
  readonly declaration: FunctionDeclaration;
}

const members = new WeakMap<FunctionSymbol, Member>();

/** Remembers a definition inside of a class that a template makes. */
export function rememberMember(context: Context, declaration: FunctionDeclaration): void {
  const { owner } = declaration;
  if (owner.record?.instance !== undefined && !context.isTemplate) members.set(owner, { context, declaration });
}

/** Has the body of such a member function read, once, because something at the span calls it. */
export function instantiateMember(context: Context, member: FunctionSymbol, span: Span): void {
  const { record } = member;
  const known = members.get(member);
  if (known === undefined || record?.instance === undefined || !context.isEmitting || context.isTemplate) return;
  const { bodies } = context.program.instantiations;
  if (bodies.some(({ template }) => template === member)) return;
  const { declaration } = known;
  const parameters = declaration.parameters.map((of) => ({ of, type: of.symbol.type }));
  bodies.push({
    template: member,
    instance: { declaration, arguments: record.instance.arguments, parameters, type: declaration.type, context: known.context },
    instantiation: {
      template: member,
      name: `${spell({ kind: "record", record, qualifiers: unqualified })}::${member.name}`,
      parameters,
      place: placeOf(context, span),
    },
  });
}
