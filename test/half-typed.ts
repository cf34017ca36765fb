/**
 * Half-typed code: realistic functions and kernels, the keystrokes that produce them, with and without an editor that closes
 * brackets, and the finished code around them.
 */

/** A text after a keystroke; `left` precedes the cursor, `right` is what the editor closed after it. */
export interface Typed {
  readonly left: string;
  readonly right: string;
}

const closing: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", '"': '"' };

/** Every state of the text while it is typed from its start to its end. */
export function* keysOf(text: string, closesBrackets: boolean): Generator<Typed> {
  // The innermost bracket is last.
  const open: string[] = [];
  let left = "";
  for (const key of text) {
    left += key;
    if (closesBrackets) {
      const innermost = open[open.length - 1];
      const closes = closing[key];
      if (innermost?.endsWith(key) === true) open.pop();
      else if (closes !== undefined) open.push(closes);
      // A line break between two braces puts the closing brace on a line of its own.
      else if (key === "\n" && left.endsWith("{\n")) open.splice(-1, 1, "\n}");
    }
    yield { left, right: [...open].reverse().join("") };
  }
}

/** Where a function is typed. */
export interface Surroundings {
  readonly name: string;
  readonly above: string;
  readonly below: string;
}

export interface Program {
  readonly extension: "cu" | "cl";
  readonly surroundings: readonly Surroundings[];
  /** The typed texts, by their names. */
  readonly typed: Readonly<Record<string, string>>;
}

const finishedOpenCL = [
  `typedef struct { float4 value; int count; } item_t;
constant float table[4] = { 1, 2, 3, 4 };
`,
  `float weigh(global const float *in, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += in[i] * table[i % 4];
  return sum;
}
`,
  `__kernel void blur(__global float *out) {
  __local float edge[16];
  edge[get_local_id(0)] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  *out = edge[0];
}
`,
  `kernel void wrong(global int *g, constant item_t *items) {
  local int *l = (local int *)g;
  local float tile[4] = { 0 };
  l[0] = items->count + tile[0];
  table[0] = 1;
}
`,
  `kernel void last(global float *out, global const float *in) {
  global float *p = in;
  *p = weigh(in, 4) + *out;
}
`,
];

const finishedCuda = [
  `struct Params { float scale; float offset; int count; };
__constant__ float table[8];
static float factor = 2;
`,
  `template <typename T>
__device__ T weigh(const T *in, int n) {
  T sum = T(0);
  for (int i = 0; i < n; ++i) sum += in[i] * table[i & 7];
  return sum;
}
`,
  `__global__ void blur(float *out) {
  __shared__ float edge[16];
  edge[threadIdx.x] = 1;
  __syncthreads();
  *out = edge[0];
}
`,
  `__global__ void wrong(__grid_constant__ Params params, const float *in) {
  float *p = in;
  *p = factor + params.scale;
  table[0] = 1;
}
`,
  `__global__ void last(float *out, const float *in) {
  __shared__ float tile[4] = { 0 };
  *out = weigh(in, 4) + tile[0];
}
`,
];

function surroundingsOf(finished: readonly string[]): readonly Surroundings[] {
  return [0, 1, 2, 3, 4, 5].map((at) => ({
    name: at === 0 ? "above others" : at === finished.length ? "below others" : `before item ${at + 1}`,
    above: finished.slice(0, at).join("\n"),
    below: finished.slice(at).join("\n"),
  }));
}

