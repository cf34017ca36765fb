/**
 * CUDA: records that device code calls a function without `__device__`, explicitly or by creating, copying, converting or destroying
 * an object, and that host code calls one that is for the device alone. Only calls of one certain function are recorded.
 * `host-function-in-device-code` and `device-function-in-host-code` decide which of them are mistakes.
 */
import type { ViewSpan } from "../../source.ts";
import type { Expression } from "../../syntax/ast.ts";
import { conversionFunctions, costInCplusplus, costOfObject } from "../expressions/conversion-costs.ts";
import { type Context, emptySink, placeOf } from "../facts/context.ts";
import type { Value } from "../facts/evaluator.ts";
import type { AccessFact, SideCallFact } from "../facts/facts.ts";
import { constructorsOf, isExplicit, takes } from "../symbols/candidates.ts";
import { scopeOfRecord } from "../symbols/record-scopes.ts";
import { innermostElement, isDefinedClass } from "../types/predicates.ts";
import type { FunctionSymbol, RecordSymbol, VariableSymbol } from "../types/symbols.ts";
import { isOpaqueToUs, type Type } from "../types/types.ts";

/** Records the call of a function, if the code runs on a side where no declaration so far puts the function. */
export function emitHostCall(
  context: Context,
  callee: FunctionSymbol | undefined,
  as: SideCallFact["as"],
  span: ViewSpan,
  more: Pick<SideCallFact, "whole" | "isExact"> = {},
): void {
  const calls = callee === undefined ? undefined : callsAcross(context, callee);
  if (callee === undefined || calls === undefined) return;
  calls.push({
    callee,
    as,
    ...more,
    place: placeOf(context, span),
    within: context.within,
    ...(context.lambda === undefined ? {} : { lambda: context.lambda }),
  });
}

/** The facts that record a call of the function here; undefined if it stays on one side. */
function callsAcross(context: Context, callee: FunctionSymbol): SideCallFact[] | undefined {
  if (!runsOnDevice(callee)) return isDeviceCode(context) ? context.program.facts.hostCalls : undefined;
  return isForDeviceAlone(callee) && isHostCode(context) ? context.program.facts.deviceCalls : undefined;
}

function isForDeviceAlone({ declarations }: FunctionSymbol): boolean {
  return declarations.every(({ execution }) => execution.device && !execution.host && !execution.kernel);
}

/** True in a function that the host's compiler compiles, unless a lambda in it is for the device alone. */
function isHostCode({ dialect, isEmitting, isUnevaluated, isTemplate, within, lambda, initializing }: Context): boolean {
  if (initializing !== undefined && isStatic(initializing)) return false;
  if (dialect.language !== "cuda" || !isEmitting || isUnevaluated === true || isTemplate || within === undefined) return false;
  for (let at = lambda; at !== undefined; at = at.enclosing) if (runsOnDevice(at)) return at.declarations[0]?.execution.host === true;
  return !within.declarations.some(({ execution }) => execution.kernel) && within.declarations.some(({ execution }) => execution.host);
}

/** True for code that runs on the device, and whose facts are wanted. A template's own text has none, only its instantiations do. */
function isDeviceCode({ dialect, isEmitting, isUnevaluated, isTemplate, within, lambda, initializing }: Context): boolean {
  // Another rule judges the initializers of objects in device memory, which the compiler evaluates.
  if (initializing !== undefined && isStatic(initializing)) return false;
  if (dialect.language !== "cuda" || !isEmitting || isUnevaluated === true || isTemplate) return false;
  if (within !== undefined && runsOnDevice(within)) return true;
  for (let at = lambda; at !== undefined; at = at.enclosing) if (runsOnDevice(at)) return true;
  return false;
}

function runsOnDevice({ declarations }: FunctionSymbol): boolean {
  return declarations.some(({ execution }) => execution.device || execution.kernel);
}

/** Records the constructor and the destructor that an object of automatic storage duration calls. */
export function emitLifetime(context: Context, variable: VariableSymbol): void {
  const { scope, type, initializer, place } = variable;
  if (scope !== "block" || isStatic(variable)) return;
  const element = innermostElement(type);
  if (element.kind !== "record") return;
  if (!isDeviceCode(context)) {
    const [only, ...others] = initializer === undefined && type.kind === "record" ? constructorsOf(element.record) : [];
    if (others.length === 0 && only !== undefined && takes(only, 0)) emitHostCall(context, only, "constructor", place.span);
    return;
  }
  if (initializer === undefined) emitDefaultConstruction(context, element.record, place.span);
  emitPart(context, element.record, "destructor", place.span);
}

