/** Walks a function's definition: the initializers of a constructor, and the body in the scope of the parameters. */
import type { Steps } from "../../steps.ts";
import type { FunctionItem } from "../../syntax/ast.ts";
import type { Context } from "../facts/context.ts";
import { scopeOfRecord } from "../symbols/record-scopes.ts";
import { createScope, declare } from "../symbols/scope.ts";
import type { FunctionDeclaration } from "../types/symbols.ts";
import { isOpaqueToUs, unknownType } from "../types/types.ts";
import { lastPart } from "./name-resolution.ts";
import { walkBody, walkBodyInSteps } from "./statements.ts";

/** Walks a function's definition: the initializers of a constructor, and the body. */
export function walkFunctionBody(context: Context, declaration: FunctionDeclaration, item: FunctionItem): void {
  if (item.body === undefined) return;
  const inner = functionContext(context, declaration);
  for (const initializer of item.memberInitializers) initializeMember(inner, initializer);
  walkBody(inner, item.body);
}

/** Like `walkFunctionBody`, in steps of a few statements each. */
export function* walkFunctionBodyInSteps(context: Context, declaration: FunctionDeclaration, item: FunctionItem): Steps<void> {
  if (item.body === undefined) return;
  const inner = functionContext(context, declaration);
  for (const initializer of item.memberInitializers) initializeMember(inner, initializer);
  yield* walkBodyInSteps(inner, item.body);
}

/** Walks `a(1)` or `b{2}` of a constructor. A name that is not a member's is that of a base or of the class itself. */
function initializeMember(context: Context, { name, arguments: values }: FunctionItem["memberInitializers"][number]): void {
  const part = lastPart(name);
  const record = context.within?.record;
  const member =
    record === undefined || part === undefined || part.templateArguments !== undefined
      ? undefined
      : record.members?.find((each) => each.name === part.text);
  const only = values.length === 1 ? values[0] : undefined;
  if (member !== undefined && only !== undefined && member.type.kind !== "record" && !isOpaqueToUs(member.type))
    context.program.evaluator.convertInto(context, only, member.type, member, "initialize");
  else context.program.evaluator.construct(context, member?.type ?? unknownType, values);
}

/** The context of a function's body: its parameters in scope, `this` found through the record's scope. */
export function functionContext(context: Context, declaration: FunctionDeclaration): Context {
  const owner = declaration.owner;
  const recordScope = owner.record === undefined ? undefined : scopeOfRecord(owner.record);
  const scope = createScope("function", recordScope !== undefined && context.scope.kind !== "template" ? recordScope : context.scope);
  for (const { symbol } of declaration.parameters) if (symbol.name !== "") declare(scope, symbol.name, symbol);
  return { ...context, scope, within: owner, definition: declaration, depth: 0, resultType: declaration.type.result, lambda: undefined };
}
