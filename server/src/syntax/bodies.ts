/**
 * Finds the bodies of functions in a text and empties them before parsing. Of a header only the declarations are needed, and bodies
 * are most of its text. The result depends only on the raw text. If it is uncertain what a brace belongs to, its contents are kept.
 */
import { afterToken } from "./guard.ts";

/**
 * The text with blanks in place of the contents of function bodies, and with the same length. One statement of each body remains,
 * because empty braces could be an initializer.
 */
export function emptyBodies(text: string): string {
  const parts: string[] = [];
  let from = 0;
  const scan = createScan(text);
  for (let body = scan.nextBody(); body !== undefined; body = scan.nextBody()) {
    if (body.start === body.end) continue;
    parts.push(text.slice(from, body.start), ";", " ".repeat(body.end - body.start - 1));
    from = body.end;
  }
  return from === 0 ? text : parts.join("") + text.slice(from);
}

/** The text between two braces. */
interface Body {
  readonly start: number;
  readonly end: number;
}

/** What is known about the declaration that is being read. */
interface Declaration {
  /** It may be a class or an enumeration, a namespace or a linkage specification, whose braces contain declarations. */
  mayContain: boolean;
  isInitialized: boolean;
  /** It has a trailing return type. */
  hasArrow: boolean;
  /** The last token ends a parameter list, or follows one and may precede a body. */
  isAfterParameters: boolean;
  lastWord: string;
}

const newDeclaration = (): Declaration => ({
  mayContain: false,
  isInitialized: false,
  hasArrow: false,
  isAfterParameters: false,
  lastWord: "",
});

const containers = new Set(["class", "struct", "union", "namespace", "extern"]);
/** Words that may stand between a parameter list and a body. */
const trailing = new Set(["const", "noexcept", "override", "final", "volatile", "__attribute__"]);
/** Words whose parentheses contain no parameters. */
const notFunctions = new Set(["alignas", "_Alignas", "__align__", "__attribute__", "__declspec", "decltype", "requires", "noexcept"]);

const word = /[A-Za-z_$\u00a0-\uffff][\w$\u00a0-\uffff]*/y;
const operatorSigns = /\s*(?:\(\s*\)|\[\s*\]|[-+*/%^&|~!=<>,]+)/y;
/** Longer lists of template parameters are not scanned. */
const longestParameters = 4_000;

function createScan(text: string): { nextBody(): Body | undefined } {
  /** For each open brace, whether it contains declarations. */
  const levels = [true];
  let at = 0;
  let current = newDeclaration();

  const readWord = (): void => {
    word.lastIndex = at;
    const found = word.exec(text)?.[0] ?? text.charAt(at);
    at += found.length;
    if (containers.has(found)) current.mayContain = true;
    if (!trailing.has(found)) current.isAfterParameters = false;
    current.lastWord = found;
    if (found === "template") at = afterParameters(text, at);
    // In `operator=` the `=` does not begin an initializer, and the first parentheses of `operator()` belong to its name.
    if (found === "operator") {
      operatorSigns.lastIndex = at;
      at += operatorSigns.exec(text)?.[0].length ?? 0;
    }
  };
  const readBrackets = (isParenthesis: boolean): void => {
    const end = closingOf(text, at);
    const isTrailing = current.isAfterParameters && trailing.has(current.lastWord);
    current.isAfterParameters = isParenthesis && (isTrailing || !notFunctions.has(current.lastWord));
    at = end === undefined ? text.length : end + 1;
  };
  const readSign = (code: number): void => {
    const isArrow = code === 0x2d && text.charCodeAt(at + 1) === 0x3e;
    at += isArrow ? 2 : 1;
    current.isAfterParameters = false;
    if (code === 0x7d && levels.length > 1) levels.pop();
    // In the matching of braces, everything after the body of a class counts as a new declaration.
    if (code === 0x3b || code === 0x7d) current = newDeclaration();
    else if (code === 0x3d) current.isInitialized = true;
    else if (isArrow) current.hasArrow = true;
  };
  /** At `{`: either the body of a function, which is skipped, or the start of a level. */
  const open = (): Body | undefined => {
    const { mayContain, isInitialized, isAfterParameters, hasArrow } = current;
    const isCertain = levels[levels.length - 1] === true && !isInitialized;
    const end = isCertain && (isAfterParameters || hasArrow) ? closingOf(text, at) : undefined;
    const start = at + 1;
    current = newDeclaration();
    at = end === undefined ? start : end + 1;
    if (end !== undefined) return { start, end };
    levels.push(isCertain && mayContain);
    return undefined;
  };

  return {
    nextBody() {
      while (at < text.length) {
        const code = text.charCodeAt(at);
        const next = afterToken(text, at);
        // White space, comments and literals.
        if (code <= 0x20 || next > at + 1) at = next;
        else if (isWordStart(code)) readWord();
        else if (code === 0x28 || code === 0x5b) readBrackets(code === 0x28);
        else if (code === 0x7b) {
          const body = open();
          if (body !== undefined) return body;
        } else readSign(code);
      }
      return undefined;
    },
  };
}

function isWordStart(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f || code === 0x24 || code >= 0xa0;
}

/** The offset after `<class T = int>`, which contains neither a class nor an initializer; unchanged if there is no such list. */
function afterParameters(text: string, from: number): number {
  let depth = 0;
  const last = Math.min(text.length, from + longestParameters);
  for (let at = from; at < last; at = afterToken(text, at)) {
    const code = text.charCodeAt(at);
    if (code === 0x28) at = closingOf(text, at) ?? last;
    else if (code === 0x3c) depth++;
    else if (code === 0x3e) depth--;
    else if (code === 0x3b || code === 0x7b) return from;
    if (depth === 0 && code > 0x20) return code === 0x3e ? at + 1 : from;
  }
  return from;
}

/** The offset of the matching closing bracket; undefined if there is none. */
function closingOf(text: string, open: number): number | undefined {
  let depth = 0;
  for (let at = open; at < text.length; at = afterToken(text, at)) {
    const code = text.charCodeAt(at);
    if (code === 0x28 || code === 0x5b || code === 0x7b) depth++;
    else if (code === 0x29 || code === 0x5d || code === 0x7d) {
      depth--;
      if (depth === 0) return at;
    }
  }
  return undefined;
}
