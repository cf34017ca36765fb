/**
 * Macro definitions, and an environment that records which names were looked up. The result for a header may be reused wherever all
 * those names have the same meaning.
 */
import { memoOfLatest } from "../../memo.ts";
import type { UnitLocation } from "../../source.ts";
import { type Interner, Sign } from "../lexing/interner.ts";
import { Flag, Kind, type TokenList, textOf } from "../lexing/lexer.ts";

/** A macro's definition. */
export interface Macro {
  readonly id: number;
  readonly name: string;
  /** Names of the parameters; absent for an object-like macro. */
  readonly parameters: readonly number[] | undefined;
  /** The last parameter takes all remaining arguments; it is called `__VA_ARGS__` or, in GNU's form, by its own name. */
  readonly isVariadic: boolean;
  /** Absent for predefined macros and those of the command line. */
  readonly definition: UnitLocation | undefined;
  /** Two macros with equal keys are the same. */
  readonly key: string;
  /**
   * `dynamic`: the expansion depends on the place (`__LINE__`). `reserved`: a word that counts as defined, but is never expanded
   * (`__has_include`, CUDA's keywords, a file with `#pragma once`).
   */
  readonly special?: "dynamic" | "reserved";
  /** It is defined only in the compilation for the device: the host's compiler may read something else. */
  readonly isOfOnePass?: true;
  /** For the stack of a pushed name: the meaning that was kept last, and the rest of the stack. */
  readonly pushed?: { readonly saved: Macro | undefined; readonly below: Macro | undefined };
  /** The replacement list: tokens `from` up to `to` of a list. */
  readonly list: TokenList;
  readonly from: number;
  readonly to: number;
}

/** Macros by the numbers of their names: two rows of equal length, because a header may depend on thousands of macros. */
export interface MacroRow<Meaning = Macro> {
  readonly ids: Int32Array;
  readonly macros: readonly Meaning[];
}

function rowOf<Meaning>(macros: ReadonlyMap<number, Meaning>): MacroRow<Meaning> {
  if (macros.size === 0) return emptyRow;
  const ids = new Int32Array(macros.size);
  const meanings: Meaning[] = [];
  for (const [id, meaning] of macros) {
    ids[meanings.length] = id;
    meanings.push(meaning);
  }
  return { ids, macros: meanings };
}

const emptyRow: MacroRow<never> = { ids: new Int32Array(0), macros: [] };

/** The names that were looked up in an environment and not defined in it. */
export interface Consulted {
  readonly defined: MacroRow;
  /** Names that were only tested for being defined (`#ifdef`): any other definition would have had the same effect. */
  readonly tested: MacroRow;
  readonly absent: Int32Array;
  /** What reused headers looked up without success. */
  readonly nested: readonly Consulted[];
}

/** Which macros a file defined or removed. */
export type Changes = MacroRow<Macro | undefined>;

/**
 * Definitions on top of a base environment, which is the includer's for a header. Lookups in the base are recorded. The base must
 * not change while this environment is in use.
 */
export class Environment {
  readonly #base: Environment | undefined;
  readonly #interner: Interner;
  /** The meaning of every name that was looked up; null means "no macro". */
  #known = new Map<number, Macro | null>();
  #own = new Map<number, Macro | undefined>();
  readonly #defined = new Map<number, Macro>();
  readonly #tested = new Map<number, Macro>();
  readonly #absent: number[] = [];
  readonly #nested: Consulted[] = [];

  constructor(interner: Interner, base?: Environment) {
    this.#interner = interner;
    this.#base = base;
  }

