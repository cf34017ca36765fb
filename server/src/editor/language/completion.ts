/**
 * Completes words: qualifiers where a declaration or a type may stand, functions of the language and names of the file where an
 * expression may. It looks at the preceding words, because half-typed code has no better structure. Names that are close and have the
 * expected type come first. `program-words.ts` and `words-of-language.ts` have the words, `directive-completion.ts` completes directives.
 */
import type { ReadFile, Reading } from "../../diagnostics/readings.ts";
import type { Dialect } from "../../dialect.ts";
import { baseNameOf } from "../../names.ts";
import { gpuWordsOf, qualifierOf } from "../../qualifiers.ts";
import type { Type } from "../../semantics/types/types.ts";
import type { Files, SourceSpan } from "../../source.ts";
import { variableSignature } from "../hover/signature.ts";
import { neighborNames } from "../names/neighbor-names.ts";
import { itemAround, type Position, positionAt, wordAt } from "../names/tokens.ts";
import { declaratorAt } from "./declaring.ts";
import { directiveCompletions } from "./directive-completion.ts";
import { expectedTypeAt, fits } from "./expected-type.ts";
import { membersAt, visibleVariable } from "./members.ts";
import { keywordsIn, typeWordsOf } from "./opencl-words.ts";
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
  if (before?.text === "." || before?.text === "->") return membersFor(reading, text, offset, written);
  if (open.at(-2)?.name?.text === "__attribute__") return open.at(-1)?.name === undefined ? attributes() : [];
  const variableOf = visibleVariable(reading, (variable) => isVisible(variable, offset));
  const expected = expectedTypeAt(reading, text, offset, position, variableOf);
  const context = { uri: file.uri, reading, text, offset, position, written, dialects: file.readings.map(({ dialect }) => dialect), files };
  const found = new Map<string, CompletionEntry>();
  for (const entry of entriesAt(context)) {
    const key = entry.kind === "snippet" ? `${entry.label} …` : entry.label;
    if (!found.has(key)) found.set(key, entry);
  }
  return [...found.values()].map((entry) => ({ ...entry, rank: entry.rank ?? rankOf(entry, written, expected, reading.dialect) }));
}

interface Context {
  readonly uri: string;
  readonly reading: Reading;
  readonly text: string;
  readonly offset: number;
  readonly position: Position;
  readonly written: WrittenNames;
  readonly dialects: readonly Dialect[];
  readonly files: Files | undefined;
}

/** The words that may stand outside of directives and member accesses. Of those with one label, the first counts. */
function entriesAt(context: Context): readonly CompletionEntry[] {
  const { reading, text, offset, position, dialects, files } = context;
  const { before, parameters } = position;
  const isOpenCL = reading.dialect.language === "opencl";
  const declarator = declaratorAt(text, offset, position, (word) => isTypeName(word, reading));
  const declaredName = declarator === "after-type" && before !== undefined && isQualifying(before, dialects) ? undefined : declarator;
  const typed = wordAt(text, offset);
  const prefix = typed === undefined ? "" : text.slice(typed.start, offset);
  if (declaredName === "after-type")
    return isOpenCL ? [...(before !== undefined ? wordsAfterType(prefix) : []), ...otherWords(context, true)] : [];
  if (declaredName !== undefined)
    return [...(declaredName === "after-star" ? pointerWords(reading.dialect) : []), ...(isOpenCL ? otherWords(context, true) : [])];
  const inBody = position.depth > 0;
  const qualifying = qualifiersFor(position, reading, dialects);
  return [
    ...qualifying,
    ...otherSpellings(qualifying, prefix),
    ...(before?.text === "*" ? pointerWords(reading.dialect) : []),
    ...(inBody ? namesOfProgram(reading, text, offset, parameters) : []),
    ...(inBody || isOpenCL ? macrosOfProgram(reading, text, files) : []),
    ...(isOpenCL ? declaredNames(reading, inBody) : []),
    ...types(position, reading, dialects),
    ...(inBody ? languageFunctions(dialects) : []),
    ...(inBody && isOpenCL ? constants(reading) : []),
    ...(isOpenCL
      ? [...neighborWords(context, prefix), ...otherWords(context, false), ...snippetsFor(position, reading, text, offset)]
      : []),
  ];
}

