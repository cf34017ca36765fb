/**
 * The one spelling that the View uses for each keyword, and the keywords that no macro may remove. Projects define `__global` or
 * `__device__` to nothing for another compiler, but these words are what this tool judges.
 */
import type { Dialect } from "../dialect.ts";
import { qualifiers } from "../qualifiers.ts";

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

/** What affects how a text is read besides its macros. Dialects with the same mode can share a View. */
export interface LanguageMode {
  readonly key: string;
  readonly cplusplus: boolean;
  /** Words that the View spells differently; an empty spelling drops the word. */
  readonly spellings: ReadonlyMap<string, string>;
  /** Words that a macro must not erase. */
  readonly keywords: ReadonlySet<string>;
  /** `private:` and `private Base` are access specifiers, any other `private` is an address space. */
  readonly hasAccessSpecifiers: boolean;
  /** C99 without GNU's extensions: `, ## __VA_ARGS__` keeps its comma if there are no named parameters. */
  readonly isStrictC: boolean;
}

const shared: readonly (readonly [string, string])[] = [
  ...qualifiers
    .filter(({ word, roles }) => roles.includes("cv") || roles.includes("storage") || word === "inline")
    .flatMap(({ word, spellings = [] }) => spellings.map((spelling) => [spelling, word] as const)),
  ["__signed", "signed"],
  ["__signed__", "signed"],
  ["__alignof", "alignof"],
  ["__alignof__", "alignof"],
  ["__asm", "asm"],
  ["__asm__", "asm"],
  ["__typeof", "typeof"],
  ["__typeof__", "typeof"],
  ["__extension__", ""],
  ["_Alignas", "alignas"],
  ["_Alignof", "alignof"],
  ["_Bool", "bool"],
  ["_Static_assert", "static_assert"],
];

/** OpenCL C 3.0 §6.7: qualifiers are reserved with and without the underscores. */
const opencl = qualifiers.filter(({ languages, word }) => languages.join() === "opencl" && word.startsWith("__"));

/** CUDA's own words are macros of its headers, so `#ifdef __device__` is true. */
export const cudaWords: readonly string[] = qualifiers.filter(({ languages }) => languages.join() === "cuda").map(({ word }) => word);

/** CUDA's other spellings of execution spaces, which belong to tile code. */
const cudaSpellings = qualifiers
  .filter(({ languages, roles }) => languages.join() === "cuda" && roles.includes("execution-space"))
  .flatMap(({ word, spellings = [] }) => spellings.map((spelling) => [spelling, word] as const));

/** The meaning of words under a dialect. Dialects with the same `key` share the Views of headers. */
export function languageModeOf(dialect: Dialect): LanguageMode {
  const spellings = new Map(shared);
  if (dialect.cplusplus) for (const [word, spelling] of Object.entries(alternativeTokens)) spellings.set(word, spelling);
  if (dialect.language === "cuda") for (const [spelling, word] of cudaSpellings) spellings.set(spelling, word);
  if (dialect.language === "cuda")
    return { key: "cuda", cplusplus: true, spellings, keywords: new Set(cudaWords), hasAccessSpecifiers: false, isStrictC: false };
  for (const { word, spellings: others = [] } of opencl) for (const other of others) spellings.set(other, word);
  return {
    key: `opencl ${dialect.cplusplus ? "c++" : "c"}`,
    cplusplus: dialect.cplusplus,
    spellings,
    keywords: new Set(opencl.flatMap(({ word, spellings: others = [] }) => [word, ...others])),
    hasAccessSpecifiers: dialect.cplusplus,
    isStrictC: !dialect.cplusplus,
  };
}
