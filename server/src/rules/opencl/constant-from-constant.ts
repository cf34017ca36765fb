/** The initializer of a variable in constant memory reads another one, which some compilers reject. */
import type { AccessFact } from "../../semantics/facts/facts.ts";
import type { VariableSymbol } from "../../semantics/types/symbols.ts";
import type { Rule } from "../rule.ts";

/** Reports initializers in constant memory that read other variables. */
export const constantFromConstant: Rule = {
  id: "constant-from-constant",
  title: "the initializer of a `__constant` variable reads another variable, which some compilers reject",
  severity: "info",
  profile: "strict",
  languages: ["opencl"],
  clause:
    "OpenCL C 3.0 §6.7.3: initializers in constant memory are compile-time constants; C11 §6.6: the value of an object, even of a const one, is no constant expression, though a compiler may accept it (p10)",
  documentation: `
The initializer of a \`__constant\` variable must be a compile-time constant, and in C the value of another variable is none, even if it is
\`constant\` or \`const\`. clang knows the value and accepts it. Intel's compiler does not, nor do older ones: *initializing global
variables with values that are not compile-time constants*.

**What to do**: define the first value as a macro or an enumerator, and initialize both variables with it.`,
  limits: "Bounds of arrays and labels of `case` that read such a variable are not reported.",
  examples: [
    {
      language: "opencl",
      bad: `constant float pi = 3.14159265f;
constant float twoPi = 2 * pi; // <-
kernel void turn(global float *angle) { angle[0] = fmod(angle[0], twoPi) - pi; }`,
      good: `#define PI 3.14159265f
constant float pi = PI;
constant float twoPi = 2 * PI;
kernel void turn(global float *angle) { angle[0] = fmod(angle[0], twoPi) - pi; }`,
    },
  ],
  check({ facts, dialect }, report) {
    // A constant of C++ is a constant expression.
    if (dialect.language !== "opencl" || dialect.cplusplus) return;
    const reported = new Set<VariableSymbol>();
    for (const access of facts.accesses) {
      const { initializes, place } = access;
      const read = constantRead(access);
      if (initializes === undefined || read === undefined || reported.has(initializes)) continue;
      reported.add(initializes);
      report({
        place,
        message: `some compilers reject '${read.name}' here: its value is no compile-time constant to them`,
        related: [{ message: `'${read.name}' is declared here`, place: read.place }],
      });
    }
  },
};

/** The variable whose value the initializer of one in constant memory reads. */
function constantRead({ mode, initializes, path }: AccessFact): VariableSymbol | undefined {
  const { root } = path;
  if (mode !== "read" || root === undefined || initializes?.type.kind === "unknown") return undefined;
  const isConstant = (variable: VariableSymbol | undefined) => spaceOf(variable) === "constant";
  return isConstant(initializes) && isConstant(root) ? root : undefined;
}

function spaceOf(variable: VariableSymbol | undefined): string | undefined {
  let type = variable?.type;
  while (type?.kind === "array") type = type.element;
  return type?.qualifiers.space;
}
