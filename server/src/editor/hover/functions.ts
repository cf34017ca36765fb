/** Explains functions of the languages, recognized by their names, and functions that are not kernels. */
import type { Dialect } from "../../dialect.ts";
import { enumerated } from "../../lists.ts";
import { builtinFunction } from "../../semantics/builtins/index.ts";
import type { Facts } from "../../semantics/facts/facts.ts";
import type { FunctionDeclaration, FunctionSymbol, VariableSymbol } from "../../semantics/types/symbols.ts";
import { printType } from "../../semantics/types/types.ts";
import { bareTypes, plainTypes } from "../names/spelled-types.ts";
import type { Explanation } from "./explanation.ts";
import { code } from "./markdown.ts";

/**
 * The three lines about a function: who can access the value or what the function does, how long the value is valid, and what the
 * call costs.
 */
interface FunctionText {
  readonly names: RegExp;
  readonly lines: readonly string[];
  readonly heading: string;
}

const openclTexts: readonly FunctionText[] = [
  {
    names: /^get_(global|local)_(id|linear_id)$|^get_sub_group_local_id$/,
    lines: [
      "Each work-item gets its own value",
      "Fixed while the work-item runs; 0 for a dimension that the kernel does not have",
      "No memory access",
    ],
    heading: "work-items",
  },
  {
    names: /^get_(group_id|sub_group_id)$/,
    lines: ["The same for all work-items of a group, another one for each group", "Fixed while the group runs", "No memory access"],
    heading: "work-items",
  },
  {
    names: /^get_(global_size|local_size|enqueued_local_size|num_groups|work_dim|global_offset|.*sub_group.*)$/,
    lines: ["The same for all work-items of the kernel", "Fixed by the host when it enqueues the kernel", "No memory access"],
    heading: "work-items",
  },
  {
    names: /^(work_group_)?barrier$/,
    lines: [
      "All work-items of the work-group must reach it, or none",
      "After it, the group sees what was written before it: to local memory with `CLK_LOCAL_MEM_FENCE`, to global memory with `CLK_GLOBAL_MEM_FENCE`",
      "Every work-item waits for the slowest one of the group",
    ],
    heading: "work-items",
  },
  {
    names: /^async_work_group_(strided_)?copy$/,
    lines: [
      "All work-items of the group must call it with the same arguments; it copies between global and local memory",
      "The copy is complete when `wait_group_events` returns for its event",
      "The group may compute during the copy, which need not pass through registers",
    ],
    heading: "address-spaces",
  },
  {
    names: /^to_(global|local|private)$/,
    lines: ["Takes a generic pointer", "Returns the pointer if it points to that memory, otherwise NULL", "Tests the address at run time"],
    heading: "conversions-of-pointers",
  },
];

const symbolCopies = "Takes the variable itself, not its address or its name as a string";

const cudaTexts: readonly FunctionText[] = [
  {
    names: /^(cuda|hip)MemcpyToSymbol(Async)?$/,
    lines: [
      `${symbolCopies}; the host writes a \`__constant__\` or \`__device__\` variable`,
      "Later launches see the value (asynchronous form: those in the same stream); no running kernel may read it",
      "Each call is a transfer; a kernel parameter needs none and is read as fast",
    ],
    heading: "ways-to-pass-a-constant-to-a-kernel",
  },
  {
    names: /^(cuda|hip)MemcpyFromSymbol(Async)?$/,
    lines: [
      `${symbolCopies}; the host reads a \`__constant__\` or \`__device__\` variable`,
      "Waits for the kernels before it in its stream; the asynchronous form returns at once",
      "Each call is a transfer; the host reads `__managed__` variables by their name",
    ],
    heading: "memory-spaces",
  },
  {
    names: /^(cuda|hip)GetSymbol(Address|Size)$/,
    lines: [
      `${symbolCopies}; gives the host its device address, or its size in bytes`,
      "The address is valid as long as the CUDA context; the host cannot dereference it",
      "Only the host needs it: kernels use the variable by its name",
    ],
    heading: "memory-spaces",
  },
  {
    names: /^(cuda|hip)Malloc(Async|Pitch)?$/,
    lines: [
      "Global memory: all threads of all grids see it, the host only by copies",
      "Lives until `cudaFree`",
      "May wait for the device; `cudaMallocAsync` does not",
    ],
    heading: "memory-spaces",
  },
  {
    names: /^(cuda|hip)MallocManaged$/,
    lines: ["Device and host see it at the same address", "Lives until `cudaFree`", "Pages migrate to the side that accesses them"],
    heading: "memory-spaces",
  },
  {
    names: /^cuda(MallocHost|HostAlloc|HostRegister)$|^hip(HostMalloc|HostRegister)$/,
    lines: [
      "Host memory that the device can reach",
      "Lives until it is freed or unregistered",
      "Its pages stay in host memory: each access by a kernel crosses the bus",
    ],
    heading: "memory-spaces",
  },
  {
    names: /^(cuda|hip)FuncSetAttribute$/,
    lines: [
      "Changes a limit of the kernel, such as the dynamic shared memory that a launch may give it",
      "Holds for later launches on the current device",
      "The more shared memory each block takes, the fewer blocks run at the same time",
    ],
    heading: "limits",
  },
  {
    names: /^__(isGlobal|isShared|isConstant|isLocal|isGridConstant)$/,
    lines: ["Tests at run time which memory a generic pointer points to", "A comparison of addresses, without a memory access"],
    heading: "where-a-pointer-points",
  },
  {
    names: /^__syncthreads(_count|_and|_or)?$/,
    lines: [
      "All threads of the block must reach it",
      "Writes to shared and global memory before it are visible to the whole block after it",
      "Every warp waits for the slowest one",
    ],
    heading: "memory-spaces",
  },
];

