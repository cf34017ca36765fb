/**
 * Lowers the specifiers before declarators: words in their canonical spelling, attributes, and the type specifier with records
 * and enumerations.
 */
import { append, compact } from "../../lists.ts";
import { canonicalWord, gpuWordsOf } from "../../qualifiers.ts";
import type { ViewSpan } from "../../source.ts";
import type { Attribute, EnumSpecifier, Expression, RecordSpecifier, Specifiers, TypeId, TypeSpecifier, Word } from "../ast.ts";
import { isSpaceAttribute } from "../text/type-attributes.ts";
import { lowerTypeId } from "./lower-declarators.ts";
import { lowerExpression, unknownExpression } from "./lower-expressions.ts";
import { lowerItems } from "./lower-items.ts";
import { lowerName } from "./lower-names.ts";
import { childOf, expressionTypes, fieldOf, hasToken, leafText, type RawNode, spanOf, unknownWords } from "./raw.ts";

const specifierTokens: ReadonlySet<string> = new Set(["virtual", "friend", "typedef", "static"]);

/** CUDA's specifiers are macros for these attributes. */
const wordsOfAttributes: ReadonlyMap<string, string> = new Map(gpuWordsOf("cuda").map((word) => [word.slice(2, -2), word]));

/** Collects words and attributes from the children of a node, ignoring others between them. */
export class WordCollector {
  private readonly foundWords: Word[] = [];
  private readonly foundAttributes: Attribute[] = [];

  get words(): readonly Word[] {
    return compact(this.foundWords);
  }

  get attributes(): readonly Attribute[] {
    return compact(this.foundAttributes);
  }

  /** True if the node was a word or an attribute. */
  take(node: RawNode): boolean {
    switch (node.type) {
      case "storage_class_specifier":
      case "exec_space_specifier":
      case "ms_pointer_modifier":
      case "virtual_specifier":
      case "ref_qualifier":
      case "type_qualifier": {
        const attribute = childOf(node, "alignas_qualifier");
        if (attribute !== undefined) return this.take(attribute);
        this.takeLeaves(node);
        return true;
      }
      case "attribute_specifier":
      case "ms_declspec_modifier":
        this.takeAttributes(node);
        return true;
      case "attribute_declaration":
      case "alignas_qualifier":
      case "launch_bounds":
        append(this.foundAttributes, lowerAttributes(node));
        return true;
      // The contents of their parentheses are not words.
      case "noexcept":
      case "explicit_function_specifier":
        this.takeWord(node.children[0]?.text ?? node.text, spanOf(node));
        return true;
      case "ms_call_modifier":
      case "throw_specifier":
        return true;
      default:
        if (node.isNamed || !specifierTokens.has(node.type)) return false;
        this.takeWord(node.type, spanOf(node));
        return true;
    }
  }

  /** `__device__` stands for `__attribute__((device))`. */
  private takeAttributes(node: RawNode): void {
    const all = lowerAttributes(node);
    for (const attribute of all) {
      const word = attribute.arguments.length === 0 ? wordsOfAttributes.get(attribute.name) : undefined;
      if (word === undefined) this.foundAttributes.push(attribute);
      else this.foundWords.push({ span: all.length === 1 ? spanOf(node) : attribute.span, text: word });
    }
  }

  private takeLeaves(node: RawNode): void {
    if (node.children.length === 0) this.takeWord(node.text, spanOf(node));
    for (const child of node.children) this.takeLeaves(child);
  }

  takeWord(text: string, span: ViewSpan): void {
    if (text !== "__extension__") this.foundWords.push({ span, text: canonicalWord(text) });
  }
}

/**
 * The specifiers among the children of a node that precede its declarators. If there are none, their span is empty and at the
 * node's start.
 */
export function lowerSpecifiers(node: RawNode): Specifiers {
  const collector = new WordCollector();
  let type: TypeSpecifier | undefined;
  let start = -1;
  let end = node.start;
  for (const child of node.children) {
    if (child.field !== "" && child.field !== "type") {
      if (child.field === "declarator" || child.field === "default_value") break;
      continue;
    }
    if (child.field === "type") {
      if (child.type === "sized_type_specifier")
        for (const part of child.children) if (part.type === "type_qualifier") collector.take(part);
      type = lowerTypeSpecifier(child);
    } else if (!collector.take(child)) {
      continue;
    }
    if (start < 0) start = child.start;
    end = child.end;
  }
  // An unknown word may be part of a parameter's type.
  if (type !== undefined && node.isBroken && node.type.endsWith("parameter_declaration")) type = { kind: "unknown", span: type.span };
  return { span: { start: start < 0 ? node.start : start, end }, words: collector.words, attributes: collector.attributes, type };
}

