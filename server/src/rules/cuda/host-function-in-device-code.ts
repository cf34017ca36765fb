/** A call of a function without `__device__` in device code, also one that an object's construction, conversion or end implies. */
import {
  areLambdasUsed,
  compiledCode,
  compiledForDevice,
  executionAt,
  executionOf,
  isCompiled,
  isDeviceInitializer,
  isUndecided,
} from "../../analyses/device-code.ts";
import { passedFunctionObjects } from "../../analyses/host/algorithms.ts";
import { collectiveFunctionObjects } from "../../analyses/host/collectives.ts";
import { mayHideSpecifier } from "../../analyses/host/declared-heads.ts";
import { declarationsWithTemplates, type HostFunction, hostFunctionOf, isDeclaredConstexpr } from "../../analyses/host/functions.ts";
import { isUnchecked } from "../../analyses/host/unchecked.ts";
import { isCuda, isOfOnePass } from "../../analyses/memory-spaces.ts";
import { usedFunctions } from "../../analyses/used-code.ts";
import { isEmbedded } from "../../names.ts";
import type { Facts, SideCallFact } from "../../semantics/facts/facts.ts";
import { isDefaultedForOneSide } from "../../semantics/symbols/special-functions.ts";
import type { FunctionSymbol } from "../../semantics/types/symbols.ts";
import { hasWord } from "../../syntax/walk.ts";
import { type FunctionValue, functionValues } from "../findings/function-values.ts";
import { instantiationRelated, writtenRelated } from "../findings/related.ts";
import { reportSideCalls, type SideJudge } from "../findings/side-calls.ts";
import { makeDeviceFunction } from "../fixes/execution-spaces.ts";
import type { Rule, RuleFinding } from "../rule.ts";

/** Reports device code that calls a host function. */
export const hostFunctionInDeviceCode: Rule = {
  id: "host-function-in-device-code",
  title: "device code calls a host function",
  severity: "error",
  languages: ["cuda"],
  clause:
    "CUDA C++ Programming Guide, execution space specifiers: a function without one runs on the host and is callable from the host only; C++ language support, constexpr functions; HIP and clang, function overloads by side",
  documentation: `
A function without \`__device__\` is compiled for the host only, and a kernel or a \`__device__\` function cannot call it. That
holds for member functions, operators, conversion functions, constructors and destructors too, also where no call is written: an
object that is declared, passed by value, converted, or copied by a list, a capture or \`return\` calls one, and so does the end of an
expression that creates an object.

- In \`__global__\` and \`__device__\` functions the call is an **error**, in templates for the instantiation that makes it. clang rejects a call
  by name that means the same function for all arguments in any template.
- In a \`__host__ __device__\` function nvcc only **warns**, because the host's version works; the device's version calls nothing
  that exists. It says nothing about an inline or static function, or a member that its class defines, unless code that it compiles
  uses the function, on either side; in a file that others include, this is an *info*. clang, and therefore HIP, rejects the call if
  device code uses the function.
- nvcc treats a **constexpr** function as a host function unless \`--expt-relaxed-constexpr\` is given, even where its result is a
  constant. HIP compiles it for both sides.
- nvcc accepts some calls of an **empty constructor** without parameters, such as those for the elements of an array; clang none.
- nvcc neither copies nor destroys a **local object that every \`return\` names**: it creates the object in the caller's. clang looks for the
  constructor and the destructor all the same.
- A class that **inherits constructors** (\`using Base::Base\`) runs them where the base does. For the object of a base nvcc has a version of each
  constructor and destructor, which \`__host__\` makes one for both sides: then it only **warns**.
- The **address** of a host function is one of the host, and device code cannot use it either. Nor can the initializer of a \`__device__\` or
  \`__constant__\` variable, such as a table of functions; for HIP that is a **warning**, because clang leaves it to the linker.
- **Thrust and CUB** call a function object in a kernel of theirs: its \`operator()\` must be for the device if the algorithm runs there, which
  iterators of a \`thrust::device_vector\` or a policy like \`thrust::device\` tell. So do CUB's reductions and scans of a block or a warp.
- A lambda with \`__host__\` alone is a host function; one without a specifier runs where the code around it does.
- Functions that the compiler writes itself, and those with \`= default\`, run wherever they can. clang obeys the specifier of a defaulted
  function if it names one side.

**What to do**: write \`__host__ __device__\` on every declaration of the function, or \`__device__\` if only kernels call it. If it
cannot run on the device, keep the call under \`#ifndef __CUDA_ARCH__\`.`,
  limits:
    "Functions of `std`, lambdas without `__host__`, and functions whose specifiers may come from an unread header or macro are left out. So are calls of which it is uncertain which overload they mean, `__host__ __device__` templates that only host code instantiates, and code after `#pragma nv_exec_check_disable`. So are algorithms of Thrust in whose headers nvcc does not check the call, such as `count_if`, calls of algorithms in templates, and programs that name `THRUST_DEVICE_SYSTEM`.",
  fixSafety: "The fix is a suggestion, because it compiles the function's body for the device as well.",
  examples: [
    {
      language: "cuda",
      bad: `float twice(float x) { return 2 * x; }
__global__ void run(float *data) { data[0] = twice(data[0]); } // <-`,
      good: `__host__ __device__ float twice(float x) { return 2 * x; }
__global__ void run(float *data) { data[0] = twice(data[0]); }`,
    },
    {
      language: "cuda",
      bad: `struct Range {
  int first, count;
  int end() const { return first + count; }
};
__device__ int last(Range range) { return range.end() - 1; } // <-`,
      good: `struct Range {
  int first, count;
  __host__ __device__ int end() const { return first + count; }
};
__device__ int last(Range range) { return range.end() - 1; }`,
    },
    {
      language: "cuda",
      bad: `#include <thrust/device_vector.h>
#include <thrust/transform.h>
struct Square { float operator()(float x) const { return x * x; } };
void square(thrust::device_vector<float> &v) {
  thrust::transform(v.begin(), v.end(), v.begin(), Square()); // <-
}`,
      good: `#include <thrust/device_vector.h>
#include <thrust/transform.h>
struct Square { __host__ __device__ float operator()(float x) const { return x * x; } };
void square(thrust::device_vector<float> &v) {
  thrust::transform(v.begin(), v.end(), v.begin(), Square());
}`,
    },
  ],
  checkFile({ facts, dialect, file }, report) {
    if (dialect.language !== "cuda" || isEmbedded(file.uri) || dialect.runtime === "device-by-default") return;
    reportSideCalls(facts.hostCalls, { facts, dialect, file }, findingOf, report);
    for (const finding of addressFindings({ facts, dialect, file })) report(finding);
    for (const finding of algorithmFindings({ facts, dialect, file })) report(finding);
  },
};

