/**
 * Binds the items of a file in steps, so that other work may run in between: a namespace item by item, and a function's body a
 * few statements at a time. The result equals that of `bindItem`.
 */
import { spend } from "../../budget.ts";
import type { Steps } from "../../steps.ts";
import type { Item } from "../../syntax/ast.ts";
import { bindItem, enterNamespace } from "../declarations/binder.ts";
import { walkFunctionBodyInSteps } from "../declarations/function-bodies.ts";
import type { Context, DeferredBody, Program } from "../facts/context.ts";

/** Binds an item, like `bindItem` without on-demand binding. */
export function* bindItemInSteps(context: Context, item: Item): Steps<void> {
  if (item.kind === "namespace") {
    if (spend()) yield* bindAll(enterNamespace(context, item), item.items);
  } else if (item.kind === "linkage") {
    if (spend()) yield* bindAll(item.isBlock ? context : { ...context, isLinked: true }, item.items);
  } else if (isFunction(item)) yield* bindFunctionInSteps(context, item);
  else bindItem(context, item, "primary");
}

function* bindAll(context: Context, items: readonly Item[]): Steps<void> {
  for (const item of items) {
    yield* bindItemInSteps(context, item);
    yield;
  }
}

function isFunction(item: Item): boolean {
  return item.kind === "template" ? isFunction(item.item) : item.kind === "function";
}

/**
 * Binds a function and then its body. The body is the last part of the definition, so it may wait until the rest of the item is
 * bound.
 */
function* bindFunctionInSteps(context: Context, item: Item): Steps<void> {
  const bodies: DeferredBody[] = [];
  setBodies(context.program, bodies);
  try {
    bindItem(context, item, "primary");
  } finally {
    setBodies(context.program, undefined);
  }
  for (const { context: inner, declaration, item: definition } of bodies) yield* walkFunctionBodyInSteps(inner, declaration, definition);
}

function setBodies(program: Program, bodies: DeferredBody[] | undefined): void {
  Object.assign(program, { bodies });
}
