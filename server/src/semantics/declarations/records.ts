/**
 * Declares records and enumerations. `binder.ts` binds members in the record's scope; this file decides which record a tag names,
 * and applies the attributes for its layout.
 */
import { encloses } from "../../spans.ts";
import type { Attribute, EnumSpecifier, RecordSpecifier, TypeSpecifier } from "../../syntax/ast.ts";
import { lastPart } from "../../syntax/walk.ts";
import { constantInteger } from "../expressions/constant-expressions.ts";
import { type Context, placeOf } from "../facts/context.ts";
import { scopeOfRecord, setScopeOfRecord } from "../symbols/record-scopes.ts";
import { createScope, declare, lookup, lookupIn, qualify, type Scope, tagKey, useScope } from "../symbols/scope.ts";
import { rememberClassTemplate, specializationOf } from "../templates/class-templates.ts";
import { completeClass } from "../templates/instance-members.ts";
import { recordOf } from "../types/predicates.ts";
import { type EnumeratorSymbol, type EnumSymbol, isVirtual, type Place, type RecordSymbol, type Symbol } from "../types/symbols.ts";
import { type TemplateValue, type Type, unknownType, unqualified } from "../types/types.ts";
import { bindItems } from "./binder.ts";
import { typeOfTypeId } from "./declarators.ts";
import { emitCallsIn } from "./host-calls.ts";
import { alignmentOf, emitStrayAttributes } from "./layout-attributes.ts";
import { resolveName, scopeOfQualifier, typeOfName } from "./name-resolution.ts";
import { defineOnDemand, friendsOf, isDefined, isDefinitionLazy } from "./on-demand.ts";

/** Declares or finds the record of a specifier, binds its members if there are any, and returns its type. */
export function bindRecord(context: Context, specifier: RecordSpecifier): Type {
  const part = specifier.name === undefined ? undefined : lastPart(specifier.name);
  if (part?.templateArguments !== undefined) return bindSpecialization(context, specifier);
  const scope = declaringScope(context.scope);
  const target = specifier.name === undefined || specifier.name.parts.length === 1 ? scope : scopeOfQualifier(context, specifier.name);
  if (target === undefined) return unknownType;
  const present = part === undefined ? undefined : findTag(context, specifier, target, part.text);
  if (present !== undefined && present.kind !== "record") return unknownType;
  const record = present ?? createRecord(context, specifier, target, part?.text);
  if (context.scope.kind === "template") rememberClassTemplate(context, record, specifier.body !== undefined);
  if (specifier.body !== undefined && !isDefined(record)) defineLater(context, specifier, record, target);
  return { kind: "record", record, qualifiers: unqualified };
}

/**
 * Declares S in the innermost scope for `struct S;` and `template<class T> struct S;`, even if an outer S is visible (C++17
 * §6.3.2p7, C11 §6.7.2.3p7).
 */
export function declareHere(context: Context, specifier: TypeSpecifier | undefined): void {
  if (specifier?.kind !== "record" || specifier.body !== undefined || specifier.name?.parts.length !== 1) return;
  const part = lastPart(specifier.name);
  const scope = declaringScope(context.scope);
  if (part === undefined || part.templateArguments !== undefined || lookupIn(scope, tagKey(part.text)).length > 0) return;
  if (lookupIn(scope, part.text).length === 0) createRecord(context, specifier, scope, part.text);
}

/** Binds `template<> struct P<int> { … }` or `template<class T> struct P<T *> { … }`: a separate class, which is found through P. */
function bindSpecialization(context: Context, specifier: RecordSpecifier): Type {
  if (specifier.body === undefined && context.scope.kind !== "template")
    return specifier.name === undefined ? unknownType : (typeOfName(context, specifier.name) ?? unknownType);
  const record = specializationOf(context, specifier);
  if (record === undefined) return unknownType;
  if (specifier.body !== undefined && !isDefined(record)) defineLater(context, specifier, record, undefined);
  return { kind: "record", record, qualifiers: unqualified };
}

