/** What single words of the languages mean: attributes, and constants that kernels pass to functions. */

/** Attributes by name. */
export const attributeTexts: Readonly<Record<string, string>> = {
  reqd_work_group_size: "The host must launch the kernel with work-groups of exactly this size",
  work_group_size_hint: "The size of work-groups that the host will most likely use",
  vec_type_hint: "The type that the kernel computes with, as a hint for vectorizing",
  intel_reqd_sub_group_size: "The kernel is compiled for sub-groups of this size",
  qcom_reqd_sub_group_size: "The kernel is compiled for sub-groups of this size",
  nosvm: "The host never passes shared virtual memory (SVM) for this pointer",
  opencl_unroll_hint: "The loop is unrolled this many times",
  aligned: "The address is a multiple of this number of bytes",
  packed: "Members follow each other without padding",
  endian: "The byte order of the values: the host's or the device's",
  max_constant_size: "The host passes at most this many bytes for the `__constant` pointer (AMD)",
  always_inline: "Every call is replaced by the function's body",
  noinline: "Calls are never replaced by the function's body",
  overloadable: "Several functions of this name are told apart by their parameters",
  address_space: "An address space by the number that the target gives it",
  vector_size: "A vector of this many bytes",
  ext_vector_type: "A vector of this many elements",
  unused: "The compiler does not warn if nothing uses it",
  asm: "Instructions of the target",
  __asm: "Instructions of the target",
  __asm__: "Instructions of the target",
};

/** Constants by name. */
export const constantTexts: Readonly<Record<string, string>> = {
  CLK_LOCAL_MEM_FENCE: "Local memory: after the barrier, the work-group sees all writes before it",
  CLK_GLOBAL_MEM_FENCE: "Global memory: after the barrier, the work-group sees all writes before it",
  CLK_IMAGE_MEM_FENCE: "Images: after the barrier, the work-group sees all writes before it",
  CLK_NORMALIZED_COORDS_TRUE: "Sampler: coordinates from 0 to 1",
  CLK_NORMALIZED_COORDS_FALSE: "Sampler: coordinates in pixels",
  CLK_ADDRESS_NONE: "Sampler: the kernel never reads outside of the image",
  CLK_ADDRESS_CLAMP: "Sampler: reads outside of the image give the border color",
  CLK_ADDRESS_CLAMP_TO_EDGE: "Sampler: reads outside of the image give the nearest pixel of its edge",
  CLK_ADDRESS_REPEAT: "Sampler: the image repeats; needs normalized coordinates",
  CLK_ADDRESS_MIRRORED_REPEAT: "Sampler: the image repeats, mirrored; needs normalized coordinates",
  true: "A constant of the language with the value 1",
  false: "A constant of the language with the value 0",
  CLK_FILTER_NEAREST: "Sampler: the nearest pixel",
  CLK_FILTER_LINEAR: "Sampler: linear interpolation between the neighboring pixels",
};
