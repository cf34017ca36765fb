/**
 * Integer promotion and the usual arithmetic conversions, by the names of arithmetic types. They are the same for constants and for
 * the types of expressions.
 */
import type { ArithmeticName } from "./types.ts";

/** The types that arithmetic is done in, by ascending rank. */
const ranks: readonly ArithmeticName[] = [
  ...(["int", "unsigned int", "long", "unsigned long", "long long", "unsigned long long", "__int128", "unsigned __int128"] as const),
  ...(["half", "float", "double", "long double"] as const),
];

/**
 * Integer promotion (C11 §6.3.1.1p2, C++17 §7.6): types narrower than int become int; `char32_t` and the like become their
 * underlying type.
 */
export function promotedName(type: ArithmeticName): ArithmeticName {
  if (ranks.includes(type)) return type;
  return type === "char32_t" ? "unsigned int" : "int";
}

/** The usual arithmetic conversions (C11 §6.3.1.8, C++17 §8p11). As in OpenCL C, half and float operands keep their type. */
export function commonName(a: ArithmeticName, b: ArithmeticName): ArithmeticName {
  const [x, y] = [promotedName(a), promotedName(b)];
  return ranks.indexOf(x) >= ranks.indexOf(y) ? x : y;
}