/** An instantiation of a class template, without members so far. `scope` contains the template's parameters. */
export function createInstance(context: Context, template: RecordSymbol, values: readonly TemplateValue[], scope: Scope): RecordSymbol {
  const record: RecordSymbol = {
    ...emptyRecord(context),
    tag: template.tag,
    qualifiedName: template.qualifiedName,
    key: template.key,
    instance: { template, arguments: values },
    place: template.place,
  };
  const inner = createScope("record", scope, { name: template.tag ?? "", record });
  setScopeOfRecord(record, inner);
  // Inside of it, the template's name without arguments is this class (C++17 §17.6.1p1).
  if (template.tag !== undefined) declare(inner, template.tag, record);
  return record;
}

/** Declares an enumeration and its enumerators. */
export function bindEnum(context: Context, specifier: EnumSpecifier): Type {
  const part = specifier.name === undefined ? undefined : lastPart(specifier.name);
  const scope = declaringScope(context.scope);
  const found =
    part === undefined
      ? []
      : specifier.enumerators === undefined
        ? lookup(context.scope, tagKey(part.text))
        : lookupIn(scope, tagKey(part.text));
  const present = found.find((symbol): symbol is EnumSymbol => symbol.kind === "enum");
  const enumeration: EnumSymbol = present ?? {
    kind: "enum",
    tag: part?.text,
    isScoped: specifier.isScoped,
    underlying: undefined,
    place: placeOf(context, specifier.name?.span ?? specifier.span),
  };
  if (specifier.underlying !== undefined) enumeration.underlying = typeOfTypeId(context, specifier.underlying);
  if (present === undefined && part !== undefined) declareTag(context, scope, part.text, enumeration);
  if (specifier.enumerators !== undefined) bindEnumerators(context, specifier.enumerators, enumeration, scope);
  return { kind: "enum", enumeration, qualifiers: unqualified };
}

function bindEnumerators(
  context: Context,
  enumerators: NonNullable<EnumSpecifier["enumerators"]>,
  enumeration: EnumSymbol,
  scope: Scope,
): void {
  const inner = createScope("namespace", scope, { name: enumeration.tag ?? "" });
  if (enumeration.tag !== undefined) scope.inner.set(enumeration.tag, inner);
  let next: bigint | undefined = 0n;
  for (const { name, span, value } of enumerators) {
    if (value !== undefined) {
      next = constantInteger(context, value);
      emitCallsIn(context, value);
    }
    const symbol: EnumeratorSymbol = { kind: "enumerator", name, enumeration, value: next, place: placeOf(context, span) };
    declare(inner, name, symbol);
    if (!enumeration.isScoped) declare(scope, name, symbol);
    if (next !== undefined) next += 1n;
  }
}

function createRecord(context: Context, specifier: RecordSpecifier, scope: Scope, tag: string | undefined): RecordSymbol {
  const record: RecordSymbol = {
    ...emptyRecord(context),
    tag,
    qualifiedName: qualify(scope, tag ?? ""),
    key: specifier.key,
    place: placeOf(context, specifier.name?.span ?? specifier.span),
  };
  setScopeOfRecord(record, createScope("record", context.scope, { name: tag ?? "", record }));
  if (tag !== undefined) declareTag(context, scope, tag, record);
  return record;
}

/** A class without a name, members and bases. */
export function emptyRecord(context: Context): Omit<RecordSymbol, "tag" | "qualifiedName" | "key" | "place"> {
  return {
    kind: "record",
    members: undefined,
    functions: [],
    staticMembers: [],
    bases: [],
    isDependent: context.isTemplate,
    alignment: undefined,
    isPacked: false,
    isPolymorphic: false,
    isIncomplete: false,
    isBuiltin: context.isBuiltin,
  };
}

/** Defines a record at once if its facts are needed, otherwise when it is first needed. */
function defineLater(context: Context, specifier: RecordSpecifier, record: RecordSymbol, target: Scope | undefined): void {
  const scope = scopeOfRecord(record);
  const friends = context.isEmitting || context.within !== undefined ? undefined : friendsOf(context, specifier);
  if (scope === undefined || record.tag === undefined || friends === undefined) return defineRecord(context, specifier, record, target);
  target?.inner.set(record.tag, scope);
  defineOnDemand(record, scope, friends, () => defineRecord({ ...context, deferred: undefined }, specifier, record, target));
}

