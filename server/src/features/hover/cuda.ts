/**
 * What a hover says in CUDA C++: who sees a memory space, how long its objects live, which limit they count towards, what
 * `__grid_constant__` changes, and the ways to hand a constant to a kernel with what they were measured to cost.
 */
import type { CudaDialect } from "../../dialect.ts";
import { constantMemoryLimit } from "../../rules/constant-memory-size.ts";
import type { Facts } from "../../semantics/facts.ts";
import type { FunctionDeclaration, FunctionSymbol, MemorySpace, VariableSymbol } from "../../semantics/symbols.ts";
import { isFloating, isInteger, spellDeclared, type Type } from "../../semantics/types.ts";
import { bullets, bytes, code, codeBlock, number } from "./markdown.ts";
import { constLines, restrictLine } from "./qualifiers.ts";
import { constantMemoryOf, layoutTable, ledgerTable, parameterLedger, sizeText, totalOf, totalText } from "./sizes.ts";
import type { Target } from "./target.ts";
import { parameterLimit, templateParameterParts, wayOf, ways } from "./ways.ts";

const guide = "[CUDA C++ Programming Guide](https://docs.nvidia.com/cuda/cuda-c-programming-guide/)";

/** CUDA C++ Programming Guide, technical specifications: what one block may declare; more must be asked for. */
const staticSharedBytes = 49_152;

interface SpaceText {
  readonly word: string;
  readonly seen: string;
  readonly lives: string;
  readonly notes: readonly string[];
}

const spaces: Readonly<Record<Exclude<MemorySpace, "host">, SpaceText>> = {
  constant: {
    word: "__constant__",
    seen: "all device code of its module, for reading only; the host copies into it with `cudaMemcpyToSymbol`",
    lives: "as long as the CUDA context; its initialiser must be a constant expression",
    notes: [
      "one instruction reads one address for the whole warp; different ones are served one after another: 32 take 10.1 × as long as one, measured on H200",
    ],
  },
  device: {
    word: "__device__",
    seen: "all threads of all grids; the host by `cudaMemcpyToSymbol`, `cudaMemcpyFromSymbol` and `cudaGetSymbolAddress`, never by its name",
    lives: "as long as the CUDA context, in global memory",
    notes: [],
  },
  shared: {
    word: "__shared__",
    seen: "the threads of one block; each block has its own",
    lives: "as long as its block; it starts without a value, and an initialiser is an error",
    notes: [`limit: ${bytes(staticSharedBytes)} for each block; more only as \`extern __shared__\`, whose size the launch gives`],
  },
  managed: {
    word: "__managed__",
    seen: "device and host, by the same name",
    lives: "as long as the program; the driver moves it to where it is used",
    notes: [],
  },
};

/** The parts of a hover over a word, a variable or a kernel; undefined where there is nothing to say. */
export function cudaParts(target: Target, facts: Facts, dialect: CudaDialect): readonly string[] | undefined {
  const { variable, function: owner, text } = target;
  if (target.kind === "template-parameter")
    return owner === undefined ? undefined : [...templateParameterParts(owner, text, target.type, facts, dialect), guide];
  if (target.kind === "function" || text === "__global__") return owner === undefined ? undefined : kernelParts(owner, facts, dialect);
  const parts = variable === undefined ? wordParts(target) : variableParts(target, variable, facts, dialect);
  return parts === undefined ? undefined : [...parts, guide];
}

/** A word on something that is no variable. */
function wordParts({ text, on }: Target): readonly string[] | undefined {
  if (on === "function" || on === "lambda") {
    if (text === "__device__") return [bullets(["`__device__` function: runs on the device, called from device code only"]) ?? ""];
    return text === "__host__"
      ? [bullets(["`__host__` function: runs on the host; with `__device__` it is compiled for both"]) ?? ""]
      : undefined;
  }
  if (text === "__grid_constant__") return [gridConstantPart(undefined)];
  const space = Object.values(spaces).find(({ word }) => word === text);
  return space === undefined ? undefined : [`**${code(space.word)}**\n${bullets(spaceLines(space)) ?? ""}`];
}

