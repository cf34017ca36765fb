/**
 * Lowers statements.
 */
import { append, compact } from "../../lists.ts";
import type { BlockStatement, DeclarationItem, Expression, Item, Statement } from "../ast.ts";
import { hasWord } from "../walk.ts";
import { lowerDeclarator } from "./lower-declarators.ts";
import { lowerExpression, readExpressions } from "./lower-expressions.ts";
import { followsUnreadable, lowerItem } from "./lower-items.ts";
import { lowerSpecifiers } from "./lower-specifiers.ts";
import { expressionTypes, fieldOf, hasToken, itemTypes, type RawNode, skippedBody, spanOf, statementTypes } from "./raw.ts";
import { asArrayDeclaration, asInitialized, asTemplateAssignment } from "./readings.ts";

/** A block with its statements. */
export function lowerBlock(node: RawNode): BlockStatement {
  // The body of a function may be a `try` block.
  if (node.type !== "compound_statement") return { kind: "block", span: spanOf(node), statements: [lowerStatement(node)] };
  return {
    kind: "block",
    span: spanOf(node),
    statements: lowerStatements(node.children),
    ...(node.text === skippedBody ? { isSkipped: true as const } : {}),
  };
}

/** Lowers the statements among these siblings. */
function lowerStatements(children: readonly RawNode[]): readonly Statement[] {
  const result: Statement[] = [];
  children.forEach((child, at) => {
    if (!child.isNamed) return;
    result.push(followsUnreadable(children, at) ? unknownStatement(child) : lowerStatement(child));
  });
  return compact(result);
}

function lowerStatement(node: RawNode): Statement {
  const { kept } = node;
  const statement = kept?.statement ?? lowerAnew(node);
  if (kept !== undefined) kept.statement = statement;
  return statement;
}

function lowerAnew(node: RawNode): Statement {
  const span = spanOf(node);
  if (itemTypes.has(node.type)) {
    const item = initialized(lowerItem(node));
    const [only, ...more] = item.kind === "unknown" ? item.items : [item];
    const expression = more.length === 0 && only?.kind === "declaration" ? asTemplateAssignment(only) : undefined;
    if (expression !== undefined) return { kind: "expression", span, expression };
    return item.kind === "unknown"
      ? { kind: "unknown", span, statements: item.items.map((inner) => ({ kind: "item", span: inner.span, item: inner })) }
      : { kind: "item", span, item };
  }
  if (node.isBroken && node.type !== "compound_statement" && node.type !== "case_statement") return unknownStatement(node);
  switch (node.type) {
    case "compound_statement":
      return lowerBlock(node);
    case "expression_statement": {
      const inner = node.children.find((child) => child.isNamed);
      if (inner === undefined) return { kind: "empty", span };
      if (inner.type === "gnu_asm_expression") return lowerAsm(inner, node);
      const expression = lowerExpression(inner);
      const item = asArrayDeclaration(expression);
      return item === undefined ? { kind: "expression", span, expression } : { kind: "item", span, item: { ...item, span } };
    }
    case "attributed_statement": {
      const inner = node.children.find(
        (child) => child.isNamed && child.type !== "attribute_declaration" && child.type !== "attribute_specifier",
      );
      return inner === undefined ? { kind: "empty", span } : lowerStatement(inner);
    }
    case "labeled_statement":
      return { kind: "labeled", span, value: undefined, body: lowerStatements(afterColon(node)) };
    case "case_statement": {
      const value = fieldOf(node, "value");
      return {
        kind: "labeled",
        span,
        value: value === undefined ? undefined : lowerExpression(value),
        body: lowerStatements(afterColon(node)),
      };
    }
    case "if_statement":
      return lowerIf(node);
    case "switch_statement":
      return lowerSwitch(node);
    case "while_statement":
      return { kind: "while", span, condition: condition(node).condition, body: bodyOf(node, "body") };
    case "do_statement":
      return { kind: "do", span, condition: condition(node).condition, body: bodyOf(node, "body") };
    case "for_statement":
      return lowerFor(node);
    case "for_range_loop":
      return lowerRangeFor(node);
    case "return_statement":
    case "co_return_statement": {
      const value = node.children.find((child) => child.isNamed);
      return { kind: "return", span, value: value === undefined ? undefined : lowerExpression(value) };
    }
    case "co_yield_statement":
    case "throw_statement": {
      const value = node.children.find((child) => child.isNamed);
      const operand = value === undefined ? undefined : lowerExpression(value);
      return { kind: "expression", span, expression: { kind: node.type === "throw_statement" ? "throw" : "await", span, operand } };
    }
    case "break_statement":
    case "continue_statement":
    case "goto_statement":
      return { kind: "jump", span };
    case "try_statement": {
      const body = fieldOf(node, "body");
      return {
        kind: "try",
        span,
        body: body === undefined ? { kind: "block", span, statements: [] } : lowerBlock(body),
        handlers: node.children.flatMap((child) => {
          const handler = child.type === "catch_clause" ? fieldOf(child, "body") : undefined;
          return handler === undefined ? [] : [lowerBlock(handler)];
        }),
      };
    }
    default:
      if (expressionTypes.has(node.type)) return { kind: "expression", span, expression: lowerExpression(node) };
      return unknownStatement(node);
  }
}

