/** Finds names in texts that have not been parsed. */

/** A pattern for a name as a whole word: C's names may contain `$`, and those of operators contain punctuation. */
export function wordPattern(name: string, flags = ""): RegExp {
  return new RegExp(`(?<![\\w$])${literally(name)}(?![\\w$])`, flags);
}

/** The source of a pattern for this very text. */
export function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
