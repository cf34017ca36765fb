/**
 * Declares functions: which earlier declaration a new one belongs to (the same function, the template that it specialises),
 * and which execution space it has. Bodies are handed to `statements.ts`.
 */

import type { Span } from "../source.ts";
import type { Attribute, Expression, FunctionDeclarator, FunctionItem, Initializer, Specifiers } from "../syntax/ast.ts";
import { emitWords } from "./binder.ts";
import { construct, defaultAccesses } from "./calls.ts";
import { constantInteger } from "./constant-expressions.ts";
import { type Context, placeOf, textOf } from "./context.ts";
import { convert, convertInto } from "./convert.ts";
import { bindParameters, type Declared, wordsOf } from "./declarators.ts";
import { evaluate } from "./expressions.ts";
import type { AccessFact } from "./facts.ts";
import { emitInstantiation, instantiateAs, rememberFunctionTemplate } from "./function-templates.ts";
import { declareHalf } from "./halves.ts";
import { lastPart, resolveName, scopeOfDefinition } from "./names.ts";
import { declaringScope, qualify, scopeOfRecord } from "./records.ts";
import { createScope, declare, functionsOf, lookupIn, ownNames, redeclare, type Scope } from "./scope.ts";
import { spaceOfWord } from "./specifiers.ts";
import { walkBody } from "./statements.ts";
import type { ExecutionSpaces, FunctionDeclaration, FunctionSymbol, ParameterDeclaration, PlacedWord } from "./symbols.ts";
import { type Bindings, match } from "./template-arguments.ts";
import { containsUnknown, type FunctionType, isOpaqueToUs, spell, type Type, unknownType, unqualifiedType } from "./types.ts";

export type FunctionRole = FunctionDeclaration["role"];

export interface FunctionSource {
  /** The definition, where this is one. */
  readonly item: FunctionItem | undefined;
  readonly specifiers: Specifiers;
  readonly declared: Declared;
  readonly declarator: FunctionDeclarator;
  readonly role: FunctionRole;
  readonly initializer?: Initializer | undefined;
  readonly span?: Span;
}

/** Declares a function, joins it to its earlier declarations, and walks its body. */
export function bindFunction(context: Context, source: FunctionSource): void {
  const { declared, declarator, specifiers } = source;
  const part = declared.name === undefined ? undefined : lastPart(declared.name);
  if (declared.name === undefined || part === undefined || declared.type.kind !== "function") return;
  const isQualified = declared.name.parts.length > 1 || declared.name.isGlobal;
  const target = isQualified ? scopeOfDefinition(context, declared.name) : functionScope(context);
  const parameterContext = target !== undefined && isQualified ? { ...context, scope: reparent(context.scope, target) } : context;
  const words = [
    ...wordsOf(context, specifiers, declared),
    ...declarator.words.map((word) => ({ text: word.text, place: placeOf(context, word.span) })),
  ];
  const draft: Draft = {
    part: part.text,
    words,
    type: declared.type,
    context: parameterContext,
    source,
    target,
    hasArguments: part.templateArguments !== undefined,
  };
  const parameters = bindParameters(parameterContext, declarator, undefined);
  const owner = findOwner(draft, parameters) ?? createOwner(draft, parameters);
  const owned = parameters.map((parameter) => ({ ...parameter, symbol: { ...parameter.symbol, owner } }));
  const declaration = declarationOf(draft, owner, owned);
  owner.declarations.push(declaration);
  if (context.scope.kind === "template" && source.role === "primary") rememberFunctionTemplate(context, owner, declaration);
  if (source.role === "instantiation" && owner.primary !== undefined) {
    const instance = instantiateAs(context, owner.primary, part.templateArguments, draft.type.parameters);
    if (instance !== undefined) emitInstantiation(context, owner.primary, instance, part.templateArguments, [], declaration.namePlace.span);
  }
  if (!context.isBuiltin) emitFunctionFacts(context, declaration, owner);
  walkFunction(parameterContext, declaration, source.item);
}

interface Draft {
  readonly part: string;
  readonly words: readonly PlacedWord[];
  readonly type: FunctionType;
  readonly context: Context;
  readonly source: FunctionSource;
  readonly target: Scope | undefined;
  /** `k<int>`: the name has template arguments. */
  readonly hasArguments: boolean;
}

/** A function declared in a block is a member of the enclosing namespace, but its name is visible in the block. */
function functionScope(context: Context): Scope {
  return declaringScope(context.scope);
}

