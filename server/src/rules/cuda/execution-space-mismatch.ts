/**
 * Declarations of one function that disagree about its execution spaces: redeclarations, out-of-class definitions, explicit
 * instantiations and specializations, overriding functions, and declarations across files.
 */
import { mayHideSpecifier } from "../../analyses/host/declared-heads.ts";
import { isCuda, isOfOnePass } from "../../analyses/memory-spaces.ts";
import { signatureOf } from "../../semantics/declarations/function-signatures.ts";
import { isConstexprForBoth } from "../../semantics/facts/sides.ts";
import { constructorsOf } from "../../semantics/symbols/candidates.ts";
import { haveSameSpaces, printSpaces, writtenSpaces } from "../../semantics/types/execution-spaces.ts";
import { type FunctionDeclaration, type FunctionSymbol, isVirtual, type RecordSymbol } from "../../semantics/types/symbols.ts";
import type { DeviceFunctionSummary, Summary } from "../../summary/summary.ts";
import { hasWord } from "../../syntax/walk.ts";
import type { Rule, RuleFinding } from "../rule.ts";

/** Reports declarations of a function that disagree about its execution spaces. */
export const executionSpaceMismatch: Rule = {
  id: "execution-space-mismatch",
  title: "declarations of a function disagree about its execution space",
  severity: "warning",
  languages: ["cuda"],
  clause:
    "CUDA C++ Programming Guide, execution space specifiers; C++ language support, virtual functions: the execution space of an overriding function must match that of the overridden one",
  documentation: `
\`__global__\`, \`__device__\` and \`__host__\` belong on every declaration of a function. If they differ,

- a kernel that is also declared without \`__global__\` is an **error**;
- clang, and so HIP, rejects a declaration for both sides beside one for a single side: an **error** there;
- nvcc treats a function that is declared \`__device__\` here and without a specifier there as one for both sides, with a warning
  in one of its passes; its code must then compile for the host as well. clang treats them as two functions, or rejects them; a declaration
  that leaves out one of \`__host__ __device__\` is accepted by nvcc without a word, and so an *info*;
- clang, and so HIP, does not find the template of an **explicit specialization** or instantiation with other execution spaces: an **error**
  there; nvcc accepts it, and so the specialization is an *info*;
- a function that **overrides** a virtual one must have the same execution spaces: an **error**, also for destructors;
- between files no compiler compares them. Device code that calls a function of the host does not link; host code that calls a function of
  the device does, and the call ends the program.

**What to do**: write the same specifiers on each declaration.`,
  limits:
    "Functions with an unreadable specifier, and specialized members of class templates, are left out. Across files a declaration is compared only with the one definition that it can refer to.",
  examples: [
    {
      language: "cuda",
      bad: `__global__ void fill(float *data);
void fill(float *data) { data[0] = 0; } // <-`,
      good: `__global__ void fill(float *data);
__global__ void fill(float *data) { data[0] = 0; }`,
    },
    {
      language: "cuda",
      bad: `struct Shape { __device__ virtual float area() const; };
struct Square : Shape { float area() const override; }; // <-`,
      good: `struct Shape { __device__ virtual float area() const; };
struct Square : Shape { __device__ float area() const override; };`,
    },
  ],
  check({ facts, dialect }, report) {
    if (dialect.language !== "cuda") return;
    for (const owner of facts.functions) {
      if (owner.lambda !== undefined) continue;
      for (const finding of redeclarations(owner, isCuda(dialect))) report(finding);
      for (const finding of specializationFindings(owner, isCuda(dialect))) report(finding);
    }
    for (const record of facts.records) for (const finding of destructorFinding(record, isCuda(dialect))) report(finding);
    if (!isCuda(dialect)) return;
    for (const record of facts.records) for (const finding of overriders(record)) report(finding);
  },
  checkFile({ facts, dialect, file }, report) {
    if (dialect.language !== "cuda" || isCuda(dialect)) return;
    for (const owner of facts.functions)
      for (const finding of sharedRedeclarations(owner)) if (!mayHideSpecifier(owner.declarations, file.textOf)) report(finding);
  },
  link(summaries, report) {
    for (const [definition, other] of pairsOf(summaries)) {
      report({
        location: other.location,
        message: `'${other.name}' is declared ${printSpaces(other.execution)}, but defined ${printSpaces(definition.execution)}`,
        related: [{ message: "defined here", location: definition.location }],
      });
    }
  },
};

