/** The place of a comment `gpu-qualifiers: allow[…]` decides which findings it allows. A comment that allows nothing is reported. */
import { describe, expect, it } from "vitest";
import { allPreferredEdits, applyEdits } from "../../../server/src/diagnostics/fix-all.ts";
import { rememberSuppressions } from "../../../server/src/diagnostics/suppressions.ts";
import { noSettings } from "../../../server/src/dialect.ts";
import { createService } from "../../../server/src/service.ts";
import { memoryFiles, testParser } from "../../service.ts";

const parser = await testParser();

function diagnosticsOf(text: string, others: Readonly<Record<string, string>> = {}, uri = "file:///a.cl") {
  const files = new Map([[uri, text], ...Object.entries(others).map(([name, content]) => [`file:///${name}`, content] as const)]);
  const service = createService({ files: memoryFiles(files), parser, settingsOf: () => noSettings });
  try {
    return [...service.check(uri).diagnostics, ...(service.link().get(uri) ?? [])];
  } finally {
    service.dispose();
  }
}

const said = (text: string, others: Readonly<Record<string, string>> = {}, uri?: string) =>
  diagnosticsOf(text, others, uri).map(({ rule, message }) => (rule === "unused-suppression" ? message : rule));
const kernel = (...lines: readonly string[]) => `kernel void k(global int *g) {\n${lines.join("\n")}\n}\n`;
const cast = "local int *l = (local int *)g;";

describe("a suppression", () => {
  it.each([
    ["on the line of the finding", kernel(`${cast} // gpu-qualifiers: allow[address-space-cast] one memory`)],
    ["in front of it", kernel(`/* gpu-qualifiers: allow[address-space-cast] */ ${cast}`)],
    ["alone on the line above", kernel("// gpu-qualifiers: allow[address-space-cast]", cast)],
    ["above other comments", kernel("// gpu-qualifiers: allow[address-space-cast]", "", "// because", cast)],
    ["for the file", `${kernel(cast, cast)}// gpu-qualifiers: allow-file[address-space-cast] all of it\n`],
    ["among others", kernel(`local int n = 1; ${cast} // gpu-qualifiers: allow[local-initializer, address-space-cast]`)],
    ["with carriage returns", kernel("// gpu-qualifiers: allow[address-space-cast]", cast).replaceAll("\n", "\r\n")],
    [
      "on the line where a macro is used",
      `#define AS(p) ((local int *)(p))\n${kernel("AS(g); // gpu-qualifiers: allow[address-space-cast]")}`,
    ],
    ["on a macro's definition", `#define AS(p) ((local int *)(p)) // gpu-qualifiers: allow[address-space-cast]\n${kernel("AS(g);")}`],
    [
      "above a macro's definition of several lines",
      `// gpu-qualifiers: allow[address-space-cast]\n#define AS(p) \\\n  ((local int *)(p))\n${kernel("AS(g);")}`,
    ],
    [
      "on the definition of a macro that another one uses",
      `#define AS(p) ((local int *)(p)) // gpu-qualifiers: allow[address-space-cast]\n#define TWICE(p) AS(p), AS(p)\n${kernel("TWICE(g);")}`,
    ],
  ])("%s allows the finding", (_where, text) => {
    expect(said(text)).toEqual([]);
  });

  it("on a macro in a header allows its uses in sources", () => {
    const header = "#define AS(p) ((local int *)(p)) // gpu-qualifiers: allow[address-space-cast]\n";
    expect(said(`#include "as.h"\n${kernel("AS(g);")}`, { "as.h": header })).toEqual([]);
  });

  it.each([
    ["another rule", kernel(`${cast} // gpu-qualifiers: allow[const-write]`)],
    ["another line", kernel("// gpu-qualifiers: allow[address-space-cast]", "int i = 0;", cast)],
    ["a string", kernel(`${cast} constant char *s = "// gpu-qualifiers: allow[address-space-cast]";`)],
  ])("for %s allows nothing", (_what, text) => {
    expect(said(text)).toContain("address-space-cast");
  });

  it("is found after a number with digit separators", () => {
    const text =
      "struct S { int a; };\n__global__ void k(__grid_constant__ S s) { int i = 1'000; } // gpu-qualifiers: allow[grid-constant-non-const] don't\n";
    expect(said(text, {}, "file:///a.cu")).toEqual([]);
  });

  it("also allows a finding that depends on several files", () => {
    const text =
      "struct S { int a; };\n__global__ void k(const __grid_constant__ S s);\n__global__ void k(const S s) {} // gpu-qualifiers: allow[grid-constant-mismatch]\n";
    expect(said(text, {}, "file:///a.cu")).toEqual([]);
  });
});

