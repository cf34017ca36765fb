/** Properties of every input: its check ends in time and without an exception, and the result does not depend on earlier edits. */
import { type CompileSettings, noSettings } from "../../server/src/dialect.ts";
import { openProject } from "../../server/src/project/project.ts";
import { createService, type FileReport, type Service } from "../../server/src/service.ts";
import type { SyntaxParser } from "../../server/src/syntax/parser.ts";
import { memoryFiles } from "../service.ts";
import { type Input, type Session, textsOf } from "./generators.ts";
import type { Folder } from "./settings-files.ts";

// One standard is enough; more would only repeat the work.
const settings: CompileSettings = { ...noSettings, openclStandard: "CL2.0" };

/** Throws if the check of the input fails in any way, or takes more than `patience` milliseconds of processor time. */
export function survive(parser: SyntaxParser, { name, text }: Input, patience = Number.POSITIVE_INFINITY): void {
  const uri = `file:///${name}`;
  inTime(patience, () => {
    const service = createService({ files: memoryFiles(new Map([[uri, text]])), parser, settingsOf: () => settings });
    try {
      const report = service.check(uri);
      service.link();
      for (let at = 0; at < 4; at++) service.hover(uri, Math.floor((text.length * at) / 4));
      for (const { location } of report.diagnostics)
        if (location.uri === uri && location.span.end > text.length) throw new Error("a finding lies behind the end of its file");
    } finally {
      service.dispose();
    }
  });
}

/** Throws if the work takes more than `patience` milliseconds of processor time, twice in a row. */
function inTime(patience: number, work: () => void): void {
  const start = performance.now();
  work();
  // A call for the processor's time takes longer than the check of a short text, so it is used only for slow work.
  if (performance.now() - start < patience) return;
  const { user } = process.cpuUsage();
  work();
  const took = (process.cpuUsage().user - user) / 1_000;
  if (took > patience) throw new Error(`took ${Math.round(took)} ms`);
}

/** One text of a file while the user types. */
export interface TypedText {
  readonly text: string;
  /** Whether a complete check follows the glance, as it does when typing pauses. */
  readonly rests: boolean;
}

/** The texts of one file, in the order in which they are typed. */
export interface Typing {
  readonly name: string;
  readonly texts: readonly TypedText[];
}

/** The number of edits between two pauses, and between two comparisons with a new service. */
const editsPerRest = 3;
const editsPerComparison = 15;

/** The texts that a session types. */
export function typingOf(session: Session): Typing {
  const texts = [...textsOf(session)].map((text, index) => ({ text, rests: index % editsPerRest === editsPerRest - 1 }));
  return { name: session.input.name, texts: [{ text: session.input.text, rests: true }, ...texts] };
}

/** Throws if a service that saw all texts has other findings than a new service in one of them. Returns the number of edits. */
export function editLikeFresh(parser: SyntaxParser, { name, texts }: Typing, perComparison = editsPerComparison): number {
  const uri = `file:///${name}`;
  const now = new Map<string, string>();
  const make = (): Service => createService({ files: memoryFiles(now), parser, settingsOf: () => settings, isOpen: () => true });
  const service = make();
  try {
    for (const [index, { text, rests }] of texts.entries()) {
      now.set(uri, text);
      service.changed([uri]);
      if (index > 0) service.glance(uri, []);
      const isCompared = index === texts.length - 1 || index % perComparison === perComparison - 1;
      if (rests || isCompared) service.check(uri);
      if (isCompared) compare(service, make(), uri, index);
    }
    return texts.length - 1;
  } finally {
    service.dispose();
  }
}

function compare(service: Service, fresh: Service, uri: string, index: number): void {
  try {
    const [is, should] = [told(service.check(uri)), told(fresh.check(uri))];
    if (is !== should) throw new Error(`after edit ${index} the service says ${is}, a new one ${should}`);
  } finally {
    fresh.dispose();
  }
}

/** The shortest typing found for which `fails` still holds: texts are removed, and then lines from all texts. */
export function minimizedTyping(typing: Typing, fails: (typing: Typing) => boolean): Typing {
  let { texts } = typing;
  const holds = (fewer: readonly TypedText[]): boolean => {
    if (fewer.length === 0 || !fails({ ...typing, texts: fewer })) return false;
    texts = fewer;
    return true;
  };
  for (let count = 1; count < texts.length && !holds(texts.slice(0, count)); count++);
  for (let at = texts.length - 2; at >= 0; at--) holds(texts.filter((_, index) => index !== at));
  for (let isShorter = true; isShorter; ) {
    isShorter = false;
    for (const part of new Set(texts.flatMap(({ text }) => text.split(/(?<=\n)/)))) {
      const without = texts.map(({ text, rests }) => ({ text: text.replaceAll(part, () => ""), rests }));
      if (part !== "" && holds(without)) isShorter = true;
    }
  }
  return { ...typing, texts };
}

