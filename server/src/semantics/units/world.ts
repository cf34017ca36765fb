/**
 * The names of one file under one dialect, and the facts of its pieces. Other pieces can see the head of a piece, but not its
 * bodies. A head is bound when one of its names is first looked up, and a body when the facts of its piece are needed; both see the
 * names visible at their place. A world never changes the meaning of a name. An edited head needs a new world, while an edited body
 * is walked again in the old one.
 */
import { isSpent } from "../../budget.ts";
import type { Dialect } from "../../dialect.ts";
import { append } from "../../lists.ts";
import { longPiece } from "../../preprocess/row.ts";
import { createView } from "../../preprocess/view/origin.ts";
import { oneSegment } from "../../preprocess/view/segments.ts";
import type { Unit, View } from "../../preprocess/view/view.ts";
import { encloses } from "../../spans.ts";
import type { Steps } from "../../steps.ts";
import type { FunctionItem, Item, SyntaxTree } from "../../syntax/ast.ts";
import { bindItem } from "../declarations/binder.ts";
import { walkFunctionBody } from "../declarations/function-bodies.ts";
import { namesOf } from "../declarations/on-demand.ts";
import { leaveExterns } from "../declarations/variable-lookup.ts";
import { evaluator } from "../expressions/evaluator.ts";
import { type Context, type DeferredBody, emptySink, type FactSink, outermost, type Program } from "../facts/context.ts";
import type { Facts } from "../facts/facts.ts";
import { nextWalks, type RecordedWalks } from "../facts/recorded-walks.ts";
import { createScope, inPast, passTime, type Scope, wait } from "../symbols/scope.ts";
import { walkInstantiatedBodies } from "../templates/instantiated-bodies.ts";
import type { FunctionSymbol } from "../types/symbols.ts";
import { withoutConsequences } from "./consequences.ts";
import { bindHeader, frontOf } from "./headers.ts";
import { isSameHead, mayDeclareExtern, replaceContent, sharesExterns } from "./replaced-bodies.ts";
import { reservedNames } from "./reserved-names.ts";

/** A piece of the file, as read under one dialect. */
export interface WorldPiece {
  readonly unit: Unit;
  /** It opens or closes a namespace or an `extern "C"` block, as far as the dialect can see. */
  readonly scope: "opens" | "closes" | undefined;
}

/** The inputs of a world. */
export interface WorldInput {
  readonly dialect: Dialect;
  /** Declarations of the language that precede the file. */
  readonly prelude: Unit | undefined;
  readonly pieces: readonly WorldPiece[];
  /** It is unknown how the file is built, and the build may add a header before it that enables `cl_khr_fp16`. */
  readonly mayEnableHalf: boolean;
  /** The complete tree of a piece. */
  syntaxOf(piece: WorldPiece): SyntaxTree;
  /** The declarations of a header. */
  declarationsOf(unit: Unit): SyntaxTree;
  /** Parses a text with declarations of the language. */
  parseText(text: string): SyntaxTree;
}

/** The facts of a piece. */
export interface PieceFacts {
  /** Facts of its own text. */
  readonly own: Facts;
  /** Facts of the bodies of templates that it instantiates, wherever those are. */
  readonly instances: Facts;
  /** `instances` is not empty. */
  readonly hasInstances: boolean;
  readonly expressions: number;
  readonly unknownExpressions: number;
}

/** The names that are visible to a file's bodies. */
export interface World {
  /** The facts of a piece, in steps; computed on first use. */
  factsOf(index: number): Steps<PieceFacts>;
  /** Facts of declarations in headers, as far as they were needed. */
  readonly shared: Facts;
  /**
   * Replaces a piece's text if only the body of its single function has changed, so that everything visible to other pieces stays.
   * False if more has changed. The piece keeps its unit object, with the new text in it.
   */
  replaceBody(index: number, unit: Unit, tree: SyntaxTree): boolean;
  /** The body of a template has changed: the facts of the piece's instantiations must be computed again. */
  forgetFacts(index: number): void;
}

interface Entry {
  readonly index: number;
  readonly piece: WorldPiece;
  tree: SyntaxTree;
  readonly context: Context;
  readonly head: FactSink;
  readonly bodies: DeferredBody[];
  /** The time of its names. */
  time: number;
  isBound: boolean;
  /** Its text contains the word `extern`. */
  mayDeclareExtern: boolean;
  facts: PieceFacts | undefined;
  /** What walking the statements of a long body has recorded. */
  walks: RecordedWalks | undefined;
  /** The facts of its own text only. */
  own: { readonly facts: FactSink; readonly counts: Program["counts"]; readonly program: Program } | undefined;
}

