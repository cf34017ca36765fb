/**
 * What a rule is: one file with everything about it. The examples are documentation, unit test and golden of the fix at
 * once: `bad` gives exactly this rule, `good` gives nothing, fixing `bad` gives `fixed`.
 */
import type { Dialect, Limits } from "../dialect.ts";
import type { RespacedParameter, Severity } from "../finding.ts";
import type { Facts } from "../semantics/facts.ts";
import type { Place } from "../semantics/symbols.ts";
import type { LinkedEffects, Summary } from "../workspace/summary.ts";
import type { Question } from "./shared/handed-objects.ts";

export interface RuleExample {
  readonly language: "opencl" | "cuda";
  /** The only standard it is wrong in, where it is not wrong in all: a `-cl-std` value. */
  readonly standard?: string;
  /** Marked with `// <-` behind every line that is reported. */
  readonly bad: string;
  readonly good: string;
  /** What the preferred fix makes of `bad`; absent where there is none. */
  readonly fixed?: string;
}

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
  /** Some other file of the workspace may include it. */
  isIncluded(): boolean;
}

/** An edit of the author's code, at a place that must be the author's own spelling; a fix with any other edit is dropped. */
export interface PlacedEdit {
  readonly place: Place;
  /** replace is the default; before and after insert and leave the place as it is. */
  readonly how?: "replace" | "before" | "after";
  readonly text: string;
}

export interface RuleFinding {
  readonly place: Place;
  readonly message: string;
  readonly severity?: Severity;
  readonly related?: readonly { readonly message: string; readonly place: Place }[];
  readonly fixes?: readonly {
    readonly title: string;
    readonly edits: readonly PlacedEdit[];
    readonly isPreferred?: boolean;
    readonly respaces?: RespacedParameter;
  }[];
}

/** A finding of the link, whose places come from summaries. */
export interface LinkFinding extends Omit<RuleFinding, "place" | "related" | "fixes"> {
  readonly location: import("../source.ts").Location;
  readonly related?: readonly import("../finding.ts").RelatedPlace[];
  readonly fixes?: readonly import("../finding.ts").Fix[];
}

export interface Rule {
  /** Names the pattern reported; reads well after «allow». */
  readonly id: string;
  /** One line for tables: what it says. */
  readonly title: string;
  readonly severity: Severity;
  readonly languages: readonly ("opencl" | "cuda")[];
  /** The clause of the standard or guide that it rests on. */
  readonly clause: string;
  /** Markdown for the docs page: what is wrong, why, what to do. */
  readonly documentation: string;
  readonly examples: readonly RuleExample[];
  check?(context: RuleContext, report: (finding: RuleFinding) => void): void;
  /** What only other files can answer: which functions get an object that the rule is about. The link sees it in the summary. */
  asks?(context: Pick<RuleContext, "facts" | "dialect">): readonly Question[];
  /** For rules that need more than one file. */
  link?(summaries: readonly Summary[], report: (finding: LinkFinding) => void, effects: LinkedEffects): void;
}
