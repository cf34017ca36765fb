/** Explains a number in OpenCL whose spelling hides its value or its type. */
import { type Dialect, singlePrecision } from "../../dialect.ts";
import { numberLiteral } from "../../semantics/constants/literals.ts";
import type { Explanation } from "./explanation.ts";

/** The type and the decimal value of a literal; undefined for a plain integer, which explains itself. */
export function explainNumber(text: string, dialect: Dialect): Explanation | undefined {
  const number = dialect.language === "opencl" ? numberLiteral(text, "opencl") : undefined;
  if (dialect.language !== "opencl" || number === undefined || /^\d+$/.test(text)) return undefined;
  const { value } = number;
  const type = number.type === "double" && dialect.has(singlePrecision) ? "float" : number.type;
  const line =
    type === "double"
      ? `A \`double\`, unless the build has \`-cl-single-precision-constant\`; with an \`f\` at its end it is a \`float\``
      : undefined;
  return { signature: `${type} ${shown(value, type)}`, lines: [line], heading: "address-spaces" };
}

/** A float has nine significant digits at most. */
function shown(value: bigint | number, type: string): string {
  if (typeof value === "bigint" || type === "double") return `${value}`;
  return `${Number(value.toPrecision(9))}`;
}
