/** What `build.mjs` exports, for the tests. */

/** Builds the parser into a file and returns its SHA-256. */
export function build(output: string): string;
/** The files that a build is made from, as lines of `sha256sum`. */
export function sources(): string;
/** Everything that a build is made from, compilers included, as a text. */
export function inputs(): string;
/** The SHA-256 of a file. */
export function sha256(file: string): string;
/** Compiles the generated sources of the grammar `name` in a folder into a wasm that exports its language. */
export function compile(output: string, folder?: string, name?: string, sources?: readonly string[]): void;
/** The command that starts a version of the generator. */
export function generator(version?: string, release?: string): readonly string[];
