/**
 * Owns the tree-sitter parser and its trees. The only file that imports web-tree-sitter. A parse continues the previous one
 * through one edit, derived by comparing the two texts from both ends; the result never depends on it.
 */
import { Edit, Language, Parser, type Tree } from "web-tree-sitter";
import type { Span } from "../source.ts";
import type { SyntaxTree } from "./ast.ts";
import { readTokens } from "./atoms.ts";
import { completeHeads } from "./function-heads.ts";
import { type Guarded, guard } from "./guard.ts";
import { nameKeywords } from "./keyword-names.ts";
import { lowerTree } from "./lower.ts";
import { copySubtree, type NodeTypes } from "./raw.ts";
import { spellSpaceAttributes } from "./type-attributes.ts";
import { signUnknownWords } from "./unknown-words.ts";

/** Parses texts into trees of plain data. */
export interface SyntaxParser {
  /** Parses a View's text and lowers it. `previous` may be a parse of an older text of the same file; the result never depends on it. */
  parse(text: string, previous?: ParsedText): ParsedText;
  /** The declarations of a View: function bodies are there, but empty. For headers, whose bodies nobody asked about. */
  parseDeclarations(text: string): SyntaxTree;
}

/** A parse that can be continued incrementally. Whoever stores it disposes it. */
export interface ParsedText {
  readonly text: string;
  readonly tree: SyntaxTree;
  dispose(): void;
}

/** Loads the parser from the bytes of web-tree-sitter's own wasm and of `grammars/tree-sitter-gpu.wasm`. */
export async function loadParser(runtimeWasm: Uint8Array, grammarWasm: Uint8Array): Promise<SyntaxParser> {
  // Without a place to look in, the runtime asks for its own address, which a worker made from a blob has not.
  await Parser.init({ wasmBinary: runtimeWasm, locateFile: (name: string) => name });
  const language = await Language.load(grammarWasm);
  const parser = new Parser();
  parser.setLanguage(language);
  const types = typesOf(language);
  const trees = new WeakMap<ParsedText, ReadTree>();

  return {
    parse(text, previous) {
      const old = previous === undefined ? undefined : trees.get(previous);
      const guarded = guard(text);
      const found = parseWithUnknown(parser, guarded.text, old);
      if (found === undefined) return { text, tree: unreadable(text), dispose: () => undefined };
      const { tree } = found;
      const parsed: ParsedText = {
        text,
        tree: { ...lower(tree, text, types), ...endOf(guarded) },
        dispose() {
          if (trees.delete(parsed)) tree.delete();
        },
      };
      trees.set(parsed, found);
      return parsed;
    },
    parseDeclarations(text) {
      const guarded = guard(text);
      const tree = parseWithUnknown(parser, guarded.text, undefined)?.tree;
      if (tree === undefined) return unreadable(text);
      try {
        return { ...lower(tree, text, types, true), ...endOf(guarded) };
      } finally {
        tree.delete();
      }
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

/** A tree and the text that it was read from. */
interface ReadTree {
  readonly read: string;
  readonly tree: Tree;
}

/**
 * Reads the text; where that does not go without errors, reads it once more in a form that the grammar has: with attributes
 * that name address spaces as qualifiers, C++'s keywords as names where they are, old-style definitions with parameters, and
 * signs for the words that nobody defines.
 */
function parseWithUnknown(parser: Parser, text: string, old: ReadTree | undefined): ReadTree | undefined {
  const tree = parseText(parser, text, old);
  if (tree === undefined) return undefined;
  const plain = { read: text, tree };
  if (!tree.rootNode.hasError) return plain;
  // Each step reads the tokens as the one before has left them.
  const read = [spellSpaceAttributes, nameKeywords, completeHeads, signUnknownWords].reduce(
    (known, step) => step(known, readTokens(known)),
    text,
  );
  const second = read === text ? undefined : parseText(parser, read, old);
  if (second === undefined) return plain;
  const isBetter = !second.rootNode.hasError || unreadableLength(second) < unreadableLength(tree);
  (isBetter ? tree : second).delete();
  return isBetter ? { read, tree: second } : plain;
}

/** How much of the text the parser skipped or invented. */
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
 * Continues the old parse where that gives a tree without errors. How tree-sitter recovers from an error depends on what it
 * could reuse, and it saves little time then: such a text is parsed afresh.
 */
function parseText(parser: Parser, text: string, old: ReadTree | undefined): Tree | undefined {
  if (old !== undefined && !old.tree.rootNode.hasError) {
    const continued = continueParse(parser, text, old);
    if (continued !== null && !continued.rootNode.hasError) return continued;
    continued?.delete();
  }
  return parseBounded(parser, text) ?? undefined;
}

/** The parser reports its progress once in so many characters at the most; where it does so more often, it does not come to an end. */
const charactersPerReport = 4;

/** Null where the parser takes too many steps. They are counted, so that the same text always has the same tree. */
function parseBounded(parser: Parser, text: string, old?: Tree): Tree | null {
  let left = 1_000 + Math.ceil(text.length / charactersPerReport);
  const progressCallback = (): boolean => {
    left -= 1;
    return left < 0;
  };
  const tree = parser.parse(text, old, { progressCallback });
  if (tree === null) parser.reset();
  return tree;
}

function continueParse(parser: Parser, text: string, old: ReadTree): Tree | null {
  // The previous parse stays usable: the edit goes into a copy.
  const edited = old.tree.copy();
  try {
    edited.edit(editBetween(old.read, text));
    return parseBounded(parser, text, edited);
  } finally {
    edited.delete();
  }
}

/** The shortest replacement that turns one text into the other, found from both ends. */
function editBetween(before: string, after: string): Edit {
  const shorter = Math.min(before.length, after.length);
  let prefix = 0;
  while (prefix < shorter && before.charCodeAt(prefix) === after.charCodeAt(prefix)) prefix++;
  let suffix = 0;
  while (suffix < shorter - prefix && before.charCodeAt(before.length - 1 - suffix) === after.charCodeAt(after.length - 1 - suffix))
    suffix++;
  const oldEnd = before.length - suffix;
  const newEnd = after.length - suffix;
  const start = pointAt(before, prefix, { row: 0, column: 0 }, 0);
  return new Edit({
    startIndex: prefix,
    oldEndIndex: oldEnd,
    newEndIndex: newEnd,
    startPosition: start,
    oldEndPosition: pointAt(before, oldEnd, start, prefix),
    newEndPosition: pointAt(after, newEnd, start, prefix),
  });
}

interface Point {
  readonly row: number;
  readonly column: number;
}

/** The point of `offset`, counted from a known point before it. */
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

function lower(tree: Tree, text: string, types: NodeTypes, skipsBodies = false): SyntaxTree {
  const cursor = tree.walk();
  const errors: Span[] = [];
  const unknown: Span[] = [];
  try {
    return lowerTree(
      copySubtree(cursor, text, types, { isClean: !tree.rootNode.hasError, skipsBodies }, errors, unknown),
      text,
      errors,
      unknown,
    );
  } finally {
    cursor.delete();
  }
}

function unreadable(text: string): SyntaxTree {
  const span = { start: 0, end: text.length };
  return { items: [{ kind: "unknown", span, items: [] }], errors: [span], unknownWords: [] };
}
