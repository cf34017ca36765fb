/** Messages with invalid parameters do not reach their handlers: requests are refused, notifications are ignored. */
import { expect, it } from "vitest";
import { ErrorCodes, type Message } from "vscode-languageserver";
import { createLifecycle } from "../../../server/src/lsp/protocol/lifecycle.ts";

const uri = "file:///a.cu";
const position = { line: 0, character: 2_147_483_647 };
const range = { start: { line: 0, character: 0 }, end: position };
const right = {
  textDocument: { uri, languageId: "cuda-cpp", version: 1, text: "" },
  position,
  range,
  contentChanges: [{ range, text: "x" }, { text: "" }],
  context: { diagnostics: [{ range, message: "m" }], includeDeclaration: true },
  newName: "n",
  query: "",
  command: "c",
  previousResultIds: [{ uri, value: "1" }],
  changes: [{ uri, type: 1 }],
};
const wrong = [null, 0, -1, Number.NaN, 1e300, 0.5, true, {}, [[]], [null], { line: -1, character: 0 }, { uri: 5 }];

const requests = [
  ["hover", ["textDocument", "position"]],
  ["completion", ["textDocument", "position"]],
  ["rename", ["textDocument", "position", "newName"]],
  ["references", ["textDocument", "position"]],
  ["codeAction", ["textDocument", "range", "context"]],
  ["inlayHint", ["textDocument", "range"]],
  ["diagnostic", ["textDocument"]],
] as const;

/** The parameters that the handlers receive for a message. */
function heard(message: object): { readonly method: string; readonly params: unknown } | undefined {
  const lifecycle = createLifecycle();
  let got: unknown;
  const next = (given: Message): void => {
    got = given;
  };
  lifecycle.handleMessage({ jsonrpc: "2.0", id: 1, method: "initialize", params: {} } as Message, () => undefined);
  lifecycle.handleMessage({ jsonrpc: "2.0", ...message } as Message, next);
  return got as ReturnType<typeof heard>;
}

it.each(requests)("of %s", (name, members) => {
  const method = `textDocument/${name}`;
  expect(heard({ id: 2, method, params: right })?.params).toBe(right);
  for (const member of members) {
    for (const value of wrong) {
      const got = heard({ id: 2, method, params: { ...right, [member]: value } });
      expect([value, got?.params]).toEqual([value, expect.objectContaining({ code: ErrorCodes.InvalidParams })]);
    }
  }
  for (const params of [undefined, null, [], "x"]) expect(heard({ id: 2, method, params })?.method).not.toBe(method);
});

it.each([
  ["textDocument/didOpen", "textDocument"],
  ["textDocument/didChange", "textDocument"],
  ["textDocument/didChange", "contentChanges"],
  ["workspace/didChangeWatchedFiles", "changes"],
])("of %s: %s", (method, member) => {
  expect(heard({ method, params: right })?.params).toBe(right);
  for (const value of wrong) expect([value, heard({ method, params: { ...right, [member]: value } })]).toEqual([value, undefined]);
  expect(heard({ method })).toBeUndefined();
});

it("of other methods reach their handlers", () => {
  expect(heard({ id: 2, method: "x/y", params: 5 })?.params).toBe(5);
  expect(heard({ method: "$/cancelRequest", params: { id: 2 } })?.method).toBe("$/cancelRequest");
});
