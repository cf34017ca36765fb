/**
 * Types, variables and constants that CUDA C++ declares without any `#include`, written in CUDA C++ (CUDA C++ Programming Guide,
 * "Built-in Vector Types", "Built-in Variables"; CUDA Runtime API, "Data types used by CUDA Runtime"). It also contains the sizes
 * of types that only toolkit headers declare (half types, tensor maps), because no workspace contains these headers.
 */

/** The base name, element type and element size of each family of vectors. */
const vectorBases: readonly (readonly [string, string, number])[] = [
  ["char", "signed char", 1],
  ["uchar", "unsigned char", 1],
  ["short", "short", 2],
  ["ushort", "unsigned short", 2],
  ["int", "int", 4],
  ["uint", "unsigned int", 4],
  ["long", "long", 8],
  ["ulong", "unsigned long", 8],
  ["longlong", "long long", 8],
  ["ulonglong", "unsigned long long", 8],
  ["float", "float", 4],
  ["double", "double", 8],
];

/** Vectors of one and three elements are aligned like their element, those of two and four as a whole, up to 16 bytes. */
function vectorTypes(): string {
  const lines: string[] = [];
  for (const [name, type, size] of vectorBases) {
    for (const count of [1, 2, 3, 4]) {
      const alignment = count === 1 || count === 3 ? size : Math.min(size * count, 16);
      const members = ["x", "y", "z", "w"].slice(0, count).join(", ");
      lines.push(`struct alignas(${alignment}) ${name}${count} { ${type} ${members}; };`);
      if (count === 4 && size === 8)
        for (const wide of [16, 32]) lines.push(`struct alignas(${wide}) ${name}4_${wide}a { ${type} ${members}; };`);
    }
  }
  return lines.join("\n");
}

/** True for the name of a vector type, such as `float2`. */
export function isVectorType(name: string): boolean {
  return vectorBases.some(([base]) => name.startsWith(base) && /^[1-4]$/.test(name.slice(base.length)));
}

/** The function `make_float4` or the like; undefined for other names. */
export function makeVector(name: string): string | undefined {
  const match = /^make_(.*?)([1-4])(_(?:16|32)a)?$/.exec(name);
  const base = vectorBases.find(
    ([prefix, , size]) => prefix === match?.[1] && (match[3] === undefined || (match[2] === "4" && size === 8)),
  );
  if (match === null || base === undefined) return undefined;
  const type = `${base[0]}${match[2]}${match[3] ?? ""}`;
  return `__host__ __device__ ${type} ${name}(${Array.from({ length: Number(match[2]) }, () => base[1]).join(", ")});`;
}

