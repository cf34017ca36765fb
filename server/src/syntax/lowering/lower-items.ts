/** Lowers items: declarations in a file, a namespace or a record. */
import { append, compact } from "../../lists.ts";
import type {
  DeclarationItem,
  Declarator,
  FunctionItem,
  InitDeclarator,
  Initializer,
  Item,
  LinkageItem,
  Name,
  Specifiers,
  TypeSpecifier,
  UsingItem,
} from "../ast.ts";
import { joinedTemplates, unabbreviated } from "./abbreviated-templates.ts";
import { asDeclaration } from "./array-pointers.ts";
import { lowerDeclarator, lowerTemplateParameters, lowerTypeId } from "./lower-declarators.ts";
import { lowerExpression } from "./lower-expressions.ts";
import { lowerName } from "./lower-names.ts";
import { lowerArguments } from "./lower-postfix.ts";
import { lowerSpecifiers, lowerTypeSpecifier, noSpecifiers, WordCollector } from "./lower-specifiers.ts";
import { lowerBlock } from "./lower-statements.ts";
import { childOf, fieldOf, hasToken, itemTypes, type RawNode, spanOf, unknownWords } from "./raw.ts";

/** The items of a file, a namespace, a linkage block, a record. */
export function lowerItems(container: RawNode): readonly Item[] {
  const result: Item[] = [];
  for (let at = 0; at < container.children.length; at++) lowerChild(container, at, result);
  return compact(result);
}

/** Adds the items of a container's child. */
export function lowerChild(container: RawNode, at: number, result: Item[]): void {
  const child = container.children[at];
  if (child === undefined || !child.isNamed || isStraySemicolon(child)) return;
  if (followsUnreadable(container.children, at)) result.push(unknownItem(child, [lowerItem(child)]));
  else if (child.type === "using_declaration" && !child.isBroken) append(result, lowerUsing(child));
  else result.push(isMacroBody(container, child) ? unknownItem(child, [lowerItem(child)]) : lowerItem(child));
}

function isStraySemicolon(node: RawNode): boolean {
  return node.type === "expression_statement" && !node.isBroken && !node.children.some((child) => child.isNamed);
}

/**
 * True for `TEST(Suite, name) { … }`, a macro with a body. With names as arguments it looks like a constructor, but outside of a
 * record the name of a constructor is qualified.
 */
function isMacroBody(container: RawNode, node: RawNode): boolean {
  if (node.type === "macro_definition") return true;
  if (node.type !== "function_definition" || container.type === "field_declaration_list" || fieldOf(node, "type") !== undefined)
    return false;
  const declarator = fieldOf(node, "declarator");
  return declarator !== undefined && fieldOf(declarator, "declarator")?.type === "identifier";
}

/**
 * Whether unreadable text is directly before the item on the same line. Such text most likely belongs to the item: an unknown macro
 * in place of a qualifier looks like this. The View keeps the line breaks outside of expansions, so adjacency shows the author's
 * lines.
 */
export function followsUnreadable(siblings: readonly RawNode[], at: number): boolean {
  const previous = siblings[at - 1];
  const own = siblings[at];
  if (previous === undefined || own === undefined) return false;
  // An undefined macro belongs to the item after it, on whatever line that is; it has little effect on a namespace.
  if (previous.type === unknownWords) return own.type !== "namespace_definition";
  const unreadable = previous.type === "ERROR" || endsMissing(previous);
  return unreadable && own.start - previous.end <= 2;
}

function endsMissing(node: RawNode): boolean {
  let last: RawNode | undefined = node;
  while (last !== undefined && last.children.length > 0) last = last.children[last.children.length - 1];
  return last !== undefined && last.start === last.end;
}

/** Lowers any node in the place of an item. */
export function lowerItem(node: RawNode): Item {
  const misread = node.type === "expression_statement" && !node.isBroken ? childDeclaration(node) : undefined;
  if (misread !== undefined) return { ...misread, span: spanOf(node) };
  if (!itemTypes.has(node.type))
    return node.type === "access_specifier" ? { kind: "access", span: spanOf(node) } : unknownItem(node, readItems(node));
  const item = readItem(node);
  return node.isBroken ? unknownItem(node, item === undefined ? readItems(node) : [item]) : (item ?? unknownItem(node, readItems(node)));
}

