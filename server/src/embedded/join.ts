/**
 * Decides which literals form one text: adjacent ones, and the lines of an initializer list. If the running program adds something
 * next to a text, the text is complete only if it begins and ends between declarations.
 */
import { append } from "../lists.ts";
import { formOfText, hasDollarHoles, literalsWithNamedHoles } from "./holes.ts";
import { isSign, isWord } from "./host-tokens.ts";
import type { HoleForm } from "./literal-syntax.ts";
import type { HostToken, Literal, LiteralWord } from "./literals.ts";

/** Literals whose concatenated values form a text. */
export interface JoinedText {
  readonly literals: readonly Literal[];
  readonly value: string;
  /** The running program fills in parts, for which names stand. */
  readonly hasHoles: boolean;
}

/** Functions that replace parts of a text. */
const formatting =
  /printf|format|^(?:e?print|write)(?:ln)?!$|^panic!$|replace|substitut|template|render|regex|sub$|asm|getenv|LOG|ASSERT|assert/i;
/** Functions like `printf`, whose format shows which parts they fill in. */
const printing = /printf/i;
/** How many enclosing calls are tested for being calls of such functions. */
const callsAround = 8;
/** Operators that concatenate texts when the program runs. */
const joining = new Set(["+", "<", ">", "*"]);
const declarationStart =
  /^(?:#|(?:__)?(?:kernel|constant|global|local)\b|typedef\b|struct\b|union\b|enum\b|static\b|inline\b|const\b|void\b|extern\b|template\b|namespace\b|using\b|__(?:global|device|constant|shared|host)__\b|__attribute__\b)/;
/** Directives and declarations that the program fills in with `printf`. */
const leadingHoles = /^(?:\s*%s)+/;
const title = /^[\w .:/-]*$/;
const hasKernel = /\b(?:__)?kernel\s/;
const declarationEnd = /(?:[};]|^[ \t]*#[^\n]*)$/;

/** The texts of a host file's literals. */
export function joinedTexts(written: readonly HostToken[]): readonly JoinedText[] {
  const tokens = withoutSums(written);
  const texts: JoinedText[] = [];
  const calls: string[] = [];
  for (let index = 0; index < tokens.length; ) {
    const token = tokens[index];
    if (token === undefined) break;
    if (token.kind !== "literal") {
      followBrackets(calls, token, tokens[index - 1]);
      index += 1;
      continue;
    }
    const run = runAt(tokens, index);
    const form = formOfCall(tokens, index, run.end);
    const items = separated(run.items, separatorOf(tokens, index, run.end));
    const before = tokens[index - 1];
    const after = form === undefined ? tokens[run.end] : undefined;
    const isPrinted = form === undefined && printing.test(calls.at(-1) ?? "");
    const around = form === undefined && !isPrinted ? calls : calls.slice(0, -1);
    const isRefused =
      around.slice(-callsAround).some((name) => formatting.test(name)) || (form === undefined && isFormatted(tokens, run.end));
    index = run.end;
    if (isRefused) continue;
    const wholes = wholeItems(items);
    const areWhole = wholes !== undefined;
    // The first and the last item of a list may be parts of something larger; the others are complete.
    for (const literals of wholes ?? [items.flat()]) {
      const holes = form ?? formOfText(valueOf(literals));
      if (isPrinted && holes === undefined) continue;
      const text = textOf(holes === undefined ? literals : literalsWithNamedHoles(literals, holes));
      if (text.literals.some(({ isBroken }) => isBroken)) continue;
      if (areWhole || isWhole(text.value, isOpen(before, "before"), isOpen(after, "after"))) texts.push(text);
    }
  }
  return texts;
}

/**
 * The tokens without those that concatenate literals: `"a" + "b"`, `"a" * "b"` in Julia, and `R(…) + "#if X" + R(…)`, where a macro makes
 * literals of its arguments.
 */
function withoutSums(tokens: readonly HostToken[]): readonly HostToken[] {
  const found: HostToken[] = [];
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at] as HostToken;
    found.push(token);
    const summands = token.kind === "literal" ? summandsAfter(tokens, at, token) : undefined;
    if (summands === undefined) at += 1;
    else {
      append(found, summands.between);
      at = summands.end;
    }
  }
  return found;
}

