/**
 * Infers which C++ sources a build compiles as CUDA or HIP although their names say C++: CMake's property LANGUAGE of a source, and
 * `-x cu` in a makefile. A source counts only if its text is device code, because a build may compile a whole program as CUDA. Where a
 * script computes the names, this decides about all sources of its folder. Settings override the inference.
 */
import { definitionsFor, type NeededDefinition, negatedIn } from "../../diagnostics/needed-definitions.ts";
import { withoutComments } from "../../embedded/join.ts";
import { baseNameOf, folderOf, foldersUpTo, isWithin, resolveName } from "../../names.ts";
import { type Files, type Location, textOf } from "../../source.ts";
import { hipSignsOf } from "../hip.ts";
import { languageOfText } from "../languages.ts";
import { withoutRemarks } from "./build-languages.ts";
import { builtBy, createScriptAnswers } from "./script-answers.ts";

/** A macro of the build without which specifiers are empty. */
interface FillingMacro {
  readonly name: string;
  readonly value: string;
  /** A specifier that needs it, in the header that tests it. */
  readonly location: Location;
}

/** How a build compiles a C++ source. */
export interface DeviceSource {
  /** True if HIP's compiler alone compiles it. */
  readonly isHip: boolean;
  /** Where a script says so. */
  readonly location: Location;
  /** The macros of the build that fill its specifiers; none for HIP. */
  readonly macros: readonly FillingMacro[];
}

/** Answers which C++ sources are device code. */
export interface DeviceSources {
  /** How the build compiles a C++ source as device code; undefined for any other file. */
  of(name: string): DeviceSource | undefined;
  /** Reports that these files were edited, created or deleted. True if answers may differ now. */
  changed(names: readonly string[]): boolean;
}

/** What a script says. */
interface Statement {
  readonly kind: "CUDA" | "HIP";
  /** The sources, each with its folder, or as the end of its path behind a folder that the script computes. */
  readonly sources: readonly string[];
  /** True if the script computes names. */
  readonly isOpen: boolean;
  /** The macros and variables about CUDA that the script names. */
  readonly macros: readonly string[];
  readonly start: number;
  readonly end: number;
}

const cplusplus = /\.(?:cc|cpp|cxx|c\+\+|C)$/;
/** Headers in which projects define their specifiers. */
const header = /\.(?:h|hh|hpp|hxx|H|inc|inl|cuh)$/;

