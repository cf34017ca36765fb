/**
 * What a finding is known by from one run to the next: its file, rule and message and the line of code, but not the line's
 * number, so that findings stay the same when code above them moves.
 */
import { createHash } from "node:crypto";
import type { Diagnostic } from "../finding.ts";
import type { LineIndex } from "../project/lines.ts";

/** What makes a finding the same one after the file has changed elsewhere. */
export interface Identity {
  readonly file: string;
  readonly rule: string;
  readonly message: string;
  /** The first line of the finding, without what only lays it out. */
  readonly code: string;
}

// A generated file may have its whole text in one line.
const mostCode = 200;

/** `file` is the path by which later runs know the file, wherever they are started. */
export function identityOf({ rule, message, location }: Diagnostic, file: string, lines: LineIndex): Identity {
  const code = lines.textOf(lines.placeOf(location.span.start).line);
  return { file, rule, message, code: code.replace(/\s+/g, " ").trim().slice(0, mostCode) };
}

/** Equal for equal identities. */
export function keyOfIdentity({ file, rule, message, code }: Identity): string {
  return JSON.stringify([file, rule, message, code]);
}

/** Gives each finding a hash; the n-th of several that are otherwise alike has one of its own. */
export function createFingerprints(): (identity: Identity) => string {
  const seen = new Map<string, number>();
  return (identity) => {
    const key = keyOfIdentity(identity);
    const count = seen.get(key) ?? 0;
    seen.set(key, count + 1);
    return createHash("sha256").update(`${key}\n${count}`).digest("hex");
  };
}
