/**
 * Registers the pieces of a file in their order: which names each declares, with the state of the file at its place. A piece that only
 * declares names is a few numbers until one of its names is looked up; any other is bound at once. `semantic-model.ts` walks the bodies.
 */
import { isSpent } from "../../budget.ts";
import type { Dialect } from "../../dialect.ts";
import { memo } from "../../memo.ts";
import { fileOf } from "../../preprocess/row.ts";
import type { Unit } from "../../preprocess/view/view.ts";
import type { FileUri } from "../../source.ts";
import { encloses } from "../../spans.ts";
import type { Steps } from "../../steps.ts";
import type { Item, SyntaxTree } from "../../syntax/ast.ts";
import { bindItem } from "../declarations/binder.ts";
import { mattersWithoutLookup, namesOf } from "../declarations/on-demand.ts";
import { type Context, type DeferredBody, emptySink, type FactSink, newCounts, newInstantiations, type Program } from "../facts/context.ts";
import type { RecordedWalks } from "../facts/recorded-walks.ts";
import { passTime, recordLookups } from "../symbols/clock.ts";
import { namedRun } from "../symbols/lazy-declarations.ts";
import { bindLater, bindRunLater, type Scope } from "../symbols/scope.ts";
import { bindHeader, includeCursorOf } from "./headers.ts";
import { functionOf, mayDeclareExtern } from "./replaced-bodies.ts";
import type { PieceFacts } from "./semantic-model.ts";

/** A piece of the file, as read under one dialect. */
export interface ModelPiece {
  readonly unit: Unit;
  /** It opens or closes a namespace or an `extern "C"` block, as far as the dialect can see. */
  readonly scope: "opens" | "closes" | undefined;
}

/** The inputs of a semantic model. */
export interface ModelInput {
  readonly dialect: Dialect;
  /** Declarations of the language that precede the file. */
  readonly prelude: Unit | undefined;
  readonly pieces: readonly ModelPiece[];
  /** The complete tree of a piece. */
  syntaxOf(piece: ModelPiece): SyntaxTree;
  /** The declarations of a header. */
  declarationsOf(unit: Unit): SyntaxTree;
  /** Parses a text with declarations of the language. */
  parseText(text: string): SyntaxTree;
}

/** A piece in a model. */
export interface Entry {
  readonly index: number;
  readonly piece: ModelPiece;
  tree: SyntaxTree;
  readonly context: Context;
  readonly head: FactSink;
  readonly bodies: DeferredBody[];
  /** The names that binding it, and walking its bodies, has looked up. */
  readonly lookups: { readonly head: Set<string>; readonly body: Set<string> };
  /** The time of its names. */
  time: number;
  isBound: boolean;
  /** Its text contains the word `extern`. */
  mayDeclareExtern: boolean;
  facts: PieceFacts | undefined;
  /** What walking the statements of a long body has recorded. */
  walks: RecordedWalks | undefined;
  /** The facts of its own text only. */
  own: OwnWalk | undefined;
}

/** The walk of a piece's own text. */
export interface OwnWalk {
  readonly facts: FactSink;
  readonly counts: Program["counts"];
  readonly program: Program;
  /** What the text has requested; undefined if the walk has not ended. */
  requests:
    | {
        readonly bodies: Program["instantiations"]["bodies"];
        readonly classes: Program["instantiations"]["classes"];
        readonly facts: FactSink["instantiations"];
      }
    | undefined;
  /** The steps that the next use of the facts must take, as another walk would. */
  owed: number;
  /** The steps that the walk has taken so far. */
  spent: number;
  /** What is left of the walk; undefined when it has ended. */
  rest: Steps<void> | undefined;
  /** A step of the walk is running. */
  isWalking: boolean;
}

/** The entries of a model, made when they are needed. */
export interface Entries {
  at(index: number): Entry | undefined;
  of(unit: Unit): Entry | undefined;
  /** The entry of a piece whose text may declare an `extern` variable; undefined for any other. */
  withExtern(index: number): Entry | undefined;
  /** The names that a piece only declares; undefined if it may do more than that. */
  namesAt(index: number): readonly string[] | undefined;
  /** The names that a piece has looked up; undefined if it has not been bound. */
  lookupsAt(index: number): Entry["lookups"] | undefined;
  /** True if the declarations of a piece matter even if nothing looks them up. */
  matters(index: number): boolean;
}

/** A run of pieces that only declare names, all in one scope. */
interface PieceRun {
  readonly from: number;
  readonly scope: Scope;
  readonly names: (readonly string[])[];
}