/** Types and variables that every CUDA C++ file has without an `#include`. */
export const cudaPrelude = `
#define NULL 0
#define CHAR_BIT 8
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define SHRT_MAX 32767
#define SHRT_MIN (-32767 - 1)
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 0xffffffffU
#define LONG_MAX 0x7fffffffffffffffL
#define ULONG_MAX 0xffffffffffffffffUL
#define LLONG_MAX 0x7fffffffffffffffLL
#define ULLONG_MAX 0xffffffffffffffffULL
#define FLT_MAX 3.402823466e+38f
#define FLT_MIN 1.175494351e-38f
#define FLT_EPSILON 1.192092896e-07f
#define DBL_MAX 1.7976931348623158e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-16
#define INFINITY (__builtin_inff())
#define __NV_ATOMIC_RELAXED 0
#define __NV_ATOMIC_CONSUME 1
#define __NV_ATOMIC_ACQUIRE 2
#define __NV_ATOMIC_RELEASE 3
#define __NV_ATOMIC_ACQ_REL 4
#define __NV_ATOMIC_SEQ_CST 5
#define __NV_THREAD_SCOPE_THREAD 0
#define __NV_THREAD_SCOPE_BLOCK 1
#define __NV_THREAD_SCOPE_CLUSTER 2
#define __NV_THREAD_SCOPE_DEVICE 3
#define __NV_THREAD_SCOPE_SYSTEM 4
#define CUDART_CB
#define CUDARTAPI
#define CUDA_CB
#define CUDAAPI
#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_SYMBOL(x) x
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];
#define NAN (__builtin_nanf(""))
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440

typedef unsigned char u_char;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef long clock_t;
typedef long time_t;

${vectorTypes()}
struct dim3 {
  unsigned int x, y, z;
  __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1);
  __host__ __device__ constexpr dim3(uint3 v);
  __host__ __device__ constexpr operator uint3(void) const;
};
extern const __device__ uint3 threadIdx;
extern const __device__ uint3 blockIdx;
extern const __device__ dim3 blockDim;
extern const __device__ dim3 gridDim;
extern const __device__ int warpSize;

struct alignas(2) __half { unsigned short bits; };
struct alignas(4) __half2 { __half x, y; };
typedef __half half;
typedef __half2 half2;
struct alignas(2) __nv_bfloat16 { unsigned short bits; };
struct alignas(4) __nv_bfloat162 { __nv_bfloat16 x, y; };
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
struct __nv_fp8_e4m3 { unsigned char bits; };
struct __nv_fp8_e5m2 { unsigned char bits; };

typedef struct alignas(64) CUtensorMap_st { unsigned long long opaque[16]; } CUtensorMap;

enum cudaError {
  cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaErrorMemoryAllocation = 2, cudaErrorInitializationError = 3, cudaErrorCudartUnloading = 4,
  cudaErrorInvalidConfiguration = 9, cudaErrorInvalidPitchValue = 12, cudaErrorInvalidSymbol = 13, cudaErrorInvalidDevicePointer = 17,
  cudaErrorInvalidMemcpyDirection = 21, cudaErrorInsufficientDriver = 35, cudaErrorMissingConfiguration = 52, cudaErrorInvalidDeviceFunction = 98,
  cudaErrorNoDevice = 100, cudaErrorInvalidDevice = 101, cudaErrorNoKernelImageForDevice = 209, cudaErrorPeerAccessAlreadyEnabled = 704,
  cudaErrorInvalidResourceHandle = 400, cudaErrorNotReady = 600, cudaErrorIllegalAddress = 700, cudaErrorLaunchOutOfResources = 701,
  cudaErrorLaunchTimeout = 702, cudaErrorAssert = 710, cudaErrorLaunchFailure = 719, cudaErrorNotSupported = 801, cudaErrorUnknown = 999
};
typedef enum cudaError cudaError_t;
enum cudaMemcpyKind { cudaMemcpyHostToHost = 0, cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2, cudaMemcpyDeviceToDevice = 3, cudaMemcpyDefault = 4 };
enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8, cudaFuncAttributePreferredSharedMemoryCarveout = 9, cudaFuncAttributeClusterDimMustBeSet = 10,
  cudaFuncAttributeNonPortableClusterSizeAllowed = 14
};
enum cudaFuncCache { cudaFuncCachePreferNone = 0, cudaFuncCachePreferShared = 1, cudaFuncCachePreferL1 = 2, cudaFuncCachePreferEqual = 3 };
enum cudaMemoryAdvise {
  cudaMemAdviseSetReadMostly = 1, cudaMemAdviseUnsetReadMostly = 2, cudaMemAdviseSetPreferredLocation = 3, cudaMemAdviseUnsetPreferredLocation = 4,
  cudaMemAdviseSetAccessedBy = 5, cudaMemAdviseUnsetAccessedBy = 6
};
enum cudaDeviceAttr { cudaDevAttrMaxThreadsPerBlock = 1, cudaDevAttrTotalConstantMemory = 9, cudaDevAttrMultiProcessorCount = 16, cudaDevAttrMaxSharedMemoryPerBlockOptin = 97 };

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
typedef struct CUmemPoolHandle_st *cudaMemPool_t;
typedef struct cudaArray *cudaArray_t;
typedef const struct cudaArray *cudaArray_const_t;
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
typedef unsigned long long cudaGraphConditionalHandle;
typedef unsigned long long CUdeviceptr;
typedef unsigned long long CUtexObject;
typedef unsigned long long CUsurfObject;
typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;
typedef struct curandStateXORWOW curandStateXORWOW_t, curandState_t, curandState;
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef void (*cudaStreamCallback_t)(cudaStream_t, cudaError_t, void *);
typedef void (*cudaHostFn_t)(void *);
struct cudaDeviceProp;
struct cudaFuncAttributes;
struct cudaPointerAttributes;
struct cudaChannelFormatDesc;
struct cudaResourceDesc;
struct cudaTextureDesc;
struct cudaResourceViewDesc;
struct cudaMemcpy3DParms;
struct cudaExtent { size_t width, height, depth; };
struct cudaPos { size_t x, y, z; };
struct cudaPitchedPtr { void *ptr; size_t pitch, xsize, ysize; };
`;
