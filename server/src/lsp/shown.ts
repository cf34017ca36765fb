/**
 * What the client is shown of the files: their diagnostics in its words, steady while somebody types, and pushed only where
 * they differ from what it has. When they are made is `session.ts`'s business.
 */
import type { Diagnostic as LspDiagnostic } from "vscode-languageserver";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { isSettingsFile } from "../workspace/settings.ts";
import { type Converter, source } from "./convert.ts";
import type { Positions } from "./positions.ts";
import { createSteady } from "./steady.ts";
import type { FileState, Workspace } from "./workspace.ts";

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

export interface Shown {
  /** What a file's state says, as the client takes it. */
  of(name: string, state: FileState): LspDiagnostic[];
  /** Pushes diagnostics, unless the client has the same already. */
  publish(name: string, diagnostics: LspDiagnostic[]): void;
  /** Pushes what is wrong in the settings files, and takes back what is not wrong any more. */
  publishSettingsProblems(): void;
  /** Files about which something was pushed. */
  published(): readonly string[];
  /** Somebody closed the document. */
  forget(name: string): void;
  /** Nothing of it is with the client any more. */
  unpublish(name: string): void;
  /** Answers may be other ones now for reasons beyond the texts. */
  forgetAll(): void;
  dispose(): void;
}

export function createShown({ workspace, positions, converter, documentOf, uriOf, send, isDue }: ShownOptions): Shown {
  const steady = createSteady();
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const published = new Map<string, string>();

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
    const content = JSON.stringify([version, diagnostics]);
    if (published.get(name) === content) return;
    published.set(name, content);
    send({ uri: uriOf(name), diagnostics, ...(version === undefined ? {} : { version }) });
  };
  return {
    of(name, state) {
      const text = documentOf(name)?.getText();
      const diagnostics = text === undefined ? state.diagnostics : steady.show(name, text, state);
      const due = text === undefined ? undefined : steady.dueIn(name);
      if (due !== undefined) showLater(name, due);
      return diagnostics.map((diagnostic) => converter.diagnostic(diagnostic)).filter((diagnostic) => diagnostic !== undefined);
    },
    publish,
    publishSettingsProblems() {
      const byName = new Map<string, LspDiagnostic[]>([...published.keys()].filter(isSettingsFile).map((name) => [name, []]));
      for (const { project } of workspace.projects()) {
        for (const { message, location } of project.settings.problems()) {
          const range = positions.rangeOf(location.uri, location.span);
          if (range === undefined) continue;
          byName.set(location.uri, [...(byName.get(location.uri) ?? []), { range, message, source, severity: 1, code: "settings" }]);
        }
      }
      for (const [name, diagnostics] of byName) publish(name, diagnostics);
    },
    published: () => [...published.keys()],
    forget: (name) => steady.forget(name),
    unpublish: (name) => void published.delete(name),
    forgetAll: () => steady.forgetAll(),
    dispose() {
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}
