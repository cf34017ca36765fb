/**
 * Turns the rules' findings into a report, however the file was read: findings are joined over its standards, get the severities of
 * the settings, and are dropped if the author allows them.
 */
import { type CoverageOfFacts, coverageOfNotes, inactiveKernels } from "../diagnostics/coverage.ts";
import { type Asking, extensionsBefore } from "../diagnostics/enabled-extensions.ts";
import { type FileReport, withoutRepetitions } from "../diagnostics/file-report.ts";
import { mergeDialects } from "../diagnostics/merge.ts";
import { applySuppressions, unusedSuppressions } from "../diagnostics/suppressions.ts";
import { type CompileSettings, type Dialect, dataOf, isHostSide, type Language } from "../dialect.ts";
import type { Diagnostic, Finding, Severity } from "../finding.ts";
import type { Readers } from "../preprocess/includers.ts";
import type { Unit } from "../preprocess/view/view.ts";
import { printable } from "../printable.ts";
import { rules } from "../rules/index.ts";
import type { CheckedFile } from "../rules/rule.ts";
import { type Location, textOf, type UnitLocation } from "../source.ts";
import type { Steps } from "../steps.ts";
import type { Summary } from "../summary/summary.ts";
import type { ServiceOptions, Tools } from "./options.ts";
import type { ReadSet } from "./read-set.ts";

/** What the rules found in a file, and what the link needs of it. */
export interface LinkableReport {
  readonly report: FileReport;
  readonly summary: Summary | undefined;
  /** Allowances that only findings of the link could need. If the link has no such finding, these are the findings about them. */
  readonly undecided: readonly Diagnostic[];
  /** Findings in other files, which hold in the program of this one. */
  readonly elsewhere: readonly Diagnostic[];
}

/** The result of a file's check with the questions that it depends on: plain data, which can be stored and sent. */
export interface FileCheck extends LinkableReport {
  readonly readSet: ReadSet;
}

/** A result with the answers that only its check knows, before its read set is complete. */
export interface CheckOutcome extends LinkableReport {
  /** Which files include the file, if a rule asked for that. */
  readonly readers: Readers | undefined;
  /** Macros that may be defined or not, and decide whether a word of the translation unit is a space. */
  readonly openMacros?: readonly string[];
}

/** The findings in a file, in places of the author's files, and how the file was understood. */
export interface Findings {
  readonly uri: string;
  /** The file in whose translation unit it was read. */
  readonly root: string;
  readonly settings: CompileSettings;
  readonly language: Language | undefined;
  /** The standards that judge it, and the rules' findings under each. */
  readonly dialects: readonly Dialect[];
  readonly found: readonly (readonly Finding[])[];
  readonly notes: FileReport["notes"];
  readonly inactiveBranches: FileReport["inactiveBranches"];
  /** Topmost places that did not parse. */
  readonly parseErrors: readonly Location[];
  /** Everything could be read under every standard. */
  readonly isUnderstood: boolean;
  /** Expressions whose type was needed, and how many of those types were unknown, under the first standard. */
  readonly expressions: number;
  readonly unknownExpressions: number;
  readonly ofFacts: CoverageOfFacts;
  /** The start of each declaration in the file, in order. */
  readonly itemStarts: readonly number[];
  readonly unread: readonly string[];
  /** Without `root`. */
  readonly dependencies: readonly string[];
  readonly summary: Summary | undefined;
  /** The rules' findings under each standard in other files, without fixes. */
  readonly elsewhere?: readonly (readonly Finding[])[];
  /** Which files include the file, if a rule asked for that. */
  readonly readers: Readers | undefined;
  /** False if the offset is in code that no standard compiles. */
  isActive(offset: number): boolean;
}

/** The report on a file, and what the link needs from it. In steps, one for each finding, whose fixes are created here. */
export function* resultOf(tools: Tools, findings: Findings): Steps<CheckOutcome> {
  const { options } = tools;
  const { uri, root, settings, dialects, found, notes, expressions, unknownExpressions, itemStarts, unread, summary, readers } = findings;
  const all: Diagnostic[] = [];
  for (const finding of mergeDialects(dialects, found, severityOf)) {
    const diagnostic = toDiagnostic(finding, options);
    if (diagnostic !== undefined) all.push(diagnostic);
    yield;
  }
  const { kept, used } = applySuppressions(all, tools.suppressionsOf);
  const { now, undecided } = unusedIn(tools, findings, used);
  yield;
  const ofNotes = coverageOfNotes(notes);
  const unused = now.map((finding) => toDiagnostic(finding, options)).filter((diagnostic) => diagnostic !== undefined);
  return {
    report: {
      uri,
      diagnostics: [...kept, ...unused].sort((a, b) => a.location.span.start - b.location.span.start),
      inactiveBranches: findings.inactiveBranches.map((branch) => ({ ...branch, message: printable(branch.message) })),
      notes: withoutRepetitions(notes).map((note) => ({ ...note, message: printable(note.message) })),
      dialects: dialects.filter((dialect) => !isHostSide(dialect)).map(dataOf),
      understanding: {
        parseErrors: findings.parseErrors,
        expressions,
        unknownExpressions,
        ...(settings.standardFrom === undefined ? {} : { standardFrom: settings.standardFrom }),
      },
      coverage: {
        ...findings.ofFacts,
        ...ofNotes,
        missingHeaders: [...new Set([...ofNotes.missingHeaders, ...findings.ofFacts.missingHeaders])],
        inactive: inactiveKernels(options.files.read(uri), uri, findings.inactiveBranches),
        unparsed: 0,
      },
      itemStarts,
      embedded: 0,
      unread,
      dependencies: [...new Set([root, ...findings.dependencies])],
    },
    // The result is sent to other threads and stored on disk, so it is plain data.
    undecided: undecided.map((finding) => toDiagnostic(finding, options)).filter((diagnostic) => diagnostic !== undefined),
    summary,
    elsewhere: elsewhereIn(tools, findings),
    readers,
  };
}

