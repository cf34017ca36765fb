/**
 * Empties a text before parsing: of a header only the declarations are needed, and of those only the ones whose names a file uses.
 * Bodies of functions are most of its text, and declarations that nobody uses are most of the rest. The result depends only on the
 * raw text. If it is uncertain what a brace belongs to, its contents are kept.
 */
import { typeOperators } from "./atoms.ts";
import { afterParameters, closingOf, wordAt } from "./brackets.ts";
import { type Deferrable, deferrableAt } from "./deferrable.ts";
import { afterToken } from "./guard.ts";

/**
 * The text with blanks in place of the contents of function bodies, and with the same length. One statement of each body remains,
 * because empty braces could be an initializer.
 */
export function emptyBodies(text: string): string {
  return blankedAt(text, createScan(text));
}

/** A text of the same length without the bodies of functions and without the declarations that can be parsed later. */
export interface Outline {
  readonly text: string;
  /** In the order of the text. */
  readonly deferred: readonly Deferrable[];
}

/** Removes bodies, and declarations outside of classes that can be parsed when their names are looked up. */
export function outlineOf(text: string): Outline {
  const deferred: Deferrable[] = [];
  const outline = blankedAt(
    text,
    createScan(text, (start) => {
      const found = deferrableAt(text, start);
      if (found !== undefined) deferred.push(found);
      return found?.end;
    }),
  );
  return { text: outline, deferred };
}

function blankedAt(text: string, scan: Scan): string {
  const parts: string[] = [];
  let from = 0;
  for (let part = scan.next(); part !== undefined; part = scan.next()) {
    const { start, end, isBody } = part;
    if (start === end) continue;
    parts.push(text.slice(from, start), isBody ? ";" : " ", " ".repeat(end - start - 1));
    from = end;
  }
  return from === 0 ? text : parts.join("") + text.slice(from);
}

interface Scan {
  next(): Part | undefined;
}

/** The text between the braces of a body, or a deferred declaration. */
interface Part {
  readonly start: number;
  readonly end: number;
  readonly isBody: boolean;
}

/** What is known about the declaration that is being read. */
interface Declaration {
  /** What its braces contain if it is a class, a namespace or a linkage specification. */
  contents: Level;
  isInitialized: boolean;
  /** It has a trailing return type. */
  hasArrow: boolean;
  /** The last token ends a parameter list, or follows one and may precede a body. */
  isAfterParameters: boolean;
  lastWord: string;
}

/** What braces contain: declarations outside of classes, members, or something else. */
type Level = "names" | "members" | "other";

const newDeclaration = (): Declaration => ({
  contents: "other",
  isInitialized: false,
  hasArrow: false,
  isAfterParameters: false,
  lastWord: "",
});

const contentsAfter = new Map<string, Level>([
  ["namespace", "names"],
  ["extern", "names"],
  ["class", "members"],
  ["struct", "members"],
  ["union", "members"],
]);
/** Words that may stand between a parameter list and a body. */
const trailing = new Set(["const", "noexcept", "override", "final", "volatile", "__attribute__"]);
/** Words whose parentheses contain no parameters. */
const notFunctions = new Set([
  ...["alignas", "_Alignas", "__align__", "__attribute__", "__declspec", "requires", "noexcept"],
  ...typeOperators,
]);

const operatorSigns = /\s*(?:\(\s*\)|\[\s*\]|[-+*/%^&|~!=<>,]+)/y;

/** `defer` returns the end of the declaration at this offset if it is left out. It is asked at declarations outside of classes. */
function createScan(text: string, defer: (start: number) => number | undefined = () => undefined): Scan {
  /** The contents of each open brace. */
  const levels: Level[] = ["names"];
  let at = 0;
  let current = newDeclaration();
  /** A declaration begins with the next token. */
  let isAtStart = true;

  const readWord = (): void => {
    const found = wordAt(text, at) || text.charAt(at);
    at += found.length;
    if (current.contents !== "members") current.contents = contentsAfter.get(found) ?? current.contents;
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
    // In the matching of braces, everything after the body of a class counts as a new declaration.
    if (code === 0x3b || code === 0x7d) {
      const closed = code === 0x7d && levels.length > 1 ? levels.pop() : undefined;
      isAtStart = code === 0x3b || closed === "names";
      current = newDeclaration();
    }
    if (code === 0x3d) current.isInitialized = true;
    else if (isArrow) current.hasArrow = true;
  };
  /** At `{`: either the body of a function, which is skipped, or the start of a level. */
  const open = (): Part | undefined => {
    const { contents, isInitialized, isAfterParameters, hasArrow } = current;
    const isCertain = levels[levels.length - 1] !== "other" && !isInitialized;
    const end = isCertain && (isAfterParameters || hasArrow) ? closingOf(text, at) : undefined;
    const start = at + 1;
    current = newDeclaration();
    at = end === undefined ? start : end + 1;
    if (end === undefined) levels.push(isCertain ? contents : "other");
    isAtStart = end !== undefined || levels[levels.length - 1] === "names";
    return end === undefined ? undefined : { start, end, isBody: true };
  };
  const skipDeferred = (): Part | undefined => {
    if (!isAtStart || levels[levels.length - 1] !== "names") return undefined;
    isAtStart = false;
    const start = at;
    const end = defer(start);
    if (end === undefined) return undefined;
    at = end;
    isAtStart = true;
    return { start, end, isBody: false };
  };

  return {
    next() {
      while (at < text.length) {
        const code = text.charCodeAt(at);
        const next = afterToken(text, at);
        // White space, comments and literals.
        if (code <= 0x20 || next > at + 1) at = next;
        else {
          const deferred = skipDeferred();
          if (deferred !== undefined) return deferred;
          if (isWordStart(code)) readWord();
          else if (code === 0x28 || code === 0x5b) readBrackets(code === 0x28);
          else if (code !== 0x7b) readSign(code);
          else {
            const body = open();
            if (body !== undefined) return body;
          }
        }
      }
      return undefined;
    },
  };
}

function isWordStart(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f || code === 0x24 || code >= 0xa0;
}
