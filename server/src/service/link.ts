/** Computes the findings that need more than one file, from the summaries of all checked files. */
import { keyOf } from "../diagnostics/report.ts";
import { type AllowedRule, applySuppressions } from "../diagnostics/suppressions.ts";
import { type Diagnostic, isMoreSevere } from "../finding.ts";
import { rules } from "../rules/index.ts";
import type { LinkFinding } from "../rules/rule.ts";
import type { Location } from "../source.ts";
import { linkEffects } from "../summary/link-effects.ts";
import type { Summary } from "../summary/summary.ts";
import { type LinkableReport, toDiagnostic } from "./file-result.ts";
import type { Tools } from "./options.ts";

/** Findings by file. `undecided` are allowances that only findings between files can need. */
export function linkSummaries(
  summaries: readonly Summary[],
  undecided: readonly Diagnostic[],
  { options, suppressionsOf }: Tools,
  checked: ReadonlyMap<string, LinkableReport>,
): ReadonlyMap<string, readonly Diagnostic[]> {
  const result = new Map<string, Diagnostic[]>();
  const needed = new Set<AllowedRule>();
  const put = (diagnostic: Diagnostic) => {
    const { uri } = diagnostic.location;
    const known = result.get(uri) ?? [];
    result.set(uri, known);
    known.push(diagnostic);
  };
  const putUnlessAllowed = (diagnostic: Diagnostic): void => {
    const { kept, used } = applySuppressions([diagnostic], suppressionsOf);
    for (const allowed of used) needed.add(allowed);
    if (kept.length > 0) put(diagnostic);
  };
  const effects = linkEffects(summaries);
  for (const rule of rules) {
    const add = (reported: LinkFinding) => {
      const diagnostic = toDiagnostic({ rule: rule.id, ...reported }, options);
      if (diagnostic !== undefined) putUnlessAllowed(diagnostic);
    };
    rule.link?.(summaries, add, effects);
  }
  for (const diagnostic of elsewhereIn(checked)) putUnlessAllowed(diagnostic);
  const allowedAt = ({ uri, span }: Location) =>
    suppressionsOf(uri).flatMap((suppression) => suppression.rules.filter((allowed) => allowed.span.start === span.start));
  for (const diagnostic of undecided) if (!allowedAt(diagnostic.location).some((allowed) => needed.has(allowed))) put(diagnostic);
  return result;
}

/** The findings that programs have in the files that they include, each once, without those that a file has by itself. */
function elsewhereIn(checked: ReadonlyMap<string, LinkableReport>): readonly Diagnostic[] {
  const found = new Map<string, Diagnostic>();
  for (const [, { elsewhere }] of [...checked].sort(([a], [b]) => (a < b ? -1 : 1)))
    for (const diagnostic of elsewhere) if (!found.has(keyOf(diagnostic))) found.set(keyOf(diagnostic), diagnostic);
  // What is milder in a template's text does not stand for the mistake that its arguments make of it.
  for (const uri of new Set([...found.values()].map(({ location }) => location.uri)))
    for (const diagnostic of checked.get(uri)?.report.diagnostics ?? [])
      if (!isMoreSevere(found.get(keyOf(diagnostic))?.severity ?? "hint", diagnostic.severity)) found.delete(keyOf(diagnostic));
  return [...found.values()];
}
