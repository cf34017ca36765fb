/**
 * Every fix that the checker offers for an error in an OpenCL fixture, with the fixed files, and whether the compiler confirms
 * that the error is gone. The answers are in `fixtures/mends.json`; `scripts/oracle.ts` records them.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Service } from "../server/src/service.ts";
import type { SyntaxParser } from "../server/src/syntax/parser.ts";
import { type Fixture, type FixtureFile, isSourceName, withoutCarets } from "./fixtures.ts";
import { fixturesFolder } from "./load-fixtures.ts";
import { serviceOf, settingsFor } from "./service.ts";
import type { Verdict } from "./verdicts.ts";

export const mendsPath = join(fixturesFolder, "mends.json");

export interface Mend {
  /** The fixture, line, standard and title of the fix, for messages. */
  readonly name: string;
  readonly fixture: Fixture;
  /** The source with the finding. */
  readonly file: string;
  readonly standard: string;
  readonly after: readonly FixtureFile[];
  /** The hash of the compiler's input. */
  readonly hash: string;
}

/** The fixes for one fixture under each of its standards. */
export function mendsOf(parser: SyntaxParser, fixture: Fixture): readonly Mend[] {
  return fixture.standards.flatMap((standard) => {
    const service = serviceOf(parser, fixture.files, settingsFor(fixture, standard));
    try {
      return mendsFrom(service, fixture, standard);
    } finally {
      service.dispose();
    }
  });
}

/** The fixes that a service offers for an OpenCL fixture under the given standard. */
export function mendsFrom(service: Service, fixture: Fixture, standard: string): readonly Mend[] {
  if (fixture.language !== "opencl") return [];
  return fixture.files
    .filter(({ name }) => isSourceName(name))
    .flatMap(({ name: file, text }) =>
      service
        .check(`file:///fixture/${file}`)
        .diagnostics.filter(({ severity }) => severity === "error")
        .flatMap(({ location, fixes }) =>
          fixes.flatMap((given) => {
            const fix = service.complete(`file:///fixture/${file}`, given);
            if (fix === undefined) return [];
            const line = text.slice(0, location.span.start).split("\n").length;
            const after = fixture.files.map((each) => ({ name: each.name, text: edited(each, fix.edits) }));
            const hash = hashOf(after, file, standard, fixture.flags);
            return [{ name: `${fixture.name}:${line} ${standard}: ${fix.title}`, fixture, file, standard, after, hash }];
          }),
        ),
    );
}

function hashOf(after: readonly FixtureFile[], file: string, standard: string, flags: readonly string[]): string {
  const judged = [after.map(({ name, text }) => ({ name, text: withoutCarets(text).text })), file, standard, flags];
  return createHash("sha256").update(JSON.stringify(judged)).digest("hex").slice(0, 12);
}

function edited(
  { name, text }: FixtureFile,
  edits: readonly {
    readonly location: { readonly uri: string; readonly span: { readonly start: number; readonly end: number } };
    readonly text: string;
  }[],
): string {
  const own = edits
    .filter(({ location }) => location.uri === `file:///fixture/${name}`)
    .sort((a, b) => b.location.span.start - a.location.span.start);
  return own.reduce(
    (result, { location: { span }, text: replacement }) => result.slice(0, span.start) + replacement + result.slice(span.end),
    text,
  );
}

/** The problem with a fix, judged by the compiler's messages before and after it; undefined if there is none. */
export function problemOfMend(before: readonly Verdict[], after: readonly Verdict[]): string | undefined {
  const old = before.filter(({ severity }) => severity === "error").map(({ message }) => message);
  const errors = after.filter(({ severity }) => severity === "error").map(({ message }) => message);
  // Where the compiler is silent about the mistake, the fix must not add an error.
  if (old.length === 0 && errors.length === 0) return undefined;
  if (errors.length >= old.length) return `${errors.length} errors are left of ${old.length}`;
  for (const message of errors) {
    const index = old.indexOf(message);
    if (index < 0) return `it is new that ${message}`;
    old.splice(index, 1);
  }
  return undefined;
}

/** The hashes of the fixes that a compiler confirmed. */
export function readMends(): ReadonlySet<string> {
  return new Set(JSON.parse(readFileSync(mendsPath, "utf8")) as string[]);
}
