/** The macros that a compiler defines before it reads the first line, per dialect, and those of the command line. */
import type { CompileSettings, CudaDialect, Dialect, OpenCLDialect } from "../dialect.ts";
import { Environment, makeMacro, readDefinition } from "./macros.ts";
import { tokenize } from "./lexer.ts";

/** An environment with the predefined macros, then the settings' `-D` and `-U` in order. */
export function predefined(dialect: Dialect, settings: CompileSettings): Environment {
  const environment = new Environment();
  const entries = dialect.language === "opencl" ? openclMacros(dialect) : cudaMacros(dialect);
  for (const [name, value] of Object.entries(entries)) environment.define(makeMacro(name, undefined, false, tokenize(value, false), undefined));
  for (const name of ["__LINE__", "__FILE__", "__COUNTER__"]) environment.define({ ...makeMacro(name, undefined, false, [], undefined), isDynamic: true });
  for (const { name, value } of settings.macros) {
    if (value === undefined) environment.undefine(name);
    else {
      const macro = readDefinition(tokenize(`${name} ${value}`, true), "command line:");
      if (macro !== undefined) environment.define({ ...macro, definition: undefined });
    }
  }
  return environment;
}

/** OpenCL C 3.0 §6.11 and clang's own; versions as in `__OPENCL_C_VERSION__`. */
function openclMacros(dialect: OpenCLDialect): Record<string, string> {
  const macros: Record<string, string> = {
    CL_VERSION_1_0: "100",
    CL_VERSION_1_1: "110",
    CL_VERSION_1_2: "120",
    CL_VERSION_2_0: "200",
    CL_VERSION_3_0: "300",
    __ENDIAN_LITTLE__: "1",
    __IMAGE_SUPPORT__: "1",
    __GNUC__: "4",
    __clang__: "1",
  };
  const version = versions[dialect.standard];
  if (dialect.cplusplus) {
    macros["__OPENCL_CPP_VERSION__"] = dialect.standard === "clc++1.0" ? "100" : "202100";
    macros["__CL_CPP_VERSION_1_0__"] = "100";
    macros["__CL_CPP_VERSION_2021__"] = "202100";
    macros["__cplusplus"] = "201703L";
  } else {
    macros["__OPENCL_C_VERSION__"] = version;
  }
  macros["__OPENCL_VERSION__"] = version;
  for (const name of dialect.features) macros[name] = "1";
  return macros;
}

const versions: Readonly<Record<OpenCLDialect["standard"], string>> = { "CL1.0": "100", "CL1.1": "110", "CL1.2": "120", "CL2.0": "200", "CL3.0": "300", "clc++1.0": "200", "clc++2021": "300" };

/** The architecture that code is read for when nobody named one: present in every supported toolkit. */
const defaultArchitecture = 80;

const cplusplusVersions: Readonly<Record<number, string>> = { 11: "201103L", 14: "201402L", 17: "201703L", 20: "202002L", 23: "202302L" };

function cudaMacros(dialect: CudaDialect): Record<string, string> {
  const architecture = Math.max(0, ...dialect.architectures) || defaultArchitecture;
  const shared: Record<string, string> = {
    __cplusplus: cplusplusVersions[dialect.standard] ?? "201703L",
    __GNUC__: "12",
    __GNUC_MINOR__: "2",
    __GNUC_PATCHLEVEL__: "0",
    __GNUG__: "12",
    __x86_64__: "1",
    __x86_64: "1",
    __amd64__: "1",
    __LP64__: "1",
    _LP64: "1",
    __linux__: "1",
    __linux: "1",
    __unix__: "1",
    __ELF__: "1",
    __CHAR_BIT__: "8",
    __SIZEOF_INT128__: "16",
    __BYTE_ORDER__: "1234",
    __ORDER_LITTLE_ENDIAN__: "1234",
    __ORDER_BIG_ENDIAN__: "4321",
  };
  if (dialect.hip) return { ...shared, __HIP__: "1", __HIPCC__: "1", __HIP_PLATFORM_AMD__: "1", __HIP_DEVICE_COMPILE__: "1", __clang__: "1" };
  return {
    ...shared,
    __CUDACC__: "1",
    __NVCC__: "1",
    __CUDA__: "1",
    __CUDA_ARCH__: String(architecture * 10),
    __CUDA_ARCH_LIST__: String(architecture * 10),
    __CUDACC_VER_MAJOR__: "13",
    __CUDACC_VER_MINOR__: "0",
    __CUDACC_VER_BUILD__: "88",
    __CUDACC_EXTENDED_LAMBDA__: "1",
    __CUDACC_RELAXED_CONSTEXPR__: "1",
    CUDART_VERSION: "13000",
    CUDA_VERSION: "13000",
    __CUDA_API_VER_MAJOR__: "13",
    ...(dialect.relocatableDeviceCode ? { __CUDACC_RDC__: "1" } : {}),
  };
}