/** Binds the members; `target` is the scope in which the record's name is declared. */
export function defineRecord(context: Context, specifier: RecordSpecifier, record: RecordSymbol, target: Scope | undefined): void {
  const scope = scopeOfRecord(record);
  if (scope === undefined || specifier.body === undefined) return;
  const { members } = specifier.body;
  record.members = [];
  if (members.some(({ kind }) => kind === "unknown")) record.hasUnreadText = true;
  record.bases = basesOf(context, specifier);
  for (const base of record.bases) {
    const inherited = base.kind === "record" ? scopeOfRecord(base.record) : undefined;
    if (inherited !== undefined) useScope(scope, inherited);
  }
  for (const base of record.bases) completeClass(context, base, specifier.span);
  for (const attribute of specifier.attributes) readLayoutAttribute(context, record, attribute);
  emitStrayAttributes(context, specifier.attributes, "type");
  if (record.tag !== undefined) target?.inner.set(record.tag, scope);
  const isLocal = context.within !== undefined;
  const deferred = context.deferred ?? [];
  bindItems({ ...context, scope, within: isLocal ? context.within : undefined, deferred }, members);
  describeClass(context, specifier, record);
  if (isTooLarge(record) || containsItself(record)) {
    record.bases = record.bases.map(() => unknownType);
    record.members = [];
    record.isIncomplete = true;
  }
  // The class is complete in the bodies of its members (C++17 §12.2p6).
  if (context.deferred === undefined) for (const walk of deferred) walk();
  if (context.isEmitting) context.program.facts.records.push(record);
}

function basesOf(context: Context, specifier: RecordSpecifier): readonly Type[] {
  return specifier.bases.map((name) => typeOfName(context, name) ?? unknownType);
}

/** How deeply a record nests bases and members, and their number with repetitions. */
interface Extent {
  readonly height: number;
  readonly count: number;
}

const extents = new WeakMap<RecordSymbol, Extent>();
// The limit on both numbers. A question about a class visits its parts, recursively and with repetitions.
const highest = 200;
const mostParts = 4_096;

/** True for a record that nests too deeply, or has too many records in it, to be examined. */
function isTooLarge(record: RecordSymbol): boolean {
  let height = 0;
  let count = 1;
  for (const type of [...record.bases, ...(record.members ?? []).map((member) => member.type)]) {
    const part = recordOf(type);
    // A lazy definition is needed now: only a complete class can be a member or base (C++17 §12.2p9).
    const extent = part?.members === undefined ? undefined : extents.get(part);
    if (extent === undefined) continue;
    height = Math.max(height, extent.height);
    count += extent.count;
  }
  const isTooLarge = height >= highest || count > mostParts;
  extents.set(record, isTooLarge ? { height: 0, count: 1 } : { height: height + 1, count });
  return isTooLarge;
}

/**
 * True if a base or a member, at any depth, has the type that is being defined. Its size would be infinite, so C++17 §12.2p17 and
 * C11 §6.7.2.1p3 forbid it.
 */
function containsItself(record: RecordSymbol): boolean {
  const seen = new Set<RecordSymbol>();
  const open = [record];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    // A lazy record is checked when it is defined.
    if (isDefinitionLazy(next)) continue;
    for (const type of [...next.bases, ...(next.members ?? []).map((member) => member.type)]) {
      const part = recordOf(type);
      if (part === record) return true;
      if (part === undefined || seen.has(part)) continue;
      seen.add(part);
      open.push(part);
    }
  }
  return false;
}

