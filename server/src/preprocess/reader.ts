/** Reads a file's tokens into the View: keeps them, respells them, or expands the macros that they invoke. */
import type { UnitLocation } from "../source.ts";
import type { Steps } from "../steps.ts";
import { isFull } from "./costs.ts";
import { executeDirective, type Include, type IncludeDirective, type IncludeInSteps, skipInactive } from "./directives.ts";
import { Sign } from "./lexing/interner.ts";
import { Flag, Kind, type TokenList, textOf } from "./lexing/lexer.ts";
import { isDirective } from "./lexing/lines.ts";
import { type Expander, expand, type Supply } from "./macros/expand.ts";
import { type MacroToken, macroTokenAt } from "./macros/macro-tokens.ts";
import type { Macro } from "./macros/macros.ts";
import {
  bounded,
  type Conditional,
  locationOf,
  type Module,
  noteAt,
  type SourceFile,
  type TokenCursor,
  track,
  type Words,
} from "./module.ts";

/** How many tokens one invocation may create; beyond that, it stays unexpanded. */
const largestExpansion = 300_000;

/** An expansion of so many tokens is aligned in a piece's View. */
const longExpansion = 256;

/** Reads a whole file, in steps; `site` is the include that it is spliced in at. */
export function* readFile(module: Module, file: SourceFile, site: UnitLocation | undefined, include: IncludeInSteps): Steps<void> {
  const open = yield* readTokens(module, file, site, [], include);
  for (const { location } of open) noteAt(module, "malformed", "this conditional is not closed", location);
}

/** Reads a piece of a file inside of these conditionals; returns those that are open after it. */
export function* readPiece(
  module: Module,
  file: SourceFile,
  outer: readonly Conditional[],
  include: IncludeInSteps,
): Steps<readonly Conditional[]> {
  const conditionals = outer.map((each) => ({ ...each, branchStart: 0 }));
  const left = yield* readTokens(module, file, undefined, conditionals, include);
  const end = file.tokens.text.length;
  for (const { testsPass, isActive, branchStart } of left)
    if (testsPass && isActive) module.ofOnePass.push({ uri: file.uri, span: { start: branchStart, end } });
  return left;
}

/** How many tokens and directives are read in one step. A step takes a few milliseconds. */
const tokensInStep = 4_096;

/** Reads tokens inside of `conditionals`; returns the conditionals that are open at the end. */
function* readTokens(
  module: Module,
  file: SourceFile,
  site: UnitLocation | undefined,
  conditionals: Conditional[],
  executeInclude: IncludeInSteps,
): Steps<readonly Conditional[]> {
  // Only a directive outside of invocations can include anything; that is executed separately.
  const wanted: IncludeDirective[] = [];
  const include: Include = (directive) => void wanted.push(directive);
  const { tokens } = file;
  const { kinds, flags, starts, ends, ids, count } = tokens;
  const { writer } = module;
  const reading: TokenCursor = { file, at: 0, directive: 0, conditionals };
  module.stack.push(reading);
  writer.open(file.uri, tokens.text, site);
  if (skipInactive(module, reading, include)) writer.blank(ends[reading.at - 1] ?? 0);
  let left = tokensInStep;
  while (reading.at < count) {
    left -= 1;
    if (left === 0) {
      left = tokensInStep;
      yield;
    }
    const at = reading.at;
    const flag = flags[at] ?? 0;
    if (ids[at] === Sign.hash && (flag & Flag.startsLine) !== 0) {
      executeDirective(module, reading, include);
      for (const directive of wanted.splice(0)) {
        yield* executeInclude(directive);
        // When nothing more can be included, the rest of each header is skipped. Otherwise each level would execute all of its
        // directives.
        if (module.chain.length > 1 && isFull(module.job.budget)) reading.at = count;
      }
      writer.blank(ends[reading.at - 1] ?? 0);
      continue;
    }
    reading.at = at + 1;
    const start = starts[at] ?? 0;
    const end = ends[at] ?? 0;
    if ((flag & Flag.startsLine) !== 0 && module.depth > 0 && writer.length >= module.alignsFrom) writer.align(start);
    if ((flag & Flag.dirtyGap) !== 0) writer.gap(start);
    const kind = kinds[at] ?? Kind.other;
    const id = ids[at] ?? 0;
    if (kind === Kind.identifier && readIdentifier(module, reading, at, id, include)) continue;
    if ((flag & Flag.dirtyText) !== 0) writer.respell(start, end, textOf(tokens, at, module.job.interner));
    else writer.keep(start, end);
    track(module, kind, id);
  }
  if (tokens.unclosed !== undefined)
    noteAt(module, "malformed", "this comment or literal is not closed", {
      uri: file.uri,
      span: { start: tokens.unclosed, end: tokens.text.length },
    });
  writer.close();
  module.stack.pop();
  return reading.conditionals;
}

