/**
 * Declares functions. It finds the earlier declaration that a new one belongs to (the same function, or the template that it
 * specializes), and the function's execution spaces. `statements.ts` walks the bodies.
 */
import { spend } from "../../budget.ts";
import { addressSpaceOf } from "../../qualifiers.ts";
import type { Expression, FunctionDeclarator, FunctionItem, Initializer, Specifiers, TemplateArgument } from "../../syntax/ast.ts";
import { hasWord, lastPart } from "../../syntax/walk.ts";
import { declareHalf, declareKernelHalf } from "../expressions/floating-point.ts";
import { type Context, isHip, placeOf } from "../facts/context.ts";
import { evaluate } from "../facts/evaluator.ts";
import { isConstexprForBoth, isImplicitlyForBoth } from "../facts/sides.ts";
import { isOverloadable, parameterTypes } from "../symbols/candidates.ts";
import { scopeOutside } from "../symbols/record-scopes.ts";
import { declarationsNow, declare, functionsOf, lookup, lookupIn, ownNames, qualify, type Scope, setNames } from "../symbols/scope.ts";
import type { Bindings } from "../templates/argument-keys.ts";
import { emitInstantiation, instantiateAs, rememberFunctionTemplate, templateDeclarationOf } from "../templates/function-templates.ts";
import { instantiateMember, leaveInstance, rememberMember } from "../templates/instance-members.ts";
import { matchDeclared } from "../templates/matching.ts";
import { type TemplateText, templateOf } from "../templates/template-arguments.ts";
import { areOpposite, certainSpaces, executionOf, forSameSides, writtenSpaces } from "../types/execution-spaces.ts";
import type { FunctionDeclaration, FunctionSymbol, ParameterDeclaration, SpecifierWord } from "../types/symbols.ts";
import { type FunctionType, unqualifiedType } from "../types/types.ts";
import { emitWords } from "./binder.ts";
import { bindParameters, type Declared, wordsOf } from "./declarators.ts";
import { type DefaultEffects, rememberDefaultEffects } from "./default-arguments.ts";
import { functionContext, walkFunctionBody } from "./function-bodies.ts";
import { haveSameSignature } from "./function-signatures.ts";
import { launchAttributesOf, sizeAttributesOf } from "./layout-attributes.ts";
import { resolveName, scopeOfDefinition } from "./name-resolution.ts";
import { declaringScope } from "./records.ts";
import { haveSameHead, writtenArguments } from "./template-heads.ts";
import { emitParameterAttributes } from "./variable-declarations.ts";

/** Whether a declaration is a primary one, a specialization or an instantiation. */
export type FunctionRole = FunctionDeclaration["role"];

/** The parts of a function's declaration. */
export interface FunctionSource {
  /** The definition, if this is one. */
  readonly item: FunctionItem | undefined;
  readonly specifiers: Specifiers;
  readonly declared: Declared;
  readonly declarator: FunctionDeclarator;
  readonly role: FunctionRole;
  /** For an explicit instantiation: it is left to another translation unit. */
  readonly isExtern?: boolean;
  readonly initializer?: Initializer | undefined;
}

/** How many times as long as a look-up it takes to declare a function: a class may have thousands. */
const stepsPerFunction = 16;

/** Declarations of one function beyond this number are ignored, because questions about a function visit all of its declarations. */
const mostDeclarations = 200;

/** Declares a function, links it to its earlier declarations, and walks its body. */
export function bindFunction(context: Context, source: FunctionSource): void {
  const { declared, declarator, specifiers } = source;
  const part = declared.name === undefined ? undefined : lastPart(declared.name);
  if (declared.name === undefined || part === undefined || declared.type.kind !== "function" || !spend(stepsPerFunction)) return;
  const isQualified = declared.name.parts.length > 1 || declared.name.isGlobal;
  const target = isQualified ? scopeOfDefinition(context, declared.name) : functionScope(context);
  const parameterContext = target !== undefined && isQualified ? { ...context, scope: scopeOutside(context.scope, target) } : context;
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
    template: source.role === "primary" && !isQualified ? templateOf(context) : undefined,
  };
  const parameters = bindParameters(parameterContext, declarator);
  const owner = findOwner(draft, parameters) ?? createOwner(draft);
  if (owner.declarations.length >= mostDeclarations) {
    context.program.reading.endedAt ??= placeOf(context, part.span);
    return;
  }
  const owned = parameters.map((parameter) => ({ ...parameter, symbol: { ...parameter.symbol, owner } }));
  const declaration = declarationOf(draft, owner, owned);
  emitRedeclaration(draft, owner, declaration);
  if (isOfInstance(draft)) owner.declarations.splice(0);
  owner.declarations.push(declaration);
  if (context.scope.kind === "template" && source.role === "primary") rememberFunctionTemplate(context, owner, declaration);
  if (source.role === "instantiation") instantiate(draft, owner, declaration, part.templateArguments);
  if (!context.isBuiltin) emitFunctionFacts(context, declaration, owner);
  walkFunction(parameterContext, declaration, source.item);
}

