/**
 * Chooses the partial specialization of a class template for given arguments: the most specialized one that matches (C++17 §17.5.5.1).
 * If it is uncertain which ones match, or which of them is more specialized, nothing is known.
 */
import { spend } from "../../budget.ts";
import type { TemplateValue } from "../types/types.ts";
import type { Bindings } from "./argument-keys.ts";
import { matchAll } from "./matching.ts";

interface Partial {
  readonly patterns: readonly TemplateValue[];
}

/** What the caller knows about a specialization. */
interface Questions<Each, Chosen> {
  /** The specialization with these arguments; undefined if one of them is missing or unknown. */
  open(each: Each, bindings: Bindings): Chosen | undefined;
  /** Its arguments with types and values that exist nowhere else in place of its parameters. */
  invented(each: Each): readonly TemplateValue[] | undefined;
}

/** The specialization for these arguments; "none" if the primary template is meant, and undefined if that is unknown. */
export function chooseSpecialization<Each extends Partial, Chosen>(
  partial: readonly Each[],
  values: readonly TemplateValue[],
  { open, invented }: Questions<Each, Chosen>,
): Chosen | "none" | undefined {
  const fitting: { readonly each: Each; readonly chosen: Chosen }[] = [];
  for (const each of partial) {
    if (!spend()) return undefined;
    const bindings: Bindings = new Map();
    const fits = matchAll(each.patterns, values, bindings);
    if (fits === false) continue;
    const chosen = fits === undefined ? undefined : open(each, bindings);
    if (chosen === undefined) return undefined;
    fitting.push({ each, chosen });
  }
  if (fitting.length === 0) return "none";
  const best = fitting.find(({ each }) => fitting.every((other) => other.each === each || isMoreSpecialized(each, other.each, invented)));
  return best?.chosen;
}

/** True if the second one matches whatever the first one does, but not the reverse. */
function isMoreSpecialized<Each extends Partial>(one: Each, other: Each, invented: Questions<Each, unknown>["invented"]): boolean {
  const [own, others] = [invented(one), invented(other)];
  return (
    own !== undefined &&
    others !== undefined &&
    matchAll(other.patterns, own, new Map()) === true &&
    matchAll(one.patterns, others, new Map()) === false
  );
}
