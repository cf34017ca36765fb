/**
 * Declarations that are bound when one of their names is first looked up. The headers of a file declare thousands of names, of which it uses
 * a hundred. So a run of declarations is registered as numbers, and a declaration becomes an object of its own when one of its
 * names is first looked up. `scope.ts` decides what is looked up when.
 */
import { countUpTo } from "../../lists.ts";

/** A declaration that is bound when one of its names is looked up. */
export interface LazyDeclaration {
  readonly time: number;
  bind: (() => void) | undefined;
}

/** Declarations by name. */
export type LazyByName = Map<string, LazyDeclaration[]>;

/**
 * A run of declarations that follow each other, with the names whose look-up binds them. It is the same for every file that includes
 * them.
 */
export interface NamedRun {
  readonly numbering: Numbering;
  /** The numbers of the names, in the order of the declarations. */
  readonly names: Int32Array;
  /** The index of the declaration that the name binds; its complement if the name binds it in any class. */
  readonly owners: Int32Array;
  /** The first name of each declaration, and at the end the number of names. */
  readonly starts: Int32Array;
}

/** Gives numbers to names. */
type Numbering = Map<string, number>;

/** All declarations of a translation unit that were registered, in its order. */
export interface LazyDeclarations {
  readonly numbering: Numbering;
  /** Definitions of members outside of their classes, by the member's name in any class. */
  readonly members: LazyByName;
  readonly runs: RegisteredRun[];
  /** By the number of a name: the last registered position with that name; 0 if there is none. */
  last: Int32Array;
  /** By position: the position before it with the same name. */
  before: Int32Array;
  positions: number;
  /** How many runs, and how many declarations of the next one, have been considered in order. */
  consideredRuns: number;
  considered: number;
}

interface RegisteredRun {
  readonly run: NamedRun | undefined;
  readonly target: LazyByName | undefined;
  /** The declarations are those from `from` on. */
  readonly from: number;
  readonly count: number;
  /** The time of the first declaration, and the time from one to the next. */
  readonly time: number;
  readonly step: 0 | 1;
  /** The position of their first name. */
  readonly position: number;
  readonly bind: (index: number) => void;
  /** The declarations that became objects of their own, by index. */
  entries: Map<number, LazyDeclaration> | undefined;
}

/** The names under which declarations of runs have been registered, whether they are bound or not. */
export function registeredNames({ numbering, last }: LazyDeclarations): readonly string[] {
  return [...numbering].flatMap(([name, number]) => ((last[number] ?? 0) === 0 ? [] : [name]));
}

/** A list for a new translation unit. */
export function createLazyDeclarations(): LazyDeclarations {
  if (numbers.size > mostNames) numbers = new Map();
  const numbering = numbers;
  return {
    numbering,
    members: new Map(),
    runs: [],
    last: new Int32Array(numbering.size + 64),
    before: new Int32Array(256),
    positions: 1,
    consideredRuns: 0,
    considered: 0,
  };
}

let numbers: Numbering = new Map();
/** After this many names the numbering starts again, so that their texts do not fill a server's memory. */
const mostNames = 1_000_000;

/**
 * Creates a run of declarations. `here` are the names that bind each, or for the definition of a member the name in any
 * class.
 */
export function namedRun(
  numbering: Numbering,
  declarations: readonly { readonly here: readonly string[]; readonly ofMembers: readonly string[] }[],
): NamedRun {
  const found: number[] = [];
  const owners: number[] = [];
  const starts: number[] = [];
  const add = (name: string, owner: number) => {
    const number = numbering.get(name) ?? numbering.size;
    numbering.set(name, number);
    found.push(number);
    owners.push(owner);
  };
  for (const [index, { here, ofMembers }] of declarations.entries()) {
    starts.push(found.length);
    for (const name of here) add(name, index);
    for (const name of ofMembers) add(name, ~index);
  }
  starts.push(found.length);
  return { numbering, names: Int32Array.from(found), owners: Int32Array.from(owners), starts: Int32Array.from(starts) };
}

