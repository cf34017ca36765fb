/**
 * The functions whose names contain types: `convert_int4_sat_rte`, `as_float2`, and `shuffle`, whose two arguments vary
 * independently (OpenCL C 3.0 §6.4.3, 6.4.4.2, 6.15.14).
 */
import type { OpenCLDialect } from "../../dialect.ts";

const widths: Readonly<Record<string, number>> = {
  char: 8,
  uchar: 8,
  short: 16,
  ushort: 16,
  int: 32,
  uint: 32,
  long: 64,
  ulong: 64,
  half: 16,
  float: 32,
  double: 64,
};
const scalar = "u?(?:char|short|int|long)|half|float|double";
const conversion = new RegExp(`^convert_(${scalar})(2|3|4|8|16)?(_sat)?(?:_rt[ezpn])?$`);
const reinterpretation = new RegExp(`^as_(${scalar})(2|3|4|8|16)?$`);
const lengths = [1, 2, 3, 4, 8, 16];

/** The names of the functions that convert or reinterpret values, in every standard together. */
export function conversionNames(): readonly string[] {
  const counted = Object.keys(widths).flatMap((name) => lengths.map((length) => sized(name, length)));
  const converting = counted.flatMap((type) =>
    ["", "_sat"].flatMap((saturated) =>
      saturated !== "" && /^(?:half|float|double)/.test(type)
        ? []
        : ["", "_rte", "_rtz", "_rtp", "_rtn"].map((rounded) => `convert_${type}${saturated}${rounded}`),
    ),
  );
  return [...converting, ...counted.map((type) => `as_${type}`)];
}

/** The declarations of such a function, or undefined for other names. */
export function conversionFunction(name: string, dialect: OpenCLDialect): readonly string[] | undefined {
  const converted = conversion.exec(name);
  if (converted?.[1] !== undefined) return convertFunction(name, converted[1], converted[2] ?? "", converted[3] !== undefined, dialect);
  const reinterpreted = reinterpretation.exec(name);
  if (reinterpreted?.[1] !== undefined) return asFunction(name, reinterpreted[1], Number(reinterpreted[2] ?? 1), dialect);
  return name === "shuffle" || name === "shuffle2" ? shuffleFunction(name, dialect) : undefined;
}

function convertFunction(
  name: string,
  base: string,
  length: string,
  isSaturated: boolean,
  dialect: OpenCLDialect,
): readonly string[] | undefined {
  const isFloating = base === "half" || base === "float" || base === "double";
  if ((isSaturated && isFloating) || !isAvailable(base, dialect)) return undefined;
  return available(dialect).map((from) => `${base}${length} ${name}(${from}${length});`);
}

/** `as_T` accepts any type of the same size. A vector of three has the size of a vector of four (OpenCL C 3.0 §6.4.4.2). */
function asFunction(name: string, base: string, length: number, dialect: OpenCLDialect): readonly string[] | undefined {
  if (!isAvailable(base, dialect)) return undefined;
  const size = sizeOf(base, length);
  const operands = available(dialect).flatMap((from) =>
    lengths.filter((count) => sizeOf(from, count) === size).map((count) => sized(from, count)),
  );
  return operands.map((from) => `${sized(base, length)} ${name}(${from});`);
}

/**
 * `shuffle` and `shuffle2`. The elements of the mask have the width of the data's elements; the mask has as many elements as the
 * result.
 */
function shuffleFunction(name: string, dialect: OpenCLDialect): readonly string[] {
  const counts = [2, 4, 8, 16];
  return available(dialect).flatMap((base) =>
    counts.flatMap((count) =>
      counts.map((result) => {
        const data = sized(base, count);
        return `${sized(base, result)} ${name}(${name === "shuffle2" ? `${data}, ${data}` : data}, ${sized(maskOf(base), result)});`;
      }),
    ),
  );
}

function maskOf(base: string): string {
  return { 8: "uchar", 16: "ushort", 32: "uint" }[widths[base] ?? 0] ?? "ulong";
}

function sizeOf(base: string, length: number): number {
  return (widths[base] ?? 0) * (length === 3 ? 4 : length);
}

function sized(base: string, length: number): string {
  return length === 1 ? base : `${base}${length}`;
}

function available(dialect: OpenCLDialect): readonly string[] {
  return Object.keys(widths).filter((base) => isAvailable(base, dialect));
}

function isAvailable(base: string, dialect: OpenCLDialect): boolean {
  if (base === "half") return dialect.has("cl_khr_fp16");
  return base !== "double" || dialect.has("cl_khr_fp64") || dialect.has("__opencl_c_fp64");
}
