/** Host code in files that are read twice, because `__CUDA_ARCH__` selects other code for the device than for the host. */
import { type Dialect, isHostSide } from "../../dialect.ts";
import type { Place } from "../../semantics/types/symbols.ts";
import type { CheckedFile } from "../rule.ts";

/**
 * True for a place in the device's text of such a file: what its host code refers to is decided by the compilation for the host, which
 * may declare other things of the same names. A header that another file reaches is not read for the host there.
 */
export function isDecidedOnHost({ unit }: Place, dialect: Dialect, { hostReading, reachedFrom }: CheckedFile): boolean {
  if (isHostSide(dialect)) return false;
  return hostReading === "other" || (reachedFrom !== undefined && unit.testsArchitecture === true);
}
