/**
 * The qualifying words of both languages: the one table from which every other list of them is derived. A new word is added here
 * and in the grammar; its meaning for a type, a variable or a function is added where that is decided.
 */
import type { Language } from "./dialect.ts";

/**
 * OpenCL C's named address spaces and the generic one (OpenCL C 3.0 §6.7). CUDA types have no address space; its memory spaces
 * belong to variables.
 */
export type NamedSpace = "global" | "local" | "constant" | "private" | "generic";

/**
 * The named spaces and those that only attributes name: the two parts of global memory in cl_intel_unified_shared_memory, and a
 * target's numbered spaces, which overlap with no other.
 */
export type AddressSpace = NamedSpace | "global_device" | "global_host" | `address_space(${number})`;

/** Where a CUDA variable lives: in the memory space of its specifier, or in the host's memory. */
export type MemorySpace = "device" | "constant" | "shared" | "managed" | "host";

/** How a kernel may use an image or a pipe (OpenCL C 3.0 §6.8). */
export type ImageAccess = "read_only" | "write_only" | "read_write";

/**
 * What a word applies to. `address-space` qualifies a type (OpenCL), `memory-space` a variable (CUDA), `execution-space` a
 * function, `annotation` a kernel's parameter, `access` an image or a pipe, `cv` any type. `attribute` takes arguments.
 */
export type Role =
  | "address-space"
  | "memory-space"
  | "execution-space"
  | "annotation"
  | "access"
  | "cv"
  | "storage"
  | "function"
  | "attribute"
  | "type";

/** The description of a space in hovers and in the pages about memory. */
export interface QualifierDocumentation {
  /** Completes the sentence `Seen by …`. */
  readonly seen: string;
  /** Completes the sentence `Lives …` for an object that is declared there. */
  readonly lives: string;
  /** Where the object of a pointer lives, if that differs from `lives`. */
  readonly pointed?: string;
  /** Completes the sentence `Takes …`, for OpenCL `Costs …`. */
  readonly costs: string;
  /** What a function or a lambda with the word is. */
  readonly onFunction?: readonly string[];
}

/** One qualifying word, with everything about it that does not depend on a program. */
export interface Qualifier {
  /** The canonical spelling, which the View and the tree use. */
  readonly word: string;
  /** Other accepted spellings. OpenCL's spellings without underscores are ordinary names in CUDA. */
  readonly spellings?: readonly string[];
  /** Names in `__attribute__((…))` that mean the same. */
  readonly attributes?: readonly string[];
  readonly languages: readonly Language[];
  readonly roles: readonly Role[];
  readonly addressSpace?: NamedSpace;
  readonly memorySpace?: Exclude<MemorySpace, "host">;
  readonly access?: ImageAccess;
  /** The semantic token modifier of variables with this word; a space's modifier has the name of the space. */
  readonly tokenModifier?: "gridConstant";
  readonly documentation?: QualifierDocumentation;
}

const both = ["opencl", "cuda"] as const;

