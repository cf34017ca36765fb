/** Generates settings files that no author writes: ours, those of clangd and of builds, and response files. */
import fc from "fast-check";
import { type Mutation, mutated, mutation } from "./generators.ts";

/** The texts of a folder's files, by their names. */
export type Folder = Readonly<Record<string, string>>;

/** Flags and parts of flags. */
const flags = [
  ...[
    "-I",
    "-Iinc",
    "-I..",
    "-I/",
    "-isystem",
    "-include",
    "x.h",
    "-imacros",
    "-D",
    "-DA=",
    "-DA(x)=x",
    "-DA=A",
    "-UA",
    "-D__global=",
    "--",
  ],
  ...["-std=c++17", "-cl-std=CL2.0", "-cl-std=CL9", "-x", "cuda", "hip", "cl", "-arch=sm_90", "-gencode=arch=compute_90,code=sm_90"],
  ...["-gencode", "arch=compute_", "-rdc=true", "-dc", "-Xcompiler", "-Xclang", ",,,", "-ccbin", "--options-file", "-optf", "@r", "@r @r"],
  ...["@./r", "@../r", "@inc/r", '"', "'", "\\", "\\\n", "$(pwd)", "$HOME", "%PATH%", "`id`", "*", "**/", "[a", "{a,b}", "{,", "!x"],
  ...["(a+)+$", "(?=a)", "(((", ".*", "\\1", "\0", "\r", "\u202e", "\uD800", "\u001b[31m", "a".repeat(300), "::error::x"],
];
const paths = [
  "a.cl",
  "a.cu",
  "./a.cl",
  "../a.cl",
  "/w/a.cl",
  "b.cl",
  "",
  ".",
  "/",
  "~",
  "C:\\a.cl",
  "a.cl\0",
  "\uD800",
  "x/../a.cl",
  "inc/x.h",
];
const keys = [
  ...["$schema", "language", "standard", "opencl", "cuda", "extensions", "profile", "architectures", "relocatableDeviceCode", "limits"],
  ...[
    "constantArguments",
    "constantBufferSize",
    "flags",
    "includePaths",
    "macros",
    "largestFile",
    "rules",
    "exclude",
    "overrides",
    "files",
  ],
  ...["__proto__", "constructor", "toString", "length", "const-write", "address-space-conversion", "A", ""],
];

const flag = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...flags) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 8 }) },
);
const someFlags = fc.array(flag, { maxLength: 12 });
const word = fc.oneof(flag, fc.constantFrom(...paths), fc.constantFrom("off", "error", "CL2.0", "sm_90", "full"));

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: "small" },
    fc.oneof(word, fc.integer(), fc.double(), fc.boolean(), fc.constant(null)),
    fc.array(tie("value"), { maxLength: 5 }),
    fc.array(fc.tuple(fc.constantFrom(...keys), tie("value")), { maxLength: 6 }).map((pairs) => Object.fromEntries(pairs)),
  ),
}));
const object = fc.array(fc.tuple(fc.constantFrom(...keys), value), { maxLength: 8 }).map((pairs) => Object.fromEntries(pairs));

const entry = fc.record(
  {
    file: fc.constantFrom(...paths),
    directory: fc.constantFrom(...paths),
    command: someFlags.map((all) => all.join(" ")),
    arguments: someFlags,
  },
  { requiredKeys: [] },
);

const pairs = fc.tuple(
  fc.constantFrom("", "  ", "    ", "- ", "\t"),
  fc.constantFrom(
    "If:",
    "PathMatch:",
    "PathExclude:",
    "CompileFlags:",
    "Add:",
    "Remove:",
    "<<:",
    "&a",
    "*a",
    "---",
    "...",
    "? ",
    "!!map",
    "|",
    ">-",
  ),
  fc.oneof(
    someFlags.map((all) => `[${all.join(", ")}]`),
    flag,
    fc.constantFrom("*a", "&a [x]", "{a: *a}", "[*a, *a, *a]", ""),
  ),
);
const clangd = fc.array(pairs, { maxLength: 12 }).map((lines) => lines.map(([indent, key, text]) => `${indent}${key} ${text}\n`).join(""));

/** Most texts are undamaged, so that not all of them fail at the first character. */
const damaged = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(text, fc.oneof(fc.constant<Mutation[]>([]), fc.array(mutation, { maxLength: 2 })))
    .map(([made, all]) => all.reduce(mutated, made));

/** A folder with a source and settings of each tool, some of which are missing. */
export const folder: fc.Arbitrary<Folder> = fc
  .record(
    {
      "gpu-qualifiers.json": damaged(object.map((made) => JSON.stringify(made, undefined, 1))),
      "inc/gpu-qualifiers.json": damaged(object.map((made) => JSON.stringify(made))),
      ".clangd": damaged(clangd),
      "compile_commands.json": damaged(fc.array(fc.oneof(entry, value), { maxLength: 5 }).map((made) => JSON.stringify(made))),
      "compile_flags.txt": damaged(someFlags.map((all) => all.join("\n"))),
      "CMakePresets.json": damaged(object.map((made) => JSON.stringify(made))),
      ".gitignore": damaged(someFlags.map((all) => all.join("\n"))),
      r: damaged(someFlags.map((all) => all.join(" "))),
      "inc/r": damaged(someFlags.map((all) => all.join(" "))),
    },
    { requiredKeys: [] },
  )
  .map((made) => ({ ...made, "inc/x.h": "#define A 1\n" }));
