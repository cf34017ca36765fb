/**
 * Automatic variables in an address space that they cannot have, and `__local` and `__constant` variables that are declared in the
 * wrong place.
 */
import { dropStatement } from "../../analyses/placed-edits.ts";
import type { OpenCLDialect } from "../../dialect.ts";
import { isInKernel, storageProblem } from "../../semantics/declarations/storage.ts";
import type { Facts, VariableFact } from "../../semantics/facts/facts.ts";
import { contains } from "../../semantics/types/places.ts";
import type { FunctionDeclaration, Place, VariableSymbol } from "../../semantics/types/symbols.ts";
import { findingsOfVariables } from "../findings/related.ts";
import type { PlacedEdit, Rule, RuleFinding } from "../rule.ts";

/** Reports variables in a function with an address space that they cannot have there. */
export const localScopeSpace: Rule = {
  id: "local-scope-space",
  title: "a variable in a function is in an address space that it cannot have there",
  severity: "error",
  languages: ["opencl"],
  clause:
    "OpenCL C 3.0 §6.7.2, §6.7.3, 1.2 §6.5.2, §6.5.3: local and constant variables must be declared in the outermost scope of a kernel function",
  documentation: `
Variables inside a function are *private*: each work-item has its own. Two other kinds may be declared in a kernel, but only
in its outermost block, because they are allocated once, before any work-item runs:

- \`__local\`: one object per work-group;
- \`__constant\`: one object per program, with an initializer.

Their size must be known when the kernel is compiled; for a \`__local\` buffer whose size the host decides, declare a \`local int
*\` parameter. In a function that is not a kernel, in a loop or in an \`if\` they are errors, although some compilers accept them.
A variable in \`__global\` or \`__generic\` memory cannot be declared in a function at all: \`global int *p\` is a private pointer
to global memory and valid, \`int *global p\` and \`global int x\` are not.

**What to do**: move the declaration to the top of the kernel and pass a pointer to the helper that needs it.`,
  limits: "Whether two kernels could share the variable is not considered.",
  fixSafety:
    "A suggestion: the variable moves to the top of its kernel, or to program scope, and lives longer than before. It is offered only if its initializer names no variable of the inner block.",
  examples: [
    {
      language: "opencl",
      bad: `kernel void reduce(global int *data, int rounds) {
  for (int i = 0; i < rounds; i++) {
    local int tile[64]; // <-
    tile[get_local_id(0)] = data[i];
  }
}`,
      good: `kernel void reduce(global int *data, int rounds) {
  local int tile[64];
  for (int i = 0; i < rounds; i++) {
    tile[get_local_id(0)] = data[i];
  }
}`,
    },
    {
      language: "opencl",
      bad: `int next(global int *counter) {
  local int seen; // <-
  seen = *counter;
  return seen;
}`,
      good: `int next(global int *counter, local int *seen) {
  *seen = *counter;
  return *seen;
}`,
    },
    {
      language: "opencl",
      bad: `kernel void copy(global int *from) {
  int *global cursor = 0; // <-
}`,
      good: `kernel void copy(global int *from) {
  global int *cursor = from;
}`,
    },
  ],
  check({ facts, dialect }, report) {
    if (dialect.language !== "opencl") return;
    for (const finding of findingsOfVariables(facts, (fact) => findingOf(fact, dialect))) report(finding);
  },
};

function findingOf({ variable, runtimePart }: VariableFact, dialect: OpenCLDialect): RuleFinding | undefined {
  const message = messageOf(variable, dialect);
  if (message === undefined) return undefined;
  const where = isInKernel(variable) ? "at the top of the kernel" : "at program scope";
  return {
    place: variable.place,
    message,
    fixes: (facts) => {
      const edits = runtimePart === undefined ? moveUp(variable, facts) : undefined;
      return edits === undefined ? [] : [{ title: `Declare '${variable.name}' ${where}`, edits, safety: "suggestion" }];
    },
  };
}

function messageOf(variable: VariableSymbol, dialect: OpenCLDialect): string | undefined {
  const problem = storageProblem(variable, dialect);
  switch (problem?.kind) {
    case "automatic":
      return `'${variable.name}' in a function cannot be in ${problem.space} memory`;
    case "no-kernel":
      return `'${variable.name}' in ${problem.space} memory is declared in a function that is not a kernel`;
    case "inner-block":
      return `'${variable.name}' in ${problem.space} memory is not declared in the kernel's outermost block`;
    // The host can pass the size of a local array as an argument.
    case "variable-length":
      return `'${variable.name}' in ${problem.space} memory has a size that is only known when the kernel runs`;
    default:
      return undefined;
  }
}

/**
 * The edits that move the declaration to the start of the kernel's body, or a constant in another function to before that function.
 * Undefined if the name is already used there.
 */
function moveUp(variable: VariableSymbol, facts: Facts): readonly PlacedEdit[] | undefined {
  const { owner, declaration, type, initializer } = variable;
  const definition = owner?.declarations.find(({ isDefinition }) => isDefinition);
  const isKernel = isInKernel(variable);
  const isMovable =
    type.qualifiers.space === "local"
      ? isKernel && variable.depth > 0 && initializer === undefined
      : type.qualifiers.space === "constant" && initializer?.kind === "value" && (variable.depth > 0 || !isKernel);
  if (!isMovable || variable.sharesSpecifiers || definition?.body === undefined || (type.kind === "array" && type.extent !== "fixed"))
    return undefined;
  if (isNameTaken(variable, facts, isKernel) || usesLocalVariables(variable, facts)) return undefined;
  const { text } = declaration.unit.view;
  const { start } = declaration.span;
  const end = initializer?.kind === "value" ? initializer.value.span.end : declaration.span.end;
  // In the head of a loop, the declaration is not a statement. In a lambda, which may be called from elsewhere, it is not one of
  // the function's.
  if (variable.lambda !== undefined || /\(\s*$/.test(text.slice(Math.max(0, start - 20), start))) return undefined;
  const semicolon = /^\s*;/.exec(text.slice(end, end + 20));
  if (semicolon === null) return undefined;
  const cut: Place = { unit: declaration.unit, span: { start, end: end + semicolon[0].length } };
  const written = text.slice(start, end);
  return [
    dropStatement(cut),
    isKernel
      ? { place: openingBrace(definition), how: "after", text: `\n  ${written};` }
      : { place: definition.place, how: "before", text: `${written};\n` },
  ];
}

function isNameTaken(variable: VariableSymbol, facts: Facts, isKernel: boolean): boolean {
  const { name, owner } = variable;
  if (!isKernel && [...facts.functions, ...facts.typedefs].some((other) => other.name === name)) return true;
  return facts.variables.some(
    ({ variable: other }) =>
      other !== variable && other.name === name && (isKernel ? other.owner === owner : other.scope === "program" || other.owner === owner),
  );
}

/** True if the initializer uses a variable that is not at program scope, which may not be declared before the target of the move. */
function usesLocalVariables({ initializer, declaration: { unit } }: VariableSymbol, { references }: Facts): boolean {
  if (initializer?.kind !== "value") return false;
  const whole: Place = { unit, span: initializer.value.span };
  return references.some(({ symbol, place }) => symbol.kind === "variable" && symbol.scope !== "program" && contains(whole, place));
}

function openingBrace(definition: FunctionDeclaration): Place {
  const start = definition.body?.span.start ?? definition.place.span.end;
  return { unit: definition.place.unit, span: { start, end: start + 1 } };
}
