/**
 * Walks the bodies of function templates and of class templates' members once more for each set of arguments that the file uses.
 * Only facts that the template's own text left open are kept: conversions between dependent types, objects that only an argument
 * names or that a reference may have been bound to, writes to and calls on objects that only an argument makes const, variables whose memory
 * depends on an argument, template arguments that are known only at run time, and further instantiations.
 */
import type { Language } from "../../dialect.ts";
import { append } from "../../lists.ts";
import { memo } from "../../memo.ts";
import { longPiece } from "../../preprocess/row.ts";
import { spanKey } from "../../source.ts";
import type { Steps } from "../../steps.ts";
import type { BlockStatement, Statement } from "../../syntax/ast.ts";
import { hasWord } from "../../syntax/walk.ts";
import { functionContext, walkMemberInitializers } from "../declarations/function-bodies.ts";
import { walkBody } from "../declarations/statements.ts";
import type { Context, FactSink, FunctionInstance, InstantiatedBody, Program } from "../facts/context.ts";
import { emptySink, newCounts } from "../facts/context.ts";
import type { AccessFact, ConstObjectFact, InstantiationFact, VariableFact } from "../facts/facts.ts";
import { nextWalks, type RecordedBody, type RecordedWalks, recordBody, repeatBody, shortWalks } from "../facts/recorded-walks.ts";
import type { FunctionDeclaration, FunctionSymbol, ParameterDeclaration, Place, RecordSymbol, VariableSymbol } from "../types/symbols.ts";
import { containsUnknown, unknownType, unqualifiedType } from "../types/types.ts";
import { argumentKey } from "./argument-keys.ts";
import { isLeft } from "./instance-members.ts";
import { addMembers } from "./instance-spaces.ts";
import { definedInstance } from "./late-definitions.ts";

/** The greatest number of bodies that are walked for one piece of a file, or for a whole file. */
const most = 200;
/** So many characters of the bodies of one template are walked: long functions are often instantiated for each combination of flags. */
const mostText = 2 ** 16;
/** So many bodies of a template are walked even if they are longer. */
const fewest = 4;

/**
 * Walks the queued bodies that count, and those that they request. New facts go into `sink`; `factsOf` gives the facts of the template's
 * own text.
 */
export function* walkInstantiatedBodies(
  program: Program,
  sink: FactSink,
  factsOf: (declarations: readonly FunctionDeclaration[]) => readonly OwnFacts[],
  counts: (body: InstantiatedBody) => boolean = () => true,
): Steps<void> {
  const { bodies, classes } = program.instantiations;
  for (const instantiated of classes.slice(0, most)) addMembers(sink, instantiated);
  const closed = nothingClosed();
  const known = new Set<object>();
  const walked = new Map<FunctionSymbol, { count: number; length: number }>();
  for (let next = 0; next < bodies.length && next < most; next += 1) {
    const asked = bodies[next];
    if (asked === undefined) continue;
    const body = { ...asked, instance: definedInstance(program, asked.template, asked.instance) };
    bodies[next] = body;
    if (body.before !== undefined && body.instance.declaration.since > body.before) continue;
    if (!counts(body) || isSpecializedFor(body) || isLeft(body.template, asked.instance, body.instance)) continue;
    const text = textOf(program, body.instance.declaration);
    if (text === undefined) continue;
    const before = walked.get(body.template) ?? { count: 0, length: 0 };
    const length = before.length + text.span.end - text.span.start;
    if (length > mostText && before.count >= fewest) continue;
    walked.set(body.template, { count: before.count + 1, length });
    for (const facts of factsOf([...body.template.declarations, body.instance.declaration])) {
      if (!known.has(facts)) close(closed, facts);
      known.add(facts);
    }
    walkInstance(program, sink, closed, body, text);
    yield;
  }
}

/** The body's text; undefined for a declaration without one. */
function textOf(program: Program, declaration: FunctionDeclaration): BlockStatement | undefined {
  if (!declaration.isDefinition) return undefined;
  return program.bodyOf === undefined ? declaration.body : program.bodyOf(declaration);
}

/**
 * True if an explicit specialization takes the place of the body (C++17 §17.7.3), or may: its parameters are the same, but its template
 * arguments may differ.
 */
