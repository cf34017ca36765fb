/** Finds where the declarations of a file begin. Hosts use this to see that half-typed code has swallowed the code after it. */
import { unitsIn } from "../preprocess/units.ts";
import type { Unit } from "../preprocess/view/view.ts";
import type { Item, SyntaxTree } from "../syntax/ast.ts";

/** The unit with the file's text: the root, or a header below it; undefined if the text is spliced into others. */
export function unitOf(root: Unit, uri: string): Unit | undefined {
  return unitsIn(root).find((unit) => unit.uri === uri);
}

/**
 * The offsets of declarations at file scope, in namespaces and in linkage specifications, in order. Declarations with an unknown
 * word are left out, because nothing is known about them.
 */
export function itemStarts({ view, uri }: Unit, { items, unknownWords }: SyntaxTree): readonly number[] {
  const starts = new Set<number>();
  // Whether an unknown word is in the item or directly before it. Items and words are both in order.
  let next = 0;
  const hasUnknownWord = ({ span }: Item) => {
    for (; (unknownWords[next]?.start ?? span.start) < span.start; ) next += 1;
    const word = unknownWords[next];
    const before = unknownWords[next - 1];
    if (word !== undefined && word.start < span.end) return true;
    return before !== undefined && before.end <= span.start && isBlankBefore(view.text, span.start, before.end);
  };
  const visit = (item: Item): void => {
    if (item.kind !== "namespace" && item.kind !== "linkage" && hasUnknownWord(item)) return;
    const { location } = view.origin({ start: item.span.start, end: Math.min(item.span.start + 1, item.span.end) });
    if (location.uri === uri) starts.add(location.span.start);
    if (item.kind === "namespace" || item.kind === "linkage") item.items.forEach(visit);
  };
  items.forEach(visit);
  return [...starts].sort((a, b) => a - b);
}

/** True if only white space separates `from` and `offset`. */
function isBlankBefore(text: string, offset: number, from: number): boolean {
  for (let at = offset - 1; at >= from; at -= 1) if (!/\s/.test(text.charAt(at))) return false;
  return true;
}
