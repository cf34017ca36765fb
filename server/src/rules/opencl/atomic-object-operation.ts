/** An atomic object that is initialized, assigned or computed with directly, although OpenCL C 2.0 and later have functions for that. */
import { isAutomatic } from "../../semantics/declarations/storage.ts";
import type { OpaqueTypeFact } from "../../semantics/facts/facts.ts";
import type { VariableSymbol } from "../../semantics/types/symbols.ts";
import type { ViewSpan } from "../../source.ts";
import type { PlacedEdit, Rule, RuleFinding } from "../rule.ts";

/** Reports atomic objects that are initialized, assigned or computed with directly. */
export const atomicObjectOperation: Rule = {
  id: "atomic-object-operation",
  title: "an atomic object is initialized, assigned or computed with directly",
  severity: "error",
  languages: ["opencl"],
  clause:
    "OpenCL C 3.0 §6.15.12.1, 2.0 §6.13.11.1: only program-scope atomics in global memory have initializers; there are no operators on atomic types",
  documentation: `
The atomic types of OpenCL C 2.0 and later have no operators: \`counter++\`, \`counter += 1\` and \`counter = 0\` are errors in every
address space. A variable of such a type has an initializer only at program scope in global memory; one in local memory is
initialized by \`atomic_init\` in one work-item, before a barrier.

**What to do**: use \`atomic_fetch_add\`, \`atomic_store\`, \`atomic_load\`, \`atomic_init\` and the like, with the object's address.`,
  limits: "Operations inside of unknown macros are not seen.",
  fixSafety: "The fix replaces the initializer of a local variable by a call of `atomic_init` with the same effect: safe.",
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
    for (const fact of facts.opaqueTypes) {
      const finding = operatorFinding(fact);
      if (finding !== undefined) report(finding);
    }
    // In C++ such a variable is initialized like any other.
    for (const { variable } of dialect.cplusplus ? [] : facts.variables) {
      const finding = initializerFinding(variable);
      if (finding !== undefined) report(finding);
    }
  },
};

function operatorFinding(fact: OpaqueTypeFact): RuleFinding | undefined {
  if (fact.kind !== "operator" || fact.type.kind !== "atomic") return undefined;
  return { place: fact.place, message: `an atomic object has no operator '${fact.operator}': use the atomic functions` };
}

/** `atomic_int n = 1;` → `atomic_int n; atomic_init(&n, 1);` */
function splitInitializer({ name, declaration, sharesSpecifiers }: VariableSymbol, value: ViewSpan): readonly PlacedEdit[] | undefined {
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
  if (type.kind !== "atomic" || initializer?.kind !== "value") return undefined;
  // A variable in constant memory cannot be set later.
  if (space === "constant")
    return { place, message: `'${variable.name}' is atomic: only atomic objects in global memory can be initialized` };
  if (!isAutomatic(variable) || space !== "private") return undefined;
  const edits = splitInitializer(variable, initializer.value.span);
  return {
    place,
    message: `'${variable.name}' is atomic and ${space}: only 'atomic_init' can give it a value`,
    fixes: () => (edits === undefined ? [] : [{ title: "Initialize with 'atomic_init'", edits, safety: "safe" }]),
  };
}
