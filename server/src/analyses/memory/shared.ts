/**
 * How much shared memory a kernel's block takes, as ptxas lays it out: the `__shared__` variables of the kernel and of the functions
 * that it calls. ptxas drops a variable that nothing reads. In OpenCL: the `__local` variables of the kernel.
 */
import { greatest } from "../../lists.ts";
import { memo } from "../../memo.ts";
import { codeAt } from "../../preprocess/unit-row.ts";
import type { Facts } from "../../semantics/facts/facts.ts";
import { alignOf, sizeOf } from "../../semantics/types/layout.ts";
import type { FunctionSymbol, VariableSymbol } from "../../semantics/types/symbols.ts";
import { containsUnknown } from "../../semantics/types/types.ts";
import { hasWord } from "../../syntax/walk.ts";
import { accessesTo, referencesTo } from "../fact-index.ts";
import { groupBy } from "../group-by.ts";
import { isNeverInlined } from "../kernel-parameters.ts";
import { firstOf } from "../memory-spaces.ts";
import { type MemoryEntry, type MemoryTable, memoryTableOf, type Total } from "../memory-table.ts";
import { reachedBy } from "./reached.ts";

/**
 * The limit on what one block may declare; more must be requested at the launch (CUDA C++ Programming Guide, technical
 * specifications). Code for one architecture alone (`sm_90a`) may declare what its devices have.
 */
export const staticSharedLimit = 49_152;

/** The most that a block may have on any device. */
export const largestSharedMemory = 232_448;

/**
 * The most shared memory of one block, in bytes, by compute capability (CUDA C++ Programming Guide, technical specifications, maximum
 * amount of shared memory per thread block). The largest of all counts for those that are unknown.
 */
export function mostSharedMemory(architecture: number): number {
  return architecture < 70 ? staticSharedLimit : (smallerMost[architecture] ?? largestSharedMemory);
}

const smallerMost: Readonly<Record<number, number>> = {
  70: 98_304,
  72: 98_304,
  75: 65_536,
  80: 166_912,
  86: 101_376,
  87: 166_912,
  88: 101_376,
  89: 101_376,
  120: 101_376,
  121: 101_376,
};

/** The local data share of a workgroup on most of AMD's devices, as clang 22 limits `__shared__` variables for their architectures. */
export const commonLocalDataShare = 65_536;

/** The largest local data share: 163,840 bytes on gfx950, 327,680 on gfx1250. */
export const largestLocalDataShare = 327_680;

/** The alignment of dynamic shared memory, which begins behind the static part. */
const dynamicAlignment = 16;

/** The shared memory of one block, in bytes. */
export interface SharedMemory {
  /** Includes the padding; a lower bound if something is unknown. */
  readonly total: Total;
  /** False if a function without a body in this file may add to it. */
  readonly isWhole: boolean;
  /** The variables that count, in the order of their addresses. */
  readonly variables: readonly VariableSymbol[];
  /** The launch determines how much the kernel gets in addition: `extern __shared__`, or a `__local` pointer in OpenCL. */
  readonly isDynamic: boolean;
  /** CUDA: the dynamic memory that the kernel certainly reads or writes, if its instantiations do not discard the code. */
  readonly dynamic: readonly VariableSymbol[];
}

const indexOf = memo((facts: Facts) => {
  const declared = facts.variables.map(({ variable }) => variable).filter(isShared);
  const accessed = facts.accesses.filter(({ path: { root } }) => root !== undefined && isShared(root));
  const dynamic = new Set([...declared, ...accessed.flatMap(({ path }) => path.root ?? [])].filter(isExtern));
  return {
    declared: groupBy(declared, ({ owner }) => owner),
    accessed: groupBy(accessed, ({ within }) => within),
    instantiated: groupBy(
      facts.instantiatedVariables.filter(({ variable }) => isShared(variable)),
      ({ instantiation }) => instantiation?.name,
    ),
    /** What the start of the dynamic part is aligned to; 1 if no device code of the translation unit uses it. */
    alignment: greatest([...dynamic].filter((each) => isUsed(each, facts)).map((each) => Math.max(dynamicAlignment, alignmentOf(each)))),
  };
});