function variableParts(target: Target, variable: VariableSymbol, facts: Facts, dialect: CudaDialect): readonly string[] | undefined {
  const { memorySpace, type, name } = variable;
  const kernel = kernelOf(variable);
  const head = [codeBlock("cuda", `${[wordsInFront(variable), spellDeclared(type, name)].filter((text) => text !== "").join(" ")};`)];
  const qualifiers = [...constLines(name, type), restrictLine(name, type, "cuda")];
  if (kernel !== undefined) return [...head, ...parameterParts(variable, kernel, qualifiers, dialect)];
  if (memorySpace !== undefined && memorySpace !== "host") {
    const lines = bullets([
      sizeText(type),
      ownNumbers(variable, memorySpace, facts, dialect),
      ...qualifiers,
      ...spaceLines(spaces[memorySpace]),
    ]);
    return [...head, lines, memorySpace === "constant" ? ways(type, wayOf(variable), dialect) : undefined, layoutTable(type)].filter(
      (part) => part !== undefined,
    );
  }
  if (isHostConstant(variable))
    return [...head, hostConstant(variable, qualifiers), ways(type, wayOf(variable), dialect), layoutTable(type)].filter(
      (part) => part !== undefined,
    );
  const lines = target.kind === "word" ? bullets([wordLine(target), ...qualifiers]) : undefined;
  return lines === undefined ? undefined : [...head, lines];
}

/** `const` and `restrict` are in the type; the words of the object itself are not. */
function wordsInFront({ words }: VariableSymbol): string {
  return words
    .map(({ text }) => text)
    .filter((text) => text !== "const" && text !== "volatile" && text !== "restrict")
    .join(" ");
}

function wordLine({ text }: Target): string | undefined {
  return text === "__grid_constant__" ? "`__grid_constant__` has a meaning on parameters of a `__global__` function only" : undefined;
}

function spaceLines({ seen, lives, notes }: SpaceText): readonly string[] {
  return [`seen by ${seen}`, `lives ${lives}`, ...notes];
}

/** What this object's kind takes of its limit. */
function ownNumbers(variable: VariableSymbol, space: MemorySpace, facts: Facts, dialect: CudaDialect): string | undefined {
  if (space === "constant")
    return `the constant variables of this translation unit take ${totalText(constantMemoryOf(facts, dialect))} of the ${number(constantMemoryLimit)} that a module has`;
  if (space !== "shared" || variable.owner === undefined) return undefined;
  return `the shared variables of ${code(variable.owner.name)} take ${totalText(totalOf(sharedOf(variable.owner, facts)))} of ${number(staticSharedBytes)}`;
}

function sharedOf(owner: FunctionSymbol, facts: Facts): readonly VariableSymbol[] {
  return facts.variables
    .map(({ variable }) => variable)
    .filter((variable) => variable.memorySpace === "shared" && variable.owner === owner && variable.isDefinition);
}

// ---------------------------------------------------------------- parameters

function kernelOf(variable: VariableSymbol): FunctionDeclaration | undefined {
  if (variable.scope !== "parameter") return undefined;
  return variable.owner?.declarations.find(
    ({ execution, parameters }) => execution.kernel && parameters.some(({ symbol }) => symbol === variable),
  );
}

function parameterParts(
  variable: VariableSymbol,
  kernel: FunctionDeclaration,
  qualifiers: readonly (string | undefined)[],
  dialect: CudaDialect,
): readonly string[] {
  const { type, name } = variable;
  const ledger = parameterLedger(kernel);
  const row = ledger.rows.find(({ symbol }) => symbol === variable);
  const size = sizeText(type);
  const isShared = variable.words.some(({ text }) => text === "__grid_constant__");
  const isByValue = type.kind !== "pointer" && type.kind !== "reference";
  const lines = bullets([
    `parameter of kernel ${code(kernel.owner.name)}${size === undefined ? "" : `: ${size}`}${row?.offset === undefined ? "" : ` at offset ${number(row.offset)}`}`,
    `the parameters take ${totalText(ledger)} of ${parameterLimit(dialect)}`,
    type.kind === "pointer" ? `${code(name)} itself is handed over; what it points to must be memory that the device can reach` : undefined,
    type.kind === "reference" ? "a reference: the kernel gets an address of the host" : undefined,
    ...qualifiers,
  ]);
  return [
    lines,
    isShared ? gridConstantPart(name) : isByValue ? copyPart(type) : undefined,
    isByValue ? ways(type, "parameter", dialect) : undefined,
    layoutTable(type),
  ].filter((part) => part !== undefined);
}

/** Where a parameter without the annotation lives. */
function copyPart(type: Type): string {
  const place = "The launch puts it into constant memory, where every thread reads it.";
  if (type.kind === "arithmetic" || type.kind === "enum") return place;
  return `${place} A thread that writes it, or hands its address to a call that is not inlined, has a copy of its own; for the call \`const __grid_constant__\` avoids that. ${measuredCopy}.`;
}

