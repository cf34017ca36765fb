/**
 * Keeps diagnostics stable while the user types. Half-typed code can make the parser lose or misread code far below. Until the
 * source is complete again, findings in untouched lines stay shown, and no new ones appear there. New findings at the word that is
 * being typed wait until it is left alone, and those in a statement without an end wait until it has one or is left alone. Only the
 * display is held back: fixes are those of the current text. If the code stays incomplete, the author may want it so, or our parser
 * may be unable to read it; then the current findings are shown.
 */
import { movedDiagnostics } from "../../diagnostics/moved-diagnostics.ts";
import type { Diagnostic } from "../../finding.ts";
import { inOrder } from "../../project/order.ts";
import type { FileReport } from "../../service.ts";
import { type Location, placeKey, type SourceSpan } from "../../source.ts";
import { includes, overlap } from "../../spans.ts";
import { changeOf } from "../../text-change.ts";
import type { FileState } from "../projects/file-states.ts";
import { isWordCharacter, type TypedChanges, typingIn, unfinishedAt, wordAt } from "./half-typed.ts";

/** Decides which findings are shown while the user types. */
export interface Stabilizer {
  /** The findings to show for this text of a file. */
  show(name: string, text: string, state: FileState): readonly Diagnostic[];
  /** In how many milliseconds the shown findings may change although the text does not. */
  dueIn(name: string): number | undefined;
  forget(name: string): void;
  forgetAll(): void;
}

/** A complete text, and its findings. */
interface Baseline {
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly report: FileReport;
}

interface Known {
  baseline: Baseline;
  /** The latest text, and the findings that were shown for it. */
  text: string;
  shown: readonly Diagnostic[];
  /** When the latest text stops being treated as half-typed. */
  heldUntil: number | undefined;
  /** New findings at this word or statement wait. */
  word: { readonly span: SourceSpan; readonly until: number } | undefined;
}

/**
 * Milliseconds since the last keystroke. Open brackets and unreadable code will probably be closed, unless our parser cannot read
 * them.
 */
const patienceWithOpen = 20_000;
/**
 * Milliseconds since the last keystroke. A statement or declaration without an end is probably completed by then, or is meant to be
 * there.
 */
const patienceWithUnfinished = 2_500;
const patienceWithWord = 1_000;

/** Creates the state of one session; `now` is a clock in milliseconds. */
export function createStabilizer(now: () => number = () => performance.now()): Stabilizer {
  const files = new Map<string, Known>();

  /** For how long the text is treated as half-typed; undefined if it is complete. */
  const patienceWith = (baseline: Baseline, text: string, report: FileReport, changes: TypedChanges): number | undefined => {
    const typing = typingIn(baseline.text, text, changes);
    const isUnreadable =
      report.understanding.parseErrors.length > baseline.report.understanding.parseErrors.length ||
      report.embedded < baseline.report.embedded;
    if (typing === "open" || isUnreadable) return patienceWithOpen;
    return typing === "unfinished" || hasSwallowed(baseline.report, report, changes) ? patienceWithUnfinished : undefined;
  };
  const settled = (known: Known, name: string, text: string, { report, diagnostics }: FileState): readonly Diagnostic[] => {
    const { baseline } = known;
    const changes = changesBetween(baseline.text, text);
    const patience = patienceWith(baseline, text, report, changes);
    if (patience !== undefined && text !== known.text) known.heldUntil = now() + patience;
    if (patience === undefined || (known.heldUntil ?? 0) <= now()) {
      known.baseline = { text, diagnostics, report };
      known.heldUntil = undefined;
      return diagnostics;
    }
    const kept = moved(baseline.diagnostics, name, changes);
    const keptKeys = new Set(kept.map(keyOf));
    const fresh = diagnostics.filter(
      (found) => found.location.uri !== name || includes(changes.after, found.location.span.start) || keptKeys.has(keyOf(found)),
    );
    const freshKeys = new Set(fresh.map(keyOf));
    return inOrder([...fresh, ...kept.filter((before) => !freshKeys.has(keyOf(before)))]);
  };
  /** Removes new findings at the word, and in the statement, that is being typed. */
  const withoutWord = (
    known: Known,
    { diagnostics: own, text: baselineText }: Baseline,
    name: string,
    text: string,
    diagnostics: readonly Diagnostic[],
  ): readonly Diagnostic[] => {
    if (text !== known.text) {
      const span = typedSpan(known.text, text);
      known.word = span === undefined ? undefined : { span, until: now() + patienceWithWord };
    }
    const { word } = known;
    if (word === undefined || word.until <= now()) {
      known.word = undefined;
      return diagnostics;
    }
    const isTouched = ({ location }: Diagnostic) => location.uri === name && overlap(location.span, word.span);
    if (!diagnostics.some(isTouched)) return diagnostics;
    const before = [
      ...moved(known.shown, name, editBetween(known.text, text)),
      ...(baselineText === known.text ? [] : moved(own, name, editBetween(baselineText, text))),
    ];
    const isKnown = (found: Diagnostic) => before.some((old) => keyOf(old) === keyOf(found));
    return diagnostics.filter((found) => !isTouched(found) || isKnown(found));
  };

  return {
    show(name, text, state) {
      const known = files.get(name);
      if (known === undefined) {
        const { report, diagnostics } = state;
        files.set(name, { baseline: { text, diagnostics, report }, text, shown: diagnostics, heldUntil: undefined, word: undefined });
        return diagnostics;
      }
      const { baseline } = known;
      known.shown = withoutWord(known, baseline, name, text, settled(known, name, text, state));
      known.text = text;
      return known.shown;
    },
    dueIn(name) {
      const known = files.get(name);
      const due = Math.min(known?.heldUntil ?? Number.POSITIVE_INFINITY, known?.word?.until ?? Number.POSITIVE_INFINITY);
      return Number.isFinite(due) ? Math.max(0, due - now()) : undefined;
    },
    forget: (name) => void files.delete(name),
    forgetAll: () => files.clear(),
  };
}

