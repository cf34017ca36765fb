/** The lanes of a warp read different addresses of constant memory. */
import { leavesObject } from "../../analyses/access-paths.ts";
import { executionOf, isDeviceCode } from "../../analyses/device-code.ts";
import { laneDependence, warpSize } from "../../analyses/lane-dependence.ts";
import { lanesThatReach } from "../../analyses/lane-guards.ts";
import { objectFlow } from "../../analyses/object-flow.ts";
import { memo } from "../../memo.ts";
import { unitsOfFile } from "../../preprocess/unit-row.ts";
import type { Unit } from "../../preprocess/view/view.ts";
import type { AccessFact, AccessPath, Facts } from "../../semantics/facts/facts.ts";
import { isInSpace } from "../../semantics/types/address-spaces.ts";
import { contains } from "../../semantics/types/places.ts";
import type { FunctionSymbol, Place } from "../../semantics/types/symbols.ts";
import type { Type } from "../../semantics/types/types.ts";
import type { Rule } from "../rule.ts";

/** Reports where the lanes of a warp read different addresses of constant memory. */
export const constantMemoryDivergentIndex: Rule = {
  id: "constant-memory-divergent-index",
  title: "the lanes of a warp read different addresses of constant memory",
  severity: "info",
  languages: ["cuda", "opencl"],
  clause: "CUDA C++ Best Practices Guide, constant memory: accesses to different addresses by threads within a warp are serialized",
  documentation: `
One instruction reads constant memory at one address for the whole warp of 32 threads. If the threads need different addresses,
the accesses are serialized.

Measured on an H200 (CUDA 13.0, a table of 4 KB): 32 different addresses in a warp take 10.1 times as long as one. The same
table in shared memory, or in global memory behind the cache, takes the same time for every pattern: 50 and 33 times less
than constant memory with 32 addresses.

The index counts as different if it is computed from \`threadIdx.x\` (OpenCL C: \`get_local_id(0)\`, \`get_global_id(0)\`) by
arithmetic, variables and calls within the file. Block indices, kernel parameters and loop counters are the same for a warp;
\`threadIdx.y\` alone, shuffles, votes and unknown values are never reported, nor are quotients that a whole warp shares,
reads by one thread only, and tables that are copied to shared memory (or through a pointer parameter). A table is reported once
for each function. In OpenCL C it is a hint, because devices differ.

An index that each thread has loaded from an address of its own, such as \`in[threadIdx.x]\`, may differ: that is a *hint*, for tables
of at least 8 elements.

**What to do**: put a table with per-thread indices into shared memory (copied once for each block), or into
global memory as \`const T *__restrict__\`.`,
  limits: "Indices that come from shuffles or votes, or depend on a template argument are not judged.",
  examples: [
    {
      language: "cuda",
      bad: `__constant__ float table[256];
__global__ void run(float *out) {
  out[threadIdx.x] = table[threadIdx.x]; // <-
}`,
      good: `__constant__ float table[256];
__global__ void run(float *out) {
  out[threadIdx.x] = table[blockIdx.x];
}`,
    },
  ],
  checkFile({ facts, dialect }, report) {
    // AMD's devices read constant memory at each lane's own address.
    if (dialect.language === "cuda" && dialect.hip) return;
    const [first] = facts.accesses;
    if (first !== undefined && unitsOfFile(first.place.unit).some(includesHip)) return;
    const reported = new Map<FunctionSymbol | undefined, Set<string>>();
    for (const access of facts.accesses) {
      const addresses = differentAddresses(access, facts, dialect.language === "opencl");
      if (addresses === undefined) continue;
      const { most, isLoaded } = addresses;
      const name = access.path.root?.name ?? "";
      const names = reported.get(access.within) ?? new Set();
      if (names.has(name)) continue;
      reported.set(access.within, names.add(name));
      const message =
        dialect.language === "cuda"
          ? `a warp reads up to ${most} addresses of '${name}': constant memory serves one at a time`
          : `work-items read up to ${most} addresses of '${name}': many devices serve one at a time`;
      report({ place: access.place, message, ...(dialect.language === "cuda" && !isLoaded ? {} : { severity: "hint" as const }) });
    }
  },
};

