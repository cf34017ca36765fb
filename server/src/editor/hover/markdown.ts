/** Markdown elements. */
import { printable, printableLines } from "../../printable.ts";

/** Inline code with text from a file. */
export function code(text: string): string {
  const shown = printable(text);
  const fence = "`".repeat(longestRun(shown) + 1);
  // One space on both sides is not part of the code (CommonMark §6.1).
  const needsBlanks = /^`|`$|^ .* $/.test(shown);
  return needsBlanks ? `${fence} ${shown} ${fence}` : `${fence}${shown}${fence}`;
}

/** A code block with text from a file. */
export function codeBlock(language: string, text: string): string {
  const shown = printableLines(text);
  const fence = "`".repeat(Math.max(3, longestRun(shown) + 1));
  return `${fence}${language}\n${shown}\n${fence}`;
}

/** The length of the longest run of backticks. */
function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, { length }) => Math.max(longest, length), 0);
}

/** A Markdown list of the lines that are defined; undefined if none is. */
export function bullets(lines: readonly (string | undefined)[]): string | undefined {
  const present = lines.filter((line) => line !== undefined);
  return present.length === 0 ? undefined : present.map((line) => `- ${line}`).join("\n");
}

/** A Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), `|${head.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}
