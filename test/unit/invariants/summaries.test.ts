/** Summaries are plain data: after conversion to JSON and back they are equal, and the link has the same findings. */
import { expect, it } from "vitest";
import { dialectsOf, noSettings } from "../../../server/src/dialect.ts";
import { createPreprocessor } from "../../../server/src/preprocess/preprocessor.ts";
import { rules } from "../../../server/src/rules/index.ts";
import type { LinkFinding } from "../../../server/src/rules/rule.ts";
import { prelude } from "../../../server/src/semantics/builtins/index.ts";
import { analyze } from "../../../server/src/semantics/units/analyze.ts";
import { builtinsOf } from "../../../server/src/service/builtins.ts";
import { inWholeFile, locatedSummary } from "../../../server/src/service/in-file.ts";
import { inOneGo } from "../../../server/src/steps.ts";
import { linkEffects } from "../../../server/src/summary/link-effects.ts";
import { summarize } from "../../../server/src/summary/summarize.ts";
import type { Summary } from "../../../server/src/summary/summary.ts";
import { sample } from "../../effort.ts";
import { loadFixtures } from "../../load-fixtures.ts";
import { memoryFiles, testParser } from "../../service.ts";

const parser = await testParser();
const inCuda = loadFixtures().filter(({ language }) => language === "cuda");
// All that are linked, and some of the others.
const fixtures = [
  ...inCuda.filter(({ files }) => files.length > 1),
  ...sample(
    inCuda.filter(({ files }) => files.length === 1),
    12,
  ),
];

it("survive JSON, and link to the same findings", () => {
  let linked = 0;
  for (const { name, files } of fixtures) {
    const summaries = summariesOf(new Map(files.map((file) => [`file:///${name}/${file.name}`, file.text])));
    const revived = JSON.parse(JSON.stringify(summaries)) as readonly Summary[];
    expect(revived, name).toEqual(summaries);
    expect(link(revived), name).toEqual(link(summaries));
    linked += link(summaries).length;
  }
  expect(linked).toBeGreaterThan(0);
});

function summariesOf(texts: ReadonlyMap<string, string>): readonly Summary[] {
  const files = memoryFiles(texts);
  const { preludes, trees } = builtinsOf(parser);
  const preprocessor = createPreprocessor(files, preludes);
  return [...texts.keys()]
    .filter((uri) => uri.endsWith(".cu"))
    .flatMap((uri) => {
      const [dialect] = dialectsOf("cuda", noSettings, uri);
      if (dialect === undefined) return [];
      const unit = preprocessor.unit(uri, dialect, noSettings, prelude(dialect));
      if (typeof unit === "string") return [];
      const summary = summarize(
        {
          uri,
          files: [uri],
          facts: analyze({ unit, dialect, focus: uri, syntaxOf: (other) => trees(other.view.text), parseText: trees }).facts,
          dialect,
          textOf: (other) => texts.get(other) ?? "",
        },
        rules,
      );
      return [locatedSummary(inOneGo(summary), inWholeFile)];
    });
}

/** The findings of the link, with the edits of their fixes. */
function link(summaries: readonly Summary[]): readonly unknown[] {
  const found: LinkFinding[] = [];
  const effects = linkEffects(summaries);
  for (const rule of rules) rule.link?.(summaries, (finding) => found.push(finding), effects);
  return found.map((finding) => ({ ...finding, fixes: finding.fixes?.() }));
}
