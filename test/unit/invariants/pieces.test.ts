/**
 * Reading a file by pieces, as open files are read, gives the same result as reading it as a whole, also without its indentation
 * and after random edits. `fixture-suite.ts` compares both readings of every fixture as it is.
 */
import { describe, expect, it } from "vitest";
import { noSettings } from "../../../server/src/dialect.ts";
import type { Diagnostic } from "../../../server/src/finding.ts";
import { rules } from "../../../server/src/rules/index.ts";
import { createService } from "../../../server/src/service.ts";
import { inOneGo } from "../../../server/src/steps.ts";
import { isThorough, runs, seedOf } from "../../effort.ts";
import type { Fixture } from "../../fixtures.ts";
import { loadFixtures } from "../../load-fixtures.ts";
import { arePlacedAlike, checkedFrom, serviceFor, toldWithFixes, uriOf } from "../../open-files.ts";
import { memoryFiles, testParser } from "../../service.ts";

const parser = await testParser();
const fixtures = loadFixtures().filter((fixture) => fixture.files.length === 1 && arePlacedAlike(fixture));
const ofItems = new Set(rules.filter(({ check, checkFile }) => checkFile === undefined && check !== undefined).map(({ id }) => id));

/** The findings of rules that judge single items, without their fixes: what a glance computes. */
function toldOfItems(diagnostics: readonly Diagnostic[]): readonly string[] {
  return toldWithFixes(diagnostics.filter(({ rule }) => ofItems.has(rule)).map((diagnostic) => ({ ...diagnostic, fixes: [] })));
}

/** The results of both ways of reading the text. */
function bothWays(fixture: Fixture, text: string) {
  const texts = new Map([[uriOf(fixture), text]]);
  const [whole, pieces] = [false, true].map((isOpen) => {
    const service = serviceFor(parser, fixture, texts, isOpen);
    const checked = checkedFrom(service, uriOf(fixture));
    service.dispose();
    return checked;
  });
  return { whole, pieces };
}

