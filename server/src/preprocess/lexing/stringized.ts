/**
 * Sources that a host includes as the argument of a macro that makes a literal of them: the file is wrapped in
 * `STRINGIFY( … )`, perhaps as what a variable gets, and `\n` stands in front of its directives, because the literal has no
 * lines of its own. Read as files, these are blanks. Every offset stays what it is.
 */
import { isStringizer } from "../../embedded/c-literals.ts";

const escapedNewline = /^([ \t]*)((?:\\n[ \t]*)+)/gm;
// In front of it only what guards the file, and the variable that gets the literal.
// A line is taken whole or not at all: else `////` could be read in as many ways as there are halves of it.
const opening =
  /^((?:\s|\/\/[^\n]*(?=\n|$)|\/\*(?:[^*]|\*(?!\/))*\*\/|\\n|#[ \t]*(?:ifndef|define|pragma)\b[^\n]*(?=\n|$))*)((?:(?:static|const|char)\b[\s*]*)*(?:\w+\s*(?:\[\s*\]\s*)?=\s*)?)([A-Za-z_]\w*)(\s*\()/;
const closing = /\)(?=(?:[\s;]|\/\/[^\n]*(?=\n|$)|\/\*(?:[^*]|\*(?!\/))*\*\/|#[ \t]*endif\b[^\n]*(?=\n|$))*$)/;

/** The text without what only its host's compiler reads; the same text for all others. */
export function withoutStringizer(text: string): string {
  if (!/^[ \t]*\\n/m.test(text) && !mayBeWrapped(text)) return text;
  const lines = text.replace(escapedNewline, (_, before: string, escapes: string) => before + " ".repeat(escapes.length));
  const open = opening.exec(lines);
  const close = closing.exec(lines);
  if (open === null || close === null || !isStringizer(open[3] ?? "")) return lines;
  const start = (open[1] ?? "").length;
  const body = open[0].length;
  // Not every file that begins with such a call is nothing else.
  if (!/[{;]/.test(lines.slice(body, close.index))) return lines;
  return (
    lines.slice(0, start) +
    lines.slice(start, body).replace(/\S/g, " ") +
    lines.slice(body, close.index) +
    lines.slice(close.index).replace(/^\)|;/g, " ")
  );
}

function mayBeWrapped(text: string): boolean {
  const name = opening.exec(text.slice(0, 8192))?.[3];
  return name !== undefined && isStringizer(name);
}
