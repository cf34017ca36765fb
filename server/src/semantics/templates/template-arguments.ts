/**
 * Template arguments: the values of the explicit ones, pattern matching, and the scope in which each parameter stands for its
 * argument. A template is instantiated by reading its text again in that scope (`class-templates.ts`, `function-templates.ts`).
 * This file does not depend on the kind of template.
 */
import { append } from "../../lists.ts";
import { memo } from "../../memo.ts";
import type { Expression, TemplateArgument, TemplateItem, TemplateParameter, TypeId } from "../../syntax/ast.ts";
import { bindDeclarator, typeOfTypeId } from "../declarations/declarators.ts";
import { lastPart, resolveName } from "../declarations/name-resolution.ts";
import { constantInteger } from "../expressions/constant-expressions.ts";
import { type Context, placeOf } from "../facts/context.ts";
import { createScope, declare, type Scope } from "../symbols/scope.ts";
import type { EnumSymbol, RecordSymbol, VariableSymbol } from "../types/symbols.ts";
import {
  containsUnknown,
  dependentType,
  type Qualifiers,
  spell,
  type TemplateValue,
  type Type,
  unknownType,
  withQualifiers,
} from "../types/types.ts";

/** A template's text, and the context around its parameters. */
export interface TemplateText {
  readonly item: TemplateItem;
  readonly context: Context;
}

/** The arguments of a template's parameters, by name; for a pack, all its elements. */
export type Bindings = Map<string, TemplateValue | readonly TemplateValue[]>;

const texts = new WeakMap<Scope, TemplateText>();

/** Stores which template's parameters a scope contains. */
export function rememberTemplate(scope: Scope, text: TemplateText): void {
  texts.set(scope, text);
}

/** The template whose parameters are unbound in this very scope. */
export function templateOf({ scope }: { readonly scope: Scope }): TemplateText | undefined {
  return texts.get(scope);
}

/** The values of the arguments, matched to their parameters; undefined if there are more arguments than parameters. */
export function argumentValues(
  context: Context,
  parameters: readonly TemplateParameter[],
  written: readonly TemplateArgument[],
): readonly TemplateValue[] | undefined {
  const values: TemplateValue[] = [];
  for (const [index, argument] of written.entries()) {
    const parameter = parameters[Math.min(index, parameters.length - 1)];
    if (parameter === undefined || (index >= parameters.length && !parameter.isPack)) return undefined;
    values.push(valueOfArgument(context, parameter, argument));
  }
  return values;
}

function valueOfArgument(context: Context, parameter: TemplateParameter, argument: TemplateArgument): TemplateValue {
  const quiet = { ...context, isEmitting: false };
  if (parameter.kind === "value")
    return constantInteger(quiet, argument.kind === "type-id" ? asName(argument) : argument) ?? openValue(quiet, argument);
  if (argument.kind !== "type-id") return unknownType;
  return parameter.kind === "type" ? typeOfTypeId(quiet, argument) : templateNamed(quiet, argument);
}

function openValue(context: Context, argument: TemplateArgument): Type {
  const name = argument.kind === "type-id" ? asName(argument) : argument;
  if (name?.kind !== "name" || name.name.parts.length !== 1) return unknownType;
  const symbol = resolveName(context, name.name)[0];
  return symbol?.kind === "template-parameter" ? { ...dependentType, kind: "dependent", name: symbol.name } : unknownType;
}

/** The name in `P<n>` with a value `n`, which is parsed as a type of that name. */
export function asName({ specifiers, declarator, span }: TypeId): Expression | undefined {
  return specifiers.type?.kind === "named" && specifiers.words.length === 0 && declarator.kind === "abstract"
    ? { kind: "name", name: specifiers.type.name, span }
    : undefined;
}

function templateNamed(context: Context, argument: TypeId): Type {
  const name = argument.specifiers.type?.kind === "named" ? argument.specifiers.type.name : undefined;
  if (name === undefined || lastPart(name)?.templateArguments !== undefined) return unknownType;
  const symbol = resolveName(context, name)[0];
  if (symbol?.kind === "template-parameter") return { ...dependentType, kind: "dependent", name: symbol.name };
  return symbol?.kind === "record" ? { kind: "record", record: symbol, qualifiers: unknownType.qualifiers } : unknownType;
}

