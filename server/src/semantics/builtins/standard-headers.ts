/** Recognizes headers that come with compilers, by the names in `#include`s: their absence is usual and says nothing about a project. */
import { isSystemHeader } from "../../preprocess/resolve.ts";

const library =
  /^(?:(?:nvtx3|curand|cublas|cufft|cusparse|cudnn|opencl|opencl-c)\.h|(?:sys|bits|ext|experimental|cuda|cub|thrust|nv|nvtx3|crt|cooperative_groups|hip|hipcub|rocprim|rocrand|CL|OpenCL|c\+\+)\/.*)$/;
const toolkit =
  /^(?:cuda\w*|cooperative_groups\w*|device_\w+|vector_(?:types|functions)|math_(?:constants|functions)|host_(?:config|defines)|driver_(?:types|functions)|builtin_types|channel_descriptor|texture_\w+|surface_\w+|sm_\d+_\w+|curand\w*|cublas\w*|cufft\w*|cusparse\w*|cusolver\w*|cudnn\w*|nv\w*)\.(?:h|hpp)$/;

/** True for a header of a compiler, a system or a toolkit; `name` is as written, with its quotes or brackets. */
export function isStandardHeader(name: string): boolean {
  const plain = name.replace(/^[<"]|[>"]$/g, "");
  return isSystemHeader(plain) || library.test(plain) || toolkit.test(plain);
}
