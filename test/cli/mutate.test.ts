/** `mutate` makes mistakes in copies of the user's kernels, and says which are reported. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runHere } from "./in-process.ts";
import { folderWith } from "./run.ts";

const opencl = `kernel void sum(global const float *in, global float *out) {
  local float first;
  out[get_global_id(0)] = in[0];
}
constant int table[2] = { 1, 2 };
`;
const cuda = `__global__ void twice(float *out) {
  __shared__ float tile;
  out[threadIdx.x] = tile;
}
void upload(float *out) {}
`;

describe("mutate", () => {
  it("counts for each kind how many are reported, and leaves the files as they are", async () => {
    const folder = folderWith({ "gpu-qualifiers.json": '{ "opencl": { "standard": "CL1.2" } }', "src/k.cl": opencl, "src/k.cu": cuda });
    const { code, out, error } = await runHere(["mutate", "--verbose", "src"], folder);
    expect(code).toBe(0);
    const lines = out.trimEnd().split("\n");
    expect(lines).toContain(
      "src/k.cl:1: constant memory is written: 'out[get_global_id(0)]' is in constant memory and cannot be written [constant-write]",
    );
    expect(lines).toContain("kernel parameter without a space: 1 of 1 reported (100 %), 0 extra findings");
    expect(lines).toContain("program-scope variable without a space: 1 of 1 reported (100 %), 0 extra findings");
    expect(lines).toContain("shared variable with an initializer: 1 of 1 reported (100 %), 0 extra findings");
    // The parameter of 'upload' is not written, although one of the same name is.
    expect(lines.filter((line) => line.includes("k.cu:5"))).toEqual([]);
    expect(lines.at(-1)).toMatch(/^all: (\d+) of \1 reported \(100 %\), 0 extra findings$/);
    expect(error).toBe("gpu-qualifiers: made mistakes in copies of 2 files; a change that is not reported may be legal there\n");
    expect(readFileSync(join(folder, "src/k.cl"), "utf8")).toBe(opencl);
  });

  it("prints what its page shows", async () => {
    const folder = folderWith({
      "gpu-qualifiers.json": '{ "opencl": { "standard": "CL2.0" } }',
      "src/lookup.cl": `// Each byte of the input is looked up in a table.
kernel void look_up(global const uchar *in, global float *out, constant float *scale) {
  size_t at = get_global_id(0);
  out[at] = scale[0] * table[in[at] & 3];
}

constant float table[4] = { 0.0f, 0.25f, 0.5f, 1.0f };
`,
      "src/sum.cl": `kernel void sum(global const float *in, global float *out) {
  local float first;
  if (get_local_id(0) == 0) first = in[0];
  out[get_global_id(0)] = first;
}
`,
    });
    const page = readFileSync(join(import.meta.dirname, "../../docs/command-line.md"), "utf8");
    const [, shown] = /\$ gpu-qualifiers mutate src\n(.*?)```/s.exec(page) ?? [];
    expect((await runHere(["mutate", "src"], folder)).out).toBe(shown);
  });

  it("names the place of a change that is not reported, and counts only what a change adds", async () => {
    // Legal under the standard of the settings.
    const folder = folderWith({
      "gpu-qualifiers.json": '{ "opencl": { "standard": "CL2.0" } }',
      "k.cl": "constant int table[2] = { 1, 2 };\nkernel void k(global int *g) { local int *l = (local int *)g; }\n",
    });
    const { code, out } = await runHere(["mutate", "k.cl"], folder);
    expect(code).toBe(0);
    expect(out).toContain("k.cl:1: program-scope variable without a space: not reported\n");
    expect(out).toContain("program-scope variable without a space: 0 of 1 reported (0 %), 0 extra findings\n");
  });

  it("says that there is nothing to change", async () => {
    expect(await runHere(["mutate"], folderWith({ "a.cl": "int i;\n" }))).toEqual({
      code: 2,
      out: "",
      error: "gpu-qualifiers: no place for a typical mistake in these files\n",
    });
    expect(await runHere(["mutate", "nope"], folderWith({}))).toMatchObject({
      code: 2,
      error: expect.stringContaining("no such file or folder: 'nope'"),
    });
  });
});
