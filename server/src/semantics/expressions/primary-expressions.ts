/** Evaluates names, `this` and literals: the object or functions that a name refers to, and the type. */
import type { ViewSpan } from "../../source.ts";
import type { Expression } from "../../syntax/ast.ts";
import { hasWord, lastPart } from "../../syntax/walk.ts";
import { missFeature } from "../declarations/access-qualifiers.ts";
import { builtinFunctions } from "../declarations/builtin-functions.ts";
import { emitFunctionPointer } from "../declarations/declarators.ts";
import { objectSpace } from "../declarations/methods.ts";
import { resolveName } from "../declarations/name-resolution.ts";
import { checkCapture, isConstCopy } from "../facts/captures.ts";
import { type Context, isOpenCL, placeOf } from "../facts/context.ts";
import type { Value } from "../facts/evaluator.ts";
import { functionsOf } from "../symbols/scope.ts";
import { emitInstantiation, instantiateFunction } from "../templates/function-templates.ts";
import { emitRuntimeArguments } from "../templates/non-constant-arguments.ts";
import { instantiateVariable } from "../templates/variable-templates.ts";
import type { Symbol, VariableSymbol } from "../types/symbols.ts";
import {
  type ArrayType,
  addQualifiers,
  arithmetic,
  pointerTo,
  type Qualifiers,
  type Type,
  unknownType,
  unqualified,
} from "../types/types.ts";
import { counted } from "./expressions.ts";
import { memberType } from "./implicit-conversion.ts";
import { copyImplicitly, isConstInLambda } from "./lambdas.ts";
import { lvalue, unknownValue } from "./values.ts";

/** The functions that a call names; the call decides which instantiation of a template is meant. */
export function evaluateCalledName(context: Context, e: Extract<Expression, { kind: "name" }>): Value {
  return counted(context, evaluateName(context, e, true));
}

/** The value of a name; for functions, all that it may refer to. */
export function evaluateName(context: Context, e: Extract<Expression, { kind: "name" }>, isCalled = false): Value {
  const part = lastPart(e.name);
  if (part === undefined || part.templateArguments !== undefined) {
    const named = resolveName(context, e.name);
    const [symbol] = named.length === 1 && part?.templateArguments !== undefined ? named : [];
    const variable = symbol?.kind === "unknown" ? instantiateVariable(context, symbol, part?.templateArguments ?? []) : undefined;
    if (part !== undefined && variable !== undefined) {
      refer(context, [variable], part.span);
      return valueOfSymbol(context, variable) ?? unknownValue;
    }
    const isBuiltin = named.length === 0 && part !== undefined && e.name.parts.length === 1;
    const functions = isBuiltin ? builtinFunctions(context, part.text) : functionsOf(named);
    if (part !== undefined) refer(context, functions, part.span);
    if (part !== undefined && functions.length > 0 && !isCalled) emitFunctionPointer(context, "address", part.span);
    emitRuntimeArguments(context, functions, part?.templateArguments ?? []);
    const only = functions.length === 1 && !isCalled ? functions[0] : undefined;
    const instance = only === undefined ? undefined : instantiateFunction(context, only, part?.templateArguments, []);
    if (only !== undefined && instance !== undefined) emitInstantiation(context, only, instance, part?.templateArguments, [], e.span);
    return functions.length > 0 ? { type: unknownType, isLvalue: false, functions } : unknownValue;
  }
  const symbols = resolveName(context, e.name);
  const functions = functionsOf(symbols);
  // Another declaration of that name could not be read.
  if (functions.length > 0 && functions.length < symbols.length && symbols.some(({ kind }) => kind === "unknown")) return unknownValue;
  if (functions.length > 0) {
    refer(context, functions, part.span);
    if (!isCalled) emitFunctionPointer(context, "address", part.span);
    return functionValue(functions);
  }
  for (const symbol of symbols) {
    const value = valueOfSymbol(context, symbol);
    if (value === undefined) continue;
    refer(context, [symbol], part.span);
    if (symbol.kind !== "variable") return value;
    checkCapture(context, symbol, false, placeOf(context, part.span));
    copyImplicitly(context, symbol);
    return isConstCopy(context, symbol) || isConstInLambda(context, symbol)
      ? { ...value, type: addQualifiers(value.type, { const: true }) }
      : value;
  }
  if (symbols.length > 0 || e.name.parts.length > 1) return unknownValue;
  if (isOpenCL(context) && functionNames.has(part.text)) return lvalue(constantCharacters(true), undefined);
  // A missing header may declare a function of that name.
  if (!context.program.reading.isPartial && missFeature(context, part.text, part.span)) return unknownValue;
  const builtin = builtinFunctions(context, part.text);
  return builtin.length > 0 ? functionValue(builtin) : unknownValue;
}

