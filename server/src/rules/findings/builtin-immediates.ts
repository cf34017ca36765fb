/**
 * The arguments of clang's builtin functions for AMD GPUs that have to be integer constants, because they become a part of the instruction.
 * Each line has their positions, the number of all arguments if others follow the last of them, and the names without `__builtin_amdgcn_`;
 * braces contain the ends of several names. The table is what clang 22 demands.
 */
const table = `
0 : iglp_opt s_{decperflevel,getreg,incperflevel,setprio,sleep,waitcnt}
0 of 2 : s_{sendmsg,sendmsghalt,setreg}
0 : s_barrier_{leave,signal,wait} s_barrier_signal_isfirst s_monitor_sleep s_sendmsg_{rtn,rtnl} s_setprio_inc_wg
0 : s_ttracedata_imm s_wait_{asynccnt,tensorcnt} sched_barrier
0 1 2 : sched_group_barrier
0 2 4 of 6 : wmma_f32_16x16x128_f8f6f4
0 2 4 6 7 : wmma_bf16_16x16x32_bf16 wmma_bf16f32_16x16x32_bf16 wmma_f16_16x16x32_f16 wmma_f32_16x16x32_{bf16,f16}
0 2 4 6 7 : wmma_f32_16x16x4_f32
0 2 4 6 7 9 10 12 13 : wmma_scale16_f32_16x16x128_f8f6f4 wmma_scale_f32_16x16x128_f8f6f4
0 2 5 : sudot4 sudot8 wmma_i32_16x16x16_iu4_{w32,w64} wmma_i32_16x16x16_iu4_w32_gfx12 wmma_i32_16x16x16_iu4_w64_gfx12
0 2 5 : wmma_i32_16x16x16_iu8_{w32,w64} wmma_i32_16x16x16_iu8_w32_gfx12 wmma_i32_16x16x16_iu8_w64_gfx12
0 2 5 : wmma_i32_16x16x32_iu4_w32_gfx12 wmma_i32_16x16x32_iu4_w64_gfx12
0 2 5 6 : wmma_i32_16x16x64_iu8
0 2 6 : swmmac_i32_16x16x32_iu4_{w32,w64} swmmac_i32_16x16x32_iu8_{w32,w64} swmmac_i32_16x16x64_iu4_{w32,w64}
0 2 6 7 : swmmac_bf16_16x16x64_bf16 swmmac_bf16f32_16x16x64_bf16 swmmac_f16_16x16x64_f16 swmmac_f32_16x16x64_{bf16,f16}
0 2 6 7 : swmmac_i32_16x16x128_iu8
1 of 3 : cluster_load_{b128,b32,b64}
1 : cvt_f16_{bf8,fp8} cvt_f32_{bf8,fp8} cvt_f32_fp8_e5m3 cvt_pk_f32_{bf8,fp8} ds_swizzle flat_prefetch
1 : flat_load_monitor_{b128,b32,b64} global_prefetch global_load_monitor_{b128,b32,b64} mov_dpp8
1 of 3 : s_buffer_prefetch_data
1 2 3 4 : mov_dpp
2 : cvt_scale_pk16_bf16_{bf6,fp6} cvt_scale_pk16_f16_{bf6,fp6} cvt_scale_pk16_f32_{bf6,fp6}
2 : cvt_scale_pk8_bf16_{bf8,fp4,fp8} cvt_scale_pk8_f16_{bf8,fp4,fp8} cvt_scale_pk8_f32_{bf8,fp4,fp8}
2 : cvt_scalef32_f32_{bf8,fp8} cvt_scalef32_pk_bf16_{bf8,fp4,fp8} cvt_scalef32_pk_f16_{bf8,fp4,fp8}
2 : cvt_scalef32_pk_f32_{bf8,fp4,fp8} fcmp fcmpf sicmp sicmpl tensor_load_to_lds_d2 tensor_store_from_lds_d2 uicmp uicmpl
2 of 4 : wmma_f32_32x16x128_f4
2 3 of 5 : cluster_load_async_to_lds_{b128,b32,b64,b8}
2 3 : global_load_async_to_lds_{b128,b32,b64,b8}
2 3 : global_store_async_from_lds_{b128,b32,b64,b8} permlane16_swap permlane32_swap
2 3 4 : ds_{faddf,fmaxf,fminf} global_load_lds load_to_lds
2 3 4 5 : update_dpp
2 4 5 : wmma_f16_16x16x128_bf8_{bf8,fp8} wmma_f16_16x16x128_fp8_{bf8,fp8} wmma_f16_16x16x64_bf8_{bf8,fp8}
2 4 5 : wmma_f16_16x16x64_fp8_{bf8,fp8} wmma_f32_16x16x128_bf8_{bf8,fp8} wmma_f32_16x16x128_fp8_{bf8,fp8}
2 4 5 : wmma_f32_16x16x64_bf8_{bf8,fp8} wmma_f32_16x16x64_fp8_{bf8,fp8}
2 4 5 7 8 10 11 : wmma_scale16_f32_32x16x128_f4 wmma_scale_f32_32x16x128_f4
2 5 6 : raw_ptr_buffer_load_lds
2 6 7 : struct_ptr_buffer_load_lds
3 : add_max_{i32,u32} add_min_{i32,u32} bitop3_{b16,b32} cvt_pk_bf8_f32 cvt_pk_fp8_f32 cvt_pk_fp8_f32_e5m3
3 : cvt_scalef32_pk_bf8_{bf16,f16} cvt_scalef32_pk_fp4_{bf16,f16} cvt_scalef32_pk_fp8_{bf16,f16} cvt_sr_bf16_f32
3 : cvt_sr_bf8_{f16,f32} cvt_sr_f16_f32 cvt_sr_fp8_{f16,f32} cvt_sr_fp8_f32_e5m3 ds_bvh_stack_rtn
3 : ds_bvh_stack_push4_pop1_rtn ds_bvh_stack_push8_pop1_rtn ds_bvh_stack_push8_pop2_rtn fdot2 fdot2_f32_bf16
3 : fdot2c_f32_bf16 pk_add_max_{i16,u16} pk_add_min_{i16,u16} raw_buffer_load_{b128,b16,b32,b64,b8,b96} sdot2 sdot4 sdot8
3 : udot2 udot4 udot8 wmma_bf16_16x16x16_bf16_{w32,w64} wmma_bf16_16x16x16_bf16_tied_{w32,w64}
3 : wmma_f16_16x16x16_f16_{w32,w64} wmma_f16_16x16x16_f16_tied_{w32,w64}
3 4 : cvt_scalef32_f16_{bf8,fp8} permlane16_var permlanex16_var
3 4 5 : mfma_f32_{16x16x16f16,16x16x1f32,16x16x2bf16,16x16x4f16,16x16x4f32,16x16x8bf16,32x32x1f32,32x32x2bf16,32x32x2f32,32x32x4bf16,32x32x4f16,32x32x8f16,4x4x1f32,4x4x2bf16,4x4x4f16}
3 4 5 : mfma_f32_16x16x16bf16_1k mfma_f32_16x16x32_{bf16,f16} mfma_f32_16x16x32_bf8_{bf8,fp8} mfma_f32_16x16x32_fp8_{bf8,fp8}
3 4 5 : mfma_f32_16x16x4bf16_1k mfma_f32_16x16x8_xf32 mfma_f32_32x32x16_{bf16,f16} mfma_f32_32x32x16_bf8_{bf8,fp8}
3 4 5 : mfma_f32_32x32x16_fp8_{bf8,fp8} mfma_f32_32x32x4_xf32 mfma_f32_32x32x4bf16_1k mfma_f32_32x32x8bf16_1k
3 4 5 : mfma_f32_4x4x4bf16_1k mfma_f64_{16x16x4f64,4x4x4f64} mfma_i32_{16x16x16i8,16x16x4i8,32x32x4i8,32x32x8i8,4x4x4i8}
3 4 5 : mfma_i32_16x16x32_i8 mfma_i32_16x16x64_i8 mfma_i32_32x32x16_i8 mfma_i32_32x32x32_i8
3 4 5 7 of 9 : mfma_scale_f32_16x16x128_f8f6f4 mfma_scale_f32_32x32x64_f8f6f4
4 : cvt_scalef32_pk_bf8_f32 cvt_scalef32_pk_fp4_f32 cvt_scalef32_pk_fp8_f32 cvt_scalef32_sr_bf8_{bf16,f16,f32}
4 : cvt_scalef32_sr_fp8_{bf16,f16,f32} cvt_scalef32_sr_pk_fp4_{bf16,f16,f32} raw_buffer_store_{b128,b16,b32,b64,b8,b96}
4 : raw_ptr_buffer_atomic_add_i32 raw_ptr_buffer_atomic_fadd_{f32,v2f16} raw_ptr_buffer_atomic_fmax_{f32,f64}
4 : raw_ptr_buffer_atomic_fmin_{f32,f64} tensor_load_to_lds tensor_store_from_lds
4 5 : permlane16 permlanex16 smfmac_f32_16x16x128_bf8_{bf8,fp8} smfmac_f32_16x16x128_fp8_{bf8,fp8}
4 5 : smfmac_f32_16x16x32_{bf16,f16} smfmac_f32_16x16x64_{bf16,f16} smfmac_f32_16x16x64_bf8_{bf8,fp8}
4 5 : smfmac_f32_16x16x64_fp8_{bf8,fp8} smfmac_f32_32x32x16_{bf16,f16} smfmac_f32_32x32x32_{bf16,f16}
4 5 : smfmac_f32_32x32x32_bf8_{bf8,fp8} smfmac_f32_32x32x32_fp8_{bf8,fp8} smfmac_f32_32x32x64_bf8_{bf8,fp8}
4 5 : smfmac_f32_32x32x64_fp8_{bf8,fp8} smfmac_i32_16x16x128_i8 smfmac_i32_16x16x64_i8 smfmac_i32_32x32x32_i8
4 5 : smfmac_i32_32x32x64_i8 swmmac_f16_16x16x128_bf8_{bf8,fp8} swmmac_f16_16x16x128_fp8_{bf8,fp8}
4 5 : swmmac_f32_16x16x128_bf8_{bf8,fp8} swmmac_f32_16x16x128_fp8_{bf8,fp8}
1 of 3 : cooperative_atomic_load_{16x8B,32x4B,8x16B}
2 of 4 : cooperative_atomic_store_{16x8B,32x4B,8x16B}
`;

