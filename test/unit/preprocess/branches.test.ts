/** The reasons why a branch of a conditional is not taken, in words for the author. */
import { describe, expect, it } from "vitest";
import { noSettings, openclDialect } from "../../../server/src/dialect.ts";
import { createPreprocessor } from "../../../server/src/preprocess/preprocessor.ts";
import type { Unit } from "../../../server/src/preprocess/view/view.ts";
import { memoryFiles } from "../../service.ts";

function unitOf(text: string): Unit {
  const unit = createPreprocessor(memoryFiles(new Map([["main.cl", text]]))).unit("main.cl", openclDialect("CL1.2"), noSettings);
  if (typeof unit === "string") throw new Error(unit);
  return unit;
}

describe("a branch that is not taken says why", () => {
  const reasonsIn = (text: string) =>
    (unitOf(text).inactiveBranches ?? []).map(({ message, location: { span } }) => [text.slice(span.start, span.end), message]);

  it.each([
    ["#ifdef FAST", "'FAST' is not defined"],
    ["#ifndef COUNT", "'COUNT' is defined"],
    ["#if 0", "the condition is false"],
    ["#if COUNT > 3", "'2 > 3' is false"],
    ["#if LEVEL > 3", "'LEVEL' is not defined"],
    ["#if defined(FAST)", "'FAST' is not defined"],
    ["#if !defined(COUNT)", "'!1' is false"],
    ["#if defined FAST && COUNT > LEVEL", "'0 && 2 > LEVEL' is false, 'FAST' is not defined, 'LEVEL' is not defined"],
    ["#if HAS(FAST)", "'HAS' is not defined, 'FAST' is not defined"],
    ["#if 1 / 0", "the condition is not an integer constant expression"],
  ])("%s", (directive, reason) => {
    const text = `#define COUNT 2\n${directive}\nint x;\n#endif\n`;
    expect(reasonsIn(text)).toEqual([[directive, `'${directive}' is not taken: ${reason}`]]);
  });

  it("if an earlier branch is taken, or its own condition is false", () => {
    expect(reasonsIn("#define COUNT 2\n#if COUNT\n#elif UNREAD\n#else\n#endif\n").map(([, reason]) => reason)).toEqual([
      "'#elif UNREAD' is not taken: an earlier branch is",
      "'#else' is not taken: an earlier branch is",
    ]);
    expect(reasonsIn("#define COUNT 2\n#if COUNT > 2\n#elif COUNT > 3\n#else\n#endif\n").map(([, reason]) => reason)).toEqual([
      "'#if COUNT > 2' is not taken: '2 > 2' is false",
      "'#elif COUNT > 3' is not taken: '2 > 3' is false",
    ]);
  });

  it("but not inside of another one", () => {
    expect(reasonsIn("#if 0\n#if A\n#elif B\n#else\n#endif\n#endif\n")).toHaveLength(1);
  });

  it("in one line of limited length", () => {
    const [[, reason] = []] = reasonsIn(`#if A && /* why */ \\\n  B && ${"C".repeat(200)}\n#endif\n`);
    expect(reason).toMatch(/^'#if A && B && C+…' is not taken: 'A' is not defined, 'B' is not defined, 'C+' is not defined$/);
  });
});