/** Writes an identifier that is expanded, respelled or removed; false if it is to be kept as it is. */
function readIdentifier(module: Module, reading: TokenCursor, at: number, id: number, include: Include): boolean {
  const { job, writer } = module;
  const { tokens } = reading.file;
  const macro = module.expander.macroOf(id);
  if (macro !== undefined) return macro.special === "reserved" ? false : invoke(module, reading, at, macro, module.expander, include);
  const spelling = job.spellings.get(id);
  if (spelling !== undefined) {
    if (id === job.words.private && isAccessSpecifier(module, tokens, at)) return false;
    writer.respell(tokens.starts[at] ?? 0, tokens.ends[at] ?? 0, spelling);
    if (spelling !== "") track(module, Kind.identifier, id);
    return true;
  }
  if (id === job.words.pipe && isQualifyingPipe(module, tokens, at)) {
    writer.respell(tokens.starts[at] ?? 0, tokens.ends[at] ?? 0, "__read_only pipe");
    track(module, Kind.identifier, id);
    return true;
  }
  if (id === job.words.pragma && isPragma(tokens, at)) {
    reading.at = at + 4;
    writer.gap(tokens.ends[at + 3] ?? 0);
    return true;
  }
  if (!job.interner.isCapital(id)) return false;
  const meaning = meaningAt(module, tokens, at, id);
  if (meaning === undefined) return false;
  const expander = { ...module.expander, macroOf: (other: number) => (other === id ? meaning : module.expander.macroOf(other)) };
  return invoke(module, reading, at, meaning, expander, include);
}

/** Distinguishes C++'s access specifiers, `private:` and `: private Base`, from the address space of that name. */
function isAccessSpecifier({ job, last, brackets }: Module, tokens: TokenList, at: number): boolean {
  if (!job.mode.hasAccessSpecifiers) return false;
  const next = tokens.ids[at + 1];
  return next === Sign.colon || last === Sign.colon || (last === Sign.comma && brackets[brackets.length - 1] !== true);
}

/** Words that can begin the type of a packet. After any other word, the following name decides. */
const pipedWord =
  /^(?:struct|unsigned|signed|(?:__)?(?:read_only|write_only|read_write)|u?(?:char|short|int|long)\d*|(?:float|double|half)\d*|bool)$/;

/**
 * OpenCL's `pipe int p`, which is read only by default (OpenCL C 3.0 §6.8). The grammar accepts the word only after an access
 * qualifier, because programs may use it as a name.
 */
function isQualifyingPipe({ job }: Module, tokens: TokenList, at: number): boolean {
  if (job.mode.key === "cuda") return false;
  const before = at > 0 ? textOf(tokens, at - 1, job.interner) : "";
  if (/^(?:(?:__)?(?:read|write)_only|struct|union|enum|\.|->)$/.test(before)) return false;
  const next = at + 1 < tokens.count && !isDirective(tokens, at + 1) ? textOf(tokens, at + 1, job.interner) : "";
  if (pipedWord.test(next)) return true;
  return tokens.kinds[at + 1] === Kind.identifier && tokens.kinds[at + 2] === Kind.identifier;
}

/** `_Pragma ( "…" )` */
function isPragma(tokens: TokenList, at: number): boolean {
  return (
    tokens.ids[at + 1] === Sign.openParenthesis && tokens.kinds[at + 2] === Kind.string && tokens.ids[at + 3] === Sign.closeParenthesis
  );
}