function initialized(item: Item): Item {
  if (item.kind !== "declaration" || hasWord(item.specifiers.words, "extern", "typedef")) return item;
  return { ...item, declarators: item.declarators.map((declared) => asInitialized(declared) ?? declared) };
}

/** The readable parts of code that is not readable as a whole. */
function unknownStatement(node: RawNode): Statement {
  return { kind: "unknown", span: spanOf(node), statements: readStatements(node) };
}

function readStatements(node: RawNode): readonly Statement[] {
  const result: Statement[] = [];
  for (const child of node.children) {
    if (statementTypes.has(child.type) || itemTypes.has(child.type) || expressionTypes.has(child.type)) result.push(lowerStatement(child));
    else if (child.isNamed) append(result, readStatements(child));
  }
  return result;
}

function afterColon(node: RawNode): readonly RawNode[] {
  return node.children.slice(node.children.findIndex((child) => child.type === ":") + 1);
}

function bodyOf(node: RawNode, field: string): Statement {
  const body = fieldOf(node, field);
  return body === undefined ? emptyAt(node.end) : lowerStatement(body);
}

function emptyAt(at: number): Statement {
  return { kind: "empty", span: { start: at, end: at } };
}

interface Condition {
  readonly initializer: Statement | undefined;
  readonly condition: Statement;
}

/** The condition in the parentheses of if, while, switch and do. */
function condition(node: RawNode): Condition {
  const clause = fieldOf(node, "condition");
  if (clause === undefined) return { initializer: undefined, condition: emptyAt(node.start) };
  const initializer = fieldOf(clause, "initializer");
  const value = fieldOf(clause, "value") ?? clause.children.find((child) => child.isNamed);
  return {
    initializer: initializer === undefined ? undefined : lowerInitializer(initializer),
    condition: value === undefined ? emptyAt(clause.end) : lowerStatement(value),
  };
}

function lowerInitializer(node: RawNode): Statement {
  const inner = node.type === "init_statement" ? node.children.find((child) => child.isNamed) : node;
  return inner === undefined ? { kind: "empty", span: spanOf(node) } : lowerStatement(inner);
}

function lowerIf(node: RawNode): Statement {
  const head = condition(node);
  const otherwise = fieldOf(node, "alternative");
  const inner = otherwise?.type === "else_clause" ? otherwise.children.find((child) => child.isNamed) : otherwise;
  return {
    kind: "if",
    span: spanOf(node),
    isConstexpr: hasToken(node, "constexpr"),
    initializer: head.initializer,
    condition: fieldOf(node, "condition") === undefined ? undefined : head.condition,
    then: bodyOf(node, "consequence"),
    otherwise: inner === undefined ? undefined : lowerStatement(inner),
  };
}

/** `switch (init; condition)` becomes a block with the initializer and the statement (C++17 §9.4.2p6). */
function lowerSwitch(node: RawNode): Statement {
  const { initializer, condition: value } = condition(node);
  const span = spanOf(node);
  const own: Statement = { kind: "switch", span, condition: value, body: bodyOf(node, "body") };
  return initializer === undefined ? own : { kind: "block", span, statements: [initializer, own] };
}

function lowerFor(node: RawNode): Statement {
  const initializer = fieldOf(node, "initializer");
  const test = fieldOf(node, "condition");
  const update = fieldOf(node, "update");
  return {
    kind: "for",
    span: spanOf(node),
    initializer: initializer === undefined ? undefined : lowerInitializer(initializer),
    condition: test === undefined ? undefined : lowerStatement(test),
    update: update === undefined ? undefined : lowerExpression(update),
    body: bodyOf(node, "body"),
  };
}

/** `for (init; T x : range)` becomes a block with the initializer and the loop. */
function lowerRangeFor(node: RawNode): Statement {
  const declarator = fieldOf(node, "declarator");
  const range = fieldOf(node, "right");
  if (declarator === undefined || range === undefined) return unknownStatement(node);
  const specifiers = lowerSpecifiers(node);
  const declared = lowerDeclarator(declarator, declarator.start);
  const declaration: DeclarationItem = {
    kind: "declaration",
    span: { start: specifiers.span.start, end: declarator.end },
    specifiers,
    declarators: [{ span: spanOf(declarator), declarator: declared, initializer: undefined }],
  };
  const loop: Statement = { kind: "range-for", span: spanOf(node), declaration, range: lowerExpression(range), body: bodyOf(node, "body") };
  const initializer = fieldOf(node, "initializer");
  return initializer === undefined ? loop : { kind: "block", span: spanOf(node), statements: [lowerInitializer(initializer), loop] };
}

function lowerAsm(node: RawNode, statement: RawNode): Statement {
  const operands = (field: string): readonly Expression[] => {
    const list = fieldOf(node, field);
    return (list?.children ?? []).flatMap((child) => {
      const value = fieldOf(child, "value");
      return value === undefined ? [] : [lowerExpression(value)];
    });
  };
  if (node.isBroken)
    return {
      kind: "unknown",
      span: spanOf(statement),
      statements: readExpressions(node).map((expression) => ({ kind: "expression", span: expression.span, expression })),
    };
  return { kind: "asm", span: spanOf(statement), outputs: operands("output_operands"), inputs: operands("input_operands") };
}
