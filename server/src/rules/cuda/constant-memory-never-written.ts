/**
 * A `__constant__` variable that no other file can name, that has no initializer and that no host code names, so that kernels read zeros.
 * It is not reported if a use may be hidden: in a header or a file that others include, behind a macro, or in an inactive branch.
 */
import { executionOf, isDeviceCode, isHostCode } from "../../analyses/device-code.ts";
import { accessesTo } from "../../analyses/fact-index.ts";
import { isSurelyHost } from "../../analyses/host-code.ts";
import { isCuda } from "../../analyses/memory-spaces.ts";
import { memo } from "../../memo.ts";
import { fileOf } from "../../preprocess/row.ts";
import { includesAround, locationInFile } from "../../preprocess/unit-row.ts";
import type { Unit } from "../../preprocess/view/view.ts";
import { defaultsOf } from "../../semantics/declarations/initialization.ts";
import type { CallFact, Facts } from "../../semantics/facts/facts.ts";
import { bodyAt, contains } from "../../semantics/types/places.ts";
import { recordOf } from "../../semantics/types/predicates.ts";
import type { FunctionSymbol, Place, VariableSymbol } from "../../semantics/types/symbols.ts";
import { containsUnknown } from "../../semantics/types/types.ts";
import { wordPattern } from "../../words.ts";
import { usesOf } from "../fixes/launch-edits.ts";
import type { CheckedFile, Rule } from "../rule.ts";

/** Reports `__constant__` variables that device code reads and nothing sets. */
export const constantMemoryNeverWritten: Rule = {
  id: "constant-memory-never-written",
  title: "device code reads a `__constant__` variable that nothing sets",
  severity: "warning",
  languages: ["cuda"],
  clause:
    "CUDA C++ Programming Guide, device memory space specifiers, constant memory: set by the host with cudaMemcpyToSymbol, cudaGetSymbolAddress and their like; C++17 §6.6.2p2: zero-initialized where it has no initializer",
  documentation: `
Device code cannot write constant memory: a \`__constant__\` variable has the value of its initializer, or what the host copies
into it. Without either, every kernel that reads it reads zeros, and no compiler reports that: the copy was forgotten, or fills
another variable of the same name in another file.

It is reported only if that is certain: no other file can name the variable, because it is \`static\`, in an unnamed namespace, or compiled in
nvcc's whole-program mode, as the settings say (\`-arch\` without \`-rdc=true\`); its own file is not a header and no file includes it, the kernel that reads it is launched in this file (a file without launches
may be a module, in which the driver finds variables by their names), and nothing but device code mentions its name, not even in a
string, a macro or an inactive branch of \`#if\`.

**What to do**: copy the values with \`cudaMemcpyToSymbol(table, values, sizeof(table))\` before the first launch, in this file;
or initialize the variable; or remove it.`,
  limits: "Reported only for variables that no other file can name, in a file that no other file includes and that launches the kernel.",
  examples: [
    {
      language: "cuda",
      bad: `static __constant__ float weights[16]; // <-
__global__ void apply(float *out) { out[threadIdx.x] = weights[blockIdx.x]; }
void start(float *out) { apply<<<1, 32>>>(out); }`,
      good: `static __constant__ float weights[16];
__global__ void apply(float *out) { out[threadIdx.x] = weights[blockIdx.x]; }
void start(float *out, const float *values) {
  cudaMemcpyToSymbol(weights, values, sizeof(weights));
  apply<<<1, 32>>>(out);
}`,
    },
  ],
  checkFile({ facts, file, dialect }, report) {
    // nvcc makes every variable static then, and a declaration of it in another file is one of another variable.
    const isWholeProgram = isCuda(dialect) && dialect.isRelocatableKnown === true && !dialect.relocatableDeviceCode;
    for (const { variable } of facts.variables) {
      if (!startsAsZero(variable, facts, isWholeProgram)) continue;
      const reads = accessesTo(facts, variable);
      const first = reads.find(({ mode, within }) => mode === "read" && within !== undefined && launchedHere(facts).has(within));
      if (first === undefined || !reads.every((access) => access.mode === "read" && isDeviceCode(access) && !isHostCode(access))) continue;
      if (!isNamedByDeviceAlone(variable, facts) || isNamedElsewhere(variable, facts, file) || file.readers() !== "none") continue;
      report({
        place: variable.place,
        message: `'${variable.name}' is never set: kernels read zeros`,
        related: [{ message: "it is read here", place: first.place }],
      });
    }
  },
};

