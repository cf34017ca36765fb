/** `summarize` and `baseline update` write to the path that the user names, whatever is there, and keep what it is. */
import { spawnSync } from "node:child_process";
import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { unless } from "../skips.ts";
import { runHere } from "./in-process.ts";
import { folderWith, nonConst, run, wrongCast } from "./run.ts";

const empty = '{"version":1,"findings":[]}';
const commands = [
  ["summarize", "-o", "out"],
  ["baseline", "update", "--baseline", "out"],
];

describe.each(commands)("%s", (...command) => {
  const write = (folder: string) => runHere([...command, "a.cu"], folder);

  it("keeps the mode of the file", async () => {
    const folder = folderWith({ "a.cu": nonConst, out: empty });
    chmodSync(join(folder, "out"), 0o640);
    expect((await write(folder)).code).toBe(0);
    expect([statSync(join(folder, "out")).mode & 0o777, readdirSync(folder)]).toEqual([0o640, ["a.cu", "out"]]);
    expect(readFileSync(join(folder, "out"), "utf8")).not.toBe(empty);
  });

  it("writes the target of a link", async () => {
    const folder = folderWith({ "a.cu": nonConst, real: empty });
    symlinkSync("real", join(folder, "out"));
    expect((await write(folder)).code).toBe(0);
    expect([lstatSync(join(folder, "out")).isSymbolicLink(), readFileSync(join(folder, "real"), "utf8") === empty]).toEqual([true, false]);
  });

  it("writes no folder, and no loop of links", async () => {
    const folder = folderWith({ "a.cu": nonConst, "out/x": "" });
    expect(await write(folder)).toMatchObject({ code: 2, error: expect.stringMatching(/'out'.*: it is a folder\n/) });
    const looped = folderWith({ "a.cu": nonConst });
    symlinkSync("out", join(looped, "out"));
    expect(await write(looped)).toMatchObject({ code: 2, error: expect.stringMatching(/'out'/) });
    expect([readdirSync(join(folder, "out")), readdirSync(looped)]).toEqual([["x"], ["a.cu", "out"]]);
  });

  it("refuses a read-only file, even for root", async () => {
    const folder = folderWith({ "a.cu": nonConst, out: empty });
    chmodSync(join(folder, "out"), 0o444);
    const { code, error } = await write(folder);
    expect([code, readFileSync(join(folder, "out"), "utf8")]).toEqual([2, empty]);
    expect(error).toMatch(/'out' was not (?:written|changed): it is read-only\n/);
  });
});

describe.runIf(process.platform === "linux").each([
  ["summarize -o", /^\{"gpuQualifiersSummaries":1/],
  ["baseline update --baseline", /^\{\s*"version": 1,\s*"findings": \[\s*\{\s*"file": "a.cu"/],
])(`%s into what is not a file${unless(process.platform === "linux", "the system is not Linux")}`, (command, start) => {
  const inShell = (script: string, folder: string) =>
    spawnSync("bash", ["-c", script.replaceAll("WRITE", `"${process.execPath}" "$0" ${command}`), program], {
      cwd: folder,
      encoding: "utf8",
    });

  it("writes into a pipe", () => {
    const folder = folderWith({ "a.cu": nonConst });
    expect(inShell("mkfifo out; cat out & WRITE out a.cu; wait", folder).stdout).toMatch(start);
    expect(lstatSync(join(folder, "out")).isFIFO()).toBe(true);
  });

  it("writes to standard output", () => {
    const folder = folderWith({ "a.cu": nonConst });
    const { stdout } = inShell("WRITE /dev/stdout a.cu | cat; (echo first; WRITE /dev/stdout a.cu) >> out", folder);
    expect(stdout).toMatch(start);
    const [first, ...others] = readFileSync(join(folder, "out"), "utf8").split(/(?<=^first\n)/);
    expect(first).toBe("first\n");
    expect(others.join("")).toMatch(start);
  });

  it("leaves a device what it is", () => {
    const folder = folderWith({ "a.cu": nonConst });
    if (spawnSync("mknod", ["out", "c", "1", "3"], { cwd: folder }).status !== 0) return;
    expect(run([...command.split(" "), "out", "a.cu"], folder).code).toBe(0);
    expect(lstatSync(join(folder, "out")).isCharacterDevice()).toBe(true);
  });
});

describe("an option that is also the name of a file", () => {
  it.each(["--config=c.cu", "--fix", "--rule=address-space-cast=off", "--"])("ends the run: %s", async (name) => {
    const folder = folderWith({ "a.cl": wrongCast, "c.cu": '{"rules":{"address-space-cast":"off"}}', [name]: "" });
    const { code, error } = await runHere(["check", name, "a.cl"], folder);
    expect(code).toBe(2);
    expect(error).toContain(`'${name}' is an option, and a file has that name`);
    writeFileSync(join(folder, "-x.cl"), wrongCast);
    expect((await runHere(["check", "./-x.cl"], folder)).code).toBe(1);
  });
});

const program = join(import.meta.dirname, "../../dist/cli.js");
