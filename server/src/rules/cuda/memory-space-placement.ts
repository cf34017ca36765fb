/**
 * A memory space on a declaration that cannot have one: of a parameter, a member, a function, a type, an automatic variable, or a
 * local variable of a host function.
 */
import { executionAt } from "../../analyses/device-code.ts";
import { isClear } from "../../analyses/host-code.ts";
import { hostCompiles, isCertain, isCuda, isOfOnePass } from "../../analyses/memory-spaces.ts";
import { dropWord, isSpelledOut } from "../../analyses/placed-edits.ts";
import { type Dialect, isHostSide } from "../../dialect.ts";
import type { Severity } from "../../finding.ts";
import { isEmbedded } from "../../names.ts";
import { codeAt } from "../../preprocess/unit-row.ts";
import { isMemoryWord } from "../../qualifiers.ts";
import { haveSameSignature } from "../../semantics/declarations/function-signatures.ts";
import type { SpecifierWordFact } from "../../semantics/facts/facts.ts";
import { type FunctionSymbol, isVirtual, type SpecifierWord, type VariableSymbol } from "../../semantics/types/symbols.ts";
import { containsUnknown } from "../../semantics/types/types.ts";
import { hasWord } from "../../syntax/walk.ts";
import type { Rule, RuleFinding } from "../rule.ts";

/** Reports memory spaces on declarations that cannot have one. */
export const memorySpacePlacement: Rule = {
  id: "memory-space-placement",
  title: "a memory space is on something that cannot have one",
  severity: "error",
  languages: ["cuda"],
  judgesHostSide: true,
  clause:
    "CUDA C++ Programming Guide, C++ language support, device memory space specifiers: not allowed on class, struct and union data members, on formal parameters, and on non-extern variables in functions that execute on the host",
  documentation: `
\`__constant__\`, \`__device__\`, \`__shared__\` and \`__managed__\` determine where a *variable* lives for the whole program (or,
shared, for a block of threads). They are not part of a type, so unlike OpenCL's address spaces they cannot qualify a pointee, a
parameter, a member or a cast. If nvcc only warns that it ignores the specifier, the code does not do what it says.

- On **members** none is allowed; on static members it is an error.
- An **automatic** local variable cannot be \`__constant__\`, \`__device__\` or \`__managed__\`; a \`static\` one can, in device code.
  clang and HIP reject \`__device__\` beside \`__shared__\` as well; nvcc accepts it, without an effect.
- **Host functions** have no local variables in device memory, \`__shared__\` ones included; \`extern\` declarations are allowed.
- On a **lambda** it is in front of the parameters, \`[] __device__ (int n) {}\`; nvcc rejects it behind them.
- On a function that is **defaulted** where it is first declared, nvcc ignores \`__host__\` and \`__device__\`, with a warning.

**What to do**: declare the variable at namespace scope; take a plain pointer as the parameter, which may point anywhere.`,
  limits:
    "Specifiers from unknown macros are not seen. Defaulted functions are judged in `.cu` and `.cuh` files, because other files may be compiled as HIP, where the words count.",
  fixSafety: "Offered if the compiler ignores the specifier: dropping it changes nothing, so it is safe.",
  examples: [
    {
      language: "cuda",
      bad: `__global__ void scale(float *data) {
  __constant__ float factor = 2.0f; // <-
  data[threadIdx.x] *= factor;
}`,
      good: `__constant__ float factor = 2.0f;
__global__ void scale(float *data) {
  data[threadIdx.x] *= factor;
}`,
    },
    {
      language: "cuda",
      bad: `__device__ float first(__constant__ float *table) { return table[0]; } // <-`,
      good: `__device__ float first(const float *table) { return table[0]; }`,
      fixed: `__device__ float first(float *table) { return table[0]; }`,
    },
  ],
  check({ facts, dialect }, report) {
    for (const fact of facts.words) {
      const problem = problemOf(fact, dialect);
      if (problem === undefined || !isClear(fact.word.place, facts)) continue;
      const { word } = fact;
      report({
        place: word.place,
        severity: problem.severity,
        message: problem.message,
        fixes: () => (problem.isDropped ? [{ title: `Remove '${word.text}'`, edits: [dropWord(word)], safety: "safe" }] : []),
      });
    }
    if (isCuda(dialect))
      for (const owner of facts.functions) {
        const finding = findingOfDefaulted(ignoredOnDefaulted(owner));
        if (finding !== undefined) report(finding);
      }
  },
};

