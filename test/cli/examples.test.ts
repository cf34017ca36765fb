/** `examples/` shows findings of every family of rules, and no finding in code that the comments call right. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { unless } from "../skips.ts";
import { runHere } from "./in-process.ts";

const root = join(import.meta.dirname, "../..");

it("the examples show rules of every family", async () => {
  const { out, code } = await runHere(["check", "--format", "json", "--level", "hint", "examples"], root);
  expect(code).toBe(1);
  const { files } = JSON.parse(out) as { files: { diagnostics: { rule: string }[] }[] };
  const found = new Set(files.flatMap(({ diagnostics }) => diagnostics.map(({ rule }) => rule)));
  for (const rule of [
    "address-space-cast",
    "address-space-conversion",
    "address-space-nested-pointer",
    "address-space-operands",
    "constant-argument-count",
    "constant-buffer-size",
    "grid-constant-mismatch",
    "grid-constant-non-const",
    "grid-constant-placement",
    "grid-constant-reference",
    "const-host-variable-address",
    "const-host-variable-type",
    "constant-memory-divergent-index",
    "constant-memory-written",
    "device-access-of-host-pointer",
    "host-access-of-device-symbol",
    "local-initializer",
  ]) {
    expect([...found], rule).toContain(rule);
  }
});

it("the kernels that the comments call right have no finding", async () => {
  const { out } = await runHere(["check", "--level", "hint", "examples"], root);
  const lineOf = (file: string, line: number) => out.includes(`${file}:${line}:`);
  for (let line = 1; line <= 20; line++) expect(lineOf("examples/opencl/reduce.cl", line), `reduce.cl:${line}`).toBe(false);
});

const [, example = ""] = /^```console\n(.*?)^```$/ms.exec(readFileSync(join(root, "README.md"), "utf8")) ?? [];
const [, compile = "", says = "", report = ""] = /^\$ (nvcc .*)\n(.*)\n\$ npm start\n(.*)…\n$/s.exec(example) ?? [];

it("the first example of the README is what the program prints", async () => {
  const { out } = await runHere(["check", "--format", "pretty", "--color", "never", "examples"], root);
  expect(report.split("\n").length).toBeGreaterThan(4);
  expect(out.startsWith(report)).toBe(true);
});

const hasNvcc = spawnSync("nvcc", ["--version"]).status === 0;

it.skipIf(!hasNvcc)(`and nvcc says about it what is written there${unless(hasNvcc, "nvcc is not installed")}`, () => {
  const folder = mkdtempSync(join(tmpdir(), "gpu-qualifiers-"));
  const command = compile.replace("examples/", `${root}/examples/`);
  const { stdout, stderr } = spawnSync("bash", ["-c", command], { cwd: folder, encoding: "utf8" });
  rmSync(folder, { recursive: true });
  expect([stdout.trim(), stderr]).toEqual([says, ""]);
});
