/**
 * The parts of a function template, besides its name and parameters, by which declarations of one template are recognized: the
 * template's parameters, its constraints and the type of the result (C++17 §17.5.6.1, C++20 [temp.over.link]).
 */
import { memo } from "../../memo.ts";
import type { Unit } from "../../preprocess/view/view.ts";
import type { FunctionDeclarator, Name, TemplateItem } from "../../syntax/ast.ts";

/** A declaration of a function template. */
export interface TemplateDeclaration {
  readonly item: TemplateItem;
  readonly unit: Unit;
  readonly declarator: FunctionDeclarator;
}

/**
 * True if both may declare the same template. The texts are compared, with template parameters numbered. Declarations that spell one
 * type in two ways count as different templates.
 */
export function haveSameHead(a: TemplateDeclaration, b: TemplateDeclaration): boolean {
  return a.declarator === b.declarator || headOf(a.declarator, a) === headOf(b.declarator, b);
}

const headOf = memo((declarator: FunctionDeclarator, { item: { item: inner, parameters }, unit }: TemplateDeclaration): string => {
  if (inner.kind !== "function" && inner.kind !== "declaration") return "";
  const between = (start: number, end: number) => unit.view.text.slice(start, end);
  const last = parameters[parameters.length - 1];
  const constraint = between(Math.max(last?.span.end ?? 0, last?.defaultArgument?.span.end ?? 0), inner.span.start);
  const end = inner.kind === "function" && inner.body !== undefined ? inner.body.span.start : inner.span.end;
  const after = between(declarator.parameterSpan.end, end).replace(/(?:=\s*(?:default|delete|0)\s*)?;?\s*$/, "");
  const result = inner.specifiers.type === undefined ? "" : between(inner.specifiers.type.span.start, inner.specifiers.type.span.end);
  return [
    ...parameters.map((parameter) => numbered(printParameter(parameter, between), parameters, parameter.name)),
    ...[constraint, result, after].map((part) => numbered(part, parameters)),
  ].join("\n");
});

/** A parameter without its default. */
function printParameter(
  { kind, isPack, parameter, span }: TemplateItem["parameters"][number],
  text: (start: number, end: number) => string,
): string {
  const own =
    parameter === undefined
      ? text(span.start, span.end).split("=")[0]
      : text(parameter.specifiers.span.start, parameter.declarator.span.end);
  return `${isPack ? "..." : ""}${kind} ${kind === "type" ? "" : own}`;
}

/** The text without the name `own`, with numbers for the names of template parameters, and blanks only where they separate words. */
function numbered(text: string, parameters: TemplateItem["parameters"], own?: string): string {
  const numbers = new Map(parameters.map(({ name }, at) => [name, name === own ? "" : `$${at}`]));
  return withoutBlanks(text.replace(/\b[A-Za-z_]\w*/g, (word) => (word === "class" ? "typename" : (numbers.get(word) ?? word))));
}

/** The template arguments after a function's name, as they are written; undefined if there are none. */
export function writtenArguments({ view }: Unit, name: Name | undefined): string | undefined {
  const written = name?.parts[name.parts.length - 1]?.templateArguments ?? [];
  return written.length === 0 ? undefined : written.map(({ span }) => withoutBlanks(view.text.slice(span.start, span.end))).join();
}

/** A text with blanks only where they separate words. */
function withoutBlanks(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(/ ?([^\w$ ]) ?/g, "$1")
    .trim();
}
