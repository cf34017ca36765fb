/**
 * Lowers expressions. Where C++ needs names to choose between two readings, `ast.ts` states for each kind of node which reading is
 * chosen here; `semantics/` may choose the other one.
 */
import { append } from "../../lists.ts";
import { alternativeTokens } from "../../preprocess/canonical.ts";
import type { BlockStatement, Expression, LambdaCapture, LambdaExpression, ListElement } from "../ast.ts";
import { lowerDeclarator, lowerParameters, lowerTemplateParameters, lowerTypeId, typeIdOf } from "./lower-declarators.ts";
import { lowerName } from "./lower-names.ts";
import { lowerArguments, lowerPostfix } from "./lower-postfix.ts";
import { WordCollector } from "./lower-specifiers.ts";
import { lowerBlock } from "./lower-statements.ts";
import { childOf, expressionTypes, fieldOf, hasToken, leafText, type RawNode, spanOf } from "./raw.ts";
import { asCast, castNameOf } from "./readings.ts";

/** Lowers any node in the place of an expression. A node of another kind, or a broken one, becomes `unknown` with its readable parts. */
export function lowerExpression(node: RawNode): Expression {
  if (node.isBroken) return unknownExpression(node);
  const span = spanOf(node);
  switch (node.type) {
    case "identifier":
    case "type_identifier":
    case "field_identifier":
    case "qualified_identifier":
    case "template_function":
    case "template_type":
    case "template_method":
    case "dependent_name":
    case "operator_name":
    case "destructor_name":
    case "primitive_type":
      return { kind: "name", span, name: lowerName(node, span) };
    case "number_literal":
      return { kind: "number", span, text: node.text };
    case "char_literal":
      return { kind: "character", span, text: node.text };
    case "string_literal":
    case "raw_string_literal":
      return { kind: "string", span, text: node.text };
    case "concatenated_string":
      return { kind: "string", span, text: joinStrings(node) };
    case "true":
    case "false":
      return { kind: "boolean", span, value: node.type === "true" };
    case "null":
      return { kind: "nullptr", span };
    case "this":
      return { kind: "this", span };
    case "unary_expression":
    case "pointer_expression":
      return { kind: "unary", span, operator: operatorOf(node), operand: operand(node, "argument") };
    case "update_expression":
      return lowerUpdate(node);
    case "binary_expression":
      return lowerBinary(node);
    case "assignment_expression":
      return { kind: "assignment", span, operator: operatorOf(node), left: operand(node, "left"), right: operand(node, "right") };
    case "conditional_expression": {
      const then = fieldOf(node, "consequence");
      return {
        kind: "conditional",
        span,
        condition: operand(node, "condition"),
        then: then === undefined ? undefined : lowerExpression(then),
        otherwise: operand(node, "alternative"),
      };
    }
    case "comma_expression":
      return { kind: "comma", span, left: operand(node, "left"), right: operand(node, "right") };
    case "parenthesized_expression":
      return lowerParenthesized(node);
    case "compound_statement":
      return { kind: "statement-expression", span, body: lowerBlock(node) };
    case "call_expression":
    case "subscript_expression":
    case "field_expression":
      return lowerPostfix(node);
    case "cast_expression":
      return lowerCast(node);
    case "bit_cast_expression": {
      const type = fieldOf(node, "type");
      return type === undefined
        ? unknownExpression(node)
        : { kind: "bit-cast", span, type: lowerTypeId(type), operand: operand(node, "value") };
    }
    case "compound_literal_expression":
      return lowerCompoundLiteral(node);
    case "initializer_list":
      return { kind: "list", span, elements: node.children.filter((child) => child.isNamed).map(lowerElement) };
    case "sizeof_expression":
    case "alignof_expression":
    case "typeid_expression":
      return lowerSizeof(node);
    case "noexcept_expression":
      return { kind: "noexcept", span, operands: readExpressions(node) };
    case "requires_expression":
    case "requires_clause":
      return { kind: "requires", span, operands: readExpressions(node) };
    case "new_expression":
      return lowerNew(node);
    case "delete_expression":
      return { kind: "delete", span, operand: lastOperand(node) };
    case "lambda_expression":
      return lowerLambda(node);
    case "block_literal":
      return lowerBlockLiteral(node);
    case "parameter_pack_expansion":
      return { kind: "pack-expansion", span, pattern: operand(node, "pattern") };
    case "fold_expression":
      return lowerFold(node);
    case "co_await_expression":
      return { kind: "await", span, operand: operand(node, "argument") };
    case "throw_expression": {
      const value = node.children.find((child) => child.isNamed);
      return { kind: "throw", span, operand: value === undefined ? undefined : lowerExpression(value) };
    }
    case "extension_expression":
      return lastOperand(node);
    case "user_defined_literal":
      return lowerUserDefinedLiteral(node);
    default:
      return unknownExpression(node);
  }
}

