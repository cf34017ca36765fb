/**
 * Features of C and C++ that OpenCL excludes: pointers to functions, virtual and variadic functions, arrays of variable length,
 * bit-fields, some storage classes, and `main`. `local-scope-space` reports arrays of variable length in local and constant memory.
 */
import { isClear } from "../../analyses/host-code.ts";
import { isCertain } from "../../analyses/memory-spaces.ts";
import type { OpenCLDialect } from "../../dialect.ts";
import { storageProblem } from "../../semantics/declarations/storage.ts";
import type { Facts, SpecifierWordFact } from "../../semantics/facts/facts.ts";
import type { FunctionPointerFact } from "../../semantics/facts/opencl-facts.ts";
import {
  type FunctionDeclaration,
  type FunctionSymbol,
  isSamePlace,
  type Place,
  type SpecifierWord,
  type VariableSymbol,
} from "../../semantics/types/symbols.ts";
import { placeKey } from "../../source.ts";
import { isBefore12 } from "../../tracked-dialect.ts";
import { sizeAttributeFindings, strayAttributeFindings } from "../findings/size-attributes.ts";
import type { Rule, RuleFinding } from "../rule.ts";

/**
 * Reports features that OpenCL excludes: pointers to functions, variadic functions, arrays of variable length, bit-fields,
 * storage classes.
 */
export const restrictedConstruct: Rule = {
  id: "restricted-construct",
  title: "a pointer to a function, a variadic function, an array of variable length, a bit-field or a storage class, which OpenCL excludes",
  severity: "error",
  languages: ["opencl"],
  clause: "OpenCL C 3.0 §6.11 Restrictions (a, c, d, e, g), §6.7.2, 1.2 §6.9; C++ for OpenCL 2021 §2.1",
  documentation: `
A kernel's functions are all known when it is compiled, and so is the private memory that a work-item needs. That is why OpenCL
excludes these:

- pointers and references to functions, virtual functions, and any use of a function's name except calling it;
- functions with a variable number of arguments, other than \`printf\`;
- arrays whose length is known only at run time;
- bit-fields;
- the storage classes \`register\` and \`thread_local\`, and before OpenCL C 1.2 \`static\` and \`extern\`;
- \`kernel\` on anything but a function, and attributes of kernels, such as \`reqd_work_group_size\`, on anything else, or with other
  numbers than they take: three positive ones for the size of a work-group; \`vec_type_hint\` takes a type of numbers or a vector;
- a function that is called \`main\`.

Clang supports the first two and bit-fields as extensions of its own (\`__cl_clang_function_pointers\`, …), which a pragma or
\`-cl-ext\` enables.

**What to do**: choose between functions with \`switch\`; give an array the greatest length that is needed, as a macro or an enumerator,
or pass local memory of the right size to the kernel with \`clSetKernelArg\`.`,
  limits: "Names that begin with two underscores belong to the implementation and are left out.",
  examples: [
    {
      language: "opencl",
      bad: `kernel void sort(global float *data, int count) {
  float copy[count]; // <-
  for (int i = 0; i < count; i++) copy[i] = data[i];
  data[0] = copy[count - 1];
}`,
      good: `#define COUNT 64
kernel void sort(global float *data) {
  float copy[COUNT];
  for (int i = 0; i < COUNT; i++) copy[i] = data[i];
  data[0] = copy[COUNT - 1];
}`,
    },
    {
      language: "opencl",
      bad: `float twice(float x) { return 2 * x; }
kernel void map(global float *data) {
  float (*f)(float) = 0; // <-
  data[0] = twice(data[0]);
}`,
      good: `float twice(float x) { return 2 * x; }
kernel void map(global float *data) {
  data[0] = twice(data[0]);
}`,
    },
  ],
  check({ facts, dialect }, report) {
    if (dialect.language !== "opencl") return;
    const language = dialect.cplusplus ? "C++ for OpenCL" : "OpenCL C";
    const seen = new Set<string>();
    for (const finding of findings(facts, dialect, language)) {
      const key = `${placeKey(finding.place)} ${finding.message}`;
      if (seen.has(key)) continue;
      seen.add(key);
      report(finding);
    }
  },
};

