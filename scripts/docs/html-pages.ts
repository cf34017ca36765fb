/**
 * Renders the pages of rules and memory as HTML for browsers, which editors open for the link of a finding. The pages need no
 * network, and follow the light or dark colors of the system.
 */
import markdownIt from "markdown-it";

const style = `
:root { color-scheme: light dark; --line: light-dark(#d0d7de, #3d444d); --soft: light-dark(#f6f8fa, #151b23); }
body { max-width: 54rem; margin: 2rem auto; padding: 0 1rem; font: 16px/1.55 system-ui, sans-serif; color: light-dark(#1f2328, #f0f6fc); background: light-dark(#fff, #0d1117); }
a { color: light-dark(#0969da, #4493f8); }
code { font: .875em/1.5 ui-monospace, Consolas, monospace; background: var(--soft); padding: .1em .3em; border-radius: 4px; }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: 6px; padding: .75rem 1rem; white-space: pre-wrap; overflow-wrap: anywhere; }
pre code { background: none; padding: 0; }
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

/** The page as a document of its own. Links to other pages lead to their HTML. */
export function htmlPage(markdown: string): string {
  const title = /^# (.*)$/m.exec(markdown)?.[1] ?? "gpu-qualifiers";
  const body = renderer.render(markdown).replace(/(<a href="(?!\w+:)[^"#]*)\.md(?=["#])/g, "$1.html");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${renderer.utils.escapeHtml(title)} · gpu-qualifiers</title>
<style>${style}</style>
</head>
<body>
<main>
${body}</main>
</body>
</html>
`;
}