/** The workspace's meaning of a name that is not a macro in this translation unit, at a place where only a qualifier can be. */
function meaningAt(module: Module, tokens: TokenList, at: number, id: number): Macro | undefined {
  const next = at + 1;
  const isEnd = next >= tokens.count || isDirective(tokens, next);
  const following = isEnd ? "" : textOf(tokens, next, module.job.interner);
  if (isEnd || !couldQualify(module.last, following)) return undefined;
  const { workspace, interner } = module.job;
  const meaning = workspace.meaningOf(id);
  module.decisions.set(`meaning ${interner.textOf(id)}`, meaning?.key ?? "");
  // A name that every file defines as empty may be an include guard, and a type's name here.
  return meaning !== undefined && meaning.from === meaning.to && !startsDeclaration(following, module) ? undefined : meaning;
}

/** True if a word follows, as after every qualifier, or something that may follow a qualifier after a type or a `*`. */
function couldQualify(previous: number, following: string): boolean {
  return /^[A-Za-z_]/.test(following) ? previous !== Sign.equals : /^[*&,)]$/.test(following);
}

const declarationWords = new Set([
  "void",
  "bool",
  "char",
  "short",
  "int",
  "long",
  "float",
  "double",
  "half",
  "signed",
  "unsigned",
  "const",
  "volatile",
  "static",
  "extern",
  "inline",
  "struct",
  "union",
  "enum",
  "typedef",
  "template",
  "constexpr",
  "auto",
  "virtual",
]);

function startsDeclaration(word: string, { job }: Module): boolean {
  return declarationWords.has(word) || job.mode.keywords.has(word);
}

/** Expands the invocation whose name is at `at`; false if it is not an invocation or must stay as it is. */
function invoke(module: Module, reading: TokenCursor, at: number, macro: Macro, expander: Expander, include: Include): boolean {
  const { job, writer } = module;
  const { file, directive } = reading;
  const supply = supplyOf(module, reading, include);
  module.hasTestedPass = macro.isOfOnePass === true;
  // The expander would find that out itself. The test here is faster for the many functions and variables with a macro's name.
  if (macro.parameters !== undefined && !supply.isCallNext()) {
    if (file.tokens.ids[reading.at] === Sign.openParenthesis)
      noteAt(module, "macro-arguments", `'${macro.name}' is not expanded: its arguments have no end`, locationOf(file, at, reading.at));
    return false;
  }
  const expanded = bounded(module, largestExpansion, () =>
    expand([macroTokenAt(file.tokens, at, file.uri, job.interner)], expander, supply),
  );
  const isAffordable = (expanded?.length ?? 0) <= Math.max(1, job.budget.written);
  if (!isAffordable) job.budget.written = 0;
  const macroTokens = isAffordable ? expanded : undefined;
  const last = reading.at - 1;
  const isLeft = macroTokens === undefined || macroTokens[0]?.index === at;
  if (macroTokens === undefined) {
    noteAt(module, "macro-limit", `'${macro.name}' is not expanded: its expansion is too long`, locationOf(file, at, last));
    job.oversizedMacros.add(macro.id);
    module.isDegraded = true;
  }
  if (isLeft && macroTokens !== undefined && macro.parameters !== undefined)
    noteAt(
      module,
      "macro-arguments",
      `'${macro.name}' is not expanded: the number of arguments does not match`,
      locationOf(file, at, last),
    );
  if (isLeft && reading.directive === directive) {
    reading.at = at + 1;
    return false;
  }
  if (macroTokens === undefined) {
    // The directives among the arguments have been executed and cannot be executed again.
    writer.keep(file.tokens.starts[at] ?? 0, file.tokens.ends[at] ?? 0);
    writer.blank(file.tokens.ends[last] ?? 0);
    track(module, Kind.identifier, macro.id);
    return true;
  }
  if (module.hasTestedPass) module.ofOnePass.push(locationOf(file, at, last));
  const written = withoutPragmas(macroTokens, job.words);
  job.budget.written -= written.length;
  const spell = (token: MacroToken) => (token.kind === Kind.identifier ? (job.spellings.get(token.id) ?? token.text) : token.text);
  if (module.depth > 0 && written.length >= longExpansion && module.alignsFrom < Number.POSITIVE_INFINITY)
    writer.alignExpansion(file.tokens.starts[at] ?? 0);
  writer.expand(file.tokens, at, last, macro, written, spell);
  for (const token of written) track(module, token.kind, token.id);
  return true;
}

