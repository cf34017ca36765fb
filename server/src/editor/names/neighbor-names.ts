/**
 * Finds names that other OpenCL files of the workspace declare. A host may build one program from several texts, so a name that nothing
 * in a file's own program declares may be declared in a neighbor.
 */
import { languageOfName } from "../../dialect.ts";
import { definitionsIn } from "../../preprocess/macros/definitions-in.ts";
import { type Files, type Location, type SourceSpan, textOf } from "../../source.ts";
import { wordPattern } from "../../words.ts";
import { type CodeToken, codeTokens } from "./tokens.ts";

/** How many characters of neighbors are read for a list of names. Files of the same folder come first. */
const mostRead = 1_000_000;

/** A name that a neighbor declares outside of functions. */
interface NeighborName {
  readonly name: string;
  readonly kind: "macro" | "function" | "type" | "variable";
  readonly span: SourceSpan;
}

interface Neighbor {
  readonly text: string;
  readonly names: readonly NeighborName[];
  /** Every word of its code. */
  readonly words: ReadonlySet<string>;
}

const known = new Map<string, Neighbor>();
/** How many files are remembered. */
const filesKept = 256;

/** The names that neighbors declare, each with the file. */
export function neighborNames(
  uri: string,
  files: Files,
): ReadonlyMap<string, { readonly kind: NeighborName["kind"]; readonly uri: string }> {
  const found = new Map<string, { readonly kind: NeighborName["kind"]; readonly uri: string }>();
  for (const [other, { names }] of readNeighbors(uri, files))
    for (const { name, kind } of names) if (!found.has(name)) found.set(name, { kind, uri: other });
  return found;
}

/** The words that neighbors use, each with the first file: names that an author may give again. */
export function neighborWords(uri: string, files: Files): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [other, { words }] of readNeighbors(uri, files)) for (const word of words) if (!found.has(word)) found.set(word, other);
  return found;
}

function readNeighbors(uri: string, files: Files): readonly (readonly [string, Neighbor])[] {
  const found: [string, Neighbor][] = [];
  let read = 0;
  for (const other of neighborsOf(uri, files)) {
    const text = textOf(files, other);
    read += text.length;
    if (read > mostRead) break;
    found.push([other, readNeighbor(other, text)]);
  }
  return found;
}

/**
 * Where texts declare a name: the file itself, whose declaration the parser may not understand, and its neighbors, those of the same
 * folder first.
 */
export function neighborDeclarations(name: string, uri: string, files: Files): readonly Location[] {
  return writtenDeclarations(name, [uri, ...neighborsOf(uri, files)], files);
}

/** Where these files declare a name outside of functions, in any branch. */
export function writtenDeclarations(name: string, uris: readonly string[], files: Files): readonly Location[] {
  const word = wordPattern(name);
  return uris.flatMap((other) => {
    const text = textOf(files, other);
    if (!text.includes(name) || !word.test(text)) return [];
    return readNeighbor(other, text).names.flatMap((each) => (each.name === name ? [{ uri: other, span: each.span }] : []));
  });
}

/** True if a text declares a name outside of functions. */
export function isDeclaredOutside(name: string, uri: string, text: string): boolean {
  return text.includes(name) && readNeighbor(uri, text).names.some((each) => each.name === name);
}

function neighborsOf(uri: string, files: Files): readonly string[] {
  const folder = uri.slice(0, uri.lastIndexOf("/") + 1);
  const others = files.list().filter((other) => other !== uri && languageOfName(other) === "opencl");
  const isNear = (other: string) => other.startsWith(folder) && !other.slice(folder.length).includes("/");
  return [...others.filter(isNear), ...others.filter((other) => !isNear(other))];
}

function readNeighbor(uri: string, text: string): Neighbor {
  const present = known.get(uri);
  if (present?.text === text) return present;
  const macros = definitionsIn(text).map(({ name, span }): NeighborName => ({ name, span, kind: "macro" }));
  const tokens = codeTokens(text).filter(({ kind }) => kind !== "comment");
  const words = new Set(tokens.flatMap(({ kind, text: word }) => (kind === "word" && word.length > 1 ? [word] : [])));
  const found = { text, names: [...macros, ...outerDeclarations(tokens)], words };
  known.delete(uri);
  for (const oldest of [...known.keys()].slice(0, Math.max(0, known.size - filesKept + 1))) known.delete(oldest);
  known.set(uri, found);
  return found;
}

/** Functions with a body, variables and the names of types: what a text of another program would need of this one. */
function outerDeclarations(tokens: readonly CodeToken[]): readonly NeighborName[] {
  const found: NeighborName[] = [];
  let braces = 0;
  let parentheses = 0;
  /** The word before the first parenthesis of the item, and whether the item is a typedef. */
  let head: CodeToken | undefined;
  let isTypedef = false;
  /** The item has declared a variable, whose initializer or further declarators may follow. */
  let hasVariable = false;
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1];
    const add = (kind: NeighborName["kind"], { text: name, start, end }: CodeToken) => found.push({ name, kind, span: { start, end } });
    if (braces === 0 && token.text === "typedef") isTypedef = true;
    const isDeclared = braces === 0 && parentheses === 0 && head === undefined && !isTypedef && !hasVariable && token.kind === "word";
    if (isDeclared && /^[[=;]$/.test(tokens[index + 1]?.text ?? "") && isDeclaring(before)) {
      add("variable", token);
      hasVariable = true;
    }
    if (braces === 0 && token.text === "(" && parentheses++ === 0 && before?.kind === "word" && before.text !== "__attribute__")
      head = before;
    else if (braces === 0 && token.text === ")") parentheses = Math.max(0, parentheses - 1);
    else if (token.text === "{") {
      if (braces++ === 0 && before?.text === ")" && head !== undefined && !isTypedef) add("function", head);
      else if (braces === 1 && before?.kind === "word" && /^(?:struct|union|enum)$/.test(tokens[index - 2]?.text ?? ""))
        add("type", before);
    } else if (token.text === "}") {
      braces = Math.max(0, braces - 1);
      if (braces === 0 && !isTypedef) head = undefined;
    } else if (token.text === ";" && braces === 0) {
      if (isTypedef && before?.kind === "word") add("type", before);
      isTypedef = false;
      hasVariable = false;
      head = undefined;
      parentheses = 0;
    }
  }
  return found;
}

/** True for the end of a type: its name or a `*`. */
function isDeclaring(before: CodeToken | undefined): boolean {
  return before?.text === "*" || (before?.kind === "word" && !/^(?:struct|union|enum|typedef)$/.test(before.text));
}
