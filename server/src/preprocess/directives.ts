/** Executes directives (C11 §6.10): conditionals, definitions, and directives that only leave a note. `includes.ts` handles includes. */
import type { Location } from "../source.ts";
import type { Steps } from "../steps.ts";
import { evaluateCondition } from "./condition.ts";
import { openWhereContested } from "./contested.ts";
import { Sign } from "./lexing/interner.ts";
import { endOfDirective, Kind, textOf } from "./lexing/lexer.ts";
import { type Expander, expand, type Operators } from "./macros/expand.ts";
import { type MacroToken, macroTokenAt, madeToken } from "./macros/macro-tokens.ts";
import { type Macro, ofOnePass, readDefinition, specialMacro } from "./macros/macros.ts";
import { bounded, type Conditional, locationOf, type Module, noteAt, type Reading, type SourceFile } from "./module.ts";
import { fileOfPiece } from "./row.ts";

/** An `#include` to be executed. */
export interface IncludeDirective {
  readonly module: Module;
  readonly reading: Reading;
  /** The tokens after the directive's name. */
  readonly from: number;
  readonly end: number;
  readonly kind: "include" | "include_next" | "import";
  readonly location: Location;
}

/** Receives each `#include` to be executed. */
export type Include = (directive: IncludeDirective) => void;
/** Executes an `#include`; implemented in `includes.ts`. */
export type IncludeInSteps = (directive: IncludeDirective) => Steps<void>;

function isActive(reading: Reading): boolean {
  return reading.conditionals[reading.conditionals.length - 1]?.isActive !== false;
}

/** Executes the directive at `reading.at`, and skips the text that it makes inactive. */
export function obeyDirective(module: Module, reading: Reading, include: Include): void {
  obeyNext(module, reading, include);
  skipInactive(module, reading, include);
}

/** Skips inactive text; true if there was any. */
export function skipInactive(module: Module, reading: Reading, include: Include): boolean {
  const wasActive = isActive(reading);
  while (!isActive(reading) && reading.at < reading.file.tokens.count) obeyNext(module, reading, include);
  return !wasActive;
}

/** Executes the next directive; if there is none, skips the rest of the tokens. */
function obeyNext(module: Module, reading: Reading, include: Include): void {
  const { directives, count } = reading.file.tokens;
  const hash = directives[reading.directive];
  if (hash === undefined) {
    reading.at = count;
    return;
  }
  reading.directive += 1;
  obey(module, reading, hash, include);
}

function obey(module: Module, reading: Reading, hash: number, include: Include): void {
  const { file } = reading;
  const { tokens } = file;
  const end = endOfDirective(tokens, hash);
  reading.at = end;
  if (hash + 1 >= end) return;
  const from = hash + 2;
  const name = textOf(tokens, hash + 1, module.job.interner);
  if (obeyConditional(module, reading, { name, hash, from, end }) || !isActive(reading)) return;
  const location = () => locationOf(file, hash, end - 1);
  switch (name) {
    case "define":
      define(module, reading, hash, from, end);
      return;
    case "undef": {
      const id = tokens.ids[from] ?? 0;
      if (from < end && tokens.kinds[from] === Kind.identifier && module.environment.test(id)?.special !== "reserved")
        module.environment.undefine(id);
      return;
    }
    case "include":
    case "include_next":
    case "import":
      include({ module, reading, from, end, kind: name, location: location() });
      return;
    case "pragma":
      if (from < end && textOf(tokens, from, module.job.interner) === "once") module.environment.define(onceMacro(module, file.uri));
      else
        obeyPragma(
          module,
          Array.from({ length: end - from }, (_, at) => textOf(tokens, from + at, module.job.interner)),
        );
      return;
    case "error":
      noteAt(module, "error-directive", tokens.text.slice(tokens.starts[hash], tokens.ends[end - 1]), location());
      return;
    default:
      return;
  }
}

/** `unroll` alone, and OpenCL C 3.0 §6.10: `OPENCL EXTENSION name : enable`, or `disable`, and for single extensions also `require`. */
function obeyPragma(module: Module, [vendor, word, name, colon, behavior]: readonly string[]): void {
  if (vendor === "unroll" && word === undefined && !module.isCollecting) module.unrolls.push(module.writer.length);
  if (vendor !== "OPENCL" || word !== "EXTENSION" || name === undefined || colon !== ":" || module.isCollecting) return;
  module.switches.push({ at: module.writer.length, name, isOn: behavior !== "disable" });
}

/** The name that stands for "this file was read and must be read only once". */
export function onceMacro(module: Module, uri: string): Macro {
  return specialMacro(`#once ${fileOfPiece(uri) ?? uri}`, "reserved", module.job.interner);
}

// ---------------------------------------------------------------- definitions

