/**
 * The preprocessor: reads a file's tokens, obeys directives, expands macros, and writes the View. Headers included at file
 * scope become units of their own, cached under the values of just those macros that they consulted; any other include is
 * spliced into the View where it stands.
 *
 * Two liberties, both for code whose build we do not see. An include whose computed path cannot be resolved is looked up by
 * its trailing file name. And in OpenCL a group `#ifdef X` that holds nothing but includes, where X is defined nowhere, is
 * taken: projects hand their headers to the run-time compiler that way and define X only in the build.
 */
import type { CompileSettings, Dialect } from "../dialect.ts";
import type { Files, Location, Source } from "../source.ts";
import { canonicalSpelling, isKeyword } from "./canonical.ts";
import { evaluateCondition } from "./condition.ts";
import { expand, type ExpansionState, macroOf, type Piece, pieceOf } from "./expand.ts";
import { type Token, tokenize } from "./lexer.ts";
import { type Consulted, Environment, type Macro, readDefinition } from "./macros.ts";
import { predefined } from "./predefined.ts";
import { createResolver, type Resolver } from "./resolve.ts";
import type { IncludeSite, PreprocessorNote, Unit } from "./view.ts";
import { createViewBuilder, type ViewBuilder } from "./view-builder.ts";

export interface Preprocessor {
  /** The unit of a file that is compiled by itself. `prelude` is read before its first line. */
  unit(uri: string, dialect: Dialect, settings: CompileSettings, prelude?: Source): Unit | "absent" | "unread";
  /** These files changed, came or went. */
  forget(uris: readonly string[]): void;
}

/** How deep includes may nest. */
const deepestInclude = 100;
/** Tokens that expansion may make in one file; beyond, invocations stay unexpanded. */
const expansionBudget = 1_000_000;

/** Bounds of the caches, in files; a large workspace is read once and not kept. */
const unitsKept = 64;
const tokenizedKept = 256;
const headersKept = 1024;
/** How many readings of one header, under different macros, are kept. */
const readingsKept = 16;

interface CachedUnit {
  readonly text: string;
  readonly consulted: Consulted;
  readonly changes: Consulted;
  readonly once: readonly string[];
  readonly unit: Unit;
}

interface CachedMain extends Pick<CachedUnit, "text" | "consulted" | "unit"> {
  readonly settings: CompileSettings;
}

interface Shared {
  readonly files: Files;
  readonly resolver: Resolver;
  readonly headers: Map<string, CachedUnit[]>;
  readonly tokens: Map<string, { readonly text: string; readonly tokens: readonly Token[] }>;
}

export function createPreprocessor(files: Files): Preprocessor {
  const shared: Shared = { files, resolver: createResolver(files), headers: new Map(), tokens: new Map() };
  const mains = new Map<string, CachedMain[]>();
  const bases = new WeakMap<CompileSettings, Map<string, Environment>>();
  const baseOf = (dialect: Dialect, settings: CompileSettings): Environment => {
    const perSettings = bases.get(settings) ?? new Map<string, Environment>();
    bases.set(settings, perSettings);
    const key = keyOf(dialect);
    const base = perSettings.get(key) ?? predefined(dialect, settings);
    perSettings.set(key, base);
    return base;
  };
  return {
    unit: (uri, dialect, settings, prelude) => {
      const text = files.read(uri);
      if (text === "absent" || text === "unread") return text;
      const environment = new Environment(baseOf(dialect, settings));
      const key = `${uri} ${readingOf(dialect)} ${prelude?.text.length ?? 0}`;
      const readings = (mains.get(key) ?? []).filter((entry) => entry.text === text && entry.settings === settings);
      const cached = readings.find((entry) => environment.agrees(entry.consulted));
      if (cached !== undefined) return cached.unit;
      const unit = new Run(shared, dialect, settings, environment, new Set()).file(uri, text, [uri], prelude);
      mains.delete(key);
      mains.set(key, [...readings, { text, settings, consulted: environment.consulted, unit }].slice(-readingsKept));
      dropOldest(mains, unitsKept);
      dropOldest(shared.tokens, tokenizedKept);
      dropOldest(shared.headers, headersKept);
      return unit;
    },
    forget: (uris) => {
      const isTouched = ({ unit }: { readonly unit: Unit }) => uris.some((uri) => dependenciesOf(unit).includes(uri) || missingNames(unit).has(lastName(uri)));
      for (const cache of [shared.headers, mains] as Map<string, { readonly unit: Unit }[]>[]) {
        for (const [key, entries] of cache) cache.set(key, entries.filter((entry) => !isTouched(entry)));
      }
      for (const uri of uris) shared.resolver.forget(uri);
    },
  };
}

