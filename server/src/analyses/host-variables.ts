/**
 * Finds uses of host variables in device code, and the problem of each. Only this file knows what the CUDA C++ Programming Guide
 * allows (const-qualified variables; constexpr variables) and how nvcc treats the rest. Each rule reports one kind of problem.
 */
import type { Dialect } from "../dialect.ts";
import { memo } from "../memo.ts";
import type { AccessFact, AccessPath, AccessStep, Facts } from "../semantics/facts/facts.ts";
import { destruction, isDefaulted, specialFunction } from "../semantics/symbols/special-functions.ts";
import { innermostElement, isConst, recordOf } from "../semantics/types/predicates.ts";
import {
  alongDeclarations,
  type FunctionSymbol,
  isConstexprFunction,
  isDeclaredWith,
  isVirtual,
  type Place,
  type VariableSymbol,
} from "../semantics/types/symbols.ts";
import { isOpaqueToUs, type Type } from "../semantics/types/types.ts";
import { spanKey } from "../source.ts";
import { hasWord } from "../syntax/walk.ts";
import { dereferences } from "./access-paths.ts";
import {
  areLambdasUsed,
  compiledCode,
  compiledForDevice,
  executionAt,
  isBuiltinPlace,
  isCompiled,
  isDeviceCode,
  isDeviceInitializer,
} from "./device-code.ts";
import { callsOf } from "./fact-index.ts";
import { type FoldedCalls, foldedCalls, isConstantLambda } from "./folded-calls.ts";
import { firstOf, isCuda, isInHostMemory } from "./memory-spaces.ts";

/** Why a use of a host variable in device code is wrong. */
export type HostVariableProblem =
  /** The variable is not const, and is `read` or `written`, or its address is `taken`. */
  | { readonly kind: "not-const"; readonly how: "read" | "written" | "taken" }
  /** The variable is a reference; `isHarmless` if nvcc knows what it is bound to. */
  | { readonly kind: "reference"; readonly isHarmless: boolean }
  | { readonly kind: "address"; readonly how: "taken" | "bound" | "called" }
  /** `destroyed`: HIP's compiler copies no object with a destructor into device memory. */
  | { readonly kind: "uninitialized"; readonly why: "dynamic" | "elsewhere" | "destroyed" }
  /** `isAccepted`: nvcc folds it today, although the guide does not allow it. */
  | { readonly kind: "type"; readonly isAccepted: boolean }
  | { readonly kind: "volatile" }
  /** HIP: the variable holds the address of a host variable, so that device memory has no copy of it. */
  | { readonly kind: "host-address"; readonly target: VariableSymbol };

/** One wrong use of a host variable in device code. */
export interface HostVariableUse {
  readonly variable: VariableSymbol;
  readonly place: Place;
  readonly problem: HostVariableProblem;
  /** The code is certainly compiled. */
  readonly isCompiled: boolean;
  /** A later declaration of the variable names a space in device memory. nvcc only warns then. */
  readonly isRedeclared: boolean;
  readonly access: AccessFact | undefined;
  readonly within: FunctionSymbol | undefined;
}

/** Every wrong use of a host variable in device code, in source order. */
export function hostVariableUses(facts: Facts, dialect: Dialect): readonly HostVariableUse[] {
  if (!isCuda(dialect)) return usesInHip(facts);
  if (dialect.runtime === "device-by-default") return [];
  if (dialect.runtime === undefined && dialect.hostCompiler !== undefined) return usesWithMicrosoft(facts);
  // NVRTC puts every const variable into device memory, if its value is known before the program runs.
  return dialect.runtime === undefined ? usesInCuda(facts) : usesInCuda(facts).filter(({ problem }) => isWrongInNvrtc(problem));
}

function isWrongInNvrtc(problem: HostVariableProblem): boolean {
  return problem.kind === "not-const" || (problem.kind === "uninitialized" && problem.why === "dynamic");
}

const usesInCuda = memo((facts: Facts) => collect(facts, false));
/** With Microsoft's host compiler. */
const usesWithMicrosoft = memo((facts: Facts) => collect(facts, true));

/**
 * HIP: the wrong uses. Its compiler copies const variables of any type into device memory, if they are initialized before the
 * program runs and hold no host address. It accepts mistakes in a `__host__ __device__` function that it compiles for the host
 * only.
 */
