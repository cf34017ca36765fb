/** Compares types by their spelling, as the lists of overloads have it. */

/** Types in one spelling: `uint`, not `unsigned int`, and no blanks. */
export function plainTypes(spelled: string): string {
  return spelled
    .replace(/\bunsigned (char|short|int|long)\b/g, "u$1")
    .replace(/\bsize_t\b/g, "ulong")
    .replace(/\bptrdiff_t\b/g, "long")
    .replace(/\s+/g, "");
}

/** Types in one spelling without qualifiers and spaces: those of a pointer's target do not choose between overloads by themselves. */
export function bareTypes(spelled: string): string {
  return plainTypes(
    spelled.replace(/\b(?:__(?:global|local|private|constant|generic|read_only|write_only|read_write)|const|volatile|restrict)\b/g, ""),
  );
}
