/**
 * Reads fixtures in both ways: as a whole, as the command line does, and by pieces, as an open file is read. The results are plain
 * data that tests compare.
 */
import { inlayHints } from "../server/src/editor/inlay-hints.ts";
import { lenses } from "../server/src/editor/lenses.ts";
import { semanticTokens } from "../server/src/editor/semantic-tokens.ts";
import type { Diagnostic } from "../server/src/finding.ts";
import { createService, type Service } from "../server/src/service.ts";
import type { Edit } from "../server/src/source.ts";
import type { SyntaxParser } from "../server/src/syntax/parser.ts";
import { isThorough } from "./effort.ts";
import type { Fixture, SeenFinding } from "./fixtures.ts";
import { type Mend, mendsFrom } from "./mends.ts";
import { memoryFiles, seenBy, serviceOf, settingsFor } from "./service.ts";

/** A fixture under one of its standards, read as a whole. */
export interface WholeReading {
  /** The findings that are compared with the markers. */
  readonly seen: readonly SeenFinding[];
  /** The fixes of its errors. */
  readonly mends: readonly Mend[];
}

/** The other results for a file, under its first standard. */
export interface WholeFile extends WholeReading {
  readonly checked: Checked;
  readonly shown: Shown | undefined;
}

/** A fixture of one file, read by pieces under its first standard. */
export interface OpenReading {
  readonly checked: Checked;
  readonly shown: Shown | undefined;
  readonly isCut: boolean;
  /** The findings that the first check showed before it ended. */
  readonly early: ReadonlySet<string>;
  readonly inTheEnd: readonly string[];
  /** How many early findings are still shown beside those of the check. */
  readonly afterwards: number;
}

/** Fixtures with type attributes. In a file that is read as a whole all of them are rewritten if one needs it, so places differ. */
const placedOtherwise: ReadonlySet<string> = new Set([
  "address-space-placement/attributes.cl",
  "memory-space-placement/numbered-spaces.cu",
]);

/** True if findings are at the same places in both readings. */
export function arePlacedAlike({ name }: Fixture): boolean {
  return !placedOtherwise.has(name);
}

/** The uri of a fixture of one file. */
export function uriOf({ files: [file] }: Fixture): string {
  return `file:///fixture/${file?.name}`;
}

/**
 * A service for a fixture of one file, under its first standard. One that is not told which files are open reads them as a whole,
 * and keeps what editors ask for.
 */
export function serviceFor(parser: SyntaxParser, fixture: Fixture, texts: ReadonlyMap<string, string>, isOpen: boolean): Service {
  const settings = settingsFor(fixture, fixture.standards[0]);
  return createService({ files: memoryFiles(texts), parser, settingsOf: () => settings, ...(isOpen ? { isOpen: () => true } : {}) });
}

/** Reads the fixture as a whole. */
export function readWhole(parser: SyntaxParser, fixture: Fixture, standard: string): WholeReading {
  const service = serviceOf(parser, fixture.files, settingsFor(fixture, standard));
  try {
    return { seen: seenBy(service, fixture), mends: mendsFrom(service, fixture, standard) };
  } finally {
    service.dispose();
  }
}

/** Reads a fixture of one file as a whole, under its first standard. */
export function readWholeFile(parser: SyntaxParser, fixture: Fixture): WholeFile {
  const uri = uriOf(fixture);
  const text = fixture.files[0]?.text ?? "";
  const service = serviceFor(parser, fixture, new Map([[uri, text]]), false);
  try {
    const seen = seenBy(service, fixture);
    const mends = mendsFrom(service, fixture, fixture.standards[0] ?? "");
    return { seen, mends, shown: shownIf(fixture, service, uri, text), checked: checkedFrom(service, uri) };
  } finally {
    service.dispose();
  }
}

/** Reads the fixture by pieces, under its first standard. */
export function readOpen(parser: SyntaxParser, fixture: Fixture): OpenReading {
  const uri = uriOf(fixture);
  const text = fixture.files[0]?.text ?? "";
  const service = serviceFor(parser, fixture, new Map([[uri, text]]), true);
  try {
    const early = new Set<string>();
    const steps = service.checkInSteps(uri);
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) for (const found of service.foundSoFar(uri)) early.add(told(found));
    const inTheEnd = step.value.diagnostics.map(told);
    const afterwards = service.foundSoFar(uri).length;
    const shown = shownIf(fixture, service, uri, text);
    const checked = checkedFrom(service, uri);
    return { early, inTheEnd, afterwards, shown, checked, isCut: service.glance(uri, []) !== undefined };
  } finally {
    service.dispose();
  }
}

function told({ rule, message, severity, location: { uri, span } }: Diagnostic): string {
  return `${uri} ${span.start} ${span.end} ${rule} ${severity} ${message}`;
}

/** All results of a service for a file, including the findings that only the link can decide. */
export type Checked = ReturnType<typeof checkedFrom>;

/** See `Checked`. */
export function checkedFrom(service: Service, uri: string) {
  const { report, summary, undecided } = service.checkInBatch(uri);
  const { understanding, notes, inactiveBranches, itemStarts, dependencies } = report;
  return {
    diagnostics: toldWithFixes(report.diagnostics),
    undecided: toldWithFixes(undecided),
    summary,
    parseErrors: understanding.parseErrors.map(({ span }) => span.start),
    notes,
    inactiveBranches,
    itemStarts,
    dependencies: [...dependencies].sort(),
  };
}

/** The diagnostics in words, with their related places and fixes, in an order of their own. */
export function toldWithFixes(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics
    .map(({ rule, severity, message, location: { span }, related, fixes }) =>
      [
        `${rule} ${severity} ${message} ${span.start} ${span.end}`,
        ...related.map(({ location }) => `related ${location.uri} ${location.span.start}`),
        ...fixes.map(({ title, edits, isPreferred }) => `fix ${title} ${isPreferred} ${edits.map(spell).join(" ")}`),
      ].join("; "),
    )
    .sort();
}

function spell({ location: { uri, span }, text }: Edit): string {
  return `${uri} ${span.start} ${span.end} ${JSON.stringify(text)}`;
}

/** Everything that editors show of a file besides its findings. */
type Shown = ReturnType<typeof shown>;

/** Hovers and declarations at each word take long, so one out of twenty of these fixtures is usually enough. */
function shownIf({ name }: Fixture, service: Service, uri: string, text: string): Shown | undefined {
  return isThorough || name.length % 20 === 0 ? shown(service, uri, text) : undefined;
}

function shown(service: Service, uri: string, text: string) {
  const words = [...text.matchAll(/[A-Za-z_]\w*/g)].map(({ index }) => index);
  const parts = service.partFacts(uri);
  return {
    hints: parts.map(({ file }) => inlayHints(file)),
    tokens: parts.map(({ file }) => semanticTokens(file)),
    lenses: parts.map(({ file }) => lenses(file)),
    hovers: words.map((offset) => service.hover(uri, offset)),
    declarations: words.map((offset) => service.declarations(uri, offset)),
  };
}
