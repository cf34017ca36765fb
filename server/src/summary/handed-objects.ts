/**
 * Objects that a file hands to functions which it does not show in full: what a rule asks about them, and the answers that
 * the link gives. Who is meant by a call, and what functions do, is `link-effects.ts`'s work.
 */

import type { HandedObject } from "../analyses/object-writes.ts";
import type { FunctionSymbol, Place } from "../semantics/types/symbols.ts";
import type { EffectSummary, LinkedEffects, QuestionSummary, Summary } from "./summary.ts";

/** An object, and the parameter of a function that gets it. */
export interface Question {
  readonly object: string;
  readonly declaration: Place;
  readonly callee: FunctionSymbol;
  readonly index: number;
  /** The function, as called. */
  readonly name: string;
  readonly argument: Place;
}

/** The handed objects to which nothing happens as far as this file shows. */
export function handedElsewhere(handed: readonly HandedObject[]): readonly Question[] {
  return handed
    .filter(({ effects }) => effects.length === 0)
    .map(({ object, call, callee, index, argument }) => ({
      object: object.root.name,
      declaration: object.root.place,
      callee,
      index,
      name: call.name,
      argument,
    }));
}

/** What happens to the objects that a rule asked about: of each question the first effect of each kind. */
export function* linkedEffects(
  rule: string,
  summaries: readonly Summary[],
  effects: LinkedEffects,
): Generator<{ readonly question: QuestionSummary; readonly effect: EffectSummary }> {
  for (const question of summaries.flatMap(({ questions }) => questions)) {
    if (question.rule !== rule) continue;
    const found = effects.of(question);
    for (const kind of ["write", "store"]) {
      const effect = found.find((each) => each.kind === kind);
      if (effect !== undefined) yield { question, effect };
    }
  }
}
