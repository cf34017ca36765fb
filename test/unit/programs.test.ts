/**
 * A program is judged, not a file: sources that others include are read there, and templates are judged with the arguments that other
 * files give them. nvcc reports the same mistakes at the same places.
 */
import { describe, expect, it } from "vitest";
import { type CompileSettings, noSettings } from "../../server/src/dialect.ts";
import { createService, isFileCheck } from "../../server/src/service.ts";
import { memoryFiles, testParser } from "../service.ts";

const parser = await testParser();

/** All findings of these files, linked: file, line and rule, and the related places. */
function found(
  texts: Readonly<Record<string, string>>,
  settingsOf: (uri: string) => CompileSettings = () => noSettings,
): readonly string[] {
  const files = new Map(Object.entries(texts).map(([name, text]) => [`file:///w/${name}`, text]));
  const service = createService({ files: memoryFiles(files), parser, settingsOf, isOpen: () => false });
  const nameOf = (uri: string) => uri.replace("file:///w/", "");
  try {
    const own = [...files.keys()].flatMap((uri) => {
      const check = service.checkInBatch(uri);
      expect(isFileCheck(check)).toBe(true);
      service.addCheck(check);
      return check.report.diagnostics;
    });
    return [...own, ...[...service.link().values()].flat()].map(({ rule, location: { uri, span }, related }) => {
      const line = files.get(uri)?.slice(0, span.start).split("\n").length;
      const places = related.map((place) => `${place.message} (${nameOf(place.location.uri)})`);
      return [`${nameOf(uri)}:${line} ${rule}`, ...places].join("; ");
    });
  } finally {
    service.dispose();
  }
}

const kernels = "__global__ void run(byte_t *out, const Settings own) {\n  own.count = 1;\n}\n";
const types = "typedef unsigned char byte_t;\nstruct Settings { int count; };\n";
const wrong = expect.stringMatching(/^kernels\.cu:2 const-write/) as unknown;

describe("a source that another one includes", () => {
  it("is read there", () => {
    const main = '#include "types.h"\n#include "kernels.cu"\n';
    expect(found({ "main.cu": main, "kernels.cu": kernels, "types.h": types })).toContainEqual(wrong);
    expect(found({ "main.cu": '#include "types.h"\n', "kernels.cu": kernels, "types.h": types })).not.toContainEqual(wrong);
  });

  it("is read in the last of a chain, and so are its headers", () => {
    const texts = { "main.cu": '#include "types.h"\n#include "all.cu"\n', "all.cu": '#include "kernels.cu"\n', "types.h": types };
    expect(found({ ...texts, "kernels.cu": kernels })).toContainEqual(wrong);
    expect(found({ ...texts, "kernels.cu": '#include "own.cuh"\n', "own.cuh": kernels })).toContainEqual(
      expect.stringMatching(/^own\.cuh:2 const-write/),
    );
  });

  it("is read in its own folder's program, whatever others include a file of its name", () => {
    const others = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`a${at}/main.cu`, '#include "kernels.cu"\n']));
    const own = { "own/main.cu": '#include "types.h"\n#include "kernels.cu"\n', "own/kernels.cu": kernels, "own/types.h": types };
    expect(found({ ...others, "a3/kernels.cu": "\n", ...own })).toContainEqual(expect.stringMatching(/^own\/kernels\.cu:2 const-write/));
  });

  it("is compiled if the settings say so, or if only a program in another language includes it", () => {
    const main = '#include "types.h"\n#include "kernels.cu"\n';
    for (const own of [{ language: "cuda" }, { isCompiled: true }] as const) {
      const named = (uri: string): CompileSettings => (uri.endsWith("kernels.cu") ? { ...noSettings, ...own } : noSettings);
      expect(found({ "main.cu": main, "kernels.cu": kernels, "types.h": types }, named)).not.toContainEqual(wrong);
    }
    expect(found({ "main.cl": main, "kernels.cu": kernels, "types.h": types })).not.toContainEqual(wrong);
  });

  it("is compiled if sources include each other", () => {
    const texts = {
      "a.cu": '#include "b.cu"\nconstexpr int a = 1;\n',
      "b.cu": '#include "a.cu"\n__device__ void f(const int *p) { *p = a; }\n',
    };
    expect(found(texts)).toEqual([expect.stringMatching(/^b\.cu:2 const-write/)]);
  });
});

const first = `#pragma once
template <class E> __global__ void first(const typename E::Part *all, float *out) {
  typename E::Part &part = all[0];
  out[0] = part.value;
}
template <class E> struct Launcher {
  static void launch(const typename E::Part *all, float *out) { first<E><<<1, 1>>>(all, out); }
};
`;
const use = `#include "first.cuh"
struct Engine { struct Part { float value; }; };
void run(const Engine::Part *parts, float *out) { Launcher<Engine>::launch(parts, out); }
`;
const finding = "first.cuh:3 qualifier-discarded; in 'first<Engine>', which is instantiated here (first.cuh)";

