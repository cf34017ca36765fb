/** A `__local` variable with an initializer. */
import type { OpenCLDialect } from "../../dialect.ts";
import { storageProblem } from "../../semantics/declarations/storage.ts";
import type { VariableSymbol } from "../../semantics/types/symbols.ts";
import { findingsOfVariables } from "../findings/related.ts";
import type { PlacedEdit, Rule, RuleFinding } from "../rule.ts";

/** Reports `__local` variables with an initializer. */
export const localInitializer: Rule = {
  id: "local-initializer",
  title: "a `__local` variable has an initializer",
  severity: "error",
  languages: ["opencl"],
  clause:
    "OpenCL C 3.0 §6.7.2, 1.2 §6.5.2: variables allocated in the __local address space inside a kernel function cannot be initialized",
  documentation: `
A \`__local\` variable is one object that all work-items of a work-group share; it exists before the first of them runs, with
undefined contents. No work-item, and no time, is defined for executing an initializer.

**What to do**: assign, and let the others wait: \`if (get_local_id(0) == 0) sum = 0; barrier(CLK_LOCAL_MEM_FENCE);\`. The fix only splits the declaration into declaration and assignment; you decide which work-item executes it, and where the barrier is.`,
  limits: "Initializers in unknown macros are not seen.",
  fixSafety:
    "The fix splits the declaration: every work-item then assigns the value. It keeps the intent of the code, but add a barrier if other work-items read the variable.",
  examples: [
    {
      language: "opencl",
      bad: `kernel void count(global int *out) {
  local int sum = 0; // <-
  atomic_inc(&sum);
  out[0] = sum;
}`,
      good: `kernel void count(global int *out) {
  local int sum;
  if (get_local_id(0) == 0) sum = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&sum);
  out[0] = sum;
}`,
      fixed: `kernel void count(global int *out) {
  local int sum; sum = 0;
  atomic_inc(&sum);
  out[0] = sum;
}`,
    },
  ],
  check({ facts, dialect }, report) {
    if (dialect.language !== "opencl") return;
    for (const finding of findingsOfVariables(facts, ({ variable }) => findingOf(variable, dialect))) report(finding);
  },
};

function findingOf(variable: VariableSymbol, dialect: OpenCLDialect): RuleFinding | undefined {
  if (storageProblem(variable, dialect)?.kind !== "initialized") return undefined;
  const edit = splitDeclaration(variable);
  return {
    place: variable.place,
    message: `'${variable.name}' is in local memory, which cannot be initialized`,
    fixes: () =>
      edit === undefined ? [] : [{ title: `Assign to '${variable.name}' after the declaration`, edits: [edit], safety: "safe" }],
  };
}

/** Longer lists are better copied from a table. */
const mostElements = 8;

function splitDeclaration(variable: VariableSymbol): PlacedEdit | undefined {
  const { initializer, declaration, type, name } = variable;
  if (initializer?.kind !== "value" || type.qualifiers.const) return undefined;
  const { unit } = declaration;
  const { value } = initializer;
  // No other declarator may follow the value.
  if (!/^\s*;/.test(unit.view.text.slice(value.span.end, value.span.end + 40))) return undefined;
  const between = { start: declaration.span.end, end: value.span.start };
  if (value.kind !== "list") return type.kind === "array" ? undefined : { place: { unit, span: between }, text: `; ${name} = ` };
  const elements =
    type.kind === "array" && type.element.kind !== "array" && type.length === value.elements.length && value.elements.length <= mostElements
      ? value.elements
      : [];
  if (elements.length === 0 || elements.some((element) => element.designators.length > 0 || element.value.kind === "list"))
    return undefined;
  const assignments = elements.map(
    (element, index) => `${name}[${index}] = ${unit.view.text.slice(element.value.span.start, element.value.span.end)}`,
  );
  return { place: { unit, span: { start: between.start, end: value.span.end } }, text: `; ${assignments.join("; ")}` };
}
