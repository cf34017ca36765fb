/**
 * Macros whose meaning depends on an unknown build: `#ifdef WITH_GPU` makes a word mean `__device__`, and `#else` makes it empty.
 * If the word were treated as empty, a device function would look like a host function. So the name becomes the sign of an unknown
 * word, and the declaration after it is uncertain. A conditional that only tests the version of OpenCL C is decided by the standard.
 */
import { memoByPair } from "../memo.ts";
import { wordsWithRole } from "../qualifiers.ts";
import type { Flavour } from "./canonical.ts";
import type { Interner } from "./lexing/interner.ts";
import { type TokenList, textOf, tokenize } from "./lexing/lexer.ts";
import { endOfDirective } from "./lexing/lines.ts";
import type { Macro } from "./macros/macros.ts";

const spaces: ReadonlySet<string> = new Set(wordsWithRole("address-space", "memory-space", "execution-space", "annotation"));
/** Words that may be combined with a space in a macro. */
const others: ReadonlySet<string> = new Set(wordsWithRole("cv", "storage", "function"));

/**
 * The macro itself, or a macro that stands for an unknown word, if its file defines the same name as a memory or execution space
 * elsewhere but not here.
 */
export function openIfContested(macro: Macro, file: { readonly tokens: TokenList }, flavour: Flavour, interner: Interner): Macro {
  if (macro.parameters !== undefined || !spacesIn(file.tokens, flavour.key, flavour, interner).has(macro.id)) return macro;
  for (let at = macro.from; at < macro.to; at += 1) if (!others.has(canonical(textOf(macro.list, at, interner), flavour))) return macro;
  return { ...macro, key: `${macro.key} contested`, list: tokenize("\uE000", interner, flavour.cplusplus), from: 0, to: 1 };
}

/** The names that some definition in a file, in any branch, makes a memory or execution space. */
const spacesIn = memoByPair(
  (tokens: TokenList, _flavour: string, flavour: Flavour, interner: Interner): ReadonlySet<number> =>
    new Set(undecidedDirectives(tokens, interner).flatMap((hash) => definedSpace(tokens, hash, flavour, interner) ?? [])),
);

/**
 * The directives in conditionals of a file, by their hashes, without those whose conditional the standard decides. Definitions outside
 * of conditionals follow each other in every build.
 */
function undecidedDirectives(tokens: TokenList, interner: Interner): readonly number[] {
  const found: number[] = [];
  /** For each open conditional, whether it only tests what the standard decides. */
  const open: boolean[] = [];
  for (const hash of tokens.directives) {
    const name = hash + 1 < tokens.count ? textOf(tokens, hash + 1, interner) : "";
    if (name === "if") open.push(testsStandard(tokens, hash, interner));
    else if (name === "ifdef" || name === "ifndef") open.push(false);
    else if (name === "elif") open.push((open.pop() ?? false) && testsStandard(tokens, hash, interner));
    else if (name === "endif") open.pop();
    if (open[open.length - 1] === false) found.push(hash);
  }
  return found;
}

/** True for a condition about the version of OpenCL C alone. `__OPENCL_VERSION__` is that of the device. */
function testsStandard(tokens: TokenList, hash: number, interner: Interner): boolean {
  let hasVersion = false;
  const end = endOfDirective(tokens, hash);
  for (let at = hash + 2; at < end; at += 1) {
    const word = textOf(tokens, at, interner);
    if (word === "__OPENCL_C_VERSION__") hasVersion = true;
    else if (/^[A-Za-z_]/.test(word) && word !== "defined" && !/^CL_VERSION_\d_\d$/.test(word)) return false;
  }
  return hasVersion;
}

function definedSpace(tokens: TokenList, hash: number, flavour: Flavour, interner: Interner): number | undefined {
  if (hash + 2 >= tokens.count || textOf(tokens, hash + 1, interner) !== "define") return undefined;
  const end = endOfDirective(tokens, hash);
  let isSpace = false;
  for (let at = hash + 3; at < end; at += 1) {
    const word = canonical(textOf(tokens, at, interner), flavour);
    // A whole parameter or declaration is more than a space: `global int *flag,`.
    if (word === "," || word === ";") return undefined;
    // In a header for both languages, the other language's words do not count.
    isSpace ||= spaces.has(word) && flavour.keywords.has(word);
    if (!isSpace && !others.has(word)) return undefined;
  }
  return isSpace ? tokens.ids[hash + 2] : undefined;
}

function canonical(text: string, { spellings }: Flavour): string {
  return spellings.get(text) ?? text;
}