export const programs: readonly Program[] = [
  {
    extension: "cl",
    surroundings: surroundingsOf(finishedOpenCL),
    typed: {
      "a kernel with a loop": `kernel void stats(global const int *keys, global float *sums, int n) {
  int i = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < n; k++) {
    if (keys[k] == i) {
      sum += 1.0f;
    }
  }
  sums[i] = sum;
}
`,
      "a kernel with local memory": `__kernel void reduce(__global const float *in, __global float *result, __local float *scratch) {
  uint lane = get_local_id(0);
  scratch[lane] = in[get_global_id(0)];
  for (uint stride = get_local_size(0) / 2; stride > 0; stride /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < stride) scratch[lane] += scratch[lane + stride];
  }
  if (lane == 0) result[get_group_id(0)] = scratch[0];
}
`,
      "a helper with a pointer to a pointer": `static void swap(global float **left, global float **right) {
  global float *kept = *left;
  *left = *right;
  *right = kept;
}
`,
      "a struct and a function of it": `typedef struct {
  float2 position;
  float2 velocity;
  int kind;
} particle_t;

void move(global particle_t *particle, float time) {
  particle->position += particle->velocity * time;
  if (particle->kind == 2) particle->velocity = (float2)(0.0f, -1.0f);
}
`,
      "a kernel over several lines": `kernel
__attribute__((reqd_work_group_size(16, 16, 1)))
void transpose(
    global float *restrict to,
    global const float *restrict from,
    int width,
    int height)
{
  local float tile[16][17];
  int x = get_global_id(0);
  int y = get_global_id(1);
  tile[get_local_id(1)][get_local_id(0)] = from[y * width + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  to[x * height + y] = tile[get_local_id(0)][get_local_id(1)];
}
`,
      "a program-scope table": `constant int offsets[3][3] = {
  { -1, 0, 1 },
  { -2, 0, 2 },
  { -1, 0, 1 },
};
`,
      "a kernel with an image": `kernel void shade(read_only image2d_t source, write_only image2d_t target) {
  const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_FILTER_NEAREST;
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  float4 color = read_imagef(source, nearest, at);
  write_imagef(target, at, color.yxzw * 0.5f); // swapped
}
`,
      "a macro and its use": `#define CLAMP(x, low, high) \\
  ((x) < (low) ? (low) : (x) > (high) ? (high) : (x))

float limited(float x) {
  return CLAMP(x, 0.0f, 1.0f);
}
`,
      "a switch with a comment": `/* Which operation? The caller knows: it isn't checked. */
int apply(int operation, int a, int b) {
  switch (operation) {
    case 0: return a + b;
    case 1: return a - b;
    case 2: return a * (b + 1);
    default: break;
  }
  do {
    a ^= b;
  } while (a > b);
  return a;
}
`,
      "a kernel with conditionals": `#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void precise(global double *values) {
  values[get_global_id(0)] *= 2.0;
}
#else
kernel void coarse(global float *values) {
  values[get_global_id(0)] *= 2.0f;
}
#endif
`,
    },
  },
  {
    extension: "cu",
    surroundings: surroundingsOf(finishedCuda),
    typed: {
      "a kernel with a loop": `__global__ void stats(const int *keys, float *sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < n; k++) {
    if (keys[k] == i) {
      sum += 1.0f;
    }
  }
  sums[i] = sum;
}
`,
      "a kernel with shared memory": `template <int Threads>
__global__ void __launch_bounds__(Threads) reduce(const float *__restrict__ in, float *result) {
  __shared__ float scratch[Threads];
  scratch[threadIdx.x] = in[blockIdx.x * Threads + threadIdx.x];
  for (int stride = Threads / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (threadIdx.x < stride) scratch[threadIdx.x] += scratch[threadIdx.x + stride];
  }
  if (threadIdx.x == 0) result[blockIdx.x] = scratch[0];
}
`,
      "a host function that launches": `void start(const float *host, int n) {
  float *in = nullptr, *out = nullptr;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemcpy(in, host, n * sizeof(float), cudaMemcpyHostToDevice);
  last<<<(n + 255) / 256, 256>>>(out, in);
  if (cudaGetLastError() != cudaSuccess) printf("failed: %s\\n", "last");
  cudaFree(in);
}
`,
      "a class with members": `class Grid {
 public:
  __host__ __device__ explicit Grid(int width, int height) : width_(width), height_(height) {}
  __device__ float &at(int x, int y) const { return cells_[y * width_ + x]; }

 private:
  int width_;
  int height_;
  float *cells_ = nullptr;
};
`,
      "a namespace": `namespace detail {
constexpr int lanes = 32;

template <typename T, typename Operation>
__device__ __forceinline__ T scan(T value, Operation &&operation) {
  for (int step = 1; step < lanes; step *= 2) {
    const T other = __shfl_up_sync(0xffffffffu, value, step);
    if ((threadIdx.x & 31) >= step) value = operation(value, other);
  }
  return value;
}
}  // namespace detail
`,
      "a lambda": `__device__ float twice(float x) {
  auto doubled = [x](float y) -> float { return 2 * x * y; };
  return doubled(1.0f);
}
`,
      constants: `static constexpr float limits[] = { 0.0f, 0.5f, 1.0f };
__constant__ float coefficients[3];
__device__ int failures = 0;
extern __shared__ unsigned char bytes[];
`,
      "a kernel over several lines": `extern "C" __global__
void transpose(
    float *__restrict__ to,
    const float *__restrict__ from,
    const int width,
    const int height)
{
  __shared__ float tile[16][17];
  const int x = blockIdx.x * 16 + threadIdx.x;
  const int y = blockIdx.y * 16 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = from[y * width + x];
  __syncthreads();
  to[x * height + y] = tile[threadIdx.x][threadIdx.y];
}
`,
      "a macro and its use": `#define CHECK(call) \\
  do { \\
    if ((call) != cudaSuccess) abort(); \\
  } while (0)

void synchronize() {
  CHECK(cudaDeviceSynchronize());
}
`,
      "a kernel with conditionals": `#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
// It's faster there: one instruction.
__device__ int population(unsigned bits) {
  return __popc(bits);
}
#else
__device__ int population(unsigned bits) {
  int count = 0;
  while (bits != 0) { bits &= bits - 1; count++; }
  return count;
}
#endif
`,
    },
  },
];
