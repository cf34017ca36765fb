/** Trees are kept by their text. */
import { expect, it } from "vitest";
import { keepBuiltinTrees } from "../../../server/src/syntax/cache.ts";
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
  const texts = Array.from({ length: 3_000 }, (_, i) => `${same}${String(i).padStart(8, "0")}`);
  const { user } = process.cpuUsage();
  for (const text of texts) treeOf(text);
  // Comparing each with hundreds of others takes seconds.
  expect((process.cpuUsage().user - user) / 1_000).toBeLessThan(1_000);
  expect(parses).toBe(texts.length);
  for (const text of texts.slice(-8)) treeOf(text);
  expect(parses).toBe(texts.length);
  parsed.dispose();
});