function isSpecializedFor({ template, instance }: InstantiatedBody): boolean {
  const { parameters } = instance.type;
  return template.specializations.some(
    ({ declarations, type }) =>
      declarations.some(({ role }) => role === "specialization") &&
      type.parameters.length === parameters.length &&
      type.parameters.every((own, index) => argumentKey(unqualifiedType(own)) === argumentKey(parameters[index] ?? own)),
  );
}

function walkInstance(program: Program, facts: FactSink, closed: Closed, body: InstantiatedBody, text: BlockStatement): void {
  for (const walk of walksOf(body.instance)) {
    const found = factsOfWalk(program, body, text, walk);
    keepWhatWasOpen(program.dialect.language, facts, closed, found, body.instantiation);
  }
}

/** One walk of an instantiated body, and what it has recorded last time. */
interface InstanceWalk {
  /** The parameters with the types of the arguments, which stay the same objects when the body is edited. */
  readonly parameters: readonly ParameterDeclaration[];
  /** The records of its statements. */
  walks: RecordedWalks | undefined;
  /** What the whole body has recorded, if that may be repeated. */
  last: { readonly statements: readonly Statement[]; readonly recorded: RecordedBody } | undefined;
}

/** How many elements of a pack are judged. */
const mostElements = 8;

/**
 * The walks of a body: one, or as many as its parameter packs have elements. The name of a pack occurs in expansions only, and stands for
 * one element in all of them. Elements after the first are judged if their types differ from those before.
 */
const walksOf = memo(({ declaration, parameters: instantiated }: FunctionInstance): readonly InstanceWalk[] => {
  const types = declaration.parameters.map((of) => instantiated.flatMap((each) => (each.of === of ? [each.type] : [])));
  const count = Math.min(Math.max(1, ...types.map(({ length }) => length)), mostElements);
  const byTypes = new Map<string, InstanceWalk>();
  for (let element = 0; element < count; element += 1) {
    const parameters = declaration.parameters.map((of, index) => {
      const type = types[index]?.[of.symbol.isPack === true ? element : 0] ?? unknownType;
      return { ...of, symbol: { ...of.symbol, type, isPack: false, isDependent: containsUnknown(type) } };
    });
    const key = parameters.map(({ symbol }) => argumentKey(symbol.type)).join();
    if (!byTypes.has(key)) byTypes.set(key, { parameters, walks: undefined, last: undefined });
  }
  return [...byTypes.values()];
});

/** Walks the body, or repeats what the last walk has recorded. */
function factsOfWalk(program: Program, { template, instance }: InstantiatedBody, text: BlockStatement, walk: InstanceWalk): FactSink {
  const { context, declaration, type } = instance;
  const { instantiations } = program.facts;
  const inProgram = (sink: FactSink): Program => ({ ...program, facts: sink, counts: newCounts() });
  const known = walk.last?.statements === text.statements ? walk.last.recorded : undefined;
  if (known !== undefined && repeatBody(inProgram({ ...known.facts, instantiations }), context.scope, known)) return known.facts;
  const isLong = isOfPiece(declaration) && declaration.place.unit.view.text.length >= longPiece;
  const walks = isLong ? nextWalks(walk.walks) : shortWalks();
  const sink: FactSink = { ...emptySink(), instantiations };
  const inner: Context = { ...context, program: { ...inProgram(sink), walks }, isEmitting: true, deferred: undefined };
  const within = bodyContext(inner, { ...declaration, type, parameters: walk.parameters, owner: template });
  const recorded = recordBody(inner, () => {
    walkMemberInitializers(within, declaration.memberInitializers ?? []);
    walkBody(within, text);
  });
  if (recorded !== undefined)
    Object.assign(walk, { walks, last: mayBeRepeated(declaration) ? { statements: text.statements, recorded } : undefined });
  return sink;
}

/** The context in which the body is walked. That of a lambda is the context around it, with its parameters. */
function bodyContext(context: Context, declaration: FunctionDeclaration): Context {
  const inner = functionContext(context, declaration);
  return declaration.owner.lambda === undefined ? inner : { ...context, scope: inner.scope };
}

