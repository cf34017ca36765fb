/**
 * The core's one door: give it files, ask it for findings. It is synchronous and does no I/O. Every host (language server,
 * worker, command line, tests) uses this and nothing below it. Offsets are UTF-16 in the author's text.
 */
import type { FilePart, PartFacts, ReadFile } from "./diagnostics/analyzed-files.ts";
import { completeFix, fixesAt } from "./diagnostics/complete-fix.ts";
import { reportInHost } from "./diagnostics/embedded-report.ts";
import type { FileReport } from "./diagnostics/file-report.ts";
import { rememberSuppressions } from "./diagnostics/suppressions.ts";
import { declarationsAt } from "./editor/declarations.ts";
import { hoverAt, nameHoverAt } from "./editor/hover.ts";
import type { Refactoring } from "./editor/refactor/refactoring.ts";
import { refactoringsAt } from "./editor/refactor/refactorings.ts";
import type { EmbeddedSource } from "./embedded/embedded.ts";
import { createEmbeddedHosts } from "./embedded/hosts.ts";
import type { Diagnostic, Fix } from "./finding.ts";
import { hostOf } from "./names.ts";
import { dependenciesOf } from "./preprocess/dependencies.ts";
import { createIncluders } from "./preprocess/includers.ts";
import { createPreprocessor } from "./preprocess/preprocessor.ts";
import { builtinsOf } from "./service/builtins.ts";
import { affectedBy, type Change, summariesOf } from "./service/checked.ts";
import type { CheckOutcome, FileCheck } from "./service/file-result.ts";
import { checkWhole, createGlances, type Glance } from "./service/glance.ts";
import { linkSummaries } from "./service/link.ts";
import { createListing } from "./service/listing.ts";
import { inOnePiece } from "./service/one-piece.ts";
import type { ServiceOptions, Tools } from "./service/options.ts";
import { factsOfPieces, type PieceAround, pieceAround } from "./service/piece-features.ts";
import type { PieceFile } from "./service/piece-file.ts";
import { createOtherPrograms } from "./service/programs/other-programs.ts";
import { type AnalyzedFile, candidatesOf, readFile, shownReadings, understood, unparsedIn } from "./service/read-file.ts";
import { createRecorder, newRecording, type Questions, readSetOf, shareTexts } from "./service/read-set.ts";
import { createLatestReadings } from "./service/readings/latest-readings.ts";
import { createNeighbors } from "./service/readings/neighbors.ts";
import { createReadAround } from "./service/readings/read-around.ts";
import { filesSeeing } from "./service/seeing-files.ts";
import { isCudaSource } from "./settings/languages.ts";
import { type Files, type FileUri, type Location, type SourceSpan, textOf } from "./source.ts";
import { inOneGo, type Steps, startingOver } from "./steps.ts";
import { linkDependents } from "./summary/link-dependents.ts";
import { createSharing } from "./summary/shared-parts.ts";
import { createSyntaxCache } from "./syntax/cache.ts";

export type { FileReport, Understanding } from "./diagnostics/file-report.ts";
export { isFileCheck } from "./service/file-check-form.ts";
export type { FileCheck } from "./service/file-result.ts";
export type { Glance } from "./service/glance.ts";
export type { RuleSettings, ServiceOptions } from "./service/options.ts";
export { type Questions, type ReadSet, shareTexts } from "./service/read-set.ts";

/** The content of a hover, and the span that it describes. */
export interface HoverContent {
  /** Markdown. */
  readonly markdown: string;
  readonly span: SourceSpan;
}

