/** The known state of each file. It is the same object as long as its inputs are. */
import type { Diagnostic } from "../../finding.ts";
import { inOrder } from "../../project/order.ts";
import type { FileReport } from "../../service.ts";

/** The known state of one file. */
export interface FileState {
  readonly report: FileReport;
  /** The diagnostics of the report and of the link, by position. */
  readonly diagnostics: readonly Diagnostic[];
}

/** No findings. */
export const none: readonly Diagnostic[] = [];

/** Creates states of files; equal inputs give the same object. */
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
