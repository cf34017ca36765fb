/** A block that uses a variable of the enclosing function which it cannot copy, or that modifies its copy. */
import type { OpaqueTypeFact } from "../../semantics/facts/facts.ts";
import type { VariableSymbol } from "../../semantics/types/symbols.ts";
import { writesOf } from "../predicates.ts";
import type { Rule, RuleFinding } from "../rule.ts";

/** Reports blocks that use another block, or that write or take the address of a captured variable. */
export const blockCapture: Rule = {
  id: "block-capture",
  title: "a block uses another block, or writes or takes the address of a captured variable",
  severity: "error",
  languages: ["opencl"],
  clause: "OpenCL C 3.0 §6.12.5, 2.0 §6.12.5: a block captures variables by value; a block cannot refer to another one",
  documentation: `
When a block is created, it copies the variables of its function that it uses, because it may run after the function has returned:
the device runs an enqueued block as a kernel of its own. The copies are const, so nothing can be written to them, or to a member
or an element of one, and their address cannot be taken. A block cannot be used in another. The target of a captured pointer, and
program-scope and \`static\` variables, are not copied.

**What to do**: write through a pointer that the block captures; use a variable that the block itself declares if it changes or its address is needed; declare a block that other blocks call at program scope.`,
  limits: "A block that is passed to a function is judged where it is written, not where it is called.",
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
    {
      language: "opencl",
      standard: "CL2.0",
      bad: `kernel void f(global int *out) {
  int sum = 0;
  void (^add)(int) = ^(int x) {
    sum += x; // <-
  };
  add(1);
  out[0] = sum;
}`,
      good: `kernel void f(global int *out) {
  void (^add)(int) = ^(int x) {
    out[0] += x;
  };
  add(1);
}`,
    },
  ],
  check({ facts }, report) {
    for (const fact of facts.opaqueTypes) {
      if (fact.kind === "capture") report({ place: fact.place, message: messageOf(fact), related: declaredHere(fact.variable) });
    }
    for (const { isCopy, path, place } of writesOf(facts)) {
      if (isCopy === true && path.root !== undefined)
        report({ place, message: `'${path.root.name}' is captured by copy: the block cannot write it`, related: declaredHere(path.root) });
    }
  },
};

function declaredHere({ name, place }: VariableSymbol): NonNullable<RuleFinding["related"]> {
  return [{ message: `'${name}' is declared here`, place }];
}

function messageOf({ what, variable: { name } }: Extract<OpaqueTypeFact, { kind: "capture" }>): string {
  switch (what) {
    case "address":
      return `'${name}' is captured by copy: the block cannot take its address`;
    case "block":
      return `'${name}' is a block: another block cannot use it`;
  }
}
