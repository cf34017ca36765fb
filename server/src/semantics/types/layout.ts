/**
 * Computes sizes and alignments as the device's compilers lay out objects. OpenCL C defines its own (OpenCL C 3.0 §6.3.1–6.3.5,
 * §6.2.1). CUDA follows the host's LP64 ABI (CUDA C++ Programming Guide, built-in vector types; Itanium C++ ABI §2.2 for records).
 * The result is undefined if a part of the type is unknown.
 */
import { memoInCircles } from "../../memo.ts";
import { recordOf } from "./predicates.ts";
import type { RecordSymbol, VariableSymbol } from "./symbols.ts";
import type { ArithmeticName, Type } from "./types.ts";

/** The position of a member in its record. */
export interface FieldLayout {
  readonly member: VariableSymbol;
  /** In bytes from the start of the record; for a bit-field the first byte that it occupies. */
  readonly offset: number;
  readonly size: number;
  /** Unused bytes before it. */
  readonly padding: number;
  /** For a bit-field: its first bit, counted from the start of the record, and its width. */
  readonly bits?: { readonly offset: number; readonly width: number };
}

/** The size, alignment and members of a record, in bytes. */
export interface RecordLayout {
  readonly size: number;
  readonly alignment: number;
  readonly fields: readonly FieldLayout[];
  /** Unused bytes after the last field. */
  readonly tailPadding: number;
}

const scalarSizes: Readonly<Record<ArithmeticName, number>> = {
  bool: 1,
  char: 1,
  "signed char": 1,
  "unsigned char": 1,
  char8_t: 1,
  short: 2,
  "unsigned short": 2,
  half: 2,
  char16_t: 2,
  int: 4,
  "unsigned int": 4,
  float: 4,
  wchar_t: 4,
  char32_t: 4,
  long: 8,
  "unsigned long": 8,
  "long long": 8,
  "unsigned long long": 8,
  double: 8,
  "long double": 16,
  __int128: 16,
  "unsigned __int128": 16,
};

const pointerSize = 8;

/** The size in bytes, or undefined if it is unknown. */
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

/** The alignment in bytes, or undefined if it is unknown. */
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

// The layout of a record with records nested deeper than any author writes is unknown.
const deepest = 200;
let computing = 0;

/** The layout of a complete record, or undefined if any part of it is unknown. */
export function layoutOf(record: RecordSymbol): RecordLayout | undefined {
  return record.members === undefined ? undefined : layoutOfMembers(record, record.members);
}

// A record has no layout while its layout is being computed. A type that contains itself is an error anyway.
const layoutOfMembers = memoInCircles((record: RecordSymbol, members: NonNullable<RecordSymbol["members"]>): RecordLayout | undefined => {
  computing += 1;
  const layout = computing > deepest ? undefined : compute(record, members);
  computing -= 1;
  return layout;
});

/** A record while its members are being placed; sizes in bits. */
interface Placing {
  readonly record: RecordSymbol;
  end: number;
  alignment: number;
  readonly fields: FieldLayout[];
}

function compute(record: RecordSymbol, members: readonly VariableSymbol[]): RecordLayout | undefined {
  if (record.isDependent || record.isIncomplete || record.hasVirtualBase === true || Number.isNaN(record.alignment)) return undefined;
  const placing: Placing = { record, end: 0, alignment: 1, fields: [] };
  if (!placeBases(placing)) return undefined;
  for (const member of members)
    if (!(member.bitWidth === undefined ? placeMember(placing, member) : placeBitField(placing, member))) return undefined;
  const alignment = Math.max(placing.alignment, record.alignment ?? 1);
  const used = Math.ceil(placing.end / 8);
  const size = Math.max(alignUp(used, alignment), 1);
  return { size, alignment, fields: placing.fields, tailPadding: size - used };
}

/** Places the bases first, after the pointer to the virtual table unless a base has one (Itanium C++ ABI §2.4 II). */
function placeBases(placing: Placing): boolean {
  const { record } = placing;
  const bases = record.bases.map((base) => (base.kind === "record" ? base.record : undefined));
  const primary = bases.find((base) => base?.isPolymorphic === true);
  if (record.isPolymorphic && primary === undefined) {
    placing.end = pointerSize * 8;
    placing.alignment = pointerSize;
  }
  // A primary base that is not the first changes the order of the bases.
  if (primary !== undefined && bases[0] !== primary) return false;
  for (const base of bases) if (base === undefined || !placeBase(placing, base)) return false;
  return true;
}

