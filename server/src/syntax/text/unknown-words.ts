/**
 * Finds undefined macros by text that no program can contain otherwise: two types in one declaration (`API void f()`), a call
 * without an end (`CHECK(x) return y;`). It is used only for texts that the grammar cannot read. A sign replaces each such word.
 * The grammar accepts the sign anywhere, and lowering marks its declaration as unknown. A call gets the missing semicolon or comma.
 * The result depends only on the text.
 */
import { append } from "../../lists.ts";
import type { Steps } from "../../steps.ts";
import { type Atom, isKeyword, runAt, type TokenText } from "./atoms.ts";
import { afterToken } from "./guard.ts";

/** Stands for each character of an unknown word; the grammar's `unknown_words`. */
const sign = "\uE000";

/** The number of tokens that are examined in one step, which takes some fifty milliseconds. */
const tokensInStep = 16_384;

/**
 * A longer run of words belongs to no declaration. Some 2,000 signs in a row also exceed the parser's own stack where it follows two
 * readings (`(int *)(int *)x` and then signs), which destroys its memory.
 */
const longestRun = 1_000;

/** The text with signs in place of undefined words, in steps; of the same length, and unchanged if there are none. */
export function* signUnknownWords(text: string, tokens: TokenText): Steps<string> {
  const edits: Edit[] = [];
  const done = new Set<number>();
  const afterNames = afterCapitals(tokens);
  for (let at = 0; at < tokens.count; at++) {
    if (at % tokensInStep === tokensInStep - 1) yield;
    const type = typeArgument(tokens, at);
    if (type !== undefined) edits.push(type);
    if (standsForArguments(tokens, at, afterNames)) edits.push({ start: tokens.start(at), end: tokens.end(at) });
    if (done.has(at)) continue;
    const run = runAt(tokens, at);
    for (const atom of run) done.add(atom.first);
    const last = run[run.length - 1];
    if (last === undefined || run.length > longestRun) continue;
    if (!standsForArguments(tokens, last.last, afterNames)) readRun(text, tokens, run, edits);
  }
  if (edits.length === 0) return text;
  edits.sort((a, b) => a.start - b.start);
  let result = "";
  let from = 0;
  for (const { start, end, put } of edits) {
    if (start < from) continue;
    result += text.slice(from, start) + (put ?? sign.repeat(end - start));
    from = end;
  }
  return result + text.slice(from);
}

const capitals = /^[A-Z][A-Z0-9_]+$/;
const tagHead = /\b(?:class|struct|union)\s+([A-Za-z_]\w*)\s+([A-Za-z_]\w*)\s*\{/g;

/**
 * The text with signs in place of undefined words in `class API S {`, of the same length. The grammar accepts that text, as the
 * definition of a function `S` without parameters. `struct T s {1, 2};` declares a variable: no semicolon ends its members.
 */
export function signTagHeads(text: string): string {
  return text.replace(tagHead, (head, word: string, name: string, start: number) => {
    if (isKeyword(word) || isKeyword(name) || !hasMembers(text, start + head.length)) return head;
    // `class S API {`
    const unknown = capitals.test(name) && !capitals.test(word) ? name : word;
    const at = unknown === name ? head.lastIndexOf(name) : head.indexOf(word, /^\w+/.exec(head)?.[0].length);
    return head.slice(0, at) + sign.repeat(unknown.length) + head.slice(at + unknown.length);
  });
}

/** True between braces that are not empty and in which no semicolon stands directly: a list of values, as far as no class is meant. */
function listsValues(text: string, from: number): boolean {
  let depth = 0;
  for (let at = from; at < text.length; at = afterToken(text, at)) {
    const character = text[at] ?? "";
    if (character === ";" && depth === 0) return false;
    if ("{([".includes(character)) depth += 1;
    else if ("})]".includes(character) && depth-- === 0) return text.slice(from, at).trim() !== "";
  }
  return false;
}

/** True if a semicolon stands directly between the braces, or they are not closed yet. */
function hasMembers(text: string, from: number): boolean {
  return !listsValues(text, from) && !/^\s*\}/.test(text.slice(from, from + 100));
}

function isEnum(tokens: TokenText): (atom: Atom) => boolean {
  return ({ kind, first }) => kind === "key" && tokens.text(first) === "enum";
}

interface Edit {
  readonly start: number;
  readonly end: number;
  /** The replacement; the sign if absent. */
  readonly put?: string;
}