function isStatic({ memorySpace, words }: VariableSymbol): boolean {
  return memorySpace !== undefined || words.some(({ text }) => text === "static" || text === "extern");
}

/** Records the default constructor that initializes an object, or those of its parts. */
export function emitDefaultConstruction(context: Context, record: RecordSymbol, span: ViewSpan): void {
  if (!isDeviceCode(context)) return;
  emitPart(context, record, "constructor", span);
  emitMemberDefaults(context, record, span, 0);
}

/**
 * Records what the default member initializers of a class without constructors read outside of the object. The implicit constructor
 * evaluates them where the object is created (C++17 §15.6.2p9).
 */
function emitMemberDefaults(context: Context, record: RecordSymbol, span: ViewSpan, depth: number): void {
  const scope = scopeOfRecord(record);
  const isImplicit = isDefinedClass(record) && constructorsOf(record).every(isDefaulted) && !record.isDependent;
  if (depth > deepest || scope === undefined || !isImplicit || record.key === "union") return;
  const { program } = context;
  for (const {
    initializer,
    type,
    place: { unit },
  } of record.members ?? []) {
    const element = innermostElement(type);
    if (initializer === undefined && element.kind === "record") emitMemberDefaults(context, element.record, span, depth + 1);
    const values = initializer?.kind === "value" ? [initializer.value] : initializer?.kind === "direct" ? initializer.arguments : [];
    for (const value of values.filter((each) => !isPlain(each))) {
      const accesses: AccessFact[] = [];
      const facts = { ...program.facts, ...emptySink(), accesses };
      program.evaluator.convertInto({ ...context, unit, scope, program: { ...program, facts } }, value, type, undefined, "initialize");
      for (const access of accesses) {
        const root = access.path.root?.scope;
        if (root === "program" || root === "static-member")
          program.facts.accesses.push({ ...access, place: placeOf(context, span), written: access.written ?? access.place });
      }
    }
  }
  for (const base of record.bases) if (base.kind === "record") emitMemberDefaults(context, base.record, span, depth + 1);
}

/** True for a literal, which reads nothing. */
function isPlain({ kind }: Expression): boolean {
  return kind === "number" || kind === "boolean" || kind === "nullptr" || kind === "character" || kind === "string";
}

function emitPart(context: Context, record: RecordSymbol, as: "constructor" | "destructor", span: ViewSpan): void {
  const found = as === "constructor" ? defaultConstructorOf(record, 0) : destructorOf(record, 0);
  if (found !== undefined) emitHostCall(context, found, as, span, found.record === record ? {} : { whole: record });
}

const deepest = 20;

/** The user-provided default constructor of a class; for an implicit one, the first that it calls for a part and that is not for the device. */
function defaultConstructorOf(record: RecordSymbol, depth: number): FunctionSymbol | undefined {
  if (depth > deepest || !isDefinedClass(record) || record.key === "union") return undefined;
  const own = constructorsOf(record);
  const [only, ...others] = own.filter((each) => takes(each, 0));
  if (own.length > 0 && (only === undefined || others.length > 0 || only.isTemplate)) return undefined;
  if (only !== undefined && !isDefaulted(only)) return only;
  const uninitialized = (record.members ?? []).filter(({ initializer }) => initializer === undefined).map(({ type }) => type);
  return firstOnHost([...record.bases, ...uninitialized], (part) => defaultConstructorOf(part, depth + 1));
}

function destructorOf(record: RecordSymbol, depth: number): FunctionSymbol | undefined {
  if (depth > deepest || !isDefinedClass(record) || record.key === "union") return undefined;
  const own = record.functions.find(({ name }) => name.startsWith("~"));
  if (own !== undefined && !isDefaulted(own)) return own;
  return firstOnHost([...record.bases, ...(record.members ?? []).map(({ type }) => type)], (part) => destructorOf(part, depth + 1));
}

function firstOnHost(parts: readonly Type[], of: (part: RecordSymbol) => FunctionSymbol | undefined): FunctionSymbol | undefined {
  for (const part of parts) {
    const element = innermostElement(part);
    const found = element.kind === "record" ? of(element.record) : undefined;
    if (found !== undefined && !runsOnDevice(found)) return found;
  }
  return undefined;
}

