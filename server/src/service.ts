/**
 * The core's one door: give it files, ask it what it finds. Synchronous, without I/O; every host (language server, worker,
 * command line, tests) uses this and nothing below it. Offsets are UTF-16 in the author's text.
 */
import { type CompileSettings, type Dialect, dialectsOf, languageOfName } from "./dialect.ts";
import { completeFix, fixesAt } from "./features/complete-fix.ts";
import { declarationsAt } from "./features/declarations.ts";
import type { EmbeddedSource } from "./embedded/embedded.ts";
import { createEmbeddedHosts, type EmbeddedHosts } from "./embedded/hosts.ts";
import { reportInHost } from "./features/embedded-report.ts";
import { emptyReport, type FileReport, isFirstOfItsKind } from "./features/file-report.ts";
import { hoverAt } from "./features/hover.ts";
import { mergeDialects, plausibleReadings } from "./features/merge.ts";
import { itemStarts, unitOf } from "./features/outline.ts";
import type { FilePart, ReadFile } from "./features/readings.ts";
import { runRules } from "./features/report.ts";
import { type AllowedRule, applySuppressions, rememberSuppressions, type Suppression, unusedSuppressions } from "./features/suppressions.ts";
import type { Diagnostic, Finding, Fix, Severity } from "./finding.ts";
import { asksWorkspace } from "./preprocess/dependencies.ts";
import { createPreprocessor, dependenciesOf, type Preprocessor, unreadOf } from "./preprocess/preprocessor.ts";
import type { Unit } from "./preprocess/view.ts";
import { rules } from "./rules/index.ts";
import type { LinkFinding } from "./rules/rule.ts";
import { type Analysis, analyze } from "./semantics/analyze.ts";
import { prelude } from "./semantics/builtins/index.ts";
import type { Files, Location, Span } from "./source.ts";
import type { SyntaxParser } from "./syntax/parser.ts";
import type { SyntaxTree } from "./syntax/ast.ts";
import { createSyntaxCache, type SyntaxCache } from "./syntax/cache.ts";
import { createIncluders, type Includers } from "./workspace/includers.ts";
import { languageOfText, withHip } from "./workspace/languages.ts";
import { linkDependents } from "./workspace/link-dependents.ts";
import { linkEffects } from "./workspace/link-effects.ts";
import { summarize } from "./workspace/summarize.ts";
import type { Summary } from "./workspace/summary.ts";

export type { FileReport, Understanding } from "./features/file-report.ts";

export interface HoverContent {
  /** Markdown. */
  readonly markdown: string;
  readonly span: Span;
}

export interface RuleSettings {
  /** Of a file: rule id → severity, or "off". */
  severitiesOf(uri: string): Readonly<Record<string, Severity | "off">>;
}

export interface ServiceOptions {
  readonly files: Files;
  /** Bytes of `grammars/tree-sitter-gpu.wasm`'s language, already loaded by the host through `syntax/parser.ts`. */
  readonly parser: SyntaxParser;
  /** The compile settings in force for a file. */
  settingsOf(uri: string): CompileSettings;
  readonly rules?: RuleSettings;
  /** Files that somebody looks at; all, where the host does not say. */
  isOpen?(uri: string): boolean;
}

export interface Service {
  /** Findings of one file, and those of the workspace's link that lie in it as far as its files have been checked. */
  check(uri: string): FileReport;
  /**
   * Findings that need more than one file (declarations that disagree across translation units), over every file that
   * was checked since the last `changed`. Keyed by uri; files without findings are absent. `isWhole` says that those are
   * all there are: then a comment that allows such a finding, where there is none, is one itself.
   */
  link(isWhole?: boolean): ReadonlyMap<string, readonly Diagnostic[]>;
  hover(uri: string, offset: number): HoverContent | undefined;
  /** The file as editor features of `features/` want it. */
  read(uri: string): ReadFile;
  /** The file itself, and the sources in its literals, in their order. */
  parts(uri: string): readonly FilePart[];
  /** The names of all declarations of the function that is named at the offset, in every file that was checked. */
  declarations(uri: string, offset: number): readonly Location[];
  /** Fixes of the diagnostics that touch the span. */
  fixes(uri: string, span: Span): readonly { readonly diagnostic: Diagnostic; readonly fix: Fix }[];
  /** A fix of a diagnostic of the file, with what it needs in other files; undefined where those cannot follow. */
  complete(uri: string, fix: Fix): Fix | undefined;
  /** The text of these files changed, or they came or went. Returns the checked files whose answers may differ now. */
  changed(uris: readonly string[]): readonly string[];
  /** Frees every tree. */
  dispose(): void;
}

