/** A declaration of, or computation with, `half` while its extension is not enabled. */
import { unitsOfFile } from "../../preprocess/unit-row.ts";
import type { HalfFact } from "../../semantics/facts/opencl-facts.ts";
import type { Rule } from "../rule.ts";

/** Reports declarations of and computations with `half` when `cl_khr_fp16` is not enabled. */
export const halfWithoutExtension: Rule = {
  id: "half-without-extension",
  title: "`half` is declared or computed with, although `cl_khr_fp16` is not enabled",
  severity: "error",
  languages: ["opencl"],
  clause:
    "OpenCL C 3.0 §6.3.1.6, 1.2 §6.1.1.1: half can only be used to declare a pointer to a buffer; OpenCL Extension Specification, cl_khr_fp16",
  documentation: `
Without the extension \`cl_khr_fp16\`, \`half\` is a storage format: there are pointers to it, and \`vload_half\` and
\`vstore_half\` convert their targets from and to \`float\`. Variables, parameters and results of that type, casts to it, literals
such as \`1.0h\`, and plain loads and stores through a pointer need

\`\`\`c
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
\`\`\`

before them, in the file or in a header. Some compilers do not require it; others reject the program.

**What to do**: enable the extension if the device has it; otherwise compute in \`float\` and use \`vload_half\` and
\`vstore_half\`.`,
  limits:
    "If a header is missing, the extension counts as enabled, because the header may enable it; likewise in a file that another one includes, in a header that has a program with the pragma, and if host code has the pragma in a literal, which it may put in front of the text.",
  fixSafety: "A suggestion: the pragma makes the program need a device with `cl_khr_fp16`.",
  examples: [
    {
      language: "opencl",
      bad: `kernel void scale(global half *data, float by) {
  float x = data[0]; // <-
  vstore_half(x * by, 0, data);
}`,
      good: `kernel void scale(global half *data, float by) {
  float x = vload_half(0, data);
  vstore_half(x * by, 0, data);
}`,
    },
    {
      language: "opencl",
      bad: `kernel void fill(global half *data, float value) {
  half x = 0; // <-
  vstore_half(value, 0, data);
}`,
      good: `#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void fill(global half *data, float value) {
  half x = value;
  data[0] = x;
}`,
    },
  ],
  checkFile({ facts, file }, report) {
    for (const { use, place, isSwitchedOff } of facts.halves) {
      if (isSwitchedOff !== true && file.mayBeEnabledBefore("cl_khr_fp16")) continue;
      const start = { unit: unitsOfFile(place.unit)[0] ?? place.unit, span: { start: 0, end: 0 } };
      const edit = { place: start, how: "before", text: "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" } as const;
      report({
        place,
        message: messages[use],
        // If another pragma disables the extension again, enabling it in the first line does not help.
        fixes: () => (isSwitchedOff === true ? [] : [{ title: "Enable 'cl_khr_fp16'", edits: [edit], safety: "suggestion" }]),
      });
    }
  },
};

const messages: Readonly<Record<HalfFact["use"], string>> = {
  declaration: "a value of type 'half' needs 'cl_khr_fp16', which is not enabled",
  member: "a kernel parameter that contains a 'half' needs 'cl_khr_fp16', which is not enabled",
  literal: "a literal of type 'half' needs 'cl_khr_fp16', which is not enabled",
  cast: "a cast to 'half' needs 'cl_khr_fp16', which is not enabled",
  load: "loading a 'half' needs 'cl_khr_fp16'; 'vload_half' does not",
  store: "storing a 'half' needs 'cl_khr_fp16'; 'vstore_half' does not",
};
