/**
 * Checks the parameters of messages before any handler sees them. A client with a mistake, or anyone who can write to the server,
 * may send any JSON; a text that is not a string would damage the document and all results for it. Optional members may be missing,
 * and unknown members are ignored.
 */

/** Tests whether a value has the form that the protocol requires. */
type Form = (value: unknown) => boolean;

const isText: Form = (value) => typeof value === "string";
const isAnything: Form = () => true;
/** Positions count from zero; a client may send more than the line has (LSP 3.17, Position). */
const isCount: Form = (value) => typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 2 ** 31 - 1;
const isVersion: Form = (value) => typeof value === "number" && Number.isInteger(value);
const listOf =
  (form: Form): Form =>
  (value) =>
    Array.isArray(value) && value.every(form);
const optional =
  (form: Form): Form =>
  (value) =>
    value === undefined || form(value);
const nullable =
  (form: Form): Form =>
  (value) =>
    value === undefined || value === null || form(value);

function object(members: Readonly<Record<string, Form>>): Form {
  const forms = Object.entries(members);
  return (value) =>
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    forms.every(([name, form]) => form((value as Readonly<Record<string, unknown>>)[name]));
}

const position = object({ line: isCount, character: isCount });
const range = object({ start: position, end: position });
const textDocument = object({ uri: isText });
const diagnostic = object({ range });
const folder = object({ uri: isText, name: isText });

const ofDocument = object({ textDocument });
const atPosition = object({ textDocument, position });
const inRange = object({ textDocument, range });

/** The forms of the messages that the server handles. The parameters of other messages are not checked. */
const forms: ReadonlyMap<string, Form> = new Map([
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
