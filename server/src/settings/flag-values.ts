/** Interprets the values of compiler flags and settings: names of standards, architectures, languages and extensions. */
import type { Language, OpenCLStandard } from "../dialect.ts";

const openclStandards: ReadonlyMap<string, OpenCLStandard> = new Map([
  ["cl", "CL1.0"],
  ["cl1.0", "CL1.0"],
  ["cl1.1", "CL1.1"],
  ["cl1.2", "CL1.2"],
  ["cl2.0", "CL2.0"],
  ["cl3.0", "CL3.0"],
  ["clc++", "clc++1.0"],
  ["clc++1.0", "clc++1.0"],
  ["clc++2021", "clc++2021"],
]);

/** The standard that a `-cl-std` value names; case does not matter, as in clang. */
export function openclStandardOf(value: string): OpenCLStandard | undefined {
  return openclStandards.get(value.toLowerCase());
}

const cplusplusYears: ReadonlyMap<string, number> = new Map([
  ...[3, 11, 14, 17, 20, 23, 26].map((year): [string, number] => [String(year).padStart(2, "0"), year]),
  ["98", 3],
  ["0x", 11],
  ["1y", 14],
  ["1z", 17],
  ["2a", 20],
  ["2b", 23],
  ["2c", 26],
]);

/** The standard in `c++17` or `gnu++2a`, as a year; undefined for C and OpenCL standards, and for those that no compiler has. */
export function cplusplusStandardOf(value: string): number | undefined {
  return cplusplusYears.get(/^(?:c|gnu)\+\+([0-9a-z]{2})$/.exec(value)?.[1] ?? "");
}

/** Every architecture before 10.0. There will be no more of them, so all others are misspelled. */
const formerArchitectures: ReadonlySet<number> = new Set([
  ...[10, 11, 12, 13, 20, 21, 30, 32, 35, 37, 50, 52, 53],
  ...[60, 61, 62, 70, 72, 75, 80, 86, 87, 88, 89, 90],
]);
/** Architectures from 10.0 on count up to this one, as devices to come have numbers that nobody knows. */
const latestArchitecture = 209;

/** The architecture in `sm_90`, `sm_90a`, `compute_75` or `lto_80`, as ten times the compute capability; undefined for none that can be. */
export function architectureOf(value: string): number | undefined {
  const number = Number(/^(?:sm|compute|lto)_(\d{2,3})[af]?$/.exec(value)?.[1] ?? Number.NaN);
  return formerArchitectures.has(number) || (number >= 100 && number <= latestArchitecture) ? number : undefined;
}

/** True for the words that leave the architecture to the machine, and for those of AMD's devices, on which nothing here depends. */
export function isOtherArchitecture(value: string): boolean {
  return /^(?:all|all-major|native|gfx[\w:+-]+|amdgcnspirv|spirv\w*)$/.test(value);
}

const languages: ReadonlyMap<string, Language> = new Map([
  ["cl", "opencl"],
  ["clcpp", "opencl"],
  ["cu", "cuda"],
  ["cuda", "cuda"],
  ["hip", "cuda"],
]);

/** The language that a `-x` value names; undefined for other languages. */
export function languageOf(value: string): Language | undefined {
  return languages.get(value);
}

/** The switches in `+cl_khr_fp64,-all`, in order, so that a later one overrides an earlier one. A name without a sign is switched on. */
export function extensionSwitches(value: string): readonly (readonly [string, boolean])[] {
  return value
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "" && part !== "+" && part !== "-")
    .map((part) => [part.replace(/^[+-]/, ""), !part.startsWith("-")] as const);
}
