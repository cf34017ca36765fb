/** Which template arguments are the same, and which are known. */
import { memo } from "../../memo.ts";
import type { EnumSymbol, RecordSymbol } from "../types/symbols.ts";
import { containsUnknown, printType, type TemplateValue, type Type } from "../types/types.ts";

/** The arguments of a template's parameters, by name; for a pack, all its elements. */
export type Bindings = Map<string, TemplateValue | readonly TemplateValue[]>;

/** True if a part of the value is unknown, or depends on a template parameter. */
export function isOpen(value: TemplateValue): boolean {
  return typeof value !== "bigint" && containsUnknown(value);
}

let lastIdentity = 0;

/** A text that identifies a type or value; two records with one name have different texts. */
export function argumentKey(value: TemplateValue): string {
  if (typeof value === "bigint") return String(value);
  const numbers: number[] = [];
  visitTags(value, (tag) => numbers.push(identityOf(tag)));
  return `${printType(value)}${numbers.length === 0 ? "" : ` #${numbers.join(" ")}`}`;
}

const identityOf = memo((_: RecordSymbol | EnumSymbol): number => {
  lastIdentity += 1;
  return lastIdentity;
});

function visitTags(type: Type, visit: (tag: RecordSymbol | EnumSymbol) => void): void {
  if (type.kind === "record") visit(type.record);
  else if (type.kind === "enum") visit(type.enumeration);
  else if (type.kind === "pointer") visitTags(type.pointee, visit);
  else if (type.kind === "reference") visitTags(type.referent, visit);
  else if (type.kind === "array") visitTags(type.element, visit);
  else if (type.kind === "member-pointer") for (const part of [type.of, type.member]) visitTags(part, visit);
  else if (type.kind === "function") for (const part of [type.result, ...type.parameters]) visitTags(part, visit);
}
