/**
 * What is shared while a top-level file is read (a Job), and the state of each file of it that becomes a unit of its own (a
 * Module). These are records that the reader, the directives and the includes work on.
 */
import type { CompileSettings, Dialect } from "../dialect.ts";
import type { Location } from "../source.ts";
import type { Flavour } from "./canonical.ts";
import { type Interner, Sign } from "./lexing/interner.ts";
import { Flag, Kind, type TokenList } from "./lexing/lexer.ts";
import type { Expander } from "./macros/expand.ts";
import type { Environment, Macro } from "./macros/macros.ts";
import type { Resolver } from "./resolve.ts";
import type { ExtensionSwitch, IncludeSite, PreprocessorNote } from "./view.ts";
import type { ViewWriter } from "./view-writer.ts";

/** A file's tokens with what is worked out of them once. */
export interface SourceFile {
  readonly uri: string;
  readonly tokens: TokenList;
  /** Definitions by the index of their directive. */
  readonly macros: Map<number, Macro | undefined>;
  closings: Int32Array | undefined;
  lines: Int32Array | undefined;
}

/** Questions to the whole workspace; a unit depends on the answers. */
export interface Workspace {
  /** The macro that every definition of a name agrees on, when it stands for qualifiers only. */
  meaningOf(id: number): Macro | undefined;
  isDefinedAnywhere(id: number): boolean;
}

/** What is the same for all files of one translation unit. */
export interface Job {
  readonly interner: Interner;
  readonly resolver: Resolver;
  readonly workspace: Workspace;
  readonly dialect: Dialect;
  readonly flavour: Flavour;
  readonly settings: CompileSettings;
  source(uri: string): SourceFile | "absent" | "unread" | "too-large";
  /** Canonical spellings by identifier. */
  readonly spellings: ReadonlyMap<number, string>;
  readonly words: Words;
  /** What may still be done for this top-level file. */
  readonly budget: { files: number; characters: number; tokens: number };
  /** Macros whose expansion was too much once. */
  readonly bombs: Set<number>;
  /** Of the cache of units, when the work began. */
  readonly generation: number;
  /** The next value of `__COUNTER__`. */
  counter: number;
}

/** Identifiers that the preprocessor looks at. */
export interface Words {
  readonly defined: number;
  /** `_Pragma` */
  readonly pragma: number;
  /** `pragma` */
  readonly pragmaName: number;
  readonly private: number;
  readonly pipe: number;
  /** `__has_include` and the like. */
  readonly operators: ReadonlySet<number>;
}

/** The state of one `#if` that is open. */
export interface Conditional {
  /** Some branch was taken already. */
  wasTaken: boolean;
  isActive: boolean;
  /** The surrounding text is active. */
  readonly isOuterActive: boolean;
  hadElse: boolean;
  /** Which branch is taken depends on the pass, as far as has been read: the host's compiler may take another. */
  asksPass: boolean;
  /** Where the branch that is being read starts in the file. */
  branchStart: number;
  readonly location: Location;
}

/** A file being read. */
export interface Reading {
  readonly file: SourceFile;
  /** The next token. */
  at: number;
  /** The next directive. */
  directive: number;
  conditionals: Conditional[];
}

/** A file that is being read. */
export interface Module {
  readonly job: Job;
  /** The job's budget when the file was begun. */
  readonly budgetBefore: Job["budget"];
  readonly uri: string;
  /** The files that are being read, from the top-level file on. */
  readonly chain: string[];
  readonly environment: Environment;
  readonly writer: ViewWriter;
  readonly expander: Expander;
  readonly includes: IncludeSite[];
  readonly notes: PreprocessorNote[];
  readonly switches: ExtensionSwitch[];
  readonly unrolls: number[];
  readonly ofOnePass: Location[];
  readonly spliced: Set<string>;
  readonly unread: Set<string>;
  /** Every file that this one depends on, unread ones included. */
  readonly files: Set<string>;
  /** Answers of the workspace that were relied on, by question. */
  readonly decisions: Map<string, string>;
  readonly stack: Reading[];
  /** Open brackets of what has been written, and the least of them. */
  depth: number;
  lowest: number;
  /** Open brackets, innermost last; true for a parenthesis. Only those that matter to `private`. */
  readonly brackets: boolean[];
  /** The last token that has been written: its sign, -1 for a word or literal, 0 for none. */
  last: number;
  /** Tokens since the last `;` or `}`, or since the file's start. */
  sinceEnd: number;
  /** Arguments of an invocation are being collected: directives are obeyed, includes are not. */
  isCollecting: boolean;
  /** A limit was reached, so that the result depends on more than what was consulted. */
  isDegraded: boolean;
  usesCounter: boolean;
  usesLine: boolean;
  /** Lines of the file in front of what is read: a piece's `__LINE__` counts from the file's first line. */
  readonly linesBefore: number;
  /** A macro that holds in one pass only has been asked for since this was set to false. */
  hasAskedPass: boolean;
  /** How often an invocation's end may still be searched for by trial. */
  trials: number;
}

/** Notes what could not be done; a file gets no more than `mostNotes`. */
export function noteAt(
  module: Module,
  kind: PreprocessorNote["kind"],
  message: string,
  location: Location,
  keyword: Pick<PreprocessorNote, "word" | "meaning"> = {},
): void {
  if (!module.isCollecting && module.notes.length < mostNotes) module.notes.push({ kind, message, location, ...keyword });
}

const mostNotes = 1000;

/** Expands with so much work at most, which counts against what the top-level file may cost. */
export function bounded<Result>({ job, expander }: Module, limit: number, work: () => Result): Result {
  const granted = Math.max(0, Math.min(limit, job.budget.tokens));
  expander.budget.left = granted;
  const result = work();
  job.budget.tokens -= granted - Math.max(0, expander.budget.left);
  return result;
}

/** The span from one token up to and including another. */
export function locationOf({ uri, tokens }: SourceFile, first: number, last: number): Location {
  const start = tokens.starts[first] ?? tokens.text.length;
  return { uri, span: { start, end: Math.max(start, tokens.ends[last] ?? start) } };
}

/** `#` as the first token of its line (C11 §6.10p2). */
export function isDirective(tokens: TokenList, at: number): boolean {
  return tokens.ids[at] === Sign.hash && ((tokens.flags[at] ?? 0) & Flag.startsLine) !== 0;
}

/** Follows brackets, to know whether an include stands at file scope. */
export function track(module: Module, kind: number, id: number): void {
  module.sinceEnd = kind === Kind.punctuator && (id === Sign.semicolon || id === Sign.closeBrace) ? 0 : module.sinceEnd + 1;
  if (kind !== Kind.punctuator) {
    module.last = -1;
    return;
  }
  module.last = id;
  if (id === Sign.openBrace || id === Sign.openParenthesis || id === Sign.openBracket) {
    module.depth += 1;
    if (module.brackets.length < mostBrackets) module.brackets.push(id === Sign.openParenthesis);
  } else if (id === Sign.closeBrace || id === Sign.closeParenthesis || id === Sign.closeBracket) {
    module.depth -= 1;
    module.brackets.pop();
    if (module.depth < module.lowest) module.lowest = module.depth;
  }
}

const mostBrackets = 10_000;
