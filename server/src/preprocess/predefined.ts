/**
 * The macros that a compiler defines before it reads the first line, per dialect, and those of the command line. OpenCL's are
 * clang's for a device, without those that describe the host; CUDA's are nvcc's on 64-bit Linux.
 */
import { type CompileSettings, type CudaDialect, type Dialect, isHostSide, type OpenCLDialect, singlePrecision } from "../dialect.ts";
import { cudaWords, type LanguageMode } from "./canonical.ts";
import type { Interner } from "./lexing/interner.ts";
import { tokenize } from "./lexing/lexer.ts";
import { libraryMacros } from "./macros/library-macros.ts";
import { Environment, ofOnePass, readDefinition, specialMacro } from "./macros/macros.ts";

/** An environment with the predefined macros of the dialect. */
export function predefined(dialect: Dialect, interner: Interner): Environment {
  const environment = new Environment(interner);
  const define = (text: string) => defineFrom(text, environment, interner);
  for (const text of common.trim().split("\n")) define(text);
  const own = dialect.language === "opencl" ? openclMacros(dialect) : cudaMacros(dialect);
  for (const [name, value] of Object.entries(own)) define(`${name} ${value}`);
  for (const name of dynamic) environment.define(specialMacro(name, "dynamic", interner));
  for (const name of [...hasOperators, ...(dialect.language === "cuda" ? cudaWords : [])])
    environment.define(specialMacro(name, "reserved", interner));
  return environment;
}

/** The settings' `-D` and `-U`, in order. */
export function defineFromSettings(
  { macros }: CompileSettings,
  { mode, dialect }: { readonly mode: LanguageMode; readonly dialect: Dialect },
  environment: Environment,
  interner: Interner,
): void {
  for (const { name, value } of macros) {
    // The language's own words cannot be redefined.
    if (mode.keywords.has(name)) continue;
    // Settings that tell tools to read the code for the device do not mean the compilation for the host.
    if (isHostSide(dialect) && ofDevicePass.has(name)) continue;
    if (value === undefined) {
      environment.undefine(interner.idOf(name));
      environment.define(specialMacro(absenceOf(name), "reserved", interner));
    } else defineFrom(`${name} ${value.replace(/[\r\n]+/g, " ")}`, environment, interner);
  }
}

/** The name that stands for "the settings say that this macro is not defined". */
function absenceOf(name: string): string {
  return `#absent ${name}`;
}

/**
 * True if the settings say whether a macro is defined before the first line, and no text has defined it; or if CUDA's and HIP's
 * compilers define it for the device alone.
 */
export function isSettled(name: string, environment: Environment, interner: Interner): boolean {
  const isDefined = (known: string) => environment.test(interner.idOf(known)) !== undefined;
  if (ofDevicePass.has(name) && (isDefined("__CUDACC__") || isDefined("__HIP__"))) return true;
  const macro = environment.test(interner.idOf(name));
  return macro === undefined ? environment.test(interner.idOf(absenceOf(name))) !== undefined : macro.definition === undefined;
}

/** HIP's headers, of which each includes `hip_common.h`. */
const hipHeader = /^[<"]hip\/hip_\w+\.h[>"]$/;

/**
 * What a header defines, although it is missing: HIP's headers tell nvcc that it compiles HIP, and libraries have words for execution
 * spaces. `name` has its quotes or brackets.
 */
export function defineFromMissing(name: string, environment: Environment, interner: Interner): void {
  const isDefined = (known: string) => environment.get(interner.idOf(known)) !== undefined;
  const ofLibrary = libraryMacros(name);
  if (ofLibrary.length > 0 && (isDefined("__CUDACC__") || isDefined("__HIPCC__")))
    for (const macro of ofLibrary) if (!isDefined(macro.slice(0, macro.indexOf(" ")))) defineFrom(macro, environment, interner);
  if (!hipHeader.test(name) || !isDefined("__CUDACC__")) return;
  for (const macro of ["__HIPCC__", "__HIP_PLATFORM_NVIDIA__", "__HIP_PLATFORM_NVCC__"]) defineFrom(`${macro} 1`, environment, interner);
}

