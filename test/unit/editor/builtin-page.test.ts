/** The pages with what the languages declare themselves, and the definitions that lead there. */
import { describe, expect, it } from "vitest";
import { noSettings, openclDialect } from "../../../server/src/dialect.ts";
import { builtinDefinitionAt } from "../../../server/src/editor/language/builtin-definitions.ts";
import { builtinPage } from "../../../server/src/editor/language/builtin-page.ts";
import { builtinFunctionNames } from "../../../server/src/semantics/builtins/index.ts";
import { createService } from "../../../server/src/service.ts";
import { memoryFiles, testParser } from "../../service.ts";

const parser = await testParser();

/** The line of the page that the definition of the name at the mark `‸` leads to, from the name on. */
function lineFor(marked: string, name = "a.cl"): string | undefined {
  const uri = `file:///${name}`;
  const files = memoryFiles(new Map([[uri, marked.replace("‸", "")]]));
  const service = createService({ files, parser, settingsOf: () => noSettings });
  try {
    const found = builtinDefinitionAt(service.read(uri), marked.indexOf("‸"), files);
    return found?.page.text.slice(found.span.start).split("\n")[0];
  } finally {
    service.dispose();
  }
}

describe("the page of a language", () => {
  it("declares every function", () => {
    const { text, placeOf } = builtinPage("opencl");
    for (const name of builtinFunctionNames(openclDialect("CL3.0"))) {
      const span = placeOf(name);
      expect(span === undefined ? name : text.slice(span.start, span.end)).toBe(name);
    }
  });

  it.each(["opencl", "cuda"] as const)("has no findings when it is opened: %s", (language) => {
    const { fileName, text } = builtinPage(language);
    const uri = `file:///${fileName}`;
    // What the newest standard accepts is not an error in all of them, which is what a check without a standard would show.
    const settings = { ...noSettings, openclStandard: "CL3.0" as const };
    const service = createService({ files: memoryFiles(new Map([[uri, text]])), parser, settingsOf: () => settings });
    expect(service.check(uri).diagnostics.filter(({ severity }) => severity !== "info" && severity !== "hint")).toEqual([]);
    service.dispose();
  });
});

describe("a definition in the language", () => {
  it.each([
    ["kernel void f() { ‸get_global_id(0); }", /^get_global_id\(uint\);$/],
    ["kernel void f() { ‸barrier(CLK_LOCAL_MEM_FENCE); }", /^barrier\(cl_mem_fence_flags\);$/],
    ["kernel void f() { barrier(‸CLK_LOCAL_MEM_FENCE); }", /^CLK_LOCAL_MEM_FENCE /],
    ["kernel void f(global ‸float4 *p) {}", /^float4 __attribute__/],
    ["kernel void f(global atomic_int *p) { atomic_store_explicit(p, 1, ‸memory_order_relaxed); }", /^memory_order_relaxed = 0/],
    ["kernel void f(float4 v) { ‸convert_int4_sat_rte(v); }", /^convert_int4_sat_rte\(char4\);$/],
    ["kernel void f(global ‸int *p) {}", /^int: 32 bits/],
    ["float f(float3 v) { return v.‸y; }", /^float3 __attribute__.* .x .y .z .r .g .b .s0 to .s2 /],
    ["float f(real3 v) { return v.‸y; }", undefined],
    ["kernel void f(const global int *p) { ‸return; }", undefined],
    ["void g(); kernel void f() { ‸g(); }", undefined],
  ])("is found for %s", (text, line) => {
    const found = lineFor(text);
    if (line === undefined) expect(found).toBeUndefined();
    else expect(found).toMatch(line);
  });

  it("is found in CUDA", () => {
    expect(lineFor("__global__ void k() { ‸__syncthreads(); }", "a.cu")).toMatch(/^__syncthreads\(\);/);
    expect(lineFor("__global__ void k(int *p) { p[‸threadIdx.x] = 1; }", "a.cu")).toMatch(/^threadIdx;/);
  });
});
