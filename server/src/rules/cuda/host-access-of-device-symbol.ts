/**
 * A use of a `__device__` or `__constant__` variable by its name in host code, where the name does not refer to the object on the
 * device. `symbol-copies.ts` handles the runtime's functions that take such a name.
 */
import { leavesObject } from "../../analyses/access-paths.ts";
import { compiledCode, compiledForHost, isBuiltinPlace, isCompiled, type Site } from "../../analyses/device-code.ts";
import { accessesTo, callsOn } from "../../analyses/fact-index.ts";
import { mayHideSpecifier } from "../../analyses/host/declared-heads.ts";
import { mayBeDropped } from "../../analyses/host/unchecked.ts";
import { isDeclarationClear, isSurelyBoth, isSurelyHost, isSurelyHostForNvcc } from "../../analyses/host-code.ts";
import { isCuda, isOfOnePass, memoryWordsOf } from "../../analyses/memory-spaces.ts";
import { objectFlow, pointerPath } from "../../analyses/object-flow.ts";
import { append } from "../../lists.ts";
import type { AccessFact, AccessPath, CallFact, ConversionFact, Facts } from "../../semantics/facts/facts.ts";
import { isEmptyClass } from "../../semantics/types/layout.ts";
import { isScalar } from "../../semantics/types/predicates.ts";
import type { VariableSymbol } from "../../semantics/types/symbols.ts";
import { isOpaqueToUs } from "../../semantics/types/types.ts";
import { isDecidedOnHost } from "../findings/host-reading.ts";
import { dataIndexOf, isSymbolCall, symbolFindings } from "../fixes/symbol-copies.ts";
import type { CheckedFile, PlacedEdit, Rule, RuleFinding } from "../rule.ts";

/** Reports host code that uses a `__device__` or `__constant__` variable as if it were its own, or passes it to the runtime wrongly. */
export const hostAccessOfDeviceSymbol: Rule = {
  id: "host-access-of-device-symbol",
  title: "host code uses a `__device__` or `__constant__` variable as if it were its own, or passes it to the runtime wrongly",
  severity: "warning",
  languages: ["cuda"],
  judgesHostSide: true,
  clause:
    "CUDA C++ Programming Guide, device memory space specifiers: accessible from the host through the runtime library (cudaGetSymbolAddress, cudaMemcpyToSymbol, cudaMemcpyFromSymbol)",
  documentation: `
For each \`__device__\` or \`__constant__\` variable the host program has a shadow variable of the same name, which does not share
its value: host code does not read what kernels see, kernels never see what it writes, and its address is a host address. nvcc
warns about reads and writes by name, never about the address, and clang reports nothing.

The runtime's functions take **the variable itself**: \`cudaMemcpyToSymbol(table, data, sizeof(table))\`. They fail at run
time, or copy the wrong bytes, when they get its address (\`&table\`, \`table + 2\`, \`(char *)&table\`), its name as a string
(removed in CUDA 5.0), a part of it other than the first (\`parameters.weights\`), a variable of the host, the other direction,
more bytes than the variable has, the size of a pointer, a number of elements, or, for a pointer on the device, the host's pointer
instead of its address (\`cudaMemcpyToSymbol(weights, p, sizeof(p))\` for \`&p\`).
\`cudaMalloc(&weights, n)\` stores the new address in the shadow variable, and kernels still see a null pointer. A copy whose data is
at \`&counter\` reads or writes the shadow variable, too.

\`threadIdx\`, \`blockIdx\`, \`blockDim\`, \`gridDim\` and \`warpSize\` exist on the device only. nvcc compiles a function of the host that reads
them, also a \`__host__ __device__\` one, and the program does not link.

Nothing is reported for \`const\` variables with a constant initializer (whose value the host's compiler knows as well), for
\`__managed__\` variables, and for an address that is passed to a function which may pass it on to the runtime.

**What to do**: copy with \`cudaMemcpyToSymbol\` and \`cudaMemcpyFromSymbol\`; ask for the device's address with
\`cudaGetSymbolAddress\`; in a kernel, use the variable by its name instead of passing it.`,
  limits:
    "Addresses that are passed to a function without a body here may be passed on to the runtime, and are not reported; nor is anything in a header that only sources for the host include.",
  fixSafety: "The fixes correct one argument of a runtime call, which is certainly wrong: safe.",
  examples: [
    {
      language: "cuda",
      bad: `__constant__ float table[8];
void set(const float *data) {
  cudaMemcpy(table, data, sizeof(table), cudaMemcpyHostToDevice); // <-
}`,
      good: `__constant__ float table[8];
void set(const float *data) {
  cudaMemcpyToSymbol(table, data, sizeof(table));
}`,
      fixed: `__constant__ float table[8];
void set(const float *data) {
  cudaMemcpyToSymbol(table, data, sizeof(table));
}`,
    },
    {
      language: "cuda",
      bad: `__constant__ int limit;
void set(int value) { cudaMemcpyToSymbol(&limit, &value, sizeof(value)); } // <-`,
      good: `__constant__ int limit;
void set(int value) { cudaMemcpyToSymbol(limit, &value, sizeof(value)); }`,
      fixed: `__constant__ int limit;
void set(int value) { cudaMemcpyToSymbol(limit, &value, sizeof(value)); }`,
    },
    {
      language: "cuda",
      bad: `__device__ int counter;
int seen() { return counter; } // <-`,
      good: `__device__ int counter;
int seen() {
  int value = 0;
  cudaMemcpyFromSymbol(&value, counter, sizeof(value));
  return value;
}`,
    },
  ],
  checkFile({ facts, dialect, file }, found) {
    // NVRTC compiles no host code, and puts const variables into device memory.
    if (dialect.language === "cuda" && dialect.runtime !== undefined) return;
    const report = (finding: RuleFinding): void => {
      if (!isDecidedOnHost(finding.place, dialect, file) && file.compiledFor() !== "host") found(finding);
    };
    const isHost = (site: Site) => (isCuda(dialect) ? isSurelyHostForNvcc(site, facts) : isSurelyHost(site, facts));
    // clang compiles a function for both sides for the host only if the host uses it.
    const isBoth = (site: Site) =>
      isSurelyBoth(site, facts, file.hostReading === "same") &&
      (isCuda(dialect) || site.lambda !== undefined || (site.within !== undefined && compiledForHost(facts).has(site.within)));
    for (const access of facts.accesses) {
      const finding = findingOfBuiltin(access, facts, file, { isHost, isBoth }) ?? findingOfAccess(access, facts, { isHost, isBoth });
      if (finding !== undefined) report(finding);
    }
    for (const conversion of facts.conversions) {
      const finding = findingOfConversion(conversion, facts, isHost);
      if (finding !== undefined) report(finding);
    }
    for (const call of facts.calls) {
      if (!isHost(call)) continue;
      if (isSymbolCall(call)) for (const finding of symbolFindings(call, facts)) report(finding);
      for (const finding of findingsOfCall(call, facts)) report(finding);
    }
  },
};

