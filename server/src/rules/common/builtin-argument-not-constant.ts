/** A builtin function of clang gets a value that is known only at run time for an argument that becomes a part of the instruction. */
import { symbolAt } from "../../analyses/fact-index.ts";
import { isCuda } from "../../analyses/memory-spaces.ts";
import type { CallFact, Facts } from "../../semantics/facts/facts.ts";
import type { Place, VariableSymbol } from "../../semantics/types/symbols.ts";
import { containsUnknown, referred } from "../../semantics/types/types.ts";
import type { Expression } from "../../syntax/ast.ts";
import { hasWord } from "../../syntax/walk.ts";
import { immediatesOf, isOfAmdGpu } from "../findings/builtin-immediates.ts";
import type { Rule } from "../rule.ts";

/** Reports arguments of builtin functions that have to be integer constants, but use a variable. */
export const builtinArgumentNotConstant: Rule = {
  id: "builtin-argument-not-constant",
  title: "an argument of a builtin function has to be a constant, but is known only at run time",
  severity: "error",
  languages: ["opencl", "cuda"],
  clause:
    "clang, language extensions: arguments of builtin functions that have to be integer constant expressions; LLVM, user guide of the AMDGPU backend: immediate arguments of intrinsics",
  documentation: `
Many of clang's builtin functions for AMD GPUs stand for one instruction, and some of their arguments are a part of it: the pattern of
\`__builtin_amdgcn_ds_swizzle\`, the control word of \`__builtin_amdgcn_update_dpp\`, the counters of \`__builtin_amdgcn_s_waitcnt\`, the
broadcast of \`__builtin_amdgcn_mfma_*\`. These arguments have to be integer constants: literals, enumerators, \`constexpr\` variables,
template arguments. A parameter is none, even if every caller passes a literal and the function is inlined. The same holds for the hints of
\`__builtin_prefetch\` and the alignment of \`__builtin_assume_aligned\`, except under nvcc.

**What to do**: make the parameter a template parameter in HIP, a macro's in OpenCL, or choose with \`switch\` among calls with literals.`,
  limits: "A 'const' variable is left out, because it may have a constant value, and so are values that functions return.",
  examples: [
    {
      language: "cuda",
      bad: `__device__ int exchanged(int value, int pattern) {
  return __builtin_amdgcn_ds_swizzle(value, pattern); // <-
}`,
      good: `template <int pattern> __device__ int exchanged(int value) {
  return __builtin_amdgcn_ds_swizzle(value, pattern);
}`,
    },
    {
      language: "opencl",
      bad: `void wait(int cycles) {
  __builtin_amdgcn_s_sleep(cycles); // <-
}`,
      good: `void wait(void) {
  __builtin_amdgcn_s_sleep(8);
}`,
    },
  ],
  check({ facts, dialect }, report) {
    for (const call of facts.calls) {
      const positions = call.callee === undefined || call.callee.isBuiltin ? immediatesOf(call.name, call.arguments.length) : undefined;
      if (positions === undefined || (isCuda(dialect) && !isOfAmdGpu(call.name))) continue;
      for (const position of positions) {
        const variable = variableIn(call.arguments[position], facts);
        const place = call.arguments[position]?.place;
        if (variable === undefined || place === undefined) continue;
        report({
          place,
          message: `argument ${position + 1} of '${call.name}' has to be a constant, but '${variable.name}' is not one`,
          related: [{ message: `'${variable.name}' is declared here`, place: variable.place }],
        });
      }
    }
  },
};

/** A variable that gives an argument its value at run time; undefined if the argument is constant, or if that is uncertain. */
function variableIn(argument: CallFact["arguments"][number] | undefined, facts: Facts): VariableSymbol | undefined {
  if (argument === undefined || argument.value !== undefined || containsUnknown(argument.type)) return undefined;
  const variables = variablesOf(argument.expression, argument.place, facts);
  return variables?.find(isOpen);
}

/** The variables that certainly contribute to a value; undefined if something else does, or may decide that they do not. */
function variablesOf(e: Expression, { unit }: Place, facts: Facts): readonly VariableSymbol[] | undefined {
  const of = (inner: Expression) => variablesOf(inner, { unit, span: inner.span }, facts);
  switch (e.kind) {
    case "number":
    case "character":
    case "boolean":
      return [];
    case "parenthesized":
      return of(e.inner);
    case "unary":
      return e.operator === "&" || e.operator === "&&" ? undefined : of(e.operand);
    case "cast":
    case "named-cast":
      return of(e.operand);
    case "binary": {
      if (["&&", "||", ",", "and", "or"].includes(e.operator)) return undefined;
      const [left, right] = [of(e.left), of(e.right)];
      return left === undefined || right === undefined ? undefined : [...left, ...right];
    }
    case "name": {
      const part = e.name.parts.at(-1);
      const symbol = part === undefined ? undefined : symbolAt(facts, { unit, start: part.span.start });
      return symbol?.kind === "variable" && !containsUnknown(symbol.type) ? [symbol] : undefined;
    }
    default:
      return undefined;
  }
}

/** True for a variable that no constant expression can read. */
function isOpen({ type, scope, words }: VariableSymbol): boolean {
  if (hasWord(words, "constexpr")) return false;
  return scope === "parameter" || !referred(type).qualifiers.const;
}
