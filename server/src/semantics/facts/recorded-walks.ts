/**
 * Caches the facts of each statement in long function bodies, and of each instantiated body. After an edit in a long body, the unchanged
 * statements are the same objects (see `syntax/lowering/kept-statements.ts`). As long as the local names in such a statement mean the same,
 * its facts are recorded again without another walk. So are those of an instantiated body as long as its text is the same. Names from
 * outside of the body cannot have changed, because that would have created a new model.
 */
import { spend, stepsLeft } from "../../budget.ts";
import { append } from "../../lists.ts";
import type { ViewSpan } from "../../source.ts";
import { recordLookups } from "../symbols/clock.ts";
import { type Scope, setNames } from "../symbols/scope.ts";
import type { Symbol } from "../types/symbols.ts";
import { type Context, emptySink, type FactSink, type Program } from "./context.ts";

/** The records of one body, and the state of its walk. */
export interface RecordedWalks {
  readonly records: WeakMap<object, Recorded>;
  /** Part of a statement is being walked, so its own parts are not recorded separately. */
  isRecording: boolean;
  /** What the walk has requested so far; see `request`. */
  readonly requests: Request[];
  /** The body has declared more than variables, so that its names do not tell what its statements see. */
  isOpen: boolean;
}

type Request = (program: Program) => void;

/** What a name means locally; undefined if it is not a local name. */
type Meaning = readonly [name: string, symbols: readonly Symbol[] | undefined];

/** What one walk has recorded, and where it is valid. */
interface Recorded {
  readonly depth: number;
  /** The meaning of all names in the text, before it. */
  readonly names: readonly Meaning[];
  readonly declared: readonly Meaning[];
  readonly facts: readonly (readonly [kind: keyof FactSink, facts: readonly unknown[]])[];
  readonly requests: readonly Request[];
  readonly expressions: number;
  readonly unknown: number;
  readonly steps: number;
}

/** Begins the next walk of a long body, with the records of the last one. */
export function nextWalks(last: RecordedWalks | undefined): RecordedWalks {
  return { records: last?.records ?? new WeakMap(), isRecording: false, requests: [], isOpen: false };
}

/** Begins the walk of a short body, whose statements are not recorded by themselves. */
export function shortWalks(): RecordedWalks {
  return { ...nextWalks(undefined), isOpen: true };
}

/** What walking a whole body has recorded. */
export interface RecordedBody {
  readonly facts: FactSink;
  readonly requests: readonly Request[];
  /** The names that it has looked up. */
  readonly lookups: ReadonlySet<string>;
  readonly steps: number;
}

/** Walks a whole body in a context with a sink and walks of its own, and returns the record; undefined if the budget ended in it. */
export function recordBody({ program, scope: { clock } }: Context, walk: () => void): RecordedBody | undefined {
  const lookups = new Set<string>();
  const steps = stepsLeft();
  recordLookups(clock, lookups, walk);
  for (const name of lookups) clock.lookups?.add(name);
  const { facts, walks } = program;
  return stepsLeft() < 0 || walks === undefined ? undefined : { facts, requests: walks.requests, lookups, steps: steps - stepsLeft() };
}

/** Requests again what a body has requested. False if the budget ends in it, so that it must be walked. */
export function repeatBody(program: Program, { clock }: Scope, { requests, lookups, steps }: RecordedBody): boolean {
  if (stepsLeft() < steps) return false;
  spend(steps);
  for (const name of lookups) clock.lookups?.add(name);
  for (const again of requests) again(program);
  return true;
}

/** Walks a part of a body that contains no other statements, or records again what its last walk has recorded. */
export function walkOnce(context: Context, part: { readonly span: ViewSpan }, walk: () => void): void {
  const { walks } = context.program;
  if (walks === undefined || walks.isRecording || walks.isOpen || !context.isEmitting) return walk();
  const known = walks.records.get(part);
  if (known !== undefined && isValid(context, known)) return recordAgain(context, known);
  const made = recordingOf(context, part, walks, walk);
  if (made === undefined) walks.records.delete(part);
  else walks.records.set(part, made);
}

