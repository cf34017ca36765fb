/**
 * The one relation that says whether a value of one type may become another (contract; see the functions' docstrings).
 */
import type { Dialect } from "../dialect.ts";
import type { Type } from "./types.ts";

/** What is wrong with a conversion, the most serious first; `ok` and `unknown` yield no finding. */
export type Verdict =
  | { readonly kind: "ok" }
  | { readonly kind: "unknown" }
  /** Pointers to disjoint address spaces. `isNested`: below the first level. */
  | { readonly kind: "changes-address-space"; readonly isNested: boolean; readonly isError: boolean }
  /** const, volatile or restrict of the pointee is dropped; `lost` names them. */
  | { readonly kind: "discards-qualifiers"; readonly lost: readonly ("const" | "volatile" | "restrict")[]; readonly isNested: boolean; readonly isError: boolean }
  /** Pointee types differ otherwise, or a pointer becomes an integer: not our subject, but other checks are off. */
  | { readonly kind: "incompatible" };

export declare function compare(from: Type, to: Type, dialect: Dialect, isExplicit: boolean): Verdict;
