/**
 * A file whose budget runs out has a note and the errors that were found before. The budget does not depend on earlier edits. Files
 * get a sixteenth of their usual steps here, so that short shapes use them up.
 */
import { describe, expect, it, vi } from "vitest";
import { tooComplex } from "../../../server/src/budget.ts";
import { noSettings } from "../../../server/src/dialect.ts";
import { createService } from "../../../server/src/service.ts";
import { shapes } from "../../hostile/shapes.ts";
import { memoryFiles, testParser } from "../../service.ts";

vi.mock("../../../server/src/budget.ts", async (importOriginal) => {
  const budget = await importOriginal<typeof import("../../../server/src/budget.ts")>();
  const share = 16;
  return {
    ...budget,
    stepsFor: (length: number) => Math.ceil(budget.stepsFor(length) / share),
    stepsForRules: budget.stepsForRules / share,
    stepsForSummary: budget.stepsForSummary / share,
  };
});

const parser = await testParser();
const uri = "file:///a.cu";
const early = "__global__ void early(__grid_constant__ int v) {}\n";
const overloads = (count: number) => shapes.find(({ name }) => name === "overloads")?.of(count) ?? "";

describe("the budget of a file", () => {
  it("covers the whole file, whatever was edited before", () => {
    const half = overloads(150);
    const halves = `${half}namespace n {\n${half}}\nnamespace m {\n${half}}\nnamespace o {\n${half}}\n`;
    const texts = new Map<string, string>();
    const open = () => createService({ files: memoryFiles(texts), parser, settingsOf: () => noSettings, isOpen: () => true });
    const service = open();
    for (const text of [early, early + halves, `${early}int x;\n${half}`]) {
      texts.set(uri, text);
      service.changed([uri]);
      service.glance(uri, []);
      const fresh = open();
      const [is, should] = [service.check(uri), fresh.check(uri)];
      fresh.dispose();
      expect([is.notes, is.diagnostics]).toEqual([should.notes, should.diagnostics]);
      expect(is.notes.some(({ message }) => message === tooComplex)).toBe(text.includes(halves));
    }
    service.dispose();
  });

  it("leaves a note where it ran out, and the errors that were found before", () => {
    const text = early + overloads(400);
    const service = createService({ files: memoryFiles(new Map([[uri, text]])), parser, settingsOf: () => noSettings });
    const { notes, diagnostics } = service.check(uri);
    expect(notes.map(({ message }) => message)).toContain(tooComplex);
    expect(diagnostics.map(({ rule }) => rule)).toContain("grid-constant-non-const");
    service.dispose();
  });

  /** The work that a test's service does, in characters that are parsed. */
  const counting = () => {
    let read = 0;
    const counted: typeof parser = {
      ...parser,
      parse: (text, previous) => {
        read += text.length;
        return parser.parse(text, previous);
      },
      parseInSteps: (text, previous) => {
        read += text.length;
        return parser.parseInSteps(text, previous);
      },
    };
    const costOf = (work: () => void): number => {
      read = 0;
      work();
      return read;
    };
    return { parser: counted, costOf };
  };
  const open = (texts: ReadonlyMap<string, string>, using = parser) =>
    createService({ files: memoryFiles(texts), parser: using, settingsOf: () => noSettings, isOpen: () => true });
  /** A kernel that takes more steps than the file has. */
  const long = `__global__ void longest(int *p) { ${"f(p, 1); ".repeat(2_000)} }\n`;
  const callees = Array.from({ length: 60 }, (_, index) => `struct T${index} {};\n__device__ void f(T${index} *, int);\n`).join("");
  const late = "__global__ void late(__grid_constant__ int v) {}\n";
  const unsure = "__device__ void unsure(const float *p) { float *q = (float *)p; *q = 1; }\n";

  it("ends an open file at the piece that it does not cover, and says where; what is found before it stays", () => {
    const text = `${callees}${early}${unsure}${long}${late}`;
    const { notes, diagnostics } = open(new Map([[uri, text]])).check(uri);
    const before = text.slice(0, text.indexOf("__global__ void longest"));
    expect(notes.map(({ message, location }) => [message, location.span.start])).toEqual([[tooComplex, before.length]]);
    // What is not an error may have its reason in the text that was not checked.
    expect(diagnostics.map(({ rule }) => rule)).toEqual(["grid-constant-non-const"]);
    expect(open(new Map([[uri, `${unsure}${late}`]])).check(uri).diagnostics.length).toBeGreaterThan(1);
  });

  const shape = (name: string) => shapes.find((each) => each.name === name)?.of(150) ?? "";
  it.each([
    ["overloads", "cu", shape("overloads") + late],
    ["overloaded members", "cu", shape("overloaded members") + late],
    ["a template that doubles", "cu", shape("doubling instances") + late],
    ["conditions", "cu", shape("conditions on templates") + late],
    ["a long kernel", "cu", callees + early + unsure + long + late],
    ["builtin functions", "cl", shape("calls of builtin functions")],
    [
      "a very long kernel",
      "cu",
      callees + early + unsure + long.replace("longest", "longer").replaceAll("f(p, 1); ", "f(p, 1); f(p, 2); f(p, 3); f(p, 4); ") + late,
    ],
  ])("ends at the same place whether the file is open, closed, or edited and restored: %s", (_, language, text) => {
    const file = `file:///a.${language}`;
    const texts = new Map([[file, text]]);
    const service = open(texts);
    const seen = ({ notes, diagnostics }: ReturnType<typeof service.check>) => [
      notes.filter(({ kind }) => kind === "too-complex").map(({ location }) => location.span.start),
      diagnostics.map(({ rule, location }) => [rule, location.span.start]),
    ];
    const expected = seen(service.check(file));
    const closed = createService({ files: memoryFiles(texts), parser, settingsOf: () => noSettings, isOpen: () => false });
    expect(seen(closed.check(file))).toEqual(expected);
    closed.dispose();
    const place = text.lastIndexOf(";", text.length / 2) + 1;
    for (const typed of [" ", " int fresh;", " f(", ""]) {
      texts.set(file, text.slice(0, place) + typed + text.slice(place));
      service.changed([file]);
      service.glance(file, []);
      service.check(file);
    }
    expect(seen(service.check(file))).toEqual(expected);
    service.dispose();
  });

  it("is not spent again on that piece for a key elsewhere, nor on the others for a key in it", () => {
    const { parser: counted, costOf } = counting();
    const text = `${callees}${early}${unsure}${long}${late}`;
    const texts = new Map([[uri, text]]);
    const service = open(texts, counted);
    service.check(uri);
    for (const place of ["void early(", "void unsure(", "f(p, 1", "void late("]) {
      const now = (texts.get(uri) ?? "").replace(place, `${place} `);
      texts.set(uri, now);
      const cost = costOf(() => {
        service.changed([uri]);
        service.glance(uri, []);
        service.check(uri);
      });
      const [is, should] = [service.check(uri), open(texts).check(uri)];
      expect([is.notes, is.diagnostics]).toEqual([should.notes, should.diagnostics]);
      expect(cost).toBeLessThan(place.startsWith("f") ? 1.1 * long.length : 1_000);
    }
    texts.set(uri, (texts.get(uri) ?? "").replace(/ f\(p.*/, "}"));
    service.changed([uri]);
    const { notes, diagnostics } = service.check(uri);
    expect(notes).toEqual([]);
    expect(diagnostics).toEqual(open(texts).check(uri).diagnostics);
    expect(diagnostics.map(({ rule }) => rule)).toContain("grid-constant-non-const");
    service.dispose();
  });

  it("is not spent again on macros that write more than it covers", () => {
    const { parser: counted, costOf } = counting();
    const doubled = Array.from({ length: 13 }, (_, index) => `#define M${index + 1} M${index} M${index}\n`).join("");
    const kernels = Array.from({ length: 16 }, (_, index) => `__global__ void k${index}(int *p) { M13 }\n`).join("");
    const text = `#define M0 ;\n${doubled}${kernels}`;
    const texts = new Map([[uri, text]]);
    const service = open(texts, counted);
    const notesOf = ({ notes }: ReturnType<typeof service.check>) => notes.map(({ message }) => message);
    const limit = "'M13' is not expanded: its expansion is too long";
    expect(notesOf(service.check(uri))).toContain(limit);
    const whole = costOf(() => open(texts, counted).check(uri));
    const key = costOf(() => {
      texts.set(uri, text.replace("k0(int *p)", "k0(int *p )"));
      service.changed([uri]);
      service.glance(uri, []);
      expect(notesOf(service.check(uri))).toContain(limit);
    });
    expect(whole).toBeGreaterThan(100_000);
    expect(key).toBeLessThan(0.2 * whole);
    service.dispose();
  });
});
