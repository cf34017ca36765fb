/** Shows the rules' own documentation on the command line. */
import { greatest } from "../lists.ts";
import { rules } from "../rules/index.ts";
import type { Rule } from "../rules/rule.ts";
import { shownSeverity, usualSeverity } from "../rules/rule.ts";
import { nearest } from "../settings/settings-file.ts";
import { jsonDocument } from "./json.ts";

/** A table of every rule. */
export function listRules(): string {
  return tableOf(rules);
}

function tableOf(some: readonly Rule[]): string {
  const width = greatest(some.map(({ id }) => id.length));
  return some
    .map(
      ({ id, languages, title, ...rule }) =>
        `${id.padEnd(width)}  ${usualSeverity(rule).padEnd(7)}  ${languages.join(", ").padEnd(12)}  ${title}\n`,
    )
    .join("");
}

/** Every rule with its documentation, for scripts and pages. */
export function rulesAsJson(): string {
  return jsonDocument({
    version: 1,
    rules: rules.map(({ id, title, languages, clause, documentation, examples, ...rule }) => ({
      id,
      title,
      severity: usualSeverity(rule),
      languages,
      clause,
      documentation: documentation.trim(),
      examples,
    })),
  });
}

/** The page of one rule, the list of those whose ids begin with these words, or the reply if there are none. */
export function explainRule(
  id: string,
): { readonly isKnown: true; readonly markdown: string } | { readonly isKnown: false; readonly message: string } {
  const name = id.replace(/^\[|\]$/g, "");
  const rule = rules.find((candidate) => candidate.id === name);
  if (rule !== undefined) return { isKnown: true, markdown: pageOf(rule) };
  const family = rules.filter((candidate) => candidate.id.startsWith(`${name}-`));
  if (family.length > 0) return { isKnown: true, markdown: tableOf(family) };
  const ids = rules.map((candidate) => candidate.id);
  const near = nearest(name, [...ids, ...familiesOf(ids)]);
  const hint = near === undefined ? "'gpu-qualifiers rules' lists them" : `did you mean '${near}'?`;
  return { isKnown: false, message: `gpu-qualifiers: no such rule: '${id}'; ${hint}` };
}

/** The beginnings that several ids share, up to a hyphen. */
function familiesOf(ids: readonly string[]): readonly string[] {
  const beginnings = ids.flatMap((id) => [...id.matchAll(/-/g)].map(({ index }) => id.slice(0, index)));
  return [...new Set(beginnings.filter((beginning, at) => beginnings.indexOf(beginning) < at))];
}

function pageOf(rule: Rule): string {
  const examples = rule.examples.flatMap(({ bad, good, fixed, standard }) => [
    `Wrong${standard === undefined ? "" : ` (${standard})`}:\n`,
    indented(bad),
    ...(fixed === undefined || fixed === good ? [] : ["After the fix:\n", indented(fixed)]),
    fixed !== undefined && fixed === good ? "Right, and what the fix makes of it:\n" : "Right:\n",
    indented(good),
  ]);
  return [
    `${rule.id} (${shownSeverity(rule)}, ${rule.languages.join(" and ")})`,
    rule.title,
    "",
    rule.documentation.trim(),
    "",
    ...examples,
    `See ${rule.clause}.`,
    "",
  ].join("\n");
}

function indented(code: string): string {
  return `${code.trimEnd().replace(/^(?=.)/gm, "    ")}\n`;
}
