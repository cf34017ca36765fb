/** Recognizes copy constructors with the same effect as an implicit one. Rules decide what follows from that. */
import type { Expression } from "../../syntax/ast.ts";
import { lastPart, unqualifiedName } from "../../syntax/walk.ts";
import { consultedBody } from "../types/bodies.ts";
import type { FunctionSymbol } from "../types/symbols.ts";

/** True if a copy constructor only copies, as an implicit one does; undefined if its body was not read. */
export function isPlainCopy({ declarations }: FunctionSymbol): boolean | undefined {
  const definition = declarations.find(({ body }) => body !== undefined);
  const body = definition === undefined ? undefined : consultedBody(definition);
  if (definition === undefined || body === undefined || body.isSkipped === true) return undefined;
  const other = definition.parameters[0]?.symbol.name;
  if (other === undefined || other === "") return false;
  const isOthers = (e: Expression | undefined, member: string | undefined): boolean => {
    if (e?.kind === "name") return member === undefined && e.name.parts[0]?.text === other;
    return (
      e?.kind === "member" &&
      e.object.kind === "name" &&
      e.object.name.parts[0]?.text === other &&
      (member === undefined || lastPart(e.name)?.text === member)
    );
  };
  const isCopied = (e: Expression) => e.kind === "assignment" && e.operator === "=" && isOthers(e.right, nameOfMember(e.left));
  const isGiven = ({ name, arguments: all }: NonNullable<typeof definition.memberInitializers>[number]) =>
    all.length === 1 && [undefined, lastPart(name)?.text].some((member) => isOthers(only(all[0]), member));
  return (
    (definition.hasMemberInitializers !== true || (definition.memberInitializers ?? []).every(isGiven)) &&
    body.statements.every((each) => each.kind === "expression" && isCopied(each.expression))
  );
}

/** The only element of a list, or else the expression itself: `m{other.m}` means the same as `m(other.m)`. */
function only(e: Expression | undefined): Expression | undefined {
  return e?.kind === "list" && e.elements.length === 1 ? e.elements[0]?.value : e;
}

/** The name in `x` or `this->x`; for any other expression a text that cannot be a member's name. */
function nameOfMember(e: Expression): string {
  if (e.kind === "name") return unqualifiedName(e.name);
  return e.kind === "member" && e.object.kind === "this" ? unqualifiedName(e.name) : "";
}
