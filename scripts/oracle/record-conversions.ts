/**
 * Asks clang about every pair of a list of pointer types: assignment, cast, comparison, subtraction and `?:`, in every dialect,
 * and records its verdicts for the unit test of `semantics/types/conversion-rules.ts`. One character per pair keeps tens of
 * thousands of verdicts readable as tables. Run: `npx tsx scripts/oracle/record-conversions.ts`.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type ConversionRecord,
  type ConversionTables,
  conversionOperations,
  type Operation,
} from "../../test/unit/semantics/conversion-record.ts";
import { clangFlags } from "./compilers.ts";

const openclPasses = ["CL1.2", "CL2.0", "CL3.0", "CL3.0min", "clc++1.0", "clc++2021"];
const withoutGeneric = new Set(["CL1.2", "CL3.0min"]);

/** One-level pointees in every space, then qualifiers, other pointees, and deeper levels. */
const openclTypes: readonly string[] = [
  ...["__global", "__local", "__constant", "__private", "__generic"].flatMap((space) => [`${space} int *`, `${space} void *`]),
  ...["__global", "__constant", "__private", "__generic"].map((space) => `${space} const int *`),
  "__global volatile int *",
  "__global const volatile int *",
  "__global const void *",
  "__generic const void *",
  "__global float *",
  "__local float *",
  "__generic float *",
  "__global unsigned int *",
  "__global char *",
  "__private struct S *",
  "__global struct S *",
  ...["__global", "__local", "__constant", "__private", "__generic"].flatMap((inner) =>
    ["__global", "__private", "__generic"].map((outer) => `${inner} int *${outer} *`),
  ),
  "__global int *__constant *",
  "__private int *__local *",
  "__global const int *__private *",
  "__global int *__private const *",
  "__global const int *__private const *",
  "__private const int *__private *",
  "__local const int *__private const *",
  "__private int *__private const *",
  "__private volatile int *__private *",
  "__private int *__private restrict *",
  "__private int *__private volatile *",
  "__global void *__private *",
  "__private void *__private *",
  "__global float *__private *",
  "__private float *__private *",
  "__global int *__private *__private *",
  "__local int *__private *__private *",
  "__private int *__private *__private *",
  "__private int *__global *__private *",
  "__private const int *__private *__private *",
];

const cudaTypes: readonly string[] = [
  "int *",
  "const int *",
  "volatile int *",
  "const volatile int *",
  "void *",
  "const void *",
  "float *",
  "const float *",
  "unsigned int *",
  "struct S *",
  "const struct S *",
  "int **",
  "const int **",
  "int *const *",
  "const int *const *",
  "volatile int **",
  "int *__restrict *",
  "void **",
  "const void *const *",
  "float **",
  "int ***",
  "const int ***",
  "const int *const *const *",
  "int *const **",
  "int *const *const *",
];

/** The spelling of an operation between `a` of the first type and `b` of the second. */
function statement(operation: Operation): string {
  switch (operation) {
    case "assign":
      return "b = a;";
    case "cast":
      return "(void)(TO)a;";
    case "equal":
      return "(void)(a == b);";
    case "less":
      return "(void)(a < b);";
    case "subtract":
      return "(void)(a - b);";
    case "conditional":
      return "(void)(1 ? a : b);";
  }
}

function flagsOf(pass: string): readonly string[] {
  return pass === "CUDA"
    ? ["-x", "c++", "-std=c++17", "-fsyntax-only", "-fno-caret-diagnostics", "-fno-color-diagnostics", "-ferror-limit=0"]
    : clangFlags(pass);
}

