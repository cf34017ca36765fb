/**
 * Macros whose meaning depends on an unknown build: `#ifdef WITH_GPU` makes a word mean `__device__`, and `#else` makes it empty.
 * If the word were treated as empty, a device function would look like a host function. So the name becomes the sign of an unknown
 * word, and the declaration after it is uncertain. A conditional that only tests the version of OpenCL C is decided by the standard.
 */
import { memoByPair } from "../memo.ts";
import { wordsWithRole } from "../qualifiers.ts";
import type { LanguageMode } from "./canonical.ts";
import type { Interner } from "./lexing/interner.ts";
import { type TokenList, textOf, tokenize } from "./lexing/lexer.ts";
import { endOfDirective } from "./lexing/lines.ts";
import type { Environment, Macro } from "./macros/macros.ts";
import { isSettled } from "./predefined.ts";

const spaces: ReadonlySet<string> = new Set(wordsWithRole("address-space", "memory-space", "execution-space", "annotation"));
/** Words that may be combined with a space in a macro. */
const others: ReadonlySet<string> = new Set(wordsWithRole("cv", "storage", "function"));

/** What a file says about a macro that some of its branches make a space and others do not. */
interface Conflict {
  /** The only macro that the conditionals around its definitions test, if there is one. */
  readonly decidedBy: string | undefined;
}

/**
 * The macro itself, or a macro that stands for an unknown word, if its file defines the same name as a memory or execution space
 * elsewhere but not here. Settings that define or undefine what decides it decide it, too.
 */
export function openIfConflicting(
  macro: Macro,
  file: { readonly tokens: TokenList },
  mode: LanguageMode,
  interner: Interner,
  environment: Environment,
): { readonly macro: Macro; readonly conflict?: Conflict } {
  if (macro.parameters !== undefined) return { macro };
  const conflict = conflictsIn(file.tokens, mode.key, mode, interner).get(macro.id);
  const { decidedBy } = conflict ?? {};
  if (conflict === undefined || (decidedBy !== undefined && isSettled(decidedBy, environment, interner))) return { macro };
  for (let at = macro.from; at < macro.to; at += 1) if (!others.has(canonical(textOf(macro.list, at, interner), mode))) return { macro };
  const list = tokenize("\uE000", interner, mode.cplusplus);
  return { macro: { ...macro, key: `${macro.key} conflicting`, list, from: 0, to: 1 }, conflict };
}

/** The names that some definition in a file, in any branch, makes a memory or execution space. */
const conflictsIn = memoByPair(
  (tokens: TokenList, _mode: string, mode: LanguageMode, interner: Interner): ReadonlyMap<number, Conflict> => {
    const found = new Map<number, Conflict>();
    for (const { hash, tested } of undecidedDirectives(tokens, interner)) {
      const id = definedSpace(tokens, hash, mode, interner);
      if (id === undefined) continue;
      const known = found.get(id);
      const [decidedBy, ...more] = tested;
      const isOnly = more.length === 0 && (known === undefined || known.decidedBy === decidedBy);
      found.set(id, { decidedBy: isOnly ? decidedBy : undefined });
    }
    return found;
  },
);

interface UndecidedDirective {
  readonly hash: number;
  /** The macros that the conditionals around it test. */
  readonly tested: readonly string[];
}

/**
 * The directives in conditionals of a file, without those whose conditional the standard decides. Definitions outside of conditionals
 * follow each other in every build.
 */
function undecidedDirectives(tokens: TokenList, interner: Interner): readonly UndecidedDirective[] {
  const found: UndecidedDirective[] = [];
  /** For each open conditional, whether it only tests what the standard decides, and the macros that it tests. */
  const open: { isDecided: boolean; tested: readonly string[] }[] = [];
  for (const hash of tokens.directives) {
    const name = hash + 1 < tokens.count ? textOf(tokens, hash + 1, interner) : "";
    const last = open[open.length - 1];
    if (name === "if") open.push({ isDecided: testsStandard(tokens, hash, interner), tested: testedBy(tokens, hash, interner) });
    else if (name === "ifdef" || name === "ifndef") open.push({ isDecided: false, tested: testedBy(tokens, hash, interner) });
    else if (name === "elif" && last !== undefined) {
      last.isDecided &&= testsStandard(tokens, hash, interner);
      last.tested = [...last.tested, ...testedBy(tokens, hash, interner)];
    } else if (name === "endif") open.pop();
    if (open[open.length - 1]?.isDecided === false) found.push({ hash, tested: [...new Set(last?.tested ?? [])] });
  }
  return found;
}

/** The macros in a condition. */
function testedBy(tokens: TokenList, hash: number, interner: Interner): readonly string[] {
  const words = Array.from({ length: Math.max(0, endOfDirective(tokens, hash) - hash - 2) }, (_, at) =>
    textOf(tokens, hash + 2 + at, interner),
  );
  return words.filter((word) => /^[A-Za-z_]\w*$/.test(word) && word !== "defined");
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

function definedSpace(tokens: TokenList, hash: number, mode: LanguageMode, interner: Interner): number | undefined {
  if (hash + 2 >= tokens.count || textOf(tokens, hash + 1, interner) !== "define") return undefined;
  const end = endOfDirective(tokens, hash);
  let isSpace = false;
  for (let at = hash + 3; at < end; at += 1) {
    const word = canonical(textOf(tokens, at, interner), mode);
    // A whole parameter or declaration is more than a space: `global int *flag,`.
    if (word === "," || word === ";") return undefined;
    // In a header for both languages, the other language's words do not count.
    isSpace ||= spaces.has(word) && mode.keywords.has(word);
    if (!isSpace && !others.has(word)) return undefined;
  }
  return isSpace ? tokens.ids[hash + 2] : undefined;
}

function canonical(text: string, { spellings }: LanguageMode): string {
  return spellings.get(text) ?? text;
}
