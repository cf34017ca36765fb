/** What `build.mjs` exports, for the tests. */

/** The grammar and what is generated from it, as lines of `sha256sum`. */
export function hashes(): string;