/** Those of builtin functions that every target of clang has. */
const general = `
1 2 : prefetch
1 : assume_aligned object_size
0 : frame_address return_address
`;

/**
 * The positions of the arguments of a builtin function of clang that have to be integer constants, in a call with so many arguments;
 * undefined for other functions, and for another number than clang 22 wants: other versions have other parameters.
 */
export function immediatesOf(name: string, count: number): readonly number[] | undefined {
  const known = immediates.get(name);
  return known === undefined || (isOfAmdGpu(name) && known.count !== count) ? undefined : known.positions;
}

/** True for a builtin function that only clang has. */
export function isOfAmdGpu(name: string): boolean {
  return name.startsWith("__builtin_amdgcn_");
}

const immediates = new Map([...read(table, "__builtin_amdgcn_"), ...read(general, "__builtin_")]);

interface Immediates {
  readonly positions: readonly number[];
  readonly count: number;
}

function read(text: string, prefix: string): [name: string, immediates: Immediates][] {
  return text
    .trim()
    .split("\n")
    .flatMap((line) => {
      const [numbers = "", names = ""] = line.split(" : ");
      const [written = "", count] = numbers.split(" of ");
      const positions = written.split(" ").map(Number);
      const own = { positions, count: count === undefined ? (positions.at(-1) ?? 0) + 1 : Number(count) };
      return names.split(" ").flatMap((each) => endsOf(each).map((name): [string, Immediates] => [prefix + name, own]));
    });
}

function endsOf(name: string): readonly string[] {
  const [start = "", ends] = name.split("{");
  return ends === undefined
    ? [start]
    : ends
        .replace("}", "")
        .split(",")
        .map((end) => start + end);
}