/** Binds arguments to parameters in order; the last parameter, if it is a pack, takes the rest. */
export function bindInOrder(parameters: readonly TemplateParameter[], values: readonly TemplateValue[]): Bindings {
  const bindings: Bindings = new Map();
  for (const [index, { name, isPack }] of parameters.entries()) {
    const value = values[index];
    if (isPack) bindings.set(name ?? "", values.slice(index));
    else if (value !== undefined) bindings.set(name ?? ` ${index}`, value);
  }
  return bindings;
}

/**
 * The scope in which a template's parameters stand for their arguments, and the arguments including defaults. Undefined if an
 * argument is missing, or, unless arguments may be open, unknown.
 */
export function instanceScope(
  text: TemplateText,
  parameters: readonly TemplateParameter[],
  bindings: Bindings,
  mayBeOpen = false,
): { readonly scope: Scope; readonly values: readonly TemplateValue[] } | undefined {
  const scope = createScope("template", text.context.scope);
  const context: Context = { ...text.context, scope, isEmitting: false };
  const all: TemplateValue[] = [];
  for (const [index, parameter] of parameters.entries()) {
    const bound = bindings.get(parameter.name ?? (parameter.isPack ? "" : ` ${index}`));
    if (parameter.isPack) {
      const elements = Array.isArray(bound) ? (bound as readonly TemplateValue[]) : [];
      if (!mayBeOpen && elements.some(isOpen)) return undefined;
      append(all, elements);
      if (parameter.name !== undefined)
        declare(scope, parameter.name, { kind: "template-parameter", name: parameter.name, type: undefined, pack: elements });
      continue;
    }
    const given = bound === undefined || typeof bound === "bigint" || "kind" in bound ? bound : undefined;
    const value =
      given ?? (parameter.defaultArgument === undefined ? undefined : valueOfArgument(context, parameter, parameter.defaultArgument));
    if (value === undefined || (!mayBeOpen && isOpen(value))) return undefined;
    all.push(value);
    if (parameter.name !== undefined) declareArgument(context, parameter, parameter.name, value);
  }
  return { scope, values: all };
}

function declareArgument(context: Context, parameter: TemplateParameter, name: string, value: TemplateValue): void {
  if (typeof value === "bigint") {
    const type =
      parameter.parameter === undefined
        ? unknownType
        : bindDeclarator(context, parameter.parameter.specifiers, parameter.parameter.declarator, "type-id").type;
    declare(context.scope, name, { kind: "template-parameter", name, type: type.kind === "auto" ? unknownType : type, value });
  } else if (parameter.kind === "template" && value.kind === "record") declare(context.scope, name, value.record);
  else declare(context.scope, name, { kind: "typedef", name, type: value, place: placeOf(context, parameter.span), isBuiltin: false });
}

/** True if a part of the value is unknown, or depends on a template parameter. */
export function isOpen(value: TemplateValue): boolean {
  return typeof value !== "bigint" && containsUnknown(value);
}

// ---------------------------------------------------------------- deduction

/**
 * Whether a pattern becomes the value when its parameters are bound (C++17 §17.8.2.5); adds the bindings. Undefined if that is
 * unknown. The value of a parameter that is already bound must agree.
 */
export function match(pattern: TemplateValue, value: TemplateValue, bindings: Bindings): boolean | undefined {
  if (typeof pattern === "bigint") return typeof value === "bigint" ? pattern === value : undefined;
  if (pattern.kind === "dependent" && pattern.name !== undefined)
    return bind(pattern.name, withoutQualifiersOf(pattern.qualifiers, value), bindings);
  if (typeof value === "bigint") return pattern.kind === "dependent" || pattern.kind === "unknown" ? undefined : false;
  if (pattern.kind === "dependent" && pattern.instance !== undefined) return matchInstance(pattern.instance, value, bindings);
  if (pattern.kind === "unknown" || pattern.kind === "dependent" || pattern.kind === "auto" || containsUnknown(value)) return undefined;
  if (!containsUnknown(pattern)) return argumentKey(pattern) === argumentKey(value);
  if (pattern.kind === "pointer")
    return value.kind === "pointer" && hasQualifiersOf(pattern.qualifiers, value) ? match(pattern.pointee, value.pointee, bindings) : false;
  if (pattern.kind === "reference")
    return value.kind === "reference" && value.isRvalue === pattern.isRvalue ? match(pattern.referent, value.referent, bindings) : false;
  // The length of an array may be a parameter too.
  if (pattern.kind === "array") return value.kind === "array" ? undefined : false;
  return value.kind === pattern.kind ? undefined : false;
}

