/** Applies many fixes at once. A fix that overlaps with an earlier one waits for the next round. */
import type { Diagnostic } from "../finding.ts";
import { append } from "../lists.ts";
import type { Edit, SourceSpan } from "../source.ts";
import { touch } from "../spans.ts";

/** The edits of every preferred fix that overlaps with no earlier one. Of each fix, the result contains all edits or none. */
export function allPreferredEdits(diagnostics: readonly Diagnostic[]): readonly Edit[] {
  const taken: Edit[] = [];
  for (const { fixes } of diagnostics) {
    const edits = fixes.find(({ isPreferred }) => isPreferred)?.edits ?? [];
    const news = edits.filter((edit) => !taken.some((other) => isSame(edit, other)));
    if (!news.some((edit) => taken.some((other) => collides(edit, other)))) append(taken, news);
  }
  return taken;
}

/** Groups the edits by the file that they change. */
export function editsByFile(edits: readonly Edit[]): ReadonlyMap<string, readonly { readonly span: SourceSpan; readonly text: string }[]> {
  const byFile = new Map<string, { span: SourceSpan; text: string }[]>();
  for (const { location, text } of edits) byFile.set(location.uri, [...(byFile.get(location.uri) ?? []), { span: location.span, text }]);
  return byFile;
}

/** The text after the edits, which do not overlap and may come in any order. */
export function applyEdits(text: string, edits: readonly { readonly span: SourceSpan; readonly text: string }[]): string {
  const backwards = [...edits].sort((a, b) => b.span.start - a.span.start || b.span.end - a.span.end);
  return backwards.reduce(
    (result, { span, text: replacement }) => result.slice(0, span.start) + replacement + result.slice(span.end),
    text,
  );
}

function isSame(a: Edit, b: Edit): boolean {
  return (
    a.text === b.text &&
    a.location.uri === b.location.uri &&
    a.location.span.start === b.location.span.start &&
    a.location.span.end === b.location.span.end
  );
}

function collides(a: Edit, b: Edit): boolean {
  return a.location.uri === b.location.uri && touch(a.location.span, b.location.span);
}