/** If a variable has several memory spaces, the first one in this table counts. */
const table = [
  {
    word: "__global",
    spellings: ["global"],
    attributes: ["opencl_global"],
    languages: ["opencl"],
    roles: ["address-space"],
    addressSpace: "global",
    documentation: {
      seen: "all work-items of all kernels, and by the host",
      lives: "as long as the program",
      pointed: "as long as its buffer",
      costs: "an access to device memory, which is cached; those of a work-group should be contiguous",
    },
  },
  {
    word: "__local",
    spellings: ["local"],
    attributes: ["opencl_local"],
    languages: ["opencl"],
    roles: ["address-space"],
    addressSpace: "local",
    documentation: {
      seen: "the work-items of one work-group; each work-group has its own",
      lives: "as long as its work-group; it starts without a value, and an initializer is an error",
      pointed: "as long as its work-group",
      costs: "some of the device's local memory, of which every device has at least 32,768 bytes (embedded profile: 1,024)",
    },
  },
  {
    word: "__constant",
    spellings: ["constant"],
    attributes: ["opencl_constant"],
    languages: ["opencl"],
    roles: ["address-space"],
    addressSpace: "constant",
    documentation: {
      seen: "all work-items of all kernels, read only",
      lives: "as long as the program; it needs an initializer",
      pointed: "as long as its buffer",
      costs: "some of `CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE`, at least 65,536 bytes (embedded profile: 1,024)",
    },
  },
  {
    word: "__private",
    spellings: ["private"],
    attributes: ["opencl_private"],
    languages: ["opencl"],
    roles: ["address-space"],
    addressSpace: "private",
    documentation: {
      seen: "one work-item; each has its own",
      lives: "as long as the block that declares it",
      costs: "registers, or the work-item's stack where it needs an address",
    },
  },
  {
    // OpenCL C 1.x has no generic address space, but its compilers reserve the word.
    word: "__generic",
    spellings: ["generic"],
    attributes: ["opencl_generic"],
    languages: ["opencl"],
    roles: ["address-space"],
    addressSpace: "generic",
    documentation: {
      seen: "the work-items that can access the object: it may be global, local or private, never constant",
      lives: "as long as the object",
      costs: "a test at each access which memory it is, unless the compiler knows",
    },
  },
  { word: "__kernel", spellings: ["kernel"], languages: ["opencl"], roles: ["execution-space"] },
  { word: "__read_only", spellings: ["read_only"], languages: ["opencl"], roles: ["access"], access: "read_only" },
  { word: "__write_only", spellings: ["write_only"], languages: ["opencl"], roles: ["access"], access: "write_only" },
  { word: "__read_write", spellings: ["read_write"], languages: ["opencl"], roles: ["access"], access: "read_write" },
  { word: "pipe", languages: ["opencl"], roles: ["type"] },

  // CUDA Tile C++: a kernel and a function of tile code. nvcc 13 reports their mistakes in the words of the others.
  { word: "__global__", spellings: ["__tile_global__"], languages: ["cuda"], roles: ["execution-space"] },
  {
    word: "__host__",
    languages: ["cuda"],
    roles: ["execution-space"],
    documentation: {
      seen: "the host",
      lives: "as long as the program",
      costs: "host memory",
      onFunction: ["Runs on the host", "With `__device__` it is compiled for both"],
    },
  },
  {
    word: "__constant__",
    languages: ["cuda"],
    roles: ["memory-space"],
    memorySpace: "constant",
    documentation: {
      seen: "all device code of its module, read only; the host writes it with `cudaMemcpyToSymbol`",
      lives: "as long as the CUDA context; an initializer must be a constant expression",
      costs: "some of the 65,536 bytes of a module; a warp reads one address at a time",
    },
  },
  {
    word: "__shared__",
    languages: ["cuda"],
    roles: ["memory-space"],
    memorySpace: "shared",
    documentation: {
      seen: "the threads of one block; each block has its own",
      lives: "as long as its block; it starts without a value, and an initializer is an error",
      // CUDA C++ Programming Guide, technical specifications.
      costs: "some of the 49,152 bytes of a block; more only as `extern __shared__`",
    },
  },
  {
    word: "__managed__",
    languages: ["cuda"],
    roles: ["memory-space"],
    memorySpace: "managed",
    documentation: {
      seen: "device and host, by the same name",
      lives: "as long as the program",
      costs: "memory on both sides; pages migrate to the side that accesses them",
    },
  },
  {
    word: "__device__",
    spellings: ["__tile__"],
    languages: ["cuda"],
    roles: ["memory-space", "execution-space"],
    memorySpace: "device",
    documentation: {
      seen: "all threads of all grids; the host by `cudaMemcpyToSymbol` and its relatives, never by its name",
      lives: "as long as the CUDA context",
      costs: "global memory",
      onFunction: ["Runs on the device", "Called from device code only"],
    },
  },
  { word: "__grid_constant__", languages: ["cuda"], roles: ["annotation"], tokenModifier: "gridConstant" },
  { word: "__forceinline__", spellings: ["__forceinline"], languages: ["cuda"], roles: ["function"] },
  { word: "__noinline__", languages: ["cuda"], roles: ["function"] },
  { word: "__nv_pure__", languages: ["cuda"], roles: ["function"] },
  { word: "__launch_bounds__", languages: ["cuda"], roles: ["attribute"] },
  { word: "__cluster_dims__", languages: ["cuda"], roles: ["attribute"] },
  { word: "__block_size__", languages: ["cuda"], roles: ["attribute"] },
  { word: "__maxnreg__", languages: ["cuda"], roles: ["attribute"] },
  { word: "__align__", languages: ["cuda"], roles: ["attribute"] },

  { word: "const", spellings: ["__const", "__const__"], languages: both, roles: ["cv"] },
  { word: "volatile", spellings: ["__volatile", "__volatile__"], languages: both, roles: ["cv"] },
  { word: "restrict", spellings: ["__restrict", "__restrict__"], languages: both, roles: ["cv"] },

  { word: "static", languages: both, roles: ["storage"] },
  { word: "extern", languages: both, roles: ["storage"] },
  { word: "register", languages: both, roles: ["storage"] },
  { word: "mutable", languages: both, roles: ["storage"] },
  { word: "thread_local", spellings: ["__thread", "_Thread_local"], languages: both, roles: ["storage"] },
  { word: "constexpr", languages: both, roles: ["storage"] },
  { word: "consteval", languages: both, roles: ["storage"] },
  { word: "constinit", languages: both, roles: ["storage"] },
  { word: "inline", spellings: ["__inline", "__inline__"], languages: both, roles: ["function"] },
  { word: "virtual", languages: both, roles: ["function"] },
  { word: "explicit", languages: both, roles: ["function"] },
  { word: "friend", languages: both, roles: ["function"] },
  { word: "noreturn", spellings: ["_Noreturn"], languages: both, roles: ["function"] },
  { word: "_Nonnull", languages: both, roles: ["type"] },
  { word: "_Nullable", languages: both, roles: ["type"] },
] as const satisfies readonly Qualifier[];

