/** A comment allows a rule that has no finding there. It is reported by the filter of findings, not from facts. */
import type { Rule } from "../rule.ts";

/** Reports comments that allow a rule without a finding. */
export const unusedSuppression: Rule = {
  id: "unused-suppression",
  title: "a comment allows a rule that finds nothing there",
  severity: "warning",
  languages: ["opencl", "cuda"],
  clause: "no standard: the comments are gpu-qualifiers' own",
  documentation: `
A finding that is meant can be allowed where it is, with the reason:

\`\`\`c
local int *l = (local int *)g; // gpu-qualifiers: allow[address-space-cast] the runtime maps both to one memory
// gpu-qualifiers: allow[address-space-cast, const-write] alone on its line it is about the next line of code
// gpu-qualifiers: allow-file[constant-argument-count] anywhere in a file it is about all of it
#define AS_LOCAL(p) ((local int *)(p)) /* gpu-qualifiers: allow[address-space-cast] wherever the macro is used */
\`\`\`

When the code is put right, or the rule becomes wiser, the comment stays behind and hides the next mistake on its line:
this rule reports it. It also reports ids that no rule has. It says nothing where the file was not fully understood and
on macro definitions, and about rules that look at several files only where every file of the project was checked.

**What to do**: remove the comment.`,
  limits:
    "Nothing is said in a file that was not fully understood, nor about rules that look at several files unless every file of the project was checked.",
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
