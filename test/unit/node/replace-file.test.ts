/** A file is replaced as a whole, only if its permissions allow writing it, and only if it has not changed since it was read. */
import {
  chmodSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nameOfPath } from "../../../server/src/node/node-names.ts";
import { type OpenLimits, type RealFile, readRegularFile } from "../../../server/src/node/real-files.ts";
import { replaceFiles } from "../../../server/src/node/replace-file.ts";
import { unless } from "../../skips.ts";

const limits: OpenLimits = { maximalSize: 1_000_000 };
let folder: string;
let path: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "gpu-qualifiers-")));
  path = join(folder, "a.cu");
  writeFileSync(path, "old\n");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function opened(where = path): RealFile {
  const file = readRegularFile(nameOfPath(where), limits);
  if (!("bytes" in file)) throw new Error(file.reason ?? "absent");
  return file;
}
const replace = (file: RealFile, where = path) =>
  replaceFiles([{ name: nameOfPath(where), file, bytes: Buffer.from("new\n") }], limits).get(nameOfPath(where));
const text = () => readFileSync(path, "utf8");

it("has the new text and the old mode, and no other file is left beside it", () => {
  chmodSync(path, 0o751);
  expect(replace(opened())).toBeUndefined();
  expect([text(), statSync(path).mode & 0o777, readdirSync(folder)]).toEqual(["new\n", 0o751, ["a.cu"]]);
});

it("stays unchanged if it is read-only, even for root", () => {
  chmodSync(path, 0o444);
  expect(replace(opened())).toBe("it is read-only");
  expect(text()).toBe("old\n");
});

it("keeps the changes that another program made in the meantime", () => {
  const file = opened();
  writeFileSync(path, "mine\n");
  expect(replace(file)).toBe("it changed meanwhile");
  expect([text(), readdirSync(folder)]).toEqual(["mine\n", ["a.cu"]]);
});

it("is not created again if it is gone, or has become a link to an equal file", () => {
  const file = opened();
  rmSync(path);
  expect(replace(file)).toBe("it cannot be written (ENOENT)");
  writeFileSync(join(folder, "other.cu"), "old\n");
  symlinkSync("other.cu", path);
  expect(replace(file)).toBe("it changed meanwhile");
  expect(readFileSync(join(folder, "other.cu"), "utf8")).toBe("old\n");
});

it("is written at the target of a link, and the link stays", () => {
  symlinkSync("a.cu", join(folder, "link.cu"));
  expect(replace(opened(join(folder, "link.cu")), join(folder, "link.cu"))).toBeUndefined();
  expect([text(), readFileSync(join(folder, "link.cu"), "utf8")]).toEqual(["new\n", "new\n"]);
});

it("keeps the old text under its other names", () => {
  linkSync(path, join(folder, "hard.cu"));
  expect(replace(opened())).toBeUndefined();
  expect([text(), readFileSync(join(folder, "hard.cu"), "utf8")]).toEqual(["new\n", "old\n"]);
});

describe.runIf(process.platform === "linux")(
  `extended attributes${unless(process.platform === "linux", "the system is not Linux")}`,
  () => {
    const replaceWith = (cp: string | undefined) => {
      const programs = mkdtempSync(join(tmpdir(), "gpu-qualifiers-"));
      if (cp !== undefined) writeFileSync(join(programs, "cp"), `#!/bin/sh\n${cp}\n`, { mode: 0o755 });
      const { PATH } = process.env;
      const lost: string[] = [];
      process.env.PATH = programs;
      try {
        const failed = replaceFiles([{ name: nameOfPath(path), file: opened(), bytes: Buffer.from("new\n") }], limits, (name) =>
          lost.push(name),
        );
        return { failed: failed.get(nameOfPath(path)), lost: lost.length, text: text(), left: readdirSync(folder) };
      } finally {
        process.env.PATH = PATH;
        rmSync(programs, { recursive: true, force: true });
      }
    };

    it("are refused if they cannot be copied", () => {
      const failed = "its extended attributes cannot be kept";
      expect(replaceWith('case "$4" in */a.cu) exit 1; esac')).toEqual({ failed, lost: 0, text: "old\n", left: ["a.cu"] });
    });

    it.each([["exit 1"], [undefined]])("are lost, which is said, if no program can copy them: %s", (cp) => {
      expect(replaceWith(cp)).toEqual({ failed: undefined, lost: 1, text: "new\n", left: ["a.cu"] });
    });
  },
);