/** Creates the inference. It reads build scripts once, headers once if a script computes names, and each again when it changes. */
export function createDeviceSources(root: string, files: Files): DeviceSources {
  const statements = createScriptAnswers(files, (script) => statementsIn(script, textOf(files, script)), []);
  const macros = createScriptAnswers(
    files,
    (name) => macrosIn(textOf(files, name)),
    { specifiers: [], configured: [] },
    (name) => header.test(name),
  );
  /** The folder whose sources a script builds. A module of CMake serves the project above it. */
  const folderBuiltBy = (script: string): string => {
    const isOfProject = (folder: string) => /^[ \t]*project\s*\(/im.test(textOf(files, `${folder}/CMakeLists.txt`));
    const project = /\.cmake$/.test(script) ? foldersUpTo(script, root).find(isOfProject) : undefined;
    return project ?? builtBy(script);
  };
  const said = (name: string, isOpen: boolean) =>
    [...statements.all()].flatMap(([script, found]) => {
      if (found.length === 0) return [];
      const isInside = isWithin(name, folderBuiltBy(script));
      const isNamed = (source: string) =>
        source.startsWith("/") ? isInside && name.endsWith(source) : resolveName(folderOf(script), source) === name;
      return found.filter((each) => (isOpen ? isInside && each.isOpen : each.sources.some(isNamed))).map((each) => ({ ...each, script }));
    });
  return {
    of: (name) => {
      if (!cplusplus.test(name)) return undefined;
      const named = said(name, false);
      const found = named.length > 0 ? named : said(name, true);
      const [first] = found;
      if (first === undefined) return undefined;
      const text = textOf(files, name);
      const isHip = found.every(({ kind }) => kind === "HIP");
      const own = specifiersOf(text, macros.all());
      const isCuda = languageOfText(name, text) === "cuda";
      if (own.length === 0 && !isCuda) return undefined;
      // The specifiers of a source's headers need macros, too.
      const specifiers = own.length > 0 ? own : allSpecifiers(macros.all());
      const used = filledBy(specifiers, macros.all(), new Set(found.flatMap(({ macros: tested }) => tested)));
      const mayBeForHosts = (used.length === 0 && !isCuda) || (isHip && hipSignsOf(text).kind === "cuda");
      if (named.length === 0 && mayBeForHosts) return undefined;
      const { script, start, end } = first;
      return { isHip, location: { uri: script, span: { start, end } }, macros: isHip ? [] : macrosFor(used) };
    },
    changed: (names) => [statements, macros].map((each) => each.changed(names)).some((differs) => differs),
  };
}

// ---------------------------------------------------------------- scripts

const ofCMake =
  /\bset_source_files_properties\s*\(([^()]*?)\bPROPERTIES\b[^()]*?\bLANGUAGE\s+"?(CUDA|HIP)\b[^()]*\)|\bset_property\s*\(\s*SOURCE\b([^()]*?)\bPROPERTY\s+LANGUAGE\s+"?(CUDA|HIP)\b[^()]*\)/gi;
const ofMake = /(?<![\w-])-{1,2}x[ \t=]*(cu|cuda|hip)(?![\w-])/;

function statementsIn(script: string, text: string): readonly Statement[] {
  const base = baseNameOf(script);
  if (/^CMakeLists\.txt$|\.cmake$/.test(base))
    return /LANGUAGE\s+"?(?:CUDA|HIP)\b/i.test(text) ? inCMake(withoutRemarks(script, text)) : [];
  return /^(?:GNU)?makefile\b|\.(?:mk|mak)$/i.test(base) && ofMake.test(text) ? inMake(withoutRemarks(script, text)) : [];
}

function inCMake(text: string): readonly Statement[] {
  return [...text.matchAll(ofCMake)].map(({ 0: whole, 1: files, 2: kind, 3: source = "", 4: language = "", index }) => {
    const names = wordsOf(files ?? source).flatMap((word) => {
      const variable = /^\$\{(\w+)\}$/.exec(word)?.[1];
      return variable === undefined ? [word] : (valuesOf(variable, text) ?? [word]);
    });
    return statement(text, (kind ?? language).toUpperCase() === "HIP", names, index, whole.length);
  });
}

function wordsOf(list: string): readonly string[] {
  return list
    .replaceAll('"', "")
    .split(/[\s;]+/)
    .filter((word) => word !== "");
}

/** The values of a variable, if the script lists all of them. */
function valuesOf(variable: string, text: string): readonly string[] | undefined {
  if (new RegExp(`\\bfile\\s*\\(\\s*GLOB\\w*\\s+${variable}\\b`, "i").test(text)) return undefined;
  const lists = text.matchAll(new RegExp(`\\b(?:(?:set|foreach)\\s*\\(|list\\s*\\(\\s*APPEND)\\s*${variable}\\s([^()]*)\\)`, "gi"));
  const words = [...lists].flatMap(([, list = ""]) => wordsOf(list));
  return words.length === 0 || words.some((word) => !isName(word) && !cmakeKeyword.test(word)) ? undefined : words.filter(isName);
}

const cmakeKeyword = /^(?:PARENT_SCOPE|CACHE|INTERNAL|FORCE)$/;

/** True for a name of a file, whose folder a variable may contain. */
function isName(word: string): boolean {
  return /^(?:\$[{(]\w+[)}]\/)?[\w./+-]+\.\w+$/.test(word);
}

function statement(text: string, isHip: boolean, words: readonly string[], start: number, length: number): Statement {
  const names = words.filter(isName).map((word) => word.replace(/^\$[{(]\w+[)}](?=\/)/, ""));
  const isOpen = words.some((word) => !isName(word) && /\$/.test(word));
  const sources = names.filter((name) => cplusplus.test(name));
  const macros = [...new Set(text.match(/\b\w*CUDA\w*/g))];
  return { kind: isHip ? "HIP" : "CUDA", sources, isOpen, macros, start, end: start + length };
}

/** A rule or a definition of a makefile, with its recipe. */
const makeBlock = /^[^\t\n#](?:[^\n\\]|\\[^\n]|\\\n)*(?:\n\t(?:[^\n\\]|\\[^\n]|\\\n)*)*/gm;

function inMake(text: string): readonly Statement[] {
  return [...text.matchAll(makeBlock)].flatMap(({ 0: block, index }) => {
    const option = ofMake.exec(block);
    if (option === null || /\bfilter-out\b/.test(block)) return [];
    const sources = wordsOf(block).filter((word) => isName(word) && cplusplus.test(word));
    return [statement(text, option[1] === "hip", sources.length > 0 ? sources : ["$"], index + option.index, option[0].length)];
  });
}

// ---------------------------------------------------------------- specifiers

/** A macro that consists of execution spaces, with the macros that its definition needs; undefined if that is not certain. */
interface Specifier {
  readonly macro: string;
  readonly needs: readonly NeededDefinition[] | undefined;
  readonly start: number;
}

/** What a header defines. */
interface Macros {
  readonly specifiers: readonly Specifier[];
  /** The macros about CUDA that it defines. */
  readonly configured: readonly string[];
}

const directive = /^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif|define)\b((?:[^\n\\]|\\\r?\n|\\)*)/gm;
const definition =
  /^\s*([A-Za-z_]\w*)\s+((?:(?:inline|static|constexpr|__\w*inline__|__host__|__device__|__global__|__attribute__\s*\(\(\s*(?:host|device|global|always_inline)\s*\)\))\s*)+)$/;
const ofDevice = /__device__|__global__|\(\s*(?:device|global)\s*\)/;

function macrosIn(text: string): Macros {
  const configured = [...text.matchAll(/^[ \t]*#[ \t]*define[ \t]+(\w*(?:CUDA|GPU)\w*)/gim)].map(([, name = ""]) => name);
  return { specifiers: specifiersIn(text), configured };
}

function specifiersIn(text: string): readonly Specifier[] {
  if (!/#[ \t]*define\b.*(?:__device__|__global__|__attribute__)/.test(text)) return [];
  const found: Specifier[] = [];
  const open: { needs: Specifier["needs"]; earlier: readonly string[] }[] = [];
  for (const { 0: whole, 1: word = "", 2: rest = "", index } of text.matchAll(directive)) {
    const condition = withoutComments(rest).trim();
    if (word === "define") {
      const [, macro = "", words = ""] = definition.exec(condition) ?? [];
      const all = open.map(({ needs }) => needs);
      const needs = all.every((each) => each !== undefined) ? all.flat() : undefined;
      if (ofDevice.test(words)) found.push({ macro, needs, start: index + whole.indexOf(macro) });
      continue;
    }
    const previous = word.startsWith("if") ? undefined : open.pop();
    if (word === "endif") continue;
    const written = word === "ifndef" ? `!defined(${condition})` : word === "ifdef" ? `defined(${condition})` : condition;
    const test = written.replace(ofOthers, "0");
    const needs = word === "else" ? neededByElse(previous?.earlier ?? []) : definitionsFor(test);
    open.push({ needs: needs?.filter(({ name }) => !name.startsWith("_")), earlier: [...(previous?.earlier ?? []), test] });
  }
  return found;
}

/** A test for another compiler than that of CUDA, which fails. */
const ofOthers = /(?<![!\w]\s*)defined\s*\(?\s*\w*(?:HIP|SYCL)\w*\s*\)?/g;

/** What the last branch of a conditional needs. */
function neededByElse(earlier: readonly string[]): Specifier["needs"] {
  const names = earlier.map(negatedIn);
  return names.every((name) => name === undefined) ? [] : undefined;
}

/** A specifier with its header. */
interface Written extends Specifier {
  readonly uri: string;
}

/** A specifier whose needs are certain. */
interface Used extends Written {
  readonly needs: readonly NeededDefinition[];
}

/** The specifiers that a text contains. */
function specifiersOf(text: string, headers: ReadonlyMap<string, Macros>): readonly Written[] {
  const words = new Set(text.match(/[A-Za-z_]\w*/g));
  return allSpecifiers(headers).filter(({ macro }) => words.has(macro));
}

function allSpecifiers(headers: ReadonlyMap<string, Macros>): readonly Written[] {
  return [...headers].flatMap(([uri, { specifiers }]) => specifiers.map((each) => ({ ...each, uri })));
}

/** The specifiers that the build fills. `named` has the macros that its script names. */
function filledBy(written: readonly Written[], headers: ReadonlyMap<string, Macros>, named: ReadonlySet<string>): readonly Used[] {
  const isDefined = (name: string) => [...headers.values()].some(({ configured }) => configured.includes(name));
  return written.flatMap((each) => {
    // A header that defines a macro decides about it.
    const needs = each.needs?.some(({ name }) => isDefined(name)) === true ? [] : each.needs;
    // A general macro, such as `USE_GPU`, may need another one beside it.
    return needs?.every(({ name, value }) => value === undefined && named.has(name)) === true ? [{ ...each, needs }] : [];
  });
}

/** The macros that the specifiers of a source need. */
function macrosFor(used: readonly Used[]): readonly FillingMacro[] {
  const needing = used.filter(({ macro }) => used.every((each) => each.macro !== macro || each.needs.length > 0));
  const [first] = needing;
  if (first === undefined) return [];
  const location = { uri: first.uri, span: { start: first.start, end: first.start + first.macro.length } };
  const names = new Set(needing.flatMap(({ needs }) => needs.map(({ name }) => name)));
  return [...names].map((name) => ({ name, value: "1", location }));
}
