/**
 * The language, standard and optional features that a file is judged by, and the compile settings that select them. `settings/`
 * reads settings from flags and files; `semantics/` decides what a dialect means for a conversion or a declaration.
 */
import type { Location } from "./source.ts";

/** CUDA C++ (with HIP), or OpenCL C (with C++ for OpenCL). */
export type Language = "opencl" | "cuda";

/** A standard as `-cl-std` spells it. */
export type OpenCLStandard = "CL1.0" | "CL1.1" | "CL1.2" | "CL2.0" | "CL3.0" | "clc++1.0" | "clc++2021";

/** OpenCL C, or C++ for OpenCL, in one standard with one set of optional features. */
export interface OpenCLDialect {
  readonly language: "opencl";
  readonly standard: OpenCLStandard;
  /** The name that messages show: `OpenCL C 3.0 without generic address space`. */
  readonly label: string;
  readonly cplusplus: boolean;
  /** The generic address space exists: OpenCL C 2.0 and C++ for OpenCL 1.0 always, 3.0 / 2021 by `__opencl_c_generic_address_space`. */
  readonly genericAddressSpace: boolean;
  /** Program-scope variables may live in global: 2.0 always, 3.0 by `__opencl_c_program_scope_global_variables`. */
  readonly programScopeGlobalVariables: boolean;
  /** Names of the optional features and extensions that are on, without values: `__opencl_c_images`, `cl_khr_fp64`. */
  readonly features: ReadonlySet<string>;
  /** Whether a feature or an extension is on. */
  has(feature: string): boolean;
  /** Records a question about the dialect; present only in dialects that record their questions (`tracked-dialect.ts`). */
  readonly note?: <Answer>(name: string, ask: (of: OpenCLDialect) => Answer) => Answer;
}

/** A compiler of the host code that gives device code less than others do. */
export type HostCompiler = "msvc" | "msvc in some build";

/** CUDA C++ (or HIP, which spells the same facts differently). */
export interface CudaDialect {
  readonly language: "cuda";
  readonly label: string;
  readonly cplusplus: true;
  /** The C++ standard as a year: 11, 14, 17, 20, 23. */
  readonly standard: number;
  /** Every compute capability that is compiled for, times ten (`sm_90` is 90); empty when the settings name none. */
  readonly architectures: readonly number[];
  /** Those that are compiled for alone, not for later ones: `sm_90a`. */
  readonly specificArchitectures?: readonly number[];
  /** `-rdc=true`: device code of several translation units is linked together. */
  readonly relocatableDeviceCode: boolean;
  /**
   * The settings say how device code is compiled: with or without `-rdc`, or at least for which architectures (nvcc's default is
   * whole-program mode).
   */
  readonly isRelocatableKnown?: true;
  readonly hip: boolean;
  /** HIP with `-fgpu-allow-device-init`: device variables are initialized by code that runs on the device. */
  readonly allowsDeviceInitialization?: true;
  /** `--expt-relaxed-constexpr`: device code may call constexpr functions of the host. */
  readonly relaxesConstexpr?: true;
  /** `-DTHRUST_DEVICE_SYSTEM=…`: Thrust's algorithms for devices may run on the host. */
  readonly choosesThrustSystem?: true;
  /**
   * NVRTC compiles the source: const variables are in device memory. A function without an execution space is for the host, which
   * NVRTC rejects, or with `--device-as-default-execution-space` for the device, and variables likewise.
   */
  readonly runtime?: "host-by-default" | "device-by-default";
  /**
   * The host's compiler is Microsoft's, with which nvcc gives device code no floating-point values of const host variables; or a script
   * of the project names it, which may have other builds.
   */
  readonly hostCompiler?: HostCompiler;
  /** The compilation for the host, in which `__CUDA_ARCH__` is not defined; absent for the one for the device. */
  readonly side?: "host";
}

/** A language with its standard and features, under which a file is judged. */
export type Dialect = OpenCLDialect | CudaDialect;

/** The data of a dialect, which can be sent to another thread. */
export type DialectData = Omit<OpenCLDialect, "has" | "note"> | CudaDialect;

