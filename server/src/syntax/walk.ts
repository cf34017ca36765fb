/**
 * Small questions about the syntax that every layer above asks: which name a declarator declares, what an expression or a statement
 * contains. Nothing here depends on the meaning of names.
 */
import type { Declarator, Expression, Initializer, Name, Statement, TypeId } from "./ast.ts";

/** The name that a declarator declares, or undefined for an abstract one and a structured binding. */
export function declaratorName(declarator: Declarator): Name | undefined {
  let current = declarator;
  for (;;) {
    if (current.kind === "name") return current.name;
    if (current.kind === "abstract" || current.kind === "structured-binding") return undefined;
    current = current.inner;
  }
}

/** The last part of a name, which is declared or referred to: `c<int>` of `a::b::c<int>`. */
export function lastPart(name: Name): Name["parts"][number] | undefined {
  return name.parts[name.parts.length - 1];
}

/** The text of the last part, without template arguments: `c` of `a::b::c<int>`. */
export function unqualifiedName(name: Name): string {
  return lastPart(name)?.text ?? "";
}

/** True if one of the words has one of the texts, which are canonical spellings. */
export function hasWord(words: readonly { readonly text: string }[], ...texts: readonly string[]): boolean {
  return words.some(({ text }) => texts.includes(text));
}

/** The expressions directly inside an expression, in source order. Bodies of lambdas and blocks are not entered. */
export function childExpressions(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case "name":
    case "number":
    case "character":
    case "string":
    case "boolean":
    case "nullptr":
    case "this":
    case "block-literal":
    case "statement-expression":
      return [];
    case "unary":
    case "update":
    case "delete":
    case "cast":
    case "named-cast":
    case "bit-cast":
      return [expression.operand];
    case "binary":
    case "assignment":
    case "comma":
      return [expression.left, expression.right];
    case "conditional":
      return expression.then === undefined
        ? [expression.condition, expression.otherwise]
        : [expression.condition, expression.then, expression.otherwise];
    case "parenthesized":
      return [expression.inner];
    case "call":
      return [expression.function, ...(expression.launch ?? []), ...expression.arguments];
    case "subscript":
      return [expression.object, ...expression.indices];
    case "member":
      return [expression.object];
    case "compound-literal":
      return [expression.value];
    case "construct":
      return expression.arguments;
    case "list":
      return expression.elements.flatMap((element) => [...element.designators.filter((part) => typeof part !== "string"), element.value]);
    case "sizeof":
    case "alignof":
    case "typeid":
      return isTypeId(expression.operand) ? [] : [expression.operand];
    case "new":
      return [...expression.placement, ...expression.arguments];
    case "lambda":
      return expression.captures.flatMap((capture) => capture.initializer ?? []);
    case "pack-expansion":
      return [expression.pattern];
    case "fold":
    case "noexcept":
    case "requires":
    case "unknown":
      return expression.operands;
    case "throw":
    case "await":
      return expression.operand === undefined ? [] : [expression.operand];
  }
}

function isTypeId(value: Expression | TypeId): value is TypeId {
  return value.kind === "type-id";
}

/** Visits an expression and everything in it, outermost first, left before right. */
export function walkExpressions(expression: Expression, visit: (inner: Expression) => void): void {
  const open = [expression];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    visit(next);
    const children = childExpressions(next);
    for (let at = children.length - 1; at >= 0; at--) {
      const child = children[at];
      if (child !== undefined) open.push(child);
    }
  }
}

/** The literal that initializes an array of characters: it may be in parentheses, or the first element of a list (C11 §6.7.9p14). */
export function stringIn(e: Expression): Extract<Expression, { kind: "string" }> | undefined {
  if (e.kind === "string") return e;
  if (e.kind === "parenthesized") return stringIn(e.inner);
  const [first] = e.kind === "list" ? e.elements : [];
  return first === undefined || first.value.kind === "list" || first.designators.length > 0 ? undefined : stringIn(first.value);
}

/** True for an assignment, `++x`, and what ends in one. */
export function isStore(e: Expression): boolean {
  if (e.kind === "parenthesized") return isStore(e.inner);
  if (e.kind === "comma") return isStore(e.right);
  return e.kind === "assignment" || e.kind === "update";
}

/** The statements directly inside a statement, conditions that declare among them, in source order. Bodies of lambdas are not entered. */
export function childStatements(statement: Statement): readonly Statement[] {
  switch (statement.kind) {
    case "block":
    case "unknown":
      return statement.statements;
    case "if":
      return [statement.initializer, statement.condition, statement.then, statement.otherwise].filter((part) => part !== undefined);
    case "for":
      return [statement.initializer, statement.condition, statement.body].filter((part) => part !== undefined);
    case "range-for":
      return [statement.body];
    case "while":
    case "do":
    case "switch":
      return [statement.condition, statement.body];
    case "labeled":
      return statement.body;
    case "try":
      return [statement.body, ...statement.handlers];
    default:
      return [];
  }
}

/** The expressions of a statement that are in none of the statements inside of it. */
export function ownExpressions(statement: Statement): readonly Expression[] {
  switch (statement.kind) {
    case "expression":
      return [statement.expression];
    case "return":
    case "labeled":
      return statement.value === undefined ? [] : [statement.value];
    case "for":
      return statement.update === undefined ? [] : [statement.update];
    case "range-for":
      return [statement.range];
    case "asm":
      return [...statement.outputs, ...statement.inputs];
    case "item":
      return statement.item.kind === "declaration" ? statement.item.declarators.flatMap(({ initializer }) => valuesOf(initializer)) : [];
    default:
      return [];
  }
}

/** Visits the expressions of a statement and of those inside of it, without unreadable text and branches that may be discarded. */
export function walkCertainExpressions(statement: Statement, visit: (inner: Expression) => void): void {
  if (statement.kind === "unknown" || (statement.kind === "if" && statement.isConstexpr)) return;
  for (const own of ownExpressions(statement)) walkExpressions(own, visit);
  for (const inner of childStatements(statement)) walkCertainExpressions(inner, visit);
}

/** The expressions of an initializer: the value behind `=`, a list in braces as one, or what is in parentheses. */
export function valuesOf(initializer: Initializer | undefined): readonly Expression[] {
  if (initializer?.kind === "value") return [initializer.value];
  return initializer?.kind === "direct" ? initializer.arguments : [];
}

/** The operands of a comma expression, which may nest to either side; any other expression alone. */
export function commaParts(e: Expression): readonly Expression[] {
  const parts: Expression[] = [];
  const rest = [e];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (next.kind === "comma") rest.push(next.right, next.left);
    else parts.push(next);
  }
  return parts;
}
