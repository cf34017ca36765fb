/**
 * Reads the files in which build tools keep compile flags: `compile_commands.json` and `compile_flags.txt`. It returns the flags as
 * written; `compiler-flags.ts` interprets them.
 */
import { isJsonObject } from "../forms.ts";
import { baseNameOf, folderOf, resolveName } from "../names.ts";
import type { Span } from "../source.ts";
import { splitCommand } from "./command-line.ts";
import { jsonTokens } from "./json-tokens.ts";
import type { SettingsProblem } from "./problems.ts";

/** One entry of `compile_commands.json`. */
export interface CompileCommand {
  /** The source file's name. */
  readonly file: string;
  /** The folder that relative paths in the arguments count from. */
  readonly directory: string;
  /** The arguments, without the compiler's name. */
  readonly arguments: readonly string[];
  /** The index of the entry in the database. */
  readonly index: number;
}

/** A `compile_commands.json`. */
export interface CompileDatabase {
  /** The command for exactly this file, or for the nearest file with the same extension; undefined if the database has neither. */
  commandOf(name: string): { readonly command: CompileCommand; readonly isExact: boolean } | undefined;
  readonly problems: readonly SettingsProblem[];
  /** The place of an entry. */
  spanOf(index: number): Span;
}

/** Reads a database. If the text is not a database, the result has no commands. `folder` is the folder of the file. */
export function readCompileDatabase(text: string, folder: string): CompileDatabase {
  const entries = parseEntries(text);
  if (!Array.isArray(entries)) {
    const message = entries === undefined ? "not valid JSON" : "expected an array of commands";
    const span = entries === undefined ? firstMistake(text) : { start: 0, end: Math.min(1, text.length) };
    return { commandOf: () => undefined, problems: [{ message, span }], spanOf: () => span };
  }
  const commands = new Map<string, () => CompileCommand>();
  // The first file of each extension below a folder.
  const nearest = new Map<string, string>();
  const mistakes: { readonly index: number; readonly message: string }[] = [];
  for (const [index, entry] of entries.entries()) {
    const mistake = mistakeIn(entry);
    if (mistake !== undefined) mistakes.push({ index, message: mistake });
    if (!isJsonObject(entry) || typeof entry.file !== "string") continue;
    const directory = typeof entry.directory === "string" ? resolveName(folder, entry.directory) : folder;
    const file = resolveName(directory, entry.file);
    // A file that is built several times is judged by its first command, which is split only when it is needed.
    if (commands.has(file)) continue;
    commands.set(file, () => ({ file, directory, arguments: argumentsOf(entry), index }));
    for (let above = folderOf(file), key = keyOf(above, file); !nearest.has(key); key = keyOf(above, file)) {
      nearest.set(key, file);
      if (above === "") break;
      above = folderOf(above);
    }
  }
  let spans: readonly Span[] | undefined;
  const spanOf = (index: number): Span => {
    spans ??= elementSpans(text);
    return spans[index] ?? { start: 0, end: 0 };
  };
  const nearestTo = (name: string): string | undefined => {
    for (let above = folderOf(name); ; above = folderOf(above)) {
      const file = nearest.get(keyOf(above, name));
      if (file !== undefined || above === "") return file;
    }
  };
  return {
    commandOf(name) {
      const own = commands.get(name);
      if (own !== undefined) return { command: own(), isExact: true };
      const near = nearestTo(name);
      const command = near === undefined ? undefined : commands.get(near)?.();
      return command === undefined ? undefined : { command, isExact: false };
    },
    problems: mistakes.slice(0, 200).map(({ index, message }) => ({ message, span: spanOf(index) })),
    spanOf,
  };
}

function parseEntries(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function mistakeIn(entry: unknown): string | undefined {
  if (!isJsonObject(entry)) return "expected an object with 'file', 'directory' and 'command' or 'arguments'";
  if (typeof entry.file !== "string") return "this entry names no 'file'";
  if (entry.directory !== undefined && typeof entry.directory !== "string") return "expected text in 'directory'";
  if (typeof entry.command === "string") return undefined;
  const { arguments: words } = entry;
  return Array.isArray(words) && words.every((word) => typeof word === "string")
    ? undefined
    : "this entry has neither a 'command' nor a list of 'arguments'";
}

function argumentsOf(entry: Record<string, unknown>): readonly string[] {
  const words = Array.isArray(entry.arguments)
    ? entry.arguments.filter((word) => typeof word === "string")
    : typeof entry.command === "string"
      ? splitCommand(entry.command)
      : [];
  const { file } = entry;
  // The first word is the compiler, unless it is a launcher such as ccache.
  const start = words.findIndex((word) => word.startsWith("-") || word.startsWith("@") || word === file);
  const flags = (start < 0 ? [] : words.slice(start)).filter((word) => word !== file);
  return [...languageBy(words.slice(0, Math.max(start, 0)), String(file)), ...flags];
}

/** The flags for the language that the compiler chooses: hipcc compiles C++ as HIP by default. Later flags override them. */
function languageBy(compiler: readonly string[], file: string): readonly string[] {
  const isHipcc = compiler.some((word) => /(?:^|[\\/])hipcc(?:\.\w+)?$/.test(word));
  return isHipcc && /\.(cc|cpp|cxx|c\+\+|cu|hip)$/i.test(file) ? ["-x", "hip"] : [];
}

function keyOf(folder: string, file: string): string {
  return `${extensionOf(file)} ${folder}`;
}

function extensionOf(name: string): string {
  const base = baseNameOf(name);
  return base.slice(base.lastIndexOf(".") + 1).toLowerCase();
}

/** The place of each element of the array. It is found without building a tree, because the file may be large. */
function elementSpans(text: string): readonly Span[] {
  const spans: Span[] = [];
  let depth = 0;
  let first = 0;
  for (const { kind, start, end } of jsonTokens(text)) {
    if (kind === "close") depth--;
    if (depth === 1 && kind === "close") spans.push({ start: first, end });
    if (depth === 1 && kind === "open") first = start;
    if (depth === 1 && kind === "other") spans.push({ start, end });
    if (kind === "open") depth++;
  }
  return spans;
}

/** The first place that is not valid JSON, or the end of the text. */
function firstMistake(text: string): Span {
  const open: string[] = [];
  for (const { kind, start, end } of jsonTokens(text)) {
    const bracket = text.charAt(start);
    if (kind === "open") open.push(bracket === "{" ? "}" : "]");
    if (kind === "mistake" || (kind === "close" && open.pop() !== bracket)) return { start, end };
  }
  return { start: text.length, end: text.length };
}

/** A line of `compile_flags.txt`, and its place. */
export interface FlagLine {
  readonly text: string;
  readonly span: Span;
}

/** Reads the flags of a `compile_flags.txt`: one per line, without quoting, as in clang. */
export function readCompileFlags(text: string): readonly FlagLine[] {
  const lines: FlagLine[] = [];
  for (const { 0: line, index } of text.matchAll(/[^\r\n]+/g)) {
    const flag = line.trim();
    const start = index + line.length - line.trimStart().length;
    if (flag !== "" && !flag.startsWith("#")) lines.push({ text: flag, span: { start, end: start + flag.length } });
  }
  return lines;
}
