/**
 * The one spelling that the View uses for each keyword, and the keywords that no macro may take away: projects define
 * `__global` or `__device__` to nothing for another compiler, and this tool is about just those words.
 */
import type { Dialect } from "../dialect.ts";

const shared: Readonly<Record<string, string>> = {
  __const: "const",
  __const__: "const",
  __volatile: "volatile",
  __volatile__: "volatile",
  __restrict: "restrict",
  __restrict__: "restrict",
  __inline: "inline",
  __inline__: "inline",
  __signed__: "signed",
  __signed: "signed",
  __alignof: "alignof",
  __alignof__: "alignof",
  __asm__: "asm",
  __asm: "asm",
  __typeof__: "decltype",
  __typeof: "decltype",
  __extension__: "",
};

const openclOnly: Readonly<Record<string, string>> = {
  global: "__global",
  local: "__local",
  constant: "__constant",
  private: "__private",
  kernel: "__kernel",
  read_only: "__read_only",
  write_only: "__write_only",
  read_write: "__read_write",
};

const openclKeywords = new Set(["__global", "__local", "__constant", "__private", "__generic", "__kernel", "__read_only", "__write_only", "__read_write", ...Object.keys(openclOnly)]);
const cudaKeywords = new Set(["__global__", "__device__", "__host__", "__constant__", "__shared__", "__managed__", "__grid_constant__", "__launch_bounds__", "__forceinline__", "__noinline__"]);

/** How the View spells a token of this dialect. */
export function canonicalSpelling(dialect: Dialect): (text: string) => string {
  const table = new Map(Object.entries(shared));
  if (dialect.language === "opencl") {
    for (const [word, canonical] of Object.entries(openclOnly)) table.set(word, canonical);
    // OpenCL C 1.x has no generic address space, but compilers reserve the word there too.
    table.set("generic", "__generic");
    if (!dialect.cplusplus) table.set("decltype", "decltype");
    if (dialect.cplusplus) {
      // `private:` is an access specifier; the parser tells it from the qualifier by its colon.
      table.delete("private");
    }
  }
  return (text) => table.get(text) ?? text;
}

/** True for a word of the language in force, which stays itself whatever the project defines it to. */
export function isKeyword(dialect: Dialect, name: string): boolean {
  return dialect.language === "opencl" ? openclKeywords.has(name) : cudaKeywords.has(name);
}
