/**
 * Keeps the results of checks, and decides whether they are still valid. The service says which questions a result depends on: texts,
 * settings, the files that includes name, definitions in other files. They are asked again, and a result is used only if every answer
 * is the same.
 */
import { decode, encode } from "../encoding.ts";
import { isText, object } from "../forms.ts";
import type { Project } from "../project/project.ts";
import { type FileCheck, isFileCheck, type Service } from "../service.ts";
import type { Files } from "../source.ts";
import { type AnswerStore, hashOf } from "./answer-store.ts";

/** The results of earlier checks of a project. */
export interface CheckCache {
  /** The result of an earlier check of the file, if a check now would give the same. */
  find(name: string): FileCheck | undefined;
  /** Stores the result of a check of the texts in `files`. */
  keep(check: FileCheck): void;
  /** Reports that files or settings changed. Everything is compared again; only results of unchanged texts are kept. */
  changed(): void;
}

/** The inputs of a cache. */
export interface CacheOptions {
  readonly store: AnswerStore;
  /** The name of this build of the program; another build may give other results. */
  readonly program: string;
  readonly project: Pick<Project, "root" | "service">;
  readonly files: Files;
  /** Use results even if the rest of the workspace has changed, because the caller knows that they are current. */
  readonly isTrusted?: boolean;
}

interface Entry {
  readonly state: string;
  /** Named as in the summaries that other machines have written. */
  readonly learnt: FileCheck;
}

// A summary comes from another machine, and an older program or another user may have written into the cache.
const isEntry = object<Entry>({ state: isText, learnt: isFileCheck });

/** Opens a cache. Its results are valid for the current state of the files, until `changed`. Names are stored relative to the root. */
export function openCheckCache({ store, program, project, files, isTrusted = false }: CacheOptions): CheckCache {
  const rootless = `${project.root}/`;
  const relative = (text: string) => text.replaceAll(rootless, placeholder);
  const contentOf = rememberContents(files);
  const answersOf = ({ questions }: Service) => {
    const answersByPaths = remembered((paths: string) =>
      remembered((group: string) => hashOf(relative(questions.answersTo(group, paths === "" ? [] : paths.split("\n"))))),
    );
    return {
      questions,
      answersTo: (paths: readonly string[]) => answersByPaths(paths.join("\n")),
      definitionsOf: remembered((name: string) => hashOf(relative(questions.definitionsOf(name)))),
      settingsOf: remembered((name: string) => hashOf(relative(encode(questions.settingsOf(name))))),
      severitiesOf: remembered((name: string) => hashOf(encode(Object.entries(questions.severitiesOf(name)).sort()))),
    };
  };
  let last: { readonly service: Service; readonly answers: ReturnType<typeof answersOf> } | undefined;
  const answers = () => {
    const service = project.service();
    if (last?.service !== service) last = { service, answers: answersOf(service) };
    return last.answers;
  };
  const keyOf = (name: string) =>
    hashOf([program, relative(name), contentOf(name), answers().settingsOf(name), answers().severitiesOf(name)]);

  /** The current answers to everything that the result depends on. */
  const stateOf = ({ report, readSet }: FileCheck): string => {
    const { questions, answersTo, definitionsOf, settingsOf, severitiesOf } = answers();
    return hashOf([
      ...questions.candidatesOf(report.uri).map(relative),
      readSet.readers === undefined ? "" : questions.readersOf(report.uri),
      readSet.asksExtensions ? JSON.stringify(questions.enabledExtensions()) : "",
      ...readSet.configured.map(settingsOf),
      ...new Set(readSet.judged.map(severitiesOf)),
      ...readSet.names.map(definitionsOf),
      ...readSet.includes.flatMap(({ paths, questions }) => questions.map(answersTo(paths))),
      ...readSet.files.map(contentOf),
    ]);
  };

  return {
    find(name) {
      const text = store.get(keyOf(name));
      if (text === undefined) return undefined;
      const entry = decode(text.replaceAll(placeholder, rootless));
      if (!isEntry(entry) || entry.learnt.report.uri !== name) return undefined;
      return isTrusted || stateOf(entry.learnt) === entry.state ? entry.learnt : undefined;
    },
    keep(check) {
      const { uri, unread } = check.report;
      if (unread.length > 0) return;
      store.put(keyOf(uri), relative(encode({ state: stateOf(check), learnt: check } satisfies Entry)));
    },
    changed() {
      last = undefined;
    },
  };
}

/** A text that no name can contain. */
const placeholder = "\u0001/";

/** The hashes of files' texts, each computed once for a text. */
function rememberContents(files: Files): (name: string) => string {
  const known = new Map<string, { readonly text: string; readonly hash: string }>();
  return (name) => {
    const text = files.read(name);
    const present = known.get(name);
    if (present?.text === text) return present.hash;
    const hash = hashOf(text);
    known.set(name, { text, hash });
    return hash;
  };
}

function remembered<Result>(work: (name: string) => Result): (name: string) => Result {
  const known = new Map<string, Result>();
  return (name) => {
    const present = known.get(name);
    if (present !== undefined) return present;
    const result = work(name);
    known.set(name, result);
    return result;
  };
}
