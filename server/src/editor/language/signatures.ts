/** Finds the functions that a call may refer to while its arguments are typed: the author's, and every overload of the language's. */
import type { AnalyzedUnit, ReadFile } from "../../diagnostics/analyzed-files.ts";
import { overloadsOf } from "../../semantics/builtins/index.ts";
import { decayedType } from "../../semantics/types/predicates.ts";
import { printType } from "../../semantics/types/types.ts";
import type { Span } from "../../source.ts";
import { functionSignature } from "../hover/signature.ts";
import { localsAt } from "../names/scopes.ts";
import { bareTypes } from "../names/spelled-types.ts";
import { type CodeToken, codeTokens, positionAt } from "../names/tokens.ts";
import { knownNames, typeOfTokens } from "./expression-types.ts";

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
export function signatureHelpAt({ uri, readings }: ReadFile, text: string, offset: number): SignatureHelp | undefined {
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
  const all = [...new Set(declared)].map((label): Signature => signatureOf(label.replace(/;$/, "")));
  const given = argumentTypes(reading, uri, text, call.at, offset);
  const active = fittingIndex(all, given, call.commas);
  const chosen = all[active];
  if (chosen === undefined) return undefined;
  const isShown = active < mostSignatures;
  const signatures = isShown ? all.slice(0, mostSignatures) : [chosen, ...all.slice(0, mostSignatures - 1)];
  return { signatures, active: isShown ? active : 0, parameter: call.commas };
}

/** The types of the arguments before an offset, as spelled in declarations; undefined where a type is not known. */
function argumentTypes(reading: AnalyzedUnit, uri: string, text: string, open: number, offset: number): readonly (string | undefined)[] {
  const { facts, unit } = reading;
  const at = unit.uri === uri ? unit.view.offsetOf(uri, open) : undefined;
  const locals = at === undefined ? [] : localsAt(facts, unit, at);
  const variableOf = (name: string) =>
    locals.findLast((variable) => variable.name === name) ??
    facts.variables.find(({ variable }) => variable.scope === "program" && variable.name === name)?.variable;
  const known = knownNames(reading, variableOf);
  return argumentsBetween(text, open, offset).map((tokens) => {
    const type = typeOfTokens(tokens, known);
    return type === undefined || type.kind === "unknown" || type.kind === "dependent" ? undefined : bareTypes(printType(decayedType(type)));
  });
}

/** The tokens of the arguments that are complete before an offset. */
function argumentsBetween(text: string, open: number, offset: number): readonly (readonly CodeToken[])[] {
  const found: CodeToken[][] = [];
  let now: CodeToken[] = [];
  let depth = 0;
  for (const token of codeTokens(text)) {
    if (token.start <= open || token.kind === "comment") continue;
    if (token.end > offset) break;
    if (/^[([{]$/.test(token.text)) depth += 1;
    else if (/^[)\]}]$/.test(token.text)) depth -= 1;
    if (token.text === "," && depth === 0) {
      found.push(now);
      now = [];
    } else now.push(token);
  }
  return found;
}

/** The index of the signature whose first parameters have the types of the given arguments; otherwise of the first that is long enough. */
function fittingIndex(signatures: readonly Signature[], given: readonly (string | undefined)[], commas: number): number {
  const long = signatures.map((signature, index) => ({ signature, index })).filter(({ signature }) => signature.parameters.length > commas);
  const score = ({ label, parameters }: Signature) =>
    parameters.filter(
      ({ start, end }, index) => given[index] !== undefined && bareTypes(label.slice(start, end)).startsWith(given[index] ?? ""),
    ).length +
    // `float` also begins `float4`.
    parameters.filter(({ start, end }, index) => given[index] === bareTypes(label.slice(start, end))).length;
  const scored = long.map(({ signature, index }) => ({ index, score: score(signature) }));
  return scored.reduce((best, next) => (next.score > best.score ? next : best), { index: scored[0]?.index ?? 0, score: 0 }).index;
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
