/**
 * Reads some expressions as declarations. The parser takes `T (*p)[4] = a;` for an element of a call of `T`, and `T f(U);` and
 * `T f(U (*p)[4]);` for objects with such an initializer. A statement that can be a declaration is one if `T` is a type
 * (C++17 §9.8p1, §11.2p1), so callers that know the names ask here for the declaration.
 */
import type { ViewSpan } from "../../source.ts";
import type {
  DeclarationItem,
  Declarator,
  Expression,
  FunctionDeclarator,
  InitDeclarator,
  Initializer,
  Parameter,
  Specifiers,
} from "../ast.ts";

/** `T (*p)[4]` or `T (*p)[4] = e` as a declaration, whatever `T` is; undefined if it cannot be one. */
export function asDeclaration(expression: Expression): DeclarationItem | undefined {
  const { left, value } = partsOf(expression);
  const read = readDeclarator(left);
  if (read === undefined) return undefined;
  const initializer: Initializer | undefined = value === undefined ? undefined : { kind: "value", span: value.span, value };
  const { span } = expression;
  return {
    kind: "declaration",
    span,
    specifiers: read.specifiers,
    declarators: [{ span: { start: read.declarator.span.start, end: span.end }, declarator: read.declarator, initializer }],
  };
}

/**
 * Reads `f(U)` or `f(U (*p)[4])`, which was parsed as an object with an initializer, as a function with these parameters; undefined if it
 * cannot be one.
 */
export function asFunction({
  declarator,
  initializer,
  span,
}: InitDeclarator): { readonly declared: InitDeclarator; readonly parameters: readonly Parameter[] } | undefined {
  if (initializer?.kind !== "direct" || initializer.arguments.length === 0) return undefined;
  const parameters = initializer.arguments.map(asParameter);
  if (!parameters.every((parameter) => parameter !== undefined)) return undefined;
  const wrapped = wrapName(declarator, parameters, initializer.span);
  return wrapped === undefined ? undefined : { declared: { span, declarator: wrapped, initializer: undefined }, parameters };
}

function asParameter(expression: Expression): Parameter | undefined {
  const { span } = expression;
  const type = specifiersOf(expression);
  if (type !== undefined) return { span, specifiers: type, declarator: { kind: "abstract", span }, defaultValue: undefined };
  const { left, value } = partsOf(expression);
  const read = readDeclarator(left);
  return read === undefined ? undefined : { span, specifiers: read.specifiers, declarator: read.declarator, defaultValue: value };
}

function partsOf(expression: Expression): { readonly left: Expression; readonly value?: Expression } {
  return expression.kind === "assignment" && expression.operator === "="
    ? { left: expression.left, value: expression.right }
    : { left: expression };
}

interface Read {
  readonly specifiers: Specifiers;
  readonly declarator: Declarator;
}

/** Reads the subscripts from last to first, and then the parentheses with the pointer. */
function readDeclarator(expression: Expression): Read | undefined {
  if (expression.kind === "subscript") {
    const read = readDeclarator(expression.object);
    const [size] = expression.indices;
    if (read === undefined || size === undefined || expression.indices.length > 1) return undefined;
    return {
      ...read,
      declarator: {
        kind: "array",
        span: { start: read.declarator.span.start, end: expression.span.end },
        words: [],
        size,
        inner: read.declarator,
      },
    };
  }
  if (expression.kind !== "call" && expression.kind !== "construct") return undefined;
  const [only] = expression.arguments;
  const specifiers = expression.kind === "construct" ? expression.type.specifiers : specifiersOf(expression.function);
  const declarator = only !== undefined && isIndirection(only) && expression.arguments.length === 1 ? declaratorOf(only) : undefined;
  return specifiers === undefined || declarator === undefined ? undefined : { specifiers, declarator };
}

/** `*p`, also in parentheses. */
function isIndirection(expression: Expression): boolean {
  return expression.kind === "parenthesized" ? isIndirection(expression.inner) : expression.kind === "unary" && expression.operator === "*";
}

function specifiersOf(callee: Expression): Specifiers | undefined {
  if (callee.kind !== "name") return undefined;
  const { name, span } = callee;
  return { span, words: [], attributes: [], type: { kind: "named", span, name, isDependent: false } };
}

function declaratorOf(expression: Expression): Declarator | undefined {
  switch (expression.kind) {
    case "name":
      return { kind: "name", span: expression.span, name: expression.name };
    case "parenthesized":
      return declaratorOf(expression.inner);
    case "unary": {
      const inner = expression.operator === "*" ? declaratorOf(expression.operand) : undefined;
      return inner === undefined ? undefined : { kind: "pointer", span: expression.span, words: [], attributes: [], inner };
    }
    case "subscript": {
      const inner = declaratorOf(expression.object);
      const [size] = expression.indices;
      return inner === undefined || size === undefined || expression.indices.length > 1
        ? undefined
        : { kind: "array", span: expression.span, words: [], size, inner };
    }
    default:
      return undefined;
  }
}

/** The same declarator with the parameters after its name. */
function wrapName(declarator: Declarator, parameters: readonly Parameter[], parameterSpan: ViewSpan): Declarator | undefined {
  if (declarator.kind === "pointer" || declarator.kind === "reference") {
    const inner = wrapName(declarator.inner, parameters, parameterSpan);
    return inner === undefined ? undefined : { ...declarator, inner };
  }
  if (declarator.kind !== "name") return undefined;
  const span = { start: declarator.span.start, end: parameterSpan.end };
  return {
    kind: "function",
    span,
    parameters,
    parameterSpan,
    isVariadic: false,
    words: [],
    attributes: [],
    trailingReturn: undefined,
    inner: declarator,
  } satisfies FunctionDeclarator;
}