/** Creates the world of a file: binds its headers, and records which piece declares which name. */
export function* createWorld(input: WorldInput): Steps<World> {
  const { dialect } = input;
  const shared = emptySink();
  const scope = createScope("program", undefined);
  const program: Program = {
    dialect,
    facts: shared,
    program: scope,
    evaluator,
    parseBuiltin: (text) => ({ items: input.parseText(text).items, unit: builtinUnit(text) }),
    builtins: new Map(),
    state: { isHalfEnabled: input.mayEnableHalf, isHalfSwitchedOff: false },
    counts: { expressions: 0, unknown: 0 },
    reading: { isPartial: false, endedAt: undefined },
    instantiations: { depth: 0, count: 0, bodies: [], classes: [] },
  };
  const unit = input.prelude ?? builtinUnit("");
  const base: Context = { program, dialect, unit, scope, isEmitting: false, isBuiltin: false, ...outermost };
  const bound = new Set<Unit>();
  if (input.prelude !== undefined) yield* bindHeader(base, input.prelude, input.declarationsOf, bound);
  const entries: Entry[] = [];
  const byUnit = new Map<Unit, Entry>();
  const scopes: Scope[] = [];
  for (const piece of input.pieces) {
    const around = scopes[scopes.length - 1] ?? scope;
    const entry = newEntry(entries.length, base, piece, around, input.syntaxOf(piece));
    entries.push(entry);
    byUnit.set(piece.unit, entry);
    if (piece.scope === "closes") scopes.pop();
    else yield* enter(base, entry, input, bound);
    if (piece.scope === "opens") scopes.push(scopeOpenedBy(entry) ?? around);
    // The rest of the file is unknown from here on.
    if (isSpent() || entry.tree.endsAt !== undefined) program.reading.isPartial = true;
    if (entries.length % 64 === 0) yield;
  }
  const clock = scope.clock;
  const bind = (entry: Entry): void => {
    if (!entry.isBound) inPast(clock, entry.time, () => bindHead(entry));
  };
  let externsWalked = 0;
  /** An `extern` variable of a block refers to the last declaration before it, so bodies with such variables are walked in order. */
  const walkExternsBefore = (index: number): void => {
    for (; externsWalked < index; externsWalked += 1) {
      const earlier = entries[externsWalked];
      if (earlier?.mayDeclareExtern === true) ownFactsOf(earlier);
    }
  };
  const ownFactsOf = (entry: Entry): NonNullable<Entry["own"]> => {
    if (entry.own !== undefined) return entry.own;
    bind(entry);
    if (entry.mayDeclareExtern) walkExternsBefore(entry.index);
    const facts = emptySink();
    const counts = { ...entry.context.program.counts };
    if (entry.piece.unit.view.text.length >= longPiece) entry.walks = nextWalks(entry.walks);
    const { walks } = entry;
    const walker: Program = { ...entry.context.program, facts, counts, walks, bodies: undefined, instantiations: newInstantiations() };
    append(facts.instantiations, entry.head.instantiations);
    append(facts.enabledExtensions, entry.head.enabledExtensions);
    append(walker.instantiations.bodies, entry.context.program.instantiations.bodies);
    append(walker.instantiations.classes, entry.context.program.instantiations.classes);
    entry.own = { facts, counts, program: walker };
    inPast(clock, entry.time, () => {
      for (const { context, declaration, item } of entry.bodies) walkFunctionBody({ ...context, program: walker }, declaration, item);
    });
    return entry.own;
  };
  /** The facts so far of a body that is being walked. */
  const factsOfTemplate = ({ declarations }: FunctionSymbol): readonly FactSink[] =>
    declarations.flatMap(({ place }) => {
      const entry = byUnit.get(place.unit);
      return entry === undefined ? [] : [entry.head, ownFactsOf(entry).facts];
    });
  const factsOf = function* (entry: Entry): Steps<PieceFacts> {
    if (entry.facts !== undefined) return entry.facts;
    const walked = ownFactsOf(entry);
    const { facts, counts, program: walker } = walked;
    const instances = emptySink();
    if (hasInstances(walker)) {
      const { clock: timed } = scope;
      const steps = walkInstantiatedBodies(walker, instances, factsOfTemplate);
      let step: IteratorResult<undefined, void> | undefined;
      while (step?.done !== true) {
        inPast(timed, entry.time, () => {
          step = steps.next();
        });
        yield;
      }
    }
    const { enabledExtensions } = shared;
    const own: Facts = { ...joined([{ ...entry.head, instantiations: [] }, facts, textFacts(entry, dialect)]), enabledExtensions };
    const made: PieceFacts = {
      own: dialect.language === "opencl" ? { ...own, ...withoutConsequences(own, dialect) } : own,
      instances,
      hasInstances: hasInstances(walker),
      expressions: counts.expressions,
      unknownExpressions: counts.unknown,
    };
    // An edit between two steps may have replaced the body.
    if (entry.own === walked) entry.facts = made;
    return made;
  };
  return {
    shared,
    factsOf: function* (index) {
      const entry = entries[index];
      return entry === undefined ? nothing : yield* factsOf(entry);
    },
    forgetFacts: (index) => {
      const entry = entries[index];
      if (entry === undefined) return;
      leaveExterns(entry.context.scope, entry.piece.unit);
      Object.assign(entry, { own: undefined, facts: undefined });
    },
    replaceBody: (index, unit, tree) => {
      const entry = entries[index];
      if (entry !== undefined) bind(entry);
      const body = entry === undefined ? undefined : onlyBody(entry);
      const item = tree.items.length === 1 ? functionOf(tree.items[0]) : undefined;
      const old = entry?.piece.unit;
      if (entry === undefined || body === undefined || item?.body === undefined || old === undefined) return false;
      if (
        sharesExterns(entry.context.scope, old, unit) ||
        !isSameHead(old, body.item, unit, item) ||
        entry.tree.unknownWords.length > 0 !== tree.unknownWords.length > 0
      )
        return false;
      replaceContent(old, unit);
      Object.assign(body.declaration, { body: item.body, place: { unit: old, span: item.span } });
      entry.bodies[0] = { ...body, item };
      Object.assign(entry, { tree, own: undefined, facts: undefined, mayDeclareExtern: mayDeclareExtern(unit) });
      return true;
    },
  };
}

