/**
 * The memory of each kernel that a file defines, from its facts: parameters, constants, shared and local variables, copies of
 * parameters, instances, launches. `report.ts` turns the result into plain data.
 */
import { gridConstantWord } from "../../analyses/grid-constants.ts";
import { groupBy } from "../../analyses/group-by.ts";
import { passedByAddress } from "../../analyses/kernel-parameters.ts";
import { type KernelLaunch, launchesOf, parametersOf, requestedInstances } from "../../analyses/memory/launches.ts";
import { reachedBy } from "../../analyses/memory/reached.ts";
import { localMemoryOf, type SharedMemory, sharedMemoryOf } from "../../analyses/memory/shared.ts";
import type { Total } from "../../analyses/memory-table.ts";
import { objectFlow } from "../../analyses/object-flow.ts";
import { reachedConstants } from "../../analyses/reached-constants.ts";
import type { DialectFacts } from "../../diagnostics/analyzed-files.ts";
import { memo } from "../../memo.ts";
import { codeAt } from "../../preprocess/unit-row.ts";
import type { CallFact, Facts } from "../../semantics/facts/facts.ts";
import type { FunctionDeclaration, FunctionSymbol, Place, VariableSymbol } from "../../semantics/types/symbols.ts";
import { containsUnknown } from "../../semantics/types/types.ts";
import type { FileUri } from "../../source.ts";
import { hasWord } from "../../syntax/walk.ts";
import { type ParameterTable, parameterTable, totalOf } from "./sizes.ts";

/** Variables, and how many bytes they take together. */
export interface VariableTotal {
  readonly variables: readonly VariableSymbol[];
  readonly total: Total;
}

/** A by-value parameter that every thread copies to its stack, and the call that gets its address. */
export interface CopiedParameter {
  readonly variable: VariableSymbol;
  readonly call: CallFact;
}

/** An instantiation of a kernel template. */
export interface KernelInstance {
  /** `reduce<float, 128>`. */
  readonly name: string;
  /** The first place that requests it. */
  readonly place: Place;
  readonly parameters: Total;
  readonly shared: SharedMemory;
}

/** The memory of one kernel. */
export interface KernelMemory {
  readonly kernel: FunctionSymbol;
  readonly declaration: FunctionDeclaration;
  readonly parameters: ParameterTable;
  readonly shared: SharedMemory;
  /** The constants that the kernel and its callees use, without padding. */
  readonly constants: VariableTotal;
  /** The arrays that each thread has for itself, in registers or on its stack. */
  readonly arrays: VariableTotal;
  readonly copies: readonly CopiedParameter[];
  readonly instances: readonly KernelInstance[];
  readonly launches: readonly KernelLaunch[];
}

/** The kernels whose bodies the file contains, in source order. Those of its headers belong to the headers. */
export function kernelsIn(uri: FileUri, { facts, dialect }: DialectFacts): readonly KernelMemory[] {
  const isCuda = dialect.language === "cuda";
  const constantsReached = reachedConstants(facts);
  return [...new Set(facts.functions)].flatMap((kernel) =>
    kernel.declarations
      .filter(({ execution, isDefinition, namePlace }) => execution.kernel && isDefinition && codeAt(namePlace).uri === uri)
      .map((declaration): KernelMemory => {
        const reached = reachedBy(kernel, facts);
        const constants = totalOfAll(constantsReached(kernel));
        return {
          kernel,
          declaration,
          parameters: parameterTable(declaration),
          shared: isCuda ? sharedMemoryOf(kernel, facts) : localMemoryOf(kernel, facts),
          constants: {
            ...constants,
            total: { ...constants.total, isComplete: constants.total.isComplete && reached.isWhole("__constant__") },
          },
          arrays: totalOfAll([...reached.functions].flatMap((each) => indexOf(facts).arrays.get(each) ?? [])),
          copies: isCuda ? copiesOf(declaration, facts) : [],
          instances: isCuda ? instancesOf(kernel, facts) : [],
          launches: launchesOf(kernel, facts),
        };
      }),
  );
}

const indexOf = memo((facts: Facts) => ({
  arrays: groupBy(facts.variables.map(({ variable }) => variable).filter(isAutomaticArray), ({ owner }) => owner),
  copied: copiedParameters(facts),
}));

function totalOfAll(variables: readonly VariableSymbol[]): VariableTotal {
  const { total, isComplete } = totalOf(variables.filter(({ type }) => !containsUnknown(type)));
  return { variables, total: { total, isComplete: isComplete && variables.every(({ type }) => !containsUnknown(type)) } };
}

function isAutomaticArray(variable: VariableSymbol): boolean {
  const { type, scope, memorySpace } = variable;
  if (type.kind !== "array" || scope !== "block" || memorySpace !== undefined || hasWord(variable.words, "static")) return false;
  return (type.element.qualifiers.space ?? "private") === "private";
}

/** The parameters whose address a call gets that is not inlined, with the first of these calls. */
function copiedParameters(facts: Facts): ReadonlyMap<VariableSymbol, CallFact> {
  const flow = objectFlow(facts);
  const found = new Map<VariableSymbol, CallFact>();
  for (const call of facts.calls)
    for (const variable of passedByAddress(call, flow, "all"))
      if (variable.scope === "parameter" && !found.has(variable)) found.set(variable, call);
  return found;
}

/** The by-value parameters of a kernel that every thread copies to its stack. */
export function copiesOf({ parameters }: FunctionDeclaration, facts: Facts): readonly CopiedParameter[] {
  return parameters.flatMap((parameter) => {
    const { symbol } = parameter;
    const call = indexOf(facts).copied.get(symbol);
    const isValue = symbol.type.kind !== "reference" && gridConstantWord(parameter) === undefined;
    return call === undefined || !isValue ? [] : [{ variable: symbol, call }];
  });
}

function instancesOf(kernel: FunctionSymbol, facts: Facts): readonly KernelInstance[] {
  const seen = new Set<string>();
  return requestedInstances(kernel, facts).flatMap((instantiation) => {
    const { name, place } = instantiation;
    if (seen.has(name)) return [];
    seen.add(name);
    return [{ name, place, parameters: parametersOf(instantiation), shared: sharedMemoryOf(kernel, facts, name) }];
  });
}
