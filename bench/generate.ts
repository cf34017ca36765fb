/**
 * Generates large, plausible source files: kernels, device functions, structs, tables and macros that use each other, with one
 * finding in about sixty lines and functions of the requested length. The same seed gives the same text, so that figures can be
 * compared.
 */

export type Language = "cuda" | "opencl";

export interface SourceOptions {
  readonly language: Language;
  /** The approximate number of lines. */
  readonly lines: number;
  /** The approximate number of lines per function. */
  readonly functionLines: number;
  /** Varies names and numbers. */
  readonly seed?: number;
  /** A header for the file to include, which then declares what the file uses. */
  readonly header?: string;
}

/** Numbers in [0, 1); the same seed gives the same sequence. */
export function randomNumbers(seed: number): () => number {
  let state = (seed * 2_654_435_761 + 1) >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) / 16_777_216;
  };
}

/** Generates a whole file. */
export function makeSource(options: SourceOptions): string {
  const { lines, functionLines, seed = 1, header } = options;
  const random = randomNumbers(seed);
  const language = languages[options.language];
  const parts = header === undefined ? [commonDeclarations(options.language)] : [`#include "${header}"\n`];
  let count = parts.join("\n").split("\n").length;
  for (let group = 0; count < lines; group++) {
    for (const part of makeGroup(language, group, functionLines, random)) {
      parts.push(part);
      count += part.split("\n").length;
    }
  }
  return parts.join("\n");
}

/** Functions that can be pasted into a file; `name` makes their names unique. */
export function makeFunctions(language: Language, lines: number, functionLines: number, name: string, seed: number): string {
  const random = randomNumbers(seed);
  const parts: string[] = [];
  for (let count = 0, index = 0; count < lines; index++) {
    const part = languages[language].helper(`${name}${index}`, functionLines, random);
    parts.push(part);
    count += part.split("\n").length;
  }
  return parts.join("\n");
}

/** The declarations that the functions use: at the top of a file, or in a header that many files include. */
export function commonDeclarations(language: Language): string {
  return languages[language].common;
}

interface LanguageParts {
  readonly common: string;
  readonly struct: (index: string, random: () => number) => string;
  readonly helper: (name: string, lines: number, random: () => number) => string;
  readonly kernel: (name: string, lines: number, random: () => number) => string;
  readonly last: (group: number) => string;
}

/** A macro, a struct, and a helper and kernels that use them, grouped as in real files. */
function makeGroup(language: LanguageParts, group: number, functionLines: number, random: () => number): readonly string[] {
  const name = String(group);
  return [
    `/* Stage ${group} of the pipeline: what comes from stage ${Math.max(0, group - 1)} is scaled and summed. */`,
    `#define LIMIT_${name} ${(1 + random() * 90).toFixed(3)}f`,
    `#define SCALED_${name}(x) ((x) * LIMIT_${name} + 0.5f)\n`,
    language.struct(name, random),
    language.helper(name, functionLines, random),
    language.kernel(name, functionLines, random),
    language.last(group),
  ];
}

/** Fills a function up to its length; each block is a few lines that read and change `sum`. */
function fill(lines: number, around: number, name: string, blocks: readonly Block[], random: () => number): string {
  const parts: string[] = [];
  for (let count = around, index = 0; count < lines || index === 0; index++) {
    const block = blocks[Math.floor(random() * blocks.length)];
    if (block === undefined) break;
    const part = block(`${index}`, (1 + random() * 9).toFixed(3), name);
    parts.push(part);
    count += part.split("\n").length;
  }
  return parts.join("\n");
}

/** `id` is unique in the function, `number` is a literal without suffix, `name` is that of the group. */
type Block = (id: string, number: string, name: string) => string;

const sharedBlocks: readonly Block[] = [
  (id, number) => `  for (int k${id} = 0; k${id} < n; k${id}++) {
    const float w${id} = in[(i + k${id}) % n] * ${number}f;
    sum += w${id} * factor;
    if (w${id} > ${number}f) sum -= factor * 0.25f;
  }`,
  (id, number) => `  if (i % ${id.length + 2} == 0) {
    sum = sum * ${number}f + in[i];
  } else if (sum < ${number}f) {
    sum += (float)(i + ${id}) / ${number}f;
  }`,
  (id, number) => `  // Neighbors count less the farther away they are.
  const float left${id} = i > 0 ? in[i - 1] : 0.0f;
  const float right${id} = i + 1 < n ? in[i + 1] : 0.0f;
  sum += (left${id} + right${id}) * ${number}f;`,
  (id, number) => `  float part${id}[4] = { ${number}f, 1.0f, 2.0f, factor };
  for (int k = 0; k < 4; k++) part${id}[k] += sum;
  sum = part${id}[0] + part${id}[1] * part${id}[2] - part${id}[3];`,
  (id, number) => `  switch ((i + ${id}) & 3) {
    case 0: sum += ${number}f; break;
    case 1: sum *= ${number}f; break;
    default: sum -= ${number}f;
  }`,
];