/** True for a function in a piece of an open file. Only their instances are walked again. */
function isOfPiece({ place: { unit } }: FunctionDeclaration): boolean {
  return unit.row !== undefined;
}

/** False for a body whose walk does more than record facts: an `extern` variable is declared for the bodies after it, too. */
function mayBeRepeated(declaration: FunctionDeclaration): boolean {
  return isOfPiece(declaration) && !/\bextern\b/.test(declaration.place.unit.view.text);
}

type OwnFacts = Pick<FactSink, "conversions" | "accesses" | "spaces" | "calls" | "constObjects" | "noMatches" | "defaultedObjects">;

/** The places whose facts in the template's own text are complete. */
interface Closed {
  readonly conversions: Places;
  readonly accesses: Places;
  /** Places where the object is certain, but its use is not. */
  readonly objects: Places;
  readonly writes: Places;
  readonly spaces: Set<string>;
  /** Calls of member functions of known objects. */
  readonly calls: Places;
  /** Calls for which no function accepts the arguments. */
  readonly noMatches: Places;
  /** Objects without an initializer. */
  readonly defaulted: Places;
}

/** Spans by the uri of their unit. */
type Places = Map<string, Set<number>>;

/** Greater than every offset in a View. */
const offsets = 2 ** 26;

function addPlace(places: Places, { unit: { uri }, span }: Place): void {
  const known = places.get(uri);
  const key = span.start * offsets + span.end;
  if (known === undefined) places.set(uri, new Set([key]));
  else known.add(key);
}

function hasPlace(places: Places, { unit: { uri }, span }: Place): boolean {
  return places.get(uri)?.has(span.start * offsets + span.end) === true;
}

const nothingClosed = (): Closed => ({
  conversions: new Map(),
  accesses: new Map(),
  objects: new Map(),
  writes: new Map(),
  spaces: new Set(),
  calls: new Map(),
  noMatches: new Map(),
  defaulted: new Map(),
});

function close(closed: Closed, { conversions, accesses, spaces, calls, constObjects, noMatches, defaultedObjects }: OwnFacts): void {
  for (const { place, isOverlooked } of defaultedObjects) if (isOverlooked !== true) addPlace(closed.defaulted, place);
  for (const { place } of noMatches) addPlace(closed.noMatches, place);
  for (const { verdict, place, isOverlooked } of conversions)
    if (verdict.kind !== "unknown" && isOverlooked !== true) addPlace(closed.conversions, place);
  for (const access of accesses) {
    const { place, type } = access;
    if (isCertainObject(access)) {
      addPlace(closed.objects, place);
      if (access.isUncertain !== true) addPlace(closed.accesses, place);
    }
    if (
      isWrite(access) &&
      access.assignment?.isOpen !== true &&
      access.isOverlooked !== true &&
      !containsUnknown(type) &&
      !(type.kind === "record" && isOfTemplate(type.record))
    )
      addPlace(closed.writes, place);
  }
  for (const fact of spaces) closed.spaces.add(spaceKey(fact));
  for (const { callee, place } of [...constObjects, ...calls.flatMap(asConstObject)])
    if (callee.kind === "member-pointer" || !(callee.isTemplate || isOfTemplate(callee.record))) addPlace(closed.calls, place);
}

/** A call of a certain member function on a const or volatile object. */
function asConstObject({ callee, object, place }: FactSink["calls"][number]): readonly ConstObjectFact[] {
  if (callee === undefined || object === undefined || containsUnknown(object.type)) return [];
  const { const: isConst, volatile } = object.type.qualifiers;
  return isConst || volatile ? [{ callee, object: object.type, place }] : [];
}

/** True for the class of the template's own text, about which rules say nothing: they judge those that its arguments make. */
function isOfTemplate(record: RecordSymbol | undefined): boolean {
  return record?.isDependent === true;
}

