/**
 * A launch that gives a kernel an address of ordinary host memory: as an argument, through an array of arguments, in a member of an
 * object, or in a lambda's copy. `analyses/host/host-memory.ts` decides what is host memory.
 */
import { accessesInLambda, accessesTo, callsOn, conversionsOf, symbolAt } from "../../analyses/fact-index.ts";
import { fromHeap, memoryBehind, pointedMemory } from "../../analyses/host/host-memory.ts";
import { initializedMembers, type KernelArgument, launchArgumentsOf } from "../../analyses/host/kernel-arguments.ts";
import { isSurelyHost } from "../../analyses/host-code.ts";
import type { AccessPath, CallFact, Facts } from "../../semantics/facts/facts.ts";
import { contains } from "../../semantics/types/places.ts";
import { callOperatorOf } from "../../semantics/types/predicates.ts";
import type { FunctionDeclaration, FunctionSymbol, Place, VariableSymbol } from "../../semantics/types/symbols.ts";
import type { Type } from "../../semantics/types/types.ts";
import type { Expression, LambdaExpression } from "../../syntax/ast.ts";
import { lastPart, unqualifiedName, walkCertainExpressions } from "../../syntax/walk.ts";
import type { Rule, RuleFinding } from "../rule.ts";

/** Reports kernel arguments that are addresses of ordinary host memory. */
export const deviceAccessOfHostPointer: Rule = {
  id: "device-access-of-host-pointer",
  title: "a kernel gets an address of ordinary host memory",
  severity: "warning",
  languages: ["cuda"],
  clause:
    "CUDA C++ Programming Guide, unified memory: without pageable memory access a kernel can access only memory of the device, managed memory, and page-locked host memory",
  documentation: `
A pointer is passed to a kernel as a number. If it is the address of a variable of the host, or of memory from \`malloc\`,
\`calloc\` or \`new\`, a kernel that dereferences it stops with an illegal memory access on most systems.

Systems whose devices have **pageable memory access** (\`cudaDevAttrPageableMemoryAccess\`: Grace with its coherent link, and
Linux with heterogeneous memory management) let kernels use all memory of the process, and so do AMD's with XNACK. Therefore this is a
warning, and a file that queries that attribute, or looks for \`xnack\` in the name of the architecture or in the environment, gets
none. Portable code must not rely on it.

The same holds for the elements of a \`std::vector\` or a \`std::array\`, for a pointer in an object that is passed by value, if the
kernel dereferences it, for one that a lambda copies, and for the objects whose addresses \`cudaLaunchKernel\`, \`cuLaunchKernel\` and
their like find in an array.

Nothing is reported for pointers that come from a parameter or from an unknown function, that are also assigned other addresses,
whose own address escapes, or that are registered with \`cudaHostRegister\`.

**What to do**: allocate with \`cudaMalloc\` and copy, or with \`cudaMallocManaged\` or \`cudaMallocHost\`; pass small values
themselves instead of their address.`,
  limits:
    "Pointers that come from a parameter, from memory, or from a function without a body here are not followed. In an object, only members are judged that the kernel dereferences, if it is not a template and its body is in the file.",
  examples: [
    {
      language: "cuda",
      bad: `__global__ void run(int *out);
void start() {
  int result = 0;
  run<<<1, 1>>>(&result); // <-
}`,
      good: `__global__ void run(int *out);
void start() {
  int *result;
  cudaMallocManaged(&result, sizeof(int));
  run<<<1, 1>>>(result);
}`,
    },
    {
      language: "cuda",
      bad: `__global__ void run(float *data);
void start(int n) {
  float *data = (float *)malloc(n * sizeof(float));
  run<<<1, 1>>>(data); // <-
}`,
      good: `__global__ void run(float *data);
void start(int n) {
  float *data;
  cudaMalloc(&data, n * sizeof(float));
  run<<<1, 1>>>(data);
}`,
    },
  ],
  checkFile({ facts }, report) {
    const findings: RuleFinding[] = [];
    for (const call of facts.calls) {
      const launch = launchArgumentsOf(call, facts);
      if (launch === undefined || !isSurelyHost({ within: call.within }, facts)) continue;
      for (const argument of launch.arguments) {
        const finding = findingOf(argument, launch.kernel, call, facts);
        if (finding !== undefined) findings.push(finding);
      }
    }
    if (findings.length === 0 || testsPageableAccess(facts)) return;
    for (const finding of findings) report(finding);
  },
};

