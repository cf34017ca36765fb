/**
 * A function's body as other items see it. Most depend on its declaration alone, so that an edited body needs no new model
 * (`units/replaced-bodies.ts`). Whoever looks into it asks here, which makes it a part of what others can see.
 */
import type { BlockStatement } from "../../syntax/ast.ts";
import type { FunctionDeclaration } from "./symbols.ts";

/** The body that a declaration has, if it is a definition. */
export function consultedBody({ body }: Pick<FunctionDeclaration, "body">): BlockStatement | undefined {
  if (body !== undefined) body.isConsulted = true;
  return body;
}

/** True for a definition whose body was read and has no statements. */
export function hasEmptyBody(declaration: Pick<FunctionDeclaration, "body">): boolean {
  const body = consultedBody(declaration);
  return body?.statements.length === 0 && body.isSkipped !== true;
}
