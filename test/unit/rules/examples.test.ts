/**
 * The examples of the rules' documentation are true: what is called wrong is reported by exactly that rule on exactly the
 * marked lines, what is called right is clean, and the preferred fix makes the one of the other.
 */
import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../../server/src/finding.ts";
import { rules } from "../../../server/src/rules/index.ts";
import { checkText, exampleUri, fixedText, judgementsOf, lineAt, markedLines, withoutMarkers } from "../../rule-examples.ts";
import { testParser } from "../../service.ts";

const parser = await testParser();

for (const rule of rules) {
  describe(rule.id, () => {
    it("has an example", () => expect(rule.examples.length).toBeGreaterThan(0));

    const cases = rule.examples.flatMap((example, index) =>
      judgementsOf(example).map(({ name, settings }) => ({ example, settings, title: `example ${index + 1}, ${name}` })),
    );
    // Three tests look at the findings in what is called wrong.
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
      const { example, settings, title } = each;
      const { bad } = example;
      const uri = exampleUri(example);

      it(`${title}: is reported where it is marked`, () => {
        const found = findingsIn(each);
        expect(markedLines(bad)).not.toEqual([]);
        expect(found.filter((finding) => finding.rule !== rule.id).map(({ message }) => message)).toEqual([]);
        expect([...new Set(found.map(({ location }) => lineAt(bad, location.span.start)))]).toEqual(markedLines(bad));
        expect(found.map(({ message }) => message).filter((message) => !isInHouseStyle(message))).toEqual([]);
      });

      it(`${title}: the right code is clean`, () => {
        expect(checkText(parser, uri, example.good, settings).map((found) => `${found.rule}: ${found.message}`)).toEqual([]);
      });

      it(`${title}: the preferred fix`, () => {
        const fixed = withoutMarkers(fixedText(bad, findingsIn(each)));
        // An example without a fixed text says that there is no preferred fix.
        expect(fixed).toBe(example.fixed ?? withoutMarkers(bad));
        if (example.fixed !== undefined) expect(checkText(parser, uri, fixed, settings).map(({ message }) => message)).toEqual([]);
      });
    }
  });
}

/** One short line: lower case, no full stop, at most 80 characters without long types and names, and the level and the standards at the end. */
function isInHouseStyle(message: string): boolean {
  const words = message
    .replace(/ \((?:error|warning|info|hint) in [^()]*\)$/, "")
    .replace(/ at the \w+ pointer level$/, "")
    .replace(/'[^']*'/g, (code) => code.slice(0, 14));
  return words.length <= 80 && /^(?:['\d\p{Ll}]|OpenCL)/u.test(words) && !/[.\n]$/.test(words);
}
