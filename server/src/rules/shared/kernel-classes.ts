/**
 * C++ for OpenCL: which classes a kernel can be given by value. The host copies bytes, so that an object must be nothing but its
 * bytes (C++ for OpenCL 2021 §2.7: plain old data). Members that no host has are `kernel-parameter-space`'s.
 */
import { constructorsOf } from "../../semantics/calls.ts";
import type { FunctionSymbol, RecordSymbol } from "../../semantics/symbols.ts";
import type { Type } from "../../semantics/types.ts";

/** What makes a class more than its bytes; undefined where nothing does, or where it is not known. */
export function extraOf(record: RecordSymbol, depth = 0): string | undefined {
  if (depth > 20 || record.isIncomplete || record.isDependent || record.instance !== undefined || record.members === undefined) return undefined;
  if (record.isPolymorphic) return "virtual functions";
  if (hasConstructor(record)) return "a constructor";
  if (record.functions.some((each) => each.name.startsWith("~") && !isDefaulted(each))) return "a destructor";
  if (record.members.some(({ initializer }) => initializer !== undefined)) return "members that are initialised by default";
  const bases = record.bases.map(recordOf).filter((base) => base !== undefined);
  if (record.members.length > 0 && bases.some((base) => (base.members ?? []).length > 0)) return "members of its own beside those of a base";
  for (const part of [...bases, ...record.members.map(({ type }) => recordOf(type))]) {
    const extra = part === undefined ? undefined : extraOf(part, depth + 1);
    if (extra !== undefined) return extra;
  }
  return undefined;
}

function recordOf(type: Type): RecordSymbol | undefined {
  if (type.kind === "array") return recordOf(type.element);
  return type.kind === "record" ? type.record : undefined;
}

/** One that somebody wrote and that makes a fresh object or a copy; or others, and none of the compiler's own beside them. */
function hasConstructor(record: RecordSymbol): boolean {
  const all = constructorsOf(record);
  const isEasy = (each: FunctionSymbol) => each.type.parameters.length === 0;
  const isCopy = ({ type }: FunctionSymbol) => type.parameters[0]?.kind === "reference" && recordOf(type.parameters[0].referent) === record;
  if (all.some((each) => (isEasy(each) || isCopy(each)) && !isDefaulted(each))) return true;
  return all.some((each) => !isCopy(each)) && !all.some((each) => isEasy(each) && isDefaulted(each));
}

function isDefaulted({ declarations }: FunctionSymbol): boolean {
  return declarations.some(({ special }) => special === "default");
}
