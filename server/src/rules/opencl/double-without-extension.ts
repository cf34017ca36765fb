/** A use of `double` in OpenCL C 1.0 or 1.1 while its extension is not enabled. */
import { unitsOfFile } from "../../preprocess/unit-row.ts";
import type { Rule } from "../rule.ts";

/** Reports `double` and its vectors before OpenCL C 1.2 where `cl_khr_fp64` is not enabled. */
export const doubleWithoutExtension: Rule = {
  id: "double-without-extension",
  title: "`double` is used before OpenCL C 1.2, although `cl_khr_fp64` is not enabled",
  severity: "error",
  languages: ["opencl"],
  clause:
    "OpenCL 1.1 and 1.0 §9.3: an application that uses double must enable cl_khr_fp64 before a double is declared; 1.2 §6.1.1 needs no pragma",
  documentation: `
OpenCL C 1.0 and 1.1 have \`double\` and its vectors as an extension only. A program that uses them needs

\`\`\`c
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
\`\`\`

before the first of them, in the file or in a header. Several drivers reject the program otherwise; clang accepts it. From OpenCL C
1.2 on, no pragma is needed.

**What to do**: put the pragma before the first use, or compile for OpenCL C 1.2 (\`-cl-std=CL1.2\`).`,
  limits:
    "Only files whose settings name OpenCL C 1.0 or 1.1 are judged. If a header is missing, the extension counts as enabled, because the header may enable it; likewise in a file that another one includes, in a header that has a program with the pragma, and if host code has the pragma in a literal, which it may put in front of the text. Values that a type definition of another place makes double are reported at the type definition.",
  fixSafety: "A suggestion: the author may want to compile for OpenCL C 1.2 instead.",
  examples: [
    {
      language: "opencl",
      standard: "CL1.1",
      bad: `kernel void scale(global float *data, float by) {
  double sum = data[0]; // <-
  data[0] = sum * by;
}`,
      good: `#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void scale(global float *data, float by) {
  double sum = data[0];
  data[0] = sum * by;
}`,
    },
  ],
  checkFile({ facts, file }, report) {
    if (!file.isStandardConfigured) return;
    for (const { name, place, isSwitchedOff } of facts.doubles) {
      if (isSwitchedOff !== true && file.mayBeEnabledBefore("cl_khr_fp64")) continue;
      const start = { unit: unitsOfFile(place.unit)[0] ?? place.unit, span: { start: 0, end: 0 } };
      const edit = { place: start, how: "before", text: "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" } as const;
      report({
        place,
        message: `'${name}' needs 'cl_khr_fp64' before OpenCL C 1.2, which is not enabled here`,
        // If another pragma disables the extension again, enabling it in the first line does not help.
        fixes: () => (isSwitchedOff === true ? [] : [{ title: "Enable 'cl_khr_fp64'", edits: [edit], safety: "suggestion" }]),
      });
    }
  },
};
