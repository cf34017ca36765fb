/** The client's capabilities that the server uses, under readable names. */
import type { ClientCapabilities } from "vscode-languageserver";

/** The client's capabilities that this server uses. */
export interface ClientFeatures {
  /** The client requests diagnostics, so the server does not push any. */
  readonly pull: boolean;
  /** It requests diagnostics again when told that they have changed. */
  readonly pullRefresh: boolean;
  readonly relatedInformation: boolean;
  /** It accepts edits with document versions. */
  readonly documentChanges: boolean;
  /** It requests the edit of a code action only when the user applies it. */
  readonly lazyEdits: boolean;
  /** It accepts edits that create files. */
  readonly createsFiles: boolean;
  /** It accepts edits with annotations that explain them. */
  readonly changeAnnotations: boolean;
  readonly progress: boolean;
  /** It requests these again when told that answers have changed. */
  readonly refreshes: readonly ("inlayHint" | "semanticTokens" | "codeLens")[];
  readonly watchedFiles: boolean;
  readonly configuration: boolean;
  readonly configurationRegistration: boolean;
  readonly workspaceFolders: boolean;
  /** It accepts a formatter for some documents only. */
  readonly formattingRegistration: boolean;
  /** It fills in the marked places of a completion. */
  readonly snippets: boolean;
}

/** The client's features; a capability that it does not mention counts as missing. */
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
    formattingRegistration: textDocument?.formatting?.dynamicRegistration ?? false,
    snippets: textDocument?.completion?.completionItem?.snippetSupport ?? false,
  };
}