/** Throws if a check under the settings throws or takes too long, or if a problem lies outside of its file. */
export function surviveSettings(parser: SyntaxParser, folder: Folder, patience = Number.POSITIVE_INFINITY): void {
  const root = "file:///w";
  const texts = new Map(Object.entries({ "a.cl": source, "a.cu": cuda, ...folder }).map(([name, text]) => [`${root}/${name}`, text]));
  inTime(patience, () => {
    const project = openProject({ root, files: memoryFiles(texts), parser });
    try {
      for (const name of ["a.cl", "a.cu"]) {
        const { notes } = project.service().check(`${root}/${name}`);
        project.settings.severitiesOf(`${root}/${name}`);
        project.settings.isExcluded(`${root}/${name}`);
        for (const { message } of notes)
          if (control.test(message)) throw new Error(`a note has control characters: ${JSON.stringify(message)}`);
      }
      for (const { message, location } of project.settings.problems()) {
        if (control.test(message)) throw new Error(`a problem has control characters: ${JSON.stringify(message)}`);
        if (location.span.end > (texts.get(location.uri) ?? "").length) throw new Error(`a problem lies behind the end of ${location.uri}`);
      }
    } finally {
      project.dispose();
    }
  });
}

const source = '#include "x.h"\nkernel void k(global int *a, local int *b) { a = b; }\n';
const cuda = '#include "x.h"\n__global__ void k(__grid_constant__ int v) {}\n';
// biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for these
const control = /[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]/;

function told({ diagnostics, notes }: FileReport): string {
  return JSON.stringify([
    diagnostics.map(({ rule, severity, message, location, related, fixes }) => [rule, severity, message, location, related, fixes]),
    notes,
  ]);
}

/** The shortest text found for which `fails` still holds: lines and then characters are removed, within a number of steps. */
export function minimized(text: string, fails: (text: string) => boolean, steps = 300): string {
  const search = shorterTexts(text, steps);
  let next = search.next();
  while (next.done !== true) next = search.next(fails(next.value));
  return next.value;
}

/** Like `minimized`, where the answer takes time. */
export async function minimizedText(text: string, fails: (text: string) => Promise<boolean>, steps = 300): Promise<string> {
  const search = shorterTexts(text, steps);
  let next = search.next();
  while (next.done !== true) next = search.next(await fails(next.value));
  return next.value;
}

/** The fewest parts found for which `fails` still holds, within a number of steps. */
export async function minimizedParts<Part>(
  all: readonly Part[],
  fails: (parts: readonly Part[]) => Promise<boolean>,
  steps: number,
): Promise<readonly Part[]> {
  const search = fewerParts(all, { left: steps });
  let next = search.next();
  while (next.done !== true) next = search.next(await fails(next.value));
  return next.value;
}

/** Asks of shorter texts whether they still fail; returns the shortest that does. */
function* shorterTexts(text: string, steps: number): Generator<string, string, boolean> {
  const budget = { left: steps };
  let smallest = text;
  for (const separator of ["\n", ""]) {
    const search = fewerParts(smallest.split(separator), budget);
    let next = search.next();
    while (next.done !== true) next = search.next(yield next.value.join(separator));
    smallest = next.value.join(separator);
  }
  return smallest;
}

/** Asks of fewer parts, without ever shorter runs of them, whether they still fail; returns the fewest that do. */
function* fewerParts<Part>(all: readonly Part[], budget: { left: number }): Generator<readonly Part[], readonly Part[], boolean> {
  let parts = all;
  for (let size = parts.length >> 1; size >= 1 && budget.left > 0; size >>= 1) {
    for (let from = 0; from < parts.length && budget.left > 0; ) {
      budget.left -= 1;
      const without: readonly Part[] = [...parts.slice(0, from), ...parts.slice(from + size)];
      if (without.length < parts.length && (yield without)) parts = without;
      else from += size;
    }
  }
  return parts;
}
