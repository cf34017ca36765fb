/**
 * What headers declare is bound when something first asks for it: most of a large library is never asked for, and binding
 * all of it is most of the work on a file that includes one. It means what it would mean if it had been bound at once: its
 * names are looked up among what was declared before it (see `Clock` in `scope.ts`).
 */
import { append } from "../../lists.ts";
import type { DeclarationItem, Item, RecordSpecifier } from "../../syntax/ast.ts";
import { declaratorName, hasWord } from "../../syntax/walk.ts";
import { type Context, placeOf, textOf } from "../facts/context.ts";
import { inPast, isTooDeep, passTime, type Scope, tagKey, wait } from "../symbols/scope.ts";
import type { RecordSymbol } from "../types/symbols.ts";

/** Whether what is declared here can wait: nobody wants its facts, and it stands where names are declared for others. */
export function canWait({ isEmitting, isUncertain, within, scope }: Context): boolean {
  return !isEmitting && isUncertain !== true && within === undefined && (scope.kind === "program" || scope.kind === "namespace");
}

/** Has `bind` run before anybody finds one of the names that the item declares; false where it must be bound at once. */
export function bindOnDemand(context: Context, item: Item, bind: () => void): boolean {
  const names = waitingNamesOf(context, item);
  if (names === undefined) return false;
  wait(context.scope, names, bind);
  return true;
}

/** By item: a header's tree is bound again for each file that includes it, and its text stays the same. */
const waitingNames = new WeakMap<Item, { readonly names: readonly string[] | undefined }>();

/** The names under which an item can wait; undefined where it must be bound at once. */
function waitingNamesOf(context: Context, item: Item): readonly string[] | undefined {
  if (context.isBuiltin) return namesOf(item);
  const known = waitingNames.get(item);
  if (known !== undefined) return known.names;
  const own = namesOf(item);
  const friends = own === undefined ? [] : namesOfFriends(context, item);
  const names = own === undefined || friends === undefined ? undefined : [...new Set([...own, ...friends])];
  waitingNames.set(item, { names });
  return names;
}

/** What a class declares in the namespace around it; undefined where an item says more than names. */
function namesOfFriends(context: Context, item: Item): readonly string[] | undefined {
  if (!saysMore(context, item)) return [];
  const declaration = declarationOf(item);
  const { type } = declaration?.specifiers ?? {};
  if (declaration === undefined || type?.kind !== "record" || type.members === undefined) return undefined;
  if (declaration.specifiers.words.some(({ text }) => text === "friend")) return undefined;
  return textOf(placeOf(context, item.span)).includes("__constant__") ? undefined : friendsAmong(context, type.members);
}

function declarationOf(item: Item): DeclarationItem | undefined {
  if (item.kind === "template") return declarationOf(item.item);
  return item.kind === "declaration" ? item : undefined;
}

/** The functions that members befriend, in nested classes as well; undefined where one of them may say more than a name. */
function friendsAmong(context: Context, members: readonly Item[]): readonly string[] | undefined {
  const names: string[] = [];
  for (const member of members) {
    const own = member.kind === "template" ? member.item : member;
    if (own.kind === "unknown" || own.kind === "template") return undefined;
    if (own.kind !== "declaration" && own.kind !== "function") continue;
    const nested = own.specifiers.type?.kind === "record" ? friendsAmong(context, own.specifiers.type.members ?? []) : [];
    if (nested === undefined) return undefined;
    append(names, nested);
    if (!hasWord(own.specifiers, "friend")) continue;
    // A class is befriended without being declared outside; a function that is defined elsewhere is compared with that.
    if (own.kind === "declaration" && own.declarators.length === 0) continue;
    const declared = own.kind === "function" ? namesOfDeclarators([own.declarator]) : undefined;
    const isKernel = hasWord(own.specifiers, "__global__");
    const ofDeclaration = own.kind === "declaration" && !isLinked(textOf(placeOf(context, own.span)).replace("friend", ""));
    const added = ofDeclaration ? namesOfDeclarators(own.declarators.map(({ declarator }) => declarator)) : declared;
    if (added === undefined || isKernel) return undefined;
    append(names, added);
  }
  return names;
}

const ofLinkedObjects = /\b(friend|__constant__|__managed__|__device__|__global__)\b/;
const attributesOfLinkedObjects = /\b(constant|managed|device|global)\b/;

/**
 * Whether a declaration says something that is wanted even if nobody asks for its names: friends are declared outside of
 * their class, and objects and functions of the device are compared with those of other files.
 */
export function saysMore(context: Context, item: Item | RecordSpecifier): boolean {
  if (context.isBuiltin) return false;
  if (item.kind === "template") return saysMore(context, item.item);
  if (item.kind === "function") return hasWord(item.specifiers, "__global__");
  if (item.kind === "declaration" && item.specifiers.type?.kind !== "record") return isLinked(textOf(placeOf(context, item.span)));
  const text = textOf(placeOf(context, item.span));
  return text.includes("friend") || text.includes("__constant__");
}

function isLinked(text: string): boolean {
  return ofLinkedObjects.test(text) || (text.includes("__attribute__") && attributesOfLinkedObjects.test(text));
}

/** The names that an item declares in the scope it stands in; undefined where it does, or may do, anything else. */
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

/** What a definition fills in. */
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

/** Records whose definition was read, now or for later. */
const defined = new WeakSet<RecordSymbol>();

/** Whether a definition of the record was met, without causing it to be bound. */
export function isDefined(record: RecordSymbol): boolean {
  return defined.has(record) || record.members !== undefined;
}

/** Whether the record's definition was met and waits until somebody asks for it. */
export function isWaiting(record: RecordSymbol): boolean {
  return Object.getOwnPropertyDescriptor(record, "members")?.get !== undefined;
}

/** Has `define` run before anybody sees what it fills in of the record or finds a name in the record's scope. */
export function defineOnDemand(record: RecordSymbol, scope: Scope, define: () => void): void {
  defined.add(record);
  const restore: (() => void)[] = [];
  const { clock } = scope;
  const time = passTime(clock);
  const complete = () => {
    for (const each of restore) each();
    if (isTooDeep(clock)) record.isIncomplete = true;
    else inPast(clock, time, define);
  };
  for (const key of ofRecord) restore.push(guard(record, key, complete));
  for (const key of ofScope) restore.push(guard(scope, key, complete));
}

/** Replaces a property by one that first runs `complete`; the result puts it back. */
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
