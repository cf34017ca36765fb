/** One pointer is passed for two `restrict` parameters, and the function writes through one of them. */
import { effectsOf } from "../../analyses/effects.ts";
import { accessesTo } from "../../analyses/fact-index.ts";
import { textOf } from "../../semantics/facts/context.ts";
import type { CallArgument, CallFact, Facts } from "../../semantics/facts/facts.ts";
import type { FunctionSymbol, ParameterDeclaration } from "../../semantics/types/symbols.ts";
import type { Rule, RuleFinding } from "../rule.ts";

/** Reports calls and launches that pass one pointer for two restrict parameters, one of which is written. */
export const restrictAlias: Rule = {
  id: "restrict-alias",
  title: "one pointer is passed for two `restrict` parameters, and one of them is written",
  severity: "info",
  languages: ["cuda", "opencl"],
  clause:
    "C11 §6.7.3.1p4: an object that is modified is accessed only through the restrict pointer; CUDA C++ Programming Guide, __restrict__: the programmer asserts that the pointers are not aliased",
  documentation: `
\`restrict\` promises that what is written through one pointer is accessed through no other. The compiler then moves loads before stores, and
loads read-only data through a cache that does not see the stores. If both parameters are the same buffer, the behavior is undefined: often
it works until an optimization or another device changes it.

**What to do**: pass another buffer, or remove \`restrict\` from the parameters that may be the same.`,
  limits:
    "Only the same variable or member as both arguments is reported, not two pointers that lead to one buffer, nor different offsets into it. The function's body must be in the file.",
  examples: [
    {
      language: "cuda",
      bad: `__global__ void shift(const float *__restrict__ in, float *__restrict__ out) {
  out[threadIdx.x] = in[threadIdx.x + 1];
}
void run(float *data, float *other) {
  shift<<<1, 32>>>(data, data); // <-
}`,
      good: `__global__ void shift(const float *__restrict__ in, float *__restrict__ out) {
  out[threadIdx.x] = in[threadIdx.x + 1];
}
void run(float *data, float *other) {
  shift<<<1, 32>>>(data, other);
}`,
    },
  ],
  checkFile({ facts }, report) {
    for (const call of facts.calls) {
      const finding = findingOf(call, facts);
      if (finding !== undefined) report(finding);
    }
  },
};

function findingOf(call: CallFact, facts: Facts): RuleFinding | undefined {
  const { callee } = call;
  const parameters = callee?.declarations.find(({ isDefinition }) => isDefinition)?.parameters;
  if (callee === undefined || parameters === undefined || callee.isBuiltin === true) return undefined;
  for (const [index, argument] of call.arguments.entries()) {
    const own = parameters[index];
    if (own === undefined || !isRestrict(own) || !isPlainPointer(argument)) continue;
    const earlier = call.arguments.findIndex((other) => isSamePointer(other, argument));
    const partner = parameters[earlier];
    if (earlier >= index || partner === undefined || !isRestrict(partner)) continue;
    const written = writeThrough(callee, earlier, partner, own, facts) ?? writeThrough(callee, index, own, partner, facts);
    if (written === undefined) continue;
    return {
      place: argument.place,
      message: `'${textOf(argument.place)}' is passed to two 'restrict' parameters, and '${written.name}' is written`,
      related: [{ message: `'${written.name}' is written here`, place: written.place }],
    };
  }
  return undefined;
}

/** The first write through a parameter, if the function accesses memory through the other one too. */
function writeThrough(callee: FunctionSymbol, index: number, own: ParameterDeclaration, other: ParameterDeclaration, facts: Facts) {
  const write = effectsOf(facts)
    .reached(callee, index)
    .find(({ kind }) => kind === "write");
  const isUsed = accessesTo(facts, other.symbol).some(
    ({ mode, path }) => path.steps.length > 0 && (mode === "read" || mode === "write" || mode === "read-write"),
  );
  return write === undefined || !isUsed ? undefined : { name: own.symbol.name, place: write.place };
}

function isRestrict({ symbol: { type } }: ParameterDeclaration): boolean {
  return type.kind === "pointer" && type.qualifiers.restrict;
}

/** True for a variable or a member of one, which has the same value in all arguments of a call. */
function isPlainPointer({ type, path, place }: CallArgument): boolean {
  return (type.kind === "pointer" || type.kind === "array") && path?.root !== undefined && /^\w+(?:(?:\.|->)\w+)*$/.test(textOf(place));
}

function isSamePointer(a: CallArgument, b: CallArgument): boolean {
  return a.path?.root !== undefined && a.path.root === b.path?.root && textOf(a.place) === textOf(b.place);
}
