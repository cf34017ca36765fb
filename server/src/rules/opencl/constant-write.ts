/** A write into constant memory. */
import { storageProblem } from "../../semantics/declarations/storage.ts";
import { isInSpace } from "../../semantics/types/address-spaces.ts";
import { declaringPlace, nameObject } from "../findings/written-objects.ts";
import { writesOf } from "../predicates.ts";
import type { Rule } from "../rule.ts";

/** Reports writes into constant memory. */
export const constantWrite: Rule = {
  id: "constant-write",
  title: "an object in constant memory is written",
  severity: "error",
  languages: ["opencl"],
  clause:
    "OpenCL C 3.0 §6.7.3, 1.2 §6.5.3: variables in the __constant address space are read-only; writing to one is a compile-time error",
  documentation: `
Constant memory is read-only while a kernel runs: devices keep it in a cache without write-back. Every assignment, \`++\` and
compound assignment to a \`__constant\` variable, to a part of one, or through a pointer to constant memory is an error, whether
or not \`const\` is written.

Functions that store through a pointer (\`vstoren\`, atomics, the second result of \`fract\` and \`sincos\`) have no overload for
constant memory: those calls are reported as [builtin-argument-space](builtin-argument-space.md).

**What to do**: copy the value into a private variable and change that; or let the host pass the buffer as \`__global\`.`,
  limits: "A store through a pointer that is not known to point to constant memory is not detected.",
  examples: [
    {
      language: "opencl",
      bad: `kernel void normalize(constant float *weights, int n) {
  for (int i = 0; i < n; i++) weights[i] /= n; // <-
}`,
      good: `kernel void normalize(global float *weights, int n) {
  for (int i = 0; i < n; i++) weights[i] /= n;
}`,
    },
    {
      language: "opencl",
      bad: `constant int limit = 8;
kernel void grow(global int *out) {
  out[0] = ++limit; // <-
}`,
      good: `constant int limit = 8;
kernel void grow(global int *out) {
  int next = limit + 1;
  out[0] = next;
}`,
    },
  ],
  check({ facts, dialect }, report) {
    if (dialect.language !== "opencl") return;
    for (const access of writesOf(facts)) {
      // A class type as a template argument may have an assignment operator for constant objects.
      if (!isInSpace(access.type.qualifiers, "constant") || access.type.kind === "dependent" || access.assignment?.isOpen === true)
        continue;
      const { root } = access.path;
      // If the variable itself is misplaced, another rule reports that.
      if (root !== undefined && root.type.qualifiers.space === "constant" && storageProblem(root, dialect) !== undefined) continue;
      const declared = declaringPlace(access);
      report({
        place: access.place,
        message: `${nameObject(access.place)} is in constant memory and cannot be written`,
        ...(access.isOverlooked === true ? { severity: "warning" } : {}),
        related: declared === undefined ? [] : [{ message: "declared here", place: declared }],
      });
    }
  },
};
