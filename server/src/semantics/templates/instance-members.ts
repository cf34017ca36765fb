/**
 * Requests the bodies of member functions of instantiated class templates. A body is read again with the class's arguments when
 * something calls the function. `instantiated-bodies.ts` decides which facts are kept; `instance-spaces.ts` checks the classes' own
 * declarations.
 */
import type { ViewSpan } from "../../source.ts";
import { type Context, type InstantiatedBody, isOpenCL, placeOf } from "../facts/context.ts";
import { request } from "../facts/recorded-walks.ts";
import { recordOf } from "../types/predicates.ts";
import type { FunctionDeclaration, FunctionSymbol } from "../types/symbols.ts";
import { spell, type TemplateValue, type Type, unqualified } from "../types/types.ts";

interface Member {
  /** The context inside of the class, in which the template's parameters stand for the arguments. */
  readonly context: Context;
  readonly declaration: FunctionDeclaration;
}

const members = new WeakMap<FunctionSymbol, Member>();

/** Stores a definition inside of an instantiated class template. */
export function rememberMember(context: Context, declaration: FunctionDeclaration): void {
  const { owner } = declaration;
  if (owner.record?.instance !== undefined && !context.isTemplate) members.set(owner, { context, declaration });
}

/**
 * C++ for OpenCL: queues the declarations of a class template's instantiation with address spaces among its arguments, because
 * code at the span needs the class to be complete.
 */
export function completeClass(context: Context, type: Type, span: ViewSpan): void {
  const record = recordOf(type);
  if (!context.isEmitting || context.isTemplate || !isOpenCL(context) || record?.instance?.arguments.some(hasSpace) !== true) return;
  request(context, ({ instantiations: { classes } }) => {
    if (!classes.some((other) => other.record === record)) classes.push({ record, place: placeOf(context, span) });
  });
}

function hasSpace(value: TemplateValue): boolean {
  return typeof value !== "bigint" && value.qualifiers.space !== undefined;
}

/** Queues the body of such a member function, once, because code at the span calls the function. */
export function instantiateMember(context: Context, member: FunctionSymbol, span: ViewSpan): void {
  const { record } = member;
  const known = members.get(member);
  if (known === undefined || record?.instance === undefined || !context.isEmitting || context.isTemplate) return;
  const { declaration } = known;
  // An explicit specialization of the member takes its place.
  if (!member.declarations.includes(declaration)) return;
  const parameters = declaration.parameters.map((of) => ({ of, type: of.symbol.type }));
  const body: InstantiatedBody = {
    template: member,
    instance: { declaration, arguments: record.instance.arguments, parameters, type: declaration.type, context: known.context },
    instantiation: {
      template: member,
      name: `${spell({ kind: "record", record, qualifiers: unqualified })}::${member.name}`,
      parameters,
      place: placeOf(context, span),
      within: context.within,
    },
  };
  request(context, ({ instantiations: { bodies } }) => {
    if (!bodies.some(({ template }) => template === member)) bodies.push(body);
  });
}
