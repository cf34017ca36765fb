/**
 * Runs `memory`: prints how much memory each kernel of some files takes, with the limits, and who launches it. The numbers come from
 * `editor/memory/`; this file chooses the files, and prints JSON.
 */
import { type KernelReport, memoryOf, merged } from "../../editor/memory/report.ts";
import { isWithin } from "../../names.ts";
import { quoted } from "../../printable.ts";
import { lineIndex } from "../../project/lines.ts";
import { type Location, textOf } from "../../source.ts";
import { type ProjectFlags, readProjectOptions } from "../check-options.ts";
import { describeInternalError, openFileChecker } from "../file-checker.ts";
import { jsonDocument } from "../json.ts";
import type { CommandLine } from "../program.ts";
import { findTargets, shownPath, type TargetGroup } from "../targets.ts";
import { memoryText, type PlaceOf, type PrintedPlace } from "./memory-text.ts";

/** The options of `memory`. */
export interface MemoryOptions extends ProjectFlags {
  readonly format: "text" | "json";
}

/** Prints the memory of every kernel, and returns the exit code: 2 if a file could not be read. */
export async function runMemory(
  paths: readonly string[],
  flags: readonly string[] | undefined,
  options: MemoryOptions,
  program: CommandLine,
): Promise<number> {
  const note = (message: string) => program.terminal.error(`gpu-qualifiers: ${message}\n`);
  const { given, ignored, problems } = readProjectOptions(options, flags);
  if (ignored.length > 0) note(`flags without an effect here: ${ignored.join(" ")}`);
  for (const problem of problems) note(problem);
  if (problems.length > 0) return 2;
  const targets = findTargets(paths.length === 0 ? ["."] : paths);
  for (const problem of targets.problems) note(problem);
  const parser = await program.loadParser();
  const found: { readonly kernels: readonly KernelReport[]; readonly placeOf: PlaceOf }[] = [];
  let isIncomplete = targets.problems.length > 0;
  for (const group of targets.groups) {
    const { project, files } = openFileChecker({ ...given, project: group.project }, parser);
    const service = project.service();
    const shown = new Map(group.targets.map((target) => [target.name, target.shown]));
    const texts = new Map<string, ReturnType<typeof lineIndex>>();
    const placeOf = ({ uri, span }: Location): PrintedPlace => {
      const lines = texts.get(uri) ?? lineIndex(textOf(files, uri));
      texts.set(uri, lines);
      const { line, column } = lines.placeOf(span.start);
      return { file: shown.get(uri) ?? shownPath(uri), line: line + 1, column: column + 1 };
    };
    const memories = wantedOf(group, (name) => project.settings.isExcluded(name)).flatMap(({ name, shown: path }) => {
      if (files.read(name) === "absent") {
        note(`${quoted(path)} ${files.whyAbsent(name) ?? "cannot be read"}`);
        isIncomplete = true;
        return [];
      }
      try {
        return [memoryOf(service.partFacts(name))];
      } catch (error) {
        note(`${quoted(path)} was not read because ${describeInternalError(error)}`);
        isIncomplete = true;
        return [];
      }
    });
    const kernels = merged(memories);
    // Places are needed after the project is closed.
    found.push({ kernels, placeOf });
    project.dispose();
  }
  program.terminal.out(
    options.format === "json"
      ? jsonDocument({
          version: 1,
          kernels: found.flatMap(({ kernels, placeOf }) => kernels.map((kernel) => shownKernel(kernel, placeOf))),
        })
      : found.flatMap(({ kernels, placeOf }) => kernels.map((kernel) => memoryText(kernel, placeOf))).join("\n"),
  );
  if (found.every(({ kernels }) => kernels.length === 0)) note("no kernel in these files");
  return isIncomplete ? 2 : 0;
}

function wantedOf({ targets, folders }: TargetGroup, isExcluded: (name: string) => boolean): TargetGroup["targets"] {
  const isNamed = (name: string) => !folders.some((folder) => isWithin(name, folder.name));
  return targets.filter(({ name }) => isNamed(name) || !isExcluded(name));
}

/** The kernel with places instead of locations; what is missing in the report is missing here. */
function shownKernel(value: unknown, placeOf: PlaceOf): unknown {
  if (Array.isArray(value)) return value.map((each) => shownKernel(each, placeOf));
  if (isLocation(value)) return placeOf(value);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shownKernel(each, placeOf)]));
}

function isLocation(value: unknown): value is Location {
  return typeof value === "object" && value !== null && "uri" in value && "span" in value;
}
