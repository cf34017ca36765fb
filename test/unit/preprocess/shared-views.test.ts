/** Readings of a header in several sources: which of them share a View. */
import { describe, expect, it } from "vitest";
import { noSettings, openclDialect } from "../../../server/src/dialect.ts";
import { createPreprocessor } from "../../../server/src/preprocess/preprocessor.ts";
import { memoryFiles } from "../../service.ts";

const dialect = openclDialect("CL1.2");

describe("two readings of a header", () => {
  const guarded = "#ifndef B_H\n#define B_H\nint b;\n#endif\n";
  const header = (sources: Readonly<Record<string, string>>) => {
    const preprocessor = createPreprocessor(memoryFiles(new Map(Object.entries({ "b.h": guarded, ...sources }))));
    return (main: string) => {
      const unit = preprocessor.unit(main, dialect, noSettings);
      if (typeof unit === "string") throw new Error(unit);
      return unit.includes.find(({ name }) => name === '"a.h"')?.unit;
    };
  };

  it("share the View if they differ only in what the header includes", () => {
    const read = header({
      "a.h": '#include "b.h"\n#define TWICE(x) x x\nint TWICE(a);\n',
      "one.cl": '#include "a.h"\n',
      "other.cl": '#include "b.h"\n#include "a.h"\n',
    });
    expect(read("one.cl")).not.toBe(read("other.cl"));
    expect(read("one.cl")?.view).toBe(read("other.cl")?.view);
  });

  it("have Views of their own if equal texts come from different places", () => {
    const read = header({
      "a.h": "int A;\n",
      "one.cl": '#define A a\n#include "a.h"\n',
      "other.cl": '\n#define A a\n#include "a.h"\n',
    });
    const [one, other] = [read("one.cl"), read("other.cl")];
    expect(one?.view.text).toBe(other?.view.text);
    expect(one?.view).not.toBe(other?.view);
  });
});