/** The messages of one program, by line. */
function messages(pass: string, lines: readonly string[]): ReadonlyMap<number, string> {
  const folder = mkdtempSync(join(tmpdir(), "conversions-"));
  try {
    writeFileSync(join(folder, "all.cl"), lines.join("\n"));
    const text = run([...flagsOf(pass), "-Wno-unused-value", "all.cl"], folder);
    const found = new Map<number, string>();
    for (const line of text.split("\n")) {
      const match = /^all\.cl:(\d+):\d+: ((?:error|warning): .*)$/.exec(line);
      if (match === null) continue;
      const number = Number(match[1]);
      const message = match[2] ?? "";
      const before = found.get(number);
      // An error takes precedence over a warning for the same line, a message with a reason over one without.
      if (before === undefined || rank(message) < rank(before)) found.set(number, message);
    }
    return found;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function run(args: readonly string[], folder: string): string {
  const { stderr, error } = spawnSync(process.env.CLANG ?? "clang-22", [...args], { cwd: folder, encoding: "utf8", maxBuffer: 1 << 28 });
  if (error !== undefined) throw error;
  return stderr;
}

const order = ["S", "N", "Q", "R", "I", "X", "s", "n", "q", "r", "i"];

function rank(message: string): number {
  return order.indexOf(codeOf(message));
}

/** The one-character code of a message; `conversion-record.ts` explains each. */
function codeOf(message: string): string {
  const isError = message.startsWith("error");
  const code = kindOf(message);
  return isError || code === "X" ? code : code.toLowerCase();
}

function kindOf(message: string): string {
  if (/changes address space of nested pointer|^warning: casting .* discards qualifiers in nested/.test(message)) return "N";
  if (/address space/.test(message)) return "S";
  if (/discards qualifiers in nested/.test(message)) return "R";
  if (/discards qualifiers/.test(message)) return "Q";
  if (
    /arithmetic on (a pointer|pointers) to void|from incompatible type|incompatible pointer types|pointer type mismatch|different sign|not pointers to compatible types|integer types with/.test(
      message,
    )
  )
    return "I";
  if (/distinct pointer types|incompatible operand types|cannot initialize|is not allowed|cannot cast/.test(message))
    return message.startsWith("warning") ? "I" : "X";
  throw new Error(`an unexpected message: ${message}`);
}

function program(types: readonly string[], operation: Operation): readonly string[] {
  return [
    "struct S { int a; };",
    ...types.flatMap((from) =>
      types.map((to) => `void f(${from}a, ${to}b) { ${statement(operation).replace("TO", to)} }`.replace("void f(", `void f${unique()}(`)),
    ),
  ];
}

let count = 0;
function unique(): number {
  count += 1;
  return count;
}

/** The type of `1 ? a : b`, which clang names when it cannot be converted to a structure. */
function conditionalTypes(pass: string, types: readonly string[]): readonly string[] {
  const pairs = types.flatMap((left) => types.map((right) => [left, right] as const));
  const lines = [
    "struct S { int a; };",
    ...pairs.map(([left, right]) => `void f${unique()}(${left}a, ${right}b) { struct S s = (1 ? a : b); }`),
  ];
  const folder = mkdtempSync(join(tmpdir(), "conversions-"));
  try {
    writeFileSync(join(folder, "all.cl"), lines.join("\n"));
    const text = run([...flagsOf(pass), "all.cl"], folder);
    const found = [
      ...text.matchAll(
        /^all\.cl:(\d+):\d+: error: (?:initializing '[^']*' with an expression of incompatible type '([^']*)'|no viable conversion from '([^']*)' to)/gm,
      ),
    ];
    return found.flatMap((match) => {
      const pair = pairs[Number(match[1]) - 2];
      return pair === undefined ? [] : [`${pair[0]} | ${pair[1]} | ${match[2] ?? match[3] ?? ""}`];
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function record(pass: string, types: readonly string[]): ConversionTables {
  const tables = {} as Record<Operation, readonly string[]>;
  for (const operation of conversionOperations) {
    const said = messages(pass, program(types, operation));
    tables[operation] = types.map((_, row) =>
      types
        .map((_, column) => {
          const message = said.get(row * types.length + column + 2);
          return message === undefined ? "." : codeOf(message);
        })
        .join(""),
    );
  }
  const some = types.filter((type) => !/float|unsigned|char|struct|\* *\*.*\*/.test(type));
  return { types, tables, conditionalTypes: conditionalTypes(pass, some.filter((_, index) => index % 2 === 0 || index > 13).slice(0, 20)) };
}

const recorded: Record<string, ConversionTables> = {};
for (const pass of openclPasses) {
  const types = withoutGeneric.has(pass) ? openclTypes.filter((type) => !type.includes("__generic")) : openclTypes;
  recorded[pass] = record(pass, pass.startsWith("clc++") ? types.map((type) => type.replace("restrict", "__restrict")) : types);
}
recorded.CUDA = record("CUDA", cudaTypes);
const result: ConversionRecord = { compiler: "clang 22.1.8", passes: recorded };
writeFileSync(join(import.meta.dirname, "../../test/unit/semantics/conversions.verdicts.json"), `${JSON.stringify(result, null, 1)}\n`);
