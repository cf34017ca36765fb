/**
 * Executes directives (C11 §6.10): conditionals, definitions and pragmas. `branches.ts` decides which branches are taken, and
 * `includes.ts` handles includes. Other directives leave at most a note.
 */
import type { UnitLocation } from "../source.ts";
import type { Steps } from "../steps.ts";
import { type Decision, decide, isIncludeFallback, type Line, recordInactive, undecided } from "./branches.ts";
import { openIfConflicting } from "./conflicting-macros.ts";
import { Kind, textOf } from "./lexing/lexer.ts";
import { endOfDirective } from "./lexing/lines.ts";
import { type Macro, ofOnePass, readDefinition, specialMacro } from "./macros/macros.ts";
import { popMacro, pushMacro } from "./macros/pushed.ts";
import { type Conditional, type Job, locationOf, type Module, noteAt, type SourceFile, type TokenCursor } from "./module.ts";
import { fileOfPiece } from "./row.ts";

/** An `#include` to be executed. */
export interface IncludeDirective {
  readonly module: Module;
  readonly reading: TokenCursor;
  /** The tokens after the directive's name. */
  readonly from: number;
  readonly end: number;
  readonly kind: "include" | "include_next" | "import";
  readonly location: UnitLocation;
}

/** Receives each `#include` to be executed. */
export type Include = (directive: IncludeDirective) => void;
/** Executes an `#include`; implemented in `includes.ts`. */
export type IncludeInSteps = (directive: IncludeDirective) => Steps<void>;

function isActive(reading: TokenCursor): boolean {
  return reading.conditionals[reading.conditionals.length - 1]?.isActive !== false;
}

/** Executes the directive at `reading.at`, and skips the text that it makes inactive. */
export function executeDirective(module: Module, reading: TokenCursor, include: Include): void {
  executeNext(module, reading, include);
  skipInactive(module, reading, include);
}

/** Skips inactive text; true if there was any. */
export function skipInactive(module: Module, reading: TokenCursor, include: Include): boolean {
  const wasActive = isActive(reading);
  while (!isActive(reading) && reading.at < reading.file.tokens.count) executeNext(module, reading, include);
  return !wasActive;
}

/** Executes the next directive; if there is none, skips the rest of the tokens. */
function executeNext(module: Module, reading: TokenCursor, include: Include): void {
  const { directives, count } = reading.file.tokens;
  const hash = directives[reading.directive];
  if (hash === undefined) {
    reading.at = count;
    return;
  }
  reading.directive += 1;
  executeAt(module, reading, hash, include);
}

