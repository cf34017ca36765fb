/**
 * Hovers in CUDA C++: who can access a memory space, how long its objects live, and how much of which limit this object uses.
 * Tables and measurements are on the linked page.
 */
import { constantMemoryLimit } from "../../analyses/constant-memory.ts";
import { type SharedMemory, sharedMemoryOf, staticSharedLimit } from "../../analyses/memory/shared.ts";
import { wordOfSpace } from "../../analyses/memory-spaces.ts";
import { formatCount as number } from "../../analyses/memory-table.ts";
import type { CudaDialect } from "../../dialect.ts";
import { enumerated } from "../../lists.ts";
import { isMemoryWord, type MemorySpace, type QualifierDocumentation, qualifierOf } from "../../qualifiers.ts";
import type { Facts } from "../../semantics/facts/facts.ts";
import { sizeOf } from "../../semantics/types/layout.ts";
import { type FunctionDeclaration, type FunctionSymbol, isSamePlace, type VariableSymbol } from "../../semantics/types/symbols.ts";
import { containsUnknown, isFloating, isInteger, printType, type Type, unqualifiedType } from "../../semantics/types/types.ts";
import { hasWord } from "../../syntax/walk.ts";
import { atLeastText, constantMemoryOf, costText, parameterTable, totalText } from "../memory/sizes.ts";
import type { Explanation } from "./explanation.ts";
import { calledBy, explainBuiltin, kernelDeclaration, kernelOf, mainDeclaration } from "./functions.ts";
import { code } from "./markdown.ts";
import { parameterLimit } from "./parameter-limit.ts";
import { pointeesOf } from "./pointees.ts";
import { constLines, restrictLine } from "./qualifiers.ts";
import { functionSignature, valueText, variableSignature } from "./signature.ts";
import type { HoverTarget } from "./target.ts";

/** Variables that CUDA defines for each thread; they live in special registers, whatever the headers declare. */
const builtinVariables: Readonly<Record<string, string>> = {
  threadIdx: "each thread, with its own value: its place in the block",
  blockIdx: "each thread; all threads of a block have the same value, its place in the grid",
  blockDim: "each thread, all with the same value: the threads of a block, as launched",
  gridDim: "each thread, all with the same value: the blocks of the grid, as launched",
  warpSize: "each thread, all with the same value: 32 on every device so far",
};

/** Explains the code at the place; undefined if there is nothing to explain. */
export function explainCuda(target: HoverTarget, facts: Facts, dialect: CudaDialect): Explanation | undefined {
  const found = explained(target, facts, dialect);
  // The type is spelled with C's word, which CUDA C++ spells `__restrict__`.
  return found === undefined ? undefined : { ...found, signature: found.signature.replaceAll(/\brestrict\b/g, "__restrict__") };
}

function explained(target: HoverTarget, facts: Facts, dialect: CudaDialect): Explanation | undefined {
  const { variable, function: owner, text } = target;
  if (target.kind === "template-parameter") return owner === undefined ? undefined : templateParameter(owner, text, target.type, facts);
  if (target.kind === "builtin") return explainBuiltin(text, dialect);
  if (target.kind === "function" || text === "__global__") return owner === undefined ? undefined : functionText(owner, facts, dialect);
  return variable === undefined ? wordText(target) : variableText(target, variable, facts, dialect);
}

/** Explains a word that does not qualify a variable. */
function wordText({ text, on }: HoverTarget): Explanation | undefined {
  const { onFunction } = qualifierOf(text)?.documentation ?? {};
  if (on === "function" || on === "lambda")
    return onFunction === undefined ? undefined : { signature: text, lines: onFunction, heading: "execution-spaces" };
  if (text === "__grid_constant__") return { signature: `const ${text}`, lines: gridConstantLines(undefined), heading: "grid-constant" };
  if (!isMemoryWord(text)) return undefined;
  const { seen, lives, costs } = documentationOf(text);
  return { signature: text, lines: [`Seen by ${seen}`, `Lives ${lives}`, `Takes ${costs}`], heading: "memory-spaces" };
}

function documentationOf(word: string): QualifierDocumentation {
  return qualifierOf(word)?.documentation ?? { seen: "", lives: "", costs: "" };
}