describe("a suppression that allows nothing", () => {
  it("is reported, and the fix removes it with its line", () => {
    const text = kernel("  // gpu-qualifiers: allow[address-space-cast] once", "  int i = 0; // gpu-qualifiers: allow[const-write]");
    const found = diagnosticsOf(text);
    expect(found.map(({ message }) => message)).toEqual([
      "this comment allows nothing: 'address-space-cast' has no finding here",
      "this comment allows nothing: 'const-write' has no finding here",
    ]);
    expect(
      applyEdits(
        text,
        allPreferredEdits(found).map((edit) => ({ span: edit.location.span, text: edit.text })),
      ),
    ).toBe(kernel("  int i = 0;"));
  });

  it("loses only the id that has no effect", () => {
    const text = kernel(`${cast} // gpu-qualifiers: allow[const-write, address-space-cast, local-initializer] why`);
    const found = diagnosticsOf(text);
    expect(
      applyEdits(
        text,
        allPreferredEdits(found).map((edit) => ({ span: edit.location.span, text: edit.text })),
      ),
    ).toBe(kernel(`${cast} // gpu-qualifiers: allow[address-space-cast] why`));
  });

  it("is reported if it names no existing rule", () => {
    expect(said(kernel("int i = 0; // gpu-qualifiers: allow[no-such-rule]"))).toEqual(["no rule is called 'no-such-rule'"]);
    expect(said(kernel("int i = 0; // gpu-qualifiers: allow this"))).toEqual([
      "a suppression names the rules that it allows: 'allow[rule-id]'",
    ]);
  });

  it.each([
    ["in code that is not compiled", `#if 0\nint i; // gpu-qualifiers: allow[address-space-cast]\n#endif\n${kernel("")}`],
    ["on a definition, which others may use", "#define X 1 // gpu-qualifiers: allow[address-space-cast]\n"],
    ["where a header is missing", `#include "gone.h"\n${kernel("int i; // gpu-qualifiers: allow[address-space-cast]")}`],
    ["where the source is broken", `${kernel("int i; // gpu-qualifiers: allow[address-space-cast]")} void (`],
    ["for a rule of the other language", kernel("int i; // gpu-qualifiers: allow[grid-constant-non-const]")],
  ])("is not reported %s", (_where, text) => {
    expect(said(text)).toEqual([]);
  });
});

it("finds a suppression that is typed key by key, and loses it with any of its letters", () => {
  const comment = "// gpu-qualifiers: allow[address-space-cast]";
  const files = new Map([["file:///a.cl", ""]]);
  const suppressionsOf = rememberSuppressions(memoryFiles(files));
  const countIn = (text: string) => {
    files.set("file:///a.cl", text);
    return suppressionsOf("file:///a.cl").length;
  };
  const before = "kernel void k(void) {\n";
  const keyword = comment.indexOf(":") + 1;
  for (let length = 0; length <= comment.length; length += 1) {
    const isWhole = length >= comment.indexOf("allow") + "allow".length;
    expect([length, countIn(`${before}${comment.slice(0, length)}\n}\n`)]).toEqual([length, isWhole ? 1 : 0]);
  }
  for (let gap = 3; gap < keyword; gap += 1) {
    expect(countIn(`${before}${comment.slice(0, gap)}${comment.slice(gap + 1)}\n}\n`)).toBe(0);
    expect(countIn(`${before}${comment}\n}\n`)).toBe(1);
  }
});
