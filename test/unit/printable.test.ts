/** Text from a project cannot control a terminal, reorder code or give commands to the system that runs a build. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { printable, printableJson, printableLines, quoted } from "../../server/src/printable.ts";
import { seedOf } from "../effort.ts";

const hostile =
  "\u001b[31mred\u001b]0;title\u0007 a\r\n::error::b \u202eevil\u2066 \u009b31m \u2028 \ud800 ##[error]x ##vso[task.x] \u{e0041}";

describe("text from a project", () => {
  it("is printed as one line, with escapes in place of invisible characters", () => {
    expect(printable("a\u001b[31mb\n\u202ec")).toBe("a<U+001B>[31mb<U+000A><U+202E>c");
    expect(printable("\tint größe = 1; // 漢字 😀")).toBe("\tint größe = 1; // 漢字 😀");
    expect(printable("##[error]x ##vso[y] ##teamcity[z] a ## b[0] #x[1]")).toBe(
      "#<U+0023>[error]x #<U+0023>vso[y] #<U+0023>teamcity[z] a ## b[0] #x[1]",
    );
    expect(printableLines("a\u0007\nb\r\n")).toBe("a<U+0007>\nb<U+000D>\n");
  });

  it("is safe, whatever it contains", () => {
    const unsafe = /(?!\t)\p{Cc}|[\u202a-\u202e\u2066-\u2069]|##\w*\[/u;
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => !unsafe.test(printable(`${hostile}${text}`))),
      { seed: seedOf(25) },
    );
  });

  it("is quoted in messages, and cut to their length", () => {
    expect(quoted("a\nb")).toBe("'a<U+000A>b'");
    expect(quoted("x".repeat(200), 10)).toBe("'xxxxxxxxxx…'");
  });
});

describe("a JSON document", () => {
  it("keeps its meaning, and is safe to print", () => {
    const text = printableJson(JSON.stringify({ [hostile]: [hostile] }, undefined, 2));
    expect(JSON.parse(text)).toEqual({ [hostile]: [hostile] });
    expect(text).not.toMatch(/(?!\n)\p{Cc}|[\u202a-\u202e\u2066-\u2069]|##\w*\[/u);
  });
});
