/**
 * A file as a row of pieces (`cut.ts`). Each piece has a name and tokens of its own, so that an edit of one does not affect the
 * others: their results count from their own start. Rows are immutable; an edit creates a new row that shares the untouched
 * pieces.
 */
import { countUpTo } from "../lists.ts";
import { memo } from "../memo.ts";
import { pieceMark } from "../names.ts";
import type { FileUri } from "../source.ts";
import { changeOf, type TextChange } from "../text-change.ts";
import { type CutPiece, type CutState, type Cutter, fileStart, isSameState, type PieceKind } from "./lexing/cut.ts";
import { type Interner, Sign, unsliced } from "./lexing/interner.ts";
import { type TokenList, tokenize, tokensOfPart } from "./lexing/lexer.ts";
import { type SourceFile, sourceFileOf } from "./module.ts";

/** A piece of a file's text. */
export interface Piece {
  /** The name of its file, a mark, and a number that is unique among all pieces that the file ever had. */
  readonly uri: string;
  readonly text: string;
  /** Its tokens, with results that are computed once. */
  readonly file: SourceFile;
  /** The cut's state after it. */
  readonly state: CutState;
  readonly kind: PieceKind;
}

/** A file as a row of pieces. */
export interface Row {
  readonly uri: string;
  readonly text: string;
  readonly pieces: readonly Piece[];
  /** The start of each piece in the file. */
  readonly starts: readonly number[];
  /** The index of each piece, by its uri. */
  readonly indices: ReadonlyMap<string, number>;
  /** The file is one piece, because it cannot or must not be cut. */
  readonly isWhole: boolean;
  /** See `guardOf`; undefined until it is needed. */
  guard: number | undefined;
}

/** Keeps the rows of files from one text to the next. */
export interface Rows {
  /** The row of a text, reusing the pieces of an earlier row that are unchanged. */
  of(uri: string, text: string, cplusplus: boolean, earlier: Row | undefined): Row;
  /** The file as one piece. */
  whole(uri: string, text: string, cplusplus: boolean): Row;
}

/**
 * Pieces of at least this many characters have long bodies. The statements that an edit of such a piece does not touch are neither
 * lowered nor walked again (see `syntax/lowering/kept-statements.ts` and `semantics/facts/recorded-walks.ts`).
 */
export const longPiece = 4_096;

/** The file of a piece, if a location's uri names one. */
export function fileOfPiece(uri: string): FileUri | undefined {
  const at = uri.lastIndexOf(pieceMark);
  return at < 0 ? undefined : uri.slice(0, at);
}

/** The file of a unit or a place; for a piece, the file that it was cut from. */
export function fileOf(uri: string): FileUri {
  return fileOfPiece(uri) ?? uri;
}

