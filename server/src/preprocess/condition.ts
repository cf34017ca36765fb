/** Evaluates the condition of `#if` (C11 §6.10.1): integers of 64 bits, undefined names are 0, dead operands do not count. */
import type { Token } from "./lexer.ts";

/** An integer with its signedness, which decides comparisons and division (C11 §6.10.1p4). */
interface Integer {
  readonly value: bigint;
  readonly isUnsigned: boolean;
}

/** True or false, or undefined where the tokens are no constant expression. All macros have been expanded before. */
export function evaluateCondition(tokens: readonly Token[], isCplusplus: boolean): boolean | undefined {
  const parser = new Parser(tokens, isCplusplus);
  const result = parser.conditional();
  return result === undefined || !parser.isAtEnd() ? undefined : result.value !== 0n;
}

const precedence: readonly (readonly string[])[] = [["||"], ["&&"], ["|"], ["^"], ["&"], ["==", "!="], ["<", ">", "<=", ">="], ["<<", ">>"], ["+", "-"], ["*", "/", "%"]];
const alternatives: Readonly<Record<string, string>> = { and: "&&", or: "||", not: "!", bitand: "&", bitor: "|", xor: "^", compl: "~", not_eq: "!=" };
const deepest = 200;

class Parser {
  readonly #tokens: readonly Token[];
  readonly #isCplusplus: boolean;
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], isCplusplus: boolean) {
    this.#tokens = tokens;
    this.#isCplusplus = isCplusplus;
  }

  isAtEnd(): boolean {
    return this.#at >= this.#tokens.length;
  }

  conditional(): Integer | undefined {
    if (this.#depth > deepest) return undefined;
    this.#depth += 1;
    const condition = this.#binary(0);
    let result = condition;
    if (this.#accept("?")) {
      const then = this.conditional();
      if (!this.#accept(":")) return undefined;
      const otherwise = this.conditional();
      if (condition === undefined || then === undefined || otherwise === undefined) return undefined;
      const chosen = condition.value !== 0n ? then : otherwise;
      result = { value: chosen.value, isUnsigned: then.isUnsigned || otherwise.isUnsigned };
    }
    this.#depth -= 1;
    return result;
  }

  #binary(level: number): Integer | undefined {
    const operators = precedence[level];
    if (operators === undefined) return this.#unary();
    let left = this.#binary(level + 1);
    for (;;) {
      const operator = this.#peek();
      if (operator === undefined || !operators.includes(operator)) return left;
      this.#at += 1;
      const right = this.#binary(level + 1);
      // A dead operand may even divide by zero; only its syntax counts.
      if (left !== undefined && operator === "&&" && left.value === 0n) left = boolean(false);
      else if (left !== undefined && operator === "||" && left.value !== 0n) left = boolean(true);
      else left = left === undefined || right === undefined ? undefined : apply(operator, left, right);
    }
  }

  #unary(): Integer | undefined {
    const operator = this.#peek();
    if (operator === undefined || this.#depth > deepest) return undefined;
    this.#depth += 1;
    try {
      if (operator === "(") {
        this.#at += 1;
        const inner = this.conditional();
        return this.#accept(")") ? inner : undefined;
      }
      if (["!", "-", "+", "~"].includes(operator)) {
        this.#at += 1;
        const operand = this.#unary();
        if (operand === undefined) return undefined;
        if (operator === "!") return boolean(operand.value === 0n);
        return wrap(operator === "-" ? -operand.value : operator === "~" ? ~operand.value : operand.value, operand.isUnsigned);
      }
      return this.#primary();
    } finally {
      this.#depth -= 1;
    }
  }

  #primary(): Integer | undefined {
    const token = this.#tokens[this.#at];
    if (token === undefined) return undefined;
    this.#at += 1;
    if (token.kind === "number") return integerOf(token.text);
    if (token.kind === "character") return wrap(characterValue(token.text), false);
    if (token.kind !== "identifier") return undefined;
    return boolean(this.#isCplusplus && token.text === "true");
  }

  #peek(): string | undefined {
    const token = this.#tokens[this.#at];
    return token === undefined ? undefined : this.#isCplusplus && token.kind === "identifier" ? (alternatives[token.text] ?? token.text) : token.text;
  }

  #accept(text: string): boolean {
    if (this.#peek() !== text) return false;
    this.#at += 1;
    return true;
  }
}

function boolean(value: boolean): Integer {
  return { value: value ? 1n : 0n, isUnsigned: false };
}

function wrap(value: bigint, isUnsigned: boolean): Integer {
  return { value: isUnsigned ? BigInt.asUintN(64, value) : BigInt.asIntN(64, value), isUnsigned };
}

function apply(operator: string, left: Integer, right: Integer): Integer | undefined {
  const isUnsigned = left.isUnsigned || right.isUnsigned;
  const a = wrap(left.value, isUnsigned).value;
  const b = wrap(right.value, isUnsigned).value;
  switch (operator) {
    case "||":
      return boolean(a !== 0n || b !== 0n);
    case "&&":
      return boolean(a !== 0n && b !== 0n);
    case "|":
      return wrap(a | b, isUnsigned);
    case "^":
      return wrap(a ^ b, isUnsigned);
    case "&":
      return wrap(a & b, isUnsigned);
    case "==":
      return boolean(a === b);
    case "!=":
      return boolean(a !== b);
    case "<":
      return boolean(a < b);
    case ">":
      return boolean(a > b);
    case "<=":
      return boolean(a <= b);
    case ">=":
      return boolean(a >= b);
    case "<<":
      return wrap(left.value << (right.value & 63n), left.isUnsigned);
    case ">>":
      return wrap(left.value >> (right.value & 63n), left.isUnsigned);
    case "+":
      return wrap(a + b, isUnsigned);
    case "-":
      return wrap(a - b, isUnsigned);
    case "*":
      return wrap(a * b, isUnsigned);
    case "/":
      return b === 0n ? undefined : wrap(a / b, isUnsigned);
    default:
      return b === 0n ? undefined : wrap(a % b, isUnsigned);
  }
}

function integerOf(text: string): Integer | undefined {
  const match = /^(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)([uUlLzZ]*)$/.exec(text.replaceAll("'", ""));
  const digits = match?.[1];
  if (digits === undefined) return undefined;
  const isOctal = /^0\d/.test(digits);
  if (isOctal && !/^[0-7]+$/.test(digits)) return undefined;
  const value = BigInt(isOctal ? `0o${digits.slice(1)}` : digits);
  return wrap(value, /[uU]/.test(match?.[2] ?? "") || value > 0x7fffffffffffffffn);
}

const escapes: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, a: 7, b: 8, f: 12, v: 11, "0": 0 };

function characterValue(text: string): bigint {
  const body = text.slice(text.indexOf("'") + 1, -1);
  if (body[0] !== "\\") return BigInt(body.codePointAt(0) ?? 0);
  const hex = /^\\x([0-9a-fA-F]+)/.exec(body)?.[1];
  if (hex !== undefined) return BigInt(`0x${hex}`);
  const octal = /^\\([0-7]{1,3})/.exec(body)?.[1];
  if (octal !== undefined) return BigInt(`0o${octal}`);
  return BigInt(escapes[body[1] ?? ""] ?? body.codePointAt(1) ?? 0);
}
