/**
 * Launches that no compiler can translate: of functions that are not kernels, with too few or too many values or arguments, or from
 * device code that may not launch; and kernels that are called without a launch. `launch-configuration` judges the values of a launch.
 */
import { executionAt, executionOf } from "../../analyses/device-code.ts";
import { namesakesOf } from "../../analyses/fact-index.ts";
import { mayHideSpecifier } from "../../analyses/host/declared-heads.ts";
import { declarationsWithTemplates, mayLackOverloads } from "../../analyses/host/functions.ts";
import { isCertain, isCuda, isOfOnePass } from "../../analyses/memory-spaces.ts";
import type { CudaDialect } from "../../dialect.ts";
import type { CallFact, Facts, NoMatchFact } from "../../semantics/facts/facts.ts";
import { takes } from "../../semantics/symbols/candidates.ts";
import { printSpaces } from "../../semantics/types/execution-spaces.ts";
import type { FunctionSymbol } from "../../semantics/types/symbols.ts";
import { containsUnknown, printType, type Type } from "../../semantics/types/types.ts";
import { spanKey } from "../../source.ts";
import type { CheckedFile, Rule, RuleFinding } from "../rule.ts";

/** Reports kernels that are called like functions, and launches that cannot be compiled. */
export const invalidLaunch: Rule = {
  id: "invalid-launch",
  title: "a kernel is called without a launch, or a launch cannot be compiled",
  severity: "error",
  languages: ["cuda"],
  judgesHostSide: true,
  clause:
    "CUDA C++ Programming Guide, execution configuration: any call to a __global__ function must specify it, as <<< Dg, Db, Ns, S >>>, where Ns and S are optional; CUDA dynamic parallelism, compiling and linking: relocatable device code",
  documentation: `
A kernel runs only if it is **launched**: \`kernel<<<grid, block>>>(arguments)\`.

- \`kernel(arguments)\` is an error, in host code and in device code.
- Only a \`__global__\` function can be launched; a function of the host or of the device is called.
- A launch has two to four values: the grid and the block, each a \`dim3\` or a number, then the bytes of dynamic shared memory and the
  stream.
- The kernel has no result: neither an instantiation of a template whose result depends on its arguments, nor, in HIP, the function behind
  a pointer.
- It passes as many arguments as the kernel has parameters without defaults, and not more than the kernel has.
- A kernel, or a \`__device__\` function, launches kernels only in relocatable device code (\`-rdc=true\` or \`-dc\`, and an architecture from 3.5 on).
  HIP has no launches from device code. Without build settings that is an *info*.

**What to do**: write \`<<<grid, block>>>\` behind the kernel's name. To call code of the kernel from a kernel, put it into a
\`__device__\` function that both call.`,
  limits:
    "Calls through pointers and references, and calls of which it is uncertain which function they mean, are left out. Functions whose specifiers may come from an unread header or macro are not judged, nor is the number of arguments where headers are missing.",
  examples: [
    {
      language: "cuda",
      bad: `__global__ void fill(float *out);
void start(float *out) {
  fill(out); // <-
}`,
      good: `__global__ void fill(float *out);
void start(float *out) {
  fill<<<1, 256>>>(out);
}`,
    },
    {
      language: "cuda",
      bad: `__device__ void fill(float *out);
void start(float *out) {
  fill<<<1, 256>>>(out); // <-
}`,
      good: `__device__ void fill(float *out);
__global__ void fillAll(float *out) { fill(out); }
void start(float *out) {
  fillAll<<<1, 256>>>(out);
}`,
    },
  ],
  checkFile({ facts, dialect, file }, report) {
    if (dialect.language !== "cuda") return;
    const isHidden = ({ callee }: CallFact) => callee !== undefined && mayHideSpecifier(declarationsWithTemplates(callee), file.textOf);
    const rejected = new Map(facts.noMatches.map((each) => [spanKey(each.place), each]));
    for (const call of facts.calls) {
      const finding =
        call.launch === undefined
          ? findingOfCall(call, facts)
          : (findingOfCallee(call, facts) ??
            findingOfValues(call) ??
            findingOfResult(call, dialect) ??
            findingOfSide(call, dialect, file) ??
            findingOfArguments(call, rejected.get(spanKey(call.place))));
      if (finding !== undefined && !isHidden(call)) report(finding);
    }
  },
};

// ---------------------------------------------------------------- the function

/** A kernel is called like a function. */
function findingOfCall(call: CallFact, facts: Facts): RuleFinding | undefined {
  const { callee, named, place } = call;
  if (call.isCertain !== true || callee === undefined || named === undefined) return undefined;
  // A missing header may declare a function that fits better.
  if (!namesake(callee, facts).every(isKernel) && mayLackOverloads(place.unit)) return undefined;
  return {
    place: named,
    message: `'${callee.name}' is a kernel, which is not called but launched: '${callee.name}<<<grid, block>>>(…)'`,
    related: declared(callee, "as a kernel"),
  };
}

/** Something that is not a kernel is launched. */
function findingOfCallee(call: CallFact, facts: Facts): RuleFinding | undefined {
  const { callee, named } = call;
  if (call.isCertain !== true || callee === undefined || named === undefined || !namesake(callee, facts).every(isPlainFunction))
    return undefined;
  const spaces = executionOf(callee);
  return {
    place: named,
    message: `'${callee.name}' is ${spaces.device ? `a ${printSpaces(spaces)}` : "a host"} function: only kernels ('__global__') can be launched`,
    related: declared(callee, "without '__global__'"),
  };
}

