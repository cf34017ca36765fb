/** What is known of files: the same state again as long as what it is made of stays the same. */
import type { Diagnostic } from "../../finding.ts";
import { inOrder } from "../../project/order.ts";
import type { FileReport } from "../../service.ts";

/** What is known of one file at the moment. */
export interface FileState {
  readonly report: FileReport;
  /** The report's diagnostics and those of the link, by position. */
  readonly diagnostics: readonly Diagnostic[];
}

/** No findings. */
export const none: readonly Diagnostic[] = [];

/** States of files; one stays the same as long as what it is made of does. */
export function rememberStates(): (
  name: string,
  report: FileReport,
  linked: ReadonlyMap<string, readonly Diagnostic[]> | undefined,
) => FileState {
  const states = new WeakMap<FileReport, { readonly state: FileState; readonly own: readonly Diagnostic[] }>();
  return (name, report, linked) => {
    const own = linked?.get(name) ?? none;
    const known = states.get(report);
    if (known?.own === own) return known.state;
    const state = { report, diagnostics: inOrder([...report.diagnostics, ...own]) };
    states.set(report, { state, own });
    return state;
  };
}