/** The tokens after an invocation's name. */
function supplyOf(module: Module, reading: TokenCursor, include: Include): Supply {
  const { file } = reading;
  const { tokens, uri } = file;
  return {
    // A directive between a name and its parenthesis ends the search, as in clang.
    isCallNext: () => tokens.ids[reading.at] === Sign.openParenthesis && canClose(module, reading, include),
    next: () => {
      const at = nextToken(module, reading, include);
      return at < 0 ? undefined : macroTokenAt(tokens, at, uri, module.job.interner);
    },
  };
}

/** The next active token's index, or -1; directives before it are executed. */
function nextToken(module: Module, reading: TokenCursor, include: Include): number {
  const { tokens } = reading.file;
  while (reading.at < tokens.count) {
    if (!isDirective(tokens, reading.at)) {
      reading.at += 1;
      return reading.at - 1;
    }
    module.isCollecting = true;
    executeDirective(module, reading, include);
    module.isCollecting = false;
  }
  return -1;
}

/**
 * True if the parenthesis at `reading.at` is closed. While the user types it often is not, and then all following code would become
 * an argument. Branches of conditionals can make the count of brackets wrong. If the count is in doubt, the end is searched for by
 * trial, a few times per file.
 */
function canClose(module: Module, reading: TokenCursor, include: Include): boolean {
  reading.file.closings ??= closingsOf(reading.file.tokens);
  if ((reading.file.closings[reading.at] ?? -1) >= 0) return true;
  if (module.trials === 0 || reading.file.tokens.directives.length === reading.directive) return false;
  module.trials -= 1;
  const { at, directive } = reading;
  const conditionals = reading.conditionals.map((conditional) => ({ ...conditional }));
  const restore = module.environment.snapshot();
  const known = module.ofOnePass.length;
  const { ids } = reading.file.tokens;
  let depth = 0;
  let isClosed = false;
  for (let next = nextToken(module, reading, include); next >= 0 && !isClosed; next = nextToken(module, reading, include)) {
    if (ids[next] === Sign.openParenthesis) depth += 1;
    else if (ids[next] === Sign.closeParenthesis) depth -= 1;
    isClosed = depth === 0;
  }
  restore();
  module.ofOnePass.length = known;
  reading.at = at;
  reading.directive = directive;
  reading.conditionals = conditionals;
  return isClosed;
}

/** For each opening parenthesis the index of its closing one, or -1, counting all tokens outside of directives. */
function closingsOf(tokens: TokenList): Int32Array {
  const closings = new Int32Array(tokens.count).fill(-1);
  const open: number[] = [];
  let isInDirective = false;
  for (let at = 0; at < tokens.count; at += 1) {
    if (((tokens.flags[at] ?? 0) & Flag.startsLine) !== 0) isInDirective = tokens.ids[at] === Sign.hash;
    if (isInDirective) continue;
    const id = tokens.ids[at];
    if (id === Sign.openParenthesis) open.push(at);
    else if (id === Sign.closeParenthesis) {
      const start = open.pop();
      if (start !== undefined) closings[start] = at;
    }
  }
  return closings;
}

/**
 * The tokens without pragmas, which have no effect on the View: `_Pragma("…")`, and a `#pragma` from a macro, which is not a
 * directive in the standard but is one for nvcc.
 */
function withoutPragmas(macroTokens: readonly MacroToken[], { pragma, pragmaName }: Words): readonly MacroToken[] {
  if (macroTokens[0]?.id === Sign.hash && macroTokens[1]?.id === pragmaName) return [];
  if (!macroTokens.some(({ id }) => id === pragma)) return macroTokens;
  const kept: MacroToken[] = [];
  for (let at = 0; at < macroTokens.length; at += 1) {
    const token = macroTokens[at] as MacroToken;
    const isOperator =
      token.id === pragma &&
      macroTokens[at + 1]?.id === Sign.openParenthesis &&
      macroTokens[at + 2]?.kind === Kind.string &&
      macroTokens[at + 3]?.id === Sign.closeParenthesis;
    if (isOperator) at += 3;
    else kept.push(token);
  }
  return kept;
}