/** The literals between one and the next that is concatenated with it, whose index is `end`; undefined if there is none. */
function summandsAfter(
  tokens: readonly HostToken[],
  at: number,
  first: Literal,
): { readonly between: readonly Literal[]; readonly end: number } | undefined {
  if (!isMacroArgument(tokens, at, first))
    return (isSign(tokens[at + 1], "+") || isSign(tokens[at + 1], "*")) && tokens[at + 2]?.kind === "literal"
      ? { between: [], end: at + 2 }
      : undefined;
  const between: Literal[] = [];
  if (!isSign(tokens[at + 1], ")")) return undefined;
  for (let sign = at + 2; isSign(tokens[sign], "+"); sign += 2) {
    const next = tokens[sign + 1];
    const argument = tokens[sign + 3];
    if (argument?.kind === "literal" && isMacroArgument(tokens, sign + 3, argument)) return { between, end: sign + 3 };
    if (next?.kind !== "literal") return undefined;
    between.push(onOwnLine(next));
  }
  return undefined;
}

/** True for the argument of a macro that makes a literal of it. */
function isMacroArgument(tokens: readonly HostToken[], at: number, { spelling }: Literal): boolean {
  return spelling.kind === "raw" && spelling.close === ")" && isSign(tokens[at - 1], "(") && tokens[at - 2]?.kind === "word";
}

/**
 * A directive between the arguments of macros, on a line of its own: the program adds line feeds later, because no macro's argument
 * can contain one.
 */
