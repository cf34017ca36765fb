/** Decides by the words of a source and of the headers that it includes whether it is HIP rather than CUDA. */
import { withoutComments } from "../embedded/join.ts";

/** What a text says about HIP. */
export interface HipSigns {
  /** `hip`: it includes HIP, or uses its names. `cuda`: it uses CUDA's names, perhaps beside HIP's. */
  readonly kind: "hip" | "cuda" | undefined;
  /** The names in its `#include`s. */
  readonly headers: readonly string[];
}

const includesRuntime = /^[ \t]*#[ \t]*include[ \t]*[<"]hip\/hip_runtime/m;
const includesHip =
  /^[ \t]*#[ \t]*include[ \t]*[<"](?:hip|hipcub|rocprim|rocblas|rocfft|rocrand|hiprand|rocsolver|rocsparse|rocwmma|ck)\//m;
const includesCuda =
  /^[ \t]*#[ \t]*include[ \t]*[<"](?:cuda\w*\.h|cuda\/|device_launch_parameters\.h|cub\/|mma\.h|cublas|cufft|curand|cusparse|cusolver|nv\/)/m;
/** Functions and types of HIP and its libraries, and macros and attributes of its compiler. */
const hipNames =
  /\bhip(?:Malloc|Free|Mem|Host|Launch|Device|Stream|Event|Get|Set|Func|Module|Graph|Occupancy|Pointer|Bind|Create|Destroy|Ctx|Init|Peek|Tex|Ext|Ipc)\w*\s*[(<]|\bhip(?:Stream|Error|Event|DeviceProp|Array|Module|Function|Graph)\w*_t\b|\bhip(?:Block|Thread|Grid)(?:Idx|Dim)_[xyz]\b|\bhip(?:Success|Memcpy\w*To\w+|MemcpyDefault)\b|\b(?:roc|hip)(?:blas|fft|rand|sparse|solver)_\w+|\b(?:rocprim|hipcub)\s*::|\bHIP_KERNEL_NAME\b|\b__HIP_\w+__\b|\b__HIPCC__\b|\b__HIP__\b|\b__builtin_amdgcn_\w+|\bamdgpu_(?:flat_work_group_size|waves_per_eu|num_[sv]gpr|max_num_work_groups)\b/;
const cudaNames = /\bcuda[A-Z]\w*|\bcuda\s*::|\b__CUDA(?:_ARCH|CC)?\w*|\b__NVCC__\b|\bcu(?:blas|fft|rand|sparse|solver)[A-Z]\w*/;
const conditions = /^[ \t]*#[ \t]*(?:el)?if[^\n]*/gm;
const includedName = /^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+\.\w+)[>"]/gm;

/** The last answer. A check asks several times about its source, and the headers of one source are checked one after the other. */
let latest: { readonly text: string; readonly signs: HipSigns } | undefined;

/** What a text says about HIP. A text that names both, for a build of either, is not HIP unless it includes HIP's runtime. */
export function hipSignsOf(text: string): HipSigns {
  if (latest?.text !== text) latest = { text, signs: findSigns(text) };
  return latest.signs;
}

function findSigns(text: string): HipSigns {
  const headers = headersOf(text);
  if (includesRuntime.test(text)) return { kind: "hip", headers };
  const isCuda = includesCuda.test(text);
  if (!isCuda && includesHip.test(text)) return { kind: "hip", headers };
  if (!isCuda && !cudaNames.test(text) && !hipNames.test(text)) return { kind: undefined, headers };
  const code = withoutComments(text);
  // A source of HIP may ask in a conditional whether CUDA's compiler reads it, and the reverse.
  const used = code.replace(conditions, "");
  if (isCuda || cudaNames.test(used)) return { kind: "cuda", headers };
  if (hipNames.test(used)) return { kind: "hip", headers };
  return { kind: cudaNames.test(code) ? "cuda" : hipNames.test(code) ? "hip" : undefined, headers };
}

function headersOf(text: string): readonly string[] {
  return [...text.matchAll(includedName)].map(([, name = ""]) => name);
}

/** What a text says about HIP as a header: its includes alone, because a header of a project may have code for either. */
export function hipSignsOfHeader(text: string): HipSigns {
  const headers = headersOf(text);
  if (includesCuda.test(text)) return { kind: "cuda", headers };
  return { kind: includesHip.test(text) ? "hip" : undefined, headers };
}
