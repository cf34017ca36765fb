/**
 * Renders the pages of rules and memory as HTML for browsers, which editors open for the link of a finding. The pages need no
 * network, and follow the light or dark colors of the system.
 */
import markdownIt from "markdown-it";

const style = `
:root { color-scheme: light dark; --line: light-dark(#d0d7de, #3d444d); --soft: light-dark(#f6f8fa, #151b23); }
body { max-width: 58rem; margin: 2rem auto; padding: 0 1rem; font: 16px/1.55 system-ui, sans-serif; color: light-dark(#1f2328, #f0f6fc); background: light-dark(#fff, #0d1117); }
a { color: light-dark(#0969da, #4493f8); }
code { font: .875em/1.5 ui-monospace, Consolas, monospace; background: var(--soft); padding: .1em .3em; border-radius: 4px; }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: 6px; padding: .75rem 1rem; overflow-x: auto; }
pre code { background: none; padding: 0; font-size: .8125rem; }
main { overflow-wrap: break-word; } img { max-width: 100%; height: auto; } .wide { overflow-x: auto; }
table { border-collapse: collapse; } th, td { border: 1px solid var(--line); padding: .3rem .6rem; text-align: left; vertical-align: top; }
`;

const renderer = markdownIt();
renderer.core.ruler.push("anchors", ({ tokens }) => {
  tokens.forEach((token, index) => {
    if (token.type === "heading_open") token.attrSet("id", slug(tokens[index + 1]?.content ?? ""));
  });
});

/** The name of a heading in links, as in editors' previews of Markdown. */
function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
}

/** What surrounds a page, and where its links lead. */
export interface Frame {
  /** Elements of the head, and of the body before the text. */
  readonly head: string;
  readonly before: string;
  /** The address for one in the Markdown; undefined for a link that becomes plain text. */
  linkOf(address: string): string | undefined;
}

const alone: Frame = { head: "", before: "", linkOf: (address) => address.replace(/^(?!\w+:)([^#]*)\.md(?=#|$)/, "$1.html") };

/** The first heading of a page, as plain text. */
export function titleOf(markdown: string): string {
  return (/^# (.*)$/m.exec(markdown)?.[1] ?? "gpu-qualifiers").replaceAll("`", "");
}

/** The page as a document of its own. Links to other pages lead to their HTML. */
export function htmlPage(markdown: string, { head, before, linkOf }: Frame = alone): string {
  const body = renderer
    .render(markdown)
    .replace(/<img src="([^"]+)"/g, (_, address: string) => `<img src="${linkOf(address) ?? address}"`)
    .replace(/<a href="([^"]+)">(.*?)<\/a>/gs, (_, address: string, text: string) => {
      const to = linkOf(address);
      return to === undefined ? text : `<a href="${to}">${text}</a>`;
    })
    // Wide tables and long lines of code scroll by themselves; a reader without a mouse must be able to reach them.
    .replace(/<table>(.*?)<\/table>/gs, '<div class="wide" role="region" aria-label="Table" tabindex="0"><table>$1</table></div>')
    .replaceAll("<pre>", '<pre tabindex="0">');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${renderer.utils.escapeHtml(titleOf(markdown))} · gpu-qualifiers</title>
<style>${style}</style>
${head}</head>
<body>
${before}<main>
${body}</main>
</body>
</html>
`;
}
