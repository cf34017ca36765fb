/**
 * The builtin functions of OpenCL C except those for images, in the notation of `notation.ts`. They are written from the tables of
 * OpenCL C 3.0 §6.15, in the same order; the section numbers below are the specification's.
 */

// §6.15.1
const workItems = `
when always
- : uint @() : get_work_dim
- : size_t @(uint) : get_global_size get_global_id get_local_size get_local_id get_num_groups get_group_id get_global_offset
when since 2.0
- : size_t @(uint) : get_enqueued_local_size
- : size_t @() : get_global_linear_id get_local_linear_id
when subgroups
- : uint @() : get_sub_group_size get_max_sub_group_size get_num_sub_groups get_sub_group_id get_sub_group_local_id
when since 2.0, subgroups
- : uint @() : get_enqueued_num_sub_groups
`;

// §6.15.2
const math = `
when always
f/* : T @(T) : acos acosh acospi asin asinh asinpi atan atanh atanpi cbrt ceil cos cosh cospi erfc erf exp exp2 exp10 expm1 fabs floor lgamma log log2 log10 log1p logb rint round rsqrt sin sinh sinpi sqrt tan tanh tanpi tgamma trunc
f/* : T @(T, T) : atan2 atan2pi copysign fdim fmax fmin fmod hypot maxmag minmag nextafter pow powr remainder
f/v : T @(T, S) : fmax fmin
f/* : T @(T, T, T) : fma mad
f/* : T @(T, P T *) : fract modf sincos
f/* : T @(T, P int# *) : frexp lgamma_r
f/* : T @(T, T, P int# *) : remquo
f/* : int# @(T) : ilogb
f/* : T @(T, int#) : ldexp pown rootn
f/v : T @(T, int) : ldexp
f/* : T @(K) : nan
float/* : T @(T) : half_cos half_exp half_exp2 half_exp10 half_log half_log2 half_log10 half_recip half_rsqrt half_sin half_sqrt half_tan
float/* : T @(T) : native_cos native_exp native_exp2 native_exp10 native_log native_log2 native_log10 native_recip native_rsqrt native_sin native_sqrt native_tan
float/* : T @(T, T) : half_divide half_powr native_divide native_powr
`;

// §6.15.3
const integer = `
when always
i/* : U @(T) : abs
i/* : U @(T, T) : abs_diff
i/* : T @(T, T) : add_sat hadd rhadd mul_hi rotate sub_sat max min
i/v : T @(T, S) : max min
i/* : T @(T, T, T) : mad_hi mad_sat clamp
i/v : T @(T, S, S) : clamp
i/* : T @(T) : clz
char,uchar,short,ushort,int,uint/* : W @(T, U) : upsample
int,uint/* : T @(T, T, T) : mad24
int,uint/* : T @(T, T) : mul24
when since 1.2
i/* : T @(T) : popcount
when since 2.0
i/* : T @(T) : ctz
`;

// §6.15.4–6.15.6
const commonGeometricRelational = `
when always
f/* : T @(T, T, T) : clamp mix smoothstep
f/v : T @(T, S, S) : clamp
f/v : T @(T, T, S) : mix
f/v : T @(S, S, T) : smoothstep
f/* : T @(T) : degrees radians sign
f/* : T @(T, T) : max min step
f/v : T @(T, S) : max min
f/v : T @(S, T) : step
f/34 : T @(T, T) : cross
f/g : S @(T, T) : dot distance
f/g : S @(T) : length
- : uint @(uchar4, uchar4) : dot
- : int @({char4, char4|uchar4, char4|char4, uchar4}) : dot
f/g : T @(T) : normalize
float/g : S @(T, T) : fast_distance
float/g : S @(T) : fast_length
float/g : T @(T) : fast_normalize
f/1 : int @(T, T) : isequal isnotequal isgreater isgreaterequal isless islessequal islessgreater isordered isunordered
f/v : J @(T, T) : isequal isnotequal isgreater isgreaterequal isless islessequal islessgreater isordered isunordered
f/1 : int @(T) : isfinite isinf isnan isnormal signbit
f/v : J @(T) : isfinite isinf isnan isnormal signbit
signed/* : int @(T) : any all
a/* : T @(T, T, T) : bitselect
a/* : T @(T, T, {J|K}) : select
`;

