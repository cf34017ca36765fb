/** Specifiers on one variable that exclude each other: two memory spaces, or a memory space and a storage class. */
import { executionAt } from "../../analyses/device-code.ts";
import { isCertain, isCuda, memoryWordsOf } from "../../analyses/memory-spaces.ts";
import { type CudaDialect, isHostSide } from "../../dialect.ts";
import { unitsOfFile } from "../../preprocess/unit-row.ts";
import { innermostElement, isConst } from "../../semantics/types/predicates.ts";
import type { VariableSymbol } from "../../semantics/types/symbols.ts";
import { hasWord } from "../../syntax/walk.ts";
import type { Rule, RuleFinding } from "../rule.ts";

/** Reports specifiers on one variable that exclude each other. */
export const memorySpaceCombination: Rule = {
  id: "memory-space-combination",
  title: "specifiers of one variable exclude each other",
  severity: "error",
  languages: ["cuda"],
  judgesHostSide: true,
  clause:
    "CUDA C++ Programming Guide, C++ language support: __constant__, __shared__ and __managed__ exclude each other; __managed__ variables are neither const nor references; thread_local is not supported in device code; inline variables need internal linkage in whole program mode",
  documentation: `
- \`__constant__\`, \`__shared__\` and \`__managed__\` name three different memories. \`__device__\` may be combined with each.
- A \`__managed__\` variable is written by host and device: it cannot be \`const\`, \`constexpr\` or a reference.
- A \`__shared__\` variable has no initial value, so it cannot be \`constexpr\`.
- There is no thread-local storage on the device: \`thread_local\` excludes every memory space.
- An \`inline\` variable in device memory is one object in several files. Without \`-rdc=true\` device code of different files is
  never linked, so nvcc rejects it unless it has internal linkage (\`static\`, or in an unnamed namespace). If it is not
  configured how the code is compiled, this is a warning.

**What to do**: keep the intended specifier; for constants shared by a header use \`static __constant__\` or \`constexpr\`.`,
  limits: "Specifiers from unknown macros are not seen.",
  examples: [
    {
      language: "cuda",
      bad: `__constant__ __shared__ float table[32]; // <-
__global__ void look(float *out) { *out = table[3]; }`,
      good: `__constant__ float table[32];
__global__ void look(float *out) { *out = table[3]; }`,
    },
    {
      language: "cuda",
      bad: `__managed__ const int limit = 4; // <-`,
      good: `__managed__ int limit = 4;`,
    },
  ],
  check({ facts, dialect }, report) {
    if (dialect.language !== "cuda") return;
    for (const { variable } of facts.variables) {
      if (variable.scope === "parameter" || variable.scope === "member") continue;
      const ofDevice = () => (isHostSide(dialect) ? undefined : (threadLocalOf(variable) ?? inlineOf(variable, dialect)));
      const finding = pairOf(variable) ?? (isCuda(dialect) ? (managedOf(variable) ?? ofDevice()) : undefined);
      if (finding !== undefined) report(finding);
    }
  },
};

/** The finding for two memory spaces that exclude each other. */
function pairOf(variable: VariableSymbol): RuleFinding | undefined {
  const [first, second] = memoryWordsOf(variable).filter(
    ({ text }, index, all) => text !== "__device__" && all.findIndex((other) => other.text === text) === index,
  );
  if (first === undefined || second === undefined) return undefined;
  return {
    place: second.place,
    message: `a variable cannot be both '${first.text}' and '${second.text}'`,
    related: [{ message: `'${first.text}' is written here`, place: first.place }],
  };
}

function managedOf(variable: VariableSymbol): RuleFinding | undefined {
  const isManaged = hasWord(variable.words, "__managed__");
  if (!isManaged && !hasWord(variable.words, "__shared__")) return undefined;
  const word = isManaged ? "__managed__" : "__shared__";
  if (hasWord(variable.words, "constexpr"))
    return { place: variable.place, message: `'${word}' variable '${variable.name}' cannot be constexpr` };
  if (!isManaged) return undefined;
  if (variable.type.kind === "reference")
    return { place: variable.place, message: `'__managed__' variable '${variable.name}' cannot be a reference` };
  return isConst(variable.type) && innermostElement(variable.type).kind !== "unknown"
    ? { place: variable.place, message: `'__managed__' variable '${variable.name}' cannot be const` }
    : undefined;
}

function threadLocalOf(variable: VariableSymbol): RuleFinding | undefined {
  const word = variable.words.find(({ text }) => text === "thread_local");
  if (word === undefined) return undefined;
  const memory = memoryWordsOf(variable)[0];
  if (memory !== undefined)
    return { place: variable.place, message: `'${memory.text}' variable '${variable.name}' cannot be thread_local` };
  const { owner, lambda } = variable;
  const { kernel, device } = executionAt({ within: owner, lambda });
  if (
    variable.scope !== "block" ||
    !(kernel || device) ||
    (owner !== undefined && (!isCertain(owner) || owner.isTemplate)) ||
    unitsOfFile(variable.place.unit).some(({ testsArchitecture }) => testsArchitecture === true)
  )
    return undefined;
  return { place: variable.place, message: `'${variable.name}' cannot be thread_local in device code` };
}

function inlineOf(variable: VariableSymbol, { relocatableDeviceCode, isRelocatableKnown }: CudaDialect): RuleFinding | undefined {
  const memory = memoryWordsOf(variable).find(({ text }) => text !== "__shared__");
  if (relocatableDeviceCode || memory === undefined || variable.scope !== "program" || !hasWord(variable.words, "inline")) return undefined;
  if (hasWord(variable.words, "__shared__", "static") || variable.isInternal === true) return undefined;
  return {
    place: variable.place,
    severity: isRelocatableKnown === true ? "error" : "warning",
    message: `inline '${memory.text}' variable '${variable.name}' needs internal linkage or -rdc=true`,
  };
}
