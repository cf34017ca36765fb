/** Sources that other sources include are read in their programs, as a compiler reads them. */
import { describe, expect, it } from "vitest";
import { type CompileSettings, noSettings } from "../../server/src/dialect.ts";
import { createService } from "../../server/src/service.ts";
import { memoryFiles, testParser } from "../service.ts";

const parser = await testParser();

/** All findings of these files: file, line and rule. */
function found(
  texts: Readonly<Record<string, string>>,
  settingsOf: (uri: string) => CompileSettings = () => noSettings,
): readonly string[] {
  const files = new Map(Object.entries(texts).map(([name, text]) => [`file:///w/${name}`, text]));
  const service = createService({ files: memoryFiles(files), parser, settingsOf, isOpen: () => false });
  try {
    return [...files.keys()].flatMap((uri) =>
      service.check(uri).diagnostics.map(({ rule, location }) => {
        const line = files.get(location.uri)?.slice(0, location.span.start).split("\n").length;
        return `${location.uri.replace("file:///w/", "")}:${line} ${rule}`;
      }),
    );
  } finally {
    service.dispose();
  }
}

const kernels = "__global__ void run(byte_t *out, const Settings own) {\n  own.count = 1;\n}\n";
const types = "typedef unsigned char byte_t;\nstruct Settings { int count; };\n";
const wrong = "kernels.cu:2 const-write";

describe("a source that another one includes", () => {
  it("is read there", () => {
    const main = '#include "types.h"\n#include "kernels.cu"\n';
    expect(found({ "main.cu": main, "kernels.cu": kernels, "types.h": types })).toContain(wrong);
    expect(found({ "main.cu": '#include "types.h"\n', "kernels.cu": kernels, "types.h": types })).not.toContain(wrong);
  });

  it("is read in the last of a chain, and so are its headers", () => {
    const texts = { "main.cu": '#include "types.h"\n#include "all.cu"\n', "all.cu": '#include "kernels.cu"\n', "types.h": types };
    expect(found({ ...texts, "kernels.cu": kernels })).toContain(wrong);
    expect(found({ ...texts, "kernels.cu": '#include "own.cuh"\n', "own.cuh": kernels })).toContain(wrong.replace("kernels.cu", "own.cuh"));
  });

  it("is read in its own folder's program, whatever others include a file of its name", () => {
    const others = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`a${at}/main.cu`, '#include "kernels.cu"\n']));
    const own = { "own/main.cu": '#include "types.h"\n#include "kernels.cu"\n', "own/kernels.cu": kernels, "own/types.h": types };
    expect(found({ ...others, "a3/kernels.cu": "\n", ...own })).toContain(`own/${wrong}`);
  });

  it("is compiled if the settings say so, or if only a program in another language includes it", () => {
    const main = '#include "types.h"\n#include "kernels.cu"\n';
    for (const own of [{ language: "cuda" }, { isCompiled: true }] as const) {
      const named = (uri: string): CompileSettings => (uri.endsWith("kernels.cu") ? { ...noSettings, ...own } : noSettings);
      expect(found({ "main.cu": main, "kernels.cu": kernels, "types.h": types }, named)).not.toContain(wrong);
    }
    expect(found({ "main.cl": main, "kernels.cu": kernels, "types.h": types })).not.toContain(wrong);
  });

  it("is compiled if sources include each other", () => {
    const texts = {
      "a.cu": '#include "b.cu"\nconstexpr int a = 1;\n',
      "b.cu": '#include "a.cu"\n__device__ void f(const int *p) { *p = a; }\n',
    };
    expect(found(texts)).toEqual(["b.cu:2 const-write"]);
  });
});
