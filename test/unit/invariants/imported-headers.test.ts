/** A torn header that only its `#import` marks as read once means the same as a list of pieces and as a unit. */
import { expect, it } from "vitest";
import { differenceAfter, serviceOver } from "../../open-headers.ts";
import { testParser } from "../../service.ts";

const parser = await testParser();
const header = "file:///w/h.cuh";
const source = "file:///w/a.cu";
const once = '#import "h.cuh"\n';
const include = '#include "h.cuh"\n';

it("a header that only its #import marks as read once is torn", () => {
  const texts = new Map([
    [header, "__device__ void put(float *a);\ninline int f(int a) {\n  if (a) {\n    return 1;\n  }\n  return 0;\n}\n"],
    [source, `${once}${once}__global__ void k(const float *in) { put(in); }\n`],
  ]);
  const kept = serviceOver(parser, texts, true);
  for (const uri of texts.keys()) kept.check(uri);
  for (const [uri, from, to] of [
    [header, "  if (a) {", "//  if (a) {"],
    [source, once + once, once],
    [header, "//  if (a) {", "  if (a) { {"],
    [source, once, include],
    [source, include, include + include],
    [source, include + include, once],
    [header, "{ {", "{"],
  ] as const) {
    const before = texts.get(uri) ?? "";
    expect(before).toContain(from);
    texts.set(uri, before.replace(from, to));
    expect(differenceAfter(parser, kept, texts, uri), to).toBeUndefined();
  }
  kept.dispose();
});