function executeAt(module: Module, reading: TokenCursor, hash: number, include: Include): void {
  const { file } = reading;
  const { tokens } = file;
  const end = endOfDirective(tokens, hash);
  reading.at = end;
  if (hash + 1 >= end) return;
  const from = hash + 2;
  const name = textOf(tokens, hash + 1, module.job.interner);
  if (executeConditional(module, reading, { name, hash, from, end }) || !isActive(reading)) return;
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
      if (from < end && textOf(tokens, from, module.job.interner) === "once") module.environment.define(onceMacro(module.job, file.uri));
      else
        executePragma(
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

/**
 * Executes `unroll` alone, and `OPENCL EXTENSION name : enable` (OpenCL C 3.0 §6.10), with `disable` instead, or for single
 * extensions also with `require`. `push_macro("N")` and `pop_macro("N")` keep and restore a macro.
 */
function executePragma(module: Module, words: readonly string[]): void {
  const [vendor, word, name, colon, behavior] = words;
  const pushed = word === "(" && colon === ")" ? /^"(\w+)"$/.exec(name ?? "")?.[1] : undefined;
  if (vendor === "push_macro" && pushed !== undefined) pushMacro(module.environment, pushed, module.job.interner);
  if (vendor === "pop_macro" && pushed !== undefined) popMacro(module.environment, pushed, module.job.interner);
  if (vendor === "unroll" && word === undefined && !module.isCollecting) module.unrolls.push(module.writer.length);
  if (vendor !== "OPENCL" || word !== "EXTENSION" || name === undefined || colon !== ":" || module.isCollecting) return;
  module.switches.push({ at: module.writer.length, name, isOn: behavior !== "disable" });
}

/** The name that stands for "this file was read and must be read only once". */
export function onceMacro({ interner }: Pick<Job, "interner">, uri: string): Macro {
  return specialMacro(`#once ${fileOfPiece(uri) ?? uri}`, "reserved", interner);
}

// ---------------------------------------------------------------- definitions

function define(module: Module, reading: TokenCursor, hash: number, from: number, end: number): void {
  const { file } = reading;
  const { interner, mode } = module.job;
  let macro = file.macros.get(hash);
  if (macro === undefined) {
    macro = readDefinition(file.tokens, from, end, file.uri, interner);
    if (macro === undefined) return noteAt(module, "malformed", "this definition cannot be read", locationOf(file, hash, end - 1));
    file.macros.set(hash, macro);
  }
  const { name } = macro;
  if (name === "defined" || module.environment.test(macro.id)?.special === "reserved" || mode.keywords.has(name)) {
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
  const { macro: defined, conflict } = openIfConflicting(macro, file, mode, interner, module.environment);
  if (conflict !== undefined) {
    const message = `branches of this file disagree about whether '${name}' is a qualifier: it is treated as unknown`;
    const { decidedBy } = conflict;
    const location = macro.definition ?? locationOf(file, hash, end - 1);
    noteAt(module, "conflicting-macro", message, location, decidedBy === undefined ? {} : { word: decidedBy });
  }
  module.environment.define(isOfOnePass(module) ? ofOnePass(defined) : defined);
}

/** True under a condition that tests for the compiler's pass. */
function isOfOnePass({ stack }: Module): boolean {
  return stack.some(({ conditionals }) => conditionals.some(({ testsPass }) => testsPass));
}

/** True if the replacement contains the word itself, in some spelling. */
function keepsWord(macro: Macro, module: Module): boolean {
  const { interner, mode } = module.job;
  const canonical = (text: string) => mode.spellings.get(text) ?? text;
  const word = canonical(macro.name);
  for (let at = macro.from; at < macro.to; at += 1) if (canonical(textOf(macro.list, at, interner)) === word) return true;
  return false;
}

// ---------------------------------------------------------------- conditionals

/** True if the directive belongs to a conditional. */
function executeConditional(module: Module, reading: TokenCursor, line: Line): boolean {
  const { conditionals, file } = reading;
  const current = conditionals[conditionals.length - 1];
  const branchStart = file.tokens.ends[line.end - 1] ?? 0;
  switch (line.name) {
    case "if":
    case "ifdef":
    case "ifndef": {
      const isOuterActive = isActive(reading);
      const decision = isOuterActive ? (assumed(module, file, line) ?? decide(module, reading, line, line.name)) : undecided;
      const isAssumed = !decision.isTrue && isOuterActive && isIncludeFallback(module, reading, line);
      if (isAssumed) {
        const message = "this branch is taken: only a build can define the name, and it includes what the file needs";
        noteAt(module, "assumed-define", message, locationOf(file, line.hash, line.end - 1));
      }
      const isTrue = decision.isTrue || isAssumed;
      if (isOuterActive && !isTrue) recordInactive(module, file, line, decision.reason);
      conditionals.push({
        wasTaken: isTrue,
        isActive: isTrue,
        isOuterActive,
        hadElse: false,
        testsPass: decision.testsPass,
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
          !current.wasTaken && current.isOuterActive
            ? (assumed(module, file, line) ?? decide(module, reading, line, line.name.replace("elif", "if")))
            : undecided;
        if (current.isOuterActive && !decision.isTrue) recordInactive(module, file, line, decision.reason);
        current.testsPass ||= decision.testsPass;
        take(current, decision.isTrue, branchStart);
      }
      return true;
    case "else":
      if (current === undefined || current.hadElse) stray(module, reading, line);
      else {
        endBranch(module, file, current, line);
        if (current.isOuterActive && current.wasTaken) recordInactive(module, file, line, undecided.reason);
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

/** The decision that the settings demand for a branch. */
function assumed({ job }: Module, { uri, tokens }: SourceFile, { hash }: Line): Decision | undefined {
  const { assumed: branches } = job.settings;
  const isTrue = branches?.uri === uri ? branches.taken.get(tokens.starts[hash] ?? 0) : undefined;
  return isTrue === undefined ? undefined : { isTrue, testsPass: false, reason: isTrue ? "" : "another branch is read" };
}

/** Records a branch that only the device's compiler may read, at its end. */
function endBranch(
  { ofOnePass: found }: Module,
  { uri, tokens }: SourceFile,
  { testsPass, isActive: isRead, branchStart }: Conditional,
  { hash }: Line,
): void {
  if (testsPass && isRead) found.push({ uri, span: { start: branchStart, end: tokens.starts[hash] ?? branchStart } });
}

function take(conditional: Conditional, isTrue: boolean, branchStart: number): void {
  conditional.branchStart = branchStart;
  conditional.isActive = isTrue;
  conditional.wasTaken ||= isTrue;
}

function stray(module: Module, reading: TokenCursor, { name, hash, end }: Line): void {
  noteAt(module, "malformed", `#${name} without its #if`, locationOf(reading.file, hash, end - 1));
}
