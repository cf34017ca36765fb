/**
 * The numbers of an object: its bytes and alignment, the layout of its record, and what a kernel's parameters take
 * together. What cannot be computed is left out, never estimated.
 */
import type { FunctionDeclaration, VariableSymbol } from "../../semantics/symbols.ts";
import { alignOf, layoutOf, sizeOf } from "../../semantics/layout.ts";
import { spellDeclared, type Type, unqualifiedType } from "../../semantics/types.ts";
import { bytes, code, number, table } from "./markdown.ts";

/** `404 bytes, aligned to 4`; undefined where it is not known. */
export function sizeText(type: Type): string | undefined {
  const size = sizeOf(type);
  const alignment = alignOf(type);
  if (size === undefined || alignment === undefined) return undefined;
  return size === alignment ? bytes(size) : `${bytes(size)}, aligned to ${number(alignment)}`;
}

/** Rows of a layout that a hover shows. */
const rowsShown = 24;

/** The layout of the record that a type is, points to, or is an array of. */
export function layoutTable(type: Type): string | undefined {
  const record = recordIn(type);
  const layout = record === undefined ? undefined : layoutOf(record);
  if (record === undefined || layout === undefined || layout.fields.length === 0) return undefined;
  const rows: (readonly string[])[] = [];
  for (const { member, offset, size, padding } of layout.fields) {
    if (padding > 0) rows.push([number(offset - padding), number(padding), "*padding*"]);
    rows.push([number(offset), number(size), code(spellDeclared(member.type, member.name))]);
  }
  if (layout.tailPadding > 0) rows.push([number(layout.size - layout.tailPadding), number(layout.tailPadding), "*padding*"]);
  const shown = rows.length > rowsShown ? [...rows.slice(0, rowsShown), ["", "", `${rows.length - rowsShown} more`]] : rows;
  const lost = layout.fields.reduce((sum, { padding }) => sum + padding, layout.tailPadding);
  const name = code(`${record.key} ${record.tag ?? ""}`.trim());
  return `${name}: ${bytes(layout.size)}, aligned to ${number(layout.alignment)}${lost > 0 ? `, ${number(lost)} of them padding` : ""}\n\n${table(["offset", "bytes", "member"], shown)}`;
}

function recordIn(type: Type) {
  switch (type.kind) {
    case "record":
      return type.record;
    case "array":
      return recordIn(type.element);
    case "pointer":
      return recordIn(type.pointee);
    case "reference":
      return recordIn(type.referent);
    default:
      return undefined;
  }
}

export interface ParameterRow {
  readonly symbol: VariableSymbol;
  readonly offset: number | undefined;
  readonly size: number | undefined;
  /** Unused bytes in front of it. */
  readonly padding: number;
}

export interface ParameterLedger {
  readonly rows: readonly ParameterRow[];
  /** Of those parameters whose size is known, padding included. */
  readonly total: number;
  readonly isComplete: boolean;
}

/** Where each parameter of a kernel lies in the block that the launch copies, as far as sizes are known. */
export function parameterLedger({ parameters }: FunctionDeclaration): ParameterLedger {
  let total = 0;
  let isComplete = true;
  const rows = parameters.map(({ symbol }): ParameterRow => {
    const { size, alignment } = sizeOfParameter(symbol);
    if (size === undefined || alignment === undefined) {
      isComplete = false;
      return { symbol, offset: undefined, size, padding: 0 };
    }
    const offset = Math.ceil(total / alignment) * alignment;
    const padding = offset - total;
    total = offset + size;
    // Behind a parameter of unknown size no offset is known.
    return { symbol, offset: isComplete ? offset : undefined, size, padding: isComplete ? padding : 0 };
  });
  return { rows, total, isComplete };
}

/** Bytes that one parameter takes; a reference is passed as a pointer. */
function sizeOfParameter({ type, isPack }: VariableSymbol): { readonly size: number | undefined; readonly alignment: number | undefined } {
  if (isPack === true) return { size: undefined, alignment: undefined };
  if (type.kind === "reference") return { size: 8, alignment: 8 };
  return { size: sizeOf(type), alignment: alignOf(type) };
}

/** The ledger as a table, with its padding. */
export function ledgerTable({ rows }: ParameterLedger): string {
  const lines = rows.flatMap(({ symbol, offset, size, padding }) => [
    ...(padding > 0 && offset !== undefined ? [[number(offset - padding), number(padding), "*padding*"]] : []),
    [offset === undefined ? "?" : number(offset), size === undefined ? "?" : number(size), code(spellDeclared(unqualifiedType(symbol.type), symbol.name))],
  ]);
  return table(["offset", "bytes", "parameter"], lines);
}
