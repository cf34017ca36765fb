/** Variables in device memory whose initializer, constructor or destructor would have to run at program start or end. */
import { executionAt } from "../../analyses/device-code.ts";
import { accessesAround } from "../../analyses/fact-index.ts";
import { isCertain, memoryWordsOf } from "../../analyses/memory-spaces.ts";
import type { CudaDialect } from "../../dialect.ts";
import { destructorOf } from "../../semantics/declarations/initialization.ts";
import type { Facts, VariableFact } from "../../semantics/facts/facts.ts";
import { recordOf } from "../../semantics/types/predicates.ts";
import {
  type FunctionDeclaration,
  type FunctionSymbol,
  isDeclaredWith,
  isVirtual,
  type VariableSymbol,
} from "../../semantics/types/symbols.ts";
import { containsUnknown } from "../../semantics/types/types.ts";
import { hasWord } from "../../syntax/walk.ts";
import { findingsOfInstances } from "../findings/related.ts";
import type { Rule, RuleFinding } from "../rule.ts";

/** Reports variables in device memory that need dynamic initialization, or have a nontrivial constructor or destructor. */
export const memorySpaceInitializer: Rule = {
  id: "memory-space-initializer",
  title: "a variable in device memory needs dynamic initialization, or a nontrivial constructor or destructor",
  severity: "error",
  languages: ["cuda"],
  clause:
    "CUDA C++ Programming Guide, C++ language support, device memory space specifiers: dynamic initialization is not supported for __device__, __constant__ and __managed__ variables; their constructor and destructor must be empty",
  documentation: `
No code runs on the device when a program starts. The initial values of \`__constant__\`, \`__device__\` and \`__managed__\`
variables, and of \`static\` variables in device functions, are part of the program's image, so the compiler must know everything
in the initializer: literals, \`constexpr\` functions and variables, \`const\` variables with a constant initializer, addresses of
device objects. A function call, a variable's value (also another \`__constant__\`'s), and a nontrivial constructor or destructor
are not allowed.

Managed memory is allocated when the program starts. So the address of a \`__managed__\` variable is not a constant, and cannot
initialize a \`constexpr\` variable, on the host either.

**What to do**: make the function, variable or constructor \`constexpr\`, or set the variable from the host with
\`cudaMemcpyToSymbol\` before the first launch.`,
  limits: "A function that only the compiler can evaluate, and every unknown name, counts as constant.",
  examples: [
    {
      language: "cuda",
      bad: `float measure();
__constant__ float scale = measure(); // <-`,
      good: `constexpr float measure() { return 2.0f; }
__constant__ float scale = measure();`,
    },
    {
      language: "cuda",
      bad: `struct Window { int size; __device__ Window() { size = 3; } };
__constant__ Window window; // <-`,
      good: `struct Window { int size; constexpr Window() : size(3) {} };
__constant__ Window window;`,
    },
  ],
  check({ facts, dialect }, report) {
    if (dialect.language !== "cuda" || (dialect.hip && dialect.allowsDeviceInitialization === true)) return;
    for (const fact of facts.variables) {
      const finding = findingOf(fact, dialect) ?? (dialect.hip ? undefined : managedAddress(fact, facts));
      if (finding !== undefined) report(finding);
    }
    for (const { declarations } of facts.functions) for (const finding of startupFunctions(declarations)) report(finding);
    // clang does not check instantiated variables without a memory space.
    const instantiated = dialect.hip
      ? facts.instantiatedVariables.filter(({ variable }) => variable.memorySpace !== undefined)
      : facts.instantiatedVariables;
    for (const finding of findingsOfInstances(instantiated, (fact) => findingOf(fact, dialect))) report(finding);
  },
};

/**
 * Reports functions with the attribute `constructor` or `destructor`, which the host calls before and after `main`. nvcc ignores
 * these attributes on the device.
 */
