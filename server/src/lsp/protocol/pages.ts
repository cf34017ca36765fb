/**
 * The addresses of the project's own pages, to which findings, hovers and comments link. Where the pages are, and whether there are any,
 * is the host's affair.
 */
import { pagesLink } from "../../editor/hover/explanation.ts";

/**
 * The address of a page, named without an extension. `documentation` is the uri of a folder with HTML pages, or an address in which
 * `{page}` stands for the page with its heading, such as a command of the client.
 */
export function pageAddress(documentation: string, page: string, heading?: string): string {
  const fragment = heading === undefined ? "" : `#${heading}`;
  if (documentation.includes("{page}")) return documentation.replace("{page}", encodeURIComponent(`${page}${fragment}`));
  return `${documentation}/${page}.html${fragment}`;
}

/** Completes links to the project's pages in a hover, or removes them if there are no pages. */
export function withPages(markdown: string, documentation: string | undefined): string {
  const links = new RegExp(`\\]\\(${pagesLink}([\\w-]+)\\.md(?:#([\\w-]+))?\\)`, "g");
  if (documentation !== undefined)
    return markdown.replace(links, (_, page: string, heading?: string) => `](${pageAddress(documentation, page, heading)})`);
  return markdown.replace(/\[[^\]\n]*\]\(docs:[^)\n]*\) · /g, "");
}