const cudaBlocks: readonly Block[] = [
  ...sharedBlocks,
  (id, number) => `  tile[threadIdx.x] = sum * ${number}f;
  __syncthreads();
  for (int stride${id} = blockDim.x / 2; stride${id} > 0; stride${id} >>= 1) {
    if (threadIdx.x < stride${id}) tile[threadIdx.x] += tile[threadIdx.x + stride${id}];
    __syncthreads();
  }
  sum = tile[0];`,
  (id, number) => `#pragma unroll
  for (int k${id} = 0; k${id} < 8; k${id}++) sum += weights[k${id}] * ${number}f;`,
  () => "  sum += __shfl_down_sync(0xffffffffu, sum, 1);\n  sum += fmaxf(sum, factor);",
];

const openclBlocks: readonly Block[] = [
  ...sharedBlocks,
  (id, number) => `  tile[lane] = sum * ${number}f;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint stride${id} = WIDTH / 2; stride${id} > 0; stride${id} >>= 1) {
    if (lane < stride${id}) tile[lane] += tile[lane + stride${id}];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  sum = tile[0];`,
  (id, number) => `  for (int k${id} = 0; k${id} < 8; k${id}++) sum += weights[k${id}] * ${number}f;`,
  (id, number) => `  const float4 four${id} = (float4)(sum, factor, ${number}f, 1.0f);
  sum = dot(four${id}, four${id}.wzyx) + native_sqrt(fabs(sum));`,
];

/** In both languages every second group contains that language's mistakes. */
const languages: Record<Language, LanguageParts> = {
  cuda: {
    common: `#define WIDTH 256
struct Params { float scale; float offset; int count; float table[32]; };
__constant__ float weights[256];
__device__ int failures;
static float hostFactor;
extern "C" int puts(const char *);
`,
    struct: (name, random) => `struct Stage_${name} {
  float gain;
  int rounds;
  float curve[${4 + Math.floor(random() * 8)}];
};
`,
    helper: (name, lines, random) => `template <typename T, int N>
__device__ __forceinline__ T step_${name}(const Params &params, const T *__restrict__ in, T *tile, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  const T factor = params.scale * ${(1 + random() * 9).toFixed(3)}f;
  T sum = T(N);
${fill(lines, 8, name, cudaBlocks, random)}
  return sum;
}
`,
    kernel: (
      name,
      lines,
      random,
    ) => `__global__ void run_${name}(const __grid_constant__ Params params, const float *in, float *out, Stage_${name} stage, int n) {
  __shared__ float tile[WIDTH];
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  const float factor = params.table[i & 31] + SCALED_${name}(stage.gain);
  float sum = step_${name}<float, 8>(params, in, tile, n);
${fill(lines, 8, name, cudaBlocks, random)}
  out[i] = sum;
}
`,
    last: (group) =>
      group % 2 === 0
        ? `__global__ void check_${group}(const float *in, float *out) {
  float *changed = in;
  changed[threadIdx.x] = hostFactor;
  out[threadIdx.x] = weights[threadIdx.x];
}
`
        : `void launch_${group}(const float *in, float *out, int n) {
  Params params = {};
  Stage_${group} stage = {};
  run_${group}<<<n / WIDTH, WIDTH>>>(params, in, out, stage, n);
}
`,
  },
  opencl: {
    common: `#define WIDTH 256
typedef struct { float4 position; float mass; int flags; } body_t;
constant float weights[WIDTH] = { 1.0f };
`,
    struct: (name, random) => `typedef struct {
  float gain;
  int rounds;
  float curve[${4 + Math.floor(random() * 8)}];
} stage_${name}_t;
`,
    helper: (name, lines, random) => `static float step_${name}(const global float *in, local float *tile, constant float *table, int n) {
  const int i = (int)get_global_id(0);
  const uint lane = (uint)get_local_id(0);
  const float factor = table[n & 7] * ${(1 + random() * 9).toFixed(3)}f;
  float sum = 0.0f;
${fill(lines, 8, name, openclBlocks, random)}
  return sum;
}
`,
    kernel: (
      name,
      lines,
      random,
    ) => `kernel void run_${name}(global body_t *bodies, const global float *in, global float *out, local float *tile,
    constant float *table, int n) {
  const int i = (int)get_global_id(0);
  const uint lane = (uint)get_local_id(0);
  stage_${name}_t stage = { 1.0f, n, { 0.0f } };
  const float factor = bodies[i].mass * SCALED_${name}(stage.gain);
  float sum = step_${name}(in, tile, table, n);
${fill(lines, 11, name, openclBlocks, random)}
  out[i] = sum;
}
`,
    last: (group) => `kernel void check_${group}(global float *in, global float *out, constant float *table) {
  ${group % 2 === 0 ? "local float *tile = (local float *)in;" : "global float *tile = (global float *)table;"}
  tile[0] = *out;
}
`,
  },
};
