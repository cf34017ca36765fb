/**
 * What the client is shown of the files: their diagnostics in its words, steady while somebody types, and pushed only where
 * they differ from what it has. When they are made is `session.ts`'s business.
 */
import type { Diagnostic as LspDiagnostic } from "vscode-languageserver";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { isSettingsFile } from "../../settings/settings.ts";
import { type Converter, source } from "../protocol/convert.ts";
import type { Positions } from "../protocol/positions.ts";
import type { FileState } from "./file-states.ts";
import { createSteady } from "./steady.ts";
import type { Workspace } from "./workspace.ts";

/** What decides what is shown. */
export interface ShownOptions {
  readonly workspace: Workspace;
  readonly positions: Positions;
  readonly converter: Converter;
  documentOf(name: string): TextDocument | undefined;
  uriOf(name: string): string;
  send(diagnostics: { uri: string; version?: number; diagnostics: LspDiagnostic[] }): void;
  /** What half-typed code hides in an open document is due now: nobody went on typing. */
  isDue(name: string): void;
}

/** What the client is shown of each file. */
export interface Shown {
  /** What a file's state says, as the client takes it. */
  of(name: string, state: FileState): LspDiagnostic[];
  /** The client has what this state says, and nothing about it has been held back. */
  isUpToDate(name: string, state: FileState): boolean;
  /** Pushes diagnostics, unless the client has the same already. */
  publish(name: string, diagnostics: LspDiagnostic[]): void;
  /** Pushes what is wrong in the settings files, and takes back what is not wrong any more. */
  publishSettingsProblems(): void;
  /** Files of code about which something was pushed. */
  published(): readonly string[];
  /** Somebody closed the document. */
  forget(name: string): void;
  /** Nothing of it is with the client any more. */
  unpublish(name: string): void;
  /** Answers may be other ones now for reasons beyond the texts. */
  forgetAll(): void;
  dispose(): void;
}

const nowhere = { line: 0, character: 0 };

/** Starts with nothing shown. */
export function createShown({ workspace, positions, converter, documentOf, uriOf, send, isDue }: ShownOptions): Shown {
  const steady = createSteady();
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const published = new Map<string, { readonly version: number | undefined; readonly diagnostics: readonly LspDiagnostic[] }>();
  /** The states that were shown last, of which version, as long as nothing is held back. */
  const complete = new Map<string, { readonly state: FileState; readonly version: number | undefined }>();
  /** Settings files, and response files that they name. */
  const withProblems = new Set<string>();

  const showLater = (name: string, milliseconds: number) => {
    clearTimeout(timers.get(name));
    timers.set(
      name,
      setTimeout(() => {
        timers.delete(name);
        isDue(name);
      }, milliseconds + 10),
    );
  };
  const publish = (name: string, diagnostics: LspDiagnostic[]) => {
    const version = documentOf(name)?.version;
    const known = published.get(name);
    // A new version is always news, even if nothing else is.
    if (known !== undefined && known.version === version && JSON.stringify(known.diagnostics) === JSON.stringify(diagnostics)) return;
    published.set(name, { version, diagnostics });
    send({ uri: uriOf(name), diagnostics, ...(version === undefined ? {} : { version }) });
  };
  return {
    of(name, state) {
      const text = documentOf(name)?.getText();
      const diagnostics = text === undefined ? state.diagnostics : steady.show(name, text, state);
      const due = text === undefined ? undefined : steady.dueIn(name);
      if (due !== undefined) showLater(name, due);
      if (due === undefined) complete.set(name, { state, version: documentOf(name)?.version });
      else complete.delete(name);
      return diagnostics.map((diagnostic) => converter.diagnostic(diagnostic)).filter((diagnostic) => diagnostic !== undefined);
    },
    isUpToDate(name, state) {
      const last = complete.get(name);
      return last?.state === state && last.version === documentOf(name)?.version && published.has(name);
    },
    publish,
    publishSettingsProblems() {
      const byName = new Map<string, LspDiagnostic[]>([...withProblems].map((name) => [name, []]));
      withProblems.clear();
      for (const { project } of workspace.projects()) {
        for (const { message, location } of project.settings.problems()) {
          // A file that is not read has no lines.
          const range = positions.rangeOf(location.uri, location.span) ?? { start: nowhere, end: nowhere };
          withProblems.add(location.uri);
          byName.set(location.uri, [...(byName.get(location.uri) ?? []), { range, message, source, severity: 1, code: "settings" }]);
        }
      }
      for (const [name, diagnostics] of byName) publish(name, diagnostics);
    },
    published: () => [...published.keys()].filter((name) => !isSettingsFile(name) && !withProblems.has(name)),
    forget: (name) => steady.forget(name),
    unpublish(name) {
      published.delete(name);
      complete.delete(name);
    },
    forgetAll() {
      steady.forgetAll();
      complete.clear();
    },
    dispose() {
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}
