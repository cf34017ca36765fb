/**
 * The type arguments of a kernel template. nvcc launches a kernel through a function that it generates outside of all functions and
 * classes, and compiles the kernel for the device, where the code of a host function does not exist. What a device lambda captures is
 * judged by `device-lambda-capture`.
 */
import { executionOf, isHostOnly, isUndecided } from "../../analyses/device-code.ts";
import { accessesInLambda, functionsAround } from "../../analyses/fact-index.ts";
import { passedFunctionObjects } from "../../analyses/host/algorithms.ts";
import { mayHideSpecifier, type TextOf } from "../../analyses/host/declared-heads.ts";
import { declarationsWithTemplates } from "../../analyses/host/functions.ts";
import { isCertain, isCuda } from "../../analyses/memory-spaces.ts";
import type { Facts, InstantiationFact } from "../../semantics/facts/facts.ts";
import type { EnumSymbol, FunctionSymbol, Place, RecordSymbol } from "../../semantics/types/symbols.ts";
import type { TemplateValue } from "../../semantics/types/types.ts";
import { hasWord } from "../../syntax/walk.ts";
import { referenceCaptured } from "../findings/reference-captures.ts";
import { mayBeExtended, unnamableAmong } from "../findings/unnamable-types.ts";
import type { Rule, RuleFinding } from "../rule.ts";

/** Reports kernel templates whose arguments are types that only host code knows. */
export const kernelTypeArgument: Rule = {
  id: "kernel-type-argument",
  title: "a kernel template's argument is a type that only host code knows",
  severity: "error",
  languages: ["cuda"],
  clause:
    "CUDA C++ Programming Guide, __global__ function template arguments: no types that are local to a host function, private or protected, or those of lambdas that are not extended",
  documentation: `
nvcc compiles a kernel apart from the host code that launches it, and launches it by a function outside of all functions and classes. So a
kernel template cannot have a type argument that is, or contains, the type of

- a **lambda** without \`__device__\` that is written in host code: its body exists on the host alone;
- a class or an enumeration that is **local** to a host function;
- a **private or protected** class or enumeration of a class, also by another name for it.

That holds for the function objects of Thrust's and CUB's algorithms on the device, too, which become arguments of kernel templates in these
libraries. It holds wherever the template is named, not only at a launch, and whether or not the kernel uses an object of the type. Types that are
local to device code or to a \`__host__ __device__\` function are allowed. clang, and therefore HIP, accepts all of these types.

**What to do**: write \`[=] __device__ (…) { … }\` and compile with \`--extended-lambda\`; move the class out of the function, or make it public.`,
  limits:
    "A lambda whose capture by reference is reported is left out. Unnamed classes, arguments that are not known, and lambdas whose specifiers may come from an unread macro are left out. So are calls of the libraries' algorithms in templates, and programs that name `THRUST_DEVICE_SYSTEM`.",
  examples: [
    {
      language: "cuda",
      bad: `template <class F> __global__ void run(F f, float *data) { f(data[threadIdx.x]); }
void clear(float *data) {
  run<<<1, 32>>>([](float &x) { x = 0; }, data); // <-
}`,
      good: `template <class F> __global__ void run(F f, float *data) { f(data[threadIdx.x]); }
void clear(float *data) {
  run<<<1, 32>>>([] __device__(float &x) { x = 0; }, data);
}`,
    },
  ],
  checkFile({ facts, dialect, file }, report) {
    if (!isCuda(dialect) || dialect.runtime !== undefined) return;
    for (const instantiation of facts.instantiations) {
      if (!executionOf(instantiation.template).kernel || isUndecided(instantiation.place, facts)) continue;
      const finding = findingOf(instantiation, facts, file.textOf);
      if (finding !== undefined) report(finding);
    }
    if (file.compiledFor() !== "device") return;
    for (const { call, argument, side } of passedFunctionObjects(facts, dialect, file.textOf)) {
      if (side === "host") continue;
      const finding = argumentFinding(call.name, [argument.type], argument.place, facts, file.textOf);
      if (finding !== undefined) report(finding);
    }
  },
};

function findingOf({ template, arguments: values = [], place }: InstantiationFact, facts: Facts, textOf: TextOf): RuleFinding | undefined {
  return argumentFinding(template.name, values, place, facts, textOf);
}

/** What is wrong with the type arguments of a kernel, or of a library's function that makes them those of a kernel. */
function argumentFinding(
  template: string,
  values: readonly TemplateValue[],
  place: Place,
  facts: Facts,
  textOf: TextOf,
): RuleFinding | undefined {
  const type = unnamableAmong(values, (each) => isOfHost(each, facts, textOf));
  if (type?.place === undefined) return undefined;
  if (type.kind === "record" && type.closure !== undefined) {
    if (isReportedForCapture(type.closure, facts)) return undefined;
    return {
      place,
      message: `the lambda that '${template}' gets is for the host: a kernel's needs '__device__'`,
      related: [{ message: "the lambda is written here", place: type.place }],
    };
  }
  const name = type.tag ?? "";
  return {
    place,
    message: `'${template}' cannot have '${name}' as a type argument: it is ${type.access ?? "local to a host function"}`,
    related: [{ message: `'${name}' is declared here`, place: type.place }],
  };
}

/** True for a launched lambda of which `device-lambda-capture` reports a capture: one finding is enough. */
function isReportedForCapture(lambda: FunctionSymbol, facts: Facts): boolean {
  return lambda.isLaunched === true && accessesInLambda(facts, lambda).length > 0 && referenceCaptured(facts, true, lambda) !== undefined;
}

/** True for the type of a lambda of the host, and for one that is local to a host function. */
function isOfHost(type: RecordSymbol | EnumSymbol, facts: Facts, textOf: TextOf): boolean {
  if (type.kind === "record" && type.closure !== undefined) {
    const { around, enclosing } = type.closure;
    return (
      !mayBeExtended(type.closure, textOf) &&
      (around === undefined || (isHostOnly({ within: around, lambda: enclosing }) && isKnown(around, textOf)))
    );
  }
  const around = type.place === undefined ? [] : functionsAround(facts, type.place);
  const isInDeviceLambda = around.some(
    ({ lambda, declarations }) => lambda !== undefined && hasWord(declarations[0]?.words ?? [], "__device__"),
  );
  return !isInDeviceLambda && around.some((each) => each.lambda === undefined && isHostOnly({ within: each }) && isKnown(each, textOf));
}

/** True if it is certain where the function runs. */
function isKnown(symbol: FunctionSymbol, textOf: TextOf): boolean {
  return isCertain(symbol) && !mayHideSpecifier(declarationsWithTemplates(symbol), textOf);
}
