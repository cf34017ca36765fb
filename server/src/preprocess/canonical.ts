/**
 * The one spelling that the View uses for each keyword, and the keywords that no macro may take away: projects define
 * `__global` or `__device__` to nothing for another compiler, and this tool is about just those words.
 */
import type { Dialect } from "../dialect.ts";

/** C++17 §5.5: other spellings of operators. */
export const alternativeTokens: Readonly<Record<string, string>> = {
  and: "&&",
  or: "||",
  not: "!",
  bitand: "&",
  bitor: "|",
  xor: "^",
  compl: "~",
  not_eq: "!=",
  and_eq: "&=",
  or_eq: "|=",
  xor_eq: "^=",
};

/** What decides how a text is read besides its macros. Dialects with the same flavour can share a View. */
export interface Flavour {
  readonly key: string;
  readonly cplusplus: boolean;
  /** Words that the View spells otherwise; an empty spelling leaves the word out. */
  readonly spellings: ReadonlyMap<string, string>;
  /** Words that a macro must not erase. */
  readonly keywords: ReadonlySet<string>;
  /** `private:` and `private Base` are access specifiers, other uses of `private` an address space. */
  readonly hasAccessSpecifiers: boolean;
  /** C99 without GNU's extensions: `, ## __VA_ARGS__` keeps its comma where there are no named parameters. */
  readonly isStrictC: boolean;
}

const shared: readonly (readonly [string, string])[] = [
  ["__const", "const"],
  ["__const__", "const"],
  ["__volatile", "volatile"],
  ["__volatile__", "volatile"],
  ["__restrict", "restrict"],
  ["__restrict__", "restrict"],
  ["__inline", "inline"],
  ["__inline__", "inline"],
  ["__signed", "signed"],
  ["__signed__", "signed"],
  ["__alignof", "alignof"],
  ["__alignof__", "alignof"],
  ["__asm", "asm"],
  ["__asm__", "asm"],
  ["__typeof", "decltype"],
  ["__typeof__", "decltype"],
  ["__extension__", ""],
  ["_Alignas", "alignas"],
  ["_Alignof", "alignof"],
  ["_Bool", "bool"],
  ["_Static_assert", "static_assert"],
];

/** OpenCL C 3.0 §6.7: qualifiers are reserved with and without the underscores. */
const opencl: readonly (readonly [string, string])[] = [
  ["global", "__global"],
  ["local", "__local"],
  ["constant", "__constant"],
  ["kernel", "__kernel"],
  ["read_only", "__read_only"],
  ["write_only", "__write_only"],
  ["read_write", "__read_write"],
];

const cuda = [
  "__global__",
  "__device__",
  "__host__",
  "__constant__",
  "__shared__",
  "__managed__",
  "__grid_constant__",
  "__launch_bounds__",
  "__cluster_dims__",
  "__block_size__",
  "__maxnreg__",
  "__forceinline__",
  "__noinline__",
  "__align__",
] as const;

/** CUDA's own words are macros of its headers, so that `#ifdef __device__` holds. */
export const cudaWords: readonly string[] = cuda;

/** What words mean under a dialect. Dialects with the same `key` share the Views of headers. */
export function flavourOf(dialect: Dialect): Flavour {
  const spellings = new Map(shared);
  if (dialect.cplusplus) for (const [word, spelling] of Object.entries(alternativeTokens)) spellings.set(word, spelling);
  if (dialect.language === "cuda")
    return { key: "cuda", cplusplus: true, spellings, keywords: new Set(cuda), hasAccessSpecifiers: false, isStrictC: false };
  for (const [word, spelling] of opencl) spellings.set(word, spelling);
  spellings.set("private", "__private");
  // OpenCL C 1.x has no generic address space, but compilers reserve the word there too.
  spellings.set("generic", "__generic");
  const words = [...opencl, ["private", "__private"], ["generic", "__generic"]];
  return {
    key: `opencl ${dialect.cplusplus ? "c++" : "c"}`,
    cplusplus: dialect.cplusplus,
    spellings,
    keywords: new Set(words.flat()),
    hasAccessSpecifiers: dialect.cplusplus,
    isStrictC: !dialect.cplusplus,
  };
}