/** The declaration in a node of an expression's kind, which cannot be an item itself. */
function childDeclaration(node: RawNode): DeclarationItem | undefined {
  const inner = node.children.find((child) => child.isNamed);
  return inner === undefined ? undefined : asDeclaration(lowerExpression(inner));
}

function unknownItem(node: RawNode, items: readonly Item[]): Item {
  const only = items.length === 1 ? items[0] : undefined;
  return only?.kind === "unknown" ? only : { kind: "unknown", span: spanOf(node), items };
}

/** The readable items below a node that is not readable as a whole. */
function readItems(node: RawNode): readonly Item[] {
  const result: Item[] = [];
  for (const child of node.children) {
    if (itemTypes.has(child.type)) result.push(lowerItem(child));
    else if (child.isNamed) append(result, readItems(child));
  }
  return result;
}

function readItem(node: RawNode): Item | undefined {
  const span = spanOf(node);
  switch (node.type) {
    case "declaration":
    case "field_declaration":
    case "type_definition":
      return unabbreviated(lowerDeclaration(node));
    case "function_definition":
      return lowerFunction(node);
    case "template_declaration":
      return lowerTemplate(node);
    case "template_instantiation":
      return lowerInstantiation(node);
    case "namespace_definition": {
      const name = fieldOf(node, "name");
      const body = fieldOf(node, "body");
      return {
        kind: "namespace",
        span,
        names: name === undefined ? [] : leafTexts(name).filter((text) => text !== "::" && text !== "inline"),
        isInline: hasToken(node, "inline"),
        items: body === undefined ? [] : lowerItems(body),
      };
    }
    case "linkage_specification":
      return lowerLinkage(node);
    case "using_declaration":
      return lowerUsing(node)[0];
    case "namespace_alias_definition": {
      const alias = fieldOf(node, "name");
      const target = node.children.filter((child) => child.isNamed && child !== alias)[0];
      if (alias === undefined || target === undefined) return undefined;
      return { kind: "namespace-alias", span, alias: alias.text, name: nestedName(target) };
    }
    case "alias_declaration": {
      const name = fieldOf(node, "name");
      const type = fieldOf(node, "type");
      if (name === undefined || type === undefined) return undefined;
      return { kind: "alias", span, name: name.text, nameSpan: spanOf(name), type: lowerTypeId(type) };
    }
    case "static_assert_declaration": {
      const condition = fieldOf(node, "condition");
      return condition === undefined ? undefined : { kind: "static-assert", span, condition: lowerExpression(condition) };
    }
    case "friend_declaration":
      return lowerFriend(node);
    case "macro_definition":
      return lowerMacroBody(node);
    default:
      return undefined;
  }
}

/** One item per name: `using A::b, C::d;`. */
function lowerUsing(node: RawNode): readonly UsingItem[] {
  const isNamespace = hasToken(node, "namespace");
  return node.children
    .filter((child) => child.isNamed)
    .map((name) => ({ kind: "using", span: spanOf(node), isNamespace, name: lowerName(name) }));
}

function leafTexts(node: RawNode): readonly string[] {
  return node.children.length === 0 ? [node.text] : node.children.flatMap(leafTexts);
}

function nestedName(node: RawNode): Name {
  if (node.type !== "nested_namespace_specifier") return lowerName(node);
  const span = spanOf(node);
  const texts = leafTexts(node);
  return { span, parts: texts.filter((text) => text !== "::").map((text) => ({ span, text })), isGlobal: texts[0] === "::" };
}

// ---------------------------------------------------------------- declarations

function lowerDeclaration(node: RawNode): DeclarationItem {
  const specifiers = lowerSpecifiers(node);
  const declarators: InitDeclarator[] = [];
  for (let at = 0; at < node.children.length; at++) {
    const child = node.children[at];
    if (child?.type === "bitfield_clause") declarators.push(unnamedBitField(child));
    if (child?.field !== "declarator") continue;
    let next = at + 1;
    while (next < node.children.length && node.children[next]?.type !== ",") next++;
    declarators.push(lowerInitDeclarator(child, node.children.slice(at + 1, next)));
    at = next - 1;
  }
  return { kind: "declaration", span: spanOf(node), specifiers, declarators: compact(declarators) };
}