/** How many files' units are kept to see whether a change of other files matters to them. */
const askingKept = 64;
/** How many includers of a header are tried before it is read by itself. */
const includersTried = 8;

export function createService(given: ServiceOptions): Service {
  const hosts = createEmbeddedHosts(given.files);
  const options = { ...given, files: hosts.files };
  const preprocessor = createPreprocessor(options.files);
  const syntax = createSyntaxCache(options.parser);
  const includers = createIncluders(options.files);
  const suppressionsOf = rememberSuppressions(options.files);
  const tools = { options, preprocessor, syntax, includers, hosts, suppressionsOf };
  const checked = new Map<string, Checked>();
  // Facts are large: only those of the file that was asked about last are kept, because hovers come in series. What is
  // checked while nobody looks at it does not take their place.
  let latest: { readonly host: string; readonly readings: Map<string, FileReading> } | undefined;
  const readingOf = (uri: string): FileReading => {
    const host = hosts.hostOf(uri);
    if (latest?.host !== host && options.isOpen?.(host) === false) return readFile(tools, uri);
    if (latest?.host !== host) latest = { host, readings: new Map() };
    const known = latest.readings.get(uri) ?? readFile(tools, uri);
    latest.readings.set(uri, known);
    return known;
  };
  const understoodIn = (host: string): readonly EmbeddedSource[] => hosts.of(host).filter((source) => understood(source, readingOf(source.uri)));
  const read = (uri: string): ReadFile => {
    const { settings, readings } = readingOf(uri);
    return { uri, settings, readings: readings.map(({ dialect, unit, analysis }) => ({ dialect, unit, facts: analysis.facts })) };
  };
  return {
    check: (uri) => {
      const inside = hosts.of(uri).map((source) => ({ source, reading: readingOf(source.uri) }));
      const embedded = inside.flatMap(({ source, reading }) => (understood(source, reading) ? [reading] : []));
      const own = readingOf(uri);
      const result = checkReading(tools, uri, own);
      const report = reportInHost(result.report, embedded.map((reading) => checkReading(tools, reading.root, reading).report), hosts, suppressionsOf);
      checked.delete(uri);
      checked.set(uri, { ...result, report, candidates: candidatesOf(tools, uri), asking: [own, ...embedded].flatMap(askingOf) });
      forgetOldUnits(checked);
      return report;
    },
    link: (isWhole = false) => linkSummaries(summariesOf(checked), isWhole ? [...checked.values()].flatMap(({ undecided }) => undecided) : [], tools),
    hover: (uri, offset) => {
      for (const source of understoodIn(uri)) {
        const at = source.fromHost(offset);
        const content = at === undefined ? undefined : hoverAt(read(source.uri), at);
        if (content !== undefined) return { markdown: content.markdown, span: source.toHost(content.span) };
      }
      return hoverAt(read(uri), offset);
    },
    read,
    parts: (uri) => {
      const own: FilePart = { file: read(uri), text: textOf(options.files, uri), isEmbedded: false, inFile: (span) => span, locate: (location) => location };
      return [own, ...understoodIn(uri).map((source): FilePart => ({ file: read(source.uri), text: source.text, isEmbedded: true, inFile: (span) => inOnePiece(source, span), locate: hosts.locate }))];
    },
    declarations: (uri, offset) => {
      for (const source of understoodIn(uri)) {
        const at = source.fromHost(offset);
        const found = at === undefined ? [] : declarationsAt(read(source.uri), at, []);
        if (found.length > 0) return found.map(hosts.locate);
      }
      return declarationsAt(read(uri), offset, summariesOf(checked).flatMap(({ kernels }) => kernels));
    },
    fixes: (uri, span) => fixesAt(checked.get(uri)?.report.diagnostics ?? [], span, (fix) => completeFix(fix, uri, options.files, read)),
    complete: (uri, fix) => completeFix(fix, uri, options.files, read),
    changed: (uris) => {
      latest = undefined;
      preprocessor.forget(hosts.forget(uris));
      includers.forget(uris);
      const names = new Set(uris.map(baseName));
      const touched = [...checked].filter(([uri, { report, candidates, asking, isIncluded }]) => {
        // A file of the same name as one that is included may take its place.
        if (names.has(baseName(uri)) || report.dependencies.some((other) => names.has(baseName(other))) || candidates.some((other) => uris.includes(other))) return true;
        // Another file may include this header from now on, or no more.
        if (candidatesOf(tools, uri).join("\n") !== candidates.join("\n")) return true;
        if (isIncluded !== undefined && includers.includes(uri) !== isIncluded) return true;
        return asking === "forgotten" || asking.some(({ root, dialect, settings, unit }) => preprocessor.unit(root, dialect, settings, prelude(dialect)) !== unit);
      });
      // What other files say about a file that is gone is said no more.
      const summaries = summariesOf(checked);
      const before = uris.map((uri) => ({ summary: checked.get(uri)?.summary, text: options.files.read(uri) }));
      for (const uri of uris) checked.delete(uri);
      return [...new Set([...touched.map(([uri]) => uri), ...linkDependents(summaries, before)])];
    },
    dispose: () => {
      latest = undefined;
      syntax.dispose();
    },
  };
}

