/** An atomic object that is initialised, assigned or computed with directly, where OpenCL C 2.0 and later have functions for it. */

import type { HandleFact } from "../semantics/facts.ts";
import { isAutomatic } from "../semantics/storage.ts";
import type { VariableSymbol } from "../semantics/symbols.ts";
import type { Span } from "../source.ts";
import type { PlacedEdit, Rule, RuleFinding } from "./rule.ts";

export const atomicObjectOperation: Rule = {
  id: "atomic-object-operation",
  title: "an atomic object is initialised, assigned or computed with directly",
  severity: "error",
  languages: ["opencl"],
  clause:
    "OpenCL C 3.0 §6.15.12.1, 2.0 §6.13.11.1: only program-scope atomics in global memory have initialisers; there are no operators on atomic types",
  documentation: `
The atomic types of OpenCL C 2.0 and later have no operators: \`counter++\`, \`counter += 1\` and \`counter = 0\` are errors in every
address space. A variable of such a type has an initialiser only at program scope in global memory; one in local memory is
initialised by \`atomic_init\` in one work-item, before a barrier.

**What to do**: use \`atomic_fetch_add\`, \`atomic_store\`, \`atomic_load\`, \`atomic_init\` and their kin, on the object's address.`,
  examples: [
    {
      language: "opencl",
      standard: "CL2.0",
      bad: `kernel void count(global atomic_int *hits) {
  *hits += 1; // <-
}`,
      good: `kernel void count(global atomic_int *hits) {
  atomic_fetch_add(hits, 1);
}`,
    },
    {
      language: "opencl",
      standard: "CL2.0",
      bad: `kernel void first(void) {
  atomic_int seen = 0; // <-
  atomic_fetch_add(&seen, 1);
}`,
      good: `kernel void first(void) {
  atomic_int seen;
  atomic_init(&seen, 0);
  atomic_fetch_add(&seen, 1);
}`,
      fixed: `kernel void first(void) {
  atomic_int seen; atomic_init(&seen, 0);
  atomic_fetch_add(&seen, 1);
}`,
    },
  ],
  check({ facts, dialect }, report) {
    for (const fact of facts.handles) {
      const finding = operatorFinding(fact);
      if (finding !== undefined) report(finding);
    }
    // In C++ such a variable is initialised like any other.
    for (const { variable } of dialect.cplusplus ? [] : facts.variables) {
      const finding = initializerFinding(variable);
      if (finding !== undefined) report(finding);
    }
  },
};

function operatorFinding(fact: HandleFact): RuleFinding | undefined {
  if (fact.kind !== "operator" || fact.type.kind !== "atomic") return undefined;
  return { place: fact.place, message: `an atomic object has no operator '${fact.operator}': use the atomic functions` };
}

/** `atomic_int n = 1;` → `atomic_int n; atomic_init(&n, 1);` */
function splitInitializer({ name, declaration, sharesSpecifiers }: VariableSymbol, value: Span): readonly PlacedEdit[] | undefined {
  const { unit, span } = declaration;
  if (sharesSpecifiers || !/^\s*=\s*$/.test(unit.view.text.slice(span.end, value.start))) return undefined;
  return [
    { place: { unit, span: { start: span.end, end: value.start } }, text: `; atomic_init(&${name}, ` },
    { place: { unit, span: value }, how: "after", text: ")" },
  ];
}

function initializerFinding(variable: VariableSymbol): RuleFinding | undefined {
  const { type, initializer, place } = variable;
  const { space } = type.qualifiers;
  if (type.kind !== "atomic" || initializer?.kind !== "value" || !isAutomatic(variable) || space !== "private") return undefined;
  const edits = splitInitializer(variable, initializer.value.span);
  return {
    place,
    message: `'${variable.name}' is atomic and ${space}: only 'atomic_init' can give it a value`,
    fixes: edits === undefined ? [] : [{ title: "Initialize with 'atomic_init'", edits, isPreferred: true }],
  };
}