/** `int : 4;` is padding. */
function unnamedBitField(node: RawNode): InitDeclarator {
  const width = node.children.find((part) => part.isNamed);
  const declarator: Declarator = { kind: "abstract", span: { start: node.start, end: node.start } };
  return { span: spanOf(node), declarator, initializer: undefined, ...(width === undefined ? {} : { bitWidth: lowerExpression(width) }) };
}

/**
 * Lowers one declarator with its initializer. `rest` are the nodes between this declarator and the next: attributes, a bit width, a
 * member's initializer.
 */
function lowerInitDeclarator(node: RawNode, rest: readonly RawNode[]): InitDeclarator {
  const collector = new WordCollector();
  let initializer: Initializer | undefined;
  let bitWidth: RawNode | undefined;
  let end = node.end;
  let head = node;
  if (node.type === "init_declarator") {
    head = fieldOf(node, "declarator") ?? node;
    for (const child of node.children) if (child.field === "") collector.take(child);
    const value = fieldOf(node, "value");
    if (value !== undefined) initializer = lowerInitializer(value, hasToken(node, "="));
  }
  for (const child of rest) {
    if (child.field === "default_value" || child.field === "value") initializer = lowerInitializer(child, true);
    else if (child.type === "bitfield_clause") bitWidth = child.children.find((part) => part.isNamed);
    else if (!collector.take(child)) continue;
    end = child.end;
  }
  const declarator = qualified(lowerDeclarator(head, head.start), collector);
  const isZero = initializer?.kind === "value" && initializer.value.kind === "number" && initializer.value.text === "0";
  if (initializer !== undefined && declarator.kind === "function" && isZero) initializer = { kind: "pure", span: initializer.span };
  return {
    span: { start: node.start, end },
    declarator,
    initializer,
    ...(bitWidth === undefined ? {} : { bitWidth: lowerExpression(bitWidth) }),
  };
}

function qualified(inner: Declarator, { words, attributes }: WordCollector): Declarator {
  const last = attributes[attributes.length - 1] ?? words[words.length - 1];
  return last === undefined
    ? inner
    : { kind: "qualified", span: { start: inner.span.start, end: last.span.end }, words, attributes, inner };
}

function lowerInitializer(value: RawNode, hasEquals: boolean): Initializer {
  const span = spanOf(value);
  if (!hasEquals && value.type === "argument_list") return { kind: "direct", span, arguments: lowerArguments(value) };
  return { kind: "value", span, value: lowerExpression(value) };
}

// ---------------------------------------------------------------- functions

/** Lowers a function's definition. With `= 0` it becomes a declaration with the initializer `pure`. */
function lowerFunction(node: RawNode): Item | undefined {
  const declarator = fieldOf(node, "declarator");
  if (declarator === undefined) return undefined;
  const specifiers = lowerSpecifiers(node);
  const lowered = lowerDeclarator(declarator, declarator.start);
  const pure = childOf(node, "pure_virtual_clause");
  if (pure !== undefined) {
    const declared: InitDeclarator = { span: spanOf(declarator), declarator: lowered, initializer: { kind: "pure", span: spanOf(pure) } };
    return { kind: "declaration", span: spanOf(node), specifiers, declarators: [declared] };
  }
  const body = fieldOf(node, "body") ?? childOf(node, "try_statement");
  const initializers =
    childOf(node, "field_initializer_list") ?? (body === undefined ? undefined : childOf(body, "field_initializer_list"));
  const special =
    childOf(node, "default_method_clause") !== undefined
      ? "default"
      : childOf(node, "delete_method_clause") !== undefined
        ? "delete"
        : undefined;
  const item: FunctionItem = {
    kind: "function",
    span: spanOf(node),
    specifiers,
    declarator: lowered,
    memberInitializers: (initializers?.children ?? []).filter((child) => child.type === "field_initializer").map(lowerMemberInitializer),
    body: body === undefined ? undefined : lowerBlock(body),
    ...(special === undefined ? {} : { special }),
  };
  return unabbreviated(item);
}

function lowerMemberInitializer(node: RawNode): FunctionItem["memberInitializers"][number] {
  const name = node.children[0];
  const list = node.children.find((child) => child.type === "argument_list" || child.type === "initializer_list");
  return {
    name: name === undefined ? { span: spanOf(node), parts: [], isGlobal: false } : lowerName(name),
    arguments: list === undefined ? [] : list.type === "initializer_list" ? [lowerExpression(list)] : lowerArguments(list),
    span: spanOf(node),
  };
}

