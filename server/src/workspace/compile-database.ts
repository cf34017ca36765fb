/**
 * Reads the files in which other tools keep compile flags: `compile_commands.json`, `compile_flags.txt` and the
 * `CompileFlags: Add:` of `.clangd`. It gives flags as written; what they mean is `compiler-flags.ts`'s business.
 * The only file that imports yaml.
 */
import { parseAllDocuments } from "yaml";
import { baseNameOf, folderOf, resolveName } from "../names.ts";
import { splitCommand } from "./command-line.ts";

export interface CompileCommand {
  /** The source file's name. */
  readonly file: string;
  /** Paths in the arguments count from here. */
  readonly directory: string;
  /** Without the compiler. */
  readonly arguments: readonly string[];
}

export interface CompileDatabase {
  /**
   * The command of this very file, or of the file with the same extension that is nearest in the folders; undefined
   * where the database has neither.
   */
  commandOf(name: string): { readonly command: CompileCommand; readonly isExact: boolean } | undefined;
}

/** The database, or undefined where the text is not one. `folder` is where the file lies. */
export function readCompileDatabase(text: string, folder: string): CompileDatabase | undefined {
  const entries = parseEntries(text);
  if (entries === undefined) return undefined;
  const commands = new Map<string, () => CompileCommand>();
  for (const entry of entries) {
    if (!isRecord(entry) || typeof entry.file !== "string") continue;
    const directory = typeof entry.directory === "string" ? resolveName(folder, entry.directory) : folder;
    const file = resolveName(directory, entry.file);
    // A file that is built several times is judged by its first command; splitting waits until it is asked for.
    if (!commands.has(file)) commands.set(file, () => ({ file, directory, arguments: argumentsOf(entry) }));
  }
  return {
    commandOf(name) {
      const own = commands.get(name);
      if (own !== undefined) return { command: own(), isExact: true };
      const near = nearestFile(name, commands.keys());
      const command = near === undefined ? undefined : commands.get(near)?.();
      return command === undefined ? undefined : { command, isExact: false };
    },
  };
}

function parseEntries(text: string): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function argumentsOf(entry: Record<string, unknown>): readonly string[] {
  const words = Array.isArray(entry.arguments)
    ? entry.arguments.map(String)
    : typeof entry.command === "string"
      ? splitCommand(entry.command)
      : [];
  const { file } = entry;
  // The first word is the compiler, unless a launcher such as ccache stands before it.
  const start = words.findIndex((word) => word.startsWith("-") || word.startsWith("@") || word === file);
  return (start < 0 ? [] : words.slice(start)).filter((word) => word !== file);
}

function nearestFile(name: string, candidates: Iterable<string>): string | undefined {
  const extension = extensionOf(name);
  const wanted = folderOf(name).split("/");
  let best: { file: string; shared: number } | undefined;
  for (const file of candidates) {
    if (extensionOf(file) !== extension) continue;
    const folders = folderOf(file).split("/");
    let shared = 0;
    while (shared < wanted.length && wanted[shared] === folders[shared]) shared++;
    if (best === undefined || shared > best.shared) best = { file, shared };
  }
  return best?.file;
}

function extensionOf(name: string): string {
  const base = baseNameOf(name);
  return base.slice(base.lastIndexOf(".") + 1).toLowerCase();
}

/** One flag per line; no quoting, as clang reads it. */
export function readCompileFlags(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}

/** The flags that a `.clangd` adds for a file, whose path counts from the folder of the `.clangd`. */
export function readClangdFlags(text: string, path: string): readonly string[] {
  const flags: string[] = [];
  for (const document of parseAllDocuments(text, { logLevel: "silent" })) {
    if (!("errors" in document) || document.errors.length > 0) continue;
    const fragment: unknown = document.toJS({ maxAliasCount: 100 });
    if (!isRecord(fragment) || !applies(fragment.If, path) || !isRecord(fragment.CompileFlags)) continue;
    flags.push(...strings(fragment.CompileFlags.Add));
  }
  return flags;
}

function applies(condition: unknown, path: string): boolean {
  if (!isRecord(condition)) return true;
  const matches = strings(condition.PathMatch);
  if (matches.length > 0 && !matches.some((pattern) => matchesWhole(pattern, path))) return false;
  return !strings(condition.PathExclude).some((pattern) => matchesWhole(pattern, path));
}

function matchesWhole(pattern: string, path: string): boolean {
  try {
    return new RegExp(`^(?:${pattern})$`).test(path);
  } catch {
    return false;
  }
}

/** clangd takes one string wherever it takes a list. */
function strings(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
