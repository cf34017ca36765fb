/**
 * The tokens of a file are dropped once it has been summarized. The units that were made of them stay valid, so that a header has one
 * unit in a file, whichever of its includes was read first.
 */
import { expect, it } from "vitest";
import { differenceAfter, serviceOver } from "../../open-headers.ts";
import { testParser } from "../../service.ts";

const parser = await testParser();
const header = "file:///w/h.cuh";
const middle = "file:///w/m.cuh";
const source = "file:///w/a.cu";

const include = '#include "h.cuh"\n';
const kernel = "__global__ void g(const float *in) { float *q = in; put(q); }\n";

it("a header that cannot be cut has one unit, included directly, twice with #import, or through another header", () => {
  const texts = new Map([
    [header, "#if 1\n__device__ void put(float *a);\n"],
    [middle, include],
    [source, kernel],
  ]);
  const kept = serviceOver(parser, texts, true);
  for (const uri of texts.keys()) kept.check(uri);
  for (const lines of [
    include,
    '#import "h.cuh"\n'.repeat(2),
    `#include "m.cuh"\n${include}`,
    include,
    `${include}#include "m.cuh"\n`,
    "",
  ]) {
    texts.set(source, `${lines}${kernel}`);
    expect(differenceAfter(parser, kept, texts, source), lines).toBeUndefined();
  }
  kept.dispose();
});
