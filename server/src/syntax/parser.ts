/**
 * Owns the tree-sitter parser and its trees; it is the only file that imports web-tree-sitter. A parse continues the previous parse
 * of the file with one edit, found by comparing the two texts from both ends. The result never depends on that.
 */
import { Edit, Language, Parser, type Tree } from "web-tree-sitter";
import { longPiece } from "../preprocess/row.ts";
import type { ViewSpan } from "../source.ts";
import { inOneGo, type Steps } from "../steps.ts";
import { changeOf } from "../text-change.ts";
import type { Item, SyntaxTree } from "./ast.ts";
import { readDeclarations } from "./declarations.ts";
import type { KeptStatement, KeptStatements } from "./lowering/kept-statements.ts";
import { lowerTree } from "./lowering/lower.ts";
import { type CopyOptions, copySubtree, type NodeTypes, type RawNode } from "./lowering/raw.ts";
import { readTokens } from "./text/atoms.ts";
import { withoutBlankRuns } from "./text/blank-runs.ts";
import { completeHeads } from "./text/function-heads.ts";
import { type Guarded, guard } from "./text/guard.ts";
import { nameKeywords } from "./text/keyword-names.ts";
import { spellSpaceAttributes } from "./text/type-attributes.ts";
import { signTagHeads, signUnknownWords } from "./text/unknown-words.ts";

/** Parses texts into trees of plain data. */
export interface SyntaxParser {
  /** Parses a View's text and lowers it. `previous` may be a parse of an older text of the same file; the result never depends on it. */
  parse(text: string, previous?: ParsedText): ParsedText;
  /** Like `parse`, in steps; other texts may be parsed in between. */
  parseInSteps(text: string, previous?: ParsedText): Steps<ParsedText>;
  /**
   * Parses the declarations of a View, with empty function bodies, in steps. It is for headers, whose bodies are not needed. Many
   * declarations are deferred: they are parsed when their names are looked up.
   */
  parseDeclarations(text: string): Steps<SyntaxTree>;
  /** The items of a part of a View, with the bodies of functions; undefined if it has errors. */
  parsePart(text: string, span: ViewSpan): readonly Item[] | undefined;
}

/** A parse that can be continued incrementally. Its owner must dispose of it. */
export interface ParsedText {
  readonly text: string;
  readonly tree: SyntaxTree;
  dispose(): void;
}

/**
 * Loads the parser from the bytes of web-tree-sitter's own wasm and of `grammars/tree-sitter-gpu.wasm`. It reads no more than
 * `mostTokens` of a text; by default, no more than any hand-written one has.
 */
