/**
 * Converts initializers: of variables, members, parameters and results. A braced list is split into its elements, each of which is
 * converted to the type that it initializes.
 */
import type { ViewSpan } from "../../source.ts";
import type { Expression, Initializer, ListElement } from "../../syntax/ast.ts";
import { emitCreatedObject, emitDefaultConstruction, emitLifetime } from "../declarations/host-calls.ts";
import type { Context } from "../facts/context.ts";
import type { ConversionContext, ConversionFact } from "../facts/facts.ts";
import { constructorsOf, initializingConstructors, takes } from "../symbols/candidates.ts";
import { innermostElement, isScalar } from "../types/predicates.ts";
import type { VariableSymbol } from "../types/symbols.ts";
import { containsUnknown, type Type } from "../types/types.ts";
import { checkConstruction, checkCopy } from "./class-objects.ts";
import { construct } from "./constructions.ts";
import { evaluate } from "./expressions.ts";
import { convert, memberType } from "./implicit-conversion.ts";
import { read } from "./values.ts";

/** Converts the initializer of a variable: each part is converted to the type that it initializes (C11 §6.7.9). */
export function convertInitializer(outer: Context, variable: VariableSymbol): void {
  const { initializer, type } = variable;
  emitLifetime(outer, variable);
  // Constant memory must have an initializer.
  if (
    initializer === undefined &&
    variable.isDefinition &&
    type.qualifiers.space !== "constant" &&
    variable.scope !== "member" &&
    variable.scope !== "parameter"
  )
    checkConstruction(outer, type, 0, { span: variable.place.span });
  if (initializer === undefined) {
    if (variable.isDefinition && type.kind === "record" && type.record.instance !== undefined)
      construct({ ...outer, initializing: variable }, type, [], variable.place.span);
    return;
  }
  const parts = partsOf(initializer);
  if (parts === undefined) return;
  const context = { ...outer, initializing: variable };
  const only = parts.length === 1 ? parts[0] : undefined;
  if (type.kind === "record" && initializingConstructors(type.record).length > 0) {
    if (initializer.kind === "direct" || only?.kind === "list")
      checkConstructionOf(context, variable, only?.kind === "list" ? only.elements.map(({ value }) => value) : parts);
    const list = only?.kind === "list" ? only.elements.map(({ value }) => value) : undefined;
    if (list !== undefined || initializer.kind === "direct")
      return construct(context, type, list ?? parts, variable.place.span, { isOverlooked: list !== undefined });
  }
  if (only === undefined) {
    for (const part of parts) read(context, evaluate(context, part), part);
    return;
  }
  convertInto(context, only, variable.type, variable, "initialize");
}

/** Checks `C a(b)` with another object of the class, which it copies. */
function checkConstructionOf(context: Context, variable: VariableSymbol, values: readonly Expression[]): void {
  const [only] = values;
  const value = values.length === 1 && only !== undefined ? evaluate({ ...context, isEmitting: false }, only) : undefined;
  const isCopy = value?.type.kind === "record" && variable.type.kind === "record" && value.type.record === variable.type.record;
  const taking =
    isCopy && value.type.kind === "record" ? constructorsOf(value.type.record).filter((constructor) => takes(constructor, 1)) : [];
  // If the class has only one constructor, the argument is converted to its parameter elsewhere.
  if (isCopy && only !== undefined && taking.length === 1) return;
  if (isCopy && only !== undefined) checkCopy(context, value, variable.type, only);
  else checkConstruction(context, variable.type, values.length, { span: variable.place.span });
}

function partsOf(initializer: Initializer): readonly Expression[] | undefined {
  if (initializer.kind === "value") return [initializer.value];
  return initializer.kind === "direct" ? initializer.arguments : undefined;
}

/** Converts an expression or a braced list into an object of the type. */
export function convertInto(
  context: Context,
  expression: Expression,
  to: Type,
  target: ConversionFact["target"],
  how: ConversionContext,
): void {
  // A string literal initializes an array of characters in any address space (C11 §6.7.9p14).
  if (expression.kind === "string" && to.kind === "array") return;
  // A reference binds to a temporary of the class, which the list initializes.
  const isBound = to.kind === "reference" && to.referent.kind === "record" && context.dialect.language === "opencl";
  if (expression.kind !== "list" || isBound) {
    convert(context, evaluate(context, expression), to, { context: how, operand: expression, target });
    return;
  }
  const list = expression.elements;
  const first = list[0];
  const bound = to.kind === "reference" ? to.referent : to;
  // A reference to a class or an array is bound to a temporary (C++17 §11.6.4p3.9), or to the only element, which has the type.
  if (
    bound !== to &&
    (bound.kind === "record" || bound.kind === "array") &&
    !(first && list.length === 1 && isSameRecord(context, first, bound))
  ) {
    emitCreatedObject(context, bound, expression.span);
    return convertInto(context, expression, bound, target, how);
  }
  // `P p{q};` copies a q of the same class (C++17 §11.6.4p3.1).
  if (first !== undefined && list.length === 1 && isSameRecord(context, first, to)) convertInto(context, first.value, to, target, how);
  else if (to.kind === "record" && initializingConstructors(to.record).length > 0)
    construct(
      context,
      to,
      list.map(({ value }) => value),
      expression.span,
      // nvcc overlooks the constructors that a list within an expression or another list calls.
      { isPart: true },
    );
  else if (to.kind === "array") {
    convertElements(context, list, to.element, target);
    if (to.length !== undefined && to.length > list.length) constructByDefault(context, to.element, expression.span);
  } else if (to.kind === "record" && list.length === 0) constructByDefault(context, to, expression.span);
  else if (to.kind === "record") convertMembers(context, list, to, target, expression.span);
  else if (list.length === 1 && first !== undefined && first.designators.length === 0 && to.kind !== "vector")
    convertInto(context, first.value, to, target, how);
  else for (const element of list) convertUnknown(context, element.value);
}

