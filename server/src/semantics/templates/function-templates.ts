/**
 * Instantiates function templates: the explicit and the deduced template arguments of a call (C++17 §17.8.2), and the resulting
 * parameters and return type. No choice is made among overloaded templates, and an unknown argument makes the result unknown.
 */
import type { ViewSpan } from "../../source.ts";
import type { FunctionDeclarator, Parameter, TemplateArgument, TemplateParameter } from "../../syntax/ast.ts";
import { bindDeclarator, bindParameters } from "../declarations/declarators.ts";
import type { TemplateDeclaration } from "../declarations/template-heads.ts";
import { decayed } from "../expressions/values.ts";
import { type Context, type FunctionInstance, isOpenCL, type Program, placeOf } from "../facts/context.ts";
import type { Value } from "../facts/evaluator.ts";
import type { InstantiationFact } from "../facts/facts.ts";
import { request } from "../facts/recorded-walks.ts";
import { scopeOfRecord, scopeOutside } from "../symbols/record-scopes.ts";
import { createScope, declare, lookupIn, type Scope } from "../symbols/scope.ts";
import type { FunctionDeclaration, FunctionSymbol, ParameterDeclaration } from "../types/symbols.ts";
import {
  addQualifiers,
  containsUnknown,
  type FunctionType,
  printArguments,
  type TemplateValue,
  type Type,
  unknownType,
  unqualifiedType,
  withoutConst,
  withoutSpaces,
} from "../types/types.ts";
import { argumentKey, type Bindings } from "./argument-keys.ts";
import { guarded, instanceContext } from "./class-templates.ts";
import { conflictsIn, hasImpossibleSpace } from "./instance-spaces.ts";
import { match, matchDeclared } from "./matching.ts";
import { argumentValues, bindInOrder, instanceScope, mayBeArguments, type TemplateText, templateOf } from "./template-arguments.ts";

/** What deduction compares with a parameter: an argument's value, or the type of a declared parameter. */
interface Argument extends Value {
  readonly isDeclared?: true;
}

/** A function template, or a member of a class template that is defined outside of the class. */
export interface FunctionTemplate {
  /** The definition, if there is one, otherwise the first declaration. */
  text: TemplateText;
  declaration: FunctionDeclaration;
  readonly instances: Map<string, FunctionInstance>;
}

const functionTemplates = new WeakMap<FunctionSymbol, FunctionTemplate>();

/** Stores the text of a function template. `context` is the context inside of its parameters. */
export function rememberFunctionTemplate(context: Context, owner: FunctionSymbol, declaration: FunctionDeclaration): void {
  const written = templateOf(context);
  if (written === undefined || written.item.parameters.length === 0) return;
  const text = { ...written, context: inClass(written.context, owner) };
  const known = functionTemplates.get(owner);
  if (known === undefined) functionTemplates.set(owner, { text, declaration, instances: new Map() });
  else if (declaration.isDefinition) Object.assign(known, { text, declaration });
}

/** The context around a member template that may be defined outside of its class. A class template's instantiations have their own. */
function inClass(context: Context, { record }: FunctionSymbol): Context {
  const scope = record === undefined || record.isDependent ? undefined : scopeOfRecord(record);
  return scope === undefined || context.scope === scope ? context : { ...context, scope: scopeOutside(context.scope, scope) };
}

/** The template that a function is; undefined for any other function. */
export function functionTemplateOf(symbol: FunctionSymbol): FunctionTemplate | undefined {
  return functionTemplates.get(symbol);
}

/** The parameters of a function template, and the context in which their types are read. */
export function templateTextOf(symbol: FunctionSymbol): TemplateText | undefined {
  return functionTemplates.get(symbol)?.text;
}

/** The declaration of a function template that stands for it: the definition, if there is one, otherwise the first declaration. */
export function templateDeclarationOf(symbol: FunctionSymbol): TemplateDeclaration | undefined {
  const template = functionTemplates.get(symbol);
  if (template === undefined) return undefined;
  const { text, declaration } = template;
  return { item: text.item, unit: text.context.unit, declarator: declaration.declarator };
}

/** The type of a non-type template parameter; unknown if it depends on others. */
export function typeOfTemplateValue({ context }: TemplateText, { parameter }: TemplateParameter): Type {
  if (parameter === undefined) return unknownType;
  return bindDeclarator({ ...context, isEmitting: false }, parameter.specifiers, parameter.declarator, "type-id").type;
}