export async function loadParser(runtimeWasm: Uint8Array, grammarWasm: Uint8Array, mostTokens?: number): Promise<SyntaxParser> {
  // Without this option the runtime looks for its own address, which a worker made from a blob does not have.
  await Parser.init({ wasmBinary: runtimeWasm, locateFile: (name: string) => name });
  const language = await Language.load(grammarWasm);
  const parsers = createPool(language);
  const types = typesOf(language);
  const trees = new WeakMap<ParsedText, ReadTree>();

  const parseInSteps: SyntaxParser["parseInSteps"] = function* (text, previous) {
    const old = previous === undefined ? undefined : trees.get(previous);
    const guarded = guard(text, mostTokens);
    const short = withoutBlankRuns(guarded.text);
    const found = yield* parseWithUnknown(parsers, short.text, old);
    if (found === undefined) return { text, tree: unreadable(text), dispose: () => undefined };
    const { tree } = found;
    const given: ParsedForm = { text: guarded.text, read: found.read, placeOf: short.originalOf };
    const statements = text.length >= longPiece ? keptSince(old?.statements, given) : undefined;
    let lowered: SyntaxTree | undefined;
    try {
      lowered = { ...(yield* lower(tree, text, types, { statements, placeOf: given.placeOf })), ...endOf(guarded) };
    } finally {
      // The caller abandoned the work before it was complete.
      if (lowered === undefined) tree.delete();
    }
    const parsed: ParsedText = {
      text,
      tree: lowered,
      dispose() {
        if (trees.delete(parsed)) tree.delete();
      },
    };
    trees.set(parsed, { ...found, statements: statements && { ...given, byStart: statements.now } });
    return parsed;
  };
  const parseTolerantly = function* (text: string, read: string): Steps<SyntaxTree> {
    const guarded = guard(read, mostTokens);
    const short = withoutBlankRuns(guarded.text);
    const found = yield* parseWithUnknown(parsers, short.text, undefined);
    if (found === undefined) return unreadable(text);
    try {
      return { ...(yield* lower(found.tree, text, types, { skipsBodies: true, placeOf: short.originalOf })), ...endOf(guarded) };
    } finally {
      found.tree.delete();
    }
  };
  const parsePart = function* (text: string, part: string, from: number, skipsBodies = true): Steps<readonly Item[] | undefined> {
    const short = withoutBlankRuns(part);
    const tree = guard(short.text, mostTokens).text === short.text ? yield* parseBounded(parsers, short.text) : undefined;
    if (tree === undefined) return undefined;
    const placeOf = (offset: number) => from + short.originalOf(offset);
    try {
      return tree.rootNode.hasError ? undefined : (yield* lower(tree, text, types, { skipsBodies, placeOf })).items;
    } finally {
      tree.delete();
    }
  };
  return {
    parse: (text, previous) => inOneGo(parseInSteps(text, previous)),
    parseInSteps,
    parseDeclarations: (text) => readDeclarations({ parse: parseTolerantly, parsePart }, text),
    parsePart: (text, { start, end }) => inOneGo(parsePart(text, text.slice(start, end), start, false)),
  };
}

/** Idle parsers. A parser that is paused between two steps cannot parse anything else. */
interface Pool {
  take(): Parser;
  giveBack(parser: Parser): void;
}

function createPool(language: Language): Pool {
  const free: Parser[] = [];
  return {
    take: () => {
      const parser = free.pop() ?? new Parser();
      parser.setLanguage(language);
      return parser;
    },
    giveBack: (parser) => {
      parser.reset();
      free.push(parser);
    },
  };
}

function endOf({ endsAt }: Guarded): Pick<SyntaxTree, "endsAt"> {
  return endsAt === undefined ? {} : { endsAt };
}

function typesOf(language: Language): NodeTypes {
  return {
    names: language.types,
    isNamed: language.types.map((_, id) => language.nodeTypeIsNamed(id)),
    fields: language.fields.map((field) => field ?? ""),
  };
}

/** A tree and the text that it was parsed from, which has no long runs of white space. */
interface ReadTree {
  readonly read: string;
  readonly tree: Tree;
  readonly statements?: StatementsOfText | undefined;
}

/** A text in the form in which it was parsed. */
interface ParsedForm {
  readonly text: string;
  /** What the parser has read. */
  readonly read: string;
  /** Converts the parser's offsets to those of the text. */
  placeOf(offset: number): number;
}

/** The statements in the blocks of a long text, by their starts. */
interface StatementsOfText extends Pick<ParsedForm, "text" | "read"> {
  readonly byStart: ReadonlyMap<number, KeptStatement>;
}

/** What is known about the statements of the text from its state before the last edit. */
function keptSince(old: StatementsOfText | undefined, { text, read, placeOf }: ParsedForm): KeptStatements {
  if (old === undefined) return { before: new Map(), now: new Map(), isUnchanged: () => false };
  const change = changeOf(old.text, text);
  // The parser may have read other words in a place that the edit has not touched.
  const changeRead = old.read === read ? undefined : changeOf(old.read, read);
  const first = Math.min(change.start, placeOf(changeRead?.start ?? read.length));
  const last = change.newEnd === change.oldEnd ? Math.max(change.newEnd, placeOf(changeRead?.newEnd ?? 0)) : Number.POSITIVE_INFINITY;
  return { before: old.byStart, now: new Map(), isUnchanged: (start, end) => end <= first || start >= last };
}

