/** With `--untrusted`, files of the project cannot cause reads outside of it. Options on the command line still can. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { runHere } from "./in-process.ts";
import { folderWith } from "./run.ts";

const code = '#include "secret.h"\nkernel void k(global int *g) { OUTSIDE int *p = g; }\n';

it("keeps include paths of the project's own files inside of it", async () => {
  const folder = folderWith({
    "in/a.cl": code,
    "in/gpu-qualifiers.json": '{ "includePaths": ["../out"] }',
    "out/secret.h": "#define OUTSIDE __local\n",
  });
  expect(await runHere(["check", "in"], folder)).toMatchObject({ code: 1, error: expect.not.stringContaining("[settings]") });
  const { code: exit, out, error } = await runHere(["check", "--untrusted", "in"], folder);
  expect([exit, out]).toEqual([2, ""]);
  expect(error).toBe(
    "in/gpu-qualifiers.json:1:20: error: '../out' is not searched: it is outside of a workspace that you do not trust [settings]\ngpu-qualifiers: nothing found in 1 file: 1 kernel checked\n",
  );
  expect((await runHere(["check", "--untrusted", "in", "--", `-I${join(folder, "out")}`], folder)).out).toContain(
    "address-space-conversion",
  );
});
