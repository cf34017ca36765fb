/**
 * Which files include a header, judged by the last part of the name in the `#include`. A header is read in the context of a file
 * that includes it. This index finds candidates; the preprocessor decides whether one really reaches the header.
 */
import { languageOfName } from "../dialect.ts";
import { baseNameOf } from "../names.ts";
import type { Files } from "../source.ts";
import { touchesDirective } from "../text-change.ts";

/**
 * Which files include a file, as far as their names show: none; sources for the host's compiler alone, directly or through headers that
 * such a source includes; or others, of which one may be compiled for a device.
 */
export type Readers = "none" | "host" | "other";

/** Answers which files include which header. */
export interface Includers {
  /** Source files that may include the header, directly or through others; nearest first, at most `limit`. */
  of(uri: string, limit: number): readonly string[];
  /** Every file that may include one of these files, directly or through others. */
  reaching(uris: Iterable<string>): ReadonlySet<string>;
  /** These files and every listed file that one of them may include, directly or through others. */
  includedBy(uris: Iterable<string>): ReadonlySet<string>;
  /** Which other files may include it. An include of another file with the same name counts too. */
  readersOf(uri: string): Readers;
  /** Like `readersOf`, for a caller that may ask later. `answer` is the answer so far; undefined before the first call of `readers`. */
  ask(uri: string): { readers(): Readers; answer(): Readers | undefined };
  /** These files were edited, created or deleted. Returns whether any answer may differ now. */
  forget(uris: readonly string[]): boolean;
}

const includeLine = /^[ \t]*#[ \t]*include[ \t]*(?:[<"]([^">\n]+)[">]|.*?([\w./-]+\.\w+)\s*\)?)/gm;

/** How many edited files have their texts kept. */
const mostTexts = 8;

/**
 * An index over the workspace, made on first use and kept per file. `isCompiled` tells sources with device code among those whose names
 * leave their language open (`kernels.cpp`).
 */
export function createIncluders(files: Files, isCompiled: (uri: string, text: string) => boolean): Includers {
  const included = new Map<string, readonly string[]>();
  const compiled = new Set<string>();
  const add = (uri: string, text: string): readonly string[] => {
    const names = namesIncludedBy(text);
    included.set(uri, names);
    if (neutralSource.test(uri) && isCompiled(uri, text)) compiled.add(uri);
    else compiled.delete(uri);
    return names;
  };
  const isSource = (uri: string): boolean => compiled.has(uri) || isNamedAsSource(uri);
  /** The texts of the edited files as of their last change. */
  const texts = new Map<string, string>();
  let includersOfName: Map<string, string[]> | undefined;
  let listed: readonly string[] | undefined;
  const index = (): Map<string, string[]> => {
    if (includersOfName !== undefined) return includersOfName;
    const byName = new Map<string, string[]>();
    listed = files.list();
    for (const uri of listed) {
      let names = included.get(uri);
      if (names === undefined) {
        const text = files.read(uri);
        if (text === "unread") continue;
        names = add(uri, text);
      }
      for (const name of names) {
        const present = byName.get(name);
        if (present === undefined) byName.set(name, [uri]);
        else present.push(uri);
      }
    }
    includersOfName = byName;
    return byName;
  };
  const includersIn = (uri: string): readonly string[] => (index().get(baseNameOf(uri)) ?? []).filter((other) => other !== uri);
  const includes = (uri: string): boolean => includersIn(uri).length > 0;
  const readersOf = (uri: string): Readers => {
    const found = new Set(includersIn(uri));
    // The set grows while it is iterated.
    for (const includer of found) {
      if (isSource(includer)) return "other";
      const next = includersIn(includer);
      if (next.length === 0 && !neutralSource.test(includer)) return "other";
      for (const each of next) found.add(each);
    }
    return found.size === 0 ? "none" : "host";
  };
  return {
    of: (uri, limit) => {
      const found: string[] = [];
      /** Sources that other sources include: a compiler reads them there. */
      const inner: string[] = [];
      const seen = new Set([uri]);
      for (let queue = [uri]; queue.length > 0 && found.length < limit; ) {
        const next: string[] = [];
        for (const header of queue) {
          for (const includer of nearestFirst(index().get(baseNameOf(header)) ?? [], header)) {
            if (seen.has(includer)) continue;
            seen.add(includer);
            if (isSource(includer) && !includes(includer)) found.push(includer);
            else next.push(includer);
            if (isSource(includer) && includes(includer)) inner.push(includer);
          }
        }
        queue = next;
      }
      // Whoever includes a file of the same name elsewhere is no includer of this one.
      const kept = Math.min(inner.length, 1);
      return [...found.slice(0, limit - kept), ...inner].slice(0, limit);
    },
    reaching: (uris) => {
      const found = new Set<string>();
      const open = [...uris];
      for (let next = open.pop(); next !== undefined; next = open.pop())
        for (const includer of index().get(baseNameOf(next)) ?? []) {
          if (found.has(includer)) continue;
          found.add(includer);
          open.push(includer);
        }
      return found;
    },
    includedBy: (uris) => {
      index();
      const byName = new Map<string, string[]>();
      for (const uri of listed ?? []) {
        const present = byName.get(baseNameOf(uri));
        if (present === undefined) byName.set(baseNameOf(uri), [uri]);
        else present.push(uri);
      }
      const found = new Set(uris);
      // The set grows while it is iterated.
      for (const uri of found) for (const name of included.get(uri) ?? []) for (const other of byName.get(name) ?? []) found.add(other);
      return found;
    },
    readersOf,
    ask: (uri) => {
      let found: Readers | undefined;
      return { readers: () => (found ??= readersOf(uri)), answer: () => found };
    },
    forget: (uris) => {
      let isSame = includersOfName !== undefined && listed === files.list();
      for (const uri of uris) {
        const before = included.get(uri)?.join("\n");
        const text = files.read(uri);
        const last = texts.get(uri);
        texts.set(uri, text);
        if (before !== undefined && last !== undefined && !touchesDirective(last, text)) continue;
        if (text === "unread") included.delete(uri);
        else add(uri, text);
        isSame &&= before !== undefined && before === included.get(uri)?.join("\n");
      }
      while (texts.size > mostTexts) texts.delete([...texts.keys()][0] ?? "");
      if (!isSame) includersOfName = undefined;
      return !isSame;
    },
  };
}

function namesIncludedBy(text: string): readonly string[] {
  const names = new Set<string>();
  for (const match of text.matchAll(includeLine)) {
    const name = match[1] ?? match[2];
    if (name !== undefined) names.add(baseNameOf(name));
  }
  return [...names];
}

/** Projects often have many files of one name, each with includers in its own folder: these come first, the others in their order. */
function nearestFirst(includers: readonly string[], uri: string): readonly string[] {
  const folder = folderOf(uri);
  const isNear = (includer: string): boolean => folderOf(includer) === folder;
  return includers.some(isNear) ? [...includers.filter(isNear), ...includers.filter((each) => !isNear(each))] : includers;
}

function folderOf(uri: string): string {
  return uri.slice(0, uri.lastIndexOf("/") + 1);
}

/** The names of sources that compilers for the host compile, unless a build says otherwise. */
export const neutralSource = /\.(c|cc|cpp|cxx|c\+\+)$/i;

/** True for a file that is compiled by itself, rather than included. */
function isNamedAsSource(uri: string): boolean {
  return languageOfName(uri) !== undefined && !/\.(cuh|clh)$/i.test(uri);
}