/** All functions that the name may mean: overloads may be kernels or not. */
function namesake(callee: FunctionSymbol, facts: Facts): readonly FunctionSymbol[] {
  const others = namesakesOf(facts, callee);
  return others.includes(callee) ? others : [callee, ...others];
}

function isKernel(symbol: FunctionSymbol): boolean {
  return executionOf(symbol).kernel;
}

function isPlainFunction(symbol: FunctionSymbol): boolean {
  return (
    symbol.lambda === undefined &&
    isCertain(symbol) &&
    !isKernel(symbol) &&
    !declarationsWithTemplates(symbol).some((each) => each.execution.kernel)
  );
}

function declared({ name, declarations }: FunctionSymbol, how: string): NonNullable<RuleFinding["related"]> {
  return declarations.slice(0, 1).map(({ namePlace }) => ({ message: `'${name}' is declared here, ${how}`, place: namePlace }));
}

// ---------------------------------------------------------------- the result

/**
 * The instantiation of a kernel template has a result, or, for clang, the function behind a pointer. `kernel-signature` reports a result
 * that is the same for all arguments.
 */
function findingOfResult({ callee, result, named, instance }: CallFact, dialect: CudaDialect): RuleFinding | undefined {
  if (result === undefined || named === undefined || result.kind === "void" || containsUnknown(result)) return undefined;
  if (instance === undefined) {
    if (isCuda(dialect) || callee !== undefined) return undefined;
    return { place: named, message: `a kernel returns nothing, so a function that returns '${printType(result)}' cannot be launched` };
  }
  if (callee === undefined || !isKernel(callee) || !isCertain(callee) || !mayBeVoid(callee.type.result)) return undefined;
  return {
    place: named,
    message: `the kernel '${instance.name}' returns '${printType(result)}', but a kernel's result must be void`,
    related: declared(callee, "with its result"),
  };
}

/** True if the result of a template is void with some arguments. */
function mayBeVoid({ kind }: Type): boolean {
  return kind === "dependent" || kind === "unknown";
}

// ---------------------------------------------------------------- the values between '<<<' and '>>>'

const values = [
  { name: "grid", wanted: "a 'dim3' or a number" },
  { name: "block", wanted: "a 'dim3' or a number" },
  { name: "size of the shared memory", wanted: "a number of bytes" },
  { name: "stream", wanted: "a 'cudaStream_t'" },
];

function findingOfValues({ launchValues = [], named }: CallFact): RuleFinding | undefined {
  // A macro whose text was not read may stand for several values.
  if (launchValues.some(({ type }) => containsUnknown(type))) return undefined;
  const [first] = launchValues;
  const last = launchValues.at(-1);
  if (first === undefined || last === undefined) {
    return named === undefined ? undefined : { place: named, message: "a launch needs a grid and a block: '<<<grid, block>>>'" };
  }
  if (launchValues.length < 2) return { place: first.place, message: "a launch needs a grid and a block: '<<<grid, block>>>'" };
  if (launchValues.length > values.length)
    return { place: last.place, message: `a launch has at most ${values.length} values, but this one has ${launchValues.length}` };
  for (const [index, { type, isNull, place }] of launchValues.entries()) {
    const { name, wanted } = values[index] ?? {};
    const isWrong = index < 3 ? type.kind === "pointer" && isNull !== true : type.kind === "arithmetic" && isNull !== true;
    if (isWrong) return { place, message: `the launch's ${name} must be ${wanted}, not '${printType(type)}'` };
  }
  return undefined;
}

// ---------------------------------------------------------------- the code that launches

function findingOfSide(call: CallFact, dialect: CudaDialect, file: CheckedFile): RuleFinding | undefined {
  const { callee, named, within, place } = call;
  const { kernel, device } = executionAt(call);
  if (named === undefined || within === undefined || dialect.side === "host" || dialect.relocatableDeviceCode) return undefined;
  if ((!kernel && !device) || callee === undefined || !isKernel(callee) || !isCertain(within) || isOfOnePass(place)) return undefined;
  if (mayHideSpecifier(within.declarations, file.textOf)) return undefined;
  if (dialect.hip) return { place: named, message: "HIP has no launches from device code" };
  return {
    place: named,
    ...(dialect.isRelocatableKnown === true ? {} : { severity: "info" as const }),
    message: "device code launches kernels only if it is compiled with -rdc=true",
  };
}

// ---------------------------------------------------------------- the arguments

function findingOfArguments(call: CallFact, rejected: NoMatchFact | undefined): RuleFinding | undefined {
  const { named } = call;
  const count = call.arguments.length;
  if (rejected === undefined || named === undefined || mayLackOverloads(call.place.unit)) return undefined;
  const { candidates, name } = rejected;
  const [only, ...others] = candidates;
  if (only === undefined || candidates.some((each) => takes(each, count) || !isCertain(each))) return undefined;
  const passed = `the launch passes ${count} argument${count === 1 ? "" : "s"}`;
  return {
    place: named,
    message:
      others.length > 0
        ? `${passed}, but no kernel '${name}' takes that many`
        : `${passed}, but the kernel '${name}' takes ${numberOf(only)}`,
    related: candidates.flatMap((each) => declared(each, "with its parameters")),
  };
}

/** How many arguments a kernel takes, in words. */
function numberOf({ type: { parameters }, declarations }: FunctionSymbol): string {
  const withDefaults = declarations.map(
    ({ declarator }) => declarator.parameters.filter(({ defaultValue }) => defaultValue !== undefined).length,
  );
  const least = parameters.length - Math.max(0, ...withDefaults);
  if (least < parameters.length) return `${least} to ${parameters.length}`;
  return parameters.length === 0 ? "none" : `${parameters.length}`;
}
