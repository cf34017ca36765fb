/**
 * Host code that calls a function of the device, or takes its address: what the host gets is the address of a stub, which neither side can
 * call. `host-function-in-device-code` judges the other direction.
 */
import { compiledForHost, executionAt, executionOf, isHostOnly } from "../../analyses/device-code.ts";
import { instantiationsOf, namesakesOf } from "../../analyses/fact-index.ts";
import { passedFunctionObjects } from "../../analyses/host/algorithms.ts";
import { isPlainElsewhere, mayHideSpecifier } from "../../analyses/host/declared-heads.ts";
import {
  declarationsWithTemplates,
  isDeclaredConstexpr,
  isDeviceFunction,
  mayBeDeclaredForHost,
  mayLackOverloads,
} from "../../analyses/host/functions.ts";
import { isUnchecked } from "../../analyses/host/unchecked.ts";
import { isSurelyHost, isSurelyHostForNvcc } from "../../analyses/host-code.ts";
import { conditionsAround } from "../../analyses/lane-guards.ts";
import { isCuda, isOfOnePass } from "../../analyses/memory-spaces.ts";
import { isHostSide } from "../../dialect.ts";
import { memo } from "../../memo.ts";
import { isEmbedded } from "../../names.ts";
import type { CallFact, Facts, SideCallFact } from "../../semantics/facts/facts.ts";
import { parameterTypes, takes } from "../../semantics/symbols/candidates.ts";
import { isConst } from "../../semantics/types/predicates.ts";
import type { FunctionSymbol, Place, VariableSymbol } from "../../semantics/types/symbols.ts";
import { encloses } from "../../spans.ts";
import { hasWord } from "../../syntax/walk.ts";
import { functionValues } from "../findings/function-values.ts";
import { isDecidedOnHost } from "../findings/host-reading.ts";
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
the host uses the function.) The same holds for CUDA's own functions, such as \`__syncthreads\`, \`atomicAdd\` and \`__sinf\`.

