/**
 * A pointer conversion that drops `const`, `volatile` or `restrict` of the pointee: an implicit one, or a cast through which
 * something is written.
 */
import { executionOf } from "../../analyses/device-code.ts";
import { effectsOf } from "../../analyses/effects.ts";
import { conversionsTo, variableOf } from "../../analyses/fact-index.ts";
import { isConstantMemory } from "../../analyses/memory-spaces.ts";
import { type ConstReceiver, dropsConst, usesOfCast } from "../../analyses/writes/const-casts.ts";
import type { ConversionFact, Facts, NoMatchFact } from "../../semantics/facts/facts.ts";
import { contains } from "../../semantics/types/places.ts";
import { referredType } from "../../semantics/types/predicates.ts";
import { type FunctionSymbol, isSamePlace, type VariableSymbol } from "../../semantics/types/symbols.ts";
import { printType } from "../../semantics/types/types.ts";
import { spanKey } from "../../source.ts";
import { linkedEffects, type Question } from "../../summary/passed-objects.ts";
import { addedQualifiers, describeConversion, levelOf } from "../findings/conversions.ts";
import { declaredTarget, instantiationRelated } from "../findings/related.ts";
import { nameObject } from "../findings/written-objects.ts";
import { addLostQualifiers } from "../fixes/pointee-qualifiers.ts";
import { isGridConstant, isStringLiteral } from "../predicates.ts";
import type { Rule, RuleFinding } from "../rule.ts";

/** Reports conversions that drop const, volatile or restrict of the pointee. */
export const qualifierDiscarded: Rule = {
  id: "qualifier-discarded",
  title: "a conversion drops const, volatile or restrict of the pointee",
  severity: "warning",
  languages: ["opencl", "cuda"],
  judgesHostSide: true,
  clause: "C11 §6.5.16.1p1: the pointed-to type of the left operand must have all the qualifiers of the right one's; C++17 §7.5",
  documentation: `
A pointer to \`const\` may only be converted to a pointer to \`const\`: otherwise read-only data could be written through the new
pointer. In OpenCL \`const\` matters twice, because devices load \`const global\` buffers through read-only caches. If a
\`volatile\` is lost, the compiler may cache a value that other work-items change. Compilers accept the conversion in C with a
warning; in C++ for OpenCL it is an error.

\`static_cast\` and \`reinterpret_cast\` may not drop a qualifier. A C-style cast may drop \`const\`, and no compiler complains.
Writes through the result, directly or through the variable or function that receives the pointer, are reported all the same: the
buffer may be in a read-only cache.

In the text of a template, a result of \`return\`, an argument of \`new T(…)\` or of a constructor that depends on no template argument is a
**warning** in CUDA: clang rejects it, nvcc says nothing until something instantiates the template, and then it is an error.

A string literal that host code of a CUDA file gives to a \`char *\` is a hint, once for each declaration.

**What to do**: add the qualifier to the declaration that receives the pointer. A cast hides the warning, not the mistake.`,
  limits:
    "Writes through the result of a cast are followed through local variables and functions of the workspace, not through memory. Where a variable may hold another pointer as well, a write under a condition is not reported.",
  fixSafety:
    "Safe if a local pointer gets the qualifier of its initializer; a suggestion if a parameter gets it. If the function writes through its parameter, the suggestion removes const from the pointer that is passed. `restrict` is never added.",
  examples: [
    {
      language: "opencl",
      bad: `void clear(global int *p) { *p = 0; }
kernel void reset(const global int *data) {
  clear((data)); // <-
}`,
      good: `void clear(global int *p) { *p = 0; }
kernel void reset(global int *data) {
  clear(data);
}`,
    },
    {
      language: "opencl",
      bad: `kernel void first(const global int *data, global int *out) {
  global int *p = data; // <-
  out[0] = *p;
}`,
      good: `kernel void first(const global int *data, global int *out) {
  const global int *p = data;
  out[0] = *p;
}`,
      fixed: `kernel void first(const global int *data, global int *out) {
  const global int *p = data;
  out[0] = *p;
}`,
    },
  ],
  checkFile({ facts }, report) {
    const reported = new Set<string>();
    for (const finding of facts.conversions.filter(dropsConst).flatMap((fact) => [...castFindings(fact, facts)])) {
      const key = spanKey(finding.place);
      if (!reported.has(key)) report(finding);
      reported.add(key);
    }
    for (const fact of literalsOfHost(facts)) if (fact.verdict.kind === "discards-qualifiers") report(literalFinding(fact, fact.verdict));
  },
  check({ facts }, report) {
    for (const fact of facts.conversions) {
      // Of the casts, all named ones except `const_cast` must keep the qualifiers too (C++17 §8.2.11).
      if (
        fact.verdict.kind === "discards-qualifiers" &&
        !isLiteralOfHost(fact) &&
        (fact.context !== "cast" || fact.cast === "static_cast" || fact.cast === "reinterpret_cast")
      )
        report(findingOf(fact, fact.verdict));
    }
    for (const fact of facts.noMatches) for (const finding of rejectedArguments(fact)) report(finding);
  },
  asks: ({ facts }) =>
    facts.conversions.filter(dropsConst).flatMap((fact) =>
      usesOfCast(fact, facts)
        .receivers.flatMap(receiverOf)
        .filter(({ callee, index }) => effectsOf(facts).reached(callee, index).length === 0)
        .map(({ callee, index, name, place }): Question => ({ object: "", declaration: fact.place, callee, index, name, argument: place })),
    ),
  link(summaries, report, effects) {
    for (const { question, effect } of linkedEffects(qualifierDiscarded.id, summaries, effects)) {
      if (effect.kind !== "write") continue;
      const { argument, name, declaration } = question;
      const related = [
        { message: "it is written here", location: effect.location },
        { message: "this cast drops const", location: declaration },
      ];
      report({ location: argument, message: `'${name}' writes through a cast that dropped const`, related });
    }
  },
};