/** Names that other files declare, from which the host may build one program. Once a letter is typed, only those with it are sent. */
function neighborWords({ uri, files, position, written }: Context, prefix: string): readonly CompletionEntry[] {
  if (files === undefined) return [];
  return [...neighborNames(uri, files)].flatMap(([label, { kind, uri: other }]): readonly CompletionEntry[] => {
    const isWanted = label.slice(0, prefix.length).toLowerCase() === prefix.toLowerCase() && (position.depth > 0 || kind !== "function");
    return isWanted ? [{ kind, label, detail: `declared in ${baseNameOf(other)}`, rank: written.names.has(label) ? 4 : 5 }] : [];
  });
}

function isTypeName(word: string, { dialect, names }: Reading): boolean {
  return typeWordsOf(dialect).includes(word) || (names?.of(word) ?? []).some(({ kind }) => kind === "typedef" || kind === "record");
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
    const names = [...written.names].filter((label) => !hidden.has(label) && isName(label));
    return [...names.map((label) => entry(label)), ...[...written.members].map((label) => entry(label, lastRank))];
  }
  const item = itemAround(text, offset);
  const inItem = item === undefined ? new Set<string>() : writtenNames(text.slice(item.start, item.end), offset - item.start).names;
  const closed = new Set<string>();
  const elsewhere = new Set<string>();
  for (const { variable } of reading.facts.variables) {
    if (isVisible(variable, offset)) continue;
    const { location } = variable.place.unit.view.origin(variable.place.span);
    const isNear = item !== undefined && location.span.start >= item.start && location.span.end <= item.end;
    (isNear ? closed : elsewhere).add(variable.name);
  }
  const isHidden = (label: string) => closed.has(label) || (elsewhere.has(label) && !inItem.has(label));
  return [...written.names].filter((label) => !isHidden(label) && isName(label)).map((label) => entry(label));
}

/** The rank of what hardly anybody means. */
const lastRank = 9;

/**
 * Locals before other names of the program, and these before the many names of the language, unless the file uses one already. Among
 * those, a value of another type than the expected one comes later.
 */
function rankOf(entry: CompletionEntry, { names: used }: WrittenNames, expected: Type | undefined, dialect: Dialect): number {
  const { kind, label, isLocal, type } = entry;
  if (kind === "keyword") return 0;
  const isUsed = used.has(label);
  const isOther =
    expected !== undefined && (type === undefined ? kind === "builtin" && isVoidFunction(label, dialect) : !fits(type, expected, dialect));
  const late = isOther ? 1 : 0;
  if (isLocal === true) return late;
  if (kind === "word" || kind === "text") return 4;
  if (kind === "builtin" || kind === "builtin-constant" || (kind === "type" && !isUsed)) return (isUsed ? 4 : 6) + late;
  return 2 + late;
}

/** Members after a dot or an arrow: those of the object's type, or if that is unknown, those that the program and the file name. */
function membersFor(reading: Reading, text: string, offset: number, written: WrittenNames): readonly CompletionEntry[] {
  const variableOf = visibleVariable(reading, (variable) => isVisible(variable, offset));
  const known = membersAt(text, offset, variableOf);
  if (known.length > 0) {
    const labels = new Set(known.map(({ label }) => label));
    const swizzles = known.some(({ label }) => label === "lo" || label === "x")
      ? [...written.members].filter((name) => !labels.has(name))
      : [];
    return [
      ...known.map((entry): CompletionEntry => ({ kind: "member", ...entry, rank: 0 })),
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
  const others = [...written.members].map((label): CompletionEntry => ({ kind: "member", label, detail: "used in this file", rank: 2 }));
  return [...new Map([...others, ...members].filter(({ label }) => label !== "").map((entry) => [entry.label, entry])).values()];
}
