/** The core's diagnostics and fixes in the protocol's words. */
import { type Diagnostic as LspDiagnostic, DiagnosticSeverity, type TextDocumentEdit, type TextEdit, type WorkspaceEdit } from "vscode-languageserver";
import type { Diagnostic, Severity } from "../finding.ts";
import type { Edit } from "../source.ts";
import type { Positions } from "./positions.ts";

export const source = "gpu-qualifiers";

const severities: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

export interface Converter {
  /** Undefined where the file is gone in the meantime. */
  diagnostic(diagnostic: Diagnostic): LspDiagnostic | undefined;
  edit(edits: readonly Edit[]): WorkspaceEdit | undefined;
}

export interface ConverterOptions {
  readonly positions: Positions;
  uriOf(name: string): string;
  /** The version of an open document, null for others. */
  versionOf(name: string): number | null;
  /** Where the rules' pages lie. */
  readonly documentation: string | undefined;
  readonly hasRelatedInformation: boolean;
  readonly hasDocumentChanges: boolean;
}

export function createConverter(options: ConverterOptions): Converter {
  const { positions, uriOf } = options;

  const textEdits = (edits: readonly Edit[]): ReadonlyMap<string, readonly TextEdit[]> | undefined => {
    const byName = new Map<string, TextEdit[]>();
    for (const { location, text } of edits) {
      const range = positions.rangeOf(location.uri, location.span);
      if (range === undefined) return undefined;
      byName.set(location.uri, [...(byName.get(location.uri) ?? []), { range, newText: text }]);
    }
    return byName;
  };

  return {
    diagnostic({ rule, severity, message, location, related }) {
      const range = positions.rangeOf(location.uri, location.span);
      if (range === undefined) return undefined;
      const relatedInformation = related.flatMap((place) => {
        const placeRange = positions.rangeOf(place.location.uri, place.location.span);
        return placeRange === undefined ? [] : [{ message: place.message, location: { uri: uriOf(place.location.uri), range: placeRange } }];
      });
      return {
        range,
        severity: severities[severity],
        source,
        code: rule,
        message,
        ...(options.documentation === undefined ? {} : { codeDescription: { href: `${options.documentation}/${rule}.md` } }),
        ...(options.hasRelatedInformation && relatedInformation.length > 0 ? { relatedInformation } : {}),
      };
    },
    edit(edits) {
      const byName = textEdits(edits);
      if (byName === undefined) return undefined;
      if (!options.hasDocumentChanges) return { changes: Object.fromEntries([...byName].map(([name, list]) => [uriOf(name), [...list]])) };
      const documentChanges: TextDocumentEdit[] = [...byName].map(([name, list]) => ({
        textDocument: { uri: uriOf(name), version: options.versionOf(name) },
        edits: [...list],
      }));
      return { documentChanges };
    },
  };
}
