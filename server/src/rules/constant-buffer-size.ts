/** Constant data that is larger than the constant buffer of a device. */
import { sizeOf } from "../semantics/layout.ts";
import type { VariableSymbol } from "../semantics/symbols.ts";
import type { Rule } from "./rule.ts";

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

The message has the ledger: every constant variable of the file with its size, largest first.

Without a configured limit this is an *info*; with one (\`"limits": { "constantBufferSize": 65536 }\` in
\`gpu-qualifiers.json\`) a *warning*.

**What to do**: pass large tables as \`const __global\` arguments; keep \`__constant\` for small ones that all work-items
read at the same index.`,
  examples: [
    {
      language: "opencl",
      bad: `constant float table[20000] = { 1.0f }; // <-
kernel void look(global float *out) { out[0] = table[0]; }`,
      good: `constant float table[200] = { 1.0f };
kernel void look(global float *out) { out[0] = table[0]; }`,
    },
  ],
  check({ facts, limits }, report) {
    const entries = facts.variables
      .map(({ variable }) => variable)
      .filter(isConstantData)
      .map((variable) => ({ variable, size: sizeOf(variable.type) }))
      .filter((entry): entry is { variable: VariableSymbol; size: number } => entry.size !== undefined);
    let total = 0;
    for (const { variable, size } of entries) {
      total += size;
      const isOver = size > limits.constantBufferSize || (total > limits.constantBufferSize && total - size <= limits.constantBufferSize);
      if (!isOver) continue;
      const ledger = [...entries].sort((a, b) => b.size - a.size).map((entry) => `${entry.variable.name} ${bytes(entry.size)}`);
      const shown = ledger.length > 4 ? [...ledger.slice(0, 4), `${ledger.length - 4} more`] : ledger;
      report({
        place: variable.place,
        severity: limits.areConfigured ? "warning" : "info",
        message: `constant data of ${bytes(total)} is over ${limits.areConfigured ? "the limit of" : "what a device need have,"} ${bytes(limits.constantBufferSize)}: ${shown.join(", ")}`,
      });
    }
  },
};

/** What counts towards a device's constant buffer. */
export function isConstantData(variable: VariableSymbol): boolean {
  return variable.type.qualifiers.space === "constant" && variable.scope !== "parameter" && variable.scope !== "member" && variable.isDefinition;
}

function bytes(count: number): string {
  return count === 1 ? "1 byte" : `${count.toLocaleString("en-US")} bytes`;
}