/** Empty specifiers. */
export const noSpecifiers = (span: ViewSpan): Specifiers => ({ span, words: [], attributes: [], type: undefined });

/** The languages' own type names; every other type name is declared somewhere. */
const keywords: ReadonlySet<string> = new Set([
  "bool",
  "_Bool",
  "char",
  "int",
  "float",
  "double",
  "void",
  "wchar_t",
  "char8_t",
  "char16_t",
  "char32_t",
  "__int128",
  "_Float16",
  "__fp16",
  "__bf16",
  "_Float32",
  "_Float64",
  "__float128",
  "_Complex",
  "__complex__",
]);

/** True for words that name a type of the language. */
export function isTypeKeyword(text: string): boolean {
  return keywords.has(text);
}

/** The type that a specifier names. */
export function lowerTypeSpecifier(node: RawNode): TypeSpecifier {
  const span = spanOf(node);
  switch (node.type) {
    case "primitive_type":
      if (!keywords.has(node.text)) return { kind: "named", span, name: lowerName(node, span), isDependent: false };
      return { kind: "primitive", span, words: [node.text] };
    case "sized_type_specifier":
      return lowerSizedType(node);
    case "type_identifier":
    case "identifier":
    case "qualified_identifier":
    case "template_type":
      return { kind: "named", span, name: lowerName(node, span), isDependent: false };
    case "dependent_type": {
      const inner = node.children.find((child) => child.isNamed);
      if (inner === undefined) return { kind: "unknown", span };
      return { kind: "named", span, name: lowerName(inner), isDependent: true };
    }
    case "struct_specifier":
    case "class_specifier":
    case "union_specifier":
      return lowerRecord(node);
    case "enum_specifier":
      return lowerEnum(node);
    case "placeholder_type_specifier":
    case "auto":
      return { kind: "auto", span };
    case "decltype":
      return lowerDecltype(node);
    case "atomic_type": {
      const type = childOf(node, "type_descriptor");
      return type === undefined ? { kind: "unknown", span } : { kind: "atomic", span, type: lowerTypeId(type) };
    }
    default:
      return { kind: "unknown", span };
  }
}

function lowerSizedType(node: RawNode): TypeSpecifier {
  const words: string[] = [];
  for (const child of node.children) {
    if (child.type === "type_qualifier") continue;
    if (child.isNamed && !keywords.has(child.text)) return { kind: "unknown", span: spanOf(node) };
    words.push(child.text === "__signed__" ? "signed" : child.text);
  }
  return { kind: "primitive", span: spanOf(node), words };
}

function lowerDecltype(node: RawNode): TypeSpecifier {
  const inner = node.children.find((child) => child.isNamed);
  const span = spanOf(node);
  if (inner === undefined) return { kind: "unknown", span };
  if (leafText(inner) === "auto") return { kind: "auto", span, isDecltype: true };
  const expression = inner.type === "type_descriptor" ? lowerTypeId(inner) : lowerExpression(inner);
  return { kind: "decltype", span, expression, ...(node.children[0]?.text === "typeof" ? { isTypeof: true } : {}) };
}

function lowerRecord(node: RawNode): RecordSpecifier {
  const collector = new WordCollector();
  let isFinal = false;
  for (const child of node.children) {
    if (child.type === "virtual_specifier") isFinal ||= child.children[0]?.type === "final" || child.text === "final";
    else collector.take(child);
  }
  const key = node.type === "class_specifier" ? "class" : node.type === "union_specifier" ? "union" : "struct";
  const name = fieldOf(node, "name");
  const body = fieldOf(node, "body");
  const bases = childOf(node, "base_class_clause")?.children ?? [];
  return {
    kind: "record",
    span: spanOf(node),
    key,
    name: name === undefined ? undefined : lowerName(name),
    words: collector.words,
    attributes: [...collector.attributes, ...node.children.filter(({ type }) => type === unknownWords).map(unknownAlignment)],
    bases: bases.filter((child) => baseTypes.has(child.type)).map((name) => lowerName(name)),
    ...(bases.some(({ type }) => type === "virtual") ? { hasVirtualBase: true } : {}),
    isFinal,
    body: body === undefined ? undefined : { members: lowerItems(body) },
  };
}