/** The execution spaces of a function that is defaulted where it is first declared. nvcc takes them from what its members need. */
function ignoredOnDefaulted(owner: FunctionSymbol): readonly SpecifierWord[] {
  const [first] = owner.declarations;
  if (first?.special !== "default" || owner.record === undefined || mayBeVirtual(owner)) return [];
  // clang, which respects the words, may compile a file of another name as HIP.
  if (!isNamedCuda(codeAt(first.place).uri)) return [];
  // nvcc rejects another one of the same signature, whatever the words are.
  const isSame = ({ name, declarations: [other] }: FunctionSymbol) =>
    name === owner.name && other !== undefined && haveSameSignature(other.parameters, first.parameters);
  if (owner.record.functions.some((other) => other !== owner && isSame(other))) return [];
  return first.words.filter(({ text }) => text === "__host__" || text === "__device__");
}

function isNamedCuda(uri: string): boolean {
  return /\.cuh?$/i.test(uri) && !isEmbedded(uri);
}

/** True for a function that may override one of a base class, too. Constructors never do. */
function mayBeVirtual(owner: FunctionSymbol): boolean {
  return isVirtual(owner) || (owner.record?.bases.length !== 0 && owner.name !== owner.record?.tag);
}

/** One finding for all words: what is left of them would still count for clang. */
function findingOfDefaulted(words: readonly SpecifierWord[]): RuleFinding | undefined {
  const [first] = words;
  if (first === undefined) return undefined;
  const spelled = words.map(({ text }) => text).join(" ");
  return {
    place: first.place,
    severity: "warning",
    message: `'${spelled}' on a defaulted function has no effect: nvcc decides where it runs`,
    fixes: () => (words.every(isSpelledOut) ? [{ title: `Remove '${spelled}'`, edits: words.map(dropWord), safety: "safe" }] : []),
  };
}

interface Problem {
  readonly severity: Severity;
  readonly message: string;
  /** The word has no effect, so the fix removes it. */
  readonly isDropped: boolean;
}

const executionWords = new Set(["__host__", "__global__"]);

function problemOf(fact: SpecifierWordFact, dialect: Dialect): Problem | undefined {
  const { word, on, variable, isTrailing } = fact;
  if (isTrailing === true && isCuda(dialect) && (word.text === "__device__" || executionWords.has(word.text)))
    return {
      severity: "error",
      message: `nvcc does not allow '${word.text}' behind a lambda's parameters: it belongs in front of them`,
      isDropped: false,
    };
  if (word.text === "address_space") return variable === undefined ? undefined : problemOfNumbered(variable);
  if (executionWords.has(word.text))
    return on === "function" || on === "lambda" || (on === "variable" && !isObject(variable))
      ? undefined
      : ignored(word.text, on, "it says where a function runs");
  if (!isMemoryWord(word.text)) return undefined;
  switch (on) {
    case "parameter":
      // clang rejects these two; nvcc ignores all of them.
      return {
        ...ignored(word.text, on, "parameters have no memory space"),
        severity: word.text === "__constant__" || word.text === "__device__" ? "error" : "warning",
      };
    case "member":
      return ignored(word.text, "data member", "it lives where its object lives");
    case "function":
      return word.text === "__device__" || fact.function?.parameters.some(({ symbol }) => containsUnknown(symbol.type)) === true
        ? undefined
        : ignored(word.text, on, "it says where a variable lives");
    case "typedef":
    case "record":
    case "cast":
    case "type":
    case "template-parameter":
      return ignored(word.text, on === "record" || on === "type" || on === "cast" ? "type" : on, "it applies to variables");
    case "new":
      return isCuda(dialect)
        ? { severity: "error", message: `'new' allocates on the heap, not in '${word.text}' memory`, isDropped: true }
        : undefined;
    case "structured-binding":
      return isCuda(dialect)
        ? { severity: "error", message: `a structured binding cannot be '${word.text}'`, isDropped: false }
        : undefined;
    case "variable":
      return variable === undefined ? undefined : problemOfVariable(word, variable, dialect);
    default:
      return undefined;
  }
}

