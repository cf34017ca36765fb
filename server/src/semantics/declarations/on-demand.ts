/**
 * Binds declarations in headers when they are first needed. Most of a large library is never used, and binding all of it would be
 * most of the work on a file that includes one. The result is the same as if they had been bound at once: names are looked up among
 * the declarations before them (see `Clock` in `scope.ts`).
 */
import { append } from "../../lists.ts";
import { memoOfLatest } from "../../memo.ts";
import type { DeclarationItem, Declarator, DeferredItem, Item, Name, RecordSpecifier } from "../../syntax/ast.ts";
import { declaratorName, hasWord } from "../../syntax/walk.ts";
import { type Context, placeOf, textOf } from "../facts/context.ts";
import { inPast, isTooDeep, passTime } from "../symbols/clock.ts";
import { type NamedRun, namedRun } from "../symbols/lazy-declarations.ts";
import { bindLater, enclosingNamespace, isNamespace, type Scope, tagKey } from "../symbols/scope.ts";
import type { RecordSymbol } from "../types/symbols.ts";

/** True if these declarations can be bound lazily: their facts are not needed, and the scope is visible to other code. */
export function canBeLazy({ isEmitting, isUncertain, within, scope }: Context): boolean {
  return !isEmitting && isUncertain !== true && within === undefined && isNamespace(scope);
}

/** A run of items of a header. Items with names can be bound when one of the names is looked up; the others must be bound at once. */
export interface Run {
  readonly items: readonly Item[];
  readonly names: NamedRun | undefined;
}

/** The items of a header, or of a namespace in it. They are bound again for each file that includes them, but their text stays the same. */
export function runsOf(context: Context, items: readonly Item[]): readonly Run[] {
  return inRuns(items, context.scope.clock.list.numbering, context);
}

const inRuns = memoOfLatest((items: readonly Item[], numbering: NamedRun["numbering"], context: Context): readonly Run[] => {
  const found: Run[] = [];
  let others: Item[] = [];
  let names: LookupNames[] = [];
  const end = () => {
    if (others.length > 0) found.push({ items: others, names: names.length === 0 ? undefined : namedRun(numbering, names) });
    others = [];
    names = [];
  };
  for (const item of items) {
    const own = lookupNamesOf(context, item);
    if ((own === undefined) !== (names.length === 0)) end();
    others.push(item);
    if (own !== undefined) names.push(own);
  }
  end();
  return found;
});

/** The names whose look-up binds an item: in the scope where it is, and in classes whose members it defines. */
interface LookupNames {
  readonly here: readonly string[];
  readonly ofMembers: readonly string[];
}

/** The names whose look-up can bind an item; undefined if it must be bound at once. */
function lookupNamesOf(context: Context, item: Item): LookupNames | undefined {
  if (item.kind === "deferred") return namesOfDeferred(item);
  return declaredNamesOf(context, item) ?? (context.isBuiltin ? undefined : usedNamesOf(context, item));
}

function namesOfDeferred({ name, outer, isClass }: DeferredItem): LookupNames {
  if (outer !== undefined) return { here: [outer], ofMembers: [name] };
  return { here: isClass ? [name, tagKey(name)] : [name], ofMembers: [] };
}

function declaredNamesOf(context: Context, item: Item): LookupNames | undefined {
  const own = namesOf(item);
  if (own === undefined) return undefined;
  const friends = context.isBuiltin ? [] : namesOfFriends(context, item);
  return friends === undefined ? undefined : { here: [...new Set([...own, ...friends])], ofMembers: [] };
}

/**
 * The names of an item that declares none in its scope: those that a using declaration brings in, or those of a member that is
 * defined outside of its class, with the name of the class or namespace.
 */
function usedNamesOf(context: Context, item: Item): LookupNames | undefined {
  if (item.kind === "template") return usedNamesOf(context, item.item);
  if (item.kind === "using")
    return item.isNamespace ? undefined : { here: item.name.parts.slice(-1).map(({ text }) => text), ofMembers: [] };
  if (mattersWithoutLookup(context, item)) return undefined;
  const names = declaratorsOf(item).map(declaratorName);
  const isOfMember = (name: Name | undefined) => name !== undefined && name.parts.length > 1 && !name.isGlobal;
  if (names.length === 0 || !names.every(isOfMember)) return undefined;
  const textsOf = (which: number) => names.flatMap((name) => name?.parts.at(which)?.text ?? []);
  return { here: textsOf(0), ofMembers: textsOf(-1) };
}

