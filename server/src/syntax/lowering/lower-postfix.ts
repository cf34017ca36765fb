/** Lowers calls, subscripts and member accesses, and recognizes the casts among them: `(N)(x)` has the shape of a call. */
import { compact } from "../../lists.ts";
import type { CallExpression, Expression } from "../ast.ts";
import { typeIdOf } from "./lower-declarators.ts";
import { lowerExpression, missingExpression, unknownExpression } from "./lower-expressions.ts";
import { lowerName } from "./lower-names.ts";
import { isTypeKeyword } from "./lower-specifiers.ts";
import { fieldOf, leafText, type RawNode, spanOf } from "./raw.ts";
import { asNamedCast, typeIdOfName } from "./readings.ts";

/**
 * Lowers calls, subscripts and member accesses. A chain that begins with `(N)(…)` for a plain name `N` is read as a cast of the
 * whole rest of the chain, unless `N` looks like a vector type: then `(N)(…)` is a vector literal, which the rest of the chain
 * applies to.
 */
export function lowerPostfix(node: RawNode): Expression {
  const call = ambiguousCast(node);
  if (call === undefined) return lowerLink(node, objectOf(node));
  const name = plainCastName(call);
  const list = fieldOf(call, "arguments");
  if (name === undefined || list === undefined) return lowerLink(node, objectOf(node));
  const type = typeIdOfName(lowerName(name));
  const argument = parenthesizedArguments(list);
  if (/[a-z](?:2|3|4|8|16)$/.test(name.text)) {
    const literal: Expression = { kind: "cast", span: spanOf(call), type, operand: argument };
    return relink(node, call, literal);
  }
  return { kind: "cast", span: spanOf(node), type, operand: relink(node, call, argument) };
}

function objectOf(node: RawNode): Expression {
  const object = fieldOf(node, "function") ?? fieldOf(node, "argument");
  return object === undefined ? missingExpression(node.start) : lowerExpression(object);
}

/** The call at the beginning of a chain that may also be a cast, or undefined. */
function ambiguousCast(node: RawNode): RawNode | undefined {
  let link: RawNode | undefined = node;
  while (link !== undefined && !link.isBroken) {
    if (link.type === "call_expression") {
      if (plainCastName(link) !== undefined) return link;
      link = fieldOf(link, "function");
    } else if (link.type === "subscript_expression" || link.type === "field_expression") {
      link = fieldOf(link, "argument");
    } else {
      return undefined;
    }
  }
  return undefined;
}

const castNames: ReadonlySet<string> = new Set(["identifier", "qualified_identifier", "template_function"]);

/** `N` of `(N)(…)` if the second parentheses are not empty. */
function plainCastName(call: RawNode): RawNode | undefined {
  const head = fieldOf(call, "function");
  if (head?.type !== "parenthesized_expression" || head.isBroken || fieldOf(call, "launch") !== undefined) return undefined;
  const list = fieldOf(call, "arguments");
  if (list === undefined || !list.children.some((child) => child.isNamed)) return undefined;
  const name = head.children.find((child) => child.isNamed);
  return name !== undefined && castNames.has(name.type) ? name : undefined;
}

/** `(a, b)` read as a parenthesized comma expression. */
function parenthesizedArguments(list: RawNode): Expression {
  const values = list.children.filter((child) => child.isNamed).map(lowerExpression);
  const inner = values.reduceRight((right, left) => ({
    kind: "comma",
    span: { start: left.span.start, end: right.span.end },
    left,
    right,
  }));
  return { kind: "parenthesized", span: spanOf(list), inner };
}

/** Lowers the chain again with `replacement` in place of `link`. */
function relink(node: RawNode, link: RawNode, replacement: Expression): Expression {
  if (node === link) return replacement;
  const object = fieldOf(node, "function") ?? fieldOf(node, "argument");
  if (object === undefined) return unknownExpression(node);
  return lowerLink(node, relink(object, link, replacement));
}

/** One link of a chain whose object has been lowered already; it begins where the object begins. */
function lowerLink(node: RawNode, object: Expression): Expression {
  const span = { start: object.span.start, end: node.end };
  switch (node.type) {
    case "call_expression":
      return lowerCall(node, object);
    case "subscript_expression": {
      const indices = fieldOf(node, "indices");
      return { kind: "subscript", span, object, indices: indices === undefined ? [] : lowerArguments(indices) };
    }
    case "field_expression": {
      const operator = leafText(fieldOf(node, "operator") ?? node);
      const field = fieldOf(node, "field");
      if (field === undefined) return unknownExpression(node);
      if (operator === ".*" || operator === "->*") {
        return { kind: "binary", span, operator, left: object, right: { kind: "name", span: spanOf(field), name: lowerName(field) } };
      }
      return { kind: "member", span, object, isArrow: operator === "->", name: lowerName(field) };
    }
    default:
      return unknownExpression(node);
  }
}

function lowerCall(node: RawNode, object: Expression): Expression {
  const head = fieldOf(node, "function");
  const list = fieldOf(node, "arguments");
  if (head === undefined || list === undefined) return unknownExpression(node);
  const span = { start: object.span.start, end: node.end };
  if (
    head.type === "dependent_type" ||
    head.type === "sized_type_specifier" ||
    (head.type === "primitive_type" && isTypeKeyword(head.text))
  ) {
    return { kind: "construct", span, type: typeIdOf(head), arguments: lowerArguments(list) };
  }
  const values = lowerArguments(list);
  const cast = object.kind === "name" ? asNamedCast(object.name, values, span) : undefined;
  if (cast !== undefined) return cast;
  if (head.type === "identifier" && head.text === "typeid") {
    return { kind: "typeid", span, operand: values[0] ?? missingExpression(list.end) };
  }
  const launch = fieldOf(node, "launch");
  const call: CallExpression = {
    kind: "call",
    span,
    function: object,
    ...(launch === undefined ? {} : { launch: lowerArguments(launch) }),
    arguments: values,
  };
  return call;
}

/** The expressions of an argument list, a subscript, a launch configuration. */
export function lowerArguments(list: RawNode): readonly Expression[] {
  const result: Expression[] = [];
  for (const child of list.children) if (child.isNamed) result.push(lowerExpression(child));
  return compact(result);
}
