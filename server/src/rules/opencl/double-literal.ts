/** A literal without the suffix `f` where a `float` is wanted: a double, which the device may not have, and vectors of floats do not take. */
import { memo } from "../../memo.ts";
import { unitsOfFile } from "../../preprocess/unit-row.ts";
import { unitsIn } from "../../preprocess/units.ts";
import type { Unit } from "../../preprocess/view/view.ts";
import type { DoubleLiteralFact } from "../../semantics/facts/opencl-facts.ts";
import type { Place } from "../../semantics/types/symbols.ts";
import { placeKey } from "../../source.ts";
import type { Rule, RuleFix } from "../rule.ts";

/** Reports literals that make an operation on a `float` one of doubles, and those that a cast makes a `float`. */
export const doubleLiteral: Rule = {
  id: "double-literal",
  title: "a literal of type `double` stands where a `float` is wanted",
  severity: "hint",
  languages: ["opencl"],
  clause:
    "OpenCL C 3.0 §6.1.1: double is an optional type, of devices with cl_khr_fp64 or __opencl_c_fp64; C11 §6.4.4.2p4: an unsuffixed floating constant has type double; §6.3.1.8: usual arithmetic conversions; OpenCL C 3.0 §6.4.1: it is an error if the scalar has greater rank than the type of the vector element",
  documentation: `
A literal without a suffix is a \`double\`, and so is \`M_PI\`. In \`x * 1.5\` the \`float\` is converted, and the product is one of
doubles. A device **without doubles** cannot build that (clang computes with floats then, and warns); one with them computes it at a
fraction of the speed, on most consumer devices at 1/16 to 1/64.

In \`(float)M_PI\` and \`(float4)(x, y, z, 1.0)\` the compiler converts the literal. That costs nothing, but the literal is a
\`double\` all the same: clang warns where doubles are missing, and other compilers reject the program.

In \`v * 1.5\` with a vector of floats, the literal is an **error** for devices with doubles: a scalar must not have a greater rank than
the elements of the vector. That is a *warning*, because devices without doubles build it.

Nothing else is reported in a program that uses \`double\` itself, or where the compiler evaluates the operation. With
\`-cl-single-precision-constant\` among the flags, such a literal is a \`float\`.

**What to do**: write \`1.5f\`, and \`M_PI_F\` for \`M_PI\`.`,
  limits:
    "Only operations with a literal and a 'float' or a vector of it, casts and vector literals are judged, not initializers, the arguments of functions and the branches of '?:'.",
  fixSafety: "A suggestion: the result is rounded to a float earlier.",
  examples: [
    {
      language: "opencl",
      bad: `kernel void scale(global float *data) {
  data[0] = data[0] * 1.5; // <-
}`,
      good: `kernel void scale(global float *data) {
  data[0] = data[0] * 1.5f;
}`,
    },
  ],
  checkFile({ facts }, report) {
    const told = new Set<string>();
    for (const { place, use } of facts.doubleLiterals) {
      const { unit, span } = place;
      if (use !== "vector" && usesDoubles(unit)) continue;
      const macro = unit.view.origin(span).macro;
      const text = unit.view.text.slice(span.start, span.end);
      const name = macro === undefined ? text : macro.name;
      // A macro may contain several literals.
      const key = macro === undefined ? "" : placeKey(macro.invocation);
      if (key !== "" && told.has(key)) continue;
      told.add(key);
      report({
        place,
        ...(use === "vector" ? { severity: "warning" } : {}),
        message: `${messages[use](name)}; write ${suggested(name, macro !== undefined)}`,
        fixes: () => (macro === undefined ? [suffix(place, text)] : []),
      });
    }
  },
};

const messages: Readonly<Record<DoubleLiteralFact["use"], (name: string) => string>> = {
  operand: (name) => `'${name}' makes this operation double-precision`,
  vector: (name) => `'${name}' is a double, too wide a scalar for a vector of floats`,
  cast: (name) => `'${name}' is a double, which devices may lack, before it becomes a float`,
};

function suffix(place: Place, text: string): RuleFix {
  return { title: "Add the suffix 'f'", edits: [{ place, text: `${text}f` }], safety: "suggestion" };
}

/** The macros of doubles that have twins of floats (OpenCL C 3.0 §6.15.2.1, table 11). */
const doubleConstants = /^M_(?:E|LOG2E|LOG10E|LN2|LN10|PI|PI_2|PI_4|1_PI|2_PI|2_SQRTPI|SQRT2|SQRT1_2)$/;

function suggested(name: string, isMacro: boolean): string {
  if (!isMacro) return `'${name}f'`;
  return doubleConstants.test(name) ? `'${name}_F'` : "'f' behind its literals";
}

/** True if the program uses doubles by itself, or a pragma enables them. */
function usesDoubles(unit: Unit): boolean {
  return unitsOfFile(unit).some((own) => unitsIn(own).some(hasDoubles));
}

const hasDoubles = memo(({ uri, view }: Unit): boolean => !uri.startsWith("builtin:") && /\bdouble\d*\b|\bcl_khr_fp64\b/.test(view.text));