/** Defines a macro from the text after `#define`. */
function defineFrom(text: string, environment: Environment, interner: Interner): void {
  const list = tokenize(text, interner, true);
  const macro = readDefinition(list, 0, list.count, undefined, interner);
  if (macro !== undefined) environment.define(ofDevicePass.has(macro.name) ? ofOnePass(macro) : macro);
}

/** CUDA and HIP compilers read a file once for the host and once for each device; these macros distinguish the passes. */
export const ofDevicePass: ReadonlySet<string> = new Set(["__CUDA_ARCH__", "__HIP_DEVICE_COMPILE__", "__AMDGCN__", "__AMDGPU__"]);

const dynamic = ["__LINE__", "__FILE__", "__FILE_NAME__", "__BASE_FILE__", "__COUNTER__", "__INCLUDE_LEVEL__"];

/** The operators of conditions. `defined` and `#ifdef` treat them as macros. */
export const hasOperators = [
  "__has_include",
  "__has_include_next",
  "__has_attribute",
  "__has_cpp_attribute",
  "__has_c_attribute",
  "__has_declspec_attribute",
  "__has_builtin",
  "__has_constexpr_builtin",
  "__has_feature",
  "__has_extension",
  "__has_warning",
  "__has_embed",
  "__is_identifier",
] as const;

/** Common to all targets: little endian, 64 bits. */
const common = `
__STDC__ 1
__STDC_HOSTED__ 1
__STDC_UTF_16__ 1
__STDC_UTF_32__ 1
__DATE__ "Jan  1 2000"
__TIME__ "00:00:00"
__TIMESTAMP__ "Sat Jan  1 00:00:00 2000"
__LP64__ 1
_LP64 1
__CHAR_BIT__ 8
__SCHAR_MAX__ 127
__SHRT_MAX__ 32767
__INT_MAX__ 2147483647
__LONG_MAX__ 9223372036854775807L
__INTMAX_MAX__ 9223372036854775807L
__UINTMAX_MAX__ 18446744073709551615UL
__SIZE_MAX__ 18446744073709551615UL
__PTRDIFF_MAX__ 9223372036854775807L
__INT8_MAX__ 127
__INT16_MAX__ 32767
__INT32_MAX__ 2147483647
__INT64_MAX__ 9223372036854775807L
__UINT8_MAX__ 255
__UINT16_MAX__ 65535
__UINT32_MAX__ 4294967295U
__UINT64_MAX__ 18446744073709551615UL
__SIZEOF_SHORT__ 2
__SIZEOF_INT__ 4
__SIZEOF_LONG__ 8
__SIZEOF_FLOAT__ 4
__SIZEOF_DOUBLE__ 8
__SIZEOF_POINTER__ 8
__SIZEOF_SIZE_T__ 8
__SIZEOF_PTRDIFF_T__ 8
__SIZEOF_WCHAR_T__ 4
__SIZE_TYPE__ unsigned long
__PTRDIFF_TYPE__ long
__INTPTR_TYPE__ long
__UINTPTR_TYPE__ unsigned long
__INT8_TYPE__ signed char
__INT16_TYPE__ short
__INT32_TYPE__ int
__INT64_TYPE__ long
__UINT8_TYPE__ unsigned char
__UINT16_TYPE__ unsigned short
__UINT32_TYPE__ unsigned int
__UINT64_TYPE__ unsigned long
__WCHAR_TYPE__ int
__ORDER_LITTLE_ENDIAN__ 1234
__ORDER_BIG_ENDIAN__ 4321
__ORDER_PDP_ENDIAN__ 3412
__BYTE_ORDER__ __ORDER_LITTLE_ENDIAN__
__FLT_RADIX__ 2
__FLT_DIG__ 6
__FLT_MANT_DIG__ 24
__FLT_MAX_EXP__ 128
__FLT_MIN_EXP__ (-125)
__FLT_MAX_10_EXP__ 38
__FLT_MIN_10_EXP__ (-37)
__FLT_MAX__ 3.40282347e+38F
__FLT_MIN__ 1.17549435e-38F
__FLT_EPSILON__ 1.19209290e-7F
__DBL_DIG__ 15
__DBL_MANT_DIG__ 53
__DBL_MAX_EXP__ 1024
__DBL_MIN_EXP__ (-1021)
__DBL_MAX_10_EXP__ 308
__DBL_MIN_10_EXP__ (-307)
__DBL_MAX__ 1.7976931348623157e+308
__DBL_MIN__ 2.2250738585072014e-308
__DBL_EPSILON__ 2.2204460492503131e-16
__USER_LABEL_PREFIX__
`;

