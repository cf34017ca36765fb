/** A cast of a generic pointer that is known to point into one address space to a pointer into another. */
import { conversionsOf } from "../../analyses/fact-index.ts";
import {
  isSpaceQuery,
  isUnclearNarrowing,
  narrowedParameters,
  narrowingsOf,
  spaceQueries,
} from "../../analyses/pointers/narrowed-parameters.ts";
import { areAllDisjoint, type PointerFlow, pointedSpace, pointerFlow } from "../../analyses/pointers/pointer-flow.ts";
import { fileOf } from "../../preprocess/row.ts";
import type { AddressSpace } from "../../qualifiers.ts";
import type { CallFact, ConversionFact, Facts } from "../../semantics/facts/facts.ts";
import { overlaps } from "../../semantics/types/address-spaces.ts";
import type { VariableSymbol } from "../../semantics/types/symbols.ts";
import { containsUnknown } from "../../semantics/types/types.ts";
import type { Question } from "../../summary/passed-objects.ts";
import { printPointer } from "../fixes/spaces.ts";
import type { Rule, RuleFinding } from "../rule.ts";

/** Reports casts of a generic pointer to an address space that it cannot point into. */
export const addressSpaceGenericNarrowed: Rule = {
  id: "address-space-generic-narrowed",
  title: "a generic pointer is cast to an address space that it cannot point into",
  severity: "warning",
  languages: ["opencl"],
  clause:
    "OpenCL C 2.0 §6.5.5, 3.0 §6.7.9: the result of casting a generic pointer to a named address space that the object is not in is undefined",
  documentation: `
A generic pointer (OpenCL C 2.0, and 3.0 where the device supports it) does not show where it came from, and a cast from it to a
named space is not checked. If the object is in private or local memory and the cast says \`global\`, the program accesses
unrelated data in global memory. No compiler reports that.

It is reported if every possible value of the generic pointer is known in this file, also through a call: then the argument is
reported. \`to_global\` and the like test at run time; for a pointer that is known to point elsewhere they always return null.

**What to do**: use \`to_global(p)\`, \`to_local(p)\`, \`to_private(p)\` and test for null, or keep the named space in the type.`,
  limits:
    "Every possible value of the generic pointer must come from this file. A pointer from memory, from a caller in another file, or from a function without a body here may point anywhere, and is not reported.",
  examples: [
    {
      language: "opencl",
      standard: "CL2.0",
      bad: `kernel void work(global int *out) {
  int mine = 0;
  int *p = &mine;
  global int *q = (global int *)p; // <-
  q[0] = 1;
}`,
      good: `kernel void work(global int *out) {
  int *p = out;
  global int *q = (global int *)p;
  q[0] = 1;
}`,
    },
    {
      language: "opencl",
      standard: "CL2.0",
      bad: `void store(int *p) { *(global int *)p = 1; }
kernel void work(global int *out, local int *tile) {
  store(out);
  store(tile); // <-
}`,
      good: `void store(int *p) { *(global int *)p = 1; }
kernel void work(global int *out, local int *tile) {
  store(out);
  tile[0] = 1;
}`,
    },
  ],
  checkFile({ facts, dialect }, report) {
    const narrowings = narrowingsOf(facts);
    if (narrowings.length === 0 && !facts.calls.some(isSpaceQuery)) return;
    if (dialect.language !== "opencl" || !dialect.genericAddressSpace) return;
    const flow = pointerFlow(facts);
    for (const fact of narrowings) {
      const finding = castFinding(fact, flow);
      if (finding !== undefined) report(finding);
    }
    for (const finding of argumentFindings(facts, flow)) report(finding);
    for (const call of facts.calls) {
      const finding = queryFinding(call, facts, flow);
      if (finding !== undefined) report(finding);
    }
  },
  asks: ({ facts, dialect }) => (dialect.language === "opencl" && dialect.genericAddressSpace ? [...questionsOf(facts)] : []),
  link(summaries, report, effects) {
    for (const { rule, spaces = [], argument, name, ...pass } of summaries.flatMap(({ questions }) => questions)) {
      const narrowed = rule === addressSpaceGenericNarrowed.id ? effects.narrowed(pass) : undefined;
      if (narrowed === undefined || spaces.some((space) => overlaps(space, narrowed.space))) continue;
      report({
        location: argument,
        message: `passing a pointer to ${spaces[0] ?? "private"} memory, but '${name}' casts '${narrowed.name}' to ${narrowed.space}`,
        related: [{ message: "it is cast here", location: narrowed.location }],
      });
    }
  },
};