const measuredCopy =
  "measured on H200 for a struct of 404 bytes whose reference goes to a `__noinline__` function: 462 µs and 408 bytes of stack as `const S`, 158 µs and no stack as `const __grid_constant__ S`";

function gridConstantPart(name: string | undefined): string {
  const lines = bullets([
    `seen by all threads of the grid as one object with one address, for reading only; no thread has a copy${name === undefined ? "" : ` of ${code(name)}`}`,
    "lives as long as the grid",
    "needs a `const` type that is no reference, on every declaration of the kernel, and compute capability 7.0",
    measuredCopy,
  ]);
  return name === undefined ? `**\`__grid_constant__\`**\n${lines ?? ""}` : (lines ?? "");
}

// ---------------------------------------------------------------- constants

/** Const in host memory, or a local constant of device code that takes none. */
function isHostConstant({ memorySpace, type, words, scope }: VariableSymbol): boolean {
  const isConst = (type.kind === "array" ? type.element : type).qualifiers.const;
  const isLocal = scope === "block" && words.some(({ text }) => text === "constexpr");
  return isConst && (memorySpace === "host" || isLocal);
}

/** CUDA C++ Programming Guide, const-qualified variables and constexpr variables. */
function hostConstant(variable: VariableSymbol, qualifiers: readonly (string | undefined)[]): string {
  const { type, initializer, memorySpace } = variable;
  const size = sizeText(type) === undefined ? "" : `: ${sizeText(type)}`;
  const what = memorySpace === "host" ? "a constant of the host" : "a constant of its function";
  return (
    bullets([
      `${what}${size}`,
      memorySpace === "host" ? useInDeviceCode(variable) : undefined,
      memorySpace === "host" && initializer === undefined ? "it has no initialiser here" : undefined,
      ...qualifiers,
    ]) ?? ""
  );
}

function useInDeviceCode({ type, name, words, initialization }: VariableSymbol): string {
  const isConstexpr = words.some(({ text }) => text === "constexpr");
  const isNumber = isInteger(type) || isFloating(type);
  if (type.qualifiers.volatile) return `device code cannot use ${code(name)} at run time: it is volatile`;
  if (initialization === "dynamic")
    return `device code cannot know the value of ${code(name)}: its initialiser runs when the program starts`;
  if (isNumber)
    return `device code may use the value of ${code(name)}, never its address or a reference to it${isConstexpr ? "" : ", and only behind an initialiser that is a constant expression"}${isFloating(type) && !isConstexpr ? " (floating point: not with MSVC)" : ""}`;
  if (!isConstexpr)
    return `device code cannot use ${code(name)} at run time: it is neither integral nor floating point; make it \`__constant__\` or \`constexpr\``;
  if (type.kind === "array")
    return `device code may use elements of ${code(name)} that the compiler computes, none with a variable index, and never its address; \`__constant__\` allows both`;
  return `device code may use the values of ${code(name)}'s members and copy it, never take its address or a reference to it; \`__constant__\` allows both`;
}

// ---------------------------------------------------------------- kernels

function kernelParts(owner: FunctionSymbol, facts: Facts, dialect: CudaDialect): readonly string[] | undefined {
  const declaration =
    owner.declarations.find(({ isDefinition, execution }) => isDefinition && execution.kernel) ??
    owner.declarations.find(({ execution }) => execution.kernel);
  if (declaration === undefined) return undefined;
  const ledger = parameterLedger(declaration);
  const shared = sharedOf(owner, facts);
  const spelled = declaration.parameters.map(({ symbol }) =>
    [wordsInFront(symbol), spellDeclared(symbol.type, symbol.name)].filter((text) => text !== "").join(" "),
  );
  return [
    codeBlock("cuda", `__global__ void ${owner.name}(${spelled.join(", ")});`),
    bullets([
      "a kernel: runs on the device, launched by the host (or by device code with dynamic parallelism); the launch does not wait, and nothing is returned",
      `the parameters take ${totalText(ledger)} of ${parameterLimit(dialect)}`,
      shared.length > 0
        ? `its shared variables take ${totalText(totalOf(shared))} of ${number(staticSharedBytes)} for each block`
        : undefined,
    ]) ?? "",
    ...(ledger.rows.length > 0 ? [ledgerTable(ledger)] : []),
    guide,
  ];
}