/** True for a string literal that becomes a `char *` outside of device code, an old habit of host code that C++ forbids. */
function isLiteralOfHost({ context, operand, target, within, lambda, verdict }: ConversionFact): boolean {
  if (context === "cast" || verdict.kind !== "discards-qualifiers" || verdict.isError || !isStringLiteral(operand)) return false;
  return lambda === undefined && (within === undefined ? variableOf(target)?.memorySpace === "host" : isHostOnly(within));
}

function isHostOnly(symbol: FunctionSymbol): boolean {
  const { kernel, device, host } = executionOf(symbol);
  return host && !device && !kernel;
}

/** The first such literal for each declaration that it initializes, or is assigned or passed to. */
function literalsOfHost({ conversions }: Facts): readonly ConversionFact[] {
  const seen = new Set<ConversionFact["target"]>();
  return conversions.filter((fact) => {
    if (!isLiteralOfHost(fact)) return false;
    const target = variableOf(fact.target) ?? fact.target;
    if (target !== undefined && seen.has(target)) return false;
    seen.add(target);
    return true;
  });
}

function literalFinding(fact: ConversionFact, verdict: Extract<ConversionFact["verdict"], { kind: "discards-qualifiers" }>): RuleFinding {
  return { ...findingOf(fact, verdict), severity: "hint" };
}

/** Reports writes through the cast pointer: directly, through the variable that holds it, or in a function that it is passed to. */
function* castFindings(fact: ConversionFact, facts: Facts): Generator<RuleFinding> {
  if (isConstByItself(fact.path?.root, facts)) return;
  const related = [{ message: "this cast drops const", place: fact.place }];
  const { writes, builtinWrites, receivers } = usesOfCast(fact, facts);
  for (const place of writes) yield { place, message: `${nameObject(place)} is written through a cast that dropped const`, related };
  // The rules about read-only variables report these writes themselves.
  const root = fact.path?.root;
  for (const place of root !== undefined && (isGridConstant(root) || isConstantMemory(root)) ? [] : builtinWrites)
    yield { place, message: `the function writes through ${nameObject(place)}, where a cast dropped const`, related };
  for (const { callee, index, place } of receivers.flatMap(receiverOf)) {
    const write = effectsOf(facts)
      .reached(callee, index)
      .find((effect) => effect.kind === "write" && !effect.type.qualifiers.const);
    if (write === undefined) continue;
    const isCast = isSamePlace(place, fact.place);
    const message = isCast
      ? "this cast drops const, and the function writes through the pointer"
      : `'${callee.name}' writes through a cast that dropped const`;
    yield { place, message, related: [{ message: "it is written here", place: write.place }, ...(isCast ? [] : related)] };
  }
}