/**
 * Parses the text. If the tree has errors, it is parsed once more in a form that the grammar accepts: attributes that name address
 * spaces become qualifiers, C++ keywords that are names here become other names, old-style definitions get their parameters, and
 * signs replace undefined words.
 */
function* parseWithUnknown(parsers: Pool, text: string, given: ReadTree | undefined): Steps<ReadTree | undefined> {
  // The owner may delete the old tree between two steps.
  const old = given === undefined ? undefined : { read: given.read, tree: given.tree.copy() };
  try {
    return yield* parseTwice(parsers, signTagHeads(text), old);
  } finally {
    old?.tree.delete();
  }
}

function* parseTwice(parsers: Pool, text: string, old: ReadTree | undefined): Steps<ReadTree | undefined> {
  const made: Tree[] = [];
  let best: ReadTree | undefined;
  try {
    best = yield* parseEither(parsers, text, old, made);
    return best;
  } finally {
    for (const tree of made) if (tree !== best?.tree) tree.delete();
  }
}

/** Parses the text, and its other form if it has errors; `made` receives the trees. */
function* parseEither(parsers: Pool, text: string, old: ReadTree | undefined, made: Tree[]): Steps<ReadTree | undefined> {
  const owned = (tree: Tree | undefined): Tree | undefined => {
    if (tree !== undefined) made.push(tree);
    return tree;
  };
  const continued = owned(yield* continueParse(parsers, text, old));
  if (continued !== undefined && isClean(continued)) return { read: text, tree: continued };
  // A long text whose continuation has errors is parsed as a whole only if its other form has some, too.
  const isKnown = continued !== undefined && text.length >= longPiece;
  let first = isKnown ? undefined : owned(yield* parseBounded(parsers, text));
  if (first !== undefined && isClean(first)) return { read: text, tree: first };
  const read = yield* rewritten(text);
  const second = read === text ? undefined : owned(yield* parseText(parsers, read, old));
  if (second !== undefined && isClean(second)) return { read, tree: second };
  if (isKnown) first = owned(yield* parseBounded(parsers, text));
  if (first === undefined) return undefined;
  const isBetter = second !== undefined && !isClean(first) && unreadableLength(second) < unreadableLength(first);
  return isBetter ? { read, tree: second } : { read: text, tree: first };
}

function isClean(tree: Tree | undefined): boolean {
  return tree?.rootNode.hasError === false;
}

/** The text in a form that the grammar accepts, in steps. Each rewriting reads the tokens that the previous one has left. */
function* rewritten(text: string): Steps<string> {
  let read = text;
  let tokens = readTokens(read);
  yield;
  for (const rewrite of [spellSpaceAttributes, nameKeywords, completeHeads]) {
    const before = read;
    read = rewrite(read, tokens);
    yield;
    if (read === before) continue;
    tokens = readTokens(read);
    yield;
  }
  return yield* signUnknownWords(read, tokens);
}

/** How many characters the parser skipped or inserted. */
function unreadableLength(tree: Tree): number {
  const cursor = tree.walk();
  let length = 0;
  try {
    for (;;) {
      const node = cursor.currentNode;
      const isUnreadable = node.isError || node.isMissing;
      if (isUnreadable) length += node.endIndex - node.startIndex + 1;
      if (!isUnreadable && node.hasError && cursor.gotoFirstChild()) continue;
      while (!cursor.gotoNextSibling()) if (!cursor.gotoParent()) return length;
    }
  } finally {
    cursor.delete();
  }
}

/**
 * Continues the old parse if the result has no errors. Otherwise it parses the text from scratch, because recovery from an error
 * depends on what was reused, and because reuse saves little time there.
 */
function* parseText(parsers: Pool, text: string, old: ReadTree | undefined): Steps<Tree | undefined> {
  const continued = yield* continueParse(parsers, text, old);
  if (isClean(continued)) return continued;
  continued?.delete();
  return yield* parseBounded(parsers, text);
}

