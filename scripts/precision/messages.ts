/** The messages between the harness and its checking process. Plain data, because it crosses a process boundary. */
import type { Coverage } from "../../server/src/diagnostics/coverage.ts";
import type { Severity } from "../../server/src/finding.ts";

/** One file, with its compile flags, or without any as for a user without configuration. */
export interface Task {
  readonly id: number;
  readonly path: string;
  readonly flags: readonly string[] | undefined;
}

export interface Outcome {
  readonly id: number;
  readonly milliseconds: number;
  readonly crash?: string;
  readonly findings: readonly FoundPlace[];
  readonly parseErrors: readonly { readonly line: number; readonly text: string }[];
  readonly expressions: number;
  readonly unknownExpressions: number;
  /** The number of kernels that the file defines or has in literals, and those with a parameter of unknown type. */
  readonly kernels: number;
  readonly unclearKernels: readonly UnclearKernel[];
  readonly notes: readonly string[];
  /** The coverage that a user's run would report. */
  readonly coverage: Coverage;
}

/** A kernel with a parameter of unknown type. */
export interface UnclearKernel {
  readonly line: number;
  readonly text: string;
  /** The names of those types, as far as they are names. */
  readonly types: readonly string[];
}

export interface FoundPlace {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly severity: Severity;
  readonly rule: string;
  readonly message: string;
  /** The line in the file, trimmed. */
  readonly source: string;
}

/** `"link"` asks for the findings between all files checked so far. */
export type Request = Task | "link";
