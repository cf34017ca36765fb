/**
 * Writes a View: copies what stands in the file, blanks what does not count, puts in expansions, and notes where each
 * stretch came from. Lines keep their breaks outside of expansions.
 */
import type { Location, Span } from "../source.ts";
import type { Macro } from "./macros.ts";
import type { Piece } from "./expand.ts";
import type { Token } from "./lexer.ts";
import type { Expansion, Origin, Segment, View } from "./view.ts";

export interface ViewBuilder {
  /** Blanks the file's text up to `end`, from where it was left. */
  skipTo(uri: string, text: string, end: number): void;
  /** Copies a token of the file, in its canonical spelling. */
  copy(uri: string, text: string, token: Token, canonical: string): void;
  /** Writes what an invocation from `start` to `end` became. */
  expansion(uri: string, text: string, start: number, end: number, macro: Macro, pieces: readonly Piece[], canonical: (text: string) => string): void;
  /** Starts a file from its beginning again: a header may be spliced in more than once. */
  rewind(uri: string): void;
  /** Where the next stretch will stand in the View. */
  readonly length: number;
  finish(): View;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

export function createViewBuilder(): ViewBuilder {
  const parts: string[] = [];
  const segments: Writable<Segment>[] = [];
  const positions = new Map<string, number>();
  let length = 0;
  let lastCharacter = "\n";
  const write = (text: string, segment: Omit<Segment, "start">) => {
    if (text === "") return;
    const previous = segments[segments.length - 1];
    const isPlain = segment.expansion === undefined && segment.length === text.length;
    const continues = previous !== undefined && isPlain && previous.expansion === undefined && previous.uri === segment.uri && previous.offset + (length - previous.start) === segment.offset && previous.length === length - previous.start;
    if (continues) previous.length += text.length;
    else segments.push({ start: length, ...segment });
    parts.push(text);
    length += text.length;
    lastCharacter = text[text.length - 1] ?? lastCharacter;
  };
  const skipTo = (uri: string, text: string, end: number) => {
    const from = positions.get(uri) ?? 0;
    if (end > from) write(blank(text, from, end), { uri, offset: from, length: end - from });
    positions.set(uri, Math.max(from, end));
  };
  const separate = (next: string, uri: string, offset: number, expansion: Expansion | undefined, width: number) => {
    if (/[\s]/.test(lastCharacter) || next === "" || !mayPaste(lastCharacter, next[0] ?? "")) return;
    write(" ", { uri, offset, length: width, ...(expansion === undefined ? {} : { expansion }) });
  };
  return {
    get length() {
      return length;
    },
    skipTo,
    rewind: (uri) => {
      positions.delete(uri);
    },
    copy: (uri, text, token, canonical) => {
      skipTo(uri, text, token.start);
      separate(canonical, uri, token.start, undefined, 0);
      write(canonical, { uri, offset: token.start, length: token.end - token.start });
      positions.set(uri, token.end);
    },
    expansion: (uri, text, start, end, macro, pieces, canonical) => {
      skipTo(uri, text, start);
      const definition = macro.definition === undefined ? {} : { definition: macro.definition };
      for (const piece of pieces) {
        const { token } = piece;
        const isArgument = piece.uri === uri && token.start >= start && token.end <= end;
        const spelling: Location | undefined = piece.uri === undefined ? undefined : { uri: piece.uri, span: { start: token.start, end: token.end } };
        const expansion: Expansion = { macro: macro.name, ...definition, ...(spelling === undefined ? {} : { spelling }), argument: isArgument };
        const spelled = canonical(token.text);
        if (token.spaced) separateAlways(uri, start, end, expansion);
        else separate(spelled, uri, start, expansion, end - start);
        write(spelled, { uri, offset: start, length: end - start, expansion });
      }
      positions.set(uri, end);
    },
    finish: () => createView(parts.join(""), segments),
  };
  function separateAlways(uri: string, start: number, end: number, expansion: Expansion): void {
    if (!/\s/.test(lastCharacter)) write(" ", { uri, offset: start, length: end - start, expansion: { ...expansion, argument: false } });
  }
}

/** White space stays; comments, directives and inactive code become blanks of the same length. */
function blank(text: string, from: number, end: number): string {
  if (end - from === 1) return text[from] === "\n" || text[from] === "\r" ? "\n" : " ";
  return text.slice(from, end).replace(/[^\s]/g, " ");
}

function mayPaste(a: string, b: string): boolean {
  const word = /[\w$\u0080-\uffff"'.]/;
  if (word.test(a) && word.test(b)) return true;
  return /[-+*/%&|^=<>!:#.]/.test(a) && /[-+*/%&|^=<>:#.]/.test(b);
}

/** A View over its text and segments, with both ways between them. */
export function createView(text: string, segments: readonly Segment[]): View {
  const all: readonly Segment[] = segments.length > 0 ? segments : [{ start: 0, uri: "", offset: 0, length: 0 }];
  const endOf = (index: number) => all[index + 1]?.start ?? text.length;
  const indexAt = (offset: number): number => {
    let low = 0;
    let high = all.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((all[middle]?.start ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const origin = (span: Span): Origin => originOf(all, endOf, indexAt, text, span);
  let sorted: readonly { readonly index: number; readonly segment: Segment }[] | undefined;
  return {
    text,
    segments: all,
    origin,
    offsetOf: (uri, offset) => {
      sorted ??= all.map((segment, index) => ({ index, segment })).filter(({ segment, index }) => endOf(index) > segment.start);
      let inExpansion: number | undefined;
      for (const { segment, index } of sorted) {
        if (segment.uri !== uri || offset < segment.offset || offset >= segment.offset + segment.length) {
          continue;
        }
        if (segment.expansion === undefined) {
          const isPlain = segment.length === endOf(index) - segment.start;
          return isPlain ? segment.start + (offset - segment.offset) : segment.start;
        }
        const { spelling, argument } = segment.expansion;
        if (argument && spelling !== undefined && spelling.span.start <= offset && offset < spelling.span.end) return segment.start;
        inExpansion ??= segment.start;
      }
      return inExpansion;
    },
  };
}

function originOf(all: readonly Segment[], endOf: (index: number) => number, indexAt: (offset: number) => number, text: string, span: Span): Origin {
  const first = indexAt(Math.max(0, span.start));
  const last = Math.max(first, indexAt(Math.max(span.start, span.end - 1)));
  const head = all[first];
  const tail = all[last];
  if (head === undefined || tail === undefined) return { location: { uri: "", span: { start: 0, end: 0 } }, exact: false };
  let macro: Origin["macro"];
  let isAllArguments = true;
  let isPlain = true;
  for (let index = first; index <= last; index += 1) {
    const segment = all[index];
    if (segment?.expansion === undefined) {
      isAllArguments = false;
      continue;
    }
    isPlain = false;
    if (segment.expansion.argument === false && text.slice(segment.start, endOf(index)).trim() !== "") isAllArguments = false;
    const { macro: name, definition } = segment.expansion;
    const invocation: Location = { uri: segment.uri, span: { start: segment.offset, end: segment.offset + segment.length } };
    macro ??= { name, ...(definition === undefined ? {} : { definition }), invocation };
  }
  if (isAllArguments && macro !== undefined) {
    const inner = argumentRange(all, endOf, first, last, text);
    if (inner !== undefined) return { location: { uri: head.uri, span: inner }, exact: true, macro };
  }
  const start = startIn(head, span.start, endOf(first));
  const end = tail.uri === head.uri ? endIn(tail, span.end, endOf(last)) : startIn(head, endOf(first), endOf(first));
  const location = { uri: head.uri, span: { start: Math.min(start, end), end: Math.max(start, end) } };
  const isWhole = (head.length === endOf(first) - head.start || span.start <= head.start) && (tail.length === endOf(last) - tail.start || span.end >= endOf(last));
  return { location, exact: isPlain && isWhole && tail.uri === head.uri, ...(macro === undefined ? {} : { macro }) };
}

/** Arguments that stand in the author's text one behind another, as the View has them. */
function argumentRange(all: readonly Segment[], endOf: (index: number) => number, first: number, last: number, text: string): Span | undefined {
  let start: number | undefined;
  let end = -1;
  for (let index = first; index <= last; index += 1) {
    const segment = all[index];
    if (segment === undefined || text.slice(segment.start, endOf(index)).trim() === "") continue;
    const spelling = segment.expansion?.spelling;
    if (spelling === undefined || spelling.span.start < end) return undefined;
    start ??= spelling.span.start;
    end = spelling.span.end;
  }
  return start === undefined ? undefined : { start, end };
}

function startIn(segment: Segment, offset: number, end: number): number {
  const isPlain = segment.expansion === undefined && segment.length === end - segment.start;
  return isPlain ? segment.offset + Math.min(Math.max(0, offset - segment.start), segment.length) : segment.offset;
}

function endIn(segment: Segment, offset: number, end: number): number {
  const isPlain = segment.expansion === undefined && segment.length === end - segment.start;
  return isPlain ? segment.offset + Math.min(Math.max(0, offset - segment.start), segment.length) : segment.offset + segment.length;
}
