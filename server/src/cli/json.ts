/** Spells JSON as every command prints and writes it: indented, and safe to show in a terminal. */
import { printableJson } from "../printable.ts";

/** The indented document. Invisible characters are escaped, so strings keep their values. */
export function jsonDocument(value: unknown): string {
  return printableJson(`${JSON.stringify(value, undefined, 2)}\n`);
}
