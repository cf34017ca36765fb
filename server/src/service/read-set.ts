/**
 * What a check has asked of its host and of the workspace: texts, settings, the files that includes name, definitions in other files.
 * A result is valid as long as the answers stay the same. `changed` in `service.ts` and the stored results of earlier runs
 * (`node/check-cache.ts`) depend on this and on nothing else.
 */
import type { CompileSettings } from "../dialect.ts";
import type { Severity } from "../finding.ts";
import { memo } from "../memo.ts";
import type { EnabledExtensions } from "../preprocess/definitions.ts";
import { dependenciesOf } from "../preprocess/dependencies.ts";
import type { Readers } from "../preprocess/includers.ts";
import { createIncludeQuestions, type IncludeQuestion } from "../preprocess/resolve.ts";
import { unitsIn } from "../preprocess/units.ts";
import type { Unit } from "../preprocess/view/view.ts";
import type { Steps } from "../steps.ts";
import type { Notebook, ServiceOptions, UnitRead } from "./options.ts";

/** The questions that the result of a check depends on: plain data that can be stored and asked again. */
export interface ReadSet {
  /** The files that were read, and those that were tried and not found. */
  readonly files: readonly string[];
  /** What the includes of translation units asked, as in `preprocess/resolve.ts`, by the paths in which the answers are searched. */
  readonly includes: readonly { readonly paths: readonly string[]; readonly questions: readonly string[] }[];
  /** The names whose definitions were looked up among all files. */
  readonly names: readonly string[];
  /** The extensions that headers and hosts enable were asked. */
  readonly asksExtensions: boolean;
  /** The answer: the files in whose context a header could have been read. */
  readonly candidates: readonly string[];
  /** The answer: which files include the file. Undefined if no rule asked for that. */
  readonly readers: Readers | undefined;
  /** The files whose settings were asked, and those whose severities were. */
  readonly configured: readonly string[];
  readonly judged: readonly string[];
}

/** Answers the questions of a read set as of now. */
export interface Questions {
  /** The answers to one group of questions of `includes`, as a text. */
  answersTo(questions: string, paths: readonly string[]): string;
  /** The definitions of one of `names`, as a text. */
  definitionsOf(name: string): string;
  enabledExtensions(): EnabledExtensions;
  candidatesOf(uri: string): readonly string[];
  readersOf(uri: string): Readers;
  settingsOf(uri: string): CompileSettings;
  severitiesOf(uri: string): Readonly<Record<string, Severity | "off">>;
}

/** The questions that have passed through the options of a service while something was computed. */
export interface Recording {
  readonly files: Set<string>;
  readonly configured: Set<string>;
  readonly judged: Set<string>;
  /** The translation units that were read. Headers of one unit note it again and again. */
  readonly units: Map<Unit, UnitRead>;
  /** What was asked about includes without reading a unit. */
  readonly includes: { readonly includer: string; readonly question: IncludeQuestion; readonly paths: readonly string[] }[];
  /** The extensions that other files enable were asked. */
  asksExtensions: boolean;
}

/** Records which questions are asked through the options of a service. */
export interface Recorder {
  /** The options, whose questions are recorded. */
  readonly options: ServiceOptions;
  readonly notebook: Notebook;
  /** Does the work, and records its questions. Work outside of it that is done between two steps is not recorded there. */
  during<Result>(recording: Recording, steps: Steps<Result>): Steps<Result>;
  /** Records again what was recorded when a result was computed that is used now. */
  repeat(recording: Recording): void;
}

/** An empty recording. */
export function newRecording(): Recording {
  return { files: new Set(), configured: new Set(), judged: new Set(), units: new Map(), includes: [], asksExtensions: false };
}

