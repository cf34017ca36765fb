/** Literals and constant expressions; the expected values are those of clang 22 and nvcc 13. */
import { describe, expect, it } from "vitest";
import { type ConstantScope, evaluateConstant, literalScope } from "../../../server/src/semantics/constants/constants.ts";
import { characterLiteral, numberLiteral } from "../../../server/src/semantics/constants/literals.ts";
import { type ArithmeticName, arithmetic } from "../../../server/src/semantics/types/types.ts";
import type { Expression } from "../../../server/src/syntax/ast.ts";
import { testParser } from "../../service.ts";

const parser = await testParser();

function expressionOf(text: string): Expression {
  const [item] = parser.parse(`int x = ${text};`).tree.items;
  const initializer = item?.kind === "declaration" ? item.declarators[0]?.initializer : undefined;
  if (initializer?.kind !== "value") throw new Error(`no expression: ${text}`);
  return initializer.value;
}

const names: Readonly<Record<string, bigint>> = { N: 12n, ZERO: 0n };
const scope: ConstantScope = {
  ...literalScope,
  nameValue: ({ parts }) => {
    const value = names[parts[0]?.text ?? ""];
    return value === undefined ? undefined : { value, type: "int" };
  },
  sizeOf: () => 4,
  typeOf: ({ specifiers }) =>
    specifiers.type?.kind === "primitive" ? arithmetic(specifiers.type.words.join(" ") as ArithmeticName) : undefined,
  typeOfName: ({ parts }) => (parts[0]?.text === "short_t" ? arithmetic("short") : undefined),
};

describe("number literals", () => {
  it.each([
    ["0", 0n, "int"],
    ["2147483647", 2147483647n, "int"],
    ["2147483648", 2147483648n, "long"],
    ["0x80000000", 0x80000000n, "unsigned int"],
    ["0xFFFFFFFF", 0xffffffffn, "unsigned int"],
    ["0xFFFFFFFFFFFFFFFF", 0xffffffffffffffffn, "unsigned long"],
    ["017", 15n, "int"],
    ["0b1011", 11n, "int"],
    ["1'000'000", 1000000n, "int"],
    ["7u", 7n, "unsigned int"],
    ["7UL", 7n, "unsigned long"],
    ["7lu", 7n, "unsigned long"],
    ["7ll", 7n, "long long"],
    ["7ull", 7n, "unsigned long long"],
    ["9223372036854775808u", 9223372036854775808n, "unsigned long"],
    ["1.5", 1.5, "double"],
    ["1.5f", 1.5, "float"],
    ["0.1f", Math.fround(0.1), "float"],
    ["1e3", 1000, "double"],
    [".5F", 0.5, "float"],
    ["1.", 1, "double"],
    ["2.0h", 2, "half"],
    ["0x1.8p1", 3, "double"],
    ["0x1.0p-126f", 2 ** -126, "float"],
    ["0x.8p0", 0.5, "double"],
    ["1.0L", 1, "long double"],
  ] as const)("%s", (text, value, type) => {
    expect(numberLiteral(text, "cuda")).toEqual({ value, type });
  });

  it.each(["08", "0x", "1uu", "9223372036854775808", "12_km", "1.0.0", "0xg", ".", "e5", "1lul"])("%s is none", (text) => {
    expect(numberLiteral(text, "cuda")).toBeUndefined();
  });

  it("has no long long in OpenCL C", () => {
    expect(numberLiteral("7ull", "opencl")?.type).toBe("unsigned long");
  });
});

describe("character literals", () => {
  it.each([
    ["'a'", 97n],
    ["'\\n'", 10n],
    ["'\\0'", 0n],
    ["'\\x41'", 65n],
    ["'\\xff'", -1n],
    ["'\\101'", 65n],
    ["'\\''", 39n],
    ["L'\\u00e9'", 233n],
  ] as const)("%s", (text, value) => {
    expect(characterLiteral(text, true)?.value).toBe(value);
  });

  it.each(["'ab'", "''", "'\\q'", "'€'", "'\\x1ff'"])("%s has no value of its own", (text) =>
    expect(characterLiteral(text, true)).toBeUndefined(),
  );

  it("is an int in C", () => expect([characterLiteral("'a'", false)?.type, characterLiteral("'a'", true)?.type]).toEqual(["int", "char"]));
});

