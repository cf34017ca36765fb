/** Finds the ends of words and brackets in a text without parsing it. Comments and literals are skipped. */
import { afterToken } from "./guard.ts";

const word = /[A-Za-z_$\u00a0-\uffff][\w$\u00a0-\uffff]*/y;

/** The word that starts at this offset; "" if none does. */
export function wordAt(text: string, at: number): string {
  word.lastIndex = at;
  return word.exec(text)?.[0] ?? "";
}

/** The offset after the list in brackets that starts here; unchanged if none does, or if it does not end. */
export function afterList(text: string, from: number): number {
  const code = text.charCodeAt(from);
  if (code !== 0x28 && code !== 0x5b) return from;
  const close = closingOf(text, from);
  return close === undefined ? from : close + 1;
}

/** Longer lists of template parameters are not scanned. */
const longestParameters = 4_000;

/** The offset after `<class T = int>`, which contains neither a class nor an initializer; unchanged if there is no such list. */
export function afterParameters(text: string, from: number): number {
  let depth = 0;
  const last = Math.min(text.length, from + longestParameters);
  for (let at = from; at < last; at = afterToken(text, at)) {
    const code = text.charCodeAt(at);
    if (code === 0x28) at = closingOf(text, at) ?? last;
    else if (code === 0x3c) depth++;
    else if (code === 0x3e) depth--;
    else if (code === 0x3b || code === 0x7b) return from;
    if (depth === 0 && code > 0x20) return code === 0x3e ? at + 1 : from;
  }
  return from;
}

/** The offset of the matching closing bracket; undefined if there is none. */
export function closingOf(text: string, open: number): number | undefined {
  let depth = 0;
  for (let at = open; at < text.length; at = afterToken(text, at)) {
    const code = text.charCodeAt(at);
    if (code === 0x28 || code === 0x5b || code === 0x7b) depth++;
    else if (code === 0x29 || code === 0x5d || code === 0x7d) {
      depth--;
      if (depth === 0) return at;
    }
  }
  return undefined;
}
