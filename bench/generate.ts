/** Makes large, plausible source files; the same text for the same size, so that figures can be compared. */

/** An OpenCL file of about that many lines with one mistake in its last kernel. */
export function openclSource(lines: number): string {
  const parts = [
    "#define TILE 16",
    "typedef struct { float4 position; float mass; int flags; } body_t;",
    "constant float weights[TILE] = { 1.0f };",
  ];
  for (let i = 0; parts.length * 12 < lines; i++) {
    parts.push(`static float step_${i}(const global body_t *bodies, local float *tile, constant float *table, int n) {
  float sum = 0.0f;
  for (int k = 0; k < n; k++) {
    const global body_t *body = bodies + k;
    tile[k % TILE] = body->mass * table[k & ${i % 16}];
    sum += dot(body->position, body->position) + weights[k % TILE];
  }
  return native_sqrt(sum);
}
kernel void run_${i}(global body_t *bodies, global float *out, local float *tile, constant float *table, int n) {
  out[get_global_id(0)] = step_${i}(bodies, tile, table, n);
}`);
  }
  parts.push("kernel void wrong(global float *in) {\n  local float *tile = (local float *)in;\n}\n");
  return parts.join("\n");
}

/** A CUDA file of about that many lines with one mistake in its last kernel. */
export function cudaSource(lines: number): string {
  const parts = ["struct Params { float scale; float offset; int count; float table[32]; };", "__constant__ float weights[256];"];
  for (let i = 0; parts.length * 12 < lines; i++) {
    parts.push(`template <typename T, int N>
__device__ __forceinline__ T step_${i}(const Params &params, const T *__restrict__ in, T *tile) {
  T sum = T(0);
#pragma unroll
  for (int k = 0; k < N; k++) sum += in[k] * params.table[k % 32] + weights[k];
  tile[threadIdx.x] = sum;
  __syncthreads();
  return tile[0];
}
__global__ void run_${i}(const __grid_constant__ Params params, const float *in, float *out) {
  __shared__ float tile[256];
  out[blockIdx.x * blockDim.x + threadIdx.x] = step_${i}<float, 8>(params, in, tile);
}`);
  }
  parts.push("__global__ void wrong(__grid_constant__ Params params) {}\n");
  return parts.join("\n");
}
