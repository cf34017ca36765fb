/**
 * Finds for which kernel files host code chooses options: those that it names next. Names that the code puts together are patterns,
 * `"kernel_" + name + ".cl"` and, in a macro, `"kernel_" #name ".cl"`.
 */
import { isSign } from "../../embedded/host-tokens.ts";
import type { HostToken } from "../../embedded/literals.ts";
import { literally } from "../../words.ts";

/** How far behind options the kernel file may be named, in tokens. */
const mostBetween = 300;

/**
 * A pattern for the names of the kernel files for which options are chosen: those that earlier arguments of the same call name, or the
 * first ones behind it. Undefined if there are none, or they may have any name.
 */
export function programsOf(tokens: readonly HostToken[], index: number): RegExp | undefined {
  const start = startOfCall(tokens, index);
  for (let at = start; at < tokens.length && at <= index + mostBetween; at += 1) {
    const pattern = namedAt(tokens, at);
    if (pattern !== undefined) return pattern === "any" ? undefined : pattern;
  }
  return undefined;
}

/** The index of the first argument of the call around an argument; the argument's own outside of calls. */
function startOfCall(tokens: readonly HostToken[], index: number): number {
  let depth = 0;
  for (let at = index - 1; at >= 0 && at > index - mostBetween; at -= 1) {
    if (isSign(tokens[at], ")")) depth += 1;
    if (isSign(tokens[at], "(") && depth-- === 0) return at + 1;
    if (isSign(tokens[at], ";") || isSign(tokens[at], "{") || isSign(tokens[at], "}")) break;
  }
  return index;
}

function namedAt(tokens: readonly HostToken[], at: number): RegExp | "any" | undefined {
  const token = tokens[at];
  if (token?.kind !== "literal") return undefined;
  const [, written, ending] = /(?:^|[/\\"'\s])([\w.-]+\.(?:cl|ocl|opencl))\b|^([\w.-]*\.(?:cl|ocl|opencl))\b/.exec(token.value) ?? [];
  if (written !== undefined && !isJoined(tokens, at)) return new RegExp(`^${literally(written)}$`);
  const whole = ending ?? written;
  if (whole === undefined) return undefined;
  const start = startOfName(tokens, at);
  return start === undefined ? "any" : new RegExp(`^${literally(start)}[\\w.-]+${literally(whole)}$`);
}

/** True for a literal that continues what stands before it. */
function isJoined(tokens: readonly HostToken[], at: number): boolean {
  const before = tokens[at - 1];
  return before?.kind === "sign" ? before.text === "+" : before?.kind === "word" && isSign(tokens[at - 2], "#");
}

/** The written start of a name whose end is a literal and whose middle is a word. */
function startOfName(tokens: readonly HostToken[], at: number): string | undefined {
  const middle = isSign(tokens[at - 1], "+") ? 2 : 1;
  const sign = tokens[at - middle - 1];
  const start = tokens[at - middle - 2];
  if (tokens[at - middle]?.kind !== "word" || !(isSign(sign, "#") || isSign(sign, "+")) || start?.kind !== "literal") return undefined;
  const name = /[\w.-]+$/.exec(start.value)?.[0];
  return name !== undefined && /[A-Za-z]/.test(name) ? name : undefined;
}
