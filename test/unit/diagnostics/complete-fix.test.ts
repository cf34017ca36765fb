/** Some fixes edit several files. Others are not offered, because another file would no longer compile. */
import { describe, expect, it } from "vitest";
import { noSettings } from "../../../server/src/dialect.ts";
import { serviceOf, testParser } from "../../service.ts";

const parser = await testParser();
const header = { name: "scale.h", text: "void scale(float *values, float by);\n" };
const definition = { name: "scale.cl", text: '#include "scale.h"\nvoid scale(float *values, float by) { values[0] *= by; }\n' };
const kernel = { name: "kernel.cl", text: '#include "scale.h"\nkernel void run(__global float *data) { scale(data, 2.0f); }\n' };

/** The texts of the files after the fix of the only finding in `kernel.cl`; undefined if no fix is offered. */
function fixed(...files: readonly { readonly name: string; readonly text: string }[]): Readonly<Record<string, string>> | undefined {
  const service = serviceOf(parser, files, { ...noSettings, openclStandard: "CL1.2" });
  try {
    const { diagnostics } = service.check("file:///fixture/kernel.cl");
    expect(diagnostics.map(({ rule }) => rule)).toEqual(["address-space-conversion"]);
    const [offered] = service.fixes("file:///fixture/kernel.cl", { start: 0, end: 1000 });
    if (offered === undefined) return undefined;
    return Object.fromEntries(
      files.map(({ name, text }) => {
        const edits = offered.fix.edits
          .filter(({ location }) => location.uri.endsWith(`/${name}`))
          .sort((a, b) => b.location.span.start - a.location.span.start);
        return [
          name,
          edits.reduce(
            (result, edit) => result.slice(0, edit.location.span.start) + edit.text + result.slice(edit.location.span.end),
            text,
          ),
        ];
      }),
    );
  } finally {
    service.dispose();
  }
}

describe("a fix of a parameter", () => {
  it("changes every declaration and the definition, in all files", () => {
    expect(fixed(header, definition, kernel)).toEqual({
      "scale.h": "void scale(__global float *values, float by);\n",
      "scale.cl": '#include "scale.h"\nvoid scale(__global float *values, float by) { values[0] *= by; }\n',
      "kernel.cl": kernel.text,
    });
  });

  it("does not change pointers that already have the space", () => {
    const ready = { ...definition, text: "void scale(__global float *values, float by) { values[0] *= by; }\n" };
    expect(fixed(header, ready, kernel)?.["scale.cl"]).toBe(ready.text);
  });

  it("is not offered where another file passes another space", () => {
    const other = {
      name: "other.cl",
      text: '#include "scale.h"\nkernel void other(__local float *tile) { float own[2]; scale(own, 2.0f); }\n',
    };
    expect(fixed(header, definition, kernel, other)).toBeUndefined();
  });

  it("is not offered where the definition needs the space that it has", () => {
    const needing = {
      ...definition,
      text: '#include "scale.h"\nvoid change(float *value);\nvoid scale(float *values, float by) { change(values); }\n',
    };
    expect(fixed(header, needing, kernel)).toBeUndefined();
  });

  it("ignores files that use the same name for something else", () => {
    const other = { name: "other.cl", text: "// scale\nkernel void other(__global float *scale) { scale[0] = 1; }\n" };
    expect(fixed(header, definition, kernel, other)?.["scale.h"]).toBe("void scale(__global float *values, float by);\n");
  });
});