/**
 * The problem of `__attribute__((address_space(3)))` on an object, whose memory CUDA's specifiers decide. A pointer's target may
 * have the attribute.
 */
function problemOfNumbered({ name, scope, memorySpace }: VariableSymbol): Problem | undefined {
  const message = (why: string): Problem => ({
    severity: "error",
    message:
      name === "" ? "an unnamed parameter cannot have a numbered address space" : `'${name}' cannot have a numbered address space: ${why}`,
    isDropped: false,
  });
  if (scope === "parameter") return message("it is a parameter");
  if (scope === "member") return message("it lives where its object lives");
  if (memorySpace !== undefined && memorySpace !== "host" && memorySpace !== "managed") return message(`it is in ${memorySpace} memory`);
  return scope === "block" && memorySpace === undefined ? message("it is a local variable") : undefined;
}

/** False for a function that the parser took for a variable of type void. */
function isObject(variable: VariableSymbol | undefined): boolean {
  return (
    variable !== undefined &&
    variable.initializer?.kind !== "direct" &&
    variable.type.kind !== "void" &&
    !containsUnknown(variable.type) &&
    variable.type.kind !== "function"
  );
}

function ignored(word: string, on: string, why: string): Problem {
  return { severity: "warning", message: `'${word}' on a ${on} has no effect: ${why}`, isDropped: true };
}

function problemOfVariable({ text: word, place }: SpecifierWord, variable: VariableSymbol, dialect: Dialect): Problem | undefined {
  const { scope, owner, lambda } = variable;
  if (scope === "static-member")
    return isCuda(dialect) ? { severity: "error", message: `a static data member cannot be '${word}'`, isDropped: false } : undefined;
  if (scope !== "block" || hasWord(variable.words, "extern") || (owner === undefined && lambda === undefined)) return undefined;
  const isStatic = hasWord(variable.words, "static");
  const isShared = hasWord(variable.words, "__shared__");
  const host = hostCompiles(variable);
  // nvcc judges the bodies of host functions as the host's compiler reads them, where such a word may be missing.
  if (host === "only" && isCuda(dialect) && !isHostSide(dialect) && isOfOnePass(place)) return undefined;
  if (word !== "__shared__" && !isStatic && !isShared) {
    if (owner !== undefined && !isCertain(owner))
      return { severity: "error", message: `'${word}' on a non-static local variable`, isDropped: false };
    return {
      severity: "error",
      message: `'${word}' on a non-static local variable of a ${describe(variable)} function`,
      isDropped: false,
    };
  }
  // nvcc accepts the two words together.
  if (isShared && word === "__device__" && !isStatic && dialect.language === "cuda")
    return dialect.hip
      ? { severity: "error", message: "HIP rejects '__device__' on a local variable, '__shared__' ones included", isDropped: true }
      : { severity: "warning", message: "'__device__' beside '__shared__' has no effect; clang and HIP reject it", isDropped: true };
  if (host === undefined || (isShared && word !== "__shared__")) return undefined;
  // clang allows static variables in device memory in host functions, and does not report `__shared__` ones elsewhere. A lambda without
  // words of its own is for host and device there.
  if (dialect.language === "cuda" && dialect.hip && (word !== "__shared__" || host === "too" || lambda !== undefined)) return undefined;
  return {
    severity: "error",
    message:
      host === "too"
        ? `a local variable cannot be '${word}' here: this function is also compiled for the host`
        : `a local variable of a host function cannot be '${word}'`,
    isDropped: false,
  };
}

function describe({ owner, lambda }: VariableSymbol): string {
  const { kernel, device, host } = executionAt({ within: owner, lambda });
  return kernel ? "kernel" : device ? (host ? "host and device" : "device") : "host";
}
