/**
 * Bodies of function templates and of class templates' members, walked once more for each set of arguments that the file uses.
 * Only facts that the template's own text left open are kept: conversions between dependent types, objects that only an argument
 * names or that a reference may have been bound to, writes to objects that only an argument makes const, variables whose memory
 * depends on an argument, and further instantiations.
 */
import type { Language } from "../../dialect.ts";
import { append } from "../../lists.ts";
import type { Steps } from "../../steps.ts";
import { functionContext } from "../declarations/function-bodies.ts";
import { walkBody } from "../declarations/statements.ts";
import type { Context, FactSink, InstantiatedBody, Program } from "../facts/context.ts";
import { emptySink } from "../facts/context.ts";
import type { AccessFact, ConversionFact, VariableFact } from "../facts/facts.ts";
import type { FunctionDeclaration, FunctionSymbol, Place } from "../types/symbols.ts";
import { containsUnknown } from "../types/types.ts";
import { addMembers } from "./instance-spaces.ts";

/** The greatest number of bodies that are walked for one piece of a file, or for a whole file. */
const most = 200;

/** Walks the queued bodies, and those that they request. New facts go into `sink`; `factsOf` gives the facts of the template's own text. */
export function* walkInstantiatedBodies(
  program: Program,
  sink: FactSink,
  factsOf: (template: FunctionSymbol) => readonly Pick<FactSink, "conversions" | "accesses" | "spaces">[],
): Steps<void> {
  const { bodies, classes } = program.instantiations;
  for (const instantiated of classes.slice(0, most)) addMembers(sink, instantiated);
  const closed: Closed = { conversions: new Set(), accesses: new Set(), objects: new Set(), writes: new Set(), spaces: new Set() };
  const known = new Set<object>();
  for (let next = 0; next < bodies.length && next < most; next += 1) {
    const body = bodies[next];
    if (body === undefined) continue;
    for (const facts of factsOf(body.template)) {
      if (!known.has(facts)) addTo(closed, closedBy(facts));
      known.add(facts);
    }
    walkInstance(program, sink, closed, body);
    yield;
  }
}

function walkInstance(program: Program, facts: FactSink, closed: Closed, { template, instance, instantiation }: InstantiatedBody): void {
  const { declaration, context, parameters, type } = instance;
  // A pack's name stands for several parameters, which an expression cannot represent.
  if (declaration.body === undefined || declaration.parameters.some(({ symbol }) => symbol.isPack === true)) return;
  const own: FunctionDeclaration = {
    ...declaration,
    type,
    parameters: parameters.map(({ of, type: instantiated }) => ({
      ...of,
      symbol: { ...of.symbol, type: instantiated, isDependent: containsUnknown(instantiated) },
    })),
    owner: template,
  };
  const sink: FactSink = { ...emptySink(), instantiations: program.facts.instantiations };
  const inner: Context = {
    ...context,
    program: { ...program, facts: sink, counts: { expressions: 0, unknown: 0 } },
    isEmitting: true,
    deferred: undefined,
  };
  walkBody(functionContext(inner, own), declaration.body);
  keepWhatWasOpen(program.dialect.language, facts, closed, sink, { instantiation });
}

/** The places whose facts in the template's own text are complete. */
interface Closed {
  readonly conversions: Set<string>;
  readonly accesses: Set<string>;
  /** Places where the object is certain, although its use is not. */
  readonly objects: Set<string>;
  readonly writes: Set<string>;
  readonly spaces: Set<string>;
}

function closedBy({ conversions, accesses, spaces }: Pick<FactSink, "conversions" | "accesses" | "spaces">): Closed {
  return {
    conversions: new Set(conversions.filter(({ verdict }) => verdict.kind !== "unknown").map(({ place }) => keyOf(place))),
    accesses: new Set(accesses.filter((access) => access.isUncertain !== true && isCertainObject(access)).map(({ place }) => keyOf(place))),
    objects: new Set(accesses.filter(isCertainObject).map(({ place }) => keyOf(place))),
    writes: new Set(accesses.filter((access) => isWrite(access) && !containsUnknown(access.type)).map(({ place }) => keyOf(place))),
    spaces: new Set(spaces.map(spaceKey)),
  };
}

function keepWhatWasOpen(
  language: Language,
  facts: FactSink,
  closed: Closed,
  found: FactSink,
  mark: Pick<ConversionFact, "instantiation">,
): void {
  const conversions = found.conversions.filter(
    ({ verdict, place }) => verdict.kind !== "unknown" && verdict.kind !== "ok" && !closed.conversions.has(keyOf(place)),
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
    const isOpen = !(mode === "bind" ? closed.accesses : closed.objects).has(keyOf(place));
    if (isOfProgram && isOpen && isUncertain !== true) return true;
    return isWrite(access) && type.qualifiers.const && !containsUnknown(type) && !closed.writes.has(keyOf(place));
  });
  const spaces = found.spaces.filter((fact) => fact.kind === "second-space" && !closed.spaces.has(spaceKey(fact)));
  const added = closedBy({ conversions, accesses, spaces });
  addTo(closed, added);
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
    facts.spaces,
    spaces.map((fact) => ({ ...fact, ...mark })),
  );
}

function addTo(closed: Closed, more: Closed): void {
  for (const key of more.conversions) closed.conversions.add(key);
  for (const key of more.accesses) closed.accesses.add(key);
  for (const key of more.objects) closed.objects.add(key);
  for (const key of more.writes) closed.writes.add(key);
  for (const key of more.spaces) closed.spaces.add(key);
}

/** It is open which of several classes' or templates' static members is meant. */
function isCertainObject({ path: { root } }: AccessFact): boolean {
  return root === undefined || !(root.isDependent || root.record?.isDependent === true);
}

function isStatic({ variable: { words, type, memorySpace, scope } }: VariableFact): boolean {
  const isKept = memorySpace !== undefined || words.some(({ text }) => text === "static" || text === "extern");
  return scope === "block" && isKept && !containsUnknown(type);
}

/** OpenCL: whether a variable may be declared in a block depends on its address space, which may come from an argument. */
function isBlockVariable({ variable: { scope, type } }: VariableFact): boolean {
  return scope === "block" && !containsUnknown(type);
}

function isWrite({ mode }: AccessFact): boolean {
  return mode === "write" || mode === "read-write";
}

function spaceKey(fact: FactSink["spaces"][number]): string {
  return fact.kind === "second-space" ? `${keyOf(fact.word.place)} ${fact.first}` : "";
}

function keyOf({ unit, span }: Place): string {
  return `${unit.uri} ${span.start} ${span.end}`;
}
