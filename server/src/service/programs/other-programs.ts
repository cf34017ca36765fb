/**
 * Judges a header once more in each further program that gives it another meaning: one in another language, one that defines a word of
 * the header differently before it. A mistake in any program is a mistake; a note names the program. Whether a program may differ is
 * read off the texts around the `#include`s, so that most headers cost nothing.
 */
import { keyOf } from "../../diagnostics/report.ts";
import type { Diagnostic } from "../../finding.ts";
import { baseNameOf } from "../../names.ts";
import { createIncludeGraph, type IncludeGraph } from "../../settings/builds/include-graph.ts";
import { type Files, type Location, textOf } from "../../source.ts";
import type { Steps } from "../../steps.ts";
import { literally } from "../../words.ts";
import { checkAnalyzed } from "../check-file.ts";
import type { CheckOutcome } from "../file-result.ts";
import type { Tools } from "../options.ts";
import { candidatesOf, contextOf, filesByText, namedLanguage, readFileIn, settingsFor } from "../read-file.ts";
import type { Neighbors } from "../readings/neighbors.ts";
import { withBothBranches, withDiagnostics, withOtherBuilds } from "./other-builds.ts";

/** How many programs judge a header beside the first. */
const mostPrograms = 3;

/** The result of a file's check, joined with what its other builds and its other programs add. */
type WithOthers = (tools: Tools, uri: string, first: CheckOutcome) => Steps<CheckOutcome>;

/**
 * Creates the check in other builds and programs. It remembers what the files define as long as their texts stay the same. With the tools
 * `alone`, each file is read by itself.
 */
export function createOtherPrograms(alone: Tools, neighbors: Neighbors): WithOthers {
  const graph = createIncludeGraph(alone.hosts.files, outlineOf);
  const othersOf = function* (tools: Tools, uri: string, root: string): Steps<readonly string[]> {
    const others = candidatesOf(tools, uri).filter((each) => each !== root);
    // A file that is read by itself has no program that reaches it.
    if (root === uri || others.length === 0) return [];
    const words = new Set(textOf(tools.options.files, uri).match(/[A-Za-z_]\w*/g));
    const meaningIn = (program: string) => meaningOf(tools, uri, program, words, graph);
    const known = new Set([meaningIn(root)]);
    const found: string[] = [];
    for (const program of others) {
      const meaning = meaningIn(program);
      if (known.has(meaning) || !(yield* filesByText(tools, program)).includes(uri)) continue;
      known.add(meaning);
      found.push(program);
      if (found.length === mostPrograms) break;
    }
    return found;
  };
  return function* (tools, uri, first) {
    let joined = yield* withOtherBuilds(tools, uri, first);
    const programsOf = function* (other: string): Steps<readonly string[]> {
      return yield* othersOf(tools, other, (yield* contextOf(tools, other)).root);
    };
    for (const program of yield* othersOf(tools, uri, joined.report.dependencies[0] ?? uri)) {
      const reading =
        tools === alone ? yield* readFileIn(tools, uri, program) : yield* neighbors.read(tools, uri, { root: program, programsOf });
      if (reading.readings.length === 0) continue;
      const other = yield* checkAnalyzed(tools, uri, reading, true);
      const whole = yield* withBothBranches(tools, uri, other, other.openMacros, program);
      joined = joinedWith(joined, whole, program, tools.options.files);
    }
    return joined;
  };
}

/** Adds the mistakes in another program. Hints are given for the first one only. */
function joinedWith(first: CheckOutcome, other: CheckOutcome, program: string, files: Files): CheckOutcome {
  const { uri } = first.report;
  const isLoud = ({ severity }: Diagnostic) => severity === "error" || severity === "warning";
  const louder = new Set(other.report.diagnostics.filter(isLoud).map(keyOf));
  const isMistake = (each: Diagnostic) => each.severity !== "hint";
  const kept = first.report.diagnostics.filter((each) => isLoud(each) || !louder.has(keyOf(each)));
  const related = {
    message: `in the program of '${baseNameOf(program)}'`,
    location: includeIn(program, uri, files),
  };
  const joined = withDiagnostics({ ...first, report: { ...first.report, diagnostics: kept } }, other, isMistake, (each) => ({
    ...each,
    related: [...each.related, related],
  }));
  const { coverage } = other.report;
  const needs = new Set(coverage.inactive.map(({ macro }) => macro));
  const active = first.report.coverage.inactive.filter(({ macro }) => !needs.has(macro));
  const kernels = Math.max(first.report.coverage.kernels, coverage.kernels);
  return {
    ...joined,
    report: {
      ...joined.report,
      // Kernels that one of the programs compiles are judged.
      coverage: { ...first.report.coverage, kernels, inactive: first.report.coverage.inactive.filter((each) => !active.includes(each)) },
    },
  };
}

/** The `#include` in a source that names a file, or else the source's start: it includes the file through others. */
function includeIn(program: string, uri: string, files: Files): Location {
  const name = literally(baseNameOf(uri));
  const found = new RegExp(`^[ \\t]*#[ \\t]*include[ \\t]*[<"](?:[^">\\n]*/)?${name}[">]`, "m").exec(textOf(files, program));
  const start = found?.index ?? 0;
  return { uri: program, span: { start, end: start + (found?.[0].length ?? 0) } };
}

/** A line of a text that may change what a header after it means. */
interface Definition {
  readonly name: string;
  readonly line: string;
}

/** What a text defines, and the macros that its conditionals name. */
interface Outline {
  readonly definitions: readonly Definition[];
  readonly tested: ReadonlySet<string>;
}

const defining = /^[ \t]*#[ \t]*(?:define|undef)[ \t]+(\w+).*$|^[ \t]*typedef\b[^;{}]*?\b(\w+)[ \t]*;/gm;
const testing = /^[ \t]*#[ \t]*(?:el)?if.*$/gm;

function outlineOf(text: string): Outline {
  return {
    definitions: [...text.matchAll(defining)].map(([line, macro, type]) => ({ name: macro ?? type ?? "", line })),
    tested: new Set([...text.matchAll(testing)].flatMap(([line]) => line.match(/[A-Za-z_]\w*/g) ?? [])),
  };
}

/** How many files of a program are looked at for definitions. */
const mostFiles = 24;

/** What a program lets the words of a header mean, as far as its language, its settings and the texts before the header say. */
function meaningOf(tools: Tools, uri: string, program: string, words: ReadonlySet<string>, graph: IncludeGraph<Outline>): string {
  const settings = settingsFor(tools, program);
  const outlines = graph.reached(program, mostFiles, new Set(graph.reached(uri, mostFiles))).map(graph.of);
  const definitions = outlines.flatMap(({ definitions: own }) => own.flatMap(({ name, line }) => (words.has(name) ? [line] : [])));
  const macros = settings.macros.filter(({ name }) => words.has(name) || outlines.some(({ tested }) => tested.has(name)));
  return JSON.stringify([namedLanguage(tools, program, settings), macros, [...new Set(definitions)].sort()]);
}