function dropOldest(map: Map<string, unknown>, kept: number): void {
  for (const key of map.keys()) {
    if (map.size <= kept) return;
    map.delete(key);
  }
}

function keyOf(dialect: Dialect): string {
  return dialect.language === "opencl" ? `${dialect.standard} ${[...dialect.features].join(",")}` : `cuda ${dialect.standard} ${dialect.architectures.join(",")} ${dialect.relocatableDeviceCode} ${dialect.hip}`;
}

/** What of a dialect decides how a file is read, apart from macros: dialects that agree in it may share units. */
function readingOf(dialect: Dialect): string {
  return dialect.language === "cuda" ? "cuda" : `opencl ${dialect.cplusplus} ${dialect.standard.startsWith("CL1")}`;
}

/** The last parts of the names of headers that were looked for in vain; one of them may appear. */
function missingNames(unit: Unit): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = ({ includes }: Unit) => {
    for (const site of includes) {
      if (site.unit === undefined) names.add(lastName(site.name.slice(1, -1)));
      else visit(site.unit);
    }
  };
  visit(unit);
  return names;
}

function lastName(uri: string): string {
  return uri.slice(uri.lastIndexOf("/") + 1);
}

/** Every file that a unit depends on, itself first. */
export function dependenciesOf(unit: Unit): readonly string[] {
  const uris = new Set<string>();
  const seen = new Set<Unit>();
  const visit = (current: Unit) => {
    if (seen.has(current)) return;
    seen.add(current);
    uris.add(current.uri);
    for (const uri of current.spliced ?? []) uris.add(uri);
    for (const site of current.includes) if (site.unit !== undefined) visit(site.unit);
  };
  visit(unit);
  return [...uris].filter((uri) => !uri.startsWith("builtin:"));
}

/** Headers that the host should read before the unit is what it could be. */
export function unreadOf(unit: Unit): readonly string[] {
  const uris = new Set<string>();
  const seen = new Set<Unit>();
  const visit = (current: Unit) => {
    if (seen.has(current)) return;
    seen.add(current);
    for (const uri of current.unread ?? []) uris.add(uri);
    for (const site of current.includes) if (site.unit !== undefined) visit(site.unit);
  };
  visit(unit);
  return [...uris];
}

/** One `#if` … `#endif`. */
interface Conditional {
  /** Some branch was taken already. */
  wasTaken: boolean;
  isActive: boolean;
  /** The surrounding text is active. */
  readonly isOuterActive: boolean;
}

/** A file being read. */
interface Reading {
  readonly uri: string;
  readonly text: string;
  readonly tokens: readonly Token[];
  at: number;
  readonly conditionals: Conditional[];
}

class Run {
  readonly #shared: Shared;
  readonly #dialect: Dialect;
  readonly #reading: string;
  readonly #settings: CompileSettings;
  readonly #environment: Environment;
  readonly #once: Set<string>;
  readonly #canonical: (text: string) => string;
  readonly #builder: ViewBuilder = createViewBuilder();
  readonly #includes: IncludeSite[] = [];
  readonly #notes: PreprocessorNote[] = [];
  readonly #spliced = new Set<string>();
  readonly #unread = new Set<string>();
  readonly #state: ExpansionState;
  readonly #stack: Reading[] = [];
  #chain: readonly string[] = [];
  #counter = 0;
  #depth = 0;
  #lastText = "";

