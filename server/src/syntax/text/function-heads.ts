/**
 * Completes heads of functions that the grammar cannot read: old-style definitions (`int f(a) int a; { … }`), and, while the user
 * types, a head without a body before the next declaration. Both are rewritten to equivalent text of the same length: the
 * declarations become the parameters, and the head gets its semicolon. The result depends only on the text.
 */
import type { Declarator, FunctionItem, Parameter } from "../ast.ts";
import { declaratorName } from "../walk.ts";
import { isKeyword, type TokenText } from "./atoms.ts";

/** The rewritten text, of the same length; unchanged if there are no such heads. */
export function completeHeads(text: string, tokens: TokenText): string {
  const characters = [...edits(text, tokens)];
  if (characters.length === 0) return text;
  let result = "";
  let from = 0;
  for (const { start, put } of characters) {
    result += text.slice(from, start) + put;
    from = start + put.length;
  }
  return result + text.slice(from);
}

interface Edit {
  readonly start: number;
  readonly put: string;
}

function* edits(text: string, tokens: TokenText): Generator<Edit> {
  for (let at = 0; at < tokens.count; at++) {
    if (tokens.text(at) !== "(" || tokens.scope(at) !== "items" || !isName(tokens.text(at - 1))) continue;
    const close = tokens.closing(at);
    if (close < 0) continue;
    const ends = endsOfDeclarations(tokens, at, close);
    if (ends.length > 0) {
      // Line breaks stay, so that every place keeps its line.
      const [start, end] = [tokens.end(at), tokens.end(close)];
      yield { start, put: text.slice(start, end).replace(/\S/g, " ") };
      for (const each of ends) yield { start: tokens.start(each), put: each === ends[ends.length - 1] ? ")" : "," };
    } else if (isHeader(tokens, at) && itemStarts.has(tokens.text(close + 1)) && /\s/.test(text[tokens.end(close)] ?? ""))
      yield { start: tokens.end(close), put: ";" };
  }
}

/**
 * Puts the parameters of an old-style definition, which were read from its declarations, into the order of the list of
 * identifiers, which calls follow. Other functions stay as they are.
 */
export function orderOldStyle(item: FunctionItem, text: string): FunctionItem {
  const { declarator } = item;
  if (declarator.kind !== "function" || text[declarator.parameterSpan.end - 1] !== ";") return item;
  const list = text.slice(declarator.parameterSpan.start + 1, text.indexOf(")", declarator.parameterSpan.start));
  const declared = new Map<string, Parameter>();
  let last: Parameter | undefined;
  for (const parameter of declarator.parameters) {
    const further = last === undefined ? undefined : furtherDeclarator(parameter, last);
    const own: Parameter = further ?? parameter;
    declared.set(nameOf(own.declarator) ?? "", own);
    last = own;
  }
  const parameters = list.split(",").map((name) => declared.get(name.trim()));
  // An identifier without a declaration has no type here.
  const known = parameters.filter((each) => each !== undefined);
  return { ...item, declarator: { ...declarator, parameters: known, isVariadic: known.length < parameters.length, isOldStyle: true } };
}

/** `int a, b;` became the parameters `int a` and `b`: the second one is a name, not a type. */
function furtherDeclarator({ specifiers, declarator, ...rest }: Parameter, { specifiers: first }: Parameter): Parameter | undefined {
  if (declarator.kind !== "abstract" || specifiers.type?.kind !== "named" || specifiers.words.length > 0) return undefined;
  const { name } = specifiers.type;
  return { ...rest, specifiers: first, declarator: { kind: "name", name, span: name.span } };
}

function nameOf(declarator: Declarator): string | undefined {
  const name = declaratorName(declarator);
  return name?.parts[name.parts.length - 1]?.text;
}

function isName(word: string): boolean {
  return /^[A-Za-z_]\w*$/.test(word) && !isKeyword(word);
}

/**
 * The semicolons of the declarations between a list of identifiers and a body; empty if this is not an old-style definition: each
 * declaration must declare identifiers of the list (C11 §6.9.1p6).
 */
function endsOfDeclarations(tokens: TokenText, open: number, close: number): readonly number[] {
  const names = new Set<string>();
  for (let at = open + 1; at < close; at += 2) {
    const after = tokens.text(at + 1);
    if (!isName(tokens.text(at)) || (after !== "," && at + 1 !== close)) return [];
    names.add(tokens.text(at));
  }
  const ends: number[] = [];
  let isAboutNames = false;
  for (let at = close + 1, left = longestDeclarations; at < tokens.count && left > 0; at++, left--) {
    const word = tokens.text(at);
    if (word === "{" && isRecord(tokens, at)) {
      const end = tokens.closing(at);
      if (end < 0) return [];
      at = end;
    } else if (word === "{") return at === (ends[ends.length - 1] ?? -1) + 1 ? ends : [];
    else if (word === ";") {
      if (!isAboutNames) return [];
      ends.push(at);
      isAboutNames = false;
    } else if (word === "}" || word === "=" || word === "typedef") return [];
    else isAboutNames ||= names.has(word);
  }
  return [];
}

/**
 * How many tokens are read after a list of identifiers, without the contents of records. Every such list is examined, and few are
 * followed by a body.
 */
const longestDeclarations = 2_000;

function isRecord(tokens: TokenText, brace: number): boolean {
  return /^(struct|union|enum)$/.test(tokens.text(brace - 1)) || /^(struct|union|enum)$/.test(tokens.text(brace - 2));
}

/** Words that cannot follow a function's parameters, but begin a declaration. */
const itemStarts = new Set([
  ...["__kernel", "__global__", "static", "extern", "typedef", "inline", "template", "namespace", "struct", "union", "enum", "class"],
  ...["void", "bool", "char", "short", "int", "long", "float", "double", "half", "signed", "unsigned"],
]);

/** `void f(`, `T *f(`: a type precedes the name, unlike in a macro with arguments. */
function isHeader(tokens: TokenText, open: number): boolean {
  const type = tokens.text(open - 2);
  return (
    /^(void|bool|char|short|int|long|float|double|half|signed|unsigned)$/.test(type) || (type === "*" && isName(tokens.text(open - 1)))
  );
}
