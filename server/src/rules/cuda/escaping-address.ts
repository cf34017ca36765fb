/**
 * Addresses that outlive the memory that they are for: of a thread's local variable or a block's shared memory in global memory, in a
 * function's result, or in the arguments of a kernel that device code launches.
 */
import { leavesObject } from "../../analyses/access-paths.ts";
import { executionOf, isDeviceCode } from "../../analyses/device-code.ts";
import { conversionsOf } from "../../analyses/fact-index.ts";
import { launchesIn } from "../../analyses/memory/launches.ts";
import { memoryOf } from "../../analyses/memory/windows.ts";
import { objectFlow, pointerPath } from "../../analyses/object-flow.ts";
import type { AccessFact, AccessPath, ConversionFact, Facts } from "../../semantics/facts/facts.ts";
import type { Place, VariableSymbol } from "../../semantics/types/symbols.ts";
import type { Rule, RuleFinding } from "../rule.ts";

/** Reports addresses of shared and local memory that outlive it. */
export const escapingAddress: Rule = {
  id: "escaping-address",
  title: "an address of shared or local memory is kept where it outlives the memory",
  severity: "warning",
  languages: ["cuda"],
  clause:
    "CUDA C++ Programming Guide, __shared__: the variable has the lifetime of the block; dynamic parallelism, shared and local memory: it is illegal to pass a pointer to shared or local memory as an argument to a child kernel",
  documentation: `
A shared variable lives as long as its block, a local one as long as its function, and each only for its own block or thread. An address
that is kept in global, managed or constant memory is read by other blocks, or by the next kernel, for which it means other memory
or none: on an H100 the read ends the kernel with an invalid address space. No compiler says anything.

- stored in a \`__device__\`, \`__managed__\` or \`__constant__\` variable, a member of one, or memory behind a pointer argument of
  the kernel;
- the address of a local variable, returned from a device function;
- passed to a kernel that device code launches.

**What to do**: keep the values, or an index into the array, instead of the address.`,
  limits:
    "Pointers are followed through local variables of one function. Memory behind a parameter of a device function that is not a kernel may be shared, so stores to it are not reported.",
  examples: [
    {
      language: "cuda",
      bad: `__device__ int *kept;
__global__ void keep() {
  __shared__ int tile[32];
  tile[threadIdx.x] = 1;
  kept = tile; // <-
}`,
      good: `__device__ int kept[32];
__global__ void keep() {
  __shared__ int tile[32];
  tile[threadIdx.x] = 1;
  kept[threadIdx.x] = tile[threadIdx.x];
}`,
    },
    {
      language: "cuda",
      bad: `__device__ int *lost() {
  int own = 1;
  return &own; // <-
}`,
      good: `__device__ int found() {
  int own = 1;
  return own;
}`,
    },
  ],
  checkFile({ facts, dialect }, report) {
    if (dialect.language !== "cuda") return;
    for (const access of facts.accesses) {
      const finding = access.assigned === undefined ? undefined : storeFinding(access, access.assigned, facts);
      if (finding !== undefined) report(finding);
    }
    for (const conversion of facts.conversions) {
      const finding = conversion.context === "return" ? returnFinding(conversion, facts) : undefined;
      if (finding !== undefined) report(finding);
    }
    for (const finding of childFindings(facts)) report(finding);
  },
};

interface Kept {
  readonly variable: VariableSymbol;
  readonly memory: "shared" | "local";
}

/** The shared or local object that a pointer certainly points to. */
function objectOf(path: AccessPath | undefined, facts: Facts): Kept | undefined {
  const target = objectFlow(facts).pointee(path);
  return target === undefined ? undefined : keptOf(target);
}

function keptOf(target: AccessPath): Kept | undefined {
  const variable = target.root;
  if (variable === undefined || leavesObject(target)) return undefined;
  const memory = memoryOf(variable);
  return memory === "shared" || memory === "local" ? { variable, memory } : undefined;
}

/** A store to memory that other blocks and later kernels read. */
function storeFinding(access: AccessFact, value: Place, facts: Facts): RuleFinding | undefined {
  const { mode, path, within, type } = access;
  if (mode !== "write" || type.kind !== "pointer" || access.assignment?.operator !== "=" || !isDeviceCode(access)) return undefined;
  const to = objectFlow(facts).resolve(path);
  const { root } = to;
  const memory = root === undefined || leavesObject(to) ? undefined : memoryOf(root);
  // A kernel's pointers come from the host, so they point to global memory.
  const isArgument =
    root?.scope === "parameter" && leavesObject(to) && within !== undefined && root.owner === within && executionOf(within).kernel;
  if (root === undefined || !(isArgument || memory === "global" || memory === "constant")) return undefined;
  const [kept] = conversionsOf(facts, value).flatMap(({ path: from, context }) =>
    context === "cast" ? [] : (objectOf(from, facts) ?? []),
  );
  return kept === undefined ? undefined : findingOf(value, kept, `is kept ${isArgument ? `behind '${root.name}'` : `in '${root.name}'`}`);
}

function returnFinding(fact: ConversionFact, facts: Facts): RuleFinding | undefined {
  const { path, to, operandPlace, within, lambda, from } = fact;
  if (path === undefined || !isDeviceCode(fact)) return undefined;
  const isBound = to.kind === "reference" && from.kind !== "reference";
  if (to.kind !== "pointer" && !isBound) return undefined;
  const kept = to.kind === "pointer" ? objectOf(path, facts) : path.steps.length === 0 ? keptOf(path) : undefined;
  // A static variable, and one of an enclosing function, outlives the function.
  if (kept === undefined || kept.memory !== "local" || kept.variable.owner !== within || kept.variable.lambda !== lambda) return undefined;
  return findingOf(operandPlace, kept, "is returned");
}

/** Addresses in the arguments of kernels that device code launches. */
function* childFindings(facts: Facts): Generator<RuleFinding> {
  const flow = objectFlow(facts);
  for (const call of launchesIn(facts)) {
    if (call.within === undefined || !isDeviceCode(call) || executionOf(call.within).host) continue;
    for (const argument of call.arguments) {
      const isPointer = argument.type.kind === "pointer" || argument.type.kind === "array";
      const target = isPointer ? flow.pointee(pointerPath(argument)) : undefined;
      const kept = target === undefined ? undefined : keptOf(target);
      if (kept !== undefined) yield findingOf(argument.place, kept, "is passed to a child grid");
    }
  }
}

function findingOf(place: Place, { variable, memory }: Kept, how: string): RuleFinding {
  return {
    place,
    message: `the address of '${variable.name}', in ${memory} memory, ${how}`,
    related: [{ message: `'${variable.name}' is declared here`, place: variable.place }],
  };
}
