/**
 * Reads one file under every standard that judges it: finds its translation unit and its language, and analyzes it.
 * `check-file.ts` finds the mistakes.
 */
import { createBudget, onBudget, stepsFor, stepsForRules, stepsForSummary, stepsToRead } from "../budget.ts";
import type { ReadFile } from "../diagnostics/analyzed-files.ts";
import { kernelsIn } from "../diagnostics/coverage.ts";
import type { UnparsedSource } from "../diagnostics/embedded-report.ts";
import { type CompileSettings, type Dialect, dialectsOf, isHostSide, type Language, languageOfName } from "../dialect.ts";
import type { EmbeddedSource } from "../embedded/embedded.ts";
import { withoutComments } from "../embedded/join.ts";
import { isOpenCLText } from "../embedded/opencl-texts.ts";
import { hostOf, isEmbedded } from "../names.ts";
import { neutralSource, type Readers } from "../preprocess/includers.ts";
import { ofDevicePass } from "../preprocess/predefined.ts";
import { dependenciesOf, unreadOf } from "../preprocess/preprocessor.ts";
import { codeAt } from "../preprocess/unit-row.ts";
import { unitsIn } from "../preprocess/units.ts";
import type { Unit } from "../preprocess/view/view.ts";
import type { CheckedFile } from "../rules/rule.ts";
import { prelude } from "../semantics/builtins/index.ts";
import { type AnalyzeFilesInput, analyzeFilesInSteps, analyzeInSteps, type FileAnalysis } from "../semantics/units/analyze.ts";
import { meansTheSameAfter } from "../semantics/units/prelude-names.ts";
import { hipSignsOf } from "../settings/hip.ts";
import { languageOfText, withHip, withRuntimeCompilation } from "../settings/languages.ts";
import { withCplusplus } from "../settings/opencl-cplusplus.ts";
import { textOf } from "../source.ts";
import type { Steps } from "../steps.ts";
import type { SyntaxTree } from "../syntax/ast.ts";
import { type TrackedDialect, trackedDialect } from "../tracked-dialect.ts";
import { isHipByHeaders } from "./hip-headers.ts";
import type { Tools } from "./options.ts";

/** How many includers of a header are tried before it is read by itself. */
const includersTried = 8;

/** A file under each dialect that it is judged by. */
export interface AnalyzedFile {
  readonly root: string;
  readonly settings: CompileSettings;
  readonly language: Language | undefined;
  /** Empty if the file does not exist (yet). */
  readonly readings: readonly DialectAnalysis[];
  readonly unread: readonly string[];
}

/** A file under one dialect. */
export interface DialectAnalysis {
  readonly dialect: Dialect;
  readonly unit: Unit;
  readonly analysis: FileAnalysis;
  /** The unit that the facts refer to: this dialect's own, or an equivalent one of another dialect. */
  readonly analyzed: Unit;
  /** The dialect whose address spaces the types in the facts have. */
  readonly analyzedUnder: Dialect;
  readonly tree: SyntaxTree;
  /** The rest of the file's budget, for its rules; negative if the analysis exceeded the budget. */
  readonly stepsLeft: number;
  /** What its analysis took, with the reading of its text. */
  readonly stepsTaken: number;
  /**
   * The questions about the dialect. A dialect with the same answers has the same analysis, and the same of everything else
   * except the unit.
   */
  readonly tracked: TrackedDialect;
}

/** The translation unit, settings and standards for reading a file. */
export interface FileContext extends Pick<AnalyzedFile, "root" | "settings" | "language"> {
  /** The standards that judge it. */
  readonly dialects: readonly Dialect[];
}

/** The files of a candidate's translation unit, as far as that shows whether a header is among them. */
export type FilesReached = (candidate: string, header: string) => Steps<readonly string[]>;

/** The translation unit, the settings and the standards for reading a file, in steps: a few for each source that may include a header. */
export function* contextWith(tools: Tools, uri: string, filesReached: FilesReached): Steps<FileContext> {
  return contextIn(tools, uri, yield* rootOf(tools, uri, filesReached));
}

/** The settings and the standards for reading a file in the translation unit of a source. */
export function contextIn(tools: Tools, uri: string, root: string): FileContext {
  const settings = settingsFor(tools, root);
  const language = languageOf(tools, root, uri, settings);
  const dialects = language === undefined ? [] : dialectsOf(language, settings, root);
  const isSided = isReadForHost(tools, uri, root);
  return { root, settings, language, dialects: isSided ? dialects : dialects.filter((dialect) => !isHostSide(dialect)) };
}

/** True if a CUDA file is read for the host too, in the translation unit of a source. */
export function isReadForHost({ options }: Tools, uri: string, root: string): boolean {
  return [uri, root].some((each) => testsSide.test(textOf(options.files, each)));
}

