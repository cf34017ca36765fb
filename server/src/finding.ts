/**
 * What a rule reports, and what a user sees of it. All places are in the author's code. Severities and suppressions are applied
 * to a Diagnostic, not to a Finding.
 */
import type { Edit, Location } from "./source.ts";

/**
 * error: a compiler rejects it or the language forbids it; warning: undefined behavior, wrong result, not portable;
 * info: costs performance, or wrong in some standards only; hint: a cheaper or clearer spelling exists.
 */
export type Severity = "error" | "warning" | "info" | "hint";

const ranks: Readonly<Record<Severity, number>> = { hint: 0, info: 1, warning: 2, error: 3 };

/** True if the first severity is greater. */
export function isMoreSevere(severity: Severity, than: Severity): boolean {
  return ranks[severity] > ranks[than];
}

/** `strict` turns on the rules about code that only some compilers reject. */
export type Profile = "strict";

/** Another place that a finding is about, and what is there. */
export interface RelatedPlace<At = Location> {
  readonly message: string;
  readonly location: At;
}

/** A change of the author's code. A fix is offered only if it keeps the author's intent. */
export interface Fix<At = Location> {
  readonly title: string;
  readonly edits: readonly Edit<At>[];
  /**
   * The fix certainly keeps the author's intent, so «fix all» and `--fix` apply it without asking. A diagnostic has at most one
   * such fix.
   */
  readonly isPreferred: boolean;
  /** The fix makes a function's parameter point into this address space, so other files that declare or call the function must follow. */
  readonly qualifiedParameter?: QualifiedParameter;
}

/** A parameter that is to point into another address space. */
export interface QualifiedParameter {
  readonly name: string;
  /** Tells overloads apart when a name stands for several functions. */
  readonly signature?: string;
  readonly parameter: number;
  readonly space: "global" | "local" | "constant" | "private" | "generic";
}

/** What a rule reports, located in the author's code: in files, or before that in units. */
export interface Finding<At = Location> {
  readonly rule: string;
  /** Overrides the rule's severity, where one rule reports both an error and a warning. */
  readonly severity?: Severity;
  readonly message: string;
  readonly location: At;
  readonly related?: readonly RelatedPlace<At>[];
  /** Creates the fixes. Called only when someone asks for them, after the finding has become a diagnostic. */
  readonly fixes?: () => readonly Fix<At>[];
  /**
   * The places in macros' bodies that the reported code comes from, and the definitions of those macros. A suppression may stand
   * there too.
   */
  readonly spelledIn?: readonly At[];
}

/** A finding as shown to the user: with its severity, related places and fixes. */
export interface Diagnostic<At = Location> extends Omit<Finding<At>, "fixes"> {
  readonly severity: Severity;
  readonly related: readonly RelatedPlace<At>[];
  readonly fixes: readonly Fix<At>[];
}
