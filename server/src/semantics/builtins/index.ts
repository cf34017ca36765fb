/**
 * The languages' own declarations: a prelude of macros, types and constants that is read before each file, and the builtin
 * functions. The overloads of a builtin function are declared, in the language itself, when its name is first used.
 */
import type { Dialect, OpenCLDialect } from "../../dialect.ts";
import { memo } from "../../memo.ts";
import type { Source } from "../../source.ts";
import { answerOf } from "../../tracked-dialect.ts";
import { cudaFunction, cudaFunctionNames } from "./cuda-functions.ts";
import { cudaPrelude } from "./cuda-prelude.ts";
import { expandFamily, type Family, readFamilies } from "./notation.ts";
import { conversionFunction } from "./opencl-conversions.ts";
import { openclFunctions } from "./opencl-functions.ts";
import { openclImages } from "./opencl-images.ts";
import { openclPrelude } from "./opencl-prelude.ts";

const openclSource: Source = { uri: "builtin:opencl.h", text: openclPrelude };
const cudaSource: Source = { uri: "builtin:cuda.h", text: cudaPrelude };

/** The text that is preprocessed before every file of the dialect. */
export function prelude(dialect: Dialect): Source {
  return dialect.language === "opencl" ? openclSource : cudaSource;
}

/** The declarations of every overload of a builtin function, or undefined if the dialect has none of that name. */
export function builtinFunction(name: string, dialect: Dialect): string | undefined {
  return dialect.language === "cuda" ? cudaFunction(name) : answerOf(dialect, `function ${name}`, (of) => declarationsOf(name, of));
}

/** The declarations of a builtin function in any of the dialects, each once; empty where none has it. */
export function overloadsOf(name: string, dialects: readonly Dialect[]): readonly string[] {
  const lines = dialects.flatMap((dialect) => (builtinFunction(name, dialect) ?? "").split("\n"));
  return [...new Set(lines)].filter((line) => line !== "");
}

const openclClauses = [...openclFunctions, { clause: "§6.15.15", families: openclImages }];

/** The names of `openclFunctionNames`, by the clauses of OpenCL C 3.0 that declare them. */
export function openclFunctionsByClause(): readonly { readonly clause: string; readonly names: readonly string[] }[] {
  return openclClauses.map(({ clause, families: text }) => ({ clause, names: [...readFamilies(text).keys()] }));
}

/** The OpenCL functions that are declared one by one. Functions whose names contain types are too many to list. */
export function openclFunctionNames(): readonly string[] {
  return [...openclFamilies().keys()];
}

const namesOfDialects = new Map<string, readonly string[]>();

/** Every function of the dialect, without those whose names contain types. */
export function builtinFunctionNames(dialect: Dialect): readonly string[] {
  const present = namesOfDialects.get(dialect.label);
  if (present !== undefined) return present;
  const names =
    dialect.language === "cuda" ? cudaFunctionNames() : openclFunctionNames().filter((name) => openclFunction(name, dialect) !== undefined);
  namesOfDialects.set(dialect.label, names);
  return names;
}

/** How many names from files are remembered. Few of them name a builtin function. */
const mostNames = 20_000;

let families: ReadonlyMap<string, readonly Family[]> | undefined;

function openclFamilies(): ReadonlyMap<string, readonly Family[]> {
  families ??= readFamilies(openclClauses.map((each) => each.families).join("\n"));
  return families;
}

const declarationsIn = memo((_: OpenCLDialect) => new Map<string, string | undefined>());

/** The declarations of a function in one dialect, expanded once: for each function that a text calls, the dialects are compared. */
function declarationsOf(name: string, dialect: OpenCLDialect): string | undefined {
  const known = declarationsIn(dialect);
  if (!known.has(name)) {
    if (known.size >= mostNames) known.clear();
    known.set(name, openclFunction(name, dialect));
  }
  return known.get(name);
}

function openclFunction(name: string, dialect: OpenCLDialect): string | undefined {
  const converted = conversionFunction(name, dialect);
  if (converted !== undefined) return converted.join("\n");
  const declarations = (openclFamilies().get(name) ?? []).flatMap((family) => expandFamily(family, name, dialect));
  return declarations.length === 0 ? undefined : [...new Set(declarations)].map((declaration) => `${declaration};`).join("\n");
}
