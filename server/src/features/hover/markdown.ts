/** Small pieces of Markdown, and how numbers and lists of dialects are written in hovers. */

/** `1,024 bytes`. */
export function bytes(count: number): string {
  return `${number(count)} ${count === 1 ? "byte" : "bytes"}`;
}

export function number(count: number): string {
  return count.toLocaleString("en-US");
}

export function code(text: string): string {
  return `\`${text}\``;
}

export function codeBlock(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

export function bullets(lines: readonly (string | undefined)[]): string | undefined {
  const present = lines.filter((line) => line !== undefined);
  return present.length === 0 ? undefined : present.map((line) => `- ${line}`).join("\n");
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), `|${head.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}

/** `a, b and c`. */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}
