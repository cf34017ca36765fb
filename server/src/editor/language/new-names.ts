/**
 * Decides whether a symbol can get another name without a change of meaning: the name has to be one that the author may declare, and
 * nothing else of that name may be visible where the symbol is named. Names are looked up as words of the author's text, so that
 * macros' bodies and inactive branches count; where a word may or may not be visible, the answer is a refusal.
 */
import type { ReadFile } from "../../diagnostics/analyzed-files.ts";
import { type Dialect, dialectsOf, noSettings, type OpenCLStandard, openclDialect } from "../../dialect.ts";
import { append } from "../../lists.ts";
import { baseNameOf } from "../../names.ts";
import { fileOf } from "../../preprocess/row.ts";
import { unitsIn } from "../../preprocess/units.ts";
import { gpuWordsOf, qualifiers } from "../../qualifiers.ts";
import { builtinFunction, prelude } from "../../semantics/builtins/index.ts";
import { type Location, type SourceSpan, textOf } from "../../source.ts";
import { isComponentName } from "../names/components.ts";
import { isKeyword } from "../names/keywords.ts";
import { meaningOf } from "../names/meaning.ts";
import { type CodeToken, codeTokens, followsMemberAccess, itemsOf, withoutPlainDirectives, wordAt } from "../names/tokens.ts";
import { type LanguageContext, type NamedSymbol, namedBy } from "./symbols.ts";

/** A sentence that says why the symbol cannot get the name; undefined if it can. `places` are all places that would be edited. */
export function refusalOf(
  symbol: NamedSymbol,
  newName: string,
  uri: string,
  places: readonly Location[],
  context: LanguageContext,
): string | undefined {
  if (newName === symbol.name) return undefined;
  if (!/^[A-Za-z_]\w*$/.test(newName)) return `'${newName}' is not an identifier.`;
  const { readings } = context.read(uri);
  const language = readings[0]?.dialect.language ?? "opencl";
  const reserved = reservedBy(newName, language);
  if (reserved !== undefined) return `'${newName}' is ${reserved}.`;
  const lineOf = (at: Location) => {
    const line = textOf(context.files, at.uri).slice(0, at.span.start).split("\n").length;
    return at.uri === uri ? `line ${line}` : `line ${line} of ${baseNameOf(decodeURIComponent(at.uri))}`;
  };
  const uncertain = uncertainUseOf(symbol, uri, context);
  if (uncertain !== undefined)
    return `The type of the object in ${lineOf(uncertain)} is not known: '${symbol.name}' may name this member there, or components of a vector.`;
  const other = otherOf(symbol, newName, uri, places, context);
  return other === undefined
    ? undefined
    : `'${newName}' already means something else where '${symbol.name}' is used: see ${lineOf(other)}.`;
}

/** A place that may name this member, or components of a vector. */
function uncertainUseOf(symbol: NamedSymbol, uri: string, { files, read }: LanguageContext): Location | undefined {
  if (symbol.kind !== "member" || !isComponentName(symbol.name)) return undefined;
  for (const file of new Set([uri, ...symbol.declarations.map((at) => at.uri)])) {
    const [reading] = read(file).readings;
    const text = textOf(files, file);
    for (const { text: word, start, end } of codeTokens(text)) {
      if (reading === undefined || word !== symbol.name || !followsMemberAccess(text, start)) continue;
      const meaning = meaningOf(reading, file, text, { start, end }, files);
      if (meaning.kind === "some-member" && meaning.mayBeComponent) return { uri: file, span: { start, end } };
    }
  }
  return undefined;
}

/** A sentence that says why the word at an offset cannot be renamed; undefined if it can, and where no word is. */
export function obstacleOf({ uri, readings: [reading] }: ReadFile, offset: number, context: LanguageContext): string | undefined {
  const text = textOf(context.files, uri);
  const word = wordAt(text, offset);
  if (word === undefined || reading === undefined) return undefined;
  const { language } = reading.dialect;
  const title = titleOf(language);
  const span = { start: word.start, end: word.end } as SourceSpan;
  const meaning = meaningOf(reading, uri, text, span, context.files);
  const symbol = namedBy(meaning, word.text, span, reading, text);
  if (symbol !== undefined && symbol.isUncertain !== true) return undefined;
  const reserved = reservedBy(word.text, language);
  switch (meaning.kind) {
    case "component":
      return `'${word.text}' names components of a vector, which ${title} declares.`;
    case "some-member":
      return symbol === undefined
        ? `Several structures have a member '${word.text}', and the type of this object is not known.`
        : `The type of this object is not known: '${word.text}' may name components of a vector.`;
    case "undeclared":
      return reserved === undefined
        ? `Nothing that this file includes declares '${word.text}'.`
        : `'${word.text}' is ${reserved} and cannot be renamed.`;
    default:
      return `'${word.text}' is ${reserved ?? `a name of ${title}`} and cannot be renamed.`;
  }
}

