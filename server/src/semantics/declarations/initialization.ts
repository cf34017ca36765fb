/**
 * Decides when a variable of static storage duration is initialized: at compile time (constant initialization, C++17 §6.6.2p2), or
 * at program start. A variable in device memory must be initialized at compile time, and so must a host constant whose value device
 * code uses. `non-constant-parts.ts` finds the part of an initializer that is not constant.
 */
import type { Expression, Initializer } from "../../syntax/ast.ts";
import { hasWord, valuesOf } from "../../syntax/walk.ts";
import { runtimePart } from "../expressions/non-constant-parts.ts";
import type { Context } from "../facts/context.ts";
import { evaluate } from "../facts/evaluator.ts";
import { constructorsOf, isExplicit, takes } from "../symbols/candidates.ts";
import { scopeOfRecord } from "../symbols/record-scopes.ts";
import { isDefaulted } from "../symbols/special-functions.ts";
import { hasEmptyBody } from "../types/bodies.ts";
import { isDefinedClass, recordOf } from "../types/predicates.ts";
import {
  type FunctionDeclaration,
  type FunctionSymbol,
  isConstexprFunction,
  isVirtual,
  type RecordSymbol,
  type VariableSymbol,
} from "../types/symbols.ts";
import { containsUnknown, isOpaqueToUs, referred, type Type } from "../types/types.ts";
import { haveSameSignature } from "./function-signatures.ts";
import { typeOfName } from "./name-resolution.ts";

/** Constant or dynamic; undefined if that is unknown, or if another declaration has the initializer. */
export function initializationOf(context: Context, variable: VariableSymbol): VariableSymbol["initialization"] {
  if (context.dialect.language !== "cuda" || !isStatic(variable) || (!variable.isDefinition && variable.initializer === undefined))
    return undefined;
  if (containsUnknown(variable.type) || variable.isDependent) return undefined;
  const { initializer } = variable;
  const record = recordOf(variable.type);
  if (record !== undefined && (record.isIncomplete || record.isDependent || record.members === undefined)) return undefined;
  if (initializer === undefined)
    return record !== undefined &&
      (isBuiltAtRuntime(record, 0) || isPartlyInitialized(context, record) || hasRuntimeDefault(context, record, 0))
      ? "dynamic"
      : "constant";
  if (runtimePart(context, variable.type.kind === "reference" ? bound(initializer) : initializer, variable.type) !== undefined)
    return "dynamic";
  return record !== undefined && variable.type.kind === "record" && isConstructedAtRuntime(context, record, valuesOf(initializer))
    ? "dynamic"
    : "constant";
}

/**
 * HIP: true if the initializer of an object of a class certainly does more than call a constructor that is trivial, or empty and without
 * parameters. Clang accepts no other for shared memory; a list that initializes an aggregate calls no constructor.
 */
export function hasEffect(context: Context, { type, initializer }: VariableSymbol): boolean {
  if (initializer === undefined || type.kind === "array") return initializer !== undefined;
  const values = valuesOf(initializer);
  const only = values.length === 1 ? values[0] : undefined;
  const record = type.kind === "record" ? type.record : undefined;
  const created = only === undefined ? undefined : createdBy(only);
  if (only?.kind === "list") return listHasEffect(context, record, only);
  if (only === undefined || created === undefined || record === undefined || !mayBeCopied(context, only, record))
    return passesValues(context, values);
  return created.kind === "list" ? listHasEffect(context, record, created) : passesValues(context, created.arguments);
}

/** What is between the parentheses or braces of `T(a)` and `T{a}`. */
function createdBy(e: Expression): Extract<Expression, { kind: "list" | "call" | "construct" }> | undefined {
  if (e.kind === "parenthesized") return createdBy(e.inner);
  if (e.kind === "compound-literal") return e.value.kind === "list" ? e.value : undefined;
  return e.kind === "call" || e.kind === "construct" ? e : undefined;
}

