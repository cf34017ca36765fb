/**
 * Evaluates integer constant expressions (C11 §6.6, C++17 §8.20): array bounds, enumerators, alignments, conditions of
 * `if constexpr`. Values are kept exactly and wrapped only where a type is known; what cannot be decided is undefined.
 */
import type { Expression, TypeId } from "../syntax/ast.ts";
import type { Context } from "./context.ts";
import { typeOfTypeId } from "./declarators.ts";
import { typeOfExpression } from "./expressions.ts";
import { alignOf, sizeOf } from "./layout.ts";
import { resolveName } from "./names.ts";
import type { VariableSymbol } from "./symbols.ts";
import { arithmetic, type ArithmeticName, isInteger, type Type } from "./types.ts";

/** How deep expressions and the initialisers of named constants may nest. */
const deepest = 64;

/** The value of an integer constant expression; undefined for everything else and where it is not known. */
export function constantInteger(context: Context, expression: Expression | undefined): bigint | undefined {
  return expression === undefined ? undefined : evaluate(context, expression, 0);
}

function evaluate(context: Context, e: Expression, depth: number): bigint | undefined {
  if (depth > deepest) return undefined;
  switch (e.kind) {
    case "number":
      return integerOf(e.text);
    case "character":
      return characterOf(e.text);
    case "boolean":
      return e.value ? 1n : 0n;
    case "parenthesized":
      return evaluate(context, e.inner, depth + 1);
    case "name":
      return valueOfName(context, e, depth);
    case "unary":
      return unary(e.operator, evaluate(context, e.operand, depth + 1));
    case "binary":
      return binaryOf(context, e, depth);
    case "conditional": {
      const condition = evaluate(context, e.condition, depth + 1);
      if (condition === undefined) return undefined;
      return condition !== 0n ? evaluate(context, e.then ?? e.condition, depth + 1) : evaluate(context, e.otherwise, depth + 1);
    }
    case "sizeof":
    case "alignof":
      return sizeOrAlignment(context, e);
    case "cast":
    case "named-cast":
      return castTo(typeOfTypeId(context, e.type), evaluate(context, e.operand, depth + 1));
    case "construct":
      return e.arguments.length === 1 && e.arguments[0] !== undefined ? castTo(typeOfTypeId(context, e.type), evaluate(context, e.arguments[0], depth + 1)) : undefined;
    default:
      return undefined;
  }
}

function valueOfName(context: Context, e: Extract<Expression, { kind: "name" }>, depth: number): bigint | undefined {
  const symbols = resolveName(context, e.name);
  const symbol = symbols.length === 1 ? symbols[0] : undefined;
  if (symbol?.kind === "enumerator") return symbol.value;
  if (symbol?.kind !== "variable") return undefined;
  const initializer = constantInitializer(context, symbol);
  return initializer === undefined ? undefined : castTo(symbol.type, evaluate(context, initializer, depth + 1));
}

/** C++ lets a const integral variable with a constant initialiser be used (C++17 §8.20p2.7); C does not. */
function constantInitializer(context: Context, variable: VariableSymbol): Expression | undefined {
  if (!context.dialect.cplusplus || !variable.type.qualifiers.const || variable.type.qualifiers.volatile || !isInteger(variable.type)) return undefined;
  const { initializer } = variable;
  const value = initializer?.kind === "value" ? initializer.value : initializer?.kind === "direct" && initializer.arguments.length === 1 ? initializer.arguments[0] : undefined;
  if (value?.kind !== "list") return value;
  return value.elements.length === 1 ? value.elements[0]?.value : undefined;
}

function sizeOrAlignment(context: Context, e: Extract<Expression, { kind: "sizeof" | "alignof" | "typeid" }>): bigint | undefined {
  const type = operandType(context, e.operand);
  const size = e.kind === "sizeof" ? sizeOf(type) : e.kind === "alignof" ? alignOf(type) : undefined;
  return size === undefined ? undefined : BigInt(size);
}

