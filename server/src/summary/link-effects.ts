/**
 * Computes the effects of functions on their parameters over the calls between files, as a least fixpoint, so that a cycle of calls
 * adds nothing by itself. If several files define a function differently, a caller that only declares it is linked to none of them.
 */
import { append } from "../lists.ts";
import { placeKey } from "../source.ts";
import type { CalleeSummary, EffectSummary, FunctionSummary, LinkedEffects, PassSummary, Summary } from "./summary.ts";

/** The greatest number of effects for one question; the first ones are enough for a finding. */
const mostEffects = 32;

/** Computes the least fixpoint over all calls: a function's effects on a parameter, in its own body or in functions of any summary. */
export function linkEffects(summaries: readonly Summary[]): LinkedEffects {
  const byDefinition = new Map<string, FunctionSummary>();
  for (const { functions } of summaries) for (const each of functions) byDefinition.set(placeKey(each.definition), each);
  const byKey = new Map<string, FunctionSummary | "several">();
  for (const each of byDefinition.values()) {
    if (each.key !== undefined) byKey.set(each.key, byKey.has(each.key) ? "several" : each);
  }
  const definitionOf = ({ key, definition }: CalleeSummary): FunctionSummary | undefined => {
    if (definition !== undefined) return byDefinition.get(placeKey(definition));
    const found = key === undefined ? undefined : byKey.get(key);
    return found === "several" ? undefined : found;
  };
  const answers = new Map<FunctionSummary, Map<number, readonly EffectSummary[]>>();
  return {
    of: (pass) => {
      const callee = definitionOf(pass.callee);
      if (callee === undefined) return [];
      const known = answers.get(callee) ?? new Map<number, readonly EffectSummary[]>();
      answers.set(callee, known);
      const answer = known.get(pass.index) ?? close(pass, definitionOf);
      known.set(pass.index, answer);
      return answer;
    },
    narrowed: (pass) => definitionOf(pass.callee)?.parameters.find(({ index }) => index === pass.index)?.narrowed,
  };
}

/** Visits each parameter that the object reaches once, in breadth-first order. */
function close(start: PassSummary, definitionOf: (callee: CalleeSummary) => FunctionSummary | undefined): readonly EffectSummary[] {
  const found: EffectSummary[] = [];
  const seen = new Set<string>();
  const open = [start];
  for (let next = open.shift(); next !== undefined && found.length < mostEffects; next = open.shift()) {
    const callee = definitionOf(next.callee);
    if (callee === undefined) continue;
    const key = `${placeKey(callee.definition)} ${next.index}`;
    if (seen.has(key)) continue;
    seen.add(key);
    for (const { index, effects, passes } of callee.parameters) {
      if (index !== next.index) continue;
      append(found, effects);
      append(open, passes);
    }
  }
  return found;
}
