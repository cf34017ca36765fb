/**
 * Sources that NVRTC compiles while the program runs: const variables of every type are in device memory there, as NVRTC 13.0 accepts.
 * nvcc rejects the same sources, so the host's text, the flags or words to be replaced must show who compiles them.
 */
import { afterAll, describe, expect, it } from "vitest";
import { type CompileSettings, noSettings } from "../../../server/src/dialect.ts";
import { resolveName } from "../../../server/src/names.ts";
import { createService } from "../../../server/src/service.ts";
import { readFlags } from "../../../server/src/settings/compiler-flags.ts";
import { memoryFiles, testParser } from "../../service.ts";

const parser = await testParser();
const texts = new Map<string, string>();
let settings: CompileSettings = noSettings;
const service = createService({ files: memoryFiles(texts), parser, settingsOf: () => settings });
afterAll(() => service.dispose());

function rulesIn(name: string, text: string, own: CompileSettings = noSettings): readonly string[] {
  const uri = `file:///${name}`;
  settings = own;
  texts.set(uri, text);
  service.changed([uri]);
  return service.check(uri).diagnostics.map(({ rule }) => rule);
}

const constants = `struct Pair { int first, second; };
__device__ int add(int a) { return a + 1; }
__device__ int counter;
const int weights[] = {1, 2};
constexpr int (*steps[])(int) = {add, add};
const Pair pairs[2] = {{1, 2}, {3, 4}};
int *const where = &counter;
const volatile int changing = 3;
extern const int elsewhere;
__global__ void k(int *out, const int **to, int i) {
  *out = weights[i] + steps[i](2) + pairs[i].second + *where + changing + elsewhere;
  *to = weights;
}
`;
const variable = `int scale = 3;
__global__ void k(int *out) { *out = scale; }
`;
const dynamic = `__device__ int f();
const int scale = f();
__global__ void k(int *out) { *out = scale; }
`;
const cppHost = (text: string) => `#include <nvrtc.h>\nconst char *source = R"(${text})";\n`;

describe("NVRTC puts const variables into device memory", () => {
  it("in the literals of a host, unless the host gives them to nvcc", () => {
    expect(rulesIn("a.cpp", cppHost(constants))).toEqual([]);
    expect(rulesIn("a.py", `import cupy\nk = cupy.RawModule(code=r"""${constants}""")\n`)).toEqual([]);
    expect(rulesIn("b.py", `import pycuda.autoinit\nk = SourceModule(r"""${constants}""")\n`)).toContain("const-host-variable-type");
  });

  it("in a source with words that are replaced before it is compiled", () => {
    const source = `using T = __TYPE__;\n${constants}`;
    expect(rulesIn("rtc.cu", source)).toEqual([]);
    expect(rulesIn("rtc.cu", `#define __TYPE__ float\n${source}`)).toContain("const-host-variable-type");
    expect(rulesIn("rtc.cu", source.replace("__TYPE__", "__SIZE_TYPE__"))).toContain("const-host-variable-type");
    expect(rulesIn("rtc.cu", `${source}void run(int *p) { k<<<1, 1>>>(p, 0, 0); }\n`)).toContain("const-host-variable-type");
  });

  it("in a source that compares the version of NVRTC", () => {
    expect(rulesIn("rtc.cuh", `#if LIB_NVRTC_VERSION < 110200\n#define LIB_CONSTANT const\n#endif\n${constants}`)).toEqual([]);
    expect(rulesIn("both.cuh", `#ifdef LIB_NVRTC_VERSION\n#define LIB_CONSTANT const\n#endif\n${constants}`)).not.toEqual([]);
  });

  it("but no other variable, and only with values that are known before the program runs", () => {
    expect(rulesIn("a.cpp", cppHost(variable))).toEqual(["host-variable-in-device-code"]);
    expect(rulesIn("a.cpp", cppHost(dynamic))).toEqual(["const-host-variable-uninitialized"]);
  });
});

it("with the device as the default execution space nothing belongs to the host", () => {
  const { settings: own } = readFlags(["--device-as-default-execution-space"], { resolve: (path) => resolveName("file:///", path) });
  const source = `${variable.replace("{ *out = scale; }", "{ *out = twice(scale); }").replace("__global__", "int twice(int a) { return 2 * a; }\n__global__")}`;
  expect(rulesIn("a.cu", source)).not.toEqual([]);
  expect(rulesIn("a.cu", source, { ...noSettings, ...own })).toEqual([]);
});