function findingOf(argument: KernelArgument, kernel: FunctionSymbol | undefined, call: CallFact, facts: Facts): RuleFinding | undefined {
  const { index, value, array } = argument;
  const { type, place, path } = value;
  const parameter = kernel === undefined || kernel.isTemplate ? undefined : kernel.type.parameters[index];
  const lambda = array === undefined ? callOperatorOf(type) : undefined;
  if (lambda !== undefined) return capturedFinding(lambda, place, facts);
  if (parameter?.kind === "record" || (parameter === undefined && type.kind === "record"))
    return objectFinding(argument, parameter ?? type, kernel, call, facts);
  const takesPointer = parameter === undefined ? pointerLike.has(type.kind) : parameter.kind === "pointer";
  if (!takesPointer) return undefined;
  const memory = array === undefined ? pointedMemory(value, facts) : type.kind === "pointer" ? memoryBehind(path, facts, array) : undefined;
  if (memory === undefined) return undefined;
  const name = `'${path?.root?.name}'`;
  const [subject, what] =
    array === undefined ? ["this", memory.what] : [`${name}, which the kernel gets,`, memory.what.replace(` in ${name}`, "")];
  return { place, message: `${subject} points to ${what}, which most devices cannot access`, related: memory.related };
}

/** The elements of a container have a type from a header, which may be missing. */
const pointerLike: ReadonlySet<string> = new Set(["pointer", "array", "unknown"]);

/** An object with an address of host memory in a member that the kernel dereferences. */
function objectFinding(
  { index, value: { expression, path, place }, array }: KernelArgument,
  type: Type,
  kernel: FunctionSymbol | undefined,
  call: CallFact,
  facts: Facts,
): RuleFinding | undefined {
  const definition = kernel?.declarations.find(({ isDefinition }) => isDefinition);
  const parameter = definition?.parameters[index]?.symbol;
  if (definition === undefined || parameter === undefined) return undefined;
  const list = expression.kind === "compound-literal" ? expression.value : expression;
  const values = path === undefined ? initializedMembers(list, type) : membersAt(path, type, call.place, array, facts);
  for (const [name, value] of values ?? []) {
    const isUsed = parameter.isDependent ? dereferencesInText(definition, parameter, name, facts) : dereferences(parameter, name, facts);
    if (!isUsed) continue;
    const from = conversionsOf(facts, { unit: place.unit, span: value.span }).find(({ context }) => context !== "cast");
    const memory = from === undefined ? undefined : from.heap === undefined ? memoryBehind(from.path, facts) : fromHeap(from.heap);
    if (memory === undefined) continue;
    return {
      place,
      message: `'${name}' of this object points to ${memory.what}, which most devices cannot access`,
      related: memory.related,
    };
  }
  return undefined;
}

