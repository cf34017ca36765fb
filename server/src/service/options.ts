/** The inputs of a service, and the tools that it creates once for all of its files. */
import type { Suppression } from "../diagnostics/suppressions.ts";
import type { CompileSettings } from "../dialect.ts";
import type { EmbeddedHosts } from "../embedded/hosts.ts";
import type { Severity } from "../finding.ts";
import type { Includers } from "../preprocess/includers.ts";
import type { Preprocessor } from "../preprocess/preprocessor.ts";
import type { IncludeQuestion } from "../preprocess/resolve.ts";
import type { Unit } from "../preprocess/view/view.ts";
import type { Files } from "../source.ts";
import type { SyntaxCache } from "../syntax/cache.ts";
import type { SyntaxParser } from "../syntax/parser.ts";

/** The severities that settings give to rules. */
export interface RuleSettings {
  /** The severities for a file: rule id → severity, or "off". */
  severitiesOf(uri: string): Readonly<Record<string, Severity | "off">>;
}

/** The inputs from the host. */
export interface ServiceOptions {
  readonly files: Files;
  /** Bytes of `grammars/tree-sitter-gpu.wasm`'s language, already loaded by the host through `syntax/parser.ts`. */
  readonly parser: SyntaxParser;
  /** The compile settings of a file. */
  settingsOf(uri: string): CompileSettings;
  readonly rules?: RuleSettings;
  /** The sources in whose programs alone a file is judged; undefined for all that include it. */
  programsOf?(uri: string): readonly string[] | undefined;
  /** True for files that are open in an editor; if absent, all are. */
  isOpen?(uri: string): boolean;
}

/** A translation unit, or a piece of one, that a check has read. */
export interface UnitRead {
  readonly unit: Unit;
  /** The paths in which its includes were searched. */
  readonly paths: readonly string[];
}

/** Receives what does not pass through the options of a service. */
export interface Notebook {
  unit(read: UnitRead): void;
  include(includer: string, question: IncludeQuestion, paths: readonly string[]): void;
  extensions(): void;
}

/** What a service creates once for all of its files. */
export interface Tools {
  readonly options: ServiceOptions;
  readonly preprocessor: Preprocessor;
  readonly syntax: SyntaxCache;
  readonly includers: Includers;
  suppressionsOf(uri: string): readonly Suppression[];
  readonly hosts: EmbeddedHosts;
  /** Records what a check asks of the preprocessor; its questions to the options are recorded as they are asked. */
  readonly notebook: Notebook;
  /** Only findings and summaries are needed, so standards may share an analysis whose types show one of them. */
  readonly sharesSpaces?: true;
}
