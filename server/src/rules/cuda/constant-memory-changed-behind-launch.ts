/**
 * A `__constant__` variable that is copied in another stream than the one in which a kernel reads it. Only a copy and a launch of one
 * block are judged that nothing between them could put in order.
 */
import { accessesTo, callsWith, callsWithin, localNamed } from "../../analyses/fact-index.ts";
import { isSurelyHost } from "../../analyses/host-code.ts";
import { reachedBy } from "../../analyses/memory/reached.ts";
import type { CallFact, Facts } from "../../semantics/facts/facts.ts";
import type { FunctionSymbol, VariableSymbol } from "../../semantics/types/symbols.ts";
import type { Expression } from "../../syntax/ast.ts";
import { blockAround } from "../fixes/launch-edits.ts";
import type { Rule } from "../rule.ts";

/** Reports copies to a `__constant__` variable in another stream than that of a kernel that reads it. */
export const constantMemoryChangedBehindLaunch: Rule = {
  id: "constant-memory-changed-behind-launch",
  title: "a `__constant__` variable is copied in another stream than that of a kernel that reads it",
  severity: "warning",
  languages: ["cuda"],
  clause:
    "CUDA C++ Programming Guide, streams: different streams may execute their commands out of order with respect to one another or concurrently",
  documentation: `
A launch returns before the kernel has run. \`cudaMemcpyToSymbolAsync\` in another stream may change the variable before the kernel reads
it, while it does, or afterwards: the kernel computes with old values, with new ones, or with a mixture. Nothing reports that, and it
may depend on the load of the device.

Reported if the launch and the copy are in the same block of a function, name different streams, and no call between them could put
them in order. The default stream waits for others, so it is not reported.

**What to do**: copy in the kernel's stream; or make one stream wait for the other, with \`cudaEventRecord\` and
\`cudaStreamWaitEvent\`; or pass the values as a kernel parameter.`,
  limits: "A copy and a launch in different functions, and streams that are not plain variables, are not judged.",
  examples: [
    {
      language: "cuda",
      bad: `__constant__ float weights[1024];
__global__ void apply(float *out) { out[threadIdx.x] = weights[0]; }
void step(const float *next, float *out, cudaStream_t compute, cudaStream_t copies) {
  apply<<<1, 32, 0, compute>>>(out);
  cudaMemcpyToSymbolAsync(weights, next, sizeof(weights), 0, cudaMemcpyHostToDevice, copies); // <-
}`,
      good: `__constant__ float weights[1024];
__global__ void apply(float *out) { out[threadIdx.x] = weights[0]; }
void step(const float *next, float *out, cudaStream_t compute) {
  apply<<<1, 32, 0, compute>>>(out);
  cudaMemcpyToSymbolAsync(weights, next, sizeof(weights), 0, cudaMemcpyHostToDevice, compute);
}`,
    },
  ],
  checkFile({ facts, dialect }, report) {
    if (dialect.language !== "cuda") return;
    for (const { variable } of facts.variables) {
      if (variable.memorySpace !== "constant" || variable.scope !== "program") continue;
      for (const copy of callsWith(facts, variable)) {
        const launch = isCopy(copy, variable) ? launchBeside(copy, variable, facts) : undefined;
        if (launch === undefined) continue;
        report({
          place: copy.place,
          message: `this copy may run while a kernel in another stream reads '${variable.name}'`,
          related: [{ message: "the kernel is launched here", place: launch.place }],
        });
      }
    }
  },
};

function isCopy({ name, arguments: [target] }: CallFact, variable: VariableSymbol): boolean {
  return /^(?:::)?(?:cuda|hip)MemcpyToSymbolAsync$/.test(name) && target?.path?.root === variable;
}

/** A launch of a kernel that reads the variable, in the copy's block and in another stream, which nothing puts in order with the copy. */
function launchBeside(copy: CallFact, variable: VariableSymbol, facts: Facts): CallFact | undefined {
  const { within, lambda, place } = copy;
  const stream = streamOf(copy.arguments[5]?.expression, copy, facts);
  if (within === undefined || lambda !== undefined || stream === undefined || !isSurelyHost(copy, facts)) return undefined;
  const block = blockAround(within, place);
  const calls = callsWithin(facts, within);
  return calls.find((call) => {
    const { callee, launch } = call;
    if (launch === undefined || callee === undefined || call.lambda !== undefined || call.place.unit !== place.unit) return false;
    const other = streamOf(launch[3], call, facts);
    if (other === undefined || other === stream || blockAround(within, call.place) !== block) return false;
    const [first, second] = call.place.span.start < place.span.start ? [call, copy] : [copy, call];
    const between = calls.filter(
      ({ place: { span } }) => span.start >= first.place.span.end && span.end <= second.place.span.start && span.end > span.start,
    );
    return between.every(isHarmless) && reads(callee, variable, facts);
  });
}

/** The variable that names a stream; undefined if its value may be that of another variable. */
function streamOf(e: Expression | undefined, { place }: CallFact, facts: Facts): VariableSymbol | undefined {
  const symbol = localNamed(facts, e, place);
  if (symbol === undefined) return undefined;
  const isSet = symbol.initializer !== undefined || accessesTo(facts, symbol).some(({ mode }) => mode === "write" || mode === "bind");
  return isSet || symbol.type.kind === "reference" ? undefined : symbol;
}

/** True for calls that put nothing in order: further launches, asynchronous copies, and the handling of errors. */
function isHarmless({ name, launch }: CallFact): boolean {
  return (
    launch !== undefined ||
    /^(?:(?:cuda|hip)(?:Mem(?:cpy|set)\w*Async|GetLastError|PeekAtLastError|GetErrorString)|f?printf|dim3)$/.test(name)
  );
}

function reads(kernel: FunctionSymbol, variable: VariableSymbol, facts: Facts): boolean {
  const { functions } = reachedBy(kernel, facts);
  return accessesTo(facts, variable).some(({ mode, within }) => mode === "read" && within !== undefined && functions.has(within));
}
