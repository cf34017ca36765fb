/** Whether an edit may change a directive, which decides whether what is known of the workspace's definitions stays. */
import { describe, expect, it } from "vitest";
import { touchesDirective } from "../../server/src/text-change.ts";

describe("an edit touches a directive", () => {
  it.each([
    ["of a definition's value", "#define A 1\nint x;\n", "#define A 12\nint x;\n"],
    ["of a continued definition", "#define A 1 + \\\n 2\n", "#define A 1 + \\\n 3\n"],
    ["that completes a digraph", "%define A 1\n", "%:define A 1\n"],
    ["that removes a trigraph", "?\u003f=define A 1\n", "?=define A 1\n"],
  ])("%s", (_, before, after) => expect(touchesDirective(before, after)).toBe(true));

  it.each([
    ["of a remainder", "#define A 1\nint f(int i) { return i % 3; }\n", "#define A 1\nint f(int i) { return i % 32; }\n"],
    ["of a conditional expression", "int f(int i) { return i ? 1 : 2; }\n", "int f(int i) { return i ? 12 : 2; }\n"],
  ])("but not %s", (_, before, after) => expect(touchesDirective(before, after)).toBe(false));
});
