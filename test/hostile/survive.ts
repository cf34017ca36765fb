/** Properties of every input: the check ends, in time, without an exception, and gives the same result however the text was produced. */
import { type CompileSettings, noSettings } from "../../server/src/dialect.ts";
import { openProject } from "../../server/src/project/project.ts";
import { createService, type FileReport, type Service } from "../../server/src/service.ts";
import type { SyntaxParser } from "../../server/src/syntax/parser.ts";
import { memoryFiles } from "../service.ts";
import { type Input, mutated, type Session } from "./generators.ts";
import type { Folder } from "./settings-files.ts";

// One standard is enough; several only repeat the work.
const settings: CompileSettings = { ...noSettings, openclStandard: "CL2.0" };

/** Throws if checking the input fails in any way, such as taking more milliseconds of processor time than `patience`. */
export function survive(parser: SyntaxParser, { name, text }: Input, patience = Number.POSITIVE_INFINITY): void {
  const uri = `file:///${name}`;
  const service = createService({ files: memoryFiles(new Map([[uri, text]])), parser, settingsOf: () => settings });
  try {
    const { user } = process.cpuUsage();
    const report = service.check(uri);
    service.link();
    for (let at = 0; at < 4; at++) service.hover(uri, Math.floor((text.length * at) / 4));
    for (const { location } of report.diagnostics)
      if (location.uri === uri && location.span.end > text.length) throw new Error("a finding lies behind the end of its file");
    const took = (process.cpuUsage().user - user) / 1_000;
    if (took > patience) throw new Error(`took ${Math.round(took)} ms`);
  } finally {
    service.dispose();
  }
}

/** The number of edits after which the results are compared with those of a new service. */
const editsPerComparison = 12;

/** Throws if a service that saw every edit gives other results than one that sees only the last text. Returns the number of edits. */
export function editLikeFresh(parser: SyntaxParser, { input: { name, text }, edits, longest }: Session): number {
  const uri = `file:///${name}`;
  const texts = new Map([[uri, text]]);
  const make = (): Service => createService({ files: memoryFiles(texts), parser, settingsOf: () => settings, isOpen: () => true });
  const service = make();
  const compare = (): void => {
    const fresh = make();
    try {
      const [is, should] = [told(service.check(uri)), told(fresh.check(uri))];
      if (is !== should) throw new Error(`after the edits the service says ${is}, a new one ${should}`);
    } finally {
      fresh.dispose();
    }
  };
  try {
    service.check(uri);
    for (const [index, edit] of edits.entries()) {
      texts.set(uri, mutated(texts.get(uri) ?? "", edit).slice(0, longest));
      service.changed([uri]);
      // A user who types fast gets a glance first.
      if (index % 3 === 0) service.glance(uri, []);
      service.check(uri);
      if (index % editsPerComparison === editsPerComparison - 1) compare();
    }
    compare();
    return edits.length;
  } finally {
    service.dispose();
  }
}

/** Throws if settings make a check throw or take too long, or if a problem is located outside of its file. */
export function surviveSettings(parser: SyntaxParser, folder: Folder, patience = Number.POSITIVE_INFINITY): void {
  const root = "file:///w";
  const texts = new Map(Object.entries({ "a.cl": source, "a.cu": cuda, ...folder }).map(([name, text]) => [`${root}/${name}`, text]));
  const { user } = process.cpuUsage();
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
  const took = (process.cpuUsage().user - user) / 1_000;
  if (took > patience) throw new Error(`took ${Math.round(took)} ms`);
}

const source = '#include "x.h"\nkernel void k(global int *a, local int *b) { a = b; }\n';
const cuda = '#include "x.h"\n__global__ void k(__grid_constant__ int v) {}\n';
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what nobody wants to see
const control = /[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]/;

function told({ diagnostics, notes }: FileReport): string {
  return JSON.stringify([diagnostics.map(({ rule, severity, message, location }) => [rule, severity, message, location]), notes]);
}

/** The shortest text found for which `fails` still holds: lines and then characters are removed, within a number of steps. */
export function minimized(text: string, fails: (text: string) => boolean, steps = 300): string {
  let left = steps;
  let smallest = text;
  for (const separator of ["\n", ""]) {
    let parts = smallest.split(separator);
    for (let size = parts.length >> 1; size >= 1 && left > 0; size >>= 1) {
      for (let from = 0; from < parts.length && left > 0; ) {
        left -= 1;
        const without = [...parts.slice(0, from), ...parts.slice(from + size)];
        if (without.length < parts.length && fails(without.join(separator))) parts = without;
        else from += size;
      }
    }
    smallest = parts.join(separator);
  }
  return smallest;
}
