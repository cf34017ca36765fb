/**
 * Which code runs where: a function's execution spaces over all its declarations, those of a lambda, and whether the
 * compiler will meet the code at all. nvcc compiles no template that nobody instantiates and no inline or static function
 * that nobody calls, so that what is wrong there may pass for years.
 */
import type { Facts } from "../semantics/facts/facts.ts";
import type { ExecutionSpaces, FunctionSymbol, Place, VariableSymbol } from "../semantics/types/symbols.ts";
import type { LambdaExpression } from "../syntax/ast.ts";
import { groupBy } from "./group-by.ts";

/** Where something stands: in a function, a lambda in it, or the initializer of a variable. */
export interface Site {
  readonly within: FunctionSymbol | undefined;
  readonly lambda?: FunctionSymbol | undefined;
  readonly initializes?: VariableSymbol | undefined;
}

const nowhere: ExecutionSpaces = { kernel: false, device: false, host: false };

/** Where a function may run. A redeclaration that says something else makes it run in both spaces. */
export function executionOf({ declarations }: FunctionSymbol): ExecutionSpaces {
  const kernel = declarations.some(({ execution }) => execution.kernel);
  return {
    kernel,
    device: declarations.some(({ execution }) => execution.device),
    host: !kernel && declarations.some(({ execution }) => execution.host),
  };
}

/** Where code runs; nowhere where that is not known. */
export function executionAt({ within, lambda }: Site): ExecutionSpaces {
  for (let current = lambda; current !== undefined; current = current.enclosing) {
    const spaces = current.declarations[0];
    if (spaces?.words.some(({ text }) => text === "__device__" || text === "__host__")) return spaces.execution;
    if (current.isLaunched === true) return { ...nowhere, device: true };
  }
  return within === undefined ? (lambda === undefined ? nowhere : { ...nowhere, host: true }) : executionOf(within);
}

/** Code that may run on the device. */
export function isDeviceCode(site: Site): boolean {
  const { kernel, device } = executionAt(site);
  return kernel || device;
}

/** Code that runs on the host and nowhere else; what initializes a host variable does. */
export function isHostOnly(site: Site): boolean {
  const { kernel, device, host } = executionAt(site);
  if (host) return !kernel && !device;
  return site.within === undefined && site.lambda === undefined && site.initializes?.memorySpace === "host";
}

/** Code that runs on the host, perhaps on the device too. */
export function isHostCode(site: Site): boolean {
  return executionAt(site).host || isHostOnly(site);
}

/** What the compiler meets: functions, lambdas, where calls begin, and branches that may be discarded. */
export interface CompiledCode {
  readonly functions: ReadonlySet<FunctionSymbol>;
  readonly lambdas: ReadonlySet<LambdaExpression>;
  readonly calls: ReadonlySet<string>;
  readonly undecided: readonly Place[];
}

/** What of a file the compiler meets: templates count only where something instantiates them. */
export function compiledCode(facts: Facts): CompiledCode {
  const calls = new Set(facts.calls.map(({ place }) => startOf(place)));
  return { functions: compiledFunctions(facts), lambdas: usedLambdas(facts, calls), calls, undecided: facts.undecided };
}

/** Lambdas that are called by a name or handed on: nvcc compiles the body of none that nobody calls. */
function usedLambdas(facts: Facts, calls: ReadonlySet<string>): ReadonlySet<LambdaExpression> {
  const called = facts.references
    .filter(({ place }) => calls.has(startOf(place)))
    .flatMap(({ symbol }) => (symbol.kind === "variable" ? lambdaIn(symbol) : []));
  const handed = facts.calls
    .flatMap((call) => call.arguments)
    .flatMap(({ expression, path }) => (expression.kind === "lambda" ? expression : path?.root === undefined ? [] : lambdaIn(path.root)));
  return new Set([...called, ...handed]);
}

function lambdaIn({ initializer }: VariableSymbol): readonly LambdaExpression[] {
  return initializer?.kind === "value" && initializer.value.kind === "lambda" ? [initializer.value] : [];
}

/** The functions that are certainly compiled: what other files or the program can call, and what those call. */
function compiledFunctions(facts: Facts): ReadonlySet<FunctionSymbol> {
  return withCallees([...facts.functions.filter(isRoot), ...instantiatedTemplates(facts)], facts);
}

/** The functions that are certainly compiled for the device. */
export function compiledForDevice(facts: Facts): ReadonlySet<FunctionSymbol> {
  const runsThere = (symbol: FunctionSymbol) => executionOf(symbol).kernel || executionOf(symbol).device;
  return withCallees([...facts.functions.filter(isRoot), ...instantiatedTemplates(facts)].filter(runsThere), facts);
}

/** The templates of which `template void k<int>(int *);` asks for an instance. */
function instantiatedTemplates({ functions }: Facts): readonly FunctionSymbol[] {
  return functions.flatMap(({ declarations, primary }) =>
    primary !== undefined &&
    declarations.some(({ role, words }) => role === "instantiation" && !words.some(({ text }) => text === "extern"))
      ? [primary]
      : [],
  );
}

/** Functions with all that they call in this file, directly or not. */
export function withCallees(functions: readonly FunctionSymbol[], { calls }: Facts): ReadonlySet<FunctionSymbol> {
  const callees = groupBy(calls, ({ within, callee }) => (callee === undefined ? undefined : within));
  const reached = new Set(functions);
  // A set can be walked while it grows.
  for (const each of reached) for (const { callee } of callees.get(each) ?? []) if (callee !== undefined) reached.add(callee);
  return reached;
}

function isRoot(symbol: FunctionSymbol): boolean {
  const { declarations, isTemplate, isInternal, record } = symbol;
  if (isTemplate || record?.isDependent === true || !declarations.some(({ isDefinition }) => isDefinition)) return false;
  if (executionOf(symbol).kernel) return true;
  const isInline = declarations.some(({ words }) =>
    words.some(({ text }) => text === "inline" || text === "constexpr" || text === "__forceinline__"),
  );
  // A member that is defined in its class is inline.
  const isInClass = record !== undefined && declarations.length === 1;
  return !isInternal && !isInline && !isInClass;
}

/** The compiler meets this code for certain, so that a violation is an error and not a trap for the first caller. */
export function isCompiled({ within, lambda, place }: Site & { readonly place: Place }, code: CompiledCode): boolean {
  if ((within !== undefined && !code.functions.has(within)) || isUndecided(place, code)) return false;
  for (let current = lambda; current !== undefined; current = current.enclosing) if (!isUsed(current, code)) return false;
  return true;
}

/** It stands in a branch of `if constexpr`, `?:`, `&&` or `||` that may be discarded; nvcc reports no use there of what the device lacks. */
function isUndecided({ unit, span }: Place, { undecided }: CompiledCode): boolean {
  return undecided.some((branch) => branch.unit === unit && branch.span.start <= span.start && span.end <= branch.span.end);
}

function isUsed({ lambda, declarations }: FunctionSymbol, { lambdas, calls }: CompiledCode): boolean {
  return lambda === undefined || lambdas.has(lambda) || declarations.some(({ place }) => calls.has(startOf(place)));
}

function startOf({ unit, span }: Place): string {
  return `${unit.uri} ${span.start}`;
}

/** The place belongs to the language's own declarations. */
export function isBuiltinPlace({ unit }: Place): boolean {
  return unit.uri.startsWith("builtin:");
}