const usesInHip = memo((facts: Facts): readonly HostVariableUse[] => {
  const onDevice = compiledForDevice(facts);
  return usesInCuda(facts).flatMap((found): readonly HostVariableUse[] => {
    const { problem, variable, within, access } = found;
    const runsOnHost = within !== undefined && executionAt({ within, lambda: access?.lambda }).host;
    if (runsOnHost && !onDevice.has(within)) return [];
    // Code that runs only on the device is judged even if nothing calls it.
    const isTemplate = within?.isTemplate === true || within?.record?.isDependent === true;
    // A lambda without a side is compiled where it is called.
    const isIdle = access?.lambda !== undefined && !hasSide(access.lambda) && !areLambdasUsed(access.lambda, compiledCode(facts));
    const use = { ...found, isCompiled: found.isCompiled || !(runsOnHost || isTemplate || isIdle), isRedeclared: false };
    if (problem.kind === "not-const" || problem.kind === "uninitialized") return [use];
    if (problem.kind === "reference") return [];
    if (variable.initialization === "dynamic") return [{ ...use, problem: { kind: "uninitialized", why: "dynamic" } }];
    if (isDestroyed(variable)) return [{ ...use, problem: { kind: "uninitialized", why: "destroyed" } }];
    const target = problem.kind === "volatile" ? undefined : hostAddressIn(facts, variable, 0);
    return target === undefined ? [] : [{ ...use, problem: { kind: "host-address", target } }];
  });
});

/** True for an object with a destructor that the program provides or that is virtual, also one of its parts. */
function isDestroyed({ type }: VariableSymbol): boolean {
  const record = recordOf(innermostElement(type));
  const isTrivial = (own: FunctionSymbol) => isDefaulted(own) && !isVirtual(own);
  return record !== undefined && specialFunction(record, destruction, false, isTrivial, () => true) !== undefined;
}

function hasSide({ declarations }: FunctionSymbol): boolean {
  return declarations.some(({ words }) => hasWord(words, "__device__", "__host__"));
}

/** The host variable whose address a constant holds, directly or through another constant. */
function hostAddressIn(facts: Facts, variable: VariableSymbol, depth: number): VariableSymbol | undefined {
  if (depth > stepsFollowed) return undefined;
  for (const { context, target, path, to } of facts.conversions) {
    const root = path?.root;
    if (context !== "initialize" || target !== variable || root === undefined || root === variable || to.kind !== "pointer") continue;
    const last = path?.steps[path.steps.length - 1];
    if (root.scope !== "program" && root.scope !== "static-member") continue;
    if (last?.kind === "address") {
      if (isInHostMemory(root) && !(isConst(root.type) && hasInitializer(root))) return root;
    } else if (path?.steps.length === 0) {
      const inner = hostAddressIn(facts, root, depth + 1);
      if (inner !== undefined) return inner;
    }
  }
  return undefined;
}

/** How many constants are followed through their initializers. */
const stepsFollowed = 8;

function collect(facts: Facts, isMicrosoft: boolean): readonly HostVariableUse[] {
  const compiled = compiledCode(facts);
  const folding = foldedCalls(facts);
  const folded = foldedArguments(facts, folding);
  const mayBeHost = outlivingFunctions();
  const redeclared = redeclaredOnDevice(facts);
  const uses: HostVariableUse[] = [];
  for (const access of facts.accesses) {
    const variable = access.path.root;
    if (variable === undefined || !mayBeHost(variable) || !isJudged(access) || !isHostVariable(variable, access)) continue;
    if (folded.size > 0 && folded.has(spanKey(access.place))) continue;
    // A constexpr function evaluates its constants at compile time.
    if (isConstexpr(variable) && access.lambda === undefined && access.within !== undefined && isConstexprFunction(access.within)) continue;
    const problem = isDeviceCode(access)
      ? (problemOf(access, variable, facts) ?? (isMicrosoft ? problemWithMicrosoft(access, variable) : undefined))
      : problemInInitializer(access, variable);
    if (problem !== undefined)
      uses.push({
        variable,
        place: access.place,
        problem,
        isCompiled: isCompiled(access, compiled) && !(access.lambda !== undefined && problem.kind === "address"),
        isRedeclared: redeclared.has(firstOf(variable)),
        access,
        within: access.within,
      });
  }
  for (const call of facts.calls) {
    const path = call.object?.path;
    const variable = path?.root;
    if (
      path === undefined ||
      variable === undefined ||
      call.object === undefined ||
      !isDeviceCode(call) ||
      !isHostVariable(variable, call) ||
      leavesVariable(variable, path)
    )
      continue;
    // Nothing is known about the arguments of an unknown function.
    if (call.callee === undefined || isDeclaredWith(call.callee, "static") || folding.isFolded(call)) continue;
    const problem: HostVariableProblem = isConst(variable.type) ? { kind: "address", how: "called" } : { kind: "not-const", how: "taken" };
    uses.push({
      variable,
      place: call.object.place,
      problem,
      isCompiled: isCompiled(call, compiled),
      isRedeclared: redeclared.has(firstOf(variable)),
      access: undefined,
      within: call.within,
    });
  }
  return uses;
}

