/** `restrict` on a type that is not a pointer. */
import { dropWord } from "../../analyses/placed-edits.ts";
import type { Facts } from "../../semantics/facts/facts.ts";
import type { VariableSymbol } from "../../semantics/types/symbols.ts";
import { spell, type Type, unqualifiedType } from "../../semantics/types/types.ts";
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
    for (const variable of variablesOf(facts)) {
      const wrong = restrictedValue(variable.type);
      const [word, ...more] = variable.words.filter(({ text }) => text === "restrict");
      // If a typedef is wrong, only its declaration is reported.
      if (wrong === undefined || variable.name === "" || word === undefined) continue;
      const isPlain = variable.type === wrong && more.length === 0 && !variable.sharesSpecifiers;
      report({
        place: variable.place,
        message: messageOf(wrong),
        fixes: () => (isPlain ? [{ title: "Remove 'restrict'", edits: [dropWord(word)], safety: "safe" }] : []),
      });
    }
    for (const { type, place } of facts.typedefs) {
      const wrong = restrictedValue(type);
      if (wrong !== undefined) report({ place, message: messageOf(wrong) });
    }
    for (const { type, words, namePlace } of facts.functions.flatMap(({ declarations, isBuiltin }) => (isBuiltin ? [] : declarations))) {
      const wrong = words.some(({ text }) => text === "restrict") ? restrictedValue(type.result) : undefined;
      if (wrong !== undefined) report({ place: namePlace, message: messageOf(wrong) });
    }
  },
};

function messageOf(wrong: Type): string {
  return `'restrict' is for pointers, not for '${spell(unqualifiedType(wrong))}'`;
}

/** The variables whose types are known, so not the members of templates. */
function variablesOf({ variables }: Facts): readonly VariableSymbol[] {
  return variables.map(({ variable }) => variable).filter(({ isDependent }) => !isDependent);
}

/** The non-pointer part of a type that has `restrict`. */
function restrictedValue(type: Type): Type | undefined {
  switch (type.kind) {
    case "pointer":
      return restrictedValue(type.pointee);
    case "array":
      return restrictedValue(type.element);
    case "reference":
      return restrictedValue(type.referent);
    case "arithmetic":
    case "vector":
    case "record":
    case "enum":
      return type.qualifiers.restrict ? type : undefined;
    default:
      return undefined;
  }
}
