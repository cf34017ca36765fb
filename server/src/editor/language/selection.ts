/** Finds the parts of a text around a place, innermost first, for editors that grow a selection step by step. */
import type { SourceSpan } from "../../source.ts";
import { type CodeToken, codeTokens } from "../names/tokens.ts";

/** The word, its part of a list, the content of the brackets, the brackets, the statement, and so on to the whole text. */
export function selectionsAt(text: string, offset: number): readonly SourceSpan[] {
  const tokens = codeTokens(text);
  const found: SourceSpan[] = [];
  const add = (start: number | undefined, end: number | undefined) => {
    if (start === undefined || end === undefined || start > offset || end < offset) return;
    const inner = found.at(-1);
    if (inner !== undefined && (inner.start < start || inner.end > end || (inner.start === start && inner.end === end))) return;
    if (end > start) found.push({ start, end } as SourceSpan);
  };
  const at = tokens.find(({ start, end, kind }) => start <= offset && offset <= end && (kind !== "sign" || offset < end));
  add(at?.start, at?.end);
  for (const { open, close, inside } of bracketsAround(tokens, offset)) {
    const isBlock = open?.text === "{" || open === undefined;
    const separator = isBlock ? /^[;{}]$/ : /^[,;]$/;
    const part = partAround(inside, offset, separator, isBlock);
    add(part?.start, part?.end);
    if (open === undefined || close === undefined) continue;
    add(inside[0]?.start, inside.at(-1)?.end);
    add(open.start, close.end);
  }
  add(0, text.length);
  return found;
}

interface Brackets {
  /** Both undefined for the whole text. */
  readonly open: CodeToken | undefined;
  readonly close: CodeToken | undefined;
  readonly inside: readonly CodeToken[];
}

/** The brackets around an offset, innermost first, and the whole text. */
function bracketsAround(tokens: readonly CodeToken[], offset: number): readonly Brackets[] {
  const open: number[] = [];
  const found: Brackets[] = [];
  tokens.forEach(({ kind, text, end }, index) => {
    if (kind !== "sign") return;
    if (/^[([{]$/.test(text)) open.push(index);
    else if (/^[)\]}]$/.test(text)) {
      const first = open.pop();
      const opening = first === undefined ? undefined : tokens[first];
      if (first !== undefined && opening !== undefined && opening.end <= offset && offset < end)
        found.push({ open: opening, close: tokens[index], inside: tokens.slice(first + 1, index) });
    }
  });
  return [...found, { open: undefined, close: undefined, inside: tokens }];
}

/** The element of a list, or the statement, that contains an offset. A block belongs to the statement in front of it. */
function partAround(tokens: readonly CodeToken[], offset: number, separator: RegExp, isBlock: boolean): SourceSpan | undefined {
  let depth = 0;
  let first: CodeToken | undefined;
  let last: CodeToken | undefined;
  const isAround = () => first !== undefined && last !== undefined && first.start <= offset && offset <= last.end;
  for (const token of tokens) {
    if (token.kind === "comment") continue;
    const isOpening = /^[([{]$/.test(token.text);
    const isClosing = /^[)\]}]$/.test(token.text);
    if (isClosing) depth = Math.max(0, depth - 1);
    const isSeparator = depth === 0 && !isOpening && separator.test(token.text);
    if (isSeparator && !isBlock) {
      if (isAround()) break;
      first = undefined;
      continue;
    }
    first ??= token;
    last = token;
    if (isSeparator) {
      if (isAround()) break;
      first = undefined;
    }
    if (isOpening) depth += 1;
  }
  return first !== undefined && last !== undefined && isAround() ? ({ start: first.start, end: last.end } as SourceSpan) : undefined;
}