/** Creates a recorder for these options. */
export function createRecorder(options: ServiceOptions): Recorder {
  let current: Recording | undefined;
  const { files, rules } = options;
  return {
    options: {
      ...options,
      files: {
        read: (uri) => {
          current?.files.add(uri);
          return files.read(uri);
        },
        list: () => files.list(),
        scripts: () => files.scripts?.() ?? [],
      },
      settingsOf: (uri) => {
        current?.configured.add(uri);
        return options.settingsOf(uri);
      },
      ...(rules !== undefined && {
        rules: {
          severitiesOf: (uri) => {
            current?.judged.add(uri);
            return rules.severitiesOf(uri);
          },
        },
      }),
    },
    notebook: {
      unit: (read) => noteUnit(current, read),
      include: (includer, question, paths) => current?.includes.push({ includer, question, paths }),
      extensions: () => {
        if (current !== undefined) current.asksExtensions = true;
      },
    },
    *during(recording, steps) {
      try {
        for (;;) {
          const outer = current;
          current = recording;
          let step: ReturnType<typeof steps.next>;
          try {
            step = steps.next();
          } finally {
            current = outer;
          }
          if (step.done === true) return step.value;
          yield;
        }
      } finally {
        // Releases what unfinished work holds.
        steps.return(undefined as never);
      }
    },
    repeat: (recording) => {
      for (const uri of recording.files) current?.files.add(uri);
      for (const uri of recording.configured) current?.configured.add(uri);
      for (const uri of recording.judged) current?.judged.add(uri);
      for (const read of recording.units.values()) noteUnit(current, read);
      for (const question of recording.includes) current?.includes.push(question);
      if (current !== undefined) current.asksExtensions ||= recording.asksExtensions;
    },
  };
}

function noteUnit(recording: Recording | undefined, read: UnitRead): void {
  if (recording?.units.has(read.unit) === false) recording.units.set(read.unit, read);
}

/** The read set of a check: what was recorded while it ran, and what its units have asked of the preprocessor. */
export function readSetOf(
  { files, configured, judged, units, includes, asksExtensions }: Recording,
  {
    candidates,
    readers,
    hostOf,
  }: Pick<ReadSet, "candidates" | "readers"> & {
    /** Embedded sources are parts of their hosts. */
    hostOf(uri: string): string;
  },
): ReadSet {
  const read = new Set<string>();
  for (const uri of files) read.add(hostOf(uri));
  const byPaths = new Map<string, { readonly paths: readonly string[]; readonly questions: Set<string> }>();
  const names = new Set<string>();
  const groupOf = (paths: readonly string[]) => {
    const key = paths.join("\n");
    const group = byPaths.get(key) ?? { paths, questions: new Set<string>() };
    byPaths.set(key, group);
    return group;
  };
  for (const { includer, question, paths } of includes) {
    const own = createIncludeQuestions();
    own.note(includer, question);
    for (const group of own.groups()) groupOf(paths).questions.add(group);
  }
  for (const { unit, paths } of units.values()) {
    const group = groupOf(paths);
    const own = questionsOf(unit);
    for (const uri of dependenciesOf(unit)) read.add(hostOf(uri));
    for (const each of own.includes) group.questions.add(each);
    for (const name of own.names) names.add(name);
  }
  // The order does not depend on what was checked before, so that equal inputs give equal bytes.
  return {
    files: [...read].sort(),
    includes: [...byPaths.values()]
      .filter(({ questions }) => questions.size > 0)
      .map(({ paths, questions }) => ({ paths, questions: [...questions].sort() })),
    names: [...names].sort(),
    candidates,
    readers,
    asksExtensions,
    configured: [...configured].sort(),
    judged: [...judged].sort(),
  };
}

/** What a unit and its headers have asked. Kept, because every header that is read in a unit depends on what the unit has asked. */
const questionsOf = memo((unit: Unit) => {
  const all = unitsIn(unit);
  return {
    includes: [...new Set(all.flatMap((each) => each.includeQuestions ?? []))],
    names: [...new Set(all.flatMap((each) => each.lookedUpNames ?? []))],
  };
});

/** The number of texts after which sharing starts anew, because those of earlier results are never dropped otherwise. */
const mostTexts = 200_000;

/** Returns read sets that share their texts with earlier ones: results that were stored or sent do not. */
export function shareTexts(): (set: ReadSet) => ReadSet {
  const known = new Map<string, string>();
  const shared = (text: string): string => {
    const present = known.get(text);
    if (present === undefined) known.set(text, text);
    return present ?? text;
  };
  return (set) => {
    if (known.size > mostTexts) known.clear();
    const { files, includes, names, candidates, configured, judged } = set;
    return {
      ...set,
      files: files.map(shared),
      includes: includes.map(({ paths, questions }) => ({ paths: paths.map(shared), questions: questions.map(shared) })),
      names: names.map(shared),
      candidates: candidates.map(shared),
      configured: configured.map(shared),
      judged: judged.map(shared),
    };
  };
}
