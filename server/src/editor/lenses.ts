/**
 * Shows above kernels, launches and constants how many bytes they use of a limit. Values that cannot be computed are left out, and a lower
 * bound is marked as such.
 */
import { constantMemoryLimit } from "../analyses/constant-memory.ts";
import { kernelParameterLimit } from "../analyses/kernel-parameters.ts";
import { localMemoryOf, sharedMemoryOf } from "../analyses/memory/shared.ts";
import { formatCount as number } from "../analyses/memory-table.ts";
import { isConstantArgument, isInConstantMemory, reachedConstants } from "../analyses/reached-constants.ts";
import { type DialectFacts, type FileFacts, spanIn } from "../diagnostics/analyzed-files.ts";
import type { Dialect, Limits } from "../dialect.ts";
import type { Facts } from "../semantics/facts/facts.ts";
import type { FunctionDeclaration, FunctionSymbol, VariableSymbol } from "../semantics/types/symbols.ts";
import type { SourceSpan } from "../source.ts";
import { launchNumbers, sharedText } from "./hover/launches.ts";
import { constantMemoryOf, parameterTable, totalOf, totalText } from "./memory/sizes.ts";

/** A line that the editor shows above a declaration. */
export interface Lens {
  /** The name that it is about. */
  readonly span: SourceSpan;
  readonly title: string;
  /** What it is above: of a kernel the other declarations may be shown, of a launch the kernel. */
  readonly above: "constants" | "kernel" | "launch";
}

/** The lenses in source order. `where` names what contains the source. */
export function lenses({ uri, settings, readings }: FileFacts, where: "file" | "string" = "file"): readonly Lens[] {
  const first = readings[0];
  if (first === undefined) return [];
  return [
    ...constantLenses(uri, first, settings.limits, where),
    ...kernelLenses(uri, first, settings.limits),
    ...launchLenses(uri, first),
  ].sort((a, b) => a.span.start - b.span.start);
}

/** The lens for all constants of the file, above its first constant. */
function constantLenses(uri: string, { facts, dialect }: DialectFacts, limits: Limits, where: string): readonly Lens[] {
  const constants = facts.variables
    .map(({ variable }) => variable)
    .filter((variable) => isInConstantMemory(variable) && variable.isDefinition);
  const spans = constants.map(({ place }) => spanIn(uri, place)).filter((span) => span !== undefined);
  const span = spans[0];
  if (span === undefined) return [];
  if (dialect.language === "opencl")
    return [
      {
        span,
        title: `${totalText(totalOf(constants), "none")} of ${number(limits.constantBufferSize)} bytes of constant memory in this ${where}`,
        above: "constants",
      },
    ];
  // Constants of headers belong to the translation unit as well.
  return [
    {
      span,
      title: `${totalText(constantMemoryOf(facts, dialect), "none")} of ${number(constantMemoryLimit)} bytes of constant memory in this translation unit`,
      above: "constants",
    },
  ];
}

function kernelLenses(uri: string, { facts, dialect }: DialectFacts, limits: Limits): readonly Lens[] {
  const constantsReached = reachedConstants(facts);
  // A declaration in several parts of a file gets a lens in each.
  return [...new Set(facts.functions)].flatMap(({ declarations }) =>
    declarations.flatMap((declaration) => {
      const span = declaration.execution.kernel && declaration.isDefinition ? spanIn(uri, declaration.namePlace) : undefined;
      if (span === undefined) return [];
      const used = constantsReached(declaration.owner);
      // Editors cut off long lines, so the part that the author can change comes first.
      const parts = [
        parametersOf(declaration, dialect),
        localBytes(declaration.owner, facts, dialect),
        constantsOf(used, dialect, limits),
        constantArguments(declaration, used, limits),
      ].filter((part) => part !== undefined);
      return parts.length === 0 ? [] : [{ span, title: parts.join(" · "), above: "kernel" }];
    }),
  );
}

/** The threads of each launch, and the shared memory of its blocks, as far as they are constants. */
function launchLenses(uri: string, { facts, dialect }: DialectFacts): readonly Lens[] {
  if (dialect.language !== "cuda") return [];
  return facts.calls.flatMap((call) => {
    const numbers = call.launch === undefined ? undefined : launchNumbers(call, facts);
    // The kernel's name, because macros among the values have no place of their own.
    const { unit, span: whole } = call.place;
    const span = numbers === undefined ? undefined : spanIn(uri, { unit, span: { ...whole, end: whole.start + 1 } });
    if (numbers === undefined || span === undefined) return [];
    const { grid, block, shared, dynamicShared } = numbers;
    const isShared = (shared.isComplete && shared.total > 0) || (dynamicShared !== undefined && dynamicShared > 0);
    const parts = [
      grid === undefined ? undefined : `grid ${grid.join(" × ")}`,
      block === undefined ? undefined : `block ${block.join(" × ")}`,
    ];
    const shown = [...parts, isShared ? `shared memory ${sharedText(numbers)}` : undefined].filter((part) => part !== undefined);
    return shown.length === 0 ? [] : [{ span, title: shown.join(" · "), above: "launch" }];
  });
}

function parametersOf(declaration: FunctionDeclaration, dialect: Dialect): string | undefined {
  if (declaration.parameters.length === 0) return undefined;
  const table = parameterTable(declaration);
  // If the architecture is not configured, there are two possible limits.
  const limit = dialect.language === "cuda" && dialect.architectures.length > 0 ? kernelParameterLimit(dialect) : undefined;
  return limit === undefined ? `${totalText(table)} of parameters` : `${totalText(table, "none")} of ${number(limit)} bytes of parameters`;
}

function constantArguments({ parameters }: FunctionDeclaration, used: readonly VariableSymbol[], limits: Limits): string | undefined {
  const count = parameters.filter(isConstantArgument).length;
  const withVariables = used.length === 0 ? "" : ` (${count + used.length} with its variables)`;
  return count === 0 ? undefined : `${count} of ${limits.constantArguments} constant arguments${withVariables}`;
}

/** The constants that the kernel and its callees in this file use; in OpenCL all of them share one limit. */
function constantsOf(used: readonly VariableSymbol[], dialect: Dialect, limits: Limits): string | undefined {
  if (used.length === 0) return undefined;
  const total = totalOf(used);
  return dialect.language === "opencl"
    ? `${totalText(total, "none")} of ${number(limits.constantBufferSize)} bytes of constant memory`
    : `${totalText(total)} of constant memory`;
}

function localBytes(kernel: FunctionSymbol, facts: Facts, dialect: Dialect): string | undefined {
  const isCuda = dialect.language === "cuda";
  const { variables, total } = isCuda ? sharedMemoryOf(kernel, facts) : localMemoryOf(kernel, facts);
  if (variables.length === 0) return undefined;
  return `${totalText(total, "bytes", "at least")} of ${isCuda ? "shared" : "local"} memory`;
}
