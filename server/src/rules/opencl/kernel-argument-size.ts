/** Kernels whose arguments take more bytes than a device must accept. */
import { parameterEntries } from "../../analyses/kernel-parameters.ts";
import { formatBytes, formatCount, formatMemoryTable, memoryTableOf } from "../../analyses/memory-table.ts";
import type { Rule } from "../rule.ts";

/** Reports kernels whose arguments exceed CL_DEVICE_MAX_PARAMETER_SIZE of the smallest devices. */
export const kernelArgumentSize: Rule = {
  id: "kernel-argument-size",
  title: "a kernel's arguments are larger than CL_DEVICE_MAX_PARAMETER_SIZE",
  severity: "warning",
  languages: ["opencl"],
  clause: "OpenCL API 3.0 §4.2: CL_DEVICE_MAX_PARAMETER_SIZE is at least 1024 bytes (256 in the embedded profile)",
  documentation: `
All arguments of a kernel together take at most \`CL_DEVICE_MAX_PARAMETER_SIZE\` bytes. Every device accepts 1,024 (256 in the embedded
profile), and AMD's accept no more; NVIDIA's accept 4,352. No compiler reports the size: \`clSetKernelArg\` or
\`clEnqueueNDRangeKernel\` fails on the device.

The message contains a ledger: the largest arguments with their sizes, and the padding. A pointer counts 8 bytes, and so does the
handle of an image or a sampler.

**What to do**: pass a pointer to constant or global memory instead of a large structure.`,
  limits: "Arguments of unknown size do not count, so the true size may be larger.",
  examples: [
    {
      language: "opencl",
      bad: `typedef struct { float x[300]; } Table;
kernel void apply(Table table, global float *out) { out[0] = table.x[0]; } // <-`,
      good: `typedef struct { float x[300]; } Table;
kernel void apply(constant Table *table, global float *out) { out[0] = table->x[0]; }`,
    },
  ],
  check({ facts, limits }, report) {
    const limit = limits.profile === "embedded" ? 256 : 1_024;
    for (const { declarations } of facts.functions) {
      const kernel = declarations.find(({ execution, isDefinition }) => execution.kernel && isDefinition);
      if (kernel === undefined) continue;
      const table = memoryTableOf(parameterEntries(kernel));
      if (table.total <= limit) continue;
      report({
        place: kernel.namePlace,
        message: `${formatBytes(table.total)} of arguments exceed the guaranteed ${formatCount(limit)}: ${formatMemoryTable(table)}`,
      });
    }
  },
};
