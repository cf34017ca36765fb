/**
 * Executes includes. At file scope a header that consists of whole declarations becomes a unit of its own, which is reused wherever
 * the macros that it consulted mean the same. The text of any other header is spliced into the View in place.
 */
import type { ForcedInclude } from "../dialect.ts";
import type { UnitLocation } from "../source.ts";
import type { Steps } from "../steps.ts";
import { includedName } from "./branches.ts";
import { areSameLimits, type Costs, charge, chargeHeader, costBetween, isAffordable, type LimitsLeft, limitsOf } from "./costs.ts";
import { type IncludeDirective, onceMacro } from "./directives.ts";
import { guardOf } from "./include-guard.ts";
import { Sign } from "./lexing/interner.ts";
import { textOf } from "./lexing/lexer.ts";
import { expand } from "./macros/expand.ts";
import { type MacroToken, macroTokenAt } from "./macros/macro-tokens.ts";
import { type Changes, type Consulted, Environment } from "./macros/macros.ts";
import { ask, bounded, type Conditional, type Job, type Module, noteAt, type SourceFile } from "./module.ts";
import { createModule } from "./new-module.ts";
import { defineFromMissing, ofDevicePass } from "./predefined.ts";
import { readFile, readPiece } from "./reader.ts";
import { forgetRefusals, refusalOf } from "./refusals.ts";
import type { Resolved } from "./resolve.ts";
import { fileOfPiece, longPiece } from "./row.ts";
import { emptyView } from "./view/origin.ts";
import type { IncludeSite, Unit } from "./view/view.ts";

/** A unit with its dependencies and effects. */
export interface CachedUnit {
  readonly file: SourceFile;
  readonly unit: Unit;
  /** The header turned out not to consist of whole declarations; then the other properties are not used. */
  readonly isFragment: boolean;
  readonly consulted: Consulted;
  readonly changes: Changes;
  /** The numbers of the names of all files that were read for it, in ascending order. */
  readonly files: Int32Array;
  readonly decisions: ReadonlyMap<string, string>;
  /** The number of brackets that its View leaves open, and the lowest number within it. */
  readonly depth: number;
  readonly lowest: number;
  /**
   * It ends inside of an item, or closes brackets that it has not opened. Only namespaces and `extern "C"` blocks may be opened in one
   * header and closed in another.
   */
  readonly isTorn: boolean;
  /** A header below it is torn, and was read as a unit nevertheless. */
  readonly hasTorn: boolean;
  /** Its View is empty, or ends at the end of an item. */
  readonly isEnded: boolean;
  /** The number of lines before it, if it uses `__LINE__`. */
  readonly linesBefore: number | undefined;
  /** How much of the top-level file's budget reading it took. */
  readonly cost: Costs;
  /**
   * What the limits left before it, if it reached one: only where they leave the same does it read the same again. After it,
   * `oversizedMacros` have exceeded one.
   */
  readonly limited: { readonly before: LimitsLeft; readonly oversizedMacros: ReadonlySet<number> } | undefined;
  /** The values of `__COUNTER__` before and after; absent if it was not used. */
  readonly counter: { readonly before: number; readonly after: number } | undefined;
}

/** Units that have been read, for reuse. */
export interface UnitCache {
  find(uri: string, job: Job, isUsable: (cached: CachedUnit) => boolean): CachedUnit | undefined;
  /** Returns what it keeps: the unit with a View that an earlier variant of the file has too. */
  add(uri: string, job: Job, cached: CachedUnit): CachedUnit;
  /** True while the workspace gives the same answers. */
  areCurrent(decisions: ReadonlyMap<string, string>, job: Job): boolean;
}

/** Reads a file as a unit of its own, on top of an environment. */
export function* readModule(
  job: Job,
  cache: UnitCache,
  environment: Environment,
  chain: readonly string[],
  file: SourceFile,
  before?: (module: Module) => Steps<void>,
): Steps<Module> {
  const module = createModule(job, environment, [...chain, file.uri], file.uri, 0);
  if (before !== undefined) yield* before(module);
  yield* readFile(module, file, undefined, (directive) => includeDirective(cache, directive));
  return module;
}

/** The state before a piece of a file. */
export interface PieceStart {
  readonly conditionals: readonly Conditional[];
  readonly lines: number;
  /** The files around it, the compiled one first. */
  readonly chain: readonly string[];
  /** The pieces of a header may follow it. */
  readonly mayBeFollowed: boolean;
}

/**
 * The length in characters of a class whose lines are aligned like those of a long piece: a body of a member can only be replaced in the
 * model if an edit leaves the members behind it where they are.
 */
