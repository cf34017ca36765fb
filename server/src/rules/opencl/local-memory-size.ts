/** Kernels whose `__local` variables take more than devices have. `analyses/memory/shared.ts` counts the bytes. */
import { sharedMemoryTable, usedLocalVariables } from "../../analyses/memory/shared.ts";
import { formatBytes, formatCount, formatMemoryTable } from "../../analyses/memory-table.ts";
import type { Limits } from "../../dialect.ts";
import { isIn } from "../predicates.ts";
import type { Rule } from "../rule.ts";

/** Reports kernels whose `__local` variables exceed CL_DEVICE_LOCAL_MEM_SIZE of the smallest devices. */
export const localMemorySize: Rule = {
  id: "local-memory-size",
  title: "a kernel's `__local` variables are larger than CL_DEVICE_LOCAL_MEM_SIZE",
  severity: "warning",
  languages: ["opencl"],
  clause: "OpenCL API 3.0 §4.2: CL_DEVICE_LOCAL_MEM_SIZE is at least 32 KB (1 KB in the embedded profile)",
  documentation: `
The \`__local\` variables of a kernel are in the local memory of its work-group, together with the \`__local\` arguments that the host
gives sizes. Every device has 32,768 bytes (1,024 in the embedded profile), common ones 49,152 or 65,536. No compiler reports the size
in the front end: the build or \`clEnqueueNDRangeKernel\` fails with \`CL_OUT_OF_RESOURCES\` on a device that has less.

More than 65,536 bytes are a *warning*; more than every device has, but not more than that, are an *info*. With
\`"limits": { "profile": "embedded" }\` more than 1,024 bytes are a *warning*.

The message contains a ledger: the largest variables with their sizes, and the padding. A variable that is never read does not count,
because compilers remove it.

**What to do**: use smaller tiles, or pass the memory as an argument, with the size that the device has.`,
  limits: "Variables of unknown size do not count, so the true size may be larger. Arguments do not count, because the host decides.",
  examples: [
    {
      language: "opencl",
      bad: `kernel void wide(global float *out) {
  local float tile[20000]; // <-
  tile[get_local_id(0)] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[0] = tile[1];
}`,
      good: `kernel void wide(global float *out, local float *tile) {
  tile[get_local_id(0)] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[0] = tile[1];
}`,
    },
  ],
  check({ facts, limits, file }, report) {
    const limit = guaranteed(limits);
    for (const kernel of facts.functions) {
      if (!kernel.declarations.some(({ execution, isDefinition }) => execution.kernel && isDefinition)) continue;
      const table = sharedMemoryTable(usedLocalVariables(kernel, facts));
      const crossing = table.lines.find(({ end }) => end > limit)?.entry.variable;
      if (crossing === undefined || !isIn(file, crossing.place)) continue;
      const isCommon = limits.profile !== "embedded" && table.total <= common;
      report({
        place: crossing.place,
        ...(isCommon ? { severity: "info" as const } : {}),
        message: `${formatBytes(table.total)} of local memory exceed the guaranteed ${formatCount(limit)}: ${formatMemoryTable(table)}`,
      });
    }
  },
};

/** The largest local memory that common devices have. */
const common = 65_536;

function guaranteed({ profile }: Limits): number {
  return profile === "embedded" ? 1_024 : 32_768;
}
