/** What the absent header of a toolkit certainly defines is defined. */
import { expect, it } from "vitest";
import { type Dialect, dialectsOf, noSettings, openclDialect } from "../../../server/src/dialect.ts";
import { createPreprocessor } from "../../../server/src/preprocess/preprocessor.ts";
import { memoryFiles } from "../../service.ts";

const [cuda] = dialectsOf("cuda", noSettings, "main");
const [hip] = dialectsOf("cuda", { ...noSettings, hip: true }, "main");

/** The code that is active after the `#include` of a header that is not there. */
function active(header: string, dialect: Dialect): string | undefined {
  const text = `#include <${header}>\n#ifdef __HIPCC__\nint hip;\n#endif\n#ifdef __HIP_PLATFORM_NVIDIA__\nint nvidia;\n#endif\n`;
  const unit = createPreprocessor(memoryFiles(new Map([["main", text]]))).unit("main", dialect, noSettings);
  return typeof unit === "string" ? undefined : unit.view.text.trim().replace(/\s+/g, " ");
}

it("HIP's headers tell nvcc that it compiles HIP, and the platform", () => {
  expect(active("hip/hip_runtime.h", cuda)).toBe("int hip; int nvidia;");
  expect(active("hip/hip_runtime_api.h", cuda)).toBe("int hip; int nvidia;");
  expect(active("cuda_runtime.h", cuda)).toBe("");
});

it("HIP's own compiler, and others, know their platform without them", () => {
  expect(active("hip/hip_runtime.h", hip)).toBe("int hip;");
  expect(active("hip/hip_runtime.h", openclDialect("CL1.2"))).toBe("");
});

function includedBy(name: string, texts: ReadonlyMap<string, string>): readonly (string | undefined)[] {
  const unit = createPreprocessor(memoryFiles(texts)).unit(name, cuda, noSettings);
  return typeof unit === "string" ? [] : unit.includes.map(({ unit: header }) => header?.uri);
}

it("a header of the system is not a project's file of that name", () => {
  const texts = new Map([
    ["src/main.cu", '#include <math.h>\n#include <optix.h>\n#include <shapes.h>\n#include "string.h"\n'],
    ...["math", "optix", "shapes", "string"].map((name) => [`src/util/${name}.h`, `int ${name};\n`] as const),
  ]);
  expect(includedBy("src/main.cu", texts)).toEqual([undefined, undefined, "src/util/shapes.h", "src/util/string.h"]);
});

it("a path below the workspace comes before one that begins with the workspace's own name", () => {
  const texts = new Map([
    ["/w/grid/src/main.cu", "#include <grid/core/types.hpp>\n#include <grid/core/only.hpp>\n"],
    ["/w/grid/core/types.hpp", "int inner;\n"],
    ["/w/grid/core/only.hpp", "int only;\n"],
    ["/w/grid/include/grid/core/types.hpp", "int outer;\n"],
  ]);
  expect(includedBy("/w/grid/src/main.cu", texts)).toEqual(["/w/grid/include/grid/core/types.hpp", "/w/grid/core/only.hpp"]);
});

it("of equally near headers the one in a folder 'include' is meant", () => {
  const texts = new Map([
    ["/w/src/main.cu", "#include <shapes.h>\n#include <lines.h>\n"],
    ["/w/include/shapes.h", "int all;\n"],
    ["/w/include/shapes/shapes.h", "int some;\n"],
    ["/w/a/lines.h", "int a;\n"],
    ["/w/b/lines.h", "int b;\n"],
  ]);
  expect(includedBy("/w/src/main.cu", texts)).toEqual(["/w/include/shapes.h", undefined]);
});