function listHasEffect(context: Context, record: RecordSymbol | undefined, { elements }: Extract<Expression, { kind: "list" }>): boolean {
  if (elements.length > 0)
    return passesValues(
      context,
      elements.map(({ value }) => value),
    );
  if (record === undefined || !isDefinedClass(record)) return false;
  return isAggregate(context, record) || isBuiltAtRuntime(record, 0) || defaultsOf(record).sets;
}

/** True if the values are passed to members, or to parameters of a constructor that does not copy an object. */
function passesValues(context: Context, values: readonly Expression[]): boolean {
  const [only, ...more] = values;
  if (only === undefined || more.length > 0) return more.length > 0;
  const { type } = evaluate({ ...context, isEmitting: false }, only);
  return only.kind !== "list" && !isOpaqueToUs(type) && type.kind !== "record";
}

/** True for a class without bases whose objects a list certainly initializes member by member (C++17 §11.6.1p1). */
function isAggregate({ dialect }: Context, record: RecordSymbol): boolean {
  const mayDefault = dialect.language === "cuda" && dialect.standard < 20;
  const isPlain = record.key !== "class" && record.hasAccessLabels !== true && record.bases.length === 0 && !record.isPolymorphic;
  return isPlain && constructorsOf(record).every((each) => mayDefault && isDefaulted(each) && !isExplicit(each));
}

/** The initializer of a reference, as the address of its referent. */
function bound(initializer: Initializer): Initializer {
  const { span } = initializer;
  return initializer.kind === "value"
    ? { kind: "value", value: { kind: "unary", operator: "&", operand: initializer.value, span }, span }
    : initializer;
}

/**
 * True if the variable is initialized before the program runs. This includes a constexpr variable of a block, which the compiler
 * initializes.
 */
function isStatic({ scope, words, memorySpace }: VariableSymbol): boolean {
  if (scope === "program" || scope === "static-member") return true;
  return scope === "block" && (memorySpace !== undefined || hasWord(words, "static", "constexpr"));
}

/** `T(a)`, `{a}` and `T{a}` call a constructor if the record has one; any other initializer copies a value. */
function isConstructedAtRuntime(context: Context, record: RecordSymbol, values: readonly Expression[]): boolean {
  const only = values.length === 1 ? values[0] : undefined;
  if (only?.kind === "list") {
    const [first, ...more] = only.elements;
    const chosen = first === undefined || more.length > 0 ? undefined : closest(context, record, first.value);
    return isBuiltAtRuntime(record, only.elements.length, true, chosen);
  }
  if (only?.kind === "compound-literal" && only.value.kind === "list") return isBuiltAtRuntime(record, only.value.elements.length);
  if (only?.kind === "call" && only.function.kind === "name") {
    const type = typeOfName(context, only.function.name);
    if (type !== undefined) return type.kind === "record" && type.record === record && isBuiltAtRuntime(record, only.arguments.length);
    return false;
  }
  return isBuiltAtRuntime(
    record,
    values.length,
    only === undefined || !mayBeCopied(context, only, record),
    only === undefined ? undefined : closest(context, record, only),
  );
}

/**
 * The constructors that fit best among several: one that takes a number without a conversion, or else the templates, which need no
 * conversion either (C++17 §16.3.3p1).
 */
function closest(context: Context, record: RecordSymbol, value: Expression): readonly FunctionSymbol[] | undefined {
  const own = constructorsTaking(record, 1);
  const { type } = evaluate({ ...context, isEmitting: false }, value);
  if (own.length < 2 || type.kind !== "arithmetic") return undefined;
  const parameterOf = ({ type: { parameters } }: FunctionSymbol) => (parameters[0] === undefined ? undefined : referred(parameters[0]));
  const exact = own.filter((each) => {
    const parameter = parameterOf(each);
    return !each.isTemplate && parameter?.kind === "arithmetic" && parameter.name === type.name;
  });
  if (exact.length === 1) return exact;
  const templates = own.filter((each) => each.isTemplate && parameterOf(each)?.kind === "dependent");
  const isOpen = own.some((each) => {
    const parameter = parameterOf(each);
    // A constructor that is not a template is preferred if its unknown parameter needs no conversion.
    return each.isTemplate
      ? parameter?.kind !== "pointer" && !templates.includes(each)
      : parameter === undefined || containsUnknown(parameter);
  });
  return exact.length === 0 && templates.length === 1 && !isOpen ? templates : undefined;
}

