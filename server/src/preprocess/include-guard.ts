/** Finds include guards: a file whose guard is defined need not be read again, as in compilers. */
import type { Interner } from "./lexing/interner.ts";
import { Kind, type TokenList, textOf } from "./lexing/lexer.ts";
import { endOfDirective } from "./lexing/lines.ts";

/**
 * The number of NAME if the whole file is within `#ifndef NAME … #endif`, without another branch; 0 if there is no such name. The
 * tokens of a file are given as a whole or in parts.
 */
export function guardOf(parts: readonly TokenList[], interner: Interner): number {
  const all = parts.filter(({ count }) => count > 0);
  const [tokens] = all;
  const first = tokens?.directives[0];
  if (tokens === undefined || first !== 0 || !isClosedAtEnd(all, interner)) return 0;
  const end = endOfDirective(tokens, first);
  const form = forms.find(({ length }) => length === end - 1);
  const isForm = form?.every((word, at) => word === name || word === textOf(tokens, at + 1, interner));
  const at = isForm === true ? form?.indexOf(name) : undefined;
  return at !== undefined && tokens.kinds[at + 1] === Kind.identifier ? (tokens.ids[at + 1] ?? 0) : 0;
}

const name = "NAME";
/** How a guard begins, after the `#`. */
const forms = [
  ["ifndef", name],
  ["if", "!", "defined", name],
  ["if", "!", "defined", "(", name, ")"],
];

/** True if the conditional that begins the file has no other branch and ends with the file. */
function isClosedAtEnd(parts: readonly TokenList[], interner: Interner): boolean {
  let depth = 0;
  for (const tokens of parts) {
    for (const hash of tokens.directives) {
      const end = endOfDirective(tokens, hash);
      const word = hash + 1 < end ? textOf(tokens, hash + 1, interner) : "";
      if (word === "if" || word === "ifdef" || word === "ifndef") depth += 1;
      else if (depth === 1 && /^el(?:se|if)/.test(word)) return false;
      else if (word === "endif") depth -= 1;
      if (depth === 0) return end === tokens.count && tokens === parts[parts.length - 1];
    }
  }
  return false;
}
