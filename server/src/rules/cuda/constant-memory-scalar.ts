/**
 * A scalar in constant memory, or a small array that is copied in a stream, that the host sets before launches. A kernel parameter
 * achieves the same with less code, and streams cannot disturb each other.
 */
import { leavesObject } from "../../analyses/access-paths.ts";
import { executionOf } from "../../analyses/device-code.ts";
import { accessesTo, callsOf, callsWith } from "../../analyses/fact-index.ts";
import { isSurelyHost } from "../../analyses/host-code.ts";
import { dropStatement } from "../../analyses/placed-edits.ts";
import { append } from "../../lists.ts";
import type { CallFact, Facts } from "../../semantics/facts/facts.ts";
import { sizeOf } from "../../semantics/types/layout.ts";
import { bodyAt, contains } from "../../semantics/types/places.ts";
import { isScalar } from "../../semantics/types/predicates.ts";
import type { FunctionSymbol, VariableSymbol } from "../../semantics/types/symbols.ts";
import { containsUnknown, printType, type Type, unqualifiedType } from "../../semantics/types/types.ts";
import { encloses } from "../../spans.ts";
import { hasWord } from "../../syntax/walk.ts";
import { addArgument, addParameter, blockAround, isEditable, launchesOf, statementOf, usesOf } from "../fixes/launch-edits.ts";
import type { PlacedEdit, Rule, RuleFinding } from "../rule.ts";

/** Reports scalars and small arrays in constant memory that the host sets before a launch: a kernel parameter is as fast and simpler. */
export const constantMemoryScalar: Rule = {
  id: "constant-memory-scalar",
  title: "a scalar or small `__constant__` variable is set by the host before launches: a kernel parameter is as fast and simpler",
  severity: "hint",
  languages: ["cuda"],
  clause: "CUDA C++ Programming Guide, __global__ function parameters: they are passed to the device via constant memory",
  documentation: `
Kernel parameters are passed in constant memory. A single number that the host copies into a \`__constant__\` variable with
\`cudaMemcpyToSymbol\`, for kernels to read, is as fast as a parameter and no faster (measured on an H200: 1,128 µs and 1,129 µs
for the same kernel), but it is global state, it needs a call that can fail, and two launches in different streams cannot have
different values.

Reported where the variable is read by kernels directly, not in functions that they call, and a host function of the same file
copies to it and launches such a kernel: a value that is set once, elsewhere, may well stay a variable. The refactoring passes the
value as a parameter, in the kernels and at their launches, and removes the variable and the copy; it is offered if all of this
happens in one function.

An array or an object of at most 1,024 bytes is reported if \`cudaMemcpyToSymbolAsync\` copies it in a stream in which the same function
then launches the kernel: a copy in another stream changes it while the kernel runs. As a member of a structure that the kernel gets by
value, each launch has its own.

**What to do**: pass the value to the kernel.`,
  limits: "A variable that only called functions read, or that another file sets, is not reported.",
  fixSafety:
    "A suggestion: the refactoring changes the kernel's signature and its launches, and is offered only where all of them are in this file.",
  examples: [
    {
      language: "cuda",
      bad: `__constant__ float factor; // <-
__global__ void scale(float *data) { data[threadIdx.x] *= factor; }
void start(float *data, float value) {
  cudaMemcpyToSymbol(factor, &value, sizeof(value));
  scale<<<1, 32>>>(data);
}`,
      good: `__global__ void scale(float *data, float factor) { data[threadIdx.x] *= factor; }
void start(float *data, float value) {
  scale<<<1, 32>>>(data, value);
}`,
    },
  ],
  checkFile({ facts, dialect }, report) {
    if (dialect.language !== "cuda" || dialect.relocatableDeviceCode) return;
    for (const { variable } of facts.variables) {
      const finding = isCandidate(variable) ? findingOf(variable, facts) : undefined;
      if (finding !== undefined) report(finding);
    }
  },
};

function isCandidate({ memorySpace, isDefinition, initializer, previous, type, scope, words }: VariableSymbol): boolean {
  if (
    memorySpace !== "constant" ||
    scope !== "program" ||
    !isDefinition ||
    initializer !== undefined ||
    previous !== undefined ||
    type.qualifiers.const ||
    type.qualifiers.volatile
  )
    return false;
  return (isScalar(type) || isSmall(type)) && !hasWord(words, "extern", "inline");
}

/** In bytes; more would make every launch slower. */
const smallSize = 1_024;

function isSmall(type: Type): boolean {
  const size = containsUnknown(type) || (type.kind !== "array" && type.kind !== "record") ? undefined : sizeOf(type);
  return size !== undefined && size <= smallSize;
}

/** True for a copy in a stream that the author names. */
function isInStream({ name, arguments: values }: CallFact): boolean {
  const stream = values[5];
  return name.endsWith("Async") && stream !== undefined && stream.expression.kind !== "number" && stream.expression.kind !== "nullptr";
}