function findingOf(call: SideCallFact, judge: SideJudge): RuleFinding | undefined {
  const { callee, place } = call;
  const why = hostFunctionOf(call, judge.dialect);
  if (why === undefined) return undefined;
  const severity = severityOf(call, why, judge);
  const declared = callee.declarations[0];
  if (severity === undefined || declared === undefined) return undefined;
  if (judge.dialect.hip && hasDefaultForBoth(call)) return undefined;
  if (mayHideSpecifier(declarationsWithTemplates(callee), judge.file.textOf)) return undefined;
  return {
    place,
    ...(severity === "error" ? {} : { severity }),
    message: messageOf(call, why),
    related: [
      {
        message:
          callee.lambda === undefined ? `'${callee.name}' is declared here, for the host` : "the lambda is written here, for the host",
        place: declared.namePlace,
      },
      ...writtenRelated(call),
      ...instantiationRelated(call),
    ],
    fixes: (facts) => (callee.lambda === undefined ? makeDeviceFunction(callee, facts) : []),
  };
}

/**
 * True if the call comes from a special function of the whole object that is defaulted with `constexpr`. Clang compiles such a function
 * for both sides, and judges its calls only where it is used.
 */
function hasDefaultForBoth({ whole }: SideCallFact): boolean {
  const all = [...(whole?.functions ?? []), ...(whole?.instance?.template.functions ?? [])];
  return all.some((each) => isDeclaredConstexpr(each) && each.declarations.some(({ special }) => special === "default"));
}

function severityOf(call: SideCallFact, why: HostFunction, { facts, dialect, file }: SideJudge): "error" | "warning" | "info" | undefined {
  const { within, lambda, instantiation, place } = call;
  const { kernel, device, host } = executionAt({ within, lambda });
  if (!kernel && !device) return undefined;
  const requester = instantiation?.within;
  const isRequested = requester === undefined || requester.isTemplate || requester.record?.instance !== undefined;
  if (host && !kernel) {
    // A lambda in such a function, and a function that turns the check off, may be for the host only.
    if (lambda !== undefined || isOfOnePass(place) || isUnchecked(call, file.textOf)) return undefined;
    if (instantiation !== undefined && (requester === undefined || isRequested || !isForDevice(executionOf(requester)))) return undefined;
    if (!dialect.hip) return isUsed(instantiation === undefined ? within : requester, facts) ? "warning" : unusedSeverity(file);
    return within !== undefined && compiledForDevice(facts).has(within) ? "error" : undefined;
  }
  // nvcc accepts some calls of empty constructors, and unknown settings may relax the rule for constexpr functions.
  if (isForBoth(call) && !dialect.hip) return "warning";
  if (why === "empty" || (why === "constexpr" && dialect.isRelocatableKnown !== true)) return "warning";
  if (dialect.hip && instantiation === undefined && !waitsForCaller(call)) return "error";
  const compiled = compiledCode(facts);
  const isReached =
    instantiation === undefined
      ? isCompiled(call, compiled)
      : (isRequested || compiled.functions.has(requester)) && (dialect.hip || areLambdasUsed(lambda, compiled));
  return isReached ? "error" : "warning";
}

/**
 * True for a call that nvcc makes from a version of the function for a base's object. That has the specifiers of the function in addition to the
 * sides that use it, so one with `__host__` is for both sides.
 */
function isForBoth({ callee: { declarations }, as, isOfBase }: SideCallFact): boolean {
  return isOfBase === true && as !== "operator" && declarations.some(({ words }) => hasWord(words, "__host__"));
}

