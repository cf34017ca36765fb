/**
 * Keeps trees, so that each View is parsed once, however many units contain it. A header is read in many variants that differ in
 * their includes but not in their own text. The total length of the texts is limited; the least recently used ones are dropped
 * first.
 */
import { memoByPair } from "../memo.ts";
import type { ViewSpan } from "../source.ts";
import { inOneGo, type Steps } from "../steps.ts";
import { changeOf, type TextChange } from "../text-change.ts";
import type { FunctionItem, SyntaxTree } from "./ast.ts";
import type { ParsedText, SyntaxParser } from "./parser.ts";

/** Keeps the trees of texts. */
export interface SyntaxCache {
  /** The complete tree. The last parses of a uri are kept, so that the next one is incremental. */
  of(uri: string, text: string): SyntaxTree;
  ofInSteps(uri: string, text: string): Steps<SyntaxTree>;
  /** The tree of a piece of a file, in steps, which the caller keeps as long as the piece exists. */
  ofPiece(uri: string, text: string): Steps<SyntaxTree>;
  /** The tree of a header's text: without function bodies, or with them if the complete tree exists. */
  declarationsOf(uri: string, text: string): SyntaxTree;
  declarationsInSteps(uri: string, text: string): Steps<SyntaxTree>;
  /** The body of a function, whose definition is at this span of a header's View; undefined if it cannot be read by itself. */
  bodyAt(view: { readonly text: string }, span: ViewSpan): FunctionItem["body"];
  readonly builtin: BuiltinTrees;
  /** The texts of these files changed: the trees of the old texts are no longer needed, and a large file has a large tree. */
  forget(uris: readonly string[]): void;
  /** Drops the complete tree of a file that is not needed soon, and what the parser keeps for its next parse. */
  release(uri: string): void;
  /** Frees what the parser keeps for incremental parses. */
  dispose(): void;
}

/** How many parses are kept for incremental parsing: those of the files being edited, and a few more. */
const mostParses = 32;
/** How many of them are of one file or piece. Each dialect may read other text in it, where `__CUDA_ARCH__` decides between two branches. */
const mostVariants = 4;
/** The greatest total length of texts whose trees are kept; a tree takes some hundred bytes per character, without bodies about twelve. */
const mostWhole = 2_000_000;
const mostDeclarations = 24_000_000;
const mostTexts = 4_000_000;

/** The tree of a text that belongs to no file, such as a language's prelude or the declaration of a builtin function. */
export type BuiltinTrees = (text: string) => SyntaxTree;

/** Keeps the trees of such texts; several caches may share them. */
export function keepBuiltinTrees(parser: SyntaxParser): BuiltinTrees {
  const texts = recentlyUsed<SyntaxTree>(mostTexts);
  return (text) => {
    const known = texts.get(text);
    if (known !== undefined) return known;
    const parsed = parser.parse(text);
    parsed.dispose();
    return texts.add(text, parsed.tree);
  };
}

/** Keeps trees within the limits above; `dispose` frees what the parser keeps for the next edit. */
export function createSyntaxCache(parser: SyntaxParser, builtin: BuiltinTrees): SyntaxCache {
  const whole = recentlyUsed<TreeOfFile>(mostWhole);
  const declarations = recentlyUsed<SyntaxTree>(mostDeclarations);
  const recent = createRecentParses();
  /** A body by the View and its start. Views live as long as the units of the files that include the header. */
  const bodyAt = memoByPair((view: { readonly text: string }, _start: number, span: ViewSpan): FunctionItem["body"] => {
    const [item, ...others] = parser.parsePart(view.text, span) ?? [];
    return item?.kind === "function" && others.length === 0 ? item.body : undefined;
  });
  const parse = function* (uri: string, text: string): Steps<SyntaxTree> {
    const last = recent.last(uri);
    // The bodies of earlier trees may have been replaced by later ones.
    const parsed = last?.text === text ? last : yield* parser.parseInSteps(text, recent.nearest(uri, text));
    recent.add(uri, parsed);
    return parsed.tree;
  };
  const ofInSteps: SyntaxCache["ofInSteps"] = function* (uri, text) {
    const known = whole.get(text);
    if (known !== undefined) return known.tree;
    const tree = yield* parse(uri, text);
    return (whole.get(text) ?? whole.add(text, { uri, tree })).tree;
  };
  const declarationsInSteps: SyntaxCache["declarationsInSteps"] = function* (uri, text) {
    if (uri.startsWith("builtin:")) return builtin(text);
    const known = whole.get(text)?.tree ?? declarations.get(text);
    if (known !== undefined) return known;
    const tree = yield* parser.parseDeclarations(text);
    return declarations.get(text) ?? declarations.add(text, tree);
  };
  return {
    of: (uri, text) => inOneGo(ofInSteps(uri, text)),
    ofInSteps,
    ofPiece: parse,
    declarationsOf: (uri, text) => inOneGo(declarationsInSteps(uri, text)),
    declarationsInSteps,
    bodyAt: (view, span) => bodyAt(view, span.start, span),
    builtin,
    forget: (uris) => whole.remove(({ uri }) => uris.includes(uri)),
    release: (uri) => {
      whole.remove((tree) => tree.uri === uri);
      recent.drop((each) => each.uri === uri);
    },
    dispose: () => recent.drop(() => true),
  };
}

