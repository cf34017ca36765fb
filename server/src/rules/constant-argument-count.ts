/** A kernel with more `__constant` pointer arguments than a device must accept. */
import { reachedConstants } from "../semantics/reached-constants.ts";
import type { FunctionDeclaration, ParameterDeclaration, VariableSymbol } from "../semantics/symbols.ts";
import type { Rule, RuleContext, RuleFinding } from "./rule.ts";

export const constantArgumentCount: Rule = {
  id: "constant-argument-count",
  title: "a kernel has more `__constant` arguments than CL_DEVICE_MAX_CONSTANT_ARGS",
  severity: "warning",
  languages: ["opencl"],
  clause: "OpenCL C 3.0 §6.7.3; OpenCL API 3.0 §4.2: CL_DEVICE_MAX_CONSTANT_ARGS is at least 8 (4 in the embedded profile)",
  documentation: `
Each argument of a kernel that is a pointer to \`__constant\` counts towards \`CL_DEVICE_MAX_CONSTANT_ARGS\`. Every device
accepts 8 (4 in the embedded profile); some accept no more. Compilers do not look: the failure is
\`CL_OUT_OF_RESOURCES\` or a build error on somebody else's device. Samplers and \`const __global\` pointers do not count.

Without a configured limit this is an *info*, because your device may accept more. Name the limit of the devices that
you ship for in \`gpu-qualifiers.json\` (\`"limits": { "constantArguments": 8 }\`, or \`"profile": "embedded"\`) and it is a
*warning*.

A device may turn each constant variable that a kernel reaches, at program scope or in a function, into an argument as
well (OpenCL C 3.0 §6.7.3): portable code counts them too. Where a limit is configured, a kernel that keeps it only
without its variables gets an *info*.

**What to do**: merge small tables into one buffer, or pass read-only data that all work-items index differently as
\`const __global\`.`,
  examples: [
    {
      language: "opencl",
      bad: `kernel void blend(constant float *a, constant float *b, constant float *c, // <-
                  constant float *d, constant float *e, constant float *f,
                  constant float *g, constant float *h, constant float *i, global float *out) {
  out[0] = *a + *b + *c + *d + *e + *f + *g + *h + *i;
}`,
      good: `kernel void blend(constant float *tables, global float *out) {
  out[0] = tables[0] + tables[1];
}`,
    },
  ],
  check(context, report) {
    const constantsReached = reachedConstants(context.facts);
    for (const { declarations } of context.facts.functions) {
      for (const declaration of declarations) {
        if (!declaration.execution.kernel || !declaration.isDefinition) continue;
        const finding = findingOf(context, declaration) ?? portableFinding(context, declaration, constantsReached(declaration.owner));
        if (finding !== undefined) report(finding);
      }
    }
  },
};

function findingOf({ limits }: RuleContext, declaration: FunctionDeclaration): RuleFinding | undefined {
  const counted = declaration.parameters.filter(isConstantArgument);
  const first = counted[limits.constantArguments];
  if (first === undefined) return undefined;
  const names = counted.map(({ symbol }, index) => symbol.name || `#${index + 1}`).join(", ");
  return {
    place: declaration.namePlace,
    severity: limits.areConfigured ? "warning" : "info",
    message: `${counted.length} '__constant' arguments, over the ${limits.areConfigured ? "limit of" : "guaranteed"} ${limits.constantArguments}: ${names}`,
    related: [{ message: `argument ${limits.constantArguments + 1} of the ${counted.length} that count`, place: first.place }],
  };
}

/** With the variables that a device may turn into arguments. Only who names a limit wants to know that much. */
function portableFinding(
  { limits }: RuleContext,
  declaration: FunctionDeclaration,
  reached: readonly VariableSymbol[],
): RuleFinding | undefined {
  const count = declaration.parameters.filter(isConstantArgument).length;
  if (!limits.areConfigured || count + reached.length <= limits.constantArguments) return undefined;
  return {
    place: declaration.namePlace,
    severity: "info",
    message: `${count} '__constant' arguments and ${reached.length} variables may need more than ${limits.constantArguments} arguments`,
    related: reached.map(({ name, place }) => ({ message: `'${name}' may take an argument`, place })),
  };
}

/** A pointer (or array) argument into constant memory; samplers and images are not pointers. */
export function isConstantArgument({ symbol }: ParameterDeclaration): boolean {
  return symbol.type.kind === "pointer" && symbol.type.pointee.qualifiers.space === "constant";
}