// §6.15.7, 6.15.11, 6.15.12
const memory = `
when always
a/v : T @(size_t, Q const S *) : vload#
a/v : void @(T, size_t, P S *) : vstore#
- : float @(size_t, Q const half *) : vload_half
float/v : T @(size_t, Q const half *) : vload_half# vloada_half#
float,double/1 : void @(T, size_t, P half *) : vstore_half vstore_half_rte vstore_half_rtz vstore_half_rtp vstore_half_rtn
float,double/v : void @(T, size_t, P half *) : vstore_half# vstore_half#_rte vstore_half#_rtz vstore_half#_rtp vstore_half#_rtn
float,double/v : void @(T, size_t, P half *) : vstorea_half# vstorea_half#_rte vstorea_half#_rtz vstorea_half#_rtp vstorea_half#_rtn
a/* : event_t @({__local T *, const __global|__global T *, const __local} T *, size_t, event_t) : async_work_group_copy
a/* : event_t @({__local T *, const __global|__global T *, const __local} T *, size_t, size_t, event_t) : async_work_group_strided_copy
- : void @(int, event_t *) : wait_group_events
a/* : void @(const __global T *, size_t) : prefetch
- : int @(__constant const char *, ...) : printf
`;

// §6.15.8–6.15.10
const synchronization = `
when always
- : void @(cl_mem_fence_flags) : barrier mem_fence read_mem_fence write_mem_fence
when since 2.0
- : void @(cl_mem_fence_flags) : work_group_barrier
- : void @(cl_mem_fence_flags, memory_scope) : work_group_barrier
- : void @(cl_mem_fence_flags, memory_order, memory_scope) : atomic_work_item_fence
when subgroups
- : void @(cl_mem_fence_flags) : sub_group_barrier
when since 2.0, subgroups
- : void @(cl_mem_fence_flags, memory_scope) : sub_group_barrier
when generic
- : cl_mem_fence_flags @({__generic void *|const __generic void *}) : get_fence
- : __global void *@(const volatile __generic void *) : to_global
- : __local void *@(const volatile __generic void *) : to_local
- : __private void *@(const volatile __generic void *) : to_private
`;

const atomicIntegers = "atomic_int,atomic_uint,atomic_long,atomic_ulong";
// Arithmetic on floating-point atomics, and atomic half, come from cl_ext_float_atomics.
const atomicNumbers = `${atomicIntegers},atomic_half,atomic_float,atomic_double`;

// §6.15.12 (2.0 and later), and the functions of 1.x and their extensions
const atomics = `
when always
int,uint/1 : T @(volatile {__global|__local} T *, T) : atomic_add atomic_sub atomic_xchg atomic_min atomic_max atomic_and atomic_or atomic_xor
int,uint,long,ulong/1 : T @(volatile {__global|__local} T *, T) : atom_add atom_sub atom_xchg atom_min atom_max atom_and atom_or atom_xor
float/1 : T @(volatile {__global|__local} T *, T) : atomic_xchg
int,uint/1 : T @(volatile {__global|__local} T *) : atomic_inc atomic_dec
int,uint,long,ulong/1 : T @(volatile {__global|__local} T *) : atom_inc atom_dec
int,uint/1 : T @(volatile {__global|__local} T *, T, T) : atomic_cmpxchg
int,uint,long,ulong/1 : T @(volatile {__global|__local} T *, T, T) : atom_cmpxchg
when c++, generic
int,uint/1 : T @(volatile __generic T *, T) : atomic_add atomic_sub atomic_xchg atomic_min atomic_max atomic_and atomic_or atomic_xor
int,uint/1 : T @(volatile __generic T *) : atomic_inc atomic_dec
int,uint/1 : T @(volatile __generic T *, T, T) : atomic_cmpxchg
when since 2.0
${atomicNumbers}/1 : void @(volatile O T *, S) : atomic_init atomic_store
${atomicNumbers}/1 : void @(volatile O T *, S, {memory_order|memory_order, memory_scope}) : atomic_store_explicit
${atomicNumbers}/1 : S @(volatile O T *) : atomic_load
${atomicNumbers}/1 : S @(volatile O T *, {memory_order|memory_order, memory_scope}) : atomic_load_explicit
${atomicNumbers}/1 : S @(volatile O T *, S) : atomic_exchange
${atomicNumbers}/1 : S @(volatile O T *, S, {memory_order|memory_order, memory_scope}) : atomic_exchange_explicit
${atomicNumbers}/1 : bool @(volatile O T *, P S *, S) : atomic_compare_exchange_strong atomic_compare_exchange_weak
${atomicNumbers}/1 : bool @(volatile O T *, P S *, S, memory_order, {memory_order|memory_order, memory_scope}) : atomic_compare_exchange_strong_explicit atomic_compare_exchange_weak_explicit
${atomicNumbers}/1 : S @(volatile O T *, S) : atomic_fetch_add atomic_fetch_sub atomic_fetch_min atomic_fetch_max
${atomicNumbers}/1 : S @(volatile O T *, S, {memory_order|memory_order, memory_scope}) : atomic_fetch_add_explicit atomic_fetch_sub_explicit atomic_fetch_min_explicit atomic_fetch_max_explicit
${atomicIntegers}/1 : S @(volatile O T *, S) : atomic_fetch_or atomic_fetch_xor atomic_fetch_and
${atomicIntegers}/1 : S @(volatile O T *, S, {memory_order|memory_order, memory_scope}) : atomic_fetch_or_explicit atomic_fetch_xor_explicit atomic_fetch_and_explicit
- : bool @(volatile O atomic_flag *) : atomic_flag_test_and_set
- : bool @(volatile O atomic_flag *, {memory_order|memory_order, memory_scope}) : atomic_flag_test_and_set_explicit
- : void @(volatile O atomic_flag *) : atomic_flag_clear
- : void @(volatile O atomic_flag *, {memory_order|memory_order, memory_scope}) : atomic_flag_clear_explicit
`;

