/**
 * Finds in the text of a header what its build certainly defines: the macro in whose conditional the whole header stands. Whether it is
 * defined is decided by `build-macros.ts`.
 */
import { withoutComments } from "../../embedded/join.ts";

const directive = /^[ \t]*#[ \t]*(\w+)[ \t]*(.*)$/;

/** The macro without which a header is empty, except for its include guard; undefined if there is none. */
export function macroAroundHeader(text: string): string | undefined {
  if (!/^[ \t]*#[ \t]*(?:ifdef|if[ \t]+defined)\b/m.test(text)) return undefined;
  const lines = withoutComments(text)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !/^#[ \t]*pragma[ \t]+once/.test(line));
  const guard = /^#[ \t]*(?:ifndef|if[ \t]+!\s*defined\s*\(?)[ \t]*(\w+)/.exec(lines[0] ?? "")?.[1];
  const isGuarded =
    guard !== undefined && new RegExp(`^#[ \\t]*define[ \\t]+${guard}\\b`).test(lines[1] ?? "") && /^#[ \t]*endif/.test(lines.at(-1) ?? "");
  const inner = isGuarded ? lines.slice(2, -1) : lines;
  const macro = /^#[ \t]*(?:ifdef[ \t]+|if[ \t]+defined[ \t]*\(?[ \t]*)([A-Za-z]\w*)[ \t]*\)?$/.exec(inner[0] ?? "")?.[1];
  return macro !== undefined && isOneConditional(inner) ? macro : undefined;
}

/** True if the conditional that the first line begins ends in the last line and has no other branch. */
function isOneConditional(lines: readonly string[]): boolean {
  let depth = 0;
  for (const [index, line] of lines.entries()) {
    const word = directive.exec(line)?.[1] ?? "";
    if (word.startsWith("if")) depth += 1;
    else if (word === "endif") depth -= 1;
    else if (word.startsWith("el") && depth === 1) return false;
    if (depth === 0) return index === lines.length - 1;
  }
  return false;
}
