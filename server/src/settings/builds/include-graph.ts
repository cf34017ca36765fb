/**
 * Which files a file includes, directly or through others, as far as names show that. It says where to look before any file is read as
 * a compiler reads it. What is found in a text is remembered as long as the text stays the same.
 */
import { baseNameOf, folderOf } from "../../names.ts";
import { type Files, textOf } from "../../source.ts";

/** What is known of files, and how they include each other. */
export interface IncludeGraph<Outline> {
  of(uri: string): Outline;
  /** The file itself and those that it includes, at most so many, without some and what only they include. */
  reached(uri: string, most: number, except?: ReadonlySet<string>): readonly string[];
}

const including = /^[ \t]*#[ \t]*include[ \t]*[<"](?:\.{1,2}\/)*([^">\n]+)[">]/gm;

/** Creates the graph of a project's files. `outline` reads off a text what callers want to know. */
export function createIncludeGraph<Outline>(files: Files, outline: (text: string) => Outline): IncludeGraph<Outline> {
  const known = new Map<string, { readonly text: string; readonly includes: readonly string[]; readonly outline: Outline }>();
  let listed: readonly string[] | undefined;
  let byName = new Map<string, string[]>();
  const entryOf = (uri: string) => {
    const text = textOf(files, uri);
    const before = known.get(uri);
    if (before?.text === text) return before;
    const entry = { text, includes: [...text.matchAll(including)].map(([, name = ""]) => name), outline: outline(text) };
    known.set(uri, entry);
    return entry;
  };
  /** The file that an include means: one beside the includer, the only one at such a path, or the only one of the name. */
  const meant = (name: string, from: string): string | undefined => {
    const list = files.list();
    if (list !== listed) {
      listed = list;
      byName = new Map();
      for (const uri of list) {
        const base = baseNameOf(uri);
        const present = byName.get(base);
        if (present === undefined) byName.set(base, [uri]);
        else present.push(uri);
      }
    }
    const found = byName.get(baseNameOf(name)) ?? [];
    if (found.length < 2) return found[0];
    const beside = found.find((uri) => uri === `${folderOf(from)}/${name}`);
    if (beside !== undefined) return beside;
    const ending = found.filter((uri) => uri.endsWith(`/${name}`));
    return ending.length === 1 ? ending[0] : undefined;
  };
  return {
    of: (uri) => entryOf(uri).outline,
    reached: (first, most, except) => {
      const found = new Set([first]);
      for (const from of found) {
        for (const name of entryOf(from).includes) {
          if (found.size >= most) return [...found];
          const uri = meant(name, from);
          if (uri !== undefined && except?.has(uri) !== true) found.add(uri);
        }
      }
      return [...found];
    },
  };
}
