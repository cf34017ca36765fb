/**
 * CUDA: explains a launch, `k<<<grid, block, bytes>>>(…)`: how many threads it starts, how much shared memory each block takes of which
 * limit, and what becomes of each argument.
 */
import { isDeviceCode } from "../../analyses/device-code.ts";
import { accessesTo, callsWith, conversionsTo } from "../../analyses/fact-index.ts";
import { gridConstantWord } from "../../analyses/grid-constants.ts";
import { parametersOf, requestedInstances, settled } from "../../analyses/memory/launches.ts";
import { isDefinedIn } from "../../analyses/memory/reached.ts";
import { sharedMemoryOf, staticSharedLimit } from "../../analyses/memory/shared.ts";
import { formatBytes as bytes, formatCount as number, type Total } from "../../analyses/memory-table.ts";
import type { CudaDialect } from "../../dialect.ts";
import { enumerated } from "../../lists.ts";
import type { Unit } from "../../preprocess/view/view.ts";
import type { CallArgument, CallFact, Facts } from "../../semantics/facts/facts.ts";
import type { LaunchValue } from "../../semantics/facts/launch-facts.ts";
import type { FunctionDeclaration, FunctionSymbol, VariableSymbol } from "../../semantics/types/symbols.ts";
import type { ViewSpan } from "../../source.ts";
import { copiesOf } from "../memory/kernels.ts";
import { atLeastText, type ParameterTable, parameterTable, totalText } from "../memory/sizes.ts";
import type { Explanation } from "./explanation.ts";
import { kernelDeclaration } from "./functions.ts";
import { parameterLimit } from "./parameter-limit.ts";
import { pointeesOf } from "./pointees.ts";

/** A launch and the span between `<<<` and `>>>`, with both. */
export interface LaunchTarget {
  readonly call: CallFact;
  readonly span: ViewSpan;
}

/** The launch whose `<<<…>>>` contains an offset of the View. */
export function launchAt(unit: Unit, facts: Facts, at: number): LaunchTarget | undefined {
  for (const call of facts.calls) {
    const [first] = call.launchValues ?? [];
    const last = call.launchValues?.at(-1);
    if (first === undefined || last === undefined || first.place.unit !== unit) continue;
    if (at < call.place.span.start || at >= call.place.span.end) continue;
    const start = unit.view.text.lastIndexOf("<<<", first.place.span.start);
    const end = unit.view.text.indexOf(">>>", last.place.span.end) + 3;
    if (start <= at && at < end) return { call, span: { ...first.place.span, start, end } };
  }
  return undefined;
}

/** The numbers of a launch. */
export interface LaunchNumbers {
  /** The grid and the block in three dimensions; undefined where not all are known. */
  readonly grid: Extents | undefined;
  readonly block: Extents | undefined;
  readonly parameters: Total;
  /** What the kernel's own variables take in each block. */
  readonly shared: Total;
  /** What the launch adds in each block; undefined if that is known only at run time. */
  readonly dynamicShared: number | undefined;
}

type Extents = readonly [number, number, number];

/** What is known of a launch; undefined if its kernel is not. */
export function launchNumbers(call: CallFact, facts: Facts): LaunchNumbers | undefined {
  const kernel = call.callee;
  const declaration = kernel === undefined ? undefined : kernelDeclaration(kernel);
  if (kernel === undefined || declaration === undefined) return undefined;
  const values = (call.launchValues ?? []).map((value) => settled(value, facts));
  const instance = kernel.isTemplate ? instanceOf(call, kernel, facts) : undefined;
  const isKnown = isDefinedIn(call.place.unit, kernel) && (!kernel.isTemplate || instance !== undefined);
  return {
    grid: extentsOf(values[0]),
    block: extentsOf(values[1]),
    parameters: instance === undefined ? parameterTable(declaration) : parametersOf(instance),
    shared: isKnown ? sharedMemoryOf(kernel, facts, instance?.name).total : { total: 0, isComplete: false },
    dynamicShared: values.length === 2 ? 0 : values[2]?.extents?.[0],
  };
}

