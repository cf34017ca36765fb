/** A function or an instruction for one memory gets the address of an object in another. */
import { type WindowUseOf, windowUses } from "../../analyses/memory/windows.ts";
import { isCuda } from "../../analyses/memory-spaces.ts";
import type { MemoryWindow } from "../../semantics/builtins/cuda-windows.ts";
import type { Rule, RuleFinding } from "../rule.ts";

/** Reports addresses in the window of a memory that the object is not in. */
export const memoryWindowMismatch: Rule = {
  id: "memory-window-mismatch",
  title: "a function or instruction for one memory gets an address in another",
  severity: "warning",
  languages: ["cuda"],
  clause:
    "CUDA C++ Programming Guide, read-only data cache load function, load and store functions with cache hints, address space predicate and conversion functions, pipeline primitives, thread block clusters; PTX ISA, state spaces: the address of an object in another state space is undefined behavior",
  documentation: `
Pointers of CUDA are generic: they can point into global, shared, local and constant memory. Some functions and most instructions
are for one of these memories only, and take the bits of the address as one of its window:

- \`__ldg\`, \`__ldcg\`, \`__stcs\` and their like: global memory;
- \`__cvta_generic_to_shared\` and its like: the memory in their name;
- \`map_shared_rank\`, \`__cluster_map_shared_rank\`: shared memory;
- \`__pipeline_memcpy_async\`, \`cp.async\`: from global to shared memory, never back;
- in \`asm\`: \`ld\`, \`st\`, \`atom\`, \`red\` and others with \`.global\`, \`.shared\`, \`.const\` or \`.local\`.

**No compiler says anything**, and not every mistake ends the kernel. Measured on an H100:

| mistake | result | compute-sanitizer |
|---|---|---|
| \`__cvta_generic_to_shared\` of a global object, then \`ld.shared\` | **a wrong value, silently** | nothing |
| \`ld.const\` of a \`__device__\` variable | **a wrong value, silently** | nothing |
| \`__nv_atomic_fetch_add\` on constant memory (\`constant-memory-written\`) | **the addition is lost, silently** | nothing |
| \`__ldg\` of shared or local memory | the kernel fails: invalid address space | finds it |
| \`st.global\` to shared memory | the kernel fails: invalid address space | finds it |
| \`map_shared_rank\` of a global object | the kernel fails: illegal address | finds it |
| \`__pipeline_memcpy_async\` from shared to global memory | the kernel fails: invalid address space | finds it |

**What to do**: use a plain load or store, which works for every memory, or the function and the instruction for the memory that
the object is in.`,
  limits:
    "Only objects that the code names are followed, through local pointers and functions of the same file; integers that hold converted addresses are not. Reads of constant memory through the global window, which work on present devices, are left out, and so is HIP.",
  examples: [
    {
      language: "cuda",
      bad: `__global__ void load(int *out) {
  __shared__ int tile[32];
  tile[threadIdx.x] = 1;
  out[threadIdx.x] = __ldg(&tile[threadIdx.x]); // <-
}`,
      good: `__global__ void load(int *out) {
  __shared__ int tile[32];
  tile[threadIdx.x] = 1;
  out[threadIdx.x] = tile[threadIdx.x];
}`,
    },
    {
      language: "cuda",
      bad: `__device__ int table[4];
__global__ void load(int *out) {
  int x;
  asm volatile("ld.const.u32 %0, [%1];" : "=r"(x) : "l"(&table[0])); // <-
  out[0] = x;
}`,
      good: `__device__ int table[4];
__global__ void load(int *out) {
  int x;
  asm volatile("ld.global.u32 %0, [%1];" : "=r"(x) : "l"(&table[0]));
  out[0] = x;
}`,
    },
  ],
  checkFile({ facts, dialect }, report) {
    if (!isCuda(dialect)) return;
    for (const use of windowUses(facts)) if (isMismatch(use)) report(findingOf(use));
  },
};

function isMismatch({ memory, window, use }: WindowUseOf): boolean {
  if (window === undefined || memory === window) return false;
  // Another rule reports writes to constant memory. Reads of it in the global window happen to work.
  return !(memory === "constant" && (use === "write" || (use === "read" && window === "global")));
}

const places: Readonly<Record<MemoryWindow, string>> = {
  global: "global memory",
  shared: "shared memory",
  constant: "constant memory",
  local: "local memory",
};

function findingOf({ object, memory, window, name, place, through }: WindowUseOf): RuleFinding {
  return {
    place,
    message: `'${object.name}' is in ${places[memory]}: '${name}' is for ${window === undefined ? "" : places[window]}`,
    related: [
      ...(through === undefined ? [] : [{ message: `'${through.function.name}' passes it on here`, place: through.place }]),
      { message: `'${object.name}' is declared here`, place: object.place },
    ],
  };
}
