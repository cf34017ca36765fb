/** Long work is split into many steps in every stage of a check, and other work may run between any two of them. */
import { describe, expect, it } from "vitest";
import { noSettings } from "../../../server/src/dialect.ts";
import { createService } from "../../../server/src/service.ts";
import type { Steps } from "../../../server/src/steps.ts";
import { isThorough, sample } from "../../effort.ts";
import { shapes } from "../../hostile/shapes.ts";
import { memoryFiles, testParser } from "../../service.ts";

const parser = await testParser();
const repeated = (count: number, text: (index: number) => string) => Array.from({ length: count }, (_, index) => text(index)).join("");

function counted<Result>(steps: Steps<Result>): { readonly result: Result; readonly count: number } {
  for (let count = 0; ; count++) {
    const step = steps.next();
    if (step.done === true) return { result: step.value, count };
  }
}

/** An open file is checked by its pieces, and a closed one as a whole. */
function serviceOf(texts: ReadonlyMap<string, string>, isOpen = false) {
  return createService({ files: memoryFiles(texts), parser, settingsOf: () => noSettings, isOpen: () => isOpen });
}

/** True if a check takes more steps than so many beyond those for an empty file of the same language; it is abandoned there. */
function takesMoreThan(steps: number, text: string, name: string): boolean {
  const uri = `file:///${name}`;
  const texts = new Map([[uri, ""]]);
  const service = serviceOf(texts);
  const most = counted(service.checkInSteps(uri)).count + steps;
  texts.set(uri, text);
  service.changed([uri]);
  const check = service.checkInSteps(uri);
  try {
    for (let count = 0; count <= most; count++) if (check.next().done === true) return false;
    return true;
  } finally {
    check.return(undefined as never);
    service.dispose();
  }
}

/** The number of steps of a check beyond those for an empty file of the same language. */
function stepsOf(text: string, name = "a.cu", others: Readonly<Record<string, string>> = {}, isOpen = false): number {
  const count = (own: string) => {
    const texts = new Map(Object.entries({ ...others, [name]: own }).map(([each, content]) => [`file:///${each}`, content]));
    const service = serviceOf(texts, isOpen);
    try {
      return counted(service.checkInSteps(`file:///${name}`)).count;
    } finally {
      service.dispose();
    }
  };
  return count(text) - count("");
}

describe("a check is interrupted", () => {
  it.each([
    ["in directives", repeated(15_000, (i) => `#define M${i} ${i}\n`), 3],
    ["in tokens that nobody reads", `#if 0\n${repeated(10_000, () => "a b c d\n")}#endif\n${repeated(10_000, () => ";")}`, 2],
    // The parser has nothing to read there.
    ["in expansions", `#define M\n${repeated(20_000, () => "M ")}`, 3],
    ["in the parser", repeated(750, (i) => `int f${i}(int a, int b) { return a * b + ${i}; }\n`), 750],
    ["in one declaration", `int a[] = { ${repeated(15_000, (i) => `${i}, `)} };\n`, 10],
    ["in the body of a function", `__global__ void k(int *a) { ${repeated(500, (i) => `a[${i}] = ${i}; `)} }\n`, 25],
    ["in a block of a body", `void f(int *a) { { { ${repeated(500, (i) => `a[${i}] = ${i}; `)} } } }\n`, 25],
    ["in a template", `template <class T> void f(T *a) { ${repeated(500, (i) => `a[${i}] = ${i}; `)} }\n`, 25],
    ["in a namespace", `namespace n { ${repeated(500, (i) => `void f${i}(); `)} }\n`, 250],
    ['in extern "C"', `extern "C" { ${repeated(500, (i) => `void f${i}(); `)} }\n`, 250],
    ["in findings", repeated(200, (i) => `__global__ void k${i}(__grid_constant__ int v) {}\n`), 400],
  ])("%s", (_, text, least) => {
    expect(stepsOf(text)).toBeGreaterThanOrEqual(least);
  });

  it.each([
    ["in the parser", `int a[] = { ${repeated(15_000, (i) => `${i}, `)} };\n`, 10],
    ["in a body", `__global__ void k(int *a) { ${repeated(500, (i) => `a[${i}] = ${i}; `)} }\n`, 25],
    ["between the members of a class", `struct S { ${repeated(500, (i) => `int f${i}() { return ${i}; } `)} };\n`, 500],
  ])("of an open file, %s of a long piece", (_, text, least) => {
    expect(stepsOf(text, "a.cu", {}, true)).toBeGreaterThanOrEqual(least);
  });

  it("in each of many headers, and after every sixteenth when they are bound", () => {
    const count = 64;
    const headers = Object.fromEntries(Array.from({ length: count }, (_, i) => [`h${i}.h`, `struct S${i} { int x; };\n`]));
    const read = 3 * count;
    expect(
      stepsOf(
        repeated(count, (i) => `#include "h${i}.h"\n`),
        "a.cu",
        headers,
      ),
    ).toBeGreaterThanOrEqual(read + count / 16);
  });
});

describe("work that is done between two steps", () => {
  const half = isThorough ? 1_500 : 300;
  const long = `${repeated(half, (i) => `int f${i}(int a) { return a + ${i}; }\n`)}int broken( { ;\n${repeated(half, (i) => `int g${i};\n`)}`;

  it("does not change the result", () => {
    const texts = new Map([
      ["file:///a.cu", long],
      ["file:///b.cu", "__global__ void k(__grid_constant__ int v) {}\n"],
    ]);
    const alone = serviceOf(texts);
    const expected = { a: alone.check("file:///a.cu"), b: alone.check("file:///b.cu") };
    alone.dispose();
    const service = serviceOf(texts);
    const steps = service.checkInSteps("file:///a.cu");
    for (let count = 0; ; count++) {
      const step = steps.next();
      if (step.done === true) {
        expect(step.value).toEqual(expected.a);
        break;
      }
      if (count % 7 === 0) expect(service.check("file:///b.cu")).toEqual(expected.b);
    }
    service.dispose();
  });

  it("may change the file, and then the check starts over", () => {
    const texts = new Map([["file:///a.cu", long]]);
    const service = serviceOf(texts);
    const steps = service.checkInSteps("file:///a.cu");
    for (let count = 0; count < 12; count++) expect(steps.next().done).toBe(false);
    texts.set("file:///a.cu", "__global__ void k(__grid_constant__ int v) {}\n");
    service.changed(["file:///a.cu"]);
    expect(counted(steps).result.diagnostics.map(({ rule }) => rule)).toEqual(["grid-constant-non-const"]);
    service.dispose();
  });

  it("leaves nothing behind if it is abandoned after any step", () => {
    const expected = parser.parse(long);
    const { count } = counted(parser.parseInSteps(long));
    for (let stop = 1; stop < count; stop += Math.ceil(count / 12)) {
      const steps = parser.parseInSteps(long);
      for (let at = 0; at < stop; at++) steps.next();
      steps.return(undefined as never);
      expect(steps.next().done).toBe(true);
    }
    const again = parser.parse(long);
    expect(again.tree).toEqual(expected.tree);
    again.dispose();
    expected.dispose();
  });
});

it("every hostile shape that becomes long takes steps", () => {
  const long = shapes.filter(({ of }) => of(300).length > 20_000);
  expect(long.length).toBeGreaterThan(10);
  for (const { language, of, name } of sample(long, 6)) {
    expect([name, takesMoreThan(3, of(300), `a.${language}`)]).toEqual([name, true]);
    expect([name, takesMoreThan(3, "typedef int t;", `a.${language}`)]).toEqual([name, false]);
  }
});