function receiverOf({
  call: { callee, name },
  index,
  place,
}: ConstReceiver): readonly (Pick<ConstReceiver, "index" | "place"> & { readonly callee: FunctionSymbol; readonly name: string })[] {
  return callee === undefined ? [] : [{ callee, name, index, place }];
}

/**
 * True for a local pointer to const that is only initialized from pointers to non-const, so that const comes from the function
 * itself.
 */
function isConstByItself(pointer: VariableSymbol | undefined, facts: Facts): boolean {
  if (pointer?.scope !== "block" || pointer.type.kind !== "pointer") return false;
  const addsConst = ({ from, to }: ConversionFact) =>
    to.kind === "pointer" && to.pointee.qualifiers.const && from.kind === "pointer" && !from.pointee.qualifiers.const;
  const sources = conversionsTo(facts, pointer).filter(({ context }) => context === "initialize" || context === "assign");
  return (
    sources.length > 0 &&
    sources.every(
      (source) =>
        addsConst(source) ||
        facts.conversions.some((cast) => cast.context === "cast" && addsConst(cast) && contains(source.operandPlace, cast.place)),
    )
  );
}

/** Explains why no overload accepts the arguments: `atomicAdd` and `atomic_inc` modify the pointee. */
function rejectedArguments(fact: NoMatchFact): readonly RuleFinding[] {
  const { name, candidates, place: at, arguments: values, contradiction } = fact;
  if (contradiction !== undefined) {
    const [first, second] = contradiction.types.map(printType);
    const declared = candidates[0]?.declarations[0]?.namePlace;
    return [
      {
        place: at,
        message: `the arguments of '${name}' make '${contradiction.parameter}' both '${first}' and '${second}'`,
        severity: "error",
        related: declared === undefined ? [] : [{ message: `'${name}' is declared here`, place: declared }],
      },
    ];
  }
  return values.flatMap(({ type, place, rejectedBy }): readonly RuleFinding[] => {
    if (rejectedBy === undefined) return [];
    const { qualifiers } = type.kind === "pointer" && rejectedBy.kind === "pointer" ? type.pointee : type;
    const kept = referredType(rejectedBy).qualifiers;
    const lost = (["const", "volatile"] as const).filter((word) => qualifiers[word] && !kept[word]).join(" and ");
    const what = lost === "" ? "changes the qualifiers" : `drops ${lost}`;
    const message = `passing '${printType(type)}' to '${printType(rejectedBy)}' ${what}`;
    return [{ place, severity: "error", message, related: instantiationRelated(fact) }];
  });
}

function nestedLevel(fact: ConversionFact): string {
  const level = levelOf(fact, (a, b) => a.const !== b.const || a.volatile !== b.volatile || a.restrict !== b.restrict);
  return level ?? "of a nested pointer";
}

function findingOf(fact: ConversionFact, verdict: Extract<ConversionFact["verdict"], { kind: "discards-qualifiers" }>): RuleFinding {
  const { lost, isNested, isError } = verdict;
  const what = lost.length === 0 ? addedQualifiers(fact) : `drops ${lost.join(" and ")}`;
  return {
    place: fact.operandPlace,
    message: `${describeConversion(fact)} ${what}${isNested ? ` ${nestedLevel(fact)}` : ""}`,
    severity: isError && fact.isOverlooked !== true ? "error" : "warning",
    related: [...declaredTarget(fact), ...instantiationRelated(fact)],
    fixes: (facts) => (isNested || fact.instantiation !== undefined ? [] : addLostQualifiers(fact, lost, facts)),
  };
}
