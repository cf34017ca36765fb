/**
 * Finds the text of build options that a host program composes: of adjacent or concatenated literals, named constants of the same
 * file, and arguments of `sprintf`. A part that only the running program knows is a hole.
 */
import { isSign, isWord } from "../embedded/host-tokens.ts";
import type { HostToken } from "../embedded/literals.ts";

/** Stands for an unknown part of a text. */
export const hole = "\u0001";

/** The value of a name throughout the file; undefined if it may have several. */
export type NamedTexts = (name: string) => string | undefined;

/** The constants of a file, computed on request. */
export function namedTexts(text: string): NamedTexts {
  const known = new Map<string, string | undefined>();
  return (name) => {
    if (!known.has(name)) known.set(name, /^[A-Za-z_]\w*$/.test(name) ? valueOf(text, name) : undefined);
    return known.get(name);
  };
}

/** The only text or number that a macro, a constant or a variable is set to. */
function valueOf(text: string, name: string): string | undefined {
  const literal = `(?:"([^"\\\\\\n]*)"|'([^'\\\\\\n]*)'|\\(?(\\d+)\\)?)`;
  const given = [
    ...text.matchAll(new RegExp(`^[ \\t]*#[ \\t]*define[ \\t]+${name}[ \\t]+${literal}[ \\t]*\\r?$`, "gm")),
    ...text.matchAll(new RegExp(`\\b${name}[ \\t]*(?:\\[[ \\t]*\\])?[ \\t]*=[ \\t]*${literal}[ \\t]*(?:;|\\r?$)`, "gm")),
  ].map(([, double, single, number]) => double ?? single ?? number);
  const settings = text.match(
    new RegExp(`#[ \\t]*define[ \\t]+${name}\\b|\\b${name}[ \\t]*(?:\\[[ \\t]*\\])?[ \\t]*\\+?=[^=]`, "g"),
  )?.length;
  return settings === given.length && new Set(given).size === 1 ? given[0] : undefined;
}

/** The text that begins with the literal at this place, as far as it is known. */
export function optionText(tokens: readonly HostToken[], index: number, names: NamedTexts): string {
  const token = tokens[index];
  if (token?.kind !== "literal") return hole;
  let text = token.hasHoles ? hole : filled(token.value, valuesAfter(tokens, index, names));
  let at = afterLiteral(tokens, index);
  for (let parts = 0; parts < 50; parts += 1) {
    const start = at;
    if (isSign(tokens[at], "+")) at += 1;
    else if (isSign(tokens[at], "<") && isSign(tokens[at + 1], "<")) at += 2;
    const part = tokens[at];
    // A value after a name or a bracket is something else, unless literals are adjacent.
    if (part === undefined || (at === start && part.kind === "sign")) return text;
    const [value, end] = valueAt(tokens, at, names);
    text += value ?? hole;
    if (value === undefined) return text;
    at = end;
  }
  return text;
}

/** The index after a literal: in `std::string("…") + "…"` that of the sign. */
export function afterLiteral(tokens: readonly HostToken[], index: number): number {
  const isString = isSign(tokens[index + 1], ")") && isSign(tokens[index - 1], "(") && isWord(tokens[index - 2], "string");
  return index + (isString ? 2 : 1);
}

/** The value of a literal, a constant, or `std::string(…)` of one, and the index after it. */
function valueAt(tokens: readonly HostToken[], at: number, names: NamedTexts): readonly [string | undefined, number] {
  const token = tokens[at];
  if (token?.kind === "literal") return [token.hasHoles || token.value.includes("%") ? undefined : token.value, at + 1];
  if (token?.kind !== "word") return [undefined, at + 1];
  let inner = at;
  if (token.text === "std" && isSign(tokens[at + 1], ":") && isSign(tokens[at + 2], ":")) inner = at + 3;
  if (isWord(tokens[inner], "string") && isSign(tokens[inner + 1], "(")) {
    const [value, end] = valueAt(tokens, inner + 2, names);
    return isSign(tokens[end], ")") ? [value, end + 1] : [undefined, end];
  }
  const next = tokens[at + 1];
  const isWhole = !(next?.kind === "sign" && [".", "(", "[", ":", "-"].includes(next.text));
  return [isWhole ? (names(token.text) ?? (/^\d+$/.test(token.text) ? token.text : undefined)) : undefined, at + 1];
}

/** The arguments after a format, if each is one literal, number or constant; undefined otherwise. */
function valuesAfter(tokens: readonly HostToken[], index: number, names: NamedTexts): readonly (string | undefined)[] {
  const values: (string | undefined)[] = [];
  let at = index + 1;
  // Python's `"…" % (1, 2)` and `"…" % x`.
  if (isSign(tokens[at], "%")) at += isSign(tokens[at + 1], "(") ? 1 : 0;
  else if (!isSign(tokens[at], ",")) return values;
  while (at < tokens.length && values.length < 20) {
    const [value, end] = valueAt(tokens, at + 1, names);
    const isWhole = isSign(tokens[end], ",") || isSign(tokens[end], ")");
    values.push(isWhole ? value : undefined);
    if (!isSign(tokens[end], ",")) return values;
    at = end;
  }
  return values;
}

/** The format with its conversions replaced. */
function filled(format: string, values: readonly (string | undefined)[]): string {
  let next = 0;
  return format.replace(/%(?:%|[-+ #0]*\d*(?:\.\d+)?(?:hh|h|ll|l|z)?[a-zA-Z])/g, (conversion) => {
    if (conversion === "%%") return "%";
    const value = values[next];
    next += 1;
    return value !== undefined && /^%(?:[diu]|s|l[du]|zu)$/.test(conversion) ? value : hole;
  });
}
