/**
 * Gives the second reading of code that is ambiguous in C++ without names. Lowering always chooses the first reading; callers that
 * know the names ask here for the second.
 */
import type { ViewSpan } from "../../source.ts";
import type { DeclarationItem, Declarator, Expression, InitDeclarator, Initializer, Name, Parameter, Specifiers, TypeId } from "../ast.ts";
import { commaParts, lastPart } from "../walk.ts";

type Binary = Extract<Expression, { kind: "binary" }>;

/** The plain name in parentheses on the left of `(N) - x`, `(N) + x`, `(N) * x`, `(N) & x`, which may be a type. */
export function castNameOf(expression: Expression): Name | undefined {
  if (expression.kind !== "binary" || !["-", "+", "*", "&"].includes(expression.operator)) return undefined;
  return innermostName(expression.left);
}

/** The name in `(N)`, and in `(T)(N)`, which is first read as a cast of N. */
function innermostName(left: Expression): Name | undefined {
  if (left.kind === "cast") return innermostName(left.operand);
  return left.kind === "parenthesized" && left.inner.kind === "name" ? left.inner.name : undefined;
}

/**
 * `(N) - x` read as the cast of `-x`, or undefined if that is impossible. The cast binds tighter than operators on the right:
 * `(N) - x * y` becomes `((N) -x) * y`.
 */
export function asCast(expression: Expression): Expression | undefined {
  const name = castNameOf(expression);
  if (name === undefined || expression.kind !== "binary") return undefined;
  return castLeftmost(expression, name, expression.right);
}

function castLeftmost(binary: Binary, name: Name, right: Expression): Expression {
  if (right.kind === "binary") {
    return { ...right, span: { start: binary.span.start, end: right.span.end }, left: castLeftmost(binary, name, right.left) };
  }
  // The tree does not keep the offset of an operator, so the white space before the operator is counted with the operand.
  const span = { start: binary.left.span.end, end: right.span.end };
  return castsAround(binary.left, name, { kind: "unary", span, operator: binary.operator, operand: right });
}

/** The casts before the operand, the innermost of which is the one to N. */
function castsAround(left: Expression, name: Name, operand: Expression): Expression {
  const span = { start: left.span.start, end: operand.span.end };
  if (left.kind === "cast") return { ...left, span, operand: castsAround(left.operand, name, operand) };
  return { kind: "cast", span, type: typeIdOfName(name), operand };
}

/**
 * `a.f<3>(x)`, which the grammar reads as two comparisons, read as the call of a member template; undefined if it cannot be one.
 * The member's name decides which it is (C++17 §6.4.5p1).
 */
export function asMemberCall(expression: Expression): Extract<Expression, { kind: "call" }> | undefined {
  if (expression.kind !== "binary" || expression.operator !== ">" || expression.right.kind !== "parenthesized") return undefined;
  const { left, right, span } = expression;
  if (left.kind !== "binary" || left.operator !== "<" || left.left.kind !== "member") return undefined;
  const member = left.left;
  const part = member.name.parts[0];
  if (part === undefined || member.name.parts.length > 1 || part.templateArguments !== undefined) return undefined;
  const argument = left.right.kind === "name" ? typeIdOfName(left.right.name) : left.right;
  const name: Name = { ...member.name, parts: [{ ...part, templateArguments: [argument] }] };
  return {
    kind: "call",
    span,
    function: { ...member, name, span: { start: member.span.start, end: left.span.end } },
    arguments: commaParts(right.inner),
  };
}

/** A name as a type. */
export function typeIdOfName(name: Name): TypeId {
  const { span } = name;
  const specifiers: Specifiers = { span, words: [], attributes: [], type: { kind: "named", span, name, isDependent: false } };
  return { kind: "type-id", span, specifiers, declarator: abstractAt(span.end) };
}

function abstractAt(at: number): Declarator {
  return { kind: "abstract", span: { start: at, end: at } };
}

// ---------------------------------------------------------------- direct initializers

/**
 * In a block, `T a(b, c * d);` initializes `a`: declarations of functions are so rare there that the standard's reading is never
 * preferable. Undefined if a parameter cannot be an expression, and for `T a();`.
 */
export function asInitialized(declared: InitDeclarator): InitDeclarator | undefined {
  const { declarator } = declared;
  if (declarator.kind !== "function" || declared.initializer !== undefined || declarator.inner.kind !== "name") return undefined;
  if (declarator.parameters.length === 0 || declarator.isVariadic || declarator.trailingReturn !== undefined) return undefined;
  if (declarator.words.length > 0 || declarator.attributes.length > 0) return undefined;
  const values: Expression[] = [];
  for (const parameter of declarator.parameters) {
    const value = asExpression(parameter);
    if (value === undefined) return undefined;
    values.push(value);
  }
  const initializer = { kind: "direct", span: declarator.parameterSpan, arguments: values } as const;
  return { span: declared.span, declarator: declarator.inner, initializer };
}

