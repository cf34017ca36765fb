/** Long runs of white space are removed before parsing, and the parser's offsets are converted back. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { withoutBlankRuns } from "../../../server/src/syntax/text/blank-runs.ts";
import { runs, seedOf } from "../../effort.ts";
import { testParser } from "../../service.ts";

const blanks = " ".repeat(100);

it("shortens runs, and keeps a line break that ends a comment", () => {
  expect(withoutBlankRuns(`a${blanks}b`).text).toBe("a b");
  expect(withoutBlankRuns(`// a${blanks}\n${blanks}b`).text).toBe("// a\nb");
  expect(withoutBlankRuns("a  b").text).toBe("a  b");
});

it("finds the runs that an expression finds", () => {
  const part = fc.oneof(
    fc.constantFrom("a", "b\n", "\t", "\u00a0", "é"),
    fc.integer({ min: 1, max: 70 }).map((count) => " ".repeat(count)),
  );
  const isSame = (parts: readonly string[]) => {
    const text = parts.join("");
    const expected = text.replace(/\s{32,}/g, (run) => (run.includes("\n") ? "\n" : " "));
    expect(withoutBlankRuns(text).text).toBe(expected);
  };
  fc.assert(fc.property(fc.array(part, { maxLength: 12 }), isSame), { seed: seedOf(1), numRuns: runs(300) });
});

it("converts the starts and the ends of words", () => {
  const text = `${blanks}one${blanks}\n${blanks}two three${blanks}`;
  const short = withoutBlankRuns(text);
  for (const word of ["one", "two", "three"]) {
    const start = short.text.indexOf(word);
    expect(text.slice(short.originalOf(start), short.originalOf(start + word.length))).toBe(word);
  }
});

it("does not change the tree", async () => {
  const parser = await testParser();
  const text = `struct S {${blanks}int a;${blanks}};\n${blanks}\nvoid f(S *s${blanks}) { s->a = "x${blanks}y"[1];${blanks}}`;
  const shown = (wide: boolean): string => {
    const read = wide ? text : text.replaceAll(blanks, " ");
    const parsed = parser.parse(read);
    parsed.dispose();
    const withTexts = (_: string, value: unknown) => (isSpan(value) ? read.slice(value.start, value.end) : value);
    return JSON.stringify(parsed.tree, withTexts).replaceAll(blanks, " ");
  };
  expect(shown(true)).toBe(shown(false));
});

function isSpan(value: unknown): value is { readonly start: number; readonly end: number } {
  return typeof value === "object" && value !== null && "start" in value && Object.keys(value).length === 2;
}

it("shortens runs of millions of characters", () => {
  expect(withoutBlankRuns(`a${" ".repeat(10_000_000)}b`).text).toBe("a b");
});