/** Registers the declarations `from` … `to` of a run. The first one has this time; with `isOneTime`, all of them have. */
export function registerRun(
  list: LazyDeclarations,
  target: LazyByName | undefined,
  run: NamedRun,
  { from, to, time, isOneTime }: { readonly from: number; readonly to: number; readonly time: number; readonly isOneTime: boolean },
  bind: (index: number) => void,
): void {
  const start = run.starts[from] ?? 0;
  const end = run.starts[to] ?? start;
  const { positions } = list;
  list.runs.push({ run, target, from, count: to - from, time, step: isOneTime ? 0 : 1, position: positions, bind, entries: undefined });
  list.positions += end - start;
  if (list.positions > list.before.length) list.before = enlarged(list.before, list.positions);
  if (list.numbering.size > list.last.length) list.last = enlarged(list.last, list.numbering.size);
  const { last, before } = list;
  for (let at = start, position = positions; at < end; at += 1, position += 1) {
    const name = run.names[at] ?? 0;
    before[position] = last[name] ?? 0;
    last[name] = position;
  }
}

/** Registers one declaration. */
export function registerOne(
  list: LazyDeclarations,
  target: LazyByName | undefined,
  here: readonly string[],
  { time, isOneTime }: { readonly time: number; readonly isOneTime: boolean },
  bind: () => void,
): void {
  const step = isOneTime ? 0 : 1;
  const run: RegisteredRun = { run: undefined, target, from: 0, count: 1, time, step, position: list.positions, bind, entries: undefined };
  list.runs.push(run);
  for (const name of here) {
    materialize(list, name);
    if (target !== undefined) add(target, name, entryOf(run, 0));
  }
}

function enlarged(numbers: Int32Array, least: number): Int32Array {
  const larger = new Int32Array(Math.max(least, 2 * numbers.length));
  larger.set(numbers);
  return larger;
}

/** Makes the registered declarations with this name objects of their own, in each scope that has some. */
export function materialize(list: LazyDeclarations, name: string): void {
  const number = list.numbering.get(name);
  const last = number === undefined ? undefined : list.last[number];
  if (number === undefined || last === undefined || last === 0) return;
  list.last[number] = 0;
  const found: number[] = [];
  for (let position = last; position > 0; position = list.before[position] ?? 0) found.push(position);
  for (const position of found.reverse()) {
    const registered = list.runs[countUpTo(list.runs.length, (index) => list.runs[index]?.position, position) - 1];
    if (registered?.run === undefined) continue;
    const at = (registered.run.starts[registered.from] ?? 0) + position - registered.position;
    const owner = registered.run.owners[at] ?? 0;
    const target = owner < 0 ? list.members : registered.target;
    if (target !== undefined) add(target, name, entryOf(registered, owner < 0 ? ~owner : owner));
  }
}

function add(target: LazyByName, name: string, entry: LazyDeclaration): void {
  const others = target.get(name);
  if (others === undefined) target.set(name, [entry]);
  else others.push(entry);
}

function entryOf(registered: RegisteredRun, index: number): LazyDeclaration {
  const { from, time, step, bind } = registered;
  registered.entries ??= new Map();
  const known = registered.entries.get(index);
  if (known !== undefined) return known;
  const entry: LazyDeclaration = { time: time + step * (index - from), bind: () => bind(index) };
  registered.entries.set(index, entry);
  return entry;
}

/** The next declaration before a time; undefined if all of them have been returned. */
export function nextBefore(list: LazyDeclarations, time: number): LazyDeclaration | undefined {
  for (let run = list.runs[list.consideredRuns]; run !== undefined; run = list.runs[list.consideredRuns]) {
    // Rows in which all declarations have one time were registered in the past, and have no place in the order.
    if (run.step === 1 && list.considered < run.count) {
      if (run.time + list.considered >= time) return undefined;
      list.considered += 1;
      return entryOf(run, run.from + list.considered - 1);
    }
    list.consideredRuns += 1;
    list.considered = 0;
  }
  return undefined;
}