/** Requests the body that an explicit instantiation names: of a function template, or of a class template's member. */
function instantiate(
  { context, source, target, part, type }: Draft,
  { primary }: FunctionSymbol,
  { namePlace: { span } }: FunctionDeclaration,
  written: readonly TemplateArgument[] | undefined,
): void {
  const isExtern = source.isExtern === true;
  if (primary !== undefined) {
    const instance = instantiateAs(context, primary, written, type.parameters);
    if (instance === undefined) return;
    leaveInstance(instance, isExtern);
    if (!isExtern) emitInstantiation(context, primary, instance, written, [], span);
  } else if (target?.record !== undefined && !isExtern) {
    const hasSameTypes = (member: FunctionSymbol) => parameterTypes(member) === parameterTypes({ type });
    const [member, ...others] = functionsOf(lookupIn(target, part)).filter((each) => each.record === target.record && hasSameTypes(each));
    if (member !== undefined && others.length === 0) instantiateMember(context, member, span);
  }
}

interface Draft {
  readonly part: string;
  readonly words: readonly SpecifierWord[];
  readonly type: FunctionType;
  readonly context: Context;
  readonly source: FunctionSource;
  readonly target: Scope | undefined;
  /** `k<int>`: the name has template arguments. */
  readonly hasArguments: boolean;
  /** The template that it declares in its own scope; a definition elsewhere may spell its head in another way. */
  readonly template: TemplateText | undefined;
}

/**
 * The scope that a function belongs to. One declared in a block is a member of the enclosing namespace, but its name is visible in
 * the block.
 */
function functionScope(context: Context): Scope {
  return declaringScope(context.scope);
}

function declarationOf(draft: Draft, owner: FunctionSymbol, parameters: readonly ParameterDeclaration[]): FunctionDeclaration {
  const { context, source, words } = draft;
  const span = source.item?.span ?? { start: source.specifiers.span.start, end: source.declarator.span.end };
  const { name } = source.declared;
  const attributes = [...source.specifiers.attributes, ...source.declarator.attributes];
  const isUncertain = context.isUncertain === true || mayHideSpaces(draft);
  const templateArguments = source.role === "primary" ? undefined : writtenArguments(context.unit, name);
  const ofLaunches = { ...launchAttributesOf(context, attributes), ...sizeAttributesOf(context, attributes) };
  return {
    place: placeOf(context, span),
    namePlace: placeOf(context, name === undefined ? span : (lastPart(name)?.span ?? name.span)),
    words,
    attributes: attributes.map((attribute) => ({
      name: attribute.name,
      place: placeOf(context, attribute.span),
      arguments: attribute.arguments,
    })),
    ...ofLaunches,
    declarator: source.declarator,
    parameters,
    execution: isUncertain ? certainSpaces(words, ofLaunches, context.dialect) : executionOf(words),
    type: draft.type,
    body: source.item?.body,
    isDefinition: source.item?.body !== undefined,
    ...specialOf(source),
    ...(source.item?.memberInitializers.some(isGiven) === true ? { hasMemberInitializers: true } : {}),
    ...((source.item?.memberInitializers ?? []).length > 0 ? { memberInitializers: source.item?.memberInitializers ?? [] } : {}),
    role: source.role,
    ...(templateArguments === undefined ? {} : { templateArguments }),
    isTemplate: context.isTemplate,
    ...(isUncertain ? { isUncertain: true } : {}),
    owner,
    since: context.scope.clock.now,
  };
}