const newInstantiations = (): Program["instantiations"] => ({ depth: 0, count: 0, bodies: [], classes: [] });

function hasInstances({ instantiations: { bodies, classes } }: Program): boolean {
  return bodies.length > 0 || classes.length > 0;
}

function newEntry(index: number, base: Context, piece: WorldPiece, scope: Scope, tree: SyntaxTree): Entry {
  const head = emptySink();
  const bodies: DeferredBody[] = [];
  const program: Program = {
    ...base.program,
    facts: head,
    counts: { expressions: 0, unknown: 0 },
    instantiations: newInstantiations(),
    // Several items in one piece are read in order.
    bodies: tree.items.length === 1 ? bodies : undefined,
  };
  const context: Context = { ...base, program, unit: piece.unit, scope, isEmitting: true };
  const kept = { facts: undefined, walks: undefined, own: undefined };
  return { index, piece, tree, context, head, bodies, time: 0, isBound: false, mayDeclareExtern: mayDeclareExtern(piece.unit), ...kept };
}

/**
 * Reads the headers that a piece includes, and registers its head to be bound on demand, or binds it if it may do more than
 * declare names.
 */
function* enter(base: Context, entry: Entry, input: WorldInput, bound: Set<Unit>): Steps<void> {
  const { context, tree, piece } = entry;
  const { clock } = context.scope;
  const outer: Context = { ...base, unit: piece.unit, scope: context.scope };
  const front = frontOf(outer, bound, (header) => bindHeader(outer, header, input.declarationsOf, bound));
  const first = tree.items[0];
  const names = first === undefined ? undefined : waitingNames(entry, first);
  if (first !== undefined && names !== undefined) {
    yield* front.upTo(first.span);
    takeState(base.program, entry);
    entry.time = wait(context.scope, names, () => {
      if (!entry.isBound) bindHead(entry);
    });
  } else {
    entry.isBound = true;
    for (const item of tree.items) {
      yield* front.upTo(item.span);
      takeState(base.program, entry);
      bindItem(context, item, "primary");
      if (context.program.reading.isPartial) base.program.reading.isPartial = true;
    }
    entry.time = passTime(clock);
  }
  yield* front.toEnd();
}

