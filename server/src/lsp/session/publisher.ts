/**
 * The diagnostics that the client shows for each file: converted to the protocol's types, kept stable while the user types, and
 * pushed only if they differ from the last ones. `session.ts` decides when they are computed.
 */
import type { Diagnostic as LspDiagnostic } from "vscode-languageserver";
import type { TextDocument } from "vscode-languageserver-textdocument";
import type { Diagnostic } from "../../finding.ts";
import { isSettingsFile } from "../../settings/settings.ts";
import type { FileState } from "../projects/file-states.ts";
import type { Workspace } from "../projects/workspace.ts";
import { type Converter, source } from "../protocol/convert.ts";
import type { Positions } from "../protocol/positions.ts";
import { createStabilizer } from "./stabilizer.ts";

/** The dependencies of the shown diagnostics. */
export interface PublisherOptions {
  readonly workspace: Workspace;
  readonly positions: Positions;
  readonly converter: Converter;
  documentOf(name: string): TextDocument | undefined;
  /** False if findings that wait could never be shown, because the client asks only once for each text. */
  readonly canHoldBack: boolean;
  /** Sends the diagnostics of a file to the client. */
  send(name: string, diagnostics: LspDiagnostic[]): void;
  /** Called when typing has paused, so that the diagnostics which half-typed code held back in an open document are due. */
  isDue(name: string): void;
}

/** The diagnostics that the client shows for each file. */
export interface Publisher {
  /** The diagnostics of a file's state, as the client accepts them. */
  of(name: string, state: FileState): LspDiagnostic[];
  /** True if the client has the diagnostics of this state, and none are held back. */
  isUpToDate(name: string, state: FileState): boolean;
  /** Pushes diagnostics, unless the client already has the same ones. */
  publish(name: string, diagnostics: LspDiagnostic[]): void;
  /** Pushes what the first check of a document has found so far, if it has found anything new. */
  publishEarly(name: string, found: readonly Diagnostic[]): void;
  /** Pushes the problems of the settings files, and withdraws those that are solved. */
  publishSettingsProblems(): void;
  /** The source files for which diagnostics were pushed. */
  published(): readonly string[];
  /** Forgets a document that was closed. */
  forget(name: string): void;
  /** Withdraws the file's diagnostics. */
  unpublish(name: string): void;
  /** Forgets everything, because answers may have changed for reasons other than the texts. */
  forgetAll(): void;
  dispose(): void;
}

const nowhere = { line: 0, character: 0 };

/** Creates the state of one session, in which nothing is shown. */
export function createPublisher({ workspace, positions, converter, documentOf, canHoldBack, send, isDue }: PublisherOptions): Publisher {
  const stabilizer = createStabilizer();
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const published = new Map<string, { readonly version: number | undefined; readonly diagnostics: readonly LspDiagnostic[] }>();
  /** The states that were shown last and completely, with their versions. */
  const complete = new Map<string, { readonly state: FileState; readonly version: number | undefined }>();
  /** Settings files with problems, and response files that they name. */
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
    // A new version is always published, even if nothing else has changed.
    if (known !== undefined && known.version === version && JSON.stringify(known.diagnostics) === JSON.stringify(diagnostics)) return;
    published.set(name, { version, diagnostics });
    send(name, diagnostics);
  };
  return {
    of(name, state) {
      const text = canHoldBack ? documentOf(name)?.getText() : undefined;
      const diagnostics = text === undefined ? state.diagnostics : stabilizer.show(name, text, state);
      const due = text === undefined ? undefined : stabilizer.dueIn(name);
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
    publishEarly(name, found) {
      if (found.length === (published.get(name)?.diagnostics.length ?? 0)) return;
      publish(
        name,
        found.map((diagnostic) => converter.diagnostic(diagnostic)).filter((diagnostic) => diagnostic !== undefined),
      );
    },
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
    forget(name) {
      stabilizer.forget(name);
      clearTimeout(timers.get(name));
      timers.delete(name);
    },
    unpublish(name) {
      published.delete(name);
      complete.delete(name);
    },
    forgetAll() {
      stabilizer.forgetAll();
      complete.clear();
    },
    dispose() {
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}