/** True for a variable in device memory that has no host counterpart of the same name. */
function isDeviceVariable(variable: VariableSymbol | undefined, facts: Facts): variable is VariableSymbol {
  if (variable === undefined || isBuiltinPlace(variable.place) || isOpaqueToUs(variable.type) || variable.isDependent) return false;
  const isThere = (variable.memorySpace === "device" || variable.memorySpace === "constant") && variable.type.kind !== "reference";
  // The host's compiler may see a host variable instead.
  return isThere && isDeclarationClear(variable, facts) && ![variable, ...memoryWordsOf(variable)].some(({ place }) => isOfOnePass(place));
}

/** True if compilers fold the value on both sides, as they do for a const variable. An object without members has no value to read. */
function isFolded({ type, initializer }: VariableSymbol): boolean {
  return type.qualifiers.const && (initializer !== undefined || (type.kind === "record" && isEmptyClass(type.record)));
}

// ---------------------------------------------------------------- reads and writes

/** Whether code is compiled for the host alone, or for both sides. */
interface Sides {
  readonly isHost: (site: Site) => boolean;
  readonly isBoth: (site: Site) => boolean;
}

/** `threadIdx` and the like in code that the host's compiler compiles: nvcc accepts it, and the linker finds no such variable. */
function findingOfBuiltin(access: AccessFact, facts: Facts, { textOf }: CheckedFile, sides: Sides): RuleFinding | undefined {
  const { path, place, within } = access;
  const { root } = path;
  if (root?.memorySpace !== "device" || !isBuiltinPlace(root.place) || within === undefined || isOfOnePass(place)) return undefined;
  const isBoth = sides.isBoth(access);
  if ((!isBoth && !sides.isHost(access)) || !isCompiled(access, compiledCode(facts))) return undefined;
  if (mayBeDropped(place, facts) || mayHideSpecifier(within.declarations, textOf)) return undefined;
  return {
    place,
    message: isBoth
      ? `'${root.name}' exists on the device only, and this function is also compiled for the host`
      : `'${root.name}' exists on the device only: the host's program has no such variable`,
  };
}

