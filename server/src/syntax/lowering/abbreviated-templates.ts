/**
 * Lowers `void f(const auto &v)`, an abbreviated function template (C++20 §9.3.4.6p18), to the template that it stands for: each
 * `auto` among the parameters becomes a parameter of the template, as in `template <class T> void f(const T &v)`. The author's
 * places stay, so that nothing else has to tell the two apart.
 */
import type { Declarator, FunctionDeclarator, Item, Name, Parameter, TemplateItem, TemplateParameter } from "../ast.ts";

/** A function whose parameters are declared with `auto`, as the template that it is; any other item unchanged. */
export function unabbreviated(item: Item): Item {
  if (item.kind === "function") {
    const { declarator, added } = withoutAuto(item.declarator);
    return added.length === 0 ? item : { kind: "template", span: item.span, parameters: added, item: { ...item, declarator } };
  }
  const [only, ...others] = item.kind === "declaration" ? item.declarators : [];
  if (item.kind !== "declaration" || only === undefined || others.length > 0) return item;
  const { declarator, added } = withoutAuto(only.declarator);
  if (added.length === 0) return item;
  return { kind: "template", span: item.span, parameters: added, item: { ...item, declarators: [{ ...only, declarator }] } };
}

/**
 * A template around an abbreviated one, `template <class T> void f(T, auto)`, which together are one template. `S<T>::f(auto)` stays a
 * template within that of its class.
 */
export function joinedTemplates(outer: TemplateItem): TemplateItem {
  const { item, parameters } = outer;
  const isAbbreviated = item.kind === "template" && item.parameters.some(({ name }) => name?.startsWith(invented) === true);
  if (!isAbbreviated || parameters.length === 0 || isOfClassTemplate(item.item)) return outer;
  return { ...outer, parameters: [...parameters, ...item.parameters], item: item.item };
}

function isOfClassTemplate(item: Item): boolean {
  const declarator = item.kind === "function" ? item.declarator : item.kind === "declaration" ? item.declarators[0]?.declarator : undefined;
  const name = declarator === undefined ? undefined : nameIn(declarator);
  return name?.parts.slice(0, -1).some(({ templateArguments }) => templateArguments !== undefined) === true;
}

function nameIn(declarator: Declarator): Name | undefined {
  if (declarator.kind === "name") return declarator.name;
  return "inner" in declarator ? nameIn(declarator.inner) : undefined;
}

/** How the invented names start: no author can write one, and clang spells them in the same way. */
const invented = "auto:";

/** The parameters of a function or a lambda with names in place of `auto`, and the parameters of the template with these names. */
export function withInventedNames(parameters: readonly Parameter[]): {
  readonly parameters: readonly Parameter[];
  readonly added: readonly TemplateParameter[];
} {
  const added: TemplateParameter[] = [];
  const named = parameters.map((parameter): Parameter => {
    const { specifiers, declarator } = parameter;
    const { type } = specifiers;
    if (type?.kind !== "auto" || type.isDecltype === true) return parameter;
    const text = `${invented}${added.length + 1}`;
    const { span } = type;
    added.push({ kind: "type", span, name: text, isPack: isPack(declarator) });
    const name = { span, parts: [{ span, text }], isGlobal: false };
    return { ...parameter, specifiers: { ...specifiers, type: { kind: "named", span, name, isDependent: false } } };
  });
  return { parameters: added.length === 0 ? parameters : named, added };
}

function withoutAuto(declarator: Declarator): { readonly declarator: Declarator; readonly added: readonly TemplateParameter[] } {
  const head = functionIn(declarator);
  if (head === undefined) return { declarator, added: [] };
  const { parameters, added } = withInventedNames(head.parameters);
  return { declarator: added.length === 0 ? declarator : replaced(declarator, head, { ...head, parameters }), added };
}

/** The declarator of the function that is declared; undefined for a variable, which may be a pointer to one. */
function functionIn(declarator: Declarator): FunctionDeclarator | undefined {
  switch (declarator.kind) {
    case "function":
      return isName(declarator.inner) ? declarator : undefined;
    case "pointer":
    case "reference":
    case "qualified":
      return functionIn(declarator.inner);
    default:
      return undefined;
  }
}

function isName(declarator: Declarator): boolean {
  return declarator.kind === "name" || (declarator.kind === "qualified" && isName(declarator.inner));
}

function replaced(declarator: Declarator, old: FunctionDeclarator, fresh: FunctionDeclarator): Declarator {
  if (declarator === old) return fresh;
  return declarator.kind === "pointer" || declarator.kind === "reference" || declarator.kind === "qualified"
    ? { ...declarator, inner: replaced(declarator.inner, old, fresh) }
    : declarator;
}

function isPack(declarator: Declarator): boolean {
  switch (declarator.kind) {
    case "pack":
      return true;
    case "pointer":
    case "reference":
    case "qualified":
      return isPack(declarator.inner);
    default:
      return false;
  }
}
