/**
 * Walks units from their start, so that headers and pragmas take effect in their place. Declarations in headers are bound when they
 * are needed.
 */
import { isSpent } from "../../budget.ts";
import type { Unit } from "../../preprocess/view/view.ts";
import type { ViewSpan } from "../../source.ts";
import type { Steps } from "../../steps.ts";
import type { Item, SyntaxTree } from "../../syntax/ast.ts";
import { bindRun } from "../declarations/binder.ts";
import { runsOf } from "../declarations/on-demand.ts";
import type { Context } from "../facts/context.ts";
import { includesOf, openSwitches, switchAgain, switchesOf } from "./extension-switches.ts";

/** What precedes the items of a unit. */
export interface IncludeCursor {
  /** Binds the headers and executes the pragmas before an item. */
  upTo(item: ViewSpan): Steps<void>;
  /** No header and no pragma precedes the items before this offset. */
  nextOffset(): number;
  /** Binds and executes the remaining headers and pragmas. */
  toEnd(): Steps<void>;
}

/**
 * The headers and pragmas of the context's unit, none of which has been processed yet. Each header is bound once in a translation
 * unit: one that is among `bound` already only executes its pragmas again.
 */
export function includeCursorOf(context: Context, bound: ReadonlySet<Unit>, bindHeader: (unit: Unit) => Steps<void>): IncludeCursor {
  const { unit, program } = context;
  const switches = switchesOf(context, unit);
  for (const { name, isOn } of unit.switches ?? []) if (isOn) program.facts.enabledExtensions.push(name);
  const includes = includesOf(unit);
  let next = 0;
  const includeUpTo = function* (offset: number): Steps<void> {
    for (let site = includes[next]; site !== undefined && site.at <= offset; site = includes[next]) {
      next += 1;
      switches.execute(site.switchesBefore ?? 0);
      // The pieces of a header that follow are entered one by one.
      if (site.isFollowed) continue;
      if (site.unit !== undefined && bound.has(site.unit)) switchAgain(context, site.unit);
      else if (site.unit !== undefined) yield* bindHeader(site.unit);
      else {
        program.reading.isPartial = true;
        openSwitches(context);
        program.facts.enabledExtensions.push("all");
      }
    }
  };
  return {
    upTo: function* (item) {
      yield* includeUpTo(item.start);
      switches.executeBefore(item);
    },
    nextOffset: () => Math.min(includes[next]?.at ?? Number.POSITIVE_INFINITY, switches.nextAt()),
    toEnd: function* () {
      yield* includeUpTo(Number.POSITIVE_INFINITY);
      switches.execute(Number.POSITIVE_INFINITY);
    },
  };
}

/** Binds a header's items, and its own headers at their places. Adds it to `bound`. */
export function* bindHeader(outer: Context, unit: Unit, syntaxOf: (unit: Unit) => SyntaxTree, bound: Set<Unit>): Steps<void> {
  bound.add(unit);
  const context: Context = { ...outer, unit, isEmitting: false, isBuiltin: unit.uri.startsWith("builtin:") };
  const cursor = includeCursorOf(context, bound, (header) => bindHeader(context, header, syntaxOf, bound));
  const { items } = syntaxOf(unit);
  if (isPauseAt(unit, bound)) yield;
  yield* bindAround(context, cursor, items);
  if (cursor.nextOffset() < Number.POSITIVE_INFINITY) yield* cursor.toEnd();
}

/** A step that ends in a nested header resumes the work on each file around it, which takes longer than registering a short header. */
const headersInStep = 16;
const longHeader = 65_536;

/** True if a step ends before the items of a header, which is the last that was added to `bound`. */
export function isPauseAt({ view }: Unit, bound: ReadonlySet<Unit>): boolean {
  return bound.size % headersInStep === 0 || view.text.length >= longHeader;
}

/**
 * Binds the items of a header, each after the headers and pragmas before it. If the budget runs out, it stops and returns the item
 * at which that happened.
 */
export function* bindAround(context: Context, cursor: IncludeCursor, items: readonly Item[]): Steps<Item | undefined> {
  for (const run of runsOf(context, items)) {
    const { length } = run.items;
    for (let from = 0; from < length; ) {
      const first = run.items[from];
      if (first === undefined) break;
      if (cursor.nextOffset() <= first.span.end) yield* cursor.upTo(first.span);
      const quiet = cursor.nextOffset();
      let to = from + 1;
      if (run.names !== undefined) while (to < length && (run.items[to]?.span.end ?? 0) <= quiet) to += 1;
      bindRun(context, run, from, to);
      if (isSpent()) return run.items[to - 1];
      from = to;
    }
  }
  return undefined;
}
