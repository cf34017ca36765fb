/**
 * The contract of a rule: one file with everything about it. The examples are at once documentation, unit tests and the expected
 * results of the fix. `bad` yields exactly this rule, `good` yields nothing, and fixing `bad` yields `fixed`.
 */
import type { PlacedEdit } from "../analyses/placed-edits.ts";
import type { Dialect, Language, Limits } from "../dialect.ts";
import type { Profile, QualifiedParameter, Severity } from "../finding.ts";
import type { Readers } from "../preprocess/includers.ts";
import type { Facts } from "../semantics/facts/facts.ts";
import type { Place } from "../semantics/types/symbols.ts";
import type { FileUri } from "../source.ts";
import type { Question } from "../summary/passed-objects.ts";
import type { LinkedEffects, Summary } from "../summary/summary.ts";

export type { PlacedEdit };

/** A wrong program and a right one, for the page and the tests. */
export interface RuleExample {
  readonly language: Language;
  /** The only standard in which it is wrong, if not all: a `-cl-std` value. */
  readonly standard?: string;
  /** `// <-` marks every line that is reported. */
  readonly bad: string;
  readonly good: string;
  /** The result of the preferred fix on `bad`; absent if there is none. */
  readonly fixed?: string;
}

/** The inputs of a rule. */
export interface RuleContext {
  readonly dialect: Dialect;
  readonly limits: Limits;
  readonly facts: Facts;
  readonly file: CheckedFile;
}

/** What is known about the checked file besides its facts. */
export interface CheckedFile {
  readonly uri: FileUri;
  /** As the author wrote it, with all branches of `#if`. */
  readonly text: string;
  /** The settings name the standard; it is not a guess from the project. */
  readonly isStandardConfigured: boolean;
  /** The facts of the whole file, if the rule gets only those of one item; absent if it gets all. */
  facts?(): Facts;
  /** Findings at places in other files are wanted: for such a place, the one in this file that makes it a part of its program. */
  reachedFrom?(place: Place): Place | undefined;
  /** What the host's compiler reads in it: the same code, or other code, which is judged too; undefined if that is not known. */
  readonly hostReading?: "same" | "other" | undefined;
  /** Which other files of the workspace may include it. */
  readers(): Readers;
  /**
   * Whether a compiler for the device compiles it. A header may be read as device code for its words alone, while no source with device
   * code reaches it: then it is the `host`'s if sources for the host include it, else that is `unknown`.
   */
  compiledFor(): "device" | "host" | "unknown";
  /** Another text than those that were read for it may enable an OpenCL extension before it. */
  mayBeEnabledBefore(extension: Extension): boolean;
  /** The text of a file that was read for it; empty if there is none. */
  textOf(uri: FileUri): string;
}

/** An OpenCL extension that `#pragma OPENCL EXTENSION` enables. */
export type Extension = "cl_khr_fp16" | "cl_khr_fp64";

/** A change that a rule offers. */
export interface RuleFix {
  /** The title, as an imperative: `Add 'const'`. */
  readonly title: string;
  readonly edits: readonly PlacedEdit[];
  /**
   * `safe`: the fix keeps the author's intent, so that «fix all» and `--fix` apply it without asking; at most one fix of a finding
   * is safe. `suggestion`: the fix changes more than the mistake, or is one of several possibilities, so the author chooses.
   */
  readonly safety: "safe" | "suggestion";
  /** The fix makes a function's parameter point into another space, so other files that know the function must follow. */
  readonly qualifiedParameter?: QualifiedParameter;
}

/** What a rule reports. */
export interface RuleFinding {
  readonly place: Place;
  readonly message: string;
  readonly severity?: Severity;
  readonly related?: readonly { readonly message: string; readonly place: Place }[];
  /**
   * Creates the fixes when they are requested; so none are created for findings that another standard, a setting or the author
   * drops. It gets the facts of the whole file, even if the finding comes from an item that was judged by itself.
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
  /** Names the reported pattern; reads well after «allow». */
  readonly id: string;
  /** What is wrong, in one line for tables. */
  readonly title: string;
  readonly severity: Severity;
  /** The profile of the settings that turns the rule on; absent if it is on by default. */
  readonly profile?: Profile;
  readonly languages: readonly Language[];
  /** The clause of the standard or guide that justifies it. */
  readonly clause: string;
  /** Markdown for the docs page: what is wrong, why, and how to correct it. */
  readonly documentation: string;
  /** Markdown: what the rule does not detect, besides everything that is unknown. */
  readonly limits: string;
  /** Markdown, for a rule with fixes: which of them are safe, and why. */
  readonly fixSafety?: string;
  readonly examples: readonly RuleExample[];
  /**
   * Compilers report the mistake in the compilation for the host as well, so that code which only the host's compiler reads
   * (`#ifndef __CUDA_ARCH__`) is judged too.
   */
  readonly judgesHostSide?: true;
  /**
   * Reports the findings for which the facts of an item and the declarations visible to it are enough. While the user types, it gets the
   * facts of one item at a time, otherwise those of the whole file.
   */
  check?(context: RuleContext, report: (finding: RuleFinding) => void): void;
  /** Reports the findings that depend on several items of the file. */
  checkFile?(context: RuleContext, report: (finding: RuleFinding) => void): void;
  /**
   * Asks which functions receive an object that the rule is about, for functions of other files. The link finds the questions in
   * the summary.
   */
  asks?(context: Pick<RuleContext, "facts" | "dialect">): readonly Question[];
  /** Reports the findings that need more than one file. */
  link?(summaries: readonly Summary[], report: (finding: LinkFinding) => void, effects: LinkedEffects): void;
}

/** The severity of a rule for which the settings name none. */
export function usualSeverity({ severity, profile }: Pick<Rule, "severity" | "profile">): Severity | "off" {
  return profile === undefined ? severity : "off";
}

/** How pages name it: `error`, or `off; warning in the profile strict`. */
export function shownSeverity(rule: Pick<Rule, "severity" | "profile">): string {
  return rule.profile === undefined ? rule.severity : `off; warning in the profile ${rule.profile}`;
}