function placeBase(placing: Placing, base: RecordSymbol): boolean {
  const layout = layoutOf(base);
  if (layout === undefined) return false;
  placing.alignment = Math.max(placing.alignment, layout.alignment);
  if (isEmptyClass(base)) {
    // Two objects of one type never share an address, so even an empty base may need space.
    return !contains(placing.record, base, 0);
  }
  const size =
    layout.tailPadding === 0
      ? layout.size
      : isPlainOldData(base) === undefined
        ? undefined
        : isPlainOldData(base)
          ? layout.size
          : layout.size - layout.tailPadding;
  if (size === undefined) return false;
  placing.end = (alignUp(Math.ceil(placing.end / 8), layout.alignment) + size) * 8;
  return true;
}

/** True for a complete class without non-static data members, virtual functions, or bases that have any (C++17 §23.15.4.3, is_empty). */
export function isEmptyClass(record: RecordSymbol): boolean {
  return (
    !record.isPolymorphic &&
    record.members?.length === 0 &&
    record.bases.every((base) => base.kind === "record" && isEmptyClass(base.record))
  );
}

/** True if the class contains a second object of an empty base's type. */
function contains(record: RecordSymbol, empty: RecordSymbol, depth: number): boolean {
  const parts = [...(record.members ?? []).map(({ type }) => type), ...record.bases].filter(
    (type) => type.kind === "record" || type.kind === "array",
  );
  const records = parts.map((type) => recordOf(type)).filter((part) => part !== undefined);
  const count = records.filter((part) => part === empty).length;
  return count > (depth === 0 ? 1 : 0) || (depth < 8 && records.some((part) => part !== empty && contains(part, empty, depth + 1)));
}

/**
 * True for a POD in the sense of C++03. Members may use the tail padding of a base only if the base is not one (Itanium C++ ABI
 * §1.1). Undefined if access labels leave open whether a member is private.
 */
function isPlainOldData(record: RecordSymbol): boolean | undefined {
  const special = [record.tag ?? "", `~${record.tag}`, "operator="];
  if (record.bases.length > 0 || record.isPolymorphic || record.functions.some(({ name }) => special.includes(name))) return false;
  const inner = (record.members ?? []).map(({ type }) =>
    type.kind === "reference" ? false : recordOf(type) === undefined ? true : isPlainOldData(recordOf(type) ?? record),
  );
  if (inner.includes(false)) return false;
  if (record.hasAccessLabels === true || inner.includes(undefined)) return undefined;
  return record.key !== "class" || (record.members ?? []).length === 0;
}

function placeMember(placing: Placing, member: VariableSymbol): boolean {
  const size = sizeOfMember(member.type);
  const natural = alignOfMember(member.type);
  if (size === undefined || natural === undefined || Number.isNaN(member.alignment)) return false;
  const isUnion = placing.record.key === "union";
  const own = Math.max(placing.record.isPacked || member.isPacked === true ? 1 : natural, member.alignment ?? 1);
  const before = Math.ceil(placing.end / 8);
  const offset = isUnion ? 0 : alignUp(before, own);
  placing.fields.push({ member, offset, size, padding: isUnion ? 0 : offset - before });
  placing.end = Math.max(placing.end, (offset + size) * 8);
  placing.alignment = Math.max(placing.alignment, own);
  return true;
}

/** Places a bit-field, which must not cross a boundary of its declared type (System V ABI for x86-64 §3.1.2). */
function placeBitField(placing: Placing, member: VariableSymbol): boolean {
  const size = sizeOf(member.type);
  const count = member.bitWidth;
  if (size === undefined || count === undefined || !(count >= 0 && count <= size * 8) || member.alignment !== undefined) return false;
  const isUnion = placing.record.key === "union";
  const isPacked = placing.record.isPacked || member.isPacked === true;
  if (count === 0) {
    // A bit-field of width 0 closes the unit (C11 §6.7.2.1p12).
    if (!isUnion) placing.end = alignUp(placing.end, size * 8);
    return true;
  }
  const crosses = Math.floor(placing.end / (size * 8)) !== Math.floor((placing.end + count - 1) / (size * 8));
  const offset = isUnion ? 0 : crosses && !isPacked ? alignUp(placing.end, size * 8) : placing.end;
  const first = Math.floor(offset / 8);
  const padding = isUnion ? 0 : Math.max(0, first - Math.ceil(placing.end / 8));
  if (member.name !== "") {
    placing.fields.push({ member, offset: first, size: Math.ceil((offset + count) / 8) - first, padding, bits: { offset, width: count } });
    // An unnamed bit-field does not affect the record's alignment.
    if (!isPacked) placing.alignment = Math.max(placing.alignment, size);
  }
  placing.end = Math.max(placing.end, offset + count);
  return true;
}

/** A reference member is stored as a pointer; a flexible array member takes no space. */
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