/** How many overloads are shown. */
const overloadsShown = 2;

/** Explains a function of the language; undefined if it needs no explanation. */
export function explainBuiltin(name: string, dialect: Dialect, callee?: FunctionSymbol): Explanation | undefined {
  const text = (dialect.language === "cuda" ? cudaTexts : openclTexts).find(({ names }) => names.test(name));
  const declared = (builtinFunction(name, dialect) ?? "").split("\n").filter((line) => line !== "");
  const overloads = calledFirst(declared, callee);
  // Other functions are explained if they take pointers into an address space. In CUDA, clangd explains them.
  const hasSpaces = dialect.language === "opencl" && overloads.some((line) => line.includes("*"));
  if (overloads.length === 0 || (text === undefined && !hasSpaces)) return undefined;
  const rest = overloads.length - overloadsShown;
  const shown = rest > 0 ? [...overloads.slice(0, overloadsShown), `// and ${rest} more`] : overloads;
  return { signature: shown.join("\n"), lines: text?.lines ?? [], heading: text?.heading ?? "address-spaces" };
}

/** The overloads of a function of the language, the one that is called first. */
export function calledFirst(overloads: readonly string[], callee: FunctionSymbol | undefined): readonly string[] {
  if (callee === undefined) return overloads;
  const called = callee.type.parameters.map(printType).join(",");
  const [plain, bare] = [plainTypes(called), bareTypes(called)];
  const distance = (overload: string) => {
    const given = overload.slice(overload.indexOf("(") + 1, overload.lastIndexOf(")"));
    return plainTypes(given) === plain ? 0 : bareTypes(given) === bare ? 1 : 2;
  };
  return overloads.toSorted((a, b) => distance(a) - distance(b));
}

/** The functions of the file that call this one. */
function callersOf(symbol: FunctionSymbol, { calls }: Facts): readonly FunctionSymbol[] {
  return [
    ...new Set(calls.flatMap(({ callee, within }) => (callee === symbol && within !== undefined && within !== symbol ? [within] : []))),
  ];
}

/** How many callers are named. */
const callersShown = 3;

/** The callers in a phrase: `called by `a`, `b` and 4 more here`. */
export function calledBy(symbol: FunctionSymbol, facts: Facts): string {
  const callers = callersOf(symbol, facts).map(({ name }) => code(name === "" ? "a lambda" : name));
  if (callers.length === 0) return "nothing in this file calls it";
  const rest = callers.length - callersShown;
  return `called here by ${enumerated(rest > 0 ? [...callers.slice(0, callersShown), `${rest} more`] : callers, "and")}`;
}

/** The definition of a kernel, or else its first declaration; undefined for other functions. */
export function kernelDeclaration({ declarations }: FunctionSymbol): FunctionDeclaration | undefined {
  const kernels = declarations.filter(({ execution }) => execution.kernel);
  return kernels.find(({ isDefinition }) => isDefinition) ?? kernels[0];
}

/** The definition, if there is one. */
export function mainDeclaration({ declarations }: FunctionSymbol): FunctionDeclaration | undefined {
  return declarations.find(({ isDefinition }) => isDefinition) ?? declarations[0];
}

/** The declaration of the kernel that the variable is a parameter of. */
export function kernelOf(variable: VariableSymbol): FunctionDeclaration | undefined {
  return variable.owner?.declarations.find(
    ({ execution, parameters }) => execution.kernel && parameters.some(({ symbol }) => symbol === variable),
  );
}
