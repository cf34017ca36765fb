/**
 * Finds the local names that a text declares, from its words alone. It answers for words that no compiler reads: in macros' bodies, in
 * inactive branches, in arguments that a macro drops, and in templates that are not OpenCL before a program has filled them in. Facts
 * answer for everything else. What does not clearly look like a declaration is left out.
 */
import { append } from "../../lists.ts";
import { definitionsIn } from "../../preprocess/macros/definitions-in.ts";
import { openclTypeOfName } from "../../semantics/types/type-names.ts";
import type { SourceSpan } from "../../source.ts";
import { type CodeToken, codeTokens, statementTokens, tokensIn } from "./tokens.ts";

/** A parameter, or a variable in a block. */
export interface WrittenLocal {
  readonly name: string;
  readonly span: SourceSpan;
  /** Where the name can be used, from the declaration on. */
  readonly scope: SourceSpan;
  /** The declaration up to the name. */
  readonly signature: string;
}

const known = new Map<string, readonly WrittenLocal[]>();
/** How many texts are remembered. */
const textsKept = 4;

/** The local name that a word at an offset refers to, the innermost of those that `counts` accepts. */
export function writtenLocalAt(
  text: string,
  name: string,
  offset: number,
  counts: (local: WrittenLocal) => boolean = () => true,
): WrittenLocal | undefined {
  return writtenLocals(text).findLast(
    (local) => local.name === name && local.scope.start <= offset && offset < local.scope.end && counts(local),
  );
}

/** The local names that can be used at an offset, the innermost last. The block around it may be unfinished. */
export function writtenLocalsAt(text: string, offset: number): readonly WrittenLocal[] {
  return writtenLocals(text).filter(({ scope, span }) => span.end < offset && offset <= scope.end);
}

function writtenLocals(text: string): readonly WrittenLocal[] {
  const present = known.get(text);
  if (present !== undefined) return present;
  const macros = definitionsIn(text).map(({ body }) => body);
  const tokens = codeTokens(text).filter(({ kind }) => kind !== "comment");
  const found = [
    ...localsIn(statementTokens(text), text, [], false),
    // The backslashes that continue a macro are not part of it.
    ...macros.flatMap((macro) =>
      localsIn(
        tokensIn(tokens, macro).filter(({ text: sign }) => sign !== "\\"),
        text,
        [{ names: [], isStatement: false }],
        true,
      ),
    ),
  ].sort((a, b) => a.span.start - b.span.start);
  for (const oldest of [...known.keys()].slice(0, Math.max(0, known.size - textsKept + 1))) known.delete(oldest);
  known.set(text, found);
  return found;
}

interface Declared {
  readonly name: string;
  readonly span: SourceSpan;
  readonly signature: string;
}

/** The names of one block, or of the parameters or the loop in front of one. */
interface Block {
  readonly names: Declared[];
  /** A loop without braces ends with its statement. */
  readonly isStatement: boolean;
}

/** Words that begin a statement which declares nothing. */
const otherStarts =
  /^(?:return|else|goto|case|default|break|continue|do|if|while|switch|for|sizeof|typedef|using|new|delete|throw|operator|asm|__asm|__asm__)$/;

/** The local names that tokens declare inside of `blocks`. A block without an end extends to that of the text, or of the macro. */
function localsIn(tokens: readonly CodeToken[], text: string, blocks: Block[], isMacro: boolean): readonly WrittenLocal[] {
  const found: WrittenLocal[] = [];
  /** The names in the parentheses before the next block. */
  let pending: Declared[] = [];
  let isLoop = false;
  const close = (block: Block | undefined, end: number) => {
    for (const each of block?.names ?? []) found.push({ ...each, scope: { start: each.span.start, end } as SourceSpan });
  };
  const closeStatements = (end: number) => {
    while (blocks.at(-1)?.isStatement === true) close(blocks.pop(), end);
  };
  let isStart = true;
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token === undefined) break;
    if (token.text === "{") {
      blocks.push({ names: pending, isStatement: false });
      pending = [];
    } else if (token.text === "}") {
      closeStatements(token.end);
      close(blocks.pop(), token.end);
      closeStatements(token.end);
    } else if (token.text === ";") {
      closeStatements(token.end);
      if (blocks.length === 0) pending = [];
    } else if (token.text === "(") {
      const end = closing(tokens, at);
      isLoop = tokens[at - 1]?.text === "for" || (blocks.length > 0 && hasSemicolon(tokens, at, end));
      // In a block, only a loop declares names in parentheses. Outside of one, the last parentheses are the parameters.
      if (isLoop) pending = declarationsAt(tokens, at + 1, end, text, false);
      else if (blocks.length === 0) pending = declarationsAt(tokens, at + 1, end, text, true);
      at = end;
      if (isLoop && tokens[at + 1]?.text !== "{") {
        blocks.push({ names: pending, isStatement: true });
        pending = [];
      }
      isStart = isLoop || endsLine(tokens, at, text);
      continue;
    } else if (isStart && blocks.length > 0) {
      const end = statementEnd(tokens, at, text);
      append(blocks.at(-1)?.names ?? [], declarationsAt(tokens, at, end, text, false));
      isStart = false;
      continue;
    }
    isStart = /^[{};:]$/.test(token.text);
  }
  for (const block of blocks) close(block, isMacro ? (tokens.at(-1)?.end ?? 0) : text.length);
  return found;
}

