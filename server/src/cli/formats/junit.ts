/**
 * Prints findings as a JUnit report: one suite for each checked file, in which every finding is a failed test. A file without
 * findings is one passed test, so that the report shows which files were checked.
 */
import type { ShownFinding } from "../shown-finding.ts";
import { escaped } from "./checkstyle.ts";

/** A file as one test case. */
export interface JunitFile {
  readonly shown: string;
  readonly findings: readonly ShownFinding[];
  /** The error that made the check of the file fail. */
  readonly failure?: string;
}

/** The whole document. It contains no times, so that equal findings give equal reports. */
export function junitOf(files: readonly JunitFile[]): string {
  const failures = sum(files, ({ findings }) => findings.length);
  const errors = files.filter(({ failure }) => failure !== undefined).length;
  const tests = sum(files, testsOf);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="gpu-qualifiers" tests="${tests}" failures="${failures}" errors="${errors}">`,
    ...files.flatMap(suiteOf),
    "</testsuites>",
    "",
  ].join("\n");
}

function suiteOf(file: JunitFile): readonly string[] {
  const { shown, findings, failure } = file;
  const name = escaped(shown);
  const head = `name="${name}" tests="${testsOf(file)}" failures="${findings.length}" errors="${failure === undefined ? 0 : 1}"`;
  const wrong =
    failure === undefined ? [] : [`      <error message="${escaped(failure.split("\n")[0] ?? "")}">${escaped(failure)}</error>`];
  return [
    `  <testsuite ${head}>`,
    ...(findings.length === 0
      ? [`    <testcase classname="${name}" name="gpu-qualifiers"${wrong.length === 0 ? "/>" : ">"}`, ...wrong]
      : []),
    ...(findings.length === 0 && wrong.length > 0 ? ["    </testcase>"] : []),
    ...findings.flatMap((finding) => caseOf(finding, name)),
    "  </testsuite>",
  ];
}

function caseOf({ diagnostic, places }: ShownFinding, name: string): readonly string[] {
  const { rule, severity, message, location, related } = diagnostic;
  const at = ({ uri, span }: typeof location) => {
    const { line, column } = places.lines(uri).placeOf(span.start);
    return `${places.shown(uri)}:${line + 1}:${column + 1}`;
  };
  const { line } = places.lines(location.uri).placeOf(location.span.start);
  const text = [
    `${at(location)}: ${severity}: ${message} [${rule}]`,
    ...related.map((place) => `${at(place.location)}: note: ${place.message}`),
  ];
  return [
    `    <testcase classname="${name}" name="${escaped(rule)}:${line + 1}">`,
    `      <failure type="${escaped(rule)}" message="${escaped(message)}">${text.map(escaped).join("\n")}</failure>`,
    "    </testcase>",
  ];
}

function testsOf({ findings }: JunitFile): number {
  return Math.max(1, findings.length);
}

function sum<Item>(items: readonly Item[], valueOf: (item: Item) => number): number {
  return items.reduce((total, item) => total + valueOf(item), 0);
}
