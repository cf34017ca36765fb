/** Converts the core's diagnostics and fixes to the protocol's types. */
import {
  type AnnotatedTextEdit,
  DiagnosticSeverity,
  DiagnosticTag,
  type Diagnostic as LspDiagnostic,
  type TextDocumentEdit,
  type WorkspaceEdit,
} from "vscode-languageserver";
import type { Diagnostic, Severity } from "../../finding.ts";
import { unusedSuppression } from "../../rules/common/unused-suppression.ts";
import type { Edit } from "../../source.ts";
import { pageAddress } from "./pages.ts";
import type { Positions } from "./positions.ts";

/** The name under which editors show diagnostics. */
export const source = "gpu-qualifiers";
/** The id of the only annotation that an edit can have. */
const annotationId = "elsewhere";

const severities: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

/** Converts the core's types to the protocol's. */
export interface Converter {
  /** Converts a diagnostic; undefined if the file has been deleted meanwhile. */
  diagnostic(diagnostic: Diagnostic): LspDiagnostic | undefined;
  /** Converts edits. `annotation` explains the changes in files other than `within`. */
  edit(edits: readonly Edit[], annotation?: Annotation): WorkspaceEdit | undefined;
  /** The edit that creates a file; undefined if the client does not support that. */
  newFile(name: string, text: string): WorkspaceEdit | undefined;
}

/** An explanation that the client shows before it applies an edit. */
export interface Annotation {
  readonly label: string;
  /** Changes in this file need no explanation; if undefined, all changes do. */
  readonly within: string | undefined;
  readonly needsConfirmation: boolean;
}

/** What the conversion needs to know about the client and its documents. */
export interface ConverterOptions {
  readonly positions: Positions;
  uriOf(name: string): string;
  /** The version of an open document, null for others. */
  versionOf(name: string): number | null;
  /** Where the rules' pages are, for `pageAddress`. */
  readonly documentation: string | undefined;
  readonly hasRelatedInformation: boolean;
  readonly hasDocumentChanges: boolean;
  readonly hasAnnotations: boolean;
  readonly createsFiles: boolean;
}

/** Creates the converter of one session. */
export function createConverter(options: ConverterOptions): Converter {
  const { positions, uriOf } = options;

  const textEdits = (
    edits: readonly Edit[],
    annotation: Annotation | undefined,
  ): ReadonlyMap<string, readonly AnnotatedTextEdit[]> | undefined => {
    const byName = new Map<string, AnnotatedTextEdit[]>();
    for (const { location, text } of edits) {
      const range = positions.rangeOf(location.uri, location.span);
      if (range === undefined) return undefined;
      byName.set(location.uri, [
        ...(byName.get(location.uri) ?? []),
        {
          range,
          newText: text,
          ...(annotation === undefined || location.uri === annotation.within ? {} : { annotationId }),
        } as AnnotatedTextEdit,
      ]);
    }
    return byName;
  };

  return {
    diagnostic({ rule, severity, message, location, related }) {
      const range = positions.rangeOf(location.uri, location.span);
      if (range === undefined) return undefined;
      const relatedInformation = related.flatMap((place) => {
        const placeRange = positions.rangeOf(place.location.uri, place.location.span);
        return placeRange === undefined
          ? []
          : [{ message: place.message, location: { uri: uriOf(place.location.uri), range: placeRange } }];
      });
      return {
        range,
        severity: severities[severity],
        source,
        code: rule,
        message,
        ...(options.documentation === undefined ? {} : { codeDescription: { href: pageAddress(options.documentation, rule) } }),
        // Editors show such code faded.
        ...(rule === unusedSuppression.id ? { tags: [DiagnosticTag.Unnecessary] } : {}),
        ...(options.hasRelatedInformation && relatedInformation.length > 0 ? { relatedInformation } : {}),
      };
    },
    edit(edits, annotation) {
      const isAnnotated =
        options.hasAnnotations && annotation !== undefined && edits.some(({ location }) => location.uri !== annotation.within);
      const byName = textEdits(edits, isAnnotated ? annotation : undefined);
      if (byName === undefined) return undefined;
      if (!options.hasDocumentChanges) return { changes: Object.fromEntries([...byName].map(([name, list]) => [uriOf(name), [...list]])) };
      const documentChanges: TextDocumentEdit[] = [...byName].map(([name, list]) => ({
        textDocument: { uri: uriOf(name), version: options.versionOf(name) },
        edits: [...list],
      }));
      if (!isAnnotated) return { documentChanges };
      const { label, needsConfirmation } = annotation;
      return { documentChanges, changeAnnotations: { [annotationId]: { label, needsConfirmation } } };
    },
    newFile(name, text) {
      if (!options.createsFiles) return undefined;
      const uri = uriOf(name);
      const start = { line: 0, character: 0 };
      return {
        documentChanges: [
          { kind: "create", uri },
          { textDocument: { uri, version: null }, edits: [{ range: { start, end: start }, newText: text }] },
        ],
      };
    },
  };
}
