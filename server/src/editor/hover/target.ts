/**
 * Finds what a hover can explain at a place of the author's code: a qualifying word, a variable, or a function. For a macro invocation,
 * it is the first qualifying word in the expansion, or what the whole expansion names.
 */
import { unitsWith } from "../../preprocess/units.ts";
import type { Unit } from "../../preprocess/view/view.ts";
import { canonicalWord, qualifiers } from "../../qualifiers.ts";
import type { Facts, SpecifierWordFact } from "../../semantics/facts/facts.ts";
import { templateTextOf, typeOfTemplateValue } from "../../semantics/templates/function-templates.ts";
import { type FunctionSymbol, isSamePlace, type Place, type VariableSymbol } from "../../semantics/types/symbols.ts";
import type { Type } from "../../semantics/types/types.ts";
import type { UnitLocation, ViewSpan } from "../../source.ts";

/** The element at the place. */
export interface HoverTarget {
  readonly kind: "word" | "variable" | "function" | "template-parameter" | "builtin";
  /** The word in its canonical spelling, or the name. */
  readonly text: string;
  /** The variable that is named, or that the word qualifies. */
  readonly variable?: VariableSymbol;
  readonly function?: FunctionSymbol;
  /** The type of a non-type template parameter. */
  readonly type?: Type;
  /** An address space that no variable has: true if it is that of a pointee, as in a cast or in a typedef of a pointer. */
  readonly isOfPointee?: boolean;
  /** What the word qualifies. */
  readonly on?: SpecifierWordFact["on"];
  readonly location: UnitLocation;
  /** The macro whose invocation is at the place. */
  readonly macro?: string;
}

/** The element at this offset of this file, which is the unit's own or one that it includes. */
export function targetAt(root: Unit, facts: Facts, uri: string, offset: number): HoverTarget | undefined {
  for (const unit of unitsWith(root, uri)) {
    for (const span of identifiersAt(unit, uri, offset)) {
      const found = targetOf(unit, facts, span);
      if (found === undefined) continue;
      const { location, macro, exact } = unit.view.origin(span);
      // A macro stands for a variable or a function if it expands to nothing else. It may qualify what it is a part of.
      if (macro !== undefined && !exact && found.kind !== "word" && !isWholeExpansion(unit.view, span)) continue;
      return { ...found, location, ...(macro === undefined || exact ? {} : { macro: macro.name }) };
    }
  }
  return undefined;
}

/** The identifier at an offset, or all identifiers in the expansion of the macro invocation there. */
function identifiersAt({ view }: Unit, uri: string, offset: number): readonly ViewSpan[] {
  const at = view.offsetOf(uri, offset);
  if (at === undefined) return [];
  const whole = view.origin({ start: at, end: at + 1 });
  const end = whole.macro === undefined || whole.exact ? at + 1 : endOfExpansion(view, at);
  const spans: ViewSpan[] = [];
  const from = startOfIdentifier(view.text, at);
  for (const match of view.text.slice(from, Math.max(end, from + longestIdentifier)).matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) {
    const start = from + match.index;
    if (start >= end) break;
    if (start + match[0].length > at) spans.push({ start, end: start + match[0].length });
  }
  return spans;
}

/** True if the macro invocation that an identifier came from expands to it alone. */
function isWholeExpansion(view: Unit["view"], { start, end }: ViewSpan): boolean {
  const { segments, text } = view;
  let first = segments.indexAt(start);
  while (first > 0 && segments.areOfOneInvocation(first - 1, first)) first -= 1;
  const from = segments.startOf(first) ?? start;
  return text.slice(from, start).trim() === "" && text.slice(end, endOfExpansion(view, start)).trim() === "";
}

/** The length from which an identifier is skipped. */
const longestIdentifier = 1_000;

function startOfIdentifier(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && offset - start < longestIdentifier && /[\p{L}\p{N}_$]/u.test(text[start - 1] ?? "")) start -= 1;
  return start;
}

/** The end of the text that comes from the same invocation. */
function endOfExpansion({ text, segments }: Unit["view"], at: number): number {
  const index = segments.indexAt(at);
  if (segments.length === 0) return at + 1;
  for (let next = index; ; next += 1) {
    const start = segments.startOf(next);
    if (start === undefined) return text.length;
    if (!segments.areOfOneInvocation(index, next)) return start;
  }
}

