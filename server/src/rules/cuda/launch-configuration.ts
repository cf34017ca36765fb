/**
 * Launches whose configuration the kernel cannot run with: dynamic shared memory, the size of a block, and the grid. Only values that
 * the launch shows are judged; `shared-memory-size.ts` judges what the kernel declares.
 */
import { accessesTo, callsOf } from "../../analyses/fact-index.ts";
import { conditionsAround } from "../../analyses/lane-guards.ts";
import { launchesIn, settled } from "../../analyses/memory/launches.ts";
import { isDefinedIn } from "../../analyses/memory/reached.ts";
import {
  largestSharedMemory,
  mayDiscardBranches,
  mostSharedMemory,
  sharedMemoryOf,
  staticSharedLimit,
} from "../../analyses/memory/shared.ts";
import { formatBytes, formatCount } from "../../analyses/memory-table.ts";
import type { CudaDialect } from "../../dialect.ts";
import { greatest } from "../../lists.ts";
import { areInSameFile, unitsOfFile } from "../../preprocess/unit-row.ts";
import { unitsIn } from "../../preprocess/units.ts";
import type { Unit } from "../../preprocess/view/view.ts";
import type { CallFact, Facts } from "../../semantics/facts/facts.ts";
import type { LaunchValue } from "../../semantics/facts/launch-facts.ts";
import type { FunctionSymbol, LaunchAttribute, Place, VariableSymbol } from "../../semantics/types/symbols.ts";
import type { Expression } from "../../syntax/ast.ts";
import { wordPattern } from "../../words.ts";
import type { CheckedFile, Rule, RuleFinding } from "../rule.ts";

/** Reports launches with too little or too much dynamic shared memory, too many threads, or a grid that is not made of clusters. */
export const launchConfiguration: Rule = {
  id: "launch-configuration",
  title: "a launch gives a block, a grid or dynamic shared memory that the kernel cannot run with",
  severity: "warning",
  languages: ["cuda"],
  clause:
    "CUDA C++ Programming Guide, execution configuration; __shared__: the size of an extern array is determined at launch time; compute capabilities, technical specifications: over 48 KB per block require an explicit opt-in using cudaFuncSetAttribute(), and a block has at most 1024 threads, 64 of them in z; launch bounds; thread block clusters: the grid dimension must be a multiple of the cluster size",
  documentation: `
No compiler compares a launch with its kernel.

- The kernel uses \`extern __shared__\` memory, but the launch gives none: the first access ends the kernel with an illegal address.
- More than 49,152 bytes of dynamic shared memory have to be allowed with
  \`cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)\`; otherwise the launch fails with
  \`cudaErrorInvalidValue\`, and the kernel does not run. No file that names that attribute gets this finding, and no kernel that
  another file, or a function that gets it, may allow more.
- No device gives a block more than its limit: 232,448 bytes on the largest, less on most. If the architecture is configured, its
  limit counts.
- A block has at most 1,024 threads, 64 of them in z, and at most as many as \`__launch_bounds__\` says.
- A grid has at most 65,535 blocks in y and in z. The grid must be a multiple of \`__cluster_dims__\` in each dimension.

**What to do**: give the bytes as the third value between \`<<<\` and \`>>>\`, allow them where they are many, and name the sizes that
kernel and launch share.`,
  limits:
    "Only constants are judged, and only kernels that the file of the launch defines. In a file with 'if constexpr', templates may need no dynamic memory. A kernel that uses it under a condition on anything but the thread may do without.",
  examples: [
    {
      language: "cuda",
      bad: `__global__ void sum(const float *in, float *out) {
  extern __shared__ float part[];
  part[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = part[0];
}
void start(const float *in, float *out) {
  sum<<<1, 32>>>(in, out); // <-
}`,
      good: `__global__ void sum(const float *in, float *out) {
  extern __shared__ float part[];
  part[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = part[0];
}
void start(const float *in, float *out) {
  sum<<<1, 32, 32 * sizeof(float)>>>(in, out);
}`,
    },
    {
      language: "cuda",
      bad: `__global__ void __launch_bounds__(128) fill(float *out) { out[threadIdx.x] = 0; }
void start(float *out) {
  fill<<<1, 256>>>(out); // <-
}`,
      good: `__global__ void __launch_bounds__(256) fill(float *out) { out[threadIdx.x] = 0; }
void start(float *out) {
  fill<<<1, 256>>>(out);
}`,
    },
  ],
  checkFile({ facts, dialect, file }, report) {
    if (dialect.language !== "cuda") return;
    for (const call of launchesIn(facts)) {
      const { callee, launchValues } = call;
      if (callee === undefined || launchValues === undefined) continue;
      const [grid, block, bytes] = launchValues.map((value) => settled(value, facts));
      const findings = [
        blockFinding(callee, block, dialect),
        gridFinding(callee, grid, dialect),
        isDefinedIn(call.place.unit, callee) ? memoryFinding(call, callee, bytes, { facts, dialect, file }) : undefined,
      ];
      for (const finding of findings) if (finding !== undefined) report(finding);
    }
  },
};