/**
 * Macros that compilers define for the device alone. Code that tests none of them is the same for the host, unless a header gives it
 * other macros there; such files are read for the device only, because reading them twice takes almost twice the time.
 */
const testsSide = new RegExp(`\\b(?:${[...ofDevicePass].join("|")}|__CUDA_ARCH_\\w+|__HIP_ARCH_\\w+)\\b`);

/** Reads a file under every standard that judges it, in steps, a few for each header. */
export function* readFile(tools: Tools, uri: string): Steps<AnalyzedFile> {
  return yield* readInContext(tools, yield* contextOf(tools, uri), (unit, dialect, shares) => readUnder(tools, uri, unit, dialect, shares));
}

/** Reads a file in the translation unit of a certain source, which includes it. */
export function* readFileIn(tools: Tools, uri: string, root: string): Steps<AnalyzedFile> {
  return yield* readInContext(tools, contextIn(tools, uri, root), (unit, dialect, shares) => readUnder(tools, uri, unit, dialect, shares));
}

/** The context of a file whose unit is read as a whole. */
export function contextOf(tools: Tools, uri: string): Steps<FileContext> {
  return contextWith(tools, uri, (candidate) => filesByText(tools, candidate));
}

/** Reads a file under every standard of its context. */
export function* readInContext(
  tools: Tools,
  { dialects, ...reading }: FileContext,
  readUnit: (unit: Unit, dialect: Dialect, shares: number) => Steps<DialectAnalysis>,
): Steps<AnalyzedFile> {
  const { root, settings } = reading;
  const readings: DialectAnalysis[] = [];
  for (const dialect of dialects) {
    const unit = yield* tools.preprocessor.unitInSteps(root, dialect, settings, prelude(dialect));
    if (typeof unit !== "string") tools.notebook.unit({ unit, paths: settings.includePaths });
    if (unit === "absent" || unit === "unread") return { ...reading, readings: [], unread: unit === "unread" ? [root] : [] };
    yield;
    const alike = readings.find((earlier) => meansTheSame(tools, earlier, unit, dialect));
    // Most files are the same text for the device and for the host.
    if (alike !== undefined && isHostSide(dialect)) continue;
    readings.push(alike === undefined ? yield* readUnit(unit, dialect, sharesOf(dialects)) : { ...alike, dialect, unit });
  }
  return { ...reading, readings, unread: [...new Set(readings.flatMap(({ unit }) => unreadOf(unit)))] };
}

/** The number of dialects that share a file's budget. The compilation for the host has a budget of its own. */
export function sharesOf(dialects: readonly Dialect[]): number {
  return dialects.filter((dialect) => !isHostSide(dialect)).length;
}

/** The greatest number of parts into which a file's budget is split. Most standards agree about a file, so it is rarely read more often. */
const mostShares = 2;

/** Reads a file under one of several dialects in this unit, with a part of the file's budget. */
export function* readUnder(tools: Tools, uri: string, unit: Unit, dialect: Dialect, dialects: number): Steps<DialectAnalysis> {
  yield* parse(tools, unit, new Set([uri]));
  const steps = stepsToAnalyze(tools, uri, dialects);
  const budget = createBudget(steps - stepsToRead(unit.view.text.length));
  const tracked = trackedDialect(dialect);
  const analysis = yield* onBudget(budget, analyzeInSteps({ ...inputOf(tools, unit, tracked), focus: uri }));
  return readingOf(tools, { analysis, unit, dialect, tracked, stepsLeft: budget.left, stepsTaken: steps - budget.left });
}

/**
 * Reads several files of a unit in one analysis. Files are absent from the result if that would leave less of them: their budgets have
 * to be counted file by file.
 */
export function* readTogether(
  tools: Tools,
  uris: readonly string[],
  unit: Unit,
  dialect: Dialect,
  dialects: number,
): Steps<ReadonlyMap<string, DialectAnalysis>> {
  yield* parse(tools, unit, new Set(uris));
  const steps = uris.map((uri) => stepsToAnalyze(tools, uri, dialects) - stepsToRead(unit.view.text.length));
  const all = steps.reduce((sum, each) => sum + each, 0);
  const budget = createBudget(all);
  const tracked = trackedDialect(dialect);
  const analyses = yield* onBudget(budget, analyzeFilesInSteps({ ...inputOf(tools, unit, tracked), focus: uris }));
  const ofFiles = [...analyses.values()].reduce((sum, { steps }) => sum + steps, 0);
  const around = all - budget.left - ofFiles;
  const found = new Map<string, DialectAnalysis>();
  for (const [index, uri] of uris.entries()) {
    const analysis = analyses.get(uri);
    const stepsLeft = (steps[index] ?? 0) - around - (analysis?.steps ?? 0);
    if (analysis === undefined || analysis.endedAt !== undefined || stepsLeft < 0) continue;
    const stepsTaken = stepsToAnalyze(tools, uri, dialects) - stepsLeft;
    found.set(uri, readingOf(tools, { analysis, unit, dialect, tracked, stepsLeft, stepsTaken }));
  }
  return found;
}

