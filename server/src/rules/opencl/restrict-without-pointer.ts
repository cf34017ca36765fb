/** `restrict` on a type that is not a pointer. */
import { dropWord } from "../../analyses/placed-edits.ts";
import type { Facts } from "../../semantics/facts/facts.ts";
import { isSamePlace, type SpecifierWord } from "../../semantics/types/symbols.ts";
import { printType } from "../../semantics/types/types.ts";
import type { Rule } from "../rule.ts";

/** Reports `restrict` on a type that is not a pointer. */
export const restrictWithoutPointer: Rule = {
  id: "restrict-without-pointer",
  title: "`restrict` qualifies something that is not a pointer",
  severity: "error",
  languages: ["opencl"],
  clause:
    "C11 §6.7.3p2, OpenCL C 3.0 §6.5: types other than pointer types whose referenced type is an object type shall not be restrict-qualified",
  documentation: `
\`restrict\` is a promise about a pointer: its target is accessed only through it. So it belongs after the \`*\`. Before it,
\`restrict float *p\`, it would qualify the \`float\`, which is not allowed.

**What to do**: write it after the \`*\`: \`global float *restrict p\`.`,
  limits: "Types that depend on a template argument are not judged.",
  fixSafety: "Dropping a `restrict` that no compiler accepts is safe.",
  examples: [
    {
      language: "opencl",
      bad: `kernel void scale(global restrict float *data, float by) { // <-
  data[0] *= by;
}`,
      good: `kernel void scale(global float *restrict data, float by) {
  data[0] *= by;
}`,
    },
  ],
  check({ facts }, report) {
    for (const { word, type } of facts.restricts)
      report({
        place: word.place,
        message: `'restrict' is for pointers, not for '${printType(type)}'`,
        fixes: (all) => (isOfValue(all, word) ? [{ title: "Remove 'restrict'", edits: [dropWord(word)], safety: "safe" }] : []),
      });
  },
};

/** True if the word is the only `restrict` of one variable that is not a pointer: for a pointer it is in the wrong place. */
function isOfValue({ variables }: Facts, word: SpecifierWord): boolean {
  const [only, ...more] = variables.filter(({ variable }) => variable.words.some(({ place }) => isSamePlace(place, word.place)));
  if (only === undefined || more.length > 0 || only.variable.sharesSpecifiers || only.variable.type.kind === "pointer") return false;
  return only.variable.words.filter(({ text }) => text === "restrict").length === 1;
}
