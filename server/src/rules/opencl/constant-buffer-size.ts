/** Constant data that exceeds a device's constant buffer. */
import { formatBytes, formatCount, formatMemoryTable, memoryTableOf } from "../../analyses/memory-table.ts";
import { isConstantData, reachedConstants } from "../../analyses/reached-constants.ts";
import type { Limits } from "../../dialect.ts";
import { sizeOf } from "../../semantics/types/layout.ts";
import type { Place, VariableSymbol } from "../../semantics/types/symbols.ts";
import type { Rule, RuleFinding } from "../rule.ts";

/** Reports constant data of more than CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE bytes. */
export const constantBufferSize: Rule = {
  id: "constant-buffer-size",
  title: "constant data is larger than CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE",
  severity: "warning",
  languages: ["opencl"],
  clause: "OpenCL C 3.0 §6.7.3; OpenCL API 3.0 §4.2: CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE is at least 64 KB (1 KB in the embedded profile)",
  documentation: `
\`__constant\` variables are placed in the device's constant buffer. Every device has room for 65,536 bytes (1,024 in the
embedded profile), many have no more. Compilers accept larger tables silently; the kernel then fails to build or to start
on such a device, or the driver moves the table to global memory.

A single variable that is too large is reported at its declaration. Otherwise the variables that one kernel and its callees need
are added up and reported at the kernel, or in a file without kernels at its last constant. The message contains a ledger: the
variables with their sizes, largest first.

Without a configured limit this is an *info*; with one (\`"limits": { "constantBufferSize": 65536 }\` in
\`gpu-qualifiers.json\`) a *warning*.

**What to do**: pass large tables as \`const __global\` arguments; keep \`__constant\` for small ones that all work-items
read at the same index.`,
  limits:
    "Variables of unknown size do not count, so the true size may be larger. The device's layout is unknown, so padding is not counted.",
  examples: [
    {
      language: "opencl",
      bad: `constant float table[20000] = { 1.0f }; // <-
kernel void look(global float *out) { out[0] = table[0]; }`,
      good: `constant float table[200] = { 1.0f };
kernel void look(global float *out) { out[0] = table[0]; }`,
    },
  ],
  checkFile({ facts, limits }, report) {
    const own = facts.variables.map(({ variable }) => variable).filter(isConstantData);
    for (const variable of own)
      if ((sizeOf(variable.type) ?? 0) > limits.constantBufferSize) report(findingOf(variable.place, [variable], limits));
    const kernels = facts.functions.flatMap(({ declarations }) =>
      declarations.filter(({ execution, isDefinition }) => execution.kernel && isDefinition),
    );
    const constantsReached = reachedConstants(facts);
    // In a file without kernels the users of its tables are unknown. Together the tables are too large for a kernel that uses all
    // of them.
    const sets =
      kernels.length === 0
        ? [{ place: own[own.length - 1]?.place, constants: own }]
        : kernels.map(({ namePlace, owner }) => ({ place: namePlace, constants: constantsReached(owner) }));
    for (const { place, constants } of sets) {
      const isTold = constants.some(({ type }) => (sizeOf(type) ?? 0) > limits.constantBufferSize);
      if (place !== undefined && !isTold && totalSize(constants) > limits.constantBufferSize) report(findingOf(place, constants, limits));
    }
  },
};

function findingOf(place: Place, constants: readonly VariableSymbol[], limits: Limits): RuleFinding {
  // A device may lay out the variables in any order, so only their bytes count.
  const table = memoryTableOf(constants.map(({ name, type }) => ({ name, size: sizeOf(type) ?? 0, alignment: 1 })));
  return {
    place,
    severity: limits.areConfigured ? "warning" : "info",
    message: `${formatBytes(table.total)} of constant data exceed the ${limits.areConfigured ? "limit of" : "guaranteed"} ${formatCount(limits.constantBufferSize)}: ${formatMemoryTable(table)}`,
  };
}

/** The total size; variables of unknown size count as nothing. */
function totalSize(constants: readonly VariableSymbol[]): number {
  return constants.reduce((sum, { type }) => sum + (sizeOf(type) ?? 0), 0);
}
