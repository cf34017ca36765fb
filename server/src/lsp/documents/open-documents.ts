/**
 * The client's open documents by the core's names. A client may open one file under several uris; they are one document, whose text
 * is that of the uri that was opened or edited last.
 */
import type { TextDocument } from "vscode-languageserver-textdocument";

/** The open documents. */
export interface OpenDocuments {
  of(name: string): TextDocument | undefined;
  has(name: string): boolean;
  names(): readonly string[];
  /** The document under each of its uris that has its present text. */
  spellings(name: string): readonly TextDocument[];
  open(document: TextDocument): void;
  edit(document: TextDocument): void;
  close(document: TextDocument): void;
  clear(): void;
  /** Asks for the names of all documents again, because they may have changed. */
  nameAgain(): void;
}

/** Starts without documents. */
export function createOpenDocuments(nameOf: (uri: string) => string): OpenDocuments {
  /** For each name its documents, the latest last. */
  const documents = new Map<string, readonly TextDocument[]>();
  const others = (document: TextDocument): readonly TextDocument[] =>
    (documents.get(nameOf(document.uri)) ?? []).filter(({ uri }) => uri !== document.uri);
  const open = (document: TextDocument): void => void documents.set(nameOf(document.uri), [...others(document), document]);
  return {
    of: (name) => documents.get(name)?.at(-1),
    has: (name) => documents.has(name),
    names: () => [...documents.keys()],
    spellings(name) {
      const all = documents.get(name) ?? [];
      const text = all.at(-1)?.getText();
      return all.filter((document) => document.getText() === text);
    },
    open,
    edit: open,
    close(document) {
      const left = others(document);
      if (left.length === 0) documents.delete(nameOf(document.uri));
      else documents.set(nameOf(document.uri), left);
    },
    clear: () => documents.clear(),
    nameAgain() {
      const all = [...documents.values()].flat();
      documents.clear();
      for (const document of all) open(document);
    },
  };
}
