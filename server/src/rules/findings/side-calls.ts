/**
 * Reports calls of functions that exist on the other side only. What both rules about them share: each call is reported once, however many
 * instantiations it has, and not if overload resolution or a template leaves it open. The rules decide which calls are wrong.
 */
import { isUndecided } from "../../analyses/device-code.ts";
import { isUncertainOverload } from "../../analyses/host/functions.ts";
import { mayBeDropped } from "../../analyses/host/unchecked.ts";
import type { CudaDialect } from "../../dialect.ts";
import type { Facts, SideCallFact } from "../../semantics/facts/facts.ts";
import { placeKey } from "../../source.ts";
import type { CheckedFile, RuleFinding } from "../rule.ts";

/** What a rule needs to judge such a call. */
export interface SideJudge {
  readonly facts: Facts;
  readonly dialect: CudaDialect;
  readonly file: CheckedFile;
}

/** Reports the calls for which `findingOf` has a finding. */
export function reportSideCalls(
  calls: readonly SideCallFact[],
  judge: SideJudge,
  findingOf: (call: SideCallFact, judge: SideJudge) => RuleFinding | undefined,
  report: (finding: RuleFinding) => void,
): void {
  const seen = new Set<string>();
  for (const call of calls) {
    const { callee, place } = call;
    const key = `${placeKey(place)} ${callee.qualifiedName}`;
    const finding = seen.has(key) ? undefined : findingOf(call, judge);
    if (finding === undefined || isUndecided(place, judge.facts) || isUncertainOverload(call)) continue;
    if (mayBeDropped(place, judge.facts)) continue;
    seen.add(key);
    report(finding);
  }
}
