/**
 * Decides which code runs where: the execution spaces of a function over all its declarations, those of a lambda, and whether the
 * compiler compiles the code at all. nvcc compiles neither uninstantiated templates nor uncalled inline or static functions, so a
 * mistake there may stay unnoticed for years.
 */
import { memo } from "../memo.ts";
import type { CallFact, Facts } from "../semantics/facts/facts.ts";
import { callOperatorOf } from "../semantics/types/predicates.ts";
import type { ExecutionSpaces, FunctionDeclaration, FunctionSymbol, Place, VariableSymbol } from "../semantics/types/symbols.ts";
import type { LambdaExpression } from "../syntax/ast.ts";
import { hasWord } from "../syntax/walk.ts";
import { isCallAt, undecidedAround } from "./fact-index.ts";
import { groupBy } from "./group-by.ts";

/** Where code is: in a function, in a lambda inside of it, or in the initializer of a variable. */
export interface Site {
  readonly within: FunctionSymbol | undefined;
  readonly lambda?: FunctionSymbol | undefined;
  readonly initializes?: VariableSymbol | undefined;
}

const nowhere: ExecutionSpaces = { kernel: false, device: false, host: false };

/** Where a function may run. If a redeclaration names another space, the function runs in both. */
export function executionOf({ declarations }: FunctionSymbol): ExecutionSpaces {
  const kernel = declarations.some(({ execution }) => execution.kernel);
  return {
    kernel,
    device: declarations.some(({ execution }) => execution.device),
    host: !kernel && declarations.some(({ execution }) => execution.host),
  };
}

/** Where code runs; neither space if that is unknown. */
export function executionAt({ within, lambda }: Site): ExecutionSpaces {
  for (let current = lambda; current !== undefined; current = current.enclosing) {
    const spaces = current.declarations[0];
    if (spaces !== undefined && hasWord(spaces.words, "__device__", "__host__")) return spaces.execution;
    if (current.isLaunched === true) return { ...nowhere, device: true };
  }
  return within === undefined ? (lambda === undefined ? nowhere : { ...nowhere, host: true }) : executionOf(within);
}

/** True for code that may run on the device. */
export function isDeviceCode(site: Site): boolean {
  const { kernel, device } = executionAt(site);
  return kernel || device;
}

/** True in the initializer of a variable in device memory, outside of functions. */
export function isDeviceInitializer({ within, lambda, initializes }: Site): boolean {
  if (within !== undefined || lambda !== undefined) return false;
  return initializes?.memorySpace !== undefined && initializes.memorySpace !== "host";
}

/** True for code that runs only on the host, including the initializer of a host variable. */
export function isHostOnly(site: Site): boolean {
  const { kernel, device, host } = executionAt(site);
  if (host) return !kernel && !device;
  return site.within === undefined && site.lambda === undefined && site.initializes?.memorySpace === "host";
}

/** True for code that runs on the host, and perhaps on the device as well. */
export function isHostCode(site: Site): boolean {
  return executionAt(site).host || isHostOnly(site);
}

/** The code that the compiler compiles: functions, and lambdas. */
export interface CompiledCode {
  readonly functions: ReadonlySet<FunctionSymbol>;
  readonly lambdas: ReadonlySet<LambdaExpression>;
  readonly facts: Facts;
}

/** The code of a file that the compiler compiles. A template counts only if something instantiates it. */
export const compiledCode = memo(
  (facts: Facts): CompiledCode => ({ functions: compiledFunctions(facts), lambdas: usedLambdas(facts), facts }),
);

/** Lambdas that are called by name, or passed to what may call them. nvcc does not compile the body of an uncalled lambda. */
function usedLambdas(facts: Facts): ReadonlySet<LambdaExpression> {
  const used = new Set<LambdaExpression>();
  for (const { symbol, place } of facts.references) {
    const lambda = symbol.kind === "variable" ? callOperatorOf(symbol.type)?.lambda : undefined;
    if (lambda !== undefined && isCallAt(facts, startOf(place))) used.add(lambda);
  }
  for (const { arguments: values } of facts.calls) {
    for (const { type, isIgnored } of values) {
      const lambda = isIgnored === true ? undefined : callOperatorOf(type)?.lambda;
      if (lambda !== undefined) used.add(lambda);
    }
  }
  return used;
}

/** The functions that are certainly compiled: those that other files or the program can call, and their callees. */
function compiledFunctions(facts: Facts): ReadonlySet<FunctionSymbol> {
  return withCallees(entries(facts), facts);
}

