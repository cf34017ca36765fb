/** Launch attributes that differ between declarations, exclude each other, have unsuitable values, or stand on something that is not a kernel. */
import { isCuda } from "../../analyses/memory-spaces.ts";
import type { FunctionSymbol, LaunchAttribute, Place } from "../../semantics/types/symbols.ts";
import { printType } from "../../semantics/types/types.ts";
import { linkedKernels } from "../../summary/linked-kernels.ts";
import type { KernelSummary, Summary } from "../../summary/summary.ts";
import { sizeAttributeFindings, strayAttributeFindings } from "../findings/size-attributes.ts";
import type { Rule, RuleFinding } from "../rule.ts";

/** Reports launch attributes that differ, exclude each other, have unsuitable values, or stand on something that is not a kernel. */
export const launchBoundsMismatch: Rule = {
  id: "launch-bounds-mismatch",
  title:
    "launch attributes of a kernel differ between its declarations, exclude each other, have unsuitable values, or are on something that is not a kernel",
  severity: "warning",
  languages: ["cuda"],
  clause:
    "CUDA C++ Programming Guide, launch bounds: __launch_bounds__() in the definition of a __global__ function; maximum number of registers per thread: __launch_bounds__() and __maxnreg__() cannot both be applied to a kernel; thread block clusters: __cluster_dims__, __block_size__",
  documentation: `
The launch bounds decide how many registers the kernel's code may use. nvcc does not compare them: in one file each later value
replaces the earlier one (measured with CUDA 13), and a declaration in another file has no effect at all. So if two declarations
differ, one of them has no effect; a launch with more threads than the effective value allows fails.

On a \`__device__\` or host function nvcc rejects the specifier (an **error**): only a kernel is launched. The same holds for
\`__maxnreg__\`, \`__cluster_dims__\` and \`__block_size__\`. Some exclude each other, on all declarations of a kernel together
(also an **error**): \`__launch_bounds__\` and \`__maxnreg__\`, which both limit the registers; \`__launch_bounds__\` and
\`__block_size__\`, which both give the threads of a block; \`__cluster_dims__\` and the second tuple of \`__block_size__\` or the third
launch bound, which give the size of a cluster. ptxas reports the last three, without a line.

Their values are integer constants: compilers reject a floating-point number, even a whole one, a pointer, and a value that is known
only at run time, such as a variable that is not const (also an **error**). \`__launch_bounds__\` takes one to three. In HIP the same holds for
\`amdgpu_flat_work_group_size\`, \`amdgpu_waves_per_eu\` and the like, whose least value cannot be greater than the greatest, and which are for
kernels only.

**What to do**: write it once, at the definition, with a named constant that the launch uses as well.`,
  limits: "Bounds whose value is not known are not compared.",
  examples: [
    {
      language: "cuda",
      bad: `__global__ void __launch_bounds__(256) fill(float *data);
__global__ void __launch_bounds__(128) fill(float *data) { data[threadIdx.x] = 0; } // <-`,
      good: `__global__ void fill(float *data);
__global__ void __launch_bounds__(128) fill(float *data) { data[threadIdx.x] = 0; }`,
    },
  ],
  check({ facts, dialect }, report) {
    if (dialect.language !== "cuda") return;
    if (!isCuda(dialect)) for (const finding of strayAttributeFindings(facts, ofAmd)) report(finding);
    for (const owner of facts.functions) {
      if (owner.lambda !== undefined) continue;
      for (const finding of [
        ...mismatches(owner),
        ...unusable(owner),
        ...(isCuda(dialect)
          ? [...misplaced(owner), ...conflicts(owner)]
          : [...misplacedForAmd(owner), ...sizeAttributeFindings(owner, ofAmd)]),
      ])
        report(finding);
    }
  },
  link(summaries, report) {
    for (const [definition, other] of pairsOf(summaries)) {
      const [defined, declared] = [definition.launchBounds, other.launchBounds];
      if (defined === undefined || declared === undefined || !differ(defined.values, declared.values)) continue;
      report({
        location: declared.location,
        message: `'${other.qualifiedName}' is defined with other launch bounds: (${defined.values.join(", ")})`,
        related: [{ message: "defined with these launch bounds", location: defined.location }],
      });
    }
  },
};

function mismatches({ declarations }: FunctionSymbol): readonly RuleFinding[] {
  const findings: RuleFinding[] = [];
  const last = new Map<LaunchAttribute["name"], LaunchAttribute>();
  for (const { launchAttributes = [] } of declarations) {
    for (const own of launchAttributes) {
      const before = last.get(own.name);
      last.set(own.name, own);
      if (before === undefined || !differ(before.values.flat(), own.values.flat())) continue;
      const what = own.name === "__launch_bounds__" ? "these launch bounds differ" : `this '${own.name}' differs`;
      const them = own.name === "__launch_bounds__" ? "those" : "that";
      const declared = own.name === "__launch_bounds__" ? "declared with these launch bounds" : `declared with this '${own.name}'`;
      findings.push({
        place: own.place,
        message: `${what} from ${them} declared before, (${before.values
          .flat()
          .map((value) => value ?? "?")
          .join(", ")})`,
        related: [{ message: declared, place: before.place }],
      });
    }
  }
  return findings;
}

