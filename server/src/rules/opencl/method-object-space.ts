/**
 * C++ for OpenCL: a call of a member function, a constructor or an operator on an object in an address space that it does not
 * accept.
 */
import { enumerated } from "../../lists.ts";
import type { Rule } from "../rule.ts";

/** Reports member functions called on an object in an address space that they do not accept. */
export const methodObjectSpace: Rule = {
  id: "method-object-space",
  title: "a member function is called on an object in an address space that it does not accept",
  severity: "error",
  languages: ["opencl"],
  clause: "C++ for OpenCL 2021 §3.2.3 (1.0 §2.3): address space qualifiers of member functions and lambdas",
  documentation: `
In C++ for OpenCL a member function can declare the address space of its object after its parameters, next to \`const\`: \`int
get() const __constant\`. By default the object must be in the generic address space, which contains all others except
\`__constant\` (on devices without a generic address space: in private memory). So an ordinary member function cannot be called on
a \`__constant\` object. A lambda's call operator follows the same rule, and the lambda object of an \`auto f = []() __local {};\`
is private.

Constructors and operators are member functions too: a constructor makes objects in its own space only, and an object in
\`__constant\` memory can be copied only by a constructor or an \`operator=\` that takes a \`const __constant T &\`.

**What to do**: add an overload for the space, \`int get() const __constant { … }\`, or copy the object first.`,
  limits: "Calls through pointers to members are not judged.",
  examples: [
    {
      language: "opencl",
      standard: "clc++2021",
      bad: `struct Range { int first, last; int size() const { return last - first; } };
constant Range whole = { 0, 64 };
kernel void measure(global int *out) {
  out[0] = whole.size(); // <-
}`,
      good: `struct Range { int first, last; int size() const __constant { return last - first; } };
constant Range whole = { 0, 64 };
kernel void measure(global int *out) {
  out[0] = whole.size();
}`,
    },
  ],
  check({ facts }, report) {
    for (const fact of facts.spaces) {
      if (fact.kind === "method-object")
        report({
          place: fact.place,
          message: `${fact.name === undefined ? "the lambda" : `'${fact.name}'`} needs an object in ${enumerated(fact.needed, "or")} memory, but this one is in ${fact.object} memory`,
        });
      if (fact.kind === "object-copy")
        report({
          place: fact.place,
          message: `'${fact.record.tag ?? "this object"}' cannot be copied from ${fact.space} memory: no constructor takes an object there`,
        });
    }
  },
};
