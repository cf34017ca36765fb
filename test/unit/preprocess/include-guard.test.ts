/** Which headers are read again when they are included again. */
import { describe, expect, it } from "vitest";
import { noSettings, openclDialect } from "../../../server/src/dialect.ts";
import { createPreprocessor } from "../../../server/src/preprocess/preprocessor.ts";
import { memoryFiles } from "../../service.ts";

/** How often `a.h` is read in a source that includes it twice. */
function readings(header: string, source = '#include "a.h"\n#include "a.h"\n'): number {
  const files = new Map([
    ["a.h", header],
    ["main.cl", source],
  ]);
  const unit = createPreprocessor(memoryFiles(files)).unit("main.cl", openclDialect("CL1.2"), noSettings);
  if (typeof unit === "string") throw new Error(unit);
  return unit.includes.length;
}

describe("a header is read once", () => {
  it.each([
    ["#ifndef A_H\n#define A_H\nint a;\n#endif\n"],
    ["// text\n#if !defined(A_H)\n#define A_H\n#if X\n#else\n#endif\nint a;\n#endif // A_H\n"],
    ["#if ! defined A_H\n#define A_H\n#\n#endif"],
    ["#pragma once\nint a;\n"],
  ])("%j", (header) => {
    expect(readings(header)).toBe(1);
  });

  it("or never, if its guard is defined elsewhere", () => {
    expect(readings("#ifndef A_H\nint a;\n#endif\n", '#define A_H\n#include "a.h"\n')).toBe(0);
  });
});

describe("a header is read twice", () => {
  it.each([
    ["#ifndef A_H\n#define A_H\n#else\nint again;\n#endif\n"],
    ["#ifndef A_H\n#define A_H\n#elifdef B\nint again;\n#endif\n"],
    ["#ifndef A_H\n#define A_H\n#endif\nint again;\n"],
    ["int again;\n#ifndef A_H\n#define A_H\n#endif\n"],
    ["#ifdef A_H\nint again;\n#endif\n#define A_H\n"],
    ["#if !defined(A_H) || defined(B_H)\n#define A_H\n#define B_H\n#endif\n"],
    ["#ifndef A_H\n#endif\n"],
    ["#ifndef A_H\n#define A_H\n"],
    [""],
  ])("%j", (header) => {
    expect(readings(header)).toBe(2);
  });

  it("if its guard is no longer defined", () => {
    expect(readings("#ifndef A_H\n#define A_H\n#endif\n", '#include "a.h"\n#undef A_H\n#include "a.h"\n')).toBe(2);
  });
});
