/** Builtin functions: their overloads agree with clang's verdicts, and the prelude is understood in every dialect. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openclDialect } from "../../../server/src/dialect.ts";
import { cudaFunctionNames } from "../../../server/src/semantics/builtins/cuda-functions.ts";
import { builtinFunction, openclFunctionNames } from "../../../server/src/semantics/builtins/index.ts";
import { layoutOf } from "../../../server/src/semantics/types/layout.ts";
import { analyzeText, cuda, dialectOf, parser } from "./analyze-text.ts";
import { builtinCalls, callingFunction, instantiate } from "./builtin-calls.ts";

const recorded = JSON.parse(readFileSync(join(import.meta.dirname, "builtins.verdicts.json"), "utf8")) as Readonly<
  Record<string, Readonly<Record<string, string>>>
>;

for (const [pass, verdicts] of Object.entries(recorded)) {
  describe(`builtin functions in ${pass}`, () => {
    const dialect = dialectOf("opencl", pass);
    const hasGeneric = dialect.language === "opencl" && dialect.genericAddressSpace;
    const cases = builtinCalls.flatMap((template) =>
      instantiate(template, hasGeneric).map((call, index) => ({ call, clang: verdicts[template]?.[index] ?? "?" })),
    );

    it(`accept pointers to the same spaces as in clang (${cases.length} calls)`, () => {
      const text = cases.map(({ call }, index) => callingFunction(call, index)).join("\n");
      const { facts } = analyzeText(text, dialect);
      const line = (offset: number) => text.slice(0, offset).split("\n").length;
      const places = [
        ...facts.noMatches.map(({ place }) => place),
        ...facts.conversions.filter(({ verdict }) => verdict.kind === "changes-address-space").map(({ place }) => place),
      ];
      const wrongLines = new Set(places.map((place) => line(place.unit.view.origin(place.span).location.span.start)));
      const wrong = cases.flatMap(({ call, clang }, index) => {
        const ours = wrongLines.has(index + 1) ? "n" : "y";
        return clang === "-" || clang === ours ? [] : [`${call}: clang ${clang}, we ${ours}`];
      });
      expect(wrong).toEqual([]);
      // Every call was understood: otherwise an unknown function would count as accepted.
      const unseen = cases.filter(
        ({ call, clang }) => clang !== "-" && builtinFunction(call.slice(0, call.indexOf("(")), dialect) === undefined,
      );
      expect(unseen).toEqual([]);
    });
  });
}

describe("declarations", () => {
  // Most declarations are the same in all standards, and parsed once.
  const parsed = new Set<string>();
  it.each(["CL1.2", "CL2.0", "CL3.0", "CL3.0min", "clc++2021"])("of every OpenCL function parse in %s", (pass) => {
    const dialect = dialectOf("opencl", pass);
    const texts = openclFunctionNames().map((name) => builtinFunction(name, dialect) ?? "");
    const lines = texts.flatMap((text) => text.split("\n")).filter((line) => !parsed.has(line));
    for (const line of lines) parsed.add(line);
    expect(parser.parse(lines.join("\n")).tree.errors).toEqual([]);
    expect(texts.filter((text) => text !== "").length).toBeGreaterThan(280);
  });

  it("of every CUDA function parse", () => {
    const texts = [...cudaFunctionNames(), "make_float4", "make_double4_32a"].map((name) => builtinFunction(name, cuda) ?? "");
    expect(texts.filter((text) => text === "")).toEqual([]);
    expect(parser.parse(texts.join("\n")).tree.errors).toEqual([]);
  });

  it("differ by standard", () => {
    expect(builtinFunction("fract", openclDialect("CL1.2"))).toContain("float4 fract(float4, __private float4 *);");
    expect(builtinFunction("fract", openclDialect("CL2.0"))).toContain("float4 fract(float4, __generic float4 *);");
    expect(builtinFunction("fract", openclDialect("CL2.0"))).not.toContain("__private");
    expect(builtinFunction("work_group_barrier", openclDialect("CL1.2"))).toBeUndefined();
    expect(builtinFunction("sin", openclDialect("CL1.2", new Map([["cl_khr_fp64", false]])))).not.toContain("double");
    expect(builtinFunction("sin", cuda)).toContain("float sin(float)");
    expect(builtinFunction("no_such_function", cuda)).toBeUndefined();
    expect(builtinFunction("no_such_function", openclDialect("CL3.0"))).toBeUndefined();
  });

  it("of CUDA's vectors are created when a vector is named", () => {
    expect(builtinFunction("make_float4", cuda)).toBe("__host__ __device__ float4 make_float4(float, float, float, float);");
    expect(builtinFunction("make_uchar1", cuda)).toBe("__host__ __device__ uchar1 make_uchar1(unsigned char);");
    expect(builtinFunction("make_double4_16a", cuda)).toContain("double4_16a make_double4_16a(double, double, double, double);");
    for (const name of ["make_float4_16a", "make_double2_32a", "make_int5", "make_half2", "make_", "my_make_int2", "make_int2x"])
      expect(builtinFunction(name, cuda)).toBeUndefined();
  });

  it("of names that contain types are created when they are used", () => {
    const dialect = openclDialect("CL3.0");
    expect(builtinFunction("convert_int4_sat_rte", dialect)).toContain("int4 convert_int4_sat_rte(float4);");
    expect(builtinFunction("convert_float4_sat", dialect)).toBeUndefined();
    expect(builtinFunction("as_float3", dialect)).toContain("float3 as_float3(int4);");
    expect(builtinFunction("as_int2", dialect)).toContain("int2 as_int2(double);");
    expect(builtinFunction("as_int2", dialect)).not.toContain("(float);");
    expect(builtinFunction("shuffle2", dialect)).toContain("float16 shuffle2(float2, float2, uint16);");
  });
});

describe("prelude", () => {
  it.each(["CL1.2", "CL2.0", "CL3.0min", "clc++2021"])("is understood in %s", (pass) => {
    const dialect = dialectOf("opencl", pass);
    const { facts } = analyzeText(
      "kernel void k(global float *a) { barrier(CLK_LOCAL_MEM_FENCE); a[get_global_id(0)] = sin(M_PI_F) + INFINITY + FLT_MAX; }",
      dialect,
    );
    expect(facts.noMatches).toEqual([]);
    expect(facts.calls.map(({ callee }) => callee?.isBuiltin)).toEqual([true, true, true]);
  });

  // The values of sizeof and alignof in nvcc 13.
  it.each([
    ["char3", 3, 1],
    ["uchar4", 4, 4],
    ["short2", 4, 4],
    ["ushort3", 6, 2],
    ["int3", 12, 4],
    ["uint4", 16, 16],
    ["long1", 8, 8],
    ["ulonglong2", 16, 16],
    ["longlong4", 32, 16],
    ["float2", 8, 8],
    ["float3", 12, 4],
    ["float4", 16, 16],
    ["double2", 16, 16],
    ["double3", 24, 8],
    ["double4_32a", 32, 32],
    ["dim3", 12, 4],
    ["CUtensorMap", 128, 64],
    ["__half2", 4, 4],
    ["cudaExtent", 24, 8],
    ["clock_t", 8, 8],
    ["cudaGraphConditionalHandle", 8, 8],
    ["CUtexObject", 8, 8],
    ["cuComplex", 8, 8],
    ["cuDoubleComplex", 16, 16],
  ] as const)("gives %s its layout", (name, size, alignment) => {
    const { facts } = analyzeText(`struct Holder { ${name} value; };`, cuda);
    const [holder] = facts.records;
    const layout = holder === undefined ? undefined : layoutOf(holder);
    expect(layout === undefined ? undefined : [layout.size, layout.alignment]).toEqual([size, alignment]);
  });
});
