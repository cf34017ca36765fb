/**
 * Instantiates class and alias templates. `P<int>` is the template's text, read again with its parameters bound to the arguments,
 * once for each set of arguments. `partial-specializations.ts` chooses among the texts; if that is uncertain, nothing is known.
 */
import { spend } from "../../budget.ts";
import type { RecordBody, RecordSpecifier, TemplateArgument, TemplateItem, TemplateParameter } from "../../syntax/ast.ts";
import { lastPart } from "../../syntax/walk.ts";
import { typeOfTypeId } from "../declarations/declarators.ts";
import { resolveName } from "../declarations/name-resolution.ts";
import { canBeLazy, defineOnDemand, friendsOf, isDefined } from "../declarations/on-demand.ts";
import { createInstance, defineRecord } from "../declarations/records.ts";
import { type Context, emptySink, type Program } from "../facts/context.ts";
import { inPast, isTooDeep, passTime } from "../symbols/clock.ts";
import { scopeOfRecord } from "../symbols/record-scopes.ts";
import { createScope, declare, type Scope } from "../symbols/scope.ts";
import type { RecordSymbol, TypedefSymbol } from "../types/symbols.ts";
import { dependentType, type TemplateValue, type Type, unknownType, unqualified } from "../types/types.ts";
import { argumentKey, isOpen } from "./argument-keys.ts";
import { isExpansion } from "./packs.ts";
import { chooseSpecialization } from "./partial-specializations.ts";
import {
  argumentValues,
  bindInOrder,
  emitRuntimeAddresses,
  instanceScope,
  inventedArguments,
  rememberTemplate,
  type TemplateText,
  templateOf,
} from "./template-arguments.ts";

interface ClassTemplate {
  /** The definition, if there is one, otherwise the first declaration. */
  text: TemplateText;
  /** With the defaults from all declarations. */
  parameters: readonly TemplateParameter[];
  readonly partial: PartialSpecialization[];
  readonly instances: Map<string, RecordSymbol>;
  /** Binds specializations in headers, which only matter when the template is instantiated. */
  readonly pending: (() => void)[];
  /** A specialization has unknown arguments, so it may be the one that is meant. */
  hasOpenSpecialization: boolean;
}

interface PartialSpecialization {
  readonly text: TemplateText;
  readonly patterns: readonly TemplateValue[];
  /** The arguments as they are written. */
  readonly written: readonly TemplateArgument[];
  /** The class with its own members, whose types depend on the parameters. */
  readonly record: RecordSymbol;
}

const classTemplates = new WeakMap<RecordSymbol, ClassTemplate>();
const aliasTemplates = new WeakMap<TypedefSymbol, TemplateText>();

/** The limit on the number and the depth of instantiations in one translation unit. */
const most = 2000;
const deepest = 24;

/** Stores the text of a class template. `context` is the context inside of its parameters. */
export function rememberClassTemplate(context: Context, record: RecordSymbol, isDefinition: boolean): void {
  const text = templateOf(context);
  if (text === undefined) return;
  const known = classTemplates.get(record);
  if (known === undefined) {
    classTemplates.set(record, {
      text,
      parameters: text.item.parameters,
      partial: [],
      instances: new Map(),
      pending: [],
      hasOpenSpecialization: false,
    });
    return;
  }
  const parameters = isDefinition ? text.item.parameters : known.parameters;
  const others = isDefinition ? known.parameters : text.item.parameters;
  known.parameters = parameters.map((parameter, index) => {
    const other = others[index]?.defaultArgument;
    return parameter.defaultArgument === undefined && other !== undefined ? { ...parameter, defaultArgument: other } : parameter;
  });
  if (isDefinition) known.text = text;
}

const guided = new WeakSet<RecordSymbol>();

/** Stores that a class template has a deduction guide. */
export function rememberGuide(record: RecordSymbol): void {
  guided.add(record);
}