/** True if the bounds differ. An omitted value equals every other. */
function differ(a: readonly (number | undefined)[], b: readonly (number | undefined)[]): boolean {
  return a.some((value, index) => value !== undefined && b[index] !== undefined && value !== b[index]);
}

function misplaced({ declarations }: FunctionSymbol): readonly RuleFinding[] {
  return declarations.flatMap(({ launchAttributes = [], execution, isUncertain }): readonly RuleFinding[] => {
    if (execution.kernel || isUncertain === true) return [];
    return launchAttributes.map(({ name, place }) => ({
      place,
      severity: "error",
      message: `'${name}' on a function that is not a kernel`,
    }));
  });
}

const ofAmd = /^amdgpu_/;

/** HIP: attributes of AMD's compiler on functions that are not kernels. */
function misplacedForAmd({ declarations }: FunctionSymbol): readonly RuleFinding[] {
  return declarations.flatMap(({ sizeAttributes = [], execution, isUncertain }): readonly RuleFinding[] => {
    if (execution.kernel || isUncertain === true) return [];
    return sizeAttributes
      .filter(({ name }) => ofAmd.test(name))
      .map(({ name, place }) => ({ place, severity: "error", message: `'${name}' on a function that is not a kernel` }));
  });
}

/** Arguments that are not integer constants, and a fourth launch bound. nvcc and clang reject both, on any function. */
function unusable({ declarations }: FunctionSymbol): readonly RuleFinding[] {
  return declarations.flatMap(({ launchAttributes = [], isUncertain }) =>
    launchAttributes.flatMap(({ name, place, values, unusable: argument }): readonly RuleFinding[] => {
      if (isUncertain === true) return [];
      if (argument !== undefined) {
        return [{ place: argument.place, severity: "error", message: `'${name}' needs integer constants, ${describe(argument)}` }];
      }
      if (name !== "__launch_bounds__") return [];
      if (isEmpty(place)) return [{ place, severity: "error", message: `'${name}' needs at least one value` }];
      return values.length > 3 ? [{ place, severity: "error", message: `'${name}' takes at most three values` }] : [];
    }),
  );
}

function describe({ is, type }: NonNullable<LaunchAttribute["unusable"]>): string {
  if (is === "runtime") return "this value is known only at run time";
  return is === "type" ? "this is a type" : `this is of type '${printType(type)}'`;
}

function isEmpty({ unit, span }: Place): boolean {
  return /\(\s*\)$/.test(unit.view.text.slice(span.start, span.end));
}

/** Attributes with impossible values, and pairs that exclude each other. The later one of a pair is reported, as by nvcc. */
function conflicts({ declarations }: FunctionSymbol): readonly RuleFinding[] {
  const findings: RuleFinding[] = [];
  const seen: LaunchAttribute[] = [];
  for (const { launchAttributes = [], execution } of declarations) {
    if (!execution.kernel) continue;
    for (const own of launchAttributes) {
      const problem = impossible(own);
      if (problem !== undefined) findings.push({ place: own.place, severity: "error", message: problem });
      const pair = seen.flatMap((other) => {
        const message = conflictOf(own, other) ?? conflictOf(other, own);
        return message === undefined ? [] : [{ other, message }];
      })[0];
      seen.push(own);
      if (pair === undefined) continue;
      const related = [{ message: `'${pair.other.name}' is written here`, place: pair.other.place }];
      findings.push({ place: own.place, severity: "error", message: pair.message, related });
    }
  }
  return findings;
}

function impossible({ name, values }: LaunchAttribute): string | undefined {
  if (name !== "__maxnreg__" && name !== "__cluster_dims__") return undefined;
  return values.flat().some((value) => value !== undefined && value <= 0) ? `'${name}' needs positive numbers` : undefined;
}

function conflictOf(one: LaunchAttribute, other: LaunchAttribute): string | undefined {
  if (one.name === "__launch_bounds__" && other.name === "__maxnreg__")
    return "a kernel cannot have both '__launch_bounds__' and '__maxnreg__'";
  // Both give the threads of a block (PTX: .maxntid and .reqntid cannot both be specified).
  if (one.name === "__launch_bounds__" && other.name === "__block_size__")
    return "a kernel cannot have both '__launch_bounds__' and '__block_size__'";
  if (other.name !== "__cluster_dims__") return undefined;
  if (one.name === "__block_size__" && one.values.length > 1)
    return "the second tuple of '__block_size__' gives the cluster's size again: '__cluster_dims__' does already";
  // Both give the rank of a cluster (PTX: .maxclusterrank and .reqnctapercluster cannot both be specified).
  const isRanked = one.name === "__launch_bounds__" && one.values.length > 2;
  return isRanked ? "the third value of '__launch_bounds__' limits the cluster's size, which '__cluster_dims__' gives already" : undefined;
}

/** Pairs each declaration with its definition in another file. */
function pairsOf(summaries: readonly Summary[]): readonly (readonly [KernelSummary, KernelSummary])[] {
  return linkedKernels(summaries).flatMap(({ definition, all }) =>
    all.filter(({ uri }) => uri !== definition.uri).map(({ kernel }) => [definition.kernel, kernel] as const),
  );
}
