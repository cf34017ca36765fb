/**
 * Writes a View: keeps text of the file, blanks directives, comments and inactive branches, inserts respelled words and expansions,
 * and records where each part came from. Kept text is copied in runs, not token by token. Line breaks outside of expansions are
 * kept.
 */
import type { UnitLocation } from "../../source.ts";
import type { TokenList } from "../lexing/lexer.ts";
import type { Invocation, MacroToken } from "../macros/macro-tokens.ts";
import type { Macro } from "../macros/macros.ts";
import { createView } from "./origin.ts";
import { createSegmentWriter } from "./segments.ts";
import type { Expansion, Splice, View } from "./view.ts";

/** Writes a View from left to right. */
export interface ViewWriter {
  /** Begins a file: the View's own, or one that is spliced in at an include. */
  open(uri: string, text: string, site: UnitLocation | undefined): void;
  /** Blanks the rest of the file and returns to its includer. */
  close(): void;
  /** Keeps the file's text up to `end`; the gap before `start` is white space. */
  keep(start: number, end: number): void;
  /** The gap up to `to` is a comment or the like. */
  gap(to: number): void;
  /** The next token starts a line at `start`: fills the line before it with blanks, so that lines start at round offsets. */
  align(start: number): void;
  /** A long expansion of the invocation at `start` follows: fills the View with blanks, so that it starts at a round offset. */
  alignExpansion(start: number): void;
  /** A directive or an inactive branch, up to `to`. */
  blank(to: number): void;
  /** Writes a word with another spelling; nothing for an empty text. */
  respell(start: number, end: number, text: string): void;
  /** Writes the expansion of the invocation from token `first` to token `last`. */
  expand(
    list: TokenList,
    first: number,
    last: number,
    macro: Macro,
    macroTokens: readonly MacroToken[],
    spell: (token: MacroToken) => string,
  ): void;
  /** The offset of the next part in the View. */
  readonly length: number;
  finish(uri: string): View;
}

interface Frame {
  readonly uri: string;
  readonly text: string;
  readonly splice: { start: number; end: number; site: UnitLocation } | undefined;
  /** The start of text that is kept but not written yet. */
  run: number;
  /** The start of the file's unread rest. */
  done: number;
}

/** Creates the writer of one View. */
export function createViewWriter(): ViewWriter {
  const parts: string[] = [];
  const segments = createSegmentWriter();
  /** Starts and ends in turn. */
  const blanks: number[] = [];
  const comments: number[] = [];
  const splices: Splice[] = [];
  const frames: Frame[] = [];
  let frame: Frame = { uri: "", text: "", splice: undefined, run: 0, done: 0 };
  let length = 0;
  let lastCode = 0x0a;

  const append = (text: string) => {
    parts.push(text);
    length += text.length;
    lastCode = text.charCodeAt(text.length - 1);
  };
  const write = (text: string, offset: number, fileLength: number) => {
    if (text === "") return;
    segments.add(length, frame.uri, offset, fileLength, text.length === fileLength);
    append(text);
  };
  const flush = () => {
    if (frame.done > frame.run) write(frame.text.slice(frame.run, frame.done), frame.run, frame.done - frame.run);
    frame.run = frame.done;
  };
  const gap = (to: number) => {
    if (to <= frame.done) return;
    flush();
    const between = frame.text.slice(frame.done, to);
    // Lines of a spliced header are not lines of this file, so long comments and inactive branches are shortened.
    const isShrunk = frame.splice !== undefined && between.length > longestSplicedGap;
    if (!isShrunk) {
      for (const { 0: text, index } of between.matchAll(commentsOfGap)) {
        const start = length + index;
        comments.push(start, start + text.length);
      }
    }
    write(isShrunk ? "\n" : blanked(between), frame.done, to - frame.done);
    frame.run = to;
    frame.done = to;
  };
  /** Separates two tokens that are adjacent in the author's text; `code` is the second one's first character. */
  const separate = (code: number) => {
    if (mayPaste(lastCode, code)) write(" ", frame.done, 0);
  };
  const blank = (to: number) => {
    flush();
    const start = length;
    gap(to);
    if (blanks.at(-1) === start) blanks[blanks.length - 1] = length;
    else if (length > start) blanks.push(start, length);
  };

  /** Fills the View with blanks, so that what comes after the next `ahead` characters starts at a multiple of the unit. */
  const fill = (ahead: number, unit: number) => {
    flush();
    const over = (length + ahead) % unit;
    if (over > 0) write(" ".repeat(unit - over), frame.done, 0);
  };
  const align = (start: number) => {
    const lineStart = frame.text.lastIndexOf("\n", start - 1) + 1;
    if (frame.splice === undefined && lineStart > frame.done) fill(lineStart - frame.done, lineUnit);
  };

  return {
    get length() {
      return length + frame.done - frame.run;
    },
    open: (uri, text, site) => {
      flush();
      frames.push(frame);
      const splice = site === undefined ? undefined : { start: length, end: length, site };
      if (splice !== undefined) splices.push(splice);
      frame = { uri, text, splice, run: 0, done: 0 };
    },
    close: () => {
      gap(frame.text.length);
      flush();
      if (frame.splice !== undefined) frame.splice.end = length;
      frame = frames.pop() ?? frame;
    },
    keep: (start, end) => {
      // After an expansion or a respelled word, nothing may separate it from this token.
      if (frame.run === frame.done && start === frame.done) separate(frame.text.charCodeAt(start));
      frame.done = end;
    },
    gap,
    align,
    alignExpansion: (start) => {
      if (frame.splice !== undefined) return;
      frame.done = start;
      fill(0, expansionUnit);
    },
    blank,
    respell: (start, end, text) => {
      frame.done = start;
      flush();
      if (text !== "") separate(text.charCodeAt(0));
      write(text, start, end - start);
      frame.run = end;
      frame.done = end;
    },
    expand: (list, first, last, macro, macroTokens, spell) => {
      const start = list.starts[first] ?? 0;
      const end = list.ends[last] ?? start;
      frame.done = start;
      flush();
      const inners = new Map<Invocation, Expansion["inner"]>();
      const innerOf = ({ via }: MacroToken): Expansion["inner"] | undefined => {
        if (via === undefined || via.first === first) return undefined;
        let inner = inners.get(via);
        if (inner === undefined) {
          const place = via.macro.definition === undefined ? {} : { definition: via.macro.definition };
          inner = { macro: via.macro.name, ...place, span: { start: list.starts[via.first] ?? 0, end: list.ends[via.last] ?? 0 } };
          inners.set(via, inner);
        }
        return inner;
      };
      segments.beginExpansion();
      /** Writes a part that is spelled in the file `speller` between two offsets, or that no file spells. */
      const put = (
        text: string,
        speller: string | undefined,
        at: number,
        to: number,
        isArgument: boolean,
        inner: Expansion["inner"] | undefined,
      ) => {
        segments.addExpanded(length, frame.uri, start, end - start, { macro, speller, start: at, end: to, isArgument, inner }, text.length);
        append(text);
      };
      const from = length;
      let previous: MacroToken | undefined;
      for (const token of macroTokens) {
        const text = spell(token);
        if (text === "") continue;
        const isArgument = token.via === undefined && token.index >= 0;
        const inner = innerOf(token);
        const isFirst = length === from;
        const pastes = mayPaste(lastCode, text.charCodeAt(0)) && !isAdjacent(previous, token);
        if (token.spaced ? !isFirst || pastes : pastes) {
          const written = previous === undefined ? undefined : gapBetween(list, frame.uri, previous, token, first);
          const body = written !== undefined || previous === undefined || isArgument ? undefined : bodyGap(previous, token);
          const { uri, span } = written ?? body ?? nowhere;
          const isWithin = inner !== undefined && previous !== undefined && innerOf(previous) === inner;
          put(" ", uri, span.start, span.end, written !== undefined, isWithin ? inner : undefined);
        }
        put(text, isArgument ? frame.uri : token.uri, token.start, token.end, isArgument, inner);
        previous = token;
      }
      frame.run = end;
      frame.done = end;
    },
    finish: (uri) =>
      createView({
        uri,
        text: parts.join(""),
        segments: segments.finish(),
        blanks: new Int32Array(blanks),
        comments: new Int32Array(comments),
        splices,
      }),
  };
}