/** An expression that was not understood, with its operands. */
export function unknownExpression(node: RawNode): Expression {
  return { kind: "unknown", span: spanOf(node), operands: readExpressions(node) };
}

/** The topmost readable expressions below a node. */
export function readExpressions(node: RawNode): readonly Expression[] {
  const result: Expression[] = [];
  for (const child of node.children) {
    if (expressionTypes.has(child.type)) result.push(lowerExpression(child));
    else if (child.isNamed && child.type !== "compound_statement") append(result, readExpressions(child));
  }
  return result;
}

/** Type names of OpenCL C and of every C library; `(uint)-1` is a cast in every program. */
const builtinType =
  /^(?:u?(?:char|short|int|long)|float|double|half)(?:2|3|4|8|16)$|^(?:uchar|ushort|uint|ulong|size_t|ptrdiff_t|u?intptr_t|u?int(?:8|16|32|64)_t)$/;

function lowerBinary(node: RawNode): Expression {
  const binary: Expression = {
    kind: "binary",
    span: spanOf(node),
    operator: operatorOf(node),
    left: operand(node, "left"),
    right: operand(node, "right"),
  };
  const name = castNameOf(binary);
  const part = name?.parts[0];
  if (name?.parts.length !== 1 || part === undefined || !builtinType.test(part.text)) return binary;
  return asCast(binary) ?? binary;
}

function operand(node: RawNode, field: string): Expression {
  const child = fieldOf(node, field);
  return child === undefined ? missingExpression(node.end) : lowerExpression(child);
}

function lastOperand(node: RawNode): Expression {
  for (let at = node.children.length - 1; at >= 0; at--) {
    const child = node.children[at];
    if (child?.isNamed === true) return lowerExpression(child);
  }
  return missingExpression(node.end);
}

/** Stands for a missing expression. */
export function missingExpression(at: number): Expression {
  return { kind: "unknown", span: { start: at, end: at }, operands: [] };
}

function operatorOf(node: RawNode): string {
  const text = leafText(fieldOf(node, "operator") ?? node);
  return alternativeTokens[text] ?? text;
}

function joinStrings(node: RawNode): string {
  let joined = "";
  for (const child of node.children) {
    if (child.type !== "string_literal") continue;
    const from = child.text.indexOf('"') + 1;
    joined = joined === "" ? child.text : joined.slice(0, -1) + child.text.slice(from);
  }
  return joined === "" ? node.children.map((child) => child.text).join(" ") : joined;
}

function lowerUpdate(node: RawNode): Expression {
  const operator = fieldOf(node, "operator");
  const argument = fieldOf(node, "argument");
  if (operator === undefined || argument === undefined) return unknownExpression(node);
  return {
    kind: "update",
    span: spanOf(node),
    operator: operator.type === "++" ? "++" : "--",
    isPrefix: operator.start < argument.start,
    operand: lowerExpression(argument),
  };
}