/** The shared memory of a CUDA kernel; `instance` names an instantiation of a template as its facts do. */
export function sharedMemoryOf(kernel: FunctionSymbol, facts: Facts, instance?: string): SharedMemory {
  const { declared, accessed, instantiated, alignment } = indexOf(facts);
  const reached = reachedBy(kernel, facts);
  const found = new Map<VariableSymbol, VariableSymbol>();
  let isWhole = reached.isWhole("__shared__");
  for (const each of reached.functions) {
    const all = [...(declared.get(each) ?? []), ...(accessed.get(each) ?? []).flatMap(({ path }) => path.root ?? [])];
    for (const variable of all) {
      // Each instantiation of a template that is called has variables of its own.
      if (each !== kernel && each.isTemplate && variable.owner === each) isWhole = false;
      else found.set(firstOf(variable), variable);
    }
  }
  const own = instance === undefined ? [] : (instantiated.get(instance) ?? []).map(({ variable }) => variable);
  const variables = [...found.values()]
    .filter((variable) => !isExtern(variable) && isUsed(variable, facts))
    .sort(byPlace)
    .map((variable) => own.find((other) => other.owner === kernel && isSameDeclaration(other, variable)) ?? variable);
  const { total, isComplete } = laidOut(variables);
  return {
    total: {
      total: alignment > 0 ? Math.ceil(total / alignment) * alignment : total,
      isComplete: isWhole && isComplete,
    },
    isWhole,
    variables,
    isDynamic: [...found.values()].some(isExtern),
    dynamic: [...found.values()].filter((variable) => isExtern(variable) && accessesTo(facts, variable).length > 0),
  };
}

/** The local memory of an OpenCL kernel's work-group. */
export function localMemoryOf(kernel: FunctionSymbol, facts: Facts): SharedMemory {
  const variables = localsOf(facts).get(kernel) ?? [];
  const isDynamic = kernel.declarations.some(({ parameters }) =>
    parameters.some(({ symbol: { type } }) => type.kind === "pointer" && spaceOf(type.pointee) === "local"),
  );
  return { total: laidOut(variables), isWhole: true, variables, isDynamic, dynamic: [] };
}

/** The `__local` variables of an OpenCL kernel that count: compilers remove one that is never read. */
export function usedLocalVariables(kernel: FunctionSymbol, facts: Facts): readonly VariableSymbol[] {
  return (localsOf(facts).get(kernel) ?? []).filter((variable) => isUsed(variable, facts));
}

const localsOf = memo((facts: Facts) =>
  groupBy(
    facts.variables
      .map(({ variable }) => variable)
      .filter(({ scope, type, owner }) => owner !== undefined && scope === "block" && spaceOf(type) === "local"),
    ({ owner }) => owner,
  ),
);

/** What the variables take one after the other, each at its alignment. */
function laidOut(variables: readonly VariableSymbol[]): Total {
  const { lines, total } = sharedMemoryTable(variables);
  return { total, isComplete: lines.length === variables.length };
}

/** A shared or local variable with its size. */
export interface SharedEntry extends MemoryEntry {
  readonly variable: VariableSymbol;
}

/** The variables one after the other, without those of unknown size. */
export function sharedMemoryTable(variables: readonly VariableSymbol[]): MemoryTable<SharedEntry> {
  return memoryTableOf(
    variables.flatMap((variable) => {
      const size = containsUnknown(variable.type) ? undefined : sizeOf(variable.type);
      return size === undefined ? [] : [{ name: variable.name, size, alignment: alignmentOf(variable), variable }];
    }),
  );
}

function spaceOf(type: VariableSymbol["type"]) {
  return type.kind === "array" ? type.element.qualifiers.space : type.qualifiers.space;
}

function isShared({ memorySpace, type, isTemplated, scope }: VariableSymbol): boolean {
  return memorySpace === "shared" && type.kind !== "reference" && (isTemplated !== true || scope === "block");
}

function isExtern(variable: VariableSymbol): boolean {
  return hasWord(variable.words, "extern");
}

/** False for a variable that is not used, or only written: compilers remove it. */
function isUsed(variable: VariableSymbol, facts: Facts): boolean {
  const references = referencesTo(facts, variable).length;
  const accesses = accessesTo(facts, variable);
  if (variable.type.qualifiers.volatile) return references + accesses.length > 0;
  return accesses.some(({ mode }) => mode !== "write") || references > accesses.length;
}

function alignmentOf(variable: VariableSymbol): number {
  const own = alignOf(variable.type.kind === "array" ? variable.type.element : variable.type) ?? 1;
  return Math.max(own, Number.isNaN(variable.alignment) ? 1 : (variable.alignment ?? 1));
}

function isSameDeclaration(a: VariableSymbol, b: VariableSymbol): boolean {
  return a.name === b.name && codeAt(a.place).span.start === codeAt(b.place).span.start;
}

/** The order of addresses: that of the text, and last the variables of functions that the compiler does not inline. */
function byPlace(a: VariableSymbol, b: VariableSymbol): number {
  const isLast = ({ owner }: VariableSymbol) => (owner !== undefined && isNeverInlined(owner) ? 1 : 0);
  return isLast(a) - isLast(b) || codeAt(a.place).span.start - codeAt(b.place).span.start;
}

/** True if an instantiation of the function may discard a branch (`if constexpr`), and the variables in it. */
export function mayDiscardBranches(owner: FunctionSymbol | undefined): boolean {
  return owner?.isTemplate === true && owner.declarations.some(({ namePlace: { unit } }) => /\bif\s+constexpr\b/.test(unit.view.text));
}