// ---------------------------------------------------------------- names of the language

/** OpenCL C 3.0 §6.3.1–6.3.4: scalar, vector, opaque and reserved types. */
const openclTypes =
  /^(?:(?:u?char|u?short|u?int|u?long|float|double|half|bool|quad)(?:2|3|4|8|16)?|(?:float|double)(?:2|3|4|8|16)x(?:2|3|4|8|16)|size_t|ptrdiff_t|u?intptr_t|complex|imaginary|image\w*_t|sampler_t|event_t|queue_t|ndrange_t|clk_event_t|reserve_id_t|pipe|atomic_(?:u?int|u?long|float|double|half|flag|u?intptr_t|size_t|ptrdiff_t))$/;

const standards: readonly OpenCLStandard[] = ["CL1.0", "CL1.1", "CL1.2", "CL2.0", "CL3.0", "clc++2021"];
let openclDialects: readonly Dialect[] | undefined;

function titleOf(language: Dialect["language"]): string {
  return language === "cuda" ? "CUDA C++" : "OpenCL C";
}

/** What the language uses the name for, in any of its standards: a file may be compiled as each of them. */
function reservedBy(name: string, language: Dialect["language"]): string | undefined {
  const title = titleOf(language);
  if (isKeyword(name)) return "a keyword";
  if (gpuWordsOf(language).includes(name) || qualifiers.some(({ word, spellings = [] }) => word === name || spellings.includes(name)))
    return `a qualifier of ${title}`;
  if (language === "opencl" && openclTypes.test(name)) return `a type of ${title}`;
  openclDialects ??= standards.map((standard) => openclDialect(standard));
  const dialects: readonly Dialect[] = language === "opencl" ? openclDialects : [dialectsOf("cuda", noSettings, "")[0]];
  if (dialects.some((dialect) => builtinFunction(name, dialect) !== undefined)) return `a function of ${title}`;
  if (dialects.some((dialect) => preludeNames(dialect).has(name))) return `a name of ${title}`;
  return /^__(?:OPENCL|CUDA|HIP|ENDIAN|IMAGE|FAST|kernel|opencl_c)\w*|^__(?:LINE|FILE|DATE|TIME|COUNTER)__$|^cl(?:_khr|_ext|_intel|_arm)_\w+$/.test(
    name,
  )
    ? `a macro of ${title}`
    : undefined;
}

const namesOfPreludes = new Map<string, ReadonlySet<string>>();

/** The macros, types, constants and variables that the language declares without a header. */
function preludeNames(dialect: Dialect): ReadonlySet<string> {
  const source = prelude(dialect);
  const known = namesOfPreludes.get(source.uri);
  if (known !== undefined) return known;
  const found = new Set(outerNames(source.text, wordsOf(source.text), true).map(({ text }) => text));
  namesOfPreludes.set(source.uri, found);
  return found;
}

// ---------------------------------------------------------------- other names of the author

