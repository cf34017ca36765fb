/** The edits that write a suppression: into an existing comment, or else into a new comment above the line or the file. */
import type { Edit, Location } from "../source.ts";
import { includes } from "../spans.ts";
import { suppressionsIn } from "./suppressions.ts";

/** The edit that allows a rule on the line of a place, or in the whole file. */
export function allowEdit(text: string, { uri, span }: Location, rule: string, scope: "line" | "file"): Edit {
  const at = (offset: number, inserted: string): Edit => ({ location: { uri, span: { start: offset, end: offset } }, text: inserted });
  const fitting = suppressionsIn(text).find((suppression) => suppression.scope === scope && includes(suppression.covers, span.start));
  const last = fitting?.rules.at(-1);
  if (last !== undefined) return at(last.span.end, `, ${rule}`);
  const ending = /\r?\n/.exec(text)?.[0] ?? "\n";
  if (scope === "file") return at(text.startsWith("\ufeff") ? 1 : 0, `// gpu-qualifiers: allow-file[${rule}]${ending}`);
  const start = startOfLogicalLine(text, span.start);
  const indent = /^[ \t]*/.exec(text.slice(start))?.[0] ?? "";
  return at(start, `${indent}// gpu-qualifiers: allow[${rule}]${ending}`);
}

/** The start of a logical line: a comment must not separate lines that are joined by a backslash. */
function startOfLogicalLine(text: string, offset: number): number {
  let start = text.lastIndexOf("\n", offset - 1) + 1;
  while (start > 0 && /\\\r?\n$/.test(text.slice(Math.max(0, start - 3), start))) start = text.lastIndexOf("\n", start - 2) + 1;
  return start;
}
