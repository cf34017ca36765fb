/**
 * What an editor shows above kernels and constants: the bytes that they take of what there is. What cannot be computed is
 * left out, and a number that is a lower bound says so.
 */
import type { Dialect, Limits } from "../dialect.ts";
import { bytes, number } from "./hover/markdown.ts";
import { parameterLedger } from "./hover/sizes.ts";
import { type ReadFile, type Reading, spanIn } from "./readings.ts";
import { sizeOf } from "../semantics/layout.ts";
import type { FunctionDeclaration, VariableSymbol } from "../semantics/symbols.ts";
import type { Span } from "../source.ts";

export interface Lens {
  /** The name that it is about. */
  readonly span: Span;
  readonly title: string;
  /** It stands above a kernel, whose other declarations may be shown too. */
  readonly isKernel: boolean;
}

/** CUDA C++ Programming Guide: the constant memory of a module. */
const constantBytes = 65_536;

/** In the order of the text. */
export function lenses({ uri, settings, readings }: ReadFile): readonly Lens[] {
  const first = readings[0];
  if (first === undefined) return [];
  return [...constantLenses(uri, first, settings.limits), ...kernelLenses(uri, first, settings.limits)].sort((a, b) => a.span.start - b.span.start);
}

/** One for the file, above its first constant. */
function constantLenses(uri: string, { facts, dialect }: Reading, limits: Limits): readonly Lens[] {
  const constants = facts.variables.map(({ variable }) => variable).filter((variable) => isConstant(variable) && variable.isDefinition);
  const spans = constants.map(({ place }) => spanIn(uri, place)).filter((span) => span !== undefined);
  const span = spans[0];
  if (span === undefined) return [];
  const limit = dialect.language === "cuda" ? constantBytes : limits.constantBufferSize;
  return [{ span, title: `${total(constants)} of ${number(limit)} bytes of constant memory in this file`, isKernel: false }];
}

function kernelLenses(uri: string, { facts, dialect }: Reading, limits: Limits): readonly Lens[] {
  return facts.functions.flatMap(({ declarations }) =>
    declarations.flatMap((declaration) => {
      const span = declaration.execution.kernel && declaration.isDefinition ? spanIn(uri, declaration.namePlace) : undefined;
      if (span === undefined) return [];
      const own = facts.variables.map(({ variable }) => variable).filter((variable) => variable.owner === declaration.owner && variable.scope === "block");
      const parts = [parametersOf(declaration, dialect), constantArguments(declaration, limits), localBytes(own, dialect)].filter((part) => part !== undefined);
      return [{ span, title: parts.join(" · "), isKernel: true }];
    }),
  );
}

function parametersOf(declaration: FunctionDeclaration, dialect: Dialect): string {
  const ledger = parameterLedger(declaration);
  const taken = `${ledger.isComplete ? "" : "more than "}${number(ledger.total)}`;
  const limit = dialect.language === "cuda" ? parameterLimit(dialect.architectures) : undefined;
  return limit === undefined ? `${ledger.isComplete ? "" : "more than "}${bytes(ledger.total)} of parameters` : `${taken} of ${number(limit)} bytes of parameters`;
}

/** Known only where somebody said what is compiled for (CUDA C++ Programming Guide, `__global__` function parameters). */
function parameterLimit(architectures: readonly number[]): number | undefined {
  if (architectures.length === 0) return undefined;
  return architectures.every((architecture) => architecture >= 70) ? 32_764 : 4_096;
}

function constantArguments({ parameters }: FunctionDeclaration, limits: Limits): string | undefined {
  const count = parameters.filter(({ symbol: { type } }) => type.kind === "pointer" && type.pointee.qualifiers.space === "constant").length;
  return count === 0 ? undefined : `${count} of ${limits.constantArguments} constant arguments`;
}

function localBytes(own: readonly VariableSymbol[], dialect: Dialect): string | undefined {
  const isCuda = dialect.language === "cuda";
  const shared = own.filter((variable) => (isCuda ? variable.memorySpace === "shared" && variable.isDefinition : spaceOf(variable) === "local"));
  if (shared.length === 0) return undefined;
  return `${total(shared)} bytes of ${isCuda ? "shared" : "local"} memory`;
}

function isConstant(variable: VariableSymbol): boolean {
  return variable.memorySpace === "constant" || (variable.scope !== "parameter" && spaceOf(variable) === "constant");
}

function spaceOf({ type }: VariableSymbol) {
  return type.kind === "array" ? type.element.qualifiers.space : type.qualifiers.space;
}

function total(variables: readonly VariableSymbol[]): string {
  const sizes = variables.map(({ type }) => sizeOf(type));
  const known = sizes.filter((size) => size !== undefined);
  return `${known.length < sizes.length ? "more than " : ""}${number(known.reduce((sum, size) => sum + size, 0))}`;
}
