/**
 * The macros of public libraries that stand for execution spaces, under nvcc and hipcc. A project often includes a library that is not
 * in its folder, and without these words its kernels would not be recognized. Each has the library's own meaning in all releases since
 * it exists; anything else of a missing header stays unknown.
 */

interface LibraryMacros {
  /** The names in `#include`s, without their quotes or brackets. */
  readonly headers: RegExp;
  /** As after `#define`. */
  readonly macros: readonly string[];
}

const libraries: readonly LibraryMacros[] = [
  {
    // CUTLASS, `cutlass/detail/helper_macros.hpp` and `cute/config.hpp`
    headers: /^(?:cutlass|cute)\//,
    macros: [
      "CUTLASS_HOST_DEVICE __forceinline__ __device__ __host__",
      "CUTLASS_DEVICE __forceinline__ __device__",
      "CUTLASS_HOST __host__",
      "CUTLASS_GLOBAL __global__ static",
      "CUTE_HOST_DEVICE __forceinline__ __host__ __device__",
      "CUTE_DEVICE __forceinline__ __device__",
      "CUTE_HOST __forceinline__ __host__",
    ],
  },
  {
    // RAFT, `raft/core/detail/macros.hpp`
    headers: /^raft\//,
    macros: [
      "RAFT_KERNEL static __global__ void",
      "RAFT_INLINE_FUNCTION __host__ __device__ __forceinline__",
      "RAFT_DEVICE_INLINE_FUNCTION __device__ __forceinline__",
    ],
  },
  {
    // cuDF, `cudf/types.hpp`
    headers: /^cudf\//,
    macros: ["CUDF_HOST_DEVICE __host__ __device__", "CUDF_KERNEL __global__ static"],
  },
  {
    // CCCL (libcu++, Thrust, CUB) since 2.2, `cuda/std/__cccl/execution_space.h`
    headers: /^(?:cuda|thrust|cub)\//,
    macros: [
      "_CCCL_HOST_DEVICE __host__ __device__",
      "_CCCL_DEVICE __device__",
      "_CCCL_HOST __host__",
      "_CCCL_FORCEINLINE __forceinline__",
    ],
  },
  {
    // Eigen, `Eigen/src/Core/util/Macros.h`
    headers: /^(?:unsupported\/)?Eigen\//,
    macros: ["EIGEN_DEVICE_FUNC __host__ __device__", "EIGEN_STRONG_INLINE inline", "EIGEN_ALWAYS_INLINE inline"],
  },
  {
    // Kokkos with its CUDA or HIP backend, `Kokkos_Macros.hpp`
    headers: /^Kokkos_\w+\.hpp$/,
    macros: [
      "KOKKOS_FUNCTION __host__ __device__",
      "KOKKOS_INLINE_FUNCTION __host__ __device__ inline",
      "KOKKOS_FORCEINLINE_FUNCTION __host__ __device__ __forceinline__",
      "KOKKOS_LAMBDA [=] __host__ __device__",
      "KOKKOS_CLASS_LAMBDA [=, *this] __host__ __device__",
    ],
  },
  {
    // RAJA, `RAJA/util/macros.hpp`
    headers: /^RAJA\//,
    macros: ["RAJA_HOST_DEVICE __host__ __device__", "RAJA_DEVICE __device__", "RAJA_INLINE inline"],
  },
  {
    // AMReX, `AMReX_GpuQualifiers.H`
    headers: /^AMReX\w*\.H$/,
    macros: [
      "AMREX_GPU_HOST_DEVICE __host__ __device__",
      "AMREX_GPU_DEVICE __device__",
      "AMREX_GPU_HOST __host__",
      "AMREX_GPU_GLOBAL __global__",
      "AMREX_FORCE_INLINE __forceinline__",
    ],
  },
  {
    // MFEM, `general/backends.hpp`
    headers: /^mfem(?:\.hpp$|\/)/,
    macros: ["MFEM_HOST_DEVICE __host__ __device__", "MFEM_DEVICE __device__"],
  },
  {
    // Ginkgo, `ginkgo/core/base/types.hpp`
    headers: /^ginkgo\//,
    macros: ["GKO_ATTRIBUTES __host__ __device__", "GKO_INLINE __forceinline__"],
  },
  {
    // TNL, `TNL/Cuda/CudaCallable.h`
    headers: /^TNL\//,
    macros: ["__cuda_callable__ __device__ __host__"],
  },
  {
    // VTK-m, `vtkm/internal/ExportMacros.h`
    headers: /^vtkm\//,
    macros: ["VTKM_EXEC __device__ __host__", "VTKM_EXEC_CONT __device__ __host__"],
  },
  {
    // alpaka, `alpaka/core/Common.hpp`
    headers: /^alpaka\//,
    macros: ["ALPAKA_FN_HOST_ACC __device__ __host__", "ALPAKA_FN_HOST __host__"],
  },
  {
    // Celeritas, `corecel/Macros.hh`
    headers: /^(?:corecel|celeritas)\//,
    macros: ["CELER_FUNCTION __host__ __device__", "CELER_FORCEINLINE_FUNCTION __host__ __device__ __forceinline__"],
  },
  {
    // OpenCV, `opencv2/core/cuda_types.hpp`
    headers: /^opencv2\//,
    macros: ["__CV_CUDA_HOST_DEVICE__ __host__ __device__ __forceinline__"],
  },
  {
    // Open3D, `open3d/core/CUDAUtils.h`
    headers: /^open3d\//i,
    macros: ["OPEN3D_HOST_DEVICE __host__ __device__", "OPEN3D_DEVICE __device__"],
  },
  {
    // PhysX, `foundation/PxPreprocessor.h`
    headers: /^(?:foundation\/)?Px\w+\.h$/,
    macros: ["PX_CUDA_CALLABLE __host__ __device__"],
  },
  {
    // XGBoost, `xgboost/base.h`
    headers: /^xgboost\//,
    macros: ["XGBOOST_DEVICE __host__ __device__"],
  },
  {
    // PaddlePaddle, `paddle/phi/core/hostdevice.h`
    headers: /^paddle\//,
    macros: ["HOSTDEVICE __host__ __device__", "DEVICE __device__", "HOST __host__"],
  },
  {
    // rocPRIM and hipCUB, `rocprim/config.hpp`, `hipcub/config.hpp`
    headers: /^(?:rocprim|hipcub)\//,
    macros: [
      "ROCPRIM_HOST_DEVICE __host__ __device__",
      "ROCPRIM_DEVICE __device__",
      "ROCPRIM_HOST __host__",
      "ROCPRIM_KERNEL __global__",
      "ROCPRIM_SHARED_MEMORY __shared__",
      "HIPCUB_HOST_DEVICE __host__ __device__",
      "HIPCUB_DEVICE __device__",
      "HIPCUB_HOST __host__",
      "HIPCUB_SHARED_MEMORY __shared__",
    ],
  },
  {
    // Composable Kernel, `ck_tile/core/config.hpp`
    headers: /^ck_tile\//,
    macros: ["CK_TILE_HOST_DEVICE inline __host__ __device__", "CK_TILE_DEVICE inline __device__", "CK_TILE_HOST inline __host__"],
  },
  {
    // PyTorch, `c10/macros/Macros.h`
    headers: /^(?:c10|ATen|torch)\//,
    macros: ["C10_HOST_DEVICE __host__ __device__", "C10_DEVICE __device__", "C10_HOST __host__"],
  },
];

/** The macros for execution spaces that a missing header of a library defines, each as after `#define`; `name` has its quotes or brackets. */
export function libraryMacros(name: string): readonly string[] {
  const plain = name.slice(1, -1);
  return libraries.find(({ headers }) => headers.test(plain))?.macros ?? [];
}
