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
