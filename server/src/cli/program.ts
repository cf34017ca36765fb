/** What the command line needs of the process that it runs in, so that tests can give it another. */

import type { SyntaxParser } from "../syntax/parser.ts";
import type { CacheLocation } from "./file-checker.ts";

/** Where the program writes, and what that can show. */
export interface Terminal {
  /** As it is: what came from files must be printable already. */
  out(text: string): void;
  /** Whatever is in the text, a terminal and a build system see nothing but lines of text. */
  error(text: string): void;
  /** Moves the cursor, or clears; of standard error. */
  control(sequence: string): void;
  readonly isOutTerminal: boolean;
  readonly isErrorTerminal: boolean;
  /** What NO_COLOR, FORCE_COLOR and the terminal say. */
  readonly hasColors: boolean;
}

/** What the program is given by its entry. */
export interface Program {
  readonly version: string;
  loadParser(): Promise<SyntaxParser>;
  /** Where answers are kept from one run to the next; absent for a program that cannot tell itself from others. */
  readonly cache?: CacheLocation;
  /** All of standard input. */
  readInput(): string;
  /** The path of the program itself, which each further thread runs. */
  readonly script: string;
  readonly terminal: Terminal;
}
