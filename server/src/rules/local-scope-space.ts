/** Automatic variables in an address space in which none can be: where a `__local` or `__constant` one may be declared. */
import type { FunctionDeclaration, Place, VariableSymbol } from "../semantics/symbols.ts";
import type { Type } from "../semantics/types.ts";
import type { PlacedEdit, Rule } from "./rule.ts";

export const localScopeSpace: Rule = {
  id: "local-scope-space",
  title: "a variable in a function is in an address space that it cannot have there",
  severity: "error",
  languages: ["opencl"],
  clause: "OpenCL C 3.0 §6.7.2, §6.7.3, 1.2 §6.5.2, §6.5.3: local and constant variables must be declared in the outermost scope of a kernel function",
  documentation: `
Variables inside a function are *private*: each work-item has its own. Two other kinds may be declared in a kernel, but only
in its outermost block, because they are allocated once, before any work-item runs:

- \`__local\`: one object per work-group;
- \`__constant\`: one object per program, with an initialiser.

Their size must be known when the kernel is compiled; for a \`__local\` buffer whose size the host decides, declare a
\`local int *\` parameter. In a function that is no kernel, in a loop or in an \`if\` they are errors, although some compilers let them pass. A variable in
\`__global\` or \`__generic\` memory cannot be declared in a function at all: \`global int *p\` is a private pointer to global
memory and fine, \`int *global p\` and \`global int x\` are not.

**What to do**: move the declaration to the top of the kernel and pass a pointer to the helper that needs it.`,
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
  check({ facts }, report) {
    const variables = facts.variables.map(({ variable }) => variable);
    for (const variable of variables) {
      const message = problemOf(variable);
      if (message === undefined) continue;
      const edits = moveUp(variable, variables);
      report({
        place: variable.place,
        message,
        fixes: edits === undefined ? [] : [{ title: `Declare '${variable.name}' at the top of the kernel`, edits, isPreferred: false }],
      });
    }
  },
};

function problemOf(variable: VariableSymbol): string | undefined {
  // In which memory samplers and events may be is another rule's.
  if (!isAutomatic(variable) || variable.name === "" || (variable.type.kind === "opaque" && (variable.type.name === "event_t" || (variable.type.name === "sampler_t" && variable.type.qualifiers.space !== "constant")))) return undefined;
  const { space } = variable.type.qualifiers;
  if (space === "global" || space === "generic") return `'${variable.name}' in a function cannot be in ${space} memory`;
  if (space !== "local" && space !== "constant") return undefined;
  if (!isKernel(variable)) return `'${variable.name}' in ${space} memory is declared in a function that is no kernel`;
  if (variable.depth > 0) return `'${variable.name}' in ${space} memory is not declared in the kernel's outermost block`;
  // OpenCL C 3.0 §6.11 d: there are no arrays of variable length; the size of a local one the host can give as an argument.
  return isVariableLength(variable.type) ? `'${variable.name}' in ${space} memory has a size that is only known when the kernel runs` : undefined;
}

function isVariableLength(type: Type): boolean {
  return type.kind === "array" && (type.extent === "variable" || isVariableLength(type.element));
}

/** A variable of a block that is neither `static` nor `extern`. */
export function isAutomatic(variable: VariableSymbol): boolean {
  return variable.scope === "block" && variable.owner !== undefined && variable.type.kind !== "reference" && !variable.words.some(({ text }) => text === "static" || text === "extern");
}

export function isKernel({ owner }: VariableSymbol): boolean {
  return owner?.declarations.some(({ execution }) => execution.kernel) ?? false;
}

/** Cuts the declaration out and puts it behind the kernel's opening brace, where nothing else has the name. */
function moveUp(variable: VariableSymbol, variables: readonly VariableSymbol[]): readonly PlacedEdit[] | undefined {
  const { owner, declaration, type } = variable;
  const definition = owner?.declarations.find(({ isDefinition }) => isDefinition);
  const isMovable = type.qualifiers.space === "local" && isKernel(variable) && variable.depth > 0 && variable.initializer === undefined && !variable.sharesSpecifiers;
  if (!isMovable || definition?.body === undefined || (type.kind === "array" && type.extent !== "fixed")) return undefined;
  if (variables.some((other) => other !== variable && other.owner === owner && other.name === variable.name)) return undefined;
  const { text } = declaration.unit.view;
  const { start, end } = declaration.span;
  const semicolon = /^\s*;/.exec(text.slice(end, end + 20));
  if (semicolon === null) return undefined;
  const cut: Place = { unit: declaration.unit, span: { start, end: end + semicolon[0].length } };
  const written = text.slice(start, end);
  return [{ place: cut, text: "" }, { place: openingBrace(definition), how: "after", text: `\n  ${written};` }];
}

function openingBrace(definition: FunctionDeclaration): Place {
  const start = definition.body?.span.start ?? definition.place.span.end;
  return { unit: definition.place.unit, span: { start, end: start + 1 } };
}
