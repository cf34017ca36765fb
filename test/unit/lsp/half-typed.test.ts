/** Decides whether the lines of an edit are open, unfinished or finished. */
import { describe, expect, it } from "vitest";
import { typingIn } from "../../../server/src/lsp/session/half-typed.ts";

describe("changed lines", () => {
  const typing = (before: string, after: string) =>
    typingIn(before, after, { before: { start: 0, end: before.length }, after: { start: 0, end: after.length } });

  it.each([
    ["", "void f(int a) {\n"],
    ["", "void f(\n"],
    ["x[0] = 1;\n", "x[0 = 1;\n"],
    ["x = 1;\n", "x = 1; }\n"],
    ["", "}\n{\n"],
    ["", "#if 1\n"],
    ["", "#else\n#endif\n"],
    ["", "/* begun\n"],
    ["", 'puts("begun);\n'],
    ["", "char c = '\n"],
  ])("are open: %j, then %j", (before, after) => expect(typing(before, after)).toBe("open"));

  it.each([
    ["", "kernel void f(int a)\n"],
    ["x = 1;\n", "x = 1\n"],
    ["", "typedef\n"],
  ])("are unfinished: %j, then %j", (before, after) => expect(typing(before, after)).toBe("unfinished"));

  it.each([
    ["", ""],
    ["", "void f(int a) { (void)a; }\n"],
    ["int a\n", "int b\n"],
    ["", "// it's a comment: {\n/* ( */\n"],
    ["", "#define OPEN { (\n#define MORE \\\n  [\n"],
    ["", "#if 1\nint x;\n#endif\n"],
    ["", "#error don't\n"],
    ["", "int x = 1'000'000; char c = '{'; const char *s = \"(\\\"\";\n"],
    ["if (x) {\n", "if (y) {\n"],
    ["void f() {\n", "void f(int a) {\n"],
    ["", "enum {\n  one,\n};\n"],
  ])("are finished: %j, then %j", (before, after) => expect(typing(before, after)).toBe("finished"));
});
