/** The findings that `--baseline` and `--diff` leave of a check: new ones, and those on changed lines. */
import { statOf } from "../../node/real-files.ts";
import type { CheckResult } from "../check.ts";
import type { Targets } from "../targets.ts";
import { readBaseline, withoutAccepted } from "./baseline.ts";
import { changedSince, onChangedLines } from "./changed-lines.ts";

/** What is left to report. */
export interface Filters {
  readonly problems: readonly string[];
  /** The findings to report, and the number of accepted findings that have disappeared. */
  apply(results: readonly CheckResult[]): { readonly results: readonly CheckResult[]; readonly gone: number };
}

/** The filters that the options name; `problems` says what is wrong with them. */
export function filtersOf({ groups }: Targets, { baseline: path, diff }: { readonly baseline?: string; readonly diff?: string }): Filters {
  const baseline = path === undefined ? undefined : readBaseline(path);
  const changes = diff === undefined ? [] : groups.map(({ project: { root } }) => [root, changedSince(diff, root)] as const);
  const changed = new Map(changes);
  const problems = [...(baseline !== undefined && "problem" in baseline ? [baseline] : []), ...changed.values()].flatMap((one) =>
    "problem" in one ? [one.problem] : [],
  );
  return {
    problems,
    apply(all) {
      const isThere = (name: string): boolean => statOf(name) !== undefined;
      const known = baseline === undefined || "problem" in baseline ? { results: all, gone: 0 } : withoutAccepted(all, baseline, isThere);
      const results = known.results.map((result) => {
        const lines = changed.get(result.root);
        return lines === undefined || "problem" in lines ? result : onChangedLines(result, lines);
      });
      return { results, gone: known.gone };
    },
  };
}