  constructor(shared: Shared, dialect: Dialect, settings: CompileSettings, environment: Environment, once: Set<string>) {
    this.#shared = shared;
    this.#dialect = dialect;
    this.#reading = readingOf(dialect);
    this.#settings = settings;
    this.#environment = environment;
    this.#once = once;
    this.#canonical = canonicalSpelling(dialect);
    this.#state = {
      environment,
      isExempt: (name) => isKeyword(dialect, name),
      budget: { left: expansionBudget },
      dynamic: (macro) => this.#dynamic(macro),
    };
  }

  file(uri: string, text: string, chain: readonly string[], prelude?: Source): Unit {
    this.#chain = chain;
    if (prelude !== undefined) this.#modular(prelude.uri, prelude.text, `"${prelude.uri}"`, { uri, span: { start: 0, end: 0 } });
    if (chain.length === 1) for (const name of this.#settings.forcedIncludes) this.#include(name, true, { uri, span: { start: 0, end: 0 } });
    this.#read(uri, text);
    return { uri, view: this.#builder.finish(), includes: this.#includes, notes: this.#notes, spliced: [...this.#spliced], unread: [...this.#unread] };
  }

  /** Reads a file's tokens into the View. */
  #read(uri: string, text: string): void {
    const reading: Reading = { uri, text, tokens: this.#tokensOf(uri, text), at: 0, conditionals: [] };
    this.#stack.push(reading);
    for (let token = this.#next(reading); token !== undefined; token = this.#next(reading)) this.#emit(reading, token);
    if (reading.conditionals.length > 0) this.#note("malformed", "a conditional is not closed", { uri, span: { start: text.length, end: text.length } });
    this.#builder.skipTo(uri, text, text.length);
    this.#stack.pop();
  }

  #tokensOf(uri: string, text: string): readonly Token[] {
    const key = `${uri} ${this.#dialect.cplusplus}`;
    const cached = this.#shared.tokens.get(key);
    if (cached !== undefined && cached.text === text) return cached.tokens;
    const tokens = tokenize(text, this.#dialect.cplusplus);
    this.#shared.tokens.set(key, { text, tokens });
    return tokens;
  }

  /** The next active token; directives before it are obeyed. */
  #next(reading: Reading): Token | undefined {
    for (;;) {
      const token = reading.tokens[reading.at];
      if (token === undefined) return undefined;
      if (token.startsLine && (token.text === "#" || token.text === "%:")) {
        this.#directive(reading);
        continue;
      }
      reading.at += 1;
      if (isActive(reading)) return token;
    }
  }

  #emit(reading: Reading, token: Token): void {
    const piece = pieceOf(token, reading.uri);
    const macro = macroOf(piece, this.#state);
    if (macro === undefined) {
      this.#builder.copy(reading.uri, reading.text, token, this.#canonical(token.text));
      this.#track(token.text);
      return;
    }
    const isCall = macro.parameters !== undefined;
    if (isCall && !this.#isOpenNext(reading)) {
      this.#builder.copy(reading.uri, reading.text, token, this.#canonical(token.text));
      this.#track(token.text);
      return;
    }
    let end = token.end;
    const more = (): Piece | undefined => {
      const next = this.#next(reading);
      if (next === undefined) return undefined;
      end = next.end;
      return pieceOf(next, reading.uri);
    };
    const pieces = expand([piece], this.#state, more);
    if (pieces === undefined) {
      this.#note("macro-limit", `'${macro.name}' expands to too much and is left as it is`, { uri: reading.uri, span: { start: token.start, end: token.end } });
      this.#state.budget.left = Math.max(this.#state.budget.left, expansionBudget / 100);
      this.#builder.copy(reading.uri, reading.text, token, token.text);
      return;
    }
    this.#builder.expansion(reading.uri, reading.text, token.start, end, macro, pieces, this.#canonical);
    for (const { token: made } of pieces) this.#track(made.text);
  }

  #isOpenNext(reading: Reading): boolean {
    for (let at = reading.at; at < reading.tokens.length; at += 1) {
      const token = reading.tokens[at];
      // A directive in between is rare; whether the parenthesis behind it is reached is not worth guessing.
      if (token === undefined || (token.startsLine && token.text === "#")) return false;
      return token.text === "(";
    }
    return false;
  }

  /** Follows brackets, to know whether an include stands at file scope. */
  #track(text: string): void {
    if (text === "{" || text === "(" || text === "[") this.#depth += 1;
    else if (text === "}" || text === ")" || text === "]") this.#depth -= 1;
    if (text !== "") this.#lastText = text;
  }

  #dynamic(macro: Macro): string {
    const reading = this.#stack[this.#stack.length - 1];
    if (macro.name === "__COUNTER__") {
      this.#counter += 1;
      return String(this.#counter - 1);
    }
    if (macro.name === "__FILE__") return JSON.stringify(reading?.uri.slice(reading.uri.lastIndexOf("/") + 1) ?? "");
    const at = reading?.tokens[Math.max(0, reading.at - 1)]?.start ?? 0;
    return String((reading?.text.slice(0, at).split("\n").length ?? 1));
  }

  #note(kind: PreprocessorNote["kind"], message: string, location: Location): void {
    this.#notes.push({ kind, message, location });
  }

  // -------------------------------------------------------------- directives

  #directive(reading: Reading): void {
    const hash = reading.tokens[reading.at];
    let end = reading.at + 1;
    while (end < reading.tokens.length && reading.tokens[end]?.startsLine === false) end += 1;
    const line = reading.tokens.slice(reading.at + 1, end);
    const first = reading.at;
    reading.at = end;
    const name = line[0];
    if (name === undefined || hash === undefined) return;
    const location: Location = { uri: reading.uri, span: { start: hash.start, end: line[line.length - 1]?.end ?? hash.end } };
    if (this.#conditional(reading, name.text, line.slice(1), location, first)) return;
    if (isActive(reading)) this.#obey(reading, name.text, line.slice(1), location);
  }

  #conditional(reading: Reading, name: string, rest: readonly Token[], location: Location, first: number): boolean {
    const { conditionals } = reading;
    const current = conditionals[conditionals.length - 1];
    switch (name) {
      case "if":
      case "ifdef":
      case "ifndef": {
        const isOuterActive = isActive(reading);
        const isTrue = isOuterActive && (this.#decide(name, rest, location) || this.#isIncludeFallback(reading, name, rest, first));
        conditionals.push({ wasTaken: isTrue, isActive: isTrue, isOuterActive });
        return true;
      }
      case "elif":
      case "elifdef":
      case "elifndef":
        if (current === undefined) return true;
        current.isActive = current.isOuterActive && !current.wasTaken && this.#decide(name.replace("elif", "if"), rest, location);
        current.wasTaken ||= current.isActive;
        return true;
      case "else":
        if (current === undefined) return true;
        current.isActive = current.isOuterActive && !current.wasTaken;
        current.wasTaken = true;
        return true;
      case "endif":
        conditionals.pop();
        return true;
      default:
        return false;
    }
  }

  #decide(name: string, rest: readonly Token[], location: Location): boolean {
    const subject = rest[0];
    if (name !== "if") return subject !== undefined && (this.#environment.get(subject.text) !== undefined) === (name === "ifdef");
    const resolved = this.#resolveOperators(rest, location);
    const expanded = expand(resolved.map((token) => pieceOf(token, location.uri)), this.#state, undefined);
    const result = expanded === undefined ? undefined : evaluateCondition(expanded.map(({ token }) => token), this.#dialect.cplusplus);
    if (result === undefined) this.#note("malformed", "this condition is no integer constant expression", location);
    return result ?? false;
  }

  /** `defined`, `__has_include` and the like, before macros are expanded (C11 §6.10.1p1, C++17 §19.1). */
  #resolveOperators(tokens: readonly Token[], location: Location): readonly Token[] {
    const result: Token[] = [];
    for (let at = 0; at < tokens.length; at += 1) {
      const token = tokens[at];
      if (token === undefined) break;
      const answer = (value: boolean): Token => ({ ...token, kind: "number", text: value ? "1" : "0" });
      if (token.text === "defined") {
        const isBracketed = tokens[at + 1]?.text === "(";
        const subject = tokens[at + (isBracketed ? 2 : 1)];
        const isOperator = subject !== undefined && /^__has_/.test(subject.text);
        result.push(answer(subject !== undefined && (isOperator || this.#environment.get(subject.text) !== undefined)));
        at += isBracketed ? 3 : 1;
      } else if (/^__has_(include|include_next|attribute|cpp_attribute|c_attribute|declspec_attribute|builtin|feature|extension|warning|embed)$/.test(token.text) && tokens[at + 1]?.text === "(") {
        let close = at + 2;
        for (let depth = 1; close < tokens.length; close += 1) {
          if (tokens[close]?.text === "(") depth += 1;
          if (tokens[close]?.text === ")") depth -= 1;
          if (depth === 0) break;
        }
        result.push(answer(this.#has(token.text, tokens.slice(at + 2, close), location)));
        at = close;
      } else result.push(token);
    }
    return result;
  }

  #has(operator: string, inner: readonly Token[], location: Location): boolean {
    if (!operator.startsWith("__has_include")) return operator.includes("attribute");
    const named = headerName(inner);
    return named !== undefined && this.#shared.resolver.resolve(named.name, named.isQuoted, location.uri, this.#settings) !== undefined;
  }

  /** See the header of this file. */
  #isIncludeFallback(reading: Reading, name: string, rest: readonly Token[], first: number): boolean {
    const subject = rest[0]?.text ?? "";
    if (this.#dialect.language !== "opencl" || name !== "ifdef" || subject.startsWith("_") || rest.length !== 1) return false;
    let includes = 0;
    for (let at = first + 1 + 2; at < reading.tokens.length; at += 1) {
      const token = reading.tokens[at];
      if (token === undefined || !token.startsLine) continue;
      if (token.text !== "#") return false;
      const word = reading.tokens[at + 1]?.text;
      if (word === "endif") return includes > 0;
      if (word !== "include") return false;
      includes += 1;
    }
    return false;
  }

  #obey(reading: Reading, name: string, rest: readonly Token[], location: Location): void {
    switch (name) {
      case "define": {
        const macro = readDefinition(rest, reading.uri);
        if (macro === undefined) this.#note("malformed", "this definition cannot be read", location);
        else this.#environment.define(macro);
        return;
      }
      case "undef":
        if (rest[0] !== undefined) this.#environment.undefine(rest[0].text);
        return;
      case "include":
      case "include_next":
      case "import":
        return this.#includeDirective(reading, rest, location);
      case "pragma":
        if (rest[0]?.text === "once") this.#once.add(reading.uri);
        return;
      case "error":
        return this.#note("error-directive", reading.text.slice(location.span.start, location.span.end), location);
      default:
        return;
    }
  }

  // -------------------------------------------------------------- includes

  #includeDirective(reading: Reading, rest: readonly Token[], location: Location): void {
    const direct = headerName(rest, reading.text);
    if (direct !== undefined) return this.#include(direct.name, direct.isQuoted, location);
    const expanded = expand(rest.map((token) => pieceOf(token, reading.uri)), this.#state, undefined) ?? [];
    const computed = headerName(expanded.map(({ token }) => token));
    if (computed !== undefined && this.#shared.resolver.resolve(computed.name, computed.isQuoted, reading.uri, this.#settings) !== undefined) return this.#include(computed.name, computed.isQuoted, location);
    const trailing = /([\w.-]+\.\w+)["'>)\s]*$/.exec(computed?.name ?? reading.text.slice(location.span.start, location.span.end))?.[1];
    this.#include(trailing ?? computed?.name ?? "", true, location);
  }

  #include(name: string, isQuoted: boolean, location: Location): void {
    const spelled = isQuoted ? `"${name}"` : `<${name}>`;
    const hit = this.#shared.resolver.resolve(name, isQuoted, location.uri, this.#settings);
    const missing = (kind: PreprocessorNote["kind"], message: string) => {
      this.#note(kind, message, location);
      this.#includes.push({ at: this.#builder.length, name: spelled, location });
    };
    if (hit === undefined) return missing("missing-header", `${spelled} is not in the workspace or the include paths`);
    if (hit.isUnread) {
      this.#unread.add(hit.uri);
      return missing("unread-header", `${spelled} has not been read yet`);
    }
    if (this.#once.has(hit.uri)) return;
    if (this.#chain.includes(hit.uri) && this.#chain.length > 20) return missing("include-cycle", `${spelled} includes itself`);
    if (this.#chain.length >= deepestInclude || this.#stack.length >= deepestInclude) return missing("include-depth", "includes nest too deeply");
    const text = this.#shared.files.read(hit.uri);
    const isAtFileScope = this.#depth === 0 && /^([;}]|)$/.test(this.#lastText);
    if (isAtFileScope && isBalanced(this.#tokensOf(hit.uri, text))) this.#modular(hit.uri, text, spelled, location);
    else this.#splice(hit.uri, text);
  }

  #modular(uri: string, text: string, name: string, location: Location): void {
    const key = `${uri} ${this.#reading}`;
    const entries = this.#shared.headers.get(key) ?? [];
    this.#shared.headers.set(key, entries);
    let cached = entries.find((entry) => entry.text === text && this.#environment.agrees(entry.consulted));
    if (cached === undefined) {
      const environment = new Environment(this.#environment);
      const once = new Set(this.#once);
      const run = new Run(this.#shared, this.#dialect, this.#settings, environment, once);
      const unit = run.file(uri, text, [...this.#chain, uri]);
      cached = { text, consulted: new Map(environment.consulted), changes: new Map(environment.changes), once: [...once], unit };
      entries.push(cached);
      if (entries.length > readingsKept) entries.shift();
    }
    this.#environment.apply(cached.changes);
    for (const other of cached.once) this.#once.add(other);
    this.#includes.push({ at: this.#builder.length, name, location, unit: cached.unit });
  }

  #splice(uri: string, text: string): void {
    this.#spliced.add(uri);
    const outer = this.#chain;
    this.#chain = [...outer, uri];
    const builder = this.#builder;
    builder.rewind(uri);
    this.#read(uri, text);
    builder.rewind(uri);
    this.#chain = outer;
  }
}

function isActive(reading: Reading): boolean {
  const current = reading.conditionals[reading.conditionals.length - 1];
  return current === undefined || current.isActive;
}

/** Brackets close in order, so that the file stands for whole declarations. */
function isBalanced(tokens: readonly Token[]): boolean {
  let depth = 0;
  for (const { text, kind } of tokens) {
    if (kind !== "punctuator") continue;
    if (text === "{") depth += 1;
    else if (text === "}") depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** `"name"` or `<name>`; the latter is put together from its tokens, or cut from the text where that is given. */
function headerName(tokens: readonly Token[], text?: string): { readonly name: string; readonly isQuoted: boolean } | undefined {
  const first = tokens[0];
  if (first === undefined) return undefined;
  if (first.kind === "string") return { name: first.text.replace(/^[^"]*"/, "").replace(/"$/, ""), isQuoted: true };
  if (first.text !== "<") return undefined;
  const close = tokens.findIndex((token) => token.text.startsWith(">"));
  if (close < 0) return undefined;
  const closing = tokens[close];
  const name = text !== undefined && closing !== undefined ? text.slice(first.end, closing.start) : tokens.slice(1, close).map((token) => token.text).join("");
  return { name: name.trim(), isQuoted: false };
}