function stepsToAnalyze(tools: Tools, uri: string, dialects: number): number {
  return Math.ceil(stepsForFacts(tools, uri) / Math.min(dialects, mostShares));
}

/** The steps for the facts of a file under all of its dialects together. */
function stepsForFacts({ options }: Tools, uri: string): number {
  return stepsFor(textOf(options.files, uri).length) - stepsForRules - stepsForSummary;
}

/** What the analyses of a file have taken together. */
function stepsTakenFor({ readings }: AnalyzedFile): number {
  const taken = new Map(readings.map(({ analysis, stepsTaken }) => [analysis, stepsTaken]));
  return [...taken.values()].reduce((sum, each) => sum + each, 0);
}

/** A longer text is not read twice: that takes too long. */
const longestTwice = 100_000;

/**
 * True if the budget of a file may end in it. Its pieces tell where (`piece-costs.ts`), so that the place is the same for an open file
 * and a closed one, unless the file is very long.
 */
export function mayExceedBudget(tools: Tools, uri: string, reading: AnalyzedFile): boolean {
  if (textOf(tools.options.files, uri).length > longestTwice) return false;
  return reading.readings.some(({ stepsLeft }) => stepsLeft < 0) || stepsTakenFor(reading) > stepsForFacts(tools, uri);
}

/** The steps for the rules on a file under all of its dialects together: as many as if it were read by pieces. */
export function stepsToJudge({ options }: Tools, uri: string, reading: AnalyzedFile): number {
  return Math.max(0, stepsFor(textOf(options.files, uri).length) - stepsTakenFor(reading)) + stepsForRules;
}

function inputOf({ syntax, sharesSpaces }: Tools, unit: Unit, tracked: TrackedDialect): Omit<AnalyzeFilesInput, "focus"> {
  return {
    unit,
    dialect: tracked.dialect,
    ...(sharesSpaces === undefined ? {} : { sharesSpaces: true }),
    syntaxOf: (other, isFocus) =>
      isFocus || other === unit ? syntax.of(other.uri, other.view.text) : syntax.declarationsOf(other.uri, other.view.text),
    parseText: syntax.builtin,
    bodyAt: syntax.bodyAt,
  };
}

function readingOf(
  { syntax }: Tools,
  read: Pick<DialectAnalysis, "analysis" | "unit" | "dialect" | "tracked" | "stepsLeft" | "stepsTaken">,
): DialectAnalysis {
  const { unit, dialect } = read;
  return { ...read, analyzed: unit, analyzedUnder: dialect, tree: syntax.of(unit.uri, unit.view.text) };
}

/** True if the reading under one dialect equals that under another. */
export function meansTheSame({ syntax }: Tools, { tracked, unit }: DialectAnalysis, other: Unit, dialect: Dialect): boolean {
  const [prelude, ...includes] = unit.includes;
  const [otherPrelude, ...otherIncludes] = other.includes;
  return (
    unit.view === other.view &&
    includes.length === otherIncludes.length &&
    includes.every((site, at) => site === otherIncludes[at]) &&
    tracked.agreesWith(dialect) &&
    meansTheSameAfter(prelude?.unit, otherPrelude?.unit, [unit], (header) => syntax.declarationsOf(header.uri, header.view.text))
  );
}

/** The readings that editor features show: they explain device code. */
export function shownReadings(readings: AnalyzedFile["readings"]): ReadFile["readings"] {
  const shown = readings.filter(({ dialect }) => !isHostSide(dialect));
  return shown.map(({ dialect, analyzed, analysis }) => ({ dialect, unit: analyzed, facts: analysis.facts, names: analysis.names }));
}

/** Parses a unit and its headers, those in focus with their bodies, so that their trees are available immediately. */
function* parse({ syntax }: Tools, root: Unit, focus: ReadonlySet<string>): Steps<void> {
  for (const unit of unitsIn(root)) {
    const { uri, view } = unit;
    if (unit === root || focus.has(uri)) yield* syntax.ofInSteps(uri, view.text);
    else yield* syntax.declarationsInSteps(uri, view.text);
    yield;
  }
}

/** True if an embedded source can be judged. A part of a template, or a text in another language, does not parse. */
export function understood(source: EmbeddedSource, { readings }: AnalyzedFile): boolean {
  return source.isCertain || readings.every(({ tree }) => tree.errors.length === 0 && tree.unknownWords.length === 0);
}