function variableText(target: HoverTarget, variable: VariableSymbol, facts: Facts, dialect: CudaDialect): Explanation | undefined {
  const { memorySpace, type, name } = variable;
  const signature = `${variableSignature(variable)}${isHostConstant(variable) ? valueText(variable) : ""};`;
  const builtin = variable.place.unit.uri.startsWith("builtin:") ? builtinVariables[name] : undefined;
  if (builtin !== undefined)
    return {
      signature: signature.replace("extern __device__ ", ""),
      lines: [`Seen by ${builtin}`, "Never changes while the thread runs, and cannot be written", "A special register: it takes no memory"],
      heading: "memory-spaces",
    };
  if (target.kind === "word" && (target.text === "const" || target.text === "restrict"))
    return { signature, lines: [...constLines(name, type), restrictLine(name, type, "cuda")], heading: "memory-spaces" };
  const kernel = kernelOf(variable);
  if (kernel !== undefined) return { signature, ...parameterText(variable, kernel, dialect) };
  if (memorySpace !== undefined && memorySpace !== "host") {
    const text = documentationOf(wordOfSpace(memorySpace) ?? "");
    return {
      signature,
      lines: [`Seen by ${text.seen}`, `Lives ${text.lives}`, `Takes ${costOf(variable, memorySpace, facts, dialect) ?? text.costs}`],
      heading: memorySpace === "constant" ? "ways-to-pass-a-constant-to-a-kernel" : "memory-spaces",
    };
  }
  if (isHostConstant(variable)) return { signature, ...hostConstant(variable) };
  if (target.text === "__grid_constant__")
    return { signature, lines: ["`__grid_constant__` has a meaning only on a kernel's parameters"], heading: "grid-constant" };
  return type.kind === "pointer" && isInDeviceCode(variable) ? localPointer(signature, variable, facts) : undefined;
}

/** How much of its memory's limit the object uses. */
function costOf(variable: VariableSymbol, space: MemorySpace, facts: Facts, dialect: CudaDialect): string | undefined {
  if (space === "shared" && hasWord(variable.words, "extern"))
    return `the bytes that the launch passes as its third argument: up to ${number(staticSharedLimit)} for each block, more after \`cudaFuncSetAttribute\``;
  const size = sizeOf(variable.type);
  if (size === undefined) return undefined;
  const { owner } = variable;
  if (space === "constant")
    return `${number(size)} of the ${number(constantMemoryLimit)} bytes of a module; this translation unit takes ${totalText(constantMemoryOf(facts, dialect), "none")}`;
  if (space !== "shared") return costText(variable.type, " of global memory");
  if (owner === undefined) return `${number(size)} of the ${number(staticSharedLimit)} bytes of a block`;
  const { variables, total } = sharedMemoryOf(owner, facts);
  const share = `${number(size)} of the ${number(staticSharedLimit)} bytes of a block`;
  if (!variables.some(({ place }) => isSamePlace(place, variable.place))) return `${share}; nothing reads it, so the compiler removes it`;
  return `${share}; ${code(owner.name)} takes ${totalText(total, "none", "at least")}`;
}

// ---------------------------------------------------------------- parameters and pointers

function parameterText(variable: VariableSymbol, kernel: FunctionDeclaration, dialect: CudaDialect): Omit<Explanation, "signature"> {
  const { type } = variable;
  if (hasWord(variable.words, "__grid_constant__"))
    return { lines: gridConstantLines(variable, kernel, dialect), heading: "grid-constant" };
  const costs = `Takes ${bytesText(variable, kernel, dialect)}`;
  if (type.kind === "pointer")
    return {
      lines: [
        "Points to whatever the launch passes, normally global memory",
        "Each thread has the pointer; what it points to lives as long as the host keeps it",
        costs,
      ],
      heading: "where-a-pointer-points",
    };
  if (type.kind === "reference")
    return {
      lines: ["Refers to an object of the host, which device code cannot reach", "Pass the value, or a pointer to device memory"],
      heading: "where-a-pointer-points",
    };
  const isObject = type.kind !== "arithmetic" && type.kind !== "enum";
  return {
    lines: [
      "Every thread of the grid has its own value",
      `Lives as long as the grid, in constant memory${isObject ? "; a thread that writes it, or gives its address to a call that is not inlined, copies it to its stack" : ""}`,
      costs,
    ],
    heading: "ways-to-pass-a-constant-to-a-kernel",
  };
}

