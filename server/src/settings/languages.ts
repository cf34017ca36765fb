/** Decides the language of a source from its words, if its name and settings leave the language open, and whether NVRTC compiles it. */
import { type CompileSettings, type Language, languageOfName } from "../dialect.ts";
import { findEmbedded, mayEmbed, outsideLiterals } from "../embedded/embedded.ts";
import { withoutComments } from "../embedded/join.ts";
import { isCudaText, isHostText } from "../embedded/opencl-texts.ts";
import { gpuWordsOf } from "../qualifiers.ts";
import { type HipSigns, hipSignsOf } from "./hip.ts";

const cuda = new RegExp(`\\b(${gpuWordsOf("cuda").join("|")})\\b`);

/** The language whose words a header with a neutral name uses; undefined for other files. */
export function languageOfText(uri: string, text: string): Language | undefined {
  const opencl = /\b(__kernel|kernel\s+void|__global\s|__local\s|get_global_id)\b/;
  // A source that is in another language in spite of its name.
  if (languageOfName(uri) === "opencl") return isCudaText(text) ? "cuda" : undefined;
  // Headers have all kinds of extensions, or none.
  if (!mayEmbed(uri) && /\.\w+$/.test(uri)) return undefined;
  const mayLaunch = launch.test(text);
  if (!mayLaunch && !cuda.test(text) && !opencl.test(text) && !behindMacros.test(text)) return undefined;
  const code = outsideLiterals(uri, text);
  if (mayLaunch && launchInTokens.test(code)) return "cuda";
  if (cuda.test(code) || behindMacros.test(code)) return isOtherC(uri, text) ? undefined : "cuda";
  // In a C or C++ source, or in a host header, such words mean something else.
  return opencl.test(code) && !/\.(c|cc|cpp|cxx|c\+\+)$/i.test(uri) && !isOfTheHost(text, code) ? "opencl" : undefined;
}

/**
 * True for C++ code that is not in a kernel language: SYCL names its parameters `global`, and hosts have members called
 * `get_global_id`.
 */
