/**
 * Judges a file once more for each further build of it: one that the project describes, or one that defines a macro without which
 * kernels are inactive. A mistake in any build is a mistake; the message names the build. `settings/build-macros.ts` and
 * `settings/inferred-standard.ts` find the described ones.
 */
import { type InactiveKernels, inactiveKernels, inactiveParts, kernelsIn, partsWithout } from "../../diagnostics/coverage.ts";
import type { FileReport } from "../../diagnostics/file-report.ts";
import { keyOf } from "../../diagnostics/report.ts";
import type { CompileSettings, OtherBuild } from "../../dialect.ts";
import { isBalanced } from "../../embedded/embedded.ts";
import { withoutComments } from "../../embedded/join.ts";
import type { Diagnostic } from "../../finding.ts";
import { type Location, type SourceSpan, textOf } from "../../source.ts";
import type { Steps } from "../../steps.ts";
import { checkAnalyzed } from "../check-file.ts";
import type { CheckOutcome } from "../file-result.ts";
import type { Tools } from "../options.ts";
import { readFile, readFileIn } from "../read-file.ts";

/** How many builds of a file are judged beside the first. */
const mostBuilds = 4;

/** The result of a file's check, joined with what its other builds add. */
export function* withOtherBuilds(tools: Tools, uri: string, first: CheckOutcome): Steps<CheckOutcome> {
  let joined = first;
  // A header has the builds of the file in whose translation unit it was read.
  const settings = tools.options.settingsOf(first.report.dependencies[0] ?? uri);
  const described = yield* inOrderOfUse(tools, uri, first, settings.otherBuilds ?? []);
  for (const build of described.slice(0, mostBuilds)) {
    const other = yield* checkedIn(tools, uri, build);
    if (other !== undefined) joined = withDiagnostics(joined, other, () => true, named(build));
  }
  joined = yield* withBothBranches(tools, uri, joined, first.openMacros);
  if (!isBuildOpen(settings)) return joined;
  const tried = new Set<string>();
  // A branch in a branch needs the macros of both.
  const around = new Map<string, Macros>();
  while (tried.size < mostBuilds) {
    const { coverage, inactiveBranches } = joined.report;
    const next = coverage.inactive.find(({ flag }) => flag !== undefined && !tried.has(flag));
    if (next?.flag === undefined) return joined;
    const { flag, kernels } = next;
    tried.add(flag);
    const build = buildOf(flag, around.get(flag) ?? [], settings);
    const other = build === undefined ? undefined : yield* checkedIn(withOpenStandard(tools), uri, build);
    if (build === undefined || other === undefined) continue;
    const text = textOf(tools.options.files, uri);
    const parts = readableParts(joined.report, other.report, inactiveParts(text, uri, inactiveBranches, flag), text);
    const inner = innerKernels(other.report, parts, text).filter((each) => each.flag === undefined || !tried.has(each.flag));
    if (!makesSense(other.report, parts, text, inner)) continue;
    for (const each of inner)
      if (each.flag !== undefined && !coverage.inactive.some((known) => known.flag === each.flag))
        around.set(each.flag, build.macros ?? []);
    const { report } = other;
    const left = inactiveParts(text, uri, report.inactiveBranches);
    joined = withKernels(withDiagnostics(joined, other, isWithin(uri, parts), named(build)), { report, parts, left, inner, flag, kernels });
  }
  return joined;
}

/**
 * Described builds in the order in which they are judged. If there are too many, those come first whose macro makes a branch active in
 * which the file has a finding when all their macros are defined at once.
 */
function* inOrderOfUse(tools: Tools, uri: string, { report }: CheckOutcome, builds: readonly OtherBuild[]): Steps<readonly OtherBuild[]> {
  if (builds.length <= mostBuilds) return builds;
  const scout = yield* checkedIn(tools, uri, { macros: builds.flatMap(({ macros = [] }) => macros), label: "" });
  const known = new Set(report.diagnostics.map(keyOf));
  const found = scout?.report.diagnostics.filter((each) => each.rule !== unused && !known.has(keyOf(each))) ?? [];
  if (found.length === 0) return builds;
  const text = textOf(tools.options.files, uri);
  const isUsed = ({ macros = [] }: OtherBuild) =>
    macros.some(({ name }) => found.some(isWithin(uri, partsWithout(text, uri, report.inactiveBranches, name))));
  const used = new Set(builds.filter(isUsed));
  return [...used, ...builds.filter((build) => !used.has(build))];
}

