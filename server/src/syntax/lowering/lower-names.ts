/** Lowers names: qualified ones, templates, operators, destructors. It does not decide whether a name is a type or a value. */
import { compact } from "../../lists.ts";
import type { ViewSpan } from "../../source.ts";
import type { Name, NamePart, TemplateArgument } from "../ast.ts";
import { lowerTypeId } from "./lower-declarators.ts";
import { lowerExpression } from "./lower-expressions.ts";
import { childOf, fieldOf, leafText, type RawNode, spanOf } from "./raw.ts";

/**
 * Lowers any node that spells a name; another node becomes a single part with its text. Names with equal spans share one object,
 * because there are many.
 */
export function lowerName(node: RawNode, span = spanOf(node)): Name {
  if (!composed.has(node.type)) return new PlainName(span, nameText(node));
  const parts: NamePart[] = [];
  const isGlobal = node.type === "qualified_identifier" && fieldOf(node, "scope") === undefined;
  collectParts(node, parts, span);
  return { span, parts: compact(parts), isGlobal };
}

/** A name with one part. */
export function plainName(text: string, node: RawNode): Name {
  return new PlainName(spanOf(node), text);
}

/** A name that is its own only part. Most names are, and there are more names in a tree than anything else. */
class PlainName implements Name, NamePart {
  readonly span: ViewSpan;
  readonly text: string;
  readonly isGlobal = false;

  constructor(span: ViewSpan, text: string) {
    this.span = span;
    this.text = text;
  }

  get parts(): readonly NamePart[] {
    return [this];
  }
}

/** The nodes of names that may have several parts, or template arguments. */
const composed: ReadonlySet<string> = new Set([
  "qualified_identifier",
  "template_function",
  "template_type",
  "template_method",
  "dependent_name",
  "decltype",
]);

function collectParts(node: RawNode, parts: NamePart[], span = spanOf(node)): void {
  switch (node.type) {
    case "qualified_identifier": {
      const scope = fieldOf(node, "scope");
      if (scope !== undefined) collectParts(scope, parts);
      const name = fieldOf(node, "name");
      if (name !== undefined) collectParts(name, parts);
      return;
    }
    case "template_function":
    case "template_type":
    case "template_method": {
      const name = fieldOf(node, "name");
      const list = fieldOf(node, "arguments");
      const text = name === undefined ? "" : nameText(name);
      parts.push({ span, text, templateArguments: list === undefined ? [] : lowerTemplateArguments(list) });
      return;
    }
    case "dependent_name": {
      const inner = node.children.find((child) => child.isNamed);
      if (inner !== undefined) collectParts(inner, parts);
      return;
    }
    case "decltype":
      parts.push({ span, text: "" });
      return;
    default:
      parts.push({ span, text: nameText(node) });
  }
}

function nameText(node: RawNode): string {
  switch (node.type) {
    case "operator_name":
      return operatorText(node.text);
    case "destructor_name":
      return node.text.replace(/\s+/g, "");
    default:
      return leafText(node);
  }
}

/** `operator +` is `operator+`, but `operator  new [ ]` is `operator new[]`. */
function operatorText(text: string): string {
  const rest = text.slice("operator".length).replace(/\s+/g, " ").trim();
  const symbol = rest.replace(/ /g, "");
  return /^[a-z]/.test(symbol) ? `operator ${symbol}` : `operator${symbol}`;
}

function lowerTemplateArguments(list: RawNode): readonly TemplateArgument[] {
  const result: TemplateArgument[] = [];
  for (const child of list.children) {
    if (child.isNamed) result.push(lowerTemplateArgument(child));
  }
  return compact(result);
}

/** A template argument: a type or an expression. */
export function lowerTemplateArgument(node: RawNode): TemplateArgument {
  if (node.type === "type_descriptor") return lowerTypeId(node);
  const pattern = node.type === "parameter_pack_expansion" ? childOf(node, "type_descriptor") : undefined;
  if (pattern === undefined) return lowerExpression(node);
  const type = lowerTypeId(pattern);
  return { ...type, span: spanOf(node), declarator: { kind: "pack", span: spanOf(node), inner: type.declarator } };
}
