/**
 * Long bodies, with edits of them that change what is found. A body is long by the number of its characters, so a few statements with
 * numbers of very many digits make it long: each text is checked for each edit.
 */
/** Lines that make a body long. */
export const filler = (count: number, line: (at: number) => string) => Array.from({ length: count }, (_, at) => line(at)).join("\n");

/** The digits behind a number's point. */
const digits = (last: number) => `${"0".repeat(800)}${last}`;

/** A kernel with local and global pointers. */
export const opencl = `constant float table[4] = {1, 2, 3, 4};
void store(global float *to, float value);
kernel void scale(global float *out, global const float *in, local float *tile, int n) {
  const int size = 16;
  float sum = 0.0f;
  global float *target = out;
${filler(3, (at) => `  sum += in[${at} % n] * ${at}.${digits(5)}f + tile[${at} % size];`)}
  local float *near = tile;
  for (int step = 0; step < size; step++) {
    const float part = in[step];
    if (part > 0.5f) {
      target[step] = part * sum;
      near = (local float *)target;
    } else tile[step] = part;
${filler(3, (at) => `    sum -= part * ${at}.${digits(25)}f;`)}
  }
  switch (n) {
    case 1: sum = table[1]; break;
    default: store(near, sum);
  }
  store(target, sum);
}
`;

/** A template and its use. */
export const cuda = `__constant__ float table[4];
template <typename T> __device__ T first(T *p) { return *p; }
template <typename T>
__device__ T total(const T *in, T *out, int n) {
  T sum = 0;
${filler(3, (at) => `  sum += in[${at} % n] * T(${at}.${digits(5)}) + first(in);`)}
  T *target = out;
  auto add = [&](T more) { sum += more; };
  add(in[0]);
${filler(3, (at) => `  target[${at}] = sum * T(${at}.${digits(5)});`)}
  return sum;
}
__global__ void run(const __grid_constant__ int n, float *out, const float *in) {
  extern __shared__ float tile[];
  struct Pair { float a, b; };
  Pair pair = {in[0], in[1]};
  const float *source = in;
${filler(5, (at) => `  tile[${at}] = source[${at} % n] * ${at}.${digits(5)}f;`)}
  table[0] = first(tile) + first(source) + pair.a;
  out[0] = total<float>(source, out, n);
  n = 3;
}
`;

/** Both bodies declare the same dynamic shared memory, and the host reads less of the first one than the device. */
export const shared = `template <typename T>
__global__ void sums(const T *in, T *out, int n) {
  typedef float Element;
  extern __shared__ Element tile[];
  // the first
  T sum = 0;
#if __CUDA_ARCH__ >= 800
${filler(6, (at) => `  sum += in[${at} % n] * T(${at}.${digits(5)}) + T(tile[${at}]);`)}
  *in = 1;
#else
${filler(2, (at) => `  sum -= in[${at} % n] * ${at}.${digits(5)}f;`)}
#endif
  out[0] = sum;
}
extern "C" __global__ void counts(const float *in, float *out) {
  extern __shared__ float tile[];
${filler(3, (at) => `  tile[${at}] = in[${at}] * ${at}.${digits(5)}f;`)}
  out[0] = tile[0];
}
__global__ void ends(const float *in, float *out) {
  extern __shared__ float tile[];
  *in = tile[0];
}
void launch(const float *in, float *out) {
  sums<float><<<1, 32, 64>>>(in, out, 3);
  counts<<<1, 32, 64>>>(in, out);
}
`;

/** Classes with long members. */
export const classes = `__constant__ float table[4];
__device__ void take(float *);
template <typename T>
struct Box {
  T *data;
  T *other;
  int size = 4;
  struct Part { T *at; __device__ void move(const T *to) { at = at + 1; } };
  __device__ Box(T *given) : data(given), other(given) { size = 1; }
  __device__ void put(T value) {
    data[0] = value; // the first
    take(other);
${filler(3, (at) => `    other[${at}] = value * T(${at}.${digits(5)});`)}
  }
  __device__ T get(const T *from) const {
    T sum = 0;
    auto add = [&](const T *more) { sum += *more; };
    add(from);
${filler(3, (at) => `    sum += from[${at}] + data[${at}] * ${at}.${digits(5)}f;`)}
    return sum;
  }
  template <typename U> __device__ void copy(const U *from, U *to) { U *there = to; *there = *from; }
  static constexpr int twice(int n) { return n + n; }
  __device__ Box &operator=(const Box &box) { data = box.data; return *this; }
  // Trailing
  int last[twice(2)];
};
struct Plain {
  float *at;
  __device__ void set(const float *source) const {
    float *target = at;
${filler(6, (at) => `    target[${at}] = source[${at}] * ${at}.${digits(5)}f;`)}
    table[1] = target[0];
  }
  friend __device__ void swap(Plain &one, Plain &two) { float *kept = one.at; one.at = two.at; two.at = kept; }
};
__global__ void use(Box<float> box, Box<const float> constant, Plain plain, const float *in, float *out) {
  __shared__ int places[sizeof(Box<float>::last)];
  box.put(1.0f);
  constant.get(in);
  plain.set(in);
  box.copy(in, out);
}
`;

