/**
 * A lambda that runs on the device and captures a local variable of the host by reference, or the `this` pointer of a host object, or
 * has a capture that nvcc does not support.
 */
import { compiledCode, isHostCode, isHostOnly } from "../../analyses/device-code.ts";
import { accessesInLambda, callsInLambda, enclosingLambdas, symbolAt } from "../../analyses/fact-index.ts";
import { isCuda } from "../../analyses/memory-spaces.ts";
import type { Facts } from "../../semantics/facts/facts.ts";
import { type FunctionSymbol, isDeclaredWith, type Place } from "../../semantics/types/symbols.ts";
import { referred } from "../../semantics/types/types.ts";
import { encloses } from "../../spans.ts";
import type { Expression } from "../../syntax/ast.ts";
import { hasWord, lastPart } from "../../syntax/walk.ts";
import { wronglyTypedCaptures } from "../findings/captured-types.ts";
import { firstCaptures } from "../findings/first-captures.ts";
import { referenceCaptured } from "../findings/reference-captures.ts";
import type { PlacedEdit, Rule, RuleFinding, RuleFix } from "../rule.ts";

/** Reports device lambdas that capture a host variable by reference. */
export const deviceLambdaCapture: Rule = {
  id: "device-lambda-capture",
  title: "a device lambda captures a host variable by reference, or in a way that is not supported",
  severity: "error",
  languages: ["cuda"],
  judgesHostSide: true,
  clause: "CUDA C++ Programming Guide, extended lambda restrictions: an extended lambda cannot capture variables by reference",
  documentation: `
A \`__device__\` lambda that is written in a host function runs on the device, while the local variables around it live on the
host's stack. A reference to them would be a host address. nvcc always rejects \`[&]\` and \`[&x]\`, clang only if a variable is
captured by reference. The same holds for a lambda that is passed to a launch, which HIP's compiler accepts silently. A lambda in
device code may refer to the variables around it.

In a member function \`[=]\` and \`[this]\` capture the pointer to the object, not the object: on the device that pointer is valid
only if the object is in memory that both sides can access. This is a **warning**.

nvcc also rejects captures that it cannot copy to the device: an array or a list in an initializer (\`[y = array]\`, \`[y = {1, 2}]\`; \`[array]\` is fine),
elements of a parameter pack, any initializer in a \`__host__ __device__\` lambda, a variable whose type is local to the function or a private
or protected member of a class, and an array with more than seven dimensions. A variable that \`[=]\` captures must be used outside of
\`if constexpr\` first.

**What to do**: capture by value (\`[=]\`, \`[x]\`); to return results, capture a pointer to device or managed memory. Capture a copy of an object: \`[*this]\`, or \`[step = step]\` for a single member.`,
  fixSafety: "Capturing a copy of the object is a suggestion: the lambda then sees the object as it was when the lambda was made.",
  limits:
    "Lambdas that come from unknown macros are not judged. A lambda without specifiers is judged if it is passed to a kernel, also through functions of this file.",
  examples: [
    {
      language: "cuda",
      bad: `template <class F> __global__ void run(F f) { f(threadIdx.x); }
struct Solver {
  float step;
  void advance(float *data) {
    run<<<1, 32>>>([=] __device__(int i) { data[i] += step; }); // <-
  }
};`,
      good: `template <class F> __global__ void run(F f) { f(threadIdx.x); }
struct Solver {
  float step;
  void advance(float *data) {
    run<<<1, 32>>>([data, step = step] __device__(int i) { data[i] += step; });
  }
};`,
    },
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
  check({ facts, dialect }, report) {
    for (const lambda of deviceLambdas(facts)) {
      if (!isInHostCode(lambda) || (!isCuda(dialect) && mayStayOnHost(facts, lambda))) continue;
      const finding = referenceCaptured(facts, isCuda(dialect), lambda);
      if (finding !== undefined) report(finding);
      else if (isCuda(dialect)) {
        const problems = unsupportedCaptures(facts, lambda);
        const further = () => [...wronglyTypedCaptures(facts, lambda), ...firstCaptures(facts, lambda)];
        for (const problem of problems.length > 0 || !isMarked(lambda) ? problems : further()) report(problem);
      }
      const use = isHostOnly({ within: lambda.around, lambda: lambda.enclosing }) ? useOfThis(facts, lambda) : undefined;
      if (use !== undefined)
        report({
          place: use.place,
          severity: "warning",
          message: `'${use.name}' is used through the captured 'this', a pointer to a host object`,
          fixes: (all) => captureCopy(lambda, all),
        });
    }
  },
};

function isMarked({ declarations: [declaration] }: FunctionSymbol): boolean {
  return declaration !== undefined && hasWord(declaration.words, "__device__");
}

/** The lambdas with a device specifier, and those that are passed to a kernel at its launch. */
function deviceLambdas({ words, accesses, calls }: Facts): ReadonlySet<FunctionSymbol> {
  const marked = words
    .filter(({ on, word }) => on === "lambda" && word.text === "__device__")
    .flatMap(({ function: declaration }) => declaration?.owner ?? []);
  const used = [...accesses, ...calls].flatMap(({ lambda }) => enclosingLambdas(lambda)).filter(({ isLaunched }) => isLaunched === true);
  return new Set([...marked, ...used].filter(({ lambda }) => lambda !== undefined));
}

/**
 * True if no launch takes the lambda, and it is for both sides or nothing uses it. HIP's compiler judges such a lambda only where it
 * compiles it for the device.
 */
function mayStayOnHost(facts: Facts, callee: FunctionSymbol): boolean {
  const { isLaunched, lambda } = callee;
  if (isLaunched === true || lambda === undefined) return false;
  return !compiledCode(facts).lambdas.has(lambda) || isDeclaredWith(callee, "__host__");
}

/**
 * Captures by value that nvcc does not support in an extended lambda: an array or a list in an initializer, any initializer in a lambda for both
 * sides, and an element of a parameter pack. It rejects them in templates that nothing instantiates as well.
 */
function unsupportedCaptures(facts: Facts, { lambda, around, declarations: [declaration] }: FunctionSymbol): readonly RuleFinding[] {
  if (lambda === undefined || declaration === undefined || !hasWord(declaration.words, "__device__")) return [];
  const { unit } = declaration.place;
  const isForBoth = hasWord(declaration.words, "__host__");
  const packs = around?.declarations.flatMap(({ parameters }) => parameters.filter(({ symbol }) => symbol.isPack === true)) ?? [];
  const inCaptures = lambda.captures.flatMap(({ name, initializer, span }): readonly RuleFinding[] => {
    const place = { unit, span };
    if (initializer !== undefined && isForBoth)
      return [{ place, message: `a '__host__ __device__' lambda cannot initialize its capture '${name}'` }];
    if (initializer?.kind === "list" && initializer.elements.length > 1)
      return [{ place, message: `a device lambda cannot initialize the capture '${name}' with a list` }];
    if (initializer !== undefined)
      return isArray(facts, unit, initializer)
        ? [{ place, message: `a device lambda cannot initialize the capture '${name}' with an array` }]
        : [];
    return packs.some(({ symbol }) => symbol.name === name)
      ? [{ place, message: `a device lambda cannot capture the parameter pack '${name}'` }]
      : [];
  });
  if (inCaptures.length > 0 || lambda.captureDefault !== "=" || packs.length === 0) return inCaptures;
  const used = facts.references.find(
    ({ symbol, place }) =>
      place.unit === unit &&
      encloses(lambda.span, place.span) &&
      symbol.kind === "variable" &&
      packs.some((pack) => pack.symbol === symbol),
  );
  return used === undefined
    ? []
    : [{ place: used.place, message: `a device lambda cannot capture the parameter pack '${used.symbol.name}'` }];
}

/** True for the name of an array: a variable, or a member of the object. */
function isArray(facts: Facts, unit: Place["unit"], initializer: Expression): boolean {
  if (initializer.kind === "parenthesized") return isArray(facts, unit, initializer.inner);
  if (initializer.kind !== "name" && initializer.kind !== "member") return false;
  const part = lastPart(initializer.name);
  const symbol = part === undefined ? undefined : symbolAt(facts, { unit, start: part.span.start });
  return symbol?.kind === "variable" && referred(symbol.type).kind === "array" && symbol.scope !== "parameter";
}

/**
 * The fix that captures a copy of the object, for a device lambda that changes nothing in it: the copy is const in the lambda. nvcc
 * supports `*this` in lambdas for the device alone.
 */
function captureCopy({ lambda, declarations: [declaration], ...symbol }: FunctionSymbol, facts: Facts): readonly RuleFix[] {
  if (lambda === undefined || declaration === undefined || lambda.captureDefault === "&") return [];
  const {
    words,
    owner,
    namePlace: { unit },
  } = declaration;
  if (!hasWord(declaration.words, "__device__") || hasWord(words, "__host__") || symbol.enclosing !== undefined) return [];
  const changes = accessesInLambda(facts, owner).some(
    ({ mode, path }) => path.root === undefined && mode !== "read" && !path.steps.some(({ kind }) => kind === "dereference"),
  );
  const isChanging = callsInLambda(facts, owner).some(
    ({ object, callee }) => object?.path?.root === undefined && object !== undefined && !isConstFunction(callee),
  );
  if (changes || isChanging) return [];
  const own = lambda.captures.find(({ name }) => name === "this");
  const { text } = unit.view;
  const intro = /^\[\s*=/.exec(text.slice(lambda.span.start, lambda.span.start + 20));
  const start = lambda.span.start + (intro?.[0].length ?? 0);
  const edit: PlacedEdit | undefined =
    own !== undefined
      ? { place: { unit, span: own.span }, text: "*this" }
      : lambda.captureDefault === "=" && intro !== null
        ? { place: { unit, span: { start: start - 1, end: start } }, how: "after", text: ", *this" }
        : undefined;
  return edit === undefined ? [] : [{ title: "Capture a copy of the object", edits: [edit], safety: "suggestion" }];
}

function isConstFunction(callee: FunctionSymbol | undefined): boolean {
  if (callee === undefined) return false;
  return isDeclaredWith(callee, "static") || callee.declarations.every(({ declarator }) => hasWord(declarator.words, "const"));
}

interface Use {
  readonly name: string;
  readonly place: Place;
}

/** The members that a lambda accesses through a captured `this`, rather than in a copy of the object (C++17 §8.1.5.2p10). */
function useOfThis(facts: Facts, lambda: FunctionSymbol): Use | undefined {
  const isPointer = (site: { readonly lambda?: FunctionSymbol }) =>
    !enclosingLambdas(site.lambda).some(({ lambda: each }) => each?.captures.some(({ name }) => name === "*this") === true);
  for (const { path, place, ...site } of accessesInLambda(facts, lambda)) {
    const [first] = path.steps;
    if (path.root === undefined && first?.kind === "member" && isPointer(site)) return { name: first.name, place };
  }
  const call = callsInLambda(facts, lambda).find(({ object, callee, ...site }) => {
    const isOfThis = object?.path !== undefined && object.path.root === undefined && object.path.steps.length === 0;
    return isOfThis && callee !== undefined && !isDeclaredWith(callee, "static") && isPointer(site);
  });
  return call === undefined ? undefined : { name: call.name, place: call.place };
}

/**
 * True if the lambda is in host code. In device code any lambda is an ordinary C++ lambda: the objects that it refers to are on the
 * device too.
 */
function isInHostCode({ around, enclosing }: FunctionSymbol): boolean {
  return around?.declarations.some(({ isUncertain }) => isUncertain) !== true && isHostCode({ within: around, lambda: enclosing });
}
