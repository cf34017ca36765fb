/**
 * Reading a file by pieces, as open files are read, gives the same result as reading it as a whole: the same findings with the
 * same related places and fixes, and the same summary. Tested on every fixture, also without its indentation, and after random
 * edits.
 */
import { describe, expect, it } from "vitest";
import { noSettings } from "../../../server/src/dialect.ts";
import type { Diagnostic } from "../../../server/src/finding.ts";
import { rules } from "../../../server/src/rules/index.ts";
import { createService, type Service } from "../../../server/src/service.ts";
import type { Edit } from "../../../server/src/source.ts";
import { isThorough, runs } from "../../effort.ts";
import type { Fixture } from "../../fixtures.ts";
import { loadFixtures } from "../../load-fixtures.ts";
import { memoryFiles, settingsFor, testParser } from "../../service.ts";

const parser = await testParser();
/** When a whole file needs it anywhere, all type attributes in it are rewritten, so places differ. */
const placedOtherwise = new Set(["address-space-placement/attributes.cl", "memory-space-placement/numbered-spaces.cu"]);
const fixtures = loadFixtures().filter(({ files, name }) => files.length === 1 && !placedOtherwise.has(name));
const uri = ({ files: [file] }: Fixture) => `file:///fixture/${file?.name}`;
const ofItems = new Set(rules.filter(({ scope, check }) => scope !== "file" && check !== undefined).map(({ id }) => id));

function open(fixture: Fixture, texts: ReadonlyMap<string, string>, standard: string | undefined, isOpen: boolean): Service {
  const settings = settingsFor(fixture, standard);
  return createService({ files: memoryFiles(texts), parser, settingsOf: () => settings, isOpen: () => isOpen });
}

function told(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics
    .map(({ rule, severity, message, location: { span }, related, fixes }) =>
      [
        `${rule} ${severity} ${message} ${span.start} ${span.end}`,
        ...related.map(({ location }) => `related ${location.uri} ${location.span.start}`),
        ...fixes.map(({ title, edits, isPreferred }) => `fix ${title} ${isPreferred} ${edits.map(spell).join(" ")}`),
      ].join("; "),
    )
    .sort();
}

function spell({ location: { uri, span }, text }: Edit): string {
  return `${uri} ${span.start} ${span.end} ${JSON.stringify(text)}`;
}

/** The findings of rules that judge single items, without their fixes: what a glance computes. */
function toldOfItems(diagnostics: readonly Diagnostic[]): readonly string[] {
  return told(diagnostics.filter(({ rule }) => ofItems.has(rule)).map((diagnostic) => ({ ...diagnostic, fixes: [] })));
}

/** Everything that a service learns from a file, and leaves to the link. */
function learnt(service: Service, fixture: Fixture) {
  const { report, summary, undecided } = service.learn(uri(fixture));
  const { understanding, notes, itemStarts, dependencies } = report;
  return {
    diagnostics: told(report.diagnostics),
    undecided: told(undecided),
    summary,
    parseErrors: understanding.parseErrors.map(({ span }) => span.start),
    notes,
    itemStarts,
    dependencies: [...dependencies].sort(),
  };
}

/** The results of both ways of reading the text. */
function bothWays(fixture: Fixture, text: string, standard: string | undefined) {
  const texts = new Map([[uri(fixture), text]]);
  const services = [open(fixture, texts, standard, false), open(fixture, texts, standard, true)];
  try {
    const [whole, pieces] = services.map((service) => learnt(service, fixture));
    return { whole, pieces, isCut: services[1]?.glance(uri(fixture), []) !== undefined };
  } finally {
    for (const service of services) service.dispose();
  }
}

describe("pieces say what the whole file says", () => {
  it("of every fixture", { timeout: 180_000 }, () => {
    let cut = 0;
    for (const fixture of fixtures) {
      const { whole, pieces, isCut } = bothWays(fixture, fixture.files[0]?.text ?? "", fixture.standards[0]);
      expect(pieces, fixture.name).toEqual(whole);
      if (isCut) cut += 1;
    }
    expect(cut).toBeGreaterThan(fixtures.length * 0.8);
  });

  it("of some fixtures without their indentation", { timeout: 180_000 }, () => {
    for (const [index, fixture] of fixtures.entries()) {
      if (!isThorough && index % 9 !== 0) continue;
      const { whole, pieces } = bothWays(fixture, (fixture.files[0]?.text ?? "").replace(/^[ \t]+/gm, ""), fixture.standards[0]);
      expect(pieces, fixture.name).toEqual(whole);
    }
  });

  it("after edits in bodies", { timeout: 180_000 }, () => {
    let seed = 11;
    const below = (limit: number) => {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
      return (seed >> 8) % limit;
    };
    const inserted = [" ", "int added = 1; ", "float *pointer = 0; ", ";", "{ } ", "// a comment\n"];
    let compared = 0;
    for (let round = 0; round < runs(20); round += 1) {
      const fixture = fixtures[below(fixtures.length)];
      if (fixture === undefined) continue;
      let text = fixture.files[0]?.text ?? "";
      const texts = new Map([[uri(fixture), text]]);
      const service = open(fixture, texts, fixture.standards[0], true);
      service.check(uri(fixture));
      for (let edit = 0; edit < 4; edit += 1) {
        const bodies = [...text.matchAll(/\)\s*\{/g)].map((match) => match.index + match[0].length);
        const at = bodies[below(Math.max(1, bodies.length))];
        if (at === undefined) break;
        text = text.slice(0, at) + (inserted[below(inserted.length)] ?? "") + text.slice(at);
        texts.set(uri(fixture), text);
        service.changed([uri(fixture)]);
        const glance = service.glance(uri(fixture), []);
        const fresh = open(fixture, texts, fixture.standards[0], false);
        const report = fresh.check(uri(fixture));
        fresh.dispose();
        // In a whole file, text that does not parse hides more than its own piece.
        if (glance === undefined || report.understanding.parseErrors.length > 0) continue;
        compared += 1;
        const where = `${fixture.name}: ${text.slice(Math.max(0, at - 40), at + 40)}`;
        expect(toldOfItems(glance.diagnostics), where).toEqual(toldOfItems(report.diagnostics));
        expect(told(service.check(uri(fixture)).diagnostics), where).toEqual(told(report.diagnostics));
      }
      service.dispose();
    }
    expect(compared).toBeGreaterThan(runs(25));
  });

  it("and a glance shows what it knows of items that a new head touches, if they are many", () => {
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