/** A dialect without its functions. */
export function dataOf(dialect: Dialect): DialectData {
  if (dialect.language === "cuda") return dialect;
  const { has: _has, note: _note, ...data } = dialect;
  return data;
}

/** What is known about how a file is compiled. A member is absent when no setting determines it. */
export interface CompileSettings {
  /** The branches of conditionals that are read whatever their conditions say: an editor asks about code in them. */
  readonly assumed?: { readonly uri: string; readonly taken: ReadonlyMap<number, boolean>; readonly key: string };
  readonly language?: Language;
  /** HIP rather than CUDA; both are one language here. */
  readonly hip?: boolean;
  readonly openclStandard?: OpenCLStandard;
  /** The place in the project that names the standard; set when no setting does. */
  readonly standardFrom?: Location;
  /** From `-cl-ext=+name,-name`: true where switched on, false where switched off; `all` is a name too. */
  readonly openclExtensions?: ReadonlyMap<string, boolean>;
  readonly cplusplusStandard?: number;
  readonly architectures?: readonly number[];
  readonly specificArchitectures?: readonly number[];
  readonly relocatableDeviceCode?: boolean;
  /** The build compiles exactly this file, which other files may include nevertheless. */
  readonly isCompiled?: boolean;
  /** `-fgpu-allow-device-init`. */
  readonly allowsDeviceInitialization?: boolean;
  /** `--expt-relaxed-constexpr`. */
  readonly relaxesConstexpr?: boolean;
  /** NVRTC compiles the source; `--device-as-default-execution-space` makes everything without a word belong to the device. */
  readonly runtime?: "host-by-default" | "device-by-default";
  /** In order: `-DNAME=value` defines, `-UNAME` has the value undefined. Function-like names keep their parameter list. */
  readonly macros: readonly { readonly name: string; readonly value: string | undefined }[];
  /** The places in the project from which the values of some macros were inferred; set when no setting has them. */
  readonly macrosFrom?: readonly Location[];
  /** Builds of the same source that differ in macros or in the standard. A mistake in one of them is a mistake. */
  readonly otherBuilds?: readonly OtherBuild[];
  /** The host's compiler, if the build names one whose rules for device code differ: Microsoft's. */
  readonly hostCompiler?: HostCompiler;
  /** Uris of folders, in search order. */
  readonly includePaths: readonly string[];
  /** `-include FILE`, in order. */
  readonly forcedIncludes: readonly ForcedInclude[];
  readonly limits: Limits;
  /** The length in characters above which a file is not read; `largestByDefault` when absent. */
  readonly largestFile?: number;
  /** Where these settings came from, for hover and status: `command line`, `compile_commands.json`, … */
  readonly origin: string;
}

/** How a further build of a source differs from the one that settings describe. */
export interface OtherBuild {
  /** A macro without a value is certainly not defined. */
  readonly macros?: readonly { readonly name: string; readonly value: string | undefined }[];
  readonly openclStandard?: OpenCLStandard;
  /** The difference in words, for messages: `with -DUSE_CUDA`. */
  readonly label: string;
  /** The place in the project that describes the build. */
  readonly location?: Location;
}

/** A header that the build includes in front of every source. */
export interface ForcedInclude {
  /** The name as written. */
  readonly name: string;
  /** The name resolved in the folder where the build runs; if there is no such file, the name is looked up like a quoted include. */
  readonly uri: string;
}

/** Device limits that some rules compare with; the defaults are the minima that the standards guarantee. */
export interface Limits {
  /** CL_DEVICE_MAX_CONSTANT_ARGS: 8 in the full profile, 4 in the embedded profile (OpenCL API 3.0 §4.2, table 5). */
  readonly constantArguments: number;
  /** CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE in bytes: 65,536 in the full, 1,024 in the embedded profile. */
  readonly constantBufferSize: number;
  /** The author named a device or a profile; otherwise the limits are those that every device meets. */
  readonly areConfigured: boolean;
  /** The profile that the author named; a device of the full profile may have limits like those of the embedded one. */
  readonly profile?: "embedded";
}

/** The limits that every device of the full profile guarantees (OpenCL API 3.0 §4.2). */
export const fullProfile: Limits = { constantArguments: 8, constantBufferSize: 65536, areConfigured: false };
/** The limits that every device of the embedded profile guarantees. */
export const embeddedProfile: Limits = { constantArguments: 4, constantBufferSize: 1024, areConfigured: true, profile: "embedded" };

