/**
 * Calls between tile code and other device code of CUDA. The View spells `__tile_global__` and `__tile__` like the words of other
 * kernels and functions, so the author's text decides which are meant.
 */
import { locationInFile } from "../../preprocess/unit-row.ts";
import type { FunctionSymbol, SpecifierWord } from "../../semantics/types/symbols.ts";
import type { CheckedFile, Rule } from "../rule.ts";

/** Reports calls of functions of tile code from other device code, and the reverse. */
export const tileCodeCall: Rule = {
  id: "tile-code-call",
  title: "tile code and other device code of CUDA call each other",
  severity: "warning",
  languages: ["cuda"],
  clause:
    "CUDA Tile C++: functions of tile code (__tile__, __tile_global__) and of SIMT code (__device__, __global__) cannot call each other",
  documentation: `
A kernel with \`__tile_global__\` works on whole tiles, without threads. It calls functions with \`__tile__\`; those with \`__device__\` run
for one thread. Neither kind can call the other. nvcc 13.0 knows the words and does not check the calls.

**What to do**: give a function that both need both words, \`__device__ __tile__\`.`,
  limits: "Functions without any of these words, and those that a macro declares, are not judged.",
  examples: [
    {
      language: "cuda",
      bad: `__device__ int simt(int x) { return x; }
__tile_global__ void run(int *out) { out[0] = simt(1); } // <-`,
      good: `__device__ __tile__ int shared(int x) { return x; }
__tile_global__ void run(int *out) { out[0] = shared(1); }`,
    },
  ],
  checkFile({ facts, dialect, file }, report) {
    if (dialect.language !== "cuda" || dialect.hip || !/__tile(?:_global)?__/.test(file.text)) return;
    for (const { callee, within, lambda, launch, place } of facts.calls) {
      if (callee === undefined || within === undefined || lambda !== undefined || launch !== undefined || callee.isBuiltin) continue;
      const [from, to] = [sidesOf(within, file), sidesOf(callee, file)];
      if (from === undefined || to === undefined || (from.tile && to.tile) || (from.simt && to.simt)) continue;
      report({
        place,
        message: from.tile ? `tile code cannot call '${callee.name}', which is for threads` : `only tile code can call '${callee.name}'`,
        related: callee.declarations
          .slice(0, 1)
          .map(({ namePlace }) => ({ message: `'${callee.name}' is declared here`, place: namePlace })),
      });
    }
  },
};

/** Whether a function is for tile code, for threads, or for both; undefined for a function of the host, and if that is unknown. */
function sidesOf({ declarations }: FunctionSymbol, file: CheckedFile): { readonly tile: boolean; readonly simt: boolean } | undefined {
  const words = declarations
    .flatMap((declaration) => declaration.words)
    .filter(({ text }) => text === "__device__" || text === "__global__")
    .map((word) => writtenText(word, file));
  if (words.length === 0 || words.some((word) => word === undefined)) return undefined;
  const tile = words.some((word) => word?.startsWith("__tile") === true);
  return { tile, simt: words.some((word) => word?.startsWith("__tile") === false) };
}

/** The word as the author wrote it; undefined if a macro did. */
function writtenText({ place: { unit, span } }: SpecifierWord, file: CheckedFile): string | undefined {
  const { location, exact } = unit.view.origin(span);
  const { uri, span: written } = locationInFile(unit, location);
  return exact ? wordAt(file.textOf(uri), written.start) : undefined;
}

function wordAt(text: string, start: number): string | undefined {
  return /^__(?:tile_global|tile|global|device)__/.exec(text.slice(start, start + 16))?.[0];
}