/** Keeps the state at this point of the file for the piece. */
function takeState({ state, reading, facts }: Program, { context, head }: Entry): void {
  Object.assign(context.program, { state: { ...state }, reading: { ...reading } });
  Object.assign(head, { enabledExtensions: [...facts.enabledExtensions] });
}

/** The names under which a piece's only item waits; undefined if it may do more than declare them, or contains headers. */
function waitingNames({ tree, piece }: Entry, item: Item): readonly string[] | undefined {
  const { view, includes, switches = [] } = piece.unit;
  if (tree.items.length > 1 || !isHeadParsed(item, tree) || item.kind === "unknown") return undefined;
  if (includes.some(({ at }) => at > item.span.start) || switches.some(({ at }) => at > item.span.start)) return undefined;
  return /\bfriend\b/.test(view.text) ? undefined : namesOf(item);
}

/** True if all unreadable text is inside of the item's body, where it cannot affect others. */
export function isHeadParsed(item: Item, { errors }: SyntaxTree): boolean {
  const body = functionOf(item)?.body?.span;
  return errors.every((error) => body !== undefined && encloses(body, error));
}

function bindHead(entry: Entry): void {
  entry.isBound = true;
  for (const item of entry.tree.items) bindItem(entry.context, item, "primary");
}

function scopeOpenedBy({ tree, context }: Entry): Scope | undefined {
  const item = tree.items[tree.items.length - 1];
  if (item?.kind !== "namespace") return context.scope;
  let { scope } = context;
  for (const name of item.names.length === 0 ? [""] : item.names) scope = scope.inner.get(name) ?? scope;
  return scope;
}

/** Facts of the text itself: unreadable parts, and reserved words in place of names. */
function textFacts({ tree, piece: { unit } }: Entry, dialect: Dialect): Partial<FactSink> {
  const unread = [...tree.errors, ...tree.unknownWords].map((span) => ({ unit, span }));
  return dialect.language === "opencl" ? { unread, spaces: [...reservedNames(unit, dialect.cplusplus)] } : { unread };
}

/** The body of a piece that consists of one function, which nothing outside of it can see. */
function onlyBody({ tree, bodies }: Entry): DeferredBody | undefined {
  const item = tree.items.length === 1 ? functionOf(tree.items[0]) : undefined;
  const [body] = bodies;
  return item !== undefined && bodies.length === 1 && body?.item === item ? body : undefined;
}

const valueWords = new Set(["constexpr", "consteval"]);

/** The function that an item declares, directly or in a template. Undefined if its body affects the meaning of its declaration. */
function functionOf(item: Item | undefined): FunctionItem | undefined {
  if (item?.kind === "template") return item.item.kind === "template" ? undefined : functionOf(item.item);
  if (item?.kind !== "function" || item.specifiers.type === undefined) return undefined;
  return item.specifiers.words.some(({ text }) => valueWords.has(text)) ? undefined : item;
}

/** True if other items only depend on the part of the item before its body. */
export function hidesBody(item: Item): item is FunctionItem {
  return item.kind === "function" && functionOf(item) !== undefined;
}

/** Concatenates the facts of several sinks. */
export function joined(parts: readonly Partial<Facts>[]): Facts {
  const result = emptySink();
  for (const kind of Object.keys(result) as (keyof FactSink)[]) append<unknown>(result[kind], joinedList(parts, kind));
  return result;
}

/** Concatenates the facts of one kind. */
export function joinedList(parts: readonly Partial<Facts>[], kind: keyof Facts): readonly unknown[] {
  const list: unknown[] = [];
  for (const part of parts) append<unknown>(list, part[kind] ?? []);
  return list;
}

const nothing: PieceFacts = { own: emptySink(), instances: emptySink(), hasInstances: false, expressions: 0, unknownExpressions: 0 };

/** A unit for a text with declarations of the language. */
export function builtinUnit(text: string): Unit {
  const uri = "builtin:functions";
  const none = new Int32Array(0);
  const parts = { uri, text, segments: oneSegment(uri, text.length), blanks: none, comments: none, splices: [] };
  const view: View = {
    ...createView(parts),
    origin: ({ start, end }) => ({ location: { uri, span: { start, end } }, exact: false }),
    offsetOf: () => undefined,
  };
  return { uri, view, includes: [], notes: [] };
}
