/** The mistakes of the rules' own examples, appended to a file. A mistake must be found wherever it is made. */
import type { MutationKind } from "../../server/src/cli/mutate/mutations.ts";
import { rules } from "../../server/src/rules/index.ts";

/** Rules whose example needs a setting, or the whole file. */
const needsMore = new Set(["constant-buffer-size", "unused-suppression"]);

/** One kind for each example that is wrong under every standard, of every rule that reports errors or warnings. */
export const ruleMutations: readonly MutationKind[] = rules
  .filter(({ id, severity }) => (severity === "error" || severity === "warning") && !needsMore.has(id))
  .flatMap((rule) =>
    rule.examples
      .filter(({ standard }) => standard === undefined)
      .map(({ language, bad }, index) => ({
        name: `example ${index + 1} of ${rule.id}`,
        language,
        rules: [rule.id],
        places: (text: string) => [{ start: text.length, end: text.length, text: `\n${renamed(bad, text)}\n` }],
      })),
  );

/** The example, with other names for everything that it declares at its top level and that the text mentions too. */
function renamed(example: string, text: string): string {
  const declared = [...example.matchAll(/^(?![#}\s]|\/\/)[^;{(=\n]*?\b(\w+)\s*(?=[([;={])/gm)].map(([, name = ""]) => name);
  return declared
    .filter((name) => !/^(struct|union|enum)$/.test(name) && new RegExp(`\\b${name}\\b`).test(text))
    .reduce((result, name) => result.replace(new RegExp(`\\b${name}\\b`, "g"), `${name}OfMutant`), example);
}
