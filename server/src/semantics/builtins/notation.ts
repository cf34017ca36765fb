/**
 * The notation in which the languages' builtin functions are written down, and its expansion into declarations.
 *
 *     when since 2.0, images        conditions of the lines below, up to the next `when`
 *     f/* : T @(T, P T *) : fract modf
 *
 * The first part says what `T` runs over: bases (`f` half float double, `i` the integers, `a` both, or names separated by
 * commas) and lengths (`1` scalars, `v` vectors, `*` both, `g` up to four); `-` where there is no `T`. The second is the
 * declaration with `@` for the name, the third the names; `#` in a name is the length of `T`. In a declaration stand
 * `S` for the scalar of `T`, `U` for its unsigned twin, `J` and `K` for the signed and unsigned integer of its width, `W`
 * for the integer of twice its width, `int#` for `int` of its length; `P` for the spaces that an out-pointer may have, `Q`
 * for those and constant, `O` for those of an atomic object; `RO`, `RW` and `WO` for the access that an image needs to be
 * read with a sampler, read without, and written; `{a|b}` for either.
 */
import type { OpenCLDialect } from "../../dialect.ts";
import { append } from "../../lists.ts";

/** One line of the notation: a family of functions. */
export interface Family {
  readonly conditions: readonly string[];
  readonly range: string;
  readonly declaration: string;
  /** The name as written, with `#`. */
  readonly name: string;
}

/** Families by the names of their functions. */
export function readFamilies(text: string): ReadonlyMap<string, readonly Family[]> {
  const families = new Map<string, Family[]>();
  let conditions: readonly string[] = [];
  for (const line of text.split("\n").map((each) => each.trim())) {
    if (line.startsWith("when "))
      conditions = line
        .slice(5)
        .split(",")
        .map((condition) => condition.trim());
    else if (line !== "") readLine(line, conditions, families);
  }
  return families;
}

function readLine(line: string, conditions: readonly string[], families: Map<string, Family[]>): void {
  const [range = "", declaration = "", names = ""] = line.split(" : ");
  for (const name of names.trim().split(" ")) {
    const family: Family = { conditions, range: range.trim(), declaration: declaration.trim(), name };
    for (const spelled of name.includes("#") ? vectorLengths.map((length) => name.replace("#", String(length))) : [name]) {
      families.set(spelled, [...(families.get(spelled) ?? []), family]);
    }
  }
}

const vectorLengths = [2, 3, 4, 8, 16];
const lengths: Readonly<Record<string, readonly number[]>> = {
  "1": [1],
  v: vectorLengths,
  "*": [1, ...vectorLengths],
  g: [1, 2, 3, 4],
  "34": [3, 4],
};
const integers = ["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"];
const floats = ["float", "double", "half"];
const bases: Readonly<Record<string, readonly string[]>> = {
  f: floats,
  i: integers,
  a: [...integers, ...floats],
  signed: ["char", "short", "int", "long"],
};
const widths: Readonly<Record<string, number>> = {
  char: 8,
  uchar: 8,
  short: 16,
  ushort: 16,
  half: 16,
  int: 32,
  uint: 32,
  float: 32,
  long: 64,
  ulong: 64,
  double: 64,
};
const integerOfWidth: Readonly<Record<number, string>> = { 8: "char", 16: "short", 32: "int", 64: "long" };

/**
 * The declarations of one function in a dialect; empty if the dialect lacks it. In CUDA C++, conditions and address spaces are
 * ignored.
 */
export function expandFamily(family: Family, name: string, dialect: OpenCLDialect | "cuda"): readonly string[] {
  if (dialect !== "cuda" && !family.conditions.every((condition) => holds(condition, dialect))) return [];
  const declarations: string[] = [];
  for (const { base, length } of typesOf(family.range)) {
    if ((dialect !== "cuda" && !isAvailable(base, dialect)) || family.name.replace("#", String(length)) !== name) continue;
    const typed = substitute(family.declaration, base, length).replace("@", name);
    append(declarations, alternatives(dialect === "cuda" ? typed : withSpaces(typed, dialect)));
  }
  return declarations;
}

