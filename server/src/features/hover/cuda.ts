/**
 * What a hover says in CUDA C++: who sees a memory space, how long its objects live, which limit they count towards, what
 * `__grid_constant__` changes, and the ways to hand a constant to a kernel with what they were measured to cost.
 */
import type { CudaDialect } from "../../dialect.ts";
import { constantMemoryLimit } from "../../rules/constant-memory-size.ts";
import { largeParameterLimit, smallParameterLimit } from "../../rules/kernel-parameter-size.ts";
import type { Facts } from "../../semantics/facts.ts";
import { sizeOf } from "../../semantics/layout.ts";
import type { FunctionDeclaration, FunctionSymbol, MemorySpace, VariableSymbol } from "../../semantics/symbols.ts";
import { isFloating, isInteger, spellDeclared, type Type } from "../../semantics/types.ts";
import { bullets, bytes, code, codeBlock, number, table } from "./markdown.ts";
import { constLines, restrictLine } from "./qualifiers.ts";
import { constantMemoryOf, layoutTable, ledgerTable, parameterLedger, sizeText, totalOf, totalText } from "./sizes.ts";
import type { Target } from "./target.ts";

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
    notes: ["one instruction reads one address for the whole warp; different addresses are served one after another. Measured on H200: 32 addresses in a warp take 10.1 × as long as one (8,677 µs and 857 µs); the same table takes 264 µs in cached global and 173 µs in shared memory, whatever the pattern"],
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
  if (target.kind === "function" || text === "__global__") return owner === undefined ? undefined : kernelParts(owner, facts, dialect);
  const parts = variable === undefined ? wordParts(target) : variableParts(target, variable, facts, dialect);
  return parts === undefined ? undefined : [...parts, guide];
}

/** A word on something that is no variable. */
function wordParts({ text, on }: Target): readonly string[] | undefined {
  if (on === "function" || on === "lambda") {
    if (text === "__device__") return [bullets(["`__device__` function: runs on the device, called from device code only"]) ?? ""];
    return text === "__host__" ? [bullets(["`__host__` function: runs on the host; with `__device__` it is compiled for both"]) ?? ""] : undefined;
  }
  if (text === "__grid_constant__") return [gridConstantPart(undefined)];
  const space = Object.values(spaces).find(({ word }) => word === text);
  return space === undefined ? undefined : [spacePart(space, [])];
}

function variableParts(target: Target, variable: VariableSymbol, facts: Facts, dialect: CudaDialect): readonly string[] | undefined {
  const { memorySpace, type, name } = variable;
  const kernel = kernelOf(variable);
  const head = [codeBlock("cuda", `${[wordsInFront(variable), spellDeclared(type, name)].filter((text) => text !== "").join(" ")};`)];
  const qualifiers = [...constLines(name, type), restrictLine(name, type, "cuda")];
  if (kernel !== undefined) return [...head, ...parameterParts(variable, kernel, qualifiers, dialect)];
  if (memorySpace !== undefined && memorySpace !== "host") {
    const lines = bullets([`at ${variable.scope === "block" ? "block" : "program"} scope`, sizeText(type), ...qualifiers]);
    return [...head, lines, spacePart(spaces[memorySpace], [ownNumbers(variable, memorySpace, facts, dialect)]), memorySpace === "constant" ? ways(type, dialect) : undefined, layoutTable(type)].filter((part) => part !== undefined);
  }
  if (memorySpace === "host" && type.qualifiers.const) return [...head, hostConstant(variable, qualifiers), ways(type, dialect)].filter((part) => part !== undefined);
  const lines = target.kind === "word" ? bullets([wordLine(target), ...qualifiers]) : undefined;
  return lines === undefined ? undefined : [...head, lines];
}

/** `const` and `restrict` are in the type; the words of the object itself are not. */
function wordsInFront({ words }: VariableSymbol): string {
  return words.map(({ text }) => text).filter((text) => text !== "const" && text !== "volatile" && text !== "restrict").join(" ");
}

function wordLine({ text }: Target): string | undefined {
  return text === "__grid_constant__" ? "`__grid_constant__` has a meaning on parameters of a `__global__` function only" : undefined;
}

function spacePart({ word, seen, lives, notes }: SpaceText, more: readonly (string | undefined)[]): string {
  return `**${code(word)}**\n${bullets([`seen by ${seen}`, `lives ${lives}`, ...more, ...notes]) ?? ""}`;
}

/** What this object's kind takes of its limit. */
function ownNumbers(variable: VariableSymbol, space: MemorySpace, facts: Facts, dialect: CudaDialect): string | undefined {
  if (space === "constant") return `the constant variables of this translation unit take ${totalText(constantMemoryOf(facts, dialect))} of the ${number(constantMemoryLimit)} that a module has`;
  if (space !== "shared" || variable.owner === undefined) return undefined;
  return `the shared variables of ${code(variable.owner.name)} take ${totalText(totalOf(sharedOf(variable.owner, facts)))} of ${number(staticSharedBytes)}`;
}

function sharedOf(owner: FunctionSymbol, facts: Facts): readonly VariableSymbol[] {
  return facts.variables.map(({ variable }) => variable).filter((variable) => variable.memorySpace === "shared" && variable.owner === owner && variable.isDefinition);
}

// ---------------------------------------------------------------- parameters

