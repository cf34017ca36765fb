/**
 * Calls of builtin functions with pointers. `$` stands for an address space, and `%` for a second one. The recorder, which asks clang,
 * and the unit test, which asks our checker, build their sources from this list.
 */
export const builtinCalls: readonly string[] = [
  "fract(float, $float *)",
  "fract(float4, $float4 *)",
  "modf(double, $double *)",
  "sincos(float2, $float2 *)",
  "frexp(float, $int *)",
  "frexp(float4, $int4 *)",
  "lgamma_r(float, $int *)",
  "remquo(float, float, $int *)",
  "vload2(size_t, $int *)",
  "vload4(size_t, const $float *)",
  "vload3(size_t, const $uchar *)",
  "vload16(int, const $long *)",
  "vload_half(size_t, const $half *)",
  "vload_half4(size_t, const $half *)",
  "vloada_half16(size_t, const $half *)",
  "vstore4(float4, size_t, $float *)",
  "vstore3(uchar3, size_t, $uchar *)",
  "vstore_half(float, size_t, $half *)",
  "vstore_half_rte(double, size_t, $half *)",
  "vstore_half8(float8, size_t, $half *)",
  "vstorea_half3_rtz(float3, size_t, $half *)",
  "async_work_group_copy($float *, const %float *, size_t, event_t)",
  "async_work_group_copy($uchar4 *, const %uchar4 *, size_t, event_t)",
  "async_work_group_strided_copy($int *, const %int *, size_t, size_t, event_t)",
  "wait_group_events(int, $event_t *)",
  "prefetch(const $float4 *, size_t)",
  "atomic_add(volatile $int *, int)",
  "atomic_sub($uint *, uint)",
  "atomic_xchg($float *, float)",
  "atomic_inc($int *)",
  "atomic_cmpxchg(volatile $uint *, uint, uint)",
  "atom_add($long *, long)",
  "atom_dec($ulong *)",
  "atom_cmpxchg($int *, int, int)",
  "atomic_init(volatile $atomic_int *, int)",
  "atomic_store($atomic_uint *, uint)",
  "atomic_load(volatile $atomic_float *)",
  "atomic_exchange($atomic_int *, int)",
  "atomic_compare_exchange_strong($atomic_int *, %int *, int)",
  "atomic_compare_exchange_weak(volatile $atomic_uint *, %uint *, uint)",
  "atomic_fetch_add($atomic_int *, int)",
  "atomic_fetch_max(volatile $atomic_uint *, uint)",
  "atomic_fetch_or($atomic_int *, int)",
  "atomic_fetch_min_explicit($atomic_int *, int, memory_order, memory_scope)",
  "atomic_flag_test_and_set($atomic_flag *)",
  "atomic_flag_clear(volatile $atomic_flag *)",
  "get_fence(const $int *)",
  "to_global($int *)",
  "to_local($float *)",
  "to_private($int *)",
];

/** One letter per address space, in this order, in the recorded verdicts. */
const spaces = ["global", "local", "constant", "private", "generic"] as const;

/** The calls of a template with every space, or every pair of spaces. */
export function instantiate(template: string, hasGeneric: boolean): readonly string[] {
  const usable = spaces.filter((space) => hasGeneric || space !== "generic");
  const firsts = usable.map((space) => template.replace("$", `__${space} `));
  return template.includes("%") ? firsts.flatMap((call) => usable.map((space) => call.replace("%", `__${space} `))) : firsts;
}

/** A function whose parameters have the types of a call's arguments, and which calls it. */
export function callingFunction(call: string, index: number): string {
  const match = /^(\w+)\((.*)\)$/.exec(call);
  if (match?.[1] === undefined || match[2] === undefined) throw new Error(`no call: ${call}`);
  const types = match[2].split(", ");
  return `void f${index}(${types.map((type, at) => `${type} a${at}`).join(", ")}) { ${match[1]}(${types.map((_, at) => `a${at}`).join(", ")}); }`;
}