/** False for `: part()` and `: part{}`, which have the same effect as no initializer. */
function isGiven({ arguments: all }: FunctionItem["memberInitializers"][number]): boolean {
  return all.some((each) => each.kind !== "list" || each.elements.length > 0);
}

function specialOf({ item, initializer }: FunctionSource): Pick<FunctionDeclaration, "special"> {
  const special = item?.special ?? (initializer?.kind === "pure" ? "pure" : undefined);
  return special === undefined ? {} : { special };
}

/**
 * True if one function is for the host and the other for the device. Clang allows both with the same signature if each is defined,
 * defaulted or deleted, or both are declared in their class, which declares no function twice (C++17 §12.2p1), unless one is for both.
 */
function areForDifferentSides(symbol: FunctionSymbol, { source, words, type, context, target }: Draft): boolean {
  const isMember = target?.record !== undefined && source.declared.name?.parts.length === 1;
  if (!isMember && source.item?.body === undefined && source.item?.special === undefined) return false;
  const [own, isShared] = [executionOf(words), isConstexprForBoth(words, type) || isImplicitlyForBoth(symbol)];
  if (isShared && isHip(context) && symbol.declarations.some(({ place }) => place.unit === context.unit)) return false;
  return declarationsNow(context.scope, symbol).some(
    ({ isDefinition, special, execution }) => (isMember || isDefinition || special !== undefined) && areOpposite(own, execution),
  );
}

/**
 * CUDA: true if a macro from a header that cannot be found may be all of the function's specifiers, as in `MY_KERNEL f(int *p)`. A
 * name with capitals and small letters, or one that ends with `_t`, is taken for a type.
 */
function mayHideSpaces({ context, source: { specifiers }, type: { result }, words }: Draft): boolean {
  if (context.dialect.language !== "cuda" || result.kind !== "unknown" || specifiers.type?.kind !== "named") return false;
  const { kernel, device, host } = writtenSpaces(words);
  if (kernel || device || host) return false;
  const { parts, isGlobal } = specifiers.type.name;
  const [part] = parts;
  if (part === undefined || parts.length > 1 || isGlobal || part.templateArguments !== undefined) return false;
  const isOneCase = part.text === part.text.toUpperCase() || part.text === part.text.toLowerCase();
  return isOneCase && !part.text.endsWith("_t");
}

function createOwner(draft: Draft): FunctionSymbol {
  const { context, part, words, target, source } = draft;
  const scope = target ?? declaringScope(context.scope);
  const primary = source.role === "primary" && !draft.hasArguments ? undefined : findPrimary(draft);
  const owner: FunctionSymbol = {
    kind: "function",
    name: part,
    qualifiedName: qualify(scope, part),
    type: draft.type,
    declarations: [],
    isInternal: scope.isInternal || (scope.kind !== "record" && hasWord(words, "static")),
    isTemplate: context.isTemplate,
    isBuiltin: context.isBuiltin,
    ...(scope.kind === "block" || scope.kind === "function" ? { isOfBlock: true } : {}),
    record: scope.record,
    ...(primary === undefined ? {} : { primary }),
    specializations: [],
  };
  primary?.specializations.push(owner);
  // A specialization is found through its primary template, never by its own name.
  if (source.role === "primary" && target !== undefined) enterFunction(scope, owner);
  return owner;
}

function enterFunction(scope: Scope, owner: FunctionSymbol): void {
  scope.record?.functions.push(owner);
  const present = ownNames(scope, owner.name) ?? [];
  const others = present.filter(({ kind }) => kind === "function" || kind === "record" || kind === "enum" || kind === "unknown");
  if (others.length === present.length) declare(scope, owner.name, owner);
  else setNames(scope, owner.name, [...others, owner]);
}

// ---------------------------------------------------------------- which function

