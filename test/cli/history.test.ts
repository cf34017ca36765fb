/** `npm run history` on a repository whose second commit fixes a mistake. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { folderWith } from "./run.ts";

const root = resolve(import.meta.dirname, "../..");

test("a finding that a commit removes counts as found, one that it adds as new", () => {
  const folder = folderWith({ "copy.cu": kernel("const float *in", "float *p = in;"), "other.cu": kernel("float *in", "in[0] = 1;") });
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...words], { cwd: folder, encoding: "utf8" });
  const both = (space: string) => `void help(${space}int *p);\nkernel void k(constant int *c) { help(c); }\n`;
  writeFileSync(join(folder, "both.cl"), both("global "));
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "--message=mistake");
  writeFileSync(join(folder, "copy.cu"), kernel("const float *in", "const float *p = in;"));
  writeFileSync(join(folder, "other.cu"), kernel("const float *in", "float *p = in;"));
  // The same mistake with another type in its message.
  writeFileSync(join(folder, "both.cl"), both("local "));
  git("commit", "--quiet", "--all", "--message=fix");

  const output = execFileSync("npx", ["tsx", "scripts/history.ts", folder, "HEAD"], { cwd: root, encoding: "utf8" });

  expect(output).toMatch(/HEAD: 1 found and fixed, 1 new, 1 in both\n {2}- \.\/copy\.cu:1: error: .*\n {2}\+ \.\/other\.cu:1: error: /);
  expect(output).toMatch(/1 of 1 mistakes found; 1 fixes have a finding that their parent does not have/);
});

function kernel(parameter: string, body: string): string {
  return `__global__ void copy(${parameter}) { ${body} }\n`;
}
