/**
 * Host code that calls a function of the device, or takes its address: what the host gets is the address of a stub, which neither side can
 * call. `host-function-in-device-code` judges the other direction.
 */
import { compiledForHost, executionAt } from "../../analyses/device-code.ts";
import { callsAt, functionsNamed, symbolAt } from "../../analyses/fact-index.ts";
import { mayHideSpecifier } from "../../analyses/host/declared-heads.ts";
import { declarationsWithTemplates, isDeclaredAs, isDeviceFunction, mayLackOverloads } from "../../analyses/host/functions.ts";
import { isUnchecked } from "../../analyses/host/unchecked.ts";
import { isSurelyHost, isSurelyHostForNvcc } from "../../analyses/host-code.ts";
import { isOfOnePass } from "../../analyses/memory-spaces.ts";
import { embeddedMark } from "../../names.ts";
import type { CallArgument, CallFact, SideCallFact } from "../../semantics/facts/facts.ts";
import type { FunctionSymbol, Place } from "../../semantics/types/symbols.ts";
import type { Expression } from "../../syntax/ast.ts";
import { instantiationRelated, writtenRelated } from "../findings/related.ts";
import { reportSideCalls, type SideJudge } from "../findings/side-calls.ts";
import { makeHostFunction } from "../fixes/execution-spaces.ts";
import type { Rule, RuleFinding } from "../rule.ts";

/** Reports host code that calls a `__device__` function or takes its address. */
export const deviceFunctionInHostCode: Rule = {
  id: "device-function-in-host-code",
  title: "host code calls a `__device__` function, or takes its address",
  severity: "error",
  languages: ["cuda"],
  judgesHostSide: true,
  clause:
    "CUDA C++ Programming Guide, execution space specifiers: a __device__ function is executed on the device and callable from the device only; function pointers: the address of a __device__ function taken in host code cannot be used in device code",
  documentation: `
A function with \`__device__\` alone is compiled for the device only, and a function of the host cannot call it: an **error**, in
\`__host__ __device__\` functions too, whose version for the host would call nothing that exists. (clang, and therefore HIP, rejects it there if
the host uses the function.) The same holds for CUDA's own functions, such as \`__syncthreads\`, \`atomicAdd\` and \`__sinf\`. In an
instantiated template nvcc says nothing, and the program ends where it calls the function: a *warning*.

Its **address** is another one on each side. What the host stores and gives to a kernel is that of a stub: the kernel that calls it stops
with a misaligned or an illegal address, and nvcc reports nothing.

\`\`\`cpp
__device__ float twice(float x);
run<<<1, 1>>>(twice, out);   // not the function on the device
\`\`\`

**What to do**: declare the function as \`__host__ __device__\`, or call it in a kernel. To give a kernel a function, make it a template argument
(\`run<twice><<<1, 1>>>(out)\`), pass an object with a \`__device__\` call operator, or copy the pointer out of a \`__device__\` variable with
\`cudaMemcpyFromSymbol\`.`,
  limits:
    "Functions of which another declaration or overload is for the host, and functions whose specifiers may come from an unread header or macro are left out; so are CUDA's own functions in a file whose headers are missing, and calls in templates that are not instantiated.",
  fixSafety: "The fix is a suggestion, because it compiles the function's body for the host as well.",
  examples: [
    {
      language: "cuda",
      bad: `__device__ float twice(float x) { return 2 * x; }
float onHost(float x) { return twice(x); } // <-`,
      good: `__host__ __device__ float twice(float x) { return 2 * x; }
float onHost(float x) { return twice(x); }`,
    },
    {
      language: "cuda",
      bad: `__device__ float twice(float x) { return 2 * x; }
__global__ void run(float (*f)(float), float *out) { *out = f(1); }
void start(float *out) { run<<<1, 1>>>(twice, out); } // <-`,
      good: `__device__ float twice(float x) { return 2 * x; }
template <float (*f)(float)> __global__ void run(float *out) { *out = f(1); }
void start(float *out) { run<twice><<<1, 1>>>(out); }`,
    },
  ],
  checkFile({ facts, dialect, file }, report) {
    // NVRTC compiles no host code.
    if (dialect.language !== "cuda" || dialect.runtime !== undefined || file.uri.includes(embeddedMark)) return;
    const judge = { facts, dialect, file };
    reportSideCalls(facts.deviceCalls, judge, findingOfCall, report);
    for (const finding of addressFindings(judge)) report(finding);
  },
};

