/** JSON as every command prints and writes it: laid out for people, and safe to show in a terminal. */
import { printableJson } from "../printable.ts";

/** Strings keep their values, although nothing invisible is in the document. */
export function jsonDocument(value: unknown): string {
  return printableJson(`${JSON.stringify(value, undefined, 2)}\n`);
}