function findingOfAccess(access: AccessFact, facts: Facts, { isHost, ...sides }: Sides): RuleFinding | undefined {
  const { mode, place } = access;
  if (mode === "address" || mode === "bind") return undefined;
  const { root, steps } = access.path.root?.type.kind === "reference" ? objectFlow(facts).resolve(access.path) : access.path;
  if (!isDeviceVariable(root, facts) || leavesObject({ steps }) || isFolded(root)) return undefined;
  const isBoth = sides.isBoth(access);
  if (!isBoth && !isHost(access) && !initializesHostObject(access, facts, isHost)) return undefined;
  // nvcc rejects a store to a scalar `__constant__` variable, which another rule reports.
  if (mode !== "read" && root.memorySpace === "constant" && steps.length === 0 && isScalar(root.type)) return undefined;
  const what = mode === "read" ? "reads" : mode === "write" ? "writes" : "reads and writes";
  if (isBoth)
    return {
      place,
      message: `host code cannot access '${root.name}' in ${memoryOf(root)}, and this function is also compiled for the host`,
      related: [declared(root)],
    };
  return {
    place,
    message: `host code ${what} its own copy of '${root.name}', not the one in ${memoryOf(root)}`,
    related: [declared(root)],
  };
}

/** True in the default initializer of a member, if a host function declares an object that uses it: one without an initializer of its own. */
function initializesHostObject({ initializes, within, lambda }: AccessFact, facts: Facts, isHost: (site: Site) => boolean): boolean {
  const record = initializes?.scope === "member" ? initializes.record : undefined;
  if (record === undefined || within !== undefined || lambda !== undefined || record.functions.some(({ name }) => name === record.tag))
    return false;
  return facts.variables.some(
    ({ variable }) =>
      variable.type.kind === "record" &&
      variable.type.record === record &&
      variable.scope === "block" &&
      variable.initializer === undefined &&
      isHost({ within: variable.owner, lambda: variable.lambda }),
  );
}

function declared(variable: VariableSymbol): NonNullable<RuleFinding["related"]>[number] {
  return { message: `'${variable.name}' is declared here, as ${wordOf(variable)}`, place: variable.place };
}

function memoryOf({ memorySpace }: VariableSymbol): string {
  return memorySpace === "constant" ? "constant memory" : "device memory";
}

function wordOf({ memorySpace }: VariableSymbol): string {
  return memorySpace === "constant" ? "'__constant__'" : "'__device__'";
}

// ---------------------------------------------------------------- addresses

/** The device variable whose address the pointer expression is. */
function addressed(path: AccessPath | undefined, facts: Facts): VariableSymbol | undefined {
  const last = path?.steps[path.steps.length - 1];
  if (path === undefined || last?.kind !== "address" || leavesObject(path)) return undefined;
  return isDeviceVariable(path.root, facts) ? path.root : undefined;
}

function findingOfConversion(conversion: ConversionFact, facts: Facts, isHost: (site: Site) => boolean): RuleFinding | undefined {
  const { context, to, place, path, target } = conversion;
  if (to.kind === "reference") return findingOfDefault(conversion, facts, isHost);
  if (context === "cast" || context === "pass" || to.kind !== "pointer" || to.pointee.kind === "void" || isOpaqueToUs(to.pointee))
    return undefined;
  const variable = addressed(path, facts);
  const initializes = target !== undefined && "kind" in target ? target : undefined;
  if (variable === undefined || !isHost({ ...conversion, initializes })) return undefined;
  return {
    place,
    message: `this is the address of the host's copy of '${variable.name}', not of the one on the device`,
    related: [declared(variable)],
  };
}

/** A reference parameter of a host function whose default argument is a device variable. A function that passes it on may give it to the runtime. */
function findingOfDefault(
  { place, path, target, within }: ConversionFact,
  facts: Facts,
  isHost: (site: Site) => boolean,
): RuleFinding | undefined {
  const parameter = target !== undefined && "writtenType" in target ? target.symbol : undefined;
  if (parameter === undefined || path === undefined || !isDeviceVariable(path.root, facts) || leavesObject(path)) return undefined;
  const isUsed =
    callsOn(facts, parameter).length > 0 || accessesTo(facts, parameter).some(({ mode }) => mode !== "address" && mode !== "bind");
  if (!isUsed || isFolded(path.root) || !isHost({ within })) return undefined;
  return {
    place,
    message: `this refers to the host's copy of '${path.root.name}', not to the one on the device`,
    related: [declared(path.root)],
  };
}

/** Functions that copy or fill device memory, and so need device addresses. */
const copies = /^(cuda|hip)(Memcpy|Memset|MemPrefetch|Free)(Async|2D|2DAsync)?$/;
/** Functions that store an address through their first argument. */
const allocations =
  /^(?:cuda|hip)(?:Malloc(?:Managed|Host|Pitch|Array|Async|FromPoolAsync)?|HostAlloc|HostMalloc|HostGetDevicePointer|ExtMallocWithFlags)$/;
const hostCopies = new Set(["memcpy", "memmove", "memset", "std::memcpy", "std::memmove", "std::memset"]);