function findingOf(variable: VariableSymbol, facts: Facts): RuleFinding | undefined {
  const copies = copiesTo(variable, facts);
  const kernels = readingKernels(variable, copies, facts);
  if (copies.length === 0 || kernels === undefined || kernels.length === 0) return undefined;
  const isOne = isScalar(variable.type);
  const isStarted = kernels
    .flatMap((kernel) => callsOf(facts, kernel))
    .some(
      ({ launch, within }) =>
        launch !== undefined &&
        within !== undefined &&
        (isOne || launch[3] !== undefined) &&
        copies.some((copy) => copy.within === within && (isOne || isInStream(copy))),
    );
  if (!isStarted) return undefined;
  return {
    place: variable.place,
    message: isOne
      ? `pass '${variable.name}' as a kernel parameter: it is as fast and simpler`
      : `pass '${variable.name}' in a kernel parameter: copies in other streams cannot change it`,
    related: copies.map(({ place }) => ({ message: "its value is copied here", place })),
    fixes: () => {
      const edits = isOne ? parameterInstead(variable, facts) : undefined;
      return edits === undefined ? [] : [{ title: `Pass '${variable.name}' as a kernel parameter`, edits, safety: "suggestion" }];
    },
  };
}

function copiesTo(variable: VariableSymbol, facts: Facts): readonly CallFact[] {
  return callsWith(facts, variable).filter(
    ({ name, arguments: values }) => /^(cuda|hip)MemcpyToSymbol(Async)?$/.test(name) && values[0]?.path?.root === variable,
  );
}

/** The edits that pass the value copied to a constant variable as a parameter; undefined unless everything happens in one function. */
export function parameterInstead(variable: VariableSymbol, facts: Facts): readonly PlacedEdit[] | undefined {
  const copies = copiesTo(variable, facts);
  const kernels = readingKernels(variable, copies, facts);
  const [only, second] = copies;
  if (only === undefined || second !== undefined || kernels === undefined || kernels.length === 0) return undefined;
  return parameterFix(variable, only, kernels, facts);
}

/** The kernels that use the variable; undefined if anything else uses it. */
function readingKernels(variable: VariableSymbol, copies: readonly CallFact[], facts: Facts): readonly FunctionSymbol[] | undefined {
  if (!copies.every((copy) => isSurelyHost(copy, facts))) return undefined;
  const kernels = new Set<FunctionSymbol>();
  for (const place of usesOf(variable, facts)) {
    if (copies.some((copy) => contains(copy.place, place))) continue;
    const kernel = facts.functions.find((each) => executionOf(each).kernel && bodyAt(each, place) !== undefined);
    if (kernel === undefined) return undefined;
    kernels.add(kernel);
  }
  const isRead = accessesTo(facts, variable).every(
    ({ mode, path, lambda }) => leavesObject(path) || mode === "bind" || (mode === "read" && lambda === undefined),
  );
  return isRead ? [...kernels] : undefined;
}

/** The edits for one copy of one local variable that is followed, in the same block, by every launch of every kernel that reads it. */
function parameterFix(
  variable: VariableSymbol,
  copy: CallFact,
  kernels: readonly FunctionSymbol[],
  facts: Facts,
): readonly PlacedEdit[] | undefined {
  const [, source, , offset] = copy.arguments;
  const value =
    source?.path?.steps.length === 1 && source.path.steps[0]?.kind === "address" && source.expression.kind === "unary"
      ? source.path.root
      : undefined;
  const statement = statementOf(copy);
  const block = blockAround(copy.within, copy.place);
  if (
    value === undefined ||
    statement === undefined ||
    block === undefined ||
    variable.sharesSpecifiers ||
    (offset !== undefined && offset.value !== 0n)
  )
    return undefined;
  if (
    printType(unqualifiedType(value.type)) !== printType(unqualifiedType(variable.type)) ||
    (value.scope !== "block" && value.scope !== "parameter")
  )
    return undefined;
  // If the variable changed after the copy, a launch would pass another value.
  if (accessesTo(facts, value).some(({ mode, place }) => mode !== "read" && place.span.start > copy.place.span.end)) return undefined;
  const { unit, span } = variable.declaration;
  const end = unit.view.text.indexOf(";", span.end) + 1;
  if (end === 0 || unit.view.text.slice(span.end, end - 1).trim() !== "") return undefined;
  const edits: PlacedEdit[] = [dropStatement({ unit, span: { start: span.start, end } }), dropStatement(statement)];
  const parameter = `${printType(unqualifiedType(variable.type))}${variable.type.kind === "pointer" ? "" : " "}${variable.name}`;
  for (const kernel of kernels) {
    const launches = isEditable(kernel, facts) ? launchesOf(kernel, facts) : undefined;
    if (
      launches === undefined ||
      !launches.every(
        ({ place, within, lambda }) =>
          within === copy.within &&
          lambda === undefined &&
          place.unit === copy.place.unit &&
          encloses(block, place.span) &&
          place.span.start > copy.place.span.end,
      )
    )
      return undefined;
    append(edits, addParameter(kernel, parameter));
    append(
      edits,
      launches.map((launch) => addArgument(launch, value.name)),
    );
  }
  return edits;
}
