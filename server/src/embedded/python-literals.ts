/** Finds the literals of Python. */
import { type HostToken, unescape, verbatim } from "./literals.ts";

const token =
  /(?<blank>(?:\s|\\\r?\n|#[^\n]*)+)|(?<prefix>[rRbBuUfFtT]{0,2})(?<quote>"""|'''|"|')|(?<word>[A-Za-z_]\w*|\.?\d[\w.]*)|(?<sign>[\s\S])/y;

/** The tokens of a Python source. Outside of brackets the end of a line is a token. */
export function pythonTokens(text: string): readonly HostToken[] {
  const tokens: HostToken[] = [];
  let depth = 0;
  for (let at = 0; at < text.length; ) {
    token.lastIndex = at;
    const found = token.exec(text)?.groups;
    if (found === undefined) break;
    const { blank, prefix = "", quote, word, sign = "" } = found;
    if (blank !== undefined) {
      const end = at + blank.length;
      if (depth === 0 && /(?<!\\)\n/.test(blank)) tokens.push({ kind: "sign", text: ";", start: at, end });
      at = end;
    } else if (quote !== undefined) {
      const start = at + prefix.length + quote.length;
      const end = endOfString(text, start, quote);
      const isRaw = /r/i.test(prefix);
      const contents = isRaw ? verbatim(text, start, end) : unescape(text, start, end);
      const isClosed = text.startsWith(quote, end);
      tokens.push({
        kind: "literal",
        start: at,
        end: isClosed ? end + quote.length : end,
        ...contents,
        spelling: isRaw ? { kind: "raw", close: quote } : { kind: "quoted", quote, isOneLine: quote.length === 1 },
        hasHoles: !isClosed || /[ft]/i.test(prefix),
      });
      at = Math.max(at + 1, isClosed ? end + quote.length : end);
    } else if (word !== undefined) {
      tokens.push({ kind: "word", text: word, start: at, end: at + word.length });
      at += word.length;
    } else {
      if ("([{".includes(sign)) depth += 1;
      if (")]}".includes(sign)) depth = Math.max(0, depth - 1);
      tokens.push({ kind: "sign", text: sign, start: at, end: at + 1 });
      at += 1;
    }
  }
  return tokens;
}

function endOfString(text: string, start: number, quote: string): number {
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text.startsWith(quote, at) || (quote.length === 1 && text[at] === "\n")) return at;
  }
  return text.length;
}
