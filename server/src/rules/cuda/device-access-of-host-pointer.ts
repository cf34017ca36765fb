/**
 * A launch that passes an address of ordinary host memory: of a variable on the host, or of memory from `malloc` or `new`. A
 * pointer counts only if all of its sources are visible and none is in device memory.
 */
import { leavesObject } from "../../analyses/access-paths.ts";
import { accessesTo, conversionsTo, declarationsOf } from "../../analyses/fact-index.ts";
import { isDeclarationClear, isSurelyHost } from "../../analyses/host-code.ts";
import { isInHostMemory } from "../../analyses/memory-spaces.ts";
import { pointerPath } from "../../analyses/object-flow.ts";
import { perFacts } from "../../analyses/per-facts.ts";
import type { AccessPath, CallArgument, CallFact, Facts } from "../../semantics/facts/facts.ts";
import type { VariableSymbol } from "../../semantics/types/symbols.ts";
import type { Rule, RuleFinding } from "../rule.ts";

/** Reports kernel arguments that are addresses of ordinary host memory. */
export const deviceAccessOfHostPointer: Rule = {
  id: "device-access-of-host-pointer",
  title: "a kernel gets an address of ordinary host memory",
  severity: "warning",
  languages: ["cuda"],
  clause:
    "CUDA C++ Programming Guide, unified memory: without pageable memory access a kernel can access only memory of the device, managed memory, and page-locked host memory",
  documentation: `
A pointer is passed to a kernel as a number. If it is the address of a variable of the host, or of memory from \`malloc\`,
\`calloc\` or \`new\`, a kernel that dereferences it stops with an illegal memory access on most systems.

Systems whose devices have **pageable memory access** (\`cudaDevAttrPageableMemoryAccess\`: Grace with its coherent link, and
Linux with heterogeneous memory management) let kernels use all memory of the process. Therefore this is a warning, and a file
that queries that attribute gets none. Portable code must not rely on it.

Nothing is reported for pointers that come from a parameter or from an unknown function, that are also assigned other addresses,
whose own address escapes, or that are registered with \`cudaHostRegister\`.

**What to do**: allocate with \`cudaMalloc\` and copy, or with \`cudaMallocManaged\` or \`cudaMallocHost\`; pass small values
themselves instead of their address.`,
  limits: "Pointers that come from a parameter, from memory, or from a function without a body here are not followed.",
  examples: [
    {
      language: "cuda",
      bad: `__global__ void run(int *out);
void start() {
  int result = 0;
  run<<<1, 1>>>(&result); // <-
}`,
      good: `__global__ void run(int *out);
void start() {
  int *result;
  cudaMallocManaged(&result, sizeof(int));
  run<<<1, 1>>>(result);
}`,
    },
    {
      language: "cuda",
      bad: `__global__ void run(float *data);
void start(int n) {
  float *data = (float *)malloc(n * sizeof(float));
  run<<<1, 1>>>(data); // <-
}`,
      good: `__global__ void run(float *data);
void start(int n) {
  float *data;
  cudaMalloc(&data, n * sizeof(float));
  run<<<1, 1>>>(data);
}`,
    },
  ],
  scope: "file",
  check({ facts }, report) {
    const findings: RuleFinding[] = [];
    for (const call of facts.calls) {
      const values = launchArguments(call);
      if (values.length === 0 || !isSurelyHost({ within: call.within }, facts)) continue;
      for (const [index, argument] of values.entries()) {
        const finding = takesPointer(call, index, argument) ? findingOf(argument, facts) : undefined;
        if (finding !== undefined) findings.push(finding);
      }
    }
    if (findings.length === 0 || testsPageableAccess(facts)) return;
    for (const finding of findings) report(finding);
  },
};

/** The kernel's arguments: `k<<<…>>>(a, b)`, and HIP's `hipLaunchKernelGGL(k, grid, block, shared, stream, a, b)`. */
function launchArguments({ launch, name, arguments: values }: CallFact): readonly CallArgument[] {
  if (launch !== undefined) return values;
  return name === "hipLaunchKernelGGL" ? values.slice(5) : [];
}

function takesPointer({ callee, launch }: CallFact, index: number, { type }: CallArgument): boolean {
  const parameter = launch === undefined || callee === undefined || callee.isTemplate ? undefined : callee.type.parameters[index];
  return parameter === undefined ? type.kind === "pointer" || type.kind === "array" : parameter.kind === "pointer";
}