/** The same without most of the lines in its members. */
export const shortClasses = classes.replace(/^ +(?:other|target)\[\d+\] = \w+[ [].*\n|^ +sum \+= from.*\n/gm, "");

/** A short text that its macros make long. */
export const expanded = `#define ADD(at) sum += in[at] * 0.${digits(5)}f; tile[at % 4] = sum;
#define ADD5(at) do { ADD(at) ADD(at + 1) ADD(at + 2) ADD(at + 3) ADD(at + 4) } while (0)
#define STORE(to, value) store(to, value)
constant float table[4] = {1, 2, 3, 4};
void store(global float *to, float value);
kernel void mix(global float *out, global const float *in, local float *tile, int n) {
  float sum = 0;
  // the first
  global float *target = out;
  for (int step = 0; step < n; step++) {
    if (step > 4) target[step] = sum;
    ADD5(step);
    if (step > 8) target[0] = sum;
    ADD5(n);
  }
  STORE(target, sum);
  ADD5(0);
  local float *near = tile;
  near[0] = sum;
  table[1] = sum;
}
`;

/** A host function whose macros launch kernels in lambdas. */
export const dispatched = `#define DISPATCH(n, ...) \\
  [&] { \\
    switch (n) { \\
      case 0: { using scalar_t = float; return __VA_ARGS__(); } \\
      default: { using scalar_t = double; return __VA_ARGS__(); } \\
    } \\
  }()
__constant__ float table[4];
template <typename T> struct Sink {
  T *at;
  __device__ void put(const T *from) const { at[0] = from[0]; }
};
template <typename T> __global__ void run(const T *in, T *out, int n) {
  Sink<T> sink = {out};
  sink.put(in);
  out[0] = table[0] = in[0];
}
void report(float *values);
struct Report {
  float *at;
  Report(float *to, const float *from);
  ~Report();
};
Report::Report(float *to, const float *from) : at(to) {
  at[0] = from[0];
}
Report::~Report() { report(at); }
struct Empty { __device__ Empty(); int n; };
__device__ Empty::Empty() {}
__global__ void hold() { __shared__ Empty empty; }
void launch(const float *in, float *out, int n) {
  // the first
  int size = 4;
  const int most = 8;
  float *target = out;
${filler(3, (at) => `  size += n * ${at} + most * ${at}.${digits(5)}f;`)}
  auto show = [=](const float *given) { report(target); return given[0] + size; };
  DISPATCH(n, [&] {
    const scalar_t *typed = nullptr;
    scalar_t *written = nullptr;
    run<scalar_t><<<1, most>>>(typed, written, size);
  });
  auto count = [size](int more) mutable { size += more; return size; };
  DISPATCH(size, [&] { struct Part { scalar_t at; int get() const { return most; } } part; size = part.get(); });
${filler(2, (at) => `  size += count(${at}) * ${at}.${digits(5)}f;`)}
  [&] { float *here = target; here[0] = show(in); }();
  report(target);
  struct Local { float *at; void set(const float *from) const { at[0] = from[0]; } };
  DISPATCH(n, [=] { Local local = {target}; local.set(in); });
}
`;

/** Functions whose returns decide what happens to the objects at their beginning. */
export const returning = `struct Object {
  int x;
  __host__ __device__ Object(int n) : x(n) {}
  Object(const Object &other) : x(other.x) {}
  ~Object() { x = 0; }
};
__device__ Object make(const int *in, int n) {
  Object object(n);
  Object other(n);
  // the first
${filler(3, (at) => `  object.x += in[${at} % n] * int(${at}.${digits(5)});`)}
  if (n > 1) return object;
  auto inner = [n]() -> Object { Object local(n); return local; };
${filler(3, (at) => `  object.x -= in[${at} % n] * int(${at}.${digits(5)});`)}
  while (n--) { int step = n; other.x += step; }
  return object;
}
template <typename T>
__device__ T build(const int *in, int n) {
  T object(n);
${filler(6, (at) => `  object.x += in[${at} % n] * int(${at}.${digits(5)});`)}
  return object;
}
__global__ void use(const int *in, int *out) { *out = make(in, 1).x + build<Object>(in, 2).x; }
`;

const editsOfClasses: readonly (readonly [from: string, to: string])[] = [
  ["// the first", "// the first of all"],
  ["    take(other);", "    take(table);"],
  ["    take(other);", "    take(&this->data[3]); const T *n = data; n[0] = 1;"],
  ["    take(other);", "//  take(other);"],
  ["    take(other);", "    take(other); }  void more() {"],
  ["T sum = 0;", "T *sum = data;"],
  ["add(from);", "add(from); data[1] = sum;"],
  ["add(from);", "add(from); T *writable = from;"],
  ["add(from);", "add(from"],
  ["[&](const T *more)", "[=](const T *more)"],
  ["U *there = to;", "U *there = from;"],
  ["return n + n;", "return n * 3;"],
  ["data = box.data;", "data = box.other;"],
  ["// Trailing", "// Trailing comment"],
  ["// Trailing", "const T *trailing;"],
  ["at = at + 1;", "*to = *at;"],
  ["size = 1;", "size = 2; *given = 1;"],
  ["float *target = at;", "float *target = source;"],
  ["table[1] = target[0];", "table[2] = 1; this->at = 0;"],
  ["table[1] = target[0];", "extern __shared__ float tile[]; tile[0] = 1; float *t = source;"],
  ["one.at = two.at;", "const float *c = kept; *c = 1;"],
  ["box.put(1.0f);", "constant.put(1.0f);"],
  ["constant.get(in);", "constant.get(table); *constant.data = 1;"],
];

/** Pairs of texts; each edit replaces one of a pair by the other. */
export const edits: Readonly<Record<string, readonly (readonly [from: string, to: string])[]>> = {
  [opencl]: [
    ["* 2.0", "* 8.0"],
    ["float sum = 0.0f;", "double sum = 0.0;"],
    ["const int size = 16;", "const int size = 8, many = 2;"],
    ["global float *target = out;", "local float *target = tile;"],
    ["global float *target = out;", "constant float *target = table;"],
    ["global float *target = out;", ""],
    ["  for (int step", "  float part = 1; tile = near;\n  for (int step"],
    ["const float part = in[step];", "const float part = in[step]; global float *near = out;"],
    ["if (part > 0.5f) {", "{ global int *target = 0; if (part > 0.5f) {"],
    ["if (part > 0.5f) {", "while (part > 0.5f) {"],
    ["target[step] = part", "in[step] = part"],
    ["case 1: sum", "case 1: ; local float *target; sum"],
    ["store(near, sum)", "store(target, sum)"],
    ["  local float *near = tile;\n", "\n\n  local float *near = tile;\n"],
    ["  switch (n) {", "  struct Pair { global float *at; } target;\n  switch (n) {"],
    ["  switch (n) {", "  }\n  switch (n) {"],
    ["  float sum", "  typedef local float *Near; Near from = (Near)out;\n  float sum"],
    ["for (int step = 0", "for (global float *step = in"],
  ],
  [expanded]: [
    ["// the first", "// the first of all that are here"],
    ["  // the first\n", "\n\n\n"],
    ["float sum = 0;", "double sum = 0;"],
    ["float sum = 0;", "local float *sum = tile;"],
    ["  // the first", "  int fresh"],
    ["  // the first", "  API int fresh; GLOBAL"],
    ["global float *target = out;", "local float *target = tile;"],
    ["global float *target = out;", "constant float *target = table;"],
    ["target[step] = sum;", "in[step] = sum;"],
    ["if (step > 8)", "global float *tile = out; if (step > 8)"],
    ["if (step > 8)", "} if (n > 8)"],
    ["ADD5(n);", "ADD5(target);"],
    ["ADD5(n);", "ADD5(n"],
    ["STORE(target, sum);", "STORE(tile, sum);"],
    ["STORE(target, sum);", "STORE(near, sum);"],
    ["in[at] * 0.", "in[at] / n + 0."],
    ["local float *near = tile;", "global float *near = tile;"],
    ["near[0] = sum;", "table[0] = sum;"],
  ],
  [cuda]: [
    ["* T(2.0", "* T(8.0"],
    ["T sum = 0;", "const T sum = 0;"],
    ["T *target = out;", "const T *target = in;"],
    ["add(in[0]);", "add(in[1]); in = out; *in = sum;"],
    ["auto add = [&]", "auto add = [=]"],
    ["total<float>(source", "total<const float>(source"],
    ["out[0] = total<float>(source, out, n);", ""],
    ["first(tile) + first(source)", "first(source)"],
    ["first(tile) + first(source)", "first(&pair)"],
    ["extern __shared__ float tile[];", "__shared__ const float tile[4];"],
    ["extern __shared__ float tile[];", "__constant__ float tile[4];"],
    ["struct Pair { float a, b; };", "struct Pair { const float a, b; }; const int n = 3;"],
    ["const float *source = in;", "float *source = out; source[0] = 1;"],
    ["  n = 3;\n", "  n = 4; { int n = 5; n = 6; }\n"],
  ],
  [classes]: editsOfClasses,
  [shortClasses]: editsOfClasses,
  [returning]: [
    ["// the first", "// the first of all"],
    ["if (n > 1) return object;", "if (n > 1) return other;"],
    ["if (n > 1) return object;", "if (n > 1) return Object(n);"],
    ["if (n > 1) return object;", "if (n > 1) { Object object(1); return object; }"],
    ["other.x += step; }\n  return object;", "other.x += step; }\n  return other;"],
    ["other.x += step; }\n  return object;", "other.x += step; }\n  return (object);"],
    ["other.x += step; }\n  return object;", "other.x += step; }\n  return {object};"],
    ["other.x += step; }\n  return object;", "other.x += step; }\n"],
    ["int step = n;", "Object step = object; return step;"],
    ["return local; };", "return n > 1 ? local : local; };"],
    ["return local; };", "{ Object local(2); return local; } };"],
    ["-> Object {", "{"],
    ["  Object other(n);", "  Object &other = object;"],
    ["  Object other(n);", "  { Object other(n); }"],
    ["  Object object(n);\n  Object", "  { Object object(n); }\n  int *object;\n  Object"],
    ["__device__ Object make", "__device__ auto make"],
    ["  return object;\n}\n__global__", "  return T(object);\n}\n__global__"],
    ["  T object(n);", "  const T object(n);"],
    ["  T object(n);", "  if (n > 5) return T(n);\n  T object(n);"],
  ],
  [shared]: [
    ["T sum = 0;", "int fresh = 0; T sum = 0;"],
    ["typedef float Element;", "typedef int Element;"],
    ["  extern __shared__ Element tile[];", "  // tile\n  extern __shared__ Element tile[];"],
    ["extern __shared__ Element tile[];", "extern __shared__ Element other[]; float *tile = other;"],
    ["extern __shared__ float tile[];", "extern __shared__ double tile[];"],
    ["extern __shared__ float tile[];\n  *in", "extern __constant__ float tile[];\n  *in"],
    ["*in = 1;", "out[1] = 1;"],
    ["*in = 1;\n#else", "#else"],
    ["sum -= in[1 % n]", "*in = sum"],
  ],
  [dispatched]: [
    ["// the first", "// the first of all"],
    ["  // the first\n", "\n\n\n"],
    ["out[0] = table[0] = in[0];", "out[0] = *in = table[1];"],
    ["out[0] = table[0] = in[0];", "Sink<const T> more = {in}; more.put(in);"],
    ["{ at[0] = from[0]; }", "{ at[0] = *from = 1; }"],
    ["{ at[0] = from[0]; }", "{ float *to = at; to[0] = 1; }"],
    ["run<scalar_t><<<1, most>>>(typed, written, size);", "run<const scalar_t><<<1, most>>>(typed, typed, size);"],
    ["run<scalar_t><<<1, most>>>(typed, written, size);", ""],
    ["  report(target);\n  struct", "  run<const float><<<1, 1>>>(in, in, n);\n  struct"],
    ["  at[0] = from[0];\n}", "  at[0] = *from = 1;\n}"],
    ["  at[0] = from[0];\n}", "  at[0] = from[0];\n  int *n = &from[1];\n}"],
    [": at(to) {", ": at(from) {"],
    ["{ report(at); }", "{ report(at); const float *c = at; *c = 1; }"],
    ["Empty::Empty() {}", "Empty::Empty() { n = 1; }"],
    ["int size = 4;", "const int size = 4;"],
    ["int size = 4;", "float size = 4;"],
    ["float *target = out;", "const float *target = in;"],
    ["float *target = out;", "float *target = table;"],
    ["float *target = out;", "float *target = out; const float *scalar_t = in;"],
    ["const int most = 8;", "int most = 8; most = size;"],
    ["auto show = [=]", "auto show = [&]"],
    ["report(target); return", "target = out; return"],
    ["scalar_t *written = nullptr;", "scalar_t *written = typed;"],
    ["case 0: { using", "case 1: { using"],
    ["using scalar_t = float;", "using scalar_t = const float;"],
    ["[size](int more) mutable", "[size](int more)"],
    ["[size](int more) mutable", "[&size](int more)"],
    ["size = part.get();", "most = part.get();"],
    ["{ return most; }", "{ at = 1; return most; }"],
    ["  [&] { float *here", "  [=] { size = 1; float *here"],
    ["report(target);\n  struct", "report(in);\n  struct"],
    ["struct Local { float *at;", "struct Local { const float *at;"],
    ["[=] { Local local", "[&] { target = table; Local local"],
    ["[=] { Local local", "[=] { size = 3; Local local"],
  ],
};
