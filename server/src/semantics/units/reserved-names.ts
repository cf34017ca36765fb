/**
 * Finds OpenCL's address-space words in places where only a name can be (OpenCL C 3.0 §6.7 reserves them). Neither compilers nor
 * our parser can read such a declaration, so this file looks at the text around each word, not at the tree.
 */
import type { Unit } from "../../preprocess/view/view.ts";
import { gpuWordsOf } from "../../qualifiers.ts";
import type { SpaceFact } from "../facts/facts.ts";
import type { Place } from "../types/symbols.ts";

const reserved = new RegExp(`\\b(?:${gpuWordsOf("opencl").join("|")})\\b`, "g");
/** Tokens that may follow an expression or a declared name, but never a qualifier. */
const afterName = /^(?:=|[-+*/%&|^]=|\+\+|--|&&|\|\||<<|>>|[-+/%|^?.<>:;}])/;
/** Like `afterName`, for C++, where types may be in more places: template arguments, default arguments, constructor initializers. */
const afterNameInCplusplus = /^(?:==|[-+*/%&|^]=|\+\+|--|\|\||<<|[-+/%|^?.;}])/;
/** Tokens that may precede a name or an operand, but never a qualifier. */
const beforeName = /(?:\.|->|\b(?:return|case|goto|struct|union|enum))$/;
/** After `(^`, a qualifier of a block begins. */
const beforeOperand = /(?:[-+/%|!~?=<>]|(?<!\(\s*)\^)$/;

/** How long the head of a template may be that ends before a word. */
const longestHead = 2_000;

type ReservedName = Extract<SpaceFact, { kind: "reserved-name" }>;

/** Every such word in a unit's View, in order, and the macros of these names that the preprocessor ignored. */
export function reservedNames(unit: Unit, cplusplus: boolean): readonly ReservedName[] {
  const { text } = unit.view;
  const found: ReservedName[] = redefinedWords(unit);
  const depth = depths(text);
  for (const match of text.matchAll(reserved)) {
    const start = match.index;
    const end = start + match[0].length;
    const near = textBefore(text, start, 200);
    const before = near.endsWith(">") ? textBefore(text, start, longestHead) : near;
    const after = text.slice(end, end + 400).trimStart();
    if (!isName({ before, after, isInParentheses: depth(start) > 0, cplusplus })) continue;
    const as = after.startsWith(";") && /\w$/.test(before) && !beforeName.test(before) ? "nothing" : "name";
    found.push({ kind: "reserved-name", word: { text: match[0], place: { unit, span: { start, end } } }, as });
  }
  return found;
}

/**
 * The words that a file redefines, as in `#define global`. The word keeps its meaning, but the definition misleads readers and
 * other compilers.
 */
function redefinedWords(unit: Unit): ReservedName[] {
  const found: ReservedName[] = [];
  for (const { kind, location, word, meaning } of unit.notes) {
    if (kind !== "kept-keyword" || word === undefined) continue;
    if (meansAnotherLanguage(word, meaning ?? "")) return [];
    const place = location.uri === unit.uri ? placeInView(unit, location.span.start, location.span.end) : undefined;
    if (place !== undefined) found.push({ kind: "reserved-name", word: { text: word, place }, as: "macro" });
  }
  return found;
}

/**
 * True if the meaning of a redefined word shows that the file compiles kernels as another language. Either the file maps OpenCL's
 * words to those of CUDA, HIP, Metal or C++, or it redefines `kernel`: then no OpenCL compiler would find a kernel in it.
 */
function meansAnotherLanguage(word: string, meaning: string): boolean {
  return /^(__)?kernel$/.test(word) || ofOtherLanguages.test(meaning);
}

const ofOtherLanguages = new RegExp(
  `\\b(${[...gpuWordsOf("cuda"), "threadgroup", "device", "thread", "extern", "thread_local"].join("|")})\\b`,
);

/** Finds the blanks of a directive in the View. */
function placeInView(unit: Unit, start: number, end: number): Place | undefined {
  const { segments, text } = unit.view;
  for (let index = 0; ; index += 1) {
    const segment = segments.at(index);
    if (segment === undefined) return undefined;
    const length = (segments.startOf(index + 1) ?? text.length) - segment.start;
    const isPlain = segment.uri === unit.uri && segment.expansion === undefined && segment.length === length;
    if (!isPlain || start < segment.offset || end > segment.offset + length) continue;
    const shift = segment.start - segment.offset;
    return { unit, span: { start: start + shift, end: end + shift } };
  }
}

interface Surroundings {
  readonly before: string;
  readonly after: string;
  readonly isInParentheses: boolean;
  readonly cplusplus: boolean;
}

function isName({ before, after, isInParentheses, cplusplus }: Surroundings): boolean {
  // `void m() local;`, `int m() const constant { … }`: the address space of a member function's object.
  if (cplusplus && /(?:\)|\b(?:const|volatile|noexcept|mutable|__global|__local|__constant|__private|__generic))$/.test(before))
    return false;
  // `auto f() -> local int *`.
  if (cplusplus && /->$/.test(before) && /^[\w*&:]/.test(after)) return false;
  // `__global %TYPE *x`, `__global %(type)s *x`: a template that the host fills in.
  if (/^%[A-Za-z_(]/.test(after) && !before.endsWith("=")) return false;
  // `template <typename T> __kernel …`: some compilers support templates in kernels.
  if (/\btemplate\s*<[^;{}]*>$/.test(before)) return false;
  // `__attribute__((kernel))` names an attribute.
  if (/__attribute__\s*\(\s*\($/.test(before)) return false;
  if (beforeName.test(before) || (cplusplus ? afterNameInCplusplus : afterName).test(after)) return true;
  if (!cplusplus && beforeOperand.test(before)) return true;
  // `f(private)`, `{ local, global }`, `a[local]`: no type precedes the word.
  const hasNoType = /[([{,]$/.test(before) && !isMacroArgument(before);
  if (/^[)\]]/.test(after)) return hasNoType;
  if (after.startsWith(",")) return hasNoType || !isInParentheses;
  // An array or a function of that name; in parentheses it may be an unnamed parameter.
  if (after.startsWith("[")) return !isInParentheses && /[\w*]$/.test(before);
  return after.startsWith("(") && !isInParentheses && /\bvoid$/.test(before);
}

/**
 * True for a word among the arguments of `GENERATE(sincos, __global, float)` as a statement or an item. This is most likely a macro
 * that the including file defines.
 */
function isMacroArgument(before: string): boolean {
  let depth = 0;
  for (let at = before.length - 1; at >= 0; at--) {
    const character = before[at];
    if (character === ")") depth++;
    else if (character === ";" || character === "{" || character === "}") return false;
    else if (character === "(" && depth-- === 0) return /(?:^|[;{})]|\n)\s*[A-Za-z_]\w*\s*$/.test(before.slice(0, at));
  }
  return false;
}

/** The preceding text of a length that suffices for the previous words, without trailing white space and without stray ends of comments. */
function textBefore(text: string, start: number, length: number): string {
  return text.slice(Math.max(0, start - length), start).replace(/(?:\*\/|\s)+$/, "");
}

/** The number of open parentheses at an offset; offsets must be requested in ascending order. */
function depths(text: string): (offset: number) => number {
  let at = 0;
  let depth = 0;
  return (offset) => {
    for (; at < offset; at++) {
      const character = text[at];
      if (character === "(") depth++;
      else if (character === ")") depth = Math.max(0, depth - 1);
      else if (character === '"' || character === "'") at = endOfLiteral(text, at, character);
      else if (character === "{" || character === "}") depth = 0;
    }
    return depth;
  };
}

function endOfLiteral(text: string, start: number, quote: string): number {
  let at = start + 1;
  for (; at < text.length && text[at] !== quote && text[at] !== "\n"; at++) if (text[at] === "\\") at++;
  return at;
}