/**
 * True if clang judges the call only where the code around it is compiled: in a lambda that is not marked, and so for both sides, at the
 * end of an object, and if it calls a lambda. A device function finds no others that are for the host.
 */
function waitsForCaller({ as, lambda, callee }: Pick<SideCallFact, "as" | "lambda" | "callee">): boolean {
  return as === "destructor" || callee.lambda !== undefined || (lambda !== undefined && !isForDevice(executionOf(lambda)));
}

/** True if nvcc compiles a function for both sides, as far as the file shows. */
function isUsed(within: FunctionSymbol | undefined, facts: Facts): boolean {
  return within === undefined || usedFunctions(facts).has(within);
}

/** Nothing is wrong with a function that nothing uses, but another file that includes this one may use it. */
function unusedSeverity(file: SideJudge["file"]): "info" | undefined {
  return file.readers() !== "none" ? "info" : undefined;
}

function isForDevice({ kernel, device, host }: { readonly kernel: boolean; readonly device: boolean; readonly host: boolean }): boolean {
  return kernel || (device && !host);
}

/** Host functions whose addresses device code stores or passes on. Code for both sides may need them on the host only. */
function* addressFindings({ facts, dialect, file }: SideJudge): Generator<RuleFinding> {
  for (const value of functionValues(facts)) {
    const { symbol, place, within, lambda } = value;
    if (isOfOnePass(place) || !needsDeviceAddress(value, facts, dialect)) continue;
    const declaration = symbol.declarations[0];
    if (declaration === undefined || hostFunctionOf({ callee: symbol }, dialect) === undefined) continue;
    if (isUndecided(place, facts) || mayHideSpecifier(declarationsWithTemplates(symbol), file.textOf)) continue;
    // clang leaves initializers outside of functions to the linker, which finds no such function on the device.
    const isRejected = dialect.hip ? !isDeviceInitializer(value) : isCompiled({ within, lambda, place }, compiledCode(facts));
    yield {
      place,
      ...(isRejected ? {} : { severity: "warning" as const }),
      message: `device code cannot use the address of the host function '${symbol.name}'`,
      related: [{ message: `'${symbol.name}' is declared here, for the host`, place: declaration.namePlace }],
    };
  }
}

/** True for a function's name in code that runs on the device, and in the initializer of a device variable that depends on no template argument. */
function needsDeviceAddress(value: FunctionValue, facts: Facts, dialect: SideJudge["dialect"]): boolean {
  const { within, target } = value;
  if (isDeviceInitializer(value)) return target?.isTemplated !== true && target?.isDependent !== true;
  const { kernel, device, host } = executionAt(value);
  if ((!kernel && !device) || hasWord(target?.words ?? [], "constexpr")) return false;
  return kernel || !host || (dialect.hip && within !== undefined && compiledForDevice(facts).has(within));
}

/** Objects of classes whose call operators are all for the host, which an algorithm of Thrust or CUB calls on the device. */
function* algorithmFindings({ facts, dialect, file }: SideJudge): Generator<RuleFinding> {
  if (!isCuda(dialect) || dialect.runtime !== undefined || file.compiledFor() !== "device") return;
  const passed = [...passedFunctionObjects(facts, dialect, file.textOf)].filter(
    ({ side, isCalledInKernel }) => side === "device" && isCalledInKernel,
  );
  for (const { call, argument, record } of [...passed, ...collectiveFunctionObjects(facts)]) {
    const operators = record.functions.filter(({ name }) => name === "operator()");
    const [first] = operators;
    const declared = first?.declarations[0];
    if (record.closure !== undefined || first === undefined || declared === undefined) continue;
    if (!operators.every((callee) => hostFunctionOf({ callee }, dialect) === "host")) continue;
    if (mayHideSpecifier(operators.flatMap(declarationsWithTemplates), file.textOf)) continue;
    yield {
      place: argument.place,
      message: `'${record.tag ?? ""}' can be called on the host only: '${call.name}' runs on the device`,
      related: [{ message: "'operator()' is declared here, for the host", place: declared.namePlace }],
      ...(operators.length === 1 ? { fixes: (all) => makeDeviceFunction(first, all) } : {}),
    };
  }
}

function messageOf({ callee, as, whole }: SideCallFact, why: HostFunction): string {
  if (callee.lambda !== undefined) return "this lambda is a host function: device code cannot call it";
  if (whole?.functions.some(isDefaultedForOneSide) === true)
    return `a '${whole.tag}' contains a '${callee.record?.tag}', whose ${as} is a host function: device code cannot call it`;
  const what =
    as === "call" || as === "operator"
      ? `'${callee.name}'`
      : `the ${as === "conversion" ? "conversion function" : as} of '${nameOfClass(callee, whole)}'`;
  if (why === "constexpr") return `${what} is constexpr but not '__device__': device code needs --expt-relaxed-constexpr`;
  return `${what} is a host function: device code cannot call it`;
}

function nameOfClass({ record }: SideCallFact["callee"], whole: SideCallFact["whole"]): string {
  return (whole ?? record)?.tag ?? "";
}