/**
 * The kernels that host code of this file launches, and the functions that they call. A file without launches may be compiled as a
 * module, whose variables the driver finds by their names, static or not.
 */
const launchedHere = memo((facts: Facts): ReadonlySet<FunctionSymbol> => {
  const reached = new Set(facts.calls.flatMap((call) => (isSurelyHost(call, facts) ? launchedBy(call, facts) : [])));
  // Iterating over a set also visits elements added meanwhile.
  for (const each of reached)
    for (const { within, callee } of facts.calls) if (within === each && callee !== undefined) reached.add(callee);
  return reached;
});

/** `k<<<…>>>(…)`, and HIP's `hipLaunchKernelGGL(k, …)`. */
function launchedBy({ launch, name, callee, arguments: [first] }: CallFact, { references }: Facts): readonly FunctionSymbol[] {
  if (launch !== undefined) return callee === undefined ? [] : [callee];
  if (name !== "hipLaunchKernelGGL" || first === undefined) return [];
  return references.flatMap(({ symbol, place }) => (symbol.kind === "function" && contains(first.place, place) ? [symbol] : []));
}

/** True for a variable that only this file can name and that has no initial value. A dynamic initializer is an error of its own. */
function startsAsZero(variable: VariableSymbol, { unread }: Facts, isWholeProgram: boolean): boolean {
  const { memorySpace, scope, isInternal, isDefinition, initializer, previous, type, isTemplated, isDependent, initialization } = variable;
  if (
    memorySpace !== "constant" ||
    scope !== "program" ||
    (isInternal !== true && !isWholeProgram) ||
    !isDefinition ||
    initializer !== undefined ||
    previous !== undefined
  )
    return false;
  if (
    isTemplated === true ||
    isDependent ||
    containsUnknown(type) ||
    type.qualifiers.const ||
    type.kind === "reference" ||
    unread.length > 0
  )
    return false;
  const record = recordOf(type);
  return initialization === "constant" && (record === undefined || !defaultsOf(record).sets);
}

/** True if every use is in a function that runs only on the device. */
function isNamedByDeviceAlone(variable: VariableSymbol, facts: Facts): boolean {
  return usesOf(variable, facts).every((use) => {
    const user = facts.functions.find((each) => bodyAt(each, use) !== undefined);
    if (user === undefined) return false;
    const { kernel, device, host } = executionOf(user);
    return (kernel || device) && !host;
  });
}

/** True if the file is a header, or if a header after the variable, or text of this file that was not understood, may name it. */
function isNamedElsewhere(variable: VariableSymbol, facts: Facts, { uri, text }: CheckedFile): boolean {
  const { name, place } = variable;
  if (fileOf(place.unit.uri) !== uri || /\.(cuh|h|hh|hpp|hxx|inl|inc|ipp)$/i.test(uri)) return true;
  if (includesAround(place).after.some(({ unit: header }) => header === undefined || mentions(header, name))) return true;
  const understood = new Set([place, ...usesOf(variable, facts)].map((each) => offsetIn(each, uri)));
  const written = [...text.matchAll(wordPattern(name, "g"))].map(({ index }) => index);
  const isDisabled = spansOfComments(text);
  return written.some((offset) => !understood.has(offset) && !isDisabled.some(([start, end]) => start <= offset && offset < end));
}

function mentions({ view, includes }: Unit, name: string): boolean {
  return view.text.includes(name) || includes.some(({ unit }) => unit !== undefined && mentions(unit, name));
}

/** The offset in the file; undefined in macro expansions. */
function offsetIn({ unit, span }: Place, uri: string): number | undefined {
  const { location, exact } = unit.view.origin(span);
  const { uri: file, span: written } = locationInFile(unit, location);
  return exact && file === uri ? written.start : undefined;
}

/** The spans of comments. A string that looks like a comment only makes the rule more cautious. */
function spansOfComments(text: string): readonly (readonly [number, number])[] {
  return [...text.matchAll(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g)]
    .filter(([found]) => !found.startsWith('"'))
    .map((match) => [match.index, match.index + match[0].length] as const);
}
