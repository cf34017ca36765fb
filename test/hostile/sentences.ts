/**
 * Sentences of small grammars: programs of a few lines with many constructs that the rules judge. Most are well-formed, few are
 * meaningful. Numbers choose between the alternatives, so that fast-check can generate and shrink programs like lists of numbers.
 */
import fc from "fast-check";

/** Alternatives by name; `$name` stands for a sentence of that name. The first alternative needs no further choice. */
type Grammar = Readonly<Record<string, readonly string[]>>;

const shared: Grammar = {
  file: ["$item", "$item\n$item", "$item\n$item\n$item", "$item\n$item\n$item\n$item\n$item"],
  block: ["$statement", "$statement $statement", "$statement $statement $statement"],
  statement: [
    "$expression;",
    "$specifiers $declarator;",
    "$specifiers $declarator = $expression;",
    "$specifiers $declarator = { $list };",
    "if ($expression) $statement",
    "if ($expression) { $block } else $statement",
    "for (int i = 0; i < $expression; i++) { $block }",
    "while ($expression) $statement",
    "switch ($expression) { case 0: $statement break; default: $statement }",
    "return $expression;",
    "{ $block }",
    "do { $block } while (0);",
    "\n#if $condition\n$statement\n#else\n$statement\n#endif\n",
    "\n#pragma unroll\n$statement",
  ],
  condition: ["1", "0", "defined A", "A > 1", "defined(M) && M(1)", "!defined __CUDA_ARCH__", "__OPENCL_VERSION__ >= 200"],
  list: ["0", "$expression", "$expression, $list", ".m = $expression", "{ $list }, $list"],
  arguments: ["", "$expression", "$expression, $expression", "$expression, $expression, $expression"],
  expression: [
    "$name",
    "0",
    "1.5f",
    '"text"',
    "&$name",
    "*$name",
    "$name[$expression]",
    "$name.m",
    "$name->m",
    "$name.m.m",
    "$name($arguments)",
    "($type)$expression",
    "$expression = $expression",
    "$expression += $expression",
    "$expression + $expression",
    "$expression == $expression",
    "$expression ? $expression : $expression",
    "($expression)",
    "($expression, $expression)",
    "sizeof($type)",
    "sizeof $name",
    "$name++",
    "-$expression",
    "!$expression",
    "M($expression)",
    "$special",
  ],
  name: ["a", "b", "f", "g", "k", "s", "T", "A", "x.y", "i"],
  macro: [
    "#define A $specifiers",
    "#define A $expression",
    "#define M(x) $expression",
    "#define M(x) ((x) + $name)",
    "#define M(x, ...) f(x, ##__VA_ARGS__)",
    "#undef A",
    "#ifdef A\n$item\n#endif",
    "#if $condition\n$item\n#else\n$item\n#endif",
    '#include "missing.h"',
    "// gpu-qualifiers: allow[const-write] here",
  ],
  parameters: ["", "$specifiers $declarator", "$specifiers $declarator, $specifiers $declarator", "$specifiers $declarator, ..."],
  declarator: [
    "$name",
    "*$name",
    "*const $name",
    "**$name",
    "*$qualifier *$name",
    "$name[4]",
    "$name[]",
    "$name[2][A]",
    "(*$name)($parameters)",
    "(*$name)[4]",
    "*$name($parameters)",
    "$name, *$name",
  ],
  specifiers: ["$base", "$qualifier $base", "$qualifier $qualifier $base", "$base $qualifier", "$storage $qualifier $base", "A $base"],
  type: ["int *", "$specifiers", "$specifiers *", "$qualifier $specifiers **", "$specifiers (*)[4]"],
  members: [
    "int m;",
    "$specifiers $declarator;",
    "$specifiers $declarator; $members",
    "$specifiers m : 3; $members",
    "union { $members };",
  ],
};

