/**
 * Finds the part of an initializer that no compiler can evaluate at compile time. In doubt it finds nothing: an unknown name, or a
 * function that only the compiler can evaluate, counts as constant. `constant-expressions.ts` computes values.
 */
import type { Expression, Initializer } from "../../syntax/ast.ts";
import { hasWord, unqualifiedName } from "../../syntax/walk.ts";
import { builtinFunctions } from "../declarations/builtin-functions.ts";
import { resolveName, typeOfName } from "../declarations/name-resolution.ts";
import type { Context } from "../facts/context.ts";
import { evaluate } from "../facts/evaluator.ts";
import { enclosingNamespace, functionsOf } from "../symbols/scope.ts";
import { consultedBody } from "../types/bodies.ts";
import { isArithmetic } from "../types/predicates.ts";
import { type FunctionSymbol, isConstexprFunction, type VariableSymbol } from "../types/symbols.ts";
import { isOpaqueToUs, type Type } from "../types/types.ts";

/** How many constants' initializers are followed, each once. Beyond this number everything counts as constant. */
const mostFollowed = 100;

/** The first part of the initializer, for a variable of this type, that is certainly not a constant expression (C11 §6.6, §6.7.9p4). */
export function runtimePart(context: Context, initializer: Initializer | undefined, type?: Type): Expression | undefined {
  const isTruth = type?.kind === "arithmetic" && type.name === "bool";
  return partOfInitializer({ context, followed: new Set(), ...(isTruth ? { asksForNull: true } : {}) }, initializer);
}

interface Search {
  readonly context: Context;
  /** Only whether a pointer is null matters. Compilers know that for the address of any object. */
  readonly asksForNull?: true;
  readonly followed: Set<VariableSymbol>;
}

function partOfInitializer(search: Search, initializer: Initializer | undefined): Expression | undefined {
  if (initializer?.kind === "value") return valuePart(search, initializer.value);
  // `S s(1, 2)` calls a constructor, which may be constexpr, so only its arguments can be judged.
  return initializer?.kind === "direct" ? firstPart(search, initializer.arguments) : undefined;
}

function firstPart(search: Search, expressions: readonly Expression[]): Expression | undefined {
  for (const expression of expressions) {
    const part = valuePart(search, expression);
    if (part !== undefined) return part;
  }
  return undefined;
}

/** The part of an expression that keeps its value from being constant. */
function valuePart(search: Search, e: Expression): Expression | undefined {
  switch (e.kind) {
    case "name":
      return namePart(search, e, "value");
    case "parenthesized":
      return valuePart(search, e.inner);
    case "unary":
      if (e.operator === "!") return valuePart({ ...search, asksForNull: true }, e.operand);
      return e.operator === "&" ? addressPart(search, e.operand) : valuePart(search, e.operand);
    case "update":
    case "assignment":
      return e;
    case "binary":
      // The right operand may never be evaluated.
      if (e.operator === "&&" || e.operator === "||") return valuePart({ ...search, asksForNull: true }, e.left);
      return firstPart(e.operator === "==" || e.operator === "!=" ? { ...search, asksForNull: true } : search, [e.left, e.right]);
    case "comma":
      // In C++ an operand that is only named is not read (C++17 §8p11); in C a comma expression is never constant.
      return firstPart(search, e.left.kind === "name" && search.context.dialect.cplusplus ? [e.right] : [e.left, e.right]);
    case "conditional": {
      const condition = valuePart({ ...search, asksForNull: true }, e.condition);
      if (condition !== undefined || e.then === undefined) return condition;
      const then = valuePart(search, e.then);
      return then === undefined || valuePart(search, e.otherwise) === undefined ? undefined : then;
    }
    case "call":
      return callPart(search, e);
    case "new":
    case "throw":
      return e;
    case "subscript":
      return isArray(search, e) ? addressPart(search, e) : objectPart(search, e);
    case "member":
      return isArray(search, e) ? addressPart(search, e) : memberPart(search, e);
    case "cast":
    case "named-cast":
      return valuePart(search, e.operand);
    case "compound-literal":
      return valuePart(search, e.value);
    case "construct":
      return firstPart(search, e.arguments);
    case "list":
      return firstPart(
        search,
        e.elements.map(({ value }) => value),
      );
    default:
      return undefined;
  }
}

/** True for a part of an object that stands for its address: a member or an element that is an array. */
function isArray({ context }: Search, e: Expression): boolean {
  return evaluate({ ...context, isEmitting: false }, e).type.kind === "array";
}