/**
 * The result, joined with what is found whether a macro is defined or not. In the first check, a word that is a space in one of the
 * cases and nothing in the other hides the declarations that have it.
 */
export function* withBothBranches(
  tools: Tools,
  uri: string,
  first: CheckOutcome,
  [macro]: readonly string[] = [],
  program?: string,
): Steps<CheckOutcome> {
  if (macro === undefined) return first;
  const defined = yield* checkedIn(tools, uri, { macros: [{ name: macro, value: "1" }], label: "" }, program);
  const left = yield* checkedIn(tools, uri, { macros: [{ name: macro, value: undefined }], label: "" }, program);
  if (defined === undefined || left === undefined) return first;
  const inBoth = new Set(defined.report.diagnostics.map(keyOf));
  return withDiagnostics(
    first,
    left,
    (each) => inBoth.has(keyOf(each)),
    (each) => each,
  );
}

type Macros = NonNullable<OtherBuild["macros"]>;

/** True if no setting defines a macro: then nothing says that the author's build leaves a branch out. */
function isBuildOpen({ macros, macrosFrom = [] }: CompileSettings): boolean {
  return macros.length === macrosFrom.length;
}

/**
 * The build that flags describe, `-DNAME` or `-DNAME=value`; undefined if the settings already define the names so, or switch the
 * extension of such a name off.
 */
function buildOf(flags: string, others: Macros, { macros, openclExtensions: switches }: CompileSettings): OtherBuild | undefined {
  const defined = flags.split(" ").map((flag) => {
    const [name = "", value = "1"] = flag.slice("-D".length).split("=");
    return { name, value };
  });
  if (defined.every(({ name, value }) => macros.some((set) => set.name === name && set.value === value))) return undefined;
  const isOff = ({ name }: { readonly name: string }) =>
    (switches?.get(name) ?? (/^(cl_|__opencl_c_)/.test(name) ? switches?.get("all") : undefined)) === false;
  return defined.some(isOff) ? undefined : { macros: [...others, ...defined], label: `with ${flags}` };
}

/**
 * The tools for a build that no setting describes, which may have another standard than the described one: `#ifdef CL20`. Every standard
 * of OpenCL C judges it.
 */
function withOpenStandard(tools: Tools): Tools {
  const settingsOf = (name: string): CompileSettings => {
    const { openclStandard, ...others } = tools.options.settingsOf(name);
    return openclStandard?.startsWith("clc++") === true ? { ...others, openclStandard } : others;
  };
  return { ...tools, options: { ...tools.options, settingsOf } };
}

/** The check of a file in another build; undefined if a file of it is not available. */
function* checkedIn(tools: Tools, uri: string, build: OtherBuild, program?: string): Steps<CheckOutcome | undefined> {
  const settingsOf = (name: string): CompileSettings => {
    const { standardFrom, ...own } = tools.options.settingsOf(name);
    const kept = own.macros.filter(({ name: set }) => !(build.macros ?? []).some((other) => other.name === set));
    return {
      ...own,
      macros: [...kept, ...(build.macros ?? [])],
      macrosFrom: own.macrosFrom ?? [],
      ...(build.openclStandard === undefined ? {} : { openclStandard: build.openclStandard }),
      ...(standardFrom === undefined ? {} : { standardFrom: build.location ?? standardFrom }),
    };
  };
  const using: Tools = { ...tools, options: { ...tools.options, settingsOf } };
  const reading = program === undefined ? yield* readFile(using, uri) : yield* readFileIn(using, uri, program);
  return reading.readings.length === 0 ? undefined : yield* checkAnalyzed(using, uri, reading, true);
}

/**
 * The parts that become active and can be read. A part without kernels that cannot be read concerns no other, as long as its braces
 * match: host code for a library, for example. An error in any other place concerns all.
 */
function readableParts(first: FileReport, other: FileReport, parts: readonly SourceSpan[], text: string): readonly SourceSpan[] {
  const known = new Set(first.understanding.parseErrors.map(({ span }) => span.start));
  const errors = other.understanding.parseErrors.filter(({ span }) => !known.has(span.start));
  const isIn = ({ start, end }: SourceSpan, { uri, span }: Location) => uri === first.uri && span.start >= start && span.start < end;
  const isBroken = (part: SourceSpan) => errors.some((error) => isIn(part, error));
  const broken = parts.filter(isBroken);
  const isHarmless = errors.every((error) => broken.some((part) => isIn(part, error))) && broken.every((part) => isHostCode(part, text));
  return isHarmless ? parts.filter((part) => !isBroken(part)) : [];
}

