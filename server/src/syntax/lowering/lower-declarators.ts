/**
 * Lowers declarators, parameters, template parameters and type-ids.
 */
import type { BoundName, Declarator, FunctionDeclarator, NamePart, Parameter, TemplateParameter, TypeId } from "../ast.ts";
import { lowerExpression } from "./lower-expressions.ts";
import { lowerName, lowerTemplateArgument, plainName } from "./lower-names.ts";
import { lowerSpecifiers, lowerTypeSpecifier, noSpecifiers, WordCollector } from "./lower-specifiers.ts";
import { childOf, fieldOf, hasToken, type RawNode, spanOf, unknownWords } from "./raw.ts";

const declaratorTypes: ReadonlySet<string> = new Set([
  "pointer_declarator",
  "abstract_pointer_declarator",
  "new_pointer_declarator",
  "block_pointer_declarator",
  "member_pointer_declarator",
  "abstract_member_pointer_declarator",
  "abstract_block_pointer_declarator",
  "reference_declarator",
  "abstract_reference_declarator",
  "array_declarator",
  "abstract_array_declarator",
  "new_declarator",
  "function_declarator",
  "abstract_function_declarator",
  "parenthesized_declarator",
  "abstract_parenthesized_declarator",
  "attributed_declarator",
  "init_declarator",
  "structured_binding_declarator",
  "variadic_declarator",
  "operator_cast",
]);

const nameTypes: ReadonlySet<string> = new Set([
  "identifier",
  "field_identifier",
  "type_identifier",
  "primitive_type",
  "qualified_identifier",
  "template_function",
  "template_method",
  "template_type",
  "operator_name",
  "destructor_name",
]);

/** The declarator inside a declarator: the child in that field, or the first child that can be one. */
function innerOf(node: RawNode): RawNode | undefined {
  return (
    fieldOf(node, "declarator") ??
    node.children.find((child) => child.field === "" && (declaratorTypes.has(child.type) || nameTypes.has(child.type)))
  );
}

/** `A::B::*p` nests once per scope; the innermost contains the star. */
function lowerMemberPointer(node: RawNode, outer: readonly NamePart[]): Declarator {
  const span = spanOf(node);
  const scope = fieldOf(node, "scope");
  const parts = scope === undefined ? outer : [...outer, ...lowerName(scope).parts];
  const inner = innerOf(node);
  if (inner?.type === node.type) return { ...lowerMemberPointer(inner, parts), span };
  const of = { span: { start: parts[0]?.span.start ?? span.start, end: scope?.end ?? span.start }, parts, isGlobal: false };
  return { kind: "member-pointer", span, of, words: collect(node).words, inner: lowerDeclarator(inner, node.end) };
}

/** `undefined` if nothing is declared; `at` is where a name could have stood. */
export function lowerDeclarator(node: RawNode | undefined, at: number): Declarator {
  if (node === undefined) return { kind: "abstract", span: { start: at, end: at } };
  const span = spanOf(node);
  switch (node.type) {
    case "pointer_declarator":
    case "abstract_pointer_declarator":
    case "new_pointer_declarator": {
      const { words, attributes } = collect(node);
      return { kind: "pointer", span, words, attributes, inner: lowerDeclarator(innerOf(node), node.end) };
    }
    case "block_pointer_declarator":
    case "abstract_block_pointer_declarator":
      return { kind: "block-pointer", span, words: collect(node).words, inner: lowerDeclarator(innerOf(node), node.end) };
    case "member_pointer_declarator":
    case "abstract_member_pointer_declarator":
      return lowerMemberPointer(node, []);
    case "reference_declarator":
    case "abstract_reference_declarator":
      return { kind: "reference", span, isRvalue: hasToken(node, "&&"), inner: lowerDeclarator(innerOf(node), node.end) };
    case "array_declarator":
    case "abstract_array_declarator": {
      const size = fieldOf(node, "size");
      return {
        kind: "array",
        span,
        words: collect(node).words,
        size: size === undefined || size.type === "*" ? undefined : lowerExpression(size),
        inner: lowerDeclarator(innerOf(node), node.start),
      };
    }
    case "new_declarator":
      return lowerNewDeclarator(node);
    case "function_declarator":
    case "abstract_function_declarator":
      return lowerFunctionDeclarator(node, lowerFunctionName(innerOf(node), node.start));
    case "parenthesized_declarator":
    case "abstract_parenthesized_declarator":
      return lowerDeclarator(innerOf(node), node.start + 1);
    case "attributed_declarator": {
      const { words, attributes } = collect(node);
      return { kind: "qualified", span, words, attributes, inner: lowerDeclarator(innerOf(node), node.start) };
    }
    case "structured_binding_declarator":
      return { kind: "structured-binding", span, names: node.children.filter((child) => child.isNamed).map(boundName) };
    case "variadic_declarator":
      return { kind: "pack", span, inner: lowerDeclarator(innerOf(node), node.end) };
    case "operator_cast":
      return lowerConversion(node, undefined);
    case "qualified_identifier":
      return lowerQualified(node);
    default:
      return { kind: "name", span, name: lowerName(node, span) };
  }
}