/** An undefined macro in the head of a class may change the layout, and nothing else of its meaning. */
function unknownAlignment(node: RawNode): Attribute {
  return { name: "aligned", span: spanOf(node), arguments: [unknownExpression(node)] };
}

const baseTypes: ReadonlySet<string> = new Set(["type_identifier", "template_type", "qualified_identifier", "primitive_type"]);

function lowerEnum(node: RawNode): EnumSpecifier {
  const name = fieldOf(node, "name");
  const base = fieldOf(node, "base");
  const body = fieldOf(node, "body");
  const collector = new WordCollector();
  for (const child of node.children) if (child.field === "") collector.take(child);
  return {
    kind: "enum",
    span: spanOf(node),
    isScoped: hasToken(node, "class") || hasToken(node, "struct"),
    words: collector.words,
    name: name === undefined ? undefined : lowerName(name),
    underlying:
      base === undefined
        ? undefined
        : {
            kind: "type-id",
            span: spanOf(base),
            specifiers: { ...noSpecifiers(spanOf(base)), type: lowerTypeSpecifier(base) },
            declarator: { kind: "abstract", span: { start: base.end, end: base.end } },
          },
    enumerators: body?.children.filter((child) => child.type === "enumerator").map(lowerEnumerator),
  };
}

function lowerEnumerator(node: RawNode): { readonly name: string; readonly span: ViewSpan; readonly value: Expression | undefined } {
  const value = fieldOf(node, "value");
  return {
    name: fieldOf(node, "name")?.text ?? "",
    span: spanOf(node),
    value: value === undefined ? undefined : lowerExpression(value),
  };
}

// ---------------------------------------------------------------- attributes

const alignments: ReadonlySet<string> = new Set(["alignas", "_Alignas", "align"]);

/** `__name__` and `name` are one attribute. */
function attributeName(text: string): string {
  const bare = text.replace(/^__(.+?)__$/, "$1").replace(/^__/, "");
  return alignments.has(bare) ? "aligned" : bare;
}

/** The attributes in one `__attribute__((…))`, `[[…]]`, `alignas(…)`, `__launch_bounds__(…)` or `__declspec(…)`. */
function lowerAttributes(node: RawNode): readonly Attribute[] {
  switch (node.type) {
    case "attribute_specifier":
    case "ms_declspec_modifier":
    case "attribute_declaration":
      return node.children.filter((child) => child.isNamed).map(lowerNamedAttribute);
    default: {
      const space = node.type === "alignas_qualifier" ? spaceAttributeIn(node) : undefined;
      if (space !== undefined) return [space];
      const list = childOf(node, "argument_list");
      return [
        {
          name: attributeName(node.children[0]?.text ?? node.text),
          span: spanOf(node),
          ...lowerAttributeArguments(list === undefined ? node : list),
        },
      ];
    }
  }
}

/** `alignas(address_space(3))`, the rewritten form of an attribute (`type-attributes.ts`). */
function spaceAttributeIn(node: RawNode): Attribute | undefined {
  const inner = node.children.find((child) => child.isNamed);
  const name = inner?.type === "call_expression" ? fieldOf(inner, "function") : inner;
  if (inner === undefined || name?.type !== "identifier" || !isSpaceAttribute(name.text)) return undefined;
  const list = fieldOf(inner, "arguments");
  return { name: attributeName(name.text), span: spanOf(node), ...lowerAttributeArguments(list) };
}

function lowerNamedAttribute(node: RawNode): Attribute {
  const head = fieldOf(node, "name");
  const list = fieldOf(node, "arguments") ?? childOf(node, "argument_list");
  return {
    name: attributeName(leafText(head ?? node)),
    span: spanOf(node),
    ...lowerAttributeArguments(list),
  };
}

/**
 * Lowers the arguments of an attribute. A type cannot be stored as an expression, so it becomes an unknown one, which keeps the
 * number of arguments right.
 */
function lowerAttributeArguments(list: RawNode | undefined): Pick<Attribute, "arguments" | "type"> {
  const result: Expression[] = [];
  let type: TypeId | undefined;
  for (const child of list?.children ?? []) {
    if (expressionTypes.has(child.type)) result.push(lowerExpression(child));
    else if (child.isNamed) result.push({ kind: "unknown", span: spanOf(child), operands: [] });
    if (child.type === "type_descriptor") type ??= lowerTypeId(child);
  }
  return { arguments: result, ...(type === undefined ? {} : { type }) };
}
