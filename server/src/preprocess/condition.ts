/**
 * Evaluates the condition of `#if` (C11 §6.10.1). Integers have 64 bits, undefined names are 0, and so are calls of undefined macros,
 * which a header that is missing may define. Unevaluated operands (`0 && 1 / 0`) are parsed only. All macros have been expanded before.
 */
import { alternativeTokens } from "./canonical.ts";
import { Kind } from "./lexing/lexer.ts";

/** An integer with its signedness, which decides comparisons and division (C11 §6.10.1p4). */
interface Integer {
  readonly value: bigint;
  readonly isUnsigned: boolean;
}

/** What a condition needs to know about a token. */
export interface ConditionToken {
  readonly kind: number;
  readonly text: string;
}

/** True or false, or undefined if the tokens are not an integer constant expression. */
export function evaluateCondition(tokens: readonly ConditionToken[], cplusplus: boolean): boolean | undefined {
  const reader: Reader = { tokens, cplusplus, at: 0, depth: 0, isMalformed: false };
  const result = conditional(reader);
  if (reader.isMalformed || reader.at < tokens.length || result === undefined) return undefined;
  return result.value !== 0n;
}

interface Reader {
  readonly tokens: readonly ConditionToken[];
  readonly cplusplus: boolean;
  at: number;
  depth: number;
  isMalformed: boolean;
}

const levels: Readonly<Record<string, number>> = {
  "||": 1,
  "&&": 2,
  "|": 3,
  "^": 4,
  "&": 5,
  "==": 6,
  "!=": 6,
  "<": 7,
  ">": 7,
  "<=": 7,
  ">=": 7,
  "<<": 8,
  ">>": 8,
  "+": 9,
  "-": 9,
  "*": 10,
  "/": 10,
  "%": 10,
};
const deepest = 400;

function peek({ tokens, at, cplusplus }: Reader): string | undefined {
  const token = tokens[at];
  if (token === undefined) return undefined;
  return cplusplus && token.kind === Kind.identifier ? (alternativeTokens[token.text] ?? token.text) : token.text;
}

function accept(reader: Reader, text: string): boolean {
  if (peek(reader) !== text) return false;
  reader.at += 1;
  return true;
}

/** Undefined if the operation has no value (a division by zero). That is harmless in an unevaluated operand. */
function conditional(reader: Reader): Integer | undefined {
  reader.depth += 1;
  if (reader.depth > deepest) reader.isMalformed = true;
  if (reader.isMalformed) return undefined;
  const condition = binary(reader, 1);
  let result = condition;
  if (accept(reader, "?")) {
    const then = conditional(reader);
    if (!accept(reader, ":")) reader.isMalformed = true;
    const otherwise = conditional(reader);
    const chosen = condition === undefined ? undefined : condition.value !== 0n ? then : otherwise;
    // C11 §6.5.15p5: the result has the type that both operands convert to.
    const isUnsigned = then?.isUnsigned === true || otherwise?.isUnsigned === true;
    result = chosen === undefined ? undefined : wrap(chosen.value, isUnsigned);
  }
  reader.depth -= 1;
  return result;
}

/** Parses operators of this level and those that bind tighter. */
function binary(reader: Reader, lowest: number): Integer | undefined {
  let left = unary(reader);
  for (;;) {
    const operator = peek(reader) ?? "";
    const level = levels[operator];
    if (level === undefined || level < lowest || reader.isMalformed) return left;
    reader.at += 1;
    const right = binary(reader, level + 1);
    if (operator === "&&") left = left === undefined ? undefined : left.value === 0n ? truth(false) : right && truth(right.value !== 0n);
    else if (operator === "||")
      left = left === undefined ? undefined : left.value !== 0n ? truth(true) : right && truth(right.value !== 0n);
    else left = left === undefined || right === undefined ? undefined : apply(operator, left, right);
  }
}