/** True if the file tests whether devices can access all host memory. */
function testsPageableAccess({ accesses, calls }: Facts): boolean {
  const isAsked = (text: string | undefined) => text !== undefined && /pageableMemoryAccess/i.test(text);
  if (accesses.some(({ path }) => path.steps.some((step) => step.kind === "member" && isAsked(step.name)))) return true;
  return calls.some(({ arguments: values }) =>
    values.some(({ expression }) => expression.kind === "name" && isAsked(expression.name.parts[0]?.text)),
  );
}

interface HostMemory {
  readonly what: string;
  readonly related: NonNullable<RuleFinding["related"]>;
}

function findingOf(argument: CallArgument, facts: Facts): RuleFinding | undefined {
  const memory = argument.heap === undefined ? memoryOf(pointerPath(argument), facts) : fromHeap(argument.heap);
  if (memory === undefined) return undefined;
  return {
    place: argument.place,
    message: `this points to ${memory.what}, which most devices cannot access`,
    related: memory.related,
  };
}

function fromHeap(name: string): HostMemory {
  return { what: `memory from '${name}'`, related: [] };
}

/** How many pointers are followed to their sources. */
const stepsFollowed = 4;

/** The host memory that a pointer certainly points to. */
function memoryOf(path: AccessPath | undefined, facts: Facts, depth = stepsFollowed): HostMemory | undefined {
  const root = path?.root;
  if (path === undefined || root === undefined || depth === 0 || isGivenAway(root, facts)) return undefined;
  const last = path.steps[path.steps.length - 1];
  if (last?.kind === "address") return leavesObject(path) ? undefined : memoryOfVariable(root, facts);
  return path.steps.length === 0 && root.scope === "block" && root.type.kind === "pointer"
    ? memoryOfPointer(root, facts, depth)
    : undefined;
}

function memoryOfVariable(variable: VariableSymbol, facts: Facts): HostMemory | undefined {
  if (!isDeclarationClear(variable, facts) || !isOnHost(variable, facts) || variable.type.kind === "reference") return undefined;
  const isStack = variable.scope === "parameter" || (variable.scope === "block" && variable.memorySpace === undefined);
  return {
    what: `'${variable.name}' ${isStack ? "on the host's stack" : "in host memory"}`,
    related: [{ message: `'${variable.name}' is declared here`, place: variable.place }],
  };
}

function isOnHost(variable: VariableSymbol, facts: Facts): boolean {
  return isInHostMemory(variable) && declarationsOf(facts, variable).length > 0;
}

/** The host memory that all values of the pointer point to; undefined if other code may set it. */
function memoryOfPointer(pointer: VariableSymbol, facts: Facts, depth: number): HostMemory | undefined {
  if (accessesTo(facts, pointer).some(({ mode, path }) => path.steps.length === 0 && (mode === "address" || mode === "bind")))
    return undefined;
  const sources = conversionsTo(facts, pointer).filter(
    ({ context, isNullConstant }) => (context === "initialize" || context === "assign") && !isNullConstant,
  );
  const written = accessesTo(facts, pointer).filter(
    ({ mode, path, assignment }) => path.steps.length === 0 && mode === "write" && assignment !== undefined && !isNull(assignment.value),
  );
  if (sources.length === 0 || written.length > sources.length) return undefined;
  let found: HostMemory | undefined;
  for (const { heap, path, operandPlace } of sources) {
    const memory =
      heap === undefined
        ? memoryOf(path, facts, depth - 1)
        : {
            what: `memory from '${heap}' in '${pointer.name}'`,
            related: [{ message: `it comes from '${heap}' here`, place: operandPlace }],
          };
    if (memory === undefined) return undefined;
    found = memory;
  }
  return found;
}

function isNull(e: CallArgument["expression"]): boolean {
  return e.kind === "nullptr" || (e.kind === "number" && Number(e.text) === 0);
}

/** True if the memory is registered as page-locked, or passed to a function whose name suggests that it registers memory. */
function isGivenAway(variable: VariableSymbol, facts: Facts): boolean {
  return givenAway(facts).has(variable);
}

const givenAway = perFacts(({ calls }) => new Set(calls.filter(givesAway).flatMap((call) => call.arguments.map(({ path }) => path?.root))));

function givesAway({ name }: CallFact): boolean {
  return /regist|pin|lock|managed|hostGetDevicePointer/i.test(name);
}
