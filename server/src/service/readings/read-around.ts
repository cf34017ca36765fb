/** Reads a file as a build reads it that takes the branches around a place, so that editors can explain code in inactive branches. */
import type { ReadFile } from "../../diagnostics/analyzed-files.ts";
import { type AssumedBranches, branchesAround } from "../../preprocess/lexing/assumed-branches.ts";
import { fileOf } from "../../preprocess/row.ts";
import { unitsIn } from "../../preprocess/units.ts";
import type { Unit } from "../../preprocess/view/view.ts";
import { type FileUri, textOf } from "../../source.ts";
import type { Tools } from "../options.ts";
import type { AnalyzedFile } from "../read-file.ts";

/** Reads files around places, and keeps the last one. */
export interface ReadAround {
  /** `file`, unless the offset is in a branch that is not taken in it. */
  of(file: ReadFile, offset: number): ReadFile;
  forget(): void;
}

/** `read` reads a file with other tools, and `shown` is what editors see of that. */
export function createReadAround(
  tools: Tools,
  read: (using: Tools, uri: FileUri) => AnalyzedFile,
  shown: (uri: FileUri, reading: AnalyzedFile) => ReadFile,
): ReadAround {
  let last: { readonly key: string; readonly file: ReadFile } | undefined;
  return {
    of: (file, offset) => {
      const { uri } = file;
      const unit = file.readings[0]?.unit;
      const assumed = unit === undefined ? undefined : branchesAround(uri, textOf(tools.options.files, uri), offset);
      if (assumed === undefined || unit === undefined || !areAssumed(assumed, unit)) return file;
      if (last?.key !== assumed.key) {
        const { options } = tools;
        const using: Tools = { ...tools, options: { ...options, settingsOf: (each) => ({ ...options.settingsOf(each), assumed }) } };
        last = { key: assumed.key, file: shown(uri, read(using, uri)) };
      }
      return last.file;
    },
    forget: () => {
      last = undefined;
    },
  };
}

/** True if some of the branches that would be taken is not, in the file as it is read. */
function areAssumed({ uri, taken }: AssumedBranches, root: Unit): boolean {
  return unitsIn(root).some((unit) =>
    (unit.inactiveBranches ?? []).some(({ location }) => fileOf(location.uri) === uri && taken.get(location.span.start) === true),
  );
}
