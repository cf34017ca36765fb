/**
 * Decides properties of a variable's declaration other than its type: whether other files or earlier declarations refer to the same
 * variable, the kind of its scope, and the array length that its initializer gives.
 */
import { memo } from "../../memo.ts";
import type { Unit } from "../../preprocess/view/view.ts";
import type { Expression, InitDeclarator, Initializer, Parameter } from "../../syntax/ast.ts";
import { asNamedCast } from "../../syntax/lowering/readings.ts";
import { hasWord, stringIn } from "../../syntax/walk.ts";
import type { Context } from "../facts/context.ts";
import { enclosingNamespace, functionsOf, isNamespace, lookup, lookupIn, type Scope } from "../symbols/scope.ts";
import type { SpecifierWord, VariableSymbol } from "../types/symbols.ts";
import type { Type } from "../types/types.ts";
import type { Declared } from "./declarators.ts";
import { resolveName, typeOfName } from "./name-resolution.ts";

/**
 * The type with its array length: `T a[] = { … }` has as many elements as its initializer (C11 §6.7.9p22). The length is unknown
 * with designators or omitted braces.
 */
export function completed(type: Type, { initializer }: InitDeclarator): Type {
  if (type.kind !== "array" || type.extent !== "absent" || initializer?.kind !== "value") return type;
  const value = (type.element.kind === "arithmetic" ? stringIn(initializer.value) : undefined) ?? initializer.value;
  const length =
    value.kind === "string" ? lengthOfString(value.text) : value.kind === "list" ? lengthOfList(type.element, value) : undefined;
  return length === undefined ? type : { ...type, length, extent: "fixed" };
}

function lengthOfList(element: Type, { elements }: Extract<Expression, { kind: "list" }>): number | undefined {
  const isScalar = element.kind === "arithmetic" || element.kind === "pointer" || element.kind === "enum" || element.kind === "vector";
  const isBraced = elements.every(({ value }) => value.kind === "list");
  return elements.every(({ designators }) => designators.length === 0) && (isScalar || isBraced) ? elements.length : undefined;
}

/** The number of characters including the terminating zero; undefined for a text with escapes. */
function lengthOfString(text: string): number | undefined {
  const body = /^"([^"\\]*)"$/.exec(text)?.[1];
  return body === undefined ? undefined : body.length + 1;
}

/** True for internal linkage (C++17 §6.5p3). */
export function isInternal(scope: Scope, type: Type, words: readonly SpecifierWord[]): boolean {
  if (!isNamespace(scope)) return false;
  const has = (...some: readonly string[]) => hasWord(words, ...some);
  const base = type.kind === "array" ? type.element : type;
  return scope.isInternal || has("static") || ((base.qualifiers.const || has("constexpr")) && !has("extern", "inline"));
}

/** The earlier declaration of the same variable. An `extern` declaration in a block refers to the program's variable. */
export function previousOf(target: Scope | undefined, name: string, isExtern: boolean): { readonly previous?: VariableSymbol } {
  if (target === undefined || name === "") return {};
  const isBlock = target.kind === "block" || target.kind === "function";
  if (isBlock && !isExtern) return {};
  const found = isBlock ? lookup(target, name) : lookupIn(target, name);
  const visible = found.find((symbol): symbol is VariableSymbol => symbol.kind === "variable");
  const previous = visible ?? (target.kind === "record" ? undefined : externBefore(target, name));
  // A member of a base class is a different variable.
  const isOther = previous === undefined || (target.record === undefined ? previous.isDependent : previous.record !== target.record);
  return isOther ? {} : { previous };
}

/** An `extern` declaration in a block, and the time of the item that contains it. */
interface Extern {
  readonly variable: VariableSymbol;
  readonly time: number;
}

/** `extern` declarations in blocks: members of the enclosing namespace that only the block can name (C++17 §6.5p6). */
const externsIn = memo((_namespace: Scope) => new Map<string, Extern[]>());

function externsOf(scope: Scope): Map<string, Extern[]> {
  return externsIn(enclosingNamespace(scope));
}

/** The last `extern` declaration of a name in a block before this place. Bodies may be walked again, so the order of the walks does not tell. */
function externBefore(scope: Scope, name: string): VariableSymbol | undefined {
  const { now } = scope.clock;
  let last: Extern | undefined;
  for (const each of externsOf(scope).get(name) ?? []) if (each.time <= now && (last === undefined || each.time >= last.time)) last = each;
  return last?.variable;
}

