/** The words of OpenCL C that begin a declaration or a statement: names of its types, and keywords of C. */
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
const statements = ["if", "else", "for", "while", "do", "switch", "case", "default", "break", "continue", "return", "goto", "sizeof"];

/** The names of types that a standard has. */
export function typeWordsOf(dialect: Dialect): readonly string[] {
  if (dialect.language !== "opencl") return [];
  const vectors = numbers.flatMap((name) => [name, ...lengths.map((length) => `${name}${length}`)]);
  return [...vectors, ...others, ...images, ...(isEarly(dialect.standard) ? [] : later)];
}

/** The keywords of C that may stand in a body, or outside of one. */
export function keywordsIn(place: "body" | "file" | "parameters"): readonly string[] {
  if (place === "parameters") return ["const", "volatile", "unsigned", "signed", "struct", "union", "enum"];
  return place === "body" ? [...declaring, ...statements] : declaring;
}

function isEarly(standard: OpenCLStandard): boolean {
  return standard === "CL1.0" || standard === "CL1.1" || standard === "CL1.2";
}