/** The previously declared function with the same parameters (C++17 §16.1). */
function findOwner(draft: Draft, parameters: readonly ParameterDeclaration[]): FunctionSymbol | undefined {
  const { target, source } = draft;
  if (target === undefined) return undefined;
  const isPlain = (source.role === "primary" || isOfInstance(draft)) && !draft.hasArguments;
  const candidates = isPlain ? functionsOf(lookupIn(target, draft.part)) : specializationsOf(draft);
  if (!spend(candidates.length >> 3)) return undefined;
  const same = candidates.filter((candidate) => {
    const first = candidate.declarations[0];
    if (first === undefined || candidate.isBuiltin) return false;
    if (first.parameters.length !== parameters.length || !haveSameSignature(first.parameters, parameters)) return false;
    // A function of a base class is a different one, hidden or overridden.
    if (target.record !== undefined && candidate.record !== target.record) return false;
    if (isPlain && (candidate.isTemplate !== draft.context.isTemplate || (isInternal(draft) && !candidate.isInternal))) return false;
    if (constnessOf(first.declarator) !== constnessOf(draft.source.declarator) || areForDifferentSides(candidate, draft)) return false;
    return isPlain ? mayBeTemplate(draft, candidate) : mayHaveSameArguments(first, draft);
  });
  const own = executionOf(draft.words);
  return same.find(({ declarations }) => declarations.some(({ execution }) => !areOpposite(own, execution))) ?? same[0];
}

/** Templates with the same parameters differ if their heads do: `enable_if` and `requires` distinguish them. */
function mayBeTemplate({ template, source: { declarator } }: Draft, candidate: FunctionSymbol): boolean {
  const other = templateDeclarationOf(candidate);
  if (template === undefined || other === undefined) return true;
  return haveSameHead(other, { item: template.item, unit: template.context.unit, declarator });
}

/** Whether specializations have the same template arguments, as written. Others are deduced (C++17 §17.7.3p10). */
const mayHaveSameArguments = ({ templateArguments: first }: FunctionDeclaration, { context, source }: Draft): boolean =>
  first === undefined || first === (writtenArguments(context.unit, source.declared.name) ?? first);

/** `template<> P<int>::P() { … }` replaces the template's definition in that class (C++17 §17.8.3p4). */
const isOfInstance = ({ source, target }: Draft): boolean => source.role === "specialization" && target?.record?.instance !== undefined;

function isInternal(draft: Draft): boolean {
  return (draft.target?.isInternal ?? false) || (draft.target?.kind !== "record" && hasWord(draft.words, "static"));
}

/** Const and non-const member functions differ (C++17 §11.3.5p8), as do those for objects in two address spaces. */
function constnessOf({ words }: FunctionDeclarator): string {
  const isPart = (text: string) =>
    text === "const" || text === "volatile" || text === "&" || text === "&&" || addressSpaceOf(text) !== undefined;
  return words
    .map(({ text }) => text)
    .filter(isPart)
    .sort()
    .join(" ");
}

function specializationsOf(draft: Draft): readonly FunctionSymbol[] {
  return findPrimary(draft)?.specializations ?? [];
}

/** The template that matches a specialization's parameters; undefined if none or several do. */
function findPrimary(draft: Draft): FunctionSymbol | undefined {
  const name = draft.source.declared.name;
  if (name === undefined) return undefined;
  const candidates = functionsOf(resolveName(draft.context, name)).filter(
    (candidate) => candidate.isTemplate && candidate.primary === undefined,
  );
  const fitting = candidates.filter((candidate) => fits(candidate, draft.type));
  return fitting.length === 1 ? fitting[0] : isHip(draft.context) ? forSameSides(fitting, executionOf(draft.words)) : undefined;
}

/** True if `special` may result from `primary` by replacing each template parameter by one type, and a pack by any number. */
function fits(primary: FunctionSymbol, special: FunctionType): boolean {
  const { parameters } = primary.type;
  const isPack = primary.declarations.some((declaration) => declaration.parameters[parameters.length - 1]?.symbol.isPack === true);
  const single = isPack ? parameters.slice(0, -1) : parameters;
  if (isPack ? special.parameters.length < single.length : special.parameters.length !== single.length) return false;
  const bindings: Bindings = new Map();
  return single.every((parameter, index) => {
    const other = special.parameters[index];
    return other !== undefined && matchDeclared(unqualifiedType(parameter), unqualifiedType(other), bindings) !== false;
  });
}

// ---------------------------------------------------------------- facts and bodies

