/** Which of the protocol's options a client supports, in one place and in plain words. */
import type { ClientCapabilities } from "vscode-languageserver";

/** What the client supports of what we make use of. */
export interface ClientFeatures {
  /** Asks for diagnostics; such a client gets none pushed. */
  readonly pull: boolean;
  /** Asks again when told that answers have changed. */
  readonly pullRefresh: boolean;
  readonly relatedInformation: boolean;
  /** Takes edits with document versions. */
  readonly documentChanges: boolean;
  /** Asks for the edit of a code action when it is taken. */
  readonly lazyEdits: boolean;
  /** Takes edits that create files. */
  readonly createsFiles: boolean;
  /** Takes edits that say what they are for. */
  readonly changeAnnotations: boolean;
  readonly progress: boolean;
  /** Asks again for these when told that answers have changed. */
  readonly refreshes: readonly ("inlayHint" | "semanticTokens" | "codeLens")[];
  readonly watchedFiles: boolean;
  readonly configuration: boolean;
  readonly configurationRegistration: boolean;
  readonly workspaceFolders: boolean;
}

/** What the client can do; what it does not mention it cannot. */
export function featuresOf({ textDocument, workspace, window }: ClientCapabilities): ClientFeatures {
  return {
    pull: textDocument?.diagnostic !== undefined,
    pullRefresh: workspace?.diagnostics?.refreshSupport ?? false,
    relatedInformation:
      (textDocument?.publishDiagnostics?.relatedInformation ?? false) || (textDocument?.diagnostic?.relatedInformation ?? false),
    documentChanges: workspace?.workspaceEdit?.documentChanges ?? false,
    lazyEdits:
      textDocument?.codeAction?.resolveSupport?.properties.includes("edit") === true && textDocument.codeAction.dataSupport === true,
    createsFiles:
      workspace?.workspaceEdit?.documentChanges === true && workspace.workspaceEdit.resourceOperations?.includes("create") === true,
    changeAnnotations: workspace?.workspaceEdit?.documentChanges === true && workspace.workspaceEdit.changeAnnotationSupport !== undefined,
    progress: window?.workDoneProgress ?? false,
    refreshes: (["inlayHint", "semanticTokens", "codeLens"] as const).filter((what) => workspace?.[what]?.refreshSupport === true),
    watchedFiles: workspace?.didChangeWatchedFiles?.dynamicRegistration ?? false,
    configuration: workspace?.configuration ?? false,
    configurationRegistration: workspace?.didChangeConfiguration?.dynamicRegistration ?? false,
    workspaceFolders: workspace?.workspaceFolders ?? false,
  };
}
