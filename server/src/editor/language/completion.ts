/**
 * Completes words: qualifiers where a declaration or a type may stand, functions of the language and names of the file where an
 * expression may. It looks at the preceding words, because half-typed code has no better structure. Names that are close and have the
 * expected type come first. `program-words.ts` and `words-of-language.ts` have the words, `directive-completion.ts` completes directives.
 */
import type { AnalyzedUnit, ReadFile } from "../../diagnostics/analyzed-files.ts";
import type { Dialect } from "../../dialect.ts";
import { baseNameOf } from "../../names.ts";
import { gpuWordsOf, qualifierOf } from "../../qualifiers.ts";
import type { Type } from "../../semantics/types/types.ts";
import { type Files, type SourceSpan, textOf } from "../../source.ts";
import { variableSignature } from "../hover/signature.ts";
import { isKeyword } from "../names/keywords.ts";
import { definitionsOf } from "../names/meaning.ts";
import { neighborNames, neighborWords } from "../names/neighbor-names.ts";
import { itemAround, type Position, positionAt, wordAt } from "../names/tokens.ts";
import { declaratorAt } from "./declaring.ts";
import { directiveCompletions } from "./directive-completion.ts";
import { expectedConstants, expectedTypeAt, fits } from "./expected-type.ts";
import { knownNames } from "./expression-types.ts";
import { membersAt, visibleVariable } from "./members.ts";
import { everydayWords, keywordsIn, typeWordsOf } from "./opencl-words.ts";
import { declaredNames, isVisible, macrosOfProgram, namesOfProgram } from "./program-words.ts";
import { snippetsFor } from "./snippets.ts";
import {
  attributes,
  constants,
  isQualifying,
  isVoidFunction,
  languageFunctions,
  otherSpellings,
  pointerWords,
  qualifiersFor,
  types,
  wordsAfterType,
} from "./words-of-language.ts";
import { type WrittenNames, writtenNames } from "./written-names.ts";

/** A word that may stand at the place. */
export interface CompletionEntry {
  readonly kind:
    | "keyword"
    | "word"
    | "type"
    | "function"
    | "builtin"
    | "builtin-constant"
    | "variable"
    | "constant"
    | "member"
    | "macro"
    | "text"
    | "file"
    | "attribute"
    | "snippet";
  readonly label: string;
  readonly detail: string;
  /** Markdown. */
  readonly documentation?: string;
  /** It is declared in the function around the place. */
  readonly isLocal?: true;
  /** The type of a variable, or of what a function returns. */
  readonly type?: Type;
  /** Lower ranks are shown first. */
  readonly rank?: number;
  /**
   * The number of tokens to the nearest use in the file: of one rank, what is used near the place is shown first. For words that come
   * in an order of their own, their place in it.
   */
  readonly distance?: number;
  /** It begins with the typed letters in their case. Then it is shown before all others. */
  readonly isTypedSo?: boolean;
  /** The text to insert instead of the label, with the places to fill in as the protocol marks them. A `snippet` has nothing else. */
  readonly snippet?: string;
  /** What the user types to find it, if that is not the label. */
  readonly typedAs?: string;
  /** The text to replace, if that is not the word at the place. */
  readonly replaces?: SourceSpan;
}

/**
 * The words that may stand at an offset, each once, with the best rank first. The language has many functions, so the client requests
 * their signatures one by one.
 */
export function completionsAt(file: ReadFile, text: string, offset: number, files?: Files): readonly CompletionEntry[] {
  const [reading] = file.readings;
  const inDirective = directiveCompletions(file, text, offset, files);
  if (inDirective !== undefined) return inDirective;
  const position = positionAt(text, offset);
  if (reading === undefined || position === undefined) return [];
  const { before, open } = position;
  // The dot of a number has no members.
  if (before?.kind === "literal" && before.end === offset) return [];
  const written = writtenNames(text, offset);
  if (before?.text === "." || before?.text === "->") return membersFor(reading, offset, position, written);
  if (open.at(-2)?.name?.text === "__attribute__") return open.at(-1)?.name === undefined ? attributes() : [];
  const variableOf = visibleVariable(reading, (variable) => isVisible(variable, offset));
  const expected = expectedTypeAt(reading, position, variableOf);
  const typed = wordAt(text, offset);
  const prefix = typed === undefined ? "" : text.slice(typed.start, offset);
  const dialects = file.readings.map(({ dialect }) => dialect);
  const context = { uri: file.uri, reading, others: file.readings.slice(1), text, offset, position, prefix, written, dialects, files };
  const found = new Map<string, CompletionEntry>();
  for (const entry of entriesAt(context)) {
    const key = entry.kind === "snippet" ? `${entry.label} …` : entry.label;
    if (!found.has(key)) found.set(key, entry);
  }
  const constants = expectedConstants(position, dialects);
  return [...found.values()].map((entry) => ({
    ...entry,
    rank:
      constants?.test(entry.label) === true ? 0 : Math.max(constants === undefined ? 0 : 1, entry.rank ?? rankOf(entry, context, expected)),
    ...(written.names.has(entry.label) ? { distance: written.names.get(entry.label) ?? 0 } : {}),
    isTypedSo: entry.label.startsWith(prefix),
  }));
}