function* findings(facts: Facts, dialect: OpenCLDialect, language: string): Generator<RuleFinding> {
  const has = (extension: string) => dialect.has(extension) || facts.enabledExtensions.some((name) => name === extension || name === "all");
  if (!has("__cl_clang_function_pointers")) {
    for (const { kind, place } of facts.functionPointers)
      if (kind !== "variadic block") yield { place, message: pointerMessage(kind, language) };
    for (const place of facts.functions.flatMap(virtualPlaces)) yield { place, message: `${language} has no virtual functions` };
  }
  if (!has("__cl_clang_variadic_functions")) {
    for (const place of facts.functions.flatMap(variadicPlaces))
      yield { place, message: `${language} has no functions with a variable number of arguments` };
    for (const { kind, place } of facts.functionPointers)
      if (kind === "variadic block") yield { place, message: `${language} has no blocks with a variable number of arguments` };
  }
  for (const { name, record, declarations } of facts.functions)
    if (name === "main" && record === undefined)
      for (const { namePlace } of declarations)
        yield { place: namePlace, message: "a function in a kernel's program cannot be called 'main'" };
  if (!has("cl_clang_storage_class_specifiers"))
    for (const { text, place } of storageClasses(facts, dialect))
      yield { place, message: `${language}${isBefore12(dialect) ? " before 1.2" : ""} has no storage class '${text}'` };
  for (const { word, on, variable } of facts.words) {
    const spelled = word.text === "__kernel" ? onlyForFunctions[on] : undefined;
    // An unknown macro may make `kernel void NAME(x);` a function.
    if (spelled !== undefined && variable?.type.kind !== "void" && isClear(word.place, facts))
      yield { place: word.place, message: `'kernel' is for functions, not for a ${spelled}` };
  }
  for (const { words } of facts.variables.flatMap(({ variable }) => (variable.scope === "parameter" ? [variable] : []))) {
    for (const { text, place } of words.filter((word) => linkageWords.has(word.text)))
      yield { place, message: `a parameter has no storage class '${text}'` };
  }
  for (const attribute of facts.functions.flatMap(misplacedAttributes))
    if (isClear(attribute.place, facts))
      yield { place: attribute.place, message: `'${attribute.name}' is for kernels, and this function is not one` };
  for (const finding of [...facts.functions.flatMap((each) => sizeAttributeFindings(each, /^/)), ...strayAttributeFindings(facts, /^/)])
    if (isClear(finding.place, facts)) yield finding;
  for (const { variable } of facts.variables) {
    if (variable.bitWidth !== undefined && !has("__cl_clang_bitfields"))
      yield { place: variable.place, message: `${language} has no bit-fields` };
  }
  for (const { name, place } of facts.variableLengths) {
    const variable = facts.variables.find((each) => isSamePlace(each.variable.place, place))?.variable;
    if (variable !== undefined && storageProblem(variable, dialect) !== undefined) continue;
    const length = name === "" ? "its length" : `the length of '${name}'`;
    yield { place, message: `${language} has no variable-length arrays: ${length} must be constant` };
  }
}

function pointerMessage(kind: Exclude<FunctionPointerFact["kind"], "variadic block">, language: string): string {
  return kind === "address" ? `${language} can only call a function, not take its address` : `${language} has no ${kind}s to functions`;
}

function variadicPlaces({ name, declarations, isBuiltin }: FunctionSymbol): readonly Place[] {
  // Names with two leading underscores belong to the implementation.
  if (name === "printf" || name.startsWith("__") || isBuiltin === true) return [];
  return declarations.filter(({ declarator }) => declarator.isVariadic).map(({ namePlace }) => namePlace);
}

function virtualPlaces({ declarations }: FunctionSymbol): readonly Place[] {
  return declarations.flatMap(({ words }) => words.filter(({ text }) => text === "virtual").map(({ place }) => place));
}

const onlyForFunctions: Partial<Record<SpecifierWordFact["on"], string>> = {
  variable: "variable",
  parameter: "parameter",
  member: "member",
  typedef: "typedef",
};

/** Attributes of kernels: OpenCL C 3.0 §6.7.2, cl_intel_required_subgroup_size, and those of AMD's compiler. */
const ofKernels = new Set([
  ...["reqd_work_group_size", "work_group_size_hint", "vec_type_hint", "intel_reqd_sub_group_size"],
  ...["amdgpu_flat_work_group_size", "amdgpu_waves_per_eu", "amdgpu_num_sgpr", "amdgpu_num_vgpr"],
]);

/** The attributes of kernels on declarations without `kernel`. */
function misplacedAttributes(owner: FunctionSymbol): FunctionDeclaration["attributes"] {
  if (!isCertain(owner)) return [];
  return owner.declarations
    .filter(({ execution }) => !execution.kernel)
    .flatMap(({ attributes }) => attributes.filter(({ name }) => ofKernels.has(name.replace(/^__(.*)__$/, "$1"))));
}

const noStorageClasses = new Set(["register", "thread_local", "_Thread_local", "__thread"]);
const linkageWords = new Set(["static", "extern"]);

/** Before 1.2 there is neither `static` nor `extern` (OpenCL C 1.1 §6.8 e). Another rule reports `static` in functions. */
function storageClasses(facts: Facts, dialect: OpenCLDialect): readonly SpecifierWord[] {
  const isNone = ({ text }: SpecifierWord) => noStorageClasses.has(text) || (isBefore12(dialect) && linkageWords.has(text));
  const ofFunctions = facts.functions
    .flatMap(({ declarations, isBuiltin }) => (isBuiltin ? [] : declarations))
    .flatMap(({ words, execution }) => words.filter((word) => isNone(word) && !(execution.kernel && word.text === "static")));
  const ofVariables = facts.variables.flatMap(({ variable: { scope, words } }) =>
    words.filter((word) => (isOwn(scope, word.text) ? noStorageClasses.has(word.text) : isNone(word))),
  );
  return [...ofFunctions, ...ofVariables];
}

/** Other rules report these storage classes of parameters, and `static` in functions. */
function isOwn(scope: VariableSymbol["scope"], word: string): boolean {
  return scope === "parameter" || (scope === "block" && word !== "extern");
}
