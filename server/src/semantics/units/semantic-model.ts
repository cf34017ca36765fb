/**
 * The name environment of a file under one dialect, and the facts of its pieces. Other pieces can see the head of a piece, but not its
 * bodies. A head is bound when one of its names is first looked up (`entries.ts`), and a body when the facts of its piece are needed;
 * both see the names visible at their place. A model is immutable: names keep their meaning. An edited head needs a new model, while an
 * edited body is walked again in the old one.
 */
import { isSpent, spend, stepsLeft } from "../../budget.ts";
import type { Dialect } from "../../dialect.ts";
import { append } from "../../lists.ts";
import { longPiece } from "../../preprocess/row.ts";
import type { Unit } from "../../preprocess/view/view.ts";
import { inOneGo, type Steps } from "../../steps.ts";
import type { SyntaxTree } from "../../syntax/ast.ts";
import { walkFunctionBodyInSteps } from "../declarations/function-bodies.ts";
import { leaveExterns } from "../declarations/variable-lookup.ts";
import { type Context, type DeferredBody, emptySink, type FactSink, newInstantiations, outermost, type Program } from "../facts/context.ts";
import type { Facts } from "../facts/facts.ts";
import { nextWalks } from "../facts/recorded-walks.ts";
import { inPast, recordLookups } from "../symbols/clock.ts";
import { walkInstantiatedBodies } from "../templates/instantiated-bodies.ts";
import { markIgnoredLambdas } from "../templates/lambda-uses.ts";
import type { FunctionDeclaration } from "../types/symbols.ts";
import { builtinUnit } from "./builtin-unit.ts";
import { withoutConsequences } from "./consequences.ts";
import { bindHead, type Entries, type Entry, enterAll, type ModelInput, type OwnWalk } from "./entries.ts";
import { bindHeader } from "./headers.ts";
import { newProgram } from "./new-program.ts";
import {
  changesSharedExterns,
  functionOf,
  hasUnknownHead,
  isSameHead,
  mayDeclareExtern,
  replaceContent,
  replaceMemberBody,
} from "./replaced-bodies.ts";
import { reservedNames } from "./reserved-names.ts";

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

/** Facts of the declarations in a piece of another file. */
interface DeclaredFacts extends Pick<Facts, "functions" | "constants"> {
  /** They matter to every file. */
  readonly isForAll: boolean;
}

/** The names that are visible to a file's bodies. */
export interface SemanticModel {
  /** The facts of a piece, in steps; computed on first use. */
  factsOf(index: number): Steps<PieceFacts>;
  /** Facts of declarations in headers, as far as they were needed. */
  readonly shared: Facts;
  /**
   * Such facts of the pieces outside of a file, which consists of the pieces `own`: of declarations that it needs, that have one of its
   * names, or that matter to every file. By the index of the piece.
   */
  declaredFor(own: ReadonlySet<number>): ReadonlyMap<number, DeclaredFacts>;
  /**
   * Replaces a piece's text if only the body of a function in it has changed, so that everything visible to other pieces stays.
   * False if more has changed. The piece keeps its unit object, with the new text in it.
   */
  replaceBody(index: number, unit: Unit, tree: SyntaxTree): boolean;
  /** The body of a template has changed: the facts of the piece's instantiations must be computed again. */
  forgetFacts(index: number): void;
  /** The names that a piece has looked up so far; undefined if nothing has been bound in it. */
  lookupsOf(index: number): Entry["lookups"] | undefined;
}

