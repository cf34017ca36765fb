/**
 * Prints lowered syntax in a compact notation, so that a test can state its expectation in one line: operators are in parentheses,
 * and each construct starts with its kind. The syntax tests get the parser from here, too.
 */
import type {
  Attribute,
  Declarator,
  Expression,
  Item,
  Name,
  Parameter,
  Specifiers,
  Statement,
  TemplateArgument,
  TemplateParameter,
  TypeId,
  TypeSpecifier,
  Word,
} from "../../../server/src/syntax/ast.ts";
import { testParser } from "../../service.ts";

export const parser = await testParser();

/** The items of a text, separated by `; `. */
export function items(text: string): string {
  const parsed = parser.parse(text);
  parsed.dispose();
  return parsed.tree.items.map(showItem).join("; ");
}

/** The statements of a function's body. */
export function statements(text: string): string {
  const parsed = parser.parse(`void f() { ${text} }`);
  parsed.dispose();
  const item = parsed.tree.items[0];
  return item?.kind === "function" && item.body !== undefined ? item.body.statements.map(showStatement).join("; ") : "?";
}

/** A single expression. */
export function expression(text: string): string {
  return statements(`x = ${text};`).replace(/^\(x = (.*)\)$/, "$1");
}

const list = <T>(values: readonly T[], show: (value: T) => string): string => values.map(show).join(", ");
const words = (all: readonly Word[]): readonly string[] => all.map((word) => word.text);
const join_ = (...parts: readonly (string | undefined)[]): string => parts.filter((part) => part !== undefined && part !== "").join(" ");

function showName(name: Name): string {
  const parts = name.parts.map((part) =>
    part.templateArguments === undefined ? part.text : `${part.text}<${list(part.templateArguments, showTemplateArgument)}>`,
  );
  return (name.isGlobal ? "::" : "") + parts.join("::");
}

function showTemplateArgument(argument: TemplateArgument): string {
  return argument.kind === "type-id" ? showTypeId(argument) : `value ${showExpression(argument)}`;
}

function showAttribute(attribute: Attribute): string {
  return attribute.arguments.length === 0 ? `@${attribute.name}` : `@${attribute.name}(${list(attribute.arguments, showExpression)})`;
}

function showSpecifiers({ words: all, attributes, type }: Specifiers): string {
  return join_(...words(all), ...attributes.map(showAttribute), type === undefined ? undefined : showType(type));
}

function showType(type: TypeSpecifier): string {
  switch (type.kind) {
    case "primitive":
      return type.words.join("-");
    case "named":
      return type.isDependent ? `typename ${showName(type.name)}` : showName(type.name);
    case "record": {
      const head = join_(
        type.key,
        ...type.attributes.map(showAttribute),
        type.name === undefined ? undefined : showName(type.name),
        type.isFinal ? "final" : "",
      );
      const bases = type.bases.length === 0 ? "" : ` : ${list(type.bases, showName)}`;
      return head + bases + (type.body === undefined ? "" : ` { ${type.body.members.map(showItem).join("; ")} }`);
    }
    case "enum": {
      const head = join_(type.isScoped ? "enum class" : "enum", type.name === undefined ? undefined : showName(type.name));
      const base = type.underlying === undefined ? "" : ` : ${showTypeId(type.underlying)}`;
      const values = type.enumerators?.map(({ name, value }) => (value === undefined ? name : `${name} = ${showExpression(value)}`));
      return head + base + (values === undefined ? "" : ` { ${values.join(", ")} }`);
    }
    case "auto":
      return "auto";
    case "decltype":
      return `decltype(${type.expression.kind === "type-id" ? showTypeId(type.expression) : showExpression(type.expression)})`;
    case "atomic":
      return `atomic(${showTypeId(type.type)})`;
    case "unknown":
      return "unknown-type";
  }
}

function showTypeId(type: TypeId): string {
  return join_(showSpecifiers(type.specifiers), showDeclarator(type.declarator));
}

/** The declarator from the outside in; an abstract declarator gives an empty text. */
function showDeclarator(declarator: Declarator): string {
  switch (declarator.kind) {
    case "name":
      return showName(declarator.name);
    case "abstract":
      return "";
    case "pointer":
      return join_("*", ...words(declarator.words), ...declarator.attributes.map(showAttribute), showDeclarator(declarator.inner));
    case "block-pointer":
      return join_("^", ...words(declarator.words), showDeclarator(declarator.inner));
    case "reference":
      return join_(declarator.isRvalue ? "&&" : "&", showDeclarator(declarator.inner));
    case "member-pointer":
      return join_("::*", showDeclarator(declarator.inner));
    case "array": {
      const size = join_(...words(declarator.words), declarator.size === undefined ? undefined : showExpression(declarator.size));
      return join_(`[${size}]`, showDeclarator(declarator.inner));
    }
    case "function": {
      const parameters = [...declarator.parameters.map(showParameter), ...(declarator.isVariadic ? ["..."] : [])].join(", ");
      const result = declarator.trailingReturn === undefined ? undefined : `-> ${showTypeId(declarator.trailingReturn)}`;
      return join_(
        `(${parameters})`,
        ...words(declarator.words),
        ...declarator.attributes.map(showAttribute),
        result,
        showDeclarator(declarator.inner),
      );
    }
    case "structured-binding":
      return `binding ${declarator.names.map(({ text }) => text).join(" ")}`;
    case "pack":
      return join_("...", showDeclarator(declarator.inner));
    case "qualified":
      return join_("post", ...words(declarator.words), ...declarator.attributes.map(showAttribute), showDeclarator(declarator.inner));
  }
}

