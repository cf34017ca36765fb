/**
 * Finds the built-in names that differ between two standards (OpenCL C 2.0 added `memory_scope`, `memory_order` and
 * others). A text without any of those names means the same after either prelude.
 */
import { memo, memoByPair } from "../../memo.ts";
import { unitsIn } from "../../preprocess/units.ts";
import type { Unit, View } from "../../preprocess/view/view.ts";
import type { Item, SyntaxTree } from "../../syntax/ast.ts";
import { namesOf } from "../declarations/on-demand.ts";

/** True if the units, and the headers that they include, contain no name that the two preludes declare differently. */
export function meansTheSameAfter(
  a: Unit | undefined,
  b: Unit | undefined,
  units: readonly Unit[],
  declarationsOf: (unit: Unit) => SyntaxTree,
): boolean {
  if (a === b) return true;
  const names = a === undefined || b === undefined ? "any" : differingNames(a, b, declarationsOf);
  if (names === "any") return false;
  if (names.size === 0) return true;
  return !units.some((unit) => unitsIn(unit).some(({ view, uri }) => !uri.startsWith("builtin:") && mentions(view, names)));
}

/** True if a View contains one of the names. There is one set for two preludes, and each header is tested for every file that includes it. */
const mentions = memoByPair((view: View, names: ReadonlySet<string>): boolean => patternOf(names).test(view.text));

const patternOf = memo((names: ReadonlySet<string>) => new RegExp(`\\b(?:${[...names].join("|")})\\b`));

/** The names that only one of two preludes declares, or that both declare with different texts; "any" if an item has no plain name. */
const differingNames = memoByPair((a: Unit, b: Unit, declarationsOf: (unit: Unit) => SyntaxTree): ReadonlySet<string> | "any" => {
  const names = new Set<string>();
  const textOf = ({ view }: Unit, { span }: Item) => view.text.slice(span.start, span.end);
  const itemsOf = (unit: Unit) => new Map(declarationsOf(unit).items.map((item) => [textOf(unit, item), item]));
  const inA = itemsOf(a);
  const inB = itemsOf(b);
  const alone = [...[...inA].filter(([text]) => !inB.has(text)), ...[...inB].filter(([text]) => !inA.has(text))];
  for (const [, item] of alone) {
    const own = namesOf(item);
    if (own === undefined) return "any";
    for (const name of own) names.add(name.replace("tag ", ""));
  }
  return names;
});