/** Adds an `extern` declaration in a block, which later declarations of the same name in the namespace refer to. */
export function enterExtern(scope: Scope, variable: VariableSymbol): void {
  const known = externsOf(scope);
  known.set(variable.name, [...(known.get(variable.name) ?? []), { variable, time: scope.clock.now }]);
}

/**
 * Removes the `extern` declarations in the blocks of a unit, and returns the names of those in other units that are in the same
 * namespace.
 */
export function leaveExterns(scope: Scope, unit: Unit): readonly string[] {
  const known = externsOf(scope);
  for (const [name, externs] of known) {
    const others = externs.filter(({ variable }) => variable.place.unit !== unit);
    if (others.length > 0) known.set(name, others);
    else known.delete(name);
  }
  return [...known.keys()];
}

/** The kind of variable that is declared in a scope. */
export function variableScope(scope: Scope, isStatic: boolean): VariableSymbol["scope"] {
  if (scope.kind === "record") return isStatic ? "static-member" : "member";
  return isNamespace(scope) ? "program" : "block";
}

/** True if `T a(b);` declares a variable because `b` is a variable or a function (C++17 §9.8). */
export function isReallyVariable(context: Context, declared: Declared): boolean {
  const { kind } = context.scope;
  if (kind === "record") return false;
  const isBlock = kind === "block" || kind === "function";
  return (declared.function?.parameters ?? []).some((parameter) => {
    const value = argumentOf(parameter);
    if (value?.kind === "nullptr" || value?.kind === "named-cast") return true;
    // If b were a type, the argument of `T a(b());` would be a parameter of function type (C++17 §11.2p1).
    if (value?.kind === "call") return value.function.kind === "name" && functionsOf(resolveName(context, value.function.name)).length > 0;
    if (value?.kind === "subscript")
      return value.object.kind === "name" && resolveName(context, value.object.name).some((symbol) => symbol.kind === "variable");
    if (value?.kind !== "name") return false;
    const { name } = value;
    // Outside of functions most such declarations are functions, with types that may be unknown.
    return (
      typeOfName(context, name) === undefined &&
      (isBlock || resolveName(context, name).some(({ kind }) => kind === "variable" || kind === "enumerator" || kind === "function"))
    );
  });
}

/** The arguments of `T a(b, c());` that were parsed as the parameters of a function, if all of them are names, calls or named casts. */
export function argumentsOf(declared: Declared): Initializer | undefined {
  const written = declared.function;
  if (written === undefined) return undefined;
  const values = valuesOf(written.parameters);
  return values === undefined ? undefined : { kind: "direct", arguments: values, span: written.parameterSpan };
}

/** An unnamed parameter read as a value: a name, `nullptr`, a subscript expression, a call of a name with such arguments, or a named cast. */
function argumentOf({ specifiers: { type, words }, declarator }: Parameter): Expression | undefined {
  if (type?.kind !== "named" || words.length > 0) return undefined;
  const { name } = type;
  const { span } = name;
  if (declarator.kind === "abstract")
    return name.parts.length === 1 && name.parts[0]?.text === "nullptr" ? { kind: "nullptr", span } : { kind: "name", name, span };
  if (declarator.kind === "array" && declarator.inner.kind === "abstract" && declarator.size !== undefined)
    return {
      kind: "subscript",
      object: { kind: "name", name, span },
      indices: [declarator.size],
      span: { start: span.start, end: declarator.span.end },
    };
  if (declarator.kind !== "function" || declarator.inner.kind !== "abstract") return undefined;
  const values = valuesOf(declarator.parameters);
  if (values === undefined) return undefined;
  const whole = { start: span.start, end: declarator.span.end };
  return asNamedCast(name, values, whole) ?? { kind: "call", function: { kind: "name", name, span }, arguments: values, span: whole };
}

function valuesOf(parameters: readonly Parameter[]): readonly Expression[] | undefined {
  const values = parameters.flatMap((parameter) => argumentOf(parameter) ?? []);
  return values.length === parameters.length ? values : undefined;
}

/** The type of `T *a(b);` as a variable: what was parsed as the function's return type. */
export function objectType(type: Type, base: Type): Type {
  return type.kind === "function" && (type.result.kind === "pointer" || type.result.kind === "reference") ? type.result : base;
}