/** Does something whose effect depends on earlier statements, such as requesting an instantiation that is made only once. */
export function request({ program }: Context, what: Request): void {
  what(program);
  program.walks?.requests.push(what);
}

/** Walks the part and returns the record; undefined if the walk does more than record facts and declare variables. */
function recordingOf(
  context: Context,
  { span }: { readonly span: ViewSpan },
  walks: RecordedWalks,
  walk: () => void,
): Recorded | undefined {
  const { scope, depth, unit } = context;
  const { facts, counts } = context.program;
  const lengths = kinds.map((kind) => facts[kind].length);
  const { expressions, unknown } = counts;
  const steps = stepsLeft();
  const others = scope.inner.size + scope.using.length;
  const names = [...new Set(unit.view.text.slice(span.start, span.end).match(word))].map(
    (name): Meaning => [name, localMeaning(scope, name)?.slice()],
  );
  const own = names.map(([name]) => scope.names.get(name)?.slice());
  const requests = walks.requests.length;
  walks.isRecording = true;
  try {
    walk();
  } finally {
    walks.isRecording = false;
  }
  const declared = names.flatMap(([name], at): Meaning[] => {
    const symbols = scope.names.get(name)?.slice();
    return isSame(symbols, own[at]) ? [] : [[name, symbols]];
  });
  if (scope.inner.size + scope.using.length > others || !declared.every(isVariable)) walks.isOpen = true;
  if (walks.isOpen || stepsLeft() < 0) return undefined;
  return {
    depth,
    names,
    declared,
    facts: kinds.flatMap((kind, at) => (facts[kind].length === lengths[at] ? [] : [[kind, facts[kind].slice(lengths[at])] as const])),
    requests: walks.requests.slice(requests),
    expressions: counts.expressions - expressions,
    unknown: counts.unknown - unknown,
    steps: steps - stepsLeft(),
  };
}

function isValid({ scope, depth }: Context, { names, steps, depth: recorded }: Recorded): boolean {
  return depth === recorded && stepsLeft() >= steps && names.every(([name, symbols]) => isSame(symbols, localMeaning(scope, name)));
}

function recordAgain({ program, scope }: Context, known: Recorded): void {
  const { facts, counts } = program;
  spend(known.steps);
  for (const [kind, list] of known.facts) append(facts[kind] as unknown[], list);
  for (const again of known.requests) again(program);
  append(program.walks?.requests ?? [], known.requests);
  counts.expressions += known.expressions;
  counts.unknown += known.unknown;
  for (const [name, symbols] of known.declared) if (symbols !== undefined) setNames(scope, name, [...symbols]);
}

/** Matches everything that may be a name in the text of a statement. */
const word = /[A-Za-z_$\u00A0-\uD7FF][\w$\u00A0-\uD7FF]*/g;

function localMeaning(scope: Scope, name: string): readonly Symbol[] | undefined {
  for (let at: Scope | undefined = scope; at !== undefined && (at.kind === "block" || at.kind === "function"); at = at.parent) {
    const symbols = at.names.get(name);
    if (symbols !== undefined) return symbols;
  }
  return undefined;
}

function isSame(one: readonly Symbol[] | undefined, other: readonly Symbol[] | undefined): boolean {
  return one === other || (one?.length === other?.length && one?.every((symbol, at) => symbol === other?.[at]) === true);
}

function isVariable([, symbols]: Meaning): boolean {
  return symbols?.every(({ kind }) => kind === "variable") ?? true;
}

/** The facts that a walk records; instantiations are requested instead. */
const kinds = (Object.keys(emptySink()) as (keyof FactSink)[]).filter((kind) => kind !== "instantiations");
