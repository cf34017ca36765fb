/** Puts declarations that are parsed later in their places among the items that were parsed at once. */
import { append } from "../lists.ts";
import type { DeferredItem, Item } from "./ast.ts";
import type { Deferrable } from "./text/deferrable.ts";

/**
 * The items with the deferred declarations in their places; both are in the order of the text. Undefined if a deferred declaration
 * would be in an item that is neither a namespace nor a linkage specification. `read` parses a declaration.
 */
export function withDeferred(
  items: readonly Item[],
  deferred: readonly Deferrable[],
  read: (deferred: Deferrable) => readonly Item[],
): readonly Item[] | undefined {
  const left = deferred.toReversed();
  const result = placedIn(items, Number.POSITIVE_INFINITY, left, read);
  return left.length === 0 ? result : undefined;
}

/** The items of a file or of a namespace that ends at `end`. Removes what it has placed from `left`, whose last one is the next. */
function placedIn(
  items: readonly Item[],
  end: number,
  left: Deferrable[],
  read: (deferred: Deferrable) => readonly Item[],
): readonly Item[] | undefined {
  const found: Item[] = [];
  const placeBefore = (offset: number): void => {
    for (let next = left.at(-1); next !== undefined && next.end <= offset; next = left.at(-1)) {
      left.pop();
      found.push(deferredItem(next, read));
    }
  };
  for (const item of items) {
    placeBefore(item.span.start);
    const isAround = (left.at(-1)?.start ?? Number.POSITIVE_INFINITY) < item.span.end;
    if (!isAround) found.push(item);
    else if (item.kind !== "namespace" && item.kind !== "linkage") return undefined;
    else {
      const inner = placedIn(item.items, item.span.end, left, read);
      if (inner === undefined) return undefined;
      found.push({ ...item, items: inner });
    }
  }
  placeBefore(end);
  return found;
}

function deferredItem(deferred: Deferrable, read: (deferred: Deferrable) => readonly Item[]): DeferredItem {
  const { start, end, name, outer, isClass } = deferred;
  let items: readonly Item[] | undefined;
  return {
    kind: "deferred",
    span: { start, end },
    name,
    outer,
    isClass,
    read: () => {
      items ??= read(deferred);
      return items;
    },
  };
}

/** The items outside of classes that have a part between two offsets. */
export function itemsIn(items: readonly Item[], start: number, end: number): readonly Item[] {
  const found: Item[] = [];
  for (const item of items) {
    if (item.span.end <= start || item.span.start >= end) continue;
    if (item.kind === "namespace" || item.kind === "linkage") append(found, itemsIn(item.items, start, end));
    else found.push(item);
  }
  return found;
}
