/** `const` or `volatile` on an image. */
import { dropWord } from "../../analyses/placed-edits.ts";
import { printType, unqualifiedType } from "../../semantics/types/types.ts";
import type { Rule } from "../rule.ts";

/** Reports `const` and `volatile` on image types. */
export const imageTypeQualified: Rule = {
  id: "image-type-qualified",
  title: "`const` or `volatile` qualifies an image",
  severity: "warning",
  languages: ["opencl"],
  clause: "OpenCL C 3.0 §6.11, OpenCL 1.2 §6.9 (restrictions): const, restrict and volatile cannot be used with image types",
  documentation: `
An image is a handle that kernels read and write by functions. The access qualifiers \`read_only\`, \`write_only\` and \`read_write\` say
what they may do; C's qualifiers for objects in memory cannot be used with image types. AMD's compiler rejects them, others ignore
them, so that a program that works on one device does not build on another.

**What to do**: remove the qualifier. \`read_only\` already says that nothing writes the image.`,
  limits: "Images from headers that are missing are not judged. A `restrict` is reported as one that is not on a pointer.",
  fixSafety: "Removing the qualifier is safe: where compilers accept it, it has no effect.",
  examples: [
    {
      language: "opencl",
      bad: `kernel void copy(read_only const image2d_t in, global float4 *out) { // <-
  out[0] = read_imagef(in, (int2)(0, 0));
}`,
      good: `kernel void copy(read_only image2d_t in, global float4 *const out) {
  out[0] = read_imagef(in, (int2)(0, 0));
}`,
      fixed: `kernel void copy(read_only image2d_t in, global float4 *out) {
  out[0] = read_imagef(in, (int2)(0, 0));
}`,
    },
  ],
  check({ facts }, report) {
    for (const fact of facts.opaqueTypes) {
      if (fact.kind !== "qualified-image") continue;
      const { word, type } = fact;
      report({
        place: word.place,
        message: `some drivers reject '${word.text}' on '${printType(unqualifiedType(type))}', which it does not change`,
        fixes: () => [{ title: `Remove '${word.text}'`, edits: [dropWord(word)], safety: "safe" }],
      });
    }
  },
};
