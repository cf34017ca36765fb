/** Build scripts that compile sources with CUDA's names as HIP. */
import { expect, it } from "vitest";
import { openProject } from "../../../server/src/project/project.ts";
import { memoryFiles, testParser } from "../../service.ts";

const parser = await testParser();
const source = "__global__ void fill(int *out) { constexpr int lanes = warpSize; out[threadIdx.x] = lanes; }\n";
const listed = "set(SOURCES\n  src/a.cu\n  src/include/cudawrap.h)\n";

/** HIP declared `warpSize` as a constant until ROCm 7, so that only a warning is left. */
function severitiesIn(scripts: Readonly<Record<string, string>>): readonly string[] {
  const texts = new Map(Object.entries({ ...scripts, "src/a.cu": source }).map(([name, text]) => [`file:///w/${name}`, text]));
  const project = openProject({ root: "file:///w", files: memoryFiles(texts), parser });
  const found = project.service().check("file:///w/src/a.cu").diagnostics;
  project.dispose();
  return found.map(({ severity }) => severity);
}

it.each([
  ["translates it first", `${listed}find_program(hipify hipify-perl)\n`],
  ["names HIP as its language", `${listed}set_source_files_properties(\${SOURCES} PROPERTIES LANGUAGE HIP)\n`],
  ["is for HIP", `project(app LANGUAGES CXX HIP)\n${listed}add_executable(app \${SOURCES})\n`],
  ["uses HIP's macros", "hip_add_library(app src/a.cu)\n# for nvcc: cuda_add_library(app src/a.cu)\n"],
])("a source is HIP if its script %s", (_, script) => expect(severitiesIn({ "CMakeLists.txt": script })).toEqual(["warning"]));

it.each([
  ["does not say so", { "CMakeLists.txt": listed }],
  ["builds it for CUDA too", { "CMakeLists.txt": `${listed}if(USE_HIP)\nenable_language(HIP)\nelse()\nenable_language(CUDA)\nendif()\n` }],
  ["names other sources", { "CMakeLists.txt": "hip_add_library(app src/b.cu)\n" }],
  ["only says so in a comment", { "CMakeLists.txt": `${listed}# hipify-perl translates it\n` }],
])("a source is CUDA if its script %s", (_, scripts) => expect(severitiesIn(scripts)).toEqual(["error"]));