/** The most threads that a block of any device has. */
const mostThreads = 1_024;

/** The most threads of a block in z, and the most blocks of a grid in y and in z. AMD's devices have others. */
const mostInZ = 64;
const mostBlocks = 65_535;

function blockFinding(kernel: FunctionSymbol, block: LaunchValue | undefined, { hip }: CudaDialect): RuleFinding | undefined {
  const threads = productOf(block);
  const inZ = hip ? undefined : block?.extents?.[2];
  if (block !== undefined && inZ !== undefined && inZ > mostInZ)
    return { place: block.place, message: `${formatCount(inZ)} threads in 'z' of a block, which has at most ${mostInZ} there` };
  if (block === undefined || threads === undefined) return undefined;
  if (threads > mostThreads)
    return { place: block.place, message: `${formatCount(threads)} threads in a block, which has at most ${formatCount(mostThreads)}` };
  const bounds = attributeOf(kernel, "__launch_bounds__");
  const [[most] = []] = bounds?.values ?? [];
  if (bounds === undefined || most === undefined || most <= 0 || threads <= most) return undefined;
  return {
    place: block.place,
    message: `${formatCount(threads)} threads in a block exceed the ${formatCount(most)} of the kernel's '__launch_bounds__'`,
    related: [{ message: "declared with these launch bounds", place: bounds.place }],
  };
}

function gridFinding(kernel: FunctionSymbol, grid: LaunchValue | undefined, { hip }: CudaDialect): RuleFinding | undefined {
  const large = hip ? -1 : (grid?.extents?.findIndex((extent, index) => index > 0 && extent !== undefined && extent > mostBlocks) ?? -1);
  if (grid !== undefined && large > 0)
    return {
      place: grid.place,
      message: `${formatCount(grid.extents?.[large] ?? 0)} blocks in '${"xyz"[large]}' of a grid, which has at most ${formatCount(mostBlocks)} there`,
    };
  const dimensions = attributeOf(kernel, "__cluster_dims__");
  if (dimensions === undefined || grid?.extents === undefined) return undefined;
  const cluster = [...dimensions.values.flat(), 1, 1].slice(0, 3);
  const extents = [...grid.extents, 1, 1].slice(0, 3);
  const at = extents.findIndex((extent, index) => {
    const own = cluster[index];
    return extent !== undefined && own !== undefined && own > 0 && extent % own !== 0;
  });
  if (at < 0) return undefined;
  return {
    place: grid.place,
    message: `the grid has ${formatCount(extents[at] ?? 0)} blocks in '${"xyz"[at]}', not a multiple of the cluster's ${cluster[at]}`,
    related: [{ message: "declared with this '__cluster_dims__'", place: dimensions.place }],
  };
}

function memoryFinding(
  call: CallFact,
  kernel: FunctionSymbol,
  bytes: LaunchValue | undefined,
  { facts, dialect, file }: { readonly facts: Facts; readonly dialect: CudaDialect; readonly file: CheckedFile },
): RuleFinding | undefined {
  const given = bytes === undefined ? 0 : bytes.extents?.length === 1 ? bytes.extents[0] : undefined;
  if (given === undefined) return undefined;
  if (given === 0) return missingFinding(call, kernel, bytes, facts);
  if (bytes === undefined || dialect.hip) return undefined;
  const limit = largestOf(dialect);
  if (given > limit)
    return { place: bytes.place, message: `${formatBytes(given)} of shared memory exceed the ${formatCount(limit)} of a block` };
  if (given <= staticSharedLimit || allowsMore(call.place.unit) || isKnownElsewhere(kernel, call.place.unit, file)) return undefined;
  return {
    place: bytes.place,
    message: `${formatBytes(given)} of shared memory exceed ${formatCount(staticSharedLimit)} without 'cudaFuncSetAttribute'`,
    related: kernel.declarations.slice(0, 1).map(({ namePlace }) => ({ message: "the kernel is declared here", place: namePlace })),
  };
}

