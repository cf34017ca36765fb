/**
 * What an open file keeps after an edit equals what a new service finds. Each case has an edit of one item that decides about the findings
 * of another one, in a way that no name in its text shows.
 */
import { expect, it } from "vitest";
import { mostAtOnce } from "../../../server/src/service/kept-findings.ts";
import { differenceAfter, differenceOf, serviceOver } from "../../open-headers.ts";
import { testParser } from "../../service.ts";

const parser = await testParser();

/** An edit of the first file that contains a text; only the last of several is followed by a check. */
type Edit = readonly [from: string, to: string];

const many = (line: (at: number) => string) => Array.from({ length: mostAtOnce + 12 }, (_, at) => `${line(at)}\n`).join("");

/** In device code only, unless a condition on the architecture hides it from some of it. */
const threadLocal = (at: number | string) => `__device__ void local${at}() { thread_local int n; }`;

it.each<[name: string, texts: Readonly<Record<string, string>>, steps: readonly (readonly Edit[])[]]>([
  [
    "a comment in a body becomes a condition on the architecture, and is one again",
    { "a.cu": `__device__ void f() {\n  // __CUDA_ARCH__\n  int a;\n}\n${threadLocal("")}\n` },
    [[["// __CUDA_ARCH__", "#if __CUDA_ARCH__\n#endif"]], [["#if __CUDA_ARCH__\n#endif", "// __CUDA_ARCH__"]]],
  ],
  [
    "a comment before a declaration becomes a condition on the architecture, and is one again",
    { "a.cu": `// __CUDA_ARCH__\n__device__ void f();\n${threadLocal("")}\n` },
    [[["// __CUDA_ARCH__", "#if __CUDA_ARCH__\n#endif"]], [["#if __CUDA_ARCH__\n#endif", "// __CUDA_ARCH__"]]],
  ],
  [
    "the body of a template with many users",
    {
      "a.cu": `template <class T> __device__ void store(T *a) { *a = 0; }\n${many((at) => `__global__ void k${at}(const float *p) { store(p); }`)}`,
    },
    [[["*a = 0;", "a += 1;"]], [["a += 1;", "*a = 0;"]]],
  ],
  [
    "a class with many users, and another declaration before these are judged again",
    {
      "a.cu": `struct S { const float *at; };\nint n;\n${many((at) => `__global__ void k${at}(S s) { float *p = s.at; }`)}`,
    },
    [
      [
        ["const float *at", "float *at"],
        ["int n;", "float n;"],
      ],
      [
        [" float *at", " const float *at"],
        ["float n;", "int n;"],
      ],
    ],
  ],
  [
    "a closed header",
    {
      "a.cu": `#include "closed.cuh"\n__global__ void k(In in) { float *p = in; }\n`,
      "closed.cuh": "#pragma once\ntypedef const float *In;\n",
    },
    [[["const float *In", "float *In"]], [[" float *In", " const float *In"]]],
  ],
])("%s", (_, given, steps) => {
  const texts = new Map(Object.entries(given).map(([name, text]) => [`file:///w/${name}`, text]));
  // If an edit touches more items than a glance judges, it leaves their last findings until the check.
  const isGlanceWhole = [...texts.values()].every((text) => text.split("\n").length <= mostAtOnce);
  const kept = serviceOver(parser, texts, true);
  const found = () => JSON.stringify([...texts.keys()].map((uri) => kept.check(uri).diagnostics));
  const seen = new Set([found()]);
  for (const edits of steps) {
    for (const [at, [from, to]] of edits.entries()) {
      const [uri = "", text = ""] = [...texts].find(([, each]) => each.includes(from)) ?? [];
      expect(text).toContain(from);
      texts.set(uri, text.replace(from, to));
      if (at === edits.length - 1 && isGlanceWhole) expect(differenceAfter(parser, kept, texts, uri), to).toBeUndefined();
      kept.changed([uri]);
      kept.glance(uri, []);
    }
    const fresh = serviceOver(parser, texts, true);
    expect(differenceOf(kept, fresh, texts), edits.join()).toBeUndefined();
    fresh.dispose();
    seen.add(found());
  }
  expect(seen.size).toBeGreaterThan(1);
  kept.dispose();
});
