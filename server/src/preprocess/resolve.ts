/**
 * Finds the file that an include names: beside the includer, then in the include paths, and then, without any configuration, by a
 * unique suffix in the workspace, nearest first, and of equally near ones the one in a folder `include`. The system's own headers are not
 * searched there. Answers are kept until files are created or deleted.
 * Questions can be stored and asked again. Their text is the folder of the includer, and on each line below it one question, whose
 * first character is its kind.
 */
import { baseNameOf, folderOf, resolveName } from "../names.ts";
import type { Files } from "../source.ts";

/** A header: its uri, and whether the host has yet to read its text. */
export interface Resolved {
  readonly uri: string;
  readonly isUnread: boolean;
}

/** An `#include` as it is written. */
export interface Request {
  readonly name: string;
  readonly isQuoted: boolean;
  /** `#include_next`: searches only after the folder in which the includer itself was found. */
  readonly isNext: boolean;
  readonly includer: string;
  readonly includePaths: readonly string[];
}

/** Finds the file for an `#include`. */
export interface Resolver {
  resolve(request: Request): Resolved | undefined;
  /** The file with exactly this name, if there is one. */
  named(uri: string): Resolved | undefined;
  /** Any file of this name in the workspace, nearest to the includer first; for includes with an unknown path. */
  byTrailingName(name: string, includer: string): Resolved | undefined;
  /** True if the workspace's list contained this file. */
  isListed(uri: string): boolean;
  /** Files were created or deleted. */
  forget(): void;
}

/** Answers are kept until the files of the workspace change. */
export function createResolver(files: Files): Resolver {
  let byName: Map<string, string[]> | undefined;
  let listed = new Set<string>();
  /** The folder around all files of the workspace, with a slash at its end. */
  let top = "";
  const answers = new Map<string, Resolved | undefined>();
  const index = () => {
    if (byName !== undefined) return byName;
    byName = new Map();
    listed = new Set(files.list());
    top = folderAround(listed);
    for (const uri of listed) {
      const name = uri.slice(uri.lastIndexOf("/") + 1);
      const present = byName.get(name);
      if (present === undefined) byName.set(name, [uri]);
      else present.push(uri);
    }
    return byName;
  };
  const found = (uri: string): Resolved | undefined => {
    const text = files.read(uri);
    return text === "absent" ? undefined : { uri, isUnread: text === "unread" };
  };
  const bySuffix = (suffix: string, includer: string): Resolved | undefined => {
    const last = suffix.slice(suffix.lastIndexOf("/") + 1);
    const candidates = (index().get(last) ?? []).filter((uri) => uri.endsWith(`/${suffix}`) || uri === suffix);
    // The workspace's own name counts only if nothing inside of it fits: `ginkgo/core/a.hpp` is in `ginkgo/include/ginkgo/core`.
    const inside = candidates.filter((uri) => uri.length - suffix.length >= top.length);
    const near = nearest(inside.length > 0 ? inside : candidates, includer);
    const best = near.length > 1 ? near.filter((uri) => uri.endsWith(`/include/${suffix}`)) : near;
    return best[0] === undefined || best.length > 1 ? undefined : found(best[0]);
  };
  const search = ({ name, isQuoted, isNext, includer, includePaths }: Request): Resolved | undefined => {
    const own = folderOf(includer);
    const from = isNext ? includePaths.findIndex((folder) => resolveName(folder, "") === own) + 1 : 0;
    for (const folder of [...(isQuoted && !isNext ? [own] : []), ...includePaths.slice(from)]) {
      const hit = found(resolveName(folder, name));
      if (hit !== undefined) return hit;
    }
    if (isNext) return undefined;
    const suffix = suffixOf(name);
    return suffix === "" || (!isQuoted && isSystemHeader(name)) ? undefined : bySuffix(suffix, includer);
  };
  const remembered = (key: string, work: () => Resolved | undefined): Resolved | undefined => {
    const known = answers.get(key);
    if (known !== undefined || answers.has(key)) return known;
    const answer = work();
    // An unread file may turn out to be absent, and then the search continues.
    if (answer?.isUnread !== true) answers.set(key, answer);
    return answer;
  };
  return {
    resolve: (request) => {
      // No file has such a name, and a host might fail on it.
      if (request.name === "" || request.name.length > 1024 || request.name.includes("\0")) return undefined;
      const { name, isQuoted, isNext, includer, includePaths } = request;
      return remembered([folderOf(includer), isQuoted ? "q" : "a", isNext ? "n" : "", name, ...includePaths].join("\n"), () =>
        search(request),
      );
    },
    named: (uri) => remembered(`${uri}\nf`, () => found(uri)),
    byTrailingName: (name, includer) => remembered(`${folderOf(includer)}\nt\n${name}`, () => bySuffix(name, includer)),
    isListed: (uri) => {
      index();
      return listed.has(uri);
    },
    forget: () => {
      byName = undefined;
      answers.clear();
    },
  };
}