/** How many addresses a warp reads at most, and whether that depends on values that its lanes have loaded. */
interface Addresses {
  readonly most: number;
  readonly isLoaded: boolean;
}

/** The addresses that a warp reads; undefined unless they certainly differ, or differ with the data. */
function differentAddresses(access: AccessFact, facts: Facts, isOpenCL: boolean): Addresses | undefined {
  const { mode, within, lambda, place } = access;
  if (mode !== "read" || within === undefined || lambda !== undefined || !access.path.steps.some(({ kind }) => kind === "index"))
    return undefined;
  const path = isOpenCL ? access.path : objectFlow(facts).resolve(access.path);
  if (isOpenCL ? !isInSpace(access.type.qualifiers, "constant") : !isConstantMemory(path) || !isDeviceCode(access)) return undefined;
  const different = differentIndices(access, path, facts);
  if (different === undefined || isCopiedToShared(access, facts)) return undefined;
  const reached = lanesThatReach(within, place, facts);
  return reached === undefined || reached < 2 ? undefined : { ...different, most: Math.min(different.most, reached) };
}

function isConstantMemory({ root, steps }: AccessPath): boolean {
  return root?.memorySpace === "constant" && !leavesObject({ steps });
}

/** The product over all indices. Each takes at most as many values as its dimension has elements. */
function differentIndices({ place }: AccessFact, { root, steps }: AccessPath, facts: Facts): Addresses | undefined {
  let type: Type | undefined = root?.type;
  let most = 1;
  let mostOfLanes = 1;
  let isLoaded = false;
  for (const step of steps) {
    if (step.kind === "index") {
      const value = laneDependence(facts).of(step.index, place);
      if (value.kind === "unknown" || value.kind === "self") return undefined;
      const length = type?.kind === "array" ? type.length : undefined;
      if (value.kind === "lanes") {
        most *= Math.min(value.most, length ?? warpSize);
        mostOfLanes *= Math.min(value.most, warpSize);
      }
      if (value.kind === "data") {
        if (length !== undefined && length < fewestElements) return undefined;
        most *= Math.min(length ?? warpSize, warpSize);
        mostOfLanes *= warpSize;
        isLoaded = true;
      }
      type = type?.kind === "array" ? type.element : undefined;
    } else if (step.kind === "member") type = step.member?.type;
    else if (step.kind === "dereference") type = undefined;
  }
  // The path of `(*table)[i]` omits the first index, so the lengths belong to other indices.
  if (type?.kind === "array") most = mostOfLanes;
  return most < 2 ? undefined : { most: Math.min(most, warpSize), isLoaded };
}

/** Smaller tables have few addresses, whatever the index is. */
const fewestElements = 8;

/** True for `shared[i] = table[i]`, by which each thread copies its part once. */
function isCopiedToShared({ place, within }: AccessFact, facts: Facts): boolean {
  const isIn = (outer: Place | undefined) => outer !== undefined && contains(outer, place);
  return (assignmentsOf(facts).get(within) ?? []).some((other) => isIn(other.assigned) && isShared(other, facts));
}

/** The assignments of each function, because both sides of a copy are in the same function. */
const assignmentsOf = memo(({ accesses }: Facts) => {
  const assignments = new Map<AccessFact["within"], AccessFact[]>();
  for (const access of accesses) {
    if (access.mode !== "write" || access.assigned === undefined) continue;
    const group = assignments.get(access.within);
    if (group === undefined) assignments.set(access.within, [access]);
    else group.push(access);
  }
  return assignments;
});

function isShared(access: AccessFact, facts: Facts): boolean {
  const { root, steps } = objectFlow(facts).resolve(access.path);
  // A pointer parameter may point to shared memory, except in a kernel, because a launch cannot pass such an address.
  if (root?.scope === "parameter" && steps[0]?.kind === "dereference" && root.owner !== undefined && !executionOf(root.owner).kernel)
    return true;
  return root?.memorySpace === "shared" || isInSpace(access.type.qualifiers, "local") || root?.type.qualifiers.space === "local";
}

function includesHip({ includes }: Unit): boolean {
  return includes.some(({ name }) => name.includes("hip/hip_runtime"));
}