// ---------------------------------------------------------------- within a translation unit

function redeclarations(owner: FunctionSymbol, isNvcc: boolean): readonly RuleFinding[] {
  // An instantiation must agree with its template.
  const isInstantiation = owner.declarations.every(({ role }) => role === "instantiation");
  const first = (isInstantiation ? owner.primary?.declarations[0] : undefined) ?? owner.declarations[0];
  // The language itself declares `operator new` and `operator delete` for the host.
  if (first === undefined || first.isUncertain === true || (owner.record === undefined && /^operator (new|delete)\b/.test(owner.name)))
    return [];
  const bodies = owner.declarations.filter(({ isDefinition }) => isDefinition);
  const isKernelElsewhere = owner.declarations.some(({ execution }) => execution.kernel !== first.execution.kernel);
  if (bodies.length > 1 && !isKernelElsewhere) return bodiesFinding(owner, bodies, isNvcc);
  return owner.declarations.flatMap((declaration): readonly RuleFinding[] => {
    if (declaration === first || declaration.isUncertain === true || haveSameSpaces(first.execution, declaration.execution)) return [];
    const isKernelMismatch = first.execution.kernel !== declaration.execution.kernel;
    // clang, and therefore HIP, allows separate functions for host and device.
    if (!isNvcc && !isKernelMismatch) return [];
    // nvcc silently accepts a redeclaration that omits one of two execution spaces.
    const isKept = !isKernelMismatch && first.execution.device && first.execution.host;
    return [
      {
        place: declaration.namePlace,
        ...(isKernelMismatch ? { severity: "error" as const } : isKept ? { severity: "info" as const } : {}),
        message: `'${owner.name}' is declared ${printExecution(declaration)} here, but ${printExecution(first)} before${isKept ? "; only clang rejects that" : ""}`,
        related: [{ message: `declared ${printExecution(first)} here`, place: first.namePlace }],
      },
    ];
  });
}

/**
 * For clang: declarations for both sides beside others for one side, which are no redeclarations and cannot be overloads. A constexpr function
 * without a side is for both. A second body is judged elsewhere.
 */
function sharedRedeclarations(owner: FunctionSymbol): readonly RuleFinding[] {
  const { declarations, name, record } = owner;
  const isDefinedTwice = declarations.filter(({ isDefinition }) => isDefinition).length > 1 && !owner.isTemplate;
  const isOpen = (each: FunctionDeclaration) =>
    each.isUncertain === true || each.execution.kernel || each.role !== "primary" || isOfOnePass(each.namePlace);
  // Clang lets a destructor and the operators that the language declares leave out a side.
  if (isDefinedTwice || record?.instance !== undefined || declarations.some(isOpen) || /^~|^operator (new|delete)\b/.test(name)) return [];
  // Clang forgets a declaration that it rejects.
  const accepted: FunctionDeclaration[] = [];
  return declarations.flatMap((declaration): readonly RuleFinding[] => {
    const other = accepted.find((each) => isForBoth(each) !== isForBoth(declaration));
    if (other === undefined) accepted.push(declaration);
    if (other === undefined) return [];
    const [here, before] = [declaration, other].map((each) => (isForBoth(each) ? both : printExecution(each)));
    return [
      {
        place: declaration.namePlace,
        severity: "error",
        message: `'${name}' is declared ${here} here, but ${before} before: the two cannot be overloads`,
        related: [{ message: `declared ${before} here`, place: other.namePlace }],
      },
    ];
  });
}

const both = printSpaces({ kernel: false, device: true, host: true });

