/**
 * Infers which texts a host puts in front of a file that is one raw literal: C++ code includes such files into an expression, as in
 * `source += \n#include "common.cl"\n;`, and joins them to one program. Pieces that follow each other, that are appended to one variable,
 * or whose variables are joined by `+`, precede each other. What is joined with a text from elsewhere precedes every such file.
 * A macro that the host defines with a value of the running program has builds: one for each value that the program tests.
 */
import { isWrapped } from "../../embedded/c-literals.ts";
import { baseNameOf, embeddedMark, folderOf, hostOf, isEmbedded, resolveName } from "../../names.ts";
import { type Files, type Location, textOf } from "../../source.ts";
import type { ForcedHeader, ForcedHeaders } from "./forced-headers.ts";
import { createScriptAnswers } from "./script-answers.ts";

/** An `#include` of a file with OpenCL in an expression. */
interface Piece {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** A macro whose value the running host writes: `"#define PRECISION " + value`. */
interface WrittenMacro {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** One of the values that such a macro may have. */
interface WrittenValue {
  readonly name: string;
  readonly value: string;
  readonly location: Location;
}

/** The pieces in front of a literal, and the builds of its program. */
export interface JoinedLiterals extends ForcedHeaders {
  /** The values of macros that a host writes, as far as the program tests them: each is a build of it. */
  values(name: string): readonly WrittenValue[];
}

/** What one host joins. */
interface Joined {
  readonly macros: readonly WrittenMacro[];
  /** Pieces in the order of their programs. */
  readonly programs: readonly (readonly Piece[])[];
  /** Pieces in front of a text from elsewhere. */
  readonly fronts: readonly (readonly Piece[])[];
}

const nothing: Joined = { macros: [], programs: [], fronts: [] };
const writing = /"#[ \t]*define[ \t]+([A-Za-z_]\w*)[ \t]"(?=[ \t]*(?:\+|<<|;))/g;
const hosts = /\.(?:c|cc|cpp|cxx|c\+\+|h|hh|hpp|hxx|inc|inl|ipp|tpp)$/i;
const including = /#[ \t]*include[ \t]*"[^"\n]+\.(?:cl|clh|ocl|opencl)"/;
const tokens =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|^[ \t]*#[ \t]*include[ \t]*"([^"\n]+\.(?:cl|clh|ocl|opencl))"[^\n]*|^[ \t]*#[^\n]*|("(?:[^"\\\n]|\\.)*")|([A-Za-z_]\w*)|\+=|==|[^\s\w]|\d+/gm;

/** Creates the inference. It reads hosts once, and again when one of them changes. */
export function createJoinedLiterals(files: Files): JoinedLiterals {
  const answers = createScriptAnswers(
    files,
    (host) => joinedIn(textOf(files, host)),
    nothing,
    (name) => hosts.test(name),
  );
  const fileOf = (host: string, { path }: Piece): string | undefined => {
    const beside = resolveName(folderOf(host), path);
    const listed = files.list();
    const ending = `/${path.replace(/^(?:\.{1,2}\/)+/, "")}`;
    const found = listed.includes(beside) ? [beside] : listed.filter((uri) => uri.endsWith(ending));
    const [only] = found;
    return found.length === 1 && only !== undefined && isWrapped(textOf(files, only)) ? only : undefined;
  };
  const sourceOf = (host: string, piece: Piece): string | undefined => {
    const file = fileOf(host, piece);
    return file === undefined ? undefined : `${file}${embeddedMark}0.cl`;
  };
  /** The pieces as headers, or undefined if one of them is not found. */
  const headersOf = (host: string, pieces: readonly Piece[]): readonly ForcedHeader[] | undefined => {
    const found = pieces.flatMap((piece): readonly ForcedHeader[] => {
      const uri = sourceOf(host, piece);
      const location = { uri: host, span: { start: piece.start, end: piece.end } };
      return uri === undefined ? [] : [{ name: baseNameOf(piece.path), uri, location }];
    });
    return found.length < pieces.length ? undefined : found;
  };
  const of: ForcedHeaders["of"] = (name, language) => {
    if (language !== "opencl" || !isEmbedded(name)) return [];
    const base = baseNameOf(hostOf(name));
    let best: readonly ForcedHeader[] = [];
    const inFront = new Map<string, readonly ForcedHeader[]>();
    for (const [host, { programs, fronts }] of answers.all()) {
      for (const pieces of fronts) {
        const headers = headersOf(host, pieces) ?? [];
        inFront.set(headers.map(({ uri }) => uri).join("\n"), headers);
      }
      for (const pieces of programs) {
        const at = pieces.findIndex((piece) => baseNameOf(piece.path) === base && sourceOf(host, piece) === name);
        const headers = at > best.length ? headersOf(host, pieces.slice(0, at)) : undefined;
        best = headers ?? best;
      }
    }
    const [front = [], ...others] = [...inFront.values()];
    // Of several texts in front, it is not known which one this file gets.
    const isFront = front.some(({ uri }) => uri === name);
    const first = others.length > 0 || isFront ? [] : front.filter(({ uri }) => best.every((each) => each.uri !== uri));
    return [...first, ...best];
  };
  return {
    of,
    values: (name) => {
      const inFront = isEmbedded(name) ? of(name, "opencl") : [];
      if (inFront.length === 0) return [];
      const texts = [name, ...inFront.map(({ uri }) => uri)].map((uri) => textOf(files, hostOf(uri)));
      const found = new Map<string, WrittenValue>();
      for (const [host, { macros }] of answers.all())
        for (const { name: macro, start, end } of macros)
          for (const value of testedValues(texts, macro))
            found.set(`${macro}=${value}`, { name: macro, value, location: { uri: host, span: { start, end } } });
      return [...found.values()];
    },
    changed: answers.changed,
  };
}

/** The numbers with which conditionals of a program compare a macro, without its default, as which the program defines it itself. */
function testedValues(texts: readonly string[], macro: string): ReadonlySet<string> {
  const comparison = new RegExp(`\\b${macro}[ \\t]*==[ \\t]*(\\d+)`, "g");
  const own = new RegExp(`^[ \\t]*#[ \\t]*define[ \\t]+${macro}[ \\t]+(\\d+)\\b`, "gm");
  const numbersIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, number = ""]) => number);
  const defaults = new Set(texts.flatMap((text) => numbersIn(text, own)));
  const tested = texts.flatMap((text) => [...text.matchAll(condition)].flatMap(([line]) => numbersIn(line, comparison)));
  return new Set(tested.filter((value) => !defaults.has(value)));
}

