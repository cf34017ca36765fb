/** Features that a device lacks according to the settings are reported. */
import { describe, expect, it } from "vitest";
import { noSettings, type OpenCLStandard } from "../../../server/src/dialect.ts";
import { serviceOf, testParser } from "../../service.ts";

const parser = await testParser();

function found(text: string, off: readonly string[], openclStandard?: OpenCLStandard): readonly string[] {
  const settings = {
    ...noSettings,
    ...(openclStandard === undefined ? {} : { openclStandard }),
    openclExtensions: new Map(off.map((name) => [name, false] as const)),
  };
  const service = serviceOf(parser, [{ name: "a.cl", text }], settings);
  try {
    return service.check("file:///fixture/a.cl").diagnostics.map(({ severity, message }) => `${severity}: ${message}`);
  } finally {
    service.dispose();
  }
}

describe("a device without", () => {
  it("double", () => {
    const text = "kernel void f(global double *p, float x) { double4 v; p[0] = (double)x; }";
    expect(found(text, [])).toEqual([]);
    for (const standard of ["CL1.2", "CL2.0", undefined] as const) {
      expect(found(text, ["cl_khr_fp64"], standard)).toEqual([
        "error: there is no 'double' without the extension 'cl_khr_fp64'",
        "error: there is no 'double4' without the extension 'cl_khr_fp64'",
        "error: there is no 'double' without the extension 'cl_khr_fp64'",
      ]);
    }
    expect(found(text, ["__opencl_c_fp64"], "CL2.0")).toEqual([]);
    expect(found(text, ["__opencl_c_fp64"], "CL3.0")).toHaveLength(3);
  });

  it("images", () => {
    const text = "kernel void f(read_only image2d_t a, sampler_t by, global float4 *to) { *to = read_imagef(a, by, (float2)(0)); }";
    expect(found(text, ["__opencl_c_images"], "CL1.2")).toEqual([]);
    expect(found(text, ["__opencl_c_images"], "CL3.0")).toEqual([
      "error: there is no 'image2d_t' without the feature '__opencl_c_images'",
      "error: there is no 'sampler_t' without the feature '__opencl_c_images'",
    ]);
  });
});