function define(module: Module, reading: Reading, hash: number, from: number, end: number): void {
  const { file } = reading;
  const { interner, flavour } = module.job;
  let macro = file.macros.get(hash);
  if (macro === undefined) {
    macro = readDefinition(file.tokens, from, end, file.uri, interner);
    if (macro === undefined) return noteAt(module, "malformed", "this definition cannot be read", locationOf(file, hash, end - 1));
    file.macros.set(hash, macro);
  }
  const { name } = macro;
  if (name === "defined" || module.environment.test(macro.id)?.special === "reserved" || flavour.keywords.has(name)) {
    if (!keepsWord(macro, module)) {
      const location = macro.definition ?? locationOf(file, hash, end - 1);
      const meaning = Array.from({ length: macro.to - macro.from }, (_, at) => textOf(macro.list, macro.from + at, interner)).join(" ");
      return noteAt(module, "kept-keyword", `'${name}' is a keyword of the language and cannot be redefined`, location, {
        word: name,
        meaning,
      });
    }
    // `#define global __global` and `#define __device__ __device__ inline` do not change the meaning of the word.
    if (macro.to - macro.from <= 1) return;
  }
  const defined = openWhereContested(macro, file, flavour, interner);
  if (defined !== macro) {
    const message = `branches of this file disagree about whether '${name}' is a qualifier: it is treated as unknown`;
    noteAt(module, "contested-macro", message, macro.definition ?? locationOf(file, hash, end - 1));
  }
  module.environment.define(isOfOnePass(module) ? ofOnePass(defined) : defined);
}

/** True under a condition that tests for the compiler pass. */
function isOfOnePass({ stack }: Module): boolean {
  return stack.some(({ conditionals }) => conditionals.some(({ asksPass }) => asksPass));
}

/** True if the replacement contains the word itself, in some spelling. */
function keepsWord(macro: Macro, module: Module): boolean {
  const { interner, flavour } = module.job;
  const canonical = (text: string) => flavour.spellings.get(text) ?? text;
  const word = canonical(macro.name);
  for (let at = macro.from; at < macro.to; at += 1) if (canonical(textOf(macro.list, at, interner)) === word) return true;
  return false;
}

// ---------------------------------------------------------------- conditionals

interface Line {
  readonly name: string;
  readonly hash: number;
  readonly from: number;
  readonly end: number;
}

/** True if the directive belongs to a conditional. */
function obeyConditional(module: Module, reading: Reading, line: Line): boolean {
  const { conditionals, file } = reading;
  const current = conditionals[conditionals.length - 1];
  const branchStart = file.tokens.ends[line.end - 1] ?? 0;
  switch (line.name) {
    case "if":
    case "ifdef":
    case "ifndef": {
      const isOuterActive = isActive(reading);
      const decision = isOuterActive ? decide(module, reading, line, line.name) : undecided;
      const isAssumed = !decision.isTrue && isOuterActive && isIncludeFallback(module, reading, line);
      if (isAssumed) {
        const message = "this branch is taken: only a build can define the name, and it includes what the file needs";
        noteAt(module, "assumed-define", message, locationOf(file, line.hash, line.end - 1));
      }
      const isTrue = decision.isTrue || isAssumed;
      conditionals.push({
        wasTaken: isTrue,
        isActive: isTrue,
        isOuterActive,
        hadElse: false,
        asksPass: decision.asksPass,
        branchStart,
        location: locationOf(file, line.hash, line.end - 1),
      });
      return true;
    }
    case "elif":
    case "elifdef":
    case "elifndef":
      if (current === undefined || current.hadElse) stray(module, reading, line);
      else {
        endBranch(module, file, current, line);
        const decision =
          !current.wasTaken && current.isOuterActive ? decide(module, reading, line, line.name.replace("elif", "if")) : undecided;
        current.asksPass ||= decision.asksPass;
        take(current, decision.isTrue, branchStart);
      }
      return true;
    case "else":
      if (current === undefined || current.hadElse) stray(module, reading, line);
      else {
        endBranch(module, file, current, line);
        take(current, !current.wasTaken && current.isOuterActive, branchStart);
        current.hadElse = true;
      }
      return true;
    case "endif":
      if (current === undefined) stray(module, reading, line);
      else endBranch(module, file, current, line);
      conditionals.pop();
      return true;
    default:
      return false;
  }
}

interface Decision {
  readonly isTrue: boolean;
  readonly asksPass: boolean;
}

const undecided: Decision = { isTrue: false, asksPass: false };

/** Records a branch that only the device's compiler may read, at its end. */
function endBranch(
  { ofOnePass: found }: Module,
  { uri, tokens }: SourceFile,
  { asksPass, isActive: isRead, branchStart }: Conditional,
  { hash }: Line,
): void {
  if (asksPass && isRead) found.push({ uri, span: { start: branchStart, end: tokens.starts[hash] ?? branchStart } });
}