/** The name of the only member that an item defines outside of its class. */
export function memberOutside(item: Item): Name | undefined {
  const [declarator, ...others] = declaratorsOf(item);
  const name = declarator === undefined || others.length > 0 ? undefined : declaratorName(declarator);
  return name !== undefined && name.parts.length > 1 && name.parts.every((part) => part.templateArguments === undefined) ? name : undefined;
}

function declaratorsOf(item: Item): readonly Declarator[] {
  if (item.kind === "function") return [item.declarator];
  return item.kind === "declaration" ? item.declarators.map(({ declarator }) => declarator) : [];
}

/** The names that a class declares in the namespace around it; undefined if an item does more than declare names. */
function namesOfFriends(context: Context, item: Item): readonly string[] | undefined {
  if (!mattersWithoutLookup(context, item)) return [];
  const declaration = declarationOf(item);
  const { type } = declaration?.specifiers ?? {};
  if (declaration === undefined || type?.kind !== "record" || type.body === undefined) return undefined;
  if (hasWord(declaration.specifiers.words, "friend")) return undefined;
  return textOf(placeOf(context, item.span)).includes("__constant__") ? undefined : friendsAmong(context, type.body.members);
}

/**
 * The names that the definition of a class declares in the namespace around it. The class must be defined before one of them is
 * looked up; undefined if it must be defined at once.
 */
export function friendsOf(context: Context, specifier: RecordSpecifier): readonly string[] | undefined {
  if (!mattersWithoutLookup(context, specifier)) return [];
  const { body } = specifier;
  return body === undefined || textOf(placeOf(context, specifier.span)).includes("__constant__")
    ? undefined
    : friendsAmong(context, body.members);
}

function declarationOf(item: Item): DeclarationItem | undefined {
  if (item.kind === "template") return declarationOf(item.item);
  return item.kind === "declaration" ? item : undefined;
}

/** The functions that members befriend, also in nested classes; undefined if one of them may do more than declare a name. */
function friendsAmong(context: Context, members: readonly Item[]): readonly string[] | undefined {
  const names: string[] = [];
  for (const member of members) {
    const own = member.kind === "template" ? member.item : member;
    if (own.kind === "unknown" || own.kind === "template") return undefined;
    if (own.kind !== "declaration" && own.kind !== "function") continue;
    const nested = own.specifiers.type?.kind === "record" ? friendsAmong(context, own.specifiers.type.body?.members ?? []) : [];
    if (nested === undefined) return undefined;
    append(names, nested);
    if (!hasWord(own.specifiers.words, "friend")) continue;
    // Befriending a class does not declare it outside; a function that is defined elsewhere is compared with its friend
    // declaration.
    if (own.kind === "declaration" && own.declarators.length === 0) continue;
    const declared = own.kind === "function" ? namesOfDeclarators([own.declarator]) : undefined;
    const isKernel = hasWord(own.specifiers.words, "__global__");
    // Templates are not compared.
    const isCompared = member.kind !== "template" && isLinked(textOf(placeOf(context, own.span)).replace("friend", ""));
    const ofDeclaration = own.kind === "declaration" && !isCompared;
    const added = ofDeclaration ? namesOfDeclarators(own.declarators.map(({ declarator }) => declarator)) : declared;
    if (added === undefined || isKernel) return undefined;
    append(names, added);
  }
  return names;
}

const ofLinkedFunctions = /\b(friend|__constant__|__managed__|__device__|__global__)\b/;
const attributesOfLinkedFunctions = /\b(constant|managed|device|global)\b/;
const ofOthers = /\b(friend|__constant__|__global__)\b/;
const attributesOfOthers = /\b(constant|global)\b/;

/**
 * True if a declaration matters even if its names are never looked up: friends are declared outside of their class, constant memory
 * is counted, and kernels and device functions are compared with those of other files, except for templates of device functions.
 */
export function mattersWithoutLookup(context: Context, item: Item | RecordSpecifier, isTemplate = false): boolean {
  if (context.isBuiltin) return false;
  if (item.kind === "template") return mattersWithoutLookup(context, item.item, true);
  if (item.kind === "function") return hasWord(item.specifiers.words, "__global__");
  const text = textOf(placeOf(context, item.span));
  if (item.kind !== "declaration" || item.specifiers.type?.kind === "record")
    return text.includes("friend") || text.includes("__constant__");
  if (!isTemplate && item.declarators.some(({ declarator }) => declaresFunction(declarator))) return isLinked(text);
  return ofOthers.test(text) || (text.includes("__attribute__") && attributesOfOthers.test(text));
}

/** True if a declarator has parameters, although it may be that of a variable. */
function declaresFunction(declarator: Declarator): boolean {
  let current = declarator;
  while (current.kind !== "function" && "inner" in current) current = current.inner;
  return current.kind === "function";
}

