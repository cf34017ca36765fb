/**
 * Evaluates constant expressions (C11 §6.6, C++17 §8.20) to a value with its type. The caller resolves names, types and sizes. An
 * expression that is not constant, overflows or is unknown has no value.
 */
import type { Language } from "../../dialect.ts";
import type { Expression, Name, TypeId } from "../../syntax/ast.ts";
import { commonName, promotedName } from "../types/arithmetic.ts";
import type { ArithmeticName, Type } from "../types/types.ts";
import { type ConstantValue, characterLiteral, numberLiteral, representationOf, rounded, wrapped } from "./literals.ts";

export type { ConstantValue } from "./literals.ts";

/** Resolves what an expression contains. */
export interface ConstantScope {
  readonly language: Language;
  readonly isCplusplus: boolean;
  /** The value of an enumerator or constant variable. */
  nameValue(name: Name): ConstantValue | undefined;
  /** In bytes. */
  sizeOf(operand: Expression | TypeId): number | undefined;
  alignOf(operand: Expression | TypeId): number | undefined;
  typeOf(type: TypeId): Type | undefined;
  /** The type that a call `T(x)` constructs, if `T` is a type's name. */
  typeOfName(name: Name): Type | undefined;
}

/** A scope for literals and operators only. */
export const literalScope: ConstantScope = {
  language: "cuda",
  isCplusplus: true,
  nameValue: () => undefined,
  sizeOf: () => undefined,
  alignOf: () => undefined,
  typeOf: () => undefined,
  typeOfName: () => undefined,
};

/** The limit on the nesting of expressions. */
const deepest = 200;

/** The value of a constant expression; undefined for any other. */
export function evaluateConstant(e: Expression, scope: ConstantScope, depth = 0): ConstantValue | undefined {
  if (depth > deepest) return undefined;
  const evaluate = (operand: Expression) => evaluateConstant(operand, scope, depth + 1);
  switch (e.kind) {
    case "number":
      return numberLiteral(e.text, scope.language);
    case "character":
      return characterLiteral(e.text, scope.isCplusplus);
    case "boolean":
      return { value: e.value ? 1n : 0n, type: "bool" };
    case "parenthesized":
      return evaluate(e.inner);
    case "name":
      return scope.nameValue(e.name);
    case "unary":
      return unary(e.operator, evaluate(e.operand), scope);
    case "binary":
      return binaryOf(e, scope, evaluate);
    case "conditional":
      return conditional(e, evaluate);
    case "comma":
      return evaluate(e.left) === undefined ? undefined : evaluate(e.right);
    case "sizeof":
    case "alignof": {
      const bytes = e.kind === "sizeof" ? scope.sizeOf(e.operand) : scope.alignOf(e.operand);
      return bytes === undefined ? undefined : { value: BigInt(bytes), type: "unsigned long" };
    }
    case "cast":
    case "named-cast":
      return convertTo(scope.typeOf(e.type), evaluate(e.operand));
    case "construct":
      return constructed(scope.typeOf(e.type), e.arguments, evaluate);
    case "compound-literal":
      return e.value.kind === "list"
        ? constructed(
            scope.typeOf(e.type),
            e.value.elements.map(({ value }) => value),
            evaluate,
          )
        : undefined;
    case "call":
      return e.function.kind === "name" ? constructed(scope.typeOfName(e.function.name), e.arguments, evaluate) : undefined;
    default:
      return undefined;
  }
}

function constructed(
  type: Type | undefined,
  values: readonly Expression[],
  evaluate: (e: Expression) => ConstantValue | undefined,
): ConstantValue | undefined {
  const [first] = values;
  if (values.length > 1) return undefined;
  return first === undefined ? convertTo(type, { value: 0n, type: "int" }) : convertTo(type, evaluate(first));
}

/** A constant as a value of an arithmetic or enumeration type (C11 §6.3.1); undefined for other types and for overflow. */
export function convertTo(type: Type | undefined, constant: ConstantValue | undefined): ConstantValue | undefined {
  if (type === undefined || constant === undefined) return undefined;
  if (type.kind === "enum") return convertTo(type.enumeration.underlying ?? { ...type, kind: "arithmetic", name: "int" }, constant);
  return type.kind === "arithmetic" ? convert(constant, type.name) : undefined;
}

function convert({ value }: ConstantValue, type: ArithmeticName): ConstantValue | undefined {
  if (representationOf(type) === undefined) return { value: rounded(Number(value), type), type };
  if (type === "bool") return { value: isTrue(value) ? 1n : 0n, type };
  if (typeof value === "bigint") {
    const result = wrapped(value, type);
    return result === undefined ? undefined : { value: result, type };
  }
  // The behavior is undefined out of range (C11 §6.3.1.4p1).
  if (!Number.isFinite(value)) return undefined;
  const whole = BigInt(Math.trunc(value));
  return wrapped(whole, type) === whole ? { value: whole, type } : undefined;
}

function isTrue(value: bigint | number): boolean {
  return typeof value === "bigint" ? value !== 0n : value !== 0;
}

// ---------------------------------------------------------------- operators

function truth(value: boolean, scope: ConstantScope): ConstantValue {
  return { value: value ? 1n : 0n, type: scope.isCplusplus ? "bool" : "int" };
}

