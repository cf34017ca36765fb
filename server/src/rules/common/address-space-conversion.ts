/** An implicit conversion (initialization, assignment, argument, return) between pointers into disjoint address spaces. */
import { conversionsFrom, conversionsTo, variableOf } from "../../analyses/fact-index.ts";
import { isCuda } from "../../analyses/memory-spaces.ts";
import { spaceMismatch } from "../../analyses/overload-spaces.ts";
import { pointedSpace } from "../../analyses/pointers/pointer-flow.ts";
import type { Dialect } from "../../dialect.ts";
import { enumerated } from "../../lists.ts";
import type { ConversionFact, Facts, NoMatchFact } from "../../semantics/facts/facts.ts";
import type { ParameterDeclaration, VariableSymbol } from "../../semantics/types/symbols.ts";
import { printType, type Type } from "../../semantics/types/types.ts";
import { describeConversion } from "../findings/conversions.ts";
import { declaredTarget, instantiationRelated } from "../findings/related.ts";
import { pointerInstead } from "../fixes/array-parameters.ts";
import { dropsConst, qualifyTarget } from "../fixes/pointer-qualification.ts";
import { printPointer, spaceWordsOf } from "../fixes/spaces.ts";
import { isStringLiteral } from "../predicates.ts";
import type { Rule, RuleFinding, RuleFix } from "../rule.ts";

/** Reports implicit conversions of a pointer into one address space to a pointer into a disjoint one. */
export const addressSpaceConversion: Rule = {
  id: "address-space-conversion",
  title: "a pointer is initialized, assigned, passed or returned as a pointer into a disjoint address space",
  severity: "error",
  languages: ["opencl", "cuda"],
  clause:
    "OpenCL C 3.0 §6.7.9, 2.0 §6.5.5, 1.2 §6.5: a pointer to address space A can only be assigned to a pointer to the same address space A or to generic",
  documentation: `
A pointer to address space A converts only to a pointer to A, or (OpenCL C 2.0, and 3.0 with the generic address space) to a
\`__generic\` pointer if A is not \`__constant\`. The reverse, generic to named, needs a cast and knowledge of the actual target.

A pointer without an address space points to *private* memory in OpenCL C 1.x and 3.0 without generic address space. So a
helper \`float first(float *p)\` cannot take a \`__global\` pointer there, although it can in 2.0; and no unqualified
parameter ever takes a \`__constant\` one.

In CUDA pointers have no address space, except where clang's \`__attribute__((address_space(3)))\` gives them one. nvcc ignores the
attribute; clang converts such a pointer to one without a space, but not back, and not to another number. There it is a warning.

**What to do**: qualify the declaration that receives the pointer. A helper that is called with several spaces needs one
version for each, or the generic address space.`,
  limits:
    "A call is judged only if it is certain which function it calls. For overloaded functions an argument is reported only if nothing but its address space keeps it from matching.",
  fixSafety:
    "Safe if a local pointer gets the space of its initializer. A suggestion if a parameter gets it, because the alternative is an overload for each space. The fix is offered only if no use of the pointer becomes wrong; it also edits other files of the workspace that declare or call the function.",
  examples: [
    {
      language: "opencl",
      bad: `void store(local float *p) { *p = 0.0f; }
kernel void clear(global float *out) {
  store(out); // <-
}`,
      good: `void store(global float *p) { *p = 0.0f; }
kernel void clear(global float *out) {
  store(out);
}`,
    },
    {
      language: "opencl",
      bad: `kernel void clear(global float *out) {
  local float *p = out; // <-
  p[0] = 0.0f;
}`,
      good: `kernel void clear(global float *out) {
  global float *p = out;
  p[0] = 0.0f;
}`,
      fixed: `kernel void clear(global float *out) {
  global float *p = out;
  p[0] = 0.0f;
}`,
    },
  ],
  check({ facts, dialect }, report) {
    for (const fact of dialect.language === "opencl" ? facts.noMatches : []) {
      const finding = overloadFinding(fact, dialect);
      if (finding !== undefined) report(finding);
    }
    for (const fact of facts.conversions) {
      const { verdict } = fact;
      if (
        fact.context !== "cast" &&
        variableOf(fact.target)?.owner?.isBuiltin !== true &&
        verdict.kind === "changes-address-space" &&
        !verdict.isNested &&
        !isStringLiteral(fact.operand)
      )
        // nvcc ignores numbered address spaces, and only clang compiles HIP.
        report(isCuda(dialect) ? { ...findingOf(fact, dialect), severity: "warning", fixes: () => [] } : findingOf(fact, dialect));
    }
  },
};

