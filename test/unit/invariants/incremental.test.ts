/**
 * The incremental result equals the fresh result: after any sequence of edits of a source and of the headers that it includes, a
 * service that saw every step gives the same result as a new one that sees only the last.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { noSettings } from "../../../server/src/dialect.ts";
import { createService, type Service } from "../../../server/src/service.ts";
import { runs, seedOf } from "../../effort.ts";
import { memoryFiles, testParser } from "../../service.ts";

const parser = await testParser();

const cuda: Readonly<Record<string, string>> = {
  "file:///main.cu": `#include "params.cuh"
#define SPACE __constant__
SPACE float table[16];
KERNEL run(const GRID Params params, float *out) {
  float *p = (float *)&table[0];
  clear(table);
  show(&params);
  out[threadIdx.x] = params.scale + p[0];
}
#ifdef FAST
__global__ void fast(__grid_constant__ Params params) { params.scale = 1; }
#else
template <typename T> __global__ void slow(const __grid_constant__ T &value);
#endif
`,
  "file:///params.cuh": `#pragma once
#include "words.h"
struct Params { float scale; int count; };
__device__ void clear(float *p);
__device__ void show(const Params *p);
KERNEL run(const Params params, float *out);
`,
  "file:///words.h": `#ifndef WORDS
#define WORDS
#define GRID __grid_constant__
#define KERNEL __global__ void
#endif
`,
  "file:///other.cu": `#include "params.cuh"
static __device__ void write(float *p) { *p = 0; }
__device__ void clear(float *p) { write(p); }
__device__ void show(const Params *p) { const float *q = &p->scale; }
__global__ void run(const __grid_constant__ Params params, float *out);
`,
};

/** Does not exist at first; an edit creates it. */
const missing = "file:///missing.h";

const opencl: Readonly<Record<string, string>> = {
  "file:///main.cl": `#include "words.h"
#define SQUARE(x) ((x) * (x))
constant float table[4] = { 1.0f, 2.0f };
float first(float *p) { return SQUARE(*p); }
KERNEL sum(GLOBAL_AS const float *in, local float *tile, constant float *c, GLOBAL_AS float *out) {
  local float *wide = (local float *)in;
  GLOBAL_AS float *q = c;
  out[0] = first(tile) + first(out) + table[0] + (in == tile);
}
`,
  "file:///host.cpp": `const char *source = R"(
#include "words.h"
KERNEL copy(GLOBAL_AS int *out, constant int *in) { in[0] = out[0]; }
kernel void both(GLOBAL_AS int *out, constant int *in) { in[1] = 0; }
)";
`,
  "file:///words.h": `#ifdef LOCAL_ONLY
#define GLOBAL_AS __local
#else
#define GLOBAL_AS __global
#endif
#define KERNEL kernel void
`,
};

interface Step {
  readonly file: number;
  /** Where, as a part of the text. */
  readonly at: number;
  readonly removed: number;
  readonly inserted: string;
}

const insertions = [
  "",
  " ",
  "\n",
  "(",
  ")",
  "{",
  "}",
  "[",
  "]",
  ";",
  ",",
  "*",
  "&",
  "<",
  ">",
  "=",
  '"',
  "'",
  "/*",
  "*/",
  "//",
  "\\\n",
  "#",
  "##",
  "__",
  "a",
  "1",
  "const ",
  "*p = 1; ",
  "((Params *)p)->count = 1; ",
  "__device__ float *kept; ",
  "clear",
  "show",
  "__global ",
  "__local ",
  "constant ",
  "__grid_constant__ ",
  "__constant__ ",
  "int x; ",
  "float *p = q; ",
  "template <typename T> ",
  "namespace n { ",
  "\n#define GRID\n",
  "\n#define GLOBAL_AS __constant\n",
  "\n#undef KERNEL\n",
  "\n#define SQUARE(x) x\n",
  "\n#define LOCAL_ONLY\n",
  "\n#define FAST\n",
  "\n#if 0\n",
  "\n#else\n",
  "\n#endif\n",
  '\n#include "words.h"\n',
  '\n#include "missing.h"\n',
];

const steps = fc.array(
  fc.record<Step>({
    file: fc.nat(9),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    removed: fc.oneof(fc.constant(0), fc.nat(30)),
    inserted: fc.constantFrom(...insertions),
  }),
  { minLength: 1, maxLength: 6 },
);

