/** A program is never taken from the folder that is checked, although the search path names it. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, it } from "vitest";
import { programOf } from "../../../server/src/node/programs.ts";
import { unless } from "../../skips.ts";

it.skipIf(process.platform === "win32")(
  `a program is looked for in the absolute folders of the search path only${unless(process.platform !== "win32", "the system is Windows")}`,
  () => {
    const folder = mkdtempSync(join(tmpdir(), "gpu-qualifiers-"));
    const before = process.cwd();
    try {
      for (const name of ["bin", "other", "other/git"]) mkdirSync(join(folder, name));
      for (const path of ["git", "bin/git"]) {
        writeFileSync(join(folder, path), "#!/bin/sh\n");
        chmodSync(join(folder, path), 0o755);
      }
      writeFileSync(join(folder, "bin/plain"), "");
      process.chdir(folder);
      const found = (name: string, ...folders: readonly string[]) => programOf(name, { PATH: folders.join(delimiter) });
      expect(found("git", ".", "", "bin")).toBeUndefined();
      expect(found("git", ".", join(folder, "other"), join(folder, "bin"))).toBe(join(folder, "bin/git"));
      expect(found("plain", join(folder, "bin"))).toBeUndefined();
      expect(programOf("git", {})).toBeUndefined();
    } finally {
      process.chdir(before);
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
