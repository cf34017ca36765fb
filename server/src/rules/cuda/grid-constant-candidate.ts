/** A by-value kernel parameter that every thread has to copy, because its address is passed to a call that is not inlined. */
import { gridConstantWord, isTensorMap } from "../../analyses/grid-constants.ts";
import { isNeverInlined, passedByAddress } from "../../analyses/kernel-parameters.ts";
import { objectFlow } from "../../analyses/object-flow.ts";
import { writesTo } from "../../analyses/object-writes.ts";
import type { CallFact, Facts } from "../../semantics/facts/facts.ts";
import { sizeOf } from "../../semantics/types/layout.ts";
import type { ParameterDeclaration, VariableSymbol } from "../../semantics/types/symbols.ts";
import { annotateAll } from "../fixes/grid-constants.ts";
import type { CheckedFile, PlacedEdit, Rule } from "../rule.ts";

/** Reports by-value kernel parameters whose address is passed to a call, so that every thread copies them. */
export const gridConstantCandidate: Rule = {
  id: "grid-constant-candidate",
  title: "the address of a by-value kernel parameter is passed to a call, so that every thread copies it",
  severity: "info",
  languages: ["cuda"],
  clause:
    "CUDA C++ Programming Guide, __grid_constant__: the compiler may create thread-local copies of __global__ parameters whose address is taken",
  documentation: `
Kernel parameters are in constant memory, which ordinary pointers cannot address. When the address of a parameter (a pointer, a
reference, \`this\`) is passed to a function that the compiler does not inline – one that is defined in another file, is
\`__noinline__\`, or calls itself – every thread first copies the whole parameter to its stack.

Measured on an H200, sm_90: a 404-byte structure that is passed by reference to a \`__noinline__\` function costs 408 bytes of
stack per thread as \`const S\` and none as \`const __grid_constant__ S\`, which made that kernel 2.9 times faster.

Nothing is reported if the compiler avoids the copy: dynamic indexing, references passed to inlined functions, and local pointers
are free.

**What to do**: annotate the parameter \`const __grid_constant__\`, in every declaration of the kernel.`,
  limits:
    "Whether the compiler inlines a function is known only for `__noinline__`, recursion, and functions without a body here. A function that is defined in another file may be inlined by link-time optimization.",
  fixSafety:
    "The fix annotates every declaration of the kernel in the translation unit, and is offered only if nothing writes the parameter: safe.",
  examples: [
    {
      language: "cuda",
      bad: `struct Params { float table[101]; };
__device__ float look(const Params &params, int i);
__global__ void run(const Params params, float *out) { // <-
  out[threadIdx.x] = look(params, threadIdx.x);
}`,
      good: `struct Params { float table[101]; };
__device__ float look(const Params &params, int i);
__global__ void run(const __grid_constant__ Params params, float *out) {
  out[threadIdx.x] = look(params, threadIdx.x);
}`,
      fixed: `struct Params { float table[101]; };
__device__ float look(const Params &params, int i);
__global__ void run(const __grid_constant__ Params params, float *out) {
  out[threadIdx.x] = look(params, threadIdx.x);
}`,
    },
  ],
  checkFile({ facts, dialect, file }, report) {
    if (dialect.language !== "cuda" || dialect.architectures.some((architecture) => architecture < 70)) return;
    const flow = objectFlow(facts);
    const written = new Set(writesTo(facts, ({ scope }) => scope === "parameter").map(({ object }) => object));
    const reported = new Set<VariableSymbol>();
    for (const call of facts.calls) {
      for (const object of passedByAddress(call, flow)) {
        const parameter = candidateParameter(object, written);
        if (parameter === undefined || reported.has(object)) continue;
        reported.add(object);
        const size = sizeOf(object.type);
        report({
          place: parameter.place,
          message: `every thread copies '${object.name}'${size === undefined ? "" : ` (${size.toLocaleString("en-US")} bytes)`} for '${call.name}', which takes its address`,
          related: [{ message: `its address is passed here; ${reasonOf(call)}`, place: call.place }],
          fixes: () => {
            const edits = annotations(object, facts, file);
            return edits === undefined ? [] : [{ title: "Make it 'const __grid_constant__'", edits, safety: "safe" }];
          },
        });
      }
    }
  },
};

function reasonOf({ callee }: CallFact): string {
  return callee !== undefined && isNeverInlined(callee) ? "the function is never inlined" : "the function is defined elsewhere";
}

/** A kernel's by-value parameter of class type that no visible code writes. */
function candidateParameter(object: VariableSymbol, written: ReadonlySet<VariableSymbol>): ParameterDeclaration | undefined {
  if (
    object.scope !== "parameter" ||
    object.type.kind !== "record" ||
    written.has(object) ||
    object.type.record.isDependent ||
    isTensorMap(object.type)
  )
    return undefined;
  const declaration = object.owner?.declarations.find(({ parameters }) => parameters.some(({ symbol }) => symbol === object));
  const parameter = declaration?.parameters.find(({ symbol }) => symbol === object);
  if (declaration?.execution.kernel !== true || parameter === undefined || gridConstantWord(parameter) !== undefined) return undefined;
  return parameter;
}

/** The edits in every declaration; undefined if one of them cannot be edited. */
function annotations({ owner, index }: VariableSymbol, { functions }: Facts, { textOf }: CheckedFile): readonly PlacedEdit[] | undefined {
  if (owner === undefined || index === undefined || !functions.includes(owner)) return undefined;
  const all = [owner.primary ?? owner, ...(owner.primary ?? owner).specializations].flatMap(({ declarations }) => declarations);
  return annotateAll(all, index, textOf);
}