/** A key that is equal for findings that look the same to the user. */
function keyOf({ rule, location }: Diagnostic): string {
  return `${rule} ${placeKey(location)}`;
}

/**
 * The text that one keystroke is about: the word that it has extended or shortened, and the whole statement if that has no end yet.
 * For text that is pasted, completed or undone there is none, so its findings appear at once.
 */
function typedSpan(before: string, after: string): SourceSpan | undefined {
  const { before: old, after: now } = editBetween(before, after);
  const inserted = after.slice(now.start, now.end);
  const removed = before.slice(old.start, old.end);
  const isPair = /^(\(\)|\[\]|""|'')$/.test(inserted);
  if ((inserted.length > 1 && !isPair) || removed.length > 1) return undefined;
  const statement = unfinishedAt(after, isPair ? now.start + 1 : now.end);
  const word = isWordCharacter(inserted === "" ? removed : inserted) ? wordAt(after, now.end) : undefined;
  if (statement === undefined || word === undefined) return statement ?? word;
  return { start: Math.min(statement.start, word.start), end: Math.max(statement.end, word.end) };
}

/** The diagnostics of lines that are equal in both texts, at their present positions. */
function moved(diagnostics: readonly Diagnostic[], name: string, changes: TypedChanges): readonly Diagnostic[] {
  const locationNow = (location: Location): Location | undefined => {
    if (location.uri !== name) return location;
    const span = spanNow(location.span, changes);
    return span === undefined ? undefined : { uri: name, span };
  };
  return movedDiagnostics(diagnostics, locationNow);
}

/** True if an untouched declaration no longer begins where it began. */
function hasSwallowed(before: FileReport, after: FileReport, changes: TypedChanges): boolean {
  const starts = new Set(after.itemStarts);
  return before.itemStarts.some((start) => {
    const now = spanNow({ start, end: start + 1 }, changes);
    return now !== undefined && !starts.has(now.start);
  });
}

function spanNow({ start, end }: SourceSpan, { before, after }: TypedChanges): SourceSpan | undefined {
  if (end <= before.start) return { start, end };
  const shift = after.end - before.end;
  return start >= before.end ? { start: start + shift, end: end + shift } : undefined;
}

/** The lines that differ between the texts. */
function changesBetween(before: string, after: string): TypedChanges {
  const edit = editBetween(before, after);
  const start = before.lastIndexOf("\n", edit.before.start - 1) + 1;
  // A new line may begin like the next one, which has not changed.
  const most = Math.min(before.length, after.length) - start;
  let suffix = Math.min(before.length - edit.before.end, most);
  while (suffix < most && before.charCodeAt(before.length - 1 - suffix) === after.charCodeAt(after.length - 1 - suffix)) suffix += 1;
  const isLineStart = (text: string, offset: number) => offset === 0 || text[offset - 1] === "\n";
  if (!isLineStart(before, before.length - suffix) || !isLineStart(after, after.length - suffix)) {
    const lineEnd = before.indexOf("\n", before.length - suffix);
    suffix = lineEnd < 0 ? 0 : before.length - lineEnd - 1;
  }
  return { before: { start, end: before.length - suffix }, after: { start, end: after.length - suffix } };
}

/** The shortest replacement that turns one text into the other, as a span in each. */
function editBetween(before: string, after: string): TypedChanges {
  const { start, oldEnd, newEnd } = changeOf(before, after);
  return { before: { start, end: oldEnd }, after: { start, end: newEnd } };
}
