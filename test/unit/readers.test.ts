/**
 * Whether compilers for the device read a header that only its words make device code. nvcc rejects what it says about host code; g++,
 * for which the specifiers are nothing, accepts it, and compiles it if sources for the host alone include it.
 */
import { describe, expect, it } from "vitest";
import { noSettings } from "../../server/src/dialect.ts";
import { createService } from "../../server/src/service.ts";
import { memoryFiles, testParser } from "../service.ts";

const parser = await testParser();

type Texts = Readonly<Record<string, string>>;

/** A service with these files, whose texts may be replaced. */
function serviceWith(texts: Texts, isOpen: boolean) {
  const files = new Map(Object.entries(texts).map(([name, text]) => [`file:///w/${name}`, text]));
  const service = createService({ files: memoryFiles(files), parser, settingsOf: () => noSettings, isOpen: () => isOpen });
  return { files, service };
}

/** The findings in the header, in both ways of reading it: line, severity and rule. */
function found(texts: Texts): readonly string[] {
  const [open, closed] = [true, false].map((isOpen) => {
    const { service } = serviceWith(texts, isOpen);
    try {
      return shown(service, texts["shape.h"] ?? "");
    } finally {
      service.dispose();
    }
  });
  expect(open).toEqual(closed);
  return closed ?? [];
}

function shown(service: ReturnType<typeof createService>, text: string): readonly string[] {
  const { diagnostics } = service.check("file:///w/shape.h");
  return diagnostics.map(({ rule, severity, location }) => `${text.slice(0, location.span.start).split("\n").length} ${severity} ${rule}`);
}

const definitions = "#ifdef __CUDACC__\n#define DEVICE __device__\n#else\n#define DEVICE\n#endif\n";
const onHost = `struct Corners { DEVICE Corners() : count(0) {} int count; };
DEVICE float table[4];
struct Shape { Shape() : corners(new Corners) {} Corners *corners; };
inline float firstOf() { return table[0]; }
DEVICE inline void clear(const int *p) { *p = 0; }
`;
const header = definitions + onHost;
const inDevice = "10 error const-write";
const both = ["8 error device-function-in-host-code", "9 warning host-access-of-device-symbol", inDevice];
const uncertain = both.map((each) => each.replace("8 error", "8 warning"));

describe("a header that is device code by its words", () => {
  it("is the host's if sources for the host alone include it", () => {
    expect(found({ "shape.h": header, "main.cc": '#include "shape.h"\n' })).toEqual([inDevice]);
    const through = { "main.cpp": '#include "all.h"\n', "all.h": '#include "shape.h"\n' };
    expect(found({ "shape.h": header, ...through })).toEqual([inDevice]);
  });

  it("is the device's if a source with device code includes it", () => {
    const sources = { "main.cc": '#include "shape.h"\n', "run.cu": '#include "shape.h"\n' };
    expect(found({ "shape.h": header, ...sources })).toEqual(both);
    const neutral = '#include <cuda_runtime.h>\n#include "shape.h"\n__global__ void run() {}\n';
    expect(found({ "shape.h": header, "main.cc": '#include "shape.h"\n', "run.cpp": neutral })).toEqual(both);
  });

  it("is uncertain if nothing shows who includes it, and its specifiers are nothing for other compilers", () => {
    expect(found({ "shape.h": header })).toEqual(uncertain);
    expect(found({ "shape.h": header, "run.cu.inc": '#include "shape.h"\n', "main.cc": '#include "shape.h"\n' })).toEqual(uncertain);
    expect(found({ "shape.h": header, "all.h": '#include "shape.h"\n', "main.cc": '#include "shape.h"\n' })).toEqual(uncertain);
    const bare = `#ifndef __CUDACC__\n#define __device__\n#endif\n\n\n${onHost.replaceAll("DEVICE", "__device__")}`;
    expect(found({ "shape.h": bare })).toEqual(uncertain);
  });

  it("is the device's if its specifiers have no other meaning", () => {
    expect(found({ "shape.h": `\n\n\n\n\n${onHost.replaceAll("DEVICE", "__device__")}` })).toEqual(both);
    const always = `#define DEVICE __device__\n\n\n\n\n${onHost}`;
    expect(found({ "shape.h": always })).toEqual(both);
  });

  it("is judged again when the files that include it change", () => {
    const { files, service } = serviceWith({ "shape.h": header, "main.cc": '#include "shape.h"\n', "run.cu": "\n" }, false);
    try {
      expect(shown(service, header)).toEqual([inDevice]);
      files.set("file:///w/run.cu", '#include "shape.h"\n');
      expect(service.changed(["file:///w/run.cu"])).toContain("file:///w/shape.h");
      expect(shown(service, header)).toEqual(both);
      files.set("file:///w/run.cu", "\n");
      files.set("file:///w/main.cc", "\n");
      expect(service.changed(["file:///w/run.cu", "file:///w/main.cc"])).toContain("file:///w/shape.h");
      expect(shown(service, header)).toEqual(uncertain);
    } finally {
      service.dispose();
    }
  });
});
