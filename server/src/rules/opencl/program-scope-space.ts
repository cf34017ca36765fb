/**
 * Variables with static storage duration (program scope, `extern`, `static`) in an address space that the standard does not
 * allow for them.
 */
import { leavesObject } from "../../analyses/access-paths.ts";
import { accessesTo } from "../../analyses/fact-index.ts";
import type { OpenCLDialect } from "../../dialect.ts";
import { namedSpace } from "../../qualifiers.ts";
import { storageProblem } from "../../semantics/declarations/storage.ts";
import type { Facts } from "../../semantics/facts/facts.ts";
import { innermostElement } from "../../semantics/types/predicates.ts";
import type { VariableSymbol } from "../../semantics/types/symbols.ts";
import { findingsOfVariables } from "../findings/related.ts";
import { mayBeConstant } from "../fixes/pointer-qualification.ts";
import { spaceWordsOf, spellSpace, spellSpaceIn } from "../fixes/spaces.ts";
import type { PlacedEdit, Rule, RuleFinding } from "../rule.ts";

/** Reports program-scope, extern and static variables in an address space that they cannot have. */
export const programScopeSpace: Rule = {
  id: "program-scope-space",
  title: "a program-scope, extern or static variable is in an address space that it cannot have",
  severity: "error",
  languages: ["opencl"],
  clause:
    "OpenCL C 3.0 §6.7.1, §6.7.8, 2.0 §6.5.1, 1.2 §6.5, §6.8: program-scope variables must be in constant memory, or where supported in global",
  documentation: `
A variable at program scope lives as long as the program, and in OpenCL C 1.x (and 3.0 without
\`__opencl_c_program_scope_global_variables\`) the only memory that does is \`__constant\`. That holds for \`const\` variables and
for pointers too: \`constant int *p = &c;\` declares a pointer *to* constant memory, but the pointer itself is not in constant
memory; it must be \`constant int *constant p\`.

OpenCL C 2.0 (and 3.0 with the feature) places an unqualified program-scope, \`static\` or \`extern\` variable in \`__global\`
memory. \`__local\`, \`__private\` and \`__generic\` are wrong in every standard. A \`static\` variable inside a function does not
exist before 2.0.

**What to do**: add \`__constant\` to variables that are never written; a table that only one kernel uses can be a \`__constant\` variable inside it. Data that is written belongs in a buffer that the host passes.`,
  limits: "Whether another file writes a variable with external linkage is unknown.",
  fixSafety: "The fix is offered for a variable that has an initializer and that nothing in the file writes: safe.",
  examples: [
    {
      language: "opencl",
      standard: "CL1.2",
      bad: `const float pi = 3.14f; // <-
kernel void area(global float *r) { r[0] = pi * r[0] * r[0]; }`,
      good: `constant float pi = 3.14f;
kernel void area(global float *r) { r[0] = pi * r[0] * r[0]; }`,
      fixed: `constant const float pi = 3.14f;
kernel void area(global float *r) { r[0] = pi * r[0] * r[0]; }`,
    },
    {
      language: "opencl",
      bad: `local int scratch[64]; // <-
kernel void work(global int *out) { out[0] = scratch[0]; }`,
      good: `kernel void work(global int *out) {
  local int scratch[64];
  out[0] = scratch[0];
}`,
    },
  ],
  check({ facts, dialect }, report) {
    if (dialect.language !== "opencl") return;
    for (const finding of findingsOfVariables(facts, ({ variable }) => findingOf(variable, dialect))) report(finding);
  },
};

function findingOf(variable: VariableSymbol, dialect: OpenCLDialect): RuleFinding | undefined {
  const message = messageOf(variable, dialect);
  if (message === undefined) return undefined;
  return {
    place: variable.place,
    message,
    fixes: (facts) => {
      const edit = makeConstant(variable, facts);
      return edit === undefined ? [] : [{ title: `Put '${variable.name}' in constant memory`, edits: [edit], safety: "safe" }];
    },
  };
}

function messageOf(variable: VariableSymbol, dialect: OpenCLDialect): string | undefined {
  const problem = storageProblem(variable, dialect);
  if (problem?.kind === "static") return `'${variable.name}' in a function cannot be 'static' before OpenCL C 2.0`;
  if (problem?.kind !== "lifetime") return undefined;
  return `${problem.declared} variable '${variable.name}' must be in ${dialect.programScopeGlobalVariables ? "global or constant" : "constant"} memory, not ${problem.space}`;
}

/**
 * The edit that adds `__constant` to the object's own type, or replaces its address space. It is for a variable that has an
 * initializer and is never written.
 */
function makeConstant(variable: VariableSymbol, facts: Facts): PlacedEdit | undefined {
  if (variable.sharesSpecifiers || variable.initializer === undefined || variable.scope !== "program" || !mayBeConstant(facts, variable))
    return undefined;
  if (accessesTo(facts, variable).some(({ mode, path }) => mode !== "read" && mode !== "address" && !leavesObject(path))) return undefined;
  const { space } = variable.type.qualifiers;
  if (namedSpace(space) !== space) return undefined;
  const isPointer = innermostElement(variable.type).kind === "pointer";
  const [present, ...more] = spaceWordsOf(variable.words);
  if (variable.isSpaceExplicit)
    return isPointer || present === undefined || more.length > 0
      ? undefined
      : { place: present.place, text: spellSpace("constant", present) };
  // The address space of the pointer itself changes, so the word follows the `*`.
  const place = isPointer ? variable.place : variable.declaration;
  return { place, how: "before", text: `${spellSpaceIn(place.unit, "constant")} ` };
}
