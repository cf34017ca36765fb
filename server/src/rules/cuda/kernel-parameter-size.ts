/** Kernels whose parameters exceed the parameter space of a launch. */
import { kernelParameterLimit, parameterEntries, smallParameterLimit } from "../../analyses/kernel-parameters.ts";
import { instanceTable, launchesIn } from "../../analyses/memory/launches.ts";
import {
  formatBytes,
  formatCount,
  formatMemoryTable,
  type MemoryEntry,
  type MemoryTable,
  memoryTableOf,
} from "../../analyses/memory-table.ts";
import type { CudaDialect } from "../../dialect.ts";
import type { FunctionDeclaration, Place } from "../../semantics/types/symbols.ts";
import { isIn } from "../predicates.ts";
import type { Rule, RuleFinding } from "../rule.ts";

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

The parameters of a template are counted for each instantiation, which is reported where it is launched. AMD documents no limit for
HIP, and its compiler none: there, more than the 4,096 bytes of older devices of NVIDIA are an *info*. If the architecture is not configured, the limit is
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
    for (const { declarations } of facts.functions) {
      // Only the definition is compiled. A declaration without one may belong to another toolkit.
      const kernel = declarations.find((declaration) => declaration.execution.kernel && isCompiled(declaration));
      if (kernel === undefined) continue;
      // A mistake in an instantiation is reported at the template.
      const template = kernel.owner.primary?.declarations.find(({ isDefinition }) => isDefinition);
      const place = (kernel.isDefinition ? undefined : template?.namePlace) ?? kernel.namePlace;
      const finding = isIn(file, place) ? findingOf(memoryTableOf(parameterEntries(kernel)), place, dialect) : undefined;
      if (finding !== undefined) report(finding);
    }
    for (const { callee, instance, place } of launchesIn(facts)) {
      const template = callee?.declarations.find(({ execution, isDefinition }) => execution.kernel && isDefinition);
      // Parameters that are too large for all arguments are reported at the template.
      if (
        template === undefined ||
        instance === undefined ||
        findingOf(memoryTableOf(parameterEntries(template)), place, dialect) !== undefined
      )
        continue;
      const finding = findingOf(instanceTable(instance), place, dialect);
      const related = [{ message: `'${instance.name}' is an instantiation of this`, place: template.namePlace }];
      if (finding !== undefined) report({ ...finding, related });
    }
  },
};

/** The finding for parameters that exceed the limit. In HIP, it is the one of code that runs on other devices as well. */
function findingOf(table: MemoryTable<MemoryEntry>, place: Place, dialect: CudaDialect): RuleFinding | undefined {
  const limit = dialect.hip ? smallParameterLimit : kernelParameterLimit(dialect);
  if (table.total <= limit) return undefined;
  return {
    place,
    ...(dialect.hip ? { severity: "info" as const } : {}),
    message: `${formatBytes(table.total)} of parameters exceed the limit of ${formatCount(limit)}${dialect.hip ? " of older devices" : ""}: ${formatMemoryTable(table)}`,
  };
}

function isCompiled({ isDefinition, role, owner }: FunctionDeclaration): boolean {
  return isDefinition || (role === "instantiation" && owner.primary?.declarations.some((primary) => primary.isDefinition) === true);
}
