/** Facts about launches, `k<<<grid, block, bytes>>>(…)`. */
import type { Place, VariableSymbol } from "../types/symbols.ts";
import type { Type } from "../types/types.ts";

/** A value between `<<<` and `>>>`. */
export interface LaunchValue {
  readonly place: Place;
  readonly type: Type;
  /** A null pointer constant. */
  readonly isNull?: true;
  /** A constant integer, or the three extents of a `dim3`, those that are constants; absent if nothing is known. */
  readonly extents?: readonly (number | undefined)[];
  /** The extents are those that this variable is initialized with. */
  readonly variable?: VariableSymbol;
}
