/**
 * The examples in the rules' documentation are true: exactly that rule reports the wrong code, on exactly the marked lines. The right
 * code has no finding, and the preferred fix has the result that the example shows.
 */
import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../../server/src/finding.ts";
import { rules } from "../../../server/src/rules/index.ts";
import type { RuleExample } from "../../../server/src/rules/rule.ts";
import { isThorough } from "../../effort.ts";
import {
  checkText,
  exampleUri,
  fixedText,
  type Judgement,
  judgementsOf,
  lineAt,
  markedLines,
  withoutMarkers,
} from "../../rule-examples.ts";
import { testParser } from "../../service.ts";

const parser = await testParser();

for (const rule of rules) {
  describe(rule.id, () => {
    it("has an example", () => expect(rule.examples.length).toBeGreaterThan(0));

    const cases = rule.examples.flatMap((example, index) =>
      judgementsToTry(example, rule.id.length + index).map(({ name, settings }, at) => ({
        example,
        settings,
        title: `example ${index + 1}, ${name}`,
        // A check without a standard, which is the first, also shows what is wrong in a single one.
        showsAll: at === 0,
      })),
    );
    // Three tests use the findings in the wrong code.
    const findings = new Map<(typeof cases)[number], readonly Diagnostic[]>();
    const findingsIn = (each: (typeof cases)[number]): readonly Diagnostic[] => {
      const found = findings.get(each) ?? checkText(parser, exampleUri(each.example), each.example.bad, each.settings);
      findings.set(each, found);
      return found;
    };

    it("says on its page how safe its fixes are", () => {
      const offers = cases.some((each) => findingsIn(each).some(({ fixes }) => fixes.length > 0));
      expect(offers && rule.fixSafety === undefined).toBe(false);
    });

    for (const each of cases) {
      const { example, settings, title, showsAll } = each;
      const { bad } = example;
      const uri = exampleUri(example);

      it(`${title}: the wrong code is reported at the marked lines`, () => {
        const found = findingsIn(each);
        expect(markedLines(bad)).not.toEqual([]);
        expect(found.filter((finding) => finding.rule !== rule.id).map(({ message }) => message)).toEqual([]);
        expect([...new Set(found.map(({ location }) => lineAt(bad, location.span.start)))]).toEqual(markedLines(bad));
        expect(found.map(({ message }) => message).filter((message) => !isInHouseStyle(message))).toEqual([]);
        expect(found.map(({ message }) => message).filter((message) => onlyInSome.test(message))).toEqual([]);
      });

      if (showsAll || isThorough)
        it(`${title}: the right code is clean`, () => {
          expect(checkText(parser, uri, example.good, settings).map((found) => `${found.rule}: ${found.message}`)).toEqual([]);
        });

      it(`${title}: the preferred fix gives the fixed text`, () => {
        const fixed = withoutMarkers(fixedText(bad, findingsIn(each)));
        // An example without a fixed text says that there is no preferred fix.
        expect(fixed).toBe(example.fixed ?? withoutMarkers(bad));
        if (example.fixed !== undefined && (showsAll || isThorough))
          expect(checkText(parser, uri, fixed, settings).map(({ message }) => message)).toEqual([]);
      });
    }
  });
}

/** The end of the message of a finding that not every standard has. */
const onlyInSome = / \((?:error|warning|info|hint) in [^()]*\)$/;

/**
 * The check without a standard, whose findings are those of all standards, and usually one of the others in turn, which shows that it can be
 * configured.
 */
function judgementsToTry(example: RuleExample, turn: number): readonly Judgement[] {
  const [all, ...others] = judgementsOf(example);
  return isThorough || all === undefined ? judgementsOf(example) : [all, ...others.filter((_, at) => at === turn % others.length)];
}

/** True for one short line in lower case without a full stop: at most 80 characters, not counting long types and names, the level and the standards. */
function isInHouseStyle(message: string): boolean {
  const words = message
    .replace(onlyInSome, "")
    .replace(/ at the \w+ pointer level$/, "")
    .replace(/'[^']*'/g, (code) => code.slice(0, 14));
  return words.length <= 80 && /^(?:['\d\p{Ll}]|OpenCL)/u.test(words) && !/[.\n]$/.test(words);
}
