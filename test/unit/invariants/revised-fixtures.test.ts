/**
 * After each revision of a fixture, an open file has the findings of a file that is read for the first time. A revision changes
 * one word, line or bracket, or takes earlier revisions back, so most texts have findings, and many revisions change them.
 */
import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../../server/src/finding.ts";
import { rules } from "../../../server/src/rules/index.ts";
import { mostAtOnce } from "../../../server/src/service/kept-findings.ts";
import { runs, seedOf } from "../../effort.ts";
import type { Fixture } from "../../fixtures.ts";
import { loadFixtures } from "../../load-fixtures.ts";
import { serviceFor, toldWithFixes, uriOf } from "../../open-files.ts";
import { testParser } from "../../service.ts";

const parser = await testParser();
const ofItems = new Set(rules.filter(({ check, checkFile }) => checkFile === undefined && check !== undefined).map(({ id }) => id));

/** Words that change which findings the code around them has. */
const qualifiers: Readonly<Record<string, readonly string[]>> = {
  cl: ["", "const", "global", "local", "constant", "private", "kernel", "int", "float"],
  cu: ["", "const", "static", "__global__", "__device__", "__host__", "__shared__", "__constant__", "int", "float"],
};

/** Large fixtures take longer and find no more. */
const longest = 3_000;

describe.each(Object.keys(qualifiers))("in a .%s file", (extension) => {
  const fixtures = loadFixtures().filter(
    ({ files: [file], files }) =>
      files.length === 1 && file !== undefined && file.name.endsWith(`.${extension}`) && file.text.length < longest,
  );

  it("revisions lead to the findings of a first check", () => {
    const below = randomBelow(seedOf(19));
    let compared = 0;
    let changed = 0;
    for (let round = 0; round < runs(6); round += 1) {
      const fixture = fixtures[below(fixtures.length)];
      if (fixture === undefined) throw new Error("there are fixtures");
      const uri = uriOf(fixture);
      const original = fixture.files[0]?.text ?? "";
      const texts = new Map([[uri, original]]);
      const service = serviceFor(parser, fixture, texts, true);
      let before = toldWithFixes(service.check(uri).diagnostics);
      const ofNewService = new Map<string, readonly Diagnostic[]>();
      for (let edit = 0; edit < 8; edit += 1) {
        const last = texts.get(uri) ?? "";
        const text = edit % 3 === 2 ? original : revised(last, qualifiers[extension] ?? [], below);
        texts.set(uri, text);
        service.changed([uri]);
        const glance = service.glance(uri, []);
        const after = toldWithFixes(service.check(uri).diagnostics);
        const diagnostics = ofNewService.get(text) ?? freshly(fixture, texts);
        ofNewService.set(text, diagnostics);
        const where = `${fixture.name}, edit ${edit}: ${text}`;
        expect(after, where).toEqual(toldWithFixes(diagnostics));
        // An edit that touches more items than a glance judges leaves their last findings until the check.
        if (glance !== undefined && text.split("\n").length <= mostAtOnce)
          expect(toldOfItems(glance.diagnostics), `glance, ${where}`).toEqual(toldOfItems(diagnostics));
        compared += 1;
        if (JSON.stringify(after) !== JSON.stringify(before)) changed += 1;
        before = after;
      }
      service.dispose();
    }
    // Otherwise the revisions are beside the point.
    expect(changed).toBeGreaterThan(compared / 3);
  });
});

/** The findings of a service that sees only this text of the fixture. */
function freshly(fixture: Fixture, texts: ReadonlyMap<string, string>): readonly Diagnostic[] {
  const fresh = serviceFor(parser, fixture, texts, true);
  const { diagnostics } = fresh.check(uriOf(fixture));
  fresh.dispose();
  return diagnostics;
}

/** The message of a finding in a further build names the build. */
const ofOtherBuild = / \(with(?:out)? -.*\)$/;

/**
 * The findings of rules that judge single items, without their fixes: the part of a check that a glance repeats. Further builds are
 * left to the check.
 */
function toldOfItems(diagnostics: readonly Diagnostic[]): readonly string[] {
  const repeated = diagnostics.filter(({ rule, message }) => ofItems.has(rule) && !ofOtherBuild.test(message));
  return toldWithFixes(repeated.map((diagnostic) => ({ ...diagnostic, fixes: [] })));
}

/** The text with one word, line or bracket of code replaced, removed or added. */
function revised(text: string, words: readonly string[], below: (limit: number) => number): string {
  const places = [...text.replace(/\/\/.*/g, (comment) => " ".repeat(comment.length)).matchAll(/[A-Za-z_]\w*/g)];
  const place = places[below(Math.max(1, places.length))];
  if (place === undefined) return text;
  const { index } = place;
  const other = places[below(places.length)]?.[0] ?? "";
  const lineEnd = text.indexOf("\n", index);
  const lineStart = text.lastIndexOf("\n", index) + 1;
  switch (below(5)) {
    case 0:
      return text.slice(0, lineStart) + text.slice(lineEnd < 0 ? text.length : lineEnd + 1);
    case 1:
      return text.slice(0, index) + other + text.slice(index + place[0].length);
    case 2: {
      const known = places.filter(([word]) => words.includes(word));
      const { 0: word, index: at } = known[below(Math.max(1, known.length))] ?? place;
      return text.slice(0, at) + (words[below(words.length)] ?? "") + text.slice(at + word.length);
    }
    case 3: {
      const brackets = [...text.matchAll(/[(){};]/g)];
      const at = brackets[below(Math.max(1, brackets.length))]?.index ?? 0;
      return text.slice(0, at) + text.slice(at + below(2)) + (below(3) === 0 ? "}\n" : "");
    }
    default:
      return `${text.slice(0, index)}${words[below(words.length)] ?? ""} ${text.slice(index)}`;
  }
}

/** Random numbers below a limit, the same sequence for the same seed. */
function randomBelow(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % limit;
  };
}

it.each([
  ["the only declaration", "void f(void) {\n  extern constant int g;\n}\n", "constant int g", "constant int const g"],
  [
    "one of two declarations",
    "void f(void) {\n  extern constant int g;\n}\nvoid h(void) {\n  extern constant int g;\n}\n",
    "constant int g",
    "constant int const g",
  ],
  ["the text before it", "void f(void) {\n  extern constant int g;\n}\nvoid h(void) {\n  extern global int g;\n}\n", "extern", "; extern"],
  [
    "the function with the later declaration",
    "void f(void) {\n  extern constant int g;\n}\nvoid h(void) {\n  int x;\n  extern global int g;\n}\n",
    "x;",
    "other;",
  ],
])("an extern variable of a block is followed when %s changes", (_, text, from, to) => {
  const fixture = loadFixtures().find(({ files: [file], files }) => files.length === 1 && file?.name.endsWith(".cl"));
  if (fixture === undefined) throw new Error("there are fixtures");
  const uri = uriOf(fixture);
  const texts = new Map([[uri, text]]);
  const service = serviceFor(parser, fixture, texts, true);
  service.check(uri);
  texts.set(uri, text.replace(from, to));
  service.changed([uri]);
  service.glance(uri, []);
  const after = toldWithFixes(service.check(uri).diagnostics);
  const fresh = serviceFor(parser, fixture, texts, true);
  expect(after).toEqual(toldWithFixes(fresh.check(uri).diagnostics));
  service.dispose();
  fresh.dispose();
});
