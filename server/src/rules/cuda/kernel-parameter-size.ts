/** Kernels whose parameters exceed the parameter space of a launch. */
import { kernelParameterLimit, parameterEntries } from "../../analyses/kernel-parameters.ts";
import { ledgerOf, spellBytes, spellCount, spellLedger } from "../../analyses/ledger.ts";
import type { FunctionDeclaration } from "../../semantics/types/symbols.ts";
import { isIn } from "../predicates.ts";
import type { Rule } from "../rule.ts";

/** Reports kernels whose parameters are larger than a launch can pass. */
export const kernelParameterSize: Rule = {
  id: "kernel-parameter-size",
  title: "a kernel's parameters are larger than a launch can pass",
  severity: "error",
  languages: ["cuda"],
  clause:
    "CUDA C++ Programming Guide, C++ language support, functions, __global__ function argument processing: parameters are limited to 32,764 bytes from compute capability 7.0, to 4 KB below",
  documentation: `
A launch copies its arguments into constant memory that is set aside for them: 32,764 bytes for compute capability 7.0 and higher
(CUDA 12.1 and later), 4,096 bytes before. nvcc reports the limit late, and only with the kernel's mangled name.

The message contains a ledger: the largest parameters with their sizes, and the padding. A parameter of unknown type does not
count, so the true size may be larger.

Parameters of a template count if their types do not depend on its arguments. If the architecture is not configured, the limit is
that of 7.0 and higher: nvcc 13 supports nothing older.

**What to do**: pass a pointer to the data in device memory, or keep it in a \`__constant__\` variable.`,
  limits: "Parameters of unknown size do not count, so the true size may be larger.",
  examples: [
    {
      language: "cuda",
      bad: `struct Table { float values[9000]; };
__global__ void apply(Table table, float *out) { *out = table.values[0]; } // <-`,
      good: `struct Table { float values[9000]; };
__global__ void apply(const Table *table, float *out) { *out = table->values[0]; }`,
    },
  ],
  check({ facts, dialect, file }, report) {
    if (dialect.language !== "cuda") return;
    const limit = kernelParameterLimit(dialect);
    for (const { declarations } of facts.functions) {
      // Only the definition is compiled. A declaration without one may belong to another toolkit.
      const kernel = declarations.find((declaration) => declaration.execution.kernel && isCompiled(declaration));
      if (kernel === undefined) continue;
      // A mistake in an instantiation is reported at the template.
      const template = kernel.owner.primary?.declarations.find(({ isDefinition }) => isDefinition);
      const place = (kernel.isDefinition ? undefined : template?.namePlace) ?? kernel.namePlace;
      if (!isIn(file, place)) continue;
      const ledger = ledgerOf(parameterEntries(kernel));
      if (ledger.total <= limit) continue;
      report({
        place,
        message: `${spellBytes(ledger.total)} of parameters exceed ${spellCount(limit)}: ${spellLedger(ledger)}`,
      });
    }
  },
};

function isCompiled({ isDefinition, role, owner }: FunctionDeclaration): boolean {
  return isDefinition || (role === "instantiation" && owner.primary?.declarations.some((primary) => primary.isDefinition) === true);
}
