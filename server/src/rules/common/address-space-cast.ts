/** An explicit cast from a pointer into one address space to a pointer into a disjoint one. */
import { isCuda } from "../../analyses/memory-spaces.ts";
import { pointedSpace } from "../../analyses/pointers/pointer-flow.ts";
import type { ConversionFact } from "../../semantics/facts/facts.ts";
import { printType } from "../../semantics/types/types.ts";
import { describeConversion } from "../findings/conversions.ts";
import { qualifyCast } from "../fixes/pointer-qualification.ts";

import { isStringLiteral } from "../predicates.ts";
import type { Rule, RuleFinding } from "../rule.ts";

/** Reports casts of a pointer into one address space to a pointer into a disjoint one. */
export const addressSpaceCast: Rule = {
  id: "address-space-cast",
  title: "a cast turns a pointer into one address space into a pointer to a disjoint one",
  severity: "error",
  languages: ["opencl", "cuda"],
  clause:
    "OpenCL C 3.0 §6.7.9, 1.2 §6.5: casting a pointer to address space A to a pointer to address space B is illegal if A and B are named and disjoint",
  documentation: `
A pointer type in OpenCL C includes the address space of its pointee, and the device may use different instructions and even
different pointer sizes for each space. A cast cannot move the object: it only makes the compiler generate the wrong access.
\`__global\`, \`__local\`, \`__private\` and \`__constant\` are disjoint, so every cast between two of them is an error.
\`__generic\` (OpenCL C 2.0, or 3.0 where the device supports it) contains all but \`__constant\`.

An unqualified \`int *\` in a cast points to private memory in OpenCL C 1.x, and to generic where the standard has it: \`(int
*)p\` of a \`__global\` pointer is an error in one and valid in the other.

In CUDA this concerns pointers with clang's \`__attribute__((address_space(3)))\`, between which only C-style casts convert. nvcc
ignores the attribute, so there it is a warning.

**What to do**: cast to the operand's own address space; to really move data, copy it (a loop, \`async_work_group_copy\`)
into an object of the other space and point to that.`,
  limits:
    "Casts to or from a type that depends on a template argument are judged in each instantiation. In OpenCL, address spaces that an attribute gives by number are unknown.",
  fixSafety:
    "The fix casts to the operand's own space. It is safe, because it is offered only if every use of the result accepts a pointer to that space.",
  examples: [
    {
      language: "opencl",
      bad: `kernel void sum(global float *in, local float *tile) {
  float4 four = *(local float4 *)in; // <-
  tile[0] = four.x + four.y + four.z + four.w;
}`,
      good: `kernel void sum(global float *in, local float *tile) {
  float4 four = *(global float4 *)in;
  tile[0] = four.x + four.y + four.z + four.w;
}`,
      fixed: `kernel void sum(global float *in, local float *tile) {
  float4 four = *(global float4 *)in;
  tile[0] = four.x + four.y + four.z + four.w;
}`,
    },
    {
      language: "opencl",
      bad: `constant float weights[2] = { 0.25f, 0.75f };
kernel void blend(global float *out) {
  out[0] = ((const global float *)weights)[1]; // <-
}`,
      good: `constant float weights[2] = { 0.25f, 0.75f };
kernel void blend(global float *out) {
  out[0] = weights[1];
}`,
      fixed: `constant float weights[2] = { 0.25f, 0.75f };
kernel void blend(global float *out) {
  out[0] = ((const constant float *)weights)[1];
}`,
    },
  ],
  check({ facts, dialect }, report) {
    for (const fact of facts.conversions) {
      const { verdict } = fact;
      if (fact.context === "cast" && verdict.kind === "changes-address-space" && !verdict.isNested && !isStringLiteral(fact.operand)) {
        if (dialect.language === "opencl") report(findingOf(fact));
        // A C-style cast between numbered address spaces is what clang's own headers use.
        else if (fact.cast !== "c-style" && fact.cast !== "functional")
          report({ ...findingOf(fact), fixes: () => [], ...(isCuda(dialect) ? { severity: "warning" } : {}) });
      }
      if (fact.context === "cast" && verdict.kind === "changes-type")
        report({
          place: fact.place,
          message:
            fact.cast === "reinterpret_cast"
              ? `'reinterpret_cast' is for pointers and references, not for a '${printType(fact.to)}'`
              : `'addrspace_cast' may change the address space only, not '${printType(fact.from)}' to '${printType(fact.to)}'`,
        });
    }
  },
};

function findingOf(fact: ConversionFact): RuleFinding {
  const message = `${describeConversion(fact)} changes the address space`;
  return {
    place: fact.place,
    message,
    fixes: (facts) => {
      // An edit that suits one instantiation would break the others.
      const edits = fact.instantiation === undefined ? qualifyCast(facts, fact) : undefined;
      return edits === undefined ? [] : [{ title: `Cast to ${pointedSpace(fact.from) ?? "that space"} instead`, edits, safety: "safe" }];
    },
  };
}