/** Like `valuePart`, for reading a part of an object: `t[i].x`. */
function objectPart(search: Search, e: Expression): Expression | undefined {
  switch (e.kind) {
    case "name":
      return namePart(search, e, "object");
    case "parenthesized":
      return objectPart(search, e.inner);
    case "subscript":
      return objectPart(search, e.object) ?? firstPart(search, e.indices);
    case "member":
      return memberPart(search, e);
    default:
      return valuePart(search, e);
  }
}

/** Like `objectPart`, for a member of an object. A static member, or an enumerator, does not depend on the object. */
function memberPart(search: Search, e: Extract<Expression, { kind: "member" }>): Expression | undefined {
  const { context } = search;
  if (!context.dialect.cplusplus) return objectPart(search, e.object);
  const { path, type } = evaluate({ ...context, isEmitting: false }, e);
  if (path?.root?.scope === "static-member") return isReadAtRuntime(search, path.root) ? e : undefined;
  return path === undefined || isOpaqueToUs(type) ? undefined : objectPart(search, e.object);
}

/**
 * Like `valuePart`, for the address of an object, which is constant if the object has static storage duration, or of an element of
 * an array, to which a pointer may lead.
 */
function addressPart(search: Search, e: Expression, of: "address" | "element" = "address"): Expression | undefined {
  switch (e.kind) {
    case "name":
      return namePart(search, e, of);
    case "parenthesized":
      return addressPart(search, e.inner, of);
    case "member":
      return e.isArrow ? valuePart(search, e.object) : addressPart(search, e.object);
    case "subscript":
      return firstPart(search, e.indices) ?? addressPart(search, e.object, "element");
    case "unary":
      return e.operator === "*" ? valuePart(search, e.operand) : undefined;
    default:
      return undefined;
  }
}

/** What is needed of a variable: its value, a part of it, its address, or the address of an element, which may be the value of a pointer. */
type Use = "value" | "object" | "address" | "element";

function namePart(search: Search, e: Extract<Expression, { kind: "name" }>, use: Use): Expression | undefined {
  const [symbol] = resolveName(search.context, e.name);
  if (symbol?.kind !== "variable" || symbol.type.kind === "unknown" || symbol.isDependent || symbol.type.kind === "reference")
    return undefined;
  const isAddress =
    use === "address" ||
    (use === "element" && symbol.type.kind !== "pointer") ||
    // An array without a subscript stands for its address.
    (use === "value" && symbol.type.kind === "array");
  const isRuntime = isAddress ? isPlacedAtRuntime(search, symbol) : isReadAtRuntime(search, symbol);
  return isRuntime ? e : undefined;
}

/**
 * True if the address of the variable is known only at run time. Shared memory belongs to a thread block, local memory to a
 * work-group, and managed memory is allocated when the program starts.
 */
function isPlacedAtRuntime({ asksForNull }: Search, variable: VariableSymbol): boolean {
  if (variable.memorySpace === "shared" || variable.memorySpace === "managed") return asksForNull !== true;
  return isAutomatic(variable) && (variable.type.qualifiers.space === "private" || variable.type.qualifiers.space === "local");
}

function isAutomatic(variable: VariableSymbol): boolean {
  if (variable.scope === "parameter") return true;
  return variable.scope === "block" && !hasWord(variable.words, "static", "extern", "constexpr");
}

/**
 * True if the value of the variable is known only at run time. Compilers know the values of constants whose initializer they have
 * seen.
 */
function isReadAtRuntime(search: Search, variable: VariableSymbol): boolean {
  const { qualifiers } = variable.type;
  if (variable.scope === "parameter") return true;
  if (variable.scope === "member") return isInBody(search.context);
  if (qualifiers.space === "constant" || hasWord(variable.words, "constexpr")) return false;
  if (!isConst(variable) || (qualifiers.volatile && search.context.dialect.language === "cuda")) return true;
  if (variable.initializer === undefined && search.context.dialect.language === "cuda" && hasWord(variable.words, "extern")) return true;
  // The definition comes later, or is in another file.
  if (variable.scope === "static-member" && search.context.dialect.language === "cuda" && !hasInitializer(variable)) return true;
  if (variable.initializer === undefined || search.followed.has(variable) || search.followed.size === mostFollowed) return false;
  search.followed.add(variable);
  return partOfInitializer(withScopeOf(search, variable), variable.initializer) !== undefined;
}

