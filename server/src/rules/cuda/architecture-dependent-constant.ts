/**
 * A constant that has another value on the device than on the host, because a condition on `__CUDA_ARCH__` selects its declaration,
 * and that host code uses. `host-access-of-device-symbol.ts` judges variables of the device.
 */
import { isHostOnly } from "../../analyses/device-code.ts";
import { accessesTo } from "../../analyses/fact-index.ts";
import { isSurelyHost } from "../../analyses/host-code.ts";
import { isOfOnePass } from "../../analyses/memory-spaces.ts";
import type { VariableSymbol } from "../../semantics/types/symbols.ts";
import { wordPattern } from "../../words.ts";
import type { CheckedFile, Rule } from "../rule.ts";

/** Reports uses in host code of constants whose value depends on `__CUDA_ARCH__`. */
export const architectureDependentConstant: Rule = {
  id: "architecture-dependent-constant",
  title: "host code uses a constant whose value depends on `__CUDA_ARCH__`",
  severity: "hint",
  languages: ["cuda"],
  clause:
    "CUDA C++ Programming Guide, C++ language restrictions, __CUDA_ARCH__: undefined in host code; the signature of kernels and what is launched must not depend on it",
  documentation: `
\`__CUDA_ARCH__\` is defined only while the compiler compiles for the device. A constant that is declared twice, under a condition on it,
has one value in kernels and another in host code: a launch with 256 threads meets a kernel that was compiled for 1,024. No compiler
reports it.

**What to do**: give the constant one value; or pass it to the kernel as an argument or a template argument; or ask the device for it at
run time.`,
  limits: "Reported only for constants at namespace scope whose declarations are all in the file, if device code uses them as well.",
  examples: [
    {
      language: "cuda",
      bad: `#if __CUDA_ARCH__ >= 800
constexpr int threads = 1024;
#else
constexpr int threads = 256;
#endif
__global__ void run(float *p) { p[threadIdx.x] = threads; }
void launch(float *p) {
  run<<<1, threads>>>(p); // <-
}`,
      good: `constexpr int threads = 256;
__global__ void run(float *p) { p[threadIdx.x] = threads; }
void launch(float *p) {
  run<<<1, threads>>>(p);
}`,
    },
  ],
  checkFile({ facts, dialect, file }, report) {
    if (dialect.language !== "cuda" || dialect.side === "host") return;
    for (const { variable } of facts.variables) {
      if (!isConstant(variable) || !isOfOnePass(variable.place) || !differs(variable, file)) continue;
      const uses = accessesTo(facts, variable).filter(({ mode }) => mode === "read");
      if (uses.every(isHostOnly)) continue;
      for (const use of uses) {
        if (!isSurelyHost(use, facts)) continue;
        report({
          place: use.place,
          message: `'${variable.name}' depends on '__CUDA_ARCH__': host and device have different values`,
          related: [{ message: "the device's value is declared here", place: variable.place }],
        });
      }
    }
  },
};

function isConstant({ scope, type, initializer, isTemplated, memorySpace }: VariableSymbol): boolean {
  const isShared = memorySpace === undefined || memorySpace === "host";
  // A flag that says on which side the code runs is meant to differ.
  if (type.kind === "arithmetic" && type.name === "bool") return false;
  return scope === "program" && isShared && type.qualifiers.const && initializer?.kind === "value" && isTemplated !== true;
}

/** True if the file declares the name twice, with different values. */
function differs({ name }: VariableSymbol, { text }: CheckedFile): boolean {
  const values = [...text.matchAll(wordPattern(name, "g"))].flatMap(({ index }) => {
    const value = /^\s*=\s*([^=;][^;\n]*);/.exec(text.slice(index + name.length, index + name.length + 200))?.[1];
    const line = text.slice(text.lastIndexOf("\n", index) + 1, index);
    return value === undefined || !/\bconst(?:expr)?\b/.test(line) ? [] : [value.trim()];
  });
  return values.length === 2 && values[0] !== values[1];
}