function typesOf(range: string): readonly { readonly base: string; readonly length: number }[] {
  if (range === "-") return [{ base: "", length: 1 }];
  const [names = "", count = ""] = range.split("/");
  const chosen = bases[names] ?? names.split(",");
  return chosen.flatMap((base) => (lengths[count] ?? []).map((length) => ({ base, length })));
}

/**
 * Whether the dialect has the functions for a base type. Arithmetic with `half`, and any use of `double`, needs an extension
 * (OpenCL C 3.0 §6.3.1).
 */
function isAvailable(base: string, dialect: OpenCLDialect): boolean {
  if (base === "half" || base === "atomic_half") return dialect.has("cl_khr_fp16");
  if (base !== "double" && base !== "atomic_double") return true;
  return dialect.has("cl_khr_fp64") || dialect.has("__opencl_c_fp64");
}

function substitute(declaration: string, base: string, length: number): string {
  if (base === "") return declaration;
  const sized = (name: string) => (length === 1 ? name : `${name}${length}`);
  const width = widths[base] ?? 0;
  const signed = integerOfWidth[width] ?? base;
  return declaration.replace(/\b(?:(\w+)#|[TSUJKW]\b)/g, (word: string, counted: string | undefined) => {
    if (counted !== undefined) return sized(counted === "S" ? base : counted);
    switch (word) {
      case "T":
        return sized(base);
      case "S":
        return base.replace("atomic_", "");
      case "U":
        return sized(base.startsWith("u") ? base : `u${base}`);
      case "J":
        return sized(signed);
      case "K":
        return sized(`u${signed}`);
      default:
        return sized(`${base.startsWith("u") ? "u" : ""}${integerOfWidth[2 * width] ?? signed}`);
    }
  });
}

/**
 * The overloads of a declaration for its pointer arguments: one with the generic space if the dialect has that, and otherwise one
 * per named space.
 */
function withSpaces(declaration: string, dialect: OpenCLDialect): string {
  const named = dialect.genericAddressSpace ? "__generic" : "__global|__local|__private";
  return declaration
    .replace(/\bP\b/g, `{${named}}`)
    .replace(/\bQ\b/g, `{${named}|__constant}`)
    .replace(/\bO\b/g, dialect.genericAddressSpace ? "__generic" : "{__global|__local}")
    .replace(/\bRO\b/g, "__read_only")
    .replace(/\bRW\b/g, "{__read_only|__read_write}")
    .replace(/\bWO\b/g, "{__write_only|__read_write}");
}

function alternatives(declaration: string): readonly string[] {
  const match = /\{([^}]*)\}/.exec(declaration);
  if (match?.[1] === undefined) return [declaration];
  const [choice, inside] = match;
  return inside.split("|").flatMap((text) => alternatives(declaration.replace(choice, text)));
}

const standards = ["1.0", "1.1", "1.2", "2.0", "3.0"];
const standardOf: Readonly<Record<OpenCLDialect["standard"], string>> = {
  "CL1.0": "1.0",
  "CL1.1": "1.1",
  "CL1.2": "1.2",
  "CL2.0": "2.0",
  "CL3.0": "3.0",
  "clc++1.0": "2.0",
  "clc++2021": "3.0",
};

function holds(condition: string, dialect: OpenCLDialect): boolean {
  const own = standards.indexOf(standardOf[dialect.standard]);
  const since = /^since (\d\.\d)$/.exec(condition)?.[1];
  if (since !== undefined) return own >= standards.indexOf(since);
  switch (condition) {
    case "always":
      return true;
    case "generic":
      return dialect.genericAddressSpace;
    case "c++":
      return dialect.cplusplus;
    case "subgroups":
      return dialect.has("cl_khr_subgroups") || dialect.has("__opencl_c_subgroups");
    default:
      if (condition.startsWith("cl_")) return dialect.has(condition);
      // OpenCL C 1.x and 2.0 always have the features that 3.0 made optional, from the version that the condition names.
      return own < standards.indexOf("3.0") || dialect.has(condition);
  }
}
