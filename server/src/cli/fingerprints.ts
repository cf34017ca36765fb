/**
 * Identifies a finding from one run to the next by its file, rule, message and line of code. The line's number does not count, so
 * the identity stays when code above it moves.
 */
import { createHash } from "node:crypto";
import type { Diagnostic } from "../finding.ts";
import type { LineIndex } from "../project/lines.ts";

/** The properties that identify a finding after its file has changed elsewhere. */
export interface Identity {
  readonly file: string;
  readonly rule: string;
  readonly message: string;
  /** The first line of the finding, without its layout. */
  readonly code: string;
}

// A generated file may have its whole text on one line.
const mostCode = 200;

/** The identity of a finding. `file` is the path that identifies the file in later runs, in whichever folder they start. */
export function identityOf({ rule, message, location }: Diagnostic, file: string, lines: LineIndex): Identity {
  const code = lines.textOf(lines.placeOf(location.span.start).line);
  return { file, rule, message, code: code.replace(/\s+/g, " ").trim().slice(0, mostCode) };
}

/** A key that is equal for equal identities. */
export function keyOfIdentity({ file, rule, message, code }: Identity): string {
  return JSON.stringify([file, rule, message, code]);
}

/** Creates a function that gives each finding a hash. Further findings with the same identity get different hashes. */
export function createFingerprints(): (identity: Identity) => string {
  const seen = new Map<string, number>();
  return (identity) => {
    const key = keyOfIdentity(identity);
    const count = seen.get(key) ?? 0;
    seen.set(key, count + 1);
    return createHash("sha256").update(`${key}\n${count}`).digest("hex");
  };
}
