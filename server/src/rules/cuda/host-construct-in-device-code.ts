/**
 * Exceptions, `typeid`, `dynamic_cast`, arrays of variable length and instructions of the host's processor in device code, which has no
 * support for them.
 */
import { type CompiledCode, compiledCode, compiledForDevice, executionAt, isCompiled, isUndecided } from "../../analyses/device-code.ts";
import { mayHideSpecifier } from "../../analyses/host/declared-heads.ts";
import { mayBeDropped } from "../../analyses/host/unchecked.ts";
import { hostVariableUses } from "../../analyses/host-variables.ts";
import { isCertain, isOfOnePass } from "../../analyses/memory-spaces.ts";
import { usedFunctions } from "../../analyses/used-code.ts";
import type { CudaDialect } from "../../dialect.ts";
import { memo } from "../../memo.ts";
import { unitsOfFile } from "../../preprocess/unit-row.ts";
import { unitsIn } from "../../preprocess/units.ts";
import type { Unit } from "../../preprocess/view/view.ts";
import type { CallFact, Facts, VariableFact } from "../../semantics/facts/facts.ts";
import type { FeatureFact } from "../../semantics/facts/opencl-facts.ts";
import { contains } from "../../semantics/types/places.ts";
import type { FunctionSymbol, Place, VariableSymbol } from "../../semantics/types/symbols.ts";
import type { Type } from "../../semantics/types/types.ts";
import { placeKey } from "../../source.ts";
import { hasWord } from "../../syntax/walk.ts";
import { hostFunctionOfLanguage } from "../findings/host-language-functions.ts";
import { findingsOfVariables } from "../findings/related.ts";
import type { CheckedFile, Rule } from "../rule.ts";

const variableLength = "variable-length array";

const messages = new Map([
  ["throw", "device code cannot throw: the device has no exceptions"],
  ["try", "device code cannot catch: the device has no exceptions"],
  ["typeid", "device code cannot use 'typeid': the device has no types at run time"],
  ["dynamic_cast", "device code cannot use 'dynamic_cast': the device has no types at run time"],
  [variableLength, "device code has no variable-length arrays: the length must be constant"],
]);

/** Builtin functions of compilers for x86. */
const hostBuiltin = /^__builtin_ia32_\w+$/;
/** What headers such as `immintrin.h` declare. The names are reserved. */
const hostIntrinsic = /^(?:_mm(?:256|512)?_\w+|__rdtscp?)$/;
const intrinsicHeader = /^["<](?:[a-z]*mmintrin|x86intrin)\.h[">]$/;

/** Reports exceptions, run-time types and arrays of variable length in device code. */
export const hostConstructInDeviceCode: Rule = {
  id: "host-construct-in-device-code",
  title:
    "device code throws or catches an exception, uses `typeid`, `dynamic_cast` or an instruction of the host, or has an array of variable length",
  severity: "error",
  languages: ["cuda"],
  clause:
    "CUDA C++ Programming Guide, C++ language support: exception handling and run-time type information are only supported in host code; C++17 §11.3.4p1: the length of an array is a constant expression",
  documentation: `
Device code has no exceptions and no types at run time. In a \`__global__\` or \`__device__\` function compilers reject \`throw\`, \`try\`,
\`typeid\`, \`dynamic_cast\` and arrays whose length is computed at run time, an extension of host compilers; in a \`__host__ __device__\` function they do so when they compile it for the device, as nvcc always does.

Builtins and intrinsics for the host's processor, such as \`__builtin_ia32_pause\` and \`_mm_pause\`, are functions of the host. For nvcc so are
many of GCC's builtins, unless it can fold the call (\`__builtin_trap\`, \`__builtin_ctz\`, \`__builtin_bswap32\`, \`__sync_fetch_and_add\`), and the
functions of the C library of which CUDA has no version for the device (\`memmove\`, \`strlen\`). In a \`__host__ __device__\` function nvcc only
*warns* about their calls.

Compilers allow no arrays without elements in device code, and nvcc none in device memory either.

**What to do**: return an error code, write it where the host can read it, or stop the kernel with \`assert\` or \`__trap()\`. In a function for
both sides, keep the code for the host under \`#ifndef __CUDA_ARCH__\`. Make the length of an array a template parameter, or use
shared memory whose size the launch gives.`,
  limits:
    "Templates that nothing in the file instantiates, and functions whose specifiers may come from an unread header or macro, are left out, and so are arguments of macros that are not known.",
  examples: [
    {
      language: "cuda",
      bad: `__device__ float root(float x) {
  if (x < 0) throw x; // <-
  return sqrtf(x);
}`,
      good: `__device__ float root(float x) {
  if (x < 0) __trap();
  return sqrtf(x);
}`,
    },
  ],
  checkFile({ facts, dialect, file }, report) {
    if (dialect.language !== "cuda") return;
    for (const feature of facts.features) {
      const message = messages.get(feature.name);
      if (message === undefined || (feature.name === variableLength && hasOtherReason(feature, facts, dialect))) continue;
      if (isRejected(feature, { facts, dialect, file })) report({ place: feature.place, message });
    }
    const isEmptyOnDevice = ({ variable }: VariableFact) =>
      isEmptyArray(variable, dialect) && (isOnDevice(variable) || isRejected(siteOfArray(variable, dialect), { facts, dialect, file }));
    const compiler = dialect.hip ? "HIP" : "nvcc";
    for (const finding of findingsOfVariables(facts, (fact) =>
      isEmptyOnDevice(fact)
        ? {
            place: fact.variable.place,
            message: `'${fact.variable.name}' has no elements: ${compiler} allows no such arrays in device code`,
          }
        : undefined,
    ))
      report(finding);
    for (const call of facts.calls) {
      const what = hostFunctionIn(call, facts, dialect);
      if (what === undefined || !isRejected(call, { facts, dialect, file })) continue;
      const severity = dialect.hip ? "error" : severityOf(call, facts, file);
      if (severity !== undefined) report({ place: call.place, message: `${what}: device code cannot call it`, severity });
    }
  },
};