/**
 * `NAME(scale, _float)(int n)`: no function returns a function (C++17 §11.3.5p11), so an undefined macro produces the name, a
 * different one for different arguments.
 */
function lowerFunctionName(node: RawNode | undefined, end: number): Declarator {
  if (node?.type !== "function_declarator" || innerOf(node)?.type !== "identifier") return lowerDeclarator(node, end);
  return { kind: "name", span: spanOf(node), name: plainName(leafTextWithout(node, undefined), node) };
}

function collect(node: RawNode): WordCollector {
  const collector = new WordCollector();
  for (const child of node.children) if (child.field === "") collector.take(child);
  return collector;
}

/** `[n][m]` of a new-expression, whose nesting is reversed. */
function lowerNewDeclarator(node: RawNode): Declarator {
  const size = fieldOf(node, "length");
  const next = childOf(node, "new_declarator");
  const own: Declarator = {
    kind: "array",
    span: spanOf(node),
    words: [],
    size: size === undefined ? undefined : lowerExpression(size),
    inner: { kind: "abstract", span: { start: node.start, end: node.start } },
  };
  if (next === undefined) return own;
  const outer = lowerNewDeclarator(next);
  return wrapInnermost(outer, own);
}

function wrapInnermost(declarator: Declarator, replacement: Declarator): Declarator {
  if (declarator.kind !== "array") return replacement;
  return {
    ...declarator,
    span: { start: replacement.span.start, end: declarator.span.end },
    inner: wrapInnermost(declarator.inner, replacement),
  };
}

/** `S::operator int()` is a conversion function, everything else a name. */
function lowerQualified(node: RawNode): Declarator {
  let last: RawNode | undefined = node;
  while (last?.type === "qualified_identifier") last = fieldOf(last, "name");
  if (last?.type === "operator_cast") return lowerConversion(last, node);
  return { kind: "name", span: spanOf(node), name: lowerName(node) };
}

/** `operator int*() const`: a function whose name contains the type. */
function lowerConversion(node: RawNode, qualified: RawNode | undefined): Declarator {
  let list = fieldOf(node, "declarator");
  while (list !== undefined && list.type !== "abstract_function_declarator") list = innerOf(list);
  const own = list;
  const typeText = node.children
    .filter((child) => child.type !== "operator")
    .map((child) => leafTextWithout(child, own))
    .join(" ")
    .replace(/\s+/g, " ")
    .trim();
  const text = `operator ${typeText}`;
  const head: RawNode = { ...node, end: own?.start ?? node.end };
  const name = plainName(text, head);
  const scope = qualified === undefined ? undefined : lowerName(qualified);
  const full =
    scope === undefined
      ? name
      : { span: { start: scope.span.start, end: head.end }, parts: [...scope.parts.slice(0, -1), ...name.parts], isGlobal: scope.isGlobal };
  const inner: Declarator = { kind: "name", span: full.span, name: full };
  return own === undefined ? inner : { ...lowerFunctionDeclarator(own, inner), trailingReturn: typeConvertedTo(node, own) };
}

/** The type of a conversion function: the text between `operator` and its parameters. */
function typeConvertedTo(node: RawNode, parameters: RawNode): TypeId {
  const children = node.children.filter(({ type }) => type !== "operator").flatMap((child) => without(child, parameters));
  return lowerTypeId({ ...node, type: "type_descriptor", start: children[0]?.start ?? node.start, end: parameters.start, children });
}

function without(node: RawNode, removed: RawNode): readonly RawNode[] {
  if (node === removed) return [];
  return node.end < removed.end ? [node] : [{ ...node, children: node.children.flatMap((child) => without(child, removed)) }];
}

function leafTextWithout(node: RawNode, skipped: RawNode | undefined): string {
  if (node === skipped) return "";
  if (node.children.length === 0) return node.text;
  return node.children.map((child) => leafTextWithout(child, skipped)).join(" ");
}

function lowerFunctionDeclarator(node: RawNode, inner: Declarator): FunctionDeclarator {
  const list = fieldOf(node, "parameters") ?? childOf(node, "parameter_list");
  const collector = new WordCollector();
  let trailingReturn: TypeId | undefined;
  for (const child of node.children) {
    if (child.field !== "") continue;
    if (child.type === "trailing_return_type") {
      const type = childOf(child, "type_descriptor");
      if (type !== undefined) trailingReturn = lowerTypeId(type);
    } else {
      collector.take(child);
    }
  }
  return {
    kind: "function",
    span: { start: Math.min(node.start, inner.span.start), end: node.end },
    parameters: list === undefined ? [] : lowerParameters(list),
    parameterSpan: list === undefined ? { start: node.end, end: node.end } : spanOf(list),
    isVariadic: list?.children.some(isEllipsis) ?? false,
    words: collector.words,
    attributes: collector.attributes,
    trailingReturn,
    inner,
  };
}

const parameterTypes: ReadonlySet<string> = new Set([
  "parameter_declaration",
  "optional_parameter_declaration",
  "variadic_parameter_declaration",
]);

