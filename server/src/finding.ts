/**
 * What a rule reports, and what a user sees of it. Places are in the author's code already; severities and suppressions
 * have been applied in a Diagnostic, not in a Finding.
 */
import type { Edit, Location } from "./source.ts";

/**
 * error: a compiler rejects it or the language forbids it; warning: undefined behavior, wrong result, not portable;
 * info: costs performance, or wrong in some standards only; hint: a cheaper or clearer spelling exists.
 */
export type Severity = "error" | "warning" | "info" | "hint";

/** Another place that a finding is about, and what stands there. */
export interface RelatedPlace {
  readonly message: string;
  readonly location: Location;
}

/** A change of the author's code. It is offered only where it keeps the meaning that the author had in mind. */
export interface Fix {
  readonly title: string;
  readonly edits: readonly Edit[];
  /** It keeps what the author means, so that «fix all» and `--fix` apply it unasked; at most one of a diagnostic. */
  readonly isPreferred: boolean;
  /** It lets a function's parameter point into this address space: other files that know the function must follow. */
  readonly respaces?: RespacedParameter;
}

/** A parameter that shall point into another address space. */
export interface RespacedParameter {
  readonly name: string;
  /** Where a name may be several functions: which. */
  readonly signature?: string;
  readonly parameter: number;
  readonly space: "global" | "local" | "constant" | "private" | "generic";
}

/** What a rule reports, in places of the author's code. */
export interface Finding {
  readonly rule: string;
  /** Overrides the rule's severity, where one rule reports both an error and a warning. */
  readonly severity?: Severity;
  readonly message: string;
  readonly location: Location;
  readonly related?: readonly RelatedPlace[];
  /** Made when it is asked for, which is when the finding has become a diagnostic. */
  readonly fixes?: () => readonly Fix[];
  /** Where the macros are defined that it came out of, and where they spell it. */
  readonly spelledIn?: readonly Location[];
}

/** A finding that is shown: with its severity, its related places and its fixes. */
export interface Diagnostic extends Omit<Finding, "fixes"> {
  readonly severity: Severity;
  readonly related: readonly RelatedPlace[];
  readonly fixes: readonly Fix[];
}
