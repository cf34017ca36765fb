/**
 * Properties that a kernel's declaration must not have: a result, a class that it is a member of, another execution space, a
 * variable number of arguments.
 */
import { isCuda } from "../../analyses/memory-spaces.ts";
import type { Facts } from "../../semantics/facts/facts.ts";
import type { FunctionDeclaration } from "../../semantics/types/symbols.ts";
import type { Type } from "../../semantics/types/types.ts";
import type { Statement } from "../../syntax/ast.ts";
import { hasWord } from "../../syntax/walk.ts";
import { strayAttributeFindings } from "../findings/size-attributes.ts";
import type { Rule, RuleFinding } from "../rule.ts";

/** Reports kernels that are declared in a way that no launch can call. */
export const kernelSignature: Rule = {
  id: "kernel-signature",
  title: "a kernel is declared in a way that no launch can call",
  severity: "error",
  languages: ["cuda"],
  judgesHostSide: true,
  clause:
    "CUDA C++ Programming Guide, execution space specifiers, __global__: must have void return type and cannot be a member of a class; C++ language support, functions: no variable number of arguments, no operator functions, no exception specification, no std::initializer_list or va_list parameter",
  documentation: `
A kernel is started by the host and runs later, so it returns nothing: its result is \`void\`, written out (neither \`auto\` nor
\`decltype(auto)\`). It is a function of its own at namespace scope, not a member of a class, an operator or \`main\`; it is a
kernel only (\`__global__\` excludes \`__device__\` and \`__host__\`); it is not \`constexpr\`, has no exception specification and no
ellipsis, and its parameters are neither \`va_list\` nor \`std::initializer_list\`, which would point into the host's stack. Both compilers ignore
\`inline\` on it, with a *warning*. HIP's compiler rejects lambdas as kernels, and OpenCL's attributes of kernels, such as \`reqd_work_group_size\`.

**What to do**: write results through a pointer parameter; call a \`__device__\` member function from a kernel outside the class.`,
  limits: "Unknown return types are assumed to be void.",
  examples: [
    {
      language: "cuda",
      bad: `__global__ int twice(int value) { return 2 * value; } // <-`,
      good: `__global__ void twice(int value, int *result) { *result = 2 * value; }`,
    },
    {
      language: "cuda",
      bad: `struct Image {
  __global__ void clear(); // <-
};`,
      good: `struct Image {
  __device__ void clear();
};
__global__ void clear(Image *image);`,
    },
  ],
  check({ facts, dialect }, report) {
    if (dialect.language !== "cuda") return;
    if (!isCuda(dialect)) for (const finding of [...strayAttributeFindings(facts, ofOpenCL), ...lambdaFindings(facts)]) report(finding);
    for (const { declarations, lambda } of facts.functions) {
      if (lambda !== undefined) continue;
      for (const declaration of declarations) {
        if (!isCuda(dialect)) for (const finding of openclAttributes(declaration)) report(finding);
        if (!declaration.execution.kernel) continue;
        for (const finding of inlineWords(declaration)) report(finding);
        const message = problemOf(declaration, isCuda(dialect));
        if (message !== undefined) report({ place: declaration.namePlace, message });
        else for (const finding of parameterProblems(declaration, isCuda(dialect))) report(finding);
      }
    }
  },
};

/** nvcc takes such a lambda, which nothing can launch. */
function lambdaFindings({ words }: Facts): readonly RuleFinding[] {
  return words
    .filter(({ on, word }) => on === "lambda" && word.text === "__global__")
    .map(({ word: { place } }) => ({ place, message: "a kernel cannot be a lambda" }));
}

