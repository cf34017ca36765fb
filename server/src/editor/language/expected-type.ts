/**
 * Decides which type a value that is typed at a place should have: that of the variable that it initializes or is assigned to, of the
 * parameter that it is the argument for, or of the function that returns it. Names that fit come first in a completion.
 */
import type { AnalyzedUnit } from "../../diagnostics/analyzed-files.ts";
import type { Dialect } from "../../dialect.ts";
import { overloadsOf } from "../../semantics/builtins/index.ts";
import { compare } from "../../semantics/types/conversion-rules.ts";
import type { VariableSymbol } from "../../semantics/types/symbols.ts";
import type { Type } from "../../semantics/types/types.ts";
import type { CodeToken, Position } from "../names/tokens.ts";
import { knownNames, typeOfTokens } from "./expression-types.ts";

/** The type that is expected at an offset; undefined if nothing tells. `variableOf` gives the visible variable of a name. */
export function expectedTypeAt(
  reading: AnalyzedUnit,
  { before, open, tokens }: Position,
  variableOf: (name: string) => VariableSymbol | undefined,
): Type | undefined {
  const { facts, unit } = reading;
  const call = open.at(-1);
  if (before === undefined) return undefined;
  if (before.text === "(" || before.text === ",") {
    const name = call?.sign === "(" ? call.name?.text : undefined;
    const callee = name === undefined ? undefined : facts.functions.find((symbol) => symbol.name === name && !symbol.isBuiltin);
    return call === undefined ? undefined : callee?.type.parameters[call.commas];
  }
  if (before.text === "return") {
    const at = unit.view.offsetOf(unit.uri, before.start);
    const around = facts.functions.find(({ declarations }) =>
      declarations.some(
        ({ body, place }) => at !== undefined && place.unit === unit && body !== undefined && body.span.start <= at && at <= body.span.end,
      ),
    );
    return around?.type.result;
  }
  if (before.text !== "=") return undefined;
  const assigned = assignedBefore(tokens.slice(0, -1));
  // An operator such as `+=` is two tokens.
  const target = /^[-+*/%&|^]$/.test(assigned.at(-1)?.text ?? "") ? assigned.slice(0, -1) : assigned;
  const last = target.at(-1);
  return (
    typeOfTokens(target, knownNames(reading, variableOf)) ??
    (last?.kind === "word" && target.at(-2)?.text !== "." ? variableOf(last.text)?.type : undefined)
  );
}

/** The constants of the language that the parameter of a function of the language is for; undefined for other places. */
export function expectedConstants({ before, open }: Position, dialects: readonly Dialect[]): RegExp | undefined {
  const call = open.at(-1);
  if (call?.sign !== "(" || call.name === undefined || (before?.text !== "(" && before?.text !== ",")) return undefined;
  for (const overload of overloadsOf(call.name.text, dialects)) {
    const parameters = overload.slice(overload.indexOf("(") + 1, overload.lastIndexOf(")")).split(",");
    const type = parameters[call.commas]?.trim() ?? "";
    if (Object.hasOwn(constantsOf, type)) return constantsOf[type];
  }
  return undefined;
}

/** By the type of a parameter. */
const constantsOf: Readonly<Record<string, RegExp>> = {
  cl_mem_fence_flags: /^CLK_(?:LOCAL|GLOBAL|IMAGE)_MEM_FENCE$/,
  memory_order: /^memory_order_/,
  memory_scope: /^memory_scope_/,
};

/** The tokens of the statement that ends with the last token. */
function assignedBefore(tokens: readonly CodeToken[]): readonly CodeToken[] {
  const start = tokens.findLastIndex(({ text }) => /^[;{}(]$/.test(text));
  return tokens.slice(start + 1);
}

/** True if a value of a type can stand where another one is expected, without a cast and without a change of the kind of value. */
export function fits(type: Type, expected: Type, dialect: Dialect): boolean {
  switch (expected.kind) {
    case "pointer":
      return (type.kind === "pointer" || type.kind === "array") && compare(type, expected, dialect, false).kind === "ok";
    case "vector":
      return type.kind === "vector" && type.length === expected.length && type.element === expected.element;
    case "record":
      return type.kind === "record" && type.record === expected.record;
    default:
      return type.kind === expected.kind;
  }
}
