/**
 * Functions that CUDA C++ declares without any `#include`, in the notation of `notation.ts`. They are written from the CUDA C++
 * Programming Guide ("C++ Language Extensions"), the CUDA Runtime API and the CUDA Math API. `T` stands for each of the types
 * before `/1`. Parameters of any type are template parameters, as in the toolkit.
 */
import { makeVector } from "./cuda-prelude.ts";
import { expandFamily, type Family, readFamilies } from "./notation.ts";

const loadable =
  "char,signed char,short,int,long,long long,unsigned char,unsigned short,unsigned int,unsigned long,unsigned long long,float,double,char2,char4,short2,short4,int2,int4,longlong2,uchar2,uchar4,ushort2,ushort4,uint2,uint4,ulonglong2,float2,float4,double2,__half,__half2,__nv_bfloat16,__nv_bfloat162";
const shuffled =
  "int,unsigned int,long,unsigned long,long long,unsigned long long,float,double,__half,__half2,__nv_bfloat16,__nv_bfloat162";

const synchronization = `
- : __device__ void @() : __syncthreads __threadfence __threadfence_block __threadfence_system __trap __brkpt
- : __device__ int @(int) : __syncthreads_count __syncthreads_and __syncthreads_or
- : __device__ void @(unsigned int = 0xffffffff) : __syncwarp
- : __device__ int @(unsigned int, int) : __all_sync __any_sync
- : __device__ unsigned int @(unsigned int, int) : __ballot_sync
- : __device__ unsigned int @() : __activemask
- : __device__ int @(int) : __all __any
- : __device__ unsigned int @(int) : __ballot
${shuffled}/1 : __device__ T @(unsigned int, T, int, int = 32) : __shfl_sync __shfl_xor_sync
${shuffled}/1 : __device__ T @(unsigned int, T, unsigned int, int = 32) : __shfl_up_sync __shfl_down_sync
${shuffled}/1 : __device__ T @(T, int, int = 32) : __shfl __shfl_xor
${shuffled}/1 : __device__ T @(T, unsigned int, int = 32) : __shfl_up __shfl_down
int,unsigned int,long,unsigned long,long long,unsigned long long,float,double/1 : __device__ unsigned int @(unsigned int, T) : __match_any_sync
int,unsigned int,long,unsigned long,long long,unsigned long long,float,double/1 : __device__ unsigned int @(unsigned int, T, int *) : __match_all_sync
int,unsigned int/1 : __device__ T @(unsigned int, T) : __reduce_add_sync __reduce_min_sync __reduce_max_sync
- : __device__ unsigned int @(unsigned int, unsigned int) : __reduce_and_sync __reduce_or_sync __reduce_xor_sync
- : __device__ void @(unsigned int) : __nanosleep
- : __host__ __device__ clock_t @() : clock
- : __device__ long long @() : clock64
- : __host__ __device__ void @(bool) : __builtin_assume __assume
- : __host__ __device__ void @() : __builtin_unreachable
- : __host__ __device__ long @(long, long) : __builtin_expect
- : __host__ __device__ void *@(const void *, size_t) : __builtin_assume_aligned
- : __device__ size_t @(const void *) : __cvta_generic_to_global __cvta_generic_to_shared __cvta_generic_to_constant __cvta_generic_to_local __cvta_generic_to_grid_constant
- : __device__ void *@(size_t) : __cvta_global_to_generic __cvta_shared_to_generic __cvta_constant_to_generic __cvta_local_to_generic __cvta_grid_constant_to_generic
- : __device__ unsigned int @(const void *) : __isGlobal __isShared __isConstant __isLocal __isGridConstant
`;

const suffixed = (names: string): string =>
  names
    .split(" ")
    .flatMap((name) => [name, `${name}_block`, `${name}_system`])
    .join(" ");