interface Checked {
  readonly report: FileReport;
  readonly summary: Summary | undefined;
  /** Allowances that only findings of the link could need, as what they are if there are none. */
  readonly undecided: readonly Finding[];
  /** The files in whose context it could have been read, where it is a header. */
  readonly candidates: readonly string[];
  /** What was answered where a rule asked whether other files include it. */
  readonly isIncluded: boolean | undefined;
  /** How it was read, where that depends on files that it does not include. Units are large: only the latest are kept. */
  readonly asking: "forgotten" | readonly { readonly root: string; readonly dialect: Dialect; readonly settings: CompileSettings; readonly unit: Unit }[];
}

interface Tools {
  readonly options: ServiceOptions;
  readonly preprocessor: Preprocessor;
  readonly syntax: SyntaxCache;
  readonly includers: Includers;
  suppressionsOf(uri: string): readonly Suppression[];
  readonly hosts: EmbeddedHosts;
}

/** What a file says under each dialect that it is judged by. */
interface FileReading {
  readonly root: string;
  readonly settings: CompileSettings;
  readonly language: "opencl" | "cuda" | undefined;
  /** Empty where the file is not there (yet). */
  readonly readings: readonly { readonly dialect: Dialect; readonly unit: Unit; readonly analysis: Analysis; readonly tree: SyntaxTree }[];
  readonly unread: readonly string[];
}

function readFile(tools: Tools, uri: string): FileReading {
  const root = rootOf(tools, uri).uri;
  const settings = settingsFor(tools, root);
  const language = languageOf(tools, root, uri, settings);
  const reading = { root, settings, language };
  const readings: FileReading["readings"][number][] = [];
  for (const dialect of language === undefined ? [] : dialectsOf(language, settings, root)) {
    const unit = tools.preprocessor.unit(root, dialect, settings, prelude(dialect));
    if (unit === "absent" || unit === "unread") return { ...reading, readings: [], unread: unit === "unread" ? [root] : [] };
    const analysis = analyze({ unit, dialect, focus: uri, syntaxOf: (other, isFocus) => (isFocus || other === unit ? tools.syntax.of(other.uri, other.view.text) : tools.syntax.declarationsOf(other.view.text)), parseText: (text) => tools.syntax.ofText(text) });
    readings.push({ dialect, unit, analysis, tree: tools.syntax.of(unit.uri, unit.view.text) });
  }
  return { ...reading, readings, unread: [...new Set(readings.flatMap(({ unit }) => unreadOf(unit)))] };
}

