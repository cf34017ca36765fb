/**
 * All `#define`s of the workspace by name. Projects define macros for qualifiers in files that the translation unit does not
 * include (their build concatenates sources, or passes headers separately). If all definitions of a name agree and consist only
 * of qualifiers, that is the name's meaning.
 */
import { type Dialect, languageOfName } from "../dialect.ts";
import { type EmbeddedSource, findEmbedded, mayEmbed } from "../embedded/embedded.ts";
import { wordsWithRole } from "../qualifiers.ts";
import type { Files, UnitLocation } from "../source.ts";
import { changeOf, touchesDirective } from "../text-change.ts";
import { type LanguageMode, languageModeOf } from "./canonical.ts";
import type { Interner } from "./lexing/interner.ts";
import { textOf, tokenize } from "./lexing/lexer.ts";
import { type Macro, readDefinition } from "./macros/macros.ts";
import type { Job, Words } from "./module.ts";
import { hasOperators } from "./predefined.ts";

/** One `#define` somewhere in the workspace. */
export interface WorkspaceDefinition {
  /** From the name to the end of the replacement list. */
  readonly location: UnitLocation;
  readonly isFunctionLike: boolean;
  /** The replacement list as written. */
  readonly body: string;
}

/** Every `#define` of the workspace, by name. */
export interface WorkspaceDefinitions {
  of(name: string): readonly WorkspaceDefinition[];
  /** The extensions that texts of the workspace enable which a build may put before any source. */
  enabled(): EnabledExtensions;
  /** The previous answers that may differ after changes of these files. */
  differences(uris: readonly string[]): ChangedDefinitions;
  forget(uris: readonly string[]): void;
}

/** Extensions that are enabled by a pragma (`all` for each), sorted. */
export interface EnabledExtensions {
  /** In a header, which a build that concatenates sources may put before any of them. */
  readonly inHeaders: readonly string[];
  /** In a literal of host code, which the host may put before the text of a file. A whole program in a literal is not put there. */
  readonly inHosts: readonly string[];
}

/** The answers that differ from earlier ones. */
export interface ChangedDefinitions {
  readonly names: ReadonlySet<string>;
  readonly enabled: boolean;
}

interface Found {
  readonly name: string;
  readonly start: number;
}

const definition = /^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)/gm;

/** An index over the workspace, built on first use; a file is scanned again only when its text changes. */
export function workspaceDefinitions(files: Files): WorkspaceDefinitions {
  const scanned = new Map<string, Scanned>();
  // `at` numbers the definitions of a file, because an edit moves them.
  let byName: Map<string, { readonly uri: string; readonly at: number }[]> | undefined;
  const index = () => {
    if (byName !== undefined) return byName;
    byName = new Map();
    const listed = files.list();
    for (const uri of listed) {
      const known = scanned.get(uri);
      const text = known?.text ?? files.read(uri);
      if (text === "absent" || text === "unread") continue;
      const own = known ?? scanFile(uri, text);
      if (known === undefined) scanned.set(uri, own);
      const { found } = own;
      for (const [at, { name }] of found.entries()) {
        const present = byName.get(name);
        if (present === undefined) byName.set(name, [{ uri, at }]);
        else present.push({ uri, at });
      }
    }
    return byName;
  };
  const read = (uri: string, text: string, { name, start }: Found): WorkspaceDefinition => {
    const after = start + name.length;
    const end = endOfReplacement(text, after);
    return { location: { uri, span: { start, end } }, isFunctionLike: text[after] === "(", body: text.slice(after, end) };
  };
  const byNameIn = (uri: string, { text, found }: Scanned): ReadonlyMap<string, string> => {
    const all = new Map<string, string>();
    for (const each of found) all.set(each.name, (all.get(each.name) ?? "") + JSON.stringify(read(uri, text, each)));
    return all;
  };
  return {
    of: (name) =>
      (index().get(name) ?? []).flatMap(({ uri, at }) => {
        const file = scanned.get(uri);
        const found = file?.found[at];
        return file === undefined || found === undefined ? [] : [read(uri, file.text, found)];
      }),
    enabled: () => {
      index();
      const all = [...scanned.values()].map(({ enabled }) => enabled);
      const sorted = (names: readonly string[]) => [...new Set(names)].sort();
      return { inHeaders: sorted(all.flatMap(({ inHeaders }) => inHeaders)), inHosts: sorted(all.flatMap(({ inHosts }) => inHosts)) };
    },
    differences: (uris) => {
      const names = new Set<string>();
      let enabled = false;
      // Without an index nobody has asked.
      for (const uri of scanned.size === 0 ? [] : uris) {
        const before = scanned.get(uri) ?? nothing;
        const text = files.read(uri);
        if (text === before.text) continue;
        const isPresent = text !== "absent" && text !== "unread";
        enabled ||= JSON.stringify(isPresent ? enabledIn(uri, text) : nothing.enabled) !== JSON.stringify(before.enabled);
        if (scanned.has(uri) && !touchesDirective(before.text, text)) continue;
        const now = isPresent ? scanFile(uri, text) : nothing;
        const old = byNameIn(uri, before);
        const fresh = byNameIn(uri, now);
        for (const name of [...old.keys(), ...fresh.keys()]) if (old.get(name) !== fresh.get(name)) names.add(name);
      }
      return { names, enabled };
    },
    forget: (uris) => {
      for (const uri of uris) {
        const known = scanned.get(uri);
        const text = files.read(uri);
        if (known !== undefined && text !== "absent" && text !== "unread" && !touchesDirective(known.text, text)) {
          scanned.set(uri, moved(uri, known, text));
          continue;
        }
        scanned.delete(uri);
        byName = undefined;
      }
    },
  };
}