interface Context {
  readonly uri: string;
  readonly reading: AnalyzedUnit;
  /** The readings under other standards. */
  readonly others: readonly AnalyzedUnit[];
  readonly text: string;
  readonly offset: number;
  readonly position: Position;
  /** What is typed of the word. */
  readonly prefix: string;
  readonly written: WrittenNames;
  readonly dialects: readonly Dialect[];
  readonly files: Files | undefined;
}

/** The words that may stand outside of directives and member accesses. Of those with one label, the first counts. */
function entriesAt(context: Context): readonly CompletionEntry[] {
  const { reading, text, offset, position, dialects, files } = context;
  const { before, parameters } = position;
  const isOpenCL = reading.dialect.language === "opencl";
  const isType = (word: string) => isTypeName(word, reading, files);
  const declarator = declaratorAt(position, isType);
  const declaredName = declarator === "after-type" && before !== undefined && isQualifying(before, dialects) ? undefined : declarator;
  const { prefix } = context;
  const namesToDeclare = declaredName === undefined || !isOpenCL ? [] : [...otherWords(context, true), ...wordsNearby(context, true)];
  // A word that nothing declares may be a type of the build, or a qualifier.
  if (declaredName === "after-type" && (!isOpenCL || isType(before?.text ?? ""))) return [...wordsAfterType(prefix), ...namesToDeclare];
  if (declaredName === "after-star") return [...pointerWords(reading.dialect), ...namesToDeclare];
  if (declaredName === "after-comma") return namesToDeclare;
  const inBody = position.depth > 0;
  const mayBeType = declarator === "after-type" || (!inBody && position.open.at(-1)?.sign === "(");
  const qualifying = qualifiersFor(position, reading, dialects);
  return [
    ...qualifying,
    ...otherSpellings(qualifying, prefix),
    ...(before?.text === "*" ? pointerWords(reading.dialect) : []),
    ...(inBody ? namesOfProgram(reading, text, offset, parameters) : []),
    ...(inBody || isOpenCL ? macrosOfProgram(reading, text, files) : []),
    ...(isOpenCL ? declaredNames(reading, inBody) : []),
    // Not every standard has all constants.
    ...context.others.flatMap((other) => declaredNames(other, inBody).filter(({ kind }) => kind === "builtin")),
    ...types(position, reading, dialects),
    ...(inBody ? languageFunctions(dialects) : []),
    ...(inBody && isOpenCL ? constants(dialects) : []),
    ...(isOpenCL
      ? [
          ...namesNearby(context),
          ...otherWords(context, false),
          ...namesToDeclare,
          ...wordsNearby(context, mayBeType),
          ...snippetsFor(position, reading, text, offset),
        ]
      : []),
  ];
}

/** Names that other files declare, from which the host may build one program. Once a letter is typed, only those with it are sent. */
function namesNearby({ uri, files, position, written, prefix }: Context): readonly CompletionEntry[] {
  if (files === undefined) return [];
  return [...neighborNames(uri, files)].flatMap(([label, { kind, uri: other }]): readonly CompletionEntry[] => {
    const isWanted = label.slice(0, prefix.length).toLowerCase() === prefix.toLowerCase() && (position.depth > 0 || kind !== "function");
    return isWanted ? [{ kind, label, detail: `declared in ${baseNameOf(other)}`, rank: written.names.has(label) ? 4 : 5 }] : [];
  });
}

/**
 * Words of other files, once two letters are typed: variants of a kernel use the same names and types again. Elsewhere than in declarations,
 * those that look like macros of the build.
 */
function wordsNearby({ uri, files, prefix }: Context, isDeclaring: boolean): readonly CompletionEntry[] {
  if (files === undefined || prefix.length < 2) return [];
  return [...neighborWords(uri, files)].flatMap(([label, other]): readonly CompletionEntry[] =>
    label.startsWith(prefix) && (isDeclaring || /^[A-Z_][A-Z0-9_]+$/.test(label))
      ? [{ kind: "text", label, detail: `used in ${baseNameOf(other)}`, rank: lastRank }]
      : [],
  );
}

/** True for the name of a type, and for a macro that ends with one. */
function isTypeName(word: string, reading: AnalyzedUnit, files: Files | undefined, seen: ReadonlySet<string> = new Set()): boolean {
  const { dialect, names, unit } = reading;
  if (typeWordsOf(dialect).includes(word) || /^(?:unsigned|signed)$/.test(word)) return true;
  if ((names?.of(word) ?? []).some(({ kind }) => kind === "typedef" || kind === "record" || kind === "enum")) return true;
  if (files === undefined || seen.has(word)) return false;
  const [macro] = definitionsOf(unit, word, files, undefined);
  if (macro === undefined || macro.parameters !== undefined) return false;
  const last = /(\w+)[\s*]*$/.exec(textOf(files, macro.uri).slice(macro.body.start, macro.body.end))?.[1];
  return last !== undefined && isTypeName(last, reading, files, new Set([...seen, word]));
}