/** OpenCL C 3.0 §6.11 and clang's own. */
function openclMacros(dialect: OpenCLDialect): Record<string, string> {
  const version = versions[dialect.standard];
  const macros: Record<string, string> = {
    CL_VERSION_1_0: "100",
    CL_VERSION_1_1: "110",
    CL_VERSION_1_2: "120",
    CL_VERSION_2_0: "200",
    CL_VERSION_3_0: "300",
    __OPENCL_VERSION__: version,
    __ENDIAN_LITTLE__: "1",
    __LITTLE_ENDIAN__: "1",
    __IMAGE_SUPPORT__: "1",
    cles_khr_int64: "1",
    __SIZEOF_LONG_LONG__: "16",
    __GNUC__: "4",
    __GNUC_MINOR__: "2",
    __GNUC_PATCHLEVEL__: "1",
    ...clang,
    "__kernel_exec(X, typen)": "__kernel __attribute__((work_group_size_hint(X, 1, 1))) __attribute__((vec_type_hint(typen)))",
    "kernel_exec(X, typen)": "__kernel_exec(X, typen)",
  };
  if (dialect.cplusplus) {
    macros["__OPENCL_CPP_VERSION__"] = dialect.standard === "clc++1.0" ? "100" : "202100";
    macros["__CL_CPP_VERSION_1_0__"] = "100";
    macros["__CL_CPP_VERSION_2021__"] = "202100";
    macros["__cplusplus"] = "201703L";
    macros["__GNUG__"] = "4";
  } else {
    macros["__OPENCL_C_VERSION__"] = version;
    macros["__STDC_VERSION__"] = "199901L";
    macros["__STRICT_ANSI__"] = "1";
  }
  // These features are always in OpenCL C 2.0; clang also defines their names as macros there.
  if (version === "200") for (const name of featuresOf20) macros[`__opencl_c_${name}`] = "1";
  for (const name of dialect.features) if (name !== singlePrecision) macros[name] = "1";
  return macros;
}

const versions: Readonly<Record<OpenCLDialect["standard"], string>> = {
  "CL1.0": "100",
  "CL1.1": "110",
  "CL1.2": "120",
  "CL2.0": "200",
  "CL3.0": "300",
  "clc++1.0": "200",
  "clc++2021": "300",
};
const featuresOf20 = [
  "atomic_order_acq_rel",
  "atomic_order_seq_cst",
  "atomic_scope_all_devices",
  "atomic_scope_device",
  "device_enqueue",
  "generic_address_space",
  "images",
  "pipes",
  "program_scope_global_variables",
  "read_write_images",
  "work_group_collective_functions",
];

const clang = { __clang__: "1", __clang_major__: "22", __clang_minor__: "1", __clang_patchlevel__: "0", __llvm__: "1" } as const;

/** The default architecture if none is configured: every supported toolkit has it. */
const defaultArchitecture = 80;

const cplusplusVersions: Readonly<Record<number, string>> = { 11: "201103L", 14: "201402L", 17: "201703L", 20: "202002L", 23: "202302L" };