/**
 * `match` for a parameter's type in a declaration of a specialization. There a forwarding reference also becomes a reference to an
 * object (C++17 §17.8.2.6p2).
 */
export function matchDeclared(pattern: Type, type: Type, bindings: Bindings): boolean | undefined {
  const isForwarding = pattern.kind === "reference" && pattern.isRvalue && pattern.referent.kind === "dependent";
  return isForwarding && type.kind === "reference" && !type.isRvalue && !pattern.referent.qualifiers.const
    ? match(pattern.referent, type, bindings)
    : match(pattern, type, bindings);
}

function matchInstance(pattern: NonNullable<RecordSymbol["instance"]>, value: Type, bindings: Bindings): boolean | undefined {
  if (value.kind !== "record") return containsUnknown(value) ? undefined : false;
  const { instance } = value.record;
  if (instance?.template !== pattern.template) return value.record.bases.length > 0 ? undefined : false;
  if (instance.arguments.length !== pattern.arguments.length) return undefined;
  let result: boolean | undefined = true;
  for (const [index, argument] of pattern.arguments.entries()) {
    const other = instance.arguments[index];
    const fits = other === undefined ? undefined : match(argument, other, bindings);
    if (fits === false) return false;
    if (fits === undefined) result = undefined;
  }
  return result;
}

function bind(name: string, value: TemplateValue | undefined, bindings: Bindings): boolean | undefined {
  if (value === undefined) return false;
  if (isOpen(value)) return undefined;
  const present = bindings.get(name);
  if (present === undefined) {
    bindings.set(name, value);
    return true;
  }
  if (typeof present !== "bigint" && !("kind" in present)) return undefined;
  return argumentKey(present) === argumentKey(value);
}

/**
 * The value without the qualifiers of the pattern: `const T` matches `const int` with T = int. Undefined if it lacks one of them:
 * `const T` does not match `int`.
 */
function withoutQualifiersOf(own: Qualifiers, value: TemplateValue): TemplateValue | undefined {
  if (typeof value === "bigint") return value;
  if (!hasQualifiersOf(own, value)) return undefined;
  const { space, const: isConst, volatile, restrict } = value.qualifiers;
  const rest = {
    space: own.space === undefined ? space : undefined,
    const: isConst && !own.const,
    volatile: volatile && !own.volatile,
    restrict: restrict && !own.restrict,
  };
  return withQualifiers(value, rest);
}

function hasQualifiersOf(own: Qualifiers, { qualifiers }: Type): boolean {
  return (
    (!own.const || qualifiers.const) &&
    (!own.volatile || qualifiers.volatile) &&
    (own.space === undefined || own.space === qualifiers.space)
  );
}

// ---------------------------------------------------------------- identity

let lastIdentity = 0;

/** A text that identifies a type or value; two records with one name have different texts. */
export function argumentKey(value: TemplateValue): string {
  if (typeof value === "bigint") return String(value);
  const numbers: number[] = [];
  visitTags(value, (tag) => numbers.push(identityOf(tag)));
  return `${spell(value)}${numbers.length === 0 ? "" : ` #${numbers.join(" ")}`}`;
}

const identityOf = memo((_: RecordSymbol | EnumSymbol): number => {
  lastIdentity += 1;
  return lastIdentity;
});

