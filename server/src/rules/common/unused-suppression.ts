/** A comment that allows a rule which has no finding there. The filter of findings reports it, not a check of facts. */
import type { Rule } from "../rule.ts";

/** Reports comments that allow a rule without a finding. */
export const unusedSuppression: Rule = {
  id: "unused-suppression",
  title: "a comment allows a rule that has no finding there",
  severity: "warning",
  languages: ["opencl", "cuda"],
  clause: "no standard: the comments are gpu-qualifiers' own",
  documentation: `
An intended finding can be allowed in place, with the reason:

\`\`\`c
local int *l = (local int *)g; // gpu-qualifiers: allow[address-space-cast] the runtime maps both to one memory
// gpu-qualifiers: allow[address-space-cast, const-write] alone on its line it is about the next line of code
// gpu-qualifiers: allow-file[constant-argument-count] anywhere in a file it is about all of it
#define AS_LOCAL(p) ((local int *)(p)) /* gpu-qualifiers: allow[address-space-cast] wherever the macro is used */
\`\`\`

When the code is corrected, or the rule improves, the comment remains and would hide the next mistake on its line: this rule
reports it. It also reports unknown rule ids. It is silent in files that were not fully understood and on macro definitions.
Comments for rules about several files are judged only if every file of the project was checked.

**What to do**: remove the comment.`,
  limits:
    "Nothing is reported in a file that was not fully understood, or for rules about several files unless every file of the project was checked.",
  fixSafety: "The fix removes the comment, or the one id: safe.",
  examples: [
    {
      language: "opencl",
      bad: `kernel void scale(global float *values, float factor) {
  // gpu-qualifiers: allow[address-space-cast] needed before // <-
  values[get_global_id(0)] *= factor;
}`,
      good: `kernel void scale(global float *values, float factor) {
  // gpu-qualifiers: allow[address-space-cast] the runtime maps both to one memory
  values[get_global_id(0)] *= *(local float *)(values);
}`,
      fixed: `kernel void scale(global float *values, float factor) {
  values[get_global_id(0)] *= factor;
}`,
    },
  ],
};