/** True for a class template whose arguments a deduction guide may decide. */
export function hasGuide(record: RecordSymbol): boolean {
  return guided.has(record);
}

/** Stores the text of an alias template. */
export function rememberAliasTemplate(context: Context, symbol: TypedefSymbol): void {
  const text = templateOf(context);
  if (text !== undefined) aliasTemplates.set(symbol, text);
}

/**
 * Registers `bind` to run before a class template is instantiated, if the item is a specialization of it in a header; otherwise
 * returns false.
 */
export function specializeOnDemand(context: Context, { item }: TemplateItem, bind: () => void): boolean {
  if (!canBeLazy(context) || item.kind !== "declaration" || item.declarators.length > 0) return false;
  const { type } = item.specifiers;
  const name = type?.kind === "record" && type.body !== undefined ? type.name : undefined;
  if (name === undefined || lastPart(name)?.templateArguments === undefined) return false;
  const primary = resolveName(context, name).find((symbol) => symbol.kind === "record");
  const template = primary === undefined ? undefined : classTemplates.get(primary);
  if (template === undefined) return false;
  const { clock } = context.scope;
  const time = passTime(clock);
  template.pending.push(() => {
    // Beyond that depth, it is unknown what the template is for these arguments.
    if (isTooDeep(clock)) template.hasOpenSpecialization = true;
    else inPast(clock, time, bind);
  });
  return true;
}

function bindSpecializations({ pending }: ClassTemplate): void {
  for (const bind of pending.splice(0)) bind();
}

/**
 * The record that `template<…> struct P<…> { … }` declares, for its own members, and whether its arguments are all known;
 * undefined if the template is unknown.
 */
export function specializationOf(context: Context, specifier: RecordSpecifier): RecordSymbol | undefined {
  const text = templateOf(context);
  const part = specifier.name === undefined ? undefined : lastPart(specifier.name);
  if (text === undefined || specifier.name === undefined || part?.templateArguments === undefined) return undefined;
  const primary = resolveName(context, specifier.name).find((symbol) => symbol.kind === "record");
  const template = primary === undefined ? undefined : classTemplates.get(primary);
  if (primary === undefined || template === undefined) return undefined;
  bindSpecializations(template);
  const values = argumentValues(context, template.parameters, part.templateArguments);
  if (values === undefined) {
    template.hasOpenSpecialization = true;
    return undefined;
  }
  const isPartial = text.item.parameters.length > 0;
  const complete = instanceScope(template.text, template.parameters, bindInOrder(template.parameters, values), isPartial);
  if (complete === undefined) {
    template.hasOpenSpecialization = true;
    return undefined;
  }
  if (isPartial) {
    const record = createInstance(context, primary, complete.values, context.scope);
    template.partial.push({ text, patterns: complete.values, record, written: part.templateArguments });
    return record;
  }
  const key = keyOf(complete.values);
  const present = template.instances.get(key);
  if (present !== undefined && (!isDefined(present) || specifier.body === undefined)) return present;
  const record = createInstance(context, primary, complete.values, context.scope);
  template.instances.set(key, record);
  return record;
}

/** The type `P<arguments>` of a class or alias template; dependent if arguments are open, unknown if they are unknown. */
export function specialize(context: Context, symbol: RecordSymbol | TypedefSymbol, written: readonly TemplateArgument[]): Type {
  if (symbol.kind === "typedef") return aliased(context, symbol, written);
  const primary = symbol.instance?.template ?? symbol;
  const template = classTemplates.get(primary);
  if (template === undefined) return unknownType;
  emitRuntimeAddresses(context, primary.tag ?? "", template.text, written);
  const values = argumentValues(context, template.parameters, written);
  if (values === undefined || values.some(isOpen))
    return { ...dependentType, kind: "dependent", name: undefined, instance: { template: primary, arguments: values ?? [unknownType] } };
  return specialized(context, primary, template, values);
}