function showParameter({ specifiers, declarator, defaultValue }: Parameter): string {
  const value = defaultValue === undefined ? undefined : `= ${showExpression(defaultValue)}`;
  return join_(showSpecifiers(specifiers), showDeclarator(declarator), value);
}

function showTemplateParameter(parameter: TemplateParameter): string {
  const value = parameter.defaultArgument === undefined ? undefined : `= ${showTemplateArgument(parameter.defaultArgument)}`;
  const kind = parameter.parameter === undefined ? parameter.kind : showSpecifiers(parameter.parameter.specifiers);
  return join_(kind, parameter.isPack ? "..." : undefined, parameter.name, value);
}

function showItem(item: Item): string {
  switch (item.kind) {
    case "declaration": {
      const declared = item.declarators.map(({ declarator, initializer, bitWidth }) => {
        const width = bitWidth === undefined ? undefined : `: ${showExpression(bitWidth)}`;
        if (initializer === undefined) return join_(showDeclarator(declarator), width);
        if (initializer.kind === "value") return join_(showDeclarator(declarator), width, `= ${showExpression(initializer.value)}`);
        const value = initializer.kind === "direct" ? `(${list(initializer.arguments, showExpression)})` : `= ${initializer.kind}`;
        return join_(showDeclarator(declarator), width, value);
      });
      return join_("declare", showSpecifiers(item.specifiers), declared.length === 0 ? undefined : `| ${declared.join(" | ")}`);
    }
    case "deferred":
      return item.read().map(showItem).join("; ");
    case "function": {
      const initializers = item.memberInitializers.map((one) => `${showName(one.name)}(${list(one.arguments, showExpression)})`);
      const body = item.body === undefined ? undefined : `{ ${item.body.statements.map(showStatement).join("; ")} }`;
      const head = join_("function", showSpecifiers(item.specifiers), "|", showDeclarator(item.declarator));
      return join_(head, initializers.length === 0 ? undefined : `: ${initializers.join(", ")}`, body);
    }
    case "template":
      return `template<${list(item.parameters, showTemplateParameter)}> ${showItem(item.item)}`;
    case "instantiation": {
      const declarator = item.declarator === undefined ? undefined : `| ${showDeclarator(item.declarator)}`;
      return join_(item.isExtern ? "extern" : undefined, "instantiate", showSpecifiers(item.specifiers), declarator);
    }
    case "namespace":
      return join_(item.isInline ? "inline" : "", "namespace", item.names.join("::"), `{ ${item.items.map(showItem).join("; ")} }`);
    case "linkage":
      return `linkage ${item.language} { ${item.items.map(showItem).join("; ")} }`;
    case "using":
      return join_("using", item.isNamespace ? "namespace" : undefined, showName(item.name));
    case "namespace-alias":
      return `namespace ${item.alias} = ${showName(item.name)}`;
    case "alias":
      return `alias ${item.name} = ${showTypeId(item.type)}`;
    case "static-assert":
      return `static-assert ${showExpression(item.condition)}`;
    case "access":
      return "access";
    case "unknown":
      return `unknown { ${item.items.map(showItem).join("; ")} }`;
  }
}

function showStatement(statement: Statement): string {
  const optional = (inner: Statement | undefined): string => (inner === undefined ? "" : showStatement(inner));
  switch (statement.kind) {
    case "block":
      return `{ ${statement.statements.map(showStatement).join("; ")} }`;
    case "item":
      return showItem(statement.item);
    case "expression":
      return showExpression(statement.expression);
    case "if": {
      const head = join_(
        statement.isConstexpr ? "if constexpr" : "if",
        statement.initializer === undefined ? undefined : `${showStatement(statement.initializer)};`,
      );
      const otherwise = statement.otherwise === undefined ? undefined : `else ${showStatement(statement.otherwise)}`;
      return join_(head, `[${optional(statement.condition)}]`, showStatement(statement.then), otherwise);
    }
    case "for": {
      const update = statement.update === undefined ? "" : showExpression(statement.update);
      return `for [${optional(statement.initializer)}; ${optional(statement.condition)}; ${update}] ${showStatement(statement.body)}`;
    }
    case "range-for":
      return `for [${showItem(statement.declaration)} : ${showExpression(statement.range)}] ${showStatement(statement.body)}`;
    case "while":
    case "do":
    case "switch":
      return `${statement.kind} [${showStatement(statement.condition)}] ${showStatement(statement.body)}`;
    case "labeled":
      return join_(
        "label",
        statement.value === undefined ? undefined : showExpression(statement.value),
        `{ ${statement.body.map(showStatement).join("; ")} }`,
      );
    case "return":
      return join_("return", statement.value === undefined ? undefined : showExpression(statement.value));
    case "try":
      return `try ${showStatement(statement.body)} ${statement.handlers.map((handler) => `catch ${showStatement(handler)}`).join(" ")}`;
    case "asm":
      return `asm (${list(statement.outputs, showExpression)}) (${list(statement.inputs, showExpression)})`;
    case "jump":
    case "empty":
      return statement.kind;
    case "unknown":
      return `unknown { ${statement.statements.map(showStatement).join("; ")} }`;
  }
}

