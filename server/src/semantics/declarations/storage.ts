/**
 * OpenCL: decides which memory a variable can be in, depending on where it is declared, and whether it may or must have an
 * initializer there. Rules word the problems. Uses of a misplaced variable are not reported in addition.
 */
import type { OpenCLDialect } from "../../dialect.ts";
import type { AddressSpace } from "../../qualifiers.ts";
import { hasWord } from "../../syntax/walk.ts";
import { isBefore20 } from "../../tracked-dialect.ts";
import { constructorsOf } from "../symbols/candidates.ts";
import { type FunctionDeclaration, isDeclaredWith, type VariableSymbol } from "../types/symbols.ts";
import type { Type } from "../types/types.ts";
import { writtenSpace } from "./methods.ts";

/** Why a variable's declaration is wrong. */
export type StorageProblem =
  /** `static` in a function before OpenCL C 2.0 (OpenCL C 1.2 §6.8). */
  | { readonly kind: "static" }
  /** It has static storage duration, but not in memory that allows that (OpenCL C 3.0 §6.7.8). */
  | { readonly kind: "lifetime"; readonly declared: "program-scope" | "extern" | "static"; readonly space: AddressSpace }
  /** An automatic variable cannot be in global or generic memory. */
  | { readonly kind: "automatic"; readonly space: AddressSpace }
  /** Local and constant variables: only in kernels, in their outermost block, with a known size (OpenCL C 3.0 §6.7.2, §6.7.3, §6.11 d). */
  | { readonly kind: "no-kernel" | "inner-block" | "variable-length"; readonly space: AddressSpace }
  /** Constant memory is initialized before the program starts, local memory never (OpenCL C 3.0 §6.7.3, §6.7.2). */
  | { readonly kind: "uninitialized" | "initialized" };

/** The first problem; if the variable itself is misplaced, its initializer is not checked. */
export function storageProblem(variable: VariableSymbol, dialect: OpenCLDialect): StorageProblem | undefined {
  const problem = lifetimeProblem(variable, dialect) ?? automaticProblem(variable);
  return problem ?? initializerProblem(variable);
}

/** A variable of a block that is neither `static` nor `extern`. */
export function isAutomatic(variable: VariableSymbol): boolean {
  return (
    variable.scope === "block" &&
    variable.owner !== undefined &&
    variable.type.kind !== "reference" &&
    !hasWord(variable.words, "static", "extern")
  );
}

/** True for a variable that is declared in a kernel itself, not in a function that the kernel calls. */
export function isInKernel({ owner }: VariableSymbol): boolean {
  return owner?.declarations.some(({ execution }) => execution.kernel) ?? false;
}

/** True if an unknown macro in the head of its function may make that function a kernel: `ENTRY void f(…) {}`, `KERNEL(name)(…) {}`. */
function mayBeInKernel(variable: VariableSymbol): boolean {
  return (
    variable.owner?.declarations.some((declaration) => declaration.isUncertain === true || mayMakeKernel(declaration, variable)) ?? false
  );
}

/**
 * True if the unknown result type may be a macro that contains `kernel`. It does not if the variable or a parameter has the same
 * unknown type, because neither can be a kernel.
 */
function mayMakeKernel({ type: { result }, parameters }: FunctionDeclaration, variable: VariableSymbol): boolean {
  if (result.kind !== "unknown") return false;
  return result.name === undefined || ![variable, ...parameters.map(({ symbol }) => symbol)].some(({ type }) => isNamed(type, result.name));
}

/** True for an unknown type of this name, and pointers to and arrays of it. */
function isNamed(type: Type, name: string | undefined): boolean {
  if (type.kind === "pointer") return isNamed(type.pointee, name);
  return type.kind === "array" ? isNamed(type.element, name) : type.kind === "unknown" && type.name === name;
}

function lifetimeProblem(variable: VariableSymbol, dialect: OpenCLDialect): StorageProblem | undefined {
  const declared = lifetimeOf(variable);
  if (declared === undefined || variable.type.kind === "reference" || variable.type.kind === "void" || isHandle(variable.type))
    return undefined;
  if (declared === "static" && isBefore20(dialect)) return { kind: "static" };
  const { space } = variable.type.qualifiers;
  if (space === undefined || space === "constant" || (space === "global" && dialect.programScopeGlobalVariables)) return undefined;
  return { kind: "lifetime", declared, space };
}

function lifetimeOf(variable: VariableSymbol): "program-scope" | "extern" | "static" | undefined {
  const has = (word: string) => hasWord(variable.words, word);
  if (variable.scope !== "program" && variable.scope !== "block" && variable.scope !== "static-member") return undefined;
  if (has("extern")) return "extern";
  if (variable.scope === "block") return has("static") ? "static" : undefined;
  return "program-scope";
}

/** True for images, samplers and events: the rule `opaque-type-space` decides where they may be declared. */
function isHandle(type: Type): boolean {
  return type.kind === "array" ? isHandle(type.element) : type.kind === "opaque";
}

function automaticProblem(variable: VariableSymbol): StorageProblem | undefined {
  const { type } = variable;
  const { space } = type.qualifiers;
  if (
    !isAutomatic(variable) ||
    variable.name === "" ||
    (type.kind === "opaque" && (type.name === "event_t" || (type.name === "sampler_t" && space !== "constant")))
  )
    return undefined;
  if (space === undefined || space === "private") return undefined;
  if (space !== "local" && space !== "constant") return { kind: "automatic", space };
  if (!isInKernel(variable)) return mayBeInKernel(variable) ? undefined : { kind: "no-kernel", space };
  if (variable.depth > 0) return { kind: "inner-block", space };
  return isVariableLength(type) ? { kind: "variable-length", space } : undefined;
}

function isVariableLength(type: Type): boolean {
  return type.kind === "array" && (type.extent === "variable" || isVariableLength(type.element));
}

function initializerProblem(variable: VariableSymbol): StorageProblem | undefined {
  const { type, scope, initializer } = variable;
  if (scope === "parameter" || scope === "member" || variable.name === "") return undefined;
  if (type.qualifiers.space === "local") return initializer !== undefined && isAutomatic(variable) ? { kind: "initialized" } : undefined;
  const isDeclaredHere = variable.isDefinition || (scope === "static-member" && variable.record !== undefined);
  // Images and events are not initialized like data.
  const isData = type.kind !== "opaque" || type.name === "queue_t" || type.name === "sampler_t";
  const isUninitialized = type.qualifiers.space === "constant" && initializer === undefined && isDeclaredHere && isData;
  return isUninitialized && !initializesItself(type) ? { kind: "uninitialized" } : undefined;
}

/** True for a C++ for OpenCL class whose constant objects are initialized by a constructor of their own. */
function initializesItself(type: Type): boolean {
  if (type.kind !== "record") return false;
  return constructorsOf(type.record).some((each) => {
    const isConstexpr = isDeclaredWith(each, "constexpr");
    return isConstexpr && each.type.parameters.length === 0 && writtenSpace(each) === "constant";
  });
}