/** The first place at which the new name is visible beside the symbol. */
function otherOf(
  symbol: NamedSymbol,
  newName: string,
  uri: string,
  places: readonly Location[],
  context: LanguageContext,
): Location | undefined {
  const own = new Set([uri, ...places.map((place) => place.uri)]);
  const { files } = context;
  // What the other files include takes long to find out, and matters only if a further file has the name.
  const listed = files.list();
  const isElsewhere = listed.length === 0 || listed.some((file) => !own.has(file) && mayContain(files.read(file), newName));
  const read = (isElsewhere ? [...own] : [uri]).flatMap((file) => {
    const unit = context.read(file).readings[0]?.unit;
    return unit === undefined ? [] : unitsIn(unit).flatMap((each) => [fileOf(each.uri), ...(each.spliced ?? [])]);
  });
  for (const file of new Set([...own, ...read].filter((each) => !each.startsWith("builtin:")))) {
    const text = textOf(files, file);
    if (!text.includes(newName)) continue;
    const tokens = wordsOf(text);
    const at = (token: CodeToken | undefined) =>
      token === undefined ? undefined : { uri: file, span: { start: token.start, end: token.end } };
    const starts = places.filter((place) => place.uri === file).map(({ span }) => span.start);
    const found =
      // A macro replaces every word of its name after it.
      (symbol.kind === "macro" ? at(tokens.find((token) => token.text === newName)) : undefined) ??
      at(outerNames(text, tokens, false).find((token) => token.text === newName)) ??
      at(
        besides(
          tokens,
          newName,
          symbol.kind === "macro-parameter" && symbol.scope !== undefined ? [symbol.scope] : itemsWith(text, tokens, starts),
        ),
      );
    if (found !== undefined) return found;
  }
  return undefined;
}

/** True if a text contains the name, or has not been read. */
function mayContain(text: ReturnType<LanguageContext["files"]["read"]>, name: string): boolean {
  return text === "unread" || text.includes(name);
}

/** The new name inside of these parts of the text, other than as a member. */
function besides(tokens: readonly CodeToken[], newName: string, parts: readonly SourceSpan[]): CodeToken | undefined {
  return tokens.find(
    ({ text: word, start, end }, index) =>
      word === newName &&
      tokens[index - 1]?.text !== "." &&
      tokens[index - 1]?.text !== "->" &&
      parts.some((part) => part.start <= start && end <= part.end),
  );
}

/** The tokens without comments and without directives that declare nothing. */
function wordsOf(text: string): readonly CodeToken[] {
  const tokens = codeTokens(text).filter(({ kind }) => kind !== "comment");
  return withoutPlainDirectives(tokens, text);
}

/** The items of the file that contain one of the offsets. */
function itemsWith(text: string, tokens: readonly CodeToken[], offsets: readonly number[]): readonly SourceSpan[] {
  return itemsOf(text, tokens).filter((item) => offsets.some((offset) => item.start <= offset && offset < item.end));
}

/**
 * The words outside of functions, parameter lists and the members of classes: macros, types, variables, functions, enumerators, and in
 * macros' bodies whatever they name. Names in namespaces count. `definitionsOnly` leaves macros' bodies out.
 */
function outerNames(text: string, tokens: readonly CodeToken[], definitionsOnly: boolean): readonly CodeToken[] {
  const found: CodeToken[] = [];
  /** The open brackets: true where the names inside are visible outside. */
  const open: boolean[] = [];
  let head: string[] = [];
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index];
    if (token === undefined) break;
    if (token.text === "#" && tokens[index + 1]?.text === "define") {
      const end = endOfLine(text, token.start);
      index += 1;
      const first = index + 1;
      while ((tokens[index + 1]?.start ?? end) < end) index += 1;
      append(found, macroNames(tokens.slice(first, index + 1), definitionsOnly));
      continue;
    }
    if (token.text === "{") open.push(head.includes("enum") || head.includes("namespace") || head.join() === "extern");
    else if (token.text === "(" || token.text === "[") open.push(false);
    else if (/^[)\]}]$/.test(token.text)) open.pop();
    if (/^[;{}]$/.test(token.text) && !open.includes(false)) head = [];
    if (token.kind !== "word" || open.includes(false)) continue;
    head.push(token.text);
    found.push(token);
  }
  return found;
}

/** The name of a macro and the words of its body that are not its parameters. */
function macroNames([name, ...rest]: readonly CodeToken[], definitionsOnly: boolean): readonly CodeToken[] {
  if (name === undefined) return [];
  const isFunction = rest[0]?.text === "(" && rest[0].start === name.end;
  const close = isFunction ? rest.findIndex(({ text }) => text === ")") : -1;
  const parameters = new Set(rest.slice(0, close + 1).map(({ text }) => text));
  const body = definitionsOnly ? [] : rest.slice(close + 1).filter(({ kind, text }) => kind === "word" && !parameters.has(text));
  return [name, ...body];
}

/** The end of a directive, which a backslash continues. */
function endOfLine(text: string, from: number): number {
  const match = /(?:\\\r?\n|[^\n])*/y;
  match.lastIndex = from;
  return from + (match.exec(text)?.[0].length ?? 0);
}
