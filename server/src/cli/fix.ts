/** `--fix`: writes the preferred fixes of what was reported into the files. Files outside of the project stay as they are. */
import { writeFileSync } from "node:fs";
import { allPreferredEdits, applyEdits, editsByFile } from "../features/fix-all.ts";
import type { Severity } from "../finding.ts";
import { readText } from "../host/node-files.ts";
import { pathOfName } from "../host/node-names.ts";
import { isWithin } from "../names.ts";
import type { CheckResult } from "./check.ts";
import { isShown } from "./report.ts";

/** Applies what can be applied at once, and gives the names of the files that it wrote. */
export function writeFixes(results: readonly CheckResult[], level: Severity): readonly string[] {
  return results.flatMap(({ files, root, textOf }) => {
    const shown = files.flatMap(({ diagnostics }) => diagnostics.filter(({ severity }) => isShown(severity, level)));
    const inside = shown.filter(({ fixes }) => fixes.every(({ edits }) => edits.every(({ location }) => isWithin(location.uri, root))));
    return [...editsByFile(allPreferredEdits(inside))].flatMap(([name, edits]) => (write(name, textOf(name), edits) ? [name] : []));
  });
}

/** Only a file that is still the text which was checked is written; its encoding and a byte order mark stay. */
function write(name: string, text: string, edits: Parameters<typeof applyEdits>[1]): boolean {
  const path = pathOfName(name);
  const present = readText(name);
  if (path === undefined || !("text" in present) || present.text !== text) return false;
  const changed = applyEdits(text, edits);
  if (changed === text) return false;
  writeFileSync(path, present.encode(changed));
  return true;
}
