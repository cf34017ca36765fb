/** The names that a program declares, as completions: variables, functions, types, enumerators and macros, also those of headers. */
import type { AnalyzedUnit } from "../../diagnostics/analyzed-files.ts";
import { definitionsIn } from "../../preprocess/macros/definitions-in.ts";
import type { VariableSymbol } from "../../semantics/types/symbols.ts";
import { printType } from "../../semantics/types/types.ts";
import { type Files, textOf } from "../../source.ts";
import { functionSignature, variableSignature } from "../hover/signature.ts";
import { scopeSpanOf } from "../names/scopes.ts";
import { writtenLocalsAt } from "../names/written-locals.ts";
import type { CompletionEntry } from "./completion.ts";
import { headersOf } from "./symbols.ts";

/** How many characters of a macro's definition a list can show. */
const longestDetail = 60;

/**
 * Variables and functions that can be named at an offset. `parameters` are those of the macro that is being defined, which may name the
 * variables of any function that uses it.
 */
export function namesOfProgram(
  reading: AnalyzedUnit,
  text: string,
  offset: number,
  parameters: readonly string[] | undefined,
): readonly CompletionEntry[] {
  const { facts } = reading;
  const found = new Map<string, CompletionEntry>();
  const add = (entry: CompletionEntry) => {
    if (entry.label !== "" && !found.has(entry.label)) found.set(entry.label, entry);
  };
  for (const label of parameters ?? []) add({ kind: "variable", label, detail: "parameter of the macro" });
  for (const { variable } of facts.variables) {
    const mayBeNamed = parameters !== undefined && variable.scope !== "member" && !variable.place.unit.uri.startsWith("builtin:");
    if (!mayBeNamed && !isVisible(variable, offset)) continue;
    const kind = variable.type.qualifiers.const ? "constant" : "variable";
    const { name: label, type, scope } = variable;
    add({ kind, label, detail: variableSignature(variable), type, ...(scope === "program" ? {} : { isLocal: true }) });
  }
  for (const symbol of facts.functions) {
    const [first] = symbol.declarations;
    if (first === undefined || symbol.isBuiltin || symbol.lambda !== undefined || first.execution.kernel) continue;
    add({
      kind: "function",
      label: symbol.name,
      detail: functionSignature(symbol, first, "").replace(/\s+/g, " "),
      type: symbol.type.result,
    });
  }
  for (const { name, signature } of writtenLocalsAt(text, offset)) add({ kind: "variable", label: name, detail: signature, isLocal: true });
  return [...found.values()];
}

/** Functions, variables and enumerators that headers declare, whether the file uses them or not. */
export function declaredNames({ names: program }: AnalyzedUnit, inBody: boolean): readonly CompletionEntry[] {
  if (program === undefined || !inBody) return [];
  return [...program.all()].flatMap((label): readonly CompletionEntry[] => {
    const [symbol] = program.of(label);
    switch (symbol?.kind) {
      case "function": {
        const [first] = symbol.declarations;
        return first === undefined || symbol.isBuiltin || first.execution.kernel
          ? []
          : [{ kind: "function", label, detail: functionSignature(symbol, first, "").replace(/\s+/g, " "), type: symbol.type.result }];
      }
      case "variable":
        return symbol.place.unit.uri.startsWith("builtin:")
          ? []
          : [{ kind: "variable", label, detail: variableSignature(symbol), type: symbol.type }];
      case "typedef":
        return [{ kind: symbol.isBuiltin ? "builtin" : "type", label, detail: printType(symbol.type) }];
      case "record":
        return [{ kind: symbol.isBuiltin ? "builtin" : "type", label, detail: symbol.key }];
      case "enumerator":
        return [{ kind: symbol.place.unit.uri.startsWith("builtin:") ? "builtin" : "constant", label, detail: "enumerator" }];
      default:
        return [];
    }
  });
}

/** The macros that the file and its headers define, without include guards. */
export function macrosOfProgram({ unit }: AnalyzedUnit, text: string, files: Files | undefined): readonly CompletionEntry[] {
  const ofHeaders = files === undefined ? [] : headersOf(unit).map((uri) => textOf(files, uri));
  return [text, ...ofHeaders].flatMap((each, index) =>
    definitionsIn(each).flatMap(({ name, span, line }): CompletionEntry[] => {
      const says = each.slice(span.start, line.end).replace(/\s+/g, " ");
      // Include guards are not offered.
      if (index > 0 && says === name) return [];
      return [{ kind: "macro", label: name, detail: says.length > longestDetail ? `${says.slice(0, longestDetail)}…` : says }];
    }),
  );
}

/** True if a variable can be named at an offset of the file. */
export function isVisible(variable: VariableSymbol, offset: number): boolean {
  if (variable.scope === "member" || variable.place.unit.uri.startsWith("builtin:")) return false;
  if (variable.scope === "program") return true;
  const span = scopeSpanOf(variable);
  if (span === undefined) return false;
  const { unit } = variable.place;
  const { location } = unit.view.origin(span);
  return location.span.start <= offset && offset <= location.span.end;
}
