/**
 * What an editor shows above kernels and constants: the bytes that they take of what there is. What cannot be computed is
 * left out, and a number that is a lower bound says so.
 */
import type { Dialect, Limits } from "../dialect.ts";
import { number } from "./hover/markdown.ts";
import { constantMemoryOf, parameterLedger, totalOf, totalText } from "./hover/sizes.ts";
import { type ReadFile, type Reading, spanIn } from "./readings.ts";
import { isConstantArgument } from "../rules/constant-argument-count.ts";
import { constantMemoryLimit } from "../rules/constant-memory-size.ts";
import { kernelParameterLimit } from "../rules/kernel-parameter-size.ts";
import type { Facts } from "../semantics/facts.ts";
import type { FunctionDeclaration, FunctionSymbol, VariableSymbol } from "../semantics/symbols.ts";
import type { Span } from "../source.ts";

export interface Lens {
  /** The name that it is about. */
  readonly span: Span;
  readonly title: string;
  /** It stands above a kernel, whose other declarations may be shown too. */
  readonly isKernel: boolean;
}

/** In the order of the text; `where` is what the source stands in. */
export function lenses({ uri, settings, readings }: ReadFile, where: "file" | "string" = "file"): readonly Lens[] {
  const first = readings[0];
  if (first === undefined) return [];
  return [...constantLenses(uri, first, settings.limits, where), ...kernelLenses(uri, first, settings.limits)].sort((a, b) => a.span.start - b.span.start);
}

/** One for the file, above its first constant. */
function constantLenses(uri: string, { facts, dialect }: Reading, limits: Limits, where: string): readonly Lens[] {
  const constants = facts.variables.map(({ variable }) => variable).filter((variable) => isConstant(variable) && variable.isDefinition);
  const spans = constants.map(({ place }) => spanIn(uri, place)).filter((span) => span !== undefined);
  const span = spans[0];
  if (span === undefined) return [];
  if (dialect.language === "opencl") return [{ span, title: `${totalText(totalOf(constants), "none")} of ${number(limits.constantBufferSize)} bytes of constant memory in this ${where}`, isKernel: false }];
  // Constants of headers are the translation unit's as well.
  return [{ span, title: `${totalText(constantMemoryOf(facts, dialect), "none")} of ${number(constantMemoryLimit)} bytes of constant memory in this translation unit`, isKernel: false }];
}

function kernelLenses(uri: string, { facts, dialect }: Reading, limits: Limits): readonly Lens[] {
  const uses = usesOf(facts);
  return facts.functions.flatMap(({ declarations }) =>
    declarations.flatMap((declaration) => {
      const span = declaration.execution.kernel && declaration.isDefinition ? spanIn(uri, declaration.namePlace) : undefined;
      if (span === undefined) return [];
      const own = facts.variables.map(({ variable }) => variable).filter((variable) => variable.owner === declaration.owner && variable.scope === "block");
      const parts = [parametersOf(declaration, dialect), constantArguments(declaration, limits), constantsOf(declaration, uses), localBytes(own, dialect)].filter((part) => part !== undefined);
      return parts.length === 0 ? [] : [{ span, title: parts.join(" · "), isKernel: true }];
    }),
  );
}

function parametersOf(declaration: FunctionDeclaration, dialect: Dialect): string | undefined {
  if (declaration.parameters.length === 0) return undefined;
  const ledger = parameterLedger(declaration);
  // Where nobody says the architecture the limit is one of two.
  const limit = dialect.language === "cuda" && dialect.architectures.length > 0 ? kernelParameterLimit(dialect) : undefined;
  return limit === undefined ? `${totalText(ledger)} of parameters` : `${totalText(ledger, "none")} of ${number(limit)} bytes of parameters`;
}

function constantArguments({ parameters }: FunctionDeclaration, limits: Limits): string | undefined {
  const count = parameters.filter(isConstantArgument).length;
  return count === 0 ? undefined : `${count} of ${limits.constantArguments} constant arguments`;
}

/** What each function calls and which constants it names. */
type Uses = ReadonlyMap<FunctionSymbol, { readonly callees: Set<FunctionSymbol>; readonly constants: Set<VariableSymbol> }>;

function usesOf(facts: Facts): Uses {
  const uses = new Map<FunctionSymbol, { callees: Set<FunctionSymbol>; constants: Set<VariableSymbol> }>();
  const of = (within: FunctionSymbol) => {
    const known = uses.get(within) ?? { callees: new Set<FunctionSymbol>(), constants: new Set<VariableSymbol>() };
    uses.set(within, known);
    return known;
  };
  for (const { within, callee } of facts.calls) if (within !== undefined && callee !== undefined) of(within).callees.add(callee);
  for (const { within, path } of facts.accesses) if (within !== undefined && path.root !== undefined && isConstant(path.root)) of(within).constants.add(path.root);
  return uses;
}

/** The constants that the kernel and what it calls in this file use. */
function constantsOf({ owner }: FunctionDeclaration, uses: Uses): string | undefined {
  const reached = new Set<FunctionSymbol>([owner]);
  const used = new Set<VariableSymbol>();
  // A set can be walked while it grows.
  for (const within of reached) {
    for (const callee of uses.get(within)?.callees ?? []) reached.add(callee);
    for (const constant of uses.get(within)?.constants ?? []) used.add(constant);
  }
  return used.size === 0 ? undefined : `${totalText(totalOf([...used]))} of constant memory`;
}

function localBytes(own: readonly VariableSymbol[], dialect: Dialect): string | undefined {
  const isCuda = dialect.language === "cuda";
  const shared = own.filter((variable) => (isCuda ? variable.memorySpace === "shared" && variable.isDefinition : spaceOf(variable) === "local"));
  if (shared.length === 0) return undefined;
  return `${totalText(totalOf(shared))} of ${isCuda ? "shared" : "local"} memory`;
}

function isConstant(variable: VariableSymbol): boolean {
  return variable.memorySpace === "constant" || (variable.scope !== "parameter" && spaceOf(variable) === "constant");
}

function spaceOf({ type }: VariableSymbol) {
  return type.kind === "array" ? type.element.qualifiers.space : type.qualifiers.space;
}
