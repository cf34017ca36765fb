/**
 * The state that a top-level file and its headers share while they are read (a Job), and the state of each file that becomes a
 * unit of its own (a Module). The reader, the directives and the includes work on these records.
 */
import type { CompileSettings, Dialect } from "../dialect.ts";
import type { FileUri, UnitLocation } from "../source.ts";
import type { LanguageMode } from "./canonical.ts";
import type { Costs, LimitsLeft } from "./costs.ts";
import { type Interner, Sign } from "./lexing/interner.ts";
import { Kind, type TokenList } from "./lexing/lexer.ts";
import type { Expander } from "./macros/expand.ts";
import type { Environment, Macro } from "./macros/macros.ts";
import type { Refused } from "./refusals.ts";
import { answerTo, type IncludeQuestion, type IncludeQuestions, type Resolved, type Resolver } from "./resolve.ts";
import type { ExtensionSwitch, InactiveBranch, IncludeSite, PreprocessorNote } from "./view/view.ts";
import type { ViewWriter } from "./view/view-writer.ts";

/** A file's tokens, with results that are computed once. */
export interface SourceFile {
  readonly uri: string;
  readonly tokens: TokenList;
  /** Definitions by the index of their directive. */
  readonly macros: Map<number, Macro | undefined>;
  closings: Int32Array | undefined;
  lines: Int32Array | undefined;
  /** See `guardOf`. */
  guard: number | undefined;
}

/** A file of these tokens. */
export function sourceFileOf(uri: string, tokens: TokenList): SourceFile {
  return { uri, tokens, macros: new Map(), closings: undefined, lines: undefined, guard: undefined };
}

/** Questions about the whole workspace; a unit depends on the answers. */
export interface WorkspaceMacros {
  /** The macro that every definition of a name agrees on, if it consists only of qualifiers. */
  meaningOf(id: number): Macro | undefined;
  isDefinedAnywhere(id: number): boolean;
}

/** What is the same for all files of one translation unit. */
export interface Job {
  readonly interner: Interner;
  readonly resolver: Resolver;
  readonly workspace: WorkspaceMacros;
  readonly dialect: Dialect;
  readonly mode: LanguageMode;
  readonly settings: CompileSettings;
  source(uri: string): SourceFile | "absent" | "unread" | "too-large";
  /** The guard of a header whose pieces follow its `#include`, or 0; undefined for all other headers. */
  guardByPieces?(uri: string): number | undefined;
  /** Canonical spellings by identifier. */
  readonly spellings: ReadonlyMap<number, string>;
  readonly words: Words;
  /** The remaining budget for this top-level file. */
  readonly budget: Costs;
  /** Macros whose expansion has exceeded the limit. */
  readonly oversizedMacros: Set<number>;
  /** What was refused since the top-level file's own `#include` began. */
  readonly refused: Refused;
  /** The generation of the unit cache when the work began. */
  readonly generation: number;
  /** The next value of `__COUNTER__`. */
  counter: number;
}

/** Identifiers with a meaning for the preprocessor. */
export interface Words {
  readonly defined: number;
  /** `_Pragma` */
  readonly pragma: number;
  /** `pragma` */
  readonly pragmaName: number;
  readonly private: number;
  readonly namespace: number;
  readonly extern: number;
  readonly inline: number;
  readonly pipe: number;
  /** `__has_include` and the like. */
  readonly operators: ReadonlySet<number>;
}

/** The state of one open `#if`. */
export interface Conditional {
  /** Some branch was taken already. */
  wasTaken: boolean;
  isActive: boolean;
  /** The surrounding text is active. */
  readonly isOuterActive: boolean;
  hadElse: boolean;
  /**
   * As far as the conditional has been read, its choice depends on the compiler's pass: the host's compiler may choose another
   * branch.
   */
  testsPass: boolean;
  /** Where the current branch starts in the file. */
  branchStart: number;
  readonly location: UnitLocation;
}

