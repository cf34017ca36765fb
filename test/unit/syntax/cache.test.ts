/** Trees are kept by their text. */
import { expect, it } from "vitest";
import { keepBuiltinTrees } from "../../../server/src/syntax/cache.ts";
import { growth, tooMuch } from "../../growth.ts";
import { testParser } from "../../service.ts";

it("finds texts of equal length without comparing each with all others", async () => {
  const parser = await testParser();
  const parsed = parser.parse("int x;");
  let parses = 0;
  const treeOf = keepBuiltinTrees({
    ...parser,
    parse: () => {
      parses += 1;
      return { ...parsed, dispose: () => undefined };
    },
  });
  const same = " ".repeat(16_400);
  const textsOf = (count: number, start: number) => Array.from({ length: count }, (_, i) => `${same}${String(start + i).padStart(8, "0")}`);
  const texts = textsOf(3_000, 0);
  for (const text of texts) treeOf(text);
  expect(parses).toBe(texts.length);
  for (const text of texts.slice(-8)) treeOf(text);
  expect(parses).toBe(texts.length);
  let next = 10_000;
  const fresh = (count: number) => {
    const some = textsOf(count, next);
    next += count;
    return () => {
      for (const text of some) treeOf(text);
    };
  };
  expect(growth(250, fresh)).toBeLessThan(tooMuch);
  parsed.dispose();
});