/** The instantiation for a call with these arguments; undefined if it is unknown. */
export function instantiateFunction(
  context: Context,
  symbol: FunctionSymbol,
  written: readonly TemplateArgument[] | undefined,
  values: readonly Argument[],
): FunctionInstance | undefined {
  const template = functionTemplates.get(symbol);
  if (template === undefined) return undefined;
  const bindings = writtenBindings(context, template, written);
  if (bindings === undefined || !deduce(template, values, bindings)) return undefined;
  return complete(context.program, template, bindings);
}

/** False if a function template rejects the arguments, so that a call must mean another function. */
export function mayDeduce(
  context: Context,
  symbol: FunctionSymbol,
  written: readonly TemplateArgument[] | undefined,
  values: readonly Argument[],
): boolean {
  const template = functionTemplates.get(symbol);
  if (template === undefined) return true;
  if (written !== undefined && !mayBeArguments(context, template.text.item.parameters, written)) return false;
  const bindings = writtenBindings(context, template, written);
  return bindings === undefined || deduce(template, values, bindings);
}

/** The instantiation for an explicit instantiation or specialization with these parameter types. */
export function instantiateAs(
  context: Context,
  symbol: FunctionSymbol,
  written: readonly TemplateArgument[] | undefined,
  types: readonly Type[],
): FunctionInstance | undefined {
  return instantiateFunction(
    context,
    symbol,
    written,
    types.map((type): Argument => ({ type, isLvalue: false, isDeclared: true })),
  );
}

/** True if the arguments would agree on one set of template arguments, except for their address spaces. */
export function disagreesAboutSpaces(symbol: FunctionSymbol, values: readonly Value[]): boolean {
  const template = functionTemplates.get(symbol);
  if (template === undefined || template.text.item.parameters.some(({ isPack }) => isPack)) return false;
  const plain = values.map((value) => ({ ...value, type: withoutSpaces(value.type) }));
  return !deduce(template, values, new Map()) && deduce(template, plain, new Map());
}

/** One template parameter, deduced from two arguments as types that differ in const or volatile. */
export interface ConstContradiction {
  readonly parameter: string;
  readonly types: readonly [Type, Type];
  /** The position of the second argument. */
  readonly index: number;
}

/** Why the first template rejects the arguments, if each does because they disagree about nothing but const or volatile. */
export function constContradiction(candidates: readonly FunctionSymbol[], values: readonly Value[]): ConstContradiction | undefined {
  const [first, ...others] = candidates.map((candidate) => contradictionIn(candidate, values));
  return others.every((other) => other !== undefined) ? first : undefined;
}

/** Undefined, too, if another argument contradicts in its type, because then the author may mean another function. */
function contradictionIn(symbol: FunctionSymbol, values: readonly Value[]): ConstContradiction | undefined {
  const template = functionTemplates.get(symbol);
  if (template === undefined || template.text.item.parameters.some(({ isPack }) => isPack)) return undefined;
  const bindings = new Map<string, Type>();
  let found: ConstContradiction | undefined;
  for (const [index, { symbol: parameter }] of template.declaration.parameters.entries()) {
    const value = values[index];
    const own: Bindings = new Map();
    if (value === undefined || !containsUnknown(parameter.type)) continue;
    if (deduceFrom(parameter.type, value, own) === false) return undefined;
    for (const [name, bound] of own) {
      if (typeof bound === "bigint" || !("kind" in bound)) continue;
      const before = bindings.get(name) ?? bound;
      bindings.set(name, before);
      if (argumentKey(before) === argumentKey(bound)) continue;
      if (argumentKey(withoutConst(before)) !== argumentKey(withoutConst(bound))) return undefined;
      found ??= { parameter: name, types: [before, bound], index };
    }
  }
  return found;
}

function writtenBindings(
  context: Context,
  { text }: FunctionTemplate,
  written: readonly TemplateArgument[] | undefined,
): Bindings | undefined {
  if (written === undefined || written.length === 0) return new Map();
  const { parameters } = text.item;
  const values = argumentValues(context, parameters, written);
  if (values?.every((value) => typeof value === "bigint" || !containsUnknown(value)) !== true) return undefined;
  // A pack without explicit arguments may still be deduced.
  return bindInOrder(parameters.slice(0, Math.max(values.length, 0)), values);
}