/** Converts a braced list that is an argument to its parameter, whose type is undefined if it is unknown. */
export function passList(
  context: Context,
  list: Extract<Expression, { kind: "list" }>,
  parameter: Type | undefined,
  target: ConversionFact["target"],
): void {
  // The object that the list initializes may be an aggregate.
  const inner = { ...context, isMember: true };
  if (parameter === undefined || containsUnknown(parameter)) evaluate(inner, list);
  else {
    emitCreatedObject(context, parameter, list.span);
    convertInto(inner, list, parameter, isScalar(parameter) ? target : undefined, "pass");
  }
}

function isSameRecord(context: Context, { value, designators }: Pick<ListElement, "value" | "designators">, to: Type | undefined): boolean {
  if (to?.kind !== "record" || value.kind === "list" || designators.length > 0 || !context.dialect.cplusplus) return false;
  const { type } = evaluate({ ...context, isEmitting: false }, value);
  return type.kind === "record" && type.record === to.record;
}

function convertElements(context: Context, list: readonly ListElement[], element: Type, target: ConversionFact["target"]): void {
  const innermost = innermostElement(element);
  if (
    element.kind === "array" &&
    innermost.kind === "pointer" &&
    list.every(({ value, designators }) => value.kind !== "list" && designators.length === 0)
  ) {
    // Without inner braces the values initialize the innermost elements in order (C11 §6.7.9p20).
    for (const { value } of list) convertInto(context, value, innermost, target, "initialize");
    return;
  }
  const isFlat =
    (element.kind === "array" || element.kind === "record") && list.some(({ value }) => value.kind !== "list" && value.kind !== "string");
  for (const { value, designators } of list) {
    // Braces around inner aggregates may be omitted (C11 §6.7.9p20); then positions do not correspond to elements.
    if ((isFlat && !isSameRecord(context, { value, designators }, element)) || designators.length > 1) convertUnknown(context, value);
    else convertInto(context, value, element, target, "initialize");
  }
}

function convertMembers(
  outer: Context,
  list: readonly ListElement[],
  to: Extract<Type, { kind: "record" }>,
  target: ConversionFact["target"],
  span: ViewSpan,
): void {
  const members = (to.record.members ?? []).filter(({ name }) => name !== "");
  const isPlain =
    !to.record.isIncomplete &&
    to.record.bases.length === 0 &&
    members.length === (to.record.members ?? []).length &&
    to.record.hasUnreadText !== true &&
    to.record.functions.every(({ type }) => type.result.kind !== "unknown") &&
    to.record.key !== "union";
  const context = isPlain ? { ...outer, isMember: true } : outer;
  let position = 0;
  for (const { value, designators } of list) {
    const designator = designators[0];
    if (typeof designator === "string") position = members.findIndex(({ name }) => name === designator);
    const member = members[position];
    position += 1;
    const isOmitted = value.kind !== "list" && value.kind !== "string" && !isSameRecord(context, { value, designators: [] }, member?.type);
    const isAggregate = (member?.type.kind === "array" || member?.type.kind === "record") && isOmitted;
    if (!isPlain || member === undefined || designators.length > 1 || isAggregate) {
      convertUnknown(context, value);
      // After an omitted brace, positions are unknown.
      if (isAggregate) position = members.length;
    } else convertInto(context, value, memberType(to, member), target, "initialize");
  }
  if (!isPlain || list.some(({ designators }) => designators.length > 0)) return;
  for (const { type, initializer } of members.slice(position)) if (initializer === undefined) constructByDefault(context, type, span);
}

/** An empty list initializes the elements and members without a value of their own (C++17 §11.6.1p8). */
function constructByDefault(context: Context, type: Type, span: ViewSpan): void {
  const element = innermostElement(type);
  if (element.kind === "record") emitDefaultConstruction(context, element.record, span);
}

function convertUnknown(context: Context, expression: Expression): void {
  if (expression.kind === "list") for (const { value } of expression.elements) convertUnknown(context, value);
  else read(context, evaluate(context, expression), expression);
}
