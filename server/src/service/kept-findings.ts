/**
 * Decides which findings of pieces survive an edit. They depend on the names that the piece has looked up. An edited head
 * changes the names that it declares, and through the heads that look one of them up, the names that those declare. A piece that has
 * looked up none of them keeps its findings. If an edit may change the meaning of any name, all pieces are checked again.
 */
import type { Finding } from "../finding.ts";
import { append, least } from "../lists.ts";
import { memo } from "../memo.ts";
import type { ReadPiece } from "../preprocess/preprocessor.ts";
import { unitsIn } from "../preprocess/units.ts";
import { namesOf } from "../semantics/declarations/on-demand.ts";
import { isHeadParsed } from "../semantics/units/entries.ts";
import {
  declarationsBehindExterns,
  hiddenBody,
  isBodyConsulted,
  mayDeclareExtern,
  withoutLinkage,
} from "../semantics/units/replaced-bodies.ts";
import type { UnitLocation } from "../source.ts";
import type { SyntaxTree } from "../syntax/ast.ts";
import type { PieceList } from "./piece-list.ts";
import type { DialectModel } from "./piece-models.ts";

/** The findings of rules about single items for a piece, under each dialect. */
export interface PieceFindings {
  readonly found: readonly (readonly Finding<UnitLocation>[])[];
  /** For each dialect, whether the piece uses only features that the dialect has. */
  readonly isComplete: readonly boolean[];
  /** There are no findings, and no dialect lacks anything. */
  readonly isBlank: boolean;
  /** The steps that the check took, with those for facts. */
  readonly cost: number;
  /** The length of the View, if a single piece may not take as many steps. Then there are no findings. */
  readonly tooLong?: number;
  /** The names that the piece has looked up. */
  readonly lookups: ReadonlySet<string>;
  /** It was made in an earlier model: the findings are right, but their fixes must be made again. */
  readonly isOfEarlierModel: boolean;
}

/** The findings of pieces, by their indices. */
export interface CheckedPieces {
  readonly list: PieceList;
  readonly readings: readonly DialectModel[];
  readonly pieceFindings: (PieceFindings | undefined)[];
  /** Pieces whose findings are shown until they are checked again. */
  readonly stale: Set<number>;
  /** By piece, the names that binding its head has looked up in any model so far. */
  readonly heads: Map<string, ReadonlySet<string>>;
  treeOf(reading: ReadPiece): SyntaxTree;
}

/** How many pieces are judged in a glance, if an edit may have changed their meaning. */
export const mostAtOnce = 48;

/** What others can see of a piece. */
interface Head {
  readonly text: string;
  /** The names that it declares; undefined if it may change the meaning of any name. */
  readonly declares: readonly string[] | undefined;
  /** The words of the `extern` declarations in its body, which other bodies may refer to. */
  readonly externs: readonly string[];
  /** The words of its text, which are all names that it may look up by name. */
  readonly words: ReadonlySet<string>;
  readonly isTemplate: boolean;
  /** It includes headers, whose declarations are not in its text. */
  readonly hasHeaders: boolean;
}

/**
 * Drops the findings that an edit in the same model may have invalidated: those of the edited pieces, and of the pieces that read an
 * edited template again with their arguments. Returns the indices of these pieces. If they are too many for a glance, the pieces
 * that were not edited themselves keep their last findings until the complete check.
 */
export function dropInvalidated(old: CheckedPieces, state: CheckedPieces): readonly number[] {
  const { readings, pieceFindings, stale } = state;
  const edited = new Set<number>();
  const templates: Head[] = [];
  let mayAskOtherwise = false;
  for (const [at, { units }] of readings.entries()) {
    const before = old.readings[at]?.units.pieces ?? [];
    for (const [index, piece] of units.pieces.entries()) {
      const last = before[index];
      if (last === piece || last === undefined) continue;
      edited.add(index);
      mayAskOtherwise ||= last.unit.testsArchitecture !== piece.unit.testsArchitecture;
      append(
        templates,
        // The model stays the same, so its `extern` declarations are the same, too, or no other body has them.
        [headOf(last, old), headOf(piece, state)].flatMap((head) => (head.isTemplate ? { ...head, externs: [] } : [])),
      );
    }
  }
  for (const index of edited) if (!isStillTooLong(pieceFindings[index], state, index)) pieceFindings[index] = undefined;
  const isAskedOtherwise = mayAskOtherwise && testsArchitecture(old) !== testsArchitecture(state);
  if (!isAskedOtherwise && templates.length === 0) return [...edited];
  rememberHeads(old, state);
  const changed = isAskedOtherwise ? "any" : closure(state, templates, least(edited));
  const invalidated = [...pieceFindings.keys()].filter((index) => !edited.has(index) && mayHaveLookedUp(state, index, changed));
  for (const index of invalidated) for (const { model } of readings) model.forgetFacts(index);
  if (invalidated.length + edited.size > mostAtOnce) {
    for (const index of invalidated) stale.add(index);
    return [...edited];
  }
  for (const index of invalidated) pieceFindings[index] = undefined;
  return [...edited, ...invalidated];
}

