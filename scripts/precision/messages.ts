/** What the harness and its checking process say to each other. Plain data, because it crosses a process boundary. */
import type { Severity } from "../../server/src/finding.ts";

/** One file, with the flags it is compiled with, or without any as a user without configuration has it. */
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
  /** Kernels that the file defines, and those of them with a parameter whose type is not known. */
  readonly kernels: number;
  readonly unclearKernels: readonly { readonly line: number; readonly text: string }[];
  readonly notes: readonly string[];
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