function bytesText(variable: VariableSymbol, kernel: FunctionDeclaration, dialect: CudaDialect): string {
  const table = parameterTable(kernel);
  const row = table.rows.find(({ symbol }) => symbol === variable);
  const at = row?.offset === undefined ? "" : ` at offset ${number(row.offset)}`;
  return `${costText(variable.type, at)}; the parameters take ${totalText(table, "none")} of ${parameterLimit(dialect)}`;
}

function gridConstantLines(variable: VariableSymbol | undefined, kernel?: FunctionDeclaration, dialect?: CudaDialect): readonly string[] {
  const own = variable === undefined || kernel === undefined || dialect === undefined ? undefined : bytesText(variable, kernel, dialect);
  return [
    "One read-only object, at the same address for all threads of the grid",
    "Lives as long as the grid; every declaration of the kernel needs the word, on a `const` parameter passed by value (compute capability 7.0 or newer)",
    `${own === undefined ? "" : `Takes ${own}. `}No thread copies it to its stack`,
  ];
}

/** The bytes of a kernel's shared variables. Template arguments, or functions of other files, may decide about some. */
function sharedText({ total: { total, isComplete }, isWhole }: SharedMemory): string {
  const limit = `${number(staticSharedLimit)} bytes`;
  if (isComplete) return `${number(total)} of ${limit}`;
  if (!isWhole) return `at least ${number(total)} of ${limit}: functions of other files may add to it`;
  return `depends on template arguments${total > 0 ? `, at least ${number(total)}` : ""}; at most ${limit}`;
}

function isInDeviceCode({ owner }: VariableSymbol): boolean {
  return owner?.declarations.some(({ execution }) => execution.kernel || execution.device) === true;
}

function localPointer(signature: string, variable: VariableSymbol, facts: Facts): Explanation {
  const pointees = pointeesOf(variable, facts);
  const isParameter = variable.scope === "parameter";
  return {
    signature,
    lines: [
      pointees === undefined
        ? `May point to any memory${isParameter ? ": its callers decide" : ": this file does not show where its value comes from"}`
        : `Points to ${enumerated(pointees, "or")}${isParameter ? ", as called in this file" : ""}`,
      "The pointer is the thread's own; it must not outlive what it points to",
      pointees === undefined || pointees.length > 1
        ? "Each access determines at run time which memory it goes to"
        : "Where it is inlined, the compiler knows which memory that is",
    ],
    heading: "where-a-pointer-points",
  };
}

// ---------------------------------------------------------------- constants

/** True for a const variable in host memory, and for a local constant of device code that takes no memory. */
function isHostConstant({ memorySpace, type, words, scope }: VariableSymbol): boolean {
  const isConst = (type.kind === "array" ? type.element : type).qualifiers.const;
  const isLocal = scope === "block" && hasWord(words, "constexpr");
  return isConst && (memorySpace === "host" || isLocal);
}

/** Explains a constant in host memory (CUDA C++ Programming Guide, const-qualified variables and constexpr variables). */
function hostConstant(variable: VariableSymbol): Omit<Explanation, "signature"> {
  const { memorySpace, type } = variable;
  const isLocal = memorySpace !== "host";
  return {
    lines: [
      isLocal ? "A constant of its function, known at compile time" : useInDeviceCode(variable),
      isLocal ? "Lives as long as its block" : "Lives in host memory as long as the program",
      `Takes ${costText(type)} ${isLocal ? "at most" : "of host memory"}${isLocal || hasKnownValue(variable) ? "; in device code the value is part of the instructions" : ""}`,
    ],
    heading: "ways-to-pass-a-constant-to-a-kernel",
  };
}

/** True if device code can use the value of a host constant (CUDA C++ Programming Guide, const-qualified variables). */
function hasKnownValue({ type, words, initialization, initializer }: VariableSymbol): boolean {
  const isConstexpr = hasWord(words, "constexpr");
  const isUsable = isConstexpr || ((isInteger(type) || isFloating(type)) && initializer !== undefined);
  return isUsable && !type.qualifiers.volatile && initialization !== "dynamic";
}