/** `...`, also without the comma before it: `int x...`, and `int...`, whose type has no name that could be a pack. */
function isEllipsis(node: RawNode): boolean {
  if (node.type === "..." || node.type === "variadic_parameter") return true;
  if (node.type === "parameter_declaration") return hasToken(node, "...");
  if (node.type !== "variadic_parameter_declaration") return false;
  const declarator = fieldOf(node, "declarator");
  return (
    fieldOf(node, "type")?.type === "primitive_type" && declarator?.type === "variadic_declarator" && innerOf(declarator) === undefined
  );
}

/** The parameters of a function's declarator. */
export function lowerParameters(list: RawNode): readonly Parameter[] {
  return list.children.flatMap((child, at) => {
    if (!parameterTypes.has(child.type)) return [];
    // An unknown word before or after a parameter is a sibling in the tree, but belongs to the parameter.
    const besideUnknown = isUnreadable(list.children[at - 1]) || isUnreadable(list.children[at + 1]);
    return [lowerParameter(besideUnknown ? { ...child, isBroken: true } : child)];
  });
}

function isUnreadable(node: RawNode | undefined): boolean {
  return node !== undefined && (node.type === unknownWords || node.type === "ERROR");
}

function lowerParameter(node: RawNode): Parameter {
  const specifiers = lowerSpecifiers(node);
  const defaultValue = fieldOf(node, "default_value");
  return {
    span: spanOf(node),
    specifiers,
    declarator: withTrailingWords(node, lowerDeclarator(fieldOf(node, "declarator"), specifiers.span.end)),
    defaultValue: defaultValue === undefined ? undefined : lowerExpression(defaultValue),
  };
}

/** Adds the words and attributes after the declarator of a parameter or a member. */
function withTrailingWords(node: RawNode, declarator: Declarator): Declarator {
  const at = node.children.findIndex((child) => child.field === "declarator");
  if (at < 0) return declarator;
  const collector = new WordCollector();
  for (const child of node.children.slice(at + 1)) if (child.field === "") collector.take(child);
  const { words, attributes } = collector;
  if (words.length === 0 && attributes.length === 0) return declarator;
  return { kind: "qualified", span: { start: declarator.span.start, end: node.end }, words, attributes, inner: declarator };
}

/** A `type_descriptor`, or any node with specifiers and an abstract declarator. */
export function lowerTypeId(node: RawNode): TypeId {
  const specifiers = lowerSpecifiers(node);
  return {
    kind: "type-id",
    span: spanOf(node),
    specifiers,
    declarator: lowerDeclarator(fieldOf(node, "declarator"), specifiers.span.end),
  };
}

/** The type of `T{…}` and `int(x)`: a type specifier alone. */
export function typeIdOf(node: RawNode): TypeId {
  const span = spanOf(node);
  return {
    kind: "type-id",
    span,
    specifiers: { ...noSpecifiers(span), type: lowerTypeSpecifier(node) },
    declarator: { kind: "abstract", span: { start: node.end, end: node.end } },
  };
}

// ---------------------------------------------------------------- template parameters

/** The parameters of a template. */
export function lowerTemplateParameters(list: RawNode): readonly TemplateParameter[] {
  return list.children.flatMap((child) => {
    const parameter = lowerTemplateParameter(child);
    return parameter === undefined ? [] : [parameter];
  });
}

function lowerTemplateParameter(node: RawNode): TemplateParameter | undefined {
  const span = spanOf(node);
  switch (node.type) {
    case "type_parameter_declaration":
    case "variadic_type_parameter_declaration":
    case "optional_type_parameter_declaration": {
      const name = fieldOf(node, "name") ?? childOf(node, "type_identifier");
      const value = fieldOf(node, "default_type");
      return {
        kind: "type",
        span,
        name: name?.text,
        isPack: hasToken(node, "..."),
        ...(value === undefined ? {} : { defaultArgument: value.type === "type_descriptor" ? lowerTypeId(value) : typeIdOf(value) }),
      };
    }
    case "template_template_parameter_declaration": {
      const inner = node.children.find((child) => child.type.endsWith("type_parameter_declaration"));
      const lowered = inner === undefined ? undefined : lowerTemplateParameter(inner);
      return { ...lowered, kind: "template", span, name: lowered?.name, isPack: lowered?.isPack ?? false };
    }
    case "parameter_declaration":
    case "optional_parameter_declaration":
    case "variadic_parameter_declaration": {
      const parameter = lowerParameter(node);
      const value = fieldOf(node, "default_value");
      return {
        kind: "value",
        span,
        name: nameOf(parameter.declarator),
        isPack: node.type === "variadic_parameter_declaration",
        parameter,
        ...(value === undefined ? {} : { defaultArgument: lowerTemplateArgument(value) }),
      };
    }
    default:
      return undefined;
  }
}

function nameOf(declarator: Declarator): string | undefined {
  if (declarator.kind === "name") return leafNameOf(declarator.name.parts);
  return "inner" in declarator ? nameOf(declarator.inner) : undefined;
}

function leafNameOf(parts: readonly { readonly text: string }[]): string | undefined {
  return parts[parts.length - 1]?.text;
}

function boundName(node: RawNode): BoundName {
  return { text: node.text, span: spanOf(node) };
}
