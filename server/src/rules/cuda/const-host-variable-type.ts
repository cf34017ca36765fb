/**
 * A use in device code of the value of a const host variable whose type does not allow that, according to the CUDA C++ Programming
 * Guide.
 */
import { type HostVariableUse, hostVariableUses } from "../../analyses/host-variables.ts";
import type { Dialect } from "../../dialect.ts";
import type { Facts } from "../../semantics/facts/facts.ts";
import { printType } from "../../semantics/types/types.ts";
import { hostVariableRelated } from "../findings/host-variable-findings.ts";
import { hostVariableFixes } from "../fixes/host-variable-fixes.ts";
import type { Rule, RuleFinding } from "../rule.ts";

/** Reports device code that uses a const host variable of a type that is neither integral nor floating point. */
export const constHostVariableType: Rule = {
  id: "const-host-variable-type",
  title: "device code uses a const host variable that is neither integral nor floating point",
  severity: "error",
  languages: ["cuda"],
  clause:
    "CUDA C++ Programming Guide, const-qualified variables: the type of V is a builtin integral or floating point type; CUDA C++ Guidelines for Robust and Safety-Critical Programming, device_uses_const_host_var_of_invalid_type",
  documentation: `
*Checker key in NVIDIA's guidelines: \`device_uses_const_host_var_of_invalid_type\`.*

Device code may use the value of a \`const\` host variable only when its type is integral or floating point. Where Microsoft's
compiler compiles the host code, floating point needs \`constexpr\`; that is reported if a flag (\`-ccbin cl.exe\`) names that compiler, and as
a *warning* if a build script or a Visual Studio project does. Arrays, structures, vector types such as \`float4\`, pointers and strings are not allowed.

nvcc rejects most of them («identifier is undefined in device code») but folds and accepts some: a member of a structure, a
table's element with a constant index in an initializer. Those are *warnings*: a variable index, another spelling or another
compiler turns them into errors. NVRTC puts const variables into device memory, so nothing is reported in sources that it compiles. The scalar parts of a \`constexpr\` variable that the compiler can compute are fine.

**What to do**: \`constexpr\` for structures whose members are used as values and for strings; \`__constant__\` for a table that all threads read at the same index, with a second one for device code if the host reads it too; a small table can also be copied into the function. The fixes do this, the best first.`,
  limits: "Compilers differ in whether they fold a member or an element; those uses are warnings.",
  fixSafety: "The first fix is safe: it gives device code the same values. The others are suggestions.",
  examples: [
    {
      language: "cuda",
      bad: `const float weights[3] = {0.25f, 0.5f, 0.25f};
__device__ float weight(int i) { return weights[i]; } // <-`,
      good: `__constant__ const float weights[3] = {0.25f, 0.5f, 0.25f};
__device__ float weight(int i) { return weights[i]; }`,
      fixed: `__constant__ const float weights[3] = {0.25f, 0.5f, 0.25f};
__device__ float weight(int i) { return weights[i]; }`,
    },
    {
      language: "cuda",
      bad: `struct Range { int low, high; };
const Range range = {1, 9};
__device__ int lowest() { return range.low; } // <-`,
      good: `struct Range { int low, high; };
constexpr Range range = {1, 9};
__device__ int lowest() { return range.low; }`,
      fixed: `struct Range { int low, high; };
constexpr Range range = {1, 9};
__device__ int lowest() { return range.low; }`,
    },
  ],
  checkFile({ facts, dialect }, report) {
    for (const use of hostVariableUses(facts, dialect))
      if (use.problem.kind === "type") report(findingOf(use, use.problem.isAccepted, dialect, facts));
  },
};

function findingOf(use: HostVariableUse, isAccepted: boolean, dialect: Dialect, facts: Facts): RuleFinding {
  const { variable, place, isCompiled } = use;
  // Other host compilers let device code use a number.
  const isMicrosofts = variable.type.kind === "arithmetic" && variable.binds === undefined;
  const where = isMicrosofts ? "device code with cl.exe" : "device code";
  // The project may have builds with other compilers.
  const isOfSomeBuild = isMicrosofts && dialect.language === "cuda" && dialect.hostCompiler === "msvc in some build";
  return {
    place,
    message: `host variable '${variable.name}' of type '${printType(variable.type)}' ${isAccepted ? "may not be used" : "has no value"} in ${where}`,
    severity: isAccepted || !isCompiled || isOfSomeBuild ? "warning" : "error",
    related: hostVariableRelated(use),
    fixes: () => hostVariableFixes(use, facts),
  };
}
