/** The value and type of number and character literals (C11 §6.4.4, C++17 §5.13, OpenCL C 3.0 §6.1, 6.4.4). */
import type { Language } from "../../dialect.ts";
import type { ArithmeticName } from "../types/types.ts";

/** A constant with its type: integers exactly, floating-point numbers as doubles. */
export interface ConstantValue {
  readonly value: bigint | number;
  readonly type: ArithmeticName;
}

/** The value of a number literal; undefined if it is malformed or user-defined. */
export function numberLiteral(text: string, language: Language): ConstantValue | undefined {
  const digits = text.replaceAll("'", "");
  return integerLiteral(digits, language) ?? floatingLiteral(digits);
}

const integerPattern = /^(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)([uUlLzZ]*)$/;

function integerLiteral(text: string, language: Language): ConstantValue | undefined {
  const match = integerPattern.exec(text);
  const digits = match?.[1];
  if (match === null || digits === undefined) return undefined;
  const isOctal = /^0[0-9]/.test(digits);
  if (isOctal && !/^[0-7]+$/.test(digits)) return undefined;
  const value = BigInt(isOctal ? `0o${digits.slice(1)}` : digits);
  const suffix = (match[2] ?? "").toLowerCase();
  if (!/^(u?(l|ll|z)?|(l|ll|z)u)$/.test(suffix)) return undefined;
  const type = integerTypes(suffix, !/^[1-9]|^0$/.test(digits), language).find((candidate) => fits(value, candidate));
  return type === undefined ? undefined : { value, type };
}

/** The candidate types of a literal; its type is the first that can represent it (C11 §6.4.4.1p5). */
function integerTypes(suffix: string, mayBeUnsigned: boolean, language: Language): readonly ArithmeticName[] {
  const isLongLong = suffix.includes("ll") && language === "cuda";
  const lengths: readonly ArithmeticName[] = isLongLong ? ["long long"] : /[lz]/.test(suffix) ? ["long"] : ["int", "long"];
  const unsignedOf = (name: ArithmeticName) => `unsigned ${name}` as ArithmeticName;
  if (suffix.includes("u")) return lengths.map(unsignedOf);
  // A decimal literal without `u` never becomes unsigned; one that is too large has no type.
  return lengths.flatMap((name) => (mayBeUnsigned ? [name, unsignedOf(name)] : [name]));
}

const floatingSuffixes: Readonly<Record<string, ArithmeticName>> = { "": "double", f: "float", h: "half", l: "long double" };

function floatingLiteral(text: string): ConstantValue | undefined {
  const hexadecimal = /^0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)[pP]([+-]?\d+)([fFhHlL]?)$/.exec(text);
  if (hexadecimal !== null) return hexFloatingLiteral(hexadecimal);
  const decimal = /^((?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)([fFhHlL]?)$/.exec(text);
  const type = floatingSuffixes[(decimal?.[2] ?? "").toLowerCase()];
  if (decimal?.[1] === undefined || type === undefined) return undefined;
  return { value: rounded(Number(decimal[1]), type), type };
}

function hexFloatingLiteral([, whole = "", fraction = "", exponent = "0", suffix = ""]: RegExpExecArray): ConstantValue | undefined {
  const type = floatingSuffixes[suffix.toLowerCase()];
  if (type === undefined || whole + fraction === "" || (whole + fraction).length > 200) return undefined;
  const value = Number(BigInt(`0x${whole}${fraction}`)) * 2 ** (Number(exponent) - 4 * fraction.length);
  return { value: rounded(value, type), type };
}

/**
 * The number rounded to the type's precision. A `half` keeps the precision of a float, because no integer result depends on the
 * difference.
 */
export function rounded(value: number, type: ArithmeticName): number {
  return type === "float" || type === "half" ? Math.fround(value) : value;
}

const simpleEscapes: Readonly<Record<string, number>> = {
  n: 10,
  t: 9,
  r: 13,
  "0": 0,
  a: 7,
  b: 8,
  f: 12,
  v: 11,
  "\\": 92,
  "'": 39,
  '"': 34,
  "?": 63,
};
const characterTypes: Readonly<Record<string, ArithmeticName>> = { L: "wchar_t", u: "char16_t", U: "char32_t", u8: "char" };

/** The value of a character literal; undefined for one with several characters, whose value is implementation-defined. */
export function characterLiteral(text: string, isCplusplus: boolean): ConstantValue | undefined {
  const match = /^(u8|[uUL])?'(.*)'$/su.exec(text);
  const code = match?.[2] === undefined ? undefined : codeOf(match[2]);
  if (match === null || code === undefined) return undefined;
  const prefix = match[1];
  // In C a character constant is an int (C11 §6.4.4.4p10), in C++ a char.
  const type: ArithmeticName = prefix === undefined ? (isCplusplus ? "char" : "int") : (characterTypes[prefix] ?? "int");
  const isNarrow = prefix === undefined || prefix === "u8";
  if (isNarrow && code > 255) return undefined;
  return { value: isNarrow ? BigInt.asIntN(8, BigInt(code)) : BigInt(code), type };
}

function codeOf(body: string): number | undefined {
  if (!body.startsWith("\\")) {
    const code = body.codePointAt(0);
    return code !== undefined && String.fromCodePoint(code) === body ? code : undefined;
  }
  const numeric = /^\\(?:x([0-9a-fA-F]{1,8})|([0-7]{1,3})|[uU]([0-9a-fA-F]{4,8}))$/.exec(body);
  if (numeric !== null) return Number.parseInt(numeric[1] ?? numeric[2] ?? numeric[3] ?? "", numeric[2] === undefined ? 16 : 8);
  return body.length === 2 ? simpleEscapes[body.slice(1)] : undefined;
}

const integerWidths: Partial<Record<ArithmeticName, number>> = {
  bool: 1,
  char: 8,
  "signed char": 8,
  "unsigned char": 8,
  char8_t: 8,
  short: 16,
  "unsigned short": 16,
  char16_t: 16,
  int: 32,
  "unsigned int": 32,
  wchar_t: 32,
  char32_t: 32,
  long: 64,
  "unsigned long": 64,
  "long long": 64,
  "unsigned long long": 64,
  __int128: 128,
  "unsigned __int128": 128,
};
const unsignedNames: ReadonlySet<ArithmeticName> = new Set(["bool", "char8_t", "char16_t", "char32_t"]);

/** How an integer type represents its values; undefined for floating-point types. */
export function representationOf(type: ArithmeticName): { readonly bits: number; readonly isUnsigned: boolean } | undefined {
  const bits = integerWidths[type];
  return bits === undefined ? undefined : { bits, isUnsigned: type.startsWith("unsigned ") || unsignedNames.has(type) };
}

/** True if the type can represent the integer. */
export function fits(value: bigint, type: ArithmeticName): boolean {
  return wrapped(value, type) === value;
}

/** The integer modulo the type's range, as all compilers convert (C11 §6.3.1.3); undefined for floating-point types. */
export function wrapped(value: bigint, type: ArithmeticName): bigint | undefined {
  const representation = representationOf(type);
  if (representation === undefined) return undefined;
  if (type === "bool") return value === 0n ? 0n : 1n;
  return representation.isUnsigned ? BigInt.asUintN(representation.bits, value) : BigInt.asIntN(representation.bits, value);
}