/** Adds the facts of one walk that the template's own text, and the walks before, left open. */
function keepWhatWasOpen(language: Language, facts: FactSink, closed: Closed, found: FactSink, instantiation: InstantiationFact): void {
  const conversions = found.conversions.filter(
    ({ verdict, place }) => verdict.kind !== "unknown" && verdict.kind !== "ok" && !hasPlace(closed.conversions, place),
  );
  const accesses = found.accesses.filter((access) => isOpenAccess(access, closed));
  const spaces = found.spaces.filter((fact) => fact.kind === "second-space" && !closed.spaces.has(spaceKey(fact)));
  const constObjects = [...found.constObjects, ...found.calls.flatMap(asConstObject)].filter(
    (fact) => !isAccepted(fact) && !hasPlace(closed.calls, fact.place),
  );
  // In other cases a condition that is not known yet may exclude the call.
  const noMatches = found.noMatches.filter(
    ({ arguments: values, place }) => values.some(({ rejectedBy }) => rejectedBy !== undefined) && !hasPlace(closed.noMatches, place),
  );
  const defaultedObjects = found.defaultedObjects.filter(({ place }) => !hasPlace(closed.defaulted, place));
  close(closed, { conversions, accesses, spaces, calls: [], constObjects, noMatches, defaultedObjects: [] });
  const marked = <Fact extends object>(list: readonly Fact[]) => list.map((fact) => ({ ...fact, instantiation }));
  append(facts.instantiatedVariables, marked(found.variables.filter(language === "cuda" ? isStatic : isBlockVariable)));
  append(facts.conversions, marked(conversions));
  append(facts.accesses, marked(accesses));
  append(facts.constObjects, marked(constObjects));
  append(facts.defaultedObjects, marked(defaultedObjects));
  append(facts.hostCalls, marked(found.hostCalls));
  append(facts.deviceCalls, marked(found.deviceCalls));
  append(facts.noMatches, marked(noMatches));
  append(facts.sharedCalls, found.sharedCalls);
  append(facts.runtimeArguments, marked(found.runtimeArguments));
  append(facts.spaces, marked(spaces));
}

/** True for an object of the program that only an argument names, and for a write to what only an argument makes const. */
function isOpenAccess(access: AccessFact, closed: Closed): boolean {
  const { path, mode, isUncertain, place, type } = access;
  const isOpen = !hasPlace(mode === "bind" ? closed.accesses : closed.objects, place);
  if (path.root !== undefined && isOfProgram(path.root) && isOpen && isUncertain !== true) return true;
  const isReadOnly = type.qualifiers.const || type.qualifiers.space === "constant";
  return isWrite(access) && isReadOnly && !containsUnknown(type) && !hasPlace(closed.writes, place);
}

/** True for a variable at namespace scope, also if a block declares it with `extern`, and for a static member. */
function isOfProgram({ scope, words }: VariableSymbol): boolean {
  return scope === "program" || scope === "static-member" || (scope === "block" && hasWord(words, "extern"));
}

/** True if the function is declared for such an object. Other arguments may name one for which it is not. */
function isAccepted({ callee, object: { qualifiers } }: ConstObjectFact): boolean {
  const has = (word: "const" | "volatile") =>
    callee.kind === "member-pointer"
      ? callee.member.qualifiers[word]
      : callee.declarations.some(({ declarator }) => hasWord(declarator.words, word));
  return (
    (callee.kind === "member-pointer" || callee.lambda === undefined) &&
    (!qualifiers.const || has("const")) &&
    (!qualifiers.volatile || has("volatile"))
  );
}

/** True if the object is certain. A static member may belong to one of several classes or templates. */
function isCertainObject({ path: { root } }: AccessFact): boolean {
  return root === undefined || !(root.isDependent || root.record?.isDependent === true);
}

function isStatic({ variable: { words, type, memorySpace, scope } }: VariableFact): boolean {
  const isKept = memorySpace !== undefined || hasWord(words, "static", "extern");
  return scope === "block" && isKept && !containsUnknown(type);
}

/**
 * True for a variable in a block with a known type. In OpenCL its address space, which may come from an argument, decides whether
 * the block may declare it.
 */
function isBlockVariable({ variable: { scope, type } }: VariableFact): boolean {
  return scope === "block" && !containsUnknown(type);
}

function isWrite({ mode }: AccessFact): boolean {
  return mode === "write" || mode === "read-write";
}

function spaceKey(fact: FactSink["spaces"][number]): string {
  return fact.kind === "second-space" ? `${spanKey(fact.word.place)} ${fact.first}` : "";
}
