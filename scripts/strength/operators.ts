/** Operators in a TypeScript source, each with a wrong replacement. Comments, literals and types are not changed. */

/** One change of one operator. */
export interface Change {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
  /** The line. */
  readonly text: string;
}

const others: Readonly<Record<string, string>> = {
  " === ": " !== ",
  " !== ": " === ",
  " && ": " || ",
  " || ": " && ",
  " < ": " <= ",
  " <= ": " < ",
  " > ": " >= ",
  " >= ": " > ",
  " + ": " - ",
  " - ": " + ",
  ".some(": ".every(",
  ".every(": ".some(",
};
const operator = / (?:===|!==|&&|\|\||<=?|>=?|\+|-) |\.(?:some|every)\(|(?<![?]: |readonly \w+: )\b(?:true|false)\b|\bif \(/g;

/** Every possible change of a source. */
export function changesIn(file: string, source: string): readonly Change[] {
  const code = withoutLiterals(source);
  return [...code.matchAll(operator)].flatMap((match): readonly Change[] => {
    const start = match.index;
    const change = (end: number, after: string): readonly Change[] => {
      const lineStart = source.lastIndexOf("\n", start) + 1;
      const text = source.slice(lineStart, source.indexOf("\n", start));
      // Types and imports contain no operators.
      if (/^\s*(?:import|export type|type|\||readonly \w+\??:|\w+\??: (?:true|false);)/.test(text)) return [];
      return [{ file, line: source.slice(0, start).split("\n").length, start, end, before: source.slice(start, end), after, text }];
    };
    const [word] = match;
    if (word === "if (") {
      const close = closing(code, start + 3);
      return close < 0 ? [] : change(close + 1, "if (false)");
    }
    return change(start + word.length, others[word] ?? (word === "true" ? "false" : "true"));
  });
}

function closing(code: string, open: number): number {
  let depth = 0;
  for (let at = open; at < code.length; at += 1) {
    if (code[at] === "(") depth += 1;
    else if (code[at] === ")") depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

const literal =
  /\/\*[\s\S]*?\*\/|\/\/.*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`|(?<=[(,=:[!&|?{};\n]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/g;

/** The source with comments and literals replaced by blanks. */
function withoutLiterals(source: string): string {
  return source.replace(literal, (text) => text.replace(/[^\n]/g, " "));
}
