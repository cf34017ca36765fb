// This file does not include kernels.cuh, and so the compiler never sees that the two disagree.
#include "params.cuh"

__global__ void integrate(const Params params, float *out) {
  float sum = 0.0f;
  for (int i = threadIdx.x; i < params.count; i += blockDim.x) sum += params.weights[i & 63] * params.scale;
  atomicAdd(out, sum);
}