function take(conditional: Conditional, isTrue: boolean, branchStart: number): void {
  conditional.branchStart = branchStart;
  conditional.isActive = isTrue;
  conditional.wasTaken ||= isTrue;
}

function stray(module: Module, reading: Reading, { name, hash, end }: Line): void {
  noteAt(module, "malformed", `#${name} without its #if`, locationOf(reading.file, hash, end - 1));
}

function decide(module: Module, reading: Reading, line: Line, name: string): Decision {
  const hadAsked = module.hasAskedPass;
  module.hasAskedPass = false;
  const isTrue = name === "if" ? isConditionTrue(module, reading, line) : isNameDefined(module, reading, line) === (name === "ifdef");
  const asksPass = module.hasAskedPass;
  // A condition may be among the arguments of an invocation, which is tracked separately.
  module.hasAskedPass = hadAsked;
  return { isTrue, asksPass };
}

function isNameDefined(module: Module, { file: { tokens } }: Reading, { from, end }: Line): boolean {
  return from < end && tokens.kinds[from] === Kind.identifier && hasMacro(module, tokens.ids[from] ?? 0);
}

/** Whether a name has a macro, even if its expansion has exceeded a limit before. */
function hasMacro(module: Module, id: number): boolean {
  const macro = module.environment.test(id);
  if (macro?.isOfOnePass === true) module.hasAskedPass = true;
  return macro !== undefined;
}

function isConditionTrue(module: Module, reading: Reading, { from, end, hash }: Line): boolean {
  const { tokens, uri } = reading.file;
  const { interner, flavour } = module.job;
  const macroTokens: MacroToken[] = [];
  for (let at = from; at < end; at += 1) macroTokens.push(macroTokenAt(tokens, at, uri, interner));
  const expanded = bounded(module, 100_000, () => expand(macroTokens, conditionExpander(module, reading), undefined));
  if (expanded === undefined) module.isDegraded = true;
  const result = expanded === undefined ? undefined : evaluateCondition(expanded, flavour.cplusplus);
  if (result === undefined)
    noteAt(
      module,
      "malformed",
      "this condition is not an integer constant expression: it counts as false",
      locationOf(reading.file, hash, end - 1),
    );
  return result ?? false;
}

function conditionExpander(module: Module, reading: Reading): Expander {
  const { interner, words } = module.job;
  const operators: Operators = {
    isOperator: (id) => id === words.defined || words.operators.has(id),
    answer: (operator, operands) => {
      const value = operator.id === words.defined ? isDefined(module, operands) : has(module, reading, operator.text, operands);
      return madeToken(value ? "1" : "0", Kind.number, operator.spaced, interner);
    },
  };
  return { ...module.expander, operators };
}

function isDefined(module: Module, operands: readonly MacroToken[]): boolean {
  const name = operands[0];
  return name !== undefined && name.kind === Kind.identifier && hasMacro(module, name.id);
}

/** What compilers answer; for unknown builtins and features, the usual ones are assumed to exist. */
function has(module: Module, reading: Reading, operator: string, operands: readonly MacroToken[]): boolean {
  const first = operands[0];
  const name = first?.text ?? "";
  switch (operator) {
    case "__has_include":
    case "__has_include_next": {
      const direct = includedName(operands);
      const header = direct ?? includedName(expand(operands, module.expander, undefined) ?? []);
      if (header === undefined) return false;
      const { uri } = reading.file;
      return (
        module.job.resolver.resolve({
          ...header,
          isNext: operator.endsWith("next"),
          includer: uri,
          includePaths: module.job.settings.includePaths,
        }) !== undefined
      );
    }
    case "__has_attribute":
    case "__has_cpp_attribute":
    case "__has_c_attribute":
      return true;
    case "__has_builtin":
      return name.startsWith("__builtin_") || name.startsWith("__nvvm_");
    case "__has_feature":
      return module.job.flavour.cplusplus && name.startsWith("cxx_");
    case "__has_extension":
      return (
        first !== undefined &&
        (name.startsWith("cl_") ? module.environment.test(first.id) !== undefined : module.job.flavour.cplusplus && name.startsWith("cxx_"))
      );
    case "__is_identifier":
      return first?.kind === Kind.identifier;
    default:
      return false;
  }
}

/** `"name"` or `<name>` composed of tokens. */
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
 * True for a group `#ifdef X` of includes and definitions without another branch, where X is defined nowhere in the workspace.
 * OpenCL projects pass their headers to the run-time compiler that way and define X only in the build. Without the headers
 * nothing in the file is known, so the group is active; if it contains several headers, X counts as defined from here on.
 */
function isIncludeFallback(module: Module, reading: Reading, { name, from, end }: Line): boolean {
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
