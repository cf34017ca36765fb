/** A pointer that becomes a pointer into another address space by way of an integer or a union. */
import { areAllDisjoint, type PointerFlow, type PointerOrigin, pointedSpace, pointerFlow } from "../../analyses/pointers/pointer-flow.ts";
import type { AddressSpace } from "../../qualifiers.ts";
import type { AccessFact, ConversionFact, Facts } from "../../semantics/facts/facts.ts";
import { overlaps } from "../../semantics/types/address-spaces.ts";
import type { VariableSymbol } from "../../semantics/types/symbols.ts";
import { isInteger } from "../../semantics/types/types.ts";
import { printPointer } from "../fixes/spaces.ts";
import type { Rule, RuleFinding } from "../rule.ts";

/** Reports pointers that change their address space through an integer or a union. */
export const addressSpaceLaundered: Rule = {
  id: "address-space-laundered",
  title: "a pointer changes its address space through an integer or a union",
  severity: "warning",
  languages: ["opencl"],
  clause:
    "OpenCL C 3.0 §6.7.9: pointers into disjoint address spaces do not convert; C11 §6.3.2.3p5–6: what an integer gives as a pointer is implementation-defined",
  documentation: `
A compiler rejects a cast from one address space to a disjoint one. With an integer in between, \`(global int *)(size_t)p\`, or a
union whose members point to different spaces, it accepts the same thing silently. The bits are the same, but they refer to
another place: offset 16 of a work-group's local memory is not address 16 of global memory, and the two kinds of pointers need not
even have the same size.

It is reported if every possible value of the integer in this file comes from a pointer into a disjoint space, within a function
or through a call.

**What to do**: keep the pointer's type. To choose between buffers in different spaces at run time, copy the data, or write the
code once for each space.`,
  limits:
    "Every origin of the integer must be in this file. Integers are not followed through memory, or through functions without a body here.",
  examples: [
    {
      language: "opencl",
      bad: `kernel void patch(constant int *table) {
  global int *writable = (global int *)(size_t)table; // <-
  writable[0] = 1;
}`,
      good: `kernel void patch(global int *table) {
  global int *writable = (global int *)(size_t)table;
  writable[0] = 1;
}`,
    },
    {
      language: "opencl",
      bad: `union any { global int *buffer; local int *tile; };
kernel void fill(global int *out) {
  union any p;
  p.buffer = out;
  p.tile[0] = 1; // <-
}`,
      good: `union any { global int *buffer; local int *tile; };
kernel void fill(global int *out) {
  union any p;
  p.buffer = out;
  p.buffer[0] = 1;
}`,
    },
  ],
  checkFile({ facts }, report) {
    const flow = pointerFlow(facts);
    for (const fact of facts.conversions) {
      const finding = integerFinding(fact, flow);
      if (finding !== undefined) report(finding);
    }
    for (const finding of unionFindings(facts)) report(finding);
  },
};

function integerFinding(fact: ConversionFact, flow: PointerFlow): RuleFinding | undefined {
  if (fact.context !== "cast" || !isInteger(fact.from)) return undefined;
  const origins = flow.originsOfBits(fact.operand, fact.place.unit);
  if (origins === undefined) return undefined;
  const space = pointedSpace(fact.to);
  if (space === undefined || space === "generic" || !areAllDisjoint(origins, space)) return undefined;
  return {
    place: fact.place,
    message: messageOf(fact, origins),
    related: origins.slice(0, 3).map(({ place, space: from }) => ({ message: `this points to ${from} memory`, place })),
  };
}

function messageOf({ to }: ConversionFact, origins: readonly PointerOrigin[]): string {
  const from = [...new Set(origins.map((origin) => origin.space))].join(" or ");
  return `'${printPointer(to)}' gets an address in ${from} memory through an integer`;
}

/** Reads of a union member that points into another space than the member that was written. */
function* unionFindings(facts: Facts): Generator<RuleFinding> {
  const uses = facts.accesses.map(unionUse).filter((use) => use !== undefined);
  const written = new Map<VariableSymbol, (typeof uses)[number][]>();
  for (const use of uses) if (use.access.mode === "write") written.set(use.root, [...(written.get(use.root) ?? []), use]);
  for (const { access, root, member, space } of uses) {
    if (access.mode !== "read") continue;
    const writes = (written.get(root) ?? []).filter(
      (other) => other.member.record === member.record && other.access.path.steps.length === access.path.steps.length,
    );
    const [first] = writes;
    if (first === undefined || writes.some((other) => overlaps(other.space, space))) continue;
    yield {
      place: access.place,
      message: `'${member.name}' points to ${space} memory, but the union holds a pointer to ${first.space}`,
      related: [{ message: `'${first.member.name}' is written here`, place: first.access.place }],
    };
  }
}

interface UnionUse {
  readonly access: AccessFact;
  readonly root: VariableSymbol;
  readonly member: VariableSymbol;
  readonly space: AddressSpace;
}

function unionUse(access: AccessFact): UnionUse | undefined {
  const { root, steps } = access.path;
  const last = steps[steps.length - 1];
  if (root === undefined || last?.kind !== "member" || last.member?.record?.key !== "union") return undefined;
  const space = pointedSpace(access.type);
  return space === undefined ? undefined : { access, root, member: last.member, space };
}
