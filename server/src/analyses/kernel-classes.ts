/**
 * C++ for OpenCL: decides which classes a kernel can take by value or by pointer. The host copies bytes, so copying the bytes of an
 * object must copy the object, and its layout in buffers must be that of the host (C++ for OpenCL 2021 §2.7: plain old data, and
 * standard layout). `kernel-parameter-space` reports members of types that do not exist on the host.
 */
import { constructorsOf } from "../semantics/symbols/candidates.ts";
import { isDefinedClass, recordOf } from "../semantics/types/predicates.ts";
import type { FunctionSymbol, RecordSymbol } from "../semantics/types/symbols.ts";

/** C++17 §12p7.3: all members have the same access control. */
const mixedAccess = "both public and non-public members";

/** Why copying the bytes of an object does not copy the object; undefined if it does, or if that is unknown. */
export function whyNotPlainData(record: RecordSymbol, depth = 0): string | undefined {
  if (depth > 20 || record.instance !== undefined || !isDefinedClass(record) || record.members === undefined) return undefined;
  if (record.isPolymorphic) return "virtual functions";
  if (hasConstructor(record)) return "a constructor";
  if (record.functions.some((each) => isCopyAssignment(each, record) && isUserProvided(each))) return "an assignment operator";
  if (record.hasMixedAccess === true) return mixedAccess;
  if (record.functions.some((each) => each.name.startsWith("~") && isUserProvided(each))) return "a destructor";
  if (record.members.some(({ initializer }) => initializer !== undefined)) return "default member initializers";
  const bases = record.bases.map(recordOf).filter((base) => base !== undefined);
  if (record.members.length > 0 && bases.some((base) => (base.members ?? []).length > 0))
    return "data members both of its own and of a base";
  for (const part of [...bases, ...record.members.map(({ type }) => recordOf(type))]) {
    const extra = part === undefined ? undefined : whyNotPlainData(part, depth + 1);
    if (extra !== undefined) return extra;
  }
  return undefined;
}

/** Why a class has no standard layout (C++17 §12p7); undefined if it has one, or if that is unknown. */
export function layoutProblemOf(record: RecordSymbol, depth = 0): string | undefined {
  if (depth > 20 || record.instance !== undefined || !isDefinedClass(record) || record.members === undefined) return undefined;
  // C++ for OpenCL has no virtual functions; `restricted-construct` reports them.
  if (record.isPolymorphic) return undefined;
  if (record.members.some(({ type }) => type.kind === "reference")) return "a member that is a reference";
  if (record.hasMixedAccess === true) return mixedAccess;
  const bases = record.bases.map(recordOf).filter((base) => base !== undefined);
  if ([record, ...bases].filter((each) => hasData(each, 0)).length > 1 && (record.members.length > 0 || bases.length > 1))
    return "data members both of its own and of a base";
  for (const part of [...bases, ...record.members.map(({ type }) => recordOf(type))]) {
    const problem = part === undefined ? undefined : layoutProblemOf(part, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** True if an object of the class has a member of its own, or of a base. */
function hasData(record: RecordSymbol, depth: number): boolean {
  if ((record.members ?? []).length > 0) return true;
  return depth < 20 && record.bases.map(recordOf).some((base) => base !== undefined && hasData(base, depth + 1));
}

/**
 * True if a constructor prevents trivial construction or trivial copies: one that the user provides, or one that replaces the implicit
 * default constructor. clang counts a deleted default constructor as trivial.
 */
function hasConstructor(record: RecordSymbol): boolean {
  const all = constructorsOf(record);
  const isDefault = (each: FunctionSymbol) => each.type.parameters.length === 0;
  const isCopy = ({ type }: FunctionSymbol) => type.parameters[0]?.kind === "reference" && recordOf(type.parameters[0].referent) === record;
  if (all.some((each) => (isDefault(each) || isCopy(each)) && isUserProvided(each))) return true;
  return all.length > 0 && !all.some(isDefault);
}

/** True for an operator that copies or moves an object of the class (C++17 §15.8.2p1). */
function isCopyAssignment({ name, isTemplate, type }: FunctionSymbol, record: RecordSymbol): boolean {
  const [only] = type.parameters;
  if (name !== "operator=" || isTemplate || only === undefined || type.parameters.length > 1) return false;
  return recordOf(only.kind === "reference" ? only.referent : only) === record;
}

/** True for a special member that is neither defaulted nor deleted where it is first declared (C++17 §11.4.2p5). */
function isUserProvided({ declarations: [first] }: FunctionSymbol): boolean {
  return first?.special !== "default" && first?.special !== "delete";
}
