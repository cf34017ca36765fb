/**
 * Recognizes declarations of a header that need not be parsed until one of their names is looked up: the definition of a class or a
 * function, a prototype, an alias. A large library declares thousands of them, of which a file uses a hundred. The result depends
 * only on the text. If it is uncertain what a declaration declares, it is not recognized, and is parsed at once.
 */
import { attributeWords, isKeyword, qualifyingWords, typeOperators, typeWords } from "./atoms.ts";
import { afterList, afterParameters, closingOf, wordAt } from "./brackets.ts";
import { afterToken } from "./guard.ts";

/** A declaration at file scope, in a namespace or in a linkage specification, with the only name that it declares. */
export interface Deferrable {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  /** The class or namespace, if it defines a member outside of it. */
  readonly outer: string | undefined;
  /** It declares a class. */
  readonly isClass: boolean;
  /** What is between the braces of a class. */
  readonly body: { readonly start: number; readonly end: number } | undefined;
}

const classKeys = new Set(["class", "struct", "union"]);

/** A longer declaration is parsed at once, because parsing it would delay the look-up of its name. */
const longest = 65_536;

/** The declaration that starts here, up to and including its semicolon or closing brace; undefined if it is not certain to be one. */
export function deferrableAt(text: string, start: number): Deferrable | undefined {
  let at = start;
  const isTemplate = wordAt(text, at) === "template";
  if (isTemplate) {
    const list = skipBlanks(text, at + "template".length);
    at = skipBlanks(text, afterParameters(text, list));
    if (text.charCodeAt(list) !== open.angle || at === list) return undefined;
  }
  const found = declarationAt(text, at, isTemplate);
  if (found === undefined || found.end - start > longest) return undefined;
  return { outer: undefined, isClass: false, body: undefined, ...found, start };
}

type Found = Pick<Deferrable, "name" | "end"> & Partial<Deferrable>;

function declarationAt(text: string, at: number, isTemplate: boolean): Found | undefined {
  const first = wordAt(text, at);
  const found = first === "using" ? aliasAt(text, at) : classKeys.has(first) ? classAt(text, at) : functionAt(text, at, isTemplate);
  // Friends are declared around the class, and constant memory counts even if nothing names it.
  const isPlain = found?.isClass !== true || !/friend|__constant__/.test(text.slice(at, found.end));
  return isPlain ? found : undefined;
}

/** `using T = …;` */
function aliasAt(text: string, using: number): Found | undefined {
  const start = skipBlanks(text, using + "using".length);
  const name = wordAt(text, start);
  let at = skipBlanks(text, start + name.length);
  if (name === "" || isKeyword(name) || text.charAt(at) !== "=") return undefined;
  for (; at < text.length; at = afterToken(text, at)) {
    const code = text.charCodeAt(at);
    if (code === open.parenthesis || code === open.bracket) at = closingOf(text, at) ?? text.length;
    else if (code === semicolon) return { name, end: at + 1 };
    else if (code === open.brace) return undefined;
  }
  return undefined;
}

/** `struct S : B { … };`, `struct S;`, also with attributes, and specializations. */
function classAt(text: string, key: number): Found | undefined {
  const start = skipAttributes(text, skipBlanks(text, key + wordAt(text, key).length));
  const name = wordAt(text, start);
  if (name === "" || isKeyword(name)) return undefined;
  let at = afterArguments(text, start + name.length);
  if (at === undefined) return undefined;
  if (wordAt(text, at) === "final") at = skipBlanks(text, at + "final".length);
  if (text.charCodeAt(at) === semicolon) return { name, end: at + 1, isClass: true };
  if (text.charCodeAt(at) === colon && text.charCodeAt(at + 1) !== colon) at = endOfHead(text, at + 1);
  const close = text.charCodeAt(at) === open.brace ? closingOf(text, at) : undefined;
  const end = close === undefined ? -1 : skipBlanks(text, close + 1);
  if (close === undefined || text.charCodeAt(end) !== semicolon) return undefined;
  return { name, end: end + 1, isClass: true, body: { start: at + 1, end: close } };
}

/** A definition or a prototype of a function: specifiers, one type, the name, parameters. */
function functionAt(text: string, start: number, isTemplate: boolean): Found | undefined {
  const head = functionHeadAt(text, start);
  const parameters = head === undefined ? undefined : closingOf(text, head.end);
  const end = parameters === undefined ? undefined : endOfFunction(text, parameters + 1);
  if (head === undefined || end === undefined || head.isGlobal) return undefined;
  const isPrototype = text.charCodeAt(end - 1) === semicolon;
  const written = text.slice(start, isPrototype ? end : head.end);
  const hasAttribute = written.includes("__attribute__");
  if (mattersAnyway.test(written) || (hasAttribute && mattersAsAttribute.test(written))) return undefined;
  // Prototypes of device functions are compared with those of other files.
  if (isPrototype && !isTemplate && (hasAttribute || written.includes("__device__"))) return undefined;
  return { name: head.last, end, outer: head.parts === 1 ? undefined : head.first };
}

