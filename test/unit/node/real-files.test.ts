/** Links are resolved before a file is read: files outside of the project are not read, and only regular files are opened. */
import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createNodeFiles, listFiles, maximalFileSize } from "../../../server/src/node/node-files.ts";
import { nameOfPath } from "../../../server/src/node/node-names.ts";
import { readRegularFile } from "../../../server/src/node/real-files.ts";
import { unless } from "../../skips.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "gpu-qualifiers-")));
afterAll(() => rmSync(folder, { recursive: true }));

const secret = "int SECRET;\n";
const own = "int own;\n";
const inside = join(folder, "in");
const outside = join(folder, "out");
for (const path of [join(inside, "sub"), outside]) mkdirSync(path, { recursive: true });
for (const name of ["secret.h", "secret.cu"]) writeFileSync(join(outside, name), secret);
writeFileSync(join(inside, "own.h"), own);
const link = (target: string, ...path: readonly string[]) => symlinkSync(target, join(inside, ...path));
link("../out/secret.h", "relative.h");
link(join(outside, "secret.h"), "absolute.h");
link("relative.h", "twice.h");
link("../out", "folder");
link("../../out/secret.h", "sub", "deep.h");
link("missing.h", "dangling.h");
link("circle.h", "circle.h");
link("own.h", "other.h");
link("../out/secret.cu", "out.cu");
link("own.h", "own.cu");
link("/dev/zero", "zero.h");
link("/proc/self/environ", "environ.h");

const filesOf = (path: string) => createNodeFiles({ root: nameOfPath(path) });
const read = (...path: readonly string[]) => filesOf(inside).read(nameOfPath(join(inside, ...path)));

describe("links", () => {
  it.each([["relative.h"], ["absolute.h"], ["twice.h"], ["folder", "secret.h"], ["sub", "deep.h"], ["dangling.h"], ["circle.h"]])(
    "are absent where they lead out or nowhere: %s %s",
    (...path) => {
      expect(read(...path)).toBe("absent");
    },
  );

  it("are read if their target is inside", () => {
    expect(read("other.h")).toBe(own);
  });

  it("work in a project that is itself reached through a link", () => {
    symlinkSync(inside, join(folder, "to-in"));
    expect(filesOf(join(folder, "to-in")).read(nameOfPath(join(folder, "to-in", "other.h")))).toBe(own);
    expect(filesOf(join(folder, "to-in")).read(nameOfPath(join(folder, "to-in", "relative.h")))).toBe("absent");
  });

  it("lead into folders that are allowed by their real name, not by the name of a link", () => {
    const files = filesOf(inside);
    files.allow(nameOfPath(join(inside, "folder")));
    expect(files.read(nameOfPath(join(inside, "folder", "secret.h")))).toBe("absent");
    files.allow(nameOfPath(outside));
    files.changed([nameOfPath(join(inside, "folder", "secret.h"))]);
    expect(files.read(nameOfPath(join(inside, "folder", "secret.h")))).toBe(secret);
  });

  it("are listed if their target is inside", () => {
    const names = listFiles(nameOfPath(inside), {
      maximalCount: 100,
      isRecursive: true,
      isExcluded: () => false,
      wants: (name) => name.endsWith(".cu"),
      isInside: (name) => name.startsWith(`${nameOfPath(inside)}/`),
    });
    expect(names).toEqual([nameOfPath(join(inside, "own.cu"))]);
  });

  it("to files outside are absent with a reason", () => {
    const files = filesOf(inside);
    files.read(nameOfPath(join(inside, "relative.h")));
    expect(files.whyAbsent(nameOfPath(join(inside, "relative.h")))).toBe("is a link to a file outside of the project");
  });

  it("to a build database outside are read if the project is trusted", () => {
    writeFileSync(join(outside, "compile_commands.json"), "[]");
    link("../out/compile_commands.json", "compile_commands.json");
    const name = nameOfPath(join(inside, "compile_commands.json"));
    let isTrusted = false;
    const files = createNodeFiles({ root: nameOfPath(inside), isTrusted: () => isTrusted });
    expect(files.read(name)).toBe("absent");
    isTrusted = true;
    expect(files.read(name)).toBe("[]");
  });

  it("that are hard links are read like the file itself", () => {
    linkSync(join(inside, "own.h"), join(inside, "hard.h"));
    expect(read("hard.h")).toBe(own);
  });
});

describe.runIf(process.platform === "linux")(
  `a file that is not regular${unless(process.platform === "linux", "the system is not Linux")}`,
  () => {
    const reason = (path: string) => readRegularFile(nameOfPath(path), { maximalSize: maximalFileSize });
    it("is not opened, by whatever path", () => {
      execFileSync("mkfifo", [join(inside, "pipe.h")]);
      for (const path of ["/dev/zero", "/proc/self/environ", "/proc/kmsg", "/sys/kernel/notes", join(inside, "pipe.h")])
        expect([path, reason(path)]).toEqual([path, { reason: expect.stringMatching(/^(is not a regular file|cannot be read)/) }]);
      for (const name of ["zero.h", "environ.h", "pipe.h"]) expect([name, read(name)]).toEqual([name, "absent"]);
    });

    it("may be a folder, or have a name that is too long or invalid", () => {
      expect(reason(inside)).toEqual({ reason: "is a folder" });
      expect(reason(join(inside, "x".repeat(5_000)))).toEqual({ reason: undefined });
      expect(reason(join(inside, "a\0b"))).toEqual({ reason: undefined });
    });

    it("is absent even in a configured include path", () => {
      const files = filesOf(inside);
      files.allow("file:///");
      expect(files.read("file:///proc/self/environ")).toBe("absent");
      expect(files.read("file:///dev/zero")).toBe("absent");
      expect(files.read(nameOfPath(join(outside, "secret.h")))).toBe(secret);
    });
  },
);
