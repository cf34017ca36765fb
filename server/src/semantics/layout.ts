/**
 * Sizes and alignments as the device's compilers lay objects out: OpenCL C fixes its own (OpenCL C 3.0 §6.3.1–6.3.5,
 * §6.2.1), CUDA follows the host's LP64 ABI (CUDA C++ Programming Guide, built-in vector types; Itanium C++ ABI §2.2 for
 * records). What a part of a type hides makes the whole unknown: undefined.
 */
import type { RecordSymbol, VariableSymbol } from "./symbols.ts";
import type { ArithmeticName, Type } from "./types.ts";

export interface FieldLayout {
  readonly member: VariableSymbol;
  /** In bytes from the start of the record. */
  readonly offset: number;
  readonly size: number;
  /** Unused bytes in front of it. */
  readonly padding: number;
}

export interface RecordLayout {
  readonly size: number;
  readonly alignment: number;
  readonly fields: readonly FieldLayout[];
  /** Unused bytes behind the last field. */
  readonly tailPadding: number;
}

const scalarSizes: Readonly<Record<ArithmeticName, number>> = {
  bool: 1, char: 1, "signed char": 1, "unsigned char": 1, char8_t: 1,
  short: 2, "unsigned short": 2, half: 2, char16_t: 2,
  int: 4, "unsigned int": 4, float: 4, wchar_t: 4, char32_t: 4,
  long: 8, "unsigned long": 8, "long long": 8, "unsigned long long": 8, double: 8,
  "long double": 16, __int128: 16, "unsigned __int128": 16,
};

const pointerSize = 8;

/** The size in bytes, or undefined where it is not known. */
export function sizeOf(type: Type): number | undefined {
  switch (type.kind) {
    case "arithmetic":
      return scalarSizes[type.name];
    case "vector":
      // A 3-component vector has the size of a 4-component one (OpenCL C 3.0 §6.3.5).
      return scalarSizes[type.element] * (type.length === 3 ? 4 : type.length);
    case "pointer":
    case "block":
    case "nullptr":
      return pointerSize;
    case "reference":
      return sizeOf(type.referent);
    case "array": {
      const element = sizeOf(type.element);
      return element === undefined || type.length === undefined ? undefined : element * type.length;
    }
    case "record":
      return layoutOf(type.record)?.size;
    case "enum":
      return type.enumeration.underlying === undefined ? 4 : sizeOf(type.enumeration.underlying);
    case "atomic":
      return sizeOf(type.value);
    default:
      return undefined;
  }
}

/** The alignment in bytes, or undefined where it is not known. */
export function alignOf(type: Type): number | undefined {
  switch (type.kind) {
    case "array":
      return alignOf(type.element);
    case "record":
      return layoutOf(type.record)?.alignment;
    case "reference":
      return alignOf(type.referent);
    default:
      return sizeOf(type);
  }
}

const layouts = new WeakMap<RecordSymbol, RecordLayout | null>();

/** The layout of a complete record, or undefined where any part of it is not known. */
export function layoutOf(record: RecordSymbol): RecordLayout | undefined {
  if (record.members === undefined) return undefined;
  const known = layouts.get(record);
  if (known !== undefined) return known ?? undefined;
  // While it is being computed a record has no layout: a type that contains itself is an error anyway.
  layouts.set(record, null);
  const layout = compute(record, record.members);
  layouts.set(record, layout ?? null);
  return layout;
}

function compute(record: RecordSymbol, members: readonly VariableSymbol[]): RecordLayout | undefined {
  if (record.isDependent || record.isIncomplete || record.isPolymorphic || Number.isNaN(record.alignment)) return undefined;
  let size = 0;
  let alignment = 1;
  const fields: FieldLayout[] = [];
  for (const base of record.bases) {
    const layout = base.kind === "record" ? layoutOf(base.record) : undefined;
    if (layout === undefined) return undefined;
    const isEmpty = base.kind === "record" && (base.record.members ?? []).length === 0 && base.record.bases.length === 0;
    if (!isEmpty) size = alignUp(size, layout.alignment) + layout.size;
    alignment = Math.max(alignment, layout.alignment);
  }
  for (const member of members) {
    // Bit-fields share storage in ways that their widths decide; the whole stays unknown.
    if (member.bitWidth !== undefined) return undefined;
    const memberSize = sizeOfMember(member.type);
    const natural = alignOfMember(member.type);
    if (memberSize === undefined || natural === undefined) return undefined;
    const own = record.isPacked ? 1 : natural;
    const offset = record.key === "union" ? 0 : alignUp(size, own);
    fields.push({ member, offset, size: memberSize, padding: record.key === "union" ? 0 : offset - size });
    size = Math.max(size, offset + memberSize);
    alignment = Math.max(alignment, own);
  }
  alignment = Math.max(alignment, record.alignment ?? 1);
  const used = size;
  const total = Math.max(alignUp(size, alignment), 1);
  return { size: total, alignment, fields, tailPadding: total - used };
}

/** A reference member is stored as a pointer; a flexible array member takes no room. */
function sizeOfMember(type: Type): number | undefined {
  if (type.kind === "reference") return pointerSize;
  return type.kind === "array" && type.extent === "absent" ? 0 : sizeOf(type);
}

function alignOfMember(type: Type): number | undefined {
  return type.kind === "reference" ? pointerSize : alignOf(type);
}

function alignUp(offset: number, alignment: number): number {
  return Math.ceil(offset / alignment) * alignment;
}
