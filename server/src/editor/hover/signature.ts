/** Spells declarations in hovers: canonically if their types are known, otherwise as the author does. */
import type { FunctionDeclaration, FunctionSymbol, Place, VariableSymbol } from "../../semantics/types/symbols.ts";
import { containsUnknown, spell, spellDeclared, type Type } from "../../semantics/types/types.ts";

/** The width above which a parameter list is broken into lines. */
const widest = 90;

/** A variable or parameter without its initializer. */
export function variableSignature(variable: VariableSymbol): string {
  if (!isSpellable(variable.type)) return authorsText(variable.declaration);
  const text = [wordsInFront(variable), spellDeclared(withoutSilentSpace(variable), variable.name)].filter((part) => part !== "").join(" ");
  // `constexpr` already implies const.
  return variable.type.kind === "pointer" ? text : text.replace(/\bconstexpr const\b/, "constexpr");
}

/** The width above which a value is left out. */
const widestValue = 40;

/** The value as written by the author, ` = 64`; empty if there is none, or a long one. */
export function valueText({ place: { unit, span }, initializer }: VariableSymbol): string {
  const text = initializer === undefined ? "" : unit.view.text.slice(span.end, initializer.span.end).replace(/\s+/g, " ").trim();
  const value = text.slice(text.indexOf("=") + 1).trim();
  return text.includes("=") && value.length <= widestValue ? ` = ${value}` : "";
}

/** The signature of a function. `before` is its kind: `__kernel`, `__global__`, `__device__`. */
export function functionSignature(symbol: FunctionSymbol, declaration: FunctionDeclaration, before: string): string {
  const { result } = declaration.type;
  const head = `${before === "" ? "" : `${before} `}${isSpellable(result) ? spell(result) : authorsResult(declaration)}`;
  const parameters = declaration.parameters.map(({ symbol: parameter }) => variableSignature(parameter));
  const line = `${head} ${symbol.name}(${parameters.join(", ")})`;
  return line.length <= widest ? line : `${head} ${symbol.name}(\n${parameters.map((parameter) => `  ${parameter}`).join(",\n")})`;
}

/** The author's spelling of the return type, such as `T`. */
function authorsResult({ place: { unit, span }, namePlace }: FunctionDeclaration): string {
  const text = namePlace.unit === unit ? unit.view.text.slice(span.start, namePlace.span.start) : "";
  const type = text
    .replace(/^\s*template\s*<[^{}();]*>\s*(?=[A-Za-z_])/, "")
    .replace(/\b(?:__\w+__|static|inline|constexpr|extern|virtual|friend)\b(?:\s*\([^()]*\))?/g, "")
    .replace(/\s+/g, " ")
    .trim();
  return /^[\w:<>,*& ]+$/.test(type) ? type : "auto";
}

/** False for a type that is unknown or unnamed in some part, because it has no spelling. */
function isSpellable(type: Type): boolean {
  return !containsUnknown(type) && !/[<(](?:unknown|dependent|member pointer|unnamed)/.test(spell(type));
}

/** The words before the type. `const` and `restrict` belong to the type; the object's own qualifiers do not. */
function wordsInFront({ words }: VariableSymbol): string {
  return words
    .map(({ text }) => text)
    .filter((text) => !/^(const|volatile|restrict|__(global|local|constant|private|generic|read_only|write_only|read_write))$/.test(text))
    .join(" ");
}

/** The type without an implicit space: private is the default for a variable, so it is not spelled. */
function withoutSilentSpace({ type, isSpaceExplicit }: VariableSymbol): Type {
  if (isSpaceExplicit || type.qualifiers.space !== "private" || type.kind === "array") return type;
  return { ...type, qualifiers: { ...type.qualifiers, space: undefined } };
}

/** The text of the place on one line. */
function authorsText({ unit, span }: Place): string {
  return unit.view.text.slice(span.start, span.end).replace(/\s+/g, " ").trim();
}
