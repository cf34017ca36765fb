/** The words that a language itself gives to a place, as completions: qualifiers, types, keywords, functions, constants and attributes. */
import type { AnalyzedUnit, ReadFile } from "../../diagnostics/analyzed-files.ts";
import type { Dialect } from "../../dialect.ts";
import { definitionsIn } from "../../preprocess/macros/definitions-in.ts";
import { gpuWordsOf, qualifierOf, qualifiers } from "../../qualifiers.ts";
import { spellWordIn } from "../../rules/fixes/spaces.ts";
import { builtinFunction, builtinFunctionNames, overloadsOf, prelude } from "../../semantics/builtins/index.ts";
import { printType } from "../../semantics/types/types.ts";
import { labelsOf } from "../hover/dialects.ts";
import { attributeTexts } from "../hover/word-texts.ts";
import type { CodeToken, Position } from "../names/tokens.ts";
import type { CompletionEntry } from "./completion.ts";
import { attributeWords, keywordsIn, typeWordsOf } from "./opencl-words.ts";

/** True for a word after which another qualifier or a type may follow. */
export function isQualifying({ text }: CodeToken, dialects: readonly Dialect[]): boolean {
  const isReturn = text === "return" || text === "else" || text === "do" || text === "case";
  return (
    isReturn ||
    spaceWords(dialects).some((word) => word === text || word.replace(/^__/, "") === text) ||
    /^(const|volatile|static|extern|inline|typedef|unsigned|signed|struct)$/.test(text)
  );
}

/** The qualifying words of all standards that judge the file. */
function spaceWords(dialects: readonly Dialect[]): readonly string[] {
  const language = dialects.some((dialect) => dialect.language === "cuda") ? "cuda" : "opencl";
  return gpuWordsOf(language).filter((word) => word !== "__generic" || dialects.some(hasGeneric));
}

function hasGeneric(dialect: Dialect): boolean {
  return dialect.language === "opencl" && dialect.genericAddressSpace;
}