/** What rules may ask about extensions that other texts enable before a file. */
export function extensionsFor({ options, includers, notebook, preprocessor }: Tools, asking: Asking): CheckedFile["mayBeEnabledBefore"] {
  const enabledExtensions = () => {
    notebook.extensions();
    return preprocessor.enabledExtensions();
  };
  return extensionsBefore({ includers, textOf: (uri) => textOf(options.files, uri), enabledExtensions }, asking);
}

/** Findings in other files of the workspace. A mistake in one of several programs is no reason for a hint. */
function elsewhereIn({ options }: Tools, { dialects, elsewhere = [] }: Findings): readonly Diagnostic[] {
  if (elsewhere.every((found) => found.length === 0)) return [];
  const workspace = new Set(options.files.list());
  return mergeDialects(dialects, elsewhere, severityOf).flatMap((finding) => {
    const diagnostic = workspace.has(finding.location.uri) ? toDiagnostic(finding, options) : undefined;
    return diagnostic?.severity === "error" || diagnostic?.severity === "warning" ? [diagnostic] : [];
  });
}

/** The rules that the settings have not disabled for a file. */
export function activeRules(options: ServiceOptions, uri: string): typeof rules {
  const severities = options.rules?.severitiesOf(uri) ?? {};
  return rules.filter(({ id }) => severities[id] !== "off");
}

/** Unused allowances. In a file that was not fully understood, a rule may have missed the finding. */
function unusedIn(
  { options, suppressionsOf }: Tools,
  { uri, language, isUnderstood, isActive }: Findings,
  used: ReturnType<typeof applySuppressions>["used"],
): { readonly now: readonly Finding[]; readonly undecided: readonly Finding[] } {
  const suppressions = suppressionsOf(uri);
  if (suppressions.length === 0 || language === undefined) return { now: [], undecided: [] };
  const active = new Set(activeRules(options, uri));
  const statusOf = (id: string) => {
    const rule = rules.find((candidate) => candidate.id === id);
    if (rule === undefined) return "unknown-rule";
    const isDecidedHere = (rule.check ?? rule.checkFile) !== undefined && rule.link === undefined;
    return isUnderstood && isDecidedHere && rule.languages.includes(language) && active.has(rule) ? "decided" : "open";
  };
  const statusAtLink = (id: string) =>
    isUnderstood && rules.some((rule) => rule.id === id && rule.link !== undefined && rule.languages.includes(language) && active.has(rule))
      ? "decided"
      : "open";
  const given = { uri, text: options.files.read(uri), suppressions, used, isActive };
  const named = suppressions.filter(({ rules: allowed }) => allowed.length > 0);
  return {
    now: unusedSuppressions({ ...given, statusOf }),
    undecided: unusedSuppressions({ ...given, suppressions: named, statusOf: statusAtLink }),
  };
}

/** The severity of a finding before the settings are applied. */
export function severityOf(finding: Pick<Finding, "rule" | "severity">): Severity {
  return finding.severity ?? rules.find(({ id }) => id === finding.rule)?.severity ?? "warning";
}

/** A finding with the severity from the settings of its file; undefined if they disable the rule. */
export function toDiagnostic<At extends Location | UnitLocation>(
  finding: Finding<At>,
  options: ServiceOptions,
  uri: string = finding.location.uri,
): Diagnostic<At> | undefined {
  const configured = options.rules?.severitiesOf(uri)[finding.rule];
  if (configured === "off") return undefined;
  return printed({
    ...finding,
    severity: configured ?? severityOf(finding),
    related: finding.related ?? [],
    fixes: finding.fixes?.() ?? [],
  });
}

/** The diagnostic with printable messages: names in them may contain any character. Places and edits are not changed. */
function printed<At>(diagnostic: Diagnostic<At>): Diagnostic<At> {
  return {
    ...diagnostic,
    message: printable(diagnostic.message),
    related: diagnostic.related.map(({ message, location }) => ({ message: printable(message), location })),
    fixes: diagnostic.fixes.map((fix) => ({ ...fix, title: printable(fix.title) })),
  };
}

/** Adds the macros that decide whether a word in these units is a space, where only the build knows them. */
export function withOpenMacros(outcome: CheckOutcome, units: readonly Unit[]): CheckOutcome {
  const names = units.flatMap(({ notes }) =>
    notes.flatMap(({ kind, word }) => (kind === "conflicting-macro" && word !== undefined ? [word] : [])),
  );
  return names.length === 0 ? outcome : { ...outcome, openMacros: [...new Set(names)] };
}
