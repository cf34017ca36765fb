/** Missing folders are made, and what cannot be made is an error soon. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeFolders } from "../../../server/src/node/make-folders.ts";
import { unless } from "../../skips.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gpu-qualifiers-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const isWindows = process.platform === "win32";

it("makes the folders above, and is content with one that is there", () => {
  const path = join(folder, "a/b/c");
  makeFolders(path, 0o700);
  makeFolders(path, 0o700);
  for (const made of [path, join(folder, "a/b"), join(folder, "a")]) {
    expect(statSync(made).isDirectory()).toBe(true);
    if (!isWindows) expect(statSync(made).mode & 0o777).toBe(0o700);
  }
});

it("fails where a file has a folder's name", () => {
  writeFileSync(join(folder, "a"), "");
  expect(() => makeFolders(join(folder, "a"))).toThrow("EEXIST");
  expect(() => makeFolders(join(folder, "a/b"))).toThrow(/ENOTDIR|ENOENT|EEXIST/);
});

const hasProc = process.platform === "linux";
it.skipIf(!hasProc)(`fails in a folder in which the system makes none${unless(hasProc, "the system is not Linux")}`, () => {
  expect(() => makeFolders("/proc/gpu-qualifiers")).toThrow("ENOENT");
  expect(() => makeFolders("/proc/gpu-qualifiers/a/b")).toThrow("ENOENT");
});