function missingFinding(call: CallFact, kernel: FunctionSymbol, bytes: LaunchValue | undefined, facts: Facts): RuleFinding | undefined {
  const used = sharedMemoryOf(kernel, facts).dynamic.find((variable) => isCertainlyUsed(variable, kernel, facts));
  if (used === undefined || mayDiscardBranches(kernel) || mayDiscardBranches(used.owner)) return undefined;
  return {
    place: bytes?.place ?? call.launchValues?.at(-1)?.place ?? call.place,
    message: `the kernel uses '${used.name}', but the launch gives no dynamic shared memory`,
    related: [{ message: `'${used.name}' is declared here`, place: used.place }],
  };
}

/** True if every block uses the memory: in the kernel, or in a function that it always calls. */
function isCertainlyUsed(variable: VariableSymbol, kernel: FunctionSymbol, facts: Facts): boolean {
  return accessesTo(facts, variable).some((access) => {
    const { within, place, lambda, mode, initializes } = access;
    if (within === undefined || lambda !== undefined || !isAlwaysReached(within, place)) return false;
    // A pointer that is initialized with the address uses the memory where it is dereferenced.
    if (mode === "address" && initializes?.type.kind === "pointer" && !isDereferencedAlways(initializes, within, facts)) return false;
    return within === kernel || callsOf(facts, within).some((call) => call.within === kernel && isAlwaysReached(kernel, call.place));
  });
}

/** True if a use of the pointer that is always reached accesses its target, or gives the address away. */
function isDereferencedAlways(pointer: VariableSymbol, within: FunctionSymbol, facts: Facts): boolean {
  return accessesTo(facts, pointer).some(
    ({ mode, path, place, lambda, initializes }) =>
      lambda === undefined &&
      isAlwaysReached(within, place) &&
      (path.steps.some(({ kind }) => kind === "dereference") || (mode === "read" && initializes === undefined)),
  );
}

/** True if some thread of each block reaches the place. A condition on anything but the thread may select a launch. */
function isAlwaysReached(within: FunctionSymbol, place: Place): boolean {
  const conditions = conditionsAround(within, place);
  const { text } = place.unit.view;
  const isOfThread = (e: Expression): boolean => {
    if (e.kind === "parenthesized") return isOfThread(e.inner);
    if (e.kind === "binary" && (e.operator === "&&" || e.operator === "||")) return isOfThread(e.left) && isOfThread(e.right);
    return text.slice(e.span.start, e.span.end).includes("threadIdx");
  };
  return conditions?.every(isOfThread) === true;
}

/** The number of threads or blocks, if all extents are known. */
function productOf(value: LaunchValue | undefined): number | undefined {
  if (value?.extents === undefined) return undefined;
  return value.extents.reduce<number | undefined>(
    (product, extent) => (product === undefined || extent === undefined ? undefined : product * extent),
    1,
  );
}

/** The attribute that counts: nvcc replaces an earlier one by each later one. */
function attributeOf({ declarations }: FunctionSymbol, name: LaunchAttribute["name"]): LaunchAttribute | undefined {
  return declarations
    .flatMap(({ launchAttributes = [] }) => launchAttributes)
    .filter((each) => each.name === name)
    .at(-1);
}

/** The most shared memory that a launch may ask for. Code for several architectures may launch with what the one at run time allows. */
function largestOf({ architectures }: CudaDialect): number {
  return architectures.length === 0 ? largestSharedMemory : greatest(architectures.map(mostSharedMemory));
}

/** True if the file, or a header of it, names the attribute that allows more dynamic shared memory. */
function allowsMore(unit: Unit): boolean {
  return unitsOfFile(unit).some((own) =>
    unitsIn(own).some(({ uri, view }) => !uri.startsWith("builtin:") && /Max_?Dynamic_?Shared_?(?:Memory_?)?Size/i.test(view.text)),
  );
}

/**
 * True if code that the file does not show may set the kernel's attributes: another file that knows it, or a function that gets it. Only
 * its declarations and launches do neither.
 */
function isKnownElsewhere({ name, declarations, specializations }: FunctionSymbol, unit: Unit, file: CheckedFile): boolean {
  const all = [...declarations, ...specializations.flatMap((each) => each.declarations)];
  if (!all.every(({ namePlace }) => areInSameFile(namePlace.unit, unit)) || file.readers() !== "none") return true;
  const uses = unitsOfFile(unit).flatMap(({ view: { text } }) =>
    [...text.matchAll(wordPattern(name, "g"))].filter(({ index }) => !isLaunch.test(text.slice(index + name.length))),
  );
  return uses.length > declarations.filter(({ role }) => role !== "instantiation").length;
}

/** What follows the name of a kernel that is launched. */
const isLaunch = /^\s*(?:<(?!<)[^;{}()]*?>)?\s*<<</;