/** Lowers a function of which only the body is known. */
function lowerMacroBody(node: RawNode): FunctionItem | undefined {
  const head = fieldOf(node, "head");
  const name = head === undefined ? undefined : fieldOf(head, "function");
  const list = head === undefined ? undefined : fieldOf(head, "arguments");
  const body = fieldOf(node, "body");
  if (head === undefined || name === undefined || list === undefined || body === undefined) return undefined;
  const start = { start: node.start, end: node.start };
  return {
    kind: "function",
    span: spanOf(node),
    specifiers: noSpecifiers(start),
    declarator: {
      kind: "function",
      span: spanOf(head),
      parameters: [],
      parameterSpan: spanOf(list),
      isVariadic: true,
      words: [],
      attributes: [],
      trailingReturn: undefined,
      inner: { kind: "name", span: spanOf(name), name: lowerName(name) },
    },
    memberInitializers: [],
    body: lowerBlock(body),
  };
}

// ---------------------------------------------------------------- templates, linkage, friends

function lowerTemplate(node: RawNode): Item | undefined {
  const list = fieldOf(node, "parameters");
  if (list === undefined) return undefined;
  const inner = node.children.slice(node.children.indexOf(list) + 1).find((child) => itemTypes.has(child.type));
  if (inner === undefined) return undefined;
  return joinedTemplates({ kind: "template", span: spanOf(node), parameters: lowerTemplateParameters(list), item: lowerItem(inner) });
}

function lowerInstantiation(node: RawNode): Item {
  const declarator = fieldOf(node, "declarator");
  const isExtern = node.children[0]?.type === "extern";
  return {
    kind: "instantiation",
    span: spanOf(node),
    isExtern,
    specifiers: lowerSpecifiers(isExtern ? { ...node, children: node.children.slice(1) } : node),
    declarator: declarator === undefined ? undefined : lowerDeclarator(declarator, declarator.start),
  };
}

function lowerLinkage(node: RawNode): LinkageItem | undefined {
  const value = fieldOf(node, "value");
  const body = fieldOf(node, "body");
  if (value === undefined || body === undefined) return undefined;
  return {
    kind: "linkage",
    span: spanOf(node),
    language: value.text.replace(/^"|"$/g, ""),
    isBlock: body.type === "declaration_list",
    items: body.type === "declaration_list" ? lowerItems(body) : [lowerItem(body)],
  };
}

/** `friend` is treated like the words that may precede it. */
function lowerFriend(node: RawNode): Item | undefined {
  const collector = new WordCollector();
  for (const child of node.children) collector.take(child);
  const { words, attributes } = collector;
  const inner = node.children.find((child) => itemTypes.has(child.type));
  if (inner !== undefined) return befriend(lowerItem(inner), collector, node);
  const name = node.children.filter((child) => child.isNamed).pop();
  const key = node.children.find((child) => child.type === "class" || child.type === "struct" || child.type === "union");
  if (name === undefined) return undefined;
  const type: TypeSpecifier =
    key === undefined
      ? lowerTypeSpecifier(name)
      : {
          kind: "record",
          span: { start: key.start, end: name.end },
          key: key.type === "struct" ? "struct" : key.type === "union" ? "union" : "class",
          name: lowerName(name),
          words: [],
          attributes: [],
          bases: [],
          isFinal: false,
          body: undefined,
        };
  const specifiers: Specifiers = { span: { start: node.start, end: name.end }, words, attributes, type };
  return { kind: "declaration", span: spanOf(node), specifiers, declarators: [] };
}

function befriend(item: Item, collector: WordCollector, node: RawNode): Item {
  if (item.kind === "template") return { ...item, item: befriend(item.item, collector, node) };
  const { words, attributes } = collector;
  if (item.kind !== "declaration" && item.kind !== "function") return item;
  const specifiers: Specifiers = {
    span: { start: node.start, end: item.specifiers.span.end },
    words: [...words, ...item.specifiers.words],
    attributes: [...attributes, ...item.specifiers.attributes],
    type: item.specifiers.type,
  };
  return { ...item, span: spanOf(node), specifiers };
}
