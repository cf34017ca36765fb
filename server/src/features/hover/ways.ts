/**
 * The ways to hand a constant to a kernel, with the bytes of this very object against each limit, what each way asks for,
 * and what it was measured to cost. The way that the object goes already is the one in bold.
 */
import type { CudaDialect } from "../../dialect.ts";
import { constantMemoryLimit } from "../../rules/constant-memory-size.ts";
import { largeParameterLimit, smallParameterLimit } from "../../rules/kernel-parameter-size.ts";
import type { Facts } from "../../semantics/facts.ts";
import { sizeOf } from "../../semantics/layout.ts";
import type { FunctionSymbol, VariableSymbol } from "../../semantics/symbols.ts";
import { containsUnknown, isFloating, isInteger, spell, type Type, unqualifiedType } from "../../semantics/types.ts";
import { bullets, bytes, code, codeBlock, listed, number, table } from "./markdown.ts";

/** How an object reaches a kernel. */
export type Way = "parameter" | "constant" | "constant-initialized" | "template" | "constexpr" | "global";

interface Row {
  readonly way: Way;
  readonly name: string;
  readonly room: string;
  readonly asks: string;
  /** Only of some types. */
  readonly measured?: string;
}

/** A table of the ways for an object of this type; undefined where its size is not known, or it is no value. */
export function ways(type: Type, present: Way | undefined, dialect: CudaDialect): string | undefined {
  const size = sizeOf(type);
  if (size === undefined || type.kind === "pointer" || type.kind === "reference" || type.kind === "block") return undefined;
  const isScalar = isInteger(type) || isFloating(type) || type.kind === "enum";
  const rows = type.kind === "array" ? tableRows(size, dialect) : valueRows(type, size, isScalar, present, dialect);
  const isMeasured = rows.some(({ measured }) => measured !== undefined);
  const head = [
    "handed over as",
    "room",
    "asks for",
    ...(isMeasured
      ? [type.kind === "array" ? "table of 4 KB, 1 and 32 addresses in a warp, measured on H200" : "loop bound of 64, measured on H200"]
      : []),
  ];
  const isPresent = (way: Way) => way === present || (way === "constant" && present === "constant-initialized");
  return table(
    head,
    rows.map(({ way, name, room, asks, measured }) => [
      isPresent(way) ? `**${name}**` : name,
      room,
      asks,
      ...(isMeasured ? [measured ?? ""] : []),
    ]),
  );
}

function valueRows(type: Type, size: number, isScalar: boolean, present: Way | undefined, dialect: CudaDialect): readonly Row[] {
  const isTemplate = isInteger(type) || type.kind === "enum";
  return [
    {
      way: "parameter",
      name: "kernel parameter",
      room: roomOfParameter(size, dialect),
      asks: "nothing more; each launch has its own value",
      ...(isScalar ? { measured: "1,129 µs" } : {}),
    },
    constantRow(size, present, isScalar ? "1,128 µs" : undefined),
    ...(isTemplate
      ? [
          {
            way: "template" as const,
            name: "template argument",
            room: "none",
            asks: "a kernel for each value, known when it is compiled",
            measured: "511 µs",
          },
        ]
      : []),
    {
      way: "constexpr",
      name: "`constexpr` variable",
      room: "none",
      asks: isScalar
        ? "compiling again for another value; no address in device code"
        : "compiling again for another value; device code has the members' values and copies, no address",
    },
  ];
}

/** An array is no parameter: it becomes a pointer. */
function tableRows(size: number, dialect: CudaDialect): readonly Row[] {
  return [
    {
      way: "parameter",
      name: "kernel parameter, as a member of a structure",
      room: roomOfParameter(size, dialect),
      asks: "nothing more; each launch has its own values",
    },
    constantRow(size, undefined, "857 µs and 8,677 µs"),
    {
      way: "global",
      name: "`__device__` variable, or memory from `cudaMalloc`",
      room: "global memory",
      asks: "a copy; loads are cached",
      measured: "266 µs and 264 µs",
    },
    {
      way: "global",
      name: "`__shared__` copy in each block",
      room: `${bytes(size)} of the 49,152 of a block`,
      asks: "a loop that copies, and a barrier behind it",
      measured: "174 µs and 173 µs",
    },
  ];
}

function constantRow(size: number, present: Way | undefined, measured: string | undefined): Row {
  const asks =
    present === "constant-initialized"
      ? "nothing more; it has its value from the start"
      : "`cudaMemcpyToSymbol` before the launch; one value for all streams";
  const room =
    size > constantMemoryLimit
      ? `does not fit: ${bytes(size)}, a module has ${number(constantMemoryLimit)}`
      : `${bytes(size)} of the ${number(constantMemoryLimit)} of a module`;
  return { way: "constant", name: "`__constant__` variable", room, asks, ...(measured === undefined ? {} : { measured }) };
}

function roomOfParameter(size: number, dialect: CudaDialect): string {
  return size > largeParameterLimit
    ? `does not fit: ${bytes(size)}, a kernel has ${parameterLimit(dialect)}`
    : `${bytes(size)} of the ${parameterLimit(dialect)} of a kernel`;
}

/** The limit in words: a number, with the other one where the architectures or the CUDA version leave it open. */
export function parameterLimit({ architectures }: CudaDialect): string {
  const isLarge = architectures.length > 0 && architectures.every((architecture) => architecture >= 70);
  if (isLarge) return `${number(largeParameterLimit)} (${number(smallParameterLimit)} before CUDA 12.1)`;
  const isSmall = architectures.some((architecture) => architecture < 70);
  return isSmall
    ? number(smallParameterLimit)
    : `${number(smallParameterLimit)} (${number(largeParameterLimit)} from compute capability 7.0 and CUDA 12.1 on)`;
}

/** How a variable reaches kernels as it is declared. */
export function wayOf({ words, memorySpace, scope, initializer }: VariableSymbol): Way | undefined {
  if (scope === "parameter") return "parameter";
  if (memorySpace === "constant") return initializer === undefined ? "constant" : "constant-initialized";
  return words.some(({ text }) => text === "constexpr") ? "constexpr" : undefined;
}

/** So many instantiations are named. */
const namesShown = 4;

/** A value parameter of a kernel's or a device function's template. */
export function templateParameterParts(
  owner: FunctionSymbol,
  name: string,
  type: Type | undefined,
  facts: Facts,
  dialect: CudaDialect,
): readonly string[] {
  const isKernel = owner.declarations.some(({ execution }) => execution.kernel);
  const names = [...new Set(facts.instantiations.filter(({ template }) => template === owner).map((each) => each.name))];
  const shown = names.slice(0, namesShown).map(code);
  const rest = names.length - shown.length;
  const asked = names.length === 0 ? undefined : `this file asks for ${listed(rest > 0 ? [...shown, `${number(rest)} more`] : shown)}`;
  const written = type === undefined || containsUnknown(type) ? "" : `${spell(unqualifiedType(type))} `;
  return [
    codeBlock("cuda", `template <${written}${name}> ${isKernel ? "__global__ " : ""}… ${owner.name}(…)`),
    bullets([
      `a constant of each ${isKernel ? "kernel" : "function"} that the template makes: known when it is compiled, so that loops unroll and what it decides is folded; it takes no memory`,
      asked,
      "for a value that only the running program knows, choose at the launch among kernels for some values, `switch (n) { case 8: k<8><<<…>>>(…); … }`, or pass a parameter",
    ]) ?? "",
    ...(type === undefined ? [] : [ways(type, "template", dialect)].filter((part) => part !== undefined)),
  ];
}
