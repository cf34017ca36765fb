/** Decides which findings stay shown while the source is incomplete, and for how long. */
import { describe, expect, it } from "vitest";
import { noCoverage } from "../../../server/src/diagnostics/coverage.ts";
import type { Diagnostic } from "../../../server/src/finding.ts";
import type { FileState } from "../../../server/src/lsp/projects/file-states.ts";
import { createStabilizer } from "../../../server/src/lsp/session/stabilizer.ts";

const uri = "file:///a.cl";
const before = "one\ntwo\nthree\n";

function found(text: string, ...words: readonly string[]): readonly Diagnostic[] {
  return words.map((word) => {
    const start = text.indexOf(word);
    const location = { uri, span: { start, end: start + word.length } };
    return {
      rule: "rule",
      message: word,
      severity: "error",
      location,
      related: [{ message: "here", location }],
      fixes: [{ title: "fix", edits: [], isPreferred: true }],
    };
  });
}

function state(diagnostics: readonly Diagnostic[], errors: number): FileState {
  const understanding = {
    parseErrors: Array.from({ length: errors }, () => ({ uri, span: { start: 0, end: 1 } })),
    expressions: 0,
    unknownExpressions: 0,
  };
  return {
    report: {
      uri,
      diagnostics,
      notes: [],
      inactiveBranches: [],
      dialects: [],
      understanding,
      coverage: noCoverage,
      itemStarts: [],
      embedded: 0,
      unread: [],
      dependencies: [],
    },
    diagnostics,
  };
}

describe("while source is broken", () => {
  it("findings in unedited lines stay at their current places, without fixes", () => {
    const stabilizer = createStabilizer(() => 0);
    stabilizer.show(uri, before, state(found(before, "one", "two", "three"), 0));
    const after = "one\ntwo (((\n\nthree\n";
    const shown = stabilizer.show(uri, after, state([], 1));
    expect(shown.map(({ message, location: { span } }) => [message, after.slice(span.start, span.end)])).toEqual([
      ["one", "one"],
      ["three", "three"],
    ]);
    expect(shown[1]?.related[0]?.location.span).toEqual(shown[1]?.location.span);
    expect(shown.flatMap(({ fixes }) => fixes)).toEqual([]);
  });

  it("a new finding is shown once, with its fixes, beside the kept ones", () => {
    const stabilizer = createStabilizer(() => 0);
    stabilizer.show(uri, before, state(found(before, "one", "three"), 0));
    const after = "one\ntwo (\nthree\n";
    const shown = stabilizer.show(uri, after, state(found(after, "two", "three"), 1));
    expect(shown.map(({ message, fixes }) => [message, fixes.length])).toEqual([
      ["one", 0],
      ["two", 1],
      ["three", 1],
    ]);
  });

  it("earlier findings stay until the last error is gone or a while has passed", () => {
    let time = 0;
    const whole = "one;\ntwo;\n";
    const stabilizer = createStabilizer(() => time);
    stabilizer.show(uri, whole, state(found(whole, "one"), 0));
    expect(stabilizer.show(uri, `${whole}(`, state([], 1))).toHaveLength(1);
    expect(stabilizer.show(uri, whole, state([], 0))).toEqual([]);
    stabilizer.show(uri, whole, state(found(whole, "one"), 0));
    expect(stabilizer.show(uri, `${whole}(`, state([], 1))).toHaveLength(1);
    time = 19_000;
    expect(stabilizer.show(uri, `${whole}((`, state([], 1))).toHaveLength(1);
    expect(stabilizer.dueIn(uri)).toBe(1_000);
    time = 20_000;
    expect(stabilizer.show(uri, `${whole}((`, state([], 1))).toHaveLength(1);
    expect(stabilizer.dueIn(uri)).toBe(19_000);
    time = 40_000;
    expect(stabilizer.show(uri, `${whole}((`, state([], 1))).toEqual([]);
  });

  it("nothing is kept if the source was broken from the start", () => {
    const stabilizer = createStabilizer(() => 0);
    stabilizer.show(uri, before, state(found(before, "one"), 2));
    expect(stabilizer.show(uri, before, state([], 2))).toEqual([]);
  });
});

