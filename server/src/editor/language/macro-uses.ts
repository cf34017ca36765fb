/**
 * Finds the local names of other files that a macro's body names there. It decides from the words of these files: many of them may use
 * the macro, and reading each would take seconds.
 */
import { definitionsIn } from "../../preprocess/macros/definitions-in.ts";
import { type Files, type Location, textOf } from "../../source.ts";
import { wordPattern } from "../../words.ts";
import { codeTokens, statementTokens } from "../names/tokens.ts";
import { type WrittenLocal, writtenLocalAt } from "../names/written-locals.ts";

/** What a macro's body names in another file. */
export interface NamedByMacro {
  /** Every place of the local names. */
  readonly places: readonly Location[];
  /** Some use of the macro names what is declared outside of functions. */
  readonly namesOther: boolean;
}

/** What a name in the bodies of these macros, which the file sees, means in functions of the file. */
export function namedByMacros(name: string, macros: ReadonlySet<string>, uri: string, files: Files): NamedByMacro {
  const text = textOf(files, uri);
  if (!wordPattern(name).test(text)) return { places: [], namesOther: false };
  // A macro that is a statement by itself looks like the type of what follows: `STEP v[1] = 1;`.
  const isLocal = ({ signature }: WrittenLocal) => !macros.has(signature.split(" ", 1)[0] ?? "");
  const locals = new Map<number, WrittenLocal>();
  let namesOther = false;
  for (const token of statementTokens(text)) {
    if (!macros.has(token.text)) continue;
    const local = writtenLocalAt(text, name, token.start, isLocal);
    if (local === undefined) namesOther = true;
    else locals.set(local.span.start, local);
  }
  const tokens = locals.size === 0 ? [] : codeTokens(text);
  const places = tokens.flatMap(({ text: word, start, end }, index) => {
    const before = tokens[index - 1]?.text;
    if (word !== name || before === "." || before === "->") return [];
    const local = writtenLocalAt(text, name, start, isLocal);
    return local !== undefined && locals.has(local.span.start) ? [{ uri, span: { start, end } }] : [];
  });
  return { places, namesOther };
}

/** These macros, and those of the files whose bodies invoke one of them, directly or not. */
export function macrosReaching(names: readonly string[], sources: readonly string[], files: Files): ReadonlySet<string> {
  const bodies = sources.flatMap((source) => {
    const text = textOf(files, source);
    return definitionsIn(text).map(({ name, body }) => ({ name, body: text.slice(body.start, body.end) }));
  });
  const found = new Set(names);
  // The set grows while it is iterated.
  for (const name of found) {
    const word = wordPattern(name);
    for (const macro of bodies) if (!found.has(macro.name) && macro.body.includes(name) && word.test(macro.body)) found.add(macro.name);
  }
  return found;
}