function lowerParenthesized(node: RawNode): Expression {
  const inner = node.children.find((child) => child.isNamed);
  if (inner === undefined) return unknownExpression(node);
  if (inner.type === "compound_statement") return { kind: "statement-expression", span: spanOf(node), body: lowerBlock(inner) };
  return { kind: "parenthesized", span: spanOf(node), inner: lowerExpression(inner) };
}

// ---------------------------------------------------------------- types in expressions

function lowerCast(node: RawNode): Expression {
  const type = fieldOf(node, "type");
  const value = fieldOf(node, "value");
  if (type === undefined || value === undefined) return unknownExpression(node);
  const operand = lowerExpression(value);
  const span = spanOf(node);
  if (operand.kind !== "assignment") return { kind: "cast", span, type: lowerTypeId(type), operand };
  // The grammar does not allow a cast on the left of `=`: `(int &)x = 1` assigns to the result of the cast (C++17 §8.18).
  const { left } = operand;
  return {
    ...operand,
    span,
    left: { kind: "cast", span: { start: span.start, end: left.span.end }, type: lowerTypeId(type), operand: left },
  };
}

function lowerCompoundLiteral(node: RawNode): Expression {
  const type = fieldOf(node, "type");
  const value = fieldOf(node, "value");
  if (type === undefined || value === undefined) return unknownExpression(node);
  return {
    kind: "compound-literal",
    span: spanOf(node),
    type: type.type === "type_descriptor" ? lowerTypeId(type) : typeIdOf(type),
    value: lowerExpression(value),
  };
}

function lowerElement(node: RawNode): ListElement {
  const value = fieldOf(node, "value");
  if (node.type !== "initializer_pair" || value === undefined || node.isBroken) {
    return { span: spanOf(node), designators: [], value: lowerExpression(node) };
  }
  const designators: (string | Expression)[] = [];
  for (const child of node.children) {
    if (child.field !== "designator") continue;
    const inner = child.children.find((part) => part.isNamed);
    if (child.type === "field_identifier") designators.push(child.text);
    else if (child.type === "field_designator") designators.push(inner?.text ?? "");
    else if (child.type === "subscript_designator" && inner !== undefined) designators.push(lowerExpression(inner));
    else designators.push(unknownExpression(child));
  }
  return { span: spanOf(node), designators, value: lowerExpression(value) };
}

function lowerSizeof(node: RawNode): Expression {
  const kind = node.type === "sizeof_expression" ? "sizeof" : node.type === "alignof_expression" ? "alignof" : "typeid";
  const type = fieldOf(node, "type") ?? childOf(node, "type_descriptor");
  const span = spanOf(node);
  // `sizeof...(Ts)` counts.
  if (hasToken(node, "...")) return { kind, span, operand: { kind: "pack-expansion", span, pattern: lastOperand(node) } };
  return { kind, span, operand: type === undefined ? lastOperand(node) : lowerTypeId(type) };
}

function lowerNew(node: RawNode): Expression {
  const collector = new WordCollector();
  for (const child of node.children) if (child.field === "") collector.take(child);
  const type = fieldOf(node, "type");
  const placement = fieldOf(node, "placement");
  const list = fieldOf(node, "arguments");
  if (type === undefined) return unknownExpression(node);
  const named = type.type === "type_descriptor" ? lowerTypeId(type) : typeIdOf(type);
  // `new const T *[n]`: the words before the type qualify it.
  const qualifying = collector.words.filter(({ text }) => text === "const" || text === "volatile");
  const start = Math.min(named.span.start, qualifying[0]?.span.start ?? named.span.start);
  const specifiers = {
    ...named.specifiers,
    span: { start, end: named.specifiers.span.end },
    words: [...qualifying, ...named.specifiers.words],
  };
  const simple = { ...named, span: { start, end: named.span.end }, specifiers };
  const declarator = fieldOf(node, "declarator");
  return {
    kind: "new",
    span: spanOf(node),
    words: collector.words.filter((word) => !qualifying.includes(word)),
    type:
      declarator === undefined
        ? simple
        : { ...simple, span: { start: simple.span.start, end: declarator.end }, declarator: lowerDeclarator(declarator, declarator.end) },
    placement: placement === undefined ? [] : lowerArguments(placement),
    arguments: list === undefined ? [] : list.type === "initializer_list" ? [lowerExpression(list)] : lowerArguments(list),
    isInitialized: list !== undefined,
  };
}

