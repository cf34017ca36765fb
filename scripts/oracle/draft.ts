/**
 * Drafts the markers of a new fixture from the compilers' answers. A draft must be read and judged: its author knows which lines of
 * the fixture are wrong, and the compilers only confirm that.
 */
import type { Fixture } from "../../test/fixtures.ts";
import { isCounted, passesOf, rulesFor, type Verdicts } from "../../test/verdicts.ts";

/** The text with a marker on every line that a compiler counts as wrong; messages without a known rule are included as they are. */
export function draftMarkers(text: string, fixture: Fixture, verdicts: Verdicts): string {
  const lines = text.split("\n");
  const marked = lines.map((line, index) => {
    if (/\/\/\s*(expect|oracle)\b/.test(line)) return line;
    const groups = new Map<string, string[]>();
    for (const standard of fixture.standards) {
      const passes = fixture.language === "cuda" ? passesOf(fixture) : [standard];
      for (const words of wordsOn(index + 1, passes, verdicts, fixture.rule)) groups.set(words, [...(groups.get(words) ?? []), standard]);
    }
    const bySelector = new Map<string, string[]>();
    for (const [words, standards] of groups) {
      const selector = standards.length === fixture.standards.length ? "" : `[${standards.join(",")}]`;
      bySelector.set(selector, [...(bySelector.get(selector) ?? []), words.replace(/#\d+$/, "")]);
    }
    return [line, ...[...bySelector].map(([selector, words]) => `// expect${selector}: ${words.join(", ")}`)].join("  ");
  });
  const isClean = !marked.some((line) => /\/\/\s*expect\b/.test(line));
  return isClean ? `// expect: none\n${marked.join("\n")}` : marked.join("\n");
}

/** The markers for each message on a line, numbered if they repeat; among several passes, those of the one that repeats them most. */
function wordsOn(line: number, passes: readonly string[], verdicts: Verdicts, own: string): ReadonlySet<string> {
  const all = new Set<string>();
  for (const pass of passes) {
    const counts = new Map<string, number>();
    for (const verdict of verdicts[pass] ?? []) {
      if (verdict.line !== line || !isCounted(verdict)) continue;
      const words = wordsFor(verdict, own);
      const count = counts.get(words) ?? 0;
      counts.set(words, count + 1);
      all.add(count === 0 ? words : `${words}#${count}`);
    }
  }
  return all;
}

/** The words for a message. If it may belong to several rules, the fixture's own rule is preferred. */
function wordsFor({ severity, message }: Verdicts[string][number], own: string): string {
  const suffix = severity === "warning" ? "(warning)" : "";
  const rules = rulesFor(message);
  if (rules.includes(own)) return own + suffix;
  return rules.length > 0 ? rules.map((rule) => rule + suffix).join("|") : `?${suffix} «${message}»`;
}
