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

  it("is not spent twice on a file whose macros write more than it covers", () => {
    let read = 0;
    const counting: typeof parser = {
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
    const doubled = Array.from({ length: 13 }, (_, index) => `#define M${index + 1} M${index} M${index}\n`).join("");
    const kernels = Array.from({ length: 16 }, (_, index) => `__global__ void k${index}(int *p) { M13 }\n`).join("");
    const text = `#define M0 ;\n${doubled}${kernels}`;
    const texts = new Map([[uri, text]]);
    const costOf = (work: () => void): number => {
      read = 0;
      work();
      return read;
    };
    const open = (isOpen: boolean) =>
      createService({ files: memoryFiles(texts), parser: counting, settingsOf: () => noSettings, isOpen: () => isOpen });
    const [service, fresh] = [open(true), open(false)];
    expect(service.check(uri).notes.map(({ message }) => message)).toContain("'M13' is not expanded: its expansion is too long");
    const whole = costOf(() => fresh.check(uri));
    const key = costOf(() => {
      texts.set(uri, text.replace("k0(int *p)", "k0(int *p )"));
      service.changed([uri]);
      service.glance(uri, []);
      service.check(uri);
    });
    expect(whole).toBeGreaterThan(100_000);
    expect(key).toBeLessThan(1.1 * whole);
    for (const each of [service, fresh]) each.dispose();
  });
});