/** The class `P<values>`, whose last arguments may be default ones; undefined if that is unknown. */
export function specializeWith(context: Context, primary: RecordSymbol, values: readonly TemplateValue[]): Type | undefined {
  const template = classTemplates.get(primary);
  if (template === undefined || values.some(isOpen)) return undefined;
  const type = specialized(context, primary, template, values);
  return type.kind === "unknown" ? undefined : type;
}

/** The parameters of a class template; undefined for any other class. */
export function classTemplateParameters(record: RecordSymbol): readonly TemplateParameter[] | undefined {
  return classTemplates.get(record)?.parameters;
}

function specialized(context: Context, primary: RecordSymbol, template: ClassTemplate, values: readonly TemplateValue[]): Type {
  bindSpecializations(template);
  const complete = instanceScope(template.text, template.parameters, bindInOrder(template.parameters, values));
  const record = complete === undefined ? undefined : instantiate(context.program, primary, template, complete.values, complete.scope);
  return record === undefined ? unknownType : { kind: "record", record, qualifiers: unqualified };
}

function aliased(context: Context, symbol: TypedefSymbol, written: readonly TemplateArgument[]): Type {
  const text = aliasTemplates.get(symbol);
  if (text?.item.item.kind !== "alias") return unknownType;
  const { parameters } = text.item;
  const values = argumentValues(context, parameters, written);
  // An open pack may have any number of elements, but a single parameter takes one.
  if (values?.some((value, index) => isExpansion(value) && parameters[index]?.isPack !== true) === true) return unknownType;
  const opened = values === undefined ? undefined : instanceScope(text, parameters, bindInOrder(parameters, values), true);
  if (opened === undefined) return unknownType;
  const { type } = text.item.item;
  return guarded(context.program, () => typeOfTypeId(instanceContext(text, opened.scope), type)) ?? unknownType;
}

function instantiate(
  program: Program,
  primary: RecordSymbol,
  template: ClassTemplate,
  values: readonly TemplateValue[],
  scope: Scope,
): RecordSymbol | undefined {
  const key = keyOf(values);
  const present = template.instances.get(key);
  if (present !== undefined && isDefined(present)) return present;
  if (template.hasOpenSpecialization) return undefined;
  const chosen = chooseText(primary, template, values, scope);
  if (chosen === undefined) return undefined;
  const record = present ?? createInstance(instanceContext(chosen.text, chosen.scope), primary, values, chosen.scope);
  template.instances.set(key, record);
  const { item } = chosen.text.item;
  const specifier = item.kind === "declaration" && item.specifiers.type?.kind === "record" ? item.specifiers.type : undefined;
  if (specifier?.body === undefined) return record;
  const context = instanceContext(chosen.text, chosen.scope);
  instanceTexts.set(record, { context, body: specifier.body, template: chosen.template, arguments: chosen.values });
  const define = () => {
    const isDone = guarded(program, () => {
      defineRecord(context, specifier, record, undefined);
      return true;
    });
    if (isDone === undefined) record.isIncomplete = true;
  };
  // Naming a class does not instantiate it: its members do not matter until it has to be complete (C++17 §17.7.1p1).
  const inner = scopeOfRecord(record);
  const friends = friendsOf(context, specifier);
  if (inner === undefined || friends === undefined) define();
  else defineOnDemand(record, inner, friends, define);
  return record;
}

interface InstanceText {
  /** The context in which the template's parameters stand for the arguments. */
  readonly context: Context;
  readonly body: RecordBody;
  /** The class of the text itself: the primary template, or a partial specialization. */
  readonly template: RecordSymbol;
  /** The arguments of the text's own parameters. */
  readonly arguments: readonly TemplateValue[];
}

const instanceTexts = new WeakMap<RecordSymbol, InstanceText>();

/** The text that a class was instantiated from; undefined if it is not an instance of a template. */
export function textOfInstance(record: RecordSymbol): InstanceText | undefined {
  return instanceTexts.get(record);
}