type RoleOfGpu = "address-space" | "memory-space" | "execution-space" | "annotation";

/** A word that exists only in languages for devices: a space, or an annotation of a parameter. */
export type GpuWord = Extract<(typeof table)[number], { readonly roles: readonly [RoleOfGpu, ...Role[]] }>["word"];

/** A word that puts a CUDA variable into a memory space. */
export type MemoryWord = Extract<(typeof table)[number], { readonly memorySpace: string }>["word"];

/** The semantic token modifiers of all words: spaces by their name, annotations by a name of their own. */
export type QualifierTokenModifier = NamedSpace | Exclude<MemorySpace, "host"> | NonNullable<Qualifier["tokenModifier"]>;

/** Every qualifying word. */
export const qualifiers: readonly Qualifier[] = table;

const byWord: ReadonlyMap<string, Qualifier> = new Map(qualifiers.map((each) => [each.word, each]));

/** The entry of a canonical word; undefined for every other text. */
export function qualifierOf(word: string): Qualifier | undefined {
  return byWord.get(word);
}

/** The canonical words that have one of these roles, in the table's order. */
export function wordsWithRole(...roles: readonly Role[]): readonly string[] {
  return qualifiers.filter((each) => each.roles.some((role) => roles.includes(role))).map(({ word }) => word);
}

/** The canonical words for spaces, annotations of parameters and the access of images that one language has. */
export function gpuWordsOf(language: Language): readonly string[] {
  const words = wordsWithRole("address-space", "memory-space", "execution-space", "annotation", "access");
  return words.filter((word) => byWord.get(word)?.languages.includes(language) === true);
}

const gpuWords: ReadonlySet<string> = new Set(wordsWithRole("address-space", "memory-space", "execution-space", "annotation"));

/** True for address, memory and execution spaces, and for annotations of parameters. */
export function isGpuWord(word: string): word is GpuWord {
  return gpuWords.has(word);
}

/** True for a word that puts a CUDA variable into a memory space. */
export function isMemoryWord(word: string): word is MemoryWord {
  return byWord.get(word)?.memorySpace !== undefined;
}

const spaceOfAttribute: ReadonlyMap<string, AddressSpace> = new Map<string, AddressSpace>([
  ...qualifiers.flatMap(({ attributes, addressSpace }) =>
    addressSpace === undefined ? [] : (attributes ?? []).map((name) => [name, addressSpace] as const),
  ),
  ["opencl_global_device", "global_device"],
  ["opencl_global_host", "global_host"],
]);

/** The address space that a canonical word, or the name of an attribute, stands for. */
export function addressSpaceOf(word: string): AddressSpace | undefined {
  return byWord.get(word)?.addressSpace ?? spaceOfAttribute.get(word) ?? numberedSpaceOf(word);
}

/** The address space that `address_space(3)` names. */
function numberedSpaceOf(word: string): AddressSpace | undefined {
  const number = /^address_space\((\d+)\)$/.exec(word)?.[1];
  return number === undefined ? undefined : `address_space(${Number(number)})`;
}

/** The space itself if a keyword names it; `global` for the two parts of global memory. */
export function namedSpace(space: AddressSpace | undefined): NamedSpace | undefined {
  if (space === "global_device" || space === "global_host") return "global";
  return spaceNames.find((name) => name === space);
}

const spaceNames: readonly NamedSpace[] = ["global", "local", "constant", "private", "generic"];

const canonicalWords: ReadonlyMap<string, string> = new Map(
  qualifiers.flatMap(({ word, spellings }) => (spellings ?? []).map((spelling) => [spelling, word] as const)),
);

/** The canonical spelling of a qualifying word. */
export function canonicalWord(text: string): string {
  return canonicalWords.get(text) ?? text;
}