/** Aligned lines start at multiples of this: most edits of a line then leave the offsets of all other lines unchanged. */
const lineUnit = 32;
/** A long expansion starts at a multiple of this: edits of several lines before it do not move it either. */
const expansionUnit = 256;

const nowhere = { uri: undefined, span: { start: 0, end: 0 } } as const;

/** The author's white space between two neighbors in an invocation's arguments. */
function gapBetween(list: TokenList, uri: string, left: MacroToken, right: MacroToken, outer: number): UnitLocation | undefined {
  const from = left.via === undefined ? left.index : left.via.first === outer ? -1 : left.via.last;
  const to = right.via === undefined ? right.index : right.via.first === outer ? -1 : right.via.first;
  if (from < 0 || to !== from + 1) return undefined;
  return { uri, span: { start: list.ends[from] ?? 0, end: list.starts[to] ?? 0 } };
}

/** True if the tokens are adjacent in their file, where they are two tokens already: the `<<` and `<` of a launch become `<<<`. */
function isAdjacent(left: MacroToken | undefined, right: MacroToken): boolean {
  return left?.uri !== undefined && left.uri === right.uri && left.end === right.start;
}

/** The single space between two tokens of a macro's body. */
function bodyGap(left: MacroToken, right: MacroToken): UnitLocation | undefined {
  if (left.uri === undefined || left.uri !== right.uri || left.via !== right.via || left.end + 1 !== right.start) return undefined;
  return { uri: left.uri, span: { start: left.end, end: right.start } };
}

/** The greatest number of blanks between two tokens of a spliced header. */
const longestSplicedGap = 64;

/** Comments and line continuations in the gap between two tokens. */
const commentsOfGap = /\/\*[\s\S]*?(?:\*\/|$)|\/\/(?:\\\r?\n|[^\n])*|\\[ \t]*\r?\n/g;

/** Blanks of the same length, keeping line breaks. */
function blanked(text: string): string {
  return text.replace(/[^\r\n]+/g, (line) => " ".repeat(line.length));
}

/** True if two adjacent characters could form one token. */
function mayPaste(a: number, b: number): boolean {
  const left = pasteClass(a);
  const right = pasteClass(b);
  if (left === 0 || right === 0) return false;
  // `0xE` and `+`: a preprocessing number continues after an exponent (C11 §6.4.8).
  if ((b === 0x2b || b === 0x2d) && left === letters) return /[eEpP]/.test(String.fromCharCode(a));
  // Words, and literals with a prefix or suffix; operators; a dot before a number.
  return left === right || (left === 1 && right === 3) || (left === 3 && right === 1) || left === 4 || right === 4;
}

const letters = 1;
const operators = 2;
const quotes = 3;
const dots = 4;

function pasteClass(code: number): number {
  if (
    code >= 128 ||
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x61 && code <= 0x7a) ||
    code === 0x5f ||
    code === 0x24
  )
    return letters;
  if (code === 0x22 || code === 0x27) return quotes;
  if (code === 0x2e) return dots;
  return "+-*/%&|^=<>!:#".includes(String.fromCharCode(code)) ? operators : 0;
}