const condition = /^[ \t]*#[ \t]*(?:el)?if\b[^\n]*/gm;

/** Reads the pieces of a host's text, the variables that get them, and the expressions that join those. */
function joinedIn(text: string): Joined {
  if (!including.test(text)) return nothing;
  const variables = new Map<string, Piece[]>();
  const programs: Piece[][] = [];
  const fronts: (readonly Piece[])[] = [];
  let group: Piece[] = [];
  /** The variable that the expression is assigned or appended to. */
  let target: string | undefined;
  let last = "";
  let name = "";
  /** The operands of the sum so far; undefined for one from elsewhere. */
  let operands: (readonly Piece[] | undefined)[] = [];
  const endGroup = () => {
    if (group.length > 1) programs.push(group);
    if (target !== undefined && group.length > 0) variables.set(target, [...(variables.get(target) ?? []), ...group]);
    group = [];
  };
  const endSum = () => {
    if (last === "name" && operands.length > 0) operands.push(variables.get(name));
    const known = operands.flatMap((each) => each ?? []);
    const front = operands.slice(0, operands.lastIndexOf(undefined) + 1).flatMap((each) => each ?? []);
    if (front.length > 0) fronts.push(front);
    if (operands.length > 1 && known.length > 1) programs.push(known);
    operands = [];
  };
  for (const { 0: whole, 1: path, 2: literal, 3: word, index } of text.matchAll(tokens)) {
    if (whole.startsWith("//") || whole.startsWith("/*")) continue;
    if (path !== undefined) {
      group.push({ path, start: index + whole.indexOf("#"), end: index + whole.lastIndexOf('"') + 1 });
      last = "piece";
    } else if (literal !== undefined) {
      // A condition of the program: what stands before it may be in another branch.
      if (/#\s*(?:if|el|endif)/.test(literal)) {
        endGroup();
        target = undefined;
      }
      last = "literal";
    } else if (word !== undefined) {
      if (last === "piece") endGroup();
      name = word;
      last = "name";
    } else if (whole === "+=" || whole === "=") {
      endGroup();
      target = last === "name" ? name : undefined;
      last = "sign";
    } else if (whole === "+") {
      if (last === "name") operands.push(variables.get(name));
      else if (last === "literal") operands.push([]);
      last = "sign";
    } else if (whole === "," && last === "piece") {
      // Literals of one list.
    } else if (whole.trimStart().startsWith("#")) {
      last = "directive";
    } else {
      endGroup();
      endSum();
      if (whole === ";" || whole === "{" || whole === "}") target = undefined;
      last = "sign";
    }
  }
  for (const pieces of variables.values()) if (pieces.length > 1) programs.push(pieces);
  const macros = [...text.matchAll(writing)].map(({ 0: whole, 1: name = "", index }) => ({
    name,
    start: index,
    end: index + whole.length,
  }));
  return { macros, programs, fronts };
}