function isDefaulted({ declarations }: FunctionSymbol): boolean {
  return declarations.some(({ special }) => special === "default" || special === "delete");
}

/** Records the function that an implicit conversion of a value calls: a conversion function, a converting or a copying constructor. */
export function emitConversionCall(context: Context, value: Value, to: Type, isReturn: boolean, span: ViewSpan): void {
  if ((value.type.kind !== "record" && to.kind !== "record") || !isDeviceCode(context)) return;
  if (to.kind === "record") {
    const constructor = constructorFor(context, value, to.record, isReturn);
    if (constructor !== undefined) emitHostCall(context, constructor, "constructor", span);
  } else if (value.type.kind === "record" && (to.kind === "arithmetic" || to.kind === "pointer")) {
    const all = conversionFunctions(value.type.record) ?? [];
    const [only] = all;
    if (only === undefined || all.length > 1 || only.isTemplate || typeof costOfObject(value.type, only) !== "number") return;
    emitHostCall(context, only, "conversion", span);
  }
}

function constructorFor(context: Context, value: Value, record: RecordSymbol, isReturn: boolean): FunctionSymbol | undefined {
  const from = value.type;
  if (!isDefinedClass(record) || isOpaqueToUs(from) || value.functions !== undefined) return undefined;
  const all = constructorsOf(record).filter((each) => takes(each, 1));
  if (all.some(({ isTemplate }) => isTemplate)) return undefined;
  if (from.kind === "record" && from.record === record) {
    // A value is not copied, and neither is an object that its function returns.
    if (!value.isLvalue || isReturn) return undefined;
    const copying = all.filter(({ type: { parameters } }) => isReferenceTo(parameters[0], record));
    return copying.length === 1 && !copying.some(isDefaulted) ? copying[0] : undefined;
  }
  if (from.kind === "record") return undefined;
  const [only, ...others] = all.filter((each) => !isExplicit(each) && !isReferenceTo(each.type.parameters[0], record, true));
  const parameter = only?.type.parameters[0];
  if (only === undefined || others.length > 0 || parameter === undefined || isDefaulted(only)) return undefined;
  return typeof costInCplusplus(context, value, parameter) === "number" ? only : undefined;
}

function isReferenceTo(type: Type | undefined, record: RecordSymbol, isAny = false): boolean {
  return type?.kind === "reference" && (isAny || !type.isRvalue) && type.referent.kind === "record" && type.referent.record === record;
}

/** Records a call that names a function or an object, if it is certain to mean the one that was found. */
export function emitWrittenCall(
  context: Context,
  callee: FunctionSymbol | undefined,
  values: readonly Value[],
  span: ViewSpan,
  isCertain: (callee: FunctionSymbol) => boolean,
): void {
  if (callee === undefined || callsAcross(context, callee) === undefined || !isCertain(callee)) return;
  const costs = values.map((value, index) => {
    const parameter = callee.type.parameters[index];
    return parameter === undefined ? undefined : costInCplusplus(context, value, parameter);
  });
  const isExact = !callee.isTemplate && costs.every((cost) => typeof cost === "number" && cost <= 1);
  // The only function with the name may still not be the one that is meant.
  if (callee.record === undefined && !callee.isTemplate && costs.some((cost) => typeof cost !== "number")) return;
  emitHostCall(context, callee, "call", span, { isExact });
}

/** True if the function certainly accepts the arguments, so that no implicit copy is meant instead of the only constructor. */
export function accepts(context: Context, { type, isTemplate }: FunctionSymbol, values: readonly Value[]): boolean {
  return (
    isTemplate ||
    values.every((value, index) => {
      const parameter = type.parameters[index];
      return parameter !== undefined && typeof costInCplusplus(context, value, parameter) === "number";
    })
  );
}

/** Records the calls in a constant expression, such as an array bound, that is not walked for other facts. */
export function emitHostCallsIn(context: Context, expression: Expression): void {
  if (!isDeviceCode(context) || !mayCall(expression)) return;
  const { program } = context;
  const facts = { ...emptySink(), hostCalls: program.facts.hostCalls };
  program.evaluator.evaluate({ ...context, program: { ...program, facts } }, expression);
}

function mayCall(e: Expression): boolean {
  if (e.kind === "parenthesized") return mayCall(e.inner);
  if (e.kind === "binary") return mayCall(e.left) || mayCall(e.right);
  return e.kind === "call";
}
