/** Finds the functions that a call may refer to while its arguments are typed: the author's, and every overload of the language's. */
import type { ReadFile } from "../../diagnostics/readings.ts";
import { overloadsOf } from "../../semantics/builtins/index.ts";
import type { Span } from "../../source.ts";
import { functionSignature } from "../hover/signature.ts";
import { positionAt } from "../names/tokens.ts";

/** A function as the editor shows it while its arguments are typed. */
export interface Signature {
  readonly label: string;
  /** Parts of the label, one for each parameter. */
  readonly parameters: readonly Span[];
}

/** The signatures that a call may refer to, and the argument that is being typed. */
export interface SignatureHelp {
  readonly signatures: readonly Signature[];
  /** The first signature with enough parameters for the argument. */
  readonly active: number;
  readonly parameter: number;
}

/** The greatest number of overloads; the first ones of `vload` and the like are representative. */
const mostSignatures = 40;

/** The signatures for an offset; undefined outside of calls, and for a call of an unknown function. */
export function signatureHelpAt({ readings }: ReadFile, text: string, offset: number): SignatureHelp | undefined {
  const [reading] = readings;
  const call = positionAt(text, offset)?.open.at(-1);
  if (reading === undefined || call?.sign !== "(" || call.name === undefined) return undefined;
  const name = call.name.text;
  const own = reading.facts.functions
    .filter((symbol) => symbol.name === name && !symbol.isBuiltin)
    .flatMap((symbol) =>
      symbol.declarations.slice(0, 1).map((declaration) => functionSignature(symbol, declaration, "").replace(/\s+/g, " ")),
    );
  const dialects = readings.map(({ dialect }) => dialect);
  const declared = own.length > 0 ? own : overloadsOf(name, dialects);
  const signatures = [...new Set(declared)].slice(0, mostSignatures).map((label): Signature => signatureOf(label.replace(/;$/, "")));
  if (signatures.length === 0) return undefined;
  const active = signatures.findIndex(({ parameters }) => parameters.length > call.commas);
  return { signatures, active: Math.max(0, active), parameter: call.commas };
}

/** The signature with this label. Its parameters are between the last parentheses. */
function signatureOf(label: string): Signature {
  const close = label.lastIndexOf(")");
  let open = close - 1;
  for (let depth = 1; open >= 0; open -= 1) {
    if (label[open] === ")") depth += 1;
    else if (label[open] === "(" && --depth === 0) break;
  }
  const parameters: Span[] = [];
  let start = open + 1;
  let depth = 0;
  for (let at = open + 1; at <= close; at += 1) {
    const sign = label[at] ?? "";
    if (/[([<{]/.test(sign)) depth += 1;
    else if (at < close && /[)\]>}]/.test(sign)) depth -= 1;
    else if ((sign === "," && depth === 0) || at === close) {
      const part = label.slice(start, at);
      const from = start + part.length - part.trimStart().length;
      if (part.trim() !== "" && part.trim() !== "void") parameters.push({ start: from, end: from + part.trim().length });
      start = at + 1;
    }
  }
  return { label, parameters };
}
