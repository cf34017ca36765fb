/**
 * The bodies in headers that a source instantiates: those of function templates and of members of class templates. What the template's
 * own text leaves open is decided by the arguments, which only this source may have.
 */
import { placeKey } from "../../source.ts";
import type { Steps } from "../../steps.ts";
import {
  type FactSink,
  type FunctionInstance,
  type InstantiatedBody,
  newCounts,
  newInstantiations,
  type Program,
  sinkBeside,
} from "../facts/context.ts";
import type { Facts } from "../facts/facts.ts";
import { walkInstantiatedBodies } from "../templates/instantiated-bodies.ts";
import type { FunctionDeclaration, Place } from "../types/symbols.ts";
import { printType } from "../types/types.ts";

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
  const facts: FactSink = { ...sinkBeside(own.facts), instantiations: [...own.facts.instantiations] };
  let left = mostText;
  const program: Program = {
    ...own,
    facts,
    counts: newCounts(),
    bodyOf: (declaration) => {
      if (!isOutside(declaration)) return undefined;
      const { start, end } = declaration.place.span;
      left -= end - start;
      return left < 0 ? undefined : bodyOf(declaration);
    },
  };
  const all: InstantiatedBody[] = [];
  const seen = new Set<string>();
  const others: InstantiatedBody[] = [];
  const isFirst = (body: InstantiatedBody) => {
    const shape = shapeOf(body);
    const isNew = !seen.has(shape);
    if (isNew) seen.add(shape);
    else others.push(body);
    return isNew;
  };
  // Of the instantiations that differ in numbers alone, which seldom decide anything, the first counts most.
  for (const [bodies, counts] of [
    [requested, isFirst],
    [others, undefined],
  ] as const) {
    yield* walkInstantiatedBodies({ ...program, instantiations: { ...newInstantiations(), bodies } }, facts, () => [], counts);
    for (const body of bodies) all.push(body);
  }
  if (decided.every((kind) => facts[kind].length === 0)) return undefined;
  const walked = new Set<FunctionInstance>();
  const bodies = all.flatMap(({ instance, instantiation }) => {
    if (walked.has(instance) || !isOutside(instance.declaration)) return [];
    walked.add(instance);
    return [{ place: instance.declaration.place, from: instantiation.place }];
  });
  return { facts, bodies };
}

/** A body's place, and the types among its arguments. */
function shapeOf({ instance: { declaration, arguments: values } }: InstantiatedBody): string {
  return `${placeKey(declaration.place)}<${values.map((value) => (typeof value === "bigint" ? "" : printType(value))).join()}>`;
}

/** The facts that arguments decide. */
const decided = [
  "conversions",
  "accesses",
  "constObjects",
  "defaultedObjects",
  "hostCalls",
  "deviceCalls",
  "spaces",
  "instantiatedVariables",
] as const satisfies readonly (keyof FactSink)[];