interface Scanned {
  readonly text: string;
  readonly found: readonly Found[];
  readonly enabled: EnabledExtensions;
}

const noExtensions: readonly string[] = [];
const nothing: Scanned = { text: "", found: [], enabled: { inHeaders: noExtensions, inHosts: noExtensions } };
const headerNames = /\.(h|hpp|hh|hxx|clh|inc|inl)$/i;
const pragma = /(?:^([ \t]*)|)#[ \t]*pragma[ \t]+OPENCL[ \t]+EXTENSION[ \t]+(\w+)[ \t]*:[ \t]*enable/gm;

function scanFile(uri: string, text: string): Scanned {
  return { text, found: scan(text), enabled: enabledIn(uri, text) };
}

function enabledIn(uri: string, text: string): EnabledExtensions {
  const isHeader = headerNames.test(uri);
  if (!text.includes("EXTENSION") || (!isHeader && languageOfName(uri) === "opencl")) return nothing.enabled;
  const inHeaders: string[] = [];
  const inHosts: string[] = [];
  let found: readonly EmbeddedSource[] | undefined;
  const programs = () => {
    found ??= mayEmbed(uri) ? findEmbedded(uri, text) : [];
    return found;
  };
  for (const { 0: whole, 1: atStart, 2: name = "", index } of text.matchAll(pragma)) {
    if (isHeader && atStart !== undefined) inHeaders.push(name);
    else if (!programs().some((program) => isAlone(program, index + whole.indexOf("#"), text))) inHosts.push(name);
  }
  return { inHeaders, inHosts };
}

/** True for a place in a program that a host has in its literals, if the host joins no text to that. */
function isAlone({ text, fromHost, toHost }: EmbeddedSource, offset: number, host: string): boolean {
  if (fromHost(offset) === undefined) return false;
  const { end } = toHost({ start: 0, end: text.length });
  return !/^[\s)"'`]*[+,.]/.test(host.slice(end, end + 100));
}

/** The extensions that pragmas of a text of OpenCL enable, and where the pragmas begin. */
export function extensionsEnabledIn(text: string): readonly { readonly name: string; readonly start: number }[] {
  return [...text.matchAll(pragma)].map(({ 2: name = "", index }) => ({ name, start: index }));
}

/** Adapts the definitions of a text to a new text that differs only between two of them. */
function moved(uri: string, { text: before, found }: Scanned, text: string): Scanned {
  const { oldEnd, newEnd } = changeOf(before, text);
  const move = (each: Found): Found => (each.start < oldEnd ? each : { ...each, start: each.start + newEnd - oldEnd });
  return { text, found: newEnd === oldEnd ? found : found.map(move), enabled: enabledIn(uri, text) };
}

function scan(text: string): readonly Found[] {
  const found: Found[] = [];
  // A definition inside of a comment is found too. That is harmless, because it either agrees with the others or leaves the name
  // without a meaning.
  for (const match of text.matchAll(definition)) {
    const name = match[1] ?? "";
    found.push({ name, start: match.index + match[0].length - name.length });
  }
  return found;
}

