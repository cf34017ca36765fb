/** Renders the part of Markdown that the server's hovers use as HTML. */

export function rendered(markdown: string): string {
  const blocks = markdown.split(/^(`{3,})\w*\n(.*?)\n\1$/ms);
  // Text, fence, code, text, fence, code …
  return blocks
    .map((block, index) => (index % 3 === 2 ? `<pre><code>${escaped(block)}</code></pre>` : index % 3 === 0 ? paragraphs(block) : ""))
    .join("");
}

function paragraphs(text: string): string {
  return text
    .split(/\n{2,}/)
    .filter((block) => block.trim() !== "")
    .map((block) =>
      block.startsWith("- ")
        ? `<ul>${block
            .split("\n")
            .map((line) => `<li>${inline(line.replace(/^- /, ""))}</li>`)
            .join("")}</ul>`
        : `<p>${inline(block)}</p>`,
    )
    .join("");
}

function inline(text: string): string {
  return escaped(text)
    .replace(/`+ ?([^`]+?) ?`+/g, "<code>$1</code>")
    .replace(/\*([^*]+)\*/g, "<em>$1</em>");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
