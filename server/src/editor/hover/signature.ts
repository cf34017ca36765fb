/**
 * Spells declarations in hovers: qualifiers canonically if the types are known, the type's name as the author wrote it (`uint`, not
 * `unsigned int`), and everything as the author does otherwise.
 */
import type { FunctionDeclaration, FunctionSymbol, Place, TypedefSymbol, VariableSymbol } from "../../semantics/types/symbols.ts";
import { containsUnknown, printDeclared, printType, type Type, unqualifiedType } from "../../semantics/types/types.ts";
import { literally } from "../../words.ts";

/** The width above which a parameter list is broken into lines. */
const widest = 90;

/** A variable or parameter without its initializer. */
export function variableSignature(variable: VariableSymbol): string {
  if (!isSpellable(variable.type)) return authorsDeclaration(variable);
  const spelled = printDeclared(withoutSilentSpace(variable), variable.name);
  const { place, declaration } = variable;
  const { text: view } = place.unit.view;
  const named =
    declaration.unit === place.unit
      ? withWrittenName(
          spelled,
          variable.type,
          view.slice(declaration.span.start, place.span.start),
          view.slice(place.span.end, declaration.span.end),
        )
      : spelled;
  const text = [wordsInFront(variable), named].filter((part) => part !== "").join(" ");
  // `constexpr` already implies const.
  return variable.type.kind === "pointer" ? text : text.replace(/\bconstexpr const\b/, "constexpr");
}

/** The words of a declaration that qualify the type or the object, and are not its name. */
const notNames =
  /\b(?:const|volatile|restrict|__restrict(?:__)?|static|inline|constexpr|extern|register|mutable|typename|__(?:global|local|constant|private|generic|read_only|write_only|read_write|device|shared|managed|host|kernel|grid_constant)(?:__)?)\b/g;

/** A type definition, such as `typedef uint4 quad`. */
export function typedefSignature({ name, type, place: { unit, span } }: TypedefSymbol): string {
  const { text } = unit.view;
  const head = text.slice(Math.max(0, span.start - longestHead), span.start);
  const before = /\btypedef\b([^;{}]*)$/.exec(head)?.[1] ?? "";
  const end = text.indexOf(";", span.end);
  return `typedef ${withWrittenName(printDeclared(type, name), type, before, text.slice(span.end, end < 0 ? span.end : end))}`;
}

/** The number of characters in front of a name in which its `typedef` is looked for. */
const longestHead = 300;

/**
 * A spelled declaration with the type's name as it is written `before` the declared name. A name that hides pointers or arrays stays
 * resolved.
 */
function withWrittenName(spelled: string, type: Type, before: string, after: string): string {
  const { base, stars, arrays } = shapeOf(type);
  if (base === undefined) return spelled;
  const words = before.replace(notNames, " ").trim();
  const brackets = /^(?:\s*\[[^[\]]*\])*/.exec(after)?.[0] ?? "";
  const [, written = "", marks = ""] = /^((?:::)?[A-Za-z_]\w*(?:(?:::|\s+)[A-Za-z_]\w*)*)\s*([*&\s]*)$/.exec(words) ?? [];
  const writtenStars = [...marks].filter((mark) => mark === "*" || mark === "&").length;
  const writtenArrays = [...brackets].filter((sign) => sign === "[").length;
  // A parameter that is written as an array is a pointer (C11 §6.7.6.3p7).
  const isAdjusted = type.kind === "pointer" && writtenStars + 1 === stars && writtenArrays === arrays + 1;
  const hides = !isAdjusted && (writtenStars !== stars || writtenArrays !== arrays);
  if (written === "" || written === "auto" || hides) return spelled;
  // A length that only the build knows is shown as its author wrote it.
  const text = isAdjusted || !spelled.endsWith("[]") ? spelled : spelled.replace(/(?:\[[^[\]]*\])+$/, () => brackets.replace(/\s+/g, ""));
  const canonical = printType(unqualifiedType(base));
  const at = new RegExp(`(?<![\\w:])${literally(canonical)}(?![\\w:<])`).exec(text);
  if (at === null) return text;
  return `${text.slice(0, at.index)}${written.replace(/\s+/g, " ")}${text.slice(at.index + canonical.length)}`;
}

/** The innermost type of a declarator, and how many pointers, references and arrays are around it; no base where words belong to its name. */
function shapeOf(type: Type): { readonly base: Type | undefined; readonly stars: number; readonly arrays: number } {
  let base = type;
  let stars = 0;
  let arrays = 0;
  for (;;) {
    if (base.kind === "pointer") base = base.pointee;
    else if (base.kind === "reference") base = base.referent;
    else if (base.kind === "array") {
      base = base.element;
      arrays += 1;
      continue;
    } else return { base: base.kind === "function" || base.kind === "opaque" ? undefined : base, stars, arrays };
    stars += 1;
  }
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
  const head = `${before === "" ? "" : `${before} `}${resultText(declaration)}`;
  const parameters = declaration.parameters.map(({ symbol: parameter }) => variableSignature(parameter));
  const line = `${head} ${symbol.name}(${parameters.join(", ")})`;
  return line.length <= widest ? line : `${head} ${symbol.name}(\n${parameters.map((parameter) => `  ${parameter}`).join(",\n")})`;
}

/** The type that a function returns. */
function resultText(declaration: FunctionDeclaration): string {
  const { type, namePlace, place } = declaration;
  if (!isSpellable(type.result)) return authorsResult(declaration);
  const before = namePlace.unit === place.unit ? place.unit.view.text.slice(place.span.start, namePlace.span.start) : "";
  return withWrittenName(printType(type.result), type.result, before, "");
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
  return !containsUnknown(type) && !/[<(](?:unknown|dependent|member pointer|unnamed)/.test(printType(type));
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
  if (isSpaceExplicit || (type.qualifiers.space !== "private" && type.kind !== "array")) return type;
  return withoutPrivate(type);
}

/** An object's type without the private space, which in an array is that of its elements. */
function withoutPrivate(type: Type): Type {
  const { space } = type.qualifiers;
  const bare = space === "private" ? { ...type, qualifiers: { ...type.qualifiers, space: undefined } } : type;
  return bare.kind === "array" ? { ...bare, element: withoutPrivate(bare.element) } : bare;
}

/** The declaration as it is written, without the other variables that it declares before this one. */
function authorsDeclaration({ declaration, place }: VariableSymbol): string {
  const whole = authorsText(declaration);
  if (declaration.unit !== place.unit) return whole;
  const { text } = place.unit.view;
  const before = text.slice(declaration.span.start, place.span.start);
  if (before.length > longestHead) return whole;
  const [, words] = /^([^,()[\]{}=]*?)[\s*&]*\b\w+\s*(?:[,[=])/.exec(before) ?? [];
  const comma = before.lastIndexOf(",");
  if (words === undefined || comma < 0 || /[(){}]/.test(before)) return whole;
  return `${words} ${before.slice(comma + 1)}${text.slice(place.span.start, declaration.span.end)}`.replace(/\s+/g, " ").trim();
}

/** The text of the place on one line. */
function authorsText({ unit, span }: Place): string {
  return unit.view.text.slice(span.start, span.end).replace(/\s+/g, " ").trim();
}