/** What a piece in a run needs to become an entry. */
interface Place {
  readonly scope: Scope;
  readonly time: number;
  readonly state: Program["state"];
  readonly reading: Program["reading"];
  readonly enabledExtensions: readonly string[];
}

/** Registers all pieces, and binds the headers that they include. */
export function* enterAll(base: Context, input: ModelInput, bound: Set<Unit>): Steps<Entries> {
  const { program, scope } = base;
  const { clock } = scope;
  const known: (Entry | undefined)[] = [];
  const places: (Place | undefined)[] = [];
  let scopes: Scope[] = [];
  /** The scopes that were open where each file of which pieces are yet to come was included, the innermost last. */
  const files: { readonly uri: FileUri; readonly outer: Scope[] }[] = [];
  let indices: Map<Unit, number> | undefined;
  /** Answers about the heads of pieces, which stay the same in a model. */
  const names: (readonly string[] | undefined)[] = [];
  const matter: boolean[] = [];
  const at = (index: number): Entry | undefined => {
    const piece = input.pieces[index];
    const place = places[index];
    if (known[index] !== undefined || piece === undefined || place === undefined) return known[index];
    const entry = newEntry(index, base, piece, place.scope, input.syntaxOf(piece));
    Object.assign(entry.context.program, { state: { ...place.state }, reading: { ...place.reading } });
    Object.assign(entry.head, { enabledExtensions: [...place.enabledExtensions] });
    entry.time = place.time;
    known[index] = entry;
    return entry;
  };
  let run: PieceRun | undefined;
  const endRun = (): void => {
    if (run === undefined) return;
    const { from, scope: around, names } = run;
    run = undefined;
    const state = { ...program.state };
    const reading = { ...program.reading };
    const enabledExtensions = [...program.facts.enabledExtensions];
    for (let offset = 0; offset < names.length; offset += 1)
      places[from + offset] = { scope: around, time: clock.now + offset, state, reading, enabledExtensions };
    const named = namedRun(
      clock.list.numbering,
      names.map((here) => ({ here, ofMembers: [] })),
    );
    bindRunLater(around, named, 0, names.length, (offset) => {
      const entry = at(from + offset);
      if (entry !== undefined) bindHead(entry);
    });
  };
  for (const [index, piece] of input.pieces.entries()) {
    if (index % 64 === 63) yield;
    const uri = fileOf(piece.unit.uri);
    if (files[files.length - 1]?.uri !== uri) {
      // A header that is torn leaves nothing open in the file that includes it.
      const includer = files.findIndex((each) => each.uri === uri);
      if (includer < 0) files.push({ uri, outer: [...scopes] });
      else scopes = files.splice(includer + 1)[0]?.outer ?? scopes;
    }
    const around = scopes[scopes.length - 1] ?? scope;
    const tree = input.syntaxOf(piece);
    const isPlain = piece.scope === undefined && piece.unit.includes.length === 0 && piece.unit.switches === undefined;
    const only = isPlain && tree.endsAt === undefined && !isSpent() ? lookupNames(piece, tree) : undefined;
    if (only !== undefined) {
      if (run !== undefined && run.scope !== around) endRun();
      run ??= { from: index, scope: around, names: [] };
      run.names.push(only);
      continue;
    }
    endRun();
    const entry = newEntry(index, base, piece, around, tree);
    known[index] = entry;
    if (piece.scope === "closes") scopes.pop();
    else yield* enter(base, entry, input, bound);
    if (piece.scope === "opens") scopes.push(scopeOpenedBy(entry) ?? around);
    // The rest of the file is unknown from here on.
    if (isSpent() || entry.tree.endsAt !== undefined) program.reading.isPartial = true;
  }
  endRun();
  return {
    at,
    of: (unit) => {
      indices ??= new Map(input.pieces.map((piece, index) => [piece.unit, index]));
      const index = indices.get(unit);
      return index === undefined ? undefined : at(index);
    },
    withExtern: (index) => {
      const unit = input.pieces[index]?.unit;
      return unit !== undefined && mayDeclareExtern(unit) ? at(index) : undefined;
    },
    namesAt: (index) => {
      const piece = input.pieces[index];
      if (piece === undefined) return [];
      if (!(index in names)) {
        const tree = input.syntaxOf(piece);
        names[index] = tree.items.length === 0 ? [] : lookupNames(piece, tree);
      }
      return names[index];
    },
    lookupsAt: (index) => (known[index]?.isBound === true ? known[index].lookups : undefined),
    matters: (index) => {
      const piece = input.pieces[index];
      if (piece === undefined) return false;
      const context = { ...base, unit: piece.unit };
      matter[index] ??= input.syntaxOf(piece).items.some((item) => mattersWithoutLookup(context, item));
      return matter[index] === true;
    },
  };
}

