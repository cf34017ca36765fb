/** One pointer is passed for two `restrict` parameters, and the function writes through one of them. */
import { effectsOf } from "../../analyses/effects.ts";
import { accessesTo, callsWithin } from "../../analyses/fact-index.ts";
import type { Unit } from "../../preprocess/view/view.ts";
import { textOf } from "../../semantics/facts/context.ts";
import type { CallArgument, CallFact, Facts } from "../../semantics/facts/facts.ts";
import type { FunctionSymbol, ParameterDeclaration, Place, VariableSymbol } from "../../semantics/types/symbols.ts";
import { wordPattern } from "../../words.ts";
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
    "Only the same variable or member as both arguments is reported, or two local pointers that are initialized alike and never change; not other pointers that lead to one buffer, nor different offsets into it. The function's body must be in the file.",
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
    const earlier = call.arguments.findIndex((other) => isSamePointer(other, argument, facts));
    const partner = parameters[earlier];
    if (earlier >= index || partner === undefined || !isRestrict(partner)) continue;
    const written = writeThrough(callee, earlier, partner, own, facts) ?? writeThrough(callee, index, own, partner, facts);
    if (written === undefined) continue;
    const [first, second] = [call.arguments[earlier], argument].map((each) => (each === undefined ? "" : textOf(each.place)));
    return {
      place: argument.place,
      message:
        first === second
          ? `'${second}' is passed to two 'restrict' parameters, and '${written.name}' is written`
          : `'${first}' and '${second}' are one pointer for two 'restrict' parameters, and '${written.name}' is written`,
      related: [{ message: `'${written.name}' is written here`, place: written.place }],
    };
  }
  return undefined;
}

/** The first write through a parameter, if the function accesses memory through the other one too. */
function writeThrough(callee: FunctionSymbol, index: number, own: ParameterDeclaration, other: ParameterDeclaration, facts: Facts) {
  const place = writtenBy(callee, index, own, facts);
  return place === undefined || !isAccessed(callee, other, facts) ? undefined : { name: own.symbol.name, place };
}

/** How many functions and kernels a pointer is followed through. */
const mostCalls = 4;

/** Where a function, or a kernel that it launches, writes through a parameter. */
function writtenBy(
  callee: FunctionSymbol,
  index: number,
  { symbol }: ParameterDeclaration,
  facts: Facts,
  depth = mostCalls,
): Place | undefined {
  const write = effectsOf(facts)
    .reached(callee, index)
    .find(({ kind }) => kind === "write");
  if (write !== undefined || depth === 0) return write?.place;
  for (const next of passedOn(callee, symbol, facts)) {
    const place = writtenBy(next.callee, next.index, next.parameter, facts, depth - 1);
    if (place !== undefined) return place;
  }
  return undefined;
}

/** True if a function, or one to which it passes the parameter, accesses memory through it. */
function isAccessed(callee: FunctionSymbol, { symbol }: ParameterDeclaration, facts: Facts, depth = mostCalls): boolean {
  const isDirect = accessesTo(facts, symbol).some(
    // A function that takes an element by reference reads or writes it.
    ({ mode, path }) => path.steps.length > 0 && mode !== "address",
  );
  if (isDirect || depth === 0) return isDirect;
  return passedOn(callee, symbol, facts).some((next) => isAccessed(next.callee, next.parameter, facts, depth - 1));
}

/** The functions and kernels to which a function passes its parameter, and the parameters that receive it. */
function passedOn(callee: FunctionSymbol, symbol: VariableSymbol, facts: Facts) {
  return callsWithin(facts, callee).flatMap(({ callee: next, arguments: values }) => {
    const parameters = next?.declarations.find(({ isDefinition }) => isDefinition)?.parameters ?? [];
    return values.flatMap(({ path }, index) => {
      const parameter = parameters[index];
      const isPassed = path?.root === symbol && path.steps.length === 0;
      return next === undefined || parameter === undefined || !isPassed ? [] : [{ callee: next, index, parameter }];
    });
  });
}

function isRestrict({ symbol: { type } }: ParameterDeclaration): boolean {
  return type.kind === "pointer" && type.qualifiers.restrict;
}

/** True for a variable or a member of one, which has the same value in all arguments of a call. */
function isPlainPointer({ type, path, place }: CallArgument): boolean {
  return (type.kind === "pointer" || type.kind === "array") && path?.root !== undefined && /^\w+(?:(?:\.|->)\w+)*$/.test(textOf(place));
}

function isSamePointer(a: CallArgument, b: CallArgument, facts: Facts): boolean {
  if (a.path?.root !== undefined && a.path.root === b.path?.root && textOf(a.place) === textOf(b.place)) return true;
  const [one, other] = [originOf(a, facts), originOf(b, facts)];
  if (one === undefined || other?.text !== one.text || other.unit !== one.unit) return false;
  // Nothing between the two may change what the text means.
  const between = one.unit.view.text.slice(Math.min(one.end, other.end), Math.max(one.start, other.start));
  return (one.text.match(/\w+/g) ?? []).every((word) => !wordPattern(word).test(between));
}

interface Origin {
  readonly text: string;
  readonly unit: Unit;
  readonly start: number;
  readonly end: number;
}

/** A pointer, or what a container or a smart pointer says about its memory. */
const steady = /^\w+(?:(?:\.|->)\w+)*(?:(?:\.|->)(?:data|get)\(\))?$/;

/** What a local pointer is initialized with, if it never changes. */
function originOf({ path, place }: CallArgument, facts: Facts): Origin | undefined {
  const variable = path?.root;
  if (variable === undefined || variable.scope !== "block" || textOf(place) !== variable.name || variable.initializer?.kind !== "value")
    return undefined;
  const changes = accessesTo(facts, variable).some(({ mode, path: { steps } }) => mode !== "read" && steps.length === 0);
  const { unit } = variable.place;
  const { span } = variable.initializer.value;
  const text = unit.view.text.slice(span.start, span.end);
  return changes || !steady.test(text) ? undefined : { text, unit, ...span };
}
