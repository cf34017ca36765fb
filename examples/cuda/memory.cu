// Constant memory, const host variables, and symbols: what nvcc reports late, in other words, or not at all.
#include <cuda_runtime.h>

struct Weights { float w[16]; };

__constant__ Weights weights;
__constant__ float table[256];
const float cutoffs[2] = {0.25f, 0.75f};
const int limit = 64;

// The store compiles, and the optimiser then deletes it or traps.
__global__ void reset(int i) {
  table[i] = 0.0f;
}

// Only the value of a const host variable is known to the device: an array has none, and no address.
__global__ void classify(float *out) {
  int i = threadIdx.x;
  out[i] = out[i] > cutoffs[0] ? 1.0f : 0.0f;
  const int *address = &limit;
  out[i] += *address;
}

// Each lane of a warp reads another element: up to 32 reads, one after another.
__global__ void lookup(float *out) {
  out[threadIdx.x] = table[threadIdx.x];
}

void upload(const float *values, float *out) {
  cudaMemcpyToSymbol(table, values, sizeof values);   // the size of the pointer
  cudaMemcpyToSymbol("weights", values, sizeof(Weights)); // names are gone since CUDA 5
  float first = table[0];                             // the host's own, empty copy
  float local[4] = {first, 0, 0, 0};
  lookup<<<1, 256>>>(local);                          // an address on the host's stack
}
