/**
 * Splits one line of a shell command, as found in `compile_commands.json` and response files, into arguments. Quotes and
 * backslashes have the meaning of a POSIX shell. Variables, globs and substitutions stay as they are, because nothing is executed.
 */

/** A word of a command, and its place in the text. */
export interface ShellWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The arguments of a command, split as a POSIX shell does. */
export function splitCommand(command: string): readonly string[] {
  return wordsOf(command).map(({ text }) => text);
}

/** Like `splitCommand`, with each word's place. */
export function wordsOf(command: string): readonly ShellWord[] {
  // In a Windows command, backslashes separate the parts of paths.
  const text = /^\s*"?[a-z]:\\/i.test(command) ? command.replace(/\\(?!")/g, "/") : command;
  const words: ShellWord[] = [];
  let word: string | undefined;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i);
    if (word === undefined) start = i;
    if (character === "'") {
      const end = endOf(text, "'", i + 1);
      word = (word ?? "") + text.slice(i + 1, end);
      i = end;
    } else if (character === '"') {
      const quoted = readDoubleQuoted(text, i + 1);
      word = (word ?? "") + quoted.value;
      i = quoted.end;
    } else if (character === "\\" && i + 1 < text.length) {
      i++;
      if (text.charAt(i) !== "\n") word = (word ?? "") + text.charAt(i);
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push({ text: word, start, end: i });
      word = undefined;
    } else {
      word = (word ?? "") + character;
    }
  }
  if (word !== undefined) words.push({ text: word, start, end: text.length });
  return words;
}

function endOf(text: string, quote: string, from: number): number {
  const end = text.indexOf(quote, from);
  return end < 0 ? text.length : end;
}

function readDoubleQuoted(text: string, from: number): { value: string; end: number } {
  let value = "";
  let i = from;
  for (; i < text.length && text.charAt(i) !== '"'; i++) {
    const isEscape = text.charAt(i) === "\\" && /["\\$`]/.test(text.charAt(i + 1));
    if (isEscape) i++;
    value += text.charAt(i);
  }
  return { value, end: i };
}
