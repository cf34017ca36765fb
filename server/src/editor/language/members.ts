/** Completes members of structures and unions, and components of vectors. */
import type { AnalyzedUnit } from "../../diagnostics/analyzed-files.ts";
import type { VariableSymbol } from "../../semantics/types/symbols.ts";
import { printType, type Type } from "../../semantics/types/types.ts";
import { componentsOf } from "../names/components.ts";
import type { CodeToken } from "../names/tokens.ts";
import { type KnownNames, pointeeOf, typeBefore } from "./expression-types.ts";

/** A member that may follow. */
export interface MemberEntry {
  readonly label: string;
  readonly detail: string;
}

/** The members after the `.` or `->` at the end of the tokens. Empty if the type of the object is unknown. */
export function membersAt(tokens: readonly CodeToken[], known: KnownNames): readonly MemberEntry[] {
  const last = tokens.at(-1);
  if (last === undefined || (last.text !== "." && last.text !== "->")) return [];
  const type = typeBefore(tokens, tokens.length - 1, known);
  const object = last.text === "->" ? pointeeOf(type) : type;
  return object === undefined ? [] : membersOf(object);
}

function membersOf(type: Type): readonly MemberEntry[] {
  if (type.kind === "vector") return componentsOf(type.length).map((label) => ({ label, detail: `of '${printType(type)}'` }));
  if (type.kind !== "record") return [];
  return (type.record.members ?? []).flatMap(({ name, type: own }) =>
    name === "" ? membersOf(own) : [{ label: name, detail: printType(own) }],
  );
}

/** The variable of a name that is visible at an offset, by `isVisible`: the one that is declared last. */
export function visibleVariable(
  { facts }: AnalyzedUnit,
  isVisible: (variable: VariableSymbol) => boolean,
): (name: string) => VariableSymbol | undefined {
  return (name) => facts.variables.findLast(({ variable }) => variable.name === name && isVisible(variable))?.variable;
}