function kernelOf(variable: VariableSymbol): FunctionDeclaration | undefined {
  if (variable.scope !== "parameter") return undefined;
  return variable.owner?.declarations.find(({ execution, parameters }) => execution.kernel && parameters.some(({ symbol }) => symbol === variable));
}

function parameterParts(variable: VariableSymbol, kernel: FunctionDeclaration, qualifiers: readonly (string | undefined)[], dialect: CudaDialect): readonly string[] {
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
    isByValue ? ways(type, dialect) : undefined,
    layoutTable(type),
  ].filter((part) => part !== undefined);
}

/** Where a parameter without the annotation lives. */
function copyPart(type: Type): string {
  const place = "The launch puts it into constant memory, where every thread reads it.";
  if (type.kind === "arithmetic" || type.kind === "enum") return place;
  return `${place} A thread that writes it, or hands its address to a call that is not inlined, has a copy of its own; for the call \`const __grid_constant__\` avoids that. ${measuredCopy}.`;
}

const measuredCopy = "Measured on H200 for a struct of 404 bytes whose reference goes to a `__noinline__` function: 462 µs and 408 bytes of stack as `const S`, 158 µs and no stack as `const __grid_constant__ S`";

function gridConstantPart(name: string | undefined): string {
  const lines = bullets([
    `seen by all threads of the grid as one object with one address, for reading only; no thread has a copy${name === undefined ? "" : ` of ${code(name)}`}`,
    "lives as long as the grid",
    "needs a `const` type that is no reference, on every declaration of the kernel, and compute capability 7.0",
    measuredCopy,
  ]);
  return `**\`__grid_constant__\`**\n${lines ?? ""}`;
}

function parameterLimit({ architectures }: CudaDialect): string {
  const isLarge = architectures.length > 0 && architectures.every((architecture) => architecture >= 70);
  if (isLarge) return `${number(largeParameterLimit)} (${number(smallParameterLimit)} before CUDA 12.1)`;
  const isSmall = architectures.some((architecture) => architecture < 70);
  return isSmall ? number(smallParameterLimit) : `${number(smallParameterLimit)} (${number(largeParameterLimit)} from compute capability 7.0 and CUDA 12.1 on)`;
}

// ---------------------------------------------------------------- constants

/** CUDA C++ Programming Guide, const-qualified variables. */
function hostConstant({ type, name, words, initializer }: VariableSymbol, qualifiers: readonly (string | undefined)[]): string {
  const isConstexpr = words.some(({ text }) => text === "constexpr");
  const isUsable = (isInteger(type) || isFloating(type)) && !type.qualifiers.volatile;
  return (
    bullets([
      `a constant of the host${sizeText(type) === undefined ? "" : `: ${sizeText(type)}`}`,
      isUsable
        ? `device code may use the value of ${code(name)}, never its address or a reference to it${isConstexpr ? "" : ", and only behind an initialiser that is a constant expression"}${isFloating(type) ? " (floating point: not with MSVC)" : ""}`
        : `device code cannot use ${code(name)} at run time: ${type.qualifiers.volatile ? "it is volatile" : "it is neither integral nor floating point"}; make it \`__constant__\`${isConstexpr ? "" : " or `constexpr`"}`,
      initializer === undefined ? "it has no initialiser here" : undefined,
      ...qualifiers,
    ]) ?? ""
  );
}

/** The ways to hand an object of this type to a kernel, with its own bytes. */
function ways(type: Type, dialect: CudaDialect): string | undefined {
  const size = sizeOf(type);
  if (size === undefined) return undefined;
  const isScalar = isInteger(type) || isFloating(type);
  const limit = parameterLimit(dialect);
  const rows = [
    ["kernel parameter", `${bytes(size)} of the ${limit} of a kernel`, "1,129 µs"],
    ["`__constant__` and `cudaMemcpyToSymbol`", `${bytes(size)} of the ${number(constantMemoryLimit)} of a module`, "1,128 µs"],
    ...(isInteger(type) ? [["template argument", "one kernel for each value, known when it is compiled", "511 µs"]] : []),
  ];
  const head = ["handed over as", "room", "loop bound of 64, measured on H200"];
  return isScalar ? table(head, rows) : table(head.slice(0, 2), rows.map((row) => row.slice(0, 2)));
}

// ---------------------------------------------------------------- kernels

function kernelParts(owner: FunctionSymbol, facts: Facts, dialect: CudaDialect): readonly string[] | undefined {
  const declaration = owner.declarations.find(({ isDefinition, execution }) => isDefinition && execution.kernel) ?? owner.declarations.find(({ execution }) => execution.kernel);
  if (declaration === undefined) return undefined;
  const ledger = parameterLedger(declaration);
  const shared = sharedOf(owner, facts);
  const spelled = declaration.parameters.map(({ symbol }) => [wordsInFront(symbol), spellDeclared(symbol.type, symbol.name)].filter((text) => text !== "").join(" "));
  return [
    codeBlock("cuda", `__global__ void ${owner.name}(${spelled.join(", ")});`),
    bullets([
      "a kernel: runs on the device, launched by the host (or by device code with dynamic parallelism); the launch does not wait, and nothing is returned",
      `the parameters take ${totalText(ledger)} of ${parameterLimit(dialect)}`,
      shared.length > 0 ? `its shared variables take ${totalText(totalOf(shared))} of ${number(staticSharedBytes)} for each block` : undefined,
    ]) ?? "",
    ...(ledger.rows.length > 0 ? [ledgerTable(ledger)] : []),
    guide,
  ];
}