/**
 * Records redeclarations that the language forbids. OpenCL C has no overloads without an attribute (C11 §6.7p4). C++ for OpenCL has
 * no overloads of kernels, and none that differ only in the result (C++17 §16.1p2).
 */
function emitRedeclaration(draft: Draft, owner: FunctionSymbol, declaration: FunctionDeclaration): void {
  const { context, target, part, source } = draft;
  const { dialect, program, isEmitting, isUncertain, isTemplate } = context;
  if (dialect.language !== "opencl" || !isEmitting || isUncertain === true || isTemplate || source.role !== "primary") return;
  if (target === undefined || target.record !== undefined) return;
  const mayDiffer = (other: FunctionDeclaration) =>
    isOverloadable(other) || (dialect.cplusplus && !(other.execution.kernel && declaration.execution.kernel));
  // In C, a declaration in a block refers to the function that is visible there (C11 §6.2.2p4).
  const around = target.kind === "block" && target.parent !== undefined && !dialect.cplusplus ? lookup(target.parent, part) : [];
  const others = functionsOf([...lookupIn(target, part), ...around]).filter(({ isBuiltin, isTemplate: isOther }) => !isBuiltin && !isOther);
  const previous = others.flatMap(({ declarations }) => declarations).find((other) => other.owner === owner || !mayDiffer(other));
  if (previous !== undefined && !isOverloadable(declaration)) program.facts.redeclarations.push({ declaration, previous });
}

function emitFunctionFacts(context: Context, declaration: FunctionDeclaration, owner: FunctionSymbol): void {
  const { facts } = context.program;
  // Every piece of a file that declares the function has it among its facts.
  if (owner.declarations[owner.declarations.length - 2]?.place.unit !== context.unit) facts.functions.push(owner);
  if (!context.isEmitting) return;
  emitWords(context, declaration.words, { on: "function", function: declaration });
  declareHalf(context, declaration.type.result, declaration.namePlace.span);
  for (const parameter of declaration.parameters) {
    facts.variables.push({ variable: parameter.symbol });
    const written = declaration.declarator.parameters[parameter.symbol.index ?? -1];
    if (written !== undefined) emitParameterAttributes(context, written, parameter.symbol);
    declareHalf(context, parameter.symbol.type, parameter.symbol.place.span);
    if (declaration.execution.kernel) declareKernelHalf(context, parameter.symbol.type, parameter.symbol.place.span);
    emitWords(context, parameter.words, { on: "parameter", parameter, function: declaration });
  }
}

function walkFunction(context: Context, declaration: FunctionDeclaration, item: FunctionItem | undefined): void {
  if (context.isInstance === true) rememberMember(context, declaration);
  if (context.deferred === undefined) walkNow(context, declaration, item);
  else context.deferred.push(() => walkNow({ ...context, deferred: undefined }, declaration, item));
}

function walkNow(context: Context, declaration: FunctionDeclaration, item: FunctionItem | undefined): void {
  const inner = functionContext(context, declaration);
  for (const [index, parameter] of declaration.parameters.entries()) {
    const written = declaration.declarator.parameters[index]?.defaultValue;
    if (written !== undefined) bindDefault(inner, parameter, written);
  }
  // Bodies in headers have no effect on this file's findings.
  if (item?.body === undefined || !context.isEmitting) return;
  if (context.program.bodies === undefined) walkFunctionBody(context, declaration, item);
  else context.program.bodies.push({ context, declaration, item });
}

/** Binds a default argument. Its effects occur in every call that uses it, but its conversion is checked here. */
function bindDefault(context: Context, parameter: ParameterDeclaration, written: Expression): void {
  const effects: DefaultEffects = { accesses: [], hostCalls: [], deviceCalls: [] };
  const { facts } = context.program;
  const program = {
    ...context.program,
    facts: {
      ...facts,
      ...effects,
      calls: [],
      ...(context.isEmitting ? {} : { conversions: [], operands: [], noMatches: [], references: [], components: [] }),
    },
  };
  const inner = { ...context, program, isEmitting: true };
  context.program.evaluator.convert(inner, evaluate(inner, written), parameter.symbol.type, {
    context: "initialize",
    operand: written,
    target: parameter,
    isOverlooked: true,
  });
  rememberDefaultEffects(parameter.symbol, effects);
}
