/**
 * How much of a file's device code was judged, and what stands in the way of the rest: branches that no standard takes, missing
 * headers, limits. `coverage-text.ts` puts it into a sentence.
 */
import { withoutComments } from "../embedded/join.ts";
import { fileOf } from "../preprocess/row.ts";
import { codeAt } from "../preprocess/unit-row.ts";
import { unitsIn } from "../preprocess/units.ts";
import type { Unit } from "../preprocess/view/view.ts";
import { isStandardHeader } from "../semantics/builtins/standard-headers.ts";
import type { Facts } from "../semantics/facts/facts.ts";
import type { FunctionDeclaration } from "../semantics/types/symbols.ts";
import { containsUndeclared } from "../semantics/types/types.ts";
import type { Location, SourceSpan } from "../source.ts";
import type { FileReport, Note } from "./file-report.ts";
import { type HiddenKernels, hiddenKernels, joinedHidden } from "./hidden-kernels.ts";
import { definitionsFor, type NeededDefinition, negatedIn } from "./needed-definitions.ts";

/** How much of a file's device code was judged. */
export interface Coverage {
  /** Kernels with a body that were judged. */
  readonly kernels: number;
  /** Those of them that have parameters of an unknown type, which a missing header may declare. */
  readonly unclear: number;
  /** Kernels in branches that no standard takes, by the macro that would have to be defined; "" if the condition names none. */
  readonly inactive: readonly InactiveKernels[];
  /** Functions that are kernels if a macro which no header defines says so. */
  readonly hidden: readonly HiddenKernels[];
  /** Kernels in templates of whole files, and in string literals that do not parse: parts of templates, or in another language. */
  readonly unparsed: number;
  /** Headers that are missing, by the names in their `#include`s, without those that come with compilers. */
  readonly missingHeaders: readonly string[];
  /** Types of parameters that no header declares, each at its first use. */
  readonly unknownTypes: readonly { readonly name: string; readonly location: Location }[];
  /** Why parts of the file were not judged. */
  readonly limits: readonly string[];
}

/** Kernels that need a macro. */
export interface InactiveKernels {
  readonly macro: string;
  /** The flags that would make the branch active; absent if that is not certain. */
  readonly flag?: string;
  readonly kernels: number;
}

/** Nothing to judge. */
export const noCoverage: Coverage = {
  kernels: 0,
  unclear: 0,
  inactive: [],
  hidden: [],
  unparsed: 0,
  missingHeaders: [],
  unknownTypes: [],
  limits: [],
};

/** How many unknown types are named. */
const mostTypes = 100;

/** The part of the coverage that follows from the facts of a file. */
export type CoverageOfFacts = Pick<Coverage, "kernels" | "unclear" | "hidden" | "unknownTypes" | "missingHeaders">;

/** The part of the coverage that follows from the facts of a file, and from the notes of all headers if a type is unknown. */
export function coverageOfFacts(uri: string, facts: Facts, roots: readonly Unit[]): CoverageOfFacts {
  let kernels = 0;
  let unclear = 0;
  const types = new Map<string, Location>();
  for (const { declarations } of facts.functions) {
    for (const declaration of declarations) {
      if (!declaration.isDefinition || !isDevice(declaration) || fileOf(declaration.place.unit.uri) !== uri) continue;
      const unknown = declaration.parameters.filter(({ symbol }) => containsUndeclared(symbol.type));
      if (declaration.execution.kernel) {
        kernels += 1;
        if (unknown.length > 0) unclear += 1;
      }
      if (types.size >= mostTypes) continue;
      for (const { symbol } of unknown) {
        const type = declaration.declarator.parameters[symbol.index ?? 0]?.specifiers.type;
        const name = type?.kind === "named" ? type.name.parts.map(({ text }) => text).join("::") : "";
        if (name !== "" && !types.has(name)) types.set(name, codeAt(symbol.declaration));
      }
    }
  }
  const hidden = hiddenKernels(uri, facts);
  const headers = unclear + hidden.length === 0 ? [] : [...new Set(roots.flatMap(unitsIn))];
  const { missingHeaders } = coverageOfNotes(headers.flatMap(({ notes }) => notes));
  if (missingHeaders.length === 0) unclear = 0;
  return { kernels, unclear, hidden, unknownTypes: [...types].map(([name, location]) => ({ name, location })), missingHeaders };
}

