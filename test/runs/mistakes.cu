// What mistakes do on a device, one case a process because errors stick. A line `// finds: rule` precedes the line that the checker reports.
//   nvcc -std=c++17 -arch=sm_90 mistakes.cu -o mistakes; for i in $(seq 0 24); do compute-sanitizer ./mistakes $i; done
// `recorded.json` has the results: the error, or the value that the kernel left.
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_pipeline.h>
__device__ int words[64] = {7, 7, 7, 7};
__constant__ int table[4] = {5, 5, 5, 5};
__constant__ int copied;
__device__ int *kept;
__device__ int *allocated;
__device__ int counter = 3;
struct Pair { int first, second; };
__constant__ Pair pair;
struct Buffer { int *data; };
struct Wide { int values[64]; };
struct Holder { int &value; };

__global__ void ldgOfShared(int *out) {
  __shared__ int tile[32];
  tile[threadIdx.x] = 42;
  __syncthreads();
  // finds: memory-window-mismatch
  out[threadIdx.x] = __ldg(&tile[threadIdx.x]);
}
__global__ void ldgOfLocal(int *out) {
  int own[8];
  for (int i = 0; i < 8; i++) own[i] = i + out[1];
  // finds: memory-window-mismatch
  out[0] = __ldg(&own[out[1]]);
}
__global__ void sharedWindowOfGlobal(int *out) {
  // finds: memory-window-mismatch
  unsigned address = (unsigned)__cvta_generic_to_shared(&words[0]);
  int value;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(value) : "r"(address));
  out[0] = value;
}
__global__ void loadConstantOfGlobal(int *out) {
  int value;
  // finds: memory-window-mismatch
  asm volatile("ld.const.u32 %0, [%1];" : "=r"(value) : "l"(&words[0]));
  out[0] = value;
}
__global__ void storeGlobalOfShared(int *out) {
  __shared__ int tile[4];
  tile[0] = 1;
  // finds: memory-window-mismatch
  asm volatile("st.global.u32 [%0], 9;" ::"l"(&tile[0]) : "memory");
  out[0] = tile[0];
}
__global__ void rankOfGlobal(int *out) {
  // finds: memory-window-mismatch
  out[0] = *cooperative_groups::this_cluster().map_shared_rank(&words[0], 0);
}
__global__ void asynchronousCopyBack(int *out) {
  __shared__ int tile[4];
  tile[0] = 3;
  // finds: memory-window-mismatch
  __pipeline_memcpy_async(&words[0], &tile[0], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[0] = words[0];
}
__global__ void atomicOnConstant(int *out) {
  // finds: constant-memory-written
  atomicAdd(&table[0], 1);
  out[0] = table[0];
}
__global__ void newAtomicOnConstant(int *out) {
  // finds: constant-memory-written
  __nv_atomic_fetch_add(&table[0], 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  out[0] = table[0];
}
__global__ void keepShared(int *out) {
  __shared__ int value;
  value = 11;
  // finds: escaping-address
  kept = &value;
}
__global__ void useKept(int *out) { out[0] = *kept; }
__global__ void dynamic(int *out) {
  extern __shared__ int values[];
  values[threadIdx.x] = 3;
  out[0] = values[threadIdx.x];
}
// finds: kernel-parameter-reference
__global__ void byReference(int &value, int *out) { out[0] = value; }
// finds: kernel-parameter-object
__global__ void vectorByValue(std::vector<int> values, int *out) { out[0] = **(int **)&values; }
__global__ void load(int *from, int *out) { out[0] = *from; }
__global__ void loadMember(Buffer buffer, int *out) { out[0] = *buffer.data; }
__global__ void callGiven(int (*given)(int), int *out) { out[0] = given(1); }
__global__ void readCopied(int *out) {
  for (long long from = clock64(); clock64() - from < 100000000;) {}
  out[0] = copied;
}
__global__ void readAllocated(int *out) { out[0] = *allocated; }
__global__ void readCounter(int *out) { out[0] = counter; }
__global__ void writeGridConstant(const __grid_constant__ Wide wide, int *out) {
  // finds: grid-constant-written
  const_cast<int &>(wide.values[out[1]]) = 9;
  out[0] = wide.values[out[1]];
}
__device__ int twice(int x) { return 2 * x; }

void run(int number, int *out) {
  int value = 1;
  if (number == 0) ldgOfShared<<<1, 32>>>(out);
  if (number == 1) ldgOfLocal<<<1, 1>>>(out);
  if (number == 2) sharedWindowOfGlobal<<<1, 1>>>(out);
  if (number == 3) loadConstantOfGlobal<<<1, 1>>>(out);
  if (number == 4) storeGlobalOfShared<<<1, 1>>>(out);
  if (number == 5) rankOfGlobal<<<1, 1>>>(out);
  if (number == 6) asynchronousCopyBack<<<1, 1>>>(out);
  if (number == 7) atomicOnConstant<<<1, 1>>>(out);
  if (number == 8) newAtomicOnConstant<<<1, 1>>>(out);
  if (number == 9) keepShared<<<1, 1>>>(out), useKept<<<1, 1>>>(out);
  // finds: launch-configuration
  if (number == 10) dynamic<<<1, 256>>>(out);
  // finds: launch-configuration
  if (number == 11) dynamic<<<1, 32, 65536>>>(out);
  if (number == 12) byReference<<<1, 1>>>(value, out);
  if (number == 13) vectorByValue<<<1, 1>>>(std::vector<int>(4, 1), out);
  // finds: device-access-of-host-pointer
  if (number == 14) load<<<1, 1>>>(&value, out);
  // finds: device-access-of-host-pointer
  if (number == 15) loadMember<<<1, 1>>>(Buffer{&value}, out);
  // finds: device-function-in-host-code
  if (number == 16) callGiven<<<1, 1>>>(twice, out);
  // finds: host-access-of-device-symbol
  if (number == 17) cudaMemcpyToSymbol(&counter, &value, sizeof(value)), readCounter<<<1, 1>>>(out);
  // finds: host-access-of-device-symbol
  if (number == 18) cudaMemcpyToSymbol(pair.second, &value, sizeof(value)), readCounter<<<1, 1>>>(out);
  // finds: host-access-of-device-symbol
  if (number == 19) cudaMalloc(&allocated, 64), readAllocated<<<1, 1>>>(out);
  // finds: host-access-of-device-symbol
  if (number == 20) counter = 8;
  if (number == 20) readCounter<<<1, 1>>>(out);
  // finds: host-access-of-device-symbol
  if (number == 21) load<<<1, 1>>>(&counter, out);
  // finds: host-access-of-device-symbol
  if (number == 22) cudaMemcpyFromSymbol(&counter, table, sizeof(int)), readCounter<<<1, 1>>>(out);
  if (number == 23) {
    cudaStream_t one, two;
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
    cudaMemcpyToSymbol(copied, &value, sizeof(value));
    int other = 2;
    readCopied<<<1, 1, 0, one>>>(out);
    // finds: constant-memory-changed-behind-launch
    cudaMemcpyToSymbolAsync(copied, &other, sizeof(other), 0, cudaMemcpyHostToDevice, two);
  }
  if (number == 24) writeGridConstant<<<1, 1>>>(Wide{{4}}, out);
}
int main(int count, char **words) {
  int number = count > 1 ? atoi(words[1]) : 0, left[2] = {-1, 0}, *out;
  cudaMalloc(&out, 4096);
  cudaMemset(out, 0, 4096);
  run(number, out);
  cudaError_t launched = cudaGetLastError(), ran = cudaDeviceSynchronize();
  cudaMemcpy(left, out, sizeof(int), cudaMemcpyDeviceToHost);
  printf("case %d: launch %s, run %s, value %d\n", number, cudaGetErrorName(launched), cudaGetErrorName(ran), left[0]);
}
