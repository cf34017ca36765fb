/**
 * The memory of the kernels of a file as plain data for the command line and for views of editors: every number with its limit, and
 * `unknown` for what the sources do not show. A launch may be in another file than its kernel; `merged` joins them.
 */
import { constantMemoryLimit } from "../../analyses/constant-memory.ts";
import { largeParameterLimit, smallParameterLimit } from "../../analyses/kernel-parameters.ts";
import { type KernelLaunch, launchesOf, parametersOf, requestedInstances } from "../../analyses/memory/launches.ts";
import { type SharedMemory, staticSharedLimit } from "../../analyses/memory/shared.ts";
import type { Total } from "../../analyses/memory-table.ts";
import { isInConstantMemory } from "../../analyses/reached-constants.ts";
import type { DialectFacts, PartFacts } from "../../diagnostics/analyzed-files.ts";
import type { Dialect, Limits } from "../../dialect.ts";
import { codeAt } from "../../preprocess/unit-row.ts";
import { sizeOf } from "../../semantics/types/layout.ts";
import type { FunctionSymbol, Place, VariableSymbol } from "../../semantics/types/symbols.ts";
import { containsUnknown } from "../../semantics/types/types.ts";
import { type FileUri, type Location, placeKey } from "../../source.ts";
import { kernelsIn } from "./kernels.ts";
import { constantMemoryOf, totalOf } from "./sizes.ts";

/** A number of bytes, or `unknown`; then `atLeast` is the part that is known. */
export interface Amount {
  readonly bytes: number | "unknown";
  readonly atLeast?: number;
}

/** A number of bytes with its limit: what every device allows, and what some allow if that is more. */
export interface LimitedAmount extends Amount {
  readonly limit?: number;
  readonly largestLimit?: number;
}

/** An object, and how many bytes it takes. */
export interface NamedAmount extends Amount {
  readonly name: string;
  readonly location: Location;
}

/** A parameter that every thread copies, because a function that is not inlined gets its address. */
export interface StackCopy extends NamedAmount {
  readonly callee: string;
  readonly call: Location;
}

/** A launch; `unknown` where its values are known only at run time. */
export interface LaunchReport {
  readonly location: Location;
  /** The function that contains it. */
  readonly within?: string;
  readonly grid: LaunchExtents;
  readonly block: LaunchExtents;
  readonly dynamicShared: number | "unknown";
}

/** The three extents of a grid or a block. */
export type LaunchExtents = readonly (number | "unknown")[] | "unknown";

/** An instantiation of a kernel template. */
export interface InstanceReport {
  readonly name: string;
  readonly location: Location;
  readonly parameters: LimitedAmount;
  readonly shared: LimitedAmount;
}

/** The memory of one kernel. */
export interface KernelReport {
  readonly name: string;
  readonly language: "cuda" | "hip" | "opencl";
  /** Its name in its definition. */
  readonly location: Location;
  readonly isTemplate: boolean;
  readonly parameters: LimitedAmount;
  readonly constant: LimitedAmount & {
    readonly variables: readonly NamedAmount[];
    /** All constants of the translation unit, which share the limit. */
    readonly translationUnit: Amount;
  };
  readonly shared: LimitedAmount & { readonly variables: readonly NamedAmount[]; readonly isDynamic: boolean };
  /** Arrays of each thread; the compiler decides which of them are in registers. */
  readonly local: Amount & { readonly arrays: readonly NamedAmount[] };
  readonly stackCopies: readonly StackCopy[];
  readonly instances: readonly InstanceReport[];
  /** Absent for OpenCL, whose hosts find kernels by name. */
  readonly launches?: readonly LaunchReport[];
}

/** A kernel that a file launches or instantiates. */
interface Use {
  /** Where the kernel is declared, as this file sees it. */
  readonly declarations: readonly Location[];
  readonly launches: readonly LaunchReport[];
  readonly instances: readonly InstanceReport[];
}

/** The memory of the kernels of one file, and how it uses kernels of others. */
export interface FileMemory {
  readonly kernels: readonly KernelReport[];
  readonly uses: readonly Use[];
}