function newEntry(index: number, base: Context, piece: ModelPiece, scope: Scope, tree: SyntaxTree): Entry {
  const head = emptySink();
  const bodies: DeferredBody[] = [];
  const program: Program = {
    ...base.program,
    facts: head,
    counts: newCounts(),
    instantiations: newInstantiations(),
    // Several items in one piece are read in order.
    bodies: tree.items.length === 1 ? bodies : undefined,
  };
  const context: Context = { ...base, program, unit: piece.unit, scope, isEmitting: true };
  const lookups = { head: new Set<string>(), body: new Set<string>() };
  const kept = { lookups, facts: undefined, walks: undefined, own: undefined };
  return { index, piece, tree, context, head, bodies, time: 0, isBound: false, mayDeclareExtern: mayDeclareExtern(piece.unit), ...kept };
}

/**
 * Reads the headers that a piece includes, and registers its head to be bound on demand, or binds it if it may do more than
 * declare names.
 */
function* enter(base: Context, entry: Entry, input: ModelInput, bound: Set<Unit>): Steps<void> {
  const { context, tree, piece } = entry;
  const { clock } = context.scope;
  const outer: Context = { ...base, unit: piece.unit, scope: context.scope };
  const cursor = includeCursorOf(outer, bound, (header) => bindHeader(outer, header, input.declarationsOf, bound));
  const first = tree.items[0];
  const names = lookupNames(piece, tree);
  if (first !== undefined && names !== undefined) {
    yield* cursor.upTo(first.span);
    takeState(base.program, entry);
    entry.time = bindLater(context.scope, names, () => {
      bindHead(entry);
    });
  } else {
    entry.isBound = true;
    for (const item of tree.items) {
      yield* cursor.upTo(item.span);
      takeState(base.program, entry);
      recordLookups(clock, entry.lookups.head, () => bindItem(context, item, "primary"));
      if (context.program.reading.isPartial) base.program.reading.isPartial = true;
    }
    entry.time = passTime(clock);
  }
  yield* cursor.toEnd();
}

/** Keeps the state at this point of the file for the piece. */
function takeState({ state, reading, facts }: Program, { context, head }: Entry): void {
  Object.assign(context.program, { state: { ...state }, reading: { ...reading } });
  Object.assign(head, { enabledExtensions: [...facts.enabledExtensions] });
}

/** The names whose look-up binds a piece's only item; undefined if it may do more than declare them, or contains headers. */
function lookupNames(piece: ModelPiece, tree: SyntaxTree): readonly string[] | undefined {
  const [item] = tree.items;
  const { includes, switches = [] } = piece.unit;
  if (item === undefined) return undefined;
  if (includes.some(({ at }) => at > item.span.start) || switches.some(({ at }) => at > item.span.start)) return undefined;
  return namesOfOnlyItem(tree, piece);
}

/** By tree, because each new model asks for the names of all pieces. */
const namesOfOnlyItem = memo((tree: SyntaxTree, { unit: { view } }: ModelPiece): readonly string[] | undefined => {
  const [item, ...more] = tree.items;
  if (item === undefined || more.length > 0 || !isHeadParsed(item, tree) || item.kind === "unknown") return undefined;
  return /\bfriend\b/.test(view.text) ? undefined : namesOf(item);
});

/** True if all unreadable text is inside of the item's body, where it cannot affect others. */
export function isHeadParsed(item: Item, { errors }: SyntaxTree): boolean {
  const body = functionOf(item)?.body?.span;
  return errors.every((error) => body !== undefined && encloses(body, error));
}

/** Binds the items of a piece, once. */
export function bindHead(entry: Entry): void {
  if (entry.isBound) return;
  entry.isBound = true;
  const { context, tree, lookups } = entry;
  for (const item of tree.items) recordLookups(context.scope.clock, lookups.head, () => bindItem(context, item, "primary"));
}

function scopeOpenedBy({ tree, context }: Entry): Scope | undefined {
  const item = tree.items[tree.items.length - 1];
  if (item?.kind !== "namespace") return context.scope;
  let { scope } = context;
  for (const name of item.names.length === 0 ? [""] : item.names) scope = scope.inner.get(name) ?? scope;
  return scope;
}