function endOfReplacement(text: string, start: number): number {
  let end = start;
  for (;;) {
    const newline = text.indexOf("\n", end);
    if (newline < 0) return text.length;
    const last = text[newline - 1] === "\r" ? newline - 2 : newline - 1;
    if (text[last] !== "\\" || last < start) return last + 1;
    end = newline + 1;
  }
}

const qualifying: ReadonlySet<string> = new Set(
  wordsWithRole("address-space", "memory-space", "execution-space", "annotation", "access", "cv", "storage", "function"),
);

/** The macro that a name stands for in the whole workspace, or undefined if there is none or its definitions disagree. */
export function agreedMeaning(name: string, definitions: WorkspaceDefinitions, mode: LanguageMode, interner: Interner): Macro | undefined {
  let meaning: string | undefined;
  let macro: Macro | undefined;
  for (const { location, isFunctionLike, body } of definitions.of(name)) {
    if (isFunctionLike) return undefined;
    const list = tokenize(`${name}${body}`, interner, mode.cplusplus);
    const words = qualifierWords(list.count, (at) => textOf(list, at, interner), mode);
    if (words === undefined || (meaning !== undefined && words !== meaning)) return undefined;
    if (macro !== undefined) continue;
    meaning = words;
    const own = readDefinition(list, 0, list.count, undefined, interner);
    if (own === undefined) return undefined;
    macro = { ...own, definition: location, key: `${location.uri}:${location.span.start} ${name} ${words}` };
  }
  return macro;
}

/** The canonical words of a replacement list, after its name; undefined if it contains anything except qualifiers and attributes. */
function qualifierWords(count: number, wordAt: (at: number) => string, mode: LanguageMode): string | undefined {
  const words: string[] = [];
  for (let at = 1; at < count; at += 1) {
    const written = wordAt(at);
    const word = mode.spellings.get(written) ?? written;
    words.push(word);
    if (qualifying.has(word)) continue;
    if (word === '"C"' && words[words.length - 2] === "extern") continue;
    if (word !== "__attribute__") return undefined;
    const close = closingOf(at + 1, count, wordAt);
    if (close === undefined) return undefined;
    for (at += 1; at <= close; at += 1) words.push(wordAt(at));
    at = close;
  }
  return words.join(" ");
}

/** The parenthesis that closes the one at `open`; undefined if there is none. */
function closingOf(open: number, count: number, wordAt: (at: number) => string): number | undefined {
  let depth = 0;
  for (let at = open; at < count; at += 1) {
    if (wordAt(at) === "(") depth += 1;
    if (wordAt(at) === ")") depth -= 1;
    if (depth === 0) return at > open ? at : undefined;
  }
  return undefined;
}

/** A language mode with what the preprocessor asks of it. */
type LanguageOfJob = Pick<Job, "mode" | "spellings" | "words" | "workspace">;

/** Keeps what was asked of each language mode, until the workspace's definitions change. */
export function createLanguages(
  definitions: WorkspaceDefinitions,
  interner: Interner,
): { of(dialect: Dialect): LanguageOfJob; forget(): void } {
  const known = new Map<string, LanguageOfJob>();
  const meanings = new Map<string, Map<number, Macro | undefined>>();
  const words: Words = {
    defined: interner.idOf("defined"),
    pragma: interner.idOf("_Pragma"),
    pragmaName: interner.idOf("pragma"),
    namespace: interner.idOf("namespace"),
    extern: interner.idOf("extern"),
    inline: interner.idOf("inline"),
    private: interner.idOf("private"),
    pipe: interner.idOf("pipe"),
    operators: new Set(hasOperators.map((name) => interner.idOf(name))),
  };
  const meaningOf = (id: number, mode: LanguageMode): Macro | undefined => {
    const own = meanings.get(mode.key) ?? new Map<number, Macro | undefined>();
    meanings.set(mode.key, own);
    if (!own.has(id)) own.set(id, agreedMeaning(interner.textOf(id), definitions, mode, interner));
    return own.get(id);
  };
  return {
    of: (dialect) => {
      const mode = languageModeOf(dialect);
      const reading = known.get(mode.key) ?? {
        mode,
        spellings: new Map([...mode.spellings].map(([word, spelling]) => [interner.idOf(word), spelling])),
        words,
        workspace: {
          meaningOf: (id: number) => meaningOf(id, mode),
          isDefinedAnywhere: (id: number) => definitions.of(interner.textOf(id)).length > 0,
        },
      };
      known.set(mode.key, reading);
      return reading;
    },
    forget: () => meanings.clear(),
  };
}
