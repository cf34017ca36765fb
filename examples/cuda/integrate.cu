// This file does not include params.cuh, and so the mismatch with its declaration of the kernel goes unseen.
struct Params {
  float scale;
  float offset;
  int count;
  float weights[64];
};

__global__ void integrate(const Params params, float *out) {
  float sum = 0.0f;
  for (int i = threadIdx.x; i < params.count; i += blockDim.x) sum += params.weights[i & 63] * params.scale;
  atomicAdd(out, sum);
}
