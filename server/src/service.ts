/**
 * The core's one door: give it files, ask it what it finds. Synchronous, without I/O; every host (language server, worker,
 * command line, tests) uses this and nothing below it. Offsets are UTF-16 in the author's text.
 */
import type { CompileSettings, Dialect } from "./dialect.ts";
import type { Diagnostic, Fix, Severity } from "./finding.ts";
import type { Files, Location, Span } from "./source.ts";

/** What one file gave. */
export interface FileReport {
  readonly uri: string;
  readonly diagnostics: readonly Diagnostic[];
  /** What could not be done (missing headers, limits reached), for status and `--verbose`; never a finding. */
  readonly notes: readonly { readonly message: string; readonly location: Location }[];
  /** The standards that the file was judged by. */
  readonly dialects: readonly Dialect[];
  readonly understanding: Understanding;
  /** Files that the host should read, then ask again. Empty when the answer is final. */
  readonly unread: readonly string[];
  /** Files whose text this answer depends on, for invalidation. */
  readonly dependencies: readonly string[];
}

/** How much of a file was understood; the status item and the precision harness show it. */
export interface Understanding {
  /** Topmost places that did not parse, in the author's code. */
  readonly parseErrors: readonly Location[];
  /** Expressions whose type was asked for, and how many of those were unknown. */
  readonly expressions: number;
  readonly unknownExpressions: number;
}

export interface HoverContent {
  /** Markdown. */
  readonly markdown: string;
  readonly span: Span;
}

export interface RuleSettings {
  /** Rule id → severity, or "off". */
  readonly severities: Readonly<Record<string, Severity | "off">>;
}

export interface ServiceOptions {
  readonly files: Files;
  /** Bytes of `grammars/tree-sitter-gpu.wasm`'s language, already loaded by the host through `syntax/parser.ts`. */
  readonly parser: import("./syntax/parser.ts").SyntaxParser;
  /** The compile settings in force for a file. */
  settingsOf(uri: string): CompileSettings;
  readonly rules?: RuleSettings;
}

export interface Service {
  /** Findings of one file, and those of the workspace's link that lie in it as far as its files have been checked. */
  check(uri: string): FileReport;
  /**
   * Findings that need more than one file (declarations that disagree across translation units), over every file that
   * was checked since the last `changed`. Keyed by uri; files without findings are absent.
   */
  link(): ReadonlyMap<string, readonly Diagnostic[]>;
  hover(uri: string, offset: number): HoverContent | undefined;
  /** Fixes of the diagnostics that touch the span. */
  fixes(uri: string, span: Span): readonly { readonly diagnostic: Diagnostic; readonly fix: Fix }[];
  /** The text of these files changed, or they came or went. Returns the checked files whose answers may differ now. */
  changed(uris: readonly string[]): readonly string[];
  /** Frees every tree. */
  dispose(): void;
}
