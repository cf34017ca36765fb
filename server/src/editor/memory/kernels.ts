/**
 * The memory of each kernel that a file defines, from its facts: parameters, constants, shared and local variables, copies of
 * parameters, instances, launches. `report.ts` turns the result into plain data.
 */
import { accessesTo, callsOf, referencesTo } from "../../analyses/fact-index.ts";
import { gridConstantWord } from "../../analyses/grid-constants.ts";
import { groupBy } from "../../analyses/group-by.ts";
import { parameterEntry, passedByAddress } from "../../analyses/kernel-parameters.ts";
import { ledgerOf } from "../../analyses/ledger.ts";
import { hasWord } from "../../analyses/memory-spaces.ts";
import { objectFlow } from "../../analyses/object-flow.ts";
import { perFacts } from "../../analyses/per-facts.ts";
import { reachedConstants } from "../../analyses/reached-constants.ts";
import type { JudgedReading } from "../../diagnostics/readings.ts";
import { codeAt } from "../../preprocess/unit-row.ts";
import type { CallFact, Facts, InstantiationFact } from "../../semantics/facts/facts.ts";
import type { LaunchValue } from "../../semantics/facts/launch-facts.ts";
import type { FunctionDeclaration, FunctionSymbol, Place, VariableSymbol } from "../../semantics/types/symbols.ts";
import { containsUnknown } from "../../semantics/types/types.ts";
import type { FileUri } from "../../source.ts";
import { encloses } from "../../spans.ts";
import { reachedBy } from "./reached.ts";
import { localMemoryOf, type SharedMemory, sharedMemoryOf } from "./shared.ts";
import { type ParameterLedger, parameterLedger, type Total, totalOf } from "./sizes.ts";

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

/** A place where host code starts a kernel. */
export interface KernelLaunch {
  readonly place: Place;
  readonly within: FunctionSymbol | undefined;
  /** The grid, the block, the bytes of dynamic shared memory; empty if the launch does not show them. */
  readonly values: readonly LaunchValue[];
}

/** The memory of one kernel. */
export interface KernelMemory {
  readonly kernel: FunctionSymbol;
  readonly declaration: FunctionDeclaration;
  readonly parameters: ParameterLedger;
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
export function kernelsIn(uri: FileUri, { facts, dialect }: JudgedReading): readonly KernelMemory[] {
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
          parameters: parameterLedger(declaration),
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

const indexOf = perFacts((facts) => ({
  arrays: groupBy(facts.variables.map(({ variable }) => variable).filter(isAutomaticArray), ({ owner }) => owner),
  copied: copiedParameters(facts),
  // Without its arguments, an instantiation is not known.
  instances: groupBy(
    facts.instantiations.filter(({ name }) => name.includes("<")),
    ({ template }) => template,
  ),
  launchers: facts.calls.filter(({ name }) => launchFunction.test(name)),
}));

/** Functions of the runtime that launch the kernel that they are given. */
const launchFunction = /^(?:::)?(?:cuda|hip)(?:Ext)?(?:Module)?Launch(?:Cooperative)?Kernel(?:ExC?|GGL)?$/;

function totalOfAll(variables: readonly VariableSymbol[]): VariableTotal {
  const { total, isComplete } = totalOf(variables.filter(({ type }) => !containsUnknown(type)));
  return { variables, total: { total, isComplete: isComplete && variables.every(({ type }) => !containsUnknown(type)) } };
}

function isAutomaticArray(variable: VariableSymbol): boolean {
  const { type, scope, memorySpace } = variable;
  if (type.kind !== "array" || scope !== "block" || memorySpace !== undefined || hasWord(variable, "static")) return false;
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

/** The parameters of an instantiation, as a launch passes them. */
export function parametersOf({ parameters }: InstantiationFact): Total {
  const entries = parameters.flatMap(({ of, type }) => parameterEntry(of.symbol.name, type) ?? []);
  return { total: ledgerOf(entries).total, isComplete: entries.length === parameters.length };
}

/** The instantiations of a kernel that this file asks for, as far as their arguments are known. */
export function requestedInstances(kernel: FunctionSymbol, facts: Facts): readonly InstantiationFact[] {
  return indexOf(facts).instances.get(kernel) ?? [];
}

/** The launches of a kernel in the file: `<<<…>>>`, and the functions of the runtime that get its name. */
export function launchesOf(kernel: FunctionSymbol, facts: Facts): readonly KernelLaunch[] {
  const all = [kernel, ...kernel.specializations].filter((each) => each === kernel || !each.declarations.some((one) => one.isDefinition));
  const launches = all
    .flatMap((each) => callsOf(facts, each))
    .filter(({ launch }) => launch !== undefined)
    .map(({ place, within, launchValues }) => ({ place, within, values: (launchValues ?? []).map((value) => settled(value, facts)) }));
  const { launchers } = indexOf(facts);
  if (launchers.length === 0) return launches;
  const references = all.flatMap((each) => referencesTo(facts, each));
  const byName = launchers
    .filter(({ place }) => references.some((other) => other.place.unit === place.unit && encloses(place.span, other.place.span)))
    .map(({ place, within }) => ({ place, within, values: [] }));
  return [...launches, ...byName];
}

/** The value at the launch; nothing is known about a variable that may have changed. */
export function settled(value: LaunchValue, facts: Facts): LaunchValue {
  const { variable, place } = value;
  const isChanged = variable !== undefined && accessesTo(facts, variable).some(({ mode }) => mode !== "read");
  const isVisible = variable === undefined || variable.scope === "block" || variable.type.qualifiers.const;
  return isChanged || !isVisible ? { place } : value;
}
