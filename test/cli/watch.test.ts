/** `check --watch`, as a real process that runs until it is stopped. */
import { spawn } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { clean, folderWith, wrongCast } from "./run.ts";

const program = join(import.meta.dirname, "../../dist/cli.js");

it("checks again when a source, a header or the settings change, and when a file comes or goes", async () => {
  const folder = folderWith({
    "gpu-qualifiers.json": "{}",
    "space.h": "#define SPACE global\n",
    "a.cl": '#include "space.h"\nkernel void k(global int *g) { SPACE int *p = (SPACE int *)g; }\n',
  });
  const watching = spawn(process.execPath, [program, "check", "--watch", "."], { cwd: folder });
  let out = "";
  let rounds = 0;
  let wake = () => {};
  watching.stdout.on("data", (data) => {
    out += data;
  });
  watching.stderr.on("data", (data) => {
    rounds += String(data).split("watching for changes").length - 1;
    wake();
  });
  /** The output since the change, once it contains `text`. */
  const after = async (change: () => void, isDone: (text: string) => boolean) => {
    out = "";
    const before = rounds;
    change();
    while (rounds === before || !isDone(out)) await new Promise<void>((resolve) => (wake = resolve));
    return out;
  };
  try {
    while (rounds === 0) await new Promise<void>((resolve) => (wake = resolve));
    expect(out).toBe("");
    await after(
      () => writeFileSync(join(folder, "space.h"), "#define SPACE local\n"),
      (text) => text.includes("a.cl:2:"),
    );
    await after(
      () => writeFileSync(join(folder, "space.h"), "#define SPACE global\n"),
      (text) => text === "",
    );
    await after(
      () => writeFileSync(join(folder, "b.cl"), wrongCast),
      (text) => text.includes("b.cl:1:"),
    );
    await after(
      () => writeFileSync(join(folder, "gpu-qualifiers.json"), '{ "rules": { "address-space-cast": "warning" } }'),
      (text) => text.includes("b.cl:1:47: warning"),
    );
    await after(
      () => writeFileSync(join(folder, "b.cl"), clean),
      (text) => text === "",
    );
    await after(
      () => writeFileSync(join(folder, "b.cl"), wrongCast),
      (text) => text !== "",
    );
    await after(
      () => rmSync(join(folder, "b.cl")),
      (text) => text === "",
    );
  } finally {
    watching.kill();
  }
});