/** `scale<int> = 2;` assigns to a variable of a template; the parser takes it for a declaration without a name. */
export function asTemplateAssignment({ specifiers, declarators, span }: DeclarationItem): Expression | undefined {
  const [declared, ...others] = declarators;
  const { type, words } = specifiers;
  if (declared === undefined || others.length > 0 || type?.kind !== "named" || words.length > 0) return undefined;
  const { declarator, initializer } = declared;
  const { name } = type;
  if (lastPart(name)?.templateArguments === undefined || initializer?.kind !== "value") return undefined;
  const isNameless = declarator.kind === "abstract" || (declarator.kind === "name" && declarator.span.start === declarator.span.end);
  if (!isNameless) return undefined;
  return { kind: "assignment", operator: "=", left: { kind: "name", span: name.span, name }, right: initializer.value, span };
}

function asExpression(parameter: Parameter): Expression | undefined {
  const { specifiers, declarator, defaultValue, span } = parameter;
  if (specifiers.words.length > 0 || specifiers.attributes.length > 0) return undefined;
  if (specifiers.type?.kind !== "named" || specifiers.type.isDependent) return undefined;
  const { name } = specifiers.type;
  const read = applyDeclarator({ kind: "name", span: name.span, name }, declarator, span);
  if (defaultValue === undefined || read === undefined) return read;
  // What has a default value is assigned to; a product cannot be.
  if (read.kind === "binary") return undefined;
  return {
    kind: "assignment",
    operator: "=",
    left: { ...read, span: { start: span.start, end: name.span.end } },
    right: defaultValue,
    span,
  };
}

/** `b *c` is a product, `b &c` a bitwise and, `b[3]` and `b[3][4]` an element. */
function applyDeclarator(left: Expression, declarator: Declarator, span: ViewSpan): Expression | undefined {
  switch (declarator.kind) {
    case "abstract":
      return left;
    case "pointer":
    case "reference": {
      if (declarator.inner.kind !== "name" || (declarator.kind === "pointer" && declarator.words.length > 0)) return undefined;
      const operator = declarator.kind === "pointer" ? "*" : declarator.isRvalue ? "&&" : "&";
      const { name } = declarator.inner;
      return { kind: "binary", span, operator, left, right: { kind: "name", span: name.span, name } };
    }
    case "array":
      if ((declarator.inner.kind !== "abstract" && declarator.inner.kind !== "array") || declarator.size === undefined) return undefined;
      return subscripted(applyDeclarator(left, declarator.inner, span), declarator.size, span);
    default:
      return undefined;
  }
}

function subscripted(object: Expression | undefined, index: Expression, span: ViewSpan): Expression | undefined {
  return object === undefined ? undefined : { kind: "subscript", span, object, indices: [index] };
}

/**
 * `int (*p)[4] = a;` and `int (&r)[4] = a;` read as declarations, which they are whenever possible (C++17 §9.8p1); the grammar
 * reads them as elements of `int(…)`.
 */
export function asArrayDeclaration(expression: Expression): DeclarationItem | undefined {
  const { span } = expression;
  const isAssigned = expression.kind === "assignment" && expression.operator === "=";
  const read = readArray(isAssigned ? expression.left : expression);
  if (read === undefined) return undefined;
  const initializer: Initializer | undefined = isAssigned
    ? { kind: "value", span: expression.right.span, value: expression.right }
    : undefined;
  return {
    kind: "declaration",
    span,
    specifiers: read.specifiers,
    declarators: [{ span: { start: read.declarator.span.start, end: span.end }, declarator: read.declarator, initializer }],
  };
}

function readArray(e: Expression): { readonly specifiers: Specifiers; readonly declarator: Declarator } | undefined {
  if (e.kind !== "subscript" || e.indices.length !== 1) return undefined;
  const inner = e.object.kind === "construct" ? readPointer(e.object) : readArray(e.object);
  if (inner === undefined) return undefined;
  const { specifiers, declarator } = inner;
  return {
    specifiers,
    declarator: {
      kind: "array",
      span: { start: declarator.span.start, end: e.span.end },
      words: [],
      size: e.indices[0],
      inner: declarator,
    },
  };
}

/** `int(*p)` and `int(&r)`. */
function readPointer({
  type: { specifiers, declarator },
  arguments: values,
}: Extract<Expression, { kind: "construct" }>): ReturnType<typeof readArray> {
  const [value] = values;
  if (
    specifiers.type?.kind !== "primitive" ||
    declarator.kind !== "abstract" ||
    values.length !== 1 ||
    value?.kind !== "unary" ||
    value.operand.kind !== "name"
  )
    return undefined;
  const { span, operator, operand } = value;
  const inner: Declarator = { kind: "name", name: operand.name, span: operand.span };
  if (operator === "&") return { specifiers, declarator: { kind: "reference", isRvalue: false, inner, span } };
  return operator === "*" ? { specifiers, declarator: { kind: "pointer", words: [], attributes: [], inner, span } } : undefined;
}

const namedCasts: ReadonlySet<string> = new Set(["static_cast", "const_cast", "reinterpret_cast", "dynamic_cast", "addrspace_cast"]);

/** `static_cast<T>(e)` or another named cast, whose name and arguments have been read as those of a call. */
export function asNamedCast(name: Name, [operand, ...others]: readonly Expression[], span: ViewSpan): Expression | undefined {
  const [part, ...more] = name.parts;
  const type = part?.templateArguments?.[0];
  if (part === undefined || more.length > 0 || !namedCasts.has(part.text) || type?.kind !== "type-id") return undefined;
  return operand === undefined || others.length > 0 ? undefined : { kind: "named-cast", span, cast: part.text, type, operand };
}