/** The index of the token that closes a bracket; the last index if there is none. */
function closing(tokens: readonly CodeToken[], from: number): number {
  let depth = 0;
  for (let at = from; at < tokens.length; at += 1) {
    if (/^[([{]$/.test(tokens[at]?.text ?? "")) depth += 1;
    else if (/^[)\]}]$/.test(tokens[at]?.text ?? "") && --depth === 0) return at;
  }
  return tokens.length - 1;
}

/**
 * True for parentheses with a semicolon of their own. Only a loop has these, also under a macro's name: `unroll_for(int i = 0; …)`,
 * `UNROLL(4)(int i = 0; …)`.
 */
function hasSemicolon(tokens: readonly CodeToken[], open: number, close: number): boolean {
  for (let at = open + 1; at < close; at += 1) {
    const { text } = tokens[at] ?? { text: "" };
    if (/^[([{]$/.test(text)) at = closing(tokens, at);
    else if (text === ";") return true;
  }
  return false;
}

/** True for a closing parenthesis after which a word begins the next line: macros that are statements often stand without a semicolon. */
function endsLine(tokens: readonly CodeToken[], at: number, text: string): boolean {
  const close = tokens[at];
  const next = tokens[at + 1];
  return close?.text === ")" && next?.kind === "word" && text.slice(close.end, next.start).includes("\n");
}

/** The index of the semicolon or bracket that ends a statement. */
function statementEnd(tokens: readonly CodeToken[], from: number, source: string): number {
  for (let at = from; at < tokens.length; at += 1) {
    const { text } = tokens[at] ?? { text: "" };
    if (/^[([{]$/.test(text)) {
      // A block that no `=` introduces is not an initializer.
      if (text === "{" && tokens[at - 1]?.text !== "=") return at;
      at = closing(tokens, at);
      if (endsLine(tokens, at, source)) return at;
    } else if (/^[;)\]}]$/.test(text)) return at;
  }
  return tokens.length;
}

/** The offset of a declaration's first token: a macro that is a statement by itself may stand in the line before it. */
function startOfDeclaration(tokens: readonly CodeToken[], start: number, name: number, text: string): number | undefined {
  const [first, second] = [tokens[start], tokens[start + 1]];
  const isStatement =
    first !== undefined && second !== undefined && start + 2 <= name && text.slice(first.end, second.start).includes("\n");
  return (isStatement && /^[A-Z_][A-Z0-9_]+$/.test(first.text) ? second : first)?.start;
}

/** True for a name behind a star or a type of the language that a macro with further parameters follows: `float *p EXTRA_PARAMETERS)`. */
function hasMacroBehind(tokens: readonly CodeToken[], at: number, to: number): boolean {
  const [before, name, macro] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  const isLast = at + 2 >= to || tokens[at + 2]?.text === ",";
  const isMacro = (token: CodeToken | undefined) => token !== undefined && /^[A-Z_][A-Z0-9_]+$/.test(token.text);
  const isBehindType = before?.text === "*" || openclTypeOfName(before?.text ?? "") !== undefined;
  const isName = !/^(?:const|restrict|volatile)$/.test(name?.text ?? "") && openclTypeOfName(name?.text ?? "") === undefined;
  return isBehindType && isLast && isMacro(macro) && !isMacro(name) && isName;
}

/** The names that the tokens from one index to another declare, if they begin with a declaration; for parameters, each part does. */
function declarationsAt(tokens: readonly CodeToken[], from: number, to: number, text: string, areParameters: boolean): Declared[] {
  const found: Declared[] = [];
  let at = from;
  let start = from;
  let words = 0;
  /** Where the first name of a declaration is, and where the declarator of the present one begins. */
  let firstName: number | undefined;
  let declarator = from;
  let isDeclarator = true;
  for (; at < to; at += 1) {
    const token = tokens[at];
    const next = tokens[at + 1];
    if (token === undefined) break;
    if (isDeclarator && token.kind === "word") {
      if (words === 0 && otherStarts.test(token.text)) return found;
      const isName = next === undefined || at + 1 >= to || /^[=,;[:]$/.test(next.text) || (areParameters && hasMacroBehind(tokens, at, to));
      if (token.text === "__attribute__" && next?.text === "(") at = closing(tokens, at + 1);
      else if (!isName) words += 1;
      else if (words === 0) return found;
      else {
        const first = startOfDeclaration(tokens, start, at, text) ?? token.start;
        const close = next?.text === "[" ? closing(tokens, at + 1) : at;
        firstName ??= at;
        // Of `float *p, q`, the part before the stars belongs to every name.
        const type = text.slice(first, tokens[firstName]?.start).replace(/[\s*]+$/, "");
        const own = text.slice(tokens[declarator]?.start ?? token.start, tokens[close]?.end ?? token.end);
        const signature = (firstName === at ? text.slice(first, tokens[close]?.end ?? token.end) : `${type} ${own}`).replace(/\s+/g, " ");
        found.push({ name: token.text, span: { start: token.start, end: token.end } as SourceSpan, signature });
        isDeclarator = false;
      }
    } else if (isDeclarator) {
      // Before the words of a program that is filled in later there may be a sign: `%TYPE x`.
      const isFilledIn = token.text === "%" && next?.kind === "word" && next.start === token.end;
      if (token.text !== "*" && !isFilledIn) {
        if (!areParameters) return found;
        isDeclarator = false;
      }
    } else if (/^[([{]$/.test(token.text)) at = closing(tokens, at);
    else if (token.text === ";") return found;
    if (token.text === "," && !/^[([{]$/.test(token.text)) {
      isDeclarator = true;
      declarator = at + 1;
      if (areParameters) {
        words = 0;
        start = at + 1;
        firstName = undefined;
      }
    }
  }
  return found;
}