/** Parses that later ones can continue, the least recently used first. */
interface RecentParses {
  /** The last parse of a uri. */
  last(uri: string): ParsedText | undefined;
  /** The parse of a uri from whose text this one differs least; the last one of several. */
  nearest(uri: string, text: string): ParsedText | undefined;
  /** Adds a parse as the last one, and disposes of those that are too many. */
  add(uri: string, parsed: ParsedText): void;
  /** Disposes of some. */
  drop(isDropped: (each: { readonly uri: string }) => boolean): void;
}

function createRecentParses(): RecentParses {
  const parses = new Map<ParsedText, { readonly uri: string }>();
  const of = (uri: string) => [...parses].flatMap(([parsed, each]) => (each.uri === uri ? [parsed] : []));
  const dispose = (parsed: ParsedText | undefined): void => {
    if (parsed !== undefined && parses.delete(parsed)) parsed.dispose();
  };
  return {
    last: (uri) => of(uri).at(-1),
    nearest: (uri, text) => {
      let nearest: ParsedText | undefined;
      let least = Number.POSITIVE_INFINITY;
      for (const parsed of of(uri)) {
        const distance = distanceOf(changeOf(parsed.text, text));
        if (distance <= least) [nearest, least] = [parsed, distance];
      }
      return nearest;
    },
    add: (uri, parsed) => {
      parses.delete(parsed);
      parses.set(parsed, { uri });
      const [oldest, ...others] = of(uri);
      if (others.length >= mostVariants) dispose(oldest);
      if (parses.size > mostParses) dispose(parses.keys().next().value);
    },
    drop: (isDropped) => {
      for (const [parsed, each] of parses) if (isDropped(each)) dispose(parsed);
    },
  };
}

/** How many characters a change removes and inserts. */
function distanceOf({ start, oldEnd, newEnd }: TextChange): number {
  return oldEnd - start + newEnd - start;
}

interface TreeOfFile {
  /** The file that it was created for; others may have the same text. */
  readonly uri: string;
  readonly tree: SyntaxTree;
}

interface RecentlyUsed<Value> {
  get(text: string): Value | undefined;
  add(text: string, value: Value): Value;
  remove(isOld: (value: Value) => boolean): void;
}

/**
 * V8 hashes a string with more characters than this by its length alone, so a map compares such strings with all others of the same
 * length. A file that includes itself a thousand times has a thousand texts of one length, few of which are ever needed again.
 */
const mostHashed = 16_383;
const mostOfOneLength = 16;

/** Values by text, up to a total length of the texts; the last added value always stays. */
function recentlyUsed<Value>(most: number): RecentlyUsed<Value> {
  const values = new Map<string, Value>();
  const ofOneLength = new Map<number, Set<string>>();
  let length = 0;
  const drop = (text: string): void => {
    values.delete(text);
    ofOneLength.get(text.length)?.delete(text);
    length -= text.length;
  };
  return {
    get: (text) => {
      const value = values.get(text);
      if (value === undefined) return undefined;
      values.delete(text);
      values.set(text, value);
      return value;
    },
    add: (text, value) => {
      values.set(text, value);
      length += text.length;
      if (text.length > mostHashed) {
        const others = ofOneLength.get(text.length) ?? new Set<string>();
        ofOneLength.set(text.length, others);
        const [oldest] = others;
        if (oldest !== undefined && others.size >= mostOfOneLength) drop(oldest);
        others.add(text);
      }
      for (const old of values.keys()) {
        if (length <= most || values.size === 1) break;
        drop(old);
      }
      return value;
    },
    remove: (isOld) => {
      for (const [text, value] of values) if (isOld(value)) drop(text);
    },
  };
}
