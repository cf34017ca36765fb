/**
 * Reading a file by pieces finds what reading it as a whole finds: on every fixture, also without its indentation, and after random
 * edits of it. The rules that look at other items than the one that they speak of are run over the whole file alone.
 */
import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../../server/src/finding.ts";
import { rules } from "../../../server/src/rules/index.ts";
import { createService, type Service } from "../../../server/src/service.ts";
import { inOneGo } from "../../../server/src/steps.ts";
import type { Fixture } from "../../fixtures.ts";
import { loadFixtures } from "../../load-fixtures.ts";
import { memoryFiles, settingsFor, testParser } from "../../service.ts";

const parser = await testParser();
/** Whole files spell attributes of types in another way as soon as one of them needs it, so that places differ. */
const placedOtherwise = new Set(["address-space-placement/attributes.cl", "memory-space-placement/numbered-spaces.cu"]);
const fixtures = loadFixtures().filter(({ files, name }) => files.length === 1 && !placedOtherwise.has(name));
const uri = ({ files: [file] }: Fixture) => `file:///fixture/${file?.name}`;
const ofItems = new Set(rules.filter(({ scope, check }) => scope !== "file" && check !== undefined).map(({ id }) => id));

function open(fixture: Fixture, texts: ReadonlyMap<string, string>, standard: string | undefined): Service {
  const settings = settingsFor(fixture, standard);
  return createService({ files: memoryFiles(texts), parser, settingsOf: () => settings, isOpen: () => true });
}

function told(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics
    .filter(({ rule }) => ofItems.has(rule))
    .map(({ rule, severity, message, location: { span }, related }) =>
      [rule, severity, message, span.start, span.end, ...related.map(({ location }) => `${location.uri} ${location.span.start}`)].join(" "),
    )
    .sort();
}

/** What both ways of reading say of the text; undefined where a glance has nothing to say. */
function bothWays(fixture: Fixture, text: string, standard: string | undefined) {
  const service = open(fixture, new Map([[uri(fixture), text]]), standard);
  try {
    const whole = service.check(uri(fixture)).diagnostics;
    inOneGo(service.prepareGlance(uri(fixture)));
    const pieces = service.glance(uri(fixture), []);
    return pieces === undefined ? undefined : { whole: told(whole), pieces: told(pieces.diagnostics) };
  } finally {
    service.dispose();
  }
}

describe("pieces say what the whole file says", () => {
  it("of every fixture", { timeout: 180_000 }, () => {
    let compared = 0;
    for (const fixture of fixtures) {
      const text = fixture.files[0]?.text ?? "";
      const both = bothWays(fixture, text, fixture.standards[0]);
      if (both === undefined) continue;
      compared += 1;
      expect(both.pieces, fixture.name).toEqual(both.whole);
    }
    expect(compared).toBeGreaterThan(fixtures.length / 2);
  });

  it("of every third fixture without its indentation", { timeout: 180_000 }, () => {
    for (const [index, fixture] of fixtures.entries()) {
      if (index % 3 !== 0) continue;
      const both = bothWays(fixture, (fixture.files[0]?.text ?? "").replace(/^[ \t]+/gm, ""), fixture.standards[0]);
      if (both !== undefined) expect(both.pieces, fixture.name).toEqual(both.whole);
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
    for (let round = 0; round < 40; round += 1) {
      const fixture = fixtures[below(fixtures.length)];
      if (fixture === undefined) continue;
      let text = fixture.files[0]?.text ?? "";
      const texts = new Map([[uri(fixture), text]]);
      const service = open(fixture, texts, fixture.standards[0]);
      service.check(uri(fixture));
      inOneGo(service.prepareGlance(uri(fixture)));
      for (let edit = 0; edit < 4; edit += 1) {
        const bodies = [...text.matchAll(/\)\s*\{/g)].map((match) => match.index + match[0].length);
        const at = bodies[below(Math.max(1, bodies.length))];
        if (at === undefined) break;
        text = text.slice(0, at) + (inserted[below(inserted.length)] ?? "") + text.slice(at);
        texts.set(uri(fixture), text);
        service.changed([uri(fixture)]);
        const glance = service.glance(uri(fixture), []);
        const fresh = open(fixture, texts, fixture.standards[0]);
        const report = fresh.check(uri(fixture));
        fresh.dispose();
        // Of text that does not parse the whole file hides more than the piece that it stands in.
        if (glance === undefined || report.understanding.parseErrors.length > 0) continue;
        compared += 1;
        expect(told(glance.diagnostics), `${fixture.name}: ${text.slice(Math.max(0, at - 40), at + 40)}`).toEqual(told(report.diagnostics));
      }
      service.dispose();
    }
    expect(compared).toBeGreaterThan(50);
  });
});