const longClass = 512;
const classHead = /\b(?:class|struct)\s[^;(){}]*\{/;

/** Reads a piece of a file as a unit of its own; also returns the conditionals that are open after it. */
export function* readPieceModule(
  job: Job,
  cache: UnitCache,
  environment: Environment,
  file: SourceFile,
  start: PieceStart,
  before?: (module: Module) => Steps<void>,
): Steps<{ readonly module: Module; readonly conditionals: readonly Conditional[] }> {
  const { text } = file.tokens;
  // Macros may make the View of a short text long.
  const alignsFrom = text.length >= longPiece || (text.length >= longClass && classHead.test(text)) ? 0 : longPiece;
  const module = createModule(job, environment, [...start.chain], file.uri, start.lines, alignsFrom);
  if (start.mayBeFollowed) module.follower = { header: undefined };
  if (before !== undefined) yield* before(module);
  const conditionals = yield* readPiece(module, file, start.conditionals, (directive) => includeDirective(cache, directive));
  return { module, conditionals };
}

/** The unit of a module. Headers without tokens get an empty View, which costs nothing to parse. */
function unitOf(module: Module): Unit {
  const { uri, writer, includes, notes, inactiveBranches, switches, unrolls, ofOnePass, spliced, unread } = module;
  const isEmpty = module.last === 0 && module.chain.length > 1 && fileOfPiece(uri) === undefined;
  const view = isEmpty ? emptyView(uri) : writer.finish(uri);
  const sites = isEmpty ? includes.map((site) => ({ ...site, at: 0 })) : includes;
  const testsArchitecture = [...ofDevicePass].some((name) => module.environment.hasConsulted(module.job.interner.idOf(name)));
  const includeQuestions = module.questions.groups();
  const lookedUpNames = [...module.decisions.keys()].map((question) => question.slice(question.indexOf(" ") + 1));
  const switched = isEmpty ? switches.map((each) => ({ ...each, at: 0 })) : switches;
  const listed = {
    ...(switched.length === 0 ? {} : { switches: switched }),
    ...(inactiveBranches.length === 0 ? {} : { inactiveBranches }),
    ...(unrolls.length === 0 ? {} : { unrolls: [...unrolls] }),
    ...(ofOnePass.length === 0 ? {} : { ofOnePass: [...ofOnePass] }),
  };
  return {
    uri,
    view,
    includes: sites,
    notes,
    ...listed,
    spliced: [...spliced],
    unread: [...unread],
    ...(includeQuestions.length === 0 ? {} : { includeQuestions }),
    ...(lookedUpNames.length === 0 ? {} : { lookedUpNames }),
    ...(testsArchitecture ? { testsArchitecture: true } : {}),
  };
}

/** The cache entry of a header, with everything that reading it consulted. */
export function cachedUnitOf(module: Module, file: SourceFile, counterBefore: number): CachedUnit {
  const { environment, files, decisions, job } = module;
  const cost = costBetween(module.limits.budget, job.budget);
  const counter = module.usesCounter ? { before: counterBefore, after: job.counter } : undefined;
  const isFragment = module.depth !== 0 || module.lowest < 0 || !(isEnd(module.last) || isLoneWord(module));
  return {
    file,
    unit: unitOf(module),
    isFragment,
    consulted: environment.consulted,
    changes: environment.changes,
    files: Int32Array.from(files).sort(),
    decisions,
    depth: module.depth,
    lowest: module.lowest,
    isTorn: module.lowest < 0 || module.depth > module.scopes || module.head !== "nothing",
    hasTorn: module.hasTorn,
    isEnded: isEnd(module.last),
    linesBefore: module.usesLine ? module.linesBefore : undefined,
    cost,
    limited: module.isDegraded ? { before: module.limits, oversizedMacros: limitsOf(job).oversizedMacros } : undefined,
    counter,
  };
}

/** Takes from the limits of a job what reading a unit, which is reused, took. */
export function takeLimits({ budget, oversizedMacros }: Job, { cost, limited }: CachedUnit): void {
  charge(budget, cost);
  for (const id of limited?.oversizedMacros ?? []) oversizedMacros.add(id);
}

/** True if a unit is the same within what a job has left of its limits. */
function isWithinLimits({ cost, limited, consulted }: CachedUnit, { budget, oversizedMacros }: Job): boolean {
  if (limited === undefined)
    return isAffordable(budget, cost) && (oversizedMacros.size === 0 || !consulted.defined.ids.some((id) => oversizedMacros.has(id)));
  return areSameLimits(limited.before, { budget, oversizedMacros });
}

function* includeDirective(cache: UnitCache, { module, reading, from, end, kind, location }: IncludeDirective): Steps<void> {
  // Compilers reject it inside of an invocation's arguments.
  if (module.isCollecting) return;
  const { tokens, uri } = reading.file;
  const { interner } = module.job;
  module.writer.blank(tokens.ends[end - 1] ?? 0);
  const macroTokens: MacroToken[] = [];
  for (let at = from; at < end; at += 1) macroTokens.push(macroTokenAt(tokens, at, uri, interner));
  const direct = bracketedName(tokens.text, tokens.ids[from] === Sign.less ? (tokens.ends[from] ?? 0) : -1) ?? includedName(macroTokens);
  const isNext = kind === "include_next";
  if (direct !== undefined) {
    yield* include(cache, module, printHeader(direct), ask(module, uri, { ...direct, isNext }), location, kind === "import");
    return;
  }
  const computed = includedName(bounded(module, 10_000, () => expand(macroTokens, module.expander, undefined)) ?? []);
  const resolved = computed === undefined ? undefined : ask(module, uri, { ...computed, isNext });
  // If the path contains a macro that only the build defines, the file's own name can still be read.
  const written = computed?.name ?? tokens.text.slice(tokens.starts[from] ?? location.span.end, location.span.end);
  const trailing = trailingName(written);
  const found = resolved ?? (trailing === undefined ? undefined : ask(module, uri, { trailing }));
  yield* include(cache, module, computed === undefined ? written : printHeader(computed), found, location, kind === "import");
}

function printHeader({ name, isQuoted }: { readonly name: string; readonly isQuoted: boolean }): string {
  return isQuoted ? `"${name}"` : `<${name}>`;
}

/** The text in angle brackets as the author wrote it: `//` does not begin a comment there. */
function bracketedName(text: string, start: number): { readonly name: string; readonly isQuoted: boolean } | undefined {
  if (start < 0) return undefined;
  const line = /^[^>\r\n]*>/.exec(text.slice(start, start + 1024))?.[0];
  return line === undefined ? undefined : { name: line.slice(0, -1).trim(), isQuoted: false };
}

/** The file name at the end of `M2S(PATH/inc_vendor.h)`. */
function trailingName(written: string): string | undefined {
  const tail = written.slice(-256).replace(/[^\w.+-]+$/, "");
  const name = tail.slice(tail.search(/[\w.+-]*$/));
  return /\.\w+$/.test(name) ? name : undefined;
}

function* include(
  cache: UnitCache,
  module: Module,
  name: string,
  resolved: Resolved | undefined,
  location: UnitLocation,
  isOnce: boolean,
): Steps<void> {
  const { job } = module;
  const fail = (kind: "missing-header" | "unread-header" | "include-cycle" | "include-depth" | "too-large", message: string) => {
    noteAt(module, kind, message, location, kind === "missing-header" ? { header: name } : {});
    module.includes.push(siteOf(module, name, location));
  };
  if (resolved === undefined) {
    defineFromMissing(name, module.environment, job.interner);
    return fail("missing-header", `${name} is not in the workspace or the include paths`);
  }
  const { uri } = resolved;
  // Only the piece's own `#include` is at file scope.
  const follower = resolved.isUnread || module.stack.length > 1 ? undefined : module.follower;
  const guard = follower === undefined ? undefined : job.guardByPieces?.(uri);
  if (follower !== undefined && guard !== undefined) {
    const isRead = !isSkipped(module, uri, guard, isOnce);
    follower.header = { uri, guard, isRead };
    if (isRead) module.includes.push({ ...siteOf(module, name, location), isFollowed: true });
    return;
  }
  const file = resolved.isUnread ? "unread" : job.source(uri);
  module.files.add(job.interner.idOf(uri));
  if (file === "unread") {
    module.unread.add(uri);
    return fail("unread-header", `${name} has not been read yet`);
  }
  if (file === "absent") return fail("missing-header", `${name} cannot be read`);
  if (file === "too-large") return fail("too-large", `${name} is too large`);
  file.guard ??= guardOf([file.tokens], job.interner);
  if (isSkipped(module, uri, file.guard, isOnce)) return;
  chargeHeader(job.budget, file.tokens.text.length);
  const refusal = refusalOf(module.chain, uri, job);
  if (refusal !== undefined) {
    module.isDegraded = true;
    module.isRefused = true;
    return refusal === "include-cycle"
      ? fail(refusal, `${name} includes itself`)
      : fail(refusal, `${name} is not included: there are too many includes`);
  }
  // A file is split into tokens in one step.
  yield;
  if (!isAtFileScope(module, file) || !(yield* includeModule(cache, module, name, file, location))) {
    module.spliced.add(uri);
    module.chain.push(uri);
    yield* readFile(module, file, location, (directive) => includeDirective(cache, directive));
    module.chain.pop();
  }
  if (module.chain.length === 1) forgetRefusals(job.refused);
}

/** True if a header must not be read again; otherwise it is marked as read if its `#include` says that it is read once. */
function isSkipped(module: Module, uri: string, guard: number, isOnce: boolean): boolean {
  const { environment } = module;
  const once = onceMacro(module.job, uri);
  if (environment.test(once.id) !== undefined || (guard !== 0 && environment.test(guard) !== undefined)) return true;
  if (isOnce) environment.define(once);
  return false;
}

/** True if no bracket is open and no declaration has begun. An unknown macro may be a declaration by itself: `FOO_BEGIN`, `FOO(x)`. */
function isAtFileScope(module: Module, { tokens }: SourceFile): boolean {
  const { depth, last, job } = module;
  if (depth !== 0) return false;
  if (isEnd(last)) return true;
  if (last !== Sign.closeParenthesis && !isLoneWord(module)) return false;
  const first = tokens.count === 0 ? "" : textOf(tokens, 0, job.interner);
  return first === "#";
}

/** `FOO_END` by itself: an undefined macro, rather than the start of a declaration. */
function isLoneWord({ last, sinceEnd }: Module): boolean {
  return last === -1 && sinceEnd === 1;
}

function isEnd(last: number): boolean {
  return last === 0 || last === Sign.semicolon || last === Sign.closeBrace;
}

/** Takes a header's unit from the cache, or reads it; false if it turns out not to consist of whole declarations. */
function* includeModule(cache: UnitCache, module: Module, name: string, file: SourceFile, location: UnitLocation): Steps<boolean> {
  const { job, environment } = module;
  const known = cache.find(file.uri, job, (entry) => isReusable(cache, entry, file, job, environment));
  if (known !== undefined) takeLimits(job, known);
  const cached = known ?? (yield* readHeader(cache, module, file));
  if (cached.limited !== undefined) module.isDegraded = true;
  if (known !== undefined) environment.consult(known.consulted);
  if (cached.counter !== undefined) module.usesCounter = true;
  for (const file of cached.files) module.files.add(file);
  for (const [question, answer] of cached.decisions) module.decisions.set(question, answer);
  environment.consultNested(cached.consulted);
  if (cached.isFragment) {
    const isDefined = (macro: number): boolean => environment.test(macro) !== undefined || cached.changes.ids.includes(macro);
    if (!cached.isTorn || !isReadOnce(job, file.uri, file.guard ?? 0, isDefined)) return false;
    module.hasTorn = true;
  }
  if (cached.hasTorn) module.hasTorn = true;
  environment.apply(cached.changes);
  job.counter = cached.counter?.after ?? job.counter;
  module.includes.push({ ...siteOf(module, name, location), unit: cached.unit });
  return true;
}

/**
 * True for a header that is read once: it has a guard, or `#pragma once` or `#import` has marked it. Such a header consists of whole
 * declarations, so if it is torn, its author is typing in it. As a unit or a list of its own, it costs no more than before; spliced in
 * place, it would make all that follows it a part of its last item.
 */
export function isReadOnce(job: Job, uri: string, guard: number, isDefined: (macro: number) => boolean): boolean {
  return guard !== 0 || isDefined(onceMacro(job, uri).id);
}

function siteOf({ writer, switches }: Module, name: string, location: UnitLocation): IncludeSite {
  return { at: writer.length, name, location, ...(switches.length === 0 ? {} : { switchesBefore: switches.length }) };
}

function* readHeader(cache: UnitCache, module: Module, file: SourceFile): Steps<CachedUnit> {
  const { job } = module;
  const before = job.counter;
  const inner = yield* readModule(job, cache, new Environment(job.interner, module.environment), module.chain, file);
  const cached = cachedUnitOf(inner, file, before);
  job.counter = before;
  if (!inner.isRefused) return cache.add(file.uri, job, cached);
  module.isRefused = true;
  return cached;
}

/**
 * True if reading would give the same Unit again: the text is the same, though its tokens may have been dropped meanwhile, the macros that
 * it consulted have the same values, and no limit cuts it off elsewhere.
 */
export function isReusable(cache: UnitCache, entry: CachedUnit, file: SourceFile, job: Job, environment: Environment): boolean {
  if (entry.file !== file && entry.file.tokens.text !== file.tokens.text) return false;
  if (entry.counter !== undefined && entry.counter.before !== job.counter) return false;
  return isWithinLimits(entry, job) && environment.agrees(entry.consulted) && cache.areCurrent(entry.decisions, job);
}

/** `-include FILE`: the file in the folder where the build runs, or else a quoted include in the first line. */
export function* includeForced(cache: UnitCache, module: Module, { name, uri }: ForcedInclude, location: UnitLocation): Steps<void> {
  const found = ask(module, module.uri, { uri }) ?? ask(module, module.uri, { name, isQuoted: true, isNext: false });
  yield* include(cache, module, printHeader({ name, isQuoted: true }), found, location, false);
}