// ---------------------------------------------------------------- lambdas, blocks, folds

function emptyBlock(at: number): BlockStatement {
  return { kind: "block", span: { start: at, end: at }, statements: [] };
}

function lowerLambda(node: RawNode): LambdaExpression {
  const collector = new WordCollector();
  const captures: LambdaCapture[] = [];
  let captureDefault: "=" | "&" | undefined;
  let reference: RawNode | undefined;
  const introducer = fieldOf(node, "captures");
  for (const child of introducer?.children ?? []) {
    if (child.type === "lambda_default_capture") {
      captureDefault = leafText(child) === "&" ? "&" : "=";
    } else if (child.type === "&" || child.type === "*") {
      reference = child;
    } else if (child.isNamed) {
      captures.push(lowerCapture(child, reference));
      reference = undefined;
    }
  }
  const template = fieldOf(node, "template_parameters");
  const declarator = fieldOf(node, "declarator");
  const lowered = declarator === undefined ? undefined : lowerDeclarator(declarator, declarator.end);
  const head = lowered?.kind === "function" ? lowered : undefined;
  const body = fieldOf(node, "body");
  for (const child of node.children) if (child.field === "") collector.take(child);
  return {
    kind: "lambda",
    span: spanOf(node),
    introducerSpan: spanOf(introducer ?? node),
    captures,
    captureDefault,
    templateParameters: template === undefined ? [] : lowerTemplateParameters(template),
    words: [...collector.words, ...(head?.words ?? [])],
    trailingWords: head?.words ?? [],
    attributes: [...collector.attributes, ...(head?.attributes ?? [])],
    parameters: head?.parameters ?? [],
    trailingReturn: head?.trailingReturn,
    body: body === undefined ? emptyBlock(node.end) : lowerBlock(body),
  };
}

function lowerCapture(node: RawNode, reference: RawNode | undefined): LambdaCapture {
  const value = fieldOf(node, "right");
  const name = fieldOf(node, "left") ?? fieldOf(node, "pattern") ?? node;
  return {
    name: reference?.type === "*" ? "*this" : leafText(name),
    span: { start: reference?.start ?? node.start, end: node.end },
    isReference: reference?.type === "&" || (node.type === "lambda_capture_initializer" && hasToken(node, "&")),
    initializer: value === undefined ? undefined : lowerExpression(value),
  };
}

function lowerBlockLiteral(node: RawNode): Expression {
  const list = fieldOf(node, "parameters");
  const body = fieldOf(node, "body");
  return {
    kind: "block-literal",
    span: spanOf(node),
    parameters: list === undefined ? [] : lowerParameters(list),
    body: body === undefined ? emptyBlock(node.end) : lowerBlock(body),
  };
}

function lowerFold(node: RawNode): Expression {
  const operator = fieldOf(node, "operator");
  return {
    kind: "fold",
    span: spanOf(node),
    operator: operator === undefined ? "" : (alternativeTokens[leafText(operator)] ?? leafText(operator)),
    operands: node.children.filter((child) => child.isNamed && child.field !== "operator").map(lowerExpression),
  };
}

function lowerUserDefinedLiteral(node: RawNode): Expression {
  const literal = node.children[0];
  if (literal?.type !== "number_literal") return unknownExpression(node);
  return { kind: "unknown", span: spanOf(node), operands: [] };
}