/** The instantiation that a launch asks for: the one first requested here, or where the same arguments are written in full. */
function instanceOf(call: CallFact, kernel: FunctionSymbol, facts: Facts) {
  const written = calleeText(call.place.unit, call.place.span.start);
  const found = requestedInstances(kernel, facts).filter(({ name, place }) => {
    if (place.unit === call.place.unit && place.span.start === call.place.span.start) return true;
    // Arguments that are deduced may differ between equal texts.
    const isInFull = written.split(",").length === name.split(",").length && written.includes("<");
    return isInFull && calleeText(place.unit, place.span.start) === written;
  });
  return found.length === 1 ? found[0] : undefined;
}

function calleeText({ view }: Unit, start: number): string {
  const end = view.text.indexOf("<<<", start);
  return end < 0 ? "" : view.text.slice(start, end).replace(/\s/g, "");
}

function extentsOf(value: LaunchValue | undefined): Extents | undefined {
  const [x, y = 1, z = 1] = value?.extents ?? [];
  const isWhole = value?.extents?.every((extent) => extent !== undefined) === true;
  return isWhole && x !== undefined ? [x, y, z] : undefined;
}

/** Explains the launch. */
export function explainLaunch({ call }: LaunchTarget, facts: Facts, dialect: CudaDialect): Explanation | undefined {
  const kernel = call.callee;
  const declaration = kernel === undefined ? undefined : kernelDeclaration(kernel);
  const numbers = launchNumbers(call, facts);
  if (kernel === undefined || declaration === undefined || numbers === undefined) return undefined;
  return {
    signature: signatureOf(call, declaration, facts, numbers),
    lines: [
      threadsText(numbers),
      `Shared memory per block: ${sharedText(numbers)}${dialect.hip ? "" : `; a block has ${number(staticSharedLimit)}, and more after \`cudaFuncSetAttribute\``}`,
      `Parameters: ${atLeastText(numbers.parameters, parameterLimit(dialect))}`,
    ],
    heading: "limits",
  };
}

/** `Starts 4 blocks of 256 threads (16 × 16 × 1), 1,024 threads in all`. */
function threadsText({ grid, block }: LaunchNumbers): string {
  const blocks =
    grid === undefined
      ? "an unknown number of blocks"
      : `${number(product(grid))} ${product(grid) === 1 ? "block" : "blocks"}${shapeOf(grid)}`;
  const threads =
    block === undefined
      ? "an unknown number of threads"
      : `${number(product(block))} ${product(block) === 1 ? "thread" : "threads"}${shapeOf(block)}`;
  const all = grid === undefined || block === undefined ? "" : `, ${number(product(grid) * product(block))} in all`;
  return `Starts ${blocks} of ${threads}${all}; the launch does not wait`;
}

function product([x, y, z]: Extents): number {
  return x * y * z;
}

function shapeOf([x, y, z]: Extents): string {
  return y === 1 && z === 1 ? "" : ` (${number(x)} × ${number(y)} × ${number(z)})`;
}

/** The bytes of shared memory of each block: `768 bytes (512 static, 256 dynamic)`. */
export function sharedText({ shared, dynamicShared }: LaunchNumbers): string {
  const own = shared.isComplete ? number(shared.total) : shared.total > 0 ? `at least ${number(shared.total)}` : "unknown";
  const added = dynamicShared === undefined ? "unknown" : number(dynamicShared);
  if (!shared.isComplete || dynamicShared === undefined) return `static ${own}, dynamic ${added}`;
  const parts = shared.total > 0 && dynamicShared > 0 ? ` (${own} static, ${added} dynamic)` : "";
  return `${bytes(shared.total + dynamicShared)}${parts}`;
}

// ---------------------------------------------------------------- arguments

/** The call with a line for each argument. */
function signatureOf(call: CallFact, declaration: FunctionDeclaration, facts: Facts, { parameters: total }: LaunchNumbers): string {
  const { view } = call.place.unit;
  const first = call.launchValues?.[0]?.place.span.start ?? call.place.span.end;
  const last = call.launchValues?.at(-1)?.place.span.end ?? first;
  const head = oneLine(view.text.slice(call.place.span.start, view.text.indexOf(">>>", last) + 3));
  if (call.arguments.length === 0) return `${head}();`;
  const table = parameterTable(declaration);
  const texts = call.arguments.map(({ place }) => oneLine(place.unit.view.text.slice(place.span.start, place.span.end)));
  const width = Math.min(
    texts.reduce((most, { length }) => Math.max(most, length), 0),
    24,
  );
  const rows = call.arguments.map((argument, index) => {
    const comma = index === call.arguments.length - 1 ? " " : ",";
    return `  ${`${texts[index] ?? ""}${comma}`.padEnd(width + 1)} // ${argumentText(argument, index, declaration, table, facts)}`;
  });
  return `${head}(  // ${totalText(total)}\n${rows.join("\n")}\n);`;
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