function isHostCode({ start, end }: SourceSpan, text: string): boolean {
  const code = withoutComments(text.slice(start, end));
  return kernelsIn(code) === 0 && isBalanced(code);
}

/** The kernels that stay inactive in the parts that become active: they need one more macro. */
function innerKernels({ uri, inactiveBranches }: FileReport, parts: readonly SourceSpan[], text: string): readonly InactiveKernels[] {
  return inactiveKernels(
    text,
    uri,
    inactiveBranches.filter(({ location }) => isInside(location.span.start, parts)),
  );
}

function isInside(offset: number, parts: readonly SourceSpan[]): boolean {
  return parts.some(({ start, end }) => offset >= start && offset < end);
}

/** True if the parts that become active are code in the file's language, with kernels that are active or need one more macro. */
function makesSense({ coverage }: FileReport, parts: readonly SourceSpan[], text: string, inner: readonly InactiveKernels[]): boolean {
  const hasKernels = parts.some(({ start, end }) => kernelsIn(withoutComments(text.slice(start, end))) > 0);
  return hasKernels && (coverage.kernels > 0 || inner.length > 0) && coverage.limits.length === 0;
}

function isWithin(uri: string, parts: readonly SourceSpan[]): (diagnostic: Diagnostic) => boolean {
  return ({ location }) => location.uri === uri && parts.some(({ start, end }) => location.span.start >= start && location.span.end <= end);
}

/** A finding of another build, which its message names. */
function named({ label, location }: OtherBuild): (diagnostic: Diagnostic) => Diagnostic {
  return (each) => ({
    ...each,
    message: `${each.message} (${label})`,
    related: [...each.related, ...(location === undefined ? [] : [{ message: "this build is described here", location }])],
  });
}

/** Adds the findings that only the other build or program has. An allowance is unused if none of them uses it. */
export function withDiagnostics(
  first: CheckOutcome,
  other: CheckOutcome,
  counts: (diagnostic: Diagnostic) => boolean,
  named: (diagnostic: Diagnostic) => Diagnostic,
): CheckOutcome {
  const inOther = new Set(other.report.diagnostics.map(keyOf));
  const known = new Set(first.report.diagnostics.map(keyOf));
  const kept = first.report.diagnostics.filter((each) => each.rule !== unused || inOther.has(keyOf(each)));
  const added = other.report.diagnostics.filter((each) => each.rule !== unused && !known.has(keyOf(each)) && counts(each)).map(named);
  return {
    ...first,
    undecided: first.undecided.filter((each) => other.undecided.some((one) => keyOf(one) === keyOf(each))),
    report: {
      ...first.report,
      diagnostics: [...kept, ...added].sort((a, b) => a.location.span.start - b.location.span.start),
      unread: [...new Set([...first.report.unread, ...other.report.unread])],
      dependencies: [...new Set([...first.report.dependencies, ...other.report.dependencies])],
    },
  };
}

const unused = "unused-suppression";

/** Counts the kernels that the other build has made active. */
function withKernels(
  first: CheckOutcome,
  {
    report,
    parts,
    left,
    inner,
    flag,
    kernels,
  }: {
    readonly report: FileReport;
    readonly parts: readonly SourceSpan[];
    /** The parts that the other build leaves out. */
    readonly left: readonly SourceSpan[];
    readonly inner: readonly InactiveKernels[];
    readonly flag: string;
    readonly kernels: number;
  },
): CheckOutcome {
  const { coverage, inactiveBranches } = first.report;
  const stillInactive = new Set(report.inactiveBranches.map(({ location }) => location.span.start));
  const open = inner.reduce((sum, each) => sum + each.kernels, 0);
  return {
    ...first,
    report: {
      ...first.report,
      // Branches that are taken in one of the builds are not left out.
      inactiveBranches: [
        ...inactiveBranches.filter(({ location: { span } }) => stillInactive.has(span.start) || isInside(span.start, left)),
        ...report.inactiveBranches.filter(({ location }) => isInside(location.span.start, parts)),
      ],
      coverage: {
        ...coverage,
        kernels: coverage.kernels + Math.max(0, kernels - open),
        unclear: Math.max(coverage.unclear, report.coverage.unclear),
        unknownTypes: coverage.unknownTypes.length > 0 ? coverage.unknownTypes : report.coverage.unknownTypes,
        inactive: [...coverage.inactive.filter((each) => each.flag !== flag), ...inner],
      },
    },
  };
}
