/**
 * Type names that a language has without any declaration: primitive words, OpenCL's scalars, vectors and opaque types (OpenCL C
 * 3.0 §6.3.1–6.3.3). CUDA's vector types are records in `builtins/` instead.
 */
import type { Language, OpenCLDialect } from "../../dialect.ts";
import { answerOf } from "../../tracked-dialect.ts";
import { type ArithmeticName, arithmetic, type SizeName, type Type, unknownType, unqualified, voidType } from "./types.ts";

const openclScalars: Readonly<Record<string, ArithmeticName>> = {
  bool: "bool",
  char: "char",
  uchar: "unsigned char",
  short: "short",
  ushort: "unsigned short",
  int: "int",
  uint: "unsigned int",
  long: "long",
  ulong: "unsigned long",
  half: "half",
  float: "float",
  double: "double",
  size_t: "unsigned long",
  ptrdiff_t: "long",
  intptr_t: "long",
  uintptr_t: "unsigned long",
};

const openclOpaque =
  /^(image(1d|1d_array|1d_buffer|2d|2d_array|2d_depth|2d_array_depth|2d_msaa|2d_array_msaa|2d_msaa_depth|2d_array_msaa_depth|3d)_t|sampler_t|event_t|queue_t|ndrange_t|clk_event_t|reserve_id_t)$/;
const openclVector = /^(u?char|u?short|u?int|u?long|half|float|double)(2|3|4|8|16)$/;
const openclAtomic: Readonly<Record<string, ArithmeticName>> = {
  atomic_int: "int",
  atomic_uint: "unsigned int",
  atomic_long: "long",
  atomic_ulong: "unsigned long",
  atomic_half: "half",
  atomic_float: "float",
  atomic_double: "double",
  atomic_flag: "int",
  atomic_intptr_t: "long",
  atomic_uintptr_t: "unsigned long",
  atomic_size_t: "unsigned long",
  atomic_ptrdiff_t: "long",
};

/** The type of an OpenCL type name, or undefined if no standard has that name. `lacks` tells which standards have it. */
export function openclTypeOfName(name: string): Type | undefined {
  const scalar = openclScalars[name];
  if (scalar !== undefined && Object.hasOwn(openclScalars, name))
    return isSizeName(name) ? { kind: "arithmetic", name: scalar, alias: name, qualifiers: unqualified } : arithmetic(scalar);
  const vector = openclVector.exec(name);
  if (vector !== null) {
    const element = openclScalars[vector[1] ?? ""];
    if (element !== undefined) return { kind: "vector", element, length: Number(vector[2]), qualifiers: unqualified };
  }
  if (openclOpaque.test(name)) return { kind: "opaque", name, qualifiers: unqualified };
  if (Object.hasOwn(openclAtomic, name)) {
    const value = openclAtomic[name];
    if (value !== undefined) return { kind: "atomic", value: arithmetic(value), qualifiers: unqualified };
  }
  return undefined;
}

/**
 * True for a type, a function, `pipe`, `block` or `read_write` that the dialect lacks (OpenCL C 3.0 §6.3.1, §6.3.3, §6.8,
 * §6.12.5): new in 2.0 and optional since then, or missing on the device according to the settings.
 */
export function lacks(dialect: OpenCLDialect, name: string): boolean {
  return answerOf(dialect, `lacks ${name}`, (of) => isLacking(of, name));
}

/** The optional feature of this standard that includes the name; undefined if the standard has it always or never. */
export function neededFeature(dialect: OpenCLDialect, name: string): string | undefined {
  return answerOf(dialect, `needs for ${name}`, ({ standard }) => neededIn(standard, name));
}

function neededIn(standard: OpenCLDialect["standard"], name: string): string | undefined {
  const isUnified = standard === "CL3.0" || standard === "clc++2021";
  if (/^double\d*$/.test(name)) return "cl_khr_fp64";
  if (name.startsWith("image") || name === "sampler_t") return isUnified ? "__opencl_c_images" : undefined;
  const needs = featureOf(name);
  return isUnified && needs !== "" ? needs : undefined;
}

function isLacking({ standard, features }: OpenCLDialect, name: string): boolean {
  const isUnified = standard === "CL3.0" || standard === "clc++2021";
  if (/^double\d*$/.test(name)) return !features.has("cl_khr_fp64") || (isUnified && !features.has("__opencl_c_fp64"));
  if (name.startsWith("image") || name === "sampler_t") return isUnified && !features.has("__opencl_c_images");
  const needs = featureOf(name);
  if (needs === undefined || standard === "CL2.0" || standard === "clc++1.0") return false;
  return standard.startsWith("CL1") || (needs !== "" && !features.has(needs));
}

