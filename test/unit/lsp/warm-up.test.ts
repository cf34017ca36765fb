/** Decides which texts are checked before the user opens a document. */
import { expect, it } from "vitest";
import { warmUp } from "../../../server/src/lsp/session/warm-up.ts";
import { inOneGo } from "../../../server/src/steps.ts";
import { testParser } from "../../service.ts";

const parser = await testParser();

it.each([
  { names: [], texts: [] },
  { names: ["file:///a.txt", "file:///a.cpp"], texts: [] },
  { names: ["file:///a.cu", "file:///b.cu"], texts: ["__global__"] },
  { names: ["file:///a.cu", "file:///b.cl"], texts: ["__global__", "__kernel"] },
])("one of each language among $names", ({ names, texts }) => {
  const parsed: string[] = [];
  inOneGo(
    warmUp(
      {
        ...parser,
        *parseInSteps(text, previous) {
          const found = yield* parser.parseInSteps(text, previous);
          const word = /\bvoid run\(/.test(text) ? /__global__|__kernel/.exec(text)?.[0] : undefined;
          if (word !== undefined) {
            parsed.push(word);
            expect(found.tree.errors).toEqual([]);
          }
          return found;
        },
      },
      names,
    ),
  );
  expect([...new Set(parsed)]).toEqual(texts);
});