function findingsOfCall(call: CallFact, facts: Facts): readonly RuleFinding[] {
  const findings: RuleFinding[] = [...findingsOfObject(call, facts)];
  for (const [index, argument] of call.arguments.entries()) {
    const variable = addressed(pointerPath(argument), facts);
    if (variable === undefined) continue;
    const message = messageOf(call, index, variable);
    if (message === undefined) continue;
    const edits = copies.test(call.name) ? symbolCopy(call, index) : undefined;
    findings.push({ place: argument.place, message, related: [declared(variable)], fixes: () => (edits === undefined ? [] : [edits]) });
  }
  return findings;
}

/** Calling a function object, `scaled(3)`, reads it. Other member functions may use none of the object's members. */
function findingsOfObject({ name, object }: CallFact, facts: Facts): readonly RuleFinding[] {
  const variable = name === "operator()" && object?.path?.steps.length === 0 ? object.path.root : undefined;
  if (object === undefined || !isDeviceVariable(variable, facts) || isFolded(variable)) return [];
  const message = `host code reads its own copy of '${variable.name}', not the one in ${memoryOf(variable)}`;
  return [{ place: object.place, message, related: [declared(variable)] }];
}

function messageOf(call: CallFact, index: number, variable: VariableSymbol): string | undefined {
  const { name, callee, launch } = call;
  if (isSymbolCall(call)) return index === dataIndexOf(call) ? messageOfData(name, variable) : undefined;
  if (launch !== undefined || (name === "hipLaunchKernelGGL" && index >= 5))
    return `the kernel gets an address of the host, not that of '${variable.name}' on the device`;
  if (index === 0 && allocations.test(name)) return messageOfAllocation(name, variable);
  if (copies.test(name)) return `'${name}' gets the host's address of '${variable.name}', not the device's`;
  if (hostCopies.has(name)) return `'${name}' runs on the host, where '${variable.name}' has no memory`;
  const parameter = callee === undefined || callee.isTemplate || callee.isBuiltin ? undefined : callee.type.parameters[index];
  if (parameter?.kind !== "pointer" || parameter.pointee.kind === "void" || isOpaqueToUs(parameter.pointee)) return undefined;
  return `this is the address of the host's copy of '${variable.name}', not of the one on the device`;
}

/** A call that finds one variable by its symbol, and gets the host's copy of another one for the data. */
function messageOfData(name: string, variable: VariableSymbol): string | undefined {
  if (!/Memcpy/.test(name)) return /Address/.test(name) ? messageOfAllocation(name, variable) : undefined;
  return isFolded(variable) ? undefined : `'${name}' gets the host's address of '${variable.name}', not the device's`;
}

function messageOfAllocation(name: string, variable: VariableSymbol): string {
  return `'${name}' sets the host's copy of '${variable.name}', not the pointer on the device`;
}

/** `cudaMemcpy(&x, p, n, cudaMemcpyHostToDevice)` means `cudaMemcpyToSymbol(x, p, n)`; likewise in the other direction. */
function symbolCopy(
  call: CallFact,
  index: number,
): { readonly title: string; readonly edits: readonly PlacedEdit[]; readonly safety: "safe" } | undefined {
  const match = /^(cuda|hip)Memcpy$/.exec(call.name);
  const [, , count, kind] = call.arguments;
  const written = kind?.expression.kind === "name" ? kind.expression.name.parts[0]?.text : undefined;
  const symbol = call.arguments[index];
  if (match === null || count === undefined || kind === undefined || symbol === undefined || call.arguments.length !== 4) return undefined;
  const isTo = index === 0 && written?.endsWith("MemcpyHostToDevice") === true;
  if (!isTo && !(index === 1 && written?.endsWith("MemcpyDeviceToHost") === true)) return undefined;
  const { unit, span } = call.place;
  const name = `${match[1]}Memcpy${isTo ? "To" : "From"}Symbol`;
  const edits: PlacedEdit[] = [{ place: { unit, span: { start: span.start, end: span.start + call.name.length } }, text: name }];
  const whole = withoutAddress(symbol);
  if (whole === undefined) return undefined;
  append(edits, whole);
  edits.push({ place: { unit, span: { start: count.place.span.end, end: kind.place.span.end } }, text: "" });
  return { title: `Copy with '${name}'`, edits, safety: "safe" };
}

/** The edits that leave only the name; undefined if the address is that of a part of the variable. */
function withoutAddress({ expression, place, type }: CallFact["arguments"][number]): readonly PlacedEdit[] | undefined {
  if (expression.kind === "name") return type.kind === "array" ? [] : undefined;
  if (expression.kind !== "unary" || expression.operator !== "&" || expression.operand.kind !== "name") return undefined;
  return [{ place: { unit: place.unit, span: { start: place.span.start, end: expression.operand.span.start } }, text: "" }];
}
