/** Puts into a sentence how much of the device code was judged, and what stands in the way of the rest. */
import { printable } from "../printable.ts";
import type { Coverage } from "./coverage.ts";

/** Flags as a shell needs them: `'-DHAS(...)'`. */
function quoted(flags: string): string {
  const each = flags.split(" ").map((flag) => (flag.includes("(") ? `'${printable(flag)}'` : printable(flag)));
  return each.join(" ");
}

/** How many macros and headers are named. */
const mostMacros = 3;
const mostHeaders = 4;

/** Names for inactive code by the macro in its condition, where a flag cannot define that macro, or the condition has none. */
const notDefined: ReadonlyMap<string, string> = new Map([
  ["", "code that is not active"],
  ["__CUDA_ARCH__", "code for other architectures"],
  ["__has_include", "code that needs other headers"],
]);

/** The sentence without its beginning: `3 kernels checked; 104 in code that needs USE_CUDA (try -- -DUSE_CUDA)`. */
export function coverageText({ kernels, unclear, inactive, hidden, unparsed, missingHeaders }: Coverage): string {
  const parts = [`${kernels} kernel${kernels === 1 ? "" : "s"} checked`];
  for (const { macro, flag, kernels: count } of inactive.slice(0, mostMacros)) {
    const what = notDefined.get(macro) ?? `code that needs ${printable(macro)}`;
    parts.push(`${count} in ${what}${flag === undefined ? "" : ` (try -- ${quoted(flag)})`}`);
  }
  const rest = inactive.slice(mostMacros);
  if (rest.length > 0) parts.push(`${rest.reduce((sum, each) => sum + each.kernels, 0)} in code that needs ${rest.length} other macros`);
  for (const { macro, flag, kernels: count } of hidden.slice(0, mostMacros))
    parts.push(`${count} behind ${printable(macro)}, which no header defines${flag === undefined ? "" : ` (try -- ${printable(flag)})`}`);
  const others = hidden.slice(mostMacros).reduce((sum, each) => sum + each.kernels, 0);
  if (others > 0) parts.push(`${others} behind other macros that no header defines`);
  if (unparsed > 0) parts.push(`${unparsed} in templates or string literals that do not parse`);
  if (unclear > 0 && missingHeaders.length > 0)
    parts.push(`${unclear} with types from headers that are missing (${named(missingHeaders)})`);
  return parts.join("; ");
}

/** Names headers without their quotes or brackets, each once. One that a macro names has none, and is named as written. */
function named(headers: readonly string[]): string {
  const names = [...new Set(headers.map((name) => printable(name.replace(/^["<](.*)[">]$/s, "$1"))))];
  return `${names.slice(0, mostHeaders).join(", ")}${names.length > mostHeaders ? ` and ${names.length - mostHeaders} more` : ""}`;
}
