/**
 * `extern __shared__` declarations that do not describe a launch's dynamic memory, because they have a fixed size, or two types or
 * alignments for one name, and declarations without a size that lack `extern`.
 */
import { variablesAt } from "../../analyses/fact-index.ts";
import type { CudaDialect } from "../../dialect.ts";
import type { Facts, VariableFact } from "../../semantics/facts/facts.ts";
import { isSamePlace, type VariableSymbol } from "../../semantics/types/symbols.ts";
import { containsUnknown, printType, type Type } from "../../semantics/types/types.ts";
import { hasWord } from "../../syntax/walk.ts";
import { findingsOfInstances } from "../findings/related.ts";
import type { Rule, RuleFinding, RuleFix } from "../rule.ts";

/** Reports `extern __shared__` declarations with a size, or with another type or alignment than an earlier one, and arrays that lack `extern`. */
export const sharedExternDeclaration: Rule = {
  id: "shared-extern-declaration",
  title: "an `extern __shared__` declaration has a size, or another type or alignment than an earlier one; or `extern` is missing",
  severity: "error",
  languages: ["cuda"],
  clause:
    "CUDA C++ Programming Guide, __shared__: extern __shared__ float shared[]; the size of the array is determined at launch time; all variables declared in this fashion start at the same address in memory",
  documentation: `
\`extern __shared__ T name[];\` names the dynamic shared memory, whose size the launch determines. It is one object with external
linkage, so all declarations of one name in one namespace must have the same type, even in different kernels. With a number of
elements, or if it is not an array, it means something else: clang, and therefore HIP, rejects it, and nvcc reserves that much static shared memory in
addition to the launch's. With \`-rdc=true\` or \`-fgpu-rdc\` it names a variable that another file defines, and nothing is reported; if it is not
configured how the code is compiled, such an object at namespace scope is an *info*.

Declarations with different alignments are a *warning*, as in nvcc: the object has one. In a template, an array of a type that depends
on the arguments compiles until a second instantiation has another type; that is a *hint*.

Without \`extern\` the array lies in the static shared memory of the kernel, so it needs a number of elements.

**What to do**: omit the number of elements; give the arrays of two kernels different names. In a template, declare bytes and
cast:
\`extern __shared__ unsigned char bytes[]; T *tile = reinterpret_cast<T *>(bytes);\`.`,
  limits: "Declarations in different files are not compared.",
  examples: [
    {
      language: "cuda",
      bad: `__global__ void sums(float *out) { extern __shared__ float part[]; *out = part[0]; }
__global__ void counts(int *out) { extern __shared__ int part[]; *out = part[0]; } // <-`,
      good: `__global__ void sums(float *out) { extern __shared__ float sumPart[]; *out = sumPart[0]; }
__global__ void counts(int *out) { extern __shared__ int countPart[]; *out = countPart[0]; }`,
    },
    {
      language: "cuda",
      bad: `__global__ void sums(float *out) { extern __shared__ float part[64]; *out = part[0]; } // <-`,
      good: `__global__ void sums(float *out) { extern __shared__ float part[]; *out = part[0]; }`,
    },
    {
      language: "cuda",
      bad: `__global__ void sums(float *out) { __shared__ float part[]; *out = part[0]; } // <-`,
      good: `__global__ void sums(float *out) { extern __shared__ float part[]; *out = part[0]; }`,
    },
  ],
  fixSafety:
    "One fix adds `extern`, so that the launch has to give the size; the other declares bytes, and a pointer of the array's name. Neither is offered where several variables share the specifiers.",
  checkFile({ facts, dialect }, report) {
    if (dialect.language !== "cuda") return;
    const firstOf = firstDeclarations(facts, () => true);
    const firstAligned = firstDeclarations(facts, isAligned);
    const compare = (variable: VariableSymbol) => typeOf(variable, firstOf(variable)) ?? alignmentOf(variable, firstAligned(variable));
    const ofInstance = ({ variable }: VariableFact) => (isExternShared(variable) ? compare(variable) : undefined);
    const instances = [...findingsOfInstances(facts.instantiatedVariables, ofInstance)];
    for (const { variable } of facts.variables) {
      if (lacksExtern(variable)) report(withExtern(variable));
      if (!isExternShared(variable)) continue;
      const finding =
        variable.isTemplated === true
          ? isOneOf(variable, instances)
            ? undefined
            : dependentFinding(variable)
          : (compare(variable) ?? (dialect.relocatableDeviceCode ? undefined : sizeOf(variable, dialect)));
      if (finding !== undefined) report(finding);
    }
    for (const finding of instances) {
      const template = variablesAt(facts, finding.place).find(({ variable }) => variable.isTemplated === true)?.variable;
      const element = template?.type.kind === "array" ? template.type.element : undefined;
      report(
        template === undefined || element === undefined || finding.severity === "warning"
          ? finding
          : { ...finding, fixes: () => bytesInstead(template, element) },
      );
    }
  },
};

