/**
 * Reads headers of one translation unit together, for a host that checks many files: it says which ones follow, and those that follow
 * each other in the context of one source share its analysis. Alone, each of a thousand headers would bind the thousand others.
 */
import type { Dialect } from "../dialect.ts";
import { textOf } from "../source.ts";
import type { Steps } from "../steps.ts";
import type { Tools } from "./options.ts";
import {
  type AnalyzedFile,
  contextOf,
  type DialectAnalysis,
  type FileContext,
  readInContext,
  readTogether,
  readUnder,
} from "./read-file.ts";
import { newRecording, type Recorder, type Recording } from "./read-set.ts";

/** The greatest total length of files that are read together, because their facts are kept until they are checked. */
const mostTogether = 400_000;

/** Reads files in the order that the host has announced. */
export interface Neighbors {
  /** These files follow, in this order. */
  announceBatch(uris: readonly string[]): void;
  /** A file's reading, which is used once. */
  read(tools: Tools, uri: string): Steps<AnalyzedFile>;
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
  let ahead = new Map<string, ReadAhead>();
  const membersAfter = function* (tools: Tools, first: Member): Steps<readonly Member[]> {
    const members = [first];
    let length = 0;
    for (let at = (places.get(first.uri) ?? order.length) + 1; at < order.length; at += 1) {
      const uri = order[at] ?? "";
      const recording = newRecording();
      const { context, text } = yield* recorder.during(recording, contextAndText(tools, uri));
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
      order = [];
      places = new Map();
    },
    read: function* (tools, uri) {
      const known = ahead.get(uri);
      if (known !== undefined) {
        ahead.delete(uri);
        known.recordings.forEach(recorder.repeat);
        return known.reading;
      }
      ahead = new Map();
      const own = newRecording();
      const context = yield* recorder.during(own, contextOf(tools, uri));
      recorder.repeat(own);
      const first = { uri, context, recording: own };
      const members = context.root === uri ? [first] : yield* membersAfter(tools, first);
      const recording = newRecording();
      const readings = yield* recorder.during(recording, readAll(tools, members));
      recorder.repeat(recording);
      for (const [index, { uri: other, recording: ofContext }] of members.entries()) {
        const reading = readings[index];
        if (other !== uri && reading !== undefined) ahead.set(other, { reading, recordings: [ofContext, recording] });
      }
      return readings[0] as AnalyzedFile;
    },
  };
}

function* contextAndText(tools: Tools, uri: string): Steps<{ readonly context: FileContext; readonly text: string }> {
  return { context: yield* contextOf(tools, uri), text: textOf(tools.options.files, uri) };
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
