/**
 * A lambda with `__device__` in a function whose type or address nvcc could not use in the code that it generates, or a form of lambda that
 * it does not extend. What such a lambda captures is judged by `device-lambda-capture`.
 */
import { isHostCode } from "../../analyses/device-code.ts";
import { isCuda } from "../../analyses/memory-spaces.ts";
import type { Facts } from "../../semantics/facts/facts.ts";
import { constructorsOf } from "../../semantics/symbols/candidates.ts";
import { contains } from "../../semantics/types/places.ts";
import type { FunctionSymbol } from "../../semantics/types/symbols.ts";
import { hasWord } from "../../syntax/walk.ts";
import type { Rule, RuleFinding } from "../rule.ts";

/** Reports lambdas with `__device__` where nvcc does not allow them. */
export const extendedLambdaPlacement: Rule = {
  id: "extended-lambda-placement",
  title: "a device lambda is written in a function that does not allow it, or in a form that is not supported",
  severity: "error",
  languages: ["cuda"],
  judgesHostSide: true,
  clause: "CUDA C++ Programming Guide, extended lambda restrictions: the enclosing function, generic lambdas, constexpr",
  documentation: `
A lambda with \`__device__\` in host code is an *extended* lambda. nvcc generates code outside of all functions that names the function
around it and takes its address. So it rejects such a lambda

- in a **private or protected** member function, even if it is used in that function alone;
- in a **constructor** or a **destructor**, whose address cannot be taken;
- in a member function of a **local class**;
- in a function whose **return type is deduced**.

A lambda for both sides cannot be generic (\`auto\` parameters), and no extended lambda can be \`constexpr\`. Templates are rejected even if
nothing instantiates them. Lambdas in device code are ordinary lambdas, and clang, HIP's compiler, has none of these restrictions.

**What to do**: make the function public, or move the lambda into a public function that this one calls; write the return type. A class can
do its work in a function that the constructor calls.`,
  limits: "Functions whose head or class contains an unknown macro, and classes nested in a private part of another, are left out.",
  examples: [
    {
      language: "cuda",
      bad: `template <class F> __global__ void run(F f) { f(threadIdx.x); }
class Solver {
  void clear(float *data) {
    run<<<1, 32>>>([=] __device__(int i) { data[i] = 0; }); // <-
  }
};`,
      good: `template <class F> __global__ void run(F f) { f(threadIdx.x); }
class Solver {
public:
  void clear(float *data) {
    run<<<1, 32>>>([=] __device__(int i) { data[i] = 0; });
  }
};`,
    },
  ],
  check({ facts, dialect }, report) {
    if (!isCuda(dialect)) return;
    for (const { on, word, function: declaration } of facts.words) {
      const lambda = on === "lambda" && word.text === "__device__" ? declaration?.owner : undefined;
      const finding = lambda === undefined ? undefined : problemOf(lambda, facts);
      if (finding !== undefined) report(finding);
    }
  },
};

function problemOf(symbol: FunctionSymbol, facts: Facts): RuleFinding | undefined {
  const { lambda, around, enclosing, declarations } = symbol;
  const [declaration] = declarations;
  if (lambda === undefined || declaration === undefined || around === undefined) return undefined;
  if (around.declarations.some(({ isUncertain }) => isUncertain) || !isHostCode({ within: around, lambda: enclosing })) return undefined;
  const place = declaration.namePlace;
  const form = formOf(symbol);
  if (form !== undefined) return { place, message: form };
  const where = placementOf(around, facts);
  const first = around.declarations[0];
  if (where === undefined || first === undefined) return undefined;
  return {
    place,
    message: `a device lambda cannot be written in ${where}`,
    related: [{ message: `'${around.name}' is declared here`, place: first.namePlace }],
  };
}

/** What is wrong with the lambda itself. */
function formOf({ lambda, declarations: [declaration], type }: FunctionSymbol): string | undefined {
  const words = declaration?.words ?? [];
  if (lambda?.trailingWords.some(({ text }) => text === "constexpr")) return "a device lambda cannot be constexpr";
  const isGeneric = (lambda?.templateParameters.length ?? 0) > 0 || type.parameters.some(({ kind }) => kind === "auto");
  return isGeneric && hasWord(words, "__host__") ? "a '__host__ __device__' lambda cannot be generic" : undefined;
}

/** The kind of function that cannot contain an extended lambda; undefined for any other. */
function placementOf(around: FunctionSymbol, facts: Facts): string | undefined {
  const { record, access, name, type } = around;
  const isRead = record === undefined || (record.hasUnreadText !== true && !record.isIncomplete);
  if (!isRead) return undefined;
  if (record !== undefined && (constructorsOf(record).includes(around) || name.startsWith("~")))
    return `a ${name.startsWith("~") ? "destructor" : "constructor"}, whose address cannot be taken`;
  if (access !== undefined) return `the ${access} function '${name}'`;
  if (record?.access !== undefined) return `'${name}', a function of the ${record.access} class '${record.tag ?? ""}'`;
  if (record !== undefined && isLocal(around, facts)) return `'${name}', a function of a local class`;
  return type.result.kind === "auto" ? `'${name}', whose return type is deduced` : undefined;
}

/** True for a member function of a class in a function. */
function isLocal(symbol: FunctionSymbol, { functions }: Facts): boolean {
  return symbol.declarations.some((own) =>
    functions.some(
      (each) =>
        each !== symbol &&
        each.lambda === undefined &&
        each.declarations.some(({ isDefinition, place }) => isDefinition && contains(place, own.place)),
    ),
  );
}
