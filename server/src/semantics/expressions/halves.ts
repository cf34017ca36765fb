/**
 * Finds uses of `half` that OpenCL C does not allow without `cl_khr_fp16`. Such values can be neither declared nor computed with,
 * only pointed to and converted by functions (OpenCL C 3.0 §6.3.1.6). Vectors of halves are not checked, as in compilers.
 */
import type { ViewSpan } from "../../source.ts";
import { type Context, placeOf } from "../facts/context.ts";
import type { AccessPath } from "../facts/facts.ts";
import type { HalfFact } from "../facts/opencl-facts.ts";
import { innermostElement } from "../types/predicates.ts";
import type { RecordSymbol } from "../types/symbols.ts";
import type { Type } from "../types/types.ts";

/** True for the scalar type `half`. */
export function isHalf(type: Type): boolean {
  return type.kind === "arithmetic" && type.name === "half";
}

/** True for `half` and arrays of it. */
function consistsOfHalves(type: Type): boolean {
  return type.kind === "array" ? consistsOfHalves(type.element) : isHalf(type);
}

/** Records a use of `half` while the extension is disabled. */
export function useHalf(context: Context, use: HalfFact["use"], span: ViewSpan): void {
  const { program, dialect, isEmitting } = context;
  if (!isEmitting || dialect.language !== "opencl" || program.state.isHalfEnabled) return;
  program.facts.halves.push({ use, place: placeOf(context, span), ...(program.state.isHalfSwitchedOff ? { isSwitchedOff: true } : {}) });
}

/** Checks the type of a variable, parameter or result. */
export function declareHalf(context: Context, type: Type, span: ViewSpan): void {
  if (consistsOfHalves(type)) useHalf(context, "declaration", span);
}

/** Checks the type of a kernel's parameter for a `half` inside of it. */
export function declareKernelHalf(context: Context, type: Type, span: ViewSpan): void {
  if (type.kind === "record" && containsHalf(type.record, new Set())) useHalf(context, "member", span);
}

function containsHalf(record: RecordSymbol, seen: Set<RecordSymbol>): boolean {
  if (seen.has(record)) return false;
  seen.add(record);
  return (record.members ?? []).some(({ type }) => {
    const inner = innermostElement(type);
    return isHalf(inner) || (inner.kind === "record" && containsHalf(inner.record, seen));
  });
}

/** Checks a read or write of a `half` in memory. If its declaration is already wrong, the access is not reported. */
export function accessHalf(context: Context, type: Type, path: AccessPath | undefined, use: "load" | "store", span: ViewSpan): void {
  if (!isHalf(type) || (path?.root !== undefined && consistsOfHalves(path.root.type))) return;
  useHalf(context, use, span);
}
