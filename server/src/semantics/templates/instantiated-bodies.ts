/**
 * Walks the bodies of function templates and of class templates' members once more for each set of arguments that the file uses.
 * Only facts that the template's own text left open are kept: conversions between dependent types, objects that only an argument
 * names or that a reference may have been bound to, writes to and calls on objects that only an argument makes const, variables whose memory
 * depends on an argument, template arguments that are known only at run time, and further instantiations.
 */
import type { Language } from "../../dialect.ts";
import { append } from "../../lists.ts";
import { longPiece } from "../../preprocess/row.ts";
import { spanKey } from "../../source.ts";
import type { Steps } from "../../steps.ts";
import type { BlockStatement, Statement } from "../../syntax/ast.ts";
import { hasWord } from "../../syntax/walk.ts";
import { functionContext, walkMemberInitializers } from "../declarations/function-bodies.ts";
import { walkBody } from "../declarations/statements.ts";
import type { Context, FactSink, FunctionInstance, InstantiatedBody, Program } from "../facts/context.ts";
import { emptySink } from "../facts/context.ts";
import type { AccessFact, ConstObjectFact, ConversionFact, VariableFact } from "../facts/facts.ts";
import { nextWalks, type RecordedBody, type RecordedWalks, recordBody, repeatBody, shortWalks } from "../facts/recorded-walks.ts";
import type { FunctionDeclaration, Place, RecordSymbol } from "../types/symbols.ts";
import { containsUnknown, unknownType, unqualifiedType } from "../types/types.ts";
import { argumentKey } from "./argument-keys.ts";
import { isLeft } from "./instance-members.ts";
import { addMembers } from "./instance-spaces.ts";
import { definedInstance } from "./late-definitions.ts";

/** The greatest number of bodies that are walked for one piece of a file, or for a whole file. */
const most = 200;

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
  for (let next = 0; next < bodies.length && next < most; next += 1) {
    const asked = bodies[next];
    if (asked === undefined) continue;
    const body = { ...asked, instance: definedInstance(program, asked.template, asked.instance) };
    bodies[next] = body;
    if (body.before !== undefined && body.instance.declaration.since > body.before) continue;
    if (!counts(body) || isSpecializedFor(body) || isLeft(body.template, asked.instance, body.instance)) continue;
    for (const facts of factsOf([...body.template.declarations, body.instance.declaration])) {
      if (!known.has(facts)) close(closed, facts);
      known.add(facts);
    }
    walkInstance(program, sink, closed, body);
    yield;
  }
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

function walkInstance(program: Program, facts: FactSink, closed: Closed, body: InstantiatedBody): void {
  const { instance, instantiation } = body;
  const { context, declaration } = instance;
  const text = program.bodyOf === undefined ? declaration.body : program.bodyOf(declaration);
  if (text === undefined || !declaration.isDefinition) return;
  if (declaration.parameters.some(({ symbol }) => symbol.isPack === true)) return walkElements(program, facts, closed, body, text);
  const { instantiations } = program.facts;
  const last = walks.get(instance);
  const inProgram = (sink: FactSink): Program => ({ ...program, facts: sink, counts: { expressions: 0, unknown: 0 } });
  let recorded = last?.statements === text.statements ? last.recorded : undefined;
  if (recorded === undefined || !repeatBody(inProgram({ ...recorded.facts, instantiations }), context.scope, recorded)) {
    const walk = nextWalk(body, last);
    const sink: FactSink = { ...emptySink(), instantiations };
    const inner: Context = { ...context, program: { ...inProgram(sink), walks: walk.walks }, isEmitting: true, deferred: undefined };
    const within = bodyContext(inner, walk.declaration);
    const made = recordBody(inner, () => {
      walkMemberInitializers(within, declaration.memberInitializers ?? []);
      walkBody(within, text);
    });
    if (made === undefined) return keepWhatWasOpen(program.dialect.language, facts, closed, sink, { instantiation });
    recorded = made;
    walks.set(instance, { ...walk, statements: text.statements, recorded: mayBeRepeated(declaration) ? made : undefined });
  }
  keepWhatWasOpen(program.dialect.language, facts, closed, recorded.facts, { instantiation });
}

/** The context in which the body is walked. That of a lambda is the context around it, with its parameters. */
function bodyContext(context: Context, declaration: FunctionDeclaration): Context {
  const inner = functionContext(context, declaration);
  if (declaration.owner.lambda === undefined) return inner;
  const { within, definition, lambda, resultType } = context;
  return { ...inner, within, ...(definition === undefined ? {} : { definition }), lambda, resultType };
}

/** How many elements of a pack are judged. */
const mostElements = 8;

/**
 * Walks the body of a function with parameter packs once for each of their elements. The name of a pack occurs in expansions only, and
 * stands for that element in all of them. Elements after the first are judged if their types differ from those before.
 */
function walkElements(program: Program, facts: FactSink, closed: Closed, body: InstantiatedBody, text: BlockStatement): void {
  const { instance, instantiation, template } = body;
  const { context, declaration, type } = instance;
  const values = declaration.parameters.map((of) => instance.parameters.filter((each) => each.of === of));
  const length = Math.max(1, ...values.map((own) => own.length));
  const seen = new Set<string>();
  for (let element = 0; element < Math.min(length, mostElements); element += 1) {
    const parameters = declaration.parameters.map((of, index) => {
      const type = values[index]?.[of.symbol.isPack === true ? element : 0]?.type ?? unknownType;
      return { ...of, symbol: { ...of.symbol, type, isPack: false, isDependent: containsUnknown(type) } };
    });
    const shape = parameters.map(({ symbol }) => argumentKey(symbol.type)).join();
    if (seen.has(shape)) continue;
    seen.add(shape);
    const sink: FactSink = { ...emptySink(), instantiations: program.facts.instantiations };
    const own: Program = { ...program, facts: sink, counts: { expressions: 0, unknown: 0 }, walks: undefined };
    const inner: Context = { ...context, program: own, isEmitting: true, deferred: undefined };
    const within = bodyContext(inner, { ...declaration, type, parameters, owner: template });
    walkMemberInitializers(within, declaration.memberInitializers ?? []);
    walkBody(within, text);
    keepWhatWasOpen(program.dialect.language, facts, closed, sink, { instantiation });
  }
}

