/**
 * The launches and the instantiations of a kernel that a file shows, with the values between `<<<` and `>>>` that are certain. Rules
 * and editors use them.
 */
import { memo } from "../../memo.ts";
import type { CallFact, Facts, InstantiationFact } from "../../semantics/facts/facts.ts";
import type { LaunchValue } from "../../semantics/facts/launch-facts.ts";
import { contains } from "../../semantics/types/places.ts";
import type { FunctionSymbol, Place } from "../../semantics/types/symbols.ts";
import { accessesTo, callsOf, instantiationsOf, referencesTo } from "../fact-index.ts";
import { parameterEntry } from "../kernel-parameters.ts";
import { type MemoryEntry, type MemoryTable, memoryTableOf, type Total } from "../memory-table.ts";

/** A place where host code starts a kernel. */
export interface KernelLaunch {
  readonly place: Place;
  readonly within: FunctionSymbol | undefined;
  /** The grid, the block, the bytes of dynamic shared memory; empty if the launch does not show them. */
  readonly values: readonly LaunchValue[];
}

const indexOf = memo((facts: Facts) => ({
  launchers: facts.calls.filter(({ name }) => launchFunction.test(name)),
  launches: facts.calls.filter(({ launch }) => launch !== undefined),
}));

/** The launches `k<<<…>>>(…)` of the file, in source order. */
export function launchesIn(facts: Facts): readonly CallFact[] {
  return indexOf(facts).launches;
}

/** Functions of the runtime that launch the kernel that they are given. */
const launchFunction = /^(?:::)?(?:cuda|hip)(?:Ext)?(?:Module)?Launch(?:Cooperative)?Kernel(?:ExC?|GGL)?$/;

/** The parameters of an instantiation, as a launch passes them. */
export function parametersOf(instance: Pick<InstantiationFact, "parameters">): Total {
  const { lines, total } = instanceTable(instance);
  return { total, isComplete: lines.length === instance.parameters.length };
}

/** The parameters of an instantiation one after the other, without those of unknown size. */
export function instanceTable({ parameters }: Pick<InstantiationFact, "parameters">): MemoryTable<MemoryEntry> {
  return memoryTableOf(parameters.flatMap(({ of, type }) => parameterEntry(of.symbol.name, type) ?? []));
}

/** The instantiations of a kernel that this file asks for, as far as their arguments are known. */
export function requestedInstances(kernel: FunctionSymbol, facts: Facts): readonly InstantiationFact[] {
  return instantiationsOf(facts, kernel).filter(({ name }) => name.includes("<"));
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
    .filter(({ place }) => references.some((other) => contains(place, other.place)))
    .map(({ place, within }) => ({ place, within, values: [] }));
  return [...launches, ...byName];
}

/** The value at the launch; nothing is known about a variable that may have changed. */
export function settled(value: LaunchValue, facts: Facts): LaunchValue {
  const { variable, place, type } = value;
  const isChanged = variable !== undefined && accessesTo(facts, variable).some(({ mode }) => mode !== "read");
  const isVisible = variable === undefined || variable.scope === "block" || variable.type.qualifiers.const;
  return isChanged || !isVisible ? { place, type } : value;
}
