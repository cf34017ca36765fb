#include "kernels.cuh"

// A function that the compiler cannot see through takes the parameter's address: with __grid_constant__ that needs no copy.
__noinline__ __device__ float weigh(const Params &params, float value) {
  float sum = params.offset;
  for (int i = 0; i < 64; i++) sum += params.weights[i] * value;
  return sum;
}

// Right: const, by value, a parameter of a kernel, and as declared.
__global__ void transform(const GRID_CONSTANT Params params, const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < params.count) out[i] = weigh(params, in[i]);
}

// Not const.
__global__ void bias(__grid_constant__ Params params, float *out) {
  out[threadIdx.x] = params.offset;
}

// A pointer to const is not a const pointer.
__global__ void gather(const __grid_constant__ float *table, float *out) {
  out[threadIdx.x] = table[threadIdx.x];
}

// By reference.
__global__ void rescale(const __grid_constant__ Params &params, float *out) {
  out[threadIdx.x] *= params.scale;
}

// Not a kernel.
__device__ float shift(const __grid_constant__ Params params, float value) {
  return value + params.offset;
}

// In a template, before anybody instantiates it.
template <typename T>
__global__ void fill(__grid_constant__ Params params, T *out) {
  out[threadIdx.x] = static_cast<T>(params.offset);
}

// Redeclared without it.
__global__ void reset(const __grid_constant__ int value, float *out);
__global__ void reset(const int value, float *out) {
  out[threadIdx.x] = value;
}