/**
 * Keeps the findings of pieces that an edit cannot have invalidated, in a new model. If an edit invalidates too many pieces for a glance,
 * their last findings are shown until the complete check.
 */
export function keepFindings(old: CheckedPieces, state: CheckedPieces): void {
  rememberHeads(old, state);
  const edited = new Set<string>();
  const seen: Head[] = [];
  let from = state.list.pieces.length;
  for (const [at, { units }] of state.readings.entries()) {
    const before = new Map(old.readings[at]?.units.pieces.map((each) => [each.piece.uri, each]));
    for (const [index, each] of units.pieces.entries()) {
      const { uri } = each.piece;
      const last = before.get(uri);
      before.delete(uri);
      if (last === each) continue;
      // A macro may change the meaning of a piece whose own text is unchanged.
      edited.add(uri);
      const heads = [headOf(each, state), ...(last === undefined ? [] : [headOf(last, old)])];
      const isSame = heads.length === 2 && heads[0]?.text === heads[1]?.text && !heads.some(({ hasHeaders }) => hasHeaders);
      if (isSame && last !== undefined && !isBodyConsulted(old.treeOf(last))) continue;
      append(seen, heads);
      from = Math.min(from, index);
    }
    for (const gone of before.values()) {
      seen.push(headOf(gone, old));
      from = Math.min(from, old.list.indices.get(gone.piece.uri) ?? 0);
    }
  }
  const changed = testsArchitecture(old) === testsArchitecture(state) ? closure(state, seen, from) : "any";
  const kept: { readonly index: number; readonly known: PieceFindings; readonly isInvalidated: boolean }[] = [];
  for (const [index, { uri }] of state.list.pieces.entries()) {
    const before = old.list.indices.get(uri);
    const known = before === undefined ? undefined : old.pieceFindings[before];
    if (before === undefined || known === undefined || (edited.has(uri) && !isStillTooLong(known, state, index))) continue;
    kept.push({ index, known, isInvalidated: old.stale.has(before) || hasLookedUp(known.lookups, changed) });
  }
  const isForGlance = kept.filter(({ isInvalidated }) => isInvalidated).length + edited.size <= mostAtOnce;
  for (const { index, known, isInvalidated } of kept) {
    if (isInvalidated && isForGlance) continue;
    state.pieceFindings[index] = known.isBlank ? known : { ...known, isOfEarlierModel: true };
    if (isInvalidated) state.stale.add(index);
  }
}

/** A piece that took too many steps is checked again once its View has become shorter than this share. */
const shorter = 0.9;

/** True if a piece took too many steps and has not become much shorter. */
function isStillTooLong(known: PieceFindings | undefined, { readings }: CheckedPieces, index: number): boolean {
  const length = readings[0]?.units.pieces[index]?.unit.view.text.length ?? 0;
  return known?.tooLong !== undefined && length >= known.tooLong * shorter;
}

/** Takes over which names heads have looked up, because a head that is not bound in this model may be what findings depend on. */
function rememberHeads(old: CheckedPieces, { list, heads }: CheckedPieces): void {
  for (const { model, units } of old.readings)
    for (const [index, { piece }] of units.pieces.entries()) {
      const lookups = model.lookupsOf(index)?.head;
      if (lookups !== undefined && list.indices.has(piece.uri)) heads.set(piece.uri, lookups);
    }
}

