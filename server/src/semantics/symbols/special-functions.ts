/**
 * CUDA: which function of a class creates, copies, moves, assigns or destroys an object (C++17 §15). What the compiler writes itself calls
 * those of the bases and the members.
 */
import { append } from "../../lists.ts";
import { hasWord } from "../../syntax/walk.ts";
import { innermostElement, isDefinedClass } from "../types/predicates.ts";
import { type FunctionSymbol, isVirtual, type RecordSymbol } from "../types/symbols.ts";
import { isOpaqueToUs, type Type } from "../types/types.ts";
import { constructorsOf, initializingConstructors, isCopying, takes } from "./candidates.ts";

/** What creates, copies, assigns or destroys objects. */
export interface Special {
  readonly as: "constructor" | "operator" | "destructor";
  /** The number of arguments, without the object. */
  readonly count: number;
  /** The functions of one class that do it, from an object that stays as it is, or from one that may be moved. */
  readonly candidates: (record: RecordSymbol, isMove: boolean) => readonly FunctionSymbol[];
}

/** Creates an object without arguments. */
export const defaultConstruction: Special = {
  as: "constructor",
  count: 0,
  candidates: (record) => constructorsOf(record).filter((each) => takes(each, 0)),
};

/** Creates an object from an empty list, for which an aggregate needs no constructor. */
export const emptyList: Special = { ...defaultConstruction };

/** Creates an object from another one of its class. */
export const copying: Special = {
  as: "constructor",
  count: 1,
  candidates: (record, isMove) =>
    constructorsOf(record).filter((each) => takes(each, 1) && isReferenceTo(each.type.parameters[0], record, isMove)),
};

/** Gives an object the value of another one of its class, which the operator may get by value. */
export const assignment: Special = {
  as: "operator",
  count: 1,
  candidates: (record, isMove) =>
    record.functions.filter(
      ({ name, type: { parameters } }) =>
        name === "operator=" && (isReferenceTo(parameters[0], record, isMove) || isObjectOf(parameters[0], record)),
    ),
};

/** Destroys an object. */
export const destruction: Special = {
  as: "destructor",
  count: 0,
  candidates: (record) => record.functions.filter(({ name }) => name.startsWith("~")),
};

/**
 * The function of a class that does this: its own, or for an implicit one the first that this calls for a part and for which `isWanted`.
 * Undefined if there is none, or if several functions of a class may be meant. `isImplicit` tells which functions do the same as an
 * implicit one.
 */
export function specialFunction(
  record: RecordSymbol,
  special: Special,
  isMove: boolean,
  isImplicit: (own: FunctionSymbol) => boolean,
  isWanted: (part: FunctionSymbol) => boolean,
): FunctionSymbol | undefined {
  const visited = new Set<RecordSymbol>();
  const open = [{ record, isMove }];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    if (visited.has(each.record) || !isDefinedClass(each.record)) continue;
    visited.add(each.record);
    const moving = each.isMove ? special.candidates(each.record, true) : [];
    const [only, ...others] = moving.length > 0 ? moving : special.candidates(each.record, false);
    if (others.length > 0 || only?.isTemplate === true) continue;
    if (only === undefined || isImplicit(only)) {
      // An implicit function of a union calls none for a member.
      if (each.record.key === "union") continue;
      const isMoved = moving.length > 0 || (each.isMove && hasImplicitMove(each.record));
      const parts = partsOf(each.record, special.as === "constructor" && special.count === 0).map((part) => ({
        record: part,
        isMove: isMoved,
      }));
      append(open, parts.reverse());
    } else if (each.record === record || isWanted(only)) return only;
  }
  return undefined;
}

/** The constructors that may take one argument and are not those that copy or move an object. */
export function convertingConstructors(record: RecordSymbol): readonly FunctionSymbol[] {
  return initializingConstructors(record).filter((each) => takes(each, 1) && (each.isTemplate || !isCopying(each, record)));
}

/** True if a template, or a constructor whose parameter is unknown, may construct the object instead of the copying constructor. */
export function mayConstructOtherwise(record: RecordSymbol): boolean {
  const isUnknown = (type: Type | undefined) => type?.kind === "reference" && isOpaqueToUs(type.referent);
  return constructorsOf(record).some((each) => takes(each, 1) && (each.isTemplate || isUnknown(each.type.parameters[0])));
}

/** True if the compiler defines the function, and decides where it runs: one that is defaulted in its class (C++17 §11.4.2p5). */
export function isDefaulted({ declarations }: FunctionSymbol): boolean {
  return declarations[0]?.special === "default" || declarations.some(({ special }) => special === "delete");
}

/** True for a function that is defaulted in its class and names one side. Clang obeys that; nvcc decides where such a function runs. */
export function isDefaultedForOneSide({ declarations: [first] }: FunctionSymbol): boolean {
  return first?.special === "default" && hasWord(first.words, "__host__") !== hasWord(first.words, "__device__");
}

/** True if a defaulted destructor has nothing to do, as far as its class and the parts show. Such a destructor is not called. */
export function mayBeTrivialDestructor(own: FunctionSymbol): boolean {
  const hasNone = (record: RecordSymbol, depth: number): boolean =>
    depth >= deepest ||
    partsOf(record, false).every((part) => destruction.candidates(part, false).length === 0 && hasNone(part, depth + 1));
  return !isVirtual(own) && (own.record === undefined || hasNone(own.record, 0));
}

const deepest = 20;

/** True for a class that says nothing about copies, moves and its end, so that its objects are moved part by part (C++17 §15.8.1p8). */
export function hasImplicitMove(record: RecordSymbol): boolean {
  return !record.functions.some(
    (each) => each.name.startsWith("~") || ((each.name === record.tag || each.name === "operator=") && isCopying(each, record)),
  );
}

function isReferenceTo(type: Type | undefined, record: RecordSymbol, isRvalue: boolean): boolean {
  return type?.kind === "reference" && type.isRvalue === isRvalue && type.referent.kind === "record" && type.referent.record === record;
}

function isObjectOf(type: Type | undefined, record: RecordSymbol): boolean {
  return type?.kind === "record" && type.record === record;
}

/** True if the function is called for a base of the object or of one of its parts, and its class is the class of no member. */
export function isOnlyBase({ record }: FunctionSymbol, whole: RecordSymbol): boolean {
  const visited = new Set<RecordSymbol>();
  const open = [whole];
  let isBase = false;
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    if (visited.has(each)) continue;
    visited.add(each);
    isBase ||= each.bases.some((base) => base.kind === "record" && base.record === record);
    if ((each.members ?? []).map(({ type }) => innermostElement(type)).some((type) => type.kind === "record" && type.record === record))
      return false;
    append(open, partsOf(each, false));
  }
  return isBase;
}

/** The classes of the bases and the members; without members that have an initializer if only default constructors matter. */
function partsOf(record: RecordSymbol, isForDefaults: boolean): RecordSymbol[] {
  const members = (record.members ?? []).filter(({ initializer }) => !isForDefaults || initializer === undefined);
  return [...record.bases, ...members.map(({ type }) => type)].flatMap((part) => {
    const element = innermostElement(part);
    return element.kind === "record" ? [element.record] : [];
  });
}