function castFinding(fact: ConversionFact, flow: PointerFlow): RuleFinding | undefined {
  const to = pointedSpace(fact.to);
  const origins = flow.originsOf(fact);
  if (to === undefined || isUnclearNarrowing(fact) || !areAllDisjoint(origins, to)) return undefined;
  const from = [...new Set(origins.map(({ space }) => space))].join(" or ");
  return {
    place: fact.place,
    message: `casting to '${printPointer(fact.to)}', but the generic pointer points to ${from} memory`,
    related: origins.slice(0, 3).map(({ place, space }) => ({ message: `this points to ${space} memory`, place })),
  };
}

/** Reports calls that pass a pointer into another space than the one to which the callee casts its parameter. */
function* argumentFindings(facts: Facts, flow: PointerFlow): Generator<RuleFinding> {
  for (const [parameter, { space, cast }] of narrowedParameters(facts)) {
    for (const passed of flow.passedTo(parameter)) {
      const origins = flow.originsOf(passed);
      if (areAllDisjoint(origins, space)) yield argumentFinding(passed, parameter, cast, origins[0]?.space, space);
    }
  }
}

/** Asks about the pointers that calls pass to generic parameters of functions in other files. */
function* questionsOf(facts: Facts): Generator<Question> {
  const flow = pointerFlow(facts);
  for (const {
    callee,
    name,
    arguments: given,
    place: { unit },
  } of facts.calls) {
    const isDefinedHere = callee?.declarations.some((each) => each.isDefinition && fileOf(each.place.unit.uri) === fileOf(unit.uri));
    if (callee === undefined || callee.isBuiltin || isDefinedHere === true) continue;
    for (const [index, { place }] of given.entries()) {
      const passed = conversionsOf(facts, place).find(({ context }) => context === "pass");
      if (passed === undefined || pointedSpace(passed.to) !== "generic" || containsUnknown(passed.from)) continue;
      const spaces = [...new Set((flow.originsOf(passed) ?? []).map(({ space }) => space))];
      if (spaces.length > 0) yield { object: name, declaration: place, callee, index, name, argument: place, spaces };
    }
  }
}

function argumentFinding(
  passed: ConversionFact,
  parameter: VariableSymbol,
  cast: ConversionFact,
  from: AddressSpace | undefined,
  to: AddressSpace,
): RuleFinding {
  return {
    place: passed.operandPlace,
    message: `passing a pointer to ${from ?? "private"} memory, but '${parameter.owner?.name ?? "the function"}' casts '${parameter.name}' to ${to}`,
    related: [{ message: "it is cast here", place: cast.place }],
  };
}

/** The finding for a call `to_global(p)` with a pointer that is known not to point to global memory. */
function queryFinding(call: CallFact, facts: Facts, flow: PointerFlow): RuleFinding | undefined {
  const space = Object.hasOwn(spaceQueries, call.name) ? spaceQueries[call.name] : undefined;
  const [argument] = call.arguments;
  if (space === undefined || argument === undefined || call.callee?.isBuiltin !== true) return undefined;
  const passed = conversionsOf(facts, argument.place).find(({ context }) => context === "pass");
  const origins = passed === undefined || containsUnknown(passed.from) ? undefined : flow.originsOf(passed);
  if (!areAllDisjoint(origins, space) || origins.some((origin) => overlaps(origin.space, space))) return undefined;
  return { place: call.place, message: `'${call.name}' of a pointer to ${origins[0]?.space ?? "private"} memory is always null` };
}