describe("a template of a header", () => {
  it("is judged with the arguments of a source, through other templates", () => {
    expect(found({ "first.cuh": first, "main.cu": use })).toEqual([finding]);
    expect(found({ "first.cuh": first.replace("Part &part", "Part part"), "main.cu": use })).toEqual([]);
    expect(found({ "first.cuh": first, "main.cu": use.replace("{ Launcher<Engine>::launch(parts, out); }", "{}") })).toEqual([]);
  });

  it("is judged with the arguments of another header, and of a source in another program", () => {
    const main = '#include "use.cuh"\n';
    expect(found({ "first.cuh": first, "use.cuh": use, "main.cu": main })).toEqual([finding]);
    expect(found({ "first.cuh": first, "use.cu": use, "main.cu": '#include "use.cu"\n' })).toEqual([finding]);
  });

  it("has each mistake once, whoever has it", () => {
    expect(found({ "first.cuh": first, "main.cu": use, "b.cu": use })).toEqual([finding]);
    const plain = "template <class E> void set(const E *all) { *all = E(); }\n";
    const main = '#include "set.cuh"\nvoid run(const int *all) { set(all); }\n';
    expect(found({ "set.cuh": plain, "main.cu": main })).toHaveLength(1);
  });

  it("is not reported where the header allows it", () => {
    const allowed = first.replace("all[0];", "all[0];  // gpu-qualifiers: allow[qualifier-discarded]");
    expect(found({ "first.cuh": allowed, "main.cu": use })).not.toContainEqual(expect.stringContaining("qualifier-discarded"));
  });

  it("is judged with each type, even if its text is long and the numbers among its arguments are many", () => {
    const body = `${"  // A long explanation of the next line.\n".repeat(100)}  all[0].read();\n`;
    const header = `template <class E, int n> void call(const E *all) {\n${body}}
template <class E> void callAll(const E *all) { call<E, 0>(all); call<E, 1>(all); call<E, 2>(all); call<E, 3>(all); }\n`;
    const classes = Array.from({ length: 4 }, (_, at) => `struct C${at} { void read() ${at < 3 ? "const " : ""}{} };\n`).join("");
    const uses = Array.from({ length: 4 }, (_, at) => `void use(const C${at} *all) { callAll(all); }\n`).join("");
    expect(found({ "call.cuh": header, "main.cu": `#include "call.cuh"\n${classes}${uses}` })).toEqual([
      expect.stringMatching(/^call\.cuh:102 const-object-call; .*main\.cu.*'call<C3, 0>'/),
    ]);
  });

  it("is judged with every set of arguments", () => {
    const reduce = "template <class T> __device__ T reduce(T v) {\n  extern __shared__ T part[];\n  part[0] = v;\n  return part[0];\n}\n";
    const one = '#include "reduce.cuh"\n__global__ void a(float *o) { o[0] = reduce(1.0f); }\n';
    const isFound = (main: string) =>
      found({ "reduce.cuh": reduce, "main.cu": main }).some((each) => /^reduce\.cuh:2 .*instantiated/.test(each));
    expect([isFound(one), isFound(`${one}__global__ void b(double *o) { o[0] = reduce(1.0); }\n`)]).toEqual([false, true]);
  });
});

const put = "static void put(AS float *p, global float *q) {\n  AS float *t = q;\n  p[0] = t[0];\n}\n";
const right = '#define AS global\n#include "put.h"\nkernel void ka(global float *a) { put(a, a); }\n';
const wrongThere = '#define AS local\n#include "put.h"\nkernel void kb(global float *a) { local float l[2]; put(l, a); }\n';
const inProgram = "put.h:2 address-space-conversion; in the program of 'b.cl' (b.cl)";

describe("a header of several programs", () => {
  it("is judged in each that gives its words another meaning, by itself or through other headers", () => {
    expect(found({ "put.h": put, "a.cl": right, "b.cl": wrongThere })).toEqual([inProgram]);
    const through = { "put.h": put, "a.cl": right, "b.cl": wrongThere.replace("#define AS local", '#include "as.h"') };
    expect(found({ ...through, "as.h": "#define AS local\n" })).toEqual([inProgram]);
    const types = { "a.cl": "typedef global float *Pointer;\n", "b.cl": "typedef local float *Pointer;\n" };
    const typed = "static void put(Pointer p, global float *q) {\n  Pointer t = q;\n  p[0] = t[0];\n}\n";
    const withType = (name: keyof typeof types, kernel: string) => `${types[name]}#include "put.h"\nkernel void k${kernel}`;
    expect(
      found({
        "put.h": typed,
        "a.cl": withType("a.cl", "(global float *a) { put(a, a); }\n"),
        "b.cl": withType("b.cl", "(global float *a) { local float l[2]; put(l, a); }\n"),
      }),
    ).toEqual([inProgram]);
  });

  it("has each mistake once", () => {
    expect(found({ "put.h": put, "a.cl": wrongThere, "b.cl": wrongThere.replace("kb", "kc") })).toHaveLength(1);
    const nowhere = "static void put(AS float *p, global float *q) { p[0] = q[0]; }\n";
    expect(found({ "put.h": nowhere, "a.cl": right, "b.cl": wrongThere })).toEqual([]);
  });

  it("is judged in each language", () => {
    const shared = "FN void set(CONST_AS float *p) { *p = 1; }\n";
    const cuda = '#define FN __device__\n#define CONST_AS\n#include "set.h"\n__global__ void k(float *p) { set(p); }\n';
    const opencl = "#define FN\n#define CONST_AS constant\n" + '#include "set.h"\nkernel void k(constant float *p) { set(p); }\n';
    expect(found({ "set.h": shared, "a.cu": cuda, "b.cl": opencl })).toEqual([
      expect.stringMatching(/^set\.h:1 .*; in the program of 'b\.cl'/),
    ]);
  });

  it("is allowed to be wrong in one of them", () => {
    const allowed = put.replace("= q;", "= q;  // gpu-qualifiers: allow[address-space-conversion]");
    expect(found({ "put.h": allowed, "a.cl": right, "b.cl": wrongThere })).toEqual([]);
  });
});
