/** Finds the literals of C and C++, and the arguments of macros that turn them into a literal. */
import { type HostToken, type Literal, type LiteralWord, unescape, verbatim } from "./literals.ts";

const blank = /(?:\s+|\\\r?\n|\/\/(?:[^\n\\]|\\[\s\S])*|\/\*[\s\S]*?(?:\*\/|$))*/y;
const word = /[A-Za-z_$][\w$]*|\.?\d(?:[eEpP][+-]|'\w|[\w.])*/y;
const rawStart = /(?:u8|u|U|L)?R"([^()\\\s"]{0,16})\(/y;
const quotedStart = /(?:u8|u|U|L)?"/y;
const quoted = /(?:[^"\\\n]|\\[\s\S])*/y;
const character = /(?:u8|u|U|L)?'(?:[^'\\\n]|\\[\s\S])*'?/y;
const directive = /#[ \t]*(\w*)/y;

/** Matches `#define NAME(x) #x`, with the name, its parameters and its replacement. */
const stringizing = /^[ \t]*#[ \t]*define[ \t]+(\w+)\(([^()\n]*)\)((?:[^\n\\]|\\[\s\S])*)/gm;

/** Matches `#define NAME "text"`. */
const naming = /^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)[ \t]+"((?:[^"\\\n]|\\[^\n])*)"[ \t\r]*(?:\/[/*].*)?$/gm;

/** The tokens of a C or C++ source. A macro that stands for a literal, such as `NL` for a line feed, is one. */
export function cTokens(text: string): readonly HostToken[] {
  const tokens: HostToken[] = [];
  const macros = stringizingMacros(text);
  const named = namedTexts(text);
  let closings: ReadonlyMap<number, number> | undefined;
  const closing = (open: number) => {
    closings ??= closingsOf(text);
    return closings.get(open);
  };
  let directiveEnd = -1;
  const match = (pattern: RegExp, at: number) => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  for (let at = 0; at < text.length; ) {
    const skippedText = match(blank, at)?.[0] ?? "";
    const next = at + skippedText.length;
    const startsLine = at === 0 || skippedText.includes("\n");
    if (directiveEnd >= 0 && next >= directiveEnd) {
      tokens.push({ kind: "sign", text: "\n", start: directiveEnd, end: directiveEnd });
      directiveEnd = -1;
    }
    at = next;
    if (at >= text.length) break;
    if (text[at] === "#" && startsLine) {
      const end = endOfLine(text, at);
      tokens.push({ kind: "sign", text: "#", start: at, end: at + 1 });
      directiveEnd = end;
      // Other directives contain no literal of the program.
      at = match(directive, at)?.[1] === "define" ? at + 1 : end;
      continue;
    }
    const token = literalAt(text, at, match) ?? argumentAt(text, at, tokens, macros, closing) ?? wordAt(text, at, match);
    const value = token.kind === "word" && directiveEnd < 0 ? (named.get(token.text) ?? lineFeedAfter(tokens, token.text)) : undefined;
    tokens.push(value === undefined ? token : namedLiteral(token, value));
    at = Math.max(token.end, at + 1);
  }
  return tokens;
}

/** The texts of macros that stand for one literal. A text with declarations or statements is judged where it is defined. */
function namedTexts(text: string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const others = new Set<string>();
  for (const [, name = "", quotedText = ""] of text.matchAll(naming)) {
    const { value } = unescape(quotedText, 0, quotedText.length);
    if (/[;{}]/.test(value) || (texts.get(name) ?? value) !== value) others.add(name);
    texts.set(name, value);
  }
  for (const name of others) texts.delete(name);
  return texts;
}

/** Names that are used only for a line feed. Their definitions are usually in headers. */
const lineFeed = /^(?:NL|EOL|LF|ENDL|NEW_?LINE)$/;

/** What a macro of such a name adds to a literal, or to a list of literals. */
function lineFeedAfter(tokens: readonly HostToken[], name: string): string | undefined {
  const before = tokens[tokens.length - 1];
  return lineFeed.test(name) && (before?.kind === "literal" || before?.text === "{" || before?.text === ",") ? "\n" : undefined;
}

/** The literal for which a macro stands. Nothing in it can be edited where the macro is used. */
function namedLiteral({ start, end }: Pick<HostToken, "start" | "end">, value: string): Literal {
  const pieces = value === "" ? [] : [{ at: 0, length: value.length, host: start, hostLength: end - start }];
  return { kind: "literal", start, end, value, pieces, spelling: { kind: "raw", close: "" }, hasHoles: false };
}