// ---------------------------------------------------------------- calls

function findingOfCall(call: SideCallFact, judge: SideJudge): RuleFinding | undefined {
  const { callee, place, as, whole } = call;
  if (isOfOnePass(place) || !isCertainlyForDevice(callee, judge)) return undefined;
  // Code that is compiled without CUDA, too, brings functions of these names for the host.
  if (callee.isBuiltin && mayLackOverloads(place.unit)) return undefined;
  const severity = severityOf(call, judge);
  if (severity === undefined) return undefined;
  const what =
    as === "call" || as === "operator"
      ? `'${callee.name}'`
      : `the ${as === "conversion" ? "conversion function" : as} of '${callee.record?.tag}'`;
  const isConstexpr = isDeclaredAs(callee, "constexpr") && !judge.dialect.hip;
  return {
    place,
    ...(severity === "error" ? {} : { severity }),
    message: isConstexpr
      ? `${what} is for the device: calls on the host need --expt-relaxed-constexpr`
      : whole !== undefined
        ? `a '${whole.tag}' contains a '${callee.record?.tag}', whose ${as} is a device function: host code cannot call it`
        : `${what} is a device function: host code cannot call it`,
    related: [...declared(callee), ...writtenRelated(call), ...instantiationRelated(call)],
    fixes: (facts) => (callee.isBuiltin ? [] : makeHostFunction(callee, facts)),
  };
}

function severityOf(call: SideCallFact, { facts, dialect, file }: SideJudge): "error" | "warning" | undefined {
  const { callee, within, lambda, instantiation, isOverlooked } = call;
  const { device, host } = executionAt(call);
  if (within === undefined && lambda === undefined) return isSurelyHost(call, facts) ? (dialect.hip ? "error" : "warning") : undefined;
  if (!host || within === undefined || isUnchecked(call, file.textOf)) return undefined;
  const isConstexpr = isDeclaredAs(callee, "constexpr");
  if (isConstexpr && dialect.relaxesConstexpr === true) return undefined;
  // The version for the host of such a function may be unused, which clang and nvcc accept in templates.
  if (device && (lambda !== undefined || instantiation !== undefined)) return undefined;
  if (device && dialect.hip) return compiledForHost(facts).has(within) ? "error" : undefined;
  const isHost = device || (dialect.hip ? isSurelyHost(call, facts) : isSurelyHostForNvcc(call, facts));
  if (!isHost || within.declarations.some((each) => mayHideSpecifier(each, file.textOf))) return undefined;
  if (instantiation !== undefined || (isOverlooked === true && !dialect.hip)) return "warning";
  return isConstexpr && !dialect.hip && dialect.isRelocatableKnown !== true ? "warning" : "error";
}

/** True for a function that has no version for the host, as far as anything shows. */
function isCertainlyForDevice(callee: FunctionSymbol, { facts, file }: SideJudge): boolean {
  if (!isDeviceFunction(callee)) return false;
  const others = functionsNamed(facts, callee.name).filter((each) => each.qualifiedName === callee.qualifiedName);
  if (!others.every((each) => isDeviceFunction(each) || each.record !== callee.record || isGenerated(each))) return false;
  return !declarationsWithTemplates(callee).some((each) => mayHideSpecifier(each, file.textOf));
}

