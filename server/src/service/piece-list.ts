/**
 * Decides which headers of an open file are read by pieces, as a part of its list: those that are open too, and those through which
 * the file includes an open one. A header is read as one unit if its pieces could mean something else, because it is included twice,
 * or ends inside of an item.
 */
import type { CompileSettings, Dialect } from "../dialect.ts";
import type { ListUnits, Piece, Row } from "../preprocess/preprocessor.ts";
import { fileOf } from "../preprocess/row.ts";
import { unitsIn } from "../preprocess/units.ts";
import type { Unit } from "../preprocess/view/view.ts";
import { prelude } from "../semantics/builtins/index.ts";
import type { FileUri } from "../source.ts";
import type { Steps } from "../steps.ts";
import type { OpenRows } from "./open-rows.ts";
import type { Tools } from "./options.ts";

/** What a list is made of. */
export interface ListSource {
  readonly tools: Tools;
  readonly rows: OpenRows;
  /** The file that is compiled. */
  readonly uri: FileUri;
  readonly settings: CompileSettings;
  readonly dialects: readonly Dialect[];
}

/** A file and its open headers, cut into pieces, and read under each dialect. */
export interface PieceList {
  /** By file, the compiled one first. */
  readonly rows: ReadonlyMap<FileUri, Row>;
  /** In the order of the translation unit. */
  readonly pieces: readonly Piece[];
  /** The index of each piece, by its uri. */
  readonly indices: ReadonlyMap<string, number>;
  /** The indices of the pieces of each file, in the order of the file. */
  readonly ofFile: ReadonlyMap<FileUri, readonly number[]>;
  readonly units: readonly ListUnits[];
  /** The compiled file is one piece, because it cannot or must not be cut. */
  readonly isWhole: boolean;
}

/** What is reused of the last list. */
type LastList = Pick<PieceList, "units"> & Partial<Pick<PieceList, "pieces" | "indices" | "ofFile">>;

/** The longest text that is read by pieces; a longer one, some 60,000 lines, takes too long to cut in one step. */
export const longestText = 2_000_000;

/** Why a file has no list: there is no text. */
export type Unlisted = "absent" | "unread" | "too-large";

/** Reads the list of a file again; `old` is the last one. */
export function* readPieces(source: ListSource, old: LastList | undefined): Steps<PieceList | Unlisted> {
  const { tools, rows, uri, dialects } = source;
  const [first] = dialects;
  const row = first === undefined ? "absent" : rows.of(uri, first);
  if (first === undefined || typeof row === "string") return typeof row === "string" ? row : "absent";
  const uncut = new Set<FileUri>();
  /** Headers that are not open, and include an open one. */
  const leading = new Set([...(old?.units[0]?.rows.keys() ?? [])].filter((header) => header !== uri && !isOpenHeader(tools, header)));
  const known = new Map<FileUri, Row | undefined>();
  const rowOf = (header: FileUri): Row | undefined => {
    if (uncut.has(header) || !(leading.has(header) || isOpenHeader(tools, header))) return undefined;
    if (!known.has(header)) {
      const found = rows.of(header, first);
      known.set(header, typeof found === "string" || found.isWhole ? undefined : found);
    }
    return known.get(header);
  };
  for (;;) {
    const units = yield* readUnits(source, row, rowOf, old?.units);
    const miscut = new Set(units.flatMap((each) => [...each.uncut, ...headersUnlike(each, units[0])]));
    if (row.isWhole || miscut.has(uri)) {
      const whole = row.isWhole ? row : tools.preprocessor.wholeRow(row, first);
      return listOf(whole, yield* readUnits(source, whole, () => undefined, undefined), undefined);
    }
    for (const header of miscut) uncut.add(header);
    if (miscut.size > 0) continue;
    const { ways, isLeading } = waysToOpenHeaders(tools, units, rowOf);
    const added = ways.filter((header) => !leading.has(header) && !uncut.has(header));
    const vain = [...leading].filter((header) => !isLeading(header));
    if (added.length + vain.length === 0) return listOf(row, units, old);
    for (const header of added) leading.add(header);
    for (const header of vain) leading.delete(header);
    // A header that cannot be cut is read as one unit.
    for (const header of [...added, ...vain]) if (vain.includes(header) || rowOf(header) === undefined) uncut.add(header);
  }
}

