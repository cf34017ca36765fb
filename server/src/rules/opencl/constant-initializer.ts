/** A variable that must be initialized at compile time but has no initializer, or one that is not constant. */
import type { OpenCLDialect } from "../../dialect.ts";
import { storageProblem } from "../../semantics/declarations/storage.ts";
import type { VariableFact } from "../../semantics/facts/facts.ts";
import type { VariableSymbol } from "../../semantics/types/symbols.ts";
import { findingsOfVariables } from "../findings/related.ts";
import type { Rule, RuleFinding, RuleFix } from "../rule.ts";

/** Reports `__constant` variables without a compile-time constant initializer. */
export const constantInitializer: Rule = {
  id: "constant-initializer",
  title: "a `__constant` variable has no initializer, or one that is not a compile-time constant",
  severity: "error",
  languages: ["opencl"],
  clause:
    "OpenCL C 3.0 §6.7.3, 1.2 §6.5.3: variables in the __constant address space are required to be initialized, with compile-time constants; C11 §6.7.9p4",
  documentation: `
Constant memory is initialized before the kernel starts and cannot be written afterwards. A \`__constant\` variable, at program
scope or at the top of a kernel, therefore needs an initializer, and the compiler must know everything in it: literals,
enumerators, \`sizeof\`, other constants, addresses of program-scope objects. The kernel's arguments, \`get_global_id\` and every
other function call are not. An \`extern\` declaration needs no initializer: it belongs to the definition.

In OpenCL C the same holds for other variables with static storage duration (2.0: \`global int x = f();\`).

**What to do**: use a private \`const\` variable for a value that is computed once per work-item, and a kernel argument for a value that the host knows.`,
  limits: "A call of a function that the compiler may evaluate, and every unknown name, counts as constant.",
  fixSafety: "A suggestion: zero compiles, but only the author knows the intended value.",
  examples: [
    {
      language: "opencl",
      bad: `kernel void scale(global float *data, float by) {
  constant float twice = 2.0f * by; // <-
  data[0] *= twice;
}`,
      good: `kernel void scale(global float *data, float by) {
  const float twice = 2.0f * by;
  data[0] *= twice;
}`,
    },
    {
      language: "opencl",
      bad: `constant float weights[4]; // <-
kernel void apply(global float *data) { data[0] *= weights[0]; }`,
      good: `constant float weights[4] = { 0.1f, 0.2f, 0.3f, 0.4f };
kernel void apply(global float *data) { data[0] *= weights[0]; }`,
    },
  ],
  check({ facts, dialect }, report) {
    if (dialect.language !== "opencl") return;
    for (const finding of findingsOfVariables(facts, (fact) => findingOf(fact, dialect))) report(finding);
  },
};

function findingOf({ variable, runtimePart }: VariableFact, dialect: OpenCLDialect): RuleFinding | undefined {
  const isConstant = variable.type.qualifiers.space === "constant";
  const problem = storageProblem(variable, dialect);
  if (problem?.kind === "uninitialized")
    return {
      place: variable.place,
      message: `'${variable.name}' is in constant memory and needs an initializer`,
      fixes: () => zeroFixes(variable),
    };
  if (problem !== undefined || runtimePart === undefined) return undefined;
  const what = isConstant ? "in constant memory" : "initialized before the program runs";
  return {
    place: runtimePart,
    message: `'${variable.name}' is ${what}: its initializer is not a compile-time constant`,
    related: [{ message: `'${variable.name}' is declared here`, place: variable.place }],
  };
}

/**
 * The fixes that initialize a variable with zero. Zero is always a valid value, but only the author knows whether it is the right
 * one.
 */
function zeroFixes({ name, type, declaration, scope }: VariableSymbol): readonly RuleFix[] {
  // A static member is initialized where it is defined.
  if (scope === "static-member") return [];
  const isAggregate = type.kind === "array" || type.kind === "record";
  if (!isAggregate && type.kind !== "arithmetic" && type.kind !== "vector" && type.kind !== "pointer") return [];
  const zero = isAggregate ? "{ 0 }" : type.kind === "pointer" ? "NULL" : "0";
  const end = declaration.span.end;
  return [
    {
      title: `Initialize '${name}' with zero`,
      edits: [{ place: { unit: declaration.unit, span: { start: end - 1, end } }, how: "after", text: ` = ${zero}` }],
      safety: "suggestion",
    },
  ];
}