/** The core's one door. */
export interface Service {
  /** Findings of one file, including those of the workspace's link that lie in it, as far as its files have been checked. */
  check(uri: FileUri): FileReport;
  /** `check` in steps, for a host that does other work in between. It starts over if a file changes meanwhile. */
  checkInSteps(uri: FileUri): Steps<FileReport>;
  /**
   * The diagnostics of an open file that are valid immediately after an edit, from its last complete check and the last link's findings in it.
   * Undefined if a complete check is needed. The result of `checkInSteps` replaces it.
   */
  glance(uri: FileUri, linked: readonly Diagnostic[]): Glance | undefined;
  /**
   * The diagnostics that the first `checkInSteps` of an open file has found so far. Later steps only add to them. Empty where
   * nothing can be said before the end, and after it.
   */
  foundSoFar(uri: FileUri): readonly Diagnostic[];
  /** Prepares `read` and `parts` of an open file, so that the next call of them answers immediately. */
  readInSteps(uri: FileUri): Steps<void>;
  /** Reads an open file by pieces if its known result was made otherwise, so that `glance` can answer after its next edit. */
  prepareGlance(uri: FileUri): Steps<void>;
  /** Prepares `hover`, `declarations` and `partFacts` of an open file; after a check, this costs nothing if it was read by pieces. */
  factsInSteps(uri: FileUri): Steps<void>;
  /**
   * `check`, with what the link needs of the file: plain data that a service of the same project can take over, in this thread or another.
   * For checks of many files: releases what was cached for this file.
   */
  checkInBatch(uri: FileUri): FileCheck;
  /** The files of the next calls of `checkInBatch`, in their order. Headers among them that one source includes are then read together. */
  announceBatch(uris: readonly FileUri[]): void;
  /** Takes over the result of `checkInBatch` for a file of the same project, in place of a `check` here. */
  addCheck(check: FileCheck): void;
  /** Answers what checks ask of their host and of the workspace, so that results of earlier checks can be tested. */
  readonly questions: Questions;
  /**
   * Findings that need more than one file (declarations that disagree across translation units), over every file that was checked
   * since the last `changed`. Keyed by uri; files without findings are absent. `isWhole` says that these files are the whole
   * program: then a comment that allows a missing finding of this kind is reported as unused.
   */
  link(isWhole?: boolean): ReadonlyMap<string, readonly Diagnostic[]>;
  hover(uri: FileUri, offset: number): HoverContent | undefined;
  /** The files as the core reads them, including the sources that are embedded in them. */
  readonly files: Files;
  /** The file in the form that the features of `editor/` need. */
  read(uri: FileUri): ReadFile;
  /** Every listed file that may see what one of these files declares. It costs less than to read the files. */
  filesSeeing(uris: Iterable<FileUri>): ReadonlySet<FileUri>;
  /** `read`, as a build reads it that takes the branches of conditionals around an offset. */
  readAround(uri: FileUri, offset: number): ReadFile;
  /** The file itself, followed by the sources in its literals in order. */
  parts(uri: FileUri): readonly FilePart[];
  /** `parts` in steps. */
  partsInSteps(uri: FileUri): Steps<readonly FilePart[]>;
  /** Like `parts`, for features that need facts and no units. */
  partFacts(uri: FileUri): readonly PartFacts[];
  /** The source that is being edited at an offset of a file, and the offset in it: the file itself, or a source in one of its literals. */
  partAt(uri: FileUri, offset: number): { readonly part: FilePart; readonly offset: number };
  /** The names of all declarations of the function at the offset, in every file that was checked. */
  declarations(uri: FileUri, offset: number): readonly Location[];
  /** Fixes of the diagnostics that touch the span. */
  fixes(uri: FileUri, span: SourceSpan): readonly { readonly diagnostic: Diagnostic; readonly fix: Fix }[];
  /** Refactorings at the span, which need no finding, with the edits of every affected file. */
  refactorings(uri: FileUri, span: SourceSpan): readonly Refactoring[];
  /** A diagnostic's fix, completed by the edits that other files need; undefined if one of them cannot follow. */
  complete(uri: FileUri, fix: Fix): Fix | undefined;
  /** These files were edited, created or deleted. Returns the checked files whose answers may differ now. */
  changed(uris: readonly FileUri[]): readonly string[];
  /** Frees every tree. */
  dispose(): void;
}

/** Places in a file that is not embedded in another. */
const placesOfFile: Omit<FilePart, "file" | "text"> = {
  isEmbedded: false,
  inFile: (span) => span,
  locate: (location) => location,
  edit: (edit) => edit,
};

