/**
 * Finds where a pointer in CUDA code may point, as far as the file shows. CUDA's types do not tell, but the values of the pointer
 * do. A value that is not visible leaves the answer open.
 */
import { dereferences, leavesObject } from "../../analyses/access-paths.ts";
import { variableOf } from "../../analyses/fact-index.ts";
import type { AccessPath, Facts } from "../../semantics/facts/facts.ts";
import type { VariableSymbol } from "../../semantics/types/symbols.ts";
import { hasWord } from "../../syntax/walk.ts";
import { code } from "./markdown.ts";

/** How many variables are followed to their values. */
const stepsFollowed = 6;

/**
 * The memory that a pointer may point into, as distinct phrases such as `shared memory (`tile`)`. For a parameter, the arguments of
 * this file's calls count. Undefined if some value of the pointer is unknown.
 */
export function pointeesOf(pointer: VariableSymbol, facts: Facts): readonly string[] | undefined {
  const found = collect(pointer, facts, new Set(), stepsFollowed);
  return found === undefined || found.size === 0 ? undefined : [...found];
}

function collect(pointer: VariableSymbol, facts: Facts, seen: Set<VariableSymbol>, steps: number): Set<string> | undefined {
  if (seen.has(pointer)) return new Set();
  seen.add(pointer);
  if (isKernelParameter(pointer)) return new Set([`memory that the launch passes as ${code(pointer.name)}, normally global`]);
  if (steps === 0 || (pointer.scope !== "block" && pointer.scope !== "parameter")) return undefined;
  const isGivenAway = facts.accesses.some(
    ({ mode, path }) => path.root === pointer && path.steps.length === 0 && (mode === "address" || mode === "bind"),
  );
  if (isGivenAway) return undefined;
  const places = new Set<string>();
  for (const { context, target, path, heap, isNullConstant, alternatives } of facts.conversions) {
    if (context === "cast" || variableOf(target) !== pointer || isNullConstant) continue;
    for (const value of alternatives?.map((each) => each.path) ?? [path]) {
      const own = heap === undefined ? pointeeOfValue(value, facts, seen, steps) : new Set(["the heap of the device"]);
      if (own === undefined) return undefined;
      for (const place of own) places.add(place);
    }
  }
  return places;
}

function pointeeOfValue(path: AccessPath | undefined, facts: Facts, seen: Set<VariableSymbol>, steps: number): Set<string> | undefined {
  const root = path?.root;
  if (path === undefined || root === undefined) return undefined;
  const isElsewhere = leavesObject(path);
  if (root.type.kind === "pointer") {
    // This covers `p` and `&p[i]`. The pointee of a member of `*p` is unknown.
    const isPart = path.steps.length === 0 || (isElsewhere && path.steps.at(-1)?.kind === "address" && dereferences(path) === 1);
    return isPart ? collect(root, facts, seen, steps - 1) : undefined;
  }
  if (isElsewhere || path.steps.at(-1)?.kind !== "address") return undefined;
  const memory = memoryOf(root);
  return memory === undefined ? undefined : new Set([`${memory} (${code(root.name)})`]);
}

/** The memory that an object is in. */
function memoryOf({ memorySpace, scope, words, type }: VariableSymbol): string | undefined {
  if (type.kind === "reference") return undefined;
  switch (memorySpace) {
    case "shared":
    case "constant":
    case "managed":
      return `${memorySpace} memory`;
    case "device":
      return "global memory";
    case "host":
      return "host memory";
    case undefined:
      if (hasWord(words, "__grid_constant__")) return "the grid's constant parameters";
      return scope === "block" || scope === "parameter" ? "the thread's own stack" : undefined;
  }
}

/** True for a parameter of a kernel. */
export function isKernelParameter({ scope, owner }: VariableSymbol): boolean {
  return scope === "parameter" && owner?.declarations.some(({ execution }) => execution.kernel) === true;
}