/** True if the value may be an object of the class, which its own constructors copy. */
function mayBeCopied(context: Context, value: Expression, record: RecordSymbol): boolean {
  const { type } = evaluate({ ...context, isEmitting: false }, value);
  return isOpaqueToUs(type) || (type.kind === "record" && type.record === record);
}

/** True if constructing an object from this many arguments calls a constructor that is not constexpr: its own, a member's or a base's. */
function isBuiltAtRuntime(
  record: RecordSymbol,
  count: number,
  mayUseTemplates = true,
  chosen: readonly FunctionSymbol[] | undefined = undefined,
): boolean {
  if (record.isIncomplete || record.isDependent) return false;
  const own = chosen ?? constructorsTaking(record, count);
  if (!mayUseTemplates && own.some(({ isTemplate }) => isTemplate)) return false;
  const written = own.filter(({ declarations }) => !declarations.some(({ special }) => special === "default"));
  if (written.length > 0) return written.every((each) => !isConstexprFunction(each) && !isTrivialBody(record, each, count));
  if (count > 0) return false;
  // The pointer to virtual functions is a constant, but a constructor that leaves a member uninitialized is not constant.
  if (record.hasVirtualBase === true || (record.isPolymorphic && defaultsOf(record).open)) return true;
  return partsOf(record).some((part) => isBuiltAtRuntime(part, 0));
}

/** True for an empty constructor of a plain record, which has no effect (CUDA C++ Programming Guide, device memory space specifiers). */
function isTrivialBody(record: RecordSymbol, constructor: FunctionSymbol, count: number): boolean {
  const definition = definitionOf(constructor);
  if (definition === "open") return true;
  if (definition === undefined || !hasEmptyBody(definition) || definition.hasMemberInitializers === true) return false;
  const takesNothing = definition.parameters.every(({ symbol }) => symbol.isPack === true && count === 0);
  if (record.isPolymorphic || !takesNothing) return false;
  return (
    (record.members ?? []).every(({ initializer }) => initializer === undefined) &&
    partsOf(record).every((part) => !isBuiltAtRuntime(part, 0))
  );
}

/**
 * The definition of a member function. A member of an instantiated class template may be defined outside of the class, for all
 * arguments; "open" if that is unknown.
 */
function definitionOf({ declarations, name, record, type }: FunctionSymbol): FunctionDeclaration | "open" | undefined {
  const own = declarations.find(({ isDefinition }) => isDefinition);
  if (own !== undefined || record?.instance === undefined) return own;
  const { template } = record.instance;
  const inTemplate = template.functions.filter((each) => each.name === name && each.type.parameters.length === type.parameters.length);
  // The primary template does not define the members of a partial specialization.
  return inTemplate.length === 1 ? inTemplate[0]?.declarations.find(({ isDefinition }) => isDefinition) : "open";
}

function constructorsTaking(record: RecordSymbol, count: number): readonly FunctionSymbol[] {
  const all = ofDevice(constructorsOf(record).filter((each) => takes(each, count)));
  // Without arguments all fit equally, so one that is not a template is chosen (C++17 §16.3.3p1).
  const plain = count === 0 ? all.filter(({ isTemplate }) => !isTemplate) : [];
  return plain.length > 0 ? plain : all;
}

/**
 * The functions without those that run on the host and of which there is another for the device, with the same parameters. Clang
 * allows that, and calls the device's for objects in device memory.
 */
