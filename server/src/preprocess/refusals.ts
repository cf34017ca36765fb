/**
 * Decides which includes are refused: those that are nested too deeply, and all when the file's budget is used up. A refused file
 * is refused at every level, because a file that includes itself twice would be read 2^n times.
 */
import { type Costs, isFull } from "./costs.ts";

/** The limits on nested includes, and on recursive includes of one file. */
const deepest = 200;
const mostCopies = 16;

/** What was refused since the top-level file's own `#include` began. */
export interface Refused {
  /** Files that include themselves. */
  readonly cyclic: Set<string>;
  /** Includes were nested too deeply, which ends a compiler's work. */
  isTooDeep: boolean;
}

/** Why the last file of the chain must not include this file; undefined if it may. */
export function refusalOf(
  chain: readonly string[],
  uri: string,
  { budget, refused }: { readonly budget: Costs; readonly refused: Refused },
): "include-cycle" | "include-depth" | undefined {
  const copies = chain.filter((other) => other === uri).length;
  if (copies >= mostCopies) refused.cyclic.add(uri);
  if (copies > 0 && refused.cyclic.has(uri)) return "include-cycle";
  if (chain.length >= deepest) refused.isTooDeep = true;
  return refused.isTooDeep || isFull(budget) ? "include-depth" : undefined;
}

/** Forgets the refusals before the next `#include` of the top-level file. */
export function forgetRefusals(refused: Refused): void {
  refused.cyclic.clear();
  refused.isTooDeep = false;
}
