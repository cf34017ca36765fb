/**
 * What a rule is: one file with everything about it. The examples are documentation, unit test and golden of the fix at
 * once: `bad` gives exactly this rule, `good` gives nothing, fixing `bad` gives `fixed`.
 */
import type { PlacedEdit } from "../analyses/placed-edits.ts";
import type { Dialect, Language, Limits } from "../dialect.ts";
import type { RespacedParameter, Severity } from "../finding.ts";
import type { Facts } from "../semantics/facts/facts.ts";
import type { Place } from "../semantics/types/symbols.ts";
import type { Question } from "../summary/handed-objects.ts";
import type { LinkedEffects, Summary } from "../summary/summary.ts";

export type { PlacedEdit };

/** A wrong program and a right one, for the page and the tests. */
export interface RuleExample {
  readonly language: Language;
  /** The only standard it is wrong in, where it is not wrong in all: a `-cl-std` value. */
  readonly standard?: string;
  /** Marked with `// <-` behind every line that is reported. */
  readonly bad: string;
  readonly good: string;
  /** What the preferred fix makes of `bad`; absent where there is none. */
  readonly fixed?: string;
}

/** What a rule sees. */
export interface RuleContext {
  readonly dialect: Dialect;
  readonly limits: Limits;
  readonly facts: Facts;
  readonly file: CheckedFile;
}

/** What is known of the file that is checked besides its facts. */
export interface CheckedFile {
  readonly uri: string;
  /** As the author wrote it, with all branches of `#if`. */
  readonly text: string;
  /** Settings name the standard, as somebody does who knows the devices; it was not guessed from the project. */
  readonly isStandardSaid: boolean;
  /** The facts of the whole file, where those that the rule sees are of one item; absent where the rule sees all. */
  facts?(): Facts;
  /** Some other file of the workspace may include it. */
  isIncluded(): boolean;
  /** Of a file that was read for it; empty where there is none. */
  textOf(uri: string): string;
}

/** What a rule offers to change. */
export interface RuleFix {
  /** What it does, as an imperative: `Add 'const'`. */
  readonly title: string;
  readonly edits: readonly PlacedEdit[];
  /**
   * `safe`: it keeps what the author means, so that «fix all» and `--fix` apply it unasked; at most one of a finding is.
   * `suggestion`: it changes more than the mistake, or is one of several ways, so that the author chooses.
   */
  readonly safety: "safe" | "suggestion";
  /** It lets a function's parameter point into another space: other files that know the function must follow. */
  readonly respaces?: RespacedParameter;
}

/** What a rule reports. */
export interface RuleFinding {
  readonly place: Place;
  readonly message: string;
  readonly severity?: Severity;
  readonly related?: readonly { readonly message: string; readonly place: Place }[];
  /**
   * Made when it is asked for: not of findings that another standard, a setting or the author drops. It gets the facts of the whole
   * file, also where the finding comes from an item that was judged by itself.
   */
  readonly fixes?: (facts: Facts) => readonly RuleFix[];
}

/** A finding of the link, whose places come from summaries. */
export interface LinkFinding extends Omit<RuleFinding, "place" | "related" | "fixes"> {
  readonly location: import("../source.ts").Location;
  readonly related?: readonly import("../finding.ts").RelatedPlace[];
  readonly fixes?: () => readonly import("../finding.ts").Fix[];
}

/** One rule, with its documentation. */
export interface Rule {
  /** Names the pattern reported; reads well after «allow». */
  readonly id: string;
  /** One line for tables: what it says. */
  readonly title: string;
  readonly severity: Severity;
  readonly languages: readonly Language[];
  /** The clause of the standard or guide that it rests on. */
  readonly clause: string;
  /** Markdown for the docs page: what is wrong, why, what to do. */
  readonly documentation: string;
  /** Markdown: what the rule does not see, besides everything that is unknown. */
  readonly limits: string;
  /** Markdown, of a rule with fixes: which of them are safe, and why. */
  readonly fixSafety?: string;
  readonly examples: readonly RuleExample[];
  /** `file`: it looks at other items than the one that it speaks of; without it an item can be judged by itself. */
  readonly scope?: "file";
  check?(context: RuleContext, report: (finding: RuleFinding) => void): void;
  /** What only other files can answer: which functions get an object that the rule is about. The link sees it in the summary. */
  asks?(context: Pick<RuleContext, "facts" | "dialect">): readonly Question[];
  /** For rules that need more than one file. */
  link?(summaries: readonly Summary[], report: (finding: LinkFinding) => void, effects: LinkedEffects): void;
}
