/** Names are matched as whole words. */
import { expect, test } from "vitest";
import { wordPattern } from "../../server/src/words.ts";

test.each([
  ["sum", "sum(a)", true],
  ["sum", "checksum(a)", false],
  ["sum", "sum$(a)", false],
  ["sum", "$sum(a)", false],
  ["sum$", "x = sum$(a)", true],
  ["a$b", "a$b", true],
  ["a$b", "a$bc", false],
  ["operator++", "S operator++();", true],
  ["operator[]", "int operator[](int);", true],
  ["operator()", "int operator()(int);", true],
  ["operator*", "operatorr", false],
])("'%s' in '%s': %s", (name, text, isFound) => {
  expect(wordPattern(name).test(text)).toBe(isFound);
});

test("with flags, all of them are found", () => {
  expect("a + b + a".match(wordPattern("a", "g"))).toHaveLength(2);
});
