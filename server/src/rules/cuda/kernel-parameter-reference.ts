/** Kernel parameters of reference type. */
import { leavesObject } from "../../analyses/access-paths.ts";
import { callsOf } from "../../analyses/fact-index.ts";
import { gridConstantWord } from "../../analyses/grid-constants.ts";
import { isCuda } from "../../analyses/memory-spaces.ts";
import type { Facts } from "../../semantics/facts/facts.ts";
import type { FunctionSymbol, ParameterDeclaration, Place } from "../../semantics/types/symbols.ts";
import type { Type } from "../../semantics/types/types.ts";
import type { Expression } from "../../syntax/ast.ts";
import type { Rule } from "../rule.ts";

/** Reports kernel parameters of reference type. */
export const kernelParameterReference: Rule = {
  id: "kernel-parameter-reference",
  title: "a kernel takes a parameter by reference",
  severity: "warning",
  languages: ["cuda"],
  clause:
    "CUDA C++ Programming Guide, C++ language support, functions, function parameters: __global__ function parameters cannot be pass-by-reference; a __global__ function cannot have a parameter of rvalue reference type",
  documentation: `
A launch copies the bytes of its arguments. For a reference, these are an address. If the launch passes an object of the host, it
compiles silently, and the kernel reads the host's memory, which fails on most systems, or an object that is gone by the time the
kernel runs. nvcc
rejects rvalue references only. In a template, \`T &&\` may be a reference to an lvalue as well as to an rvalue: it is not
reported.

**What to do**: take the object by value (\`const __grid_constant__\` where it is large), or a pointer to device memory.`,
  limits: "A forwarding reference of a template may be either kind, and is not reported.",
  examples: [
    {
      language: "cuda",
      bad: `struct Params { float scale; };
__global__ void run(const Params &params, float *out) { *out = params.scale; } // <-`,
      good: `struct Params { float scale; };
__global__ void run(const Params params, float *out) { *out = params.scale; }`,
    },
  ],
  scope: "file",
  check({ facts, dialect }, report) {
    if (dialect.language !== "cuda") return;
    for (const kernel of facts.functions) {
      const { declarations } = kernel;
      for (const { execution, parameters } of declarations) {
        if (!execution.kernel) continue;
        for (const parameter of parameters) {
          const { symbol, place, writtenType } = parameter;
          if (writtenType.kind !== "reference" || gridConstantWord(parameter) !== undefined || isForwarding(parameter, writtenType))
            continue;
          const what = symbol.name === "" ? "the parameter" : `'${symbol.name}'`;
          const given = symbol.index === undefined ? undefined : hostObject(kernel, symbol.index, facts);
          report({
            place,
            ...(writtenType.isRvalue && isCuda(dialect) ? { severity: "error" as const } : {}),
            message: `${what} is a reference: the kernel gets ${given === undefined ? "an address, not the object" : "the address of the host's object"}`,
            related: given === undefined ? [] : [{ message: "the launch passes an object of the host here", place: given }],
          });
        }
      }
    }
  },
};

/** The argument of a launch in this file that is a variable of the host, or a temporary value. */
function hostObject(kernel: FunctionSymbol, index: number, facts: Facts): Place | undefined {
  const launches = [kernel, ...kernel.specializations].flatMap((each) => callsOf(facts, each)).filter(({ launch }) => launch !== undefined);
  return launches
    .map((launch) => launch.arguments[index])
    .find((argument) => {
      const path = argument?.path;
      if (path?.root === undefined) return argument !== undefined && isTemporary(argument.expression);
      const { scope, memorySpace, type } = path.root;
      const isOfHost = scope === "block" || scope === "parameter" || memorySpace === "host";
      return isOfHost && type.kind !== "reference" && !leavesObject(path);
    })?.place;
}

function isTemporary(e: Expression): boolean {
  return e.kind === "number" || e.kind === "compound-literal" || e.kind === "construct";
}

/** True for `T &&` of a template, which may become an lvalue reference (C++17 §17.8.2.1p3). */
function isForwarding({ symbol }: ParameterDeclaration, type: Extract<Type, { kind: "reference" }>): boolean {
  return (
    type.isRvalue &&
    (type.referent.kind === "dependent" || type.referent.kind === "unknown" || type.referent.kind === "auto" || symbol.isPack === true)
  );
}