function isOneOf({ place }: VariableSymbol, findings: readonly RuleFinding[]): boolean {
  return findings.some((finding) => isSamePlace(finding.place, place));
}

/** The finding for an array in a template whose elements have the type of a template parameter. */
function dependentFinding(variable: VariableSymbol): RuleFinding | undefined {
  const { type, name, place } = variable;
  if (type.kind !== "array" || type.element.kind !== "dependent") return undefined;
  return {
    place,
    severity: "hint",
    message: `instantiations share the array '${name}': one with another type does not compile`,
    fixes: () => bytesInstead(variable, type.element),
  };
}

/** The fix that declares the dynamic memory as bytes, for an array whose elements have exactly the type of a template parameter. */
function bytesInstead({ name, declaration, sharesSpecifiers, alignment }: VariableSymbol, element: Type): readonly RuleFix[] {
  const { unit, span } = declaration;
  const end = unit.view.text.indexOf(";", span.end) + 1;
  const whole = { unit, span: { start: span.start, end } };
  const isPlain = alignment === undefined && element.kind === "dependent" && /^\w+$/.test(element.name ?? "");
  const isAlone =
    !sharesSpecifiers && end > 0 && unit.view.text.slice(span.end, end - 1).trim() === "" && unit.view.origin(whole.span).exact;
  if (!isPlain || !isAlone) return [];
  const type = element.name;
  const text = `extern __shared__ unsigned char ${name}Bytes[]; ${type} *${name} = reinterpret_cast<${type} *>(${name}Bytes);`;
  return [{ title: "Declare bytes, and cast", edits: [{ place: whole, text }], safety: "suggestion" }];
}

/** True for a declaration with an alignment that is known. */
function isAligned({ alignment }: VariableSymbol): boolean {
  return alignment !== undefined && !Number.isNaN(alignment);
}

function alignmentOf(variable: VariableSymbol, previous: VariableSymbol): RuleFinding | undefined {
  const { name, place, alignment } = variable;
  if (previous === variable || !isAligned(variable) || !isAligned(previous) || alignment === previous.alignment) return undefined;
  return {
    place,
    severity: "warning",
    message: `all kernels share the array '${name}', which was declared with another alignment before`,
    related: [{ message: `declared with an alignment of ${previous.alignment} here`, place: previous.place }],
  };
}

/** True for an array without a number of elements. Only a declaration of dynamic memory may be one. */
function lacksExtern(variable: VariableSymbol): boolean {
  const { type, initializer, scope } = variable;
  if (type.kind !== "array" || type.extent !== "absent" || initializer !== undefined) return false;
  return (scope === "program" || scope === "block") && hasWord(variable.words, "__shared__") && !hasWord(variable.words, "extern");
}

