/**
 * Checks the parameters of messages before any handler sees them. A client with a mistake, or anyone who can write to the server,
 * may send any JSON; a text that is not a string would damage the document and all results for it. Optional members may be missing,
 * and unknown members are ignored.
 */
import { type Form, isAnything, isCount, isNumber, isText, listOf, nullable, object, optional } from "../../forms.ts";

const isVersion: Form<number> = (value): value is number => isNumber(value) && Number.isInteger(value);

const position = object({ line: isCount, character: isCount });
const range = object({ start: position, end: position });
const textDocument = object({ uri: isText });
const diagnostic = object({ range });
const folder = object({ uri: isText, name: isText });

const ofDocument = object({ textDocument });
const atPosition = object({ textDocument, position });
const inRange = object({ textDocument, range });

/** The forms of the messages that the server handles. The parameters of other messages are not checked. */
const forms: ReadonlyMap<string, Form> = new Map<string, Form>([
  ["textDocument/didOpen", object({ textDocument: object({ uri: isText, languageId: isText, version: isVersion, text: isText }) })],
  [
    "textDocument/didChange",
    object({
      textDocument: object({ uri: isText, version: nullable(isVersion) }),
      contentChanges: listOf(object({ range: optional(range), text: isText })),
    }),
  ],
  ["textDocument/didClose", ofDocument],
  ["textDocument/didSave", ofDocument],
  ["textDocument/hover", atPosition],
  ["textDocument/completion", atPosition],
  ["textDocument/signatureHelp", atPosition],
  ["textDocument/definition", atPosition],
  ["textDocument/declaration", atPosition],
  ["textDocument/references", object({ textDocument, position, context: object({ includeDeclaration: isAnything }) })],
  ["textDocument/documentHighlight", atPosition],
  ["textDocument/prepareRename", atPosition],
  ["textDocument/rename", object({ textDocument, position, newName: isText })],
  [
    "textDocument/codeAction",
    object({ textDocument, range, context: object({ diagnostics: listOf(diagnostic), only: optional(listOf(isText)) }) }),
  ],
  ["codeAction/resolve", object({ title: isText })],
  ["completionItem/resolve", object({ label: isText })],
  ["textDocument/inlayHint", inRange],
  ["textDocument/semanticTokens/full", ofDocument],
  ["textDocument/semanticTokens/full/delta", object({ textDocument, previousResultId: isText })],
  ["textDocument/semanticTokens/range", inRange],
  ["textDocument/documentSymbol", ofDocument],
  ["textDocument/foldingRange", ofDocument],
  ["textDocument/codeLens", ofDocument],
  ["textDocument/documentLink", ofDocument],
  ["textDocument/diagnostic", object({ textDocument, previousResultId: nullable(isText) })],
  ["workspace/diagnostic", object({ previousResultIds: listOf(object({ uri: isText, value: isText })) })],
  ["workspace/symbol", object({ query: isText })],
  ["workspace/executeCommand", object({ command: isText, arguments: nullable(listOf(isAnything)) })],
  ["workspace/didChangeConfiguration", object({})],
  ["workspace/didChangeWatchedFiles", object({ changes: listOf(object({ uri: isText, type: isCount })) })],
  ["workspace/didChangeWorkspaceFolders", object({ event: object({ added: listOf(folder), removed: listOf(folder) }) })],
]);

/** Whether a message has the parameters that its method needs. */
export function areParametersOf(method: string, parameters: unknown): boolean {
  return forms.get(method)?.(parameters) ?? true;
}