/** The length in characters up to which a file is read by default. */
export const largestByDefault = 4_194_304;

/** The settings of a file for which nothing is configured. */
export const noSettings: CompileSettings = {
  macros: [],
  includePaths: [],
  forcedIncludes: [],
  limits: fullProfile,
  origin: "defaults",
};

/** True when settings name the OpenCL standard, rather than a guess from the project. */
export function isStandardConfigured({ openclStandard, standardFrom }: CompileSettings): boolean {
  return openclStandard !== undefined && standardFrom === undefined;
}

const cudaExtensions = [".cu", ".cuh", ".hip"];
const openclExtensions = [".cl", ".clh", ".clcpp", ".clpp", ".opencl", ".ocl"];

/** Names of files that are written in no programming language, or in make, whatever follows the first dot: `Makefile.OpenCL`. */
const otherNames = /(?:^|\/)(?:(?:gnu)?makefile|cmakelists|dockerfile|readme|licen[cs]e|copying)\.[^/]*$/;

/**
 * The language that a file's extension implies; undefined for one that both use (`.h`, `.inc`). Other languages share the extensions
 * of OpenCL: `embedded/opencl-texts.ts` recognizes them by the text.
 */
export function languageOfName(uri: string): Language | undefined {
  const name = uri.toLowerCase();
  if (otherNames.test(name)) return undefined;
  if (cudaExtensions.some((extension) => name.endsWith(extension))) return "cuda";
  if (openclExtensions.some((extension) => name.endsWith(extension))) return "opencl";
  return undefined;
}

const optionalFeatures = [
  "__opencl_c_3d_image_writes",
  "__opencl_c_atomic_order_acq_rel",
  "__opencl_c_atomic_order_seq_cst",
  "__opencl_c_atomic_scope_device",
  "__opencl_c_atomic_scope_all_devices",
  "__opencl_c_device_enqueue",
  "__opencl_c_fp64",
  "__opencl_c_generic_address_space",
  "__opencl_c_images",
  "__opencl_c_int64",
  "__opencl_c_pipes",
  "__opencl_c_program_scope_global_variables",
  "__opencl_c_read_write_images",
  "__opencl_c_subgroups",
  "__opencl_c_work_group_collective_functions",
] as const;

const extensions = [
  "cl_khr_fp64",
  "cl_khr_fp16",
  "cl_khr_byte_addressable_store",
  "cl_khr_global_int32_base_atomics",
  "cl_khr_global_int32_extended_atomics",
  "cl_khr_local_int32_base_atomics",
  "cl_khr_local_int32_extended_atomics",
  "cl_khr_int64_base_atomics",
  "cl_khr_int64_extended_atomics",
  "cl_khr_3d_image_writes",
  "cl_khr_gl_msaa_sharing",
  "cl_khr_depth_images",
  "cl_khr_mipmap_image",
  "cl_khr_mipmap_image_writes",
  "cl_khr_subgroups",
  "cl_khr_srgb_image_writes",
] as const;

/**
 * Creates one OpenCL dialect. `switches` are the `-cl-ext` values; without them every optional feature of a 3.0 standard is on,
 * as in clang for its host targets.
 */
export function openclDialect(standard: OpenCLStandard, switches: ReadonlyMap<string, boolean> = new Map()): OpenCLDialect {
  const key = [standard, ...[...switches].map(([name, on]) => `${on ? "+" : "-"}${name}`)].join(",");
  const known = dialects.get(key) ?? makeDialect(standard, switches);
  if (dialects.size >= mostDialects) dialects.clear();
  dialects.set(key, known);
  return known;
}

/** The dialects so far. Equal inputs give the same object, so that caches can use a dialect as their key. */
const dialects = new Map<string, OpenCLDialect>();
const mostDialects = 256;