nvcc judges a call in a **template** that means the same function for all arguments, whether anything instantiates the template or not. It says
nothing about one that depends on the arguments, and the program ends where the host calls the function: a *warning* for the instantiation,
also in a \`__host__ __device__\` template that host code calls, if no condition may leave the call to the device. So it does in
an algorithm of the standard library, and in one of Thrust that runs on the host, which calls an object with a \`__device__\` call operator.

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
    "Functions of which another declaration or overload is for the host, and functions whose specifiers may come from an unread header or macro are left out; so are CUDA's own functions in a file whose headers are missing, calls that depend on the arguments of a template that is not instantiated, and headers that only sources for the host include. In a header that nothing is known to include, a specifier that is empty for other compilers makes it a warning.",
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
  checkFile({ facts, dialect, file }, found) {
    // NVRTC compiles no host code.
    if (dialect.language !== "cuda" || dialect.runtime !== undefined || isEmbedded(file.uri)) return;
    const judge = { facts, dialect, file };
    const report = (finding: RuleFinding): void => {
      if (file.compiledFor() !== "host") found(finding);
    };
    reportSideCalls(facts.deviceCalls, judge, findingOfCall, report);
    for (const finding of addressFindings(judge)) report(finding);
    for (const finding of algorithmFindings(judge)) report(finding);
  },
};

// ---------------------------------------------------------------- calls

function findingOfCall(call: SideCallFact, judge: SideJudge): RuleFinding | undefined {
  const { callee, place, as, whole } = call;
  if (isOfOnePass(place) || isJudgedForHost(call, judge) || !isCertainlyForDevice(callee, judge, call.count)) return undefined;
  // Code that is compiled without CUDA, too, brings functions of these names for the host.
  if (callee.isBuiltin && (mayLackOverloads(place.unit) || isDeclaredForHost(call, judge))) return undefined;
  const severity = severityOf(call, judge);
  if (severity === undefined) return undefined;
  const what = whatIsCalled(call);
  const isConstexpr = isDeclaredConstexpr(callee) && !judge.dialect.hip;
  return {
    place,
    ...(severity === "error" ? {} : { severity }),
    message: isConstexpr
      ? `${what} is for the device: calls on the host need --expt-relaxed-constexpr`
      : whole !== undefined
        ? `a '${whole.tag}' contains a '${callee.record?.tag}', whose ${as} is a device function: host code cannot call it`
        : `${what} is a device function: host code cannot call it`,
    related: [...declared(callee), ...writtenRelated(call), ...instantiationRelated(call)],
    fixes: (facts) => (callee.isBuiltin || callee.lambda !== undefined ? [] : makeHostFunction(callee, facts)),
  };
}

/** True if the compilation for the host decides. Only clang also reports the calls of host functions in the compilation for the device. */
function isJudgedForHost(call: SideCallFact, { dialect, file }: SideJudge): boolean {
  return isDecidedOnHost(call.place, dialect, file) && !(dialect.hip && !executionAt(call).device);
}

function isDeclaredForHost({ callee, place }: SideCallFact, { dialect, file }: SideJudge): boolean {
  return !isHostSide(dialect) && mayBeDeclaredForHost(callee.name, place.unit, file.textOf);
}

function whatIsCalled({ callee, as }: SideCallFact): string {
  if (callee.lambda !== undefined) return "this lambda";
  if (as === "call" || as === "operator") return `'${callee.name}'`;
  return `the ${as === "conversion" ? "conversion function" : as} of '${callee.record?.tag}'`;
}

function severityOf(call: SideCallFact, { facts, dialect, file }: SideJudge): "error" | "warning" | undefined {
  const { callee, within, lambda, instantiation, isOverlooked } = call;
  const { device, host } = executionAt(call);
  if (within === undefined && lambda === undefined) {
    if (!isSurelyHost(call, facts)) return undefined;
    if (dialect.hip) return "error";
    // nvcc evaluates a constexpr function there.
    return isDeclaredConstexpr(callee) ? undefined : "warning";
  }
  if (!host || within === undefined || isUnchecked(call, file.textOf)) return undefined;
  const isConstexpr = isDeclaredConstexpr(callee);
  if (isConstexpr && dialect.relaxesConstexpr === true) return undefined;
  // The version for the host of such a function may be unused, which clang and nvcc accept in templates.
  if (device && (lambda !== undefined || instantiation !== undefined)) {
    if (lambda !== undefined || !isRequestedByHost(instantiation, facts)) return undefined;
    // clang rejects it. For nvcc the program ends at the call, which a condition may leave to the device.
    return dialect.hip ? "error" : isAlwaysReached(within, call.place) ? "warning" : undefined;
  }
  // clang compiles constexpr functions for host and device.
  if (dialect.hip && (device || isDeclaredConstexpr(within))) return compiledForHost(facts).has(within) ? "error" : undefined;
  const isHost = device || (dialect.hip ? isSurelyHost(call, facts) : isSurelyHostForNvcc(call, facts));
  if (!isHost || mayHideSpecifier(within.declarations, file.textOf)) return undefined;
  // What nvcc overlooks, it evaluates like any other constant expression.
  if (isOverlooked === true && isConstexpr && !dialect.hip) return undefined;
  if (instantiation !== undefined || (isOverlooked === true && !dialect.hip)) return "warning";
  if (isConstexpr && !dialect.hip && dialect.isRelocatableKnown !== true) return "warning";
  return file.compiledFor() === "unknown" && isPlainElsewhere(callee.declarations, file.textOf) ? "warning" : "error";
}

/**
 * True for an instantiation that host code requests: a function which the host's compiler certainly compiles and which is no template
 * itself, or a template all of whose instantiations have such a request.
 */
function isRequestedByHost(instantiation: SideCallFact["instantiation"], facts: Facts): boolean {
  const requester = instantiation?.within;
  if (instantiation === undefined || requester === undefined || isOfOnePass(instantiation.place)) return false;
  // A lambda may be for the device, or nothing may call it.
  if (instantiation.lambda !== undefined) return false;
  if (requester.isTemplate || requester.record?.instance !== undefined || requester.record?.isDependent === true) {
    const { device } = executionOf(requester);
    return (!device || isAlwaysReached(requester, instantiation.place)) && isTemplateOfHost(requester, facts);
  }
  return isHostOnly({ within: requester, lambda: undefined }) && compiledForHost(facts).has(requester);
}

/** True for a template all of whose instantiations host code requests. One that only requests itself has none. */
function isTemplateOfHost(template: FunctionSymbol, facts: Facts): boolean {
  const known = templatesOfHost(facts);
  const answer = known.get(template);
  if (answer !== undefined) return answer;
  known.set(template, false);
  const requests = executionOf(template).host ? instantiationsOf(facts, template) : [];
  const isOfHost = requests.length > 0 && requests.every((each) => isRequestedByHost(each, facts));
  known.set(template, isOfHost);
  return isOfHost;
}

const templatesOfHost = memo((_: Facts) => new Map<FunctionSymbol, boolean>());

/** True if whoever calls the function reaches the place. */
function isAlwaysReached(within: FunctionSymbol, place: Place): boolean {
  return conditionsAround(within, place)?.length === 0;
}

/** True for a function that has no version for the host, as far as anything shows, among those that take so many arguments, if it is called. */
function isCertainlyForDevice(callee: FunctionSymbol, { facts, dialect, file }: SideJudge, count?: number): boolean {
  if (!isDeviceFunction(callee, dialect)) return false;
  if (callee.lambda !== undefined) return !mayHideSpecifier(callee.declarations, file.textOf);
  const parameters = parameterTypes(callee);
  // Which operator an expression means is certain. The same one may be declared for the host as well.
  const isOperator = callee.record === undefined && /^operator\W/.test(callee.name);
  const mayBeMeant = (each: FunctionSymbol) =>
    isOperator ? parameterTypes(each) === parameters : count === undefined || takes(each, count);
  const mayBeForHost = (each: FunctionSymbol) =>
    !isDeviceFunction(each, dialect) && each.record === callee.record && !isGenerated(each) && mayBeMeant(each);
  if (namesakesOf(facts, callee).some(mayBeForHost)) return false;
  return !mayHideSpecifier(declarationsWithTemplates(callee), file.textOf);
}

/** True for a function that the compiler writes, or that is deleted: it runs wherever it can. */
function isGenerated({ declarations }: FunctionSymbol): boolean {
  return declarations.every(({ special }) => special === "default" || special === "delete");
}

function declared({ name, declarations, isBuiltin, lambda }: FunctionSymbol): NonNullable<RuleFinding["related"]> {
  if (isBuiltin) return [];
  const what = lambda === undefined ? `'${name}' is declared` : "the lambda is written";
  return declarations.slice(0, 1).map(({ namePlace }) => ({ message: `${what} here, for the device`, place: namePlace }));
}

/** Objects of classes whose call operators are all for the device, which an algorithm of a library calls on the host. */
function* algorithmFindings(judge: SideJudge): Generator<RuleFinding> {
  const { facts, dialect, file } = judge;
  if (!isCuda(dialect)) return;
  for (const { call, argument, record, side } of passedFunctionObjects(facts, dialect, file.textOf)) {
    const operators = record.functions.filter(({ name }) => name === "operator()");
    const [first] = operators;
    if (side === "device" || record.closure !== undefined || first === undefined) continue;
    if (isOfOnePass(argument.place) || isDecidedOnHost(argument.place, dialect, file) || operators.some(isDeclaredConstexpr)) continue;
    if (!operators.every((each) => isCertainlyForDevice(each, judge))) continue;
    yield {
      place: argument.place,
      // nvcc does not check the instantiations of the library's templates.
      severity: "warning",
      message: `'${record.tag ?? ""}' can be called on the device only: '${call.name}' runs on the host`,
      related: declared(first),
      ...(operators.length === 1 ? { fixes: (all) => makeHostFunction(first, all) } : {}),
    };
  }
}

// ---------------------------------------------------------------- addresses

/** The addresses of functions that host code gives to a launch, or stores in a variable of its own. */
function* addressFindings(judge: SideJudge): Generator<RuleFinding> {
  const { facts, dialect } = judge;
  for (const { symbol, place, call, target, within, lambda, initializes } of functionValues(facts)) {
    const site = { within, lambda, place, initializes };
    const isForBoth = dialect.hip && lambda === undefined && executionAt(site).device;
    const isHost = isForBoth ? within !== undefined && compiledForHost(facts).has(within) : isSurelyHostForNvcc(site, facts);
    if (isOfOnePass(place) || !isHost) continue;
    // A constant may be folded on both sides.
    if (call === undefined ? target === undefined || isOnDevice(target) || isConstant(target) : !isGiven(call, place)) continue;
    if (!isCertainlyForDevice(symbol, judge)) continue;
    yield {
      place,
      // clang rejects every name of such a function in the host's functions.
      ...(dialect.hip && initializes === undefined ? {} : { severity: "warning" as const }),
      message:
        call === undefined
          ? `this is the host's address of '${symbol.name}', not the one on the device`
          : `the kernel gets the host's address of '${symbol.name}', not the device's`,
      related: declared(symbol),
    };
  }
}

function isOnDevice({ memorySpace }: VariableSymbol): boolean {
  return memorySpace !== undefined && memorySpace !== "host";
}

/** True for a variable whose value both sides may know: a constant, and a static variable of a function. */
function isConstant({ words, scope, type }: VariableSymbol): boolean {
  return scope === "block" ? hasWord(words, "constexpr", "static") : isConst(type);
}

/** True for an argument that the kernel gets. */
function isGiven({ launch, name, arguments: values }: CallFact, { span }: Place): boolean {
  const first = launch !== undefined ? 0 : name === "hipLaunchKernelGGL" ? 5 : name === "cudaLaunchKernelEx" ? 2 : values.length;
  return values.slice(first).some(({ place }) => encloses(place.span, span));
}
