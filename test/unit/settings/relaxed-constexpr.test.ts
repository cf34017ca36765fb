/** Build scripts that let device code call constexpr functions of the host, for sources with names of any kind. */
import { describe, expect, it } from "vitest";
import { openProject } from "../../../server/src/project/project.ts";
import { memoryFiles, testParser } from "../../service.ts";

const parser = await testParser();
const source = "constexpr int twice(int n) { return 2 * n; }\n__global__ void apply(int *out) { out[0] = twice(out[1]); }\n";

function rulesIn(name: string, script: string, text = source): readonly string[] {
  const texts = new Map([
    [`file:///w/${name}`, text],
    ["file:///w/cuda/CMakeLists.txt", script],
  ]);
  const project = openProject({ root: "file:///w", files: memoryFiles(texts), parser });
  const found = project
    .service()
    .check(`file:///w/${name}`)
    .diagnostics.map(({ rule }) => rule);
  project.dispose();
  return found;
}

describe.each(["a.cu", "common/a.cpp", "include/a.hpp"])("device code in %s", (name) => {
  it("may call constexpr functions where a script relaxes the rule", () => {
    const script = "target_compile_options(app PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr>)\n";
    expect(rulesIn(name, script)).toEqual([]);
  });
  it("may not without the option", () => {
    expect(rulesIn(name, "project(app LANGUAGES CUDA)\n")).toEqual(["host-function-in-device-code"]);
  });
});
