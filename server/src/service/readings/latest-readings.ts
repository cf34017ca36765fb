/**
 * The readings of the file that was requested last, and of the sources in its literals with their results. Facts are large, so those
 * of one file are kept: an editor asks about the same file again and again. Background checks do not replace them.
 */
import type { CompileSettings } from "../../dialect.ts";
import { meaningOf } from "../../encoding.ts";
import { hostOf, isEmbedded } from "../../names.ts";
import type { Steps } from "../../steps.ts";
import { affectedBy, type Change } from "../checked.ts";
import type { CheckOutcome } from "../file-result.ts";
import type { Tools } from "../options.ts";
import { type AnalyzedFile, readFile } from "../read-file.ts";
import { newRecording, type Questions, type ReadSet, type Recorder, type Recording, readSetOf } from "../read-set.ts";

/** The readings of the latest requested host. */
export interface LatestReadings {
  /** The file or the source, as it is read now. */
  of(uri: string): Steps<AnalyzedFile>;
  /** What `check` finds in a source; kept with the reading of the source, if that is kept. */
  outcomeOf(source: string, check: () => Steps<CheckOutcome>): Steps<CheckOutcome>;
  /** Forgets what a change affects. `isStale` says whether the host has to be checked again. */
  forget(change: Change, isStale: (host: string) => boolean): void;
  clear(): void;
}

/** A result with what its computation has asked. */
interface Answered<Result> {
  readonly result: Result;
  readonly recording: Recording;
  /** For a source: its questions, and the answers about settings. A host is read again after each of its changes. */
  readonly asked?: { readonly readSet: ReadSet; readonly settings: string };
}

interface Kept {
  readonly reading: Answered<AnalyzedFile>;
  outcome?: Answered<CheckOutcome>;
}

/** Creates readings of no file. */
export function createLatestReadings(tools: Tools, recorder: Recorder, questions: Questions): LatestReadings {
  const { options } = tools;
  let latest: { readonly host: string; readonly kept: Map<string, Kept> } | undefined;
  const keptOf = (uri: string): Kept | undefined => (latest?.host === hostOf(uri) ? latest.kept.get(uri) : undefined);
  const repeated = <Result>({ result, recording }: Answered<Result>): Result => {
    recorder.repeat(recording);
    return result;
  };
  const settingsOf = (names: readonly string[]): string => meaningOf(names.map(questions.settingsOf));
  const answered = function* <Result>(
    uri: string,
    work: Steps<Result>,
    readersIn: (result: Result) => ReadSet["readers"] = () => undefined,
  ): Steps<Answered<Result>> {
    const recording = newRecording();
    const result = yield* recorder.during(recording, work);
    if (!isEmbedded(uri)) return { result, recording };
    const answers = { candidates: questions.candidatesOf(uri), readers: readersIn(result) };
    // The texts of sources are compared one by one, so each keeps its own name.
    const readSet = readSetOf(recording, { ...answers, hostOf: (name) => name });
    return { result, recording, asked: { readSet, settings: settingsOf(readSet.configured) } };
  };
  return {
    of: function* (uri) {
      const known = keptOf(uri);
      if (known !== undefined) return repeated(known.reading);
      const reading = yield* answered(uri, readFile(tools, uri));
      const host = hostOf(uri);
      if (options.isOpen?.(host) !== false) {
        if (latest?.host !== host) latest = { host, kept: new Map() };
        latest.kept.set(uri, { reading });
      }
      return repeated(reading);
    },
    outcomeOf: function* (source, check) {
      const known = keptOf(source)?.outcome;
      if (known !== undefined) return withStandardFrom(repeated(known), options.settingsOf(source));
      const outcome = yield* answered(source, check(), ({ readers }) => readers);
      const kept = keptOf(source);
      if (kept !== undefined) kept.outcome = outcome;
      return repeated(outcome);
    },
    forget: (change, isStale) => {
      if (latest === undefined || !isStale(latest.host)) return;
      const { kept } = latest;
      const isAffected = affectedBy(change, questions);
      const holds = (uri: string, { asked }: Answered<unknown>): boolean =>
        asked !== undefined && !isAffected(uri, asked) && settingsOf(asked.readSet.configured) === asked.settings;
      for (const [uri, { reading, outcome }] of kept)
        if (!holds(uri, reading) || (outcome !== undefined && !holds(uri, outcome))) kept.delete(uri);
    },
    clear: () => {
      latest = undefined;
    },
  };
}

/** The outcome of a source whose standard the settings infer, perhaps from its host, in which an edit moves the place. */
function withStandardFrom(outcome: CheckOutcome, { standardFrom }: CompileSettings): CheckOutcome {
  const { report } = outcome;
  const known = report.understanding.standardFrom;
  if (known === undefined || standardFrom === undefined || known.uri !== standardFrom.uri) return outcome;
  return { ...outcome, report: { ...report, understanding: { ...report.understanding, standardFrom } } };
}