const memory = `
int,unsigned int,unsigned long long,float,double,__half,__half2,__nv_bfloat16,__nv_bfloat162,float2,float4/1 : __device__ T @(T *, T) : ${suffixed("atomicAdd")}
int,unsigned int/1 : __device__ T @(T *, T) : ${suffixed("atomicSub")}
int,unsigned int,unsigned long long,float/1 : __device__ T @(T *, T) : ${suffixed("atomicExch")}
int,unsigned int,long long,unsigned long long/1 : __device__ T @(T *, T) : ${suffixed("atomicMin atomicMax")}
unsigned int/1 : __device__ T @(T *, T) : ${suffixed("atomicInc atomicDec")}
int,unsigned int,unsigned long long,unsigned short/1 : __device__ T @(T *, T, T) : ${suffixed("atomicCAS")}
int,unsigned int,unsigned long long/1 : __device__ T @(T *, T) : ${suffixed("atomicAnd atomicOr atomicXor")}
${loadable}/1 : __device__ T @(const T *) : __ldg __ldca __ldcg __ldcs __ldlu __ldcv
${loadable}/1 : __device__ void @(T *, T) : __stwb __stcg __stcs __stwt
int,unsigned int,long,unsigned long,long long,unsigned long long,float,double/1 : __device__ T @(T *, T, int, int = 4) : __nv_atomic_fetch_add __nv_atomic_fetch_sub __nv_atomic_fetch_min __nv_atomic_fetch_max __nv_atomic_exchange_n
int,unsigned int,long,unsigned long,long long,unsigned long long/1 : __device__ T @(T *, T, int, int = 4) : __nv_atomic_fetch_and __nv_atomic_fetch_or __nv_atomic_fetch_xor
int,unsigned int,long,unsigned long,long long,unsigned long long,float,double/1 : __device__ void @(T *, T, int, int = 4) : __nv_atomic_store_n
int,unsigned int,long,unsigned long,long long,unsigned long long,float,double/1 : __device__ T @(const T *, int, int = 4) : __nv_atomic_load_n
int,unsigned int,long,unsigned long,long long,unsigned long long/1 : __device__ bool @(T *, T *, T, bool, int, int, int = 4) : __nv_atomic_compare_exchange_n
- : __host__ __device__ void *@(size_t) : malloc
- : __host__ void *@(size_t, size_t) : calloc
- : __host__ void *@(void *, size_t) : realloc
- : __host__ __device__ void @(void *) : free
- : __host__ __device__ void *@(size_t) : alloca
- : __host__ __device__ void *@(void *, const void *, size_t) : memcpy
- : __host__ void *@(void *, const void *, size_t) : memmove
- : __host__ __device__ void *@(void *, int, size_t) : memset
- : __host__ int @(const void *, const void *, size_t) : memcmp
- : __host__ size_t @(const char *) : strlen
- : __host__ int @(const char *, const char *) : strcmp
- : __host__ char *@(char *, const char *) : strcpy strcat
- : __host__ __device__ int @(const char *, ...) : printf
- : __host__ int @(char *, const char *, ...) : sprintf
- : __host__ int @(char *, size_t, const char *, ...) : snprintf
- : __host__ __device__ void @(bool) : assert
- : __host__ void @(int) : exit
- : __host__ void @() : abort
`;

const rounded = (prefixes: string): string =>
  prefixes
    .split(" ")
    .flatMap((prefix) => ["rn", "rz", "ru", "rd"].map((mode) => `${prefix}_${mode}`))
    .join(" ");
const one =
  "sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp exp2 exp10 expm1 log log2 log10 log1p sqrt rsqrt cbrt rcbrt ceil floor trunc round rint nearbyint erf erfc erfinv erfcinv erfcx tgamma lgamma logb fabs sinpi cospi j0 j1 y0 y1 normcdf normcdfinv";
const two = "pow atan2 fmod remainder hypot rhypot fmin fmax fdim copysign nextafter";
const withF = (names: string): string =>
  names
    .split(" ")
    .map((name) => `${name}f`)
    .join(" ");