/** All names whose meaning may have changed with these heads, the first of which is at an index. */
function closure({ list, readings, heads, treeOf }: CheckedPieces, seen: readonly Head[], from: number): ReadonlySet<string> | "any" {
  const changed = new Set<string>();
  for (const { declares, externs } of seen) {
    if (declares === undefined) return "any";
    for (const name of [...declares, ...externs]) changed.add(name);
  }
  const all = [...new Set(readings.flatMap(({ units }) => units.pieces))];
  for (let open: ReadonlySet<string> = new Set(changed); open.size > 0; ) {
    const found = new Set<string>();
    for (const each of all) {
      const { words, declares, externs } = headOf(each, { treeOf });
      const lookups = heads.get(each.piece.uri);
      // What a piece with one name mentions under this name is itself.
      const isItself = (name: string) => declares?.every((each) => plain(each) === plain(name)) === true;
      const depends = (name: string) => !isItself(name) && (words.has(plain(name)) || lookups?.has(name) === true);
      if (![...open].some(depends)) continue;
      if (declares === undefined) return "any";
      for (const name of [...declares, ...externs]) if (!changed.has(name)) found.add(name);
    }
    for (const name of found) changed.add(name);
    open = found;
  }
  return isKnownToHeaders({ list, readings }, changed, from) ? "any" : changed;
}

/** True if a header that is read as one unit, behind an index, contains one of the names. Its declarations are not looked into. */
function isKnownToHeaders({ readings }: Pick<CheckedPieces, "list" | "readings">, names: ReadonlySet<string>, from: number): boolean {
  if (names.size === 0) return false;
  const pattern = new RegExp(`(?<![\\w$])(?:${[...names].map((name) => plain(name).replace(/[^\w]/g, "\\$&")).join("|")})(?![\\w$])`);
  return readings.some(({ units }) =>
    units.pieces
      .slice(from)
      .some(
        ({ piece, unit }) =>
          piece.kind === "include" &&
          unitsIn(unit).some((header) => header !== unit && !header.uri.startsWith("builtin:") && pattern.test(header.view.text)),
      ),
  );
}

/** The name without the mark of a tag, which texts do not have. */
function plain(name: string): string {
  return name.startsWith("tag ") ? name.slice("tag ".length) : name;
}

function hasLookedUp(lookups: ReadonlySet<string>, changed: ReadonlySet<string> | "any"): boolean {
  return changed === "any" || [...changed].some((name) => lookups.has(name));
}

/** True if the piece has looked up one of the names for its findings, or for its facts in the present models. */
function mayHaveLookedUp({ pieceFindings, readings }: CheckedPieces, index: number, changed: ReadonlySet<string> | "any"): boolean {
  const own = pieceFindings[index]?.lookups;
  if (own !== undefined && hasLookedUp(own, changed)) return true;
  return readings.some(({ model }) => {
    const lookups = model.lookupsOf(index);
    return lookups !== undefined && (hasLookedUp(lookups.head, changed) || hasLookedUp(lookups.body, changed));
  });
}

const headOf = memo((reading: ReadPiece, { treeOf }: Pick<CheckedPieces, "treeOf">): Head => {
  const { piece, unit } = reading;
  const tree = treeOf(reading);
  const { text } = unit.view;
  const [whole, ...more] = tree.items;
  const item = withoutLinkage(whole);
  const isTemplate = item?.kind === "template";
  // A friend, and an `extern` variable of a block, are declared outside of the item.
  const declaresFriend = /\bfriend\b/.test(text);
  const hidden = item === undefined || more.length > 0 || declaresFriend ? undefined : hiddenBody(item)?.span;
  const externs = mayDeclareExtern(unit) ? declarationsBehindExterns(unit).text : "";
  const head = hidden === undefined ? text.trimEnd() : `${text.slice(0, hidden.start)}{${externs}}${text.slice(hidden.end).trimEnd()}`;
  const words = wordsOf(head);
  const isPlain =
    more.length === 0 && (item === undefined || isHeadParsed(item, tree)) && unit.includes.length === 0 && unit.switches === undefined;
  const own = item === undefined ? (piece.kind === "blank" ? [] : undefined) : namesOf(item);
  const declares = !isPlain || own === undefined ? undefined : declaresFriend ? [...new Set([...own, ...words])] : own;
  const hasHeaders = unit.includes.length > 0;
  // Where in its piece a head begins does not matter to others.
  return { text: `${piece.kind} ${head.trimStart()}`, declares, externs: [...wordsOf(externs)], words, isTemplate, hasHeaders };
});

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.match(/[A-Za-z_$][\w$]*/g) ?? []);
}

/** True if any piece depends on the device's architecture. Rules test that. */
function testsArchitecture({ readings }: Pick<CheckedPieces, "readings">): boolean {
  return readings.some(({ units }) => units.pieces.some(({ unit }) => unit.testsArchitecture === true));
}
