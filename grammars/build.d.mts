/** What `build.mjs` exports, for the tests. */

/** Builds the parser into a file and returns its SHA-256. */
export function build(output: string): string;
/** The files that a build is made from, as lines of `sha256sum`. */
export function sources(): string;
/** Everything that a build is made from, compilers included, as a text. */
export function inputs(): string;
/** The SHA-256 of a file. */
export function sha256(file: string): string;