/** The functions that are certainly compiled for the device. */
export const compiledForDevice = memo((facts: Facts): ReadonlySet<FunctionSymbol> => {
  const runsThere = (symbol: FunctionSymbol) => executionOf(symbol).kernel || executionOf(symbol).device;
  return withCallees(entries(facts).filter(runsThere), facts);
});

/** The functions that are certainly compiled for the host. For it a kernel is a stub, which calls nothing of the kernel's body. */
export const compiledForHost = memo((facts: Facts): ReadonlySet<FunctionSymbol> => {
  const runsThere = (symbol: FunctionSymbol) => executionOf(symbol).host;
  return withCallees(entries(facts).filter(runsThere), facts, runsThere);
});

function entries(facts: Facts): readonly FunctionSymbol[] {
  return [...facts.functions.filter(isRoot), ...instantiatedTemplates(facts)];
}

/** The templates with an explicit instantiation, `template void k<int>(int *);`. */
function instantiatedTemplates({ functions }: Facts): readonly FunctionSymbol[] {
  return functions.flatMap(({ declarations, primary }) =>
    primary !== undefined && declarations.some(({ role, words }) => role === "instantiation" && !hasWord(words, "extern")) ? [primary] : [],
  );
}

/** The functions and everything that they call in this file, directly or indirectly, through functions that are followed. */
export function withCallees(
  functions: readonly FunctionSymbol[],
  { calls }: { readonly calls: readonly Pick<CallFact, "within" | "callee">[] },
  isFollowed: (callee: FunctionSymbol) => boolean = () => true,
): ReadonlySet<FunctionSymbol> {
  const callees = groupBy(calls, ({ within, callee }) => (callee === undefined ? undefined : within));
  const reached = new Set(functions);
  // Iterating over a set also visits elements added meanwhile.
  for (const each of reached) {
    for (const { callee } of callees.get(each) ?? []) if (callee !== undefined && isFollowed(callee)) reached.add(callee);
  }
  return reached;
}

function isRoot(symbol: FunctionSymbol): boolean {
  const { declarations, isTemplate, isInternal, record } = symbol;
  if (isTemplate || record?.isDependent === true || !declarations.some(({ isDefinition }) => isDefinition)) return false;
  if (executionOf(symbol).kernel) return true;
  // A friend that is defined in a class is inline, too (C++17 §14.3p7).
  const isInline = declarations.some(
    ({ words, isDefinition }) => hasWord(words, "inline", "constexpr", "__forceinline__") || (isDefinition && hasWord(words, "friend")),
  );
  // A member function that is defined in its class is inline.
  const isInClass = record !== undefined && declarations.length === 1 && !declarations.some(isQualified);
  return !isInternal && !isInline && !isInClass;
}

/** True if the declared name is qualified, `template <> void S::f<int>()`, and so outside of its class. */
function isQualified({ declarator: { inner } }: FunctionDeclaration): boolean {
  return inner.kind === "name" && inner.name.parts.length > 1;
}

/** True if the code is certainly compiled. Then a violation is an error; otherwise it becomes one for the first caller. */
export function isCompiled({ within, lambda, place }: Site & { readonly place: Place }, code: CompiledCode): boolean {
  if ((within !== undefined && !code.functions.has(within)) || isUndecided(place, code.facts)) return false;
  return areLambdasUsed(lambda, code);
}

/** True if the lambda and those around it are called, or may be. */
export function areLambdasUsed(lambda: FunctionSymbol | undefined, code: CompiledCode): boolean {
  for (let current = lambda; current !== undefined; current = current.enclosing) if (!isUsed(current, code)) return false;
  return true;
}

/**
 * True if the place is in a branch of `if constexpr`, `?:`, `&&` or `||` that may be discarded. nvcc accepts uses there of names
 * that device code lacks.
 */
export function isUndecided(place: Place, facts: Facts): boolean {
  return undecidedAround(facts, place).length > 0;
}

function isUsed({ lambda, declarations }: FunctionSymbol, { lambdas, facts }: CompiledCode): boolean {
  return lambda === undefined || lambdas.has(lambda) || declarations.some(({ place }) => isCallAt(facts, startOf(place)));
}

function startOf({ unit, span: { start } }: Place): { readonly unit: Place["unit"]; readonly start: number } {
  return { unit, start };
}

/** True for places in this project's own declarations of builtins. */
export function isBuiltinPlace({ unit }: Place): boolean {
  return unit.uri.startsWith("builtin:");
}
