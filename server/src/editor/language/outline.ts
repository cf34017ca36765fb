/** Finds the declarations of a file, for outlines and breadcrumbs, and the parts that can be folded. */
import type { AnalyzedUnit, ReadFile } from "../../diagnostics/analyzed-files.ts";
import { append } from "../../lists.ts";
import { codeAt } from "../../preprocess/unit-row.ts";
import type { EnumeratorSymbol, EnumSymbol, Place, RecordSymbol } from "../../semantics/types/symbols.ts";
import { printType } from "../../semantics/types/types.ts";
import type { SourceSpan } from "../../source.ts";
import { functionSignature, variableSignature } from "../hover/signature.ts";
import { codeTokens } from "../names/tokens.ts";
import { isNamedAt, macrosIn } from "./symbols.ts";

/** A declaration of the file, with the nested ones. */
export interface OutlineEntry {
  readonly kind: "kernel" | "function" | "constant" | "variable" | "struct" | "enum" | "member" | "enumerator" | "type" | "macro";
  readonly name: string;
  readonly detail: string;
  readonly span: SourceSpan;
  readonly nameSpan: SourceSpan;
  /** Members and enumerators. */
  readonly children: readonly OutlineEntry[];
}

/** Functions, types and variables at file scope, and macros, in source order. */
export function outlineOf({ uri, readings: [reading] }: ReadFile, text: string): readonly OutlineEntry[] {
  const entries: OutlineEntry[] = macrosIn(text).map(({ name, span, line }) => ({
    kind: "macro",
    name,
    detail: "",
    span: line,
    nameSpan: span,
    children: [],
  }));
  if (reading === undefined) return entries;
  const spanOf = ({ unit, span }: Place): SourceSpan | undefined => {
    const location = codeAt({ unit, span });
    return location.uri === uri ? location.span : undefined;
  };
  const entryOf = (
    kind: OutlineEntry["kind"],
    name: string,
    detail: string,
    whole: Place,
    at: Place,
    children: readonly OutlineEntry[] = [],
  ): OutlineEntry | undefined => {
    const nameSpan = spanOf(at);
    const span = spanOf(whole);
    if (nameSpan === undefined || span === undefined || name === "") return undefined;
    const spans = [span, nameSpan, ...children.map((child) => child.span)];
    const start = spans.reduce((first, each) => Math.min(first, each.start), span.start);
    const end = spans.reduce((last, each) => Math.max(last, each.end), 0);
    return { kind, name, detail, nameSpan, span: { start, end }, children };
  };
  const add = (...entry: Parameters<typeof entryOf>) => {
    const made = entryOf(...entry);
    if (made !== undefined) entries.push(made);
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
  const membersOf = ({ members = [] }: RecordSymbol) =>
    members
      .map((member) => entryOf("member", member.name, printType(member.type), member.declaration, member.place))
      .filter((entry) => entry !== undefined);
  for (const record of reading.facts.records)
    if (record.place !== undefined && isNamedAt(record.tag, record.place))
      add("struct", record.tag ?? "", record.key, record.place, record.place, membersOf(record));
  for (const { name, type, place } of reading.facts.typedefs) {
    const record = type.kind === "record" ? type.record : undefined;
    const isTagged = record?.place !== undefined && isNamedAt(record.tag, record.place);
    // `typedef struct S { … } S;` is one type with one entry.
    if (isTagged && record.tag === name) continue;
    const children = record === undefined || isTagged ? [] : membersOf(record);
    add(children.length > 0 ? "struct" : "type", name, printType(type), place, place, children);
  }
  for (const [enumeration, values] of enumerationsOf(reading)) {
    const children = values
      .map(({ name, value, place }) => entryOf("enumerator", name, value === undefined ? "" : `= ${value}`, place, place))
      .filter((entry) => entry !== undefined);
    const { place, tag = "" } = enumeration;
    if (place !== undefined && tag !== "") add("enum", tag, "enum", place, place, children);
    else append(entries, children);
  }
  const byPlace = new Map(entries.map((entry) => [entry.nameSpan.start, entry]));
  return [...byPlace.values()].sort((a, b) => a.nameSpan.start - b.nameSpan.start);
}

/** The enumerators outside of functions, by their enumerations. */
function enumerationsOf({ names }: AnalyzedUnit): ReadonlyMap<EnumSymbol, readonly EnumeratorSymbol[]> {
  const found = new Map<EnumSymbol, EnumeratorSymbol[]>();
  for (const name of names?.all() ?? [])
    for (const symbol of names?.of(name) ?? []) {
      if (symbol.kind !== "enumerator" || symbol.place.unit.uri.startsWith("builtin:")) continue;
      found.set(symbol.enumeration, [...(found.get(symbol.enumeration) ?? []), symbol]);
    }
  return found;
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
