/**
 * The form of every hover: a signature, at most three lines that say who sees it, how long it lives and what it costs, and a link
 * to the page that has tables and measurements.
 */
import { bullets, codeBlock } from "./markdown.ts";

/** So many lines are read before somebody looks away. */
const mostLines = 3;

/** What a hover says, before it becomes Markdown. */
export interface Explanation {
  /** Code, without a final newline. */
  readonly signature: string;
  /** In order of importance; those behind the third are not shown. */
  readonly lines: readonly (string | undefined)[];
  /** A heading of the language's page on memory. */
  readonly heading: string;
}

/** How a link into the project's pages begins; hosts put their own address in its place, or take the link away. */
export const pagesLink = "docs:";

/** Markdown. `notes` are comments on the signature, `last` stands behind the link. */
export function written(
  { signature, lines, heading }: Explanation,
  language: "opencl" | "cuda",
  notes: readonly string[],
  last: string,
): string {
  const code = [...notes.map((note) => `// ${note}`), signature].join("\n");
  const shown = lines.filter((line) => line !== undefined).slice(0, mostLines);
  const title = language === "cuda" ? "CUDA memory" : "OpenCL memory";
  const link = `[${title}: tables and measurements](${pagesLink}memory-${language}.md#${heading})`;
  return [codeBlock(language === "cuda" ? "cuda" : "c", code), bullets(shown), `${link} · ${last}`]
    .filter((part) => part !== undefined)
    .join("\n\n");
}