function isLinked(text: string): boolean {
  return ofLinkedFunctions.test(text) || (text.includes("__attribute__") && attributesOfLinkedFunctions.test(text));
}

/** The names that an item declares in its scope; undefined if it has, or may have, any other effect. */
export function namesOf(item: Item): readonly string[] | undefined {
  switch (item.kind) {
    case "function":
      return namesOfDeclarators([item.declarator]);
    case "declaration":
      return namesOfDeclaration(item);
    case "template":
      return item.item.kind === "template" ? undefined : namesOf(item.item);
    case "alias":
      return [item.name];
    default:
      return undefined;
  }
}

function namesOfDeclaration({ specifiers, declarators }: DeclarationItem): readonly string[] | undefined {
  const { type } = specifiers;
  const names = namesOfDeclarators(declarators.map(({ declarator }) => declarator));
  if (names === undefined || type === undefined || (type.kind !== "record" && type.kind !== "enum")) return names;
  const enumerators = type.kind === "enum" ? (type.enumerators ?? []).map(({ name }) => name) : [];
  if (type.name === undefined) return names.length + enumerators.length === 0 ? undefined : [...names, ...enumerators];
  const [part, ...others] = type.name.parts;
  if (part === undefined || others.length > 0 || type.name.isGlobal) return undefined;
  return [...names, ...enumerators, part.text, tagKey(part.text)];
}

function namesOfDeclarators(declarators: readonly Parameters<typeof declaratorName>[0][]): readonly string[] | undefined {
  const names: string[] = [];
  for (const declarator of declarators) {
    const name = declaratorName(declarator);
    const [part, ...others] = name?.parts ?? [];
    // A member that is defined outside of its class belongs to that class.
    if (part === undefined || others.length > 0 || name?.isGlobal === true) return undefined;
    names.push(part.text);
  }
  return names;
}

/** The properties that a definition sets. */
const ofRecord = [
  "members",
  "functions",
  "staticMembers",
  "bases",
  "alignment",
  "isPacked",
  "isPolymorphic",
  "hasVirtualBase",
  "hasAccessLabels",
  "hasMixedAccess",
  "isDeviceReference",
  "isIncomplete",
] as const;
const ofScope = ["names", "inner", "using"] as const;

/** Records whose definition was read, whether it is bound or lazy. */
const defined = new WeakSet<RecordSymbol>();

/** True if the record's definition was found, without binding it. */
export function isDefined(record: RecordSymbol): boolean {
  return defined.has(record) || record.members !== undefined;
}

/** True if the record's definition was found and is bound when it is needed. */
export function isDefinitionLazy(record: RecordSymbol): boolean {
  return Object.getOwnPropertyDescriptor(record, "members")?.get !== undefined;
}

/**
 * Registers `define` to run before the properties that it sets are read, a name in the record's scope is looked up, or one of its
 * friends is looked up in the namespace around it.
 */
export function defineOnDemand(record: RecordSymbol, scope: Scope, friends: readonly string[], define: () => void): void {
  defined.add(record);
  const restore: (() => void)[] = [];
  const { clock } = scope;
  const time = passTime(clock);
  const members: (() => void)[] = [];
  membersOutside.set(record, members);
  const complete = () => {
    for (const each of restore.splice(0)) each();
    membersOutside.delete(record);
    if (isTooDeep(clock)) record.isIncomplete = true;
    else inPast(clock, time, define);
    for (const bind of members) bind();
  };
  for (const key of ofRecord) restore.push(guard(record, key, complete));
  for (const key of ofScope) restore.push(guard(scope, key, complete));
  if (friends.length > 0)
    bindLater(enclosingNamespace(scope), friends, () => {
      if (restore.length > 0) complete();
    });
}

/** Definitions of members outside of their class, by classes that are not defined yet. */
const membersOutside = new WeakMap<RecordSymbol, (() => void)[]>();

/** Runs `bind` with the names that are visible now as soon as a class has been defined; false if it does not wait for that. */
export function afterDefinition(record: RecordSymbol, { clock }: Scope, bind: () => void): boolean {
  const members = membersOutside.get(record);
  const { now } = clock;
  members?.push(() => inPast(clock, now, bind));
  return members !== undefined;
}

/** Replaces a property by a getter that first runs `complete`; the result undoes that. */
function guard<T extends object, K extends keyof T>(object: T, key: K, complete: () => void): () => void {
  const value = object[key];
  Object.defineProperty(object, key, {
    configurable: true,
    enumerable: true,
    get: () => {
      complete();
      return object[key];
    },
    set: (next: T[K]) => {
      complete();
      object[key] = next;
    },
  });
  return () => Object.defineProperty(object, key, { configurable: true, enumerable: true, writable: true, value });
}
