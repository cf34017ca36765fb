/** Keeps files as tokens, which are split once per text, and whether each file exists, to distinguish a changed file from a new one. */
import { largestByDefault } from "../dialect.ts";
import { isEmbedded } from "../names.ts";
import type { Files } from "../source.ts";
import type { Interner } from "./lexing/interner.ts";
import { tokenize } from "./lexing/lexer.ts";
import { withoutStringizer } from "./lexing/stringized.ts";
import { type SourceFile, sourceFileOf } from "./module.ts";

/** The greatest total length of texts whose tokens are kept; the tokens take about five bytes per character. */
const mostCharacters = 24_000_000;

/** The texts of files, with their tokens. */
export interface Sources {
  read: Files["read"];
  /** `longest`: the greatest allowed length, from the settings. */
  of(uri: string, cplusplus: boolean, longest?: number): SourceFile | "absent" | "unread" | "too-large";
  /** The text that is split into tokens. */
  textOf(uri: string, cplusplus: boolean): string;
  /** Drops the tokens of a file. */
  release(uri: string): void;
  /** Forgets a file; true if it was created or deleted, rather than edited. `isListed` tells about files that were never read. */
  change(uri: string, isListed: (uri: string) => boolean): boolean;
}

interface KeptFile {
  readonly file: SourceFile;
  /** The text before anything was taken out of it. */
  readonly written: string;
}

/** Tokens of files, kept up to a total length; the least recently used are dropped first. */
export function createSources(files: Files, interner: Interner): Sources {
  const states = new Map<string, "present" | "absent" | "unread">();
  /** The most recently used files are last. */
  const known = new Map<string, KeptFile>();
  let characters = 0;
  const keep = (key: string, kept: KeptFile | undefined) => {
    characters -= known.get(key)?.file.tokens.text.length ?? 0;
    known.delete(key);
    if (kept === undefined) return;
    known.set(key, kept);
    characters += kept.file.tokens.text.length;
    for (const [oldest, { file }] of known) {
      if (characters <= mostCharacters || oldest === key) break;
      known.delete(oldest);
      characters -= file.tokens.text.length;
    }
  };
  const keyOf = (uri: string, cplusplus: boolean) => `${cplusplus ? "+" : "-"}${uri}`;
  const release = (uri: string) => {
    for (const mode of [true, false]) keep(keyOf(uri, mode), undefined);
  };
  const stateOf = (text: string) => (text === "absent" || text === "unread" ? text : "present");
  const read: Files["read"] = (uri) => {
    const text = files.read(uri);
    states.set(uri, stateOf(text));
    return text;
  };
  const cut = (uri: string, written: string, cplusplus: boolean): SourceFile => {
    const key = keyOf(uri, cplusplus);
    const cached = known.get(key);
    const text = cached?.written === written ? cached.file.tokens.text : cplusplus ? written : withoutStringizer(written);
    const file = cached?.file.tokens.text === text ? cached.file : sourceFileOf(uri, tokenize(text, interner, cplusplus));
    keep(key, { file, written });
    return file;
  };
  return {
    read,
    of: (uri, cplusplus, longest = largestByDefault) => {
      const text = read(uri);
      if (text === "absent" || text === "unread") return text;
      return text.length > longest ? "too-large" : cut(uri, text, cplusplus);
    },
    textOf: (uri, cplusplus) => {
      const text = read(uri);
      if (text.length > largestByDefault) return "too-large";
      return cplusplus ? text : withoutStringizer(text);
    },
    release,
    change: (uri, isListed) => {
      const before = states.get(uri);
      const now = stateOf(files.read(uri));
      states.delete(uri);
      // If the text is the same again, its tokens are too.
      if (now !== "present") release(uri);
      if (before === "unread" || before === now) return false;
      // No include searches for a source in a literal.
      return before !== undefined || (!isEmbedded(uri) && (now === "absent" || !isListed(uri)));
    },
  };
}
