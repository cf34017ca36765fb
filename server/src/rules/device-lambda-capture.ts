/** A lambda that runs on the device captures a local variable of the host by reference. */
import type { AccessFact, Facts } from "../semantics/facts.ts";
import type { FunctionSymbol, VariableSymbol } from "../semantics/symbols.ts";
import type { Rule } from "./rule.ts";
import { isHostCode, isHostOnly } from "./shared/device-code.ts";

export const deviceLambdaCapture: Rule = {
  id: "device-lambda-capture",
  title: "a device lambda captures a host variable by reference",
  severity: "error",
  languages: ["cuda"],
  clause: "CUDA C++ Programming Guide, extended lambda restrictions: an extended lambda cannot capture variables by reference",
  documentation: `
A \`__device__\` lambda that is written in a host function runs on the device, while the local variables around it live on the
host's stack. A reference to them would be a host address. nvcc rejects \`[&]\` as soon as a local variable is used, and
\`[&x]\` always. A lambda in device code may refer to what is around it.

**What to do**: capture by value (\`[=]\`, \`[x]\`); to give results back, capture a pointer to device or managed memory.`,
  examples: [
    {
      language: "cuda",
      bad: `template <class F> __global__ void run(F f) { f(threadIdx.x); }
void scale(float *data, float by) {
  run<<<1, 32>>>([&] __device__(int i) { data[i] *= by; }); // <-
}`,
      good: `template <class F> __global__ void run(F f) { f(threadIdx.x); }
void scale(float *data, float by) {
  run<<<1, 32>>>([=] __device__(int i) { data[i] *= by; });
}`,
    },
  ],
  check({ facts }, report) {
    for (const { on, word, function: declaration } of facts.words) {
      const lambda = declaration?.owner;
      if (
        on !== "lambda" ||
        word.text !== "__device__" ||
        declaration === undefined ||
        lambda?.lambda === undefined ||
        !isInHostCode(lambda)
      )
        continue;
      const captured = lambda.lambda.captures.find(({ isReference }) => isReference);
      const used = captured === undefined && lambda.lambda.captureDefault === "&" ? usedLocal(facts, lambda) : undefined;
      const name = captured?.name ?? used?.name;
      if (name === undefined) continue;
      const span = captured === undefined ? declaration.namePlace.span : captured.span;
      report({
        place: { unit: declaration.place.unit, span },
        message: `a device lambda captures '${name}' by reference; it lives on the host's stack`,
        related: used === undefined ? [] : [{ message: `'${name}' is declared here`, place: used.place }],
      });
    }
  },
};

/** In device code any lambda is one of C++'s: what it refers to lives on the device as well. */
function isInHostCode({ around, enclosing }: FunctionSymbol): boolean {
  return around?.declarations.some(({ isUncertain }) => isUncertain) !== true && isHostCode({ within: around, lambda: enclosing });
}

/** A local variable from around the lambda that its body uses. */
function usedLocal({ accesses }: Facts, lambda: FunctionSymbol): VariableSymbol | undefined {
  return accesses.find((access) => isIn(access, lambda) && isLocalOutside(access, lambda))?.path.root;
}

function isIn({ lambda }: AccessFact, searched: FunctionSymbol): boolean {
  for (let current = lambda; current !== undefined; current = current.enclosing) if (current === searched) return true;
  return false;
}

function isLocalOutside({ path, within }: AccessFact, lambda: FunctionSymbol): boolean {
  const { root } = path;
  if (root === undefined || within === undefined || root.owner !== within || !isHostOnly({ within })) return false;
  if (root.scope === "parameter") return true;
  return (
    root.scope === "block" &&
    root.lambda !== lambda &&
    !root.words.some(({ text }) => text === "static" || text === "constexpr" || text === "extern")
  );
}
