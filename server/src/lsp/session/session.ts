/**
 * One session with one client: the open documents, their states, and the diagnostics that the client has. It turns requests into
 * answers and changes into diagnostics; `server.ts` connects the messages.
 */
import type { CancellationToken, Connection, DocumentDiagnosticReport, WorkspaceDiagnosticReport } from "vscode-languageserver";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { languageOfName } from "../../dialect.ts";
import type { HostSettings } from "../../project/project.ts";
import type { SyntaxParser } from "../../syntax/parser.ts";
import { createNames } from "../documents/names.ts";
import { createOpenDocuments } from "../documents/open-documents.ts";
import { createOwnEdits } from "../documents/own-edits.ts";
import type { InitializationOptions, Platform } from "../projects/platform.ts";
import { createWorkspace, type Workspace, workspaceUntil } from "../projects/workspace.ts";
import type { ClientFeatures } from "../protocol/client-features.ts";
import { createConverter } from "../protocol/convert.ts";
import { createPositions } from "../protocol/positions.ts";
import { createResultIds } from "../protocol/pull.ts";
import { nameOfFolder, uriOfName } from "../protocol/uris.ts";
import { createLateProgress } from "../scheduling/late-progress.ts";
import { createScheduler } from "../scheduling/scheduler.ts";
import { abandoned, createTaskQueue } from "../scheduling/task-queue.ts";
import { type Answers, createAnswers } from "./answers.ts";
import { createBackground } from "./background.ts";
import { runCommand } from "./commands.ts";
import { createIncluded } from "./included.ts";
import { createPublisher } from "./publisher.ts";
import { createRefresh } from "./refresh.ts";
import { warmUp } from "./warm-up.ts";
import { type PartsOfAnswer, workspaceDiagnostics } from "./workspace-diagnostics.ts";

/** The dependencies of a session. */
export interface SessionOptions {
  readonly connection: Connection;
  readonly platform: Platform;
  readonly parser: SyntaxParser;
  readonly features: ClientFeatures;
  readonly initialization: InitializationOptions;
  /** Resolves when the settings are known. */
  readonly ready: Promise<void>;
}

/** The requests of a client. */
export interface Requests extends Answers {
  command(command: string, parameters: readonly unknown[]): Promise<unknown>;
  pull(uri: string, previousId: string | undefined): Promise<DocumentDiagnosticReport>;
  /** Reports every file of the workspace. If the client accepts partial results, each is sent as soon as it is known. */
  pullWorkspace(previousIds: ReadonlyMap<string, string>, partial: PartsOfAnswer | undefined): Promise<WorkspaceDiagnosticReport>;
}

/** One client's session, as used by the wiring. */
export interface Session {
  /** The requests, answered until the token is cancelled. Then their work is abandoned unless another request waits for it. */
  until(token: CancellationToken): Requests;
  /** Reports that a message has arrived; `uri` is a document that the client shows. */
  noteMessage(uri?: string): void;
  setFolders(uris: readonly string[]): void;
  /** Sets the editor's settings for each folder. */
  setHostSettings(settingsOf: (root: string) => HostSettings): void;
  setFeatures(settings: InitializationOptions): void;
  opened(document: TextDocument): void;
  edited(document: TextDocument): void;
  closed(document: TextDocument): void;
  changedOnDisk(uris: readonly string[]): void;
  dispose(): void;
}

/** How long typing must pause before the rest of the workspace is checked again, in milliseconds. */
const idle = 800;