const callees = /^(va_arg|offsetof|_Generic|__builtin_(va_arg|offsetof|astype|convertvector|bit_cast|types_compatible_p))$/;
const typeWords = /^(void|bool|char|short|int|long|float|double|signed|unsigned|half)$/;
/** Tokens before a call in an expression or at the start of a statement. A declarator has a type before it instead. */
const expressionStarts = /^([(,=;{}+\-*/?:!&|[]|&&|\|\||return)$/;

/** `TAKE(x, unsigned int, 4)`: a type as an argument of a call in a function becomes a name. */
function typeArgument(tokens: TokenText, first: number): Edit | undefined {
  const before = tokens.text(first - 1);
  if ((before !== "(" && before !== ",") || !typeWords.test(tokens.text(first))) return undefined;
  let last = first;
  while (typeWords.test(tokens.text(last + 1))) last++;
  const after = tokens.text(last + 1);
  const open = tokens.opening(first);
  if ((after !== "," && after !== ")") || tokens.text(open) !== "(") return undefined;
  if (tokens.scope(open) === "items" && !isHeadOfBody(tokens, open)) return undefined;
  const callee = tokens.text(open - 1);
  if (!/^[A-Za-z_]\w*$/.test(callee) || isKeyword(callee) || callees.test(callee)) return undefined;
  if (tokens.scope(open) !== "items" && !expressionStarts.test(tokens.text(open - 2))) return undefined;
  const [start, end] = [tokens.start(first), tokens.end(last)];
  return { start, end, put: "_".repeat(end - start) };
}

/** `TEMPLATE_TEST_CASE("name", "", int, float) { … }`: a function's parameters cannot contain a literal. */
function isHeadOfBody(tokens: TokenText, open: number): boolean {
  return /^"/.test(tokens.text(open + 1)) && tokens.text(tokens.closing(open) + 1) === "{" && /^([;}{]?|>)$/.test(tokens.text(open - 2));
}

/** True for `MORE` in `f(a, b MORE)`: a name in capitals, after an argument of a call in a function, that contains its own comma. */
function standsForArguments(tokens: TokenText, at: number, afterNames: Int32Array): boolean {
  const next = afterNames[at] ?? at;
  if (next === at || !/^[,)]$/.test(tokens.text(next))) return false;
  const open = tokens.opening(at);
  if (tokens.text(open) !== "(" || !isCallee(tokens.text(open - 1)) || !endsArgument(tokens, at - 1)) return false;
  let outermost = open;
  while (tokens.scope(outermost) === "parentheses") outermost = tokens.opening(outermost);
  return tokens.scope(outermost) === "body";
}

/** For each token, the first token from there on that is not a name in capitals. */
function afterCapitals(tokens: TokenText): Int32Array {
  const afterNames = new Int32Array(tokens.count);
  for (let at = tokens.count - 1; at >= 0; at--)
    afterNames[at] = capitals.test(tokens.text(at)) ? (afterNames[at + 1] ?? tokens.count) : at;
  return afterNames;
}

function isCallee(word: string): boolean {
  return /^[A-Za-z_]\w*$/.test(word) && !isKeyword(word);
}

function endsArgument(tokens: TokenText, at: number): boolean {
  const word = tokens.text(at);
  // The operand of a cast follows `(T)`; `((void *)0)` is not a type.
  if (word === ")") return isCallee(tokens.text(tokens.closed(at) - 1)) || /^\d/.test(tokens.text(at - 1));
  return word === "]" || /^["'.\d]/.test(word) || /^(true|false|NULL|nullptr)$/.test(word) || isCallee(word);
}

/** A run of adjacent words, and its surroundings. */
interface Place {
  readonly before: string;
  readonly after: string;
  readonly afterNext: string;
  readonly scope: "items" | "body" | "list" | "parentheses";
  readonly isStart: boolean;
  /** `x += 1`, `x[i].y = 2`: the last part is not a declarator. */
  readonly endsInOperand: boolean;
  /** `S() noexcept : member(1) {}` */
  readonly beginsInitializers: boolean;
  /** `struct S s {1, 2};` */
  readonly beginsValues: boolean;
  sign(atoms: readonly Atom[]): void;
  /** Ends a call: with a comma in a list of arguments, otherwise with a semicolon. */
  end(call: Atom): void;
}

const declaratorEnds = new Set(["*", "&", "&&"]);
const statementStarts = new Set(["", ";", "{", "}", "else", "do"]);
const newStatement = new Set([
  ...["namespace", "template", "typedef", "using", "static_assert", "public", "private", "protected", "friend"],
  ...["return", "if", "for", "while", "do", "switch", "break", "continue", "goto", "try", "case", "asm"],
]);

function readRun(text: string, tokens: TokenText, run: readonly Atom[], edits: Edit[]): void {
  const first = run[0];
  const last = run[run.length - 1];
  if (first === undefined || last === undefined) return;
  const before = tokens.text(first.first - 1);
  const scope = tokens.scope(first.first);
  const put = ({ first: from, last: to }: Atom): Edit => ({ start: tokens.start(from), end: tokens.end(to) });
  const place: Place = {
    before,
    after: tokens.text(last.last + 1),
    beginsInitializers: scope === "items" && tokens.text(afterSuffix(tokens, last.last + 1)) === ":",
    beginsValues: text[tokens.start(last.last + 1)] === "{" && !run.some(isEnum(tokens)) && listsValues(text, tokens.end(last.last + 1)),
    afterNext: tokens.text(last.last + 2),
    scope,
    endsInOperand: scope === "body" && isInOperand(tokens, behindSubscripts(tokens, last.last + 1)),
    isStart: statementStarts.has(before) || (before === ":" && scope === "items"),
    sign: (atoms) => append(edits, atoms.map(put)),
    end: (call) => {
      const end = tokens.end(call.last);
      if (/\s/.test(text[end] ?? "")) edits.push({ start: end, end: end + 1, put: scope === "parentheses" ? "," : ";" });
      else edits.push(put(call));
    },
  };
  judge(run, place);
}

function isInOperand(tokens: TokenText, at: number): boolean {
  return /^(\.|->|[-+*/%&|^]=|\+\+|--)/.test(tokens.text(at) + tokens.text(at + 1));
}

function behindSubscripts(tokens: TokenText, from: number): number {
  let at = from;
  while (tokens.text(at) === "[" && tokens.closing(at) >= 0) at = tokens.closing(at) + 1;
  return at;
}

/** The token after `const`, `noexcept(…)` and the like. */
function afterSuffix(tokens: TokenText, from: number): number {
  let at = from;
  while (/^(const|volatile|noexcept|&|&&)$/.test(tokens.text(at)))
    at = tokens.text(at) === "noexcept" && tokens.closing(at + 1) >= 0 ? tokens.closing(at + 1) + 1 : at + 1;
  return at;
}

function judge(run: readonly Atom[], place: Place): void {
  const words = run.filter(({ kind }) => kind !== "qualifier");
  const [head, ...rest] = words;
  if (head === undefined) return;
  // A call at the start of a statement, followed by something else.
  if (head.kind === "call" && place.isStart && place.scope === "body" && run[0] === head && endsHere(head, rest, place)) {
    place.end(head);
    return judge(run.slice(1), { ...place, isStart: true, before: ";" });
  }
  if (head.kind === "call" && place.scope === "parentheses" && rest[0]?.kind === "call") {
    place.end(head);
    return judge(run.slice(run.indexOf(rest[0])), place);
  }
  const key = words.findIndex(({ kind }) => kind === "key");
  if (key >= 0) return readRecord(words, key, place);
  if (place.after === "operator") return readOperator(words, place);
  if (place.after === "~" || (newStatement.has(place.after) && words.every(isName))) {
    if (place.isStart || place.before === ")" || place.before === ">") place.sign(words.filter(isName));
    return;
  }
  const type = words.findIndex(({ kind }) => kind === "type");
  if (type >= 0) {
    place.sign(words.slice(0, type).filter(isName));
    let lastType = type;
    words.forEach(({ kind }, at) => {
      if (kind === "type") lastType = at;
    });
    place.sign(words.slice(type, lastType).filter(isName));
    return readDeclarator(words.slice(lastType + 1), place);
  }
  readNames(words, place);
}

function endsHere(head: Atom, rest: readonly Atom[], { after }: Place): boolean {
  const next = rest[0];
  if (next === undefined) return after === "{" || after === "}" || newStatement.has(after);
  return !(next.kind === "name" && rest.length === 1 && after === "{" && !head.isCapital);
}

const isName = ({ kind }: Atom): boolean => kind === "name" || kind === "call";

/** `class API S {`, `struct ALIGN(8) S;`, `API struct S`. */
function readRecord(words: readonly Atom[], key: number, place: Place): void {
  place.sign(words.slice(0, key).filter(isName));
  const names = words.slice(key + 1).filter(isName);
  place.sign(names.filter(({ kind }, at) => kind === "call" && at + 1 < names.length));
  const plain = names.filter(({ kind }) => kind === "name");
  if (place.beginsValues) return;
  if (place.after === "{" || place.after === ":" || place.after === "final") return place.sign(plain.slice(0, -1));
  const [one, two] = plain;
  if (plain.length > 2 || (plain.length === 2 && one?.isCapital === true && two?.isCapital === false && place.after === ";"))
    place.sign(plain.slice(0, 1));
}

/** `API T operator+(…)`, `API operator bool()`. */
function readOperator(words: readonly Atom[], { afterNext, sign }: Place): void {
  const isConversion = /^\w/.test(afterNext) && afterNext !== "new" && afterNext !== "delete";
  const own = words.filter((word) => !word.isOpen);
  const hasType = isConversion || own.some(({ kind }) => kind === "type");
  const names = own.filter(isName);
  sign(hasType ? names : names.slice(0, -1));
}

/** The names after a type: a single one is being declared. */
function readDeclarator(names: readonly Atom[], place: Place): void {
  if (declaratorEnds.has(place.after)) return place.sign(names.filter(({ kind }) => kind === "name"));
  if (names.length < 2) return;
  const call = names.findIndex(({ kind }) => kind === "call");
  const last = names[names.length - 1];
  if (last?.kind === "name" && call >= 0) {
    // `void f(int) API;`, but `void BOUNDS(256) x`.
    const isSuffix = /^[;{=:]$|^(const|noexcept|override|final)$/.test(place.after) && names[call]?.isCapital === false;
    return place.sign(isSuffix ? names.slice(call + 1) : names.slice(0, -1));
  }
  const calls = names.filter(({ kind }) => kind === "call");
  const declared = calls.find(({ isCapital }) => !isCapital) ?? last;
  place.sign(names.filter((name) => name !== declared));
}

/** Reads a run that contains only names: in a declaration, the last name is declared and the one before it is the type. */
function readNames(words: readonly Atom[], place: Place): void {
  const { before, after, scope, isStart } = place;
  const [one, two] = words;
  if (one === undefined) return;
  if (before === "]" && one.followsCaptures) return place.sign([{ ...one, last: one.first }]);
  if (before === "namespace" && after === "{") return place.sign(words.slice(0, -1));
  if (before === "using" && two !== undefined && after === "=") return place.sign([two]);
  if (two !== undefined && isStart && scope === "items" && after === "") return place.sign(words);
  if (two === undefined) {
    const isAlone = isStart && (after === "}" || after === "") && (scope === "items" || (scope === "body" && one.kind === "name"));
    const isLabel = isStart && scope === "items" && after === ":" && one.kind === "name";
    if (isLabel) return place.sign([{ ...one, last: one.last + 1 }]);
    if (isAlone || (before === ")" && after === "{" && one.kind === "name")) place.sign([one]);
    return;
  }
  if (declaratorEnds.has(after) && words.every(({ kind }) => kind === "name")) {
    const type = words.filter(({ isCapital }) => !isCapital).pop() ?? words[words.length - 1];
    return place.sign(words.filter((word) => word !== type));
  }
  if (declaratorEnds.has(before)) return readDeclarator(words, place);
  if (place.beginsInitializers && words[words.length - 1]?.kind === "call") return place.sign(words.slice(0, -1));
  if (words.length === 2) return readPair(one, two, place);
  const type = words.slice(0, -1).find(({ kind, isCapital }) => kind === "name" && !isCapital) ?? words[words.length - 2];
  const at = type === undefined ? 0 : words.indexOf(type);
  place.sign(words.slice(0, at));
  readDeclarator(words.slice(at + 1), place);
}

function readPair(one: Atom, two: Atom, place: Place): void {
  const { before, after } = place;
  if (one.kind === "name") {
    if (two.kind === "name" && place.isStart && place.endsInOperand) return place.sign([one]);
    // `f(PREFIX a::b(x))`: a parameter cannot have a qualified name.
    if (two.kind === "name" && after === "(" && two.last > two.first && /^(\(|,|=|return)$/.test(before)) place.sign([one]);
    return;
  }
  if (two.kind === "call") return place.scope === "items" && after !== "{" && after !== ":" ? place.end(one) : place.sign([one]);
  place.sign([after === "{" ? two : one]);
}
