/**
 * CUDA's functions and PTX instructions that take an address in one memory. A generic address is converted into that memory's window,
 * or is taken as one, whatever memory the object is in. Written from the CUDA C++ Programming Guide (read-only data cache load function,
 * load and store functions with cache hints, address space conversion functions, pipeline primitives, thread block clusters) and
 * the PTX ISA (state spaces).
 */

/** A memory that has a window in the generic address space. */
export type MemoryWindow = "global" | "shared" | "constant" | "local";

/** What a function does with the address: reads or writes behind it, or only converts it. */
export type WindowUse = "read" | "write" | "convert";

/** The pointer at a position must point into this memory. */
export interface WindowParameter {
  readonly index: number;
  readonly window: MemoryWindow;
  readonly use: WindowUse;
}

/** Lines of a window, the position of the pointer, its use, and the functions. */
const table = `
global 0 read __ldg __ldca __ldcg __ldcs __ldlu __ldcv
global 0 write __stwb __stcg __stcs __stwt
global 0 convert __cvta_generic_to_global
shared 0 convert __cvta_generic_to_shared __cluster_map_shared_rank __cluster_query_shared_rank map_shared_rank query_shared_rank
constant 0 convert __cvta_generic_to_constant
local 0 convert __cvta_generic_to_local
shared 0 write __pipeline_memcpy_async __mbarrier_init __mbarrier_arrive __mbarrier_inval cp_async_bulk_global_to_shared
global 1 read __pipeline_memcpy_async cp_async_bulk_global_to_shared
global 0 write cp_async_bulk_shared_to_global
shared 1 read cp_async_bulk_shared_to_global
`;

const functions = new Map<string, WindowParameter[]>();
for (const line of table.trim().split("\n")) {
  const [window, index, use, ...names] = line.split(" ");
  for (const name of names) {
    const own = functions.get(name) ?? [];
    own.push({ index: Number(index), window: window as MemoryWindow, use: use as WindowUse });
    functions.set(name, own);
  }
}

/** The windows of a function's pointers, by the last part of its name; empty if it takes pointers into any memory. */
export function windowsOfFunction(name: string): readonly WindowParameter[] {
  return functions.get(name.slice(name.lastIndexOf(":") + 1)) ?? [];
}

/** An address operand of an instruction. `window` is undefined for a generic address. */
export interface AddressOperand {
  /** The number after `%`. */
  readonly operand: number;
  readonly window: MemoryWindow | undefined;
  readonly use: WindowUse;
  /** The instruction, such as `st.global.u32`. */
  readonly instruction: string;
}

const windowOfWord: Readonly<Record<string, MemoryWindow>> = { global: "global", shared: "shared", const: "constant", local: "local" };
const writing = /^(st|stmatrix|atom|red|multimem)$/;
const reading = /^(ld|ldu|ldmatrix|prefetch|prefetchu)$/;

/** The operands of PTX instructions that are addresses, with the memories that the instructions name. */
export function addressOperands(text: string): readonly AddressOperand[] {
  return text
    .replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, " ")
    .split(/[;{}]/)
    .flatMap((each): readonly AddressOperand[] => {
      const [, instruction = "", rest = ""] = /^\s*(?:@!?\S+\s+)?([a-z][\w.:]*)([\s\S]*)$/.exec(each) ?? [];
      const [word = "", ...suffixes] = instruction.split(".");
      const spaces = suffixes.flatMap((suffix) => windowOfWord[suffix.replace(/::.*/, "")] ?? []);
      const addresses = [...rest.matchAll(/\[\s*%(\d+)[^\]]*\]/g)].map(([, number]) => Number(number));
      if (word === "cp" && suffixes[0] === "async") return copyOperands(instruction, spaces, addresses);
      const [operand] = addresses;
      if (operand === undefined || (!writing.test(word) && !reading.test(word))) return [];
      if (spaces.length === 0 && suffixes.includes("param")) return [];
      return [{ operand, window: spaces[0], use: writing.test(word) ? "write" : "read", instruction }];
    });
}

/** `cp.async.ca.shared.global [destination], [source], …`; nothing is known about the forms with tensors and barriers. */
function copyOperands(instruction: string, spaces: readonly MemoryWindow[], addresses: readonly number[]): readonly AddressOperand[] {
  const [to, from] = spaces;
  const [destination, source] = addresses;
  if (spaces.length !== 2 || /tensor|reduce/.test(instruction) || destination === undefined || source === undefined) return [];
  return [
    { operand: destination, window: to, use: "write", instruction },
    { operand: source, window: from, use: "read", instruction },
  ];
}