  get(id: number): Macro | undefined {
    const known = this.#known.get(id);
    if (known !== undefined) return known ?? undefined;
    // An unsuccessful lookup is recorded only here; an includer learns about it through `nested`.
    const macro = this.#base?.peek(id) === undefined ? undefined : this.#base.get(id);
    this.#known.set(id, macro ?? null);
    if (this.#base === undefined) return macro;
    if (macro === undefined) this.#absent.push(id);
    else this.#defined.set(id, macro);
    return macro;
  }

  /** Like `get`, for a caller that only asks whether there is a macro and of which sort, not what it expands to. */
  test(id: number): Macro | undefined {
    const known = this.#known.get(id);
    if (known !== undefined) return known ?? undefined;
    const macro = this.#tested.get(id) ?? (this.#base?.peek(id) === undefined ? undefined : this.#base.test(id));
    if (macro === undefined) return this.get(id);
    this.#tested.set(id, macro);
    return macro;
  }

  /** Like `get`, without recording the lookup. */
  peek(id: number): Macro | undefined {
    const known = this.#known.get(id);
    if (known !== undefined) return known ?? undefined;
    return this.#base?.peek(id);
  }

  define(macro: Macro): void {
    this.#interner.markDefined(macro.id);
    this.#known.set(macro.id, macro);
    this.#own.set(macro.id, macro);
  }

  undefine(id: number): void {
    this.#known.set(id, null);
    this.#own.set(id, undefined);
  }

  get consulted(): Consulted {
    return { defined: rowOf(this.#defined), tested: rowOf(this.#tested), absent: Int32Array.from(this.#absent), nested: this.#nested };
  }

  /** True if the name was found in the base. */
  hasConsulted(id: number): boolean {
    return this.#defined.has(id) || this.#tested.has(id);
  }

  /** The names that were defined (or undefined) here. */
  get changes(): Changes {
    return rowOf(this.#own);
  }

  /** True if each of these names has the same meaning here as there. */
  agrees(consulted: Consulted): boolean {
    const { defined, tested } = consulted;
    for (let at = 0; at < defined.ids.length; at += 1) {
      const own = this.peek(defined.ids[at] ?? 0);
      const macro = defined.macros[at];
      if (own !== macro && own?.key !== macro?.key) return false;
    }
    for (let at = 0; at < tested.ids.length; at += 1) {
      const own = this.peek(tested.ids[at] ?? 0);
      const macro = tested.macros[at];
      if (
        own !== macro &&
        macro !== undefined &&
        (own === undefined || own.special !== macro.special || own.isOfOnePass !== macro.isOfOnePass)
      )
        return false;
    }
    return definedElsewhere(consulted, this.#interner.definedCount(), this.#interner).every((id) => this.peek(id) === undefined);
  }

  /** Records the lookups of a header that is reused here without being read again. */
  consult(consulted: Consulted): void {
    for (const id of consulted.defined.ids) this.get(id);
    for (const id of consulted.tested.ids) this.test(id);
  }

  /** Records the unsuccessful lookups of a header on top of this environment. */
  consultNested({ absent, nested }: Consulted): void {
    if (absent.length > 0 || nested.length > 0) this.#nested.push({ defined: emptyRow, tested: emptyRow, absent, nested });
  }

  /** Applies the changes that a header makes to the definitions. */
  apply({ ids, macros }: Changes): void {
    for (let at = 0; at < ids.length; at += 1) {
      const macro = macros[at];
      if (macro === undefined) this.undefine(ids[at] ?? 0);
      else this.define(macro);
    }
  }

  /** Returns a function that restores the current definitions. */
  snapshot(): () => void {
    const known = new Map(this.#known);
    const own = new Map(this.#own);
    return () => {
      this.#known = known;
      this.#own = own;
    };
  }
}

/** For each header: the names that it looked up without success although any file defines them, when so many names were defined. */
const definedElsewhere = memoOfLatest((consulted: Consulted, _defined: number, interner: Interner): readonly number[] => {
  const names = new Set<number>();
  // A header that is reached in several ways shares its lists.
  const lists = new Set<Consulted["nested"]>([[consulted]]);
  const seen = new Set<Int32Array>();
  for (const list of lists) {
    for (const { absent, nested } of list) {
      lists.add(nested);
      if (seen.has(absent)) continue;
      seen.add(absent);
      for (const id of absent) if (interner.wasEverDefined(id)) names.add(id);
    }
  }
  return [...names];
});

/** Reads the definition whose name is token `at`, up to token `end`; undefined if it is malformed. */
export function readDefinition(list: TokenList, at: number, end: number, uri: string | undefined, interner: Interner): Macro | undefined {
  if (at >= end || list.kinds[at] !== Kind.identifier) return undefined;
  const id = list.ids[at] ?? 0;
  const definition: UnitLocation | undefined =
    uri === undefined ? undefined : { uri, span: { start: list.starts[at] ?? 0, end: list.ends[end - 1] ?? 0 } };
  const isFunctionLike = at + 1 < end && list.ids[at + 1] === Sign.openParenthesis && list.starts[at + 1] === list.ends[at];
  if (!isFunctionLike) return makeMacro(list, id, undefined, false, at + 1, end, definition, interner);
  const parameters: number[] = [];
  let isVariadic = false;
  let index = at + 2;
  let isExpectingName = true;
  for (; index < end && list.ids[index] !== Sign.closeParenthesis; index += 1) {
    const token = list.ids[index] ?? 0;
    if (token === Sign.comma) {
      if (isExpectingName || isVariadic) return undefined;
      isExpectingName = true;
    } else if (token === Sign.ellipsis && !isVariadic) {
      // GNU: `args...` names what the standard calls __VA_ARGS__.
      if (isExpectingName) parameters.push(interner.idOf("__VA_ARGS__"));
      isVariadic = true;
      isExpectingName = false;
    } else if (list.kinds[index] === Kind.identifier && isExpectingName) {
      parameters.push(token);
      isExpectingName = false;
    } else return undefined;
  }
  if (index >= end || (isExpectingName && parameters.length > 0)) return undefined;
  return makeMacro(list, id, parameters, isVariadic, index + 1, end, definition, interner);
}

function makeMacro(
  list: TokenList,
  id: number,
  parameters: readonly number[] | undefined,
  isVariadic: boolean,
  from: number,
  to: number,
  definition: UnitLocation | undefined,
  interner: Interner,
): Macro {
  const name = interner.textOf(id);
  let key: string | undefined;
  return {
    id,
    name,
    parameters,
    isVariadic,
    definition,
    list,
    from,
    to,
    get key() {
      key ??= `${definition?.uri ?? ""}:${definition?.span.start ?? ""} ${name}(${parameters?.join(",") ?? "-"}${isVariadic ? "..." : ""})${spelledBody(list, from, to, interner)}`;
      return key;
    },
  };
}

/** The words of a body in sequence, with the white space between them, because a difference matters for `#`. */
function spelledBody(list: TokenList, from: number, to: number, interner: Interner): string {
  let text = "";
  for (let at = from; at < to; at += 1) text += `${((list.flags[at] ?? 0) & Flag.spaced) === 0 ? "" : " "}${textOf(list, at, interner)}`;
  return text;
}

/** The same macro, marked as defined under a condition on the compiler's pass. */
export function ofOnePass(macro: Macro): Macro {
  return { ...macro, isOfOnePass: true, key: `${macro.key} in one pass` };
}

/** A name that counts as defined and is never expanded, or whose expansion depends on the place. */
export function specialMacro(name: string, special: "dynamic" | "reserved", interner: Interner): Macro {
  return {
    id: interner.idOf(name),
    name,
    parameters: undefined,
    isVariadic: false,
    definition: undefined,
    key: `${special} ${name}`,
    special,
    list: nothing,
    from: 0,
    to: 0,
  };
}

const nothing: TokenList = {
  text: "",
  count: 0,
  kinds: new Uint8Array(0),
  flags: new Uint8Array(0),
  starts: new Int32Array(0),
  ends: new Int32Array(0),
  ids: new Int32Array(0),
  directives: [],
  unclosed: undefined,
};