/** An instantiated function, and what its last walk has recorded. */
interface InstanceWalk {
  readonly declaration: FunctionDeclaration;
  /** The records of its statements. */
  readonly walks: RecordedWalks;
  readonly statements?: readonly Statement[];
  readonly recorded?: RecordedBody | undefined;
}

const walks = new WeakMap<FunctionInstance, InstanceWalk>();

/** The declaration with the arguments in place of the template's parameters. Its parameters stay the same when the body is edited. */
function nextWalk({ template, instance }: InstantiatedBody, last: InstanceWalk | undefined): InstanceWalk {
  const { declaration, type } = instance;
  const parameters =
    last?.declaration.parameters ??
    instance.parameters.map(({ of, type: instantiated }) => ({
      ...of,
      symbol: { ...of.symbol, type: instantiated, isDependent: containsUnknown(instantiated) },
    }));
  const isLong = isOfPiece(declaration) && declaration.place.unit.view.text.length >= longPiece;
  return { declaration: { ...declaration, type, parameters, owner: template }, walks: isLong ? nextWalks(last?.walks) : shortWalks() };
}

/** True for a function in a piece of an open file. Only their instances are walked again. */
function isOfPiece({ place: { unit } }: FunctionDeclaration): boolean {
  return unit.row !== undefined;
}

/** False for a body whose walk does more than record facts: an `extern` variable is declared for the bodies after it, too. */
function mayBeRepeated(declaration: FunctionDeclaration): boolean {
  return isOfPiece(declaration) && !/\bextern\b/.test(declaration.place.unit.view.text);
}

type OwnFacts = Pick<FactSink, "conversions" | "accesses" | "spaces" | "calls" | "constObjects">;

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
});

function close(closed: Closed, { conversions, accesses, spaces, calls, constObjects }: OwnFacts): void {
  for (const { verdict, place } of conversions) if (verdict.kind !== "unknown") addPlace(closed.conversions, place);
  for (const access of accesses) {
    const { place, type } = access;
    if (isCertainObject(access)) {
      addPlace(closed.objects, place);
      if (access.isUncertain !== true) addPlace(closed.accesses, place);
    }
    if (isWrite(access) && !containsUnknown(type) && !(type.kind === "record" && isOfTemplate(type.record))) addPlace(closed.writes, place);
  }
  for (const fact of spaces) closed.spaces.add(spaceKey(fact));
  for (const { callee, place } of [...constObjects, ...calls.flatMap(asConstObject)])
    if (callee.kind === "member-pointer" || !isOfTemplate(callee.record)) addPlace(closed.calls, place);
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

function keepWhatWasOpen(
  language: Language,
  facts: FactSink,
  closed: Closed,
  found: FactSink,
  mark: Pick<ConversionFact, "instantiation">,
): void {
  const conversions = found.conversions.filter(
    ({ verdict, place }) => verdict.kind !== "unknown" && verdict.kind !== "ok" && !hasPlace(closed.conversions, place),
  );
  const accesses = found.accesses.filter((access) => {
    const {
      path: { root },
      mode,
      isUncertain,
      place,
      type,
    } = access;
    const isOfProgram = root?.scope === "program" || root?.scope === "static-member";
    const isOpen = !hasPlace(mode === "bind" ? closed.accesses : closed.objects, place);
    if (isOfProgram && isOpen && isUncertain !== true) return true;
    return (
      isWrite(access) &&
      (type.qualifiers.const || type.qualifiers.space === "constant") &&
      !containsUnknown(type) &&
      !hasPlace(closed.writes, place)
    );
  });
  const spaces = found.spaces.filter((fact) => fact.kind === "second-space" && !closed.spaces.has(spaceKey(fact)));
  const constObjects = [...found.constObjects, ...found.calls.flatMap(asConstObject)].filter(
    (fact) => !isAccepted(fact) && !hasPlace(closed.calls, fact.place),
  );
  close(closed, { conversions, accesses, spaces, calls: [], constObjects });
  const isDecided = language === "cuda" ? isStatic : isBlockVariable;
  append(
    facts.instantiatedVariables,
    found.variables.filter(isDecided).map((fact) => ({ ...fact, ...mark })),
  );
  append(
    facts.conversions,
    conversions.map((fact) => ({ ...fact, ...mark })),
  );
  append(
    facts.accesses,
    accesses.map((fact) => ({ ...fact, ...mark })),
  );
  append(
    facts.constObjects,
    constObjects.map((fact) => ({ ...fact, ...mark })),
  );
  append(
    facts.hostCalls,
    found.hostCalls.map((fact) => ({ ...fact, ...mark })),
  );
  append(
    facts.deviceCalls,
    found.deviceCalls.map((fact) => ({ ...fact, ...mark })),
  );
  append(facts.sharedCalls, found.sharedCalls);
  append(
    facts.runtimeArguments,
    found.runtimeArguments.map((fact) => ({ ...fact, ...mark })),
  );
  append(
    facts.spaces,
    spaces.map((fact) => ({ ...fact, ...mark })),
  );
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
