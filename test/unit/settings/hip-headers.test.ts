/** A source is HIP if the headers of its project include HIP. */
import { beforeAll, describe, expect, it } from "vitest";
import { noSettings } from "../../../server/src/dialect.ts";
import { createService } from "../../../server/src/service.ts";
import type { SyntaxParser } from "../../../server/src/syntax/parser.ts";
import { memoryFiles, testParser } from "../../service.ts";

const kernel = '#include "common.h"\nstruct Op {\n  __global__ static void fill(int *p) { *p = 1; }\n};\n';
const hip = "#include <hip/hip_runtime.h>\n";
const cuda = "#include <cuda_runtime.h>\n";

describe("a source", () => {
  let parser: SyntaxParser;
  beforeAll(async () => {
    parser = await testParser();
  });
  const open = (texts: Readonly<Record<string, string>>) => {
    const files = new Map(Object.entries(texts).map(([name, text]) => [`file:///w/${name}`, text]));
    return { files, service: createService({ files: memoryFiles(files), parser, settingsOf: () => noSettings }) };
  };
  const rulesOf = ({ service }: ReturnType<typeof open>, name = "op.cu") =>
    service.check(`file:///w/${name}`).diagnostics.map(({ rule }) => rule);

  it.each<[string, Record<string, string>]>([
    ["through its header", { "common.h": hip }],
    ["through a header of a header", { "common.h": '#pragma once\n#include "base/runtime.h"\n', "base/runtime.h": hip }],
    ["through a conditional include", { "common.h": `#ifdef WITH_HIP\n${hip}#endif\n` }],
    ["through headers in a circle", { "common.h": '#include "common.h"\n#include "other.h"\n', "other.h": `#include "common.h"\n${hip}` }],
  ])("is HIP %s", (_, headers) => {
    expect(rulesOf(open({ ...headers, "op.cu": kernel }))).toEqual([]);
  });

  it.each<[string, Record<string, string>]>([
    ["without HIP in its headers", { "common.h": "#define SIZE 4\n" }],
    ["without its header", {}],
    ["whose header is for either", { "common.h": `#ifdef WITH_HIP\n${hip}#else\n${cuda}#endif\n` }],
    ["whose headers are for either", { "common.h": '#include "a.h"\n#include "b.h"\n', "a.h": hip, "b.h": cuda }],
  ])("is CUDA %s", (_, headers) => {
    expect(rulesOf(open({ ...headers, "op.cu": kernel }))).toEqual(["kernel-signature"]);
  });

  it.each(["hip/kernels.hpp", "src/rocm/kernels.cuh", "hip_kernels.hpp", "kernels_hip.cuh"])("is HIP if its name says so: %s", (name) => {
    const declared = "__device__ int index(int x);\nint index(int x);\n";
    expect(rulesOf(open({ [name]: declared }), name)).toEqual([]);
    expect(rulesOf(open({ [name]: `${cuda}${declared}` }), name)).toEqual(["execution-space-mismatch"]);
    expect(rulesOf(open({ "ship/kernels.cuh": declared }), "ship/kernels.cuh")).toEqual(["execution-space-mismatch"]);
  });

  it("with a neutral name gives its headers what they need, unless it is code for the host", () => {
    const header = "__global__ void fill(Param p) { p.n = limit; }\n";
    const needed = "struct Param { const int n; };\n__constant__ int limit;\n";
    const kernels = { "fill.hpp": header, "a.cpp": `${hip}${needed}#include "fill.hpp"\n__global__ void other() {}\n` };
    expect(rulesOf(open(kernels), "fill.hpp")).toEqual(["const-write"]);
    const host = { "fill.hpp": header, "a.cpp": `${needed.replace("__constant__", "static")}#include "fill.hpp"\nint main() {}\n` };
    expect(rulesOf(open(host), "fill.hpp")).toEqual([]);
  });

  it("that calls CUDA is CUDA in spite of its headers", () => {
    expect(rulesOf(open({ "common.h": hip, "op.cu": `${kernel}void f(void *p) { cudaFree(p); }\n` }))).toEqual(["kernel-signature"]);
  });

  it.each([
    ["HIP", "#include <hip/hiprtc.h>\n", []],
    ["HIP", "void f() { hipModuleLaunchKernel(0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0); }\n", []],
    ["CUDA", "#include <nvrtc.h>\n", ["memory-window-mismatch"]],
    ["CUDA for either", "#include <hip/hiprtc.h>\n#include <cuda.h>\n", ["memory-window-mismatch"]],
  ])("in a literal is %s as its host, %j", (_, host, expected) => {
    const source = 'extern "C" __global__ void k(int *o) { __shared__ int s[2]; s[0] = 1; *o = __ldg(&s[0]); }';
    expect(rulesOf(open({ "rtc.cc": `${host}const char *source = R"(${source})";\n` }), "rtc.cc")).toEqual(expected);
  });

  it("is judged anew when a header changes that its conditionals leave out", () => {
    const project = open({ "common.h": '#ifdef NEVER\n#include "runtime.h"\n#endif\n', "runtime.h": "", "op.cu": kernel });
    expect(rulesOf(project)).toEqual(["kernel-signature"]);
    project.files.set("file:///w/runtime.h", hip);
    expect(project.service.changed(["file:///w/runtime.h"])).toContain("file:///w/op.cu");
    expect(rulesOf(project)).toEqual([]);
  });
});