function checkReading(tools: Tools, uri: string, reading: FileReading): Pick<Checked, "report" | "summary" | "isIncluded" | "undecided"> {
  const { options } = tools;
  const { root, settings, readings, unread } = reading;
  const first = readings[0];
  if (first === undefined) return { report: emptyReport(uri, unread), summary: undefined, isIncluded: undefined, undecided: [] };
  const plausible = plausibleReadings(readings);
  // A header has a tree of its own; what it is read for may be broken elsewhere.
  const unit = unitOf(first.unit, uri) ?? first.unit;
  const tree = unit === first.unit ? first.tree : tools.syntax.of(unit.uri, unit.view.text);
  const dialects = plausible.map(({ dialect }) => dialect);
  const { isIncluded, answer } = tools.includers.ask(uri);
  const file = { uri, text: textOf(options.files, uri), isIncluded };
  const found = plausible.map(({ dialect, analysis }) => runRules(activeRules(options, uri), analysis.facts, dialect, settings.limits, file));
  const severityOf = (finding: Finding) => finding.severity ?? rules.find(({ id }) => id === finding.rule)?.severity ?? "warning";
  const all = mergeDialects(dialects, found, severityOf).map((finding) => toDiagnostic(finding, options)).filter((diagnostic) => diagnostic !== undefined);
  const { kept, used } = applySuppressions(all, tools.suppressionsOf);
  const { now, undecided } = unusedIn(tools, uri, reading, used);
  const unused = now.map((finding) => toDiagnostic(finding, options)).filter((diagnostic) => diagnostic !== undefined);
  return {
    report: {
      uri,
      diagnostics: [...kept, ...unused].sort((a, b) => a.location.span.start - b.location.span.start),
      notes: readings.flatMap(({ unit }) => unit.notes).filter(isFirstOfItsKind),
      dialects,
      understanding: {
        parseErrors: tree.errors.map((span) => unit.view.origin(span).location),
        expressions: first.analysis.expressions,
        unknownExpressions: first.analysis.unknownExpressions,
        ...(settings.standardFrom === undefined ? {} : { standardFrom: settings.standardFrom }),
      },
      itemStarts: itemStarts(unit, tree),
      embedded: 0,
      unread,
      dependencies: [...new Set([root, ...readings.flatMap(({ unit }) => dependenciesOf(unit))])],
    },
    undecided,
    summary: summarize(uri, dependenciesOf(first.unit), first.analysis.facts, first.dialect),
    isIncluded: answer(),
  };
}

/** A file whose units are not kept counts as touched by any change that might matter to it. */
function forgetOldUnits(checked: Map<string, Checked>): void {
  let asking = 0;
  for (const [uri, entry] of [...checked].reverse()) {
    if (entry.asking === "forgotten") break;
    if (entry.asking.length === 0) continue;
    asking += 1;
    if (asking > askingKept) checked.set(uri, { ...entry, asking: "forgotten" });
  }
}

/** A part of a template, or a text in another language, does not parse: nothing is said about it. */
function understood(source: EmbeddedSource, { readings }: FileReading): boolean {
  return source.isCertain || readings.every(({ tree }) => tree.errors.length === 0 && tree.unknownWords.length === 0);
}

/** Where something stands in the host as it is; what literals, escapes or quotes cut apart does not. */
function inOnePiece(source: EmbeddedSource, span: Span): Span | undefined {
  const place = source.toHost(span);
  return place.end - place.start === span.end - span.start ? place : undefined;
}

function textOf(files: Files, uri: string): string {
  const text = files.read(uri);
  return text === "absent" || text === "unread" ? "" : text;
}

function summariesOf(checked: ReadonlyMap<string, Checked>): readonly Summary[] {
  return [...checked.values()].map(({ summary }) => summary).filter((summary) => summary !== undefined);
}

function askingOf({ root, settings, readings }: FileReading): Exclude<Checked["asking"], "forgotten"> {
  return readings.filter(({ unit }) => asksWorkspace(unit)).map(({ dialect, unit }) => ({ root, dialect, settings, unit }));
}

function baseName(uri: string): string {
  return uri.slice(uri.lastIndexOf("/") + 1);
}

/** The file whose translation unit a file is read in: itself, or for a header one that includes it. */
function rootOf(tools: Tools, uri: string): { readonly uri: string } {
  const { preprocessor } = tools;
  for (const candidate of candidatesOf(tools, uri)) {
    const settings = settingsFor(tools, candidate);
    const language = settings.language ?? languageOfName(candidate);
    const dialect = language === undefined ? undefined : dialectsOf(language, settings, candidate)[0];
    const unit = dialect === undefined ? "absent" : preprocessor.unit(candidate, dialect, settings, prelude(dialect));
    if (typeof unit !== "string" && dependenciesOf(unit).includes(uri)) return { uri: candidate };
  }
  return { uri };
}

/** Sources that may include a file; none for what is compiled by itself. */
function candidatesOf({ options, includers }: Tools, uri: string): readonly string[] {
  const isNamed = languageOfName(uri) !== undefined;
  if (isNamed && (options.settingsOf(uri).language !== undefined || !/\.(cuh|clh)$/i.test(uri))) return [];
  return includers.of(uri, includersTried);
}

