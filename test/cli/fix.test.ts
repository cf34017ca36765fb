/** `check --fix` writes fixes, `--format sarif` describes them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "sarif";
import { describe, expect, it } from "vitest";
import { fixability } from "../../server/src/cli/fix.ts";
import type { Diagnostic, Fix } from "../../server/src/finding.ts";
import { nameOfPath } from "../../server/src/node/node-names.ts";
import { runHere } from "./in-process.ts";
import { folderWith, nonConst, wrongCast } from "./run.ts";

describe("check --fix", () => {
  it("writes preferred fixes in every file that they touch, and reports the remaining findings", async () => {
    const folder = folderWith({
      "a.cu": `${nonConst}__global__ void l(__grid_constant__ S s, __grid_constant__ S &t);\n`,
      "k.cuh": "struct P { int a; };\n__global__ void k(const __grid_constant__ P p);\n",
      "k.cu": '#include "k.cuh"\n__global__ void k(const P p) {}\n',
      "gpu-qualifiers.json": "{}",
    });
    const { code, out, error } = await runHere(["check", "--fix", "."], folder);
    expect(out).toBe("");
    expect(error).toMatch(/fixed \d+ findings in 2 files/);
    expect(code).toBe(0);
    expect(readFileSync(join(folder, "a.cu"), "utf8")).toContain("void l(const __grid_constant__ S s, const __grid_constant__ S t)");
    expect(readFileSync(join(folder, "k.cu"), "utf8")).toContain("const __grid_constant__ P p");
  });

  it("keeps the encoding mark and the line ends, and leaves findings without a fix unchanged", async () => {
    const source = `\ufeff${nonConst}`.replaceAll("\n", "\r\n");
    const folder = folderWith({ "a.cu": source, "b.cl": "constant int a;\n" });
    const { code, out } = await runHere(["check", "--fix", "a.cu", "b.cl"], folder);
    expect(readFileSync(join(folder, "a.cu"), "utf8")).toBe(source.replace("(__grid", "(const __grid"));
    expect(readFileSync(join(folder, "b.cl"), "utf8")).toBe("constant int a;\n");
    expect(out).toContain("b.cl:1:14: error");
    expect(code).toBe(1);
  });

  it.each(["latin1", "utf16le"] as const)("keeps every other byte of a file in %s", async (encoding) => {
    const source = `${encoding === "latin1" ? "" : "\ufeff"}/* gr\u00f6\u00dfe */ ${nonConst}`;
    const folder = folderWith({ "a.cu": Buffer.from(source, encoding) });
    expect(await runHere(["check", "--fix", "a.cu"], folder)).toMatchObject({ code: 0, out: "" });
    expect(readFileSync(join(folder, "a.cu"), encoding)).toBe(source.replace("(__grid", "(const __grid"));
  });

  it("says of each finding of a file whether it can be fixed after reading the file once", () => {
    const folder = folderWith({ "a.cu": nonConst });
    const [root, name] = [nameOfPath(folder), nameOfPath(join(folder, "a.cu"))];
    const location = { uri: name, span: { start: 0, end: 1 } };
    const fix: Fix = { title: "Fix", isPreferred: true, edits: [{ location, text: "" }] };
    const findings = Array.from({ length: 1_000 }, (): Diagnostic => {
      return { rule: "const-write", severity: "error", message: "", location, related: [], fixes: [fix] };
    });
    let readings = 0;
    const textOf = () => {
      readings += 1;
      return nonConst;
    };
    expect(findings.filter(fixability({ root, textOf }))).toHaveLength(1_000);
    expect(readings).toBe(1);
    expect(findings.filter(fixability({ root, textOf: () => `${nonConst} ` }))).toEqual([]);
  });

  it("declares the copy of a host variable once in a block", async () => {
    const range = "struct R { int lo; __host__ __device__ constexpr int at(int i) const { return lo + i; } };\nconstexpr R fixed = {1};\n";
    const kernel = "__global__ void k(int *out) {\n  out[0] = 1;\n  out[1] = fixed.at(out[0]);\n  out[2] = fixed.at(out[1]);\n}\n";
    const folder = folderWith({ "a.cu": range + kernel });
    await runHere(["check", "--fix", "a.cu"], folder);
    expect(readFileSync(join(folder, "a.cu"), "utf8")).toBe(
      `${range}__global__ void k(int *out) {\n  out[0] = 1;\n  const auto fixed_copy = fixed;\n  out[1] = fixed_copy.at(out[0]);\n  out[2] = fixed_copy.at(out[1]);\n}\n`,
    );
  });

  it("makes no member function const whose body would not compile then", async () => {
    const members = [
      "__device__ void inc() { a++; }",
      "__device__ int &at(int i) { return v[i]; }",
      "__device__ void star() { *this = S(); }",
      "__device__ int indirect() { inc(); return a; }",
      "__device__ S *me() { return this; }",
      "__device__ int later();",
    ];
    const text = (word: string) =>
      `struct S {\n  int a, v[3];\n  ${[...members, `__device__ int get() ${word}{ return a; }`].join("\n  ")}\n};\n` +
      "__device__ void use(const S &s, int *o) { s.inc(); s.at(1); s.star(); s.indirect(); s.me(); s.later(); *o = s.get(); }\n";
    const folder = folderWith({ "a.cu": text("") });
    await runHere(["check", "--fix", "a.cu"], folder);
    expect(readFileSync(join(folder, "a.cu"), "utf8")).toBe(text("const "));
  });

  it("does not fix allowed findings", async () => {
    const text = nonConst.replace("void k", "void k /* gpu-qualifiers: allow[grid-constant-non-const] */ ");
    const folder = folderWith({ "a.cu": text });
    expect(await runHere(["check", "--fix", "a.cu"], folder)).toMatchObject({ code: 0, out: "" });
    expect(readFileSync(join(folder, "a.cu"), "utf8")).toBe(text);
  });
});

describe("check --format sarif", () => {
  it("has rules, results, related places and fixes", async () => {
    const folder = folderWith({
      "src/a b.cl": wrongCast,
      "src/a.cu": "struct S { int a; };\n__global__ void k(const __grid_constant__ S s);\n__global__ void k(const S s) {}\n",
    });
    const { code, out } = await runHere(["check", "--format", "sarif", "src"], folder);
    expect(code).toBe(1);
    const log = JSON.parse(out) as Log;
    expect(log.version).toBe("2.1.0");
    const [one] = log.runs;
    const results = one?.results ?? [];
    expect(results.map(({ ruleId, level }) => [ruleId, level])).toEqual([
      ["address-space-cast", "error"],
      ["grid-constant-mismatch", "error"],
    ]);
    for (const { ruleId, ruleIndex } of results) expect(one?.tool.driver.rules?.[ruleIndex ?? -1]?.id).toBe(ruleId);
    expect(results[0]?.locations?.[0]?.physicalLocation).toEqual({
      artifactLocation: { uri: "src/a%20b.cl", uriBaseId: "%SRCROOT%" },
      region: { startLine: 1, startColumn: 47, endLine: 1, endColumn: 61 },
    });
    expect(results[0]?.fixes?.[0]?.artifactChanges[0]?.replacements[0]?.insertedContent?.text).toContain("global");
    expect(results[1]?.relatedLocations?.[0]?.message?.text).toBe("declared here");
  });

  it("has the properties that code scanning requires of a rule, and changes each file once", async () => {
    const folder = folderWith({
      "a.cu":
        "struct S { int a; };\n__global__ void k(const __grid_constant__ S s);\n__global__ void k(const S s) {}\n__global__ void k(const S s);\n",
    });
    const { runs } = JSON.parse((await runHere(["check", "--format", "sarif", "a.cu"], folder)).out) as Log;
    for (const rule of runs[0]?.tool.driver.rules ?? []) {
      expect(rule).toMatchObject({ fullDescription: { text: expect.any(String) }, help: { text: expect.any(String) } });
      expect(rule.properties).toMatchObject({ "problem.severity": expect.stringMatching(/^(error|warning|recommendation)$/) });
    }
    for (const { artifactChanges } of runs[0]?.results?.flatMap(({ fixes }) => fixes ?? []) ?? []) {
      const files = artifactChanges.map(({ artifactLocation }) => artifactLocation.uri);
      expect(files).toEqual([...new Set(files)]);
    }
  });
});
