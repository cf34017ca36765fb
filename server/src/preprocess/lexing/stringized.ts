/**
 * Removes the macro call around sources that a host includes as the argument of a stringizing macro. Such a file is wrapped in
 * `STRINGIFY( … )`, perhaps as a variable's value, and `\n` precedes its directives, because the literal has no lines of its own.
 * The wrapper becomes blanks when the file is read, so that offsets stay.
 */
import { isStringizer } from "../../embedded/c-literals.ts";

const escapedNewline = /^([ \t]*)((?:\\n[ \t]*)+)/gm;
// Only include guards, and the variable that gets the literal, may precede the call. A line is matched completely or not at all:
// otherwise `////` could be matched in as many ways as it has halves.
const opening =
  /^((?:\s|\/\/[^\n]*(?=\n|$)|\/\*(?:[^*]|\*(?!\/))*\*\/|\\n|#[ \t]*(?:ifndef|define|pragma)\b[^\n]*(?=\n|$))*)((?:(?:static|const|char)\b[\s*]*)*(?:\w+\s*(?:\[\s*\]\s*)?=\s*)?)([A-Za-z_]\w*)(\s*\()/;
const closing = /\)(?=(?:[\s;]|\/\/[^\n]*(?=\n|$)|\/\*(?:[^*]|\*(?!\/))*\*\/|#[ \t]*endif\b[^\n]*(?=\n|$))*$)/;

/** The text without the parts that only its host's compiler reads; unchanged for all other files. */
export function withoutStringizer(text: string): string {
  if (!(text.includes("\\n") && /^[ \t]*\\n/m.test(text)) && !mayBeWrapped(text)) return text;
  const lines = text.replace(escapedNewline, (_, before: string, escapes: string) => before + " ".repeat(escapes.length));
  const open = opening.exec(lines);
  const close = closing.exec(lines);
  if (open === null || close === null || !isStringizer(open[3] ?? "")) return lines;
  const start = (open[1] ?? "").length;
  const body = open[0].length;
  // A file that begins with such a call may contain more.
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
