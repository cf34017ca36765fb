/** What is wrong in a settings file, whichever tool it belongs to, and how much of that anybody wants to be told. */
import type { Location, Span } from "../source.ts";

/** What is wrong at a place of a settings file. */
export interface SettingsProblem {
  readonly message: string;
  readonly span: Span;
}

/** The same with the file that it is in. */
export interface LocatedProblem {
  readonly message: string;
  readonly location: Location;
}

/** Nobody reads more about one file. */
const mostProblems = 100;

/** The problems of each file, each once. */
export interface ProblemList {
  add(problem: LocatedProblem): void;
  all(): readonly LocatedProblem[];
  clear(): void;
}

/** Past the hundredth problem of a file there is one more, which says so. */
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

/** A parser may place what is missing behind the end of a text: it is told at the end. */
export function spanWithin({ length }: string, start: number, end: number): Span {
  return { start: Math.min(start, length), end: Math.min(end, length) };
}

/** The problem with its file. */
export function located(uri: string, { message, span }: SettingsProblem): LocatedProblem {
  return { message, location: { uri, span } };
}
