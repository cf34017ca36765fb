/** Walks a function's definition: the initializers of a constructor, and the body in the scope of the parameters. */
import type { Steps } from "../../steps.ts";
import type { FunctionItem, Name } from "../../syntax/ast.ts";
import { lastPart } from "../../syntax/walk.ts";
import type { Context } from "../facts/context.ts";
import { initializingConstructors } from "../symbols/candidates.ts";
import { scopeOfRecord } from "../symbols/record-scopes.ts";
import { createScope, declare } from "../symbols/scope.ts";
import { innermostElement } from "../types/predicates.ts";
import type { FunctionDeclaration, VariableSymbol } from "../types/symbols.ts";
import { isOpaqueToUs, type Type, unknownType } from "../types/types.ts";
import { emitDefaultedMembers } from "./defaulted-objects.ts";
import { typeOfName } from "./name-resolution.ts";
import { walkBody, walkBodyInSteps } from "./statements.ts";

/** Walks a function's definition: the initializers of a constructor, and the body. */
export function walkFunctionBody(context: Context, declaration: FunctionDeclaration, item: FunctionItem): void {
  if (item.body === undefined) return;
  const inner = functionContext(context, declaration);
  walkMemberInitializers(inner, item.memberInitializers);
  walkBody(inner, item.body);
}

/** Like `walkFunctionBody`, in steps of a few statements each. */
export function* walkFunctionBodyInSteps(context: Context, declaration: FunctionDeclaration, item: FunctionItem): Steps<void> {
  if (item.body === undefined) return;
  const inner = functionContext(context, declaration);
  walkMemberInitializers(inner, item.memberInitializers);
  yield* walkBodyInSteps(inner, item.body);
}

/**
 * Walks what a constructor does before its body, in the context of its body: its initializers, `: a(1), b{2}`, and the default
 * construction of the bases and members that have none (C++17 §15.6.2p9), as far as device code does it.
 */
export function walkMemberInitializers(context: Context, initializers: FunctionItem["memberInitializers"]): void {
  const { within, definition, program } = context;
  emitDefaultedMembers(context, new Set(initializers.map(({ name }) => lastPart(name)?.text)));
  const initialized = initializers.map((initializer) => initializeMember(context, initializer));
  const record = within?.record;
  if (record === undefined || definition?.execution.device !== true || within?.name !== record.tag || record.key === "union") return;
  const given = new Set(initialized.map((each) => (each?.kind === "record" ? each.record : each)));
  // An unknown name is a base's, and after another constructor no part is left.
  if (given.has(undefined) || given.has(record)) return;
  const bases = record.bases.filter((base) => base.kind === "record" && !given.has(base.record));
  const members = (record.members ?? []).filter((member) => member.initializer === undefined && !given.has(member));
  const { span } = definition.namePlace;
  for (const type of bases) program.evaluator.constructPart(context, type, [], { span, isMember: false });
  for (const type of members.map((member) => innermostElement(member.type)))
    if (type.kind === "record") program.evaluator.constructPart(context, type, [], { span, isMember: true });
}

/** Walks an initializer. Returns the member that it initializes, or the type of the base or the whole object, if that is known. */
function initializeMember(
  context: Context,
  { name, arguments: values }: FunctionItem["memberInitializers"][number],
): RecordType | VariableSymbol | undefined {
  const part = lastPart(name);
  const record = context.within?.record;
  const member =
    record === undefined || part === undefined || part.templateArguments !== undefined
      ? undefined
      : record.members?.find((each) => each.name === part.text);
  const { evaluator } = context.program;
  const only = values.length === 1 ? values[0] : undefined;
  if (member !== undefined && only !== undefined && member.type.kind !== "record" && !isOpaqueToUs(member.type)) {
    evaluator.convertInto(context, only, member.type, member, "initialize");
    return member;
  }
  const constructed = member === undefined ? constructedPart(context, name) : undefined;
  const type = member?.type ?? constructed ?? unknownType;
  const isList = only?.kind === "list" && type.kind === "record" && initializingConstructors(type.record).length > 0;
  const listed = isList ? only.elements.map(({ value }) => value) : values;
  const isMember = member !== undefined;
  evaluator.constructPart(context, type, listed, { isMember, span: !isMember || listed.length === 0 ? name.span : undefined });
  return member ?? constructed;
}

/** The type that a name stands for which is no member's: a base, or the class itself, whose other constructor does the work. */
function constructedPart(context: Context, name: Name): RecordType | undefined {
  const type = typeOfName(context, name);
  const record = context.within?.record;
  if (type?.kind !== "record" || record === undefined) return undefined;
  const isPart = type.record === record || record.bases.some((base) => base.kind === "record" && base.record === type.record);
  return isPart ? type : undefined;
}

type RecordType = Extract<Type, { kind: "record" }>;

/** The context of a function's body: its parameters in scope, `this` found through the record's scope. */
export function functionContext(context: Context, declaration: FunctionDeclaration): Context {
  const owner = declaration.owner;
  const recordScope = owner.record === undefined ? undefined : scopeOfRecord(owner.record);
  const scope = createScope("function", recordScope !== undefined && context.scope.kind !== "template" ? recordScope : context.scope);
  for (const { symbol } of declaration.parameters) if (symbol.name !== "") declare(scope, symbol.name, symbol);
  return { ...context, scope, within: owner, definition: declaration, depth: 0, resultType: declaration.type.result, lambda: undefined };
}