/** The embedded sources that cannot be judged. The readings are in the order of the sources. */
export function unparsedIn(sources: readonly EmbeddedSource[], readings: readonly AnalyzedFile[]): readonly UnparsedSource[] {
  return sources.flatMap((source, index) => {
    const reading = readings[index];
    if (reading === undefined || understood(source, reading)) return [];
    const [at] = reading.readings.flatMap(({ unit, tree }) => [...tree.errors, ...tree.unknownWords].map((span) => codeAt({ unit, span })));
    return at === undefined ? [] : [{ kernels: kernelsIn(withoutComments(source.text)), at }];
  });
}

/** The file in whose translation unit a file is read: itself, or for a header one that includes it. */
function* rootOf(tools: Tools, uri: string, filesReached: FilesReached): Steps<string> {
  for (const candidate of candidatesOf(tools, uri)) if ((yield* filesReached(candidate, uri)).includes(uri)) return candidate;
  return uri;
}

/** The files of a source's translation unit, which is read as a whole under its first standard. */
export function* filesByText(tools: Tools, uri: string): Steps<readonly string[]> {
  const settings = settingsFor(tools, uri);
  const language = languageOf(tools, uri, uri, settings);
  const dialect = language === undefined ? undefined : dialectsOf(language, settings, uri)[0];
  const unit = dialect === undefined ? "absent" : yield* tools.preprocessor.unitInSteps(uri, dialect, settings, prelude(dialect));
  if (typeof unit === "string") return [];
  tools.notebook.unit({ unit, paths: settings.includePaths });
  return dependenciesOf(unit);
}

/** Sources that may include a file, which may be a source itself; none if the settings say that it is compiled. */
export function candidatesOf({ options, includers }: Tools, uri: string): readonly string[] {
  const chosen = options.programsOf?.(uri);
  if (chosen !== undefined) return chosen;
  const language = languageOfName(uri);
  const settings = options.settingsOf(uri);
  if (language !== undefined && (settings.language !== undefined || settings.isCompiled === true)) return [];
  const found = includers.of(uri, includersTried);
  // A source is compiled if only a program in another language includes it, which wants its text.
  const isHeader = language === undefined || /\.(cuh|clh)$/i.test(uri);
  return isHeader ? found : found.filter((candidate) => languageOfName(candidate) === language);
}

/**
 * The rules' question whether a compiler for the device compiles a file that was read in the translation unit of a source. A header that
 * is a unit of its own may be device code by its words alone.
 */
export function compiledFor({
  uri,
  root,
  settings,
  readers,
}: Pick<AnalyzedFile, "root" | "settings"> & { readonly uri: string; readers(): Readers }): CheckedFile["compiledFor"] {
  const isCertain = settings.language !== undefined || settings.isCompiled === true || languageOfName(uri) !== undefined;
  if (root !== uri || isCertain || isEmbedded(uri) || neutralSource.test(uri)) return () => "device";
  return () => (readers() === "host" ? "host" : "unknown");
}

function languageOf(tools: Tools, root: string, uri: string, settings: CompileSettings): Language | undefined {
  const { options, hosts } = tools;
  // If the whole file is one literal, the contents of the literal are judged instead of the file itself.
  if (languageOfName(root) === "opencl" && hosts.of(uri).length > 0) return undefined;
  return namedLanguage(tools, root, settings) ?? languageOfText(uri, options.files.read(uri));
}

/** The language that the settings or the name of a source imply, unless its text is in another one. */
export function namedLanguage({ options }: Tools, uri: string, settings: CompileSettings): Language | undefined {
  const language = settings.language ?? languageOfName(uri);
  const mayBeOther = language === "opencl" && settings.language === undefined && !isEmbedded(uri);
  return mayBeOther && !isOpenCLText(options.files.read(uri)) ? undefined : language;
}

/** The settings of a source. */
export function settingsFor(tools: Tools, root: string): CompileSettings {
  const { options } = tools;
  const text = (): string => options.files.read(root);
  const host = hostOf(root);
  const own = options.settingsOf(root);
  const settings = withHip(own, root, text, (signs) => {
    if (host === root) return isHipByHeaders(tools, root, signs, own.includePaths);
    // A source in a literal includes headers that the host names, and is compiled by what the host calls.
    return signs.kind === undefined && hipSignsOf(options.files.read(host)).kind === "hip";
  });
  const isCuda = (settings.language ?? languageOfName(root) ?? languageOfText(root, text())) === "cuda";
  if (isCuda) return withRuntimeCompilation(settings, text, () => (host === root ? undefined : options.files.read(host)));
  return withCplusplus(settings, root, text);
}