/** True for a function that the compiler writes, or that is deleted: it runs wherever it can. */
function isGenerated({ declarations }: FunctionSymbol): boolean {
  return declarations.every(({ special }) => special === "default" || special === "delete");
}

function declared({ name, declarations, isBuiltin }: FunctionSymbol): NonNullable<RuleFinding["related"]> {
  if (isBuiltin) return [];
  return declarations.slice(0, 1).map(({ namePlace }) => ({ message: `'${name}' is declared here, for the device`, place: namePlace }));
}

// ---------------------------------------------------------------- addresses

/** The addresses of functions that host code gives to a launch, or stores in a variable of its own. */
function* addressFindings(judge: SideJudge): Generator<RuleFinding> {
  const { facts } = judge;
  const isHost = (site: Parameters<typeof isSurelyHost>[0] & { readonly place: Place }) =>
    !isOfOnePass(site.place) && isSurelyHostForNvcc(site, facts);
  for (const call of facts.calls) {
    const values = givenFunctions(call);
    if (values.length === 0 || !isHost(call)) continue;
    for (const { expression, place } of values) yield* findingOfValue(expression, place, "gives", judge);
  }
  for (const { variable } of facts.variables) {
    const { initializer, scope, place, owner, lambda } = variable;
    if (scope !== "block" || initializer?.kind !== "value" || variable.memorySpace !== undefined || isConstant(variable)) continue;
    if (!isFunctionValue(initializer.value) || !isHost({ within: owner, lambda, place })) continue;
    yield* findingOfValue(initializer.value, place, "stores", judge);
  }
  for (const access of facts.accesses) {
    const { mode, assignment, path, place } = access;
    if (mode !== "write" || assignment === undefined || !isFunctionValue(assignment.value)) continue;
    if (path.root?.memorySpace === undefined && isHost(access)) yield* findingOfValue(assignment.value, place, "stores", judge);
  }
}

/** A constant may be folded on both sides. */
function isConstant({ words }: { readonly words: readonly { readonly text: string }[] }): boolean {
  return words.some(({ text }) => text === "constexpr" || text === "static");
}

/** The arguments that a kernel gets, or a function of the host whose parameter is a pointer to a function. */
function givenFunctions({ launch, name, arguments: values }: CallFact): readonly CallArgument[] {
  const given =
    launch !== undefined ? values : name === "hipLaunchKernelGGL" ? values.slice(5) : name === "cudaLaunchKernelEx" ? values.slice(2) : [];
  return given.filter(({ expression }) => isFunctionValue(expression));
}

/** True for an expression that may be a function: `f`, `&f`, or a list with one. */
function isFunctionValue(e: Expression): boolean {
  return functionNames(e).length > 0;
}

function functionNames(e: Expression): readonly Extract<Expression, { kind: "name" }>[] {
  if (e.kind === "name") return [e];
  if (e.kind === "parenthesized") return functionNames(e.inner);
  if (e.kind === "unary") return e.operator === "&" ? functionNames(e.operand) : [];
  return e.kind === "list" ? e.elements.flatMap(({ value }) => functionNames(value)) : [];
}

function* findingOfValue(e: Expression, { unit }: Place, does: "gives" | "stores", judge: SideJudge): Generator<RuleFinding> {
  for (const { name, span } of functionNames(e)) {
    const last = name.parts.at(-1);
    const symbol = last === undefined ? undefined : symbolAt(judge.facts, { unit, start: last.span.start });
    if (symbol?.kind !== "function" || callsAt(judge.facts, { unit, span }).length > 0 || !isCertainlyForDevice(symbol, judge)) continue;
    yield {
      place: { unit, span },
      // clang rejects every name of such a function in host code.
      ...(judge.dialect.hip ? {} : { severity: "warning" as const }),
      message:
        does === "gives"
          ? `the kernel gets the host's address of '${symbol.name}', not the device's`
          : `this is the host's address of '${symbol.name}', not the one on the device`,
      related: declared(symbol),
    };
  }
}
