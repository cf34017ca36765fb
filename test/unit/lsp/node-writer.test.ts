/** Each message is written in one piece, in the order of sending, before the sending call returns. */
import { Writable } from "node:stream";
import { expect, test } from "vitest";
import type { Message } from "vscode-languageserver/node";
import { NodeMessageWriter } from "../../../server/src/lsp/node-writer.ts";

const message = (method: string) => ({ jsonrpc: "2.0", method }) as Message;

function collecting(): { readonly stream: Writable; readonly chunks: string[] } {
  const chunks: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      chunks.push(chunk.toString("utf8"));
      done();
    },
  });
  return { stream, chunks };
}

test("a message is written before the call returns, its header and its body together", () => {
  const { stream, chunks } = collecting();
  const writer = new NodeMessageWriter(stream);
  void writer.write(message("first"));
  void writer.write(message("second"));
  const [first, second] = ["first", "second"].map((method) => JSON.stringify(message(method)));
  expect(chunks).toEqual([`Content-Length: ${first?.length}\r\n\r\n${first}`, `Content-Length: ${second?.length}\r\n\r\n${second}`]);
});

test("the header states the length in bytes", async () => {
  const { stream, chunks } = collecting();
  await new NodeMessageWriter(stream).write(message("ä€𝄞"));
  const [header = "", body = ""] = (chunks[0] ?? "").split("\r\n\r\n");
  expect(header).toBe(`Content-Length: ${Buffer.byteLength(body)}`);
  expect(JSON.parse(body)).toEqual(message("ä€𝄞"));
});

test("a failed write rejects, and informs the listeners", async () => {
  const stream = new Writable({ write: (_chunk, _, done) => done(new Error("the pipe is closed")) });
  const writer = new NodeMessageWriter(stream);
  const errors: string[] = [];
  writer.onError(([error]) => errors.push(error.message));
  await expect(writer.write(message("lost"))).rejects.toThrow("the pipe is closed");
  expect(errors).toContain("the pipe is closed");
});

test("the end of the stream closes the writer", async () => {
  const { stream } = collecting();
  const writer = new NodeMessageWriter(stream);
  const closed = new Promise<void>((resolve) => void writer.onClose(() => resolve()));
  writer.end();
  await closed;
});
