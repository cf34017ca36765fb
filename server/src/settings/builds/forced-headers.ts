/**
 * Infers headers that a build puts in front of its device code: `nvcc -include config.h` in a script. The line must name a compiler of
 * device code or a source of it, because most such options are for the host's compiler. Settings override the inference.
 */
import type { ForcedInclude, Language } from "../../dialect.ts";
import { baseNameOf, foldersUpTo, resolveName } from "../../names.ts";
import { type Files, type Location, textOf } from "../../source.ts";
import { withoutRemarks } from "./build-languages.ts";
import { builtBy, createScriptAnswers } from "./script-answers.ts";

/** A header that a script puts in front, and where it says so. */
export interface ForcedHeader extends ForcedInclude {
  readonly location: Location;
}

/** Answers which headers the build scripts of a file's folders put in front of it. */
export interface ForcedHeaders {
  of(name: string, language: Language): readonly ForcedHeader[];
  /** Reports that these files were edited, created or deleted. True if answers may differ now. */
  changed(names: readonly string[]): boolean;
}

/** An option in a script. */
interface Option {
  readonly path: string;
  readonly language: Language;
  readonly start: number;
  readonly end: number;
}

const option = /(?<![\w-])(?:-include|--pre-include)(?:[ \t]+|=)"?([^\s"',;)]+\.\w+)"?/g;
const languages: readonly (readonly [Language, RegExp])[] = [
  ["opencl", /\.cl\b|\bcl-std\b|opencl/i],
  ["cuda", /nvcc|cuda|hip|\.cu\b/i],
];

/** Creates the inference for a root. It reads build scripts once, and again when one of them changes. */
export function createForcedHeaders(root: string, files: Files): ForcedHeaders {
  const optionsIn = (script: string): readonly Option[] => {
    const text = textOf(files, script);
    if (!/-include/.test(text)) return [];
    return [
      ...withoutRemarks(script, text)
        .replace(/\\\r?\n/g, (end) => " ".repeat(end.length))
        .matchAll(/[^\n]+/g),
    ].flatMap(({ 0: line, index: at }) => {
      const language = languages.find(([, words]) => words.test(line))?.[0];
      if (language === undefined) return [];
      return [...line.matchAll(option)].map(({ 0: whole, 1: path = "", index }) => {
        const start = at + index;
        // A variable of the script names one of its folders.
        return { path: path.replace(/^(?:\$[({]\w+[)}]\/?)+/, ""), language, start, end: start + whole.length };
      });
    });
  };
  const answers = createScriptAnswers(files, optionsIn, []);
  /** The file beside the script, or else the only one with such a path. */
  const headerOf = (folder: string, path: string): string | undefined => {
    const listed = files.list();
    const beside = resolveName(folder, path);
    if (listed.includes(beside)) return beside;
    const found = listed.filter((uri) => uri.endsWith(`/${path.replace(/^(?:\.{1,2}\/)+/, "")}`));
    return found.length === 1 ? found[0] : undefined;
  };
  return {
    of: (name, language) => {
      const asked = [...answers.all()].filter(([, options]) => options.length > 0);
      if (asked.length === 0) return [];
      const folders = new Set(foldersUpTo(name, root));
      return asked.flatMap(([script, options]) => {
        const folder = builtBy(script);
        if (!folders.has(folder)) return [];
        return options.flatMap(({ path, language: of, start, end }): readonly ForcedHeader[] => {
          const uri = of === language ? headerOf(folder, path) : undefined;
          if (uri === undefined || uri === name) return [];
          return [{ name: baseNameOf(uri), uri, location: { uri: script, span: { start, end } } }];
        });
      });
    },
    changed: answers.changed,
  };
}