/** The first declarations of variables that are in device memory only according to later declarations. */
function redeclaredOnDevice({ variables }: Facts): ReadonlySet<VariableSymbol> {
  const onDevice = variables.filter(({ variable }) => variable.previous !== undefined && !isInHostMemory(variable));
  return new Set(onDevice.map(({ variable }) => firstOf(variable)));
}

/**
 * Tests whether a variable can be in host memory for the whole program. Each variable is tested once, because most accesses are to
 * locals.
 */
function outlivingFunctions(): (variable: VariableSymbol) => boolean {
  const known = new Map<VariableSymbol, boolean>();
  return (variable) => {
    const { scope } = variable;
    if (scope === "parameter") return false;
    const answer = known.get(variable) ?? (scope !== "block" || hasWord(variable.words, "static", "extern"));
    known.set(variable, answer);
    return answer;
  };
}

/** The arguments of calls that the compiler evaluates. */
function foldedArguments({ calls }: Facts, { isFolded }: FoldedCalls): ReadonlySet<string> {
  return new Set(calls.filter(isFolded).flatMap((call) => call.arguments.map(({ place }) => spanKey(place))));
}

function isConstexpr({ words }: VariableSymbol): boolean {
  return hasWord(words, "constexpr");
}

/** True in device code, and in the initializer of a variable in device memory. */
function isJudged(access: AccessFact): boolean {
  return isDeviceCode(access) || isDeviceInitializer(access);
}

/** The problem of an address in a device variable's initializer. Another rule judges values in it. */
function problemInInitializer({ mode, path }: AccessFact, variable: VariableSymbol): HostVariableProblem | undefined {
  if ((mode !== "address" && mode !== "bind") || leavesVariable(variable, path)) return undefined;
  return isConst(variable.type) ? { kind: "address", how: mode === "bind" ? "bound" : "taken" } : { kind: "not-const", how: "taken" };
}

/**
 * True for a variable that lives in host memory for the whole program: at namespace scope (also one that a block declares with
 * `extern`), a static member, or a static local of a host function.
 */
function isHostVariable(variable: VariableSymbol, site: Pick<AccessFact, "within" | "lambda">): boolean {
  if (isBuiltinPlace(variable.place) || variable.isDependent || variable.record?.isDependent === true || variable.name === "") return false;
  if (!isInHostMemory(variable) || isDeviceReference(variable.type) || builtinVariables.has(variable.name)) return false;
  if (variable.scope === "program" || variable.scope === "static-member") return true;
  if (variable.scope === "block" && hasWord(variable.words, "extern")) return true;
  const isStaticLocal = variable.scope === "block" && hasWord(variable.words, "static");
  return (
    isStaticLocal &&
    variable.owner !== undefined &&
    // The member functions of a local class are functions of their own.
    (site.lambda !== undefined || site.within !== variable.owner) &&
    !isDeviceCode({ within: variable.owner, lambda: variable.lambda }) &&
    executionAt({ within: variable.owner }).host
  );
}

/** CUDA's own variables (CUDA C++ Programming Guide, *Built-in Variables*). A program that declares one itself is built without CUDA. */
const builtinVariables = new Set(["threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"]);

/**
 * Texture and surface references are host objects through which device code accesses memory that the host binds to them. The headers of
 * CUDA before 4.0, which some programs bring along, mark them by their base alone.
 */
function isDeviceReference(type: Type): boolean {
  if (type.kind !== "record") return false;
  const { record } = type;
  return record.isDeviceReference === true || record.bases.some((base) => /^(?:texture|surface)Reference$/.test(recordOf(base)?.tag ?? ""));
}

function problemOf(access: AccessFact, variable: VariableSymbol, facts: Facts): HostVariableProblem | undefined {
  const { mode, path } = access;
  const { type } = variable;
  if (type.kind === "reference")
    return dereferences(path) > 1 ? undefined : { kind: "reference", isHarmless: !bindsHostVariable(facts, variable) };
  if (leavesVariable(variable, path) || isOpaqueToUs(innermostElement(type))) return undefined;
  const isWritten = mode === "write" || mode === "read-write";
  if (!isConst(type)) return { kind: "not-const", how: isWritten ? "written" : mode === "read" ? "read" : "taken" };
  // Another rule reports a write to a const variable; but through a cast the write needs the object itself.
  if (isWritten)
    return path.steps.length > 0 || isConst(access.type) || isOpaqueToUs(access.type) ? undefined : { kind: "address", how: "bound" };
  if (innermostElement(type).qualifiers.volatile) return { kind: "volatile" };
  if (mode === "address") return { kind: "address", how: "taken" };
  if (mode === "bind" && access.isUncertain !== true) return { kind: "address", how: "bound" };
  // The value might be read or bound, so only problems of both kinds of use are reported.
  if (mode === "bind" && isScalar(access.type)) return undefined;
  return problemOfRead(access, variable, facts);
}

