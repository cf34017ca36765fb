/**
 * Bodies of function templates, walked once more for each set of arguments that the file asks for. Of what they say only
 * that is kept which the template's own text left open: conversions between types that depended on an argument, objects
 * that a reference may have been bound to, writes to what only an argument makes an object that is const, and what they
 * instantiate in turn.
 */
import type { Steps } from "../steps.ts";
import type { Context, FactSink, InstantiatedBody, Program } from "./context.ts";
import { emptySink } from "./context.ts";
import type { AccessFact, ConversionFact, VariableFact } from "./facts.ts";
import { functionContext } from "./functions.ts";
import { walkBody } from "./statements.ts";
import type { FunctionDeclaration, Place } from "./symbols.ts";
import { containsUnknown } from "./types.ts";

/** So many bodies are walked for one file. */
const most = 200;

/** Walks the bodies that wait, and those that they ask for. */
export function* walkInstantiatedBodies(program: Program): Steps<void> {
  const { bodies } = program.instantiations;
  if (bodies.length === 0) return;
  const closed = closedBy(program.facts);
  for (let next = 0; next < bodies.length && next < most; next += 1) {
    const body = bodies[next];
    if (body !== undefined) walkInstance(program, closed, body);
    yield;
  }
}

function walkInstance(program: Program, closed: Closed, { template, instance, instantiation }: InstantiatedBody): void {
  const { declaration, context, parameters, type } = instance;
  // A pack's names stand for several parameters, which no expression of ours knows.
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
  keepWhatWasOpen(program.facts, closed, sink, { instantiation });
}

/** The places of which the program's facts say all that there is to say. */
interface Closed {
  readonly conversions: Set<string>;
  readonly accesses: Set<string>;
  readonly writes: Set<string>;
  readonly spaces: Set<string>;
}

function closedBy({ conversions, accesses, spaces }: Pick<FactSink, "conversions" | "accesses" | "spaces">): Closed {
  return {
    conversions: new Set(conversions.filter(({ verdict }) => verdict.kind !== "unknown").map(({ place }) => keyOf(place))),
    accesses: new Set(accesses.filter(({ isUncertain }) => isUncertain !== true).map(({ place }) => keyOf(place))),
    writes: new Set(accesses.filter((access) => isWrite(access) && !containsUnknown(access.type)).map(({ place }) => keyOf(place))),
    spaces: new Set(spaces.map(spaceKey)),
  };
}

function keepWhatWasOpen(facts: FactSink, closed: Closed, found: FactSink, mark: Pick<ConversionFact, "instantiation">): void {
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
    if (isWrite(access)) return type.qualifiers.const && !containsUnknown(type) && !closed.writes.has(keyOf(place));
    const isOfProgram = root?.scope === "program" || root?.scope === "static-member";
    return isOfProgram && mode === "bind" && isUncertain !== true && !closed.accesses.has(keyOf(place));
  });
  const spaces = found.spaces.filter((fact) => fact.kind === "second-space" && !closed.spaces.has(spaceKey(fact)));
  const added = closedBy({ conversions, accesses, spaces });
  for (const key of added.conversions) closed.conversions.add(key);
  for (const key of added.accesses) closed.accesses.add(key);
  for (const key of added.writes) closed.writes.add(key);
  for (const key of added.spaces) closed.spaces.add(key);
  facts.instantiatedExterns.push(...found.variables.filter(isSharedExtern).map((fact) => ({ ...fact, ...mark })));
  facts.conversions.push(...conversions.map((fact) => ({ ...fact, ...mark })));
  facts.accesses.push(...accesses.map((fact) => ({ ...fact, ...mark })));
  facts.spaces.push(...spaces.map((fact) => ({ ...fact, ...mark })));
}

function isSharedExtern({ variable: { words, type } }: VariableFact): boolean {
  return ["extern", "__shared__"].every((word) => words.some(({ text }) => text === word)) && !containsUnknown(type);
}

function isWrite({ mode }: AccessFact): boolean {
  return mode === "write" || mode === "read-write";
}

function spaceKey(fact: FactSink["spaces"][number]): string {
  return fact.kind === "second-space" ? keyOf(fact.word.place) : "";
}

function keyOf({ unit, span }: Place): string {
  return `${unit.uri} ${span.start} ${span.end}`;
}