/** Language features that code tests for (C++20 §15.11), with the standard that introduced them. */
const cplusplusFeatures: readonly (readonly [number, string, string])[] = [
  [11, "__cpp_rvalue_references", "200610L"],
  [11, "__cpp_variadic_templates", "200704L"],
  [11, "__cpp_lambdas", "200907L"],
  [11, "__cpp_static_assert", "200410L"],
  [11, "__cpp_decltype", "200707L"],
  [11, "__cpp_constexpr", "200704L"],
  [11, "__cpp_exceptions", "199711L"],
  [11, "__cpp_rtti", "199711L"],
  [14, "__cpp_constexpr", "201304L"],
  [14, "__cpp_generic_lambdas", "201304L"],
  [14, "__cpp_variable_templates", "201304L"],
  [17, "__cpp_constexpr", "201603L"],
  [17, "__cpp_if_constexpr", "201606L"],
  [17, "__cpp_inline_variables", "201606L"],
  [17, "__cpp_fold_expressions", "201603L"],
  [17, "__cpp_structured_bindings", "201606L"],
  [17, "__cpp_deduction_guides", "201703L"],
  [20, "__cpp_constexpr", "202002L"],
  [20, "__cpp_concepts", "202002L"],
  [20, "__cpp_conditional_explicit", "201806L"],
  [20, "__cpp_consteval", "202211L"],
];

function cudaMacros(dialect: CudaDialect): Record<string, string> {
  const architecture = Math.max(0, ...dialect.architectures) || defaultArchitecture;
  const shared: Record<string, string> = {
    __cplusplus: cplusplusVersions[dialect.standard] ?? "201703L",
    __GNUC__: "12",
    __GNUC_MINOR__: "2",
    __GNUC_PATCHLEVEL__: "0",
    __GNUG__: "12",
    _GNU_SOURCE: "1",
    __EXCEPTIONS: "1",
    __GXX_RTTI: "1",
    __GXX_ABI_VERSION: "1017",
    __x86_64__: "1",
    __x86_64: "1",
    __amd64__: "1",
    __amd64: "1",
    __SSE2__: "1",
    __linux__: "1",
    __linux: "1",
    __gnu_linux__: "1",
    linux: "1",
    __unix__: "1",
    __unix: "1",
    unix: "1",
    __ELF__: "1",
    __SIZEOF_LONG_LONG__: "8",
    __LONG_LONG_MAX__: "9223372036854775807LL",
    __SIZEOF_INT128__: "16",
    __VERSION__: '"12.2.0"',
  };
  for (const [standard, name, value] of cplusplusFeatures) if (standard <= dialect.standard) shared[name] = value;
  if (dialect.hip)
    return {
      ...shared,
      ...clang,
      __HIP__: "1",
      __HIPCC__: "1",
      __HIP_PLATFORM_AMD__: "1",
      // Its name before ROCm 6.
      __HIP_PLATFORM_HCC__: "1",
      ...(dialect.side === "host" ? {} : { __HIP_DEVICE_COMPILE__: "1", __AMDGCN__: "1", __AMDGPU__: "1" }),
    };
  return {
    ...shared,
    __CUDACC__: "1",
    ...(dialect.runtime === undefined ? { __NVCC__: "1" } : { __CUDACC_RTC__: "1" }),
    ...(dialect.side === "host" ? {} : { __CUDA_ARCH__: String(architecture * 10) }),
    __CUDA_ARCH_LIST__:
      dialect.architectures.length === 0
        ? String(architecture * 10)
        : [...dialect.architectures]
            .sort((a, b) => a - b)
            .map((one) => one * 10)
            .join(","),
    __CUDACC_VER_MAJOR__: "13",
    __CUDACC_VER_MINOR__: "0",
    __CUDACC_VER_BUILD__: "88",
    __CUDACC_EXTENDED_LAMBDA__: "1",
    __CUDACC_RELAXED_CONSTEXPR__: "1",
    CUDART_VERSION: "13000",
    CUDA_VERSION: "13000",
    __CUDA_API_VER_MAJOR__: "13",
    __CUDA_API_VER_MINOR__: "0",
    ...(dialect.relocatableDeviceCode ? { __CUDACC_RDC__: "1" } : {}),
  };
}