describe("constant expressions", () => {
  it.each([
    ["1 + 2 * 3", 7n],
    ["(1 + 2) * 3", 9n],
    ["-7 / 2", -3n],
    ["-7 % 3", -1n],
    ["7 & 3 | 8 ^ 1", 11n],
    ["~0", -1n],
    ["~0u", 0xffffffffn],
    ["0u - 1", 0xffffffffn],
    ["-1 < 0u", 0n],
    ["-1L < 0u", 1n],
    ["1 << 31", -2147483648n],
    ["1u << 31", 2147483648n],
    ["1ull << 40", 1n << 40n],
    ["-8 >> 1", -4n],
    ["!5", 0n],
    ["1 ? 2 : 3", 2n],
    ["0 ? 2 : 3u", 3n],
    ["N * sizeof(int)", 48n],
    ["N ?: 3", 12n],
    ["(char)300", 44n],
    ["(unsigned char)-1", 255n],
    ["(int)2.9f", 2n],
    ["(int)-2.9", -2n],
    ["(bool)0.5", 1n],
    ["static_cast<short>(65537)", 1n],
    ["short_t(65537)", 1n],
    ["int(7)", 7n],
    ["int{7}", 7n],
    ["int()", 0n],
    ["true + true", 2n],
    ["'a' + 1", 98n],
    ["ZERO && unknown()", 0n],
    ["N || unknown()", 1n],
    ["(1, 2)", 2n],
    ["1.5 < 2", 1n],
    ["0x7fffffff + 1u", 2147483648n],
    ["(N + 31) / 32 * 32", 32n],
    ["1 == 1.0", 1n],
  ] as const)("%s", (text, value) => {
    expect(evaluateConstant(expressionOf(text), scope)?.value).toBe(value);
  });

  it.each([
    ["1.0f / 4", 0.25, "float"],
    ["1 + 0.5", 1.5, "double"],
    ["-2.0h", -2, "half"],
    ["1 ? 1 : 0.5", 1, "double"],
    ["0.1f + 0.2f", Math.fround(Math.fround(0.1) + Math.fround(0.2)), "float"],
  ] as const)("%s is floating", (text, value, type) => {
    expect(evaluateConstant(expressionOf(text), scope)).toEqual({ value, type });
  });

  it.each([
    "1 / 0",
    "1 % ZERO",
    "1 << 32",
    "1 << -1",
    "2147483647 + 1",
    "-2147483647 - 2",
    "unknown",
    "unknown + 0",
    "1 && unknown",
    "(int)1e20",
    "f(1)",
    "1 ? unknown : 2",
    "~1.5",
    "&N",
    '"a"',
  ])("%s is none", (text) => {
    expect(evaluateConstant(expressionOf(text), scope)).toBeUndefined();
  });

  it("takes shift counts modulo the width in OpenCL C", () => {
    expect(evaluateConstant(expressionOf("1 << 33"), { ...scope, language: "opencl", isCplusplus: false })?.value).toBe(2n);
  });

  it("have no value if they are nested too deeply", () => {
    const nested = (levels: number) =>
      Array.from({ length: levels }).reduce<Expression>((inner) => ({ kind: "parenthesized", inner, span: inner.span }), expressionOf("1"));
    expect(evaluateConstant(nested(100_000), scope)).toBeUndefined();
    expect(evaluateConstant(nested(150), scope)?.value).toBe(1n);
    expect(evaluateConstant(expressionOf(`1${" + 1".repeat(150)}`), scope)?.value).toBe(151n);
  });
});