/** A normal parse reports progress at most once per this many characters; one that reports more often would not end. */
const charactersPerReport = 4;

/**
 * The parser's reports per step, which take some fifty milliseconds; most texts are parsed in one step. Where the parser pauses
 * affects how it recovers from errors, so this is a number and not a time.
 */
const reportsInStep = 1_000;

/**
 * Parses with a limit on the parser's reports; undefined if the limit is exceeded. Reports are counted rather than timed, so that the
 * same text always has the same tree.
 */
function* parseBounded(parsers: Pool, text: string, old?: Tree): Steps<Tree | undefined> {
  let left = 1_000 + Math.ceil(text.length / charactersPerReport);
  let leftInStep = 0;
  const progressCallback = (): boolean => {
    left -= 1;
    leftInStep -= 1;
    return left < 0 || leftInStep < 0;
  };
  const parser = parsers.take();
  try {
    for (;;) {
      leftInStep = reportsInStep;
      // A paused parser continues where it was.
      const tree = parser.parse(text, old, { progressCallback });
      if (tree !== null || left < 0) return tree ?? undefined;
      yield;
    }
  } finally {
    parsers.giveBack(parser);
  }
}

/** Continues an old parse without errors; undefined if there is none. */
function* continueParse(parsers: Pool, text: string, old: ReadTree | undefined): Steps<Tree | undefined> {
  if (old === undefined || old.tree.rootNode.hasError) return undefined;
  // The previous parse stays usable: the edit is applied to a copy.
  const edited = old.tree.copy();
  try {
    edited.edit(editBetween(old.read, text));
    return yield* parseBounded(parsers, text, edited);
  } finally {
    edited.delete();
  }
}

/** The shortest replacement that turns one text into the other. */
function editBetween(before: string, after: string): Edit {
  const { start, oldEnd, newEnd } = changeOf(before, after);
  const startPosition = pointAt(before, start, { row: 0, column: 0 }, 0);
  return new Edit({
    startIndex: start,
    oldEndIndex: oldEnd,
    newEndIndex: newEnd,
    startPosition,
    oldEndPosition: pointAt(before, oldEnd, startPosition, start),
    newEndPosition: pointAt(after, newEnd, startPosition, start),
  });
}

interface Point {
  readonly row: number;
  readonly column: number;
}

/** The point of `offset`, computed from a known point before it. */
function pointAt(text: string, offset: number, from: Point, fromOffset: number): Point {
  let { row, column } = from;
  let lineStart = fromOffset - column;
  for (let newline = text.indexOf("\n", fromOffset); newline >= 0 && newline < offset; newline = text.indexOf("\n", newline + 1)) {
    row++;
    lineStart = newline + 1;
  }
  column = offset - lineStart;
  return { row, column };
}

interface LowerOptions extends Partial<Pick<CopyOptions, "skipsBodies" | "statements">> {
  /** Converts the parser's offsets to those of the text, if they differ. */
  placeOf?(offset: number): number;
}

function* lower(
  tree: Tree,
  text: string,
  types: NodeTypes,
  { skipsBodies = false, statements, placeOf = (offset) => offset }: LowerOptions,
): Steps<SyntaxTree> {
  const errors: ViewSpan[] = [];
  const unknown: ViewSpan[] = [];
  const isClean = !tree.rootNode.hasError;
  const cursor = tree.walk();
  let root: RawNode;
  try {
    root = yield* copySubtree(cursor, text, types, { isClean, skipsBodies, statements, placeOf }, errors, unknown);
  } finally {
    cursor.delete();
  }
  return yield* lowerTree(root, text, errors, unknown);
}

function unreadable(text: string): SyntaxTree {
  const span = { start: 0, end: text.length };
  return { items: [{ kind: "unknown", span, items: [] }], errors: [span], unknownWords: [] };
}
