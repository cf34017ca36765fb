/**
 * Follows the edits that this server has given to the client until the client has made all of them. An edit of several places
 * arrives in several messages, between which declarations disagree that the edit changes together. Findings wait meanwhile, so that
 * our own edit never shows red. An edit counts as begun when a document has a text that only the edit explains.
 */
import type { TextDocumentEdit, TextEdit, WorkspaceEdit } from "vscode-languageserver";
import { TextDocument } from "vscode-languageserver-textdocument";
import { greatest } from "../../lists.ts";

/** The edits that were given to the client. */
export interface OwnEdits {
  /** Remembers the edits of one answer, of which the client may make one. */
  given(edits: readonly (WorkspaceEdit | undefined)[]): void;
  /** Reports the present text of a document, which was opened or has changed. */
  changed(name: string): void;
  /** Reports that files have changed on disk. */
  changedOnDisk(): void;
  /** Resolves when no edit is made by half, or when its rest has not arrived in time. */
  complete(): Promise<void>;
  dispose(): void;
}

/** What following edits needs. */
export interface OwnEditsOptions {
  nameOf(uri: string): string;
  textOf(name: string): string | undefined;
}

/** How one file's text changes. */
interface Change {
  readonly before: string;
  readonly edits: readonly TextEdit[];
}

interface Given {
  readonly answer: number;
  readonly changes: ReadonlyMap<string, Change>;
  hasBegun: boolean;
}

/** The edits of the latest answers are remembered. */
const mostAnswers = 8;
/** More edits of one file arrive in one message in every client. */
const mostParts = 64;
/** Milliseconds after its beginning in which an edit must be complete; a client may leave out some of its files. */
const patience = 5_000;

/** Starts without any edit. */
export function createOwnEdits({ nameOf, textOf }: OwnEditsOptions): OwnEdits {
  let all: Given[] = [];
  const waiting: (() => void)[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  const settle = (): void => {
    if (all.some(({ hasBegun }) => hasBegun)) return;
    clearTimeout(timer);
    timer = undefined;
    for (const proceed of waiting.splice(0)) proceed();
  };
  const giveUp = (): void => {
    all = all.filter(({ hasBegun }) => !hasBegun);
    settle();
  };
  const isComplete = ({ changes }: Given) => [...changes].every(([name, change]) => isMade(change, textOf(name) ?? ""));
  const dropComplete = (): void => {
    const begun = all.filter(({ hasBegun }) => hasBegun);
    if (begun.length === 0) return;
    // Several edits may begin alike. The client makes one of the latest answer, and that is the shortest one if it is complete.
    const latest = greatest(begun.map(({ answer }) => answer));
    const isOver = begun.some((given) => given.answer === latest && isComplete(given));
    all = all.filter(({ hasBegun, answer }) => !hasBegun || (answer === latest && !isOver));
    settle();
  };
  let answers = 0;
  return {
    given(edits) {
      const some = edits.map((edit) => (edit === undefined ? new Map<string, Change>() : changesIn(edit, nameOf, textOf)));
      if (some.every(({ size }) => size === 0)) return;
      answers += 1;
      const fresh = some.map((changes) => ({ answer: answers, changes, hasBegun: false }));
      all = [...all.filter(({ answer }) => answer > answers - mostAnswers), ...fresh];
    },
    changed(name) {
      if (all.length === 0) return;
      const text = textOf(name) ?? "";
      all = all.filter((given) => {
        const change = given.changes.get(name);
        if (change === undefined || text === change.before) return true;
        // The user has typed something else, so the edit no longer fits.
        if (!isBegun(change, text)) return false;
        given.hasBegun = true;
        return true;
      });
      if (timer === undefined && all.some(({ hasBegun }) => hasBegun)) timer = setTimeout(giveUp, patience);
      dropComplete();
    },
    changedOnDisk: dropComplete,
    complete: () => (all.some(({ hasBegun }) => hasBegun) ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve()),
    dispose() {
      all = [];
      settle();
    },
  };
}

function changesIn(
  { changes, documentChanges }: WorkspaceEdit,
  nameOf: OwnEditsOptions["nameOf"],
  textOf: OwnEditsOptions["textOf"],
): ReadonlyMap<string, Change> {
  const parts = (documentChanges ?? []).filter((part): part is TextDocumentEdit => "textDocument" in part);
  const lists: readonly (readonly [string, readonly TextEdit[]])[] = [
    ...Object.entries(changes ?? {}),
    ...parts.map(({ textDocument, edits }) => [textDocument.uri, edits.filter((edit): edit is TextEdit => "newText" in edit)] as const),
  ];
  const byName = new Map<string, Change>();
  for (const [uri, edits] of lists) {
    const name = nameOf(uri);
    const known = byName.get(name);
    byName.set(name, { before: known?.before ?? textOf(name) ?? "", edits: [...(known?.edits ?? []), ...edits] });
  }
  return byName;
}

function isMade({ before, edits }: Change, text: string): boolean {
  return edited(before, edits) === text;
}

/** True if some of the edits lead to the text. A client that makes them one by one begins at the last, because it moves no other. */
function isBegun(change: Change, text: string): boolean {
  if (isMade(change, text)) return true;
  const { before, edits } = change;
  if (edits.length > mostParts) return false;
  const fromLast = edits.toSorted((a, b) => b.range.start.line - a.range.start.line || b.range.start.character - a.range.start.character);
  return fromLast.some((_, count) => edited(before, fromLast.slice(0, count)) === text);
}

function edited(before: string, edits: readonly TextEdit[]): string {
  return TextDocument.applyEdits(TextDocument.create("", "", 0, before), [...edits]);
}
