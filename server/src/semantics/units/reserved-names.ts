/**
 * Finds OpenCL's address-space words where only a name can stand (OpenCL C 3.0 §6.7: they are reserved). A compiler stops
 * understanding the declaration there, and so does our parser; so this looks at the words around each, not at the tree.
 */
import type { Unit } from "../../preprocess/view.ts";
import type { SpaceFact } from "../facts/facts.ts";
import type { Place } from "../types/symbols.ts";

const reserved = /\b__(?:global|local|constant|private|generic|kernel|read_only|write_only|read_write)\b/g;
/** What may follow an expression or a declared name, but never a qualifier. */
const afterName = /^(?:=|[-+*/%&|^]=|\+\+|--|&&|\|\||<<|>>|[-+/%|^?.<>:;}])/;
/** The same in C++, where types stand at more places: template arguments, default arguments, constructor initializers. */
const afterNameInCplusplus = /^(?:==|[-+*/%&|^]=|\+\+|--|\|\||<<|[-+/%|^?.;}])/;
/** What stands in front of a name or an operand, but never of a qualifier. */
const beforeName = /(?:\.|->|\b(?:return|case|goto|struct|union|enum))$/;
const beforeOperand = /[-+/%|^!~?=<>]$/;

type ReservedName = Extract<SpaceFact, { kind: "reserved-name" }>;

/** Every such word in a unit's View, in order, and the macros of these names that the preprocessor did not follow. */
export function reservedNames(unit: Unit, cplusplus: boolean): readonly ReservedName[] {
  const { text } = unit.view;
  const found: ReservedName[] = redefinedWords(unit);
  const depth = depths(text);
  for (const match of text.matchAll(reserved)) {
    const start = match.index;
    const end = start + match[0].length;
    const before = textBefore(text, start);
    const after = text.slice(end, end + 400).trimStart();
    if (!isName({ before, after, isInParentheses: depth(start) > 0, cplusplus })) continue;
    const as = after.startsWith(";") && /\w$/.test(before) && !beforeName.test(before) ? "nothing" : "name";
    found.push({ kind: "reserved-name", word: { text: match[0], place: { unit, span: { start, end } } }, as });
  }
  return found;
}

/** `#define global`: the word stays itself, but whoever reads the file, or compiles it with another compiler, is misled. */
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
 * A file that turns OpenCL's words into those of CUDA, HIP, Metal or C++ is there to have kernels compiled as such. What makes
 * kernels something else, even nothing, does so too: no device compiler would find one.
 */
function meansAnotherLanguage(word: string, meaning: string): boolean {
  return (
    /^(__)?kernel$/.test(word) ||
    /\b(__(global|device|host|shared|constant|managed)__|threadgroup|device|thread|extern|thread_local)\b/.test(meaning)
  );
}

/** Where a directive left its blanks in the View. */
function placeInView(unit: Unit, start: number, end: number): Place | undefined {
  const { segments, text } = unit.view;
  for (const [index, segment] of segments.entries()) {
    const length = (segments[index + 1]?.start ?? text.length) - segment.start;
    const isPlain = segment.uri === unit.uri && segment.expansion === undefined && segment.length === length;
    if (!isPlain || start < segment.offset || end > segment.offset + length) continue;
    const shift = segment.start - segment.offset;
    return { unit, span: { start: start + shift, end: end + shift } };
  }
  return undefined;
}

interface Surroundings {
  readonly before: string;
  readonly after: string;
  readonly isInParentheses: boolean;
  readonly cplusplus: boolean;
}

function isName({ before, after, isInParentheses, cplusplus }: Surroundings): boolean {
  // `void m() local;`, `int m() const constant { … }`: the object's space of a member function.
  if (cplusplus && /(?:\)|\b(?:const|volatile|noexcept|mutable|__global|__local|__constant|__private|__generic))$/.test(before))
    return false;
  // `auto f() -> local int *`.
  if (cplusplus && /->$/.test(before) && /^[\w*&:]/.test(after)) return false;
  // `__global %TYPE *x`, `__global %(type)s *x`: a template that the host fills in.
  if (/^%[A-Za-z_(]/.test(after) && !before.endsWith("=")) return false;
  // `template <typename T> __kernel …`: some compilers take templates in kernels.
  if (/\btemplate\s*<[^;{}]*>$/.test(before)) return false;
  // `__attribute__((kernel))` names an attribute.
  if (/__attribute__\s*\(\s*\($/.test(before)) return false;
  if (beforeName.test(before) || (cplusplus ? afterNameInCplusplus : afterName).test(after)) return true;
  if (!cplusplus && beforeOperand.test(before)) return true;
  // `f(private)`, `{ local, global }`, `a[local]`: there is no type in front.
  const hasNoType = /[([{,]$/.test(before);
  if (/^[)\]]/.test(after)) return hasNoType;
  if (after.startsWith(",")) return hasNoType || !isInParentheses;
  // An array or a function of that name; in parentheses it may be a parameter without a name.
  if (after.startsWith("[")) return !isInParentheses && /[\w*]$/.test(before);
  return after.startsWith("(") && !isInParentheses && /\bvoid$/.test(before);
}

/** The text in front, without trailing white space; enough of it to see the previous words. */
function textBefore(text: string, start: number): string {
  return text.slice(Math.max(0, start - 200), start).trimEnd();
}

/** How many parentheses are open at an offset; offsets are asked for in ascending order. */
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
