/**
 * The form of every hover: a signature, at most three lines about who can access it, how long it lives and what it costs, and a
 * link to the page with tables and measurements.
 */
import { bullets, codeBlock } from "./markdown.ts";

/** A hover shows at most this many lines, so that they are read. */
const mostLines = 3;

/** The contents of a hover before they become Markdown. */
export interface Explanation {
  /** Code, without a final newline. */
  readonly signature: string;
  /** The most important first; lines after the third are not shown. */
  readonly lines: readonly (string | undefined)[];
  /** A heading on the language's page about memory. */
  readonly heading: string;
}

/** The prefix of a link to the project's pages; hosts replace it by their address, or remove the link. */
export const pagesLink = "docs:";

/** Renders an explanation as Markdown. `notes` are comments on the signature, and `last` follows the link. */
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