/** Creates the rows of files; all their tokens use one interner. */
export function createRows(interner: Interner, cutter: Cutter): Rows {
  let made = 0;
  const newName = (uri: string): string => {
    made += 1;
    return `${uri}${pieceMark}${made}`;
  };
  const pieceOf = (name: string, own: string, tokens: TokenList, { state, kind }: Omit<CutPiece, "end">): Piece => {
    const file = sourceFileOf(name, tokens);
    return { uri: name, text: own, file, state, kind };
  };
  const wholeOf = (uri: string, text: string, cplusplus: boolean): Row => {
    const own = unsliced(text);
    const piece = pieceOf(newName(uri), own, tokenize(own, interner, cplusplus), { state: fileStart, kind: "item" });
    return { ...rowOf(uri, text, [piece]), isWhole: true };
  };
  const rowOf = (uri: string, text: string, pieces: readonly Piece[], earlier?: Row): Row => {
    const isRenamed = earlier?.pieces.length !== pieces.length || pieces.some((piece, at) => piece.uri !== earlier.pieces[at]?.uri);
    const indices = isRenamed ? new Map(pieces.map((piece, at) => [piece.uri, at])) : earlier.indices;
    const starts: number[] = [];
    let start = 0;
    for (const piece of pieces) {
      starts.push(start);
      start += piece.text.length;
    }
    return { uri, text, pieces, starts, indices, isWhole: false, guard: undefined };
  };
  /** The pieces of a text; unchanged pieces of `old` are reused, and an edited one keeps its name. */
  const cutAll = (
    uri: string,
    text: string,
    cplusplus: boolean,
    start: CutState,
    { closesLater, goesOn, old }: { readonly closesLater: boolean; readonly goesOn: boolean; readonly old: readonly Piece[] },
  ): readonly Piece[] => {
    const tokens = tokenize(text, interner, cplusplus);
    const cuts = cutter.cut(tokens, start, closesLater, goesOn);
    const startOf = (index: number) => cuts[index - 1]?.end ?? 0;
    const texts = cuts.map(({ end }, index) => text.slice(startOf(index), end));
    const isKept = (piece: Piece | undefined, index: number): boolean => {
      const each = cuts[index];
      return (
        each !== undefined &&
        piece !== undefined &&
        piece.text === texts[index] &&
        piece.kind === each.kind &&
        isSameState(piece.state, each.state)
      );
    };
    const growth = cuts.length - old.length;
    const shortest = Math.min(cuts.length, old.length);
    let front = 0;
    while (front < shortest && isKept(old[front], front)) front += 1;
    let back = 0;
    while (back < shortest - front && isKept(old[old.length - 1 - back], cuts.length - 1 - back)) back += 1;
    return cuts.map((each, index) => {
      const kept = index < front ? old[index] : index >= cuts.length - back ? old[index - growth] : undefined;
      const name = growth === 0 ? old[index]?.uri : undefined;
      if (kept !== undefined) return kept;
      const own = unsliced(texts[index] ?? "");
      return pieceOf(name ?? newName(uri), own, tokensOfPart(tokens, startOf(index), own, interner, cplusplus), each);
    });
  };
  /** Cuts the text between the unchanged pieces, and as much after it as needed until the cut reaches an old boundary. */
  const recut = (uri: string, text: string, cplusplus: boolean, earlier: Row, first: number, last: number): readonly Piece[] => {
    const { pieces: old } = earlier;
    const kept = old.slice(0, first);
    const state = kept[kept.length - 1]?.state ?? fileStart;
    const from = earlier.starts[first] ?? 0;
    const growth = text.length - earlier.text.length;
    for (let after = last, step = 1; ; after += step, step *= 2) {
      const next = old[after];
      if (next === undefined)
        return [...kept, ...cutAll(uri, text.slice(from), cplusplus, state, { closesLater: false, goesOn: false, old: old.slice(first) })];
      const part = text.slice(from, (earlier.starts[after] ?? 0) + growth);
      const before = old[after - 1]?.state ?? fileStart;
      // Finished items after the edit close only themselves. The end of a namespace closes what is open before it, and so may
      // another branch.
      const closesLater = before.conditionals.length > 0 || old.slice(after).some(({ kind }) => kind === "unfinished" || kind === "closes");
      const pieces = part === "" ? [] : cutAll(uri, part, cplusplus, state, { closesLater, goesOn: true, old: old.slice(first, after) });
      const end = pieces[pieces.length - 1];
      const isMet = end === undefined ? isSameState(state, before) : isFinished(end) && isSameState(end.state, before);
      const isOpen = end?.file.tokens.unclosed !== undefined;
      // A piece ends inside of a line only beside the brace of a namespace.
      const endsAlike = part.endsWith("\n") || end === undefined || end.kind === old[after - 1]?.kind;
      if (isMet && endsAlike && !isOpen && cutter.canBegin(next.file.tokens, 0)) return [...kept, ...pieces, ...old.slice(after)];
    }
  };
  return {
    of: (uri, text, cplusplus, earlier) => {
      const isFirst = earlier === undefined || earlier.isWhole;
      if (isFirst && canBeCut(text, cplusplus))
        return rowOf(uri, text, cutAll(uri, text, cplusplus, fileStart, { closesLater: false, goesOn: false, old: [] }));
      if (isFirst) return wholeOf(uri, text, cplusplus);
      if (earlier.text === text) return earlier;
      const change = changeOf(earlier.text, text);
      if (!canBeCut(changedLines(text, change), cplusplus)) return wholeOf(uri, text, cplusplus);
      const { first, last } = touched(earlier, change);
      return rowOf(uri, text, recut(uri, text, cplusplus, earlier, first, last), earlier);
    },
    whole: wholeOf,
  };
}

