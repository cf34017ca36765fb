/** Decides whether a branch of a conditional is taken (C11 §6.10.1), and says why it is not. */
import { alternativeTokens } from "./canonical.ts";
import { evaluateCondition } from "./condition.ts";
import { Sign } from "./lexing/interner.ts";
import { Kind, textOf } from "./lexing/lexer.ts";
import { endOfDirective } from "./lexing/lines.ts";
import { type Expander, expand, type Operators } from "./macros/expand.ts";
import { generatedToken, type MacroToken, macroTokenAt } from "./macros/macro-tokens.ts";
import { specialMacro } from "./macros/macros.ts";
import { ask, bounded, locationOf, type Module, noteAt, type SourceFile, type TokenCursor } from "./module.ts";

/** A directive: its name, and its tokens from the hash to the end of the line. */
export interface Line {
  readonly name: string;
  readonly hash: number;
  /** The first token after the name. */
  readonly from: number;
  readonly end: number;
}

/** Whether a branch is taken. */
export interface Decision {
  readonly isTrue: boolean;
  readonly testsPass: boolean;
  /** Why it is false, in words; empty if it is true. */
  readonly reason: string;
}

/** The decision about a branch after one that was taken: its condition is not evaluated (C11 §6.10.1p6). */
export const undecided: Decision = { isTrue: false, testsPass: false, reason: "an earlier branch is" };

