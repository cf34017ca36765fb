/**
 * CUDA: the size of each parameter of a kernel, how many bytes a launch can pass, and which calls make every thread copy a by-value
 * parameter: those that the compiler does not inline and that get its address, because ordinary pointers cannot address the constant
 * memory that parameters are in.
 */
import type { CudaDialect } from "../dialect.ts";
import { least } from "../lists.ts";
import type { CallFact } from "../semantics/facts/facts.ts";
import { alignOf, sizeOf } from "../semantics/types/layout.ts";
import { type FunctionDeclaration, type FunctionSymbol, isDeclaredWith, type VariableSymbol } from "../semantics/types/symbols.ts";
import { containsUnknown, isOpaqueToUs, type Type } from "../semantics/types/types.ts";
import { hasWord } from "../syntax/walk.ts";
import { leavesObject } from "./access-paths.ts";
import type { MemoryEntry } from "./memory-table.ts";
import { type ObjectFlow, pointerPath } from "./object-flow.ts";

/** The limit in bytes from compute capability 7.0 with CUDA 12.1 (CUDA C++ Programming Guide, __global__ function parameters). */
export const largeParameterLimit = 32_764;

/** The limit in bytes below compute capability 7.0, or before CUDA 12.1. */
export const smallParameterLimit = 4_096;

/** How many bytes a launch can pass; an unknown architecture counts as 7.0. */
export function kernelParameterLimit({ architectures }: CudaDialect): number {
  return least(architectures) < 70 ? smallParameterLimit : largeParameterLimit;
}

/** A parameter with its size in a launch. */
export interface ParameterEntry extends MemoryEntry {
  readonly symbol: VariableSymbol;
}

/** The size of each parameter in a launch, without those of unknown size. */
export function parameterEntries({ parameters }: FunctionDeclaration): readonly ParameterEntry[] {
  return parameters.flatMap(({ symbol }): readonly ParameterEntry[] => {
    const entry = symbol.isPack === true ? undefined : parameterEntry(symbol.name, symbol.type);
    return entry === undefined ? [] : [{ ...entry, symbol }];
  });
}

/** The size of a parameter of this type in a launch; undefined if it is unknown. */
export function parameterEntry(name: string, type: Type): MemoryEntry | undefined {
  // A reference is passed as an address. An image, a sampler or a pipe is passed as a handle of the host.
  if (type.kind === "reference" || type.kind === "pointer" || type.kind === "opaque") return { name, size: 8, alignment: 8 };
  if (isOpaqueToUs(type) || containsUnknown(type)) return undefined;
  const size = sizeOf(type);
  const alignment = alignOf(type);
  return size === undefined || alignment === undefined ? undefined : { name, size, alignment };
}

/**
 * The objects whose addresses are passed to a call that is not inlined: all of them, or only those that a function without a body
 * here cannot write.
 */
export function passedByAddress(call: CallFact, flow: ObjectFlow, which: "all" | "readable" = "readable"): readonly VariableSymbol[] {
  const { callee, object } = call;
  if (callee === undefined || call.launch !== undefined || callee.isBuiltin || callee.isTemplate || !isOutOfLine(callee)) return [];
  const objects: VariableSymbol[] = [];
  const add = (variable: VariableSymbol | undefined) => {
    if (variable !== undefined) objects.push(variable);
  };
  // If the function may write the object, the copy is needed.
  const isSeen = which === "all" || callee.declarations.some(({ isDefinition }) => isDefinition);
  if (object?.path !== undefined && (isSeen || callee.declarations.some(({ declarator }) => hasWord(declarator.words, "const"))))
    add(own(flow.resolve(object.path)));
  for (const [index, argument] of call.arguments.entries()) {
    const { path } = argument;
    const parameter = callee.declarations[0]?.parameters[index]?.symbol.type;
    if (path === undefined || parameter === undefined) continue;
    const target = parameter.kind === "reference" ? parameter.referent : parameter.kind === "pointer" ? parameter.pointee : undefined;
    if (target === undefined || (!isSeen && !target.qualifiers.const)) continue;
    if (parameter.kind === "reference") add(own(flow.resolve(path)));
    else if (parameter.kind === "pointer") add(own(flow.pointee(pointerPath(argument))));
  }
  return objects;
}

/** The variable, if the path stays within it. */
function own(path: ReturnType<ObjectFlow["pointee"]>): VariableSymbol | undefined {
  return path === undefined || leavesObject(path) ? undefined : path.root;
}

/** True if the function has no definition here, is `__noinline__`, or is recursive. */
function isOutOfLine(callee: FunctionSymbol): boolean {
  if (isDeclaredWith(callee, "inline", "__forceinline__", "constexpr")) return false;
  return isNeverInlined(callee) || !callee.declarations.some(({ isDefinition }) => isDefinition);
}

/** True for a function that the author forbids to inline. */
export function isNeverInlined({ declarations }: FunctionSymbol): boolean {
  return declarations.some(({ words, attributes }) => hasWord(words, "__noinline__") || attributes.some(({ name }) => name === "noinline"));
}