function isDevice({ execution }: FunctionDeclaration): boolean {
  return execution.kernel || execution.device;
}

/** Kinds of notes about limits: what lies beyond one is not judged. */
const limits: ReadonlySet<string> = new Set(["too-large", "too-complex", "macro-limit", "include-depth", "too-many-sources"]);

/** The part of the coverage that follows from the notes. */
export function coverageOfNotes(notes: readonly Pick<Note, "kind" | "header" | "message">[]): Pick<Coverage, "missingHeaders" | "limits"> {
  const missing = notes.flatMap(({ kind, header }) => (kind === "missing-header" && header !== undefined ? [header] : []));
  return {
    missingHeaders: [...new Set(missing)].filter((name) => !isStandardHeader(name)),
    limits: [...new Set(notes.flatMap(({ kind, message }) => (kind !== undefined && limits.has(kind) ? [message] : [])))],
  };
}

/** Joins the coverage of a file with that of sources in it. */
export function joinedCoverage(all: readonly Coverage[]): Coverage {
  const sum = (count: (of: Coverage) => number) => all.reduce((total, of) => total + count(of), 0);
  const inactive = new Map<string, InactiveKernels>();
  for (const each of all.flatMap((of) => of.inactive)) {
    const known = inactive.get(each.flag ?? each.macro);
    inactive.set(each.flag ?? each.macro, { ...each, kernels: each.kernels + (known?.kernels ?? 0) });
  }
  const unknown = new Map(all.flatMap((of) => of.unknownTypes).map((type) => [type.name, type]));
  return {
    kernels: sum(({ kernels }) => kernels),
    unclear: sum(({ unclear }) => unclear),
    inactive: [...inactive.values()].sort((a, b) => b.kernels - a.kernels),
    hidden: joinedHidden(all.flatMap((of) => of.hidden)),
    unparsed: sum(({ unparsed }) => unparsed),
    missingHeaders: [...new Set(all.flatMap((of) => of.missingHeaders))],
    unknownTypes: [...unknown.values()],
    limits: [...new Set(all.flatMap((of) => of.limits))],
  };
}

// ---------------------------------------------------------------- branches

/** A kernel's specifier; a quick test, and the number of kernels in a text. */
const kernelWord = /\b__global__\b|\b(?:__)?kernel\b(?=(?:(?!\b(?:__)?kernel\b)[\s\w(),]){0,200}\bvoid\b)|\bvoid\s+(?:__)?kernel\b/g;
const directive = /^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b((?:[^\n\\]|\\\r?\n|\\)*)/gm;