/** The report about a file and the sources in its literals. */
export function memoryOf(parts: readonly PartFacts[]): FileMemory {
  const files = parts.map(({ file: { uri, readings, settings }, locate }): FileMemory => {
    const [first] = readings;
    return first === undefined ? { kernels: [], uses: [] } : memoryIn(uri, first, settings.limits, (place) => locate(codeAt(place)));
  });
  return { kernels: files.flatMap(({ kernels }) => kernels), uses: files.flatMap(({ uses }) => uses) };
}

/** All kernels, each with its launches and instances in all of the files. */
export function merged(files: readonly FileMemory[]): readonly KernelReport[] {
  const usesAt = new Map<string, Set<Use>>();
  for (const use of files.flatMap((file) => file.uses)) {
    for (const declaration of use.declarations.map(placeKey)) {
      const known = usesAt.get(declaration) ?? new Set<Use>();
      usesAt.set(declaration, known.add(use));
    }
  }
  // The file of the definition knows the header that declares the kernel, as do the files that launch it.
  const usesOf = (location: Location): ReadonlySet<Use> => {
    const own = [...(usesAt.get(placeKey(location)) ?? [])];
    return new Set(own.flatMap(({ declarations }) => declarations.flatMap((one) => [...(usesAt.get(placeKey(one)) ?? [])])));
  };
  const seen = new Set<string>();
  return files
    .flatMap(({ kernels }) => kernels)
    .flatMap((kernel) => {
      const key = placeKey(kernel.location);
      if (seen.has(key)) return [];
      seen.add(key);
      const own = [...usesOf(kernel.location)];
      const launches = distinct([...(kernel.launches ?? []), ...own.flatMap((use) => use.launches)], ({ location }) => placeKey(location));
      const instances = distinct([...kernel.instances, ...own.flatMap((use) => use.instances)], ({ name }) => name);
      return [{ ...kernel, instances, ...(kernel.launches === undefined ? {} : { launches }) }];
    });
}

function distinct<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Item[] {
  const found = new Map<string, Item>();
  for (const item of items) if (!found.has(keyOf(item))) found.set(keyOf(item), item);
  return [...found.values()];
}

type LocationOf = (place: Place) => Location;

function memoryIn(uri: FileUri, reading: DialectFacts, limits: Limits, locationOf: LocationOf): FileMemory {
  const { facts, dialect } = reading;
  const limitsOf = limitsIn(dialect, limits);
  const named = (variable: VariableSymbol): NamedAmount => ({
    name: variable.name,
    location: locationOf(variable.place),
    ...amountOf(sizeText(variable)),
  });
  const launchOf = (launch: KernelLaunch): LaunchReport => launchReport(launch, locationOf);
  const own = kernelsIn(uri, reading);
  const kernels = own.map((memory): KernelReport => {
    const { kernel, declaration, parameters, shared, constants, arrays, copies, instances, launches } = memory;
    return {
      name: kernel.qualifiedName,
      language: dialect.language === "opencl" ? "opencl" : dialect.hip ? "hip" : "cuda",
      location: locationOf(declaration.namePlace),
      isTemplate: declaration.isTemplate,
      parameters: { ...amountOf(parameters), ...limitsOf.parameters },
      constant: {
        ...amountOf(constants.total),
        ...limitsOf.constant,
        variables: constants.variables.map(named),
        translationUnit: amountOf(dialect.language === "cuda" ? constantMemoryOf(facts, dialect) : openclConstants(reading)),
      },
      shared: {
        ...amountOf(shared.total),
        ...limitsOf.shared,
        variables: shared.variables.map(named),
        isDynamic: shared.isDynamic,
      },
      local: { ...amountOf(arrays.total), arrays: arrays.variables.map(named) },
      stackCopies: copies.map(({ variable, call }) => ({ ...named(variable), callee: call.name, call: locationOf(call.place) })),
      instances: instances.map(({ name, place, parameters: passed, shared: declared }) =>
        instanceReport(name, locationOf(place), passed, declared.total, limitsOf),
      ),
      ...(dialect.language === "opencl" ? {} : { launches: launches.map(launchOf) }),
    };
  });
  const definedHere = new Set(own.map(({ kernel }) => kernel));
  const uses = usedKernels(reading)
    .filter((kernel) => !definedHere.has(kernel))
    .map(
      (kernel): Use => ({
        declarations: kernel.declarations.map(({ namePlace }) => locationOf(namePlace)),
        launches: launchesOf(kernel, facts).map(launchOf),
        instances: requestedInstances(kernel, facts).map((instance) =>
          instanceReport(
            instance.name,
            locationOf(instance.place),
            parametersOf(instance),
            // The body is in another file, which does not know the arguments.
            { total: 0, isComplete: false },
            limitsOf,
          ),
        ),
      }),
    );
  const redeclared = own.map(
    ({ kernel }): Use => ({
      declarations: kernel.declarations.map(({ namePlace }) => locationOf(namePlace)),
      launches: [],
      instances: [],
    }),
  );
  return { kernels, uses: [...uses, ...redeclared] };
}

