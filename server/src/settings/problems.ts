/** Problems in settings files of any tool. Their number per file is limited. */
import type { Location, Span } from "../source.ts";

/** A problem at a place of a settings file. */
export interface SettingsProblem {
  readonly message: string;
  readonly span: Span;
}

/** A problem with the file that it is in. */
export interface LocatedProblem {
  readonly message: string;
  readonly location: Location;
}

/** The greatest number of problems that are reported for one file. */
const mostProblems = 100;

/** The problems of each file, without repetitions. */
export interface ProblemList {
  add(problem: LocatedProblem): void;
  all(): readonly LocatedProblem[];
  clear(): void;
}

/** Creates an empty list. After the hundredth problem of a file, one more says that there are others. */
export function createProblemList(): ProblemList {
  const byFile = new Map<string, Map<string, LocatedProblem>>();
  return {
    add(problem) {
      const { uri, span } = problem.location;
      const known = byFile.get(uri) ?? new Map<string, LocatedProblem>();
      byFile.set(uri, known);
      if (known.size < mostProblems) known.set(`${span.start} ${span.end} ${problem.message}`, problem);
      else if (known.size === mostProblems) known.set("", { ...problem, message: `more than ${mostProblems} problems in this file` });
    },
    all: () => [...byFile.values()].flatMap((known) => [...known.values()]),
    clear: () => byFile.clear(),
  };
}

/** The span within the text. A parser may report a missing token after the end of a text; it is reported at the end. */
export function spanWithin({ length }: string, start: number, end: number): Span {
  return { start: Math.min(start, length), end: Math.min(end, length) };
}

/** Adds the file to a problem. */
export function located(uri: string, { message, span }: SettingsProblem): LocatedProblem {
  return { message, location: { uri, span } };
}
