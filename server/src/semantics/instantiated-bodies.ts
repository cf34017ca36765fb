/**
 * Bodies of function templates, walked once more for each set of arguments that the file asks for. Of what they say only
 * that is kept which the template's own text left open: conversions between types that depended on an argument, objects
 * that a reference may have been bound to, and what they instantiate in turn.
 */
import type { Context, FactSink, Program } from "./context.ts";
import { emptySink } from "./context.ts";
import type { ConversionFact } from "./facts.ts";
import type { FunctionInstance } from "./function-templates.ts";
import { functionContext } from "./functions.ts";
import { walkBody } from "./statements.ts";
import type { FunctionDeclaration, FunctionSymbol, Place } from "./symbols.ts";
import { containsUnknown } from "./types.ts";

/** So many bodies are walked for one file. */
const most = 200;

/** Walks the bodies that wait, and those that they ask for. */
export function walkInstantiatedBodies(program: Program): void {
  const { bodies } = program.instantiations;
  for (let next = 0; next < bodies.length && next < most; next += 1) {
    const body = bodies[next];
    if (body !== undefined) walkInstance(program, body.template, body.instance);
  }
}

function walkInstance(program: Program, template: FunctionSymbol, instance: FunctionInstance): void {
  const { declaration, context, parameters, type } = instance;
  // A pack's names stand for several parameters, which no expression of ours knows.
  if (declaration.body === undefined || declaration.parameters.some(({ symbol }) => symbol.isPack === true)) return;
  const own: FunctionDeclaration = { ...declaration, type, parameters: parameters.map(({ of, type: instantiated }) => ({ ...of, symbol: { ...of.symbol, type: instantiated, isDependent: containsUnknown(instantiated) } })), owner: template };
  const sink: FactSink = { ...emptySink(), instantiations: program.facts.instantiations };
  const inner: Context = { ...context, program: { ...program, facts: sink, counts: { expressions: 0, unknown: 0 } }, isEmitting: true, deferred: undefined };
  walkBody(functionContext(inner, own), declaration.body);
  const instantiation = program.facts.instantiations.find((each) => each.template === template && each.parameters === parameters);
  keepWhatWasOpen(program.facts, sink, instantiation === undefined ? {} : { instantiation });
}

function keepWhatWasOpen(facts: FactSink, found: FactSink, mark: Pick<ConversionFact, "instantiation">): void {
  const known = new Set(facts.conversions.filter(({ verdict }) => verdict.kind !== "unknown").map(({ place }) => keyOf(place)));
  for (const fact of found.conversions) if (fact.verdict.kind !== "unknown" && fact.verdict.kind !== "ok" && !known.has(keyOf(fact.place))) facts.conversions.push({ ...fact, ...mark });
  const certain = new Set(facts.accesses.filter(({ isUncertain }) => isUncertain !== true).map(({ place }) => keyOf(place)));
  for (const fact of found.accesses) {
    const isOfProgram = fact.path.root?.scope === "program" || fact.path.root?.scope === "static-member";
    if (isOfProgram && fact.mode === "bind" && fact.isUncertain !== true && !certain.has(keyOf(fact.place))) facts.accesses.push({ ...fact, ...mark });
  }
  const words = new Set(facts.spaces.map(spaceKey));
  for (const fact of found.spaces) if (fact.kind === "second-space" && !words.has(spaceKey(fact))) facts.spaces.push({ ...fact, ...mark });
}

function spaceKey(fact: FactSink["spaces"][number]): string {
  return fact.kind === "second-space" ? keyOf(fact.word.place) : "";
}

function keyOf({ unit, span }: Place): string {
  return `${unit.uri} ${span.start} ${span.end}`;
}
