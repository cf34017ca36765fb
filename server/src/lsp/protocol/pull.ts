/**
 * Keeps result ids for clients that request diagnostics. If an answer equals the previous one, the server sends «unchanged», so
 * polling a workspace costs little.
 */
import { type Diagnostic, type DocumentDiagnosticReport, DocumentDiagnosticReportKind } from "vscode-languageserver";

/** Remembers the answers to clients that request diagnostics. */
export interface ResultIds {
  /** The full report, or «unchanged» if the client already has it. */
  report(name: string, diagnostics: Diagnostic[], previousId: string | undefined): DocumentDiagnosticReport;
  forget(name: string): void;
}

/** Starts without any answer. */
export function createResultIds(): ResultIds {
  const given = new Map<string, { readonly id: string; readonly content: string }>();
  let count = 0;
  return {
    report(name, diagnostics, previousId) {
      const content = JSON.stringify(diagnostics);
      const known = given.get(name);
      const id = known?.content === content ? known.id : String(++count);
      given.set(name, { id, content });
      if (previousId === id) return { kind: DocumentDiagnosticReportKind.Unchanged, resultId: id };
      return { kind: DocumentDiagnosticReportKind.Full, resultId: id, items: diagnostics };
    },
    forget: (name) => void given.delete(name),
  };
}
