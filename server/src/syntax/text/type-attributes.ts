/**
 * Rewrites address spaces that are spelled as attributes, `(__attribute__((address_space(3))) int *)p`. The grammar allows
 * attributes only in declarations, but `alignas(…)` wherever a qualifier may stand, so each such attribute becomes an `alignas`
 * before parsing. Lowering recognizes it by the contents of the parentheses. The result depends only on the text.
 */
import type { TokenText } from "./atoms.ts";

const spaces = /^(__)?(address_space|opencl_(global|local|constant|private|generic|global_device|global_host))(__)?$/;

/** True for the name of an attribute that names an address space. */
export function isSpaceAttribute(name: string): boolean {
  return spaces.test(name);
}

/** The rewritten text, of the same length; unchanged if there are no such attributes. */
export function spellSpaceAttributes(text: string, tokens: TokenText): string {
  let result = "";
  let from = 0;
  for (let at = 0; at < tokens.count; at++) {
    const word = tokens.text(at);
    if (word !== "__attribute__" && word !== "__attribute") continue;
    const [outer, inner] = [at + 1, at + 2];
    const [close, innerClose] = [tokens.closing(outer), tokens.closing(inner)];
    // After a star the grammar accepts the attribute itself. Several attributes in one pair of parentheses are not a qualifier.
    if (tokens.text(at - 1) === "*" || tokens.text(inner) !== "(" || innerClose + 1 !== close || !isSpaceAttribute(tokens.text(inner + 1)))
      continue;
    if (innerClose !== inner + 2 && innerClose !== tokens.closing(inner + 2) + 1) continue;
    result += text.slice(from, tokens.start(at)) + "alignas".padEnd(tokens.start(outer) - tokens.start(at));
    result += `(${" ".repeat(tokens.start(inner) - tokens.end(outer))} `;
    result += `${text.slice(tokens.end(inner), tokens.start(innerClose))} `;
    from = tokens.end(innerClose);
  }
  return result + text.slice(from);
}
