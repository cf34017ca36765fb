/** Finds the declarations of a file, for outlines and breadcrumbs, and the parts that can be folded. */
import type { ReadFile } from "../../diagnostics/readings.ts";
import { codeAt } from "../../preprocess/unit-row.ts";
import type { Place } from "../../semantics/types/symbols.ts";
import type { SourceSpan } from "../../source.ts";
import { functionSignature, variableSignature } from "../hover/signature.ts";
import { codeTokens } from "../names/tokens.ts";
import { macrosIn } from "./symbols.ts";

/** A declaration of the file, with the nested ones. */
export interface OutlineEntry {
  readonly kind: "kernel" | "function" | "constant" | "variable" | "struct" | "macro";
  readonly name: string;
  readonly detail: string;
  readonly span: SourceSpan;
  readonly nameSpan: SourceSpan;
}

/** Functions, types and variables at file scope, and macros, in source order. */
export function outlineOf({ uri, readings: [reading] }: ReadFile, text: string): readonly OutlineEntry[] {
  const entries: OutlineEntry[] = macrosIn(text).map(({ name, span, line }) => ({
    kind: "macro",
    name,
    detail: "",
    span: line,
    nameSpan: span,
  }));
  if (reading === undefined) return entries;
  const spanOf = ({ unit, span }: Place): SourceSpan | undefined => {
    const location = codeAt({ unit, span });
    return location.uri === uri ? location.span : undefined;
  };
  const add = (kind: OutlineEntry["kind"], name: string, detail: string, whole: Place, at: Place) => {
    const nameSpan = spanOf(at);
    const span = spanOf(whole);
    if (nameSpan === undefined || span === undefined || name === "") return;
    entries.push({
      kind,
      name,
      detail,
      nameSpan,
      span: { start: Math.min(span.start, nameSpan.start), end: Math.max(span.end, nameSpan.end) },
    });
  };
  for (const symbol of reading.facts.functions)
    for (const declaration of symbol.declarations) {
      const { place, body, namePlace, execution } = declaration;
      if (symbol.lambda !== undefined || place.unit.uri.startsWith("builtin:")) continue;
      const whole = { unit: place.unit, span: { start: place.span.start, end: Math.max(place.span.end, body?.span.end ?? 0) } };
      const detail = functionSignature(symbol, declaration, "")
        .replace(/^.*?(?=\()/s, "")
        .replace(/\s+/g, " ");
      add(execution.kernel ? "kernel" : "function", symbol.name, detail, whole, namePlace);
    }
  for (const { variable } of reading.facts.variables)
    if (variable.scope === "program") {
      const isConstant =
        variable.type.qualifiers.const ||
        (variable.type.kind === "array" ? variable.type.element : variable.type).qualifiers.space === "constant";
      add(isConstant ? "constant" : "variable", variable.name, variableSignature(variable), variable.declaration, variable.place);
    }
  for (const record of reading.facts.records)
    if (record.place !== undefined) add("struct", record.tag ?? "", record.key, record.place, record.place);
  const byPlace = new Map(entries.map((entry) => [entry.nameSpan.start, entry]));
  return [...byPlace.values()].sort((a, b) => a.nameSpan.start - b.nameSpan.start);
}

/** A part of the text that an editor can fold. */
export interface Fold {
  readonly span: SourceSpan;
  readonly kind: "region" | "comment";
}

/** Blocks in braces, comments of several lines, and conditional sections. The caller drops those on one line. */
export function foldsOf(text: string): readonly Fold[] {
  const folds: Fold[] = [];
  const braces: number[] = [];
  for (const { kind, text: sign, start, end } of codeTokens(text)) {
    if (kind === "comment" && sign.startsWith("/*")) folds.push({ kind: "comment", span: { start, end } });
    else if (sign === "{") braces.push(start);
    else if (sign === "}") {
      const open = braces.pop();
      if (open !== undefined) folds.push({ kind: "region", span: { start: open, end: start } });
    }
  }
  const conditions: number[] = [];
  for (const { index, 0: line, 1: word } of text.matchAll(/^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b.*$/gm)) {
    if (word !== "if" && word !== "ifdef" && word !== "ifndef") {
      const open = conditions.pop();
      // The line that ends the section stays visible.
      if (open !== undefined && index > open) folds.push({ kind: "region", span: { start: open, end: index - 1 } });
    }
    if (word !== "endif") conditions.push(index + line.length);
  }
  return folds;
}
