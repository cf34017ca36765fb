/**
 * Files and output are written completely or not at all. Only files inside of the project are written, and every error is reported.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkGroup } from "../../server/src/cli/check.ts";
import { findTargets } from "../../server/src/cli/targets.ts";
import { startWorkers } from "../../server/src/cli/workers.ts";
import { temporaryBeside } from "../../server/src/node/temporary-files.ts";
import { testParser } from "../service.ts";
import { unless } from "../skips.ts";
import { runHere } from "./in-process.ts";
import { folderWith, nonConst, wrongCast } from "./run.ts";

const program = join(import.meta.dirname, "../../dist/cli.js");
const fixed = nonConst.replace("(__grid", "(const __grid");
const isLinux = process.platform === "linux";

describe("check --fix", () => {
  it("reports read-only files, leaves them unchanged, and fixes the others", async () => {
    const folder = folderWith({ "a.cu": nonConst, "b.cu": nonConst });
    chmodSync(join(folder, "a.cu"), 0o444);
    const { code, error } = await runHere(["check", "--fix", "."], folder);
    expect(error).toContain("'a.cu' was not fixed: it is read-only\n");
    expect([code, readFileSync(join(folder, "a.cu"), "utf8"), readFileSync(join(folder, "b.cu"), "utf8")]).toEqual([2, nonConst, fixed]);
  });

  it("applies a fix in all of its files or in none", async () => {
    const header = "struct P { int a; };\n__global__ void k(P p);\n";
    const source = '#include "k.cuh"\n__global__ void k(const __grid_constant__ P p) {}\n';
    const folder = folderWith({ "k.cuh": header, "k.cu": source, "gpu-qualifiers.json": "{}" });
    chmodSync(join(folder, "k.cuh"), 0o444);
    await runHere(["check", "--fix", "."], folder);
    expect([readFileSync(join(folder, "k.cuh"), "utf8"), readFileSync(join(folder, "k.cu"), "utf8")]).toEqual([header, source]);
  });

  // Only root can make a file immutable; for others the folder of the file is.
  it.runIf(isLinux)(
    `applies a fix in none of its files if one cannot get a new name${unless(isLinux, "the system is not Linux")}`,
    async () => {
      const header = "struct P { int a; };\n__global__ void k(P p);\n";
      const source = '#include "../h/k.cuh"\n__global__ void k(const __grid_constant__ P p) {}\n';
      const folder = folderWith({ "h/k.cuh": header, "s/k.cu": source, "s/a.cu": nonConst, "gpu-qualifiers.json": "{}" });
      const isRoot = process.getuid?.() === 0;
      const isBlocked = !isRoot || spawnSync("chattr", ["+i", join(folder, "h")]).status === 0;
      if (!isRoot) chmodSync(join(folder, "h"), 0o555);
      const { code, error } = await runHere(["check", "--fix", "."], folder);
      if (isRoot) spawnSync("chattr", ["-i", join(folder, "h")]);
      chmodSync(join(folder, "h"), 0o755);
      if (!isBlocked) return;
      expect(error).toMatch(/'h\/k\.cuh' was not fixed: it cannot be written \(E\w+\)/);
      expect([code, readFileSync(join(folder, "h/k.cuh"), "utf8"), readFileSync(join(folder, "s/k.cu"), "utf8")]).toEqual([
        2,
        header,
        source,
      ]);
      expect(readFileSync(join(folder, "s/a.cu"), "utf8")).toBe(fixed);
      expect([readdirSync(join(folder, "h")), readdirSync(join(folder, "s"))]).toEqual([["k.cuh"], ["a.cu", "k.cu"]]);
    },
  );

  it("removes what a killed run has left, and nothing else", async () => {
    const folder = folderWith({ "a.cu": nonConst });
    const { pid } = spawnSync(process.execPath, ["-e", ""]);
    const ofKilled = basename(temporaryBeside(join(folder, "a.cu"))).replace(`-${process.pid}-`, `-${pid}-`);
    const ofRunning = basename(temporaryBeside(join(folder, "a.cu")));
    for (const name of [ofKilled, ofRunning, "mine.tmp"]) writeFileSync(join(folder, name), "");
    await runHere(["check", "--fix", "."], folder);
    expect(readdirSync(folder).sort()).toEqual([ofRunning, "a.cu", "mine.tmp"].sort());
  });

  it("refuses UTF-16 with half a character at the end", async () => {
    const text = Buffer.concat([Buffer.from(`\ufeff${nonConst}`, "utf16le"), Buffer.from("A")]);
    const folder = folderWith({ "a.cu": text });
    const { code, error } = await runHere(["check", "--fix", "a.cu"], folder);
    expect([code, readFileSync(join(folder, "a.cu"))]).toEqual([2, text]);
    expect(error).toContain("'a.cu' is UTF-16 with an odd number of bytes; not checked");
  });

  it.runIf(isLinux)(`keeps extended attributes${unless(isLinux, "the system is not Linux")}`, async () => {
    const folder = folderWith({ "a.cu": nonConst });
    const attributes = (script: string) => spawnSync("python3", ["-c", `import os; ${script}`], { cwd: folder, encoding: "utf8" });
    if (attributes("os.setxattr('a.cu', 'user.note', b'x')").status !== 0) return;
    await runHere(["check", "--fix", "a.cu"], folder);
    expect(readFileSync(join(folder, "a.cu"), "utf8")).toBe(fixed);
    expect(attributes("print(os.getxattr('a.cu', 'user.note'))").stdout).toBe("b'x'\n");
  });

  // A limit on file sizes acts like a full disk: a write ends halfway.
  it.runIf(isLinux)(
    `leaves the old file complete if the new one cannot be written${unless(isLinux, "the system is not Linux")}`,
    async () => {
      const source = `// ${"long ".repeat(20_000)}\n${nonConst}`;
      const folder = folderWith({ "a.cu": source });
      const { status, stderr } = spawnSync("bash", ["-c", `ulimit -f 16; "${process.execPath}" "${program}" check --fix a.cu`], {
        cwd: folder,
        encoding: "utf8",
      });
      expect(stderr).toMatch(/'a\.cu' was not fixed: it cannot be written \(\w+\)/);
      expect(stderr).not.toContain("mistake");
      expect([status, readFileSync(join(folder, "a.cu"), "utf8"), readdirSync(folder)]).toEqual([2, source, ["a.cu"]]);
    },
  );

  // Wherever the process is killed, each file is the old one or the new one, and the next run applies the remaining fixes.
  it.each([0, 2, 5])("leaves every file complete if it is killed after %d files", async (killedAfter) => {
    const old = Array.from({ length: 40 }, (_, i) => nonConst.replaceAll("S", `S${i}`).replace(" k(", ` k${i}(`)).join("");
    const mended = old.replaceAll("(__grid", "(const __grid");
    const names = Array.from({ length: 12 }, (_, i) => `${i}.cu`);
    const folder = folderWith({ "gpu-qualifiers.json": "{}", ...Object.fromEntries(names.map((name) => [name, old])) });
    const texts = () => names.map((name) => readFileSync(join(folder, name), "utf8"));
    const child = spawn(process.execPath, [program, "check", "--fix", "--no-cache", "."], { cwd: folder, stdio: "ignore" });
    const ended = once(child, "exit");
    while (child.exitCode === null && texts().filter((text) => text !== old).length <= killedAfter)
      await new Promise((resolve) => setTimeout(resolve, 1));
    child.kill("SIGKILL");
    await ended;
    for (const text of texts()) expect([old, mended]).toContain(text);
    await runHere(["check", "--fix", "."], folder);
    expect(texts()).toEqual(names.map(() => mended));
  });
});

describe("links", () => {
  const linked = () => {
    const folder = folderWith({
      "out/secret.cu": nonConst,
      "out/kernel.cl": wrongCast,
      "in/gpu-qualifiers.json": "{}",
      "in/a.cl": "constant int a;\n",
    });
    symlinkSync("../out/secret.cu", join(folder, "in/link.cu"));
    symlinkSync("../out", join(folder, "in/folder"));
    return folder;
  };

  it("out of the project are neither checked nor fixed", async () => {
    const folder = linked();
    const { code, out } = await runHere(["check", "--fix", "in"], folder);
    expect([code, out.trim().split("\n").length]).toEqual([1, 2]);
    expect(out).toMatch(/^in\/a\.cl:1:/);
    expect(readFileSync(join(folder, "out/secret.cu"), "utf8")).toBe(nonConst);
  });

  it("out of the project are reported if the command line names them", async () => {
    const folder = linked();
    for (const path of ["in/link.cu", "in/folder/kernel.cl"]) {
      const { code, out, error } = await runHere(["check", "--fix", path], folder);
      expect([code, out]).toEqual([2, ""]);
      expect(error).toContain(`'${path}' is a link to a file outside of the project; not checked\n`);
    }
    expect(readFileSync(join(folder, "out/secret.cu"), "utf8")).toBe(nonConst);
  });

  it("reveal nothing of their targets, whichever file includes them", async () => {
    const folder = folderWith({ "out/credentials": "int TOKEN;\n__global__ void k(const __grid_constant__ int p);\n" });
    mkdirSync(join(folder, "in"));
    writeFileSync(join(folder, "in/gpu-qualifiers.json"), '{ "includePaths": ["inc"] }');
    symlinkSync("../out/credentials", join(folder, "in/credentials"));
    symlinkSync("../out", join(folder, "in/inc"));
    const includes = ['"credentials"', "<credentials>", '"inc/credentials"', `"${folder}/out/credentials"`, '"../out/credentials"'];
    for (const format of ["text", "pretty", "json", "sarif"]) {
      for (const [i, include] of includes.entries()) {
        writeFileSync(join(folder, "in/a.cu"), `#include ${include}\n__global__ void k(const int p) {}\n`);
        const { out, error } = await runHere(["check", "--verbose", "--format", format, "in"], folder);
        expect([i, format, `${out}${error}`]).toEqual([i, format, expect.not.stringMatching(/TOKEN|__grid_constant__ int p/)]);
      }
    }
  });
});

it("reports nothing of a file that is deleted during the check", async () => {
  const folder = folderWith({ "a.cl": wrongCast, "b.cl": wrongCast });
  const [group] = findTargets([folder]).groups;
  if (group === undefined) throw new Error("there is nothing to check");
  // Files that threads have checked are read again to print their lines.
  const workers = startWorkers(program, 2);
  const { files, skipped } = await checkGroup(group, {
    parser: await testParser(),
    given: {},
    startWorkers: () => workers,
    progress: (done) => {
      if (done === 2) rmSync(join(folder, "a.cl"));
    },
  });
  await workers.dispose();
  expect(files.map(({ shown }) => basename(shown))).toEqual(["b.cl"]);
  expect(skipped.map(({ target, reason }) => [basename(target.shown), reason])).toEqual([["a.cl", "was deleted during the check"]]);
});

describe.runIf(isLinux)(`output that cannot be written${unless(isLinux, "the system is not Linux")}`, () => {
  it.each([
    ["a full disk", "ENOSPC"],
    ["a closed pipe", "EPIPE"],
  ])("makes the run incomplete, with a message: %s", async (where, code) => {
    const folder = folderWith({ "a.cl": wrongCast });
    const command = `"${process.execPath}" "${program}" check a.cl`;
    const piped = `(sleep 0.1; exec ${command}) 2>error | true; echo "\${PIPESTATUS[0]}"`;
    const script = where === "a closed pipe" ? piped : `${command} 2>error >/dev/full; echo $?`;
    const { stdout } = spawnSync("bash", ["-c", script], { cwd: folder, encoding: "utf8" });
    expect(stdout.trim()).toBe("2");
    expect(readFileSync(join(folder, "error"), "utf8")).toContain(`gpu-qualifiers: the output cannot be written (${code})\n`);
  });

  it("makes the run incomplete even if standard error cannot be written", async () => {
    const folder = folderWith({ "a.cl": wrongCast });
    const full = openSync("/dev/full", "w");
    const { status } = spawnSync(process.execPath, [program, "check", "a.cl"], { cwd: folder, stdio: ["ignore", full, full] });
    closeSync(full);
    expect(status).toBe(2);
  });
});

describe("a named folder without any mark of a project", () => {
  it("is a project of its own, so that all of its headers are found", () => {
    const folder = folderWith({ "src/a.cl": wrongCast });
    const projects = (path: string) => findTargets([join(folder, path)]).groups.map(({ project }) => project);
    expect(projects("").map(({ isProject }) => isProject)).toEqual([true]);
    expect(projects("src/a.cl").map(({ isProject }) => isProject)).toEqual([false]);
  });
});
