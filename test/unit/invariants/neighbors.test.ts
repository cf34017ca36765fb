/**
 * Headers that one source includes are read in one analysis when a host announces them. Each then has the result that it has when it is
 * read alone.
 */
import { describe, expect, it } from "vitest";
import { sample } from "../../effort.ts";
import { loadFixtures } from "../../load-fixtures.ts";
import { serviceOver } from "../../open-headers.ts";
import { testParser } from "../../service.ts";

const parser = await testParser();

/** What `checkInBatch` says of these files, one after the other, in lines. */
function checks(files: ReadonlyMap<string, string>, order: readonly string[], isAnnounced: boolean): readonly (readonly string[])[] {
  const service = serviceOver(parser, files, false);
  try {
    if (isAnnounced) service.announceBatch(order);
    return order.map((uri) => JSON.stringify(service.checkInBatch(uri), undefined, 1).split("\n"));
  } finally {
    service.dispose();
  }
}

/** The lines of what is said of files that are read together, and not of one that is read alone, and the reverse. */
function differences(files: ReadonlyMap<string, string>, order: readonly string[]): readonly string[] {
  return checks(files, order, true).flatMap((together, index) => {
    const uri = order[index] ?? "";
    const alone = checks(files, [uri], false)[0] ?? [];
    const [both, one] = [new Set(together), new Set(alone)];
    const more = together.filter((line) => !one.has(line)).map((line) => `${uri} together: ${line}`);
    return [...more, ...alone.filter((line) => !both.has(line)).map((line) => `${uri} alone: ${line}`)];
  });
}

const near = "file:///w/near.cuh";
const inner = "file:///w/inner.cuh";
const last = "file:///w/last.cuh";
const source = "file:///w/a.cu";

const program = new Map([
  [source, '#include "near.cuh"\n#include "last.cuh"\n__global__ void k(int *out) { put(out, table); fill<int>(out); }\n'],
  [
    near,
    '#pragma once\n#include "inner.cuh"\n__constant__ int table[4];\n__device__ void put(int *p, const int *q) { int *r = q; *r = 1; }\n__global__ void k(int *out);\n',
  ],
  [
    inner,
    "#pragma once\ntemplate <class T> __device__ void fill(T *p) { const T one = 1; one = 2; *p = one; }\n__device__ void use(int *p);\n",
  ],
  [last, "#pragma once\n__device__ void use(const int *p) { *(int *)p = 1; table[0] = 1; use(table); }\n"],
]);

describe("files that are read together say what each says alone", () => {
  it("in headers that see each other, in every order", () => {
    for (const order of [
      [source, near, inner, last],
      [last, inner, near],
      [inner, last, source, near],
    ])
      expect(differences(program, order)).toEqual([]);
    expect(
      checks(program, [near, last], true)
        .flat()
        .some((line) => line.includes('"rule": "qualifier-discarded"')),
    ).toBe(true);
  });

  it("in a further program, in which only some of them mean something else", () => {
    const headers = ["one", "two", "three"].map((name) => `file:///w/${name}.cuh`);
    const includes = '#include "one.cuh"\n#include "two.cuh"\n#include "three.cuh"\n__global__ void k() { }\n';
    const set = (name: string, type: string) => `#pragma once\n__device__ void ${name}(${type} *p) { *p = 1; }\n`;
    const files = new Map([
      ["file:///w/a.cu", `#define CELL int\n${includes}`],
      ["file:///w/b.cu", `#define CELL const int\n${includes}`],
      [headers[0] ?? "", set("one", "CELL")],
      [headers[1] ?? "", set("two", "int")],
      [headers[2] ?? "", set("three", "CELL")],
    ]);
    expect(differences(files, headers)).toEqual([]);
    const found = checks(files, headers, true).map((lines) => lines.filter((line) => line.includes("in the program of 'b.cu'")).length);
    expect(found).toEqual([1, 0, 1]);
  });

  it("in fixtures of several files", () => {
    const fixtures = loadFixtures().filter(({ files }) => files.length > 1);
    for (const { files } of sample(fixtures, 2, 1)) {
      const texts = new Map(files.map(({ name, text }) => [`file:///w/${name}`, text]));
      expect(differences(texts, [...texts.keys()])).toEqual([]);
    }
  });
});
