/**
 * Requests the bodies of member functions of instantiated class templates. A body is read again with the class's arguments when
 * something calls the function. `instantiated-bodies.ts` decides which facts are kept; `instance-spaces.ts` checks the classes' own
 * declarations.
 */
import type { ViewSpan } from "../../source.ts";
import { type Context, type FunctionInstance, type InstantiatedBody, isOpenCL, placeOf } from "../facts/context.ts";
import { request } from "../facts/recorded-walks.ts";
import { instancesAround } from "../symbols/record-scopes.ts";
import { recordOf } from "../types/predicates.ts";
import type { FunctionDeclaration, FunctionSymbol, RecordSymbol } from "../types/symbols.ts";
import { printType, type TemplateValue, type Type, unqualified } from "../types/types.ts";

interface Member {
  /** The context inside of the class, in which the template's parameters stand for the arguments. */
  readonly context: Context;
  readonly declaration: FunctionDeclaration;
  /** Set once its body is needed. It stays the same object, by which walks of the body are kept. */
  instance?: FunctionInstance;
}

const members = new WeakMap<FunctionSymbol, Member>();

/** Stores a declaration inside of an instantiated class template, or of a class in it. */
export function rememberMember(context: Context, declaration: FunctionDeclaration): void {
  const { owner } = declaration;
  if (owner.record !== undefined && !context.isTemplate) members.set(owner, { context, declaration });
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

/**
 * Queues the body of such a member function, once, because code at the span calls the function. An explicit instantiation of the class
 * needs only a body that is defined `before` a time.
 */
export function instantiateMember(context: Context, member: FunctionSymbol, span: ViewSpan, before?: number): void {
  const { record } = member;
  const known = members.get(member);
  if (known === undefined || record === undefined || !context.isEmitting || context.isTemplate) return;
  const { declaration } = known;
  // An explicit specialization of the member takes its place.
  if (!member.declarations.includes(declaration)) return;
  const classes = instancesAround(record);
  if (classes.length === 0) return;
  const parameters = declaration.parameters.map((of) => ({ of, type: of.symbol.type }));
  known.instance ??= {
    declaration,
    arguments: classes.flatMap(({ instance }) => instance?.arguments ?? []),
    parameters,
    type: declaration.type,
    context: known.context,
  };
  const body: InstantiatedBody = {
    template: member,
    instance: known.instance,
    instantiation: {
      template: member,
      name: `${printType({ kind: "record", record, qualifiers: unqualified })}::${member.name}`,
      parameters,
      place: placeOf(context, span),
      within: context.within,
    },
    ...(before === undefined ? {} : { before }),
  };
  request(context, ({ instantiations: { bodies } }) => {
    const known = bodies.findIndex(({ template }) => template === member);
    if (known < 0) bodies.push(body);
    else if (before === undefined && bodies[known]?.before !== undefined) bodies[known] = body;
  });
}

/** Instantiations that `extern template` leaves to another translation unit. */
const elsewhere = new WeakSet<FunctionInstance | RecordSymbol>();

/** Stores whether an explicit instantiation is a declaration, which leaves the bodies to another translation unit (C++17 §17.7.2p10). */
export function leaveInstance(instance: FunctionInstance | RecordSymbol, isExtern: boolean): void {
  if (isExtern) elsewhere.add(instance);
  else elsewhere.delete(instance);
}

/** True if another translation unit instantiates the body; inline functions are instantiated in each. */
export function isLeft({ record }: FunctionSymbol, asked: FunctionInstance, defined: FunctionInstance): boolean {
  const isInline = ({ words }: FunctionDeclaration) => words.some(({ text }) => inlineWords.has(text));
  if (isInline(asked.declaration) || isInline(defined.declaration)) return false;
  if (elsewhere.has(asked) || elsewhere.has(defined)) return true;
  return record !== undefined && !asked.declaration.isDefinition && instancesAround(record).some((each) => elsewhere.has(each));
}

const inlineWords = new Set(["inline", "__inline__", "__inline", "__forceinline__", "constexpr", "consteval"]);