function startupFunctions(declarations: readonly FunctionDeclaration[]): readonly RuleFinding[] {
  return declarations.flatMap(({ attributes, execution, owner }) =>
    execution.device && !execution.kernel
      ? attributes
          .filter(({ name }) => name === "constructor" || name === "destructor")
          .map(({ name, place }) => ({ place, message: `'${owner.name}' is '__device__', but ${name} functions run on the host only` }))
      : [],
  );
}

function findingOf({ variable, runtimePart, instantiation }: VariableFact, dialect: CudaDialect): RuleFinding | undefined {
  const where = describe(variable, instantiation !== undefined);
  if (where === undefined || variable.isTemplated === true || containsUnknown(variable.type) || !variable.isDefinition) return undefined;
  // A managed reference is always wrong.
  if (variable.memorySpace === "managed" && variable.type.kind === "reference") return undefined;
  if (variable.initialization === "dynamic") {
    const related = runtimePart === undefined ? [] : [{ message: "this is known only when the program runs", place: runtimePart }];
    const needed =
      variable.initializer === undefined || runtimePart === undefined
        ? "its constructor must be constexpr or empty"
        : "its initializer must be constant";
    return { place: variable.place, message: `'${variable.name}' is in ${where}, so ${needed}`, related };
  }
  const record = recordOf(variable.type);
  const destructor = record === undefined ? undefined : destructorOf(record);
  if (destructor === undefined || isConstantDestruction(variable, destructor, dialect)) return undefined;
  return {
    place: variable.place,
    message: `'${variable.name}' in ${where} cannot have a ${isVirtual(destructor) ? "virtual destructor" : "destructor that is not empty"}`,
    related: relatedTo(destructor),
  };
}

/**
 * True for a variable that never needs its destructor at run time (C++20 §9.2.6p6), as far as the compiler of the dialect sees that: clang
 * rejects one with a memory space all the same.
 */
function isConstantDestruction({ words, scope }: VariableSymbol, destructor: FunctionSymbol, { hip }: CudaDialect): boolean {
  return hasWord(words, "constexpr", "constinit") && isDeclaredWith(destructor, "constexpr") && (!hip || scope === "block");
}

/**
 * The finding for an initializer with an address in managed memory. nvcc allocates managed memory when the program starts, so no
 * address in it is a constant, even for the host.
 */
function managedAddress({ variable, runtimePart }: VariableFact, facts: Facts): RuleFinding | undefined {
  if (runtimePart === undefined || variable.isTemplated === true || !hasWord(variable.words, "constexpr")) return undefined;
  const roots = accessesAround(facts, runtimePart).map(({ path }) => path.root);
  const managed = roots.find((root) => root?.memorySpace === "managed");
  if (managed === undefined) return undefined;
  return {
    place: runtimePart,
    message: `'${variable.name}' is constexpr, but managed memory gets its addresses when the program starts`,
    related: [{ message: `'${managed.name}' is declared here, as '__managed__'`, place: managed.place }],
  };
}

function relatedTo({ declarations: [first] }: FunctionSymbol): NonNullable<RuleFinding["related"]> {
  return first === undefined ? [] : [{ message: "the destructor is declared here", place: first.namePlace }];
}

/** The kind of memory that is initialized before the program starts; undefined for other variables. */
function describe(variable: VariableSymbol, isInstance: boolean): string | undefined {
  const { memorySpace, scope, words, owner, lambda } = variable;
  if (memorySpace === "constant" || memorySpace === "device" || memorySpace === "managed") {
    // An automatic variable cannot be in such memory; another rule reports that.
    const isAutomatic = scope === "block" && !hasWord(words, "static");
    return isAutomatic || memoryWordsOf(variable).some(({ text }) => text === "__shared__") ? undefined : `${memorySpace} memory`;
  }
  if (scope !== "block" || memorySpace !== undefined || !hasWord(words, "static") || hasWord(words, "thread_local")) return undefined;
  if (owner === undefined || (owner.isTemplate && !isInstance) || !isCertain(owner)) return undefined;
  const { kernel, device, host } = executionAt({ within: owner, lambda });
  return (kernel || device) && !host ? "device memory" : undefined;
}