function withExtern({ name, place, declaration, words, sharesSpecifiers }: VariableSymbol): RuleFinding {
  const isOther = sharesSpecifiers || hasWord(words, "static");
  return {
    place,
    message: `'${name}' has no size; only an 'extern __shared__' array may omit it`,
    fixes: () =>
      isOther
        ? []
        : [
            {
              title: "Declare it as 'extern'",
              edits: [{ place: declaration, how: "before", text: "extern " }],
              safety: "suggestion",
            },
          ],
  };
}

function isExternShared(variable: VariableSymbol): boolean {
  return hasWord(variable.words, "__shared__") && hasWord(variable.words, "extern");
}

/**
 * The declaration that each is compared with: compilers compare with the first one in the file. Those in instantiated templates
 * come last.
 */
function firstDeclarations(
  { variables, instantiatedVariables }: Facts,
  counts: (variable: VariableSymbol) => boolean,
): (variable: VariableSymbol) => VariableSymbol {
  const first = new Map<string, VariableSymbol>();
  for (const { variable } of [...variables, ...instantiatedVariables]) {
    // Without `extern`, a variable in a block is an object of its own.
    const isSame = variable.scope !== "block" || hasWord(variable.words, "extern");
    const isDeclaration = isSame && hasWord(variable.words, "__shared__") && variable.isTemplated !== true && !variable.isDependent;
    if (isDeclaration && counts(variable) && !first.has(keyOf(variable))) first.set(keyOf(variable), variable);
  }
  return (variable) => first.get(keyOf(variable)) ?? variable;
}

/**
 * The key of the variable that a declaration declares. An `extern` declaration in a block declares a member of the namespace around
 * the function (C++17 §6.5p6).
 */
function keyOf({ name, qualifiedName, owner }: VariableSymbol): string {
  const inNamespace = owner?.record?.qualifiedName ?? owner?.qualifiedName ?? qualifiedName;
  return `${inNamespace.slice(0, Math.max(0, inNamespace.lastIndexOf("::")))} ${name}`;
}

function typeOf(variable: VariableSymbol, previous: VariableSymbol): RuleFinding | undefined {
  const { type, name, place } = variable;
  if (previous === variable || containsUnknown(type) || containsUnknown(previous.type)) return undefined;
  const is = printType(elementOf(type));
  const was = printType(elementOf(previous.type));
  if (is === was && (type.kind === "array") === (previous.type.kind === "array")) return undefined;
  const isCvOnly = type.kind === previous.type.kind && withoutQualifiers(is) === withoutQualifiers(was);
  return {
    place,
    // nvcc treats two declarations that differ in const and volatile as the same.
    ...(isCvOnly ? { severity: "warning" as const } : {}),
    message: `all kernels share the array '${name}', which was declared with another type before`,
    related: [{ message: `declared as '${printType(previous.type)}' here`, place: previous.place }],
  };
}

/** The type to compare; one of two declarations may omit the number of elements. */
function elementOf(type: Type): Type {
  return type.kind === "array" ? type.element : type;
}

function withoutQualifiers(text: string): string {
  return text.replace(/\b(const|volatile) /g, "");
}

/** The finding for a declaration with a fixed size, which is not the launch's memory. Another rule reports its initializer. */
function sizeOf({ type, name, place, initializer }: VariableSymbol, { hip, isRelocatableKnown }: CudaDialect): RuleFinding | undefined {
  if (
    initializer !== undefined ||
    type.kind === "unknown" ||
    (type.kind === "array" && type.extent !== "fixed") ||
    type.kind === "dependent"
  )
    return undefined;
  if (hip)
    return {
      place,
      ...(isRelocatableKnown === true ? {} : { severity: "warning" as const }),
      message: `'${name}' has a fixed size: only the dynamic shared memory is 'extern' without -fgpu-rdc`,
    };
  return { place, severity: "warning", message: `'${name}' has a fixed size: nvcc ignores 'extern', and clang rejects it` };
}