function onOwnLine(literal: Literal): Literal {
  if (!/^\s*#/.test(literal.value)) return literal;
  return { ...literal, value: `\n${literal.value}\n`, pieces: literal.pieces.map((piece) => ({ ...piece, at: piece.at + 1 })) };
}

/**
 * How the call around or after literals marks the parts that it fills in: `"…".format(x)`, `"…" % x` and `Template("… $x")` of Python,
 * `format!("…", x)` of Rust.
 */
function formOfCall(tokens: readonly HostToken[], start: number, end: number): HoleForm | undefined {
  if (isSign(tokens[end], "%") && !isSign(tokens[end + 1], "=")) return "percent";
  const bracket = isSign(tokens[start - 1], "(") && isSign(tokens[end], ")") ? 1 : 0;
  if (isSign(tokens[end + bracket], ".") && isWord(tokens[end + bracket + 1], "format") && isSign(tokens[end + bracket + 2], "("))
    return "braces";
  if (bracket === 1 && isSign(tokens[end + 1], "%")) return "percent";
  const isTemplate = bracket === 1 && isWord(tokens[start - 2], "Template");
  if (isTemplate && tokens.slice(start, end).some((token) => token.kind === "literal" && hasDollarHoles(token.value))) return "dollar";
  return isWord(tokens[start - 2], "format!") ? "braces" : undefined;
}

/** What a call puts between the literals of a list: `["…", "…"].join("\n")`, `"\n".join(["…", "…"])`. */
function separatorOf(tokens: readonly HostToken[], start: number, end: number): string {
  const closed = isSign(tokens[end], ",") ? end + 1 : end;
  const after = tokens.slice(closed, closed + 5);
  const given = after[4];
  if (isSign(after[0], "]") && isSign(after[1], ".") && isWord(after[2], "join") && isSign(after[3], "(") && given?.kind === "literal")
    return given.value;
  const object = tokens[start - 5];
  const isArgument = isSign(tokens[start - 4], ".") && isWord(tokens[start - 3], "join") && isSign(tokens[start - 2], "(");
  return isArgument && object?.kind === "literal" ? object.value : "";
}

/** The items with the separator after each but the last. */
function separated(items: readonly (readonly Literal[])[], separator: string): readonly (readonly Literal[])[] {
  if (!/^\s+$/.test(separator)) return items;
  return items.map((item, index) => {
    const last = item[item.length - 1];
    if (last === undefined || index === items.length - 1) return item;
    return [...item.slice(0, -1), { ...last, value: last.value + separator }];
  });
}

/** True for Python's `"…" % x`, `"…".format(x)` and the like. */
function isFormatted(tokens: readonly HostToken[], end: number): boolean {
  const method = tokens[end + 1];
  return isSign(tokens[end], "%") || (isSign(tokens[end], ".") && method?.kind === "word" && formatting.test(method.text));
}

/** Tracks which function's arguments each open bracket holds. */
function followBrackets(calls: string[], token: LiteralWord, previous: HostToken | undefined): void {
  if (token.kind !== "sign") return;
  if ("([{".includes(token.text)) calls.push(token.text === "(" && previous?.kind === "word" ? previous.text : "");
  else if (")]}".includes(token.text)) calls.pop();
}

/** Adjacent literals, and literals that only commas separate, with one item for each. */
function runAt(tokens: readonly HostToken[], start: number): { readonly items: readonly (readonly Literal[])[]; readonly end: number } {
  const items: Literal[][] = [[]];
  const isList = isSign(tokens[start - 1], "{") || isSign(tokens[start - 1], "[") || isWord(tokens[start - 2], "concat!");
  let index = start;
  for (let token = tokens[index]; token !== undefined; token = tokens[index]) {
    if (token.kind === "literal") items[items.length - 1]?.push(token);
    else if (isList && isSign(token, ",") && tokens[index + 1]?.kind === "literal") items.push([]);
    else break;
    index += 1;
  }
  return { items, end: index };
}

/**
 * The items of a list that are texts of their own: all of them, or those with kernels if each other item is a name or a title, as in
 * `{"add", "kernel void …"}`. Undefined if the items are lines of one text.
 */
function wholeItems(items: readonly (readonly Literal[])[]): readonly (readonly Literal[])[] | undefined {
  if (items.length < 2) return undefined;
  const whole = items.filter((item) => isWhole(valueOf(item).replace(leadingHoles, ""), true, true));
  if (whole.length === items.length) return items;
  const isTitle = (value: string) => title.test(value) && !declarationStart.test(value);
  return whole.some((item) => endsWithKernel(valueOf(item))) && items.every((item) => whole.includes(item) || isTitle(valueOf(item)))
    ? whole
    : undefined;
}

function endsWithKernel(text: string): boolean {
  return hasKernel.test(text) && text.trimEnd().replace(/;$/, "").trimEnd().endsWith("}");
}

function valueOf(literals: readonly Literal[]): string {
  return literals.map(({ value }) => value).join("");
}

function textOf(literals: readonly Literal[]): JoinedText {
  return { literals, value: valueOf(literals), hasHoles: literals.some(({ hasHoles }) => hasHoles) };
}

/** True if an unknown part adjoins this side of the text. */
function isOpen(token: HostToken | undefined, side: "before" | "after"): boolean {
  if (token === undefined || token.kind === "literal") return false;
  if (token.kind === "sign") return joining.has(token.text) || token.text === (side === "after" ? "." : ")");
  // A macro's name before a literal is another literal; after one it may be a suffix, `"…"s`.
  return side === "before" ? token.text !== "return" && token.text !== "yield" : !/^(?:s|sv|_\w+|if|else|for|in|and|or)$/.test(token.text);
}

function isWhole(value: string, isOpenBefore: boolean, isOpenAfter: boolean): boolean {
  const text = withoutComments(value).trim();
  return (!isOpenBefore || declarationStart.test(text)) && (!isOpenAfter || declarationEnd.test(text));
}

/** A source without its comments. */
export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*/g, " ");
}
