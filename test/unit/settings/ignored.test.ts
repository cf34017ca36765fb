/** Patterns of `.gitignore` have the same meaning as in git. Matching takes time in proportion to the lengths of pattern and path. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import ignore from "ignore";
import { describe, expect, it } from "vitest";
import { pathPatterns } from "../../../server/src/settings/ignored.ts";
import { runs, seedOf } from "../../effort.ts";
import { growth, tooMuch } from "../../growth.ts";

const isIgnored = (patterns: string | readonly string[], path: string, isFolder = false) =>
  pathPatterns(patterns, "file:///w").verdict(`file:///w/${path}`, isFolder) ?? false;

describe("patterns", () => {
  it.each([
    ["*.cl", "a/b.cl", true],
    ["*.cl", "a/b.clh", false],
    ["/a.cl", "a.cl", true],
    ["/a.cl", "b/a.cl", false],
    ["a/b.cl", "c/a/b.cl", false],
    ["build/", "build/x/a.cl", true],
    ["build/", "build", false],
    ["**/gen", "x/y/gen/a.cl", true],
    ["gen/**", "gen/a.cl", true],
    ["gen/**", "gen", false],
    ["a/**/b.cl", "a/b.cl", true],
    ["a/**/b.cl", "a/x/y/b.cl", true],
    ["a/*/b.cl", "a/x/y/b.cl", false],
    ["a?.cl", "ab.cl", true],
    ["[a-c]x.cl", "bx.cl", true],
    ["[!a-c]x.cl", "bx.cl", false],
    ["\\!a.cl", "!a.cl", true],
    ["\\#a.cl", "#a.cl", true],
    ["# a.cl", "# a.cl", false],
    ["a.cl  ", "a.cl", true],
    ["a\\ ", "a ", true],
    ["[a.cl", "[a.cl", true],
    ["*.cl\n!keep.cl", "x/keep.cl", false],
    ["x/\n!x/keep.cl", "x/keep.cl", true],
    ["/*\n!/src", "src/a.cl", false],
  ])("%j and %s: %s", (patterns, path, expected) => {
    expect(isIgnored(patterns, path)).toBe(expected);
  });

  const part = fc.stringMatching(/^[ab*?]{1,4}$/);
  const pattern = fc
    .tuple(
      fc.constantFrom("", "!"),
      fc.constantFrom("", "/"),
      fc.array(fc.oneof(part, fc.constant("**")), { minLength: 1, maxLength: 4 }),
      fc.constantFrom("", "/"),
    )
    .map(([negation, start, parts, end]) => `${negation}${start}${parts.join("/")}${end}`)
    // The npm package and git differ in the meaning of some sequences of stars.
    .filter((text) => !/\*\*[^/]|[^/!]\*\*/.test(text));
  const path = fc.array(fc.stringMatching(/^[ab]{1,4}$/), { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));

  it("have the same meaning as in the npm package ignore", () => {
    fc.assert(
      fc.property(fc.array(pattern, { minLength: 1, maxLength: 4 }), path, (patterns, name) => {
        expect(isIgnored(patterns, name)).toBe(ignore({ allowRelativePaths: true }).add(patterns).ignores(name));
      }),
      { numRuns: runs(500), seed: seedOf(6) },
    );
  });

  it("have the same meaning as in git", () => {
    const folder = mkdtempSync(join(tmpdir(), "gpu-qualifiers-"));
    try {
      execFileSync("git", ["init", "-q"], { cwd: folder });
      const cases = fc.sample(
        fc.tuple(fc.array(pattern, { minLength: 1, maxLength: 3 }), fc.uniqueArray(path, { minLength: 20, maxLength: 20 })),
        {
          numRuns: 25,
          seed: seedOf(7),
        },
      );
      for (const [patterns, names] of cases) {
        writeFileSync(join(folder, ".gitignore"), patterns.join("\n"));
        const files = names.filter((name) => !names.some((other) => other.startsWith(`${name}/`)));
        for (const name of files) mkdirSync(join(folder, name, ".."), { recursive: true });
        for (const name of files) writeFileSync(join(folder, name), "");
        const listed = execFileSync("git", ["ls-files", "--others", "--exclude-standard"], { cwd: folder, encoding: "utf8" }).split("\n");
        for (const name of files) expect([patterns, name, isIgnored(patterns, name)]).toEqual([patterns, name, !listed.includes(name)]);
        for (const name of files) rmSync(join(folder, name.split("/")[0] ?? ""), { recursive: true, force: true });
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("are matched in time in proportion to their length and the path's", () => {
    const matched = (count: number) => () => {
      isIgnored(`${"*a".repeat(4 * count)}b`, "a".repeat(4_000));
      isIgnored(`${"**/a/".repeat(count)}b`, Array.from({ length: 2_000 }, () => "a").join("/"));
    };
    expect(growth(22, matched)).toBeLessThan(tooMuch);
  });
});
