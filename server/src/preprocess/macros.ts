/**
 * Macro definitions, and an environment of them that knows which names were asked for: a header's result may be reused
 * exactly where all those names mean the same again.
 */
import type { Location } from "../source.ts";
import type { Token } from "./lexer.ts";

export interface Macro {
  readonly name: string;
  /** Absent for an object-like macro. */
  readonly parameters: readonly string[] | undefined;
  /** The last parameter takes all remaining arguments; it is called `__VA_ARGS__` or, in GNU's form, by its name. */
  readonly isVariadic: boolean;
  readonly body: readonly Token[];
  /** Absent for predefined macros and those of the command line. */
  readonly definition: Location | undefined;
  /** Two macros with equal keys are the same. */
  readonly key: string;
  /** `__LINE__`, `__FILE__`, `__COUNTER__`: the expansion depends on the place. */
  readonly isDynamic?: boolean;
}

export type Consulted = ReadonlyMap<string, Macro | undefined>;

/** Definitions on top of others. Reading through to the base is remembered. */
export class Environment {
  readonly #base: Environment | undefined;
  readonly #own = new Map<string, Macro | undefined>();
  readonly #consulted = new Map<string, Macro | undefined>();

  constructor(base?: Environment) {
    this.#base = base;
  }

  get(name: string): Macro | undefined {
    if (this.#own.has(name)) return this.#own.get(name);
    const macro = this.#base?.get(name);
    if (this.#base !== undefined && !this.#consulted.has(name)) this.#consulted.set(name, macro);
    return macro;
  }

  define(macro: Macro): void {
    this.#own.set(macro.name, macro);
  }

  undefine(name: string): void {
    this.#own.set(name, undefined);
  }

  /** Every name that was looked up in the base, with what it meant there. */
  get consulted(): Consulted {
    return this.#consulted;
  }

  /** What was defined (or undefined) here. */
  get changes(): Consulted {
    return this.#own;
  }

  /** True when each of these names means here what it meant there. */
  agrees(consulted: Consulted): boolean {
    for (const [name, macro] of consulted) if (this.get(name)?.key !== macro?.key) return false;
    return true;
  }

  apply(changes: Consulted): void {
    for (const [name, macro] of changes) this.#own.set(name, macro);
  }
}

/** Reads what follows `#define`; undefined where that is malformed. */
export function readDefinition(tokens: readonly Token[], uri: string): Macro | undefined {
  const name = tokens[0];
  if (name === undefined || name.kind !== "identifier") return undefined;
  const definition: Location = { uri, span: { start: name.start, end: tokens[tokens.length - 1]?.end ?? name.end } };
  const open = tokens[1];
  const isFunctionLike = open !== undefined && open.text === "(" && !open.spaced;
  if (!isFunctionLike) return makeMacro(name.text, undefined, false, tokens.slice(1), definition);
  const parameters: string[] = [];
  let isVariadic = false;
  let at = 2;
  for (; at < tokens.length && tokens[at]?.text !== ")"; at += 1) {
    const token = tokens[at];
    if (token === undefined || token.text === ",") continue;
    if (token.text === "...") {
      isVariadic = true;
      // GNU: `args...` names what the standard calls __VA_ARGS__.
      if (tokens[at - 1]?.kind !== "identifier") parameters.push("__VA_ARGS__");
    } else if (token.kind === "identifier") parameters.push(token.text);
    else return undefined;
  }
  return at >= tokens.length ? undefined : makeMacro(name.text, parameters, isVariadic, tokens.slice(at + 1), definition);
}

export function makeMacro(name: string, parameters: readonly string[] | undefined, isVariadic: boolean, body: readonly Token[], definition: Location | undefined): Macro {
  const place = definition === undefined ? "" : `${definition.uri}:${definition.span.start}`;
  const text = body.map((token) => (token.spaced ? ` ${token.text}` : token.text)).join("");
  return { name, parameters, isVariadic, body, definition, key: `${name}(${parameters?.join(",") ?? ""}${isVariadic ? "..." : ""})${text}@${place}` };
}
