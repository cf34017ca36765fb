/** The known state of each file. It is the same object as long as its inputs are. */
import type { Diagnostic } from "../../finding.ts";
import { memoOfLatest } from "../../memo.ts";
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
  const stateOf = memoOfLatest(
    (report: FileReport, own: readonly Diagnostic[]): FileState => ({ report, diagnostics: inOrder([...report.diagnostics, ...own]) }),
  );
  return (name, report, linked) => stateOf(report, linked?.get(name) ?? none);
}