/** The kernels that the file launches or instantiates. */
function usedKernels({ facts, dialect }: DialectFacts): readonly FunctionSymbol[] {
  if (dialect.language !== "cuda") return [];
  const called = facts.calls.flatMap(({ launch, callee }) => (launch === undefined || callee === undefined ? [] : [callee]));
  const referred = facts.references.flatMap(({ symbol }) => (symbol.kind === "function" ? [symbol] : []));
  const instantiated = facts.instantiations.map(({ template }) => template);
  const all = new Set([...called, ...referred, ...instantiated].map((each) => each.primary ?? each));
  return [...all].filter(({ declarations }) => declarations.some(({ execution }) => execution.kernel));
}

function instanceReport(name: string, location: Location, parameters: Total, shared: SharedMemory["total"], limits: KernelLimits) {
  return {
    name,
    location,
    parameters: { ...amountOf(parameters), ...limits.parameters },
    shared: { ...amountOf(shared), ...limits.shared },
  };
}

function launchReport({ place, within, values }: KernelLaunch, locationOf: LocationOf): LaunchReport {
  const [grid, block, shared] = values.map(({ extents }) => extents);
  return {
    location: locationOf(place),
    ...(within === undefined || within.name === "" ? {} : { within: within.qualifiedName }),
    grid: threeOf(grid),
    block: threeOf(block),
    // A launch without a third value requests none.
    dynamicShared: values.length === 2 ? 0 : (shared?.[0] ?? "unknown"),
  };
}

function threeOf(extents: readonly (number | undefined)[] | undefined): LaunchExtents {
  if (extents === undefined) return "unknown";
  return [...extents, 1, 1].slice(0, 3).map((extent) => extent ?? "unknown");
}

function sizeText({ type }: VariableSymbol): Total {
  const size = containsUnknown(type) ? undefined : sizeOf(type);
  return { total: size ?? 0, isComplete: size !== undefined };
}

/** The total as an amount. */
function amountOf({ total, isComplete }: Total): Amount {
  return isComplete ? { bytes: total } : { bytes: "unknown", ...(total > 0 ? { atLeast: total } : {}) };
}

function openclConstants({ facts }: DialectFacts): Total {
  return totalOf(facts.variables.map(({ variable }) => variable).filter((each) => isInConstantMemory(each) && each.isDefinition));
}

type Limit = Pick<LimitedAmount, "limit" | "largestLimit">;

/** The limits of a kernel, in bytes. */
interface KernelLimits {
  readonly parameters: Limit;
  readonly constant: Limit;
  readonly shared: Limit;
}

function limitsIn(dialect: Dialect, limits: Limits): KernelLimits {
  if (dialect.language === "opencl") {
    // The minimums of CL_DEVICE_MAX_PARAMETER_SIZE and CL_DEVICE_LOCAL_MEM_SIZE (OpenCL API 3.0 §4.2, table 5).
    const isEmbedded = limits.profile === "embedded";
    return {
      parameters: { limit: isEmbedded ? 256 : 1_024 },
      constant: { limit: limits.constantBufferSize },
      shared: { limit: isEmbedded ? 1_024 : 32_768 },
    };
  }
  // The limits of a device for HIP depend on its maker.
  if (dialect.hip) return { parameters: {}, constant: {}, shared: {} };
  const isSmall = dialect.architectures.some((architecture) => architecture < 70);
  return {
    parameters: { limit: smallParameterLimit, ...(isSmall ? {} : { largestLimit: largeParameterLimit }) },
    constant: { limit: constantMemoryLimit },
    shared: { limit: staticSharedLimit },
  };
}
