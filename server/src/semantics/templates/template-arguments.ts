/**
 * Template arguments: the values of the explicit ones, and the scope in which each parameter stands for its
 * argument. A template is instantiated by reading its text again in that scope (`class-templates.ts`, `function-templates.ts`).
 * This file does not depend on the kind of template.
 */
import { append } from "../../lists.ts";
import { memo } from "../../memo.ts";
import type { Expression, TemplateArgument, TemplateItem, TemplateParameter, TypeId } from "../../syntax/ast.ts";
import { lastPart } from "../../syntax/walk.ts";
import { bindDeclarator, typeOfTypeId } from "../declarations/declarators.ts";
import { emitCallsIn } from "../declarations/host-calls.ts";
import { resolveName, typeOfName } from "../declarations/name-resolution.ts";
import { createInstance } from "../declarations/records.ts";
import { constantInteger } from "../expressions/constant-expressions.ts";
import { type Context, placeOf } from "../facts/context.ts";
import { createScope, declare, type Scope } from "../symbols/scope.ts";
import type { RecordSymbol, VariableSymbol } from "../types/symbols.ts";
import { dependentType, type TemplateValue, type Type, unknownType, unqualified } from "../types/types.ts";
import { type Bindings, isOpen } from "./argument-keys.ts";
import { expand, patternOf } from "./packs.ts";

/** A template's text, and the context around its parameters. */
export interface TemplateText {
  readonly item: TemplateItem;
  readonly context: Context;
}

const texts = new WeakMap<Scope, TemplateText>();

/** Stores which template's parameters a scope contains. */
export function rememberTemplate(scope: Scope, text: TemplateText): void {
  texts.set(scope, text);
}

/** The template whose parameters are unbound in this very scope. */
export function templateOf({ scope }: { readonly scope: Scope }): TemplateText | undefined {
  return texts.get(scope);
}

/**
 * The values of the arguments, matched to their parameters; undefined if there are more arguments than parameters. A pack that is
 * bound stands for its elements.
 */
export function argumentValues(
  context: Context,
  parameters: readonly TemplateParameter[],
  written: readonly TemplateArgument[],
): readonly TemplateValue[] | undefined {
  const values: TemplateValue[] = [];
  for (const argument of written) {
    const first = values.length;
    const valueIn = (inner: Context, pattern: TemplateArgument, index: number): TemplateValue | undefined => {
      const parameter = parameters[Math.min(first + index, parameters.length - 1)];
      const isMissing = parameter === undefined || (first + index >= parameters.length && !parameter.isPack);
      return isMissing ? undefined : valueOfArgument(inner, parameter, pattern);
    };
    const pattern = patternOf(argument);
    const found = pattern === undefined ? [valueIn(context, argument, 0)] : expand(context, pattern, valueIn);
    for (const value of found) {
      if (value === undefined) return undefined;
      values.push(value);
    }
  }
  return values;
}

/** False if explicit arguments do not fit the parameters: there are too many, or one is certainly of another kind (C++17 §17.3p1). */
export function mayBeArguments(context: Context, parameters: readonly TemplateParameter[], written: readonly TemplateArgument[]): boolean {
  const last = parameters[parameters.length - 1];
  if (written.some((argument) => patternOf(argument) !== undefined)) return true;
  if (written.length > parameters.length && last?.isPack !== true) return false;
  return written.every((argument, index) => {
    const kind = (parameters[index] ?? last)?.kind;
    if (argument.kind !== "type-id") return kind === "value";
    const name = asName(argument);
    if (name?.kind !== "name") return kind !== "value";
    const type = typeOfName(context, name.name);
    if (type === undefined) return kind === "value" || resolveName(context, name.name).length === 0;
    return kind !== "value" || type.kind === "unknown" || type.kind === "dependent";
  });
}

function valueOfArgument(context: Context, parameter: TemplateParameter, argument: TemplateArgument): TemplateValue {
  const quiet = { ...context, isEmitting: false };
  if (parameter.kind === "value") {
    if (argument.kind !== "type-id") emitCallsIn(context, argument);
    return constantInteger(quiet, argument.kind === "type-id" ? asName(argument) : argument) ?? openValue(quiet, argument);
  }
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
        declare(scope, parameter.name, {
          kind: "template-parameter",
          name: parameter.name,
          type: elements.some((element) => typeof element === "bigint") ? typeOfValues(context, parameter) : undefined,
          pack: elements,
        });
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
  if (typeof value === "bigint")
    declare(context.scope, name, { kind: "template-parameter", name, type: typeOfValues(context, parameter), value });
  else if (parameter.kind === "template" && value.kind === "record") declare(context.scope, name, value.record);
  else declare(context.scope, name, { kind: "typedef", name, type: value, place: placeOf(context, parameter.span), isBuiltin: false });
}

/** The type of a parameter whose argument is a value. */
function typeOfValues(context: Context, { parameter }: TemplateParameter): Type {
  if (parameter === undefined) return unknownType;
  const { type } = bindDeclarator(context, parameter.specifiers, parameter.declarator, "type-id");
  return type.kind === "auto" ? unknownType : type;
}

/** A specialization of a class template, with its arguments as they are written. */
interface Specialization {
  readonly text: TemplateText;
  readonly written: readonly TemplateArgument[];
  readonly record: RecordSymbol;
}

/** More elements than a specialization spells, so that only a pack matches them. */
const manyElements = 33;

/** The arguments of a specialization for parameters that stand for types and values which exist nowhere else; undefined if one is unknown. */
export const inventedArguments = memo(
  ({ text, written, record }: Specialization, parameters: readonly TemplateParameter[]): readonly TemplateValue[] | undefined => {
    let numbers = 1n << 80n;
    const invented = ({ kind }: TemplateParameter): TemplateValue => {
      numbers += 1n;
      if (kind === "value") return numbers;
      return { kind: "record", record: createInstance(text.context, record, [], text.context.scope), qualifiers: unqualified };
    };
    const own = text.item.parameters;
    const bindings: Bindings = new Map(
      own.map((parameter, index) => {
        const value = parameter.isPack ? Array.from({ length: manyElements }, () => invented(parameter)) : invented(parameter);
        return [parameter.name ?? (parameter.isPack ? "" : ` ${index}`), value];
      }),
    );
    const opened = instanceScope(text, own, bindings);
    return opened === undefined
      ? undefined
      : argumentValues({ ...text.context, scope: opened.scope, isEmitting: false }, parameters, written);
  },
);

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

/** Records a variable in an argument. Compilers evaluate the arguments in a template when they instantiate it. */
export function emitRuntimeArgument(
  context: Context,
  template: string,
  parameter: string,
  { variable, name, isAddress }: RuntimeObject,
): void {
  if (context.isTemplate) return;
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