function problemOf(declaration: FunctionDeclaration, isNvcc: boolean): string | undefined {
  const { owner, declarator, type, isDefinition, isUncertain } = declaration;
  if (isUncertain === true) return undefined;
  const result = type.result.kind === "auto" && !isNvcc && !returnsValue(declaration.body) ? undefined : resultProblem(type.result);
  if (result !== undefined) return result;
  // clang accepts a static member function as a kernel.
  if (owner.record !== undefined && (isNvcc || !hasWord(declaration.words, "static"))) return "a kernel cannot be a member function";
  if (owner.qualifiedName === "main") return "'main' cannot be a kernel";
  if (declarator.isVariadic) return "a kernel cannot have a variable number of arguments";
  if (hasWord(declaration.words, "__device__", "__host__"))
    return `'__global__' excludes '${hasWord(declaration.words, "__device__") ? "__device__" : "__host__"}'`;
  if (!isNvcc) return undefined;
  if (/^operator(?!\w)/.test(owner.name)) return "an operator cannot be a kernel";
  if (hasWord(declaration.words, "constexpr", "consteval")) return "a kernel cannot be constexpr";
  if (hasWord(declarator.words, "noexcept")) return "a kernel cannot have an exception specification";
  return isDefinition && hasWord(declaration.words, "friend") ? "a kernel cannot be defined in a friend declaration" : undefined;
}

/** True if the function returns a value: clang deduces the return type before it tests whether it is void. */
function returnsValue(statement: Statement | undefined): boolean {
  switch (statement?.kind) {
    case "return":
      return statement.value !== undefined;
    case "block":
    case "unknown":
      return statement.statements.some(returnsValue);
    case "if":
      return returnsValue(statement.then) || returnsValue(statement.otherwise);
    case "labeled":
      return statement.body.some(returnsValue);
    case "for":
    case "range-for":
    case "while":
    case "do":
    case "switch":
    case "try":
      return returnsValue(statement.body);
    default:
      return false;
  }
}

function resultProblem(result: Type): string | undefined {
  if (result.kind === "auto") return "a kernel's result is void and cannot be deduced";
  if (result.kind === "void" || result.kind === "unknown" || result.kind === "dependent") return undefined;
  return "a kernel returns nothing: its result must be void";
}

/** Types that refer to the host's stack, recognized by their names because their contents are the library's own. */
const stackTypes = new Map([
  ["std::initializer_list", "a list"],
  ["va_list", "arguments"],
  ["std::va_list", "arguments"],
  ["__builtin_va_list", "arguments"],
]);

/** Attributes of kernels that clang accepts in OpenCL only (OpenCL C 3.0 §6.7.2, cl_intel_required_subgroup_size). */
const ofOpenCL = /^_*(reqd_work_group_size|work_group_size_hint|vec_type_hint|intel_reqd_sub_group_size)_*$/;

function openclAttributes({ attributes }: FunctionDeclaration): readonly RuleFinding[] {
  return attributes
    .filter(({ name }) => ofOpenCL.test(name))
    .map(({ name, place }) => ({ place, message: `'${name}' is an attribute of kernels in OpenCL` }));
}

/** Both compilers ignore the words for a kernel. */
function inlineWords({ words, isUncertain }: FunctionDeclaration): readonly RuleFinding[] {
  if (isUncertain === true) return [];
  return words
    .filter(({ text }) => text === "inline" || text === "__forceinline__")
    .map(({ text, place }) => ({ place, severity: "warning", message: `'${text}' is ignored on a kernel, which is called by no code` }));
}

function parameterProblems({ parameters, declarator }: FunctionDeclaration, isNvcc: boolean): readonly RuleFinding[] {
  if (!isNvcc) return [];
  return parameters.flatMap(({ symbol, place }, index): readonly RuleFinding[] => {
    const written = declarator.parameters[index];
    const type = written?.specifiers.type;
    const what =
      type?.kind === "named" && written?.declarator.kind === "name"
        ? stackTypes.get(type.name.parts.map(({ text }) => text).join("::"))
        : undefined;
    return what === undefined ? [] : [{ place, message: `'${symbol.name}' points to ${what} on the host's stack` }];
  });
}