/** Names in an out-of-class definition are looked up in the class first. */
function reparent(scope: Scope, target: Scope): Scope {
  const inner = createScope("template", target);
  for (let current: Scope | undefined = scope; current !== undefined && current.kind === "template"; current = current.parent) {
    for (const [name, symbols] of current.names) if (!inner.names.has(name)) inner.names.set(name, symbols);
  }
  return inner;
}

function declarationOf(draft: Draft, owner: FunctionSymbol, parameters: readonly ParameterDeclaration[]): FunctionDeclaration {
  const { context, source, words } = draft;
  const span = source.item?.span ?? { start: source.specifiers.span.start, end: source.declarator.span.end };
  const { name } = source.declared;
  const attributes = [...source.specifiers.attributes, ...source.declarator.attributes];
  return {
    place: placeOf(context, span),
    namePlace: placeOf(context, name === undefined ? span : (lastPart(name)?.span ?? name.span)),
    words,
    attributes: attributes.map((attribute) => ({
      name: attribute.name,
      place: placeOf(context, attribute.span),
      arguments: attribute.arguments,
    })),
    ...launchBoundsOf(context, attributes),
    declarator: source.declarator,
    parameters,
    execution: executionOf(words),
    type: draft.type,
    body: source.item?.body,
    isDefinition: source.item?.body !== undefined,
    ...specialOf(source),
    ...(source.item?.memberInitializers.some(isGiven) === true
      ? { hasMemberInitializers: true, memberInitializers: source.item.memberInitializers }
      : {}),
    role: source.role,
    isTemplate: context.isTemplate,
    ...(context.isUncertain === true ? { isUncertain: true } : {}),
    owner,
  };
}

/** `: part()` and `: part{}` do what happens without them. */
function isGiven({ arguments: all }: FunctionItem["memberInitializers"][number]): boolean {
  return all.some((each) => each.kind !== "list" || each.elements.length > 0);
}

function launchBoundsOf(context: Context, attributes: readonly Attribute[]): Pick<FunctionDeclaration, "launchBounds"> {
  const bounds = attributes.find(({ name }) => /^launch_bounds$/.test(name));
  if (bounds === undefined) return {};
  const values = bounds.arguments
    .map((argument) => constantInteger(context, argument))
    .map((value) => (value === undefined ? undefined : Number(value)));
  return { launchBounds: { place: placeOf(context, bounds.span), values } };
}

function specialOf({ item, initializer }: FunctionSource): Pick<FunctionDeclaration, "special"> {
  const special = item?.special ?? (initializer?.kind === "pure" ? "pure" : undefined);
  return special === undefined ? {} : { special };
}

/** Clang lets a function for the host and one for the device have the same signature; then each has a body of its own. */
function isOtherSide({ declarations }: FunctionSymbol, { source, words }: Draft): boolean {
  if (source.item?.body === undefined) return false;
  const own = executionOf(words);
  return declarations.some(
    ({ isDefinition, execution }) =>
      isDefinition && own.host !== execution.host && own.device !== execution.device && !own.kernel && !execution.kernel,
  );
}

function executionOf(words: readonly PlacedWord[]): ExecutionSpaces {
  const has = (text: string) => words.some((word) => word.text === text);
  const kernel = has("__global__") || has("__kernel");
  const device = has("__device__");
  return { kernel, device, host: has("__host__") || !(kernel || device) };
}

function createOwner(draft: Draft, _parameters: readonly ParameterDeclaration[]): FunctionSymbol {
  const { context, part, words, target, source } = draft;
  const scope = target ?? declaringScope(context.scope);
  const primary = source.role === "primary" && !draft.hasArguments ? undefined : findPrimary(draft);
  const owner: FunctionSymbol = {
    kind: "function",
    name: part,
    qualifiedName: qualify(scope, part),
    type: draft.type,
    declarations: [],
    isInternal: scope.isInternal || (scope.kind !== "record" && words.some(({ text }) => text === "static")),
    isTemplate: context.isTemplate,
    isBuiltin: context.isBuiltin,
    record: scope.record,
    ...(primary === undefined ? {} : { primary }),
    specializations: [],
  };
  primary?.specializations.push(owner);
  // A specialisation is found through its primary template, never by itself.
  if (source.role === "primary" && target !== undefined) enterFunction(scope, owner);
  return owner;
}

function enterFunction(scope: Scope, owner: FunctionSymbol): void {
  scope.record?.functions.push(owner);
  const present = ownNames(scope, owner.name) ?? [];
  const others = present.filter(({ kind }) => kind === "function" || kind === "record" || kind === "enum" || kind === "unknown");
  redeclare(scope, owner.name, owner);
  for (const other of others) declare(scope, owner.name, other);
}

// ---------------------------------------------------------------- which function

