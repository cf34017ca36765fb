/**
 * Keeps diagnostics still while somebody types. A half-typed line can make the parser lose sight of code far below; until
 * the source is whole again, what was found in lines that nobody touched stays shown. Only what is shown is kept here:
 * fixes are those of the present text. Code that stays broken for long may be right and beyond our parser: then the present
 * findings count again.
 */
import type { Diagnostic } from "../finding.ts";
import type { Location, Span } from "../source.ts";
import type { FileState } from "./workspace.ts";

export interface Steady {
  /** What to show of a file in this state of its text. */
  show(name: string, text: string, state: FileState): readonly Diagnostic[];
  forget(name: string): void;
  forgetAll(): void;
}

interface Sure {
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly errors: number;
  /** Since when the texts after this one are broken. */
  brokenSince: number | undefined;
}

const patience = 20_000;

/** `now` is a clock in milliseconds. */
export function createSteady(now: () => number = () => performance.now()): Steady {
  const lastSure = new Map<string, Sure>();
  return {
    show(name, text, { report, diagnostics }) {
      const errors = report.understanding.parseErrors.length;
      const sure = lastSure.get(name);
      const isHeld = sure !== undefined && errors > sure.errors && now() - (sure.brokenSince ?? now()) < patience;
      if (!isHeld) {
        lastSure.set(name, { text, diagnostics, errors, brokenSince: undefined });
        return diagnostics;
      }
      sure.brokenSince ??= now();
      const isKnown = (kept: Diagnostic) => diagnostics.some((fresh) => fresh.rule === kept.rule && fresh.location.span.start === kept.location.span.start);
      const kept = moved(sure, name, text).filter((diagnostic) => !isKnown(diagnostic));
      return [...diagnostics, ...kept].sort((a, b) => a.location.span.start - b.location.span.start);
    },
    forget: (name) => void lastSure.delete(name),
    forgetAll: () => lastSure.clear(),
  };
}

/** The diagnostics of lines that are the same in both texts, where they are now. */
function moved({ text: before, diagnostics }: Sure, name: string, after: string): readonly Diagnostic[] {
  const changed = changedLines(before, after);
  const shift = after.length - before.length;
  const spanNow = ({ start, end }: Span): Span | undefined => {
    if (end <= changed.start) return { start, end };
    return start >= changed.end ? { start: start + shift, end: end + shift } : undefined;
  };
  const locationNow = (location: Location): Location | undefined => {
    if (location.uri !== name) return location;
    const span = spanNow(location.span);
    return span === undefined ? undefined : { uri: name, span };
  };
  return diagnostics.flatMap((diagnostic) => {
    const location = locationNow(diagnostic.location);
    if (location === undefined) return [];
    const related = diagnostic.related.flatMap((place) => {
      const now = locationNow(place.location);
      return now === undefined ? [] : [{ ...place, location: now }];
    });
    return [{ ...diagnostic, location, related, fixes: [] }];
  });
}

/** The lines of `before` that differ, as a span of it. */
function changedLines(before: string, after: string): Span {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let same = 0;
  while (same < shorter - start && before[before.length - 1 - same] === after[after.length - 1 - same]) same += 1;
  const end = before.indexOf("\n", before.length - same);
  return { start: before.lastIndexOf("\n", start - 1) + 1, end: end < 0 ? before.length : end };
}
