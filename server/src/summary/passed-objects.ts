/**
 * Asks about objects that a file passes to functions whose bodies it does not contain. A rule asks the questions, and the link
 * answers them. `link-effects.ts` resolves the calls and computes the effects of functions.
 */
import type { PassedObject } from "../analyses/object-writes.ts";
import type { AddressSpace } from "../qualifiers.ts";
import type { FunctionSymbol, Place } from "../semantics/types/symbols.ts";
import type { EffectSummary, LinkedEffects, QuestionSummary, Summary } from "./summary.ts";

/** An object, and the parameter of the function that receives it. */
export interface Question {
  readonly object: string;
  readonly declaration: Place;
  readonly callee: FunctionSymbol;
  readonly index: number;
  /** The function's name, as in the call. */
  readonly name: string;
  readonly argument: Place;
  /** OpenCL: the address spaces that the pointer may point into. */
  readonly spaces?: readonly AddressSpace[];
}

/** The passed objects on which this file alone shows no effect. */
export function passedElsewhere(objects: readonly PassedObject[]): readonly Question[] {
  return objects
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

/** The effects on the objects that a rule asked about: for each question the first effect of each kind. */
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