/** The qualifiers that may stand at the place. */
export function qualifiersFor(
  { depth, open, before, parameters }: Position,
  reading: AnalyzedUnit,
  dialects: readonly Dialect[],
): readonly CompletionEntry[] {
  const around = open.at(-1)?.sign;
  // A macro's body may be a part of a parameter list.
  const isParameter = parameters === undefined ? depth === 0 && around === "(" : /^[,(]$/.test(before?.text ?? ",");
  const isFileScope = depth === 0 && around === undefined;
  // In a body, a declaration begins a statement, and a type may stand in parentheses.
  const mayDeclare = isFileScope || isParameter || /^[;{}(]$/.test(before?.text ?? ";") || (before !== undefined && before.kind === "word");
  const called = before?.text === "(" && depth > 0 ? open.at(-1)?.name?.text : undefined;
  // An argument begins with a value, unless a macro takes it.
  if (!mayDeclare || (called !== undefined && isFunction(called, reading, dialects))) return [];
  const fits = (word: string): boolean => {
    switch (qualifierOf(word)?.roles[0]) {
      case "annotation":
      case "access":
        return isParameter;
      case "address-space":
        return true;
      default:
        return word === "__shared__" ? depth > 0 : isFileScope;
    }
  };
  const words = spaceWords(dialects).filter(fits).toSorted(byUse);
  return words.map((word, distance): CompletionEntry => {
    const { seen, lives } = qualifierOf(word)?.documentation ?? {};
    const documentation = seen === undefined || seen === "" ? undefined : `Seen by ${seen}.\n\nLives ${lives}.`;
    return {
      kind: "keyword",
      label: spellWordIn(reading.unit, word),
      distance: unused + distance,
      detail: word === "__generic" ? `${whatItIs(word)}, ${labelOf(dialects.filter(hasGeneric), dialects)}` : whatItIs(word),
      ...(documentation === undefined ? {} : { documentation }),
    };
  });
}

/** What most kernels use comes first. */
function byUse(a: string, b: string): number {
  const place = (word: string) => (usual.includes(word) ? usual.indexOf(word) : usual.length);
  return place(a) - place(b);
}

const usual = ["__kernel", "__global__", "__global", "__local", "__constant", "__shared__", "__device__", "__private", "__generic"];
/** A distance behind those of all words that a file uses. */
const unused = 900_000;

function isFunction(name: string, { facts }: AnalyzedUnit, dialects: readonly Dialect[]): boolean {
  return facts.functions.some((symbol) => symbol.name === name) || dialects.some((dialect) => builtinFunction(name, dialect) !== undefined);
}

function whatItIs(word: string): string {
  const [role] = qualifierOf(word)?.roles ?? [];
  return role === undefined ? "qualifier" : role.replace("-", " ");
}

/** The qualifiers that may follow the `*` of a pointer. */
export function pointerWords({ language }: Dialect): readonly CompletionEntry[] {
  const restrict = language === "cuda" ? "__restrict__" : "restrict";
  return ["const", restrict, "volatile"].map((label) => ({ kind: "keyword", label, detail: "of the pointer itself" }));
}

/** The spellings that the file does not use, where the typed word begins one of them. */
export function otherSpellings(entries: readonly CompletionEntry[], prefix: string): readonly CompletionEntry[] {
  if (prefix === "") return [];
  const spellings = qualifiers.flatMap(({ word, spellings: others = [] }) => [word, ...others]);
  return entries.flatMap((entry) => {
    const label = entry.label.startsWith("__") ? entry.label.slice(2) : `__${entry.label}`;
    return label.startsWith(prefix) && spellings.includes(label) ? [{ ...entry, label }] : [];
  });
}

/** What may stand between a type and the name that it declares. It is offered only when its first letters are typed. */
export function wordsAfterType(prefix: string): readonly CompletionEntry[] {
  const words = ["const", "volatile", "__attribute__"].filter((label) => prefix.length > 1 && label.startsWith(prefix));
  return words.map((label) => ({ kind: "word", label, detail: "keyword", rank: 0 }));
}

/** The attributes, for the inner parentheses of `__attribute__`. */
export function attributes(): readonly CompletionEntry[] {
  return attributeWords.map(({ name, examples }, index) => ({
    kind: "attribute",
    label: name,
    detail: "attribute",
    documentation: `${attributeTexts[name] ?? ""}.`,
    rank: 0,
    distance: index,
    ...(examples === undefined ? {} : { snippet: `${name}(${examples.map((each, at) => `\${${at + 1}:${each}}`).join(", ")})` }),
  }));
}

const attribute: CompletionEntry = { kind: "word", label: "__attribute__", detail: "attribute", snippet: "__attribute__(($1))" };

/** The types that may stand at the place, and the keywords of C. */
export function types(
  { depth, open, before }: Position,
  { facts }: AnalyzedUnit,
  dialects: readonly Dialect[],
): readonly CompletionEntry[] {
  if (!dialects.some(({ language }) => language === "opencl")) return [];
  const place = depth > 0 ? "body" : open.at(-1)?.sign === "(" ? "parameters" : "file";
  const own = [
    ...facts.typedefs.map(({ name, type }) => ({ label: name, detail: printType(type) })),
    ...facts.records.flatMap(({ tag, key }) => (tag === undefined ? [] : [{ label: tag, detail: key }])),
  ];
  const language = new Set(dialects.flatMap(typeWordsOf));
  return [
    ...own.map((entry): CompletionEntry => ({ kind: "type", ...entry })),
    ...[...language].map((label): CompletionEntry => ({ kind: "type", label, detail: "type" })),
    ...(place === "parameters" ? [] : [attribute]),
    // A statement may follow a macro without a semicolon.
    ...keywordsIn(place, before === undefined || before.kind === "word" || /^[;{}:)]$/.test(before.text)).map(
      (label): CompletionEntry => ({ kind: "word", label, detail: "keyword" }),
    ),
  ];
}

/** The constants that the language defines as macros, and the functions whose names contain types. */
export function constants(dialects: readonly Dialect[]): readonly CompletionEntry[] {
  const macrosOfLanguage = new Set(dialects.flatMap((dialect) => definitionsIn(prelude(dialect).text).map(({ name }) => name)));
  const converted = dialects
    .slice(0, 1)
    .flatMap(typeWordsOf)
    .filter((name) => /^(?:u?(?:char|short|int|long)|float|double|half)\d*$/.test(name));
  const functions = converted.flatMap((type) => [
    `as_${type}`,
    `convert_${type}`,
    `convert_${type}_sat`,
    `convert_${type}_rte`,
    `convert_${type}_rtz`,
  ]);
  return [
    ...[...macrosOfLanguage, "true", "false"].map((label): CompletionEntry => ({ kind: "builtin-constant", label, detail: "OpenCL C" })),
    ...functions.map((label): CompletionEntry => ({ kind: "builtin", label, detail: "OpenCL C" })),
  ];
}

/** The names of every standard, each with the standards that have it. */
export function languageFunctions(dialects: readonly Dialect[]): readonly CompletionEntry[] {
  const having = new Map<string, Dialect[]>();
  for (const dialect of dialects)
    for (const name of builtinFunctionNames(dialect)) having.set(name, [...(having.get(name) ?? []), dialect]);
  return [...having].map(([label, own]) => ({ kind: "builtin", label, detail: labelOf(own, dialects) }));
}

/** `OpenCL C` if all standards are meant, otherwise their names. */
function labelOf(some: readonly Dialect[], all: readonly Dialect[]): string {
  if (all.length > 1 && some.length === all.length) return "OpenCL C";
  // If 3.0 has the name without an optional feature, it has it with the feature too.
  return labelsOf(some.filter(({ label }) => !some.some((other) => label.startsWith(`${other.label} `))));
}

/** True for a function of the language that returns nothing, so that it cannot be a value. */
export function isVoidFunction(name: string, dialect: Dialect): boolean {
  return builtinFunction(name, dialect)?.startsWith("void ") === true;
}

/** The signatures of a function of the language, and the address spaces of its pointers. */
export function describeBuiltin(name: string, { readings }: ReadFile): string | undefined {
  const lines = overloadsOf(
    name,
    readings.map(({ dialect }) => dialect),
  );
  if (lines.length === 0) return undefined;
  const shown = lines.length > 6 ? [...lines.slice(0, 6), `// and ${lines.length - 6} more`] : lines;
  return `\`\`\`c\n${shown.join("\n")}\n\`\`\``;
}
