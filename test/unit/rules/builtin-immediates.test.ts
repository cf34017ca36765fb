/** The table of builtin functions whose arguments have to be constants. */
import { describe, expect, it } from "vitest";
import { immediatesOf } from "../../../server/src/rules/findings/builtin-immediates.ts";

describe("the immediate arguments of a builtin function", () => {
  it.each([
    ["__builtin_amdgcn_tensor_load_to_lds", 5, [4]],
    ["__builtin_amdgcn_update_dpp", 6, [2, 3, 4, 5]],
    ["__builtin_amdgcn_s_sendmsg", 2, [0]],
    ["__builtin_amdgcn_s_sleep", 1, [0]],
    ["__builtin_amdgcn_cooperative_atomic_store_32x4B", 4, [2]],
    ["__builtin_prefetch", 2, [1, 2]],
    ["__builtin_prefetch", 3, [1, 2]],
  ])("%s of %i", (name, count, positions) => expect(immediatesOf(name, count)).toEqual(positions));

  it.each([
    ["__builtin_amdgcn_tensor_load_to_lds", 6],
    ["__builtin_amdgcn_s_sendmsg", 1],
    ["__builtin_amdgcn_workitem_id_x", 0],
  ])("%s of %i are unknown: another version has other parameters", (name, count) => expect(immediatesOf(name, count)).toBeUndefined());
});