/** What becomes of an argument. */
function argumentText(
  argument: CallArgument,
  index: number,
  declaration: FunctionDeclaration,
  table: ParameterTable,
  facts: Facts,
): string {
  const parameter = declaration.parameters[index];
  const row = table.rows[index];
  if (parameter === undefined) return "unknown";
  const { symbol } = parameter;
  const size = row?.size === undefined ? "size unknown" : bytes(row.size);
  if (symbol.type.kind === "pointer") return `${size}, ${pointerText(argument, facts)}`;
  if (symbol.type.kind === "reference") return `${size}, the address of an object of the host`;
  if (gridConstantWord(parameter) !== undefined) return `${size}, read from constant memory, never copied`;
  const copy = copiesOf(declaration, facts).find(({ variable }) => variable === symbol);
  if (copy !== undefined) return `${size}, copied to the stack by each thread, because ${copy.call.name} takes its address`;
  return `${size}, read from constant memory`;
}

/** The memory that an argument points to, as far as the host code shows. */
function pointerText({ path, heap }: CallArgument, facts: Facts): string {
  if (heap !== undefined) return `points to the host's heap (${heap})`;
  const root = path?.root;
  const open = "points to what the host passes";
  if (root === undefined || path === undefined) return open;
  if (root.type.kind === "pointer" && path.steps.length === 0) {
    const allocated = allocationOf(root, facts);
    if (allocated !== undefined) return allocated;
    const pointees = isDeviceCode({ within: root.owner }) ? pointeesOf(root, facts) : undefined;
    return pointees === undefined ? open : `points to ${enumerated(pointees, "or").replaceAll("`", "")}`;
  }
  const isAddress = path.steps.at(-1)?.kind === "address" || (root.type.kind === "array" && path.steps.length === 0);
  // In host code, the name of a device variable is not its address on the device.
  const isKnown = root.memorySpace === "managed" || root.memorySpace === "host";
  return isAddress && isKnown ? `points to ${root.memorySpace} memory (${root.name})` : open;
}

const allocators: readonly { readonly name: RegExp; readonly memory: string }[] = [
  { name: /^(?:::)?(?:cuda|hip)Malloc(?:Async|Pitch)?$/, memory: "global memory" },
  { name: /^(?:::)?(?:cuda|hip)MallocManaged$/, memory: "managed memory" },
  { name: /^(?:::)?(?:cudaMallocHost|cudaHostAlloc|hipHostMalloc|hipHostAlloc)$/, memory: "pinned memory of the host" },
];

/** The memory of a variable that gets its value from one kind of allocation only. */
function allocationOf(variable: VariableSymbol, facts: Facts): string | undefined {
  if (variable.scope !== "block") return undefined;
  const given = facts.calls.length === 0 ? [] : callsWith(facts, variable);
  const found = given.flatMap(({ name, arguments: [target] }) => {
    const isTarget = target?.path?.root === variable && target.path.steps.at(-1)?.kind === "address";
    const allocator = isTarget ? allocators.find((each) => each.name.test(name)) : undefined;
    return allocator === undefined ? [] : [{ name, memory: allocator.memory }];
  });
  const [first] = found;
  const isElsewhere =
    conversionsTo(facts, variable).some(({ isNullConstant }) => !isNullConstant) ||
    accessesTo(facts, variable).filter(({ mode, path }) => path.steps.length === 0 && mode !== "read" && mode !== "write").length >
      found.length;
  if (first === undefined || isElsewhere || found.some(({ memory }) => memory !== first.memory)) return undefined;
  return `points to ${first.memory} (${first.name})`;
}