/** The finding for a call that no overload accepts, if an address space is the only reason. */
function overloadFinding(fact: NoMatchFact, dialect: Dialect): RuleFinding | undefined {
  if (fact.candidates.some(({ isBuiltin }) => isBuiltin) || fact.contradiction !== undefined) return undefined;
  if (fact.isDeduction === true) {
    const types = fact.arguments.map(({ type }) => printArgument(type));
    return {
      place: fact.place,
      message: `no '${fact.name}' accepts ${enumerated(types, "and")}: its parameters are in other address spaces`,
      related: declaredHere(fact),
    };
  }
  if (fact.isSubstitution === true)
    return {
      place: fact.place,
      message: `no instance of '${fact.name}' accepts these arguments: its parameters are in another address space`,
      related: declaredHere(fact),
    };
  const index = spaceMismatch(fact, dialect)?.index;
  const argument = index === undefined ? undefined : fact.arguments[index];
  if (index === undefined || argument === undefined) return undefined;
  return {
    place: fact.place,
    message: `no '${fact.name}' accepts ${printArgument(argument.type)} as argument ${index + 1}: its parameter is in another address space`,
    related: declaredHere(fact),
  };
}

/** The type of an argument in quotes; that of a pointer with the address space that it points to. */
function printArgument(type: Type): string {
  return `'${type.qualifiers.space === undefined ? printPointer(type) : printType(type)}'`;
}

function declaredHere({ candidates, name }: NoMatchFact): NonNullable<RuleFinding["related"]> {
  const place = candidates[0]?.declarations[0]?.namePlace;
  return place === undefined ? [] : [{ message: `'${name}' is declared here`, place }];
}

function findingOf(fact: ConversionFact, dialect: Dialect): RuleFinding {
  // Only array parameters differ between standards with generic memory and those without, so nothing else asks for that.
  const isGeneric = arrayParameter(fact) !== undefined && dialect.language === "opencl" && dialect.genericAddressSpace;
  return {
    place: fact.operandPlace,
    message: messageOf(fact),
    related: [...declaredTarget(fact), ...instantiationRelated(fact)],
    fixes: (facts) => [...qualifyTarget(fact, facts), ...(isGeneric ? asPointer(fact, facts) : [])],
  };
}

function messageOf(fact: ConversionFact): string {
  const { from, to } = fact;
  if (to.kind === "reference" && from.qualifiers.space === undefined && from.kind !== "array")
    return `a reference to ${to.referent.qualifiers.space ?? "such"} memory cannot be bound to a temporary`;
  const array = arrayParameter(fact);
  if (array !== undefined && array.symbol.name !== "")
    return `'${array.symbol.name}' is an array parameter, so it points to private memory, not to ${pointedSpace(from) ?? "this"} memory`;
  return `${describeConversion(fact)} changes the address space`;
}

/** The parameter that receives the pointer, if it is written as an array without an address space: `int data[16]`. */
function arrayParameter({ context, target, to }: ConversionFact): ParameterDeclaration | undefined {
  if (context !== "pass" || target === undefined || !("writtenType" in target) || target.writtenType.kind !== "array") return undefined;
  const isPrivate = to.kind === "pointer" && to.pointee.qualifiers.space === "private";
  return isPrivate && spaceWordsOf(target.words).length === 0 ? target : undefined;
}

/** Where the standard has generic memory, a pointer without an address space accepts what an array parameter rejects. */
function asPointer(fact: ConversionFact, facts: Facts): readonly RuleFix[] {
  const array = arrayParameter(fact);
  const { owner, index, name } = array?.symbol ?? {};
  if (array === undefined || owner === undefined || index === undefined || name === undefined || name === "") return [];
  const symbols = owner.declarations.flatMap(({ parameters }) => parameters[index]?.symbol ?? []);
  const staysPrivate = ({ to }: ConversionFact) => to.kind !== "pointer" || to.pointee.qualifiers.space !== "generic";
  const isConstant = ({ from }: ConversionFact) => pointedSpace(from) === "constant";
  const isInUse = (each: VariableSymbol) => conversionsFrom(facts, each).some(staysPrivate) || conversionsTo(facts, each).some(isConstant);
  if (isConstant(fact) || dropsConst(fact) || symbols.some(isInUse)) return [];
  const edits = owner.declarations.map(({ parameters }) =>
    parameters[index] === undefined ? undefined : pointerInstead(parameters[index]),
  );
  return edits.every((edit) => edit !== undefined)
    ? [{ title: `Declare '${name}' as a pointer to generic memory`, edits, safety: "suggestion" }]
    : [];
}
