/**
 * Questions about CUDA's memory spaces that several rules ask: the words on a variable, their meaning in messages, and which code
 * certainly belongs to the host.
 */
import type { CudaDialect, Dialect } from "../dialect.ts";
import { unitsOfFile } from "../preprocess/unit-row.ts";
import { unitsIn } from "../preprocess/units.ts";
import type { Unit } from "../preprocess/view/view.ts";
import { isMemoryWord, type MemorySpace, qualifiers } from "../qualifiers.ts";
import { alongDeclarations, type FunctionSymbol, type Place, type SpecifierWord, type VariableSymbol } from "../semantics/types/symbols.ts";
import { overlap } from "../spans.ts";
import { executionAt, executionOf } from "./device-code.ts";

/** The memory words on a variable, in order. */
export function memoryWordsOf({ words }: VariableSymbol): readonly SpecifierWord[] {
  return words.filter(({ text }) => isMemoryWord(text));
}

/** The word for a memory space; undefined for host memory, which has none. */
export function wordOfSpace(space: MemorySpace | undefined): string | undefined {
  return space === undefined ? undefined : qualifiers.find(({ memorySpace }) => memorySpace === space)?.word;
}

/** True for an object in constant memory, but not for a reference to one. */
export function isConstantMemory({ memorySpace, type }: VariableSymbol): boolean {
  return memorySpace === "constant" && type.kind !== "reference";
}

/** True if no declaration of the variable so far puts it into device memory. */
export const isInHostMemory = alongDeclarations<boolean>(
  ({ memorySpace }, before) => (memorySpace === undefined || memorySpace === "host") && before !== false,
);

/** The first declaration of the same variable. */
export const firstOf = alongDeclarations<VariableSymbol>((variable, before) => before ?? variable);

/** True for CUDA C++ as compiled by nvcc. HIP is compiled by clang, which allows more. */
export function isCuda(dialect: Dialect): dialect is CudaDialect {
  return dialect.language === "cuda" && !dialect.hip;
}

/** True if the function's execution spaces are certain: every word of its declarations, and its return type, could be read. */
export function isCertain({ declarations, lambda }: FunctionSymbol): boolean {
  return lambda !== undefined || declarations.every(({ isUncertain, type }) => isUncertain !== true && type.result.kind !== "unknown");
}

/**
 * Whether the host's compiler compiles the code: "only" in host functions, "too" in functions for both sides, undefined if
 * unknown. Code under a condition on `__CUDA_ARCH__` may be the device's alone.
 */
export function hostCompiles({ owner, lambda, place }: VariableSymbol): "only" | "too" | undefined {
  if (owner !== undefined && !isCertain(owner)) return undefined;
  const spaces = lambda === undefined && owner !== undefined ? executionOf(owner) : executionAt({ within: owner, lambda });
  if (!spaces.host || spaces.kernel) return undefined;
  if (!spaces.device) return "only";
  return testsArchitecture(place.unit) ? undefined : "too";
}

/**
 * True if the host's compiler may skip this or read it differently, because it is under a condition on `__CUDA_ARCH__`, or comes
 * from a macro that is defined under one.
 */
export function isOfOnePass({ unit, span }: Place): boolean {
  const { ofOnePass, view } = unit;
  if (ofOnePass === undefined) return false;
  const { location } = view.origin(span);
  return ofOnePass.some((part) => part.uri === location.uri && overlap(part.span, location.span));
}

/**
 * True if some text of the file or of a header is under a condition on `__CUDA_ARCH__`, so that the host's compiler may read other
 * code.
 */
export function testsArchitecture(unit: Unit): boolean {
  return unitsOfFile(unit).some((own) => unitsIn(own).some(({ testsArchitecture }) => testsArchitecture === true));
}