function languageOf({ options, hosts }: Tools, root: string, uri: string, settings: CompileSettings): "opencl" | "cuda" | undefined {
  const language = languageOfName(root);
  // A file that is one literal as a whole says what is in it, and nothing by itself.
  if (language === "opencl" && hosts.of(uri).length > 0) return undefined;
  return settings.language ?? language ?? languageOfText(uri, options.files.read(uri));
}

function settingsFor({ options }: Tools, root: string): CompileSettings {
  return withHip(options.settingsOf(root), root, () => options.files.read(root));
}

function activeRules(options: ServiceOptions, uri: string): typeof rules {
  const severities = options.rules?.severitiesOf(uri) ?? {};
  return rules.filter(({ id }) => severities[id] !== "off");
}

/** What the author allows without need. Where a file was not fully understood a rule may have missed its finding. */
function unusedIn({ options, suppressionsOf }: Tools, uri: string, { language, readings }: FileReading, used: ReturnType<typeof applySuppressions>["used"]): { readonly now: readonly Finding[]; readonly undecided: readonly Finding[] } {
  const suppressions = suppressionsOf(uri);
  if (suppressions.length === 0 || language === undefined) return { now: [], undecided: [] };
  const isUnderstood = readings.every(({ tree, unit }) => tree.errors.length === 0 && tree.unknownWords.length === 0 && unit.notes.length === 0);
  const active = new Set(activeRules(options, uri));
  const statusOf = (id: string) => {
    const rule = rules.find((candidate) => candidate.id === id);
    if (rule === undefined) return "unknown-rule";
    return isUnderstood && rule.check !== undefined && rule.link === undefined && rule.languages.includes(language) && active.has(rule) ? "decided" : "open";
  };
  const statusAtLink = (id: string) => (isUnderstood && rules.some((rule) => rule.id === id && rule.link !== undefined && rule.languages.includes(language) && active.has(rule)) ? "decided" : "open");
  const isActive = (offset: number) => readings.some(({ unit }) => unit.uri !== uri || unit.view.offsetOf(uri, offset) !== undefined);
  const given = { uri, text: options.files.read(uri), suppressions, used, isActive };
  const named = suppressions.filter(({ rules: allowed }) => allowed.length > 0);
  return { now: unusedSuppressions({ ...given, statusOf }), undecided: unusedSuppressions({ ...given, suppressions: named, statusOf: statusAtLink }) };
}

function toDiagnostic(finding: Finding, options: ServiceOptions): Diagnostic | undefined {
  const configured = options.rules?.severitiesOf(finding.location.uri)[finding.rule];
  if (configured === "off") return undefined;
  const own = finding.severity ?? rules.find(({ id }) => id === finding.rule)?.severity ?? "warning";
  return { ...finding, severity: configured ?? own, related: finding.related ?? [], fixes: finding.fixes ?? [] };
}

function linkSummaries(summaries: readonly Summary[], undecided: readonly Finding[], { options, suppressionsOf }: Tools): ReadonlyMap<string, readonly Diagnostic[]> {
  const result = new Map<string, Diagnostic[]>();
  const needed = new Set<AllowedRule>();
  const put = (diagnostic: Diagnostic) => result.set(diagnostic.location.uri, [...(result.get(diagnostic.location.uri) ?? []), diagnostic]);
  const effects = linkEffects(summaries);
  for (const rule of rules) {
    const add = (reported: LinkFinding) => {
      const diagnostic = toDiagnostic({ rule: rule.id, ...reported }, options);
      if (diagnostic === undefined) return;
      const { kept, used } = applySuppressions([diagnostic], suppressionsOf);
      for (const allowed of used) needed.add(allowed);
      if (kept.length > 0) put(diagnostic);
    };
    rule.link?.(summaries, add, effects);
  }
  const allowedAt = ({ uri, span }: Location) => suppressionsOf(uri).flatMap((suppression) => suppression.rules.filter((allowed) => allowed.span.start === span.start));
  for (const finding of undecided) {
    const diagnostic = allowedAt(finding.location).some((allowed) => needed.has(allowed)) ? undefined : toDiagnostic(finding, options);
    if (diagnostic !== undefined) put(diagnostic);
  }
  return result;
}
