/* The CUDA declarations that fixtures use, in place of the toolkit's headers: clang and nvcc's front ends read it first. */
#pragma once
#define __constant__ __attribute__((constant))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __managed__ __attribute__((managed))
#define __grid_constant__ __attribute__((grid_constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#define __maxnreg__(n) __attribute__((maxnreg(n)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __restrict__ __restrict

#ifdef __clang__
#define SHIM_BUILTIN __attribute__((device)) __attribute__((weak))
#else
#define SHIM_BUILTIN __attribute__((device_builtin))
#endif

typedef __SIZE_TYPE__ size_t;
struct uint3 { unsigned x, y, z; };
struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};
struct int2 { int x, y; };
struct int4 { int x, y, z, w; };
struct float2 { float x, y; };
struct float3 { float x, y, z; };
struct __attribute__((aligned(16))) float4 { float x, y, z, w; };
struct alignas(64) CUtensorMap { unsigned long long opaque[16]; };

extern const uint3 SHIM_BUILTIN threadIdx;
extern const uint3 SHIM_BUILTIN blockIdx;
extern const dim3 SHIM_BUILTIN blockDim;
extern const dim3 SHIM_BUILTIN gridDim;
extern const int SHIM_BUILTIN warpSize;

typedef struct CUstream_st *cudaStream_t;
enum cudaError_t { cudaSuccess };
enum cudaMemcpyKind { cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault };

extern "C" {
cudaError_t cudaMalloc(void **, size_t);
cudaError_t cudaFree(void *);
cudaError_t cudaMemcpy(void *, const void *, size_t, cudaMemcpyKind);
cudaError_t cudaMemcpyAsync(void *, const void *, size_t, cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemset(void *, int, size_t);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t = 0, cudaStream_t = 0);
__host__ __device__ unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, void * = 0);
cudaError_t cudaConfigureCall(dim3, dim3, size_t = 0, void * = 0);
__host__ __device__ void *memcpy(void *, const void *, size_t);
__host__ __device__ void *memset(void *, int, size_t);
__host__ __device__ int printf(const char *, ...);
void *malloc(size_t);
void free(void *);
}
#ifdef __HIP__
typedef struct ihipStream_t *hipStream_t;
enum hipError_t { hipSuccess };
extern "C" hipError_t __hipPushCallConfiguration(dim3, dim3, size_t = 0, hipStream_t = 0);
extern "C" hipError_t hipLaunchKernel(const void *, dim3, dim3, void **, size_t = 0, hipStream_t = 0);
#endif
template <class T> cudaError_t cudaMalloc(T **, size_t);
template <class T> cudaError_t cudaMemcpyToSymbol(const T &, const void *, size_t, size_t = 0, cudaMemcpyKind = cudaMemcpyHostToDevice);
template <class T> cudaError_t cudaMemcpyToSymbolAsync(const T &, const void *, size_t, size_t = 0, cudaMemcpyKind = cudaMemcpyHostToDevice, cudaStream_t = 0);
template <class T> cudaError_t cudaMemcpyFromSymbol(void *, const T &, size_t, size_t = 0, cudaMemcpyKind = cudaMemcpyDeviceToHost);
template <class T> cudaError_t cudaGetSymbolAddress(void **, const T &);
template <class T> cudaError_t cudaGetSymbolSize(size_t *, const T &);
__device__ void __syncthreads();
__device__ int __ldcg(const int *);
__device__ int __ldca(const int *);
__device__ int __ldcs(const int *);
__device__ void __stcg(int *, int);
__device__ size_t __cvta_generic_to_global(const void *);
__device__ size_t __cvta_generic_to_shared(const void *);
__device__ size_t __cvta_generic_to_constant(const void *);
__device__ unsigned __isShared(const void *);
#define __NV_ATOMIC_RELAXED 0
#define __NV_THREAD_SCOPE_DEVICE 3
#ifdef __clang__
__device__ int __nv_atomic_fetch_add(int *, int, int, int);
__device__ void __nv_atomic_store_n(int *, int, int, int);
__device__ int __nv_atomic_load_n(const int *, int, int);
#endif
__device__ int atomicAdd(int *, int);
__device__ unsigned atomicAdd(unsigned *, unsigned);
__device__ float atomicAdd(float *, float);
__device__ int atomicExch(int *, int);
__device__ int atomicCAS(int *, int, int);
__device__ float frexpf(float, int *);
__device__ void sincosf(float, float *, float *);
template <class T> __device__ T __ldg(const T *);
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
template <class T> __device__ T tex1D(cudaTextureObject_t, float);
template <class T> __device__ T tex1Dfetch(cudaTextureObject_t, int);
template <class T> __device__ T tex2D(cudaTextureObject_t, float, float);
template <class T> __device__ void surf2Dwrite(T, cudaSurfaceObject_t, int, int);
