/** A block that uses what it cannot copy from the function around it. */
import type { HandleFact } from "../semantics/facts.ts";
import type { Rule } from "./rule.ts";

export const blockCapture: Rule = {
  id: "block-capture",
  title: "a block uses another block, or takes the address of what it captured",
  severity: "error",
  languages: ["opencl"],
  clause: "OpenCL C 3.0 §6.12.5, 2.0 §6.12.5: a block captures variables by value; a block cannot refer to another one",
  documentation: `
A block copies the private variables that it uses when it is made, because it may run after the function has returned: the device
runs an enqueued block as a kernel of its own. A block cannot be used in another, and the address of a copy is not to be had. Variables in \`__local\`, \`__constant\` and \`__global\` memory are not copied.

**What to do**: take the address of a variable that the block itself declares; declare a block that others call at program scope.`,
  examples: [
    {
      language: "opencl",
      standard: "CL2.0",
      bad: `kernel void f(global int *out) {
  int weight = 2;
  void (^work)(void) = ^{
    int *p = &weight; // <-
    out[0] = *p;
  };
  work();
}`,
      good: `kernel void f(global int *out) {
  int weight = 2;
  void (^work)(void) = ^{
    out[0] = weight;
  };
  work();
}`,
    },
  ],
  check({ facts }, report) {
    for (const fact of facts.handles) {
      if (fact.kind === "capture") report({ place: fact.place, message: messageOf(fact), related: [{ message: `'${fact.variable.name}' is declared here`, place: fact.variable.place }] });
    }
  },
};

function messageOf({ what, variable: { name } }: Extract<HandleFact, { kind: "capture" }>): string {
  switch (what) {
    case "address":
      return `'${name}' is the block's copy: its address cannot be taken`;
    case "block":
      return `'${name}' is a block: another block cannot use it`;
  }
}