/** True for a function that clang compiles for both sides. */
function isForBoth({ execution: { device, host }, words, type }: FunctionDeclaration): boolean {
  return (device && host) || isConstexprForBoth(words, type);
}

/**
 * A function with two bodies. clang takes one for the host and one for the device as two functions, but not one for both sides beside another,
 * and no two destructors.
 */
function bodiesFinding(owner: FunctionSymbol, bodies: readonly FunctionDeclaration[], isNvcc: boolean): readonly RuleFinding[] {
  const [first, second] = bodies;
  // Templates of one name may differ in what they require.
  if (owner.isTemplate || owner.record?.isDependent === true || owner.record?.instance !== undefined) return [];
  if (first === undefined || second === undefined || bodies.some(({ isUncertain }) => isUncertain === true)) return [];
  const isShared = (each: FunctionDeclaration) => (isNvcc ? each.execution.device && each.execution.host : isForBoth(each));
  const isDestructor = owner.name.startsWith("~");
  const areSame = haveSameSpaces(first.execution, second.execution) && isShared(first) === isShared(second);
  if (areSame || !(isDestructor || isShared(first) || isShared(second))) return [];
  const areOnDevice = [first, second].every((each) => isShared(each) || each.execution.device);
  const why = isDestructor ? "a class has one destructor" : `both bodies are for the ${areOnDevice ? "device" : "host"}`;
  const [here, before] = [second, first].map((each) => (isShared(each) ? both : printExecution(each)));
  return [
    {
      place: second.namePlace,
      severity: "error",
      message: `'${owner.name}' is ${here} here and ${before} before: ${why}`,
      related: [{ message: `declared ${before} here`, place: first.namePlace }],
    },
  ];
}

/** Destructors for opposite sides, which are functions of their own. */
function destructorFinding({ functions }: RecordSymbol, isNvcc: boolean): readonly RuleFinding[] {
  const [first, ...others] = functions.filter(({ name }) => name.startsWith("~"));
  if (first === undefined || others.length === 0) return [];
  return bodiesFinding(
    first,
    [first, ...others].flatMap(({ declarations }) => declarations.slice(0, 1)),
    isNvcc,
  );
}

/**
 * An explicit specialization that differs from its template. For clang the execution spaces belong to what is specialized, whatever else
 * both are (`constexpr`), in each declaration, and to what is instantiated. nvcc only rejects a kernel beside a written `__host__` or
 * `__device__`.
 */
function specializationFindings(owner: FunctionSymbol, isNvcc: boolean): readonly RuleFinding[] {
  const templates = owner.primary?.declarations ?? [];
  const [template] = templates;
  if (template === undefined || templates.some(({ isUncertain }) => isUncertain === true)) return [];
  const judged = isNvcc ? owner.declarations.slice(0, 1).filter(({ role }) => role === "specialization") : owner.declarations;
  return judged.flatMap((own): readonly RuleFinding[] => {
    const isKernelMismatch = own.execution.kernel !== template.execution.kernel;
    // `redeclarations` reports an instantiation that differs in being a kernel. One of a member is not compared.
    if (own.role === "instantiation" && (isKernelMismatch || owner.primary?.record !== undefined)) return [];
    if (own.isUncertain === true || templates.some(({ execution }) => haveSameSpaces(execution, own.execution))) return [];
    const isRejected = !isNvcc || (isKernelMismatch && [own, template].every(isWritten));
    return [
      {
        place: own.namePlace,
        severity: isRejected ? "error" : "info",
        message: `'${owner.name}' is declared ${printExecution(own)} here, but its template ${printExecution(template)}${isRejected ? "" : "; only clang rejects that"}`,
        related: [{ message: "the template is declared here", place: template.namePlace }],
      },
    ];
  });
}

function isWritten({ words }: FunctionDeclaration): boolean {
  const { kernel, device, host } = writtenSpaces(words);
  return kernel || device || host;
}

function printExecution({ execution }: Pick<FunctionDeclaration, "execution">): string {
  return printSpaces(execution);
}

// ---------------------------------------------------------------- virtual functions