function targetOf(unit: Unit, facts: Facts, span: ViewSpan): Omit<HoverTarget, "location"> | undefined {
  const text = unit.view.text.slice(span.start, span.end);
  const isHere = (place: Place) => isSamePlace(place, { unit, span });
  const word = facts.words.find((fact) => isHere(fact.word.place));
  if (word !== undefined) return { ...wordTarget(text, word), isOfPointee: isBeforeStar(unit, span) };
  if (plainWords.has(text)) return qualifierTarget(unit, facts, span, text);
  const declared = facts.variables.find(({ variable }) => isHere(variable.place));
  if (declared !== undefined) return { kind: "variable", text, variable: declared.variable };
  const owner = facts.functions.find(({ declarations }) => declarations.some(({ namePlace }) => isHere(namePlace)));
  if (owner !== undefined) return { kind: "function", text, function: owner };
  const symbol = facts.references.find(({ place }) => isHere(place))?.symbol;
  if (symbol === undefined) return templateParameterTarget(unit, facts, span, text) ?? builtinTarget(unit, facts, span, text);
  return symbol.kind === "variable" ? { kind: "variable", text, variable: symbol } : { kind: "function", text, function: symbol };
}

/** The function of the language that is called here. */
function builtinTarget(unit: Unit, { calls }: Facts, { start }: ViewSpan, text: string): Omit<HoverTarget, "location"> | undefined {
  const call = calls.find(({ name, place }) => name === text && place.unit === unit && place.span.start === start);
  if (call === undefined || call.callee?.isBuiltin === false) return undefined;
  return { kind: "builtin", text, ...(call.callee === undefined ? {} : { function: call.callee }) };
}

/**
 * The non-type parameter of a function template that the name refers to, in the template's head or body: the name cannot be reused
 * there (C++17 §17.6.1p6).
 */
function templateParameterTarget(unit: Unit, facts: Facts, span: ViewSpan, text: string): Omit<HoverTarget, "location"> | undefined {
  for (const owner of facts.functions) {
    const template = owner.isTemplate ? templateTextOf(owner) : undefined;
    const isAround =
      template !== undefined &&
      template.context.unit === unit &&
      template.item.span.start <= span.start &&
      span.end <= template.item.span.end;
    const parameter = isAround ? template.item.parameters.find(({ kind, name }) => kind === "value" && name === text) : undefined;
    if (template !== undefined && parameter !== undefined)
      return { kind: "template-parameter", text, function: owner, type: typeOfTemplateValue(template, parameter) };
  }
  return undefined;
}

function wordTarget(text: string, { on, variable, parameter, function: declaration }: SpecifierWordFact): Omit<HoverTarget, "location"> {
  const named = variable ?? parameter?.symbol;
  return {
    kind: "word",
    text,
    on,
    ...(named === undefined ? {} : { variable: named }),
    ...(declaration === undefined ? {} : { function: declaration.owner }),
  };
}

/** Words without a fact of their own, and the address spaces in type names of casts. */
const plainWords: ReadonlySet<string> = new Set(
  qualifiers
    .filter(({ word, addressSpace }) => addressSpace !== undefined || word === "const" || word === "restrict")
    .flatMap(({ word, spellings = [] }) => [word, ...spellings.filter((each) => each.startsWith("__restrict"))]),
);

/** The target of a word. The innermost declaration around the word explains it. */
function qualifierTarget(unit: Unit, facts: Facts, span: ViewSpan, text: string): Omit<HoverTarget, "location"> {
  let nearest: VariableSymbol | undefined;
  for (const { variable } of facts.variables) {
    const { declaration } = variable;
    if (declaration.unit !== unit || declaration.span.start > span.start || declaration.span.end < span.end) continue;
    const isInner =
      nearest === undefined ||
      declaration.span.end - declaration.span.start <= nearest.declaration.span.end - nearest.declaration.span.start;
    if (isInner) nearest = variable;
  }
  if (nearest !== undefined) return { kind: "word", text: canonicalWord(text), variable: nearest };
  return { kind: "word", text: canonicalWord(text), isOfPointee: isBeforeStar(unit, span) };
}

/** True if the rest of the type behind a word has a star: the word is about what the pointer points to. */
function isBeforeStar({ view }: Unit, { end }: ViewSpan): boolean {
  return /^[^;,(){}=]*[*&^]/.test(view.text.slice(end, end + longestIdentifier));
}