/** A file being read. */
export interface TokenCursor {
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
  /** What the job's limits left when reading the file began. */
  readonly limits: LimitsLeft;
  readonly uri: string;
  /** The files that are being read, beginning with the top-level file. */
  readonly chain: string[];
  readonly environment: Environment;
  readonly writer: ViewWriter;
  readonly expander: Expander;
  readonly includes: IncludeSite[];
  readonly notes: PreprocessorNote[];
  readonly inactiveBranches: InactiveBranch[];
  readonly switches: ExtensionSwitch[];
  readonly unrolls: number[];
  readonly ofOnePass: UnitLocation[];
  readonly spliced: Set<string>;
  readonly questions: IncludeQuestions;
  readonly unread: Set<string>;
  /** Every file that this one depends on, including unread ones. */
  readonly files: Set<number>;
  /** Answers of the workspace that were used, by question. */
  readonly decisions: Map<string, string>;
  readonly stack: TokenCursor[];
  /** The number of open brackets in the written text, and its lowest value. */
  depth: number;
  lowest: number;
  /** How many of the outermost open brackets are those of namespaces and `extern "C"`. */
  scopes: number;
  /** What has been read of an item outside of all other brackets. */
  head: "nothing" | "namespace" | "extern" | "linkage" | "item";
  /** A header below it is torn, and was read as a unit nevertheless. */
  hasTorn: boolean;
  /** Open brackets, innermost last; true for a parenthesis. Only brackets that affect the meaning of `private` are tracked. */
  readonly brackets: boolean[];
  /** The last written token: its sign, -1 for a word or literal, 0 for none. */
  last: number;
  /** Tokens since the last `;` or `}`, or since the file's start. */
  sinceEnd: number;
  /** The arguments of an invocation are being collected: directives are executed, includes are not. */
  isCollecting: boolean;
  /** A limit was reached, so the result depends on more than the recorded lookups. */
  isDegraded: boolean;
  /** That limit was one on nested includes, so the result depends on the files around this one too. */
  isRefused: boolean;
  usesCounter: boolean;
  usesLine: boolean;
  /** The number of lines in the file before the text being read: a piece's `__LINE__` counts from the file's first line. */
  readonly linesBefore: number;
  /** Since this was reset, a macro has been looked up that only one pass of the compiler defines. */
  hasTestedPass: boolean;
  /** Lines of its View start at round offsets, once it has this length. */
  readonly alignsFrom: number;
  /** How many more times the end of an invocation may be searched for by trial. */
  trials: number;
  /** For a piece that may be followed by the pieces of a header: the header. */
  follower: Follower | undefined;
}

/** A header whose pieces follow a piece. */
export interface Follower {
  /** Undefined until the `#include` is executed. */
  header: Entered | undefined;
}

/** A header that is read by pieces, at an `#include`. */
export interface Entered {
  readonly uri: FileUri;
  /** Its guard; 0 if it has none. */
  readonly guard: number;
  /** False if its guard is defined, so that it is skipped. */
  readonly isRead: boolean;
}

/**
 * Finds the file that an include in `uri` names, and records the question: a new file may change the answer. Only the folder of the
 * includer matters, which a piece shares with its file.
 */
export function ask({ job, questions }: Module, uri: string, question: IncludeQuestion): Resolved | undefined {
  questions.note(uri, question);
  return answerTo(question, uri, job.settings.includePaths, job.resolver);
}

/** Records what could not be done. A file gets at most `mostNotes` notes. */
export function noteAt(
  module: Module,
  kind: PreprocessorNote["kind"],
  message: string,
  location: UnitLocation,
  more: Pick<PreprocessorNote, "word" | "meaning" | "header"> = {},
): void {
  if (!module.isCollecting && module.notes.length < mostNotes) module.notes.push({ kind, message, location, ...more });
}

const mostNotes = 1000;

/** Runs an expansion with a limit on its work, which counts towards the top-level file's budget. */
export function bounded<Result>({ job, expander }: Module, limit: number, work: () => Result): Result {
  const granted = Math.max(0, Math.min(limit, job.budget.tokens));
  expander.budget.left = granted;
  const result = work();
  job.budget.tokens -= granted - Math.max(0, expander.budget.left);
  return result;
}

/** The span from one token through another. */
export function locationOf({ uri, tokens }: SourceFile, first: number, last: number): UnitLocation {
  const start = tokens.starts[first] ?? tokens.text.length;
  return { uri, span: { start, end: Math.max(start, tokens.ends[last] ?? start) } };
}

/** Tracks brackets, to know whether an include is at file scope. */
export function track(module: Module, kind: number, id: number): void {
  module.sinceEnd = kind === Kind.punctuator && (id === Sign.semicolon || id === Sign.closeBrace) ? 0 : module.sinceEnd + 1;
  if (module.depth === module.scopes) trackHead(module, kind, id);
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
    if (module.depth < module.scopes) module.scopes = Math.max(0, module.depth);
  }
}

/** Tracks whether the next brace opens a namespace or an `extern "C"` block; to be called outside of all other brackets. */
function trackHead(module: Module, kind: number, id: number): void {
  const { head } = module;
  const { words } = module.job;
  if (kind === Kind.punctuator && id === Sign.openBrace && (head === "namespace" || head === "linkage")) {
    module.scopes += 1;
    module.head = "nothing";
  } else if (kind === Kind.punctuator && (id === Sign.semicolon || id === Sign.openBrace || id === Sign.closeBrace))
    module.head = "nothing";
  else if (head === "nothing")
    module.head = id === words.namespace ? "namespace" : id === words.extern ? "extern" : id === words.inline ? head : "item";
  else if (head !== "namespace") module.head = head === "extern" && kind === Kind.string ? "linkage" : "item";
}

const mostBrackets = 10_000;
