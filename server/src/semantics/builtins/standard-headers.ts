/** Recognizes headers that come with compilers, by the names in `#include`s: their absence is usual and says nothing about a project. */

const library =
  /^(?:[a-z_]+|(?:assert|complex|ctype|errno|fenv|float|inttypes|iso646|limits|locale|math|setjmp|signal|stdalign|stdarg|stdatomic|stdbool|stddef|stdint|stdio|stdlib|stdnoreturn|string|tgmath|threads|time|uchar|wchar|wctype|malloc|memory|alloca|getopt|unistd|pthread|dirent|fcntl|dlfcn|windows|omp|immintrin|xmmintrin|emmintrin|x86intrin|nmmintrin|cuda|nvrtc|nvml|nvtx3|mma|curand|cublas|cufft|cusparse|cudnn|opencl|opencl-c)\.h|(?:sys|bits|ext|experimental|cuda|cub|thrust|nv|nvtx3|crt|cooperative_groups|hip|hipcub|rocprim|rocrand|CL|OpenCL|c\+\+)\/.*)$/;
const toolkit =
  /^(?:cuda\w*|cooperative_groups\w*|device_\w+|vector_(?:types|functions)|math_(?:constants|functions)|host_(?:config|defines)|driver_(?:types|functions)|builtin_types|channel_descriptor|texture_\w+|surface_\w+|sm_\d+_\w+|curand\w*|cublas\w*|cufft\w*|cusparse\w*|cusolver\w*|cudnn\w*|nv\w*)\.(?:h|hpp)$/;

/** True for a header of a compiler, a system or a toolkit; `name` is as written, with its quotes or brackets. */
export function isStandardHeader(name: string): boolean {
  const plain = name.replace(/^[<"]|[>"]$/g, "");
  return library.test(plain) || toolkit.test(plain);
}