function makeDialect(standard: OpenCLStandard, switches: ReadonlyMap<string, boolean>): OpenCLDialect {
  const unified = standard === "CL3.0" || standard === "clc++2021";
  const features = new Set<string>();
  for (const name of [...(unified ? optionalFeatures : []), ...extensions]) {
    if (switches.get(name) ?? switches.get("all") ?? true) features.add(name);
  }
  for (const [name, on] of switches) if (on && name !== "all") features.add(name);
  const always = standard === "CL2.0" || standard === "clc++1.0";
  const genericAddressSpace = always || (unified && features.has("__opencl_c_generic_address_space"));
  return {
    language: "opencl",
    standard,
    label: labelOf(standard, genericAddressSpace),
    cplusplus: standard.startsWith("clc++"),
    genericAddressSpace,
    programScopeGlobalVariables: always || (unified && features.has("__opencl_c_program_scope_global_variables")),
    features,
    has: (feature) => features.has(feature),
  };
}

function labelOf(standard: OpenCLStandard, generic: boolean): string {
  const cplusplus = standard.startsWith("clc++");
  const name = cplusplus ? `C++ for OpenCL ${standard.slice(5)}` : `OpenCL C ${standard.slice(2)}`;
  const optional = standard === "CL3.0" || standard === "clc++2021";
  return optional && !generic ? `${name} without generic address space` : name;
}

/** The switch that `-cl-single-precision-constant` sets: literals without a suffix are floats. */
export const singlePrecision = "cl_single_precision_constant";

/** Features that are assumed to be on: a file that uses one shows it by a name that nothing else has. */
const assumedFeatures: ReadonlySet<string> = new Set([
  "__opencl_c_images",
  "__opencl_c_3d_image_writes",
  "__opencl_c_fp64",
  "__opencl_c_int64",
]);
const withoutOptionalFeatures: ReadonlyMap<string, boolean> = new Map(
  optionalFeatures.filter((name) => !assumedFeatures.has(name)).map((name) => [name, false]),
);

/** True for the compilation of a CUDA or HIP file for the host. It adds findings to those of the compilation for the device. */
export function isHostSide(dialect: Dialect): boolean {
  return dialect.language === "cuda" && dialect.side === "host";
}

/**
 * Every dialect that a file must be judged by: the configured one, or for OpenCL C without one all that differ in a verdict (1.2,
 * 2.0, 3.0 with all features, 3.0 with none). CUDA's compilers read a file once for the device and once for the host.
 */
export function dialectsOf(language: Language, settings: CompileSettings, uri: string): readonly [Dialect, ...Dialect[]] {
  if (language === "cuda") {
    const device: CudaDialect = {
      language: "cuda",
      label: "CUDA C++",
      cplusplus: true,
      standard: settings.cplusplusStandard ?? 17,
      architectures: settings.architectures ?? [],
      ...(settings.specificArchitectures === undefined ? {} : { specificArchitectures: settings.specificArchitectures }),
      relocatableDeviceCode: settings.relocatableDeviceCode ?? false,
      ...(settings.relocatableDeviceCode === undefined && settings.architectures === undefined ? {} : { isRelocatableKnown: true }),
      hip: settings.hip ?? uri.toLowerCase().endsWith(".hip"),
      ...(settings.allowsDeviceInitialization === true ? { allowsDeviceInitialization: true } : {}),
      ...(settings.relaxesConstexpr === true ? { relaxesConstexpr: true } : {}),
      ...(settings.macros.some(({ name }) => name === "THRUST_DEVICE_SYSTEM") ? { choosesThrustSystem: true } : {}),
      ...(settings.runtime === undefined ? {} : { runtime: settings.runtime }),
      ...(settings.hostCompiler === undefined ? {} : { hostCompiler: settings.hostCompiler }),
    };
    if (settings.runtime !== undefined) return [device];
    return [device, { ...device, side: "host" }];
  }
  const switches = settings.openclExtensions ?? new Map<string, boolean>();
  if (settings.openclStandard !== undefined) return [openclDialect(settings.openclStandard, switches)];
  if (/\.(clcpp|clpp)$/i.test(uri)) return [openclDialect("clc++2021", switches)];
  return [
    openclDialect("CL1.2", switches),
    openclDialect("CL2.0", switches),
    openclDialect("CL3.0", switches),
    openclDialect("CL3.0", new Map([...withoutOptionalFeatures, ...switches])),
  ];
}