/** The values that the members of a local object have at a launch: from its initializer, or from the only assignment before it. */
function membersAt(
  { root, steps }: AccessPath,
  type: Type,
  launch: Place,
  array: Place | undefined,
  facts: Facts,
): ReadonlyMap<string, Expression> | undefined {
  if (root === undefined || steps.length > 0 || root.scope !== "block" || root.type.kind !== "record" || root.lambda !== undefined)
    return undefined;
  const { initializer } = root;
  const list = initializer?.kind === "value" ? initializer.value : undefined;
  const initial = list === undefined ? undefined : initializedMembers(list, type);
  if (initializer !== undefined && initial === undefined) return undefined;
  const found = new Map(initial);
  const assigned = new Set<string>();
  if (callsOn(facts, root).length > 0) return undefined;
  for (const { mode, path, place, assignment, lambda } of accessesTo(facts, root)) {
    const [first, ...others] = path.steps;
    if (mode === "read" || (array !== undefined && contains(array, place))) continue;
    const name = first?.kind === "member" && others.length === 0 ? first.name : undefined;
    const isSimple = mode === "write" && assignment?.operator === "=" && lambda === undefined && place.unit === launch.unit;
    // What lies behind a pointer of the object does not change the object.
    if (others.some(({ kind }) => kind === "dereference")) continue;
    if (name === undefined || !isSimple || assignment === undefined) return undefined;
    if (assigned.has(name) || found.has(name) || place.span.start > launch.span.start) found.delete(name);
    else found.set(name, assignment.value);
    assigned.add(name);
  }
  return found;
}

/** True if the kernel reads or writes what a pointer in its parameter points to. */
function dereferences(parameter: VariableSymbol, member: string, facts: Facts): boolean {
  return accessesTo(facts, parameter).some(
    ({
      path: {
        steps: [first, next],
      },
    }) => first?.kind === "member" && first.name === member && next?.kind === "dereference",
  );
}

/** The same for a template's parameter, whose members have no accesses. Branches that an instantiation may discard do not count. */
function dereferencesInText(
  { body, place: { unit } }: FunctionDeclaration,
  parameter: VariableSymbol,
  member: string,
  facts: Facts,
): boolean {
  const isPointer = (e: Expression): boolean => {
    if (e.kind === "parenthesized") return isPointer(e.inner);
    if (e.kind !== "member" || e.isArrow || unqualifiedName(e.name) !== member || e.object.kind !== "name") return false;
    const part = lastPart(e.object.name);
    return part !== undefined && symbolAt(facts, { unit, start: part.span.start }) === parameter;
  };
  let isFound = false;
  if (body !== undefined)
    walkCertainExpressions(body, (e) => {
      if (e.kind === "subscript" || (e.kind === "member" && e.isArrow)) isFound ||= isPointer(e.object);
      if (e.kind === "unary" && e.operator === "*") isFound ||= isPointer(e.operand);
    });
  return isFound;
}

function copies({ captures, captureDefault }: LambdaExpression, { name }: VariableSymbol): boolean {
  const own = captures.find((capture) => capture.name === name);
  return own === undefined ? captureDefault === "=" : !own.isReference;
}

/** A pointer that a lambda copies, and whose pointee it reads or writes on the device. */
function capturedFinding(operator: FunctionSymbol, place: Place, facts: Facts): RuleFinding | undefined {
  const { lambda } = operator;
  for (const { path } of accessesInLambda(facts, operator)) {
    const { root, steps } = path;
    if (
      lambda === undefined ||
      root === undefined ||
      root.lambda !== undefined ||
      steps[0]?.kind !== "dereference" ||
      root.type.kind !== "pointer" ||
      !copies(lambda, root)
    )
      continue;
    const memory = memoryBehind({ root, steps: [] }, facts);
    if (memory === undefined) continue;
    return {
      place,
      message: `'${root.name}', which the lambda copies, points to ${memory.what}, which most devices cannot access`,
      related: memory.related,
    };
  }
  return undefined;
}

/** True if the file tests whether devices can access all host memory. On AMD's they can if they retry page faults, `gfx90a:xnack+`. */
function testsPageableAccess({ accesses, calls }: Facts): boolean {
  const isAsked = (text: string | undefined) => text !== undefined && /pageableMemoryAccess/i.test(text);
  if (accesses.some(({ path }) => path.steps.some((step) => step.kind === "member" && isAsked(step.name)))) return true;
  return calls.some(({ arguments: values }) =>
    values.some(
      ({ expression }) =>
        (expression.kind === "name" && isAsked(expression.name.parts[0]?.text)) ||
        (expression.kind === "string" && /xnack/i.test(expression.text)),
    ),
  );
}
