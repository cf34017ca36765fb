/**
 * The numbers of an object: its bytes and alignment, the layout of its record, and what a kernel's parameters take
 * together. What cannot be computed is left out, never estimated.
 */

import { constantLedger } from "../../analyses/constant-memory.ts";
import { parameterEntries } from "../../analyses/kernel-parameters.ts";
import { ledgerOf } from "../../analyses/ledger.ts";
import type { CudaDialect } from "../../dialect.ts";
import type { Facts } from "../../semantics/facts/facts.ts";
import { alignOf, layoutOf, sizeOf } from "../../semantics/types/layout.ts";
import type { FunctionDeclaration, VariableSymbol } from "../../semantics/types/symbols.ts";
import type { Type } from "../../semantics/types/types.ts";
import { bytes, number } from "./markdown.ts";

/** Bytes, which are a lower bound where something of unknown size was left out. */
export interface Total {
  readonly total: number;
  readonly isComplete: boolean;
}

/** `1,024`, or `more than 1,024`; as a phrase with the unit. Of what is not known at all there is no number. */
export function totalText({ total, isComplete }: Total, unit: "bytes" | "none" = "bytes"): string {
  if (!isComplete && total === 0) return unit === "bytes" ? "an unknown number of bytes" : "an unknown number";
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
function sizeText(type: Type): string | undefined {
  const size = sizeOf(type);
  const alignment = alignOf(type);
  if (size === undefined || alignment === undefined) return undefined;
  return size === alignment ? bytes(size) : `${bytes(size)}, aligned to ${number(alignment)}`;
}

/** What an object takes: `48 bytes, aligned to 16, 27 of them padding`; `where` goes behind the bytes. */
export function costText(type: Type, where = ""): string {
  const known = sizeText(type);
  if (known === undefined) return "an unknown number of bytes";
  const size = known.replace(/ bytes?/, (unit) => `${unit}${where}`);
  const layout = type.kind === "record" ? layoutOf(type.record) : undefined;
  const lost = layout?.fields.reduce((sum, { padding }) => sum + padding, layout.tailPadding) ?? 0;
  return lost > 0 ? `${size}, ${number(lost)} of them padding` : size;
}

/** A kernel's parameter in the table of what the launch passes; offsets and sizes in bytes. */
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
