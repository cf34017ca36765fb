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
});
