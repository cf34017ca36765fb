/**
 * Which code runs where: a function's execution spaces over all its declarations, those of a lambda, and whether the
 * compiler will meet the code at all. nvcc compiles no template that nobody instantiates and no inline or static function
 * that nobody calls, so that what is wrong there may pass for years.
 */
import type { Facts } from "../../semantics/facts.ts";
import type { ExecutionSpaces, FunctionSymbol, Place, VariableSymbol } from "../../semantics/symbols.ts";

/** Where something stands: in a function, a lambda in it, or the initialiser of a variable. */
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
  }
  return within === undefined ? (lambda === undefined ? nowhere : { ...nowhere, host: true }) : executionOf(within);
}

/** Code that may run on the device. */
export function isDeviceCode(site: Site): boolean {
  const { kernel, device } = executionAt(site);
  return kernel || device;
}

/** Code that runs on the host and nowhere else; what initialises a host variable does. */
export function isHostOnly(site: Site): boolean {
  const { kernel, device, host } = executionAt(site);
  if (host) return !kernel && !device;
  return site.within === undefined && site.lambda === undefined && site.initializes?.memorySpace === "host";
}

/** Code that runs on the host, perhaps on the device too. */
export function isHostCode(site: Site): boolean {
  return executionAt(site).host || isHostOnly(site);
}

/** The functions that are certainly compiled: what other files or the program can call, and what those call. */
export function compiledFunctions({ functions, calls }: Facts): ReadonlySet<FunctionSymbol> {
  const compiled = new Set<FunctionSymbol>(functions.filter(isRoot));
  const callees = new Map<FunctionSymbol, FunctionSymbol[]>();
  for (const { within, callee } of calls) {
    if (within === undefined || callee === undefined) continue;
    const known = callees.get(within);
    if (known === undefined) callees.set(within, [callee]);
    else known.push(callee);
  }
  const open = [...compiled];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const callee of callees.get(next) ?? []) {
      if (compiled.has(callee)) continue;
      compiled.add(callee);
      open.push(callee);
    }
  }
  return compiled;
}

function isRoot(symbol: FunctionSymbol): boolean {
  const { declarations, isTemplate, isInternal, record } = symbol;
  if (isTemplate || record?.isDependent === true || !declarations.some(({ isDefinition }) => isDefinition)) return false;
  if (executionOf(symbol).kernel) return true;
  const isInline = declarations.some(({ words }) => words.some(({ text }) => text === "inline" || text === "constexpr" || text === "__forceinline__"));
  // A member that is defined in its class is inline.
  const isInClass = record !== undefined && declarations.length === 1;
  return !isInternal && !isInline && !isInClass;
}

/** The compiler meets this code for certain, so that a violation is an error and not a trap for the first caller. */
export function isCompiled({ within, place }: Site & { readonly place: Place }, compiled: ReadonlySet<FunctionSymbol>, facts: Facts): boolean {
  return (within === undefined || compiled.has(within)) && !isUndecided(place, facts);
}

/** It stands in a branch of `if constexpr` that may be discarded; nvcc reports no use there of what the device lacks. */
function isUndecided({ unit, span }: Place, { undecided }: Facts): boolean {
  return undecided.some((branch) => branch.unit === unit && branch.span.start <= span.start && span.end <= branch.span.end);
}

/** The place belongs to the language's own declarations. */
export function isBuiltinPlace({ unit }: Place): boolean {
  return unit.uri.startsWith("builtin:");
}