/**
 * Words that the file uses elsewhere and that nothing else offers: the build may define them, or the author is about to declare them. A
 * name of a closed block means nothing here, unless the function around the place uses it, too.
 */
function otherWords({ reading, text, offset, written }: Context, isDeclaring: boolean): readonly CompletionEntry[] {
  const entry = (label: string, rank?: number): CompletionEntry => ({
    kind: "text",
    label,
    detail: "used in this file",
    ...(rank === undefined ? {} : { rank }),
  });
  const isName = (label: string) => qualifierOf(label) === undefined && !gpuWordsOf("opencl").includes(`__${label}`);
  if (isDeclaring) {
    // A declarator's name is neither a type nor a keyword.
    const hidden = new Set(["void", ...typeWordsOf(reading.dialect), ...keywordsIn("body")]);
    const names = [...written.names.keys()].filter((label) => !hidden.has(label) && isName(label));
    return [...names.map((label) => entry(label)), ...[...written.members.keys()].map((label) => entry(label, lastRank))];
  }
  const item = itemAround(text, offset);
  const inItem = item === undefined ? new Map<string, number>() : writtenNames(text.slice(item.start, item.end), offset - item.start).names;
  const closed = new Set<string>();
  const elsewhere = new Set<string>();
  for (const { variable } of reading.facts.variables) {
    if (isVisible(variable, offset)) continue;
    const { location } = variable.place.unit.view.origin(variable.place.span);
    const isNear = item !== undefined && location.span.start >= item.start && location.span.end <= item.end;
    (isNear ? closed : elsewhere).add(variable.name);
  }
  const isHidden = (label: string) => closed.has(label) || (elsewhere.has(label) && !inItem.has(label));
  return [...written.names.keys()].filter((label) => !isHidden(label) && isName(label) && !isKeyword(label)).map((label) => entry(label));
}

/** The rank of what hardly anybody means. */
const lastRank = 9;

/**
 * Locals before what the file uses, this before other names of the program, and these before the many names of the language, of which
 * those of every kernel come first. Among those, a value of another type than the expected one comes later.
 */
function rankOf(entry: CompletionEntry, context: Context, expected: Type | undefined): number {
  const { position, written, dialects } = context;
  const { dialect } = context.reading;
  const { kind, label, isLocal, type } = entry;
  if (kind === "keyword") return 0;
  // A variable is not a part of its own initializer.
  if (position.before?.text === "=" && position.tokens.at(-2)?.text === label) return lastRank;
  const isOther =
    expected !== undefined && (type === undefined ? kind === "builtin" && isVoidFunction(label, dialect) : !fits(type, expected, dialect));
  const late = isOther ? 1 : 0;
  if (isLocal === true) return late;
  if (written.names.has(label)) return 2 + late;
  const isTypeOfLanguage = kind === "type" && dialects.some((each) => typeWordsOf(each).includes(label));
  // No variable of a function can be an image (OpenCL C 3.0 §6.11).
  if (isTypeOfLanguage && position.depth > 0 && label.startsWith("image")) return 8;
  if (isTypeOfLanguage || kind === "builtin" || kind === "builtin-constant") return (everydayWords.has(label) ? 4 : 6) + late;
  // A statement rather begins with a type of the program than with one of its values.
  return kind === "type" && /^[;{}]$/.test(position.before?.text ?? "") ? 3 : 4 + late;
}

/** Members after a dot or an arrow: those of the object's type, or if that is unknown, those that the program and the file name. */
function membersFor(reading: AnalyzedUnit, offset: number, { tokens }: Position, written: WrittenNames): readonly CompletionEntry[] {
  const variableOf = visibleVariable(reading, (variable) => isVisible(variable, offset));
  const known = membersAt(tokens, knownNames(reading, variableOf));
  if (known.length > 0) {
    const labels = new Set(known.map(({ label }) => label));
    const swizzles = known.some(({ label }) => label === "lo" || label === "x")
      ? [...written.members.keys()].filter((name) => !labels.has(name))
      : [];
    return [
      ...known.map((entry, distance): CompletionEntry => ({ kind: "member", ...entry, rank: 0, distance })),
      ...swizzles
        .filter((name) => /^(?:[xyzw]+|[rgba]+|s[0-9a-fA-F]+)$/.test(name))
        .map((label): CompletionEntry => ({ kind: "member", label, detail: "components", rank: 1 })),
    ];
  }
  const members = reading.facts.records.flatMap((record) =>
    (record.members ?? []).map(
      (member): CompletionEntry => ({ kind: "member", label: member.name, detail: variableSignature(member), rank: 1 }),
    ),
  );
  const others = [...written.members.keys()].map(
    (label): CompletionEntry => ({ kind: "member", label, detail: "used in this file", rank: 2 }),
  );
  return [...new Map([...others, ...members].filter(({ label }) => label !== "").map((entry) => [entry.label, entry])).values()];
}