/** The properties of a class that affect its layout besides its members (Itanium C++ ABI §2.2, 2.4). */
function describeClass(context: Context, specifier: RecordSpecifier, record: RecordSymbol): void {
  const bases = record.bases.flatMap((base) => (base.kind === "record" ? [base.record] : []));
  record.hasVirtualBase = specifier.hasVirtualBase === true || bases.some((base) => base.hasVirtualBase === true);
  record.isPolymorphic = record.functions.some(isVirtual) || record.hasVirtualBase || bases.some(({ isPolymorphic }) => isPolymorphic);
  record.hasAccessLabels = specifier.body?.members.some(({ kind }) => kind === "access") ?? false;
  const accessOf = accessesIn(context, specifier);
  if (record.hasAccessLabels) record.hasMixedAccess = new Set((record.members ?? []).map(accessOf)).size > 1;
  for (const each of record.functions) {
    const access = each.declarations[0] === undefined ? "public" : accessOf(each.declarations[0]);
    if (access === "private" || access === "protected") each.access = access;
  }
  const isWithin = ({ place }: TagSymbol) => place?.unit === context.unit && encloses(specifier.span, place.span);
  for (const each of record.hasUnreadText === true ? [] : typesIn(record).filter(isWithin)) {
    const access = each.place === undefined ? "public" : accessOf({ place: each.place });
    if (access === "private" || access === "protected") hide(each, access, isWithin);
  }
}

type TagSymbol = RecordSymbol | EnumSymbol;

/** The classes and enumerations whose names a class declares, or takes over from a base. */
function typesIn(record: RecordSymbol): readonly TagSymbol[] {
  const names = scopeOfRecord(record)?.names.values() ?? [];
  return [...names]
    .flat()
    .filter((symbol): symbol is TagSymbol => symbol.kind === "enum" || (symbol.kind === "record" && symbol !== record));
}

/** Notes that a type is not public, and with it all types inside. */
function hide(type: TagSymbol, access: "private" | "protected", isWithin: (inner: TagSymbol) => boolean): void {
  if (type.access !== undefined) return;
  type.access = access;
  if (type.kind === "record") for (const inner of typesIn(type).filter(isWithin)) hide(inner, access, isWithin);
}

/** The access of a declaration in a class: that of the last label before it, or the default one (C++17 §14.1p3). */
function accessesIn({ unit }: Context, { body, key }: RecordSpecifier): (declaration: { readonly place: Place }) => string {
  const labels = (body?.members ?? []).filter(({ kind }) => kind === "access");
  return ({ place }) => {
    const label = labels.filter(({ span }) => place.unit === unit && span.start < place.span.start).pop();
    const written = label === undefined ? undefined : /\w+/.exec(unit.view.text.slice(label.span.start, label.span.end))?.[0];
    return written ?? (key === "class" ? "private" : "public");
  };
}

/** Applies `aligned(n)`, `aligned` or `packed`, before a record's body or after it. An alignment that cannot be evaluated is NaN. */
export function readLayoutAttribute(context: Context, record: RecordSymbol, attribute: Attribute): void {
  if (attribute.name === "packed") record.isPacked = true;
  if (/^device_builtin_(texture|surface)_type$/.test(attribute.name)) record.isDeviceReference = true;
  if (attribute.name === "aligned") record.alignment = Math.max(record.alignment ?? 0, alignmentOf(context, attribute));
}

/** Declares a tag. Tags have a name space of their own in C (C11 §6.2.3); in C++ they are ordinary names too. */
function declareTag(context: Context, scope: Scope, tag: string, symbol: RecordSymbol | EnumSymbol): void {
  declare(scope, tagKey(tag), symbol);
  if (context.dialect.cplusplus) declare(scope, tag, symbol);
}

function findTag(context: Context, specifier: RecordSpecifier, target: Scope, tag: string): Symbol | undefined {
  const isHere = specifier.body !== undefined || (specifier.name !== undefined && specifier.name.parts.length > 1);
  const found = isHere ? lookupIn(target, tagKey(tag)) : lookup(context.scope, tagKey(tag));
  if (found.length > 0) return found.find((symbol) => symbol.kind === "record");
  if (isHere || specifier.name === undefined) return undefined;
  return resolveName(context, specifier.name).find((symbol) => symbol.kind === "unknown");
}

/** The scope that a declaration belongs to. A template's scope contains only its parameters, so the result is the scope around it. */
export function declaringScope(scope: Scope): Scope {
  return scope.kind === "template" && scope.parent !== undefined ? declaringScope(scope.parent) : scope;
}