// §6.15.16, 6.15.17, 6.15.18, 6.15.19. Functions that take pointers of any type, or packets, are declared with an ellipsis.
const collective = `
when since 2.0, __opencl_c_work_group_collective_functions
- : int @(int) : work_group_all work_group_any
int,uint,long,ulong,float,double,half/1 : T @(T, {size_t|size_t, size_t|size_t, size_t, size_t}) : work_group_broadcast
int,uint,long,ulong,float,double,half/1 : T @(T) : work_group_reduce_add work_group_reduce_min work_group_reduce_max work_group_scan_exclusive_add work_group_scan_exclusive_min work_group_scan_exclusive_max work_group_scan_inclusive_add work_group_scan_inclusive_min work_group_scan_inclusive_max
when subgroups
- : int @(int) : sub_group_all sub_group_any
a/* : T @(T, uint) : sub_group_broadcast
a/1 : T @(T) : sub_group_reduce_add sub_group_reduce_min sub_group_reduce_max sub_group_scan_exclusive_add sub_group_scan_exclusive_min sub_group_scan_exclusive_max sub_group_scan_inclusive_add sub_group_scan_inclusive_min sub_group_scan_inclusive_max
when since 2.0, __opencl_c_pipes
- : int @(...) : read_pipe write_pipe
- : reserve_id_t @(...) : reserve_read_pipe reserve_write_pipe work_group_reserve_read_pipe work_group_reserve_write_pipe sub_group_reserve_read_pipe sub_group_reserve_write_pipe
- : void @(...) : commit_read_pipe commit_write_pipe work_group_commit_read_pipe work_group_commit_write_pipe sub_group_commit_read_pipe sub_group_commit_write_pipe
- : uint @(...) : get_pipe_num_packets get_pipe_max_packets
- : bool @(reserve_id_t) : is_valid_reserve_id
when since 2.0, __opencl_c_device_enqueue
- : int @(...) : enqueue_kernel
- : uint @(...) : get_kernel_work_group_size get_kernel_preferred_work_group_size_multiple get_kernel_sub_group_count_for_ndrange get_kernel_max_sub_group_size_for_ndrange
- : int @(queue_t, uint, const __generic clk_event_t *, __generic clk_event_t *) : enqueue_marker
- : void @(clk_event_t) : retain_event release_event
- : clk_event_t @() : create_user_event
- : bool @(clk_event_t) : is_valid_event
- : void @(clk_event_t, int) : set_user_event_status
- : void @(clk_event_t, clk_profiling_info, __global void *) : capture_event_profiling_info
- : queue_t @() : get_default_queue
- : ndrange_t @({size_t|size_t, size_t|size_t, size_t, size_t}) : ndrange_1D
- : ndrange_t @({const size_t *|const size_t *, const size_t *|const size_t *, const size_t *, const size_t *}) : ndrange_2D ndrange_3D
`;

/** The functions of OpenCL C except those for images and conversions, by the clauses of OpenCL C 3.0 that declare them. */
export const openclFunctions: readonly { readonly clause: string; readonly families: string }[] = [
  { clause: "§6.15.1", families: workItems },
  { clause: "§6.15.2", families: math },
  { clause: "§6.15.3", families: integer },
  { clause: "§6.15.4–6.15.6", families: commonGeometricRelational },
  { clause: "§6.15.7, §6.15.11, §6.15.12", families: memory },
  { clause: "§6.15.8–6.15.10", families: synchronization },
  { clause: "§6.15.12", families: atomics },
  { clause: "§6.15.16–6.15.19", families: collective },
];
