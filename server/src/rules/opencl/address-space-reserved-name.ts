/** One of OpenCL's reserved address-space and access words, used as a name. */
import type { Rule } from "../rule.ts";

/** Reports reserved address-space words that are used as names. */
export const addressSpaceReservedName: Rule = {
  id: "address-space-reserved-name",
  title: "a reserved address-space word is used as a name",
  severity: "error",
  languages: ["opencl"],
  clause:
    "OpenCL C 3.0 §6.7, §6.1.9, 1.2 §6.5, §6.1.9: the address space names, with and without underscores, are reserved for use as address space qualifiers",
  documentation: `
\`global\`, \`local\`, \`constant\`, \`private\` and \`generic\` are reserved, with and without the two underscores, and so are
\`kernel\`, \`read_only\`, \`write_only\` and \`read_write\`. C code that is ported to OpenCL often has a variable or a member
with such a name (\`int local = get_local_id(0);\`). The compiler reads it as a qualifier and complains about something else:
«expected identifier», «does not declare anything».

As the name of a macro such a word is accepted, but readers, and other compilers, take it for the qualifier.

**What to do**: choose another name.`,
  limits:
    "Names are searched for in declarations that the parser could not read, and among macros. A reserved word in an inactive branch is not reported.",
  examples: [
    {
      language: "opencl",
      bad: `kernel void sum(global int *data) {
  int local = data[0]; // <-
  data[1] = local + 1; // <-
}`,
      good: `kernel void sum(global int *data) {
  int first = data[0];
  data[1] = first + 1;
}`,
    },
  ],
  check({ facts }, report) {
    for (const fact of facts.spaces) {
      if (fact.kind !== "reserved-name") continue;
      const name = fact.as === "macro" ? fact.word.text : fact.word.text.replace(/^__/, "");
      const kind = fact.as === "macro" ? "the name of a macro" : "a name";
      // Compilers read `int local;` as an empty declaration, and accept any name for a macro.
      report({
        place: fact.word.place,
        message: `'${name}' is a reserved word of OpenCL C and cannot be ${kind}`,
        severity: fact.as === "name" ? "error" : "warning",
      });
    }
  },
};
