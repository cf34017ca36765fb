/**
 * Makes text from a project safe to show. File names, source lines, macros and settings may contain control characters that drive
 * a terminal, bidirectional formatting that makes code look like other code, and commands to the system that runs a build. Every
 * message of the core and every line of the command line program passes through here. Edits and file names in the protocol do
 * not, because they are data for programs.
 */

/** Controls except tab, formatting that reorders or hides text, line and paragraph separators, lone surrogates, tags. */
const unprintable = /(?!\t)[\p{Cc}\p{Cs}\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
/** `##[command]`, `##vso[…]` and `##teamcity[…]` are commands to build systems anywhere in a line. */
const command = /##(?=\w*\[)/g;

/**
 * One line of text in which every character is visible: `<U+202E>` replaces a character that cannot be shown, as in compilers'
 * messages.
 */
export function printable(text: string): string {
  return text.replace(unprintable, codePoint).replace(command, "#<U+0023>");
}

/** Like `printable`, for text of several lines that this program has laid out: line feeds stay. */
export function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}

/**
 * Like `printableLines`, for output that a GitHub Actions runner may read. The runner takes a line that begins with `::` for a
 * command. Only a path can begin such a line, and a path means the same with `./` in front.
 */
export function printableOutput(text: string): string {
  return text.split("\n").map(printable).map(notCommand).join("\n");
}

/** The line, changed only if a runner would take it for a command. */
export function notCommand(line: string): string {
  return /^\s*::/.test(line) ? `./${line}` : line;
}

/** Like `printable`, for the text of a JSON document: it uses escapes that decode to the original characters. */
export function printableJson(json: string): string {
  return json.replace(unprintable, (character) => (character === "\n" ? character : jsonEscape(character))).replace(command, "#\\u0023");
}

function codePoint(character: string): string {
  return `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}>`;
}

function jsonEscape(character: string): string {
  return Array.from({ length: character.length }, (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`).join("");
}

/** A name or value from a file, for a message: printable, and shortened if it is long. */
export function quoted(text: string, length = 80): string {
  return `'${printable(text.length > length ? `${text.slice(0, length)}…` : text)}'`;
}
