/**
 * The words of OpenCL C that an editor offers besides functions and qualifiers: names of its types, keywords of C, attributes and
 * extensions.
 */
import type { Dialect, OpenCLStandard } from "../../dialect.ts";

const numbers = ["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double"];
const lengths = [2, 3, 4, 8, 16];
const others = ["bool", "void", "size_t", "ptrdiff_t", "intptr_t", "uintptr_t", "sampler_t", "event_t"];
const images = ["image1d", "image1d_array", "image1d_buffer", "image2d", "image2d_array", "image3d"].map((name) => `${name}_t`);
/** Types of OpenCL C 2.0 and later. */
const later = [
  ...["queue_t", "clk_event_t", "ndrange_t", "reserve_id_t", "memory_order", "memory_scope"],
  ...["atomic_flag", "atomic_int", "atomic_uint", "atomic_long", "atomic_ulong", "atomic_float", "atomic_double"],
  ...["image2d_depth_t", "image2d_array_depth_t"],
];
const declaring = ["const", "volatile", "unsigned", "signed", "struct", "union", "enum", "typedef", "static", "inline"];
const typeKeywords = ["const", "volatile", "unsigned", "signed", "struct", "union", "enum"];
const statements = ["if", "else", "for", "while", "do", "switch", "case", "default", "break", "continue", "return", "goto", "sizeof"];

/** The names of types that a standard has. */
export function typeWordsOf(dialect: Dialect): readonly string[] {
  if (dialect.language !== "opencl") return [];
  const vectors = numbers.flatMap((name) => [name, ...lengths.map((length) => `${name}${length}`)]);
  return [...vectors, ...others, ...images, ...(isEarly(dialect.standard) ? [] : later)];
}

/** The keywords of C that may stand in a body, where a statement may begin or elsewhere, or outside of one. */
export function keywordsIn(place: "body" | "file" | "parameters", beginsStatement = true): readonly string[] {
  if (place === "parameters") return typeKeywords;
  if (place === "file") return declaring;
  return beginsStatement ? [...declaring, ...statements] : [...typeKeywords, "sizeof"];
}

function isEarly(standard: OpenCLStandard): boolean {
  return standard === "CL1.0" || standard === "CL1.1" || standard === "CL1.2";
}

/** The functions and constants by which almost every kernel finds its place and synchronizes. */
export const everydayWords: ReadonlySet<string> = new Set([
  ...["get_global_id", "get_local_id", "get_group_id", "get_global_size", "get_local_size", "get_num_groups"],
  ...["barrier", "CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE"],
]);

/** Attributes with examples of their arguments; those that every device has come first (OpenCL C 3.0 §6.13). */
export const attributeWords: readonly { readonly name: string; readonly examples?: readonly string[] }[] = [
  { name: "reqd_work_group_size", examples: ["64", "1", "1"] },
  { name: "work_group_size_hint", examples: ["64", "1", "1"] },
  { name: "vec_type_hint", examples: ["float4"] },
  { name: "opencl_unroll_hint", examples: ["4"] },
  { name: "aligned", examples: ["16"] },
  { name: "packed" },
  { name: "endian", examples: ["host"] },
  { name: "nosvm" },
  { name: "intel_reqd_sub_group_size", examples: ["16"] },
  { name: "qcom_reqd_sub_group_size", examples: ['"half"'] },
  { name: "max_constant_size", examples: ["16384"] },
  { name: "always_inline" },
  { name: "noinline" },
  { name: "overloadable" },
  { name: "unused" },
];

const khronos = [
  ...["fp64", "fp16", "3d_image_writes", "byte_addressable_store", "depth_images", "device_enqueue_local_arg_types", "expect_assume"],
  ...["extended_bit_ops", "gl_msaa_sharing", "global_int32_base_atomics", "global_int32_extended_atomics", "int64_base_atomics"],
  ...["int64_extended_atomics", "integer_dot_product", "local_int32_base_atomics", "local_int32_extended_atomics", "mipmap_image"],
  ...["mipmap_image_writes", "select_fprounding_mode", "srgb_image_writes", "subgroup_ballot", "subgroup_clustered_reduce"],
  ...["subgroup_extended_types", "subgroup_named_barrier", "subgroup_non_uniform_arithmetic", "subgroup_non_uniform_vote"],
  ...["subgroup_rotate", "subgroup_shuffle", "subgroup_shuffle_relative", "subgroups", "work_group_uniform_arithmetic"],
];
const vendors = [
  ...["cl_ext_float_atomics", "cl_amd_fp64", "cl_amd_media_ops", "cl_amd_media_ops2", "cl_amd_printf", "cl_intel_printf"],
  ...["cl_intel_required_subgroup_size", "cl_intel_subgroups", "cl_intel_subgroups_char", "cl_intel_subgroups_long"],
  ...["cl_intel_subgroups_short", "cl_intel_subgroup_local_block_io", "cl_intel_media_block_io", "cl_nv_pragma_unroll"],
  ...["cl_qcom_reqd_sub_group_size", "cl_qcom_subgroup_shuffle", "cl_arm_integer_dot_product_int8", "cl_arm_printf"],
];

/** Names of extensions, those of the standard first. */
export const extensionWords: readonly string[] = [...khronos.map((name) => `cl_khr_${name}`), ...vendors];
