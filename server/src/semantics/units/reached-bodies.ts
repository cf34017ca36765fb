/**
 * The bodies in headers that a source instantiates: those of function templates and of members of class templates. What the template's
 * own text leaves open is decided by the arguments, which only this source may have.
 */
import type { Steps } from "../../steps.ts";
import { emptySink, type FactSink, type FunctionInstance, type Program } from "../facts/context.ts";
import type { Facts } from "../facts/facts.ts";
import { walkInstantiatedBodies } from "../templates/instantiated-bodies.ts";
import type { FunctionDeclaration, Place } from "../types/symbols.ts";

/** What a source instantiates in headers. */
export interface Reached {
  /** The facts that depend on the arguments. */
  readonly facts: Facts;
  /** Each body, and the first place that instantiates it. */
  readonly bodies: readonly { readonly place: Place; readonly from: Place }[];
}

/** The greatest total length of the bodies: large libraries are instantiated from everywhere. */
const mostText = 24_000;

/**
 * Walks the bodies outside of a file that it instantiates, directly or through others, with trees from `bodyOf`. Undefined if it has
 * none, or if their arguments decide nothing that a rule could report.
 */
export function* reachedBodies(
  own: Program,
  bodyOf: NonNullable<Program["bodyOf"]>,
  isOutside: (declaration: FunctionDeclaration) => boolean,
): Steps<Reached | undefined> {
  const requested = own.instantiations.bodies.filter(({ instance }) => isOutside(instance.declaration));
  if (requested.length === 0) return undefined;
  const { functions, constants, redeclarations, enabledExtensions, instantiations } = own.facts;
  const facts: FactSink = {
    ...emptySink(),
    functions,
    constants,
    redeclarations,
    enabledExtensions,
    instantiations: [...instantiations],
  };
  let left = mostText;
  const walked = new Set<FunctionInstance>();
  const program: Program = {
    ...own,
    facts,
    counts: { expressions: 0, unknown: 0 },
    bodyOf: (declaration) => {
      if (!isOutside(declaration)) return undefined;
      const { start, end } = declaration.place.span;
      left -= end - start;
      return left < 0 ? undefined : bodyOf(declaration);
    },
    instantiations: { depth: 0, count: 0, bodies: requested, classes: [] },
  };
  yield* walkInstantiatedBodies(program, facts, () => []);
  if (decided.every((kind) => facts[kind].length === 0)) return undefined;
  const bodies = program.instantiations.bodies.flatMap(({ instance, instantiation }) => {
    if (walked.has(instance) || !isOutside(instance.declaration)) return [];
    walked.add(instance);
    return [{ place: instance.declaration.place, from: instantiation.place }];
  });
  return { facts, bodies };
}

/** The facts that arguments decide. */
const decided = [
  "conversions",
  "accesses",
  "constObjects",
  "hostCalls",
  "deviceCalls",
  "spaces",
  "instantiatedVariables",
] as const satisfies readonly (keyof FactSink)[];