function useInDeviceCode({ type, name, words, initialization, initializer }: VariableSymbol): string {
  const isConstexpr = hasWord(words, "constexpr");
  const isNumber = isInteger(type) || isFloating(type);
  if (type.qualifiers.volatile) return `Device code cannot use ${code(name)} at run time: it is volatile`;
  if (initialization === "dynamic")
    return `Device code cannot know the value of ${code(name)}: its initializer runs when the program starts`;
  if (initializer === undefined && !isConstexpr) return `Device code cannot know the value of ${code(name)}: it has no initializer here`;
  if (isNumber)
    return `Device code may use the value of ${code(name)}, never its address or a reference to it${isFloating(type) && !isConstexpr ? " (floating point: not with MSVC)" : ""}`;
  if (!isConstexpr)
    return `Device code cannot use ${code(name)} at run time: it is neither integral nor floating point; make it \`__constant__\` or \`constexpr\``;
  if (type.kind === "array")
    return `Device code may use elements of ${code(name)} that the compiler computes, none with a variable index, and never its address; \`__constant__\` allows both`;
  return `Device code may use the values of ${code(name)}'s members and copy it, never take its address or a reference to it; \`__constant__\` allows both`;
}

/** How many instantiations are named. */
const namesShown = 4;

/** Explains a non-type parameter of a kernel's or a device function's template. */
function templateParameter(owner: FunctionSymbol, name: string, type: Type | undefined, facts: Facts): Explanation {
  const isKernel = owner.declarations.some(({ execution }) => execution.kernel);
  const names = [...new Set(facts.instantiations.filter(({ template }) => template === owner).map((each) => each.name))];
  const shown = names.slice(0, namesShown).map(code);
  const rest = names.length - shown.length;
  const what = isKernel ? "kernel" : "function";
  const asked =
    names.length === 0 ? "" : `: this file instantiates ${enumerated(rest > 0 ? [...shown, `${number(rest)} more`] : shown, "and")}`;
  const written = type === undefined || containsUnknown(type) ? "" : `${printType(unqualifiedType(type))} `;
  return {
    signature: `template <${written}${name}> ${isKernel ? "__global__ " : ""}… ${owner.name}(…)`,
    lines: [
      `A compile-time constant of each instantiated ${what}`,
      "Loops up to it can be unrolled, and conditions on it are folded; it takes no memory",
      `The compiler generates a ${what} for each value${asked}`,
    ],
    heading: "ways-to-pass-a-constant-to-a-kernel",
  };
}

// ---------------------------------------------------------------- functions

function functionText(owner: FunctionSymbol, facts: Facts, dialect: CudaDialect): Explanation | undefined {
  const kernel = kernelDeclaration(owner);
  const declaration = kernel ?? mainDeclaration(owner);
  if (declaration === undefined) return undefined;
  if (owner.isBuiltin) return explainBuiltin(owner.name, dialect);
  const { device, host } = declaration.execution;
  if (kernel === undefined) {
    if (!device || owner.lambda !== undefined) return undefined;
    return {
      signature: `${functionSignature(owner, declaration, spacesOf(declaration))};`,
      lines: [
        `Runs on the device${host ? " and on the host, compiled for both" : ""}, in the thread that calls it; ${calledBy(owner, facts)}`,
        "Its variables live as long as the call",
        "Free where it is inlined; otherwise a call, with stack memory for variables whose address is taken",
      ],
      heading: "execution-spaces",
    };
  }
  const shared = sharedMemoryOf(owner, facts);
  return {
    signature: `${functionSignature(owner, declaration, "__global__")};`,
    lines: [
      "Every thread of a launch runs it; the host does not wait for it",
      `Parameters: ${atLeastText(parameterTable(declaration), parameterLimit(dialect))}`,
      shared.variables.length > 0 ? `Shared memory per block: ${sharedText(shared)}` : undefined,
    ],
    heading: "limits",
  };
}

function spacesOf({ execution: { device, host, kernel } }: FunctionDeclaration): string {
  if (kernel) return "__global__";
  return [host ? "__host__" : "", device ? "__device__" : ""].filter((word) => word !== "").join(" ");
}
