/**
 * Kernels whose static shared memory is larger than a block may declare. `analyses/memory/shared.ts` counts the bytes, as ptxas does;
 * `launch-configuration.ts` judges the memory that a launch adds.
 */
import { requestedInstances } from "../../analyses/memory/launches.ts";
import {
  commonLocalDataShare,
  largestLocalDataShare,
  largestSharedMemory,
  mayDiscardBranches,
  mostSharedMemory,
  type SharedMemory,
  sharedMemoryOf,
  sharedMemoryTable,
  staticSharedLimit,
} from "../../analyses/memory/shared.ts";
import { formatBytes, formatCount, formatMemoryTable } from "../../analyses/memory-table.ts";
import type { CudaDialect } from "../../dialect.ts";
import { least } from "../../lists.ts";
import type { Facts, InstantiationFact } from "../../semantics/facts/facts.ts";
import type { FunctionSymbol, Place, VariableSymbol } from "../../semantics/types/symbols.ts";
import { placeKey } from "../../source.ts";
import { isIn } from "../predicates.ts";
import type { CheckedFile, Rule, RuleFinding } from "../rule.ts";

/** Reports kernels whose `__shared__` variables exceed 48 KB, or what the architectures allow, or 64 KB in HIP. */
export const sharedMemorySize: Rule = {
  id: "shared-memory-size",
  title: "a kernel's static shared memory is larger than a block may declare",
  severity: "error",
  languages: ["cuda"],
  clause:
    "CUDA C++ Programming Guide, compute capabilities: kernels relying on shared memory allocations over 48 KB per block are architecture-specific and must use dynamic shared memory rather than statically sized arrays",
  documentation: `
A block can declare at most 49,152 bytes of \`__shared__\` variables: those of the kernel and of the device functions that it calls,
together. ptxas reports the limit last, with the kernel's mangled name and without a line.

Code that is compiled for one architecture alone, such as \`sm_90a\`, can declare as much as a block of it can have: 232,448 bytes, or
101,376 from \`sm_120a\` on. If the settings name no architecture, more than 49,152 bytes are a *warning*, unless the file has
instructions for such architectures alone: \`wgmma\`, \`tcgen05\`, \`setmaxnreg\`.

In HIP the limit is that of the hardware's local data share: 65,536 bytes on most devices, 163,840 on gfx950, 327,680 on gfx1250.
More than most devices have is a *warning*.

The message contains a ledger: the largest variables with their sizes, and the padding. Variables count as ptxas counts them: one
that is never read takes no memory. Variables of unknown size do not count, so the true size may be larger.

**What to do**: declare \`extern __shared__\` memory, allow it with
\`cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)\`, and give its size at the launch; or use smaller
tiles.`,
  limits:
    "Variables of unknown size, and those of functions without a body in this file, do not count. In a file with 'if constexpr', variables of templates count one by one, because an instantiation may discard some of them.",
  examples: [
    {
      language: "cuda",
      bad: `__global__ void sum(const float *in, float *out) {
  __shared__ float tile[16384]; // <-
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x] + tile[0];
}`,
      good: `__global__ void sum(const float *in, float *out) {
  extern __shared__ float tile[];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x] + tile[0];
}`,
    },
  ],
  checkFile({ facts, dialect, file }, report) {
    if (dialect.language !== "cuda") return;
    const limits = dialect.hip ? hipLimits : cudaLimits(dialect);
    const told = new Set<string>();
    for (const kernel of new Set(facts.functions)) {
      const definition = kernel.declarations.find(({ execution, isDefinition }) => execution.kernel && isDefinition);
      if (definition === undefined || !isIn(file, definition.namePlace)) continue;
      const finding =
        findingOf(kernel, definition.namePlace, limits, facts, file) ??
        requestedInstances(kernel, facts)
          .map((instance) => findingOf(kernel, definition.namePlace, limits, facts, file, instance))
          .find((each) => each !== undefined);
      const key = finding === undefined ? "" : placeKey(finding.place);
      if (finding === undefined || told.has(key)) continue;
      told.add(key);
      report(finding);
    }
  },
};

/** The limit that is certain to be exceeded, and the common one. */
interface SizeLimits {
  readonly most: number;
  readonly common: number;
}

/** Where the settings name no architecture, the code may be for one that allows more. */
function cudaLimits({ architectures, specificArchitectures = [] }: CudaDialect): SizeLimits {
  if (architectures.length === 0) return { most: largestSharedMemory, common: staticSharedLimit };
  const limitOf = (one: number) => (specificArchitectures.includes(one) ? mostSharedMemory(one) : staticSharedLimit);
  const most = least(architectures.map(limitOf));
  return { most, common: most };
}

const hipLimits: SizeLimits = { most: largestLocalDataShare, common: commonLocalDataShare };

/** Instructions that PTX has for one architecture alone, such as `sm_90a` (PTX ISA: *requires sm_90a*), which allows more. */
const specificInstructions = /"[^"\n]*\b(?:wgmma|tcgen05|setmaxnreg)\./;

function findingOf(
  kernel: FunctionSymbol,
  namePlace: Place,
  { most, common }: SizeLimits,
  facts: Facts,
  file: CheckedFile,
  instance?: InstantiationFact,
): RuleFinding | undefined {
  const shared = sharedMemoryOf(kernel, facts, instance?.name);
  const table = sharedMemoryTable(certain(shared, kernel));
  const isCertain = table.total > most;
  const limit = isCertain ? most : common;
  const crossing = table.lines.find(({ end }) => end > limit)?.entry.variable;
  if (crossing === undefined || (!isCertain && specificInstructions.test(file.text))) return undefined;
  // In another function or file, the variable may be right for other kernels.
  const place = crossing.owner === kernel && isIn(file, crossing.place) ? crossing.place : namePlace;
  return {
    place,
    ...(isCertain ? {} : { severity: "warning" as const }),
    message: `${formatBytes(table.total)} of static shared memory exceed the ${isCertain ? "limit of" : "usual"} ${formatCount(limit)}: ${formatMemoryTable(table)}`,
    related: instance === undefined ? [] : [{ message: `in '${instance.name}', which is instantiated here`, place: instance.place }],
  };
}

/** The variables that one block certainly has together: an instantiation may discard a branch, and the variables in it. */
function certain({ variables }: SharedMemory, kernel: FunctionSymbol): readonly VariableSymbol[] {
  const mayDiscard = ({ owner }: VariableSymbol) => mayDiscardBranches(owner);
  if (!kernel.isTemplate && !variables.some(mayDiscard)) return variables;
  const [kept, lost] = [variables.filter((each) => !mayDiscard(each)), variables.filter(mayDiscard)];
  const largest = [...lost].sort((a, b) => sharedMemoryTable([b]).total - sharedMemoryTable([a]).total).slice(0, 1);
  return variables.filter((each) => kept.includes(each) || largest.includes(each));
}
