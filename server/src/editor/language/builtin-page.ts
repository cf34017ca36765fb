/**
 * Writes the pages to which a definition leads for what a language declares without a header: files beside the program, which an editor
 * opens like any other. They are for readers; nothing includes or checks them. `scripts/build.ts` stores them, and the same text
 * tells the server where a name is on its page.
 */
import { type Dialect, dialectsOf, noSettings, type OpenCLStandard, openclDialect } from "../../dialect.ts";
import { definitionsIn } from "../../preprocess/macros/definitions-in.ts";
import { builtinFunctionNames, openclFunctionsByClause, overloadsOf, prelude } from "../../semantics/builtins/index.ts";
import { conversionNames } from "../../semantics/builtins/opencl-conversions.ts";
import type { SourceSpan } from "../../source.ts";
import { explainBuiltin } from "../hover/functions.ts";

/** A page, and the places of the names that it declares. */
export interface BuiltinPage {
  readonly fileName: string;
  readonly text: string;
  /** The first declaration of a function, macro or type. */
  placeOf(name: string): SourceSpan | undefined;
  /** The place of a part of the language's prelude. */
  placeInPrelude(span: SourceSpan): SourceSpan;
}

const pages = new Map<Dialect["language"], BuiltinPage>();

/** The page of a language. */
export function builtinPage(language: Dialect["language"]): BuiltinPage {
  const known = pages.get(language) ?? (language === "opencl" ? openclPage() : cudaPage());
  pages.set(language, known);
  return known;
}

const standards: readonly OpenCLStandard[] = ["CL1.0", "CL1.1", "CL1.2", "CL2.0", "CL3.0", "clc++2021"];

/** The scalar types that are keywords, with their sizes. */
const scalarTypes: Readonly<Record<string, string>> = {
  bool: "true or false; not for parameters of kernels",
  char: "8 bits, signed",
  short: "16 bits, signed",
  int: "32 bits, signed",
  long: "64 bits, signed, also where the host's long has 32",
  half: "16 bits; arithmetic needs cl_khr_fp16",
  float: "32 bits",
  double: "64 bits; needs a device with double precision",
  void: "no value",
};

function openclPage(): BuiltinPage {
  const dialects = standards.map((standard) => openclDialect(standard));
  const newest = openclDialect("CL3.0");
  const sheet = createSheet();
  sheet.add("// What OpenCL C declares without a header, as gpu-qualifiers knows it. This file is for reading: compilers have their own.");
  sheet.add("// Behind a declaration are the standards that have it, if not all of them have it.");
  sheet.add(
    "// gpu-qualifiers: allow-file[declaration-mismatch, half-without-extension, restricted-construct] the overloads are the language's own\n",
  );
  sheet.add("// OpenCL C 3.0 §6.3.1: scalar types, which have the same sizes on every device");
  for (const [name, meaning] of Object.entries(scalarTypes)) sheet.add(`// ${name}: ${meaning}`, name);
  sheet.add("\n// OpenCL C 3.0 §6.3.1, §6.3.2: unsigned types and vectors");
  for (const name of ["char", "short", "int", "long"]) sheet.add(`typedef unsigned ${name} u${name};`, `u${name}`);
  for (const name of ["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double"])
    for (const length of [2, 3, 4, 8, 16])
      sheet.add(
        `typedef ${name} ${name}${length} __attribute__((ext_vector_type(${length}))); // ${componentsText(length)}`,
        `${name}${length}`,
      );
  sheet.add("\n// Constants and other types");
  const preludeStart = sheet.add(prelude(newest).text.trimEnd());
  const done = new Set<string>();
  for (const { clause, names } of openclFunctionsByClause()) {
    sheet.add(`\n// OpenCL C 3.0 ${clause}`);
    // A later clause may add overloads to a function of an earlier one.
    for (const name of names.filter((each) => !done.has(each))) addFunction(sheet, name, dialects, newest);
    for (const name of names) done.add(name);
  }
  sheet.add("\n// OpenCL C 3.0 §6.4.3, §6.4.4: conversions, each from every type with as many elements, or of the same size");
  for (const name of conversionNames()) {
    const [first] = overloadsOf(name, dialects);
    if (first !== undefined) sheet.add(first, name);
  }
  return sheet.page("opencl-builtins.clh", preludeStart);
}

/** The names of a vector's components (OpenCL C 3.0 §6.3.7). */
function componentsText(length: number): string {
  const named = (letters: string) => letters.slice(0, length).replace(/./g, ".$& ");
  return `${length <= 4 ? `${named("xyzw")}${named("rgba")}` : ""}.s0 to .s${(length - 1).toString(16)} .lo .hi .even .odd`;
}

function cudaPage(): BuiltinPage {
  const [dialect] = dialectsOf("cuda", noSettings, "");
  const sheet = createSheet();
  sheet.add(
    "// What CUDA C++ declares without an #include, as far as gpu-qualifiers knows it. This file is for reading: the toolkit has its own.",
  );
  const preludeStart = sheet.add(prelude(dialect).text.trimEnd());
  sheet.add("\n// Functions: CUDA C++ Programming Guide, C++ Language Extensions; CUDA Runtime API; CUDA Math API");
  for (const name of builtinFunctionNames(dialect)) addFunction(sheet, name, [dialect], dialect);
  return sheet.page("cuda-builtins.cuh", preludeStart);
}

/** Adds a function's explanation and every overload, with the standards that have it. */
function addFunction(sheet: Sheet, name: string, dialects: readonly Dialect[], described: Dialect): void {
  const found = new Map<string, string[]>();
  for (const dialect of dialects)
    for (const line of overloadsOf(name, [dialect])) found.set(line, [...(found.get(line) ?? []), dialect.label]);
  if (found.size === 0) return;
  const about = explainBuiltin(name, described)?.lines ?? [];
  if (about.length > 0) sheet.add(["", ...about.map((line = "") => `// ${line.replaceAll("`", "")}`)].join("\n"));
  for (const [line, labels] of found) sheet.add(labels.length === dialects.length ? line : `${line} // ${labels.join(", ")}`, name);
}

/** A text that is written line by line. */
interface Sheet {
  /** Adds a line, which may declare a name. Returns its start. */
  add(line: string, name?: string): number;
  page(fileName: string, preludeStart: number): BuiltinPage;
}

function createSheet(): Sheet {
  const lines: string[] = [];
  const places = new Map<string, SourceSpan>();
  let length = 0;
  return {
    add(line, name) {
      const start = length;
      const at = name === undefined ? -1 : line.search(new RegExp(`\\b${name}\\b`));
      if (name !== undefined && at >= 0 && !places.has(name)) places.set(name, { start: start + at, end: start + at + name.length });
      lines.push(line);
      length += line.length + 1;
      return start;
    },
    page(fileName, preludeStart) {
      const text = `${lines.join("\n")}\n`;
      for (const { name, span } of definitionsIn(text)) if (!places.has(name)) places.set(name, span);
      return {
        fileName,
        text,
        placeOf: (name) => places.get(name),
        placeInPrelude: ({ start, end }) => ({ start: start + preludeStart, end: end + preludeStart }),
      };
    },
  };
}