/** The name in front of a function's parameters; undefined if anything but specifiers and one type precedes it. */
function functionHeadAt(text: string, start: number): Path | undefined {
  let type: "none" | "words" | "name" = "none";
  for (let at = skipAttributes(text, start); ; at = skipBlanks(text, at)) {
    const code = text.charCodeAt(at);
    const word = wordAt(text, at);
    if (code === asterisk || code === ampersand) {
      if (type === "none") return undefined;
      at += 1;
    } else if (attributeWords.has(word) || typeOperators.has(word)) {
      const list = skipBlanks(text, at + word.length);
      const end = afterList(text, list);
      if (end === list || (typeOperators.has(word) && type !== "none")) return undefined;
      if (typeOperators.has(word)) type = "name";
      at = end;
    } else if (word === "typename" || qualifyingWords.has(word)) at += word.length;
    else if (typeWords.has(word)) {
      if (type === "name") return undefined;
      type = "words";
      at += word.length;
    } else {
      const path = pathAt(text, at);
      const isName = path !== undefined && text.charCodeAt(path.end) === open.parenthesis;
      // Of two names in a row, one is an undefined macro.
      if (path === undefined || isName !== (type !== "none")) return undefined;
      if (isName) return path;
      type = "name";
      at = path.end;
    }
  }
}

/** Words of declarations that matter even if nothing names them. */
const mattersAnyway = /\b(?:friend|__constant__|__managed__|__global__)\b/;
const mattersAsAttribute = /\b(?:constant|managed|global)\b/;

interface Path {
  readonly first: string;
  readonly last: string;
  readonly parts: number;
  readonly isGlobal: boolean;
  /** The offset of the next token. */
  readonly end: number;
}

/** `::a::b<c>::d`; undefined if there is none, or if a part of it is no plain name. */
function pathAt(text: string, start: number): Path | undefined {
  const isGlobal = isScope(text, start);
  let at = isGlobal ? skipBlanks(text, start + 2) : start;
  let first = "";
  for (let parts = 1; ; parts += 1) {
    const last = wordAt(text, at);
    if (last === "" || isKeyword(last)) return undefined;
    if (parts === 1) first = last;
    const end = afterArguments(text, at + last.length);
    if (end === undefined) return undefined;
    if (!isScope(text, end)) return { first, last, parts, isGlobal, end };
    at = skipBlanks(text, end + 2);
    if (wordAt(text, at) === "template") at = skipBlanks(text, at + "template".length);
  }
}

/** The offset of the next token after a name and its template arguments, if it has any; undefined if they do not end. */
function afterArguments(text: string, at: number): number | undefined {
  const next = skipBlanks(text, at);
  if (text.charCodeAt(next) !== open.angle) return next;
  const end = afterParameters(text, next);
  return end === next ? undefined : skipBlanks(text, end);
}

/** The offset after a body, or after the semicolon of a prototype, of `= default` and of `= delete`. */
function endOfFunction(text: string, from: number): number | undefined {
  let at = skipBlanks(text, from);
  for (let word = wordAt(text, at); trailing.has(word); word = wordAt(text, at)) {
    const next = skipBlanks(text, at + word.length);
    at = word === "const" || word === "volatile" ? next : skipBlanks(text, afterList(text, next));
  }
  if (text.startsWith("->", at)) at = endOfHead(text, at + 2);
  if (text.charCodeAt(at) === semicolon) return at + 1;
  if (text.charAt(at) === "=") {
    const word = skipBlanks(text, at + 1);
    const end = skipBlanks(text, word + wordAt(text, word).length);
    return /^(?:default|delete)$/.test(wordAt(text, word)) && text.charCodeAt(end) === semicolon ? end + 1 : undefined;
  }
  const close = text.charCodeAt(at) === open.brace ? closingOf(text, at) : undefined;
  if (close === undefined) return undefined;
  // The braces in `-> A<B{}> {` are not the body.
  return /[>,()[\].]/.test(text.charAt(skipBlanks(text, close + 1))) ? undefined : close + 1;
}

const trailing = new Set(["const", "volatile", "noexcept", "__attribute__"]);

/** The offset of the brace or semicolon that ends a head; brackets before it are skipped. */
function endOfHead(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at = afterToken(text, at)) {
    const code = text.charCodeAt(at);
    if (code === open.brace || code === semicolon || code === equals) return at;
    if (code === open.parenthesis || code === open.bracket) at = closingOf(text, at) ?? text.length;
  }
  return at;
}

/** The offset after `[[…]]` and the attributes of a class. */
function skipAttributes(text: string, from: number): number {
  for (let at = from; ; ) {
    const word = wordAt(text, at);
    if (text.startsWith("[[", at)) at = skipBlanks(text, afterList(text, at));
    else if (attributeWords.has(word)) at = skipBlanks(text, afterList(text, skipBlanks(text, at + word.length)));
    else return at;
    if (at >= text.length) return at;
  }
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 0x20) {
      const next = code === slash ? text.charCodeAt(at + 1) : 0;
      if (next !== slash && next !== asterisk) return at;
      at = afterToken(text, at) - 1;
    }
  }
  return at;
}

function isScope(text: string, at: number): boolean {
  return text.charCodeAt(at) === colon && text.charCodeAt(at + 1) === colon;
}

const open = { parenthesis: 0x28, bracket: 0x5b, brace: 0x7b, angle: 0x3c } as const;
const [semicolon, colon, asterisk, ampersand, slash, equals] = [0x3b, 0x3a, 0x2a, 0x26, 0x2f, 0x3d];