const cuda: Grammar = {
  ...shared,
  item: [
    "__global__ void k($parameters) { $block }",
    "__device__ $specifiers $declarator = $expression;",
    "__constant__ $base $name[16];",
    "$qualifier $specifiers $declarator;",
    "$specifiers $name($parameters) { $block }",
    "__device__ $specifiers f($parameters) { $block return $expression; }",
    "__device__ void f($parameters);",
    "struct T { $members };",
    "struct T : B { __device__ T($parameters) : m($expression) { $block } $members };",
    "template <class T> __global__ void k($parameters) { $block }",
    "template <class T, int A> __device__ T f(T a, $parameters) { $block }",
    "template <> __device__ void f<$type>($parameters) { $block }",
    "typedef $specifiers $declarator;",
    "using T = $type;",
    "namespace n { $item }",
    'extern "C" { $item }',
    "void g() { $name<<<$arguments>>>($arguments); $block }",
    "enum E { a, b = $expression };",
    "$macro",
  ],
  qualifier: [
    ...["const", "volatile", "__device__", "__constant__", "__shared__", "__managed__", "__grid_constant__", "__host__"],
    ...["__restrict__", "constexpr", "inline", "__global__", "__launch_bounds__(64)", "alignas(8)"],
  ],
  storage: ["static", "extern", "thread_local", "mutable"],
  base: ["int", "float", "T", "float4", "auto", "unsigned long", "T<int>", "n::T", "decltype($expression)", "void", "const char"],
  special: [
    "[=] __device__ ($parameters) { $block }",
    "static_cast<$type>($expression)",
    "const_cast<$type>($expression)",
    "T{$list}",
    "f<$type>($arguments)",
    "n::a",
    "new T($arguments)",
    "cudaMemcpyToSymbol($name, $arguments)",
    "__ldg(&$name)",
    "atomicAdd(&$name, $expression)",
    "threadIdx.x",
    "this->m",
  ],
};

const opencl: Grammar = {
  ...shared,
  item: [
    "kernel void k($parameters) { $block }",
    "constant $base $name[16] = { $list };",
    "$qualifier $specifiers $declarator = $expression;",
    "$specifiers $name($parameters) { $block }",
    "$specifiers f($parameters) { $block return $expression; }",
    "void f($parameters);",
    "struct T { $members };",
    "typedef struct { $members } T;",
    "typedef $specifiers $declarator;",
    "__attribute__((overloadable)) void f($parameters) { $block }",
    "enum E { a, b = $expression };",
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable",
    "$macro",
  ],
  qualifier: [
    ...["const", "global", "local", "constant", "private", "generic", "volatile", "__global", "__local", "read_only", "write_only"],
    ...["restrict", "kernel", "__attribute__((aligned(8)))"],
  ],
  storage: ["static", "extern", "inline"],
  base: ["int", "float4", "struct T", "T", "half", "image2d_t", "sampler_t", "event_t", "atomic_int", "void", "size_t", "pipe int", "bool"],
  special: [
    "(float4)($arguments)",
    "$name.xyzw",
    "$name.s0",
    "get_global_id(0)",
    "vload4(0, $expression)",
    "atomic_fetch_add($expression, 1)",
    "async_work_group_copy($arguments)",
    "to_global($expression)",
    "^($parameters) { $block }",
    "read_imagef($arguments)",
    "as_int($expression)",
  ],
};

/** Longer sentences end with their first alternatives. */
const mostChoices = 400;

function sentence(grammar: Grammar, choices: Uint8Array): string {
  let at = 0;
  const expand = (name: string): string => {
    const alternatives = grammar[name] ?? [name];
    const choice = at < choices.length && at < mostChoices ? (choices[at] ?? 0) : 0;
    at += 1;
    return (alternatives[choice % alternatives.length] ?? "").replace(/\$([a-z]+)/g, (_, inner: string) => expand(inner));
  };
  return `${expand("file")}\n`;
}

/** A program of a few lines, and a name that implies its language. */
export const program: fc.Arbitrary<{ readonly name: string; readonly text: string }> = fc
  .tuple(fc.boolean(), fc.uint8Array({ minLength: 8, maxLength: 160, size: "max" }))
  .map(([isCuda, choices]) =>
    isCuda ? { name: "x.cu", text: sentence(cuda, choices) } : { name: "x.cl", text: sentence(opencl, choices) },
  );