export function showExpression(e: Expression): string {
  switch (e.kind) {
    case "name":
      return showName(e.name);
    case "number":
    case "character":
    case "string":
      return e.text;
    case "boolean":
      return String(e.value);
    case "nullptr":
    case "this":
      return e.kind;
    case "unary":
      return `(${e.operator}${showExpression(e.operand)})`;
    case "update":
      return e.isPrefix ? `(${e.operator}${showExpression(e.operand)})` : `(${showExpression(e.operand)}${e.operator})`;
    case "binary":
    case "assignment":
      return `(${showExpression(e.left)} ${e.operator} ${showExpression(e.right)})`;
    case "conditional":
      return `(${showExpression(e.condition)} ? ${e.then === undefined ? "" : showExpression(e.then)} : ${showExpression(e.otherwise)})`;
    case "comma":
      return `(${showExpression(e.left)} , ${showExpression(e.right)})`;
    case "parenthesized":
      return `paren${/^\(.*\)$/.test(showExpression(e.inner)) ? showExpression(e.inner) : `(${showExpression(e.inner)})`}`;
    case "call": {
      const launch = e.launch === undefined ? "" : `<<<${list(e.launch, showExpression)}>>>`;
      return `${showExpression(e.function)}${launch}(${list(e.arguments, showExpression)})`;
    }
    case "subscript":
      return `${showExpression(e.object)}[${list(e.indices, showExpression)}]`;
    case "member":
      return `${showExpression(e.object)}${e.isArrow ? "->" : "."}${showName(e.name)}`;
    case "cast":
      return `cast(${showTypeId(e.type)}, ${showExpression(e.operand)})`;
    case "named-cast":
      return `${e.cast}(${showTypeId(e.type)}, ${showExpression(e.operand)})`;
    case "bit-cast":
      return `${e.kind}(${showTypeId(e.type)}, ${showExpression(e.operand)})`;
    case "compound-literal":
      return `literal(${showTypeId(e.type)}, ${showExpression(e.value)})`;
    case "construct":
      return `construct(${showTypeId(e.type)}; ${list(e.arguments, showExpression)})`;
    case "list":
      return `{${list(e.elements, ({ designators, value }) =>
        designators.length === 0
          ? showExpression(value)
          : `${designators.map((one) => (typeof one === "string" ? `.${one}` : `[${showExpression(one)}]`)).join("")} = ${showExpression(value)}`,
      )}}`;
    case "sizeof":
    case "alignof":
    case "typeid":
      return `${e.kind}(${e.operand.kind === "type-id" ? `type ${showTypeId(e.operand)}` : showExpression(e.operand)})`;
    case "noexcept":
    case "requires":
      return `${e.kind}(${list(e.operands, showExpression)})`;
    case "new":
      return `new(${join_(...words(e.words), showTypeId(e.type))}; ${list(e.placement, showExpression)}; ${list(e.arguments, showExpression)})`;
    case "delete":
      return `delete(${showExpression(e.operand)})`;
    case "lambda": {
      const captures = [
        ...(e.captureDefault === undefined ? [] : [e.captureDefault]),
        ...e.captures.map(({ name, isReference, initializer }) =>
          join_(`${isReference ? "&" : ""}${name}`, initializer === undefined ? undefined : `= ${showExpression(initializer)}`),
        ),
      ];
      const template = e.templateParameters.length === 0 ? "" : `<${list(e.templateParameters, showTemplateParameter)}>`;
      const result = e.trailingReturn === undefined ? undefined : `-> ${showTypeId(e.trailingReturn)}`;
      return join_(
        `lambda[${captures.join(", ")}]${template}(${list(e.parameters, showParameter)})`,
        ...words(e.words),
        ...e.attributes.map(showAttribute),
        result,
        showStatement(e.body),
      );
    }
    case "block-literal":
      return `^(${list(e.parameters, showParameter)}) ${showStatement(e.body)}`;
    case "statement-expression":
      return `(${showStatement(e.body)})`;
    case "pack-expansion":
      return `${showExpression(e.pattern)}...`;
    case "fold":
      return `fold(${e.operator}; ${list(e.operands, showExpression)})`;
    case "throw":
    case "await":
      return join_(e.kind, e.operand === undefined ? undefined : showExpression(e.operand));
    case "unknown":
      return `unknown(${list(e.operands, showExpression)})`;
  }
}