/** The number of kernels in a text without comments. Directives may stand between the words of one, with a word in each branch. */
export function kernelsIn(code: string): number {
  return code.replace(/^[ \t]*#[^\n]*/gm, "").match(kernelWord)?.length ?? 0;
}

/** The kernels in branches of a text that are not taken. Only texts with such kernels cost more than a test. */
export function inactiveKernels(text: string, uri: string, inactive: FileReport["inactiveBranches"]): readonly InactiveKernels[] {
  const own = inactive.filter(({ location }) => location.uri === uri);
  if (own.length === 0 || !/__global__|kernel/.test(text)) return [];
  const branches = branchesOf(text);
  const found = new Map<string, InactiveKernels>();
  for (const { location, message } of own) {
    const branch = branches.get(location.span.start);
    if (branch === undefined) continue;
    const kernels = kernelsIn(withoutComments(text.slice(branch.start, branch.end)));
    if (kernels === 0) continue;
    const need = needOf(branch, message);
    const key = need.flag ?? need.macro;
    found.set(key, { ...need, kernels: kernels + (found.get(key)?.kernels ?? 0) });
  }
  return [...found.values()];
}

/**
 * The parts of a text that are left out, or of them those that a flag would make active. A conditional without an end is still being
 * typed.
 */
export function inactiveParts(text: string, uri: string, inactive: FileReport["inactiveBranches"], flag?: string): readonly SourceSpan[] {
  return partsThat(text, uri, inactive, (need) => flag === undefined || need().flag === flag);
}

/** The parts of a text that are left out because a macro is not defined. */
export function partsWithout(text: string, uri: string, inactive: FileReport["inactiveBranches"], macro: string): readonly SourceSpan[] {
  return partsThat(text, uri, inactive, (need) => need().macro === macro);
}

function partsThat(
  text: string,
  uri: string,
  inactive: FileReport["inactiveBranches"],
  isMeant: (need: () => ReturnType<typeof needOf>) => boolean,
): readonly SourceSpan[] {
  const branches = branchesOf(text);
  return inactive.flatMap(({ location, message }) => {
    const branch = location.uri === uri ? branches.get(location.span.start) : undefined;
    if (branch === undefined || !branch.isEnded || !isMeant(() => needOf(branch, message))) return [];
    return [{ start: branch.start, end: branch.end }];
  });
}

interface Branch {
  readonly name: string;
  readonly condition: string;
  /** The directives of the same conditional before this one. */
  readonly earlier: readonly Pick<Branch, "name" | "condition">[];
  readonly start: number;
  end: number;
  isEnded: boolean;
}

/** The branches of conditionals by the offsets of their hashes. */
function branchesOf(text: string): ReadonlyMap<number, Branch> {
  const found = new Map<number, Branch>();
  const open: Branch[] = [];
  for (const { 0: whole, 1: name = "", 2: condition = "", index } of text.matchAll(directive)) {
    const previous = name.startsWith("if") ? undefined : open.pop();
    if (previous !== undefined) {
      previous.end = index;
      previous.isEnded = true;
    }
    if (name === "endif") continue;
    const hash = index + whole.indexOf("#");
    const branch = {
      name,
      condition: withoutComments(condition).trim(),
      earlier: previous === undefined ? [] : [...previous.earlier, previous],
      start: index + whole.length,
      end: text.length,
      isEnded: false,
    };
    found.set(hash, branch);
    open.push(branch);
  }
  return found;
}

/** The macro that a branch needs, and the flags that define all that it needs. */
function needOf({ name, condition, earlier }: Branch, message: string): Pick<InactiveKernels, "macro" | "flag"> {
  if (name === "else") {
    const negated = earlier.map((each) => (each.name.endsWith("ndef") ? each.condition : negatedIn(each.condition)));
    const macro = negated.findLast((each) => each !== undefined);
    return macro === undefined ? { macro: namesIn(earlier[0]?.condition ?? "")[0] ?? "" } : withFlags(macro, [{ name: macro }]);
  }
  const [only = ""] = namesIn(condition);
  if (name.endsWith("ndef")) return { macro: only };
  if (name.endsWith("def")) return withFlags(only, [{ name: only }]);
  return withFlags(/'(\w+)' is not defined/.exec(message)?.[1] ?? only, definitionsFor(condition) ?? []);
}

/** Compilers and platforms define names with underscores, and a few others, so no flag is proposed for those. */
const ofPlatforms = /^(?:_|WIN(?:32|64|DOWS)$|APPLE$|ANDROID$|linux$|unix$)/;

function withFlags(macro: string, needed: readonly NeededDefinition[]): Pick<InactiveKernels, "macro" | "flag"> {
  const open = needed.filter(({ name }) => !ofPlatforms.test(name));
  if (open.length === 0) return { macro };
  return { macro, flag: open.map(({ name, value }) => `-D${name}${value === undefined ? "" : `=${value}`}`).join(" ") };
}

function namesIn(condition: string): readonly string[] {
  return (condition.match(/[A-Za-z_]\w*/g) ?? []).filter((name) => name !== "defined");
}