function overriders(record: RecordSymbol): readonly RuleFinding[] {
  const constructors = new Set(constructorsOf(record));
  return record.functions.flatMap((own): readonly RuleFinding[] => {
    const [declaration] = own.declarations;
    if (
      declaration === undefined ||
      declaration.isUncertain === true ||
      own.isTemplate !== record.isDependent ||
      constructors.has(own) ||
      hasWord(declaration.words, "static")
    )
      return [];
    const first = overridden(record, own, 0)
      .map(({ declarations }) => declarations[0])
      .find((each) => each !== undefined && each.isUncertain !== true && !haveSameSpaces(each.execution, declaration.execution));
    if (first === undefined) return [];
    return [
      {
        place: declaration.namePlace,
        severity: "error",
        message: `'${own.name}' is ${printExecution(declaration)}, but overrides a function that is ${printExecution(first)}`,
        related: [{ message: "the overridden function is declared here", place: first.namePlace }],
      },
    ];
  });
}

/** The virtual functions of bases with the same name and parameters (C++17 §13.3p2), the nearest in each base. */
function overridden(record: RecordSymbol, own: FunctionSymbol, depth: number): readonly FunctionSymbol[] {
  if (depth > 20) return [];
  return record.bases.flatMap((base): readonly FunctionSymbol[] => {
    if (base.kind !== "record") return [];
    const found = base.record.functions.find((other) => isVirtual(other) && overrides(own, other));
    return found === undefined ? overridden(base.record, own, depth + 1) : [found];
  });
}

function overrides(own: FunctionSymbol, other: FunctionSymbol): boolean {
  const [a] = own.declarations;
  const [b] = other.declarations;
  if (a === undefined || b === undefined) return false;
  if (own.name.startsWith("~") || other.name.startsWith("~")) return own.name.startsWith("~") && other.name.startsWith("~");
  return (
    own.name === other.name &&
    a.parameters.length === b.parameters.length &&
    signatureOf(a.parameters) === signatureOf(b.parameters) &&
    cvOf(a) === cvOf(b)
  );
}

function cvOf({ declarator }: FunctionDeclaration): string {
  return declarator.words
    .map(({ text }) => text)
    .filter((text) => text === "const" || text === "volatile" || text === "&" || text === "&&")
    .sort()
    .join(" ");
}

// ---------------------------------------------------------------- across translation units

/**
 * Pairs each declaration with the only definition that it can refer to. A name with several definitions is skipped, because they
 * may belong to several programs.
 */
function pairsOf(summaries: readonly Summary[]): readonly (readonly [DeviceFunctionSummary, DeviceFunctionSummary])[] {
  const groups = new Map<string, { readonly uri: string; readonly declared: DeviceFunctionSummary }[]>();
  for (const { uri, deviceFunctions } of summaries) {
    for (const declared of deviceFunctions ?? []) {
      const key = `${declared.name}(${declared.signature})`;
      const group = groups.get(key) ?? [];
      groups.set(key, group);
      group.push({ uri, declared });
    }
  }
  return [...groups.values()].flatMap((group) => {
    const definitions = group.filter(({ declared }) => declared.isDefinition);
    const [definition] = definitions;
    if (definition === undefined || definitions.length !== 1) return [];
    return group
      .filter(({ uri, declared }) => uri !== definition.uri && declared.location.uri === uri && lacksSide(definition.declared, declared))
      .map(({ declared }) => [definition.declared, declared] as const);
  });
}

/**
 * True if the declaration promises a side that the definition does not have. The host's side may be unused, or defined in a file that is
 * not CUDA. If it is used, nvcc's definition for the device ends the program.
 */
function lacksSide({ execution: defined }: DeviceFunctionSummary, { execution, isCalledByHost }: DeviceFunctionSummary): boolean {
  if (defined.kernel || execution.kernel) return defined.kernel !== execution.kernel && (execution.kernel || execution.device);
  return execution.device && (!defined.device || (execution.host && !defined.host && isCalledByHost === true));
}