describe("the pieces of a file give the same result as the whole file", () => {
  it("for fixtures without their indentation", () => {
    for (const [index, fixture] of fixtures.entries()) {
      if (!isThorough && index % 30 !== 0) continue;
      const { whole, pieces } = bothWays(fixture, (fixture.files[0]?.text ?? "").replace(/^[ \t]+/gm, ""));
      expect(pieces, fixture.name).toEqual(whole);
    }
  });

  it.each([
    ["have declarations", "#define FOR(T) template void f<T>(T);\n"],
    ["are unknown", ""],
    ["are nothing", "#define FOR(T)\n"],
  ])("for calls between items that %s", (_, definition) => {
    const calls = [
      "FOR(float)\nFOR(double)\n",
      "FOR(float)\n\n",
      "FOR(float)\ntemplate <class T> struct S { const int x = 1; void m() { x = 2; } };\n",
      "FOR(float)\nnamespace n {\nvoid f(const int *p) { *p = 1; }\n}\n",
      "FOR(float)\nusing constant = const int;\nvoid f(constant *p) { *p = 1; }\n",
      "FOR(float)\ntypedef const int constant;\nvoid f(constant *p) { *p = 1; }\n",
      "namespace n {\nconst int x = 1;\nFOR(float)\nFOR(int)\n\nint *q = &x;\n} // n\n",
      "namespace n {\nnamespace m {\nint x;\nFOR(float)\n}}\n",
      "namespace n {\n#if 1\nFOR(float)\n#endif\n}\n",
      "namespace n {\n#if 1\nFOR(float)\n}\n#else\nFOR(int)\n}\n#endif\n",
      "namespace n { FOR(float) }\n",
      "namespace n {\nconst int x = 1;\nint y = FOR\n}\n",
      "namespace n {\nconst int x = 1;\nint (y)\n}\n",
    ];
    const fixture: Fixture | undefined = fixtures.find(({ files }) => files[0]?.name.endsWith(".cu") === true);
    if (fixture === undefined) throw new Error("there is no fixture in CUDA");
    const found = calls.map((text) => {
      const after = "\n__constant__ int limit;\n__global__ void k() { limit = 1; }\n";
      const { whole, pieces } = bothWays(fixture, `${definition}template <class T> void f(T) {}\n${text}${after}`);
      expect(pieces, text).toEqual(whole);
      return whole;
    });
    expect(new Set(found.map((each) => JSON.stringify(each))).size).toBeGreaterThan(1);
  });

  it("after edits in bodies", () => {
    let seed = seedOf(11) & 0x7fffffff;
    const below = (limit: number) => {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
      return (seed >> 8) % limit;
    };
    const inserted = [" ", "int added = 1; ", "float *pointer = 0; ", ";", "{ } ", "// a comment\n"];
    let compared = 0;
    for (let round = 0; round < runs(9); round += 1) {
      const fixture = fixtures[below(fixtures.length)];
      if (fixture === undefined) continue;
      let text = fixture.files[0]?.text ?? "";
      const texts = new Map([[uriOf(fixture), text]]);
      const service = serviceFor(parser, fixture, texts, true);
      service.check(uriOf(fixture));
      for (let edit = 0; edit < 4; edit += 1) {
        const bodies = [...text.matchAll(/\)\s*\{/g)].map((match) => match.index + match[0].length);
        const at = bodies[below(Math.max(1, bodies.length))];
        if (at === undefined) break;
        text = text.slice(0, at) + (inserted[below(inserted.length)] ?? "") + text.slice(at);
        texts.set(uriOf(fixture), text);
        service.changed([uriOf(fixture)]);
        const glance = service.glance(uriOf(fixture), []);
        const fresh = serviceFor(parser, fixture, texts, false);
        const report = fresh.check(uriOf(fixture));
        fresh.dispose();
        // In a whole file, an unreadable text hides code beyond its own piece.
        if (glance === undefined || report.understanding.parseErrors.length > 0) continue;
        compared += 1;
        const where = `${fixture.name}: ${text.slice(Math.max(0, at - 40), at + 40)}`;
        expect(toldOfItems(glance.diagnostics), where).toEqual(toldOfItems(report.diagnostics));
        expect(toldWithFixes(service.check(uriOf(fixture)).diagnostics), where).toEqual(toldWithFixes(report.diagnostics));
      }
      service.dispose();
    }
    expect(compared).toBeGreaterThan(runs(11));
  });

  it("and a glance shows the findings in all items that an edited declaration affects, even if there are many", () => {
    const name = "file:///w/many.cl";
    const users = (count: number) =>
      Array.from({ length: count }, (_, i) => `kernel void k${i}(global S *s) { global int *p = &s->a; *p = 1; }`);
    const text = (more: string, count: number) =>
      ["typedef struct { int a; } S;".replace("}", `${more} }`), ...users(count), "void f(local int *l) { global int *g = l; }"].join("\n");
    for (const count of [10, 200]) {
      const texts = new Map([[name, text("", count)]]);
      const settings = noSettings;
      const service = createService({ files: memoryFiles(texts), parser, settingsOf: () => settings, isOpen: () => true });
      const before = service.check(name).diagnostics;
      expect(before.map(({ rule }) => rule)).toContain("address-space-conversion");
      texts.set(name, text(" int b;", count));
      service.changed([name]);
      expect(toldOfItems(service.glance(name, [])?.diagnostics ?? [])).toEqual(toldOfItems(service.check(name).diagnostics));
      service.dispose();
    }
  });
});

it("a glance shows the findings about single items of a rule for the whole file", () => {
  const uri = "file:///typed.cl";
  const filler = "void other(global int *p);\n".repeat(500);
  const before = `${filler}kernel void run(const global int *in, global int *out) {\n  const global int *kept = in;\n  *out = *kept;\n}\n`;
  const texts = new Map([[uri, before]]);
  const service = createService({ files: memoryFiles(texts), parser, settingsOf: () => noSettings, isOpen: () => true });
  const rulesOf = (found: readonly Diagnostic[] | undefined) => found?.map(({ rule }) => rule);
  expect(rulesOf(service.check(uri).diagnostics)).toEqual([]);
  const type = (text: string) => {
    texts.set(uri, text);
    service.changed([uri]);
    return rulesOf(service.glance(uri, [])?.diagnostics);
  };
  expect(type(before.replace("const global int *kept", "global int *kept"))).toEqual(["qualifier-discarded"]);
  service.check(uri);
  expect(type(before)).toEqual([]);
  service.dispose();
});

it("a glance answers after the first edit of a file that was checked before it was opened", () => {
  const uri = "file:///checked.cl";
  const texts = new Map([[uri, "kernel void run(global int *out) { *out = 1; }\n"]]);
  let isOpen = false;
  const service = createService({ files: memoryFiles(texts), parser, settingsOf: () => noSettings, isOpen: () => isOpen });
  const before = service.check(uri);
  isOpen = true;
  expect(service.glance(uri, [])).toBeUndefined();
  inOneGo(service.prepareGlance(uri));
  expect(service.check(uri)).toEqual(before);
  texts.set(uri, "kernel void run(global int *out) { local int *wrong = out; }\n");
  service.changed([uri]);
  expect(service.glance(uri, [])?.diagnostics.map(({ rule }) => rule)).toEqual(["address-space-conversion"]);
  service.dispose();
});
