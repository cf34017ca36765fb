/**
 * Decides whether a text that a check has not read may enable an OpenCL extension before a file: one that includes the file, one that the
 * build puts in front, or a literal of the host. Pragmas in the texts that were read take effect in `semantics/units/extension-switches.ts`.
 */
import type { CompileSettings } from "../dialect.ts";
import { type EnabledExtensions, extensionsEnabledIn } from "../preprocess/definitions.ts";
import type { Includers, Readers } from "../preprocess/includers.ts";
import { fileOf } from "../preprocess/row.ts";
import { locationInFile } from "../preprocess/unit-row.ts";
import { unitsIn } from "../preprocess/units.ts";
import type { Unit } from "../preprocess/view/view.ts";
import type { CheckedFile, Extension } from "../rules/rule.ts";
import type { SourceSpan } from "../source.ts";
import { partsWithout } from "./coverage.ts";

/** A file that rules judge, and the units of its translation unit. */
export interface Asking {
  readonly uri: string;
  /** The file in whose translation unit it was read. */
  readonly root: string;
  readonly settings: CompileSettings;
  readers(): Readers;
  units(): readonly Unit[];
}

/** What answers about the other files of the workspace. */
interface Workspace {
  readonly includers: Includers;
  textOf(uri: string): string;
  enabledExtensions(): EnabledExtensions;
}

/** The rules' question for a file. */
export function extensionsBefore(workspace: Workspace, { uri, root, settings, readers, units }: Asking): CheckedFile["mayBeEnabledBefore"] {
  const answers = new Map<Extension, boolean>();
  const enables = (extension: Extension) => (name: string) => name === extension || name === "all";
  const enabledIn = (file: string, extension: Extension) =>
    extensionsEnabledIn(workspace.textOf(file)).filter(({ name }) => enables(extension)(name));
  const ofOtherBuilds = (settings.otherBuilds ?? []).flatMap(({ macros = [] }) => macros);
  /** Where this build leaves out what one of the described builds takes. */
  const partsOfOtherBuilds = (file: string): readonly SourceSpan[] => {
    const inactive = units()
      .flatMap(unitsIn)
      .filter((unit) => fileOf(unit.uri) === file)
      .flatMap((unit) => (unit.inactiveBranches ?? []).map((each) => ({ ...each, location: locationInFile(unit, each.location) })));
    return ofOtherBuilds.flatMap(({ name }) => partsWithout(workspace.textOf(file), file, inactive, name));
  };
  /** True if the file enables the extension, though only in other builds, for which it is judged by itself. */
  const isLeftToOtherBuilds = (file: string, extension: Extension): boolean => {
    if (ofOtherBuilds.length === 0) return false;
    const pragmas = enabledIn(file, extension);
    const parts = pragmas.length === 0 ? [] : partsOfOtherBuilds(file);
    return parts.length > 0 && pragmas.every(({ start: at }) => parts.some(({ start, end }) => start <= at && at < end));
  };
  const isEnabledIn = (file: string, extension: Extension) =>
    file !== uri && enabledIn(file, extension).length > 0 && !isLeftToOtherBuilds(file, extension);
  const ask = (extension: Extension): boolean => {
    // Read by itself, a source that another one includes lacks the extensions that are enabled there.
    if (root === uri && readers() !== "none") return true;
    const { includers } = workspace;
    // A header is written for its programs, and may come after a file in another of them that comes after it in this one.
    if (root !== uri && [...includers.includedBy(includers.reaching([uri]))].some((file) => isEnabledIn(file, extension))) return true;
    const { inHeaders, inHosts } = workspace.enabledExtensions();
    if (inHosts.some(enables(extension))) return true;
    // A program that has its own pragma does not leave that to its build.
    const isSwitched = () =>
      units().some((unit) =>
        unitsIn(unit).some(
          ({ uri: file, switches = [] }) =>
            switches.some(({ name }) => enables(extension)(name)) || isLeftToOtherBuilds(fileOf(file), extension),
        ),
      );
    return isBuildUnknown(settings) && inHeaders.some(enables(extension)) && !isSwitched();
  };
  return (extension) => {
    const answer = answers.get(extension) ?? ask(extension);
    answers.set(extension, answer);
    return answer;
  };
}

function isBuildUnknown({ origin, standardFrom, macrosFrom }: CompileSettings): boolean {
  return origin === "defaults" || standardFrom !== undefined || macrosFrom !== undefined;
}
