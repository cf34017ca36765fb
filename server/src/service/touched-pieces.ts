/**
 * Finds the pieces that an edit may have touched: those that contain a name whose meaning it changed, directly or through the heads
 * of others. Names are looked for in the Views, where macros are expanded. If an edit may change the meaning of every piece, the
 * answer is `all`.
 */
import type { PieceReading } from "../preprocess/preprocessor.ts";
import { namesOf } from "../semantics/declarations/on-demand.ts";
import { hidesBody, isHeadParsed } from "../semantics/units/entries.ts";
import type { SyntaxTree } from "../syntax/ast.ts";

/** The names that a piece declares, and those that it contains. */
export interface NamesOfPiece {
  readonly uri: string;
  /** Its declared names; undefined if it may change the meaning of any name. */
  readonly declares: readonly string[] | undefined;
  readonly isTemplate: boolean;
  /** The words of the part that other pieces see, and all of its words. */
  readonly head: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
}

const known = new WeakMap<PieceReading, NamesOfPiece>();

/** The names that a piece declares and contains. */
export function namesOfPiece(reading: PieceReading, tree: SyntaxTree): NamesOfPiece {
  const names = known.get(reading) ?? read(reading, tree);
  known.set(reading, names);
  return names;
}

function read({ piece, unit, cached }: PieceReading, tree: SyntaxTree): NamesOfPiece {
  const { text } = unit.view;
  const [item, ...more] = tree.items;
  const words = wordsOf(text);
  const isPlain =
    more.length === 0 &&
    (item === undefined || isHeadParsed(item, tree)) &&
    unit.includes.length === 0 &&
    unit.switches === undefined &&
    cached.changes.ids.length === 0;
  const declares =
    item === undefined && isPlain && piece.kind === "blank" ? [] : item === undefined || !isPlain ? undefined : namesOf(item);
  const body = item !== undefined && hidesBody(item) ? item.body : undefined;
  const head = body === undefined ? words : wordsOf(text.slice(0, body.span.start));
  return {
    uri: piece.uri,
    declares: declares?.map(withoutTag),
    isTemplate: item?.kind === "template",
    head,
    words,
  };
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.match(/[A-Za-z_]\w*/g) ?? []);
}

/** The name without the mark of a tag, because a tag is used like any other name. */
function withoutTag(name: string): string {
  return name.startsWith("tag ") ? name.slice("tag ".length) : name;
}

/** With more changed pieces than this, examining all pieces is as fast. */
const most = 256;

/** The pieces of the file that may see a change of these pieces, given their states before and after the edit. */
export function touchedBy(pieces: readonly NamesOfPiece[], changed: readonly NamesOfPiece[]): ReadonlySet<string> | "all" {
  const names = new Set<string>();
  for (const { declares } of changed) {
    if (declares === undefined) return "all";
    for (const name of declares) names.add(name);
  }
  const touched = new Set(changed.map(({ uri }) => uri));
  let open = names;
  while (open.size > 0) {
    const found = new Set<string>();
    for (const { uri, words, head, declares } of pieces) {
      const mentionsOne = (text: ReadonlySet<string>) => [...open].some((name) => text.has(name));
      if (!mentionsOne(words)) continue;
      touched.add(uri);
      if (touched.size > most) return "all";
      if (!mentionsOne(head)) continue;
      if (declares === undefined) return "all";
      for (const name of declares) if (!names.has(name)) found.add(name);
    }
    for (const name of found) names.add(name);
    open = found;
  }
  return touched;
}
