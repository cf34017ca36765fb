/** A tensor map that is passed by value without `__grid_constant__`, or copied on the device. */
import { executionAt, isDeviceCode } from "../../analyses/device-code.ts";
import { accessesTo, assignmentsOf, referencesTo } from "../../analyses/fact-index.ts";
import { isTensorMap } from "../../analyses/grid-constants.ts";
import type { Facts } from "../../semantics/facts/facts.ts";
import type { FunctionDeclaration, VariableSymbol } from "../../semantics/types/symbols.ts";
import { annotateAll } from "../fixes/grid-constants.ts";
import { isGridConstant } from "../predicates.ts";
import type { CheckedFile, Rule, RuleFinding } from "../rule.ts";

/** Reports tensor maps that are passed by value without `__grid_constant__`, or copied on the device. */
export const tensorMapParameter: Rule = {
  id: "tensor-map-parameter",
  title: "a tensor map is passed by value without `__grid_constant__`, or copied on the device",
  severity: "warning",
  languages: ["cuda"],
  clause:
    "CUDA C++ Programming Guide, tensor memory access: the tensor map is passed as a const __grid_constant__ kernel parameter, in constant or in global memory",
  documentation: `
The tensor memory accelerator reads a \`CUtensorMap\` by its address, which must be in parameter, constant or global memory. The
address of an ordinary by-value parameter is that of a copy on the thread's stack, and so is that of a local variable or of a
device function's parameter: the copy instruction then reads a wrong address. No compiler reports that.

**What to do**: \`const __grid_constant__ CUtensorMap map\` on the kernel; a pointer or a reference to it in device functions.`,
  limits:
    "A tensor map is recognized by the name of its type. A copy that device code only copies on, for example into shared memory, is not reported.",
  fixSafety: "The fix annotates the parameter of a kernel with a single declaration: safe.",
  examples: [
    {
      language: "cuda",
      bad: `__device__ void load(const CUtensorMap *map);
__global__ void copy(const CUtensorMap map) { load(&map); } // <-`,
      good: `__device__ void load(const CUtensorMap *map);
__global__ void copy(const __grid_constant__ CUtensorMap map) { load(&map); }`,
      fixed: `__device__ void load(const CUtensorMap *map);
__global__ void copy(const __grid_constant__ CUtensorMap map) { load(&map); }`,
    },
  ],
  check({ facts, file }, report) {
    for (const { declarations, lambda } of facts.functions) {
      if (lambda !== undefined) continue;
      for (const declaration of declarations) {
        for (const finding of findingsOf(declaration, facts, file)) report(finding);
      }
    }
    for (const { variable } of facts.variables) {
      const isLocal = variable.scope === "block" && variable.memorySpace === undefined && isTensorMap(variable.type);
      if (
        !isLocal ||
        variable.initializer === undefined ||
        !isDeviceCode({ within: variable.owner, lambda: variable.lambda }) ||
        executionAt({ within: variable.owner, lambda: variable.lambda }).host ||
        isOnlyCopied(facts, variable)
      )
        continue;
      report({
        place: variable.place,
        message: `copying a tensor map into '${variable.name}' puts it on the stack, where the TMA unit cannot read it`,
      });
    }
  },
};

/** True if every use of a tensor map copies it as a whole, so that its address goes to nobody. */
function isOnlyCopied(facts: Facts, map: VariableSymbol): boolean {
  const uses = accessesTo(facts, map);
  const copies = uses.filter(
    ({ mode, path, isUncertain, place }) =>
      path.steps.length === 0 && ((mode === "read" && isUncertain !== true) || assignmentsOf(facts, place).length > 0),
  );
  return copies.length > 0 && copies.length === uses.length && copies.length === referencesTo(facts, map).length;
}

function findingsOf(declaration: FunctionDeclaration, facts: Facts, { textOf }: CheckedFile): readonly RuleFinding[] {
  const { kernel, device, host } = declaration.execution;
  if (!kernel && (!device || host)) return [];
  return declaration.parameters.flatMap((parameter): readonly RuleFinding[] => {
    const { symbol } = parameter;
    if (!isTensorMap(symbol.type) || isGridConstant(symbol)) return [];
    if (!kernel && isOnlyCopied(facts, symbol)) return [];
    if (!kernel)
      return [
        {
          place: parameter.place,
          message: `copying a tensor map into '${symbol.name}' puts it on the stack, where the TMA unit cannot read it`,
        },
      ];
    const { index } = symbol;
    return [
      {
        place: parameter.place,
        message: `tensor map '${symbol.name}' needs '__grid_constant__': without it, a copy on the stack is used`,
        fixes: () => {
          // All declarations must agree, so the fix is offered only if there is just one.
          const isOnly = declaration.owner.declarations.length === 1 && declaration.owner.specializations.length === 0;
          const edits = isOnly && index !== undefined ? annotateAll([declaration], index, textOf) : undefined;
          return edits === undefined ? [] : [{ title: "Add '__grid_constant__'", edits, safety: "safe" }];
        },
      },
    ];
  });
}