/** True for an array without elements that the compiler rejects in device code. HIP's does not judge a length that the initializer gives. */
function isEmptyArray({ type, scope, words, place, initializer }: VariableSymbol, { hip }: CudaDialect): boolean {
  if (hip && (scope !== "block" || type.kind !== "array" || type.length !== 0)) return false;
  if (hip) return initializer === undefined || hasWrittenLength(place);
  return (scope === "block" || scope === "program") && !hasWord(words, "extern") && hasNoElements(type);
}

function hasNoElements(type: Type): boolean {
  return type.kind === "array" && (type.length === 0 || hasNoElements(type.element));
}

function hasWrittenLength({ unit, span }: Place): boolean {
  return /^\s*\[\s*[^\]\s]/.test(unit.view.text.slice(span.end, span.end + 100));
}

/** True for a variable outside of functions that the device has. */
function isOnDevice({ scope, memorySpace, isTemplated }: VariableSymbol): boolean {
  return scope === "program" && memorySpace !== undefined && memorySpace !== "host" && isTemplated !== true;
}

/** Where a local array is. HIP's compiler judges an array in a lambda by the function around it. */
function siteOfArray({ place, owner: within, lambda }: VariableSymbol, { hip }: CudaDialect): Pick<FeatureFact, "name" | "place"> & Site {
  return { name: "zero-length array", place, within, lambda: hip ? undefined : lambda };
}

/** Describes the function that a call means, if only the host has it. */
function hostFunctionIn(call: CallFact, facts: Facts, dialect: CudaDialect): string | undefined {
  if (call.callee === undefined && isOfHostProcessor(call)) return `'${call.name}' is for the host's processor`;
  return dialect.hip ? undefined : hostFunctionOfLanguage(call, facts);
}

/** For nvcc, which judges such calls in code that it compiles, and only warns about those in functions for both sides. */
function severityOf(call: CallFact, facts: Facts, file: CheckedFile): "error" | "warning" | "info" | undefined {
  const { within } = call;
  const { kernel, host } = executionAt(call);
  if (!host || kernel) return isCompiled(call, compiledCode(facts)) || isInstantiated(within, facts) ? "error" : "warning";
  return within === undefined || usedFunctions(facts).has(within) ? "warning" : file.readers() !== "none" ? "info" : undefined;
}

function isOfHostProcessor({ name, place: { unit } }: CallFact): boolean {
  return hostBuiltin.test(name) || (hostIntrinsic.test(name) && unitsOfFile(unit).some(includesIntrinsics));
}

/** True for a text that includes a header of the host's compiler with intrinsics. None of these headers is ever read. */
const includesIntrinsics = memo((unit: Unit) =>
  unitsIn(unit).some(({ includes }) => includes.some((site) => site.unit === undefined && intrinsicHeader.test(site.name))),
);

/** True for an array in shared memory, whose length must be constant for that reason, and for a length that a variable of the host gives. */
function hasOtherReason({ place }: FeatureFact, facts: Facts, dialect: CudaDialect): boolean {
  return (
    facts.variables.some(({ variable }) => variable.memorySpace === "shared" && contains(place, variable.place)) ||
    hostVariableUses(facts, dialect).some((use) => contains(place, use.place))
  );
}

interface Site {
  readonly within?: FunctionSymbol | undefined;
  readonly lambda?: FunctionSymbol | undefined;
}

function isRejected(
  { name, place, within, lambda }: Pick<FeatureFact, "name" | "place"> & Site,
  { facts, dialect, file }: { readonly facts: Facts; readonly dialect: CudaDialect; readonly file: CheckedFile },
): boolean {
  if (within === undefined || !isCertain(within) || isOfOnePass(place) || isUndecided(place, facts) || mayBeDropped(place, facts))
    return false;
  const { kernel, device, host } = executionAt({ within, lambda });
  if ((!kernel && !device) || mayHideSpecifier(within.declarations, file.textOf)) return false;
  const isTemplate = within.isTemplate || within.record?.isDependent === true;
  if (isTemplate && !isCompiled({ within, lambda, place }, compiledCode(facts)) && (lambda !== undefined || !isInstantiated(within, facts)))
    return false;
  if (!dialect.hip) return true;
  // AMD's devices have arrays of variable length.
  return (name === "throw" || name === "try" || !messages.has(name)) && (kernel || !host || compiledForDevice(facts).has(within));
}

/** True for a member of a class template that is compiled for an instance of its class. */
function isInstantiated(member: FunctionSymbol | undefined, facts: Facts): boolean {
  const { record, declarations: [first] = [] } = member ?? {};
  return record !== undefined && first !== undefined && membersOfInstances(compiledCode(facts)).has(placeKey(first.namePlace));
}

/** Where the compiled members of instances are written. */
const membersOfInstances = memo(({ functions }: CompiledCode): ReadonlySet<string> => {
  const members = [...functions].filter(({ record }) => record?.instance !== undefined);
  return new Set(members.flatMap(({ declarations }) => declarations.map(({ namePlace }) => placeKey(namePlace))));
});
