/** The interface between the command line and its process, so that tests can replace the process. */
import type { SyntaxParser } from "../syntax/parser.ts";
import type { CacheLocation } from "./file-checker.ts";

/** Where the program writes, and what the terminal can show. */
export interface Terminal {
  /** Writes the text unchanged: text from files must be printable already. */
  out(text: string): void;
  /** Writes text that contains no commands to a terminal or a build system. */
  error(text: string): void;
  /** Moves the cursor of standard error, or clears its line. */
  control(sequence: string): void;
  readonly isOutTerminal: boolean;
  readonly isErrorTerminal: boolean;
  /** Determined by NO_COLOR, FORCE_COLOR and the terminal. */
  readonly hasColors: boolean;
}

/** The environment that the program's entry passes to it. */
export interface CommandLine {
  readonly version: string;
  loadParser(): Promise<SyntaxParser>;
  /** Where results are kept from one run to the next; absent for a program that cannot identify its build. */
  readonly cache?: CacheLocation;
  /** All of standard input. */
  readInput(): string;
  /** The path of the program itself, which each worker thread runs. */
  readonly script: string;
  readonly terminal: Terminal;
}
