/**
 * The numbers of an object: its bytes and alignment, the layout of its record, and what a kernel's parameters take
 * together. What cannot be computed is left out, never estimated.
 */
import type { CudaDialect } from "../../dialect.ts";
import { constantLedger } from "../../rules/constant-memory-size.ts";
import { parameterEntries } from "../../rules/kernel-parameter-size.ts";
import { ledgerOf } from "../../rules/shared/ledger.ts";
import type { Facts } from "../../semantics/facts.ts";
import { alignOf, layoutOf, sizeOf } from "../../semantics/layout.ts";
import type { FunctionDeclaration, VariableSymbol } from "../../semantics/symbols.ts";
import { spellDeclared, type Type, unqualifiedType } from "../../semantics/types.ts";
import { bytes, code, number, table } from "./markdown.ts";

/** Bytes, which are a lower bound where something of unknown size was left out. */
export interface Total {
  readonly total: number;
  readonly isComplete: boolean;
}

/** `1,024`, or `more than 1,024`; as a phrase with the unit. */
export function totalText({ total, isComplete }: Total, unit: "bytes" | "none" = "bytes"): string {
  return `${isComplete ? "" : "more than "}${unit === "bytes" ? bytes(total) : number(total)}`;
}

/** Bytes of the variables together, without padding; `isComplete` is false where one has an unknown size and counts nothing. */
export function totalOf(variables: readonly VariableSymbol[]): Total {
  const sizes = variables.map(({ type }) => sizeOf(type));
  const known = sizes.filter((size) => size !== undefined);
  return { total: known.reduce((sum, size) => sum + size, 0), isComplete: known.length === sizes.length };
}

/** What a translation unit takes of CUDA's constant memory, headers included. */
export function constantMemoryOf(facts: Facts, { relocatableDeviceCode }: CudaDialect): Total {
  return { total: constantLedger(facts, relocatableDeviceCode).total, isComplete: totalOf(facts.constants).isComplete };
}

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

/** Its total has the padding. */
export interface ParameterLedger extends Total {
  readonly rows: readonly ParameterRow[];
}

/** Where each parameter of a kernel lies in the block that the launch copies, as far as sizes are known. */
export function parameterLedger(declaration: FunctionDeclaration): ParameterLedger {
  const { lines, total } = ledgerOf(parameterEntries(declaration));
  let end = 0;
  let isComplete = true;
  const rows = declaration.parameters.map(({ symbol }): ParameterRow => {
    const line = lines.find(({ entry }) => entry.symbol === symbol);
    isComplete &&= line !== undefined;
    // Behind a parameter of unknown size no offset is known.
    if (line === undefined || !isComplete) return { symbol, offset: undefined, size: line?.entry.size, padding: 0 };
    const padding = line.start - end;
    end = line.end;
    return { symbol, offset: line.start, size: line.entry.size, padding };
  });
  return { rows, total, isComplete };
}

/** The ledger as a table, with its padding. */
export function ledgerTable({ rows }: ParameterLedger): string {
  const lines = rows.flatMap(({ symbol, offset, size, padding }) => [
    ...(padding > 0 && offset !== undefined ? [[number(offset - padding), number(padding), "*padding*"]] : []),
    [
      offset === undefined ? "?" : number(offset),
      size === undefined ? "?" : number(size),
      code(spellDeclared(unqualifiedType(symbol.type), symbol.name)),
    ],
  ]);
  return table(["offset", "bytes", "parameter"], lines);
}