/** The function that was declared before with the same parameters (C++17 §16.1). */
function findOwner(draft: Draft, parameters: readonly ParameterDeclaration[]): FunctionSymbol | undefined {
  const { target, source } = draft;
  if (target === undefined) return undefined;
  const signature = signatureOf(parameters);
  const isPlain = source.role === "primary" && !draft.hasArguments;
  const candidates = isPlain ? functionsOf(lookupIn(target, draft.part)) : specializationsOf(draft);
  return candidates.find((candidate) => {
    const first = candidate.declarations[0];
    if (first === undefined || candidate.isBuiltin || isOtherSide(candidate, draft)) return false;
    // What a base class declares is another function, hidden or overridden.
    if (target.record !== undefined && candidate.record !== target.record) return false;
    if (isPlain && (candidate.isTemplate !== draft.context.isTemplate || (isInternal(draft) && !candidate.isInternal))) return false;
    return (
      first.parameters.length === parameters.length &&
      signatureOf(first.parameters) === signature &&
      constnessOf(first.declarator) === constnessOf(draft.source.declarator)
    );
  });
}

function isInternal(draft: Draft): boolean {
  return (draft.target?.isInternal ?? false) || (draft.target?.kind !== "record" && draft.words.some(({ text }) => text === "static"));
}

/** A const and a non-const member function are two (C++17 §11.3.5p8), as are those for objects in two address spaces. */
function constnessOf({ words }: FunctionDeclarator): string {
  const isPart = (text: string) =>
    text === "const" || text === "volatile" || text === "&" || text === "&&" || spaceOfWord(text) !== undefined;
  return words
    .map(({ text }) => text)
    .filter(isPart)
    .sort()
    .join(" ");
}

function specializationsOf(draft: Draft): readonly FunctionSymbol[] {
  return findPrimary(draft)?.specializations ?? [];
}