interface ChosenText {
  readonly text: TemplateText;
  readonly scope: Scope;
  readonly template: RecordSymbol;
  readonly values: readonly TemplateValue[];
}

/** The text of the primary template, or of the most specialized partial specialization that matches. */
function chooseText(
  primary: RecordSymbol,
  { partial, parameters, text: own }: ClassTemplate,
  values: readonly TemplateValue[],
  scope: Scope,
): ChosenText | undefined {
  const chosen = chooseSpecialization<PartialSpecialization, ChosenText>(partial, values, {
    open: ({ text, record }, bindings) => {
      const opened = instanceScope(text, text.item.parameters, bindings);
      return opened === undefined ? undefined : { text, template: record, ...opened };
    },
    invented: (each) => inventedArguments(each, parameters),
  });
  return chosen === "none" ? { text: own, scope, template: primary, values } : chosen;
}

/** The context for reading a template's text again, without recording facts. */
export function instanceContext({ context }: TemplateText, scope: Scope): Context {
  return {
    ...context,
    scope,
    program: { ...context.program, facts: emptySink() },
    isEmitting: false,
    isTemplate: false,
    isInstance: true,
    within: undefined,
    lambda: undefined,
    initializing: undefined,
    depth: 0,
    resultType: undefined,
    deferred: [],
  };
}

/** The cost of an instantiation, which creates a scope and a context. */
const stepsPerInstantiation = 4;

/** Runs one instantiation unless there were too many. */
export function guarded<T>({ instantiations }: Program, run: () => T): T | undefined {
  if (instantiations.depth >= deepest || instantiations.count >= most || !spend(stepsPerInstantiation)) return undefined;
  instantiations.depth += 1;
  instantiations.count += 1;
  try {
    return run();
  } finally {
    instantiations.depth -= 1;
  }
}

function keyOf(values: readonly TemplateValue[]): string {
  return values.map(argumentKey).join(", ");
}

/**
 * The scope of a template's parameters, unbound while its own text is read. A non-type parameter is a name with an unknown value;
 * a template template parameter is treated as a type.
 */
export function openTemplate(
  context: Context,
  item: TemplateItem,
  typeOfValue: (context: Context, parameter: TemplateParameter) => Type,
): Scope {
  const scope = createScope("template", context.scope);
  rememberTemplate(scope, { item, context });
  const inner = { ...context, scope };
  for (const parameter of item.parameters) {
    const { name } = parameter;
    if (name !== undefined)
      declare(scope, name, {
        kind: "template-parameter",
        name,
        type: parameter.kind === "value" ? typeOfValue(inner, parameter) : undefined,
      });
  }
  return scope;
}

/** The class of `P<T>::` before a member that is defined outside: the template itself, or a specialization. */
export function definedClass(context: Context, record: RecordSymbol, written: readonly TemplateArgument[]): RecordSymbol | undefined {
  const template = classTemplates.get(record);
  const values = template === undefined ? undefined : argumentValues(context, template.parameters, written);
  if (template === undefined || values === undefined) return undefined;
  const isOwn = (own: readonly TemplateParameter[]) =>
    values.every(
      (value, index) =>
        typeof value !== "bigint" && value.kind === "dependent" && value.name !== undefined && value.name === own[index]?.name,
    );
  if (values.length > 0 && parametersAround(context).some(isOwn)) return record;
  bindSpecializations(template);
  const key = keyOf(values);
  if (!values.some(isOpen)) return template.instances.get(key);
  const same = template.partial.filter(({ patterns }) => keyOf(patterns) === key);
  return same.length === 1 ? same[0]?.record : undefined;
}

/** The parameters of each template around a definition. */
function parametersAround({ scope }: Context): readonly (readonly TemplateParameter[])[] {
  const found: (readonly TemplateParameter[])[] = [];
  for (let current: Scope | undefined = scope; current?.kind === "template"; current = current.parent) {
    const text = templateOf({ scope: current });
    if (text !== undefined) found.push(text.item.parameters);
  }
  return found;
}
