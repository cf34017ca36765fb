/**
 * A lambda with `__device__` in a function whose type or address nvcc could not use in the code that it generates, or a form of lambda that
 * it does not extend. What such a lambda captures is judged by `device-lambda-capture`.
 */
import { isHostCode, isUndecided } from "../../analyses/device-code.ts";
import { functionsAround } from "../../analyses/fact-index.ts";
import type { TextOf } from "../../analyses/host/declared-heads.ts";
import { isCuda } from "../../analyses/memory-spaces.ts";
import type { Facts } from "../../semantics/facts/facts.ts";
import { constructorsOf } from "../../semantics/symbols/candidates.ts";
import { contains } from "../../semantics/types/places.ts";
import type { EnumSymbol, FunctionDeclaration, FunctionSymbol, RecordSymbol } from "../../semantics/types/symbols.ts";
import { hasWord } from "../../syntax/walk.ts";
import { mayBeExtended, unnamableAmong } from "../findings/unnamable-types.ts";
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
- in a function whose **return type is deduced**;
- in a template with a **type argument** that is local to a function or private: code outside cannot name it either. A device lambda may be
  an argument.

A lambda for both sides cannot be generic (\`auto\` parameters), and no extended lambda can be \`constexpr\`. Other templates are rejected even if
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
  checkFile({ facts, dialect, file }, report) {
    if (!isCuda(dialect)) return;
    for (const finding of inInstances(facts, file.textOf)) report(finding);
  },
};

/** Device lambdas in templates that have an argument which the code outside of the template cannot name, each once. */
function* inInstances(facts: Facts, textOf: TextOf): Generator<RuleFinding> {
  const isLocal = (type: RecordSymbol | EnumSymbol) => isLocalType(type, facts, textOf);
  for (const [template, lambdas] of lambdasByFunction(facts)) {
    const wrong = facts.instantiations
      .filter((each) => each.template === template && !isUndecided(each.place, facts))
      .map(({ arguments: values = [], place }) => ({ place, type: unnamableAmong(values, isLocal) }))
      .find(({ type }) => type !== undefined);
    if (wrong?.type === undefined) continue;
    const { tag, access } = wrong.type;
    const what = tag === undefined ? "a lambda of the host" : `'${tag}', which is ${access ?? "local to a function"}`;
    for (const { namePlace } of lambdas)
      yield {
        place: namePlace,
        message: `a device lambda cannot be written in '${template.name}' with the argument ${what}`,
        related: [{ message: `'${template.name}' is instantiated here`, place: wrong.place }],
      };
  }
}

/** The device lambdas of host code in each template, except those in branches that an instance may discard. */
function lambdasByFunction(facts: Facts): ReadonlyMap<FunctionSymbol, readonly FunctionDeclaration[]> {
  const found = new Map<FunctionSymbol, FunctionDeclaration[]>();
  for (const { on, word, function: declaration } of facts.words) {
    const around = declaration?.owner.around;
    if (on !== "lambda" || word.text !== "__device__" || declaration === undefined || around?.isTemplate !== true) continue;
    if (!isHostCode({ within: around, lambda: declaration.owner.enclosing }) || isUndecided(declaration.namePlace, facts)) continue;
    found.set(around, [...(found.get(around) ?? []), declaration]);
  }
  return found;
}

/** True for a class or an enumeration in a function, and for a lambda there that is not for the device. */
function isLocalType(type: RecordSymbol | EnumSymbol, facts: Facts, textOf: TextOf): boolean {
  const closure = type.kind === "record" ? type.closure : undefined;
  if (closure === undefined) return type.place !== undefined && functionsAround(facts, type.place).length > 0;
  return closure.around !== undefined && !mayBeExtended(closure, textOf);
}

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