/** The template whose parameters a specialisation's fit; undefined when none or several do. */
function findPrimary(draft: Draft): FunctionSymbol | undefined {
  const name = draft.source.declared.name;
  if (name === undefined) return undefined;
  const candidates = functionsOf(resolveName(draft.context, name)).filter(
    (candidate) => candidate.isTemplate && candidate.primary === undefined,
  );
  const fitting = candidates.filter((candidate) => fits(candidate, draft.type));
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** True when `special` may come from `primary` by replacing template parameters, each by one type, a pack by any number. */
function fits(primary: FunctionSymbol, special: FunctionType): boolean {
  const { parameters } = primary.type;
  const isPack = primary.declarations.some((declaration) => declaration.parameters[parameters.length - 1]?.symbol.isPack === true);
  const single = isPack ? parameters.slice(0, -1) : parameters;
  if (isPack ? special.parameters.length < single.length : special.parameters.length !== single.length) return false;
  const bindings: Bindings = new Map();
  return single.every((parameter, index) => {
    const other = special.parameters[index];
    return other !== undefined && match(unqualifiedType(parameter), unqualifiedType(other), bindings) !== false;
  });
}

/**
 * The parameters as one text; equal texts mean the same function. A type that we do not know stands for itself by its
 * spelling, so that two declarations written alike are taken for one, and nothing else is. Template parameters count by
 * the order of their first use, because a redeclaration may rename them.
 */
export function signatureOf(parameters: readonly ParameterDeclaration[]): string {
  const known = signatures.get(parameters);
  if (known !== undefined) return known;
  const renamed = new Map<string, string>();
  const signature = parameters
    .map((parameter) => {
      const type = unqualifiedType(parameter.symbol.type);
      if (type.kind === "unknown" || hasNamelessPart(type)) return spelled(parameter);
      return spell(renameDependent(type, renamed)) + (parameter.symbol.isPack ? "..." : "");
    })
    .join(", ");
  signatures.set(parameters, signature);
  return signature;
}

// Each of a thousand overloads is compared with all that were declared before it.
const signatures = new WeakMap<readonly ParameterDeclaration[], string>();

function hasNamelessPart(type: Type): boolean {
  if (type.kind === "dependent") return type.name === undefined;
  if (type.kind === "pointer") return hasNamelessPart(type.pointee);
  if (type.kind === "reference") return hasNamelessPart(type.referent);
  if (type.kind === "array") return hasNamelessPart(type.element);
  return containsUnknown(type);
}

function renameDependent(type: Type, renamed: Map<string, string>): Type {
  if (type.kind === "pointer") return { ...type, pointee: renameDependent(type.pointee, renamed) };
  if (type.kind === "reference") return { ...type, referent: renameDependent(type.referent, renamed) };
  if (type.kind === "array") return { ...type, element: renameDependent(type.element, renamed) };
  if (type.kind !== "dependent" || type.name === undefined) return type;
  const name = renamed.get(type.name) ?? `template parameter ${renamed.size}`;
  renamed.set(type.name, name);
  return { ...type, name };
}

/** The parameter's text without its name, default and the qualifiers that do not take part in a function's type. */
function spelled(parameter: ParameterDeclaration): string {
  const { symbol } = parameter;
  let text = textOf(parameter.place);
  const at = symbol.place.span.start - parameter.place.span.start;
  if (symbol.name !== "" && at >= 0) text = text.slice(0, at) + text.slice(at + symbol.name.length);
  return text
    .replace(/=.*$/s, "")
    .replace(/\b(__grid_constant__|const|volatile|restrict|register)\b/g, " ")
    .replace(/\s+/g, " ")
    .replace(/ ?([^\w ]) ?/g, "$1")
    .trim();
}

// ---------------------------------------------------------------- facts and bodies

function emitFunctionFacts(context: Context, declaration: FunctionDeclaration, owner: FunctionSymbol): void {
  const { facts } = context.program;
  if (owner.declarations.length === 1) facts.functions.push(owner);
  if (!context.isEmitting) return;
  emitWords(context, declaration.words, { on: "function", function: declaration });
  declareHalf(context, declaration.type.result, declaration.namePlace.span);
  for (const parameter of declaration.parameters) {
    facts.variables.push({ variable: parameter.symbol });
    declareHalf(context, parameter.symbol.type, parameter.symbol.place.span);
    emitWords(context, parameter.words, { on: "parameter", parameter, function: declaration, type: parameter.writtenType });
  }
}

function walkFunction(context: Context, declaration: FunctionDeclaration, item: FunctionItem | undefined): void {
  if (context.deferred === undefined) walkNow(context, declaration, item);
  else context.deferred.push(() => walkNow({ ...context, deferred: undefined }, declaration, item));
}

function walkNow(context: Context, declaration: FunctionDeclaration, item: FunctionItem | undefined): void {
  const inner = functionContext(context, declaration);
  for (const [index, parameter] of declaration.parameters.entries()) {
    const written = declaration.declarator.parameters[index]?.defaultValue;
    if (written !== undefined) bindDefault(inner, parameter, written);
  }
  // Bodies in headers that nobody asked about say nothing to this file.
  if (item?.body === undefined || !context.isEmitting) return;
  for (const initializer of item.memberInitializers) initializeMember(inner, initializer);
  walkBody(inner, item.body);
}

/** A default argument does what it does wherever a call uses it; its conversion is judged here. */
function bindDefault(context: Context, parameter: ParameterDeclaration, written: Expression): void {
  const accesses: AccessFact[] = [];
  const { facts } = context.program;
  const program = {
    ...context.program,
    facts: {
      ...facts,
      accesses,
      calls: [],
      ...(context.isEmitting ? {} : { conversions: [], operands: [], noMatches: [], references: [] }),
    },
  };
  const inner = { ...context, program, isEmitting: true };
  convert(inner, evaluate(inner, written), parameter.symbol.type, { context: "initialize", operand: written, target: parameter });
  if (accesses.length > 0) defaultAccesses.set(parameter.symbol, accesses);
}

/** `: a(1), b{2}` of a constructor; what is no member is a base or another constructor. */
function initializeMember(context: Context, { name, arguments: values }: FunctionItem["memberInitializers"][number]): void {
  const part = lastPart(name);
  const record = context.within?.record;
  const member =
    record === undefined || part === undefined || part.templateArguments !== undefined
      ? undefined
      : record.members?.find((each) => each.name === part.text);
  const only = values.length === 1 ? values[0] : undefined;
  if (member !== undefined && only !== undefined && member.type.kind !== "record" && !isOpaqueToUs(member.type))
    convertInto(context, only, member.type, member, "initialize");
  else construct(context, member?.type ?? unknownType, values);
}

/** The context of a function's body: its parameters in scope, `this` known through the record's scope. */
export function functionContext(context: Context, declaration: FunctionDeclaration): Context {
  const owner = declaration.owner;
  const recordScope = owner.record === undefined ? undefined : scopeOfRecord(owner.record);
  const scope = createScope("function", recordScope !== undefined && context.scope.kind !== "template" ? recordScope : context.scope);
  for (const { symbol } of declaration.parameters) if (symbol.name !== "") declare(scope, symbol.name, symbol);
  return { ...context, scope, within: owner, depth: 0, resultType: declaration.type.result, lambda: undefined };
}