/** Creates the session of one client, from its first message to `dispose`. */
export function createSession({ connection, platform, parser, features, initialization, ready }: SessionOptions): Session {
  const names = createNames(platform.realNameOf);
  const documents = createOpenDocuments(names.of);
  const documentOf = (name: string) => documents.of(name);
  const queue = createTaskQueue();
  const progress = createLateProgress(connection, features.progress);
  const workspace = createWorkspace({
    initialSettings: { isTrusted: initialization.isTrusted !== false },
    platform,
    parser,
    queue,
    documentOf,
    documentNames: documents.names,
  });
  const positions = createPositions((name) => workspace.textOf(name), documentOf);
  const uriOf = (name: string) => documentOf(name)?.uri ?? uriOfName(name);
  const documentation = initialization.documentation ?? platform.documentation;
  const converter = createConverter({
    positions,
    uriOf,
    versionOf: (name) => documentOf(name)?.version ?? null,
    documentation,
    hasRelatedInformation: features.relatedInformation,
    hasDocumentChanges: features.documentChanges,
    hasAnnotations: features.changeAnnotations,
    createsFiles: features.createsFiles,
  });
  const resultIds = createResultIds();
  const ownEdits = createOwnEdits({ nameOf: names.of, textOf: (name) => workspace.textOf(name) });

  const log = (name: string, error: unknown) => {
    // A document that was closed or changed meanwhile needs no answer about its old text.
    if (error === abandoned) return;
    const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
    connection.console.error(`while working on ${uriOf(name)}: ${trace}`);
  };
  let featureSettings: InitializationOptions = initialization;
  const publisher = createPublisher({
    workspace,
    positions,
    converter,
    documentOf,
    canHoldBack: !features.pull || features.pullRefresh,
    send(name, diagnostics) {
      const sent = documents.spellings(name).map(({ uri, version }) => ({ uri, version, diagnostics }));
      for (const one of sent.length > 0 ? sent : [{ uri: uriOf(name), diagnostics }]) void connection.sendDiagnostics(one);
    },
    isDue(name) {
      areOthersStale ||= features.pull;
      if (documents.has(name)) scheduler.plan(name);
    },
  });
  const answersIn = (of: Workspace) =>
    createAnswers({
      workspace: of,
      positions,
      converter,
      features,
      initialization,
      documentation,
      platform,
      documentOf,
      nameOf: names.of,
      uriOf,
      settings: () => featureSettings,
    });
  // True if an edit has made the diagnostics of other documents obsolete. The client is told when the edited document has been
  // checked.
  let areOthersStale = false;
  const changedFor = (name: string) => {
    const touched = workspace.edited(name).filter((other) => other !== name);
    if (touched.some((other) => documents.has(other))) areOthersStale = true;
    // Files that are not open may affect the diagnostics of open ones.
    const unopened = touched.find((other) => !documents.has(other));
    if (unopened !== undefined) background.start(workspace.projectOf(unopened), idle);
  };
  let isWholeWorkspace = false;

  const included = createIncluded({ publisher, isOpen: documents.has, isEverythingShown: () => isWholeWorkspace });
  const refresh = createRefresh({
    connection,
    async ready() {
      await ready;
      await ownEdits.complete();
    },
    features,
    hasStatus: initialization.status === true,
    workspace,
    isOpen: documents.has,
    uriOf,
    publisher,
    included,
    isEverythingShown: () => isWholeWorkspace,
    checked() {
      if (areOthersStale) askAgain();
    },
    log,
  });
  const scheduler = createScheduler(refresh);

  const askAgain = () => {
    areOthersStale = false;
    if (features.pull && features.pullRefresh)
      connection.languages.diagnostics.refresh().catch((error: unknown) => log("the workspace", error));
    refreshFeatures();
  };
  const answersChanged = () => {
    askAgain();
    for (const name of documents.names()) scheduler.plan(name);
  };
  const learned = (files: number, milliseconds: number) => {
    if (files > 0)
      connection.console.info(`read ${files} ${files === 1 ? "file" : "files"} of the workspace in ${(milliseconds / 1000).toFixed(1)} s`);
    answersChanged();
  };
  const refreshFeatures = () => {
    const { inlayHint, semanticTokens } = connection.languages;
    const refreshers = {
      inlayHint: () => inlayHint.refresh(),
      semanticTokens: () => semanticTokens.refresh(),
      codeLens: () => connection.sendRequest("workspace/codeLens/refresh"),
    };
    for (const what of features.refreshes) Promise.resolve(refreshers[what]()).catch((error: unknown) => log("the workspace", error));
  };
  let isWarm = false;
  const background = createBackground({
    limit: platform.backgroundLimit,
    queue,
    progress,
    *warmUp(names) {
      if (isWarm || documents.names().length > 0) return;
      isWarm = true;
      yield* warmUp(parser, names);
    },
    done: learned,
    log,
  });
  const recheckAll = () => {
    publisher.forgetAll();
    answersChanged();
    for (const project of workspace.projects()) background.start(project);
  };

  /** From now on all findings are shown, including those in files that are not open. */
  const showWorkspace = () => {
    isWholeWorkspace = true;
    answersChanged();
    if (features.pull) return;
    for (const { states } of workspace.projects())
      for (const state of states())
        if (state.diagnostics.length > 0) publisher.publish(state.report.uri, publisher.of(state.report.uri, state));
  };

  /** Answers the requests of a client, which it may cancel. */
  const requestsIn = (of: Workspace, token: CancellationToken): Requests => {
    const answers = answersIn(of);
    return {
      ...answers,
      async codeActions(params) {
        const actions = await answers.codeActions(params);
        ownEdits.given(actions.map(({ edit }) => edit));
        return actions;
      },
      async resolve(action) {
        const resolved = await answers.resolve(action);
        ownEdits.given([resolved.edit]);
        return resolved;
      },
      async rename(uri, position, newName) {
        const edit = await answers.rename(uri, position, newName);
        if (typeof edit !== "string") ownEdits.given([edit]);
        return edit;
      },
      command: (command, parameters) =>
        runCommand(command, parameters, {
          connection,
          token,
          workspace: of,
          converter,
          positions,
          uriOf,
          isOpen: documents.has,
          hasProgress: features.progress,
          nameOf: names.of,
          workspaceChecked: showWorkspace,
          log,
        }),
      async pull(uri, previousId) {
        await ownEdits.complete();
        const name = names.of(uri);
        return resultIds.report(name, publisher.of(name, await of.projectOf(name).check(name, "now")), previousId);
      },
      async pullWorkspace(previousIds, partial) {
        await ownEdits.complete();
        return workspaceDiagnostics(
          { previousIds: new Map([...previousIds].map(([uri, id]) => [names.of(uri), id])), token, partial },
          {
            workspace: of,
            queue,
            progress,
            report: (name, state, previousId) => ({
              ...resultIds.report(name, publisher.of(name, state), previousId),
              uri: uriOf(name),
              version: documentOf(name)?.version ?? null,
            }),
            limit: isWholeWorkspace ? undefined : platform.backgroundLimit,
            isOpen: documents.has,
            learned,
            log,
          },
        );
      },
    };
  };

  return {
    until: (token) => requestsIn(workspaceUntil(token, workspace), token),
    noteMessage: (uri) => {
      platform.noteMessage?.();
      queue.noteMessage(uri === undefined ? undefined : names.of(uri));
    },
    setFolders(uris) {
      const folders = uris.map(nameOfFolder);
      names.setFolders(folders);
      documents.nameAgain();
      workspace.setFolders(folders);
      recheckAll();
    },
    setHostSettings(settingsOf) {
      workspace.setHostSettings(settingsOf);
      recheckAll();
    },
    setFeatures(settings) {
      if (JSON.stringify(settings) === JSON.stringify(featureSettings)) return;
      featureSettings = settings;
      refreshFeatures();
    },
    opened(document) {
      const name = names.of(document.uri);
      platform.noteMessage?.();
      queue.noteMessage(name);
      const before = workspace.textOf(name);
      // It is shown under another uri already, and its diagnostics have to be sent for this one too.
      if (documents.has(name)) publisher.unpublish(name);
      documents.open(document);
      ownEdits.changed(name);
      // Most files are opened as they are on disk; at most their language changes.
      if (before !== document.getText() || languageOfName(name) === undefined) changedFor(name);
      scheduler.plan(name);
    },
    edited(document) {
      const name = names.of(document.uri);
      platform.noteMessage?.();
      queue.noteMessage(name);
      documents.edit(document);
      ownEdits.changed(name);
      changedFor(name);
      scheduler.plan(name);
    },
    closed(document) {
      const name = names.of(document.uri);
      documents.close(document);
      const other = documentOf(name);
      if (other !== undefined) {
        // The file is still open under another uri.
        if (!features.pull) void connection.sendDiagnostics({ uri: document.uri, diagnostics: [] });
        if (other.getText() !== document.getText()) changedFor(name);
        scheduler.plan(name);
        return;
      }
      scheduler.forget(name);
      publisher.forget(name);
      queue.forget(name);
      resultIds.forget(name);
      // The text on disk applies again.
      workspace.changedOnDisk([name]);
      const isOther = workspace.textOf(name) !== document.getText();
      workspace.closeUnused();
      if (isOther) recheckAll();
      if (!features.pull && !isWholeWorkspace) publisher.publish(name, []);
      if (!isWholeWorkspace) publisher.unpublish(name);
      included.forget(name);
      // Other open documents may include it.
      if (!features.pull) for (const includer of included.includersOf(name)) scheduler.plan(includer);
    },
    changedOnDisk(uris) {
      names.forget();
      documents.nameAgain();
      const changed = uris.map(names.of);
      if (!workspace.changedOnDisk(changed)) return;
      ownEdits.changedOnDisk();
      recheckAll();
    },
    dispose() {
      // Refreshes that are under way, and timers of early findings, end when their document is gone.
      documents.clear();
      ownEdits.dispose();
      background.stop();
      queue.dispose();
      publisher.dispose();
      workspace.dispose();
    },
  };
}