/** Records the symbol that a name refers to, if there is exactly one. */
export function refer(context: Context, symbols: readonly Symbol[], span: ViewSpan): void {
  const symbol = symbols[0];
  if (!context.isEmitting || symbols.length !== 1 || (symbol?.kind !== "variable" && symbol?.kind !== "function")) return;
  context.program.facts.references.push({ symbol, place: placeOf(context, span), within: context.within });
}

/** The name of the enclosing function, a constant string (C11 §6.4.2.2). */
const functionNames = new Set(["__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"]);

function constantCharacters(isConst: boolean): ArrayType {
  const qualifiers = { ...unqualified, space: "constant" as const, const: isConst };
  return { kind: "array", element: { kind: "arithmetic", name: "char", qualifiers }, length: undefined, extent: "unknown", qualifiers };
}

function functionValue(functions: Value["functions"] & object): Value {
  const only = functions.length === 1 ? functions[0] : undefined;
  return { type: only === undefined || only.isTemplate ? unknownType : only.type, isLvalue: false, functions };
}

function valueOfSymbol(context: Context, symbol: Symbol): Value | undefined {
  switch (symbol.kind) {
    case "variable":
      return variableValue(context, symbol);
    case "enumerator":
      return {
        type: context.dialect.cplusplus ? { kind: "enum", enumeration: symbol.enumeration, qualifiers: unqualified } : arithmetic("int"),
        isLvalue: false,
        isNull: false,
      };
    case "template-parameter":
      return { type: symbol.type ?? unknownType, isLvalue: false };
    case "unknown":
      return unknownValue;
    default:
      return undefined;
  }
}

/** The object that a variable is, or that a reference variable refers to. */
export function variableValue(context: Context, variable: VariableSymbol): Value {
  const type = variable.scope === "member" ? ownMemberType(context, variable) : variable.type;
  if (variable.isPack === true) return unknownValue;
  const steps = variable.scope === "member" ? [{ kind: "member" as const, member: variable, name: variable.name }] : [];
  const root = variable.scope === "member" ? undefined : variable;
  if (type.kind === "reference") return lvalue(type.referent, { root, steps: [...steps, { kind: "dereference" }] });
  return lvalue(type, { root, steps });
}

/**
 * The type of a member in a member function. In a const member function it is const too (C++17 §12.2.2.1p2), and it is in the
 * object's address space.
 */
function ownMemberType(context: Context, member: VariableSymbol): Type {
  const record = context.within?.record;
  return record === undefined ? member.type : memberType({ kind: "record", record, qualifiers: qualifiersOfThis(context) }, member);
}

/** The qualifiers of the object that `this` points to in a member function. */
export function qualifiersOfThis(context: Context): Qualifiers {
  return { ...unqualified, const: isConstMember(context), space: objectSpace(context.within, context) };
}

/** Whether members are const here. In a lambda with a copy of the object, `mutable` decides (C++17 §8.1.5.2p14). */
function isConstMember({ definition, lambda }: Context): boolean {
  for (let current = lambda; current !== undefined; current = current.enclosing) {
    const copying = current.lambda?.captures.some(({ name }) => name === "*this") === true;
    if (copying) return !hasWord(current.lambda?.words ?? [], "mutable");
  }
  return hasWord(definition?.declarator.words ?? [], "const");
}

/**
 * The type of a string literal: an array of char in constant memory in OpenCL C (OpenCL C 3.0 §6.7.4), an array of const char in
 * C++.
 */
export function typeOfString(context: Context, text: string): Type {
  const prefix = /^(u8|u|U|L)?R?"/.exec(text)?.[1] ?? "";
  const element = prefix === "L" ? "wchar_t" : prefix === "u" ? "char16_t" : prefix === "U" ? "char32_t" : "char";
  const qualifiers = isOpenCL(context)
    ? { ...unqualified, space: "constant" as const, const: context.dialect.cplusplus }
    : { ...unqualified, const: true };
  const array: ArrayType = {
    kind: "array",
    element: { kind: "arithmetic", name: element, qualifiers },
    length: undefined,
    extent: "unknown",
    qualifiers,
  };
  return array;
}

/** The value of `this`, with the qualifiers of the member function (C++17 §8.1.2). */
export function evaluateThis(context: Context): Value {
  const record = context.within?.record;
  if (record === undefined && context.object === undefined) return unknownValue;
  const pointee =
    context.object ?? (record === undefined ? unknownType : { kind: "record", record, qualifiers: qualifiersOfThis(context) });
  return { type: pointerTo(pointee), isLvalue: false, path: { root: undefined, steps: [{ kind: "address" }] } };
}