/** True if a header is read by pieces wherever an open file includes it. */
function isOpenHeader({ options }: Tools, uri: FileUri): boolean {
  return options.isOpen?.(uri) === true && options.files.read(uri).length <= longestText;
}

function* readUnits(
  { tools, settings, dialects }: ListSource,
  row: Row,
  rowOf: (uri: FileUri) => Row | undefined,
  old: readonly ListUnits[] | undefined,
): Steps<readonly ListUnits[]> {
  const units: ListUnits[] = [];
  for (const [index, dialect] of dialects.entries()) {
    units.push(yield* tools.preprocessor.readList(row, rowOf, dialect, settings, prelude(dialect), old?.[index]));
    yield;
  }
  return units;
}

/** The headers of two dialects whose lists differ. All dialects have one list. */
function headersUnlike(one: ListUnits, other: ListUnits | undefined): readonly FileUri[] {
  if (other === undefined || one === other) return [];
  const isSame = one.pieces.length === other.pieces.length && one.pieces.every(({ piece }, at) => piece === other.pieces[at]?.piece);
  return isSame ? [] : [...one.rows.keys(), ...other.rows.keys()].filter((uri, _, [root]) => uri !== root);
}

/** The headers through which a list reaches an open header: those that are read as one unit, and those that are read by pieces. */
function waysToOpenHeaders(
  tools: Tools,
  [units]: readonly ListUnits[],
  rowOf: (uri: FileUri) => Row | undefined,
): { readonly ways: readonly FileUri[]; isLeading(uri: FileUri): boolean } {
  const isTarget = (uri: FileUri): boolean => isOpenHeader(tools, uri) && rowOf(uri) !== undefined;
  const ways = new Set<FileUri>();
  const leading = new Set<FileUri>();
  const leads = (unit: Unit): boolean => unitsIn(unit).some(({ uri }) => isTarget(fileOf(uri)));
  const follow = (unit: Unit): void => {
    const uri = fileOf(unit.uri);
    if (ways.has(uri) || !leads(unit)) return;
    if (!isTarget(uri)) ways.add(uri);
    for (const { unit: header } of unit.includes) if (header !== undefined) follow(header);
  };
  const parents = new Map<FileUri, FileUri>();
  const mark = (uri: FileUri | undefined): void => {
    for (let each = uri; each !== undefined && !leading.has(each); each = parents.get(each)) leading.add(each);
  };
  for (const { unit, piece, enters } of units?.pieces ?? []) {
    if (piece.kind !== "include") continue;
    const file = fileOf(piece.uri);
    const before = ways.size;
    for (const { unit: header } of unit.includes) if (header !== undefined) follow(header);
    if (enters?.isRead === true) parents.set(enters.uri, file);
    if (ways.size > before || (enters?.isRead === true && isOpenHeader(tools, enters.uri))) mark(file);
  }
  return { ways: [...ways], isLeading: (uri) => leading.has(uri) };
}

function listOf(row: Row, units: readonly ListUnits[], old: LastList | undefined): PieceList {
  const pieces = (units[0]?.pieces ?? []).map(({ piece }) => piece);
  const { pieces: before, indices: known, ofFile: kept } = old ?? {};
  const isSame = before?.length === pieces.length && pieces.every(({ uri }, at) => uri === before[at]?.uri);
  const indices = isSame && known !== undefined ? known : new Map(pieces.map(({ uri }, at) => [uri, at]));
  const indicesOf = ({ pieces: own }: Row) => own.map(({ uri }) => indices.get(uri) ?? -1);
  const ofFile = isSame && kept !== undefined ? kept : new Map([...(units[0]?.rows ?? [])].map(([uri, each]) => [uri, indicesOf(each)]));
  return { rows: units[0]?.rows ?? new Map(), pieces, indices, ofFile, units, isWhole: row.isWhole };
}