function unary(operator: string, operand: ConstantValue | undefined, scope: ConstantScope): ConstantValue | undefined {
  if (operand === undefined) return undefined;
  if (operator === "!") return truth(!isTrue(operand.value), scope);
  const type = promotedName(operand.type);
  const promoted = convert(operand, type);
  if (promoted === undefined) return undefined;
  const { value } = promoted;
  switch (operator) {
    case "+":
      return promoted;
    case "-":
      return typeof value === "number" ? { value: -value, type } : inRange(-value, type);
    case "~":
      return typeof value === "number" ? undefined : inRange(~value, type);
    default:
      return undefined;
  }
}

/** Unsigned results wrap; a signed one that does not fit is not a constant expression (C11 §6.6p4). */
function inRange(value: bigint, type: ArithmeticName): ConstantValue | undefined {
  const result = wrapped(value, type);
  if (result === undefined) return undefined;
  return result === value || representationOf(type)?.isUnsigned === true ? { value: result, type } : undefined;
}

function conditional(
  e: Extract<Expression, { kind: "conditional" }>,
  evaluate: (e: Expression) => ConstantValue | undefined,
): ConstantValue | undefined {
  const condition = evaluate(e.condition);
  if (condition === undefined) return undefined;
  const chosen = isTrue(condition.value) ? (e.then === undefined ? condition : evaluate(e.then)) : evaluate(e.otherwise);
  // The other branch affects the type only if it is constant too.
  const other = isTrue(condition.value) ? evaluate(e.otherwise) : e.then === undefined ? condition : evaluate(e.then);
  if (chosen === undefined || other === undefined || other.type === chosen.type) return chosen;
  return convert(chosen, commonName(chosen.type, other.type));
}

function binaryOf(
  e: Extract<Expression, { kind: "binary" }>,
  scope: ConstantScope,
  evaluate: (e: Expression) => ConstantValue | undefined,
): ConstantValue | undefined {
  const left = evaluate(e.left);
  // An operand that is not evaluated need not be constant (C11 §6.6p3).
  if (e.operator === "&&" && left !== undefined && !isTrue(left.value)) return truth(false, scope);
  if (e.operator === "||" && left !== undefined && isTrue(left.value)) return truth(true, scope);
  const right = evaluate(e.right);
  if (left === undefined || right === undefined) return undefined;
  if (e.operator === "&&" || e.operator === "||") return truth(isTrue(right.value), scope);
  if (e.operator === "<<" || e.operator === ">>") return shift(e.operator, left, right, scope);
  const type = commonName(left.type, right.type);
  const [a, b] = [convert(left, type)?.value, convert(right, type)?.value];
  if (a === undefined || b === undefined) return undefined;
  const comparison = compareValues(e.operator, a, b);
  if (comparison !== undefined) return truth(comparison, scope);
  if (typeof a === "bigint" && typeof b === "bigint") {
    const result = integerOperators.get(e.operator)?.(a, b);
    return result === undefined ? undefined : inRange(result, type);
  }
  const result = floatingOperators.get(e.operator)?.(Number(a), Number(b));
  return result === undefined ? undefined : { value: rounded(result, type), type };
}

function compareValues(operator: string, a: bigint | number, b: bigint | number): boolean | undefined {
  switch (operator) {
    case "==":
      return a === b;
    case "!=":
      return a !== b;
    case "<":
      return a < b;
    case ">":
      return a > b;
    case "<=":
      return a <= b;
    case ">=":
      return a >= b;
    default:
      return undefined;
  }
}

/** A division by zero has no value, so it is not a constant expression (C11 §6.6p4). */
const integerOperators: ReadonlyMap<string, (a: bigint, b: bigint) => bigint | undefined> = new Map([
  ["+", (a, b) => a + b],
  ["-", (a, b) => a - b],
  ["*", (a, b) => a * b],
  ["/", (a, b) => (b === 0n ? undefined : a / b)],
  ["%", (a, b) => (b === 0n ? undefined : a % b)],
  ["&", (a, b) => a & b],
  ["|", (a, b) => a | b],
  ["^", (a, b) => a ^ b],
]);

const floatingOperators: ReadonlyMap<string, (a: number, b: number) => number> = new Map([
  ["+", (a, b) => a + b],
  ["-", (a, b) => a - b],
  ["*", (a, b) => a * b],
  ["/", (a, b) => a / b],
]);

/**
 * Shifts. The left operand determines the type (C11 §6.5.7p3). OpenCL C reduces the count modulo the width (3.0 §6.4.4), while in
 * C++ and C a count out of range has no value.
 */
function shift(operator: "<<" | ">>", left: ConstantValue, right: ConstantValue, scope: ConstantScope): ConstantValue | undefined {
  const type = promotedName(left.type);
  const bits = representationOf(type)?.bits;
  if (bits === undefined || typeof left.value === "number" || typeof right.value === "number") return undefined;
  const count = scope.language === "opencl" ? BigInt.asUintN(64, right.value) % BigInt(bits) : right.value;
  if (count < 0n || count >= BigInt(bits)) return undefined;
  const value = operator === "<<" ? left.value << count : left.value >> count;
  // `1 << 31` is treated as unsigned, because every compiler accepts it.
  const result = wrapped(value, type);
  return result === undefined ? undefined : { value: result, type };
}