/** Deduces template parameters from the arguments; false if an argument contradicts. */
function deduce({ declaration, text }: FunctionTemplate, values: readonly Argument[], bindings: Bindings): boolean {
  const packs = new Set(text.item.parameters.filter(({ isPack }) => isPack).map(({ name }) => name));
  const fixed = new Set(bindings.keys());
  for (const [index, { symbol }] of declaration.parameters.entries()) {
    if (symbol.isPack === true) {
      const name = innermostName(symbol.type);
      if (name === undefined || !packs.has(name)) return false;
      // Explicit elements come first, and the arguments may add more (C++17 §17.8.1p9).
      const given = bindings.get(name);
      const first = Array.isArray(given) ? (given as readonly TemplateValue[]) : [];
      const rest = values.slice(index + first.length).map((value) => deduceOne(symbol.type, value, name));
      if (rest.some((element) => element === undefined)) return false;
      bindings.set(name, [...first, ...rest.filter((element) => element !== undefined)]);
      continue;
    }
    const value = values[index];
    if (value === undefined || !containsUnknown(symbol.type) || areAllFixed(symbol.type, fixed)) continue;
    if (deduceFrom(symbol.type, value, bindings) === false) return false;
  }
  return !declaration.parameters.some(({ symbol }, index) => mayContradict(symbol.type, values[index], bindings, fixed));
}

/**
 * True if another argument made the template parameter const, and the type of this one is unknown: it may be the same without const,
 * and then the call is wrong, not the function.
 */
function mayContradict(type: Type, value: Argument | undefined, bindings: Bindings, fixed: ReadonlySet<string>): boolean {
  if (value === undefined || !containsUnknown(value.type) || areAllFixed(type, fixed)) return false;
  const bound = bindings.get(innermostName(type) ?? "");
  return bound !== undefined && typeof bound === "object" && "kind" in bound && bound.qualifiers.const;
}

/** True if the type's template parameter is explicitly specified: then the argument is converted, not compared. */
function areAllFixed(type: Type, fixed: ReadonlySet<string>): boolean {
  const name = innermostName(type);
  return name !== undefined && fixed.has(name);
}

function deduceOne(pattern: Type, value: Argument, name: string): TemplateValue | undefined {
  const bindings: Bindings = new Map();
  const bound = deduceFrom(pattern, value, bindings) === true ? bindings.get(name) : undefined;
  return bound !== undefined && (typeof bound === "bigint" || "kind" in bound) ? bound : undefined;
}

/**
 * Deduces the template parameters in a function parameter's type from an argument, and adds them to the bindings (C++17
 * §17.8.2.1); false if the argument contradicts, undefined if that is unknown.
 */
export function deduceFrom(pattern: Type, value: Argument, bindings: Bindings): boolean | undefined {
  if (value.type.kind === "unknown" || value.isNull === true)
    return value.type.kind === "arithmetic" && pattern.kind === "dependent"
      ? match(unqualifiedType(pattern), unqualifiedType(value.type), bindings)
      : undefined;
  if (pattern.kind !== "reference")
    return match(
      unqualifiedType(pattern),
      value.isDeclared === true ? unqualifiedType(value.type) : withPointeeOf(pattern, unqualifiedType(decayed(value).type)),
      bindings,
    );
  if (value.isDeclared === true) return matchDeclared(pattern, value.type, bindings);
  const { referent } = pattern;
  const isForwarding = pattern.isRvalue && referent.kind === "dependent" && !referent.qualifiers.const;
  if (isForwarding && value.isLvalue && value.isExpiring !== true)
    return match(referent, { kind: "reference", referent: value.type, isRvalue: false, qualifiers: value.type.qualifiers }, bindings);
  const { type } = value;
  // A reference to const also binds to a non-const object.
  const adjusted: Type =
    referent.qualifiers.const && type.kind !== "array" ? { ...type, qualifiers: { ...type.qualifiers, const: true } } : type;
  return match(referent, adjusted, bindings);
}

/** The pointer after the conversion that adds the const and volatile of the parameter's pointee (C++17 §17.8.2.1p4). */
function withPointeeOf(pattern: Type, type: Type): Type {
  if (pattern.kind !== "pointer" || type.kind !== "pointer") return type;
  const { const: isConst, volatile } = pattern.pointee.qualifiers;
  return { ...type, pointee: addQualifiers(type.pointee, { const: isConst, volatile }) };
}

function innermostName(type: Type): string | undefined {
  if (type.kind === "pointer") return innermostName(type.pointee);
  if (type.kind === "reference") return innermostName(type.referent);
  return type.kind === "dependent" ? type.name : undefined;
}

/** The instantiation with these arguments, made once; undefined if one is missing or unknown. */
export function complete(program: Program, template: FunctionTemplate, bindings: Bindings): FunctionInstance | undefined {
  const { text, declaration } = template;
  const opened = instanceScope(text, text.item.parameters, bindings);
  if (opened === undefined) return undefined;
  const key = opened.values.map(argumentKey).join(", ");
  const known = template.instances.get(key);
  if (known !== undefined && known.declaration === declaration) return known;
  const made = guarded(program, () => instanceOf(text, declaration, opened.scope, opened.values));
  if (made !== undefined) template.instances.set(key, made);
  return made;
}