function operandType(context: Context, operand: Expression | TypeId): Type {
  const type = operand.kind === "type-id" ? typeOfTypeId(context, operand) : typeOfExpression(context, operand);
  return type.kind === "reference" ? type.referent : type;
}

function unary(operator: string, value: bigint | undefined): bigint | undefined {
  if (value === undefined) return undefined;
  switch (operator) {
    case "-":
      return -value;
    case "+":
      return value;
    case "~":
      return ~value;
    case "!":
      return value === 0n ? 1n : 0n;
    default:
      return undefined;
  }
}

function binaryOf(context: Context, e: Extract<Expression, { kind: "binary" }>, depth: number): bigint | undefined {
  const left = evaluate(context, e.left, depth + 1);
  if (e.operator === "&&" && left === 0n) return 0n;
  if (e.operator === "||" && left !== undefined && left !== 0n) return 1n;
  const right = evaluate(context, e.right, depth + 1);
  return left === undefined || right === undefined ? undefined : binary(e.operator, left, right);
}

function binary(operator: string, a: bigint, b: bigint): bigint | undefined {
  const truth = (value: boolean) => (value ? 1n : 0n);
  switch (operator) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      return b === 0n ? undefined : a / b;
    case "%":
      return b === 0n ? undefined : a % b;
    case "<<":
      return b < 0n || b > 127n ? undefined : a << b;
    case ">>":
      return b < 0n || b > 127n ? undefined : a >> b;
    case "&":
      return a & b;
    case "|":
      return a | b;
    case "^":
      return a ^ b;
    case "&&":
      return truth(a !== 0n && b !== 0n);
    case "||":
      return truth(a !== 0n || b !== 0n);
    case "==":
      return truth(a === b);
    case "!=":
      return truth(a !== b);
    case "<":
      return truth(a < b);
    case ">":
      return truth(a > b);
    case "<=":
      return truth(a <= b);
    case ">=":
      return truth(a >= b);
    default:
      return undefined;
  }
}

const widths: Partial<Record<ArithmeticName, { readonly bits: number; readonly isUnsigned: boolean }>> = {
  char: { bits: 8, isUnsigned: false },
  "signed char": { bits: 8, isUnsigned: false },
  "unsigned char": { bits: 8, isUnsigned: true },
  short: { bits: 16, isUnsigned: false },
  "unsigned short": { bits: 16, isUnsigned: true },
  int: { bits: 32, isUnsigned: false },
  "unsigned int": { bits: 32, isUnsigned: true },
  long: { bits: 64, isUnsigned: false },
  "unsigned long": { bits: 64, isUnsigned: true },
  "long long": { bits: 64, isUnsigned: false },
  "unsigned long long": { bits: 64, isUnsigned: true },
};

/** C11 §6.3.1.3: modulo for unsigned, and as every compiler does for signed. */
function castTo(type: Type, value: bigint | undefined): bigint | undefined {
  if (value === undefined) return undefined;
  const target = type.kind === "enum" ? (type.enumeration.underlying ?? arithmetic("int")) : type;
  if (target.kind !== "arithmetic") return undefined;
  if (target.name === "bool") return value === 0n ? 0n : 1n;
  const width = widths[target.name];
  if (width === undefined) return undefined;
  return width.isUnsigned ? BigInt.asUintN(width.bits, value) : BigInt.asIntN(width.bits, value);
}

/** An integer literal (C11 §6.4.4.1, C++17 §5.13.2). */
export function integerOf(text: string): bigint | undefined {
  const match = /^(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)[uUlLzZ]*$/.exec(text.replaceAll("'", ""));
  const digits = match?.[1];
  if (digits === undefined) return undefined;
  if (!/^0\d/.test(digits)) return BigInt(digits);
  return /^[0-7]+$/.test(digits) ? BigInt(`0o${digits.slice(1)}`) : undefined;
}

function characterOf(text: string): bigint | undefined {
  const body = /^(?:u8|u|U|L)?'([^\\])'$/.exec(text)?.[1];
  return body === undefined ? undefined : BigInt(body.codePointAt(0) ?? 0);
}
