/**
 * Reads headers of one translation unit together, for a host that checks many files: it says which ones follow, and those that follow
 * each other in the context of one source share its analysis. Alone, each of a thousand headers would bind the thousand others.
 */
import type { Dialect } from "../../dialect.ts";
import { textOf } from "../../source.ts";
import type { Steps } from "../../steps.ts";
import type { Tools } from "../options.ts";
import {
  type AnalyzedFile,
  contextIn,
  contextOf,
  type DialectAnalysis,
  type FileContext,
  readInContext,
  readTogether,
  readUnder,
} from "../read-file.ts";
import { newRecording, type Recorder, type Recording } from "../read-set.ts";

/** The greatest total length of files that are read together, because their facts are kept until they are checked. */
const mostTogether = 400_000;

/** In how many programs files are read ahead: the first one of each, and further ones that judge it too. */
const mostPrograms = 16;

/** A further program that judges files. */
export interface FurtherProgram {
  readonly root: string;
  /** The further programs of another file. */
  programsOf(uri: string): Steps<readonly string[]>;
}

/** Reads files in the order that the host has announced. */
export interface Neighbors {
  /** These files follow, in this order. */
  announceBatch(uris: readonly string[]): void;
  /** A file's reading in its first program, or in a further one; it is used once. */
  read(tools: Tools, uri: string, program?: FurtherProgram): Steps<AnalyzedFile>;
  /** Texts have changed: nothing that was read ahead holds. */
  forget(): void;
}

/** A file that was read with its neighbors, and what its context and the reading have asked. */
interface ReadAhead {
  readonly reading: AnalyzedFile;
  readonly recordings: readonly Recording[];
}

/** A file that follows in the unit of another. */
interface Member {
  readonly uri: string;
  readonly context: FileContext;
  readonly recording: Recording;
}

/** Creates neighbors without expectations. */
export function createNeighbors(recorder: Recorder): Neighbors {
  let order: readonly string[] = [];
  let places: ReadonlyMap<string, number> = new Map();
  /** By the source of a further program; "" for the first program of each file. */
  const ahead = new Map<string, Map<string, ReadAhead>>();
  const programs = new Map<string, readonly string[]>();
  const isJudgedIn = function* (uri: string, { root, programsOf }: FurtherProgram): Steps<boolean> {
    const known = programs.get(uri) ?? (yield* programsOf(uri));
    programs.set(uri, known);
    return known.includes(root);
  };
  const membersAfter = function* (tools: Tools, first: Member, program: FurtherProgram | undefined): Steps<readonly Member[]> {
    const members = [first];
    let length = 0;
    for (let at = (places.get(first.uri) ?? order.length) + 1; at < order.length; at += 1) {
      const uri = order[at] ?? "";
      // The check of that file asks again for its programs.
      if (program !== undefined && !(yield* recorder.during(newRecording(), isJudgedIn(uri, program)))) continue;
      const recording = newRecording();
      const { context, text } = yield* recorder.during(recording, contextAndText(tools, uri, program));
      length += text.length;
      if (uri === context.root || length > mostTogether || !isSameContext(context, first.context)) break;
      members.push({ uri, context: first.context, recording });
    }
    return members;
  };
  return {
    announceBatch: (uris) => {
      order = uris;
      places = new Map(uris.map((uri, at) => [uri, at]));
    },
    forget: () => {
      ahead.clear();
      programs.clear();
      order = [];
      places = new Map();
    },
    read: function* (tools, uri, program) {
      const key = program?.root ?? "";
      const known = ahead.get(key)?.get(uri);
      if (known !== undefined) {
        ahead.get(key)?.delete(uri);
        known.recordings.forEach(recorder.repeat);
        return known.reading;
      }
      ahead.delete(key);
      const own = newRecording();
      const context = yield* recorder.during(own, contextFor(tools, uri, program));
      recorder.repeat(own);
      const first = { uri, context, recording: own };
      const members = context.root === uri ? [first] : yield* membersAfter(tools, first, program);
      const recording = newRecording();
      const readings = yield* recorder.during(recording, readAll(tools, members));
      recorder.repeat(recording);
      const others = new Map<string, ReadAhead>();
      for (const [index, { uri: other, recording: ofContext }] of members.entries()) {
        const reading = readings[index];
        if (other !== uri && reading !== undefined) others.set(other, { reading, recordings: [ofContext, recording] });
      }
      if (others.size > 0) ahead.set(key, others);
      // The program that was read longest ago is the first.
      for (const oldest of [...ahead.keys()].slice(0, -mostPrograms)) ahead.delete(oldest);
      return readings[0] as AnalyzedFile;
    },
  };
}

/** Where a file is read in its first program, or in a further one. */
function* contextFor(tools: Tools, uri: string, program: FurtherProgram | undefined): Steps<FileContext> {
  return program === undefined ? yield* contextOf(tools, uri) : contextIn(tools, uri, program.root);
}

function* contextAndText(
  tools: Tools,
  uri: string,
  program: FurtherProgram | undefined,
): Steps<{ readonly context: FileContext; readonly text: string }> {
  return { context: yield* contextFor(tools, uri, program), text: textOf(tools.options.files, uri) };
}

function isSameContext(a: FileContext, b: FileContext): boolean {
  return (
    a.root === b.root &&
    a.language === b.language &&
    a.dialects.length === b.dialects.length &&
    a.dialects.every(({ label }, at) => label === b.dialects[at]?.label) &&
    JSON.stringify(a.settings) === JSON.stringify(b.settings)
  );
}

/** Reads all members, under each dialect in one analysis. */
function* readAll(tools: Tools, members: readonly Member[]): Steps<readonly AnalyzedFile[]> {
  const uris = members.map(({ uri }) => uri);
  const together = new Map<Dialect, ReadonlyMap<string, DialectAnalysis>>();
  const found: AnalyzedFile[] = [];
  for (const { uri, context } of members) {
    found.push(
      yield* readInContext(tools, context, function* (unit, dialect, shares) {
        if (uris.length === 1) return yield* readUnder(tools, uri, unit, dialect, shares);
        const known = together.get(dialect) ?? (yield* readTogether(tools, uris, unit, dialect, shares));
        together.set(dialect, known);
        return known.get(uri) ?? (yield* readUnder(tools, uri, unit, dialect, shares));
      }),
    );
  }
  return found;
}