/**
 * The search in the initializer of a variable. Names in that may mean something else in this scope, such as a parameter: those of a
 * variable outside of functions are looked up there. Within one function they rarely do.
 */
function withScopeOf(search: Search, { scope }: VariableSymbol): Search {
  if (scope === "block") return search;
  return { ...search, context: { ...search.context, scope: enclosingNamespace(search.context.scope) } };
}

/** True in the body of a function, where the name of a member is that of the object that `this` points to. */
function isInBody({ within, scope, dialect }: Context): boolean {
  return dialect.language === "cuda" && within !== undefined && scope.kind === "block";
}

function hasInitializer({ initializer, previous }: VariableSymbol): boolean {
  return initializer !== undefined || (previous !== undefined && hasInitializer(previous));
}

function isConst({ type }: VariableSymbol): boolean {
  return type.qualifiers.const;
}

/**
 * The part of a call that keeps its value from being constant. C has no functions that are evaluated at compile time, except the
 * compiler's own (`__builtin_…`).
 */
function callPart(search: Search, e: Extract<Expression, { kind: "call" }>): Expression | undefined {
  const { context } = search;
  const callee = e.function.kind === "parenthesized" ? e.function.inner : e.function;
  if (callee.kind === "member") return memberCallPart(search, e, callee);
  if (callee.kind !== "name") return undefined;
  const name = unqualifiedName(callee.name);
  const symbols = resolveName(context, callee.name);
  const functions = functionsOf(symbols);
  if (functions.length > 0) {
    if (!isCalledEarly(functions)) return e;
    // The argument of a constexpr function is read before the call.
    const [only] = functions;
    const takesValues =
      functions.length === 1 && only !== undefined && !only.isBuiltin && !only.isTemplate && only.type.parameters.every(isArithmetic);
    return takesValues ? firstPart(search, e.arguments) : undefined;
  }
  const [object] = symbols;
  if (object?.kind === "variable" && object.type.kind === "record" && context.dialect.language === "cuda")
    return isCalledEarly(object.type.record.functions.filter((each) => each.name === "operator()")) ? undefined : e;
  if (symbols.length > 0 || typeOfName(context, callee.name) !== undefined) return firstPart(search, e.arguments);
  // A qualified name that is not found is not the language's own function: the library's `std::max` is constexpr.
  const isOwn = callee.name.parts.length === 1 && !name.startsWith("__builtin_");
  return isOwn && builtinFunctions(context, name).length > 0 ? e : undefined;
}

/** The non-constant part of a call of a constexpr member function: it is the object, if the function reads it. */
function memberCallPart(
  search: Search,
  e: Extract<Expression, { kind: "call" }>,
  callee: Extract<Expression, { kind: "member" }>,
): Expression | undefined {
  const functions = membersOf(search, callee);
  if (!isCalledEarly(functions)) return e;
  const [only] = functions;
  if (callee.isArrow || functions.length !== 1 || only === undefined || !readsObject(only)) return undefined;
  return objectPart(search, callee.object);
}

/** True if its body returns an expression that names a member. */
function readsObject({ declarations, record }: FunctionSymbol): boolean {
  const definition = declarations.find(({ isDefinition }) => isDefinition);
  const [statement, ...more] = definition === undefined ? [] : (consultedBody(definition)?.statements ?? []);
  if (definition === undefined || statement?.kind !== "return" || statement.value === undefined || more.length > 0) return false;
  const names = new Set((record?.members ?? []).filter(({ type }) => type.kind === "arithmetic").map(({ name }) => name));
  for (const { symbol } of definition.parameters) names.delete(symbol.name);
  const isMember = (e: Expression): boolean => e.kind === "name" && e.name.parts.length === 1 && names.has(unqualifiedName(e.name));
  const { value } = statement;
  // The right operand of `&&` may never be evaluated.
  if (value.kind !== "binary") return isMember(value);
  return isMember(value.left) || (value.operator !== "&&" && value.operator !== "||" && isMember(value.right));
}

/** True if some of the functions may be evaluated by the compiler, or if none is known. */
function isCalledEarly(functions: readonly FunctionSymbol[]): boolean {
  return functions.length === 0 || functions.some((each) => each.isBuiltin || each.isTemplate || isConstexprFunction(each));
}

/** The member functions that a call on an object may refer to. */
function membersOf({ context }: Search, callee: Extract<Expression, { kind: "member" }>): readonly FunctionSymbol[] {
  return context.dialect.language === "cuda" ? (evaluate({ ...context, isEmitting: false }, callee).functions ?? []) : [];
}
