/** An access qualifier on a type that is neither an image nor a pipe, two contradictory ones, or `read_write` on a pipe. */
import { dropWord } from "../../analyses/placed-edits.ts";
import type { OpaqueTypeFact } from "../../semantics/facts/facts.ts";
import { printType, unqualifiedType } from "../../semantics/types/types.ts";
import type { Rule, RuleFinding } from "../rule.ts";

/** Reports access qualifiers that are misplaced or contradict each other. */
export const accessQualifierPlacement: Rule = {
  id: "access-qualifier-placement",
  title: "an access qualifier is misplaced, or contradicts another",
  severity: "error",
  languages: ["opencl"],
  clause: "OpenCL C 3.0 §6.8, 2.0 §6.6, 1.2 §6.6: access qualifiers are for image and pipe arguments",
  documentation: `
\`read_only\`, \`write_only\` and \`read_write\` determine how a function accesses an image or a pipe. They apply to these types
only: use \`const\` to make a buffer read-only. A type has one of them, and an image without any is \`read_only\`, even through a
typedef: \`typedef image2d_t picture; write_only picture p\` contradicts itself.

A pipe is read or written, never both.

**What to do**: drop the qualifier from buffers and values; put it into the typedef, or do not use the typedef.`,
  limits: "Types with an unknown name are not judged.",
  fixSafety:
    "Dropping the qualifier from a type that is neither an image nor a pipe does not change the meaning of the declaration, so the fix is safe. Two contradictory qualifiers have no fix: only the author knows which access is intended.",
  examples: [
    {
      language: "opencl",
      bad: `kernel void copy(read_only global int *from, global int *to) { // <-
  to[get_global_id(0)] = from[get_global_id(0)];
}`,
      good: `kernel void copy(const global int *from, global int *to) {
  to[get_global_id(0)] = from[get_global_id(0)];
}`,
      fixed: `kernel void copy(global int *from, global int *to) {
  to[get_global_id(0)] = from[get_global_id(0)];
}`,
    },
    {
      language: "opencl",
      bad: `typedef read_only image2d_t picture;
kernel void clear(write_only picture p) { // <-
}`,
      good: `kernel void clear(write_only image2d_t p) {
}`,
    },
  ],
  check({ facts }, report) {
    for (const fact of facts.opaqueTypes) if (fact.kind === "access-qualifier") report(findingOf(fact));
  },
};

function findingOf(fact: Extract<OpaqueTypeFact, { kind: "access-qualifier" }>): RuleFinding {
  const { word, problem } = fact;
  const own = word.text.replace(/^__/, "");
  switch (problem) {
    case "no-image":
      return {
        place: word.place,
        message: `'${own}' is for images and pipes, not for '${printType(unqualifiedType(fact.type))}'`,
        fixes: () => [{ title: `Remove '${own}'`, edits: [dropWord(word)], safety: "safe" }],
      };
    case "second":
      return { place: word.place, message: `this type is already '${fact.first ?? ""}': it cannot be '${own}' too` };
    case "pipe-both-ways":
      return { place: word.place, message: "a pipe cannot be 'read_write': it is either read or written" };
  }
}