const math = `
float,double/1 : __host__ __device__ T @(T) : ${one}
- : __host__ __device__ float @(float) : ${withF(one)}
float,double/1 : __host__ __device__ T @(T, T) : ${two}
- : __host__ __device__ float @(float, float) : ${withF(two)} fdividef
float,double/1 : __host__ __device__ T @(T, T, T) : fma
- : __host__ __device__ float @(float, float, float) : fmaf
float,double/1 : __host__ __device__ T @(T, int *) : frexp
- : __host__ __device__ float @(float, int *) : frexpf
float,double/1 : __host__ __device__ T @(T, T *) : modf
- : __host__ __device__ float @(float, float *) : modff
float,double/1 : __host__ __device__ T @(T, T, int *) : remquo
- : __host__ __device__ float @(float, float, int *) : remquof
float,double/1 : __host__ __device__ void @(T, T *, T *) : sincos sincospi
- : __host__ __device__ void @(float, float *, float *) : sincosf sincospif
- : __device__ void @(float, float *, float *) : __sincosf
float,double/1 : __host__ __device__ T @(T, int) : ldexp scalbn
- : __host__ __device__ float @(float, int) : ldexpf scalbnf
float,double/1 : __host__ __device__ int @(T) : ilogb
float,double/1 : __host__ __device__ long @(T) : lrint lround
float,double/1 : __host__ __device__ long long @(T) : llrint llround
float,double/1 : __host__ __device__ bool @(T) : isnan isinf isfinite signbit
float,double/1 : __host__ __device__ T @(int, const T *) : norm rnorm
- : __host__ __device__ float @(int, const float *) : normf rnormf
int,long,long long,float,double/1 : __host__ __device__ T @(T) : abs
int,unsigned int,long,unsigned long,long long,unsigned long long,float,double/1 : __host__ __device__ T @(T, T) : min max
- : __device__ float @(float) : __expf __exp10f __logf __log2f __log10f __sinf __cosf __tanf __saturatef ${rounded("__fsqrt __frcp __frsqrt")}
- : __device__ float @(float, float) : __powf __fdividef ${rounded("__fadd __fsub __fmul __fdiv")}
- : __device__ float @(float, float, float) : ${rounded("__fmaf")}
- : __device__ double @(double) : ${rounded("__dsqrt __drcp")}
- : __device__ double @(double, double) : ${rounded("__dadd __dsub __dmul __ddiv")}
- : __device__ double @(double, double, double) : ${rounded("__fma")}
- : __device__ int @(unsigned int) : __popc
- : __device__ int @(unsigned long long) : __popcll
- : __device__ int @(int) : __clz __ffs
- : __device__ int @(long long) : __clzll __ffsll
- : __device__ unsigned int @(unsigned int) : __brev
- : __device__ unsigned long long @(unsigned long long) : __brevll
- : __device__ unsigned int @(unsigned int, unsigned int, unsigned int) : __byte_perm __funnelshift_l __funnelshift_lc __funnelshift_r __funnelshift_rc __usad
- : __device__ unsigned int @(int, int, unsigned int) : __sad
- : __device__ int @(int, int) : __mul24 __mulhi __hadd __rhadd
- : __device__ unsigned int @(unsigned int, unsigned int) : __umul24 __umulhi __uhadd __urhadd
- : __device__ long long @(long long, long long) : __mul64hi
- : __device__ unsigned long long @(unsigned long long, unsigned long long) : __umul64hi
int,unsigned int/1 : __device__ T @(T, T, T) : __dp4a __dp2a_lo __dp2a_hi
- : __device__ int @(float) : __float_as_int ${rounded("__float2int")}
- : __device__ unsigned int @(float) : __float_as_uint ${rounded("__float2uint")}
- : __device__ long long @(float) : ${rounded("__float2ll")}
- : __device__ unsigned long long @(float) : ${rounded("__float2ull")}
- : __device__ float @(int) : __int_as_float ${rounded("__int2float")}
- : __device__ float @(unsigned int) : __uint_as_float ${rounded("__uint2float")}
- : __device__ float @(long long) : ${rounded("__ll2float")}
- : __device__ float @(unsigned long long) : ${rounded("__ull2float")}
- : __device__ float @(double) : ${rounded("__double2float")}
- : __device__ int @(double) : __double2hiint __double2loint ${rounded("__double2int")}
- : __device__ unsigned int @(double) : ${rounded("__double2uint")}
- : __device__ long long @(double) : __double_as_longlong ${rounded("__double2ll")}
- : __device__ unsigned long long @(double) : ${rounded("__double2ull")}
- : __device__ double @(long long) : __longlong_as_double ${rounded("__ll2double")}
- : __device__ double @(unsigned long long) : ${rounded("__ull2double")}
- : __device__ double @(int, int) : __hiloint2double
- : __device__ double @(int) : __int2double_rn
- : __device__ double @(unsigned int) : __uint2double_rn
- : __host__ __device__ __half @(float) : __float2half __float2half_rn
- : __host__ __device__ float @(__half) : __half2float __low2float __high2float
- : __host__ __device__ __half2 @(__half, __half) : __halves2half2
- : __host__ __device__ __half2 @(float, float) : __floats2half2_rn
- : __host__ __device__ float2 @(__half2) : __half22float2
- : __host__ __device__ __nv_bfloat16 @(float) : __float2bfloat16 __float2bfloat16_rn
- : __host__ __device__ float @(__nv_bfloat16) : __bfloat162float
- : __host__ __device__ float2 @(__nv_bfloat162) : __bfloat1622float2
`;