it.each([
  ["CUDA", cuda],
  ["OpenCL", opencl],
])("random edits of %s lead to the answers of a new service", (_, initial) => {
  const uris = [...Object.keys(initial), missing];
  let turn = 0;
  fc.assert(
    fc.property(steps, (edits) => {
      const texts = new Map(Object.entries(initial));
      const service = serviceOver(texts);
      try {
        answers(service, uris);
        for (const step of edits) {
          const uri = uris[step.file % uris.length] ?? "";
          texts.set(uri, edited(texts.get(uri) ?? "", step));
          const touched = service.changed([uri]);
          expect(touched).toContain(uri);
          const [fresh, linked] = withFresh(texts, (other) => [
            uris.map((each) => JSON.stringify(other.check(each))),
            JSON.stringify([...other.link()].sort()),
          ]);
          expect(uris.map((each) => JSON.stringify(service.check(each)))).toEqual(fresh);
          // One file in turn is compared with the answer of a service that has checked no other file.
          const alone = turn++ % uris.length;
          expect(withFresh(texts, (other) => JSON.stringify(other.check(uris[alone] ?? "")))).toBe(fresh[alone]);
          expect(JSON.stringify([...service.link()].sort()), "link").toBe(linked);
        }
      } finally {
        service.dispose();
      }
    }),
    { numRuns: runs(3), seed: seedOf(7) },
  );
});

it("a source is checked again when another file starts to include it", () => {
  const kernels =
    "static __constant__ float table[4];\n__global__ void apply(float *p) { *p = table[1]; }\nvoid start(float *p) { apply<<<1, 1>>>(p); }\n";
  const texts = new Map([
    ["file:///kernels.cu", kernels],
    ["file:///main.cu", "void fill();\n"],
  ]);
  const service = serviceOver(texts);
  try {
    expect(service.check("file:///kernels.cu").diagnostics.map(({ rule }) => rule)).toEqual(["constant-memory-never-written"]);
    texts.set("file:///main.cu", '#include "kernels.cu"\nvoid fill() { cudaMemcpyToSymbol(table, 0, 0); }\n');
    expect(service.changed(["file:///main.cu"])).toContain("file:///kernels.cu");
    expect(service.check("file:///kernels.cu").diagnostics).toEqual([]);
    texts.delete("file:///main.cu");
    expect(service.changed(["file:///main.cu"])).toContain("file:///kernels.cu");
  } finally {
    service.dispose();
  }
});

it.each([
  ["CUDA", cuda],
  ["OpenCL", opencl],
])("an edit names every file whose answer it changes, in %s", (_, initial) => {
  const uris = [...Object.keys(initial), missing];
  fc.assert(
    fc.property(steps, (edits) => {
      const texts = new Map(Object.entries(initial));
      const service = serviceOver(texts);
      try {
        let known = answers(service, uris);
        for (const step of edits) {
          const uri = uris[step.file % uris.length] ?? "";
          texts.set(uri, edited(texts.get(uri) ?? "", step));
          const touched = service.changed([uri]);
          const next = answers(service, uris);
          const silent = uris.filter((each, index) => next[index] !== known[index] && !touched.includes(each));
          expect(silent).toEqual([]);
          known = next;
        }
      } finally {
        service.dispose();
      }
    }),
    { numRuns: runs(6), seed: seedOf(8) },
  );
});

function serviceOver(texts: ReadonlyMap<string, string>): Service {
  return createService({ files: memoryFiles(texts), parser, settingsOf: () => noSettings });
}

function withFresh<const T>(texts: ReadonlyMap<string, string>, ask: (service: Service) => T): T {
  const fresh = serviceOver(texts);
  try {
    return ask(fresh);
  } finally {
    fresh.dispose();
  }
}

/** The findings of each file's check, and those of the link that are in the file. */
function answers(service: Service, uris: readonly string[]): readonly string[] {
  const reports = uris.map((uri) => service.check(uri));
  const linked = service.link();
  return reports.map((report) => JSON.stringify([report, linked.get(report.uri)]));
}

function edited(text: string, { at, removed, inserted }: Step): string {
  const start = Math.floor(at * text.length);
  return text.slice(0, start) + inserted + text.slice(Math.min(text.length, start + removed));
}
