/**
 * The kinds of mistakes that `mutate` makes. Each finds places in a source where it can be made, and names the rules that
 * may report it. They change the text, as a typing mistake does.
 */

/** One change of a text. */
export interface Mutation {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A mistake that one keystroke too many or too few may cause. */
export interface MutationKind {
  readonly name: string;
  readonly language: "opencl" | "cuda";
  /** The rules that may report the mistake. */
  readonly rules: readonly string[];
  /** Every place in the text where the mistake can be made; comments and strings in it are blank. */
  places(text: string): readonly Omit<Mutation, "kind">[];
}

/** Replaces what the pattern's first group matches. */
function replacing(pattern: RegExp, replacement: string): MutationKind["places"] {
  return (text) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const [whole, group] = match;
      if (group === undefined) return [];
      const start = match.index + whole.indexOf(group);
      return [{ start, end: start + group.length, text: replacement }];
    });
}

/** Inserts the text after each match of the pattern. */
function inserting(pattern: RegExp, text: string): MutationKind["places"] {
  return (source) =>
    [...source.matchAll(pattern)].map((match) => {
      const at = match.index + match[0].length;
      return { start: at, end: at, text };
    });
}

/** Parameters that their function, which ends at the next brace in the first column, writes through a subscript: `out[i] = …`. */
function writtenParameters(text: string, parameter: RegExp): readonly { readonly start: number; readonly name: string }[] {
  return [...text.matchAll(parameter)].flatMap((match) => {
    const name = match[1] ?? "";
    const end = text.indexOf("\n}", match.index);
    const body = text.slice(match.index, end < 0 ? undefined : end);
    return new RegExp(`\\b${name}\\s*\\[[^\\]=;]*\\]\\s*=[^=]`).test(body) ? [{ start: match.index, name }] : [];
  });
}

/** Inserts a word before such a parameter. */
function beforeWritten(parameter: RegExp, word: string): MutationKind["places"] {
  return (text) => writtenParameters(text, parameter).map(({ start }) => ({ start, end: start, text: word }));
}

/** Appends a line to the file. */
function appended(line: string): MutationKind["places"] {
  return (text) => [{ start: text.length, end: text.length, text: `\n${line}\n` }];
}

const openclGlobal = /\b(?:__)?global\s+(?:float|int|uint|double|float4)\s*\*\s*(\w+)/g;
const cudaPointer = /(?<=[(,]\s*)(?:float|int|double|unsigned)\s*\*\s*(?:__restrict__\s*)?(\w+)(?=\s*[,)])/g;

/** Every kind, in the order of the figures. */
export const mutationKinds: readonly MutationKind[] = [
  {
    name: "kernel parameter without a space",
    language: "opencl",
    rules: ["kernel-parameter-space", "address-space-conversion"],
    places: replacing(/\bkernel\s+void\s+\w+\s*\(\s*((?:__)?global)\s+(?:const\s+)?\w+\s*\*/g, ""),
  },
  {
    name: "cast to another space",
    language: "opencl",
    rules: ["address-space-cast", "address-space-conversion", "builtin-argument-space"],
    places: replacing(/\(\s*((?:__)?global)\s+(?:const\s+)?\w+\s*\*\s*\)/g, "__constant"),
  },
  {
    name: "program-scope variable without a space",
    language: "opencl",
    rules: ["program-scope-space"],
    places: replacing(/^((?:__)?constant)\s+\w+\s+\w+\s*(?:\[[^\]]*\])?\s*=/gm, ""),
  },
  {
    name: "local variable with an initializer",
    language: "opencl",
    rules: ["local-initializer"],
    places: inserting(/\b(?:__)?local\s+(?:float|int|uint|double)\s+\w+(?=\s*;)/g, " = 0"),
  },
  {
    name: "constant memory is written",
    language: "opencl",
    rules: ["constant-write", "const-write", "address-space-conversion", "builtin-argument-space"],
    places: (text) =>
      writtenParameters(text, openclGlobal).map(({ start }) => ({
        start,
        end: text.slice(start).search(/\s/) + start,
        text: "__constant",
      })),
  },
  {
    name: "const object is written",
    language: "opencl",
    rules: ["const-write", "constant-write", "qualifier-discarded"],
    places: beforeWritten(openclGlobal, "const "),
  },
  {
    name: "kernel with a result",
    language: "opencl",
    rules: ["kernel-signature", "kernel-parameter-space"],
    places: replacing(/\bkernel\s+(void)\b/g, "int"),
  },
  {
    name: "const object is written",
    language: "cuda",
    rules: ["const-write", "qualifier-discarded", "const-object-call"],
    places: beforeWritten(cudaPointer, "const "),
  },
  {
    name: "shared variable with an initializer",
    language: "cuda",
    rules: ["shared-memory-initializer"],
    places: inserting(/(?<!extern\s+)__shared__\s+(?:float|int|double|unsigned)\s+\w+(?:\[[^\]]*\])*(?=\s*;)/g, " = {}"),
  },
  {
    name: "device variable without a word",
    language: "cuda",
    rules: ["host-variable-in-device-code", "memory-space-redeclared", "host-access-of-device-symbol"],
    places: replacing(/^(?:static\s+)?(__device__|__constant__)\s+(?:float|int|double|unsigned)\s+\w+\s*(?:\[[^\]]*\])*\s*[;=]/gm, ""),
  },
  {
    name: "automatic variable in constant memory",
    language: "cuda",
    rules: ["memory-space-placement"],
    places: inserting(/__global__\s+void\s+\w+\s*\([^(){}]*\)\s*\{/g, " __constant__ int mutated;"),
  },
  {
    name: "kernel with a result",
    language: "cuda",
    rules: ["kernel-signature"],
    places: replacing(/__global__\s+(void)\b/g, "int"),
  },
  {
    name: "grid constant that is not const",
    language: "cuda",
    rules: ["grid-constant-non-const", "grid-constant-mismatch"],
    places: inserting(/__global__\s+void\s+\w+\s*\((?:[^(){}]*,)?\s*(?=(?:int|float|unsigned)\s+\w+\s*[,)])/g, "__grid_constant__ "),
  },
  {
    name: "dynamic initialization",
    language: "cuda",
    rules: ["memory-space-initializer"],
    places: appended("int mutatedValue(); __device__ int mutatedVariable = mutatedValue();"),
  },
  {
    name: "host variable in device code",
    language: "cuda",
    rules: ["host-variable-in-device-code"],
    places: appended("int mutatedHost; __global__ void mutatedKernel(int *out) { *out = mutatedHost; }"),
  },
  {
    name: "const dropped by an overload set",
    language: "cuda",
    rules: ["qualifier-discarded"],
    places: appended(
      "struct MutatedS { int a; }; struct MutatedT { __device__ void put(MutatedS &); __device__ void put(int); __device__ void use(const MutatedS &s) { put(s); } };",
    ),
  },
];

/** The text with comments and literals replaced by spaces, so that offsets stay. */
export function blankComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g, (part) => part.replace(/[^\n]/g, " "));
}
