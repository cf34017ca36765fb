/** Finds names in texts that have not been parsed. */

/** A pattern for a name as a whole word: C's names may contain `$`, and those of operators contain punctuation. */
export function wordPattern(name: string, flags = ""): RegExp {
  const literally = name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return new RegExp(`(?<![\\w$])${literally}(?![\\w$])`, flags);
}
