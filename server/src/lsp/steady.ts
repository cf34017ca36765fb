/**
 * Keeps diagnostics still while somebody types. Half-typed code can make the parser lose sight of code far below, or take
 * that for a part of itself; until the source is whole again, what was found in lines that nobody touched stays shown, and
 * nothing new appears there. Only what is shown is kept here: fixes are those of the present text. Code that stays as it
 * is may be meant, or beyond our parser: then the present findings count again.
 */
import type { Diagnostic } from "../finding.ts";
import { inOrder } from "../host/order.ts";
import type { FileReport } from "../service.ts";
import type { Location, Span } from "../source.ts";
import type { FileState } from "./workspace.ts";

export interface Steady {
  /** What to show of a file in this state of its text. */
  show(name: string, text: string, state: FileState): readonly Diagnostic[];
  /** In how many milliseconds there may be something else to show, although nothing changes. */
  dueIn(name: string): number | undefined;
  forget(name: string): void;
  forgetAll(): void;
}

interface Sure {
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly report: FileReport;
  /** Until when the texts after this one are taken for half-typed. */
  heldUntil: number | undefined;
  /** The latest of them. */
  latest: string;
}

/** From the first mistake on: a parser that cannot read something will not learn it. */
const patienceWithErrors = 20_000;
/** From the last keystroke on: a declaration that begins in front of another is soon ended, or meant. */
const patienceWithSwallowed = 2_500;

/** `now` is a clock in milliseconds. */
export function createSteady(now: () => number = () => performance.now()): Steady {
  const lastSure = new Map<string, Sure>();

  /** Until when the text is taken for half-typed; undefined where it is whole. */
  const heldUntil = (sure: Sure, text: string, report: FileReport, changes: Changes): number | undefined => {
    const isUnreadable =
      report.understanding.parseErrors.length > sure.report.understanding.parseErrors.length || report.embedded < sure.report.embedded;
    if (isUnreadable) return sure.heldUntil ?? now() + patienceWithErrors;
    if (!hasSwallowed(sure.report, report, changes)) return undefined;
    return text === sure.latest ? sure.heldUntil : now() + patienceWithSwallowed;
  };

  return {
    show(name, text, { report, diagnostics }) {
      const sure = lastSure.get(name);
      const changes = sure === undefined ? undefined : changesBetween(sure.text, text);
      const until = sure === undefined || changes === undefined ? undefined : heldUntil(sure, text, report, changes);
      if (sure === undefined || changes === undefined || until === undefined || until <= now()) {
        lastSure.set(name, { text, diagnostics, report, heldUntil: undefined, latest: text });
        return diagnostics;
      }
      sure.heldUntil = until;
      sure.latest = text;
      const kept = moved(sure.diagnostics, name, changes);
      const isSame = (a: Diagnostic, b: Diagnostic) =>
        a.rule === b.rule && a.location.uri === b.location.uri && a.location.span.start === b.location.span.start;
      const fresh = diagnostics.filter(
        (found) =>
          found.location.uri !== name || isWithin(found.location.span, changes.after) || kept.some((known) => isSame(known, found)),
      );
      return inOrder([...fresh, ...kept.filter((known) => !fresh.some((found) => isSame(known, found)))]);
    },
    dueIn(name) {
      const until = lastSure.get(name)?.heldUntil;
      return until === undefined ? undefined : Math.max(0, until - now());
    },
    forget: (name) => void lastSure.delete(name),
    forgetAll: () => lastSure.clear(),
  };
}

/** The lines that differ between two texts, as a span of each; what is around them is the same. */
interface Changes {
  readonly before: Span;
  readonly after: Span;
}

/** The diagnostics of lines that are the same in both texts, where they are now. */
function moved(diagnostics: readonly Diagnostic[], name: string, changes: Changes): readonly Diagnostic[] {
  const locationNow = (location: Location): Location | undefined => {
    if (location.uri !== name) return location;
    const span = spanNow(location.span, changes);
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

/** A declaration that nobody touched does not begin any more where it began. */
function hasSwallowed(before: FileReport, after: FileReport, changes: Changes): boolean {
  const starts = new Set(after.itemStarts);
  return before.itemStarts.some((start) => {
    const now = spanNow({ start, end: start + 1 }, changes);
    return now !== undefined && !starts.has(now.start);
  });
}

function spanNow({ start, end }: Span, { before, after }: Changes): Span | undefined {
  if (end <= before.start) return { start, end };
  const shift = after.end - before.end;
  return start >= before.end ? { start: start + shift, end: end + shift } : undefined;
}

function isWithin({ start }: Span, outer: Span): boolean {
  return outer.start <= start && start < outer.end;
}

function changesBetween(before: string, after: string): Changes {
  const shorter = Math.min(before.length, after.length);
  let prefix = 0;
  while (prefix < shorter && before[prefix] === after[prefix]) prefix += 1;
  const start = before.lastIndexOf("\n", prefix - 1) + 1;
  let suffix = 0;
  while (suffix < shorter - start && before[before.length - 1 - suffix] === after[after.length - 1 - suffix]) suffix += 1;
  const isLineStart = (text: string, offset: number) => offset === 0 || text[offset - 1] === "\n";
  if (!isLineStart(before, before.length - suffix) || !isLineStart(after, after.length - suffix)) {
    const lineEnd = before.indexOf("\n", before.length - suffix);
    suffix = lineEnd < 0 ? 0 : before.length - lineEnd - 1;
  }
  return { before: { start, end: before.length - suffix }, after: { start, end: after.length - suffix } };
}
