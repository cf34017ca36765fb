/** `check --watch` follows all changes of the files. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { unless } from "../skips.ts";
import { clean, folderWith, wrongCast } from "./run.ts";
import { startWatching, type Watching } from "./watching.ts";

const program = join(import.meta.dirname, "../../dist/cli.js");
const isWindows = process.platform === "win32";

let watching: Watching | undefined;
afterEach(() => watching?.stop());
const watch = async (folder: string): Promise<Watching> => {
  watching = await startWatching(folder);
  return watching;
};

it("checks again when a source, a header or the settings change, and when a file comes or goes", async () => {
  const folder = folderWith({
    "gpu-qualifiers.json": "{}",
    "space.h": "#define SPACE global\n",
    "a.cl": '#include "space.h"\nkernel void k(global int *g) { SPACE int *p = (SPACE int *)g; }\n',
  });
  const { after } = await watch(folder);
  const write = (name: string, text: string) => () => writeFileSync(join(folder, name), text);
  await after(write("space.h", "#define SPACE local\n"), (out) => out.includes("a.cl:2:"));
  await after(write("space.h", "#define SPACE global\n"), (out) => out === "");
  await after(write("b.cl", wrongCast), (out) => out.includes("b.cl:1:"));
  await after(write("gpu-qualifiers.json", '{ "rules": { "address-space-cast": "warning" } }'), (out) =>
    out.includes("b.cl:1:47: warning"),
  );
  await after(write("b.cl", clean), (out) => out === "");
  await after(write("b.cl", wrongCast), (out) => out !== "");
  await after(
    () => rmSync(join(folder, "b.cl")),
    (out) => out === "",
  );
});

it("misses no change right after it says that it watches, in a folder with many others", async () => {
  const others = Array.from({ length: 1_500 }, (_, index) => [`other${index}/inner/a.h`, ""] as const);
  const root = folderWith({ ...Object.fromEntries(others), "z/z/z/z/z/z/z/a.cl": clean });
  const { after } = await watch(root);
  await after(
    () => writeFileSync(join(root, "z/z/z/z/z/z/z/a.cl"), wrongCast),
    (out) => out.includes("a.cl:1:47"),
  );
});

it("prints the findings of each check", async () => {
  const folder = folderWith({ "gpu-qualifiers.json": "{}", "src/a.cl": wrongCast });
  const { after, printed } = await watch(folder);
  await printed("src/a.cl:1:47: error: casting");
  await after(
    () => writeFileSync(join(folder, "src/a.cl"), `// above\n${wrongCast}`),
    (out) => out.includes("a.cl:2:47"),
  );
  await printed("src/a.cl:2:47: error: casting");
});

it("says when, after which change, and which findings have come and gone", async () => {
  const folder = folderWith({ "gpu-qualifiers.json": "{}", "src/a.cl": clean, "src/b.cl": wrongCast });
  const { after, said } = await watch(folder);
  const lastRound = () => said().split("\n").slice(-4, -2);
  const write = (name: string, text: string) => () => writeFileSync(join(folder, name), text);
  const place = /^ {2}([+-]) src\/([ab])\.cl:(\d+):47: error: casting .* \[address-space-cast\]$/;
  await after(write("src/a.cl", wrongCast), (out) => out.includes("a.cl"));
  expect(lastRound()).toEqual([
    expect.stringMatching(/^gpu-qualifiers: \d\d:\d\d:\d\d after a change of 'src\/a\.cl': 1 new, 0 gone$/),
    expect.stringMatching(place),
  ]);
  await after(write("src/b.cl", clean), (out) => !out.includes("b.cl"));
  expect(lastRound()).toEqual([expect.stringContaining("'src/b.cl': 0 new, 1 gone"), expect.stringMatching(/^ {2}- src\/b\.cl:1:47: /)]);
  // A finding that moves to another line is the same.
  await after(write("src/a.cl", `// above\n${wrongCast}`), (out) => out.includes("a.cl:2:"));
  expect(said().split("\n").at(-3)).toContain("'src/a.cl': the same findings");
});

describe.skipIf(isWindows)(`a source that is replaced by${unless(!isWindows, "the system is Windows")}`, () => {
  const replacements: readonly (readonly [string, (path: string) => void])[] = [
    ["a link out of the project", (path) => symlinkSync("../outside.cl", path)],
    ["a link to what never ends", (path) => symlinkSync("/dev/zero", path)],
    ["a link to everything", (path) => symlinkSync("/", path)],
    ["a link to its own folder", (path) => symlinkSync(".", path)],
    ["a link to itself", (path) => symlinkSync("b.cl", path)],
    ["a pipe", (path) => void execFileSync("mkfifo", [path])],
    ["a folder", (path) => mkdirSync(path)],
  ];
  it.each(replacements)("%s is not read, and the others are watched", async (_, replace) => {
    const outer = folderWith({ "outside.cl": wrongCast, "in/gpu-qualifiers.json": "{}", "in/a.cl": clean, "in/b.cl": wrongCast });
    const folder = join(outer, "in");
    const { after } = await watch(folder);
    await after(
      () => {
        rmSync(join(folder, "b.cl"));
        replace(join(folder, "b.cl"));
      },
      (out) => out === "",
    );
    const out = await after(
      () => writeFileSync(join(folder, "a.cl"), wrongCast),
      (text) => text !== "",
    );
    expect(out).toMatch(/^a\.cl:1:47: error.*$/);
  });
});

it("reports settings that become unreadable, and follows them when they are readable again", async () => {
  const folder = folderWith({ "gpu-qualifiers.json": "{}", "a.cl": wrongCast });
  const path = join(folder, "gpu-qualifiers.json");
  const { after, said } = await watch(folder);
  await after(
    () => writeFileSync(path, "[".repeat(200_000)),
    (out) => out.includes("a.cl:1:47: error") && said().includes("nested more than 32 levels deep"),
  );
  const mend = () => writeFileSync(path, '{ "rules": { "address-space-cast": "warning" } }');
  await after(mend, (out) => out.includes("a.cl:1:47: warning"));
});

it("checks the final state of the files after thousands of events", { timeout: 120_000 }, async () => {
  const folder = folderWith({ "gpu-qualifiers.json": "{}", "a.cl": clean });
  const { after, said } = await watch(folder);
  const checks = () => said().split("watching for changes").length;
  const before = checks();
  const burst = () => {
    for (let i = 0; i < 300; i++) writeFileSync(join(folder, `${i}.cl`), wrongCast);
    for (let i = 0; i < 2_000; i++) writeFileSync(join(folder, "a.cl"), i % 2 === 0 ? clean : wrongCast);
    for (let i = 0; i < 300; i++) rmSync(join(folder, `${i}.cl`));
  };
  await after(burst, (out) => /^a\.cl:1:47: error: casting .*$/.test(out));
  expect(checks() - before).toBeLessThan(30);
});

it("checks again under settings that change during a check", { timeout: 60_000 }, async () => {
  const long = Array.from({ length: 400 }, (_, i) => clean.replace("k(", `k${i}(`)).join("");
  const folder = folderWith({ "gpu-qualifiers.json": "{}", "a.cl": long });
  const { after } = await watch(folder);
  const change = () => {
    writeFileSync(join(folder, "a.cl"), long + wrongCast);
    // By then, the check of that change has begun or is about to.
    setTimeout(() => writeFileSync(join(folder, "gpu-qualifiers.json"), '{ "rules": { "address-space-cast": "off" } }'), 150);
    setTimeout(() => writeFileSync(join(folder, "gpu-qualifiers.json"), '{ "rules": { "address-space-cast": "warning" } }'), 300);
  };
  await after(change, (out) => out.startsWith("a.cl:401:47: warning"));
});

it.runIf(process.platform === "linux").each([
  ["a full disk", "exec {command} >/dev/full", "ENOSPC"],
  ["a closed pipe", "set -o pipefail; {command} | true", "EPIPE"],
])(
  `ends with a message when its output is %s${unless(process.platform === "linux", "the system is not Linux")}`,
  async (_, script, code) => {
    const folder = folderWith({ "a.cl": wrongCast });
    const command = `"${process.execPath}" "${program}" check --watch .`;
    const { status, stderr } = spawnSync("bash", ["-c", script.replace("{command}", command)], {
      cwd: folder,
      encoding: "utf8",
      timeout: 30_000,
    });
    expect([status, stderr]).toEqual([2, expect.stringContaining(`gpu-qualifiers: the output cannot be written (${code})\n`)]);
  },
);