/** The optional feature of 3.0 for a name that is new in 2.0; empty if 3.0 always has it. */
function featureOf(name: string): string | undefined {
  if (Object.hasOwn(openclAtomic, name)) return "";
  if (name === "read_write") return "__opencl_c_read_write_images";
  if (name === "pipe" || name === "reserve_id_t") return "__opencl_c_pipes";
  if (name === "block" || name === "queue_t" || name === "clk_event_t" || name === "ndrange_t") return "__opencl_c_device_enqueue";
  return functionsOf20.find(([pattern]) => pattern.test(name))?.[1];
}

/** Functions introduced in OpenCL C 2.0, and the feature of 3.0 that includes them (OpenCL C 3.0 §6.15.10, §6.15.12, §6.15.16–6.15.18). */
const functionsOf20: readonly (readonly [RegExp, string])[] = [
  [/^(?:to_(?:global|local|private)|get_fence)$/, "__opencl_c_generic_address_space"],
  [
    /^(?:enqueue_(?:kernel|marker)|get_default_queue|ndrange_[123]D|(?:retain|release|is_valid)_event|create_user_event|set_user_event_status|capture_event_profiling_info|get_kernel_(?:preferred_)?work_group_size(?:_multiple)?)$/,
    "__opencl_c_device_enqueue",
  ],
  [
    /^(?:(?:work_group_)?(?:reserve|commit)_(?:read|write)_pipe|(?:read|write)_pipe|is_valid_reserve_id|get_pipe_(?:num|max)_packets)$/,
    "__opencl_c_pipes",
  ],
  [/^work_group_(?:all|any|broadcast|(?:reduce|scan_(?:in|ex)clusive)_(?:add|min|max))$/, "__opencl_c_work_group_collective_functions"],
  [
    /^(?:work_group_barrier|atomic_work_item_fence|atomic_(?:init|load|store|exchange|compare_exchange_(?:strong|weak)|fetch_(?:add|sub|or|xor|and|min|max)|flag_(?:test_and_set|clear))(?:_explicit)?)$/,
    "",
  ],
];

/** Whether a type of this name has the size of the device's addresses. */
export function isSizeName(name: string): name is SizeName {
  return name === "size_t" || name === "ptrdiff_t" || name === "intptr_t" || name === "uintptr_t";
}

/** The type of a combination of primitive words such as `unsigned long long int` (C11 §6.7.2p2); unknown for invalid ones. */
export function typeOfPrimitive(words: readonly string[], language: Language): Type {
  const has = (word: string) => words.includes(word);
  if (has("void")) return voidType;
  for (const name of ["bool", "half", "float", "wchar_t", "char16_t", "char32_t", "char8_t"] as const)
    if (has(name)) return arithmetic(name);
  if (has("_Bool")) return arithmetic("bool");
  if (has("double")) return arithmetic(has("long") ? "long double" : "double");
  const unsigned = has("unsigned");
  if (has("char")) return arithmetic(unsigned ? "unsigned char" : has("signed") ? "signed char" : "char");
  if (has("short")) return arithmetic(unsigned ? "unsigned short" : "short");
  if (has("__int128")) return arithmetic(unsigned ? "unsigned __int128" : "__int128");
  if (words.indexOf("long") !== words.lastIndexOf("long") && language === "cuda")
    return arithmetic(unsigned ? "unsigned long long" : "long long");
  if (has("long")) return arithmetic(unsigned ? "unsigned long" : "long");
  if (has("int") || unsigned || has("signed")) return arithmetic(unsigned ? "unsigned int" : "int");
  if (words.length === 1 && words[0] !== undefined) {
    const own = language === "opencl" ? openclTypeOfName(words[0]) : undefined;
    return own ?? fixedWidth(words[0]) ?? unknownType;
  }
  return unknownType;
}

const widths: Readonly<Record<string, readonly [ArithmeticName, ArithmeticName]>> = {
  "8": ["signed char", "unsigned char"],
  "16": ["short", "unsigned short"],
  "32": ["int", "unsigned int"],
  "64": ["long", "unsigned long"],
  ptr: ["long", "unsigned long"],
  max: ["long", "unsigned long"],
};

/**
 * The type of `uint32_t` and the like. `<cstdint>` is never available, but its names are standard (C11 §7.20). GCC and clang declare
 * `__int128_t` and `__uint128_t` themselves.
 */
export function fixedWidth(name: string): Type | undefined {
  const match = /^(u?)int(?:_least|_fast)?(8|16|32|64|ptr|max)_t$/.exec(name);
  if (match !== null) {
    const pair = widths[match[2] ?? ""];
    if (pair !== undefined) return arithmetic(match[1] === "u" ? pair[1] : pair[0]);
  }
  if (name === "size_t") return arithmetic("unsigned long");
  if (name === "ptrdiff_t" || name === "ssize_t") return arithmetic("long");
  if (name === "__int128_t") return arithmetic("__int128");
  if (name === "__uint128_t") return arithmetic("unsigned __int128");
  return undefined;
}
