/**
 * The cache of units drops those that were not used lately, while pieces that were read earlier keep theirs. A header has one unit in a
 * list nevertheless, whichever of its includes was read first.
 */
import { expect, it, vi } from "vitest";
import { differenceAfter, serviceOver } from "../../open-headers.ts";
import { testParser } from "../../service.ts";

/** The size of the caches that are created now; undefined for the usual one. */
const cache = vi.hoisted((): { size: number | undefined } => ({ size: undefined }));
vi.mock("../../../server/src/preprocess/unit-cache.ts", async (importOriginal) => {
  const { createUnitCache } = await importOriginal<typeof import("../../../server/src/preprocess/unit-cache.ts")>();
  return { createUnitCache: (...[interner, most]: Parameters<typeof createUnitCache>) => createUnitCache(interner, cache.size ?? most) };
});

const parser = await testParser();
const header = "file:///w/h.cuh";
const middle = "file:///w/m.cuh";
const other = "file:///w/o.cuh";
const source = "file:///w/a.cu";

const include = '#include "h.cuh"\n';
const kernel = "__global__ void g(const float *in) { float *q = in; put(q); }\n";

it.each([
  ["that cannot be cut", "#if 1\n__device__ void put(float *a);\n"],
  ["without a guard", "__device__ void put(float *a);\n__device__ int many;\n"],
  ["that is read once", "#pragma once\n__device__ void put(float *a);\nstruct S { int a; };\n"],
])("a header %s has one unit after the cache has dropped it", (_, text) => {
  const texts = new Map([
    [header, text],
    [middle, include],
    [other, "struct Other { int a; };\n"],
    [source, `${include}${kernel}`],
  ]);
  // The unit that was added last is the only one that stays. The service that it is compared with keeps all.
  cache.size = 1;
  const kept = serviceOver(parser, texts, true);
  cache.size = undefined;
  for (const uri of texts.keys()) kept.check(uri);
  for (const lines of [
    include,
    `${include}#include "o.cuh"\n`,
    `${include}#include "o.cuh"\n#include "m.cuh"\n`,
    `#include "m.cuh"\n${include}`,
    `${include}#include "o.cuh"\n${include}`,
    '#import "h.cuh"\n'.repeat(2),
    `#include "o.cuh"\n${include}#include "m.cuh"\n#include "o.cuh"\n`,
    include,
    "",
  ]) {
    texts.set(source, `${lines}${kernel}`);
    expect(differenceAfter(parser, kept, texts, source), lines).toBeUndefined();
  }
  kept.dispose();
});

it("a header has one unit after another source has read it in many variants", () => {
  const second = "file:///w/b.cu";
  const texts = new Map([
    [header, "#if X + 1\n__device__ void put(float *a);\n"],
    [middle, include],
    [second, include],
    [source, `${include}${kernel}`],
  ]);
  const kept = serviceOver(parser, texts, true);
  for (const uri of [source, second]) kept.check(uri);
  for (let variant = 1; variant < 16; variant += 1) {
    texts.set(second, `#define X ${variant}\n${include}`);
    kept.changed([second]);
    kept.check(second);
  }
  texts.set(source, `${include}#include "m.cuh"\n${kernel}`);
  expect(differenceAfter(parser, kept, texts, source)).toBeUndefined();
  kept.dispose();
});