/** Whether the text, after comments and directives, begins with a raw literal or the argument of a macro. */
export function isWrapped(text: string): boolean {
  for (let at = 0; at < text.length; ) {
    blank.lastIndex = at;
    at += blank.exec(text)?.[0].length ?? 0;
    if (text[at] === "#") at = endOfLine(text, at);
    else return /^(?:(?:u8)?R"|[A-Z]\w*\s*\()/.test(text.slice(at, at + 80));
  }
  return false;
}

/** The end of a directive, including continued lines. */
function endOfLine(text: string, at: number): number {
  for (let end = text.indexOf("\n", at); end >= 0; end = text.indexOf("\n", end + 1)) {
    if (text[end - 1] !== "\\" && !(text[end - 1] === "\r" && text[end - 2] === "\\")) return end;
  }
  return text.length;
}

function literalAt(text: string, at: number, match: (pattern: RegExp, at: number) => RegExpExecArray | null): Literal | undefined {
  const raw = match(rawStart, at);
  if (raw !== null) {
    const start = at + raw[0].length;
    const close = `)${raw[1] ?? ""}"`;
    const found = text.indexOf(close, start);
    const end = found < 0 ? text.length : found;
    return {
      kind: "literal",
      start: at,
      end: Math.min(text.length, end + close.length),
      ...verbatim(text, start, end),
      spelling: { kind: "raw", close },
      hasHoles: found < 0,
    };
  }
  const open = match(quotedStart, at);
  if (open !== null) {
    const start = at + open[0].length;
    const end = start + (match(quoted, start)?.[0].length ?? 0);
    return {
      kind: "literal",
      start: at,
      end: Math.min(text.length, end + 1),
      ...unescape(text, start, end),
      spelling: { kind: "quoted", quote: '"', isOneLine: true },
      hasHoles: text[end] !== '"',
    };
  }
  return undefined;
}

function wordAt(text: string, at: number, match: (pattern: RegExp, at: number) => RegExpExecArray | null): LiteralWord {
  const quote = match(character, at);
  if (quote !== null) return { kind: "word", text: quote[0], start: at, end: at + quote[0].length };
  const name = match(word, at);
  if (name !== null) return { kind: "word", text: name[0], start: at, end: at + name[0].length };
  return { kind: "sign", text: text[at] ?? "", start: at, end: at + 1 };
}

// ---------------------------------------------------------------- #macro arguments

/** For each macro that turns an argument into a literal, the number of arguments before that one. */
type Stringizers = ReadonlyMap<string, number>;

/**
 * The macros that turn their only or last argument into a literal, directly or through another such macro: those that the text defines
 * so, and those whose argument contains a kernel, which no other macro can take.
 */
function stringizingMacros(text: string): Stringizers {
  const found = new Map<string, number>();
  const definitions = [...text.matchAll(stringizing)].map(([, name = "", list = "", body = ""]) => {
    const parameters = list.split(",").map((one) => one.trim());
    const last = parameters.at(-1) ?? "";
    return {
      name,
      before: parameters.length - 1,
      last: last.endsWith("...") ? last.replace("...", "") || "__VA_ARGS__" : last,
      body: body.trim(),
    };
  });
  const defined = new Set(definitions.map(({ name }) => name));
  for (const name of namesAroundKernels(text)) if (!defined.has(name)) found.set(name, 0);
  for (const { name, before, last, body } of definitions) {
    const around = /^\w+$/.test(last) ? body.split(new RegExp(`(?<!#)#\\s*${last}\\b`)) : [];
    const [left, right] = around;
    // Text directly beside the argument would be part of the source as well, except blanks.
    if (around.length === 2 && left !== undefined && right !== undefined && endsApart.test(left) && startsApart.test(right))
      found.set(name, before);
  }
  for (const { name, before, last, body } of definitions) {
    const inner = /^(\w+)\s*\(\s*(\w+)\s*\)$/.exec(body);
    if (inner !== null && inner[2] === last && found.get(inner[1] ?? "") === 0) found.set(name, before);
  }
  return found;
}

/** What may stand directly before and after a stringized argument: nothing, a bracket or an operator, and literals that consist of blanks. */
const endsApart = /(?:^|[(,=]|\breturn)\s*(?:"(?:[ \t]|\\n)*"\s*)*$/;
const startsApart = /^\s*(?:"(?:[ \t]|\\n)*"\s*)*(?:$|[),;}])/;

/** A kernel's head, and what decides in which brackets it stands. */
const partAroundKernel =
  /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|(?![\s\S]))|^[ \t]*#[^\n]*|[(){}]|\b(?:__)?kernel\b(?=\s+(?:__attribute__\s*\(\([^()]*(?:\([^()]*\)[^()]*)?\)\)\s*)?void\s+\w+\s*\()/gm;