/** The index of the piece that contains an offset of the file, given the starts of the pieces. */
export function pieceAt(starts: readonly number[], offset: number): number {
  return Math.max(0, countUpTo(starts.length, (index) => starts[index], offset) - 1);
}

/** True if the piece ends at the end of an item. */
export function isFinished({ kind }: Piece): boolean {
  return kind !== "unfinished" && kind !== "blank";
}

/**
 * True if the text can be cut into pieces. It cannot if a raw string around a whole kernel spans its items, or if a function has
 * the name of a C++ keyword, which makes that keyword an ordinary word in the whole file (`syntax/text/keyword-names.ts`).
 */
function canBeCut(text: string, cplusplus: boolean): boolean {
  return cplusplus || !(/\bR"[^()\\\s]{0,16}\(/.test(text) || namedAsKeyword.test(text));
}

const namedAsKeyword =
  /\b\w+[ \t]+\*?(?:class|delete|friend|namespace|new|operator|template|this|throw|try|typename|using|virtual)[ \t]*\(/;

/** The lines of a text that an edit changed. */
function changedLines(text: string, { start, newEnd }: TextChange): string {
  const end = text.indexOf("\n", newEnd);
  return text.slice(text.lastIndexOf("\n", start - 1) + 1, end < 0 ? text.length : end);
}

/**
 * The pieces from `first` up to `last` must be cut again. The piece before the edit is among them if it may now continue into the
 * edit.
 */
function touched({ text: old, pieces, starts }: Row, { start, oldEnd }: TextChange): { readonly first: number; readonly last: number } {
  let first = start === old.length ? pieces.length : pieceAt(starts, start);
  // Whether a line is one piece or several depends on all of it.
  while (first > 0 && pieces[first - 1]?.text.endsWith("\n") === false) first -= 1;
  const last = Math.max(first, oldEnd === 0 ? 0 : pieceAt(starts, oldEnd - 1) + 1);
  // The added text may close an earlier item that was cut off because nothing closed it.
  const open = pieces.findIndex(({ kind }) => kind === "unfinished");
  const from = open < 0 ? first : Math.min(open, first);
  const begin = starts[first] ?? 0;
  const isInside = from === first && last === first + 1 && isBetweenTokens(pieces[first], start - begin, oldEnd - begin);
  if (isInside && endsInBrace(pieces[first - 1])) return { first, last };
  // The item before the edit may be separated from it by the blank piece at the end of the file.
  const before = pieces[from - 1]?.kind === "blank" ? from - 2 : from - 1;
  return { first: Math.max(0, before), last: Math.min(pieces.length, last + 1) };
}

/**
 * True if the span is strictly between the first and the last tokens of the piece. Then an edit of the span does not affect where
 * the neighbors end and begin.
 */
function isBetweenTokens(piece: Piece | undefined, start: number, end: number): boolean {
  if (piece === undefined || !isFinished(piece)) return false;
  const { starts, ends, count } = piece.file.tokens;
  return count > 4 && start > (ends[1] ?? 0) && end < (starts[count - 2] ?? 0);
}

/**
 * True if only the next token affects where the item ends. A prototype, by contrast, may continue with the declarations of its
 * parameters, and so may whatever has parentheses and ends in a semicolon.
 */
function endsInBrace(piece: Piece | undefined): boolean {
  return piece === undefined || (isFinished(piece) && hasBraceAtEnd(piece));
}

/** True for a body, and for a class or a list of values that has no parentheses outside of its braces. */
const hasBraceAtEnd = memo(({ file: { tokens } }: Piece): boolean => {
  const { ids, count } = tokens;
  if (ids[count - 1] === Sign.closeBrace) return true;
  if (ids[count - 1] !== Sign.semicolon || ids[count - 2] !== Sign.closeBrace) return false;
  let depth = 0;
  for (let at = 0; at < count; at += 1) {
    if (ids[at] === Sign.openBrace) depth += 1;
    else if (ids[at] === Sign.closeBrace) depth -= 1;
    else if (depth === 0 && ids[at] === Sign.openParenthesis) return false;
  }
  return true;
});
