/** What has to hold of every input: the check ends, in time, without an exception, and says the same however the text came about. */
import { type CompileSettings, noSettings } from "../../server/src/dialect.ts";
import { createService, type FileReport, type Service } from "../../server/src/service.ts";
import type { SyntaxParser } from "../../server/src/syntax/parser.ts";
import { memoryFiles } from "../service.ts";
import { type Input, type Mutation, mutated } from "./generators.ts";

// One standard is enough; several only repeat the work.
const settings: CompileSettings = { ...noSettings, openclStandard: "CL2.0" };

/** What an input must not take longer than, in milliseconds of processor time. */
export const patience = 2_000;

/** Throws where a check of the input does what it must not. */
export function survive(parser: SyntaxParser, { name, text }: Input): void {
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

/** Throws where a service that saw every edit says something else than one that sees the last text only. Returns the edits made. */
export function editLikeFresh(parser: SyntaxParser, { name, text }: Input, edits: readonly Mutation[]): number {
  const uri = `file:///${name}`;
  const texts = new Map([[uri, text]]);
  const make = (): Service => createService({ files: memoryFiles(texts), parser, settingsOf: () => settings });
  const service = make();
  try {
    service.check(uri);
    for (const edit of edits) {
      texts.set(uri, mutated(texts.get(uri) ?? "", edit));
      service.changed([uri]);
      service.check(uri);
    }
    const fresh = make();
    try {
      const [is, should] = [told(service.check(uri)), told(fresh.check(uri))];
      if (is !== should) throw new Error(`after the edits the service says ${is}, a new one ${should}`);
    } finally {
      fresh.dispose();
    }
    return edits.length;
  } finally {
    service.dispose();
  }
}

function told({ diagnostics, notes }: FileReport): string {
  return JSON.stringify([diagnostics.map(({ rule, severity, message, location }) => [rule, severity, message, location]), notes]);
}

/** The shortest text that we find for which `fails` still holds: lines and then characters are left out, as long as steps remain. */
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