/** The names before parentheses in which a kernel stands, outside of all other brackets. The macros may come from headers. */
function namesAroundKernels(text: string): readonly string[] {
  if (!kernelVoid.test(text)) return [];
  const found: string[] = [];
  const open: { readonly sign: string; readonly at: number }[] = [];
  for (const { 0: part, index } of text.matchAll(partAroundKernel)) {
    if (part === "(" || part === "{") open.push({ sign: part, at: index });
    else if (part === ")" || part === "}") open.pop();
    else if (part.endsWith("kernel") && !/^["'/#\s]/.test(part)) {
      const around = open[open.length - 1];
      const name = around?.sign === "(" ? /([A-Za-z_]\w*)$/.exec(text.slice(Math.max(0, around.at - 60), around.at))?.[1] : undefined;
      if (name !== undefined && !/^(?:if|while|for|switch|return|sizeof|__attribute__|void)$/.test(name)) found.push(name);
    }
  }
  return found;
}

const kernelVoid = /\b(?:__)?kernel\s+(?:__attribute__|void)/;

/** Words in names that are used only for such macros. Their definitions are usually in headers. */
const stringizerWords = "M?STRINGIFY|STRINGIZE|TO_STRING|MULTILINE|(?:OPEN)?CL_SOURCE|KERNEL_SOURCE|KERNEL_CODE";
const stringizerWord = new RegExp(stringizerWords);
const knownStringizers = new RegExp(`^(?:[A-Z]+_)*(?:${stringizerWords})(?:_[A-Z]+)*$`);

/** Matches a kernel's word in a literal on one line or in a continued one, and the start of a raw literal. */
const quotedKernel = /"(?:[^"\n\\]|\\[^"])*(?:kernel|__global__)\b|R"[^("\n]*\(/;

/** A quick test: whether a kernel may be in a literal, or in the argument of a macro that makes a literal of it. */
export function mayQuoteKernel(text: string): boolean {
  return quotedKernel.test(text) || stringizerWord.test(text) || stringizingMacros(text).size > 0;
}

/** Whether a macro of this name turns its argument into a literal, as far as the name shows. */
export function isStringizer(name: string): boolean {
  return knownStringizers.test(name);
}

/** The argument of a macro that turns it into a literal, without leading white space. `at` is after the opening parenthesis. */
function argumentAt(
  text: string,
  at: number,
  before: readonly HostToken[],
  macros: Stringizers,
  closing: (open: number) => number | undefined,
): Literal | undefined {
  const open = before[before.length - 1];
  const name = before[before.length - 2];
  const defining = before[before.length - 3];
  if (open?.kind !== "sign" || open.text !== "(" || name?.kind !== "word" || (!macros.has(name.text) && !isStringizer(name.text)))
    return undefined;
  if (defining?.kind === "word" && defining.text === "define") return undefined;
  const end = closing(open.end);
  const start = end === undefined ? undefined : afterCommas(text, at, end, macros.get(name.text) ?? 0);
  if (end === undefined || start === undefined) return undefined;
  const contents = text.slice(start, end);
  // A quoted literal in the argument is read as a literal; directives there are undefined behavior (C11 §6.10.3p11).
  if (!/[{;]/.test(contents) || /^[ \t]*#/m.test(contents)) return undefined;
  const { pieces } = verbatim(text, start, end);
  return { kind: "literal", start, end, value: withLines(contents), pieces, spelling: { kind: "raw", close: ")" }, hasHoles: false };
}

/**
 * The lines of a stringized argument: `\n` begins one in the literal, so that authors write `\n#define`. Where the argument itself has a
 * line, the literal has a space (C11 §6.10.3.2p2), which matters in directives. Every character keeps its place.
 */
function withLines(argument: string): string {
  if (!argument.includes("\\n")) return argument;
  let isInDirective = false;
  return argument.replace(stringizedParts, (part, offset: number) => {
    if (part === "\\n") {
      isInDirective = /^[ \t]*#/.test(argument.slice(offset + part.length, offset + part.length + longestIndent));
      return " \n";
    }
    return isInDirective && /^\r?\n$/.test(part) ? " ".repeat(part.length) : part;
  });
}

/** Comments, literals and line ends. */
const stringizedParts = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\\n|\r?\n/g;

/** The white space in which the sign of a directive is looked for. */
const longestIndent = 40;

/** The offset after so many commas outside of brackets, and white space; undefined if there are fewer. */
function afterCommas(text: string, from: number, end: number, commas: number): number | undefined {
  let left = commas;
  let depth = 0;
  let at = from;
  if (left === 0) return from;
  skippedWithCommas.lastIndex = from;
  for (let part = skippedWithCommas.exec(text); part !== null && part.index < end && left > 0; part = skippedWithCommas.exec(text)) {
    if (part[0] === "(") depth += 1;
    else if (part[0] === ")") depth -= 1;
    else if (part[0] === "," && depth === 0) left -= 1;
    at = part.index + part[0].length;
  }
  if (left > 0) return undefined;
  return at + (/^\s*/.exec(text.slice(at, end))?.[0].length ?? 0);
}

const skippedWithCommas = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[(),]/g;
const skipped = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[()]/g;

/** Maps the offset after each opening parenthesis to its closing one. Computed once per text. */
function closingsOf(text: string): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  const open: number[] = [];
  for (const { 0: part, index } of text.matchAll(skipped)) {
    if (part === "(") open.push(index + 1);
    const start = part === ")" ? open.pop() : undefined;
    if (start !== undefined) found.set(start, index);
  }
  return found;
}