/** Records why a branch is not taken, so that the author can see it in the notes of the View. */
export function recordInactive(module: Module, file: SourceFile, { hash, end }: Line, reason: string): void {
  if (module.isCollecting || module.inactiveBranches.length >= mostInactive) return;
  const { text, starts, ends } = file.tokens;
  const directive = text
    .slice(starts[hash], ends[end - 1])
    .replace(/\\\r?\n|\/\*[\s\S]*?\*\//g, " ")
    .replace(/\s+/g, " ");
  module.inactiveBranches.push({ message: `'${shortened(directive)}' is not taken: ${reason}`, location: locationOf(file, hash, end - 1) });
}

/** A file with more branches is generated, so reasons beyond this number are not recorded. */
const mostInactive = 1000;

function shortened(code: string): string {
  return code.length <= longestShown ? code : `${code.slice(0, longestShown)}…`;
}

/** Longer conditions are cut in reasons. */
const longestShown = 80;

/**
 * Decides whether the branch of an `#if`, `#ifdef` or `#ifndef` is taken. For `#elifdef` and `#elifndef` the names are `ifdef` and
 * `ifndef` too.
 */
export function decide(module: Module, reading: TokenCursor, line: Line, name: string): Decision {
  const hadTested = module.hasTestedPass;
  module.hasTestedPass = false;
  const reason = name === "if" ? whyConditionFails(module, reading, line) : whyNameFails(module, reading, line, name === "ifdef");
  const testsPass = module.hasTestedPass;
  // A condition may be among the arguments of an invocation, which is tracked separately.
  module.hasTestedPass = hadTested;
  return { isTrue: reason === undefined, testsPass, reason: reason ?? "" };
}

/** Why a name is not defined, or not undefined, as the directive demands; undefined if it is. */
function whyNameFails(module: Module, reading: TokenCursor, line: Line, demanded: boolean): string | undefined {
  if (isNameDefined(module, reading, line) === demanded) return undefined;
  const { tokens } = reading.file;
  const name = line.from < line.end ? textOf(tokens, line.from, module.job.interner) : "";
  return `'${name}' is ${demanded ? "not " : ""}defined`;
}

function isNameDefined(module: Module, { file: { tokens } }: TokenCursor, { from, end }: Line): boolean {
  return from < end && tokens.kinds[from] === Kind.identifier && hasMacro(module, tokens.ids[from] ?? 0);
}

/** Whether a name has a macro, even if its expansion has exceeded a limit before. */
function hasMacro(module: Module, id: number): boolean {
  const macro = module.environment.test(id);
  if (macro?.isOfOnePass === true) module.hasTestedPass = true;
  return macro !== undefined;
}

/** Why the condition of an `#if` is false; undefined if it is true. */
function whyConditionFails(module: Module, reading: TokenCursor, { from, end, hash }: Line): string | undefined {
  const { tokens, uri } = reading.file;
  const { interner, mode } = module.job;
  const macroTokens: MacroToken[] = [];
  for (let at = from; at < end; at += 1) macroTokens.push(macroTokenAt(tokens, at, uri, interner));
  const unknown = new Set<string>();
  const expanded = bounded(module, 100_000, () => expand(macroTokens, conditionExpander(module, reading, unknown), undefined));
  if (expanded === undefined) module.isDegraded = true;
  const result = expanded === undefined ? undefined : evaluateCondition(expanded, mode.cplusplus);
  if (result === true) return undefined;
  if (result === undefined || expanded === undefined) {
    const message = "this condition is not an integer constant expression: it counts as false";
    noteAt(module, "malformed", message, locationOf(reading.file, hash, end - 1));
    return "the condition is not an integer constant expression";
  }
  for (const { kind, text } of expanded)
    if (kind === Kind.identifier && !(mode.cplusplus && (text === "true" || text === "false" || text in alternativeTokens)))
      unknown.add(text);
  return reasonOf(spelled(macroTokens), spelled(expanded), unknown);
}

/** Why a condition is false: the values in it, and the names that have none. */
function reasonOf(written: string, expanded: string, unknown: ReadonlySet<string>): string {
  const names = [...unknown].slice(0, mostNames).map((name) => `'${name}' is not defined`);
  const saysMore = expanded !== written && !(names.length > 0 && expanded === "0");
  const reasons = [...(saysMore ? [`'${shortened(expanded)}' is false`] : []), ...names];
  return reasons.length === 0 ? "the condition is false" : reasons.join(", ");
}

/** A reason names at most this many undefined names. */
const mostNames = 4;

function spelled(tokens: readonly MacroToken[]): string {
  return tokens.map(({ text, spaced }, at) => (spaced && at > 0 ? ` ${text}` : text)).join("");
}

/** An expander for conditions. It adds to `unknown` each name that `defined` is applied to and that has no macro. */
function conditionExpander(module: Module, reading: TokenCursor, unknown: Set<string>): Expander {
  const { interner, words } = module.job;
  const operators: Operators = {
    isOperator: (id) => id === words.defined || words.operators.has(id),
    answer: (operator, operands) => {
      const isOfName = operator.id === words.defined;
      const value = isOfName ? isDefined(module, operands) : has(module, reading, operator.text, operands);
      if (isOfName && !value && operands[0] !== undefined) unknown.add(operands[0].text);
      return generatedToken(value ? "1" : "0", Kind.number, operator.spaced, interner);
    },
  };
  return { ...module.expander, operators };
}

function isDefined(module: Module, operands: readonly MacroToken[]): boolean {
  const name = operands[0];
  return name !== undefined && name.kind === Kind.identifier && hasMacro(module, name.id);
}

/** The value of an operator such as `__has_include`. Unknown builtins are assumed to exist if compilers usually have them. */
function has(module: Module, reading: TokenCursor, operator: string, operands: readonly MacroToken[]): boolean {
  const first = operands[0];
  const name = first?.text ?? "";
  switch (operator) {
    case "__has_include":
    case "__has_include_next": {
      const direct = includedName(operands);
      const header = direct ?? includedName(expand(operands, module.expander, undefined) ?? []);
      if (header === undefined) return false;
      return ask(module, reading.file.uri, { ...header, isNext: operator.endsWith("next") }) !== undefined;
    }
    case "__has_attribute":
    case "__has_cpp_attribute":
    case "__has_c_attribute":
      return true;
    case "__has_builtin":
      return name.startsWith("__builtin_") || name.startsWith("__nvvm_");
    case "__has_feature":
      return module.job.mode.cplusplus && name.startsWith("cxx_");
    case "__has_extension":
      return (
        first !== undefined &&
        (name.startsWith("cl_") ? module.environment.test(first.id) !== undefined : module.job.mode.cplusplus && name.startsWith("cxx_"))
      );
    case "__is_identifier":
      return first?.kind === Kind.identifier;
    default:
      return false;
  }
}

/** The name in `"name"` or `<name>`, composed of tokens; undefined if they have neither form. */
export function includedName(macroTokens: readonly MacroToken[]): { readonly name: string; readonly isQuoted: boolean } | undefined {
  const [first, ...others] = macroTokens;
  if (first === undefined) return undefined;
  if (first.kind === Kind.string) return first.text.startsWith('"') ? { name: first.text.slice(1, -1), isQuoted: true } : undefined;
  if (first.id !== Sign.less) return undefined;
  let name = "";
  for (const token of others) {
    if (token.text.startsWith(">")) return { name: name.trim(), isQuoted: false };
    name += token.spaced && name !== "" ? ` ${token.text}` : token.text;
  }
  return undefined;
}

/**
 * True for a group `#ifdef X` with only includes and definitions and no other branch, where X is defined nowhere in the workspace.
 * OpenCL projects pass their headers to the run-time compiler in this way and define X only in the build. Without the headers
 * nothing in the file is known, so the group is active. If it contains several headers, X counts as defined from here on.
 */
export function isIncludeFallback(module: Module, reading: TokenCursor, { name, from, end }: Line): boolean {
  const { tokens } = reading.file;
  const { interner, dialect, workspace } = module.job;
  if (dialect.language !== "opencl" || name !== "ifdef" || from + 1 !== end || tokens.kinds[from] !== Kind.identifier) return false;
  const id = tokens.ids[from] ?? 0;
  const subject = interner.textOf(id);
  // Compilers and platforms define names with underscores; a name that the settings undefine is intended to be undefined.
  if (subject.startsWith("_") || module.job.settings.macros.some(({ name: set }) => set === subject)) return false;
  let includes = 0;
  let at = end;
  for (let index = reading.directive; ; index += 1) {
    const hash = tokens.directives[index];
    if (hash !== at) return false;
    at = endOfDirective(tokens, hash);
    const word = hash + 1 < at ? textOf(tokens, hash + 1, interner) : "";
    if (word === "include") includes += 1;
    else if (word === "endif") break;
    else if (word !== "define" && word !== "undef" && word !== "pragma") return false;
  }
  if (includes === 0) return false;
  const isDefinedAnywhere = workspace.isDefinedAnywhere(id);
  module.decisions.set(`defined ${subject}`, String(isDefinedAnywhere));
  // A single header may be for a feature that is disabled. If the group contains all headers, the build's definition of the name
  // applies to them too.
  if (!isDefinedAnywhere && includes > 1) module.environment.define(specialMacro(subject, "reserved", interner));
  return !isDefinedAnywhere;
}
