/**
 * Finds the variables in constant memory that a kernel needs: those that it names or declares, and those of the functions that it
 * calls in this translation unit. A call of an unknown function may need more.
 */
import { memo } from "../memo.ts";
import type { Facts } from "../semantics/facts/facts.ts";
import { isInSpace } from "../semantics/types/address-spaces.ts";
import type { FunctionSymbol, ParameterDeclaration, VariableSymbol } from "../semantics/types/symbols.ts";

/** The variables that a function needs, including those of its callees, in the order of discovery. */
export type ReachedConstants = (kernel: FunctionSymbol) => readonly VariableSymbol[];

interface Uses {
  readonly callees: Set<FunctionSymbol>;
  readonly constants: Set<VariableSymbol>;
}

/** The constant variables that a function and its callees in this file use. */
export const reachedConstants = memo((facts: Facts): ReachedConstants => {
  const uses = new Map<FunctionSymbol, Uses>();
  const of = (within: FunctionSymbol): Uses => {
    const known = uses.get(within) ?? { callees: new Set<FunctionSymbol>(), constants: new Set<VariableSymbol>() };
    uses.set(within, known);
    return known;
  };
  for (const { within, callee } of facts.calls) if (within !== undefined && callee !== undefined) of(within).callees.add(callee);
  for (const { within, path } of facts.accesses)
    if (within !== undefined && path.root !== undefined && isInConstantMemory(path.root)) of(within).constants.add(path.root);
  for (const { variable } of facts.variables)
    if (variable.owner !== undefined && isInConstantMemory(variable)) of(variable.owner).constants.add(variable);
  return (kernel) => {
    const reached = new Set([kernel]);
    const found = new Set<VariableSymbol>();
    // Iterating over a set also visits elements added meanwhile.
    for (const within of reached) {
      for (const callee of uses.get(within)?.callees ?? []) reached.add(callee);
      for (const constant of uses.get(within)?.constants ?? []) found.add(constant);
    }
    return [...found];
  };
});

/** True for CUDA's `__constant__` variables, and for OpenCL's variables in the constant address space. */
export function isInConstantMemory({ memorySpace, scope, type }: VariableSymbol): boolean {
  const { space } = type.kind === "array" ? type.element.qualifiers : type.qualifiers;
  return memorySpace === "constant" || (scope !== "parameter" && scope !== "member" && space === "constant" && type.kind !== "opaque");
}

/** True for a pointer (or array) argument into constant memory. Samplers and images are not pointers. */
export function isConstantArgument({ symbol }: ParameterDeclaration): boolean {
  return symbol.type.kind === "pointer" && isInSpace(symbol.type.pointee.qualifiers, "constant");
}

/** True for variables that count towards a device's constant buffer. */
export function isConstantData(variable: VariableSymbol): boolean {
  return isInConstantMemory(variable) && variable.isDefinition;
}
