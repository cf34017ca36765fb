/** `unknown` never yields a finding: a fixture whose types are replaced by undeclared names has no new findings. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { noSettings } from "../../../server/src/dialect.ts";
import { runs, seedOf } from "../../effort.ts";
import { loadFixtures } from "../../load-fixtures.ts";
import { checkText, lineAt } from "../../rule-examples.ts";
import { testParser } from "../../service.ts";

const parser = await testParser();
const sources = loadFixtures()
  .filter(({ files, flags }) => files.length === 1 && flags.length === 0)
  .flatMap(({ files }) => files)
  .filter(({ name }) => /\.(cl|cu)$/.test(name));

// Only types of one word: replacing one of several words, as in `unsigned int` or `struct S`, gives a different construct. The word
// `double` alone tells that a program wants doubles.
const typeWord =
  /(?<!\b(?:unsigned|signed|long|short|struct|union|enum|class|typename|operator|sizeof)\s+)(?<![\w.>#])(?:int|float|char|uint|long|short|(?:float|int|uint)[234]|[A-Z][a-z]\w*|[a-z]\w*_t)(?=\s+[*&\w])(?!\s+(?:int|long|short|char|double|unsigned|signed)\b)/g;

it("no unknown type in a fixture adds a finding", () => {
  const places = sources.flatMap((source) =>
    [...withoutComments(source.text).matchAll(typeWord)].map((match) => ({
      ...source,
      start: match.index,
      end: match.index + match[0].length,
    })),
  );
  expect(places.length).toBeGreaterThan(100);
  const asWritten = new Map<string, readonly string[]>();
  fc.assert(
    fc.property(fc.constantFrom(...places), ({ name, text, start, end }) => {
      const before = asWritten.get(text) ?? found(name, text);
      asWritten.set(text, before);
      const after = found(name, `${text.slice(0, start)}undeclared_${text.slice(end)}`);
      // A line that is wrong for a reason that its type gives may be wrong for another one without it.
      const lines = new Set(before.map(lineOf));
      // A rule that reports a mistake once, where it is made first, may report it elsewhere.
      const isMore = (finding: string) => countOf(after, ruleOf(finding)) > countOf(before, ruleOf(finding));
      expect(after.filter((finding) => !lines.has(lineOf(finding)) && isMore(finding))).toEqual([]);
    }),
    { numRuns: runs(24), seed: seedOf(6) },
  );
});

const ruleOf = (finding: string) => finding.slice(0, finding.indexOf(" in line "));
const countOf = (findings: readonly string[], rule: string) => findings.filter((finding) => ruleOf(finding) === rule).length;
const lineOf = (finding: string) => finding.slice(finding.indexOf(" in line "));

function found(name: string, text: string): readonly string[] {
  const uri = `file:///x${name.slice(name.lastIndexOf("."))}`;
  return checkText(parser, uri, text, { ...noSettings, openclStandard: "CL2.0" }).map(
    ({ rule, location }) => `${rule} in line ${lineAt(text, location.span.start)}`,
  );
}

/** The same text with blanks for comments, preprocessor lines and literals. */
function withoutComments(text: string): string {
  return text.replace(/\/\/.*|\/\*[\s\S]*?\*\/|^[ \t]*#.*|"(?:\\.|[^"\\\n])*"/gm, (match) => match.replace(/[^\n]/g, " "));
}
