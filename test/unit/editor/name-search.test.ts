/** Which names a typed query finds. */
import { expect, it } from "vitest";
import { nameSearch } from "../../../server/src/editor/language/name-search.ts";

it.each([
  ["blurRows", "brow", true],
  ["blurRows", "BR", true],
  ["blurRows", "rb", false],
  ["blur_rows", "b_r", true],
  ["blurRows", "", true],
  ["blurRows", "blur rows", true],
  ["blurRows", ".", false],
  ["größe", "GRÖSSE", false],
  ["größe", "gröe", true],
])("'%s' fits '%s': %s", (name, query, fits) => {
  expect(nameSearch(query).fits(name)).toBe(fits);
});

it("looks for the query in one word of a text", () => {
  expect(nameSearch("brow").fitsWordOf("void blurRows()")).toBe(true);
  expect(nameSearch("brow").fitsWordOf("void blur(rows)")).toBe(false);
  expect(nameSearch("rows").fitsWordOf("void blur(rows")).toBe(true);
});