/** Reads a function template's head in a scope in which all of its parameters stand for arguments. */
export function instanceOf(
  text: TemplateText,
  declaration: FunctionDeclaration,
  scope: Scope,
  values: readonly TemplateValue[],
): FunctionInstance | undefined {
  const { item } = text.item;
  const specifiers = item.kind === "function" || item.kind === "declaration" ? item.specifiers : undefined;
  const declarator = item.kind === "function" ? item.declarator : item.kind === "declaration" ? item.declarators[0]?.declarator : undefined;
  if (specifiers === undefined || declarator === undefined) return undefined;
  const context = instanceContext(text, scope);
  const declared = bindDeclarator(context, specifiers, declarator, "result");
  if (declared.type.kind !== "function") return undefined;
  const parameters = declaration.declarator.parameters.flatMap((parameter, index) => {
    const of = declaration.parameters[index];
    return of === undefined ? [] : typesOf(context, declaration.declarator, parameter, of).map((type) => ({ of, type }));
  });
  const type: FunctionType = { ...declared.type, parameters: parameters.map((parameter) => unqualifiedType(parameter.type)) };
  const isImpossible =
    isOpenCL(context) && (parameters.some(hasImpossibleSpace) || conflictsIn(context, specifiers, declarator).length > 0);
  return { declaration, arguments: values, parameters, type, context, ...(isImpossible ? { isImpossible } : {}) };
}

/** The types of a parameter after instantiation: one, or as many as its pack has elements. */
function typesOf(context: Context, declarator: FunctionDeclarator, parameter: Parameter, of: ParameterDeclaration): readonly Type[] {
  const typeIn = (inner: Context) => bindParameters(inner, { ...declarator, parameters: [parameter] }).map(({ symbol }) => symbol.type);
  if (of.symbol.isPack !== true) return typeIn(context);
  const name = innermostName(of.symbol.type);
  const pack = name === undefined ? undefined : lookupIn(context.scope, name).find((symbol) => symbol.kind === "template-parameter")?.pack;
  return (pack ?? []).flatMap((element) => {
    if (name === undefined || typeof element === "bigint") return [];
    const scope = createScope("template", context.scope);
    declare(scope, name, { kind: "typedef", name, type: element, place: of.place, isBuiltin: false });
    return typeIn({ ...context, scope });
  });
}

/**
 * Records an instantiation by a call, a launch or a name, once for each set of arguments. Nothing is recorded inside of a
 * template that is not instantiated itself.
 */
export function emitInstantiation(
  context: Context,
  symbol: FunctionSymbol,
  instance: FunctionInstance | undefined,
  written: readonly TemplateArgument[] | undefined,
  values: readonly Value[],
  span: ViewSpan,
): void {
  if (!context.isEmitting || context.isTemplate || symbol.isBuiltin) return;
  const parameters = instance?.parameters ?? deducedParameters(context, symbol, written, values);
  if (instance === undefined && parameters.length === 0) return;
  const instantiation: InstantiationFact = {
    template: symbol,
    name: instance === undefined ? symbol.name : instanceName(symbol, instance),
    parameters,
    ...(instance === undefined ? {} : { arguments: instance.arguments }),
    place: placeOf(context, span),
    within: context.within,
    ...(context.lambda === undefined ? {} : { lambda: context.lambda }),
  };
  request(context, ({ facts, instantiations: { bodies } }) => {
    if (facts.instantiations.some((other) => other.template === symbol && other.parameters === parameters)) return;
    if (instance !== undefined) bodies.push({ template: symbol, instance, instantiation });
    facts.instantiations.push(instantiation);
  });
}

/** `k<S, 3>`. */
export function instanceName({ name }: FunctionSymbol, { arguments: values }: FunctionInstance): string {
  return `${name}${printArguments(values)}`;
}

/** The parameters declared as `T p`. Whatever the argument is, the type that is deduced for T is that of a value. */
function deducedParameters(
  context: Context,
  symbol: FunctionSymbol,
  written: readonly TemplateArgument[] | undefined,
  values: readonly Value[],
): InstantiationFact["parameters"] {
  const template = functionTemplates.get(symbol);
  const bindings = template === undefined ? undefined : writtenBindings(context, template, written);
  if (template === undefined || bindings === undefined) return [];
  const own = template.text.item.parameters;
  return template.declaration.parameters.flatMap((of, index) => {
    const { type } = of.symbol;
    const isDeduced =
      values[index] !== undefined &&
      type.kind === "dependent" &&
      type.name !== undefined &&
      own.some(({ name }) => name === type.name) &&
      !type.qualifiers.const &&
      !bindings.has(type.name);
    return isDeduced ? [{ of, type: unknownType, isDeduced }] : [];
  });
}
