/** A kernel with more `__constant` pointer arguments than a device must accept. */
import { isConstantArgument, reachedConstants } from "../../analyses/reached-constants.ts";
import { append } from "../../lists.ts";
import type { Facts } from "../../semantics/facts/facts.ts";
import { sizeOf } from "../../semantics/types/layout.ts";
import type { FunctionDeclaration, ParameterDeclaration, VariableSymbol } from "../../semantics/types/symbols.ts";
import { qualifyVariable } from "../fixes/pointer-qualification.ts";
import type { PlacedEdit, Rule, RuleContext, RuleFinding, RuleFix } from "../rule.ts";

/** Reports kernels with more `__constant` arguments than CL_DEVICE_MAX_CONSTANT_ARGS. */
export const constantArgumentCount: Rule = {
  id: "constant-argument-count",
  title: "a kernel has more `__constant` arguments than CL_DEVICE_MAX_CONSTANT_ARGS",
  severity: "warning",
  languages: ["opencl"],
  clause: "OpenCL C 3.0 §6.7.3; OpenCL API 3.0 §4.2: CL_DEVICE_MAX_CONSTANT_ARGS is at least 8 (4 in the embedded profile)",
  documentation: `
Each argument of a kernel that is a pointer to \`__constant\` counts towards \`CL_DEVICE_MAX_CONSTANT_ARGS\`. Every device accepts
8 (4 in the embedded profile); some accept no more. Compilers do not check this: the failure is \`CL_OUT_OF_RESOURCES\` or a build
error on another device. Samplers and \`const __global\` pointers do not count.

The default limit is 8, because every device of the full profile accepts that many; if settings name the standard but no limit,
more are an *info*, because your devices may accept them. Name the limit of the devices that you ship for in
\`gpu-qualifiers.json\` (\`"limits": { "constantArguments": 16 }\`, or \`"profile": "embedded"\`).

A device may turn each constant variable that a kernel reaches, at program scope or in a function, into an argument as well
(OpenCL C 3.0 §6.7.3): portable code counts them too. A kernel that exceeds the limit only with its variables gets an *info* if the
limit is configured, and a *hint* otherwise.

**What to do**: merge small tables into one buffer, or pass read-only data that all work-items index differently as
\`const __global\`. The fix does that for the arguments with the smallest elements; the host's code does not change.`,
  limits: "The limit of the device is unknown unless the settings name it.",
  fixSafety:
    "The fix is offered if every use of the parameter allows a pointer to const global memory: safe, and the host passes the same buffer. Reads may take longer.",
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
      fixed: `kernel void blend(constant float *a, constant float *b, constant float *c,
                  constant float *d, constant float *e, constant float *f,
                  constant float *g, constant float *h, const global float *i, global float *out) {
  out[0] = *a + *b + *c + *d + *e + *f + *g + *h + *i;
}`,
    },
  ],
  checkFile(context, report) {
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

function findingOf({ limits, facts, file }: RuleContext, declaration: FunctionDeclaration): RuleFinding | undefined {
  const counted = declaration.parameters.filter(isConstantArgument);
  const first = counted[limits.constantArguments];
  if (first === undefined) return undefined;
  const names = counted.map(({ symbol }, index) => symbol.name || `#${index + 1}`).join(", ");
  return {
    place: declaration.namePlace,
    severity: limits.areConfigured || !file.isStandardConfigured ? "warning" : "info",
    message: `${counted.length} '__constant' arguments exceed the ${limits.areConfigured ? "limit of" : "guaranteed"} ${limits.constantArguments}: ${names}`,
    related: [{ message: `argument ${limits.constantArguments + 1} of the ${counted.length} that count`, place: first.place }],
    fixes: () => fixesFor(counted, counted.length - limits.constantArguments, facts),
  };
}

/**
 * The fixes that move as many arguments as exceed the limit to global memory. Of those that can be moved, the ones with the
 * smallest elements come first, and the last of these first.
 */
function fixesFor(counted: readonly ParameterDeclaration[], excess: number, facts: Facts): readonly RuleFix[] {
  const size = ({ symbol }: ParameterDeclaration) =>
    (symbol.type.kind === "pointer" ? sizeOf(symbol.type.pointee) : undefined) ?? Number.POSITIVE_INFINITY;
  const bySize = counted
    .map((parameter, index) => ({ parameter, index }))
    .sort((a, b) => size(a.parameter) - size(b.parameter) || b.index - a.index);
  const edits: PlacedEdit[] = [];
  const names: string[] = [];
  for (const { parameter } of bySize) {
    const own = names.length < excess ? globalEdits(parameter, facts) : undefined;
    if (own === undefined) continue;
    append(edits, own);
    names.push(`'${parameter.symbol.name}'`);
  }
  return names.length < excess ? [] : [{ title: `Pass ${names.reverse().join(", ")} as 'const __global'`, edits, safety: "safe" }];
}

/** The edits that make the parameter point to const global memory in every declaration of the kernel. */
function globalEdits({ symbol }: ParameterDeclaration, facts: Facts): readonly PlacedEdit[] | undefined {
  if (symbol.name === "" || symbol.type.kind !== "pointer") return undefined;
  const spaces = qualifyVariable(facts, symbol, "global");
  if (spaces === undefined || symbol.type.pointee.qualifiers.const) return spaces;
  // The edits replace the address space in place; const precedes it.
  return spaces.map((edit) => ({ ...edit, text: `const ${edit.text}` }));
}

/**
 * The finding that also counts the variables which a device may turn into arguments. Devices that do so are rare: without a configured
 * limit, only a kernel that has constant arguments gets it.
 */
function portableFinding(
  { limits }: RuleContext,
  declaration: FunctionDeclaration,
  reached: readonly VariableSymbol[],
): RuleFinding | undefined {
  const count = declaration.parameters.filter(isConstantArgument).length;
  if (count + reached.length <= limits.constantArguments || (count === 0 && !limits.areConfigured)) return undefined;
  return {
    place: declaration.namePlace,
    severity: limits.areConfigured ? "info" : "hint",
    message: `${count} '__constant' arguments and ${reached.length} program-scope constants: a device may take only ${limits.constantArguments} in all`,
    related: reached.map(({ name, place }) => ({ message: `'${name}' may take an argument`, place })),
  };
}