function ofDevice(functions: readonly FunctionSymbol[]): readonly FunctionSymbol[] {
  if (functions.length < 2) return functions;
  const runsOnDevice = ({ declarations }: FunctionSymbol) => declarations.some(({ execution }) => execution.device);
  const parametersOf = ({ declarations: [first] }: FunctionSymbol) => first?.parameters ?? [];
  return functions.filter(
    (each) =>
      runsOnDevice(each) || !functions.some((other) => runsOnDevice(other) && haveSameSignature(parametersOf(each), parametersOf(other))),
  );
}

/** The records that are bases and members of a record, and are created and destroyed with it: none for a union (C++17 §12.3p1). */
function partsOf(record: RecordSymbol): readonly RecordSymbol[] {
  if (record.key === "union") return [];
  const bases = record.bases.map(recordOf);
  const members = (record.members ?? []).map(({ type }) => recordOf(type));
  return [...bases, ...members].filter((part) => part !== undefined);
}

/** The effect of default initialization on an object: it `sets` some part, and it leaves some part `open`. */
export function defaultsOf(record: RecordSymbol, depth = 0): { readonly sets: boolean; readonly open: boolean } {
  const nothing = { sets: false, open: false };
  if (depth > 20 || record.members === undefined || record.isIncomplete || record.isDependent) return nothing;
  const own = constructorsTaking(record, 0);
  const written = own.filter(({ declarations }) => !declarations.some(({ special }) => special === "default"));
  if (written.length > 0)
    return written.every((each) => isTrivialBody(record, each, 0))
      ? { sets: false, open: record.members.length > 0 }
      : { sets: true, open: false };
  const parts = [
    ...record.members.map((member) => defaultsOfMember(member, depth)),
    ...record.bases.map((base) => defaultsOfType(base, depth)),
  ];
  const sets = record.isPolymorphic || parts.some((part) => part.sets);
  // Initializing one member of a union initializes all of it.
  return { sets, open: record.key === "union" ? !sets && parts.length > 0 : parts.some((part) => part.open) };
}

function defaultsOfMember(member: VariableSymbol, depth: number): ReturnType<typeof defaultsOf> {
  return member.initializer === undefined ? defaultsOfType(member.type, depth) : { sets: true, open: false };
}

function defaultsOfType(type: Type, depth: number): ReturnType<typeof defaultsOf> {
  const record = recordOf(type);
  if (record !== undefined) return defaultsOf(record, depth + 1);
  return { sets: false, open: !containsUnknown(type) };
}

/**
 * True if default initialization sets some members and leaves others open. Before C++20 such an implicit constructor is not a
 * constant expression (C++17 §10.1.5p4.5).
 */
function isPartlyInitialized({ dialect }: Context, record: RecordSymbol): boolean {
  if (dialect.language !== "cuda" || dialect.standard >= 20) return false;
  const { sets, open } = defaultsOf(record);
  return sets && open;
}

/** True if some default member initializer is not constant. */
function hasRuntimeDefault(context: Context, record: RecordSymbol, depth: number): boolean {
  if (depth > 20 || constructorsOf(record).length > 0) return false;
  const scope = scopeOfRecord(record);
  if (
    scope !== undefined &&
    (record.members ?? []).some(({ initializer }) => runtimePart({ ...context, scope }, initializer) !== undefined)
  )
    return true;
  return partsOf(record).some((part) => hasRuntimeDefault(context, part, depth + 1));
}

/** The function that makes the destructor nontrivial: the object's own or a part's. */
export function destructorOf(record: RecordSymbol): FunctionSymbol | undefined {
  const own = record.functions.find(({ name }) => name.startsWith("~"));
  if (own !== undefined && (isVirtual(own) || (!own.declarations.some(({ special }) => special === "default") && !isEmptyBody(own))))
    return own;
  for (const part of partsOf(record)) {
    const inner = destructorOf(part);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

function isEmptyBody(symbol: FunctionSymbol): boolean {
  const definition = definitionOf(symbol);
  return definition === "open" || (definition !== undefined && hasEmptyBody(definition));
}