function problemOfRead(access: AccessFact, variable: VariableSymbol, facts: Facts): HostVariableProblem | undefined {
  const { steps } = access.path;
  if (variable.binds !== undefined) return { kind: "type", isAccepted: false };
  if (variable.initialization === "dynamic") return { kind: "uninitialized", why: "dynamic" };
  // The initializer of a template's static member may be outside of the class.
  if (!hasInitializer(variable)) return variable.record?.instance === undefined ? { kind: "uninitialized", why: "elsewhere" } : undefined;
  if (variable.initialization === undefined && variable.scope !== "static-member") return undefined;
  const accepted: HostVariableProblem | undefined = isConstexpr(variable) ? undefined : { kind: "type", isAccepted: true };
  const indices = steps.filter((step): step is Extract<AccessStep, { kind: "index" }> => step.kind === "index");
  if (indices.length > 0) {
    if (!indices.every(({ isConstant }) => isConstant)) return { kind: "type", isAccepted: false };
    // nvcc folds it only in some places, and only if the table was declared in some ways.
    const isFolded =
      access.initializes?.scope === "block" ||
      steps[steps.length - 1]?.kind === "member" ||
      (isConstexpr(variable) && variable.scope === "static-member");
    if (isFolded) return accepted;
    // All compilers fold it in the braces of an aggregate, and where they evaluate a lambda.
    return access.isMember === true || isInFoldedLambda(access, facts) ? undefined : { kind: "type", isAccepted: false };
  }
  // The value of the array is unused, as in `(void)table`.
  if (access.type.kind === "array") return undefined;
  if (variable.type.kind === "record" || variable.type.kind === "array") return accepted;
  if (variable.type.kind === "pointer" && !isConstexpr(variable))
    return { kind: "type", isAccepted: !pointsToString(variable) && !bindsHostVariable(facts, variable) };
  return undefined;
}

/**
 * The value of a floating-point variable, which device code may use "except when the Microsoft compiler is used as the host compiler"
 * (CUDA C++ Programming Guide, const-qualified variables).
 */
function problemWithMicrosoft({ mode, path }: AccessFact, variable: VariableSymbol): HostVariableProblem | undefined {
  const { type } = variable;
  if (mode !== "read" || path.steps.length > 0 || isConstexpr(variable)) return undefined;
  return type.kind === "arithmetic" && isFloating(type.name) ? { kind: "type", isAccepted: false } : undefined;
}

function isFloating(name: string): boolean {
  return name === "float" || name === "double" || name === "long double";
}

/** True in a lambda whose calls are constant expressions, so that compilers evaluate them: all their arguments are constant. */
function isInFoldedLambda({ lambda }: AccessFact, facts: Facts): boolean {
  if (lambda === undefined || !isConstantLambda(lambda, facts)) return false;
  const calls = callsOf(facts, lambda);
  return calls.length > 0 && calls.every((call) => call.arguments.every(({ value }) => value !== undefined));
}

const hasInitializer = alongDeclarations<boolean>((variable, before) => {
  if (before === true || variable.initializer !== undefined || isConstexpr(variable)) return true;
  // A const object of class type may use a default constructor instead.
  return variable.isDefinition && innermostElement(variable.type).kind === "record";
});

function pointsToString({ initializer }: VariableSymbol): boolean {
  return initializer?.kind === "value" && initializer.value.kind === "string";
}

/** True if the variable is bound to, or points to, a non-const host variable. */
function bindsHostVariable(facts: Facts, variable: VariableSymbol): boolean {
  // nvcc does not look through the name of a part, even if that is const.
  if (variable.binds !== undefined) return variable.binds.object === undefined || isInHostMemory(variable.binds.object);
  return facts.conversions.some(({ context, target, path }) => {
    const root = path?.root;
    return context === "initialize" && target === variable && root !== undefined && root.memorySpace === "host" && !isConst(root.type);
  });
}

function isScalar({ kind }: Type): boolean {
  return kind === "arithmetic" || kind === "enum" || kind === "pointer" || kind === "unknown" || kind === "dependent";
}

/** True if the path leads through a pointer to another object; a reference is the object that it refers to. */
function leavesVariable({ type }: VariableSymbol, path: AccessPath): boolean {
  return dereferences(path) > (type.kind === "reference" ? 1 : 0);
}