/** The deepest folder that contains all of these files, with a slash at its end. */
function folderAround(uris: Iterable<string>): string {
  let common: string | undefined;
  for (const uri of uris) {
    common ??= uri.slice(0, uri.lastIndexOf("/") + 1);
    while (!uri.startsWith(common)) common = common.slice(0, common.lastIndexOf("/", common.length - 2) + 1);
  }
  return common ?? "";
}

/** The candidates that share the longest folder prefix with the includer. */
function nearest(candidates: readonly string[], includer: string): readonly string[] {
  const lengths = candidates.map((candidate) => sharedFolders(candidate, includer));
  const longest = lengths.reduce((most, length) => Math.max(most, length), 0);
  return candidates.filter((_, index) => lengths[index] === longest);
}

function sharedFolders(a: string, b: string): number {
  let count = 0;
  for (let at = 0; at < a.length && a.charCodeAt(at) === b.charCodeAt(at); at += 1) if (a[at] === "/") count += 1;
  return count;
}

// ---------------------------------------------------------------- names

/** C (C11 clause 7), C++ (headers without a suffix) and POSIX. */
const ofLanguages =
  /^(?:[a-z_]+|(?:assert|complex|ctype|errno|fenv|float|inttypes|iso646|limits|locale|math|setjmp|signal|stdalign|stdarg|stdatomic|stdbool|stddef|stdint|stdio|stdlib|stdnoreturn|string|tgmath|threads|time|uchar|wchar|wctype|malloc|memory|alloca|getopt|unistd|pthread|dirent|fcntl|dlfcn|windows|omp|immintrin|xmmintrin|emmintrin|x86intrin|nmmintrin)\.h)$/;
const ofToolkits = /^(?:cuda|cuda_runtime|cuda_runtime_api|nvrtc|nvml|mma|optix|optix_(?:stubs|types|device|host))\.h$/;

/**
 * True for a header that comes with the system, a compiler or a toolkit. A project often has a file of the same name (`util/math.h`), which
 * `#include <math.h>` does not mean. `name` has neither quotes nor folders.
 */
export function isSystemHeader(name: string): boolean {
  return ofLanguages.test(name) || ofToolkits.test(name);
}

/** A name without leading `./` and `../`, which do not belong to a suffix; empty for an absolute path. */
function suffixOf(name: string): string {
  if (name.startsWith("/")) return "";
  return resolveName("", name).replace(/^\/+/, "");
}

// ---------------------------------------------------------------- stored questions

/** A question without the folder and the paths in which the answer is searched. */
export type IncludeQuestion =
  | Pick<Request, "name" | "isQuoted" | "isNext">
  /** Any file with this name at the end of its path. */
  | { readonly trailing: string }
  /** The file with exactly this name. */
  | { readonly uri: string };

/** Collects the questions that are asked while a file is read. */
export interface IncludeQuestions {
  note(includer: string, question: IncludeQuestion): void;
  /** All questions, grouped by folder. */
  groups(): readonly string[];
}

/** An empty collection. */
export function createIncludeQuestions(): IncludeQuestions {
  const byFolder = new Map<string, Set<string>>();
  return {
    note: (includer, question) => {
      const folder = folderOf(includer);
      const known = byFolder.get(folder);
      // A line feed in a name, which only an expanded string could have, would look like another question.
      const text = printQuestion(question).replaceAll("\n", " ");
      if (known === undefined) byFolder.set(folder, new Set([text]));
      else known.add(text);
    },
    groups: () => [...byFolder].map(([folder, questions]) => [`${folder}/`, ...questions].join("\n")),
  };
}

function printQuestion(question: IncludeQuestion): string {
  if ("uri" in question) return `=${question.uri}`;
  if ("trailing" in question) return `~${question.trailing}`;
  return `${question.isNext ? ">" : question.isQuoted ? '"' : "<"}${question.name}`;
}

/** The answer to a question that is asked in a file. */
export function answerTo(
  question: IncludeQuestion,
  includer: string,
  includePaths: readonly string[],
  resolver: Resolver,
): Resolved | undefined {
  if ("uri" in question) return resolver.named(question.uri);
  if ("trailing" in question) return resolver.byTrailingName(question.trailing, includer);
  return resolver.resolve({ ...question, includer, includePaths });
}

/** The current answers to the questions of a group, as one text. */
export function answersTo(group: string, includePaths: readonly string[], resolver: Resolver): string {
  // Only the folder of the includer matters, so it stands for the includer.
  const [includer = "", ...questions] = group.split("\n");
  return questions.map((question) => answerTo(read(question), includer, includePaths, resolver)?.uri ?? "").join("\n");
}

function read(question: string): IncludeQuestion {
  const kind = question.charAt(0);
  const name = question.slice(1);
  if (kind === "=") return { uri: name };
  if (kind === "~") return { trailing: name };
  return { name, isQuoted: kind === '"', isNext: kind === ">" };
}

/** True if a file with one of these last names may be the answer to a question of the group. */
export function asksFor(group: string, baseNames: ReadonlySet<string>): boolean {
  const [, ...questions] = group.split("\n");
  return questions.some((question) => baseNames.has(baseNameOf(question.slice(1).replaceAll("\\", "/"))));
}