/** Creates the semantic model of a file: binds its headers, and records which piece declares which name. */
export function* createSemanticModel(input: ModelInput): Steps<SemanticModel> {
  const { dialect } = input;
  const program = newProgram(input);
  const { facts: shared, program: scope } = program;
  const unit = input.prelude ?? builtinUnit("");
  const base: Context = { program, dialect, unit, scope, isEmitting: false, isBuiltin: false, ...outermost };
  const bound = new Set<Unit>();
  if (input.prelude !== undefined) yield* bindHeader(base, input.prelude, input.declarationsOf, bound);
  const entries = yield* enterAll(base, input, bound);
  const clock = scope.clock;
  const bind = (entry: Entry): void => {
    if (!entry.isBound) inPast(clock, entry.time, () => bindHead(entry));
  };
  let externsWalked = 0;
  /** An `extern` variable of a block refers to the last declaration before it, so bodies with such variables are walked in order. */
  const walkExternsBefore = (index: number): void => {
    for (; externsWalked < index; externsWalked += 1) {
      const earlier = entries.withExtern(externsWalked);
      if (earlier !== undefined) ownFactsOf(earlier);
    }
  };
  /** The walk of a piece's own text, begun if it is not known. Whoever needs its facts completes it. */
  const ownWalkOf = (entry: Entry): OwnWalk => {
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
    const rest = walkBodies(entry.bodies, walker);
    const own: OwnWalk = { facts, counts, program: walker, owed: 0, spent: 0, requests: undefined, rest, isWalking: false };
    entry.own = own;
    // The names that other statements of a long body have looked up stay with it, because not all of them are walked again.
    if (walks === undefined) entry.lookups.body.clear();
    return own;
  };
  /** Takes one step of a walk with the names that are visible at the place of a piece; true if the walk has ended. */
  const takeStep = (entry: Entry, walk: Steps<void>): boolean =>
    recordLookups(clock, entry.lookups.body, () => inPast(clock, entry.time, () => walk.next().done === true));
  /** Takes one step of the walk of a piece's own text; false if it has ended, or if it is the one that needs its own facts. */
  const advance = (entry: Entry, own: OwnWalk): boolean => {
    const { rest } = own;
    if (rest === undefined || own.isWalking) return false;
    const steps = stepsLeft();
    own.isWalking = true;
    try {
      if (takeStep(entry, rest)) own.rest = undefined;
    } finally {
      own.isWalking = false;
      own.spent += steps - stepsLeft();
    }
    if (own.rest === undefined && !isSpent()) own.requests = requestsOf(own);
    return own.rest !== undefined;
  };
  const ownFactsOf = (entry: Entry): OwnWalk => inOneGo(ownFactsInSteps(entry));
  const ownFactsInSteps = function* (entry: Entry): Steps<OwnWalk> {
    const own = ownWalkOf(entry);
    spend(own.owed);
    own.owed = 0;
    while (advance(entry, own)) yield;
    return own;
  };
  /** The facts so far of a body that is being walked. */
  const factsOfTemplate = (declarations: readonly FunctionDeclaration[]): readonly FactSink[] =>
    declarations.flatMap(({ place }) => {
      const entry = entries.of(place.unit);
      return entry === undefined ? [] : [entry.head, ownFactsOf(entry).facts];
    });
  const factsOf = function* (entry: Entry): Steps<PieceFacts> {
    if (entry.facts !== undefined) return entry.facts;
    const walked = yield* ownFactsInSteps(entry);
    const { facts, counts, program: walker } = walked;
    if (dialect.language === "cuda")
      recordLookups(scope.clock, entry.lookups.body, () => inPast(scope.clock, entry.time, () => markIgnoredLambdas(facts.calls)));
    const instances = emptySink();
    if (hasInstances(walker)) {
      const walk = walkInstantiatedBodies(walker, instances, factsOfTemplate);
      while (!takeStep(entry, walk)) yield;
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
    declaredFor: (own) => (own.size === input.pieces.length ? new Map() : declaredOutside(entries, input.pieces.length, bind, own)),
    factsOf: function* (index) {
      const entry = entries.at(index);
      return entry === undefined ? nothing : yield* factsOf(entry);
    },
    lookupsOf: entries.lookupsAt,
    forgetFacts: (index) => {
      const entry = entries.at(index);
      if (entry === undefined) return;
      entry.facts = undefined;
      if (entry.own !== undefined && !entry.mayDeclareExtern && forgetInstances(entry.own)) return;
      leaveExterns(entry.context.scope, entry.piece.unit);
      externsWalked = Math.min(externsWalked, index);
      entry.own = undefined;
    },
    replaceBody: (index, unit, tree) => {
      const entry = entries.at(index);
      if (entry === undefined) return false;
      bind(entry);
      const old = entry.piece.unit;
      if (changesSharedExterns(entry.context.scope, old, unit) || hasUnknownHead(entry.tree) !== hasUnknownHead(tree)) return false;
      const only = onlyBody(entry);
      const item = tree.items.length === 1 ? functionOf(tree.items[0]) : undefined;
      if (only !== undefined && item?.body !== undefined && isSameHead(old, only.item, unit, item)) {
        Object.assign(only.declaration, { body: item.body, place: { unit: old, span: item.span } });
        entry.bodies[0] = { ...only, item };
      } else if (!replaceMemberBody(entry.bodies, old, unit, tree)) return false;
      replaceContent(old, unit);
      externsWalked = Math.min(externsWalked, index);
      Object.assign(entry, { tree, own: undefined, facts: undefined, mayDeclareExtern: mayDeclareExtern(unit) });
      return true;
    },
  };
}

/** Facts of the declarations that a file needs of the pieces outside of it; see `SemanticModel.declaredFor`. */
function declaredOutside(
  entries: Entries,
  count: number,
  bind: (entry: Entry) => void,
  own: ReadonlySet<number>,
): ReadonlyMap<number, DeclaredFacts> {
  const found = new Map<number, DeclaredFacts>();
  // A piece that was bound at once may declare anything; its functions show what.
  const functionsAt = (index: number) => entries.at(index)?.head.functions.map(({ name }) => name) ?? [];
  const namesOf = (indices: Iterable<number>) => new Set([...indices].flatMap((index) => entries.namesAt(index) ?? functionsAt(index)));
  const declared = namesOf(own);
  const wanted = new Set<string>();
  const isForAll = (index: number): boolean => entries.matters(index) || entries.namesAt(index) === undefined;
  const isNeeded = (index: number): boolean =>
    isForAll(index) || entries.namesAt(index)?.some((name) => wanted.has(name) || declared.has(name)) === true;
  // Only earlier declarations can be needed.
  for (let index = count - 1; index >= 0; index -= 1) {
    const isOwn = own.has(index);
    const entry = isOwn || isNeeded(index) ? entries.at(index) : undefined;
    if (entry === undefined) continue;
    bind(entry);
    const { head, body } = entry.lookups;
    for (const name of head) wanted.add(name);
    if (isOwn) for (const name of body) wanted.add(name);
    else found.set(index, { functions: entry.head.functions, constants: entry.head.constants, isForAll: isForAll(index) });
  }
  // All declarations of a function are known, whatever has been looked up in the other files.
  const shown = namesOf(found.keys());
  for (let index = 0; index < count; index += 1)
    if (!own.has(index) && !found.has(index) && entries.namesAt(index)?.some((name) => shown.has(name)) === true) {
      const entry = entries.at(index);
      if (entry !== undefined) bind(entry);
    }
  return found;
}

/** Walks the bodies of a piece, in steps of a few statements each. */
function* walkBodies(bodies: readonly DeferredBody[], program: Program): Steps<void> {
  for (const { context, declaration, item } of bodies) yield* walkFunctionBodyInSteps({ ...context, program }, declaration, item);
}

/** What the own text of a piece has requested, before its instances request more. */
function requestsOf({ facts, program: { instantiations } }: OwnWalk): OwnWalk["requests"] {
  return { bodies: [...instantiations.bodies], classes: [...instantiations.classes], facts: [...facts.instantiations] };
}

/** Leaves only what the own text of a piece has requested, so that its instances can be walked again. False if that is not known. */
function forgetInstances(own: OwnWalk): boolean {
  const { facts, program, requests } = own;
  if (requests === undefined) return false;
  const { bodies, classes } = program.instantiations;
  bodies.splice(0, bodies.length, ...requests.bodies);
  classes.splice(0, classes.length, ...requests.classes);
  facts.instantiations.splice(0, facts.instantiations.length, ...requests.facts);
  own.owed = own.spent;
  return true;
}

function hasInstances({ instantiations: { bodies, classes } }: Program): boolean {
  return bodies.length > 0 || classes.length > 0;
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