function visitTags(type: Type, visit: (tag: RecordSymbol | EnumSymbol) => void): void {
  if (type.kind === "record") visit(type.record);
  else if (type.kind === "enum") visit(type.enumeration);
  else if (type.kind === "pointer") visitTags(type.pointee, visit);
  else if (type.kind === "reference") visitTags(type.referent, visit);
  else if (type.kind === "array") visitTags(type.element, visit);
  else if (type.kind === "function") for (const part of [type.result, ...type.parameters]) visitTags(part, visit);
}

// ---------------------------------------------------------------- what is known only at run time

/** A variable that a template argument uses at run time. */
export interface RuntimeObject {
  readonly variable: VariableSymbol;
  readonly name: Expression;
  /** The argument is the variable's address, not its value. */
  readonly isAddress?: true;
}

/** Records the addresses that no compiler knows in the arguments of a class template. */
export function emitRuntimeAddresses(context: Context, template: string, text: TemplateText, written: readonly TemplateArgument[]): void {
  if (!context.isEmitting || context.dialect.language !== "cuda") return;
  for (const { name, type, expression } of valueArguments(text, written)) {
    const found = objectPlacedAtRuntime(context, type, expression);
    if (found !== undefined) emitRuntimeArgument(context, template, name, found);
  }
}

/** Records a variable in an argument. */
export function emitRuntimeArgument(
  context: Context,
  template: string,
  parameter: string,
  { variable, name, isAddress }: RuntimeObject,
): void {
  const { runtimeArguments } = context.program.facts;
  const place = placeOf(context, name.span);
  // The type that a declaration names may be asked for more than once.
  const last = runtimeArguments[runtimeArguments.length - 1];
  if (last?.place.unit === place.unit && last.place.span.start === place.span.start) return;
  runtimeArguments.push({ template, parameter, variable, place, ...(isAddress === true ? { isAddress } : {}) });
}

interface ValueArgument {
  readonly name: string;
  /** The parameter's type. */
  readonly type: Type;
  readonly expression: Expression;
}

/** The arguments for parameters that are values. */
export function* valueArguments(
  { item: { parameters }, context }: TemplateText,
  written: readonly TemplateArgument[],
): Generator<ValueArgument> {
  for (const [index, argument] of written.entries()) {
    const last = parameters[parameters.length - 1];
    const parameter = parameters[index] ?? (last?.isPack === true ? last : undefined);
    const value = parameter?.kind === "value" ? parameter.parameter : undefined;
    const expression = argument.kind === "type-id" ? asName(argument) : argument;
    if (parameter?.name === undefined || value === undefined || expression === undefined) continue;
    const { type } = bindDeclarator({ ...context, isEmitting: false }, value.specifiers, value.declarator, "type-id");
    yield { name: parameter.name, type, expression };
  }
}

/**
 * The object that an argument points or refers to, if the compiler does not know its address. Shared memory belongs to a thread
 * block, and managed memory is allocated when the program starts.
 */
export function objectPlacedAtRuntime(context: Context, parameter: Type, e: Expression): RuntimeObject | undefined {
  if (e.kind === "parenthesized") return objectPlacedAtRuntime(context, parameter, e.inner);
  const isAddress = e.kind === "unary" && e.operator === "&";
  const found = isAddress ? rootOf(context, e.operand) : rootOf(context, e);
  if (found === undefined) return undefined;
  const { memorySpace, type, isDependent } = found.variable;
  const takesObject = isAddress || parameter.kind === "reference" || (parameter.kind === "pointer" && type.kind === "array");
  return takesObject && !isDependent && (memorySpace === "managed" || memorySpace === "shared") ? { ...found, isAddress: true } : undefined;
}

/** The variable that an expression designates, or designates a part of. */
function rootOf(context: Context, e: Expression): RuntimeObject | undefined {
  switch (e.kind) {
    case "parenthesized":
      return rootOf(context, e.inner);
    case "member":
      return e.isArrow ? undefined : rootOf(context, e.object);
    case "subscript": {
      const found = rootOf(context, e.object);
      return found?.variable.type.kind === "array" ? found : undefined;
    }
    case "name": {
      const symbols = resolveName(context, e.name);
      const variable = symbols.length === 1 ? symbols[0] : undefined;
      return variable?.kind === "variable" ? { variable, name: e } : undefined;
    }
    default:
      return undefined;
  }
}