/** Creates the service of one workspace. It keeps its results until `changed` or `dispose`, and reads files only through its options. */
export function createService(given: ServiceOptions): Service {
  const hosts = createEmbeddedHosts(given.files);
  const recorder = createRecorder({ ...given, files: hosts.files });
  const { options } = recorder;
  const builtins = builtinsOf(options.parser);
  // Their questions are recorded by themselves: what they read is used for many files.
  const preprocessor = createPreprocessor(hosts.files, builtins.preludes);
  const syntax = createSyntaxCache(options.parser, builtins.trees);
  const includers = createIncluders(hosts.files, isCudaSource);
  const suppressionsOf = rememberSuppressions(options.files);
  const listing = createListing(hosts.files);
  const tools: Tools = { options, notebook: recorder.notebook, preprocessor, syntax, includers, hosts, suppressionsOf };
  const neighbors = createNeighbors(recorder);
  const glances = createGlances(tools);
  const withOthers = createOtherPrograms(tools, neighbors);
  const questions: Questions = {
    answersTo: preprocessor.answersTo,
    definitionsOf: preprocessor.definitionsOf,
    enabledExtensions: preprocessor.enabledExtensions,
    candidatesOf: (uri) => candidatesOf(tools, uri),
    readersOf: includers.readersOf,
    settingsOf: given.settingsOf,
    severitiesOf: (uri) => given.rules?.severitiesOf(uri) ?? {},
  };
  const checked = new Map<string, FileCheck>();
  const share = createSharing();
  const shareNames = shareTexts();
  // The files that have to be checked again; until then the link uses their last results.
  const stale = new Set<string>();
  const validCheck = (uri: string): FileCheck | undefined => (stale.has(uri) ? undefined : checked.get(uri));
  const readings = createLatestReadings(tools, recorder, questions);
  // Nothing but a report comes from a reading in which standards share address spaces.
  const readWith = (using: Tools, uri: string): Steps<AnalyzedFile> => (using === tools ? readings.of(uri) : neighbors.read(using, uri));
  const readingOf = (uri: string): AnalyzedFile => inOneGo(readings.of(uri));
  const understoodIn = (host: string) => hosts.of(host).filter((source) => understood(source, readingOf(source.uri)));
  const read = (uri: string, { settings, readings }: AnalyzedFile = readingOf(uri)): ReadFile => {
    return { uri, settings, readings: shownReadings(readings) };
  };
  const around = createReadAround(tools, (using, uri) => inOneGo(recorder.during(newRecording(), readFile(using, uri))), read);
  const readAround = (uri: string, offset: number): ReadFile => around.of(read(uri), offset);
  const nameHover = (uri: string, offset: number) => {
    const file = readAround(uri, offset);
    return hoverAt(file, offset) ?? nameHoverAt(file, offset, { files: options.files, locate: hosts.locate });
  };
  /** The pieces of an open file, if its last check is still valid. */
  const piecesOf = (uri: string): PieceFile | undefined => (validCheck(uri) === undefined ? undefined : glances.checkedFile(uri));
  const pieceAt = (uri: string, offset: number): PieceAround | undefined => {
    const pieces = piecesOf(uri);
    return pieces === undefined ? undefined : pieceAround(pieces, offset);
  };
  const wholeFile = (uri: string, reading?: AnalyzedFile): FilePart => ({
    ...placesOfFile,
    locate: hosts.locate,
    file: read(uri, reading),
    text: textOf(options.files, uri),
  });
  const embeddedPart = (source: EmbeddedSource, reading?: AnalyzedFile): FilePart => ({
    file: read(source.uri, reading),
    text: source.text,
    isEmbedded: true,
    inFile: (span) => inOnePiece(source, span),
    locate: hosts.locate,
    edit: hosts.edit,
  });
  /** The link takes the files in the order of their latest requests. */
  const remember = (uri: string, entry: FileCheck): void => {
    checked.delete(uri);
    checked.set(uri, entry);
  };
  const keep = (uri: string, entry: FileCheck): FileCheck => {
    remember(uri, entry);
    glances.note(uri, entry.report.diagnostics);
    stale.delete(uri);
    listing.remember();
    return entry;
  };
  const checkInSteps = function* (uri: string, using: Tools = tools): Steps<FileCheck> {
    const known = validCheck(uri);
    if (known !== undefined) {
      remember(uri, known);
      return known;
    }
    const recording = newRecording();
    const { readers, ...result } = yield* recorder.during(recording, outcomeInSteps(uri, using));
    const readSet = readSetOf(recording, { candidates: candidatesOf(tools, uri), readers, hostOf });
    return keep(uri, { ...result, readSet });
  };
  const outcomeInSteps = function* (uri: string, using: Tools): Steps<CheckOutcome> {
    const whole = function* (): Steps<CheckOutcome> {
      return yield* checkWhole(using, uri, yield* readWith(using, uri));
    };
    const pieces = options.isOpen?.(uri) === true ? yield* glances.check(uri) : undefined;
    const result = yield* withOthers(using, uri, pieces ?? (yield* whole()));
    const sources = hosts.of(uri);
    if (sources.length === 0) return result;
    const read: AnalyzedFile[] = [];
    const inside: FileReport[] = [];
    for (const source of sources) {
      const reading = yield* readWith(using, source.uri);
      read.push(reading);
      if (!understood(source, reading)) continue;
      const check = function* (): Steps<CheckOutcome> {
        return yield* withOthers(using, reading.root, yield* checkWhole(using, reading.root, reading));
      };
      inside.push((yield* using === tools ? readings.outcomeOf(source.uri, check) : check()).report);
    }
    const report = reportInHost(result.report, inside, hosts, suppressionsOf, unparsedIn(sources, read));
    // A change of their headers may make sources readable that were not understood.
    const files = read.flatMap(({ readings }) => readings.flatMap(({ unit }) => dependenciesOf(unit))).map(hostOf);
    return { ...result, report: { ...report, dependencies: [...new Set([...report.dependencies, ...files])] } };
  };
  const reportInSteps = function* (uri: string): Steps<FileReport> {
    return (yield* checkInSteps(uri)).report;
  };
  const factsInSteps = function* (uri: string): Steps<void> {
    yield* checkInSteps(uri);
    yield* readInSteps(uri, piecesOf(uri) !== undefined);
  };
  const readInSteps = function* (uri: string, isByPieces = false): Steps<void> {
    for (const source of [...hosts.of(uri), ...(isByPieces ? [] : [{ uri }])]) yield* readings.of(source.uri);
  };
  const partsInSteps = function* (uri: string): Steps<readonly FilePart[]> {
    const parts = [wholeFile(uri, yield* readings.of(uri))];
    for (const source of hosts.of(uri)) {
      const reading = yield* readings.of(source.uri);
      if (understood(source, reading)) parts.push(embeddedPart(source, reading));
    }
    return parts;
  };
  const parts = (uri: string): readonly FilePart[] => inOneGo(partsInSteps(uri));
  const prepareGlance = function* (uri: string): Steps<void> {
    if (piecesOf(uri) === undefined) stale.add(uri);
    yield* checkInSteps(uri);
  };
  // Counts changes; work in steps starts over when it has advanced.
  let changes = 0;
  const unlessChanged = <Result>(start: () => Steps<Result>): Steps<Result> => startingOver(start, () => changes);
  return {
    check: (uri) => inOneGo(reportInSteps(uri)),
    checkInSteps: (uri) => unlessChanged(() => reportInSteps(uri)),
    glance: glances.of,
    foundSoFar: glances.soFar,
    readInSteps: (uri) => unlessChanged(() => readInSteps(uri)),
    factsInSteps: (uri) => unlessChanged(() => factsInSteps(uri)),
    prepareGlance: (uri) => unlessChanged(() => prepareGlance(uri)),
    checkInBatch: (uri) => {
      const isKnown = validCheck(uri) !== undefined;
      const { report, summary, undecided, elsewhere, readSet } = inOneGo(checkInSteps(uri, { ...tools, sharesSpaces: true }));
      syntax.release(uri);
      if (!isKnown) {
        checked.delete(uri);
        // The tokens of a header are compared with those of its units wherever it is included.
        if (readSet.candidates.length === 0) preprocessor.release(uri);
      }
      return { report, summary: share(summary), undecided, elsewhere, readSet };
    },
    announceBatch: neighbors.announceBatch,
    addCheck: ({ readSet, summary, ...check }) =>
      remember(check.report.uri, { ...check, readSet: shareNames(readSet), summary: share(summary) }),
    questions,
    link: (isWhole = false) =>
      linkSummaries(summariesOf(checked), isWhole ? [...checked.values()].flatMap(({ undecided }) => undecided) : [], tools, checked),
    files: options.files,
    hover: (uri, offset) => {
      for (const source of understoodIn(uri)) {
        const at = source.fromHost(offset);
        const content = at === undefined ? undefined : (hoverAt(read(source.uri), at) ?? nameHover(source.uri, at));
        if (content !== undefined) return { markdown: content.markdown, span: source.toHost(content.span) };
      }
      const { piece, start = 0 } = pieceAt(uri, offset) ?? {};
      const content = piece === undefined ? undefined : hoverAt(piece, offset - start);
      if (content === undefined) return nameHover(uri, offset);
      return { ...content, span: { start: start + content.span.start, end: start + content.span.end } };
    },
    read,
    filesSeeing: (uris) => filesSeeing(tools, uris),
    readAround,
    parts,
    partsInSteps: (uri) => unlessChanged(() => partsInSteps(uri)),
    partFacts: (uri) => {
      const pieces = piecesOf(uri);
      if (pieces === undefined) return parts(uri);
      const own = { ...placesOfFile, file: factsOfPieces(pieces), text: pieces.row.text };
      return [own, ...understoodIn(uri).map((source) => embeddedPart(source))];
    },
    partAt: (uri, offset) => {
      const source = hosts.around(uri, offset);
      if (source === undefined) return { part: { ...wholeFile(uri), file: readAround(uri, offset) }, offset };
      const before = source.fromHost(offset - 1);
      const inside = source.fromHost(offset) ?? (before === undefined ? 0 : before + 1);
      return { part: { ...embeddedPart(source), file: readAround(source.uri, inside) }, offset: inside };
    },
    declarations: (uri, offset) => {
      for (const source of understoodIn(uri)) {
        const at = source.fromHost(offset);
        const found = at === undefined ? [] : declarationsAt(read(source.uri), at, []);
        if (found.length > 0) return found.map(hosts.locate);
      }
      const { piece = read(uri), start = 0 } = pieceAt(uri, offset) ?? {};
      const kernels = summariesOf(checked).flatMap((summary) => summary.kernels);
      return declarationsAt(piece, offset - start, kernels);
    },
    fixes: (uri, span) => fixesAt(checked.get(uri)?.report.diagnostics ?? [], span, (fix) => completeFix(fix, uri, options.files, read)),
    refactorings: (uri, span) => {
      const summaryOf = (other: string) => (validCheck(other) ?? inOneGo(checkInSteps(other))).summary;
      const context = { files: options.files, read, summaryOf, summaries: () => summariesOf(checked) };
      for (const source of understoodIn(uri)) {
        const start = source.fromHost(span.start);
        if (start === undefined) continue;
        const inside = { start, end: source.fromHost(span.end) ?? start };
        return refactoringsAt(source.uri, inside, context).flatMap((each) => {
          const edits = each.edits.map(hosts.edit);
          return edits.every((edit) => edit !== undefined) ? [{ ...each, edits }] : [];
        });
      }
      return refactoringsAt(uri, span, context);
    },
    complete: (uri, fix) => completeFix(fix, uri, options.files, read),
    changed: (uris) => {
      changes += 1;
      around.forget();
      const moved = listing.moved(uris);
      neighbors.forget();
      const texts = hosts.forget(uris);
      syntax.forget(texts);
      const definitions = preprocessor.forget(texts);
      const mayBeIncluded = includers.forget(uris);
      const change: Change = { uris: new Set(texts), moved, definitions, mayBeIncluded };
      const isAffected = affectedBy(change, questions);
      const invalidated = [...checked].filter(([uri, entry]) => isAffected(uri, entry));
      // The other files' statements about a deleted file are dropped.
      const summaries = summariesOf(checked);
      const before = uris.map((uri) => ({ summary: checked.get(uri)?.summary, text: options.files.read(uri) }));
      for (const uri of uris) checked.delete(uri);
      for (const [uri] of invalidated) stale.add(uri);
      readings.forget(change, (host) => validCheck(host) === undefined);
      const affected = invalidated.map(([uri]) => uri);
      return [...new Set([...affected, ...linkDependents(summaries, before, new Set([...uris, ...affected]))])];
    },
    dispose: () => {
      readings.clear();
      syntax.dispose();
    },
  };
}