const runtime = `
- : template <class T> __host__ __device__ cudaError_t @(T **, size_t) : cudaMalloc
- : template <class T> __host__ cudaError_t @(T **, size_t, unsigned int = 0) : cudaMallocHost cudaHostAlloc
- : template <class T> __host__ cudaError_t @(T **, size_t, unsigned int = 1) : cudaMallocManaged
- : template <class T> __host__ cudaError_t @(T **, size_t, cudaStream_t) : cudaMallocAsync
- : template <class T> __host__ cudaError_t @(T **, size_t *, size_t, size_t) : cudaMallocPitch
- : template <class T> __host__ cudaError_t @(T **, void *, unsigned int) : cudaHostGetDevicePointer
- : __host__ __device__ cudaError_t @(void *) : cudaFree
- : __host__ cudaError_t @(void *) : cudaFreeHost cudaHostUnregister
- : __host__ cudaError_t @(void *, cudaStream_t) : cudaFreeAsync
- : __host__ cudaError_t @(void *, size_t, unsigned int) : cudaHostRegister
- : __host__ cudaError_t @(void *, const void *, size_t, cudaMemcpyKind) : cudaMemcpy
- : __host__ __device__ cudaError_t @(void *, const void *, size_t, cudaMemcpyKind, cudaStream_t = 0) : cudaMemcpyAsync
- : __host__ cudaError_t @(void *, size_t, const void *, size_t, size_t, size_t, cudaMemcpyKind) : cudaMemcpy2D
- : __host__ __device__ cudaError_t @(void *, size_t, const void *, size_t, size_t, size_t, cudaMemcpyKind, cudaStream_t = 0) : cudaMemcpy2DAsync
- : __host__ cudaError_t @(void *, int, const void *, int, size_t) : cudaMemcpyPeer
- : __host__ cudaError_t @(void *, int, const void *, int, size_t, cudaStream_t = 0) : cudaMemcpyPeerAsync
- : __host__ cudaError_t @(void *, int, size_t) : cudaMemset
- : __host__ __device__ cudaError_t @(void *, int, size_t, cudaStream_t = 0) : cudaMemsetAsync
- : __host__ cudaError_t @(void *, size_t, int, size_t, size_t) : cudaMemset2D
- : template <class T> __host__ cudaError_t @(const T &, const void *, size_t, size_t = 0, cudaMemcpyKind = cudaMemcpyHostToDevice) : cudaMemcpyToSymbol
- : template <class T> __host__ cudaError_t @(const T &, const void *, size_t, size_t = 0, cudaMemcpyKind = cudaMemcpyHostToDevice, cudaStream_t = 0) : cudaMemcpyToSymbolAsync
- : template <class T> __host__ cudaError_t @(void *, const T &, size_t, size_t = 0, cudaMemcpyKind = cudaMemcpyDeviceToHost) : cudaMemcpyFromSymbol
- : template <class T> __host__ cudaError_t @(void *, const T &, size_t, size_t = 0, cudaMemcpyKind = cudaMemcpyDeviceToHost, cudaStream_t = 0) : cudaMemcpyFromSymbolAsync
- : template <class T> __host__ cudaError_t @(void **, const T &) : cudaGetSymbolAddress
- : template <class T> __host__ cudaError_t @(size_t *, const T &) : cudaGetSymbolSize
- : template <class T> __host__ cudaError_t @(T *, cudaFuncAttribute, int) : cudaFuncSetAttribute
- : template <class T> __host__ __device__ cudaError_t @(cudaFuncAttributes *, T *) : cudaFuncGetAttributes
- : template <class T> __host__ cudaError_t @(T *, cudaFuncCache) : cudaFuncSetCacheConfig
- : template <class T> __host__ cudaError_t @(T *, dim3, dim3, void **, size_t = 0, cudaStream_t = 0) : cudaLaunchKernel cudaLaunchCooperativeKernel
- : template <class T> __host__ __device__ cudaError_t @(int *, T, int, size_t) : cudaOccupancyMaxActiveBlocksPerMultiprocessor
- : template <class T> __host__ cudaError_t @(int *, int *, T, size_t = 0, int = 0) : cudaOccupancyMaxPotentialBlockSize
- : __host__ cudaError_t @(cudaPointerAttributes *, const void *) : cudaPointerGetAttributes
- : __host__ cudaError_t @(const void *, size_t, int, cudaStream_t = 0) : cudaMemPrefetchAsync
- : __host__ cudaError_t @(const void *, size_t, cudaMemoryAdvise, int) : cudaMemAdvise
- : __host__ cudaError_t @(size_t *, size_t *) : cudaMemGetInfo
- : __host__ __device__ cudaError_t @() : cudaDeviceSynchronize cudaGetLastError cudaPeekAtLastError
- : __host__ cudaError_t @() : cudaDeviceReset cudaThreadSynchronize cudaProfilerStart cudaProfilerStop
- : __host__ __device__ const char *@(cudaError_t) : cudaGetErrorString cudaGetErrorName
- : __host__ __device__ cudaError_t @(int *) : cudaGetDevice cudaGetDeviceCount
- : __host__ __device__ cudaError_t @(int *) : cudaRuntimeGetVersion
- : __host__ cudaError_t @(int *) : cudaDriverGetVersion
- : __host__ cudaError_t @(int) : cudaSetDevice
- : __host__ cudaError_t @(unsigned int) : cudaSetDeviceFlags
- : __host__ cudaError_t @(cudaDeviceProp *, int) : cudaGetDeviceProperties
- : __host__ __device__ cudaError_t @(int *, cudaDeviceAttr, int) : cudaDeviceGetAttribute
- : __host__ cudaError_t @(int, unsigned int) : cudaDeviceEnablePeerAccess
- : __host__ cudaError_t @(int *, int, int) : cudaDeviceCanAccessPeer
- : __host__ cudaError_t @(cudaStream_t *) : cudaStreamCreate
- : __host__ __device__ cudaError_t @(cudaStream_t *, unsigned int) : cudaStreamCreateWithFlags
- : __host__ cudaError_t @(cudaStream_t *, unsigned int, int) : cudaStreamCreateWithPriority
- : __host__ __device__ cudaError_t @(cudaStream_t) : cudaStreamDestroy
- : __host__ cudaError_t @(cudaStream_t) : cudaStreamSynchronize cudaStreamQuery
- : __host__ __device__ cudaError_t @(cudaStream_t, cudaEvent_t, unsigned int = 0) : cudaStreamWaitEvent
- : __host__ cudaError_t @(cudaStream_t, cudaStreamCallback_t, void *, unsigned int) : cudaStreamAddCallback
- : __host__ cudaError_t @(cudaStream_t, cudaHostFn_t, void *) : cudaLaunchHostFunc
- : __host__ cudaError_t @(cudaEvent_t *) : cudaEventCreate
- : __host__ __device__ cudaError_t @(cudaEvent_t *, unsigned int) : cudaEventCreateWithFlags
- : __host__ __device__ cudaError_t @(cudaEvent_t, cudaStream_t = 0) : cudaEventRecord
- : __host__ cudaError_t @(cudaEvent_t) : cudaEventSynchronize cudaEventQuery
- : __host__ __device__ cudaError_t @(cudaEvent_t) : cudaEventDestroy
- : __host__ cudaError_t @(float *, cudaEvent_t, cudaEvent_t) : cudaEventElapsedTime
- : __host__ cudaError_t @(cudaTextureObject_t *, const cudaResourceDesc *, const cudaTextureDesc *, const cudaResourceViewDesc *) : cudaCreateTextureObject
- : __host__ cudaError_t @(cudaTextureObject_t) : cudaDestroyTextureObject
- : __host__ cudaError_t @(cudaArray_t) : cudaFreeArray
- : __host__ cudaExtent @(size_t, size_t, size_t) : make_cudaExtent
- : __host__ cudaPos @(size_t, size_t, size_t) : make_cudaPos
- : __host__ cudaPitchedPtr @(void *, size_t, size_t, size_t) : make_cudaPitchedPtr
`;