describe("a word in front of a declaration", () => {
  const text = "first();\nsecond();\n";
  const withItems = (diagnostics: readonly Diagnostic[], ...itemStarts: readonly number[]): FileState => {
    const whole = state(diagnostics, 0);
    return { ...whole, report: { ...whole.report, itemStarts } };
  };

  it("hides and adds no findings until typing pauses", () => {
    let time = 0;
    const stabilizer = createStabilizer(() => time);
    stabilizer.show(uri, text, withItems(found(text, "second"), 0, 9));
    expect(stabilizer.dueIn(uri)).toBeUndefined();
    const typed = "first();\nkernel\nsecond();\n";
    const swallowed = withItems(found(typed, "kernel", "second()"), 0, 9);
    const shown = () => stabilizer.show(uri, typed, swallowed).map(({ message }) => message);
    expect(shown()).toEqual(["kernel", "second()"]);
    time = 1_000;
    const more = `${typed.slice(0, 15)} \n${typed.slice(16)}`;
    expect(stabilizer.show(uri, more, withItems([], 0, 9)).map(({ message }) => message)).toEqual(["second"]);
    time = 2_600;
    expect(stabilizer.show(uri, more, withItems([], 0, 9)).map(({ message }) => message)).toEqual(["second"]);
    expect(stabilizer.dueIn(uri)).toBe(900);
    time = 3_600;
    expect(stabilizer.show(uri, more, withItems([], 0, 9))).toEqual([]);
    expect(stabilizer.dueIn(uri)).toBeUndefined();
  });
});

describe("the word that is being typed", () => {
  const typed = (text: string, ...words: readonly string[]) => state(found(text, ...words), 0);

  it("has no new finding before it is complete, or typing pauses", () => {
    let time = 0;
    const stabilizer = createStabilizer(() => time);
    stabilizer.show(uri, "one;\nglob;\n", typed("one;\nglob;\n", "one"));
    const longer = "one;\nglobal;\n";
    expect(stabilizer.show(uri, "one;\ngloba;\n", typed("one;\ngloba;\n", "one", "globa"))).toHaveLength(1);
    expect(stabilizer.show(uri, longer, typed(longer, "one", "global"))).toHaveLength(1);
    expect(stabilizer.dueIn(uri)).toBe(1_000);
    time = 1_000;
    expect(stabilizer.show(uri, longer, typed(longer, "one", "global"))).toHaveLength(2);
    expect(stabilizer.dueIn(uri)).toBeUndefined();
  });

  it("has no new finding while its statement is unfinished", () => {
    let time = 0;
    const stabilizer = createStabilizer(() => time);
    const shown = (text: string, ...words: readonly string[]) =>
      stabilizer.show(uri, text, typed(text, ...words)).map(({ message }) => message);
    expect(shown("one;\n\ntwo;\n", "one")).toEqual(["one"]);
    for (const text of ["a", "ab", "ab ", "ab =", "ab = ", "ab = f", "ab = f()", "ab = f(c)"])
      expect(shown(`one;\n${text}\ntwo;\n`, "one", "a")).toEqual(["one"]);
    expect(shown("one;\nab = f(c);\ntwo;\n", "one", "ab")).toEqual(["one", "ab"]);
    expect(shown("one;\nab = f(c); \ntwo;\n", "one", "ab")).toEqual(["one", "ab"]);
    // Findings of earlier text stay, and so do those in other lines.
    expect(shown("one;\nab = f(c); d\ntwo;\n", "one", "ab", "d")).toEqual(["one", "ab"]);
    time = 1_000;
    expect(shown("one;\nab = f(c); d\ntwo;\n", "one", "ab", "d")).toEqual(["one", "ab", "d"]);
  });

  it("has new findings at once in the middle of a complete statement and in directives", () => {
    const stabilizer = createStabilizer(() => 0);
    stabilizer.show(uri, "one(a);\n#if \n", typed("one(a);\n#if \n"));
    const inside = "one(+a);\n#if \n";
    expect(stabilizer.show(uri, inside, typed(inside, "one"))).toHaveLength(1);
    const directive = "one(+a);\n#if +\n";
    expect(stabilizer.show(uri, directive, typed(directive, "one", "#if"))).toHaveLength(2);
  });

  it("keeps its earlier finding", () => {
    const stabilizer = createStabilizer(() => 0);
    stabilizer.show(uri, "globa;\n", typed("globa;\n", "globa"));
    expect(stabilizer.show(uri, "global;\n", typed("global;\n", "global"))).toHaveLength(1);
  });

  it("is complete when another word begins, and a pasted word is complete at once", () => {
    const stabilizer = createStabilizer(() => 0);
    stabilizer.show(uri, "one;\n", typed("one;\n"));
    const next = "one ;\n";
    expect(stabilizer.show(uri, next, typed(next, "one"))).toHaveLength(1);
    stabilizer.show(uri, "two;\n", typed("two;\n"));
    expect(stabilizer.show(uri, "two;\nthree;\n", typed("two;\nthree;\n", "three"))).toHaveLength(1);
  });
});