function isOfTheHost(text: string, code: string): boolean {
  // A header for both sides tests which compiler reads it.
  if (/\b__OPENCL_(C_|CPP_)?VERSION__\b/.test(text)) return false;
  if (isHostText(text)) return true;
  return /\bnamespace (\w+ (: ?: \w+ )*)?\{|\btemplate <|\b(public|protected|private) :|\bstd : ?:|\bclass \w+ [:{;]|\busing (namespace|\w+ =)/.test(
    code,
  );
}

/** True for C of another compiler, whose address spaces are called like CUDA's words. */
function isOtherC(uri: string, text: string): boolean {
  if (namesAddressSpace.test(text)) return true;
  return /\.c$/i.test(uri) && !/\b__device__\b/.test(text) && !kernelWord.test(text) && !includesCuda.test(text);
}

const namesAddressSpace = /^[ \t]*#[ \t]*define[ \t]+__(?:global|constant|device|shared)__[ \t].*\baddress_space\b/m;

/**
 * Device code whose specifiers are macros of a header: what only one thread reads or calls, or the head of a kernel,
 * `LIBRARY_KERNEL(256) void fill(`. The word is looked for before the rest of its name: a pattern that begins with any capitals takes
 * five times as long.
 */
const behindMacros =
  /\b(?:threadIdx|blockIdx)\s*\.\s*[xyz]\b|\bhip(?:Thread|Block)Idx_[xyz]\b|\b__syncthreads\s*\(|KERNEL(?<=\b[A-Z0-9_]*)[A-Z0-9_]*\s*(?:\([^(){};]{0,200}\)\s*)?void\s+\w+\s*\(/;

/** A launch of a kernel, `k<<<grid, block>>>(a)`, and the same with blanks between all tokens. */
const launch = /[\w>][ \t]*<<<(?!<)[^;{}]{1,400}?>>>\s*\(/;
const launchInTokens = /[\w>] < < < (?!<)[^;{}]{1,800}?> > > \(/;

/**
 * A kernel's head outside of definitions of macros, which headers for both kinds of compilers have. Other compilers' C has address
 * spaces of this name: `__global__ int *p`.
 */
const kernelWord =
  /^(?![ \t]*#)(?:(?!\/\/)[^\n])*?(?:\b__global__\b[^;{}*&=]{0,300}?\b(?:void|auto)\b(?!\s*\*)|\bvoid\s+__global__\b(?!\s*[*)]))/m;
const includesCuda = /^[ \t]*#[ \t]*include[ \t]*[<"]cuda(?:_runtime(?:_api)?|_fp16|_bf16)?\.h[>"]/m;

/**
 * True for a source or a header with another name that is worth checking: it has device code in its literals, or it is CUDA or HIP,
 * whose compilers accept files of any name: it has kernels or launches, or it includes the runtime and has device code.
 */
export function hasDeviceCode(uri: string, text: string): boolean {
  return mayEmbed(uri) && (findEmbedded(uri, text).length > 0 || isCudaSource(uri, text));
}

/** True for a source or a header that is CUDA or HIP, although its name does not say so. */
export function isCudaSource(uri: string, text: string): boolean {
  const mayBe =
    launch.test(text) ||
    behindMacros.test(text) ||
    (cuda.test(text) && (kernelWord.test(text) || includesCuda.test(text) || hipSignsOf(text).kind === "hip"));
  return mayBe && languageOfText(uri, text) === "cuda";
}

/**
 * The settings of a source. If they select neither HIP nor CUDA, their macros may select HIP, or the source by its text, or by its headers:
 * `isHipByHeaders` searches those, given what the text itself says.
 */
export function withHip(
  settings: CompileSettings,
  uri: string,
  textOf: () => string,
  isHipByHeaders: (signs: HipSigns) => boolean = () => false,
): CompileSettings {
  if (settings.hip !== undefined || (settings.language ?? languageOfName(uri)) === "opencl") return settings;
  const signs = hipSignsOf(textOf());
  const isHip =
    definesHip(settings) || signs.kind === "hip" || (signs.kind === undefined && namedForHip.test(uri)) || isHipByHeaders(signs);
  return isHip ? { ...settings, hip: true } : settings;
}

/** True if the build defines a macro that is named after HIP or ROCm, such as `USE_ROCM`. HIP runs on NVIDIA's platform too. */
function definesHip({ macros }: CompileSettings): boolean {
  return macros.some(
    ({ name, value }) =>
      value !== undefined && value !== "0" && /(?:^|_)(?:HIP|HIPCC|ROCM)(?:_|$)/i.test(name) && !/NVIDIA|NVCC|CUDA/i.test(name),
  );
}

/** A file or its folder whose name says that it is for HIP, where the text names neither HIP nor CUDA. */
const namedForHip = /\/(?:hip|rocm)\/[^/]+$|\/(?:hip_\w+|\w+_hip)(?:\.\w+)+$/i;

/** Hosts that give device code in literals to nvcc. */
const usesNvcc = /\bnvcc\b|\bpycuda\b|\bload_inline\b|\bCUDAExtension\b/;
/** A type or a constant whose value is a reserved word in capitals: `using T = __TYPE__;`. */
const replaced = /\b(?:using\s{1,9}\w+|constexpr\s[\w\s:]{1,100}\w)\s{0,9}=\s{0,9}(__[A-Z][A-Z0-9_]*__)\s{0,9};/g;
/** Words of that form that compilers define. */
const predefined =
  /^__(?:\w+_(?:TYPE|MAX|MIN|WIDTH|SIZEOF|DIG|EPSILON|EXP|VERSION)|SIZEOF_\w+|(?:CUDA|NVCC|GNUC|LP64|CLANG|HIP)\w*|FILE|LINE|DATE|TIME|TIMESTAMP|COUNTER|FUNCTION|BYTE_ORDER|VERSION|ORDER_\w+|OPTIMIZE\w*)__$/;

/** A condition on the version of NVRTC itself, which no other compiler has: `#if LIB_NVRTC_VERSION < 110200`. */
const testsNvrtc = /^[ \t]*#[ \t]*(?:el)?if[ \t]+\w*NVRTC\w*VERSION\w*[ \t]*[<>=]/m;

/**
 * The settings of a CUDA source. Its text may show that NVRTC compiles it while the program runs: it is in a literal of its host, has
 * words that the host replaces first, or tests the version of NVRTC. NVRTC puts const variables into device memory, which nvcc does
 * not. `hostTextOf` gives the text of the file in whose literals the source is, and undefined for a file of its own.
 */
export function withRuntimeCompilation(
  settings: CompileSettings,
  textOf: () => string,
  hostTextOf: () => string | undefined,
): CompileSettings {
  if (settings.runtime !== undefined || settings.hip === true || settings.isCompiled === true) return settings;
  const host = hostTextOf();
  const isRuntime = host === undefined ? isForNvrtc(textOf()) : !usesNvcc.test(host);
  return isRuntime ? { ...settings, runtime: "host-by-default" } : settings;
}

function isForNvrtc(text: string): boolean {
  return testsNvrtc.test(text) || hasReplacedWords(text);
}

function hasReplacedWords(text: string): boolean {
  if (!text.includes("__global__") || text.includes("<<<") || !new RegExp(replaced).test(text)) return false;
  return [...withoutComments(text).matchAll(replaced)].some(
    ([, word = ""]) => !predefined.test(word) && !new RegExp(`#[ \\t]*(?:define|if\\w*)\\b[^\\n]*\\b${word}\\b`).test(text),
  );
}