function unary(reader: Reader): Integer | undefined {
  const signs: string[] = [];
  for (let sign = peek(reader); sign === "!" || sign === "-" || sign === "+" || sign === "~"; sign = peek(reader)) {
    signs.push(sign);
    reader.at += 1;
  }
  let value = primary(reader);
  for (const sign of signs.reverse()) {
    if (value === undefined) return undefined;
    if (sign === "!") value = truth(value.value === 0n);
    else if (sign !== "+") value = wrap(sign === "-" ? -value.value : ~value.value, value.isUnsigned);
  }
  return value;
}

function primary(reader: Reader): Integer | undefined {
  const token = reader.tokens[reader.at];
  reader.at += 1;
  if (token?.text === "(") {
    const inner = conditional(reader);
    if (!accept(reader, ")")) reader.isMalformed = true;
    return inner;
  }
  const value =
    token?.kind === Kind.number
      ? integerOf(token.text)
      : token?.kind === Kind.character
        ? characterValue(token.text)
        : token?.kind === Kind.identifier
          ? truth(reader.cplusplus && token.text === "true")
          : undefined;
  if (value === undefined) reader.isMalformed = true;
  if (token?.kind === Kind.identifier && peek(reader) === "(") skipArguments(reader);
  return value;
}

function skipArguments(reader: Reader): void {
  let depth = 0;
  do {
    const text = peek(reader);
    if (text === undefined) reader.isMalformed = true;
    if (text === "(") depth += 1;
    if (text === ")") depth -= 1;
    reader.at += 1;
  } while (depth > 0 && !reader.isMalformed);
}

function truth(value: boolean): Integer {
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
    case "|":
      return wrap(a | b, isUnsigned);
    case "^":
      return wrap(a ^ b, isUnsigned);
    case "&":
      return wrap(a & b, isUnsigned);
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
    case "<<":
    case ">>":
      return shift(operator === "<<" ? right.value : -right.value, left);
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

/** Shifts to the left, or by a negative count to the right; the type is the left operand's. A count beyond the width gives zero. */
function shift(count: bigint, { value, isUnsigned }: Integer): Integer {
  if (count >= 64n) return wrap(0n, isUnsigned);
  if (count <= -64n) return wrap(value < 0n ? -1n : 0n, isUnsigned);
  return wrap(count >= 0n ? value << count : value >> -count, isUnsigned);
}

function integerOf(text: string): Integer | undefined {
  const match = /^(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)(?:[uU]?(?:ll|LL|l|L|z|Z)?|(?:ll|LL|l|L|z|Z)[uU]?)$/.exec(text.replaceAll("'", ""));
  const digits = match?.[1];
  // Longer than any integer of 64 bits in base 2.
  if (digits === undefined || digits.length > 66) return undefined;
  const isOctal = /^0\d/.test(digits);
  if (isOctal && !/^[0-7]+$/.test(digits)) return undefined;
  const value = BigInt(isOctal ? `0o${digits.slice(1)}` : digits);
  return wrap(value, /[uU]/.test(text.slice(digits.length)) || value > 0x7fffffffffffffffn);
}

const escapes: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, a: 7, b: 8, f: 12, v: 11, e: 27 };

/** The value of a character constant; several characters form one number of 32 bits, as in gcc and clang. */
function characterValue(text: string): Integer | undefined {
  const body = text.slice(text.indexOf("'") + 1, -1);
  const isPlain = text.startsWith("'");
  let value: number | undefined;
  for (const [part] of body.matchAll(/\\x[0-9a-fA-F]+|\\[0-7]{1,3}|\\.|[^\\]/gsu)) {
    const code = characterCode(part);
    value = value === undefined ? code : (value << 8) | (code & 0xff) | 0;
  }
  if (value === undefined) return undefined;
  // `char` is signed for a single character (C11 §6.4.4.4p10 and the usual targets).
  return wrap(BigInt(isPlain && value > 127 && value < 256 ? value - 256 : value), false);
}

function characterCode(part: string): number {
  if (!part.startsWith("\\") || part.length === 1) return part.codePointAt(0) ?? 0;
  if (part[1] === "x") return Number.parseInt(part.slice(2), 16) & 0xffffffff;
  if (/^\\[0-7]/.test(part)) return Number.parseInt(part.slice(1), 8);
  return escapes[part[1] ?? ""] ?? part.codePointAt(1) ?? 0;
}