/** Functions of textures by the coordinates that they take. The object may also be one of HIP, or a reference of CUDA before 12. */
const textures = [
  ["tex1Dfetch", "int"],
  ["tex1D", "float"],
  ["tex1DLayered", "float, int"],
  ["tex2D tex1DLod", "float, float"],
  ["tex3D texCubemap tex2DLod tex1DGrad", "float, float, float"],
  ["tex2DLayered", "float, float, int"],
  ["tex1DLayeredLod", "float, int, float"],
  ["tex2DLayeredLod", "float, float, int, float"],
  ["texCubemapLayered", "float, float, float, int"],
  ["tex3DLod texCubemapLod", "float, float, float, float"],
  ["tex2DGrad", "float, float, float2, float2"],
  ["tex3DGrad", "float, float, float, float4, float4"],
  ["tex2Dgather", "float, float, int = 0"],
].map(([names, coordinates]) => `- : template <class T, class O> __device__ T @(O, ${coordinates}) : ${names}`);

/** Functions that write to surfaces, by the coordinates that they take. */
const surfaces = [
  ["surf1Dwrite", "int"],
  ["surf2Dwrite surf1DLayeredwrite", "int, int"],
  ["surf3Dwrite surf2DLayeredwrite surfCubemapwrite surfCubemapLayeredwrite", "int, int, int"],
].map(([names, coordinates]) => `- : template <class T, class O> __device__ void @(T, O, ${coordinates}, int = 0) : ${names}`);

let families: ReadonlyMap<string, readonly Family[]> | undefined;

function cudaFamilies(): ReadonlyMap<string, readonly Family[]> {
  families ??= readFamilies([synchronization, memory, math, runtime, ...textures, ...surfaces].join("\n"));
  return families;
}

/** The declarations of every overload of a CUDA function, or undefined if there is none of that name. */
export function cudaFunction(name: string): string | undefined {
  const declarations = (cudaFamilies().get(name) ?? []).flatMap((family) => expandFamily(family, name, "cuda"));
  return declarations.length === 0 ? makeVector(name) : declarations.map((declaration) => `${declaration};`).join("\n");
}

/** The names of the CUDA functions in this file. The functions `make_…` are not among them. */
export function cudaFunctionNames(): readonly string[] {
  return [...cudaFamilies().keys()];
}
