/** Messages at the wrong time, and invalid messages: the server answers as the protocol requires, or ends with a message. */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { ErrorCodes } from "vscode-languageserver/node";

const program = join(import.meta.dirname, "../../dist/server-node.js");

interface Raw {
  write(text: string): void;
  send(message: object): void;
  /** The response to a request, when it arrives. */
  answer(id: number | null): Promise<{ readonly result?: unknown; readonly error?: { readonly code: number; readonly message: string } }>;
  readonly exit: Promise<number | null>;
  end(): void;
  error(): string;
  out(): string;
}

let child: ChildProcess | undefined;
afterEach(() => void child?.kill());

/** Raw messages, because a client library would not send what these tests need. */
function start(): Raw {
  const server = spawn(process.execPath, [program, "--stdio"], { stdio: ["pipe", "pipe", "pipe"] });
  child = server;
  let out = "";
  let error = "";
  server.stdout.on("data", (data) => (out += data));
  server.stderr.on("data", (data) => (error += data));
  server.stdin.on("error", () => undefined);
  const messages = () => out.split(/Content-Length: \d+\r\n\r\n/).flatMap((text) => (text === "" ? [] : [parsed(text)]));
  return {
    write: (text) => void server.stdin.write(text),
    send(message) {
      const text = JSON.stringify({ jsonrpc: "2.0", ...message });
      server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
    },
    answer: (id) =>
      expect
        .poll(() => messages().find((message) => message?.id === id && message.method === undefined), { timeout: 10_000 })
        .toBeDefined()
        .then(() => messages().find((message) => message?.id === id && message.method === undefined) ?? {}),
    exit: new Promise((resolve) => server.on("exit", resolve)),
    end: () => void server.stdin.end(),
    error: () => error,
    out: () => out,
  };
}

function parsed(text: string): { id?: unknown; method?: string; result?: unknown; error?: { code: number; message: string } } | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const initialize = { method: "initialize", params: { processId: null, rootUri: null, capabilities: {} } };
const hover = { method: "textDocument/hover", params: { textDocument: { uri: "file:///a.cl" }, position: { line: 0, character: 0 } } };

async function started(): Promise<Raw> {
  const server = start();
  server.send({ id: 1, ...initialize });
  await server.answer(1);
  server.send({ method: "initialized", params: {} });
  return server;
}

describe("requests", () => {
  it("before 'initialize' are refused, and notifications are dropped", async () => {
    const server = start();
    server.send({
      method: "textDocument/didOpen",
      params: { textDocument: { uri: "file:///a.cl", languageId: "opencl", version: 1, text: "" } },
    });
    server.send({ id: 5, ...hover });
    server.send({ id: 6, method: "no/such/method" });
    server.send({ id: 7, method: "shutdown" });
    for (const id of [5, 6, 7]) expect((await server.answer(id)).error?.code).toBe(ErrorCodes.ServerNotInitialized);
    server.send({ id: 8, ...initialize });
    expect((await server.answer(8)).result).toBeDefined();
  });

  it("during the start are also refused", async () => {
    const server = start();
    server.send({ id: 1, ...initialize });
    server.send({ id: 2, ...hover });
    expect((await server.answer(2)).error?.code).toBe(ErrorCodes.ServerNotInitialized);
    expect((await server.answer(1)).result).toBeDefined();
  });

  it("to 'initialize' again are refused, and the session continues", async () => {
    const server = await started();
    server.send({ id: 2, ...initialize });
    expect((await server.answer(2)).error).toEqual({ code: ErrorCodes.InvalidRequest, message: "the server is initialized already" });
    server.send({ id: 3, ...hover });
    expect((await server.answer(3)).result).toBeNull();
  });

  it("after 'shutdown' are refused, and 'exit' ends the process with code 0", async () => {
    const server = await started();
    server.send({ id: 2, method: "shutdown" });
    expect((await server.answer(2)).result).toBeNull();
    server.send({ id: 3, ...hover });
    server.send({ id: 4, method: "shutdown" });
    server.send({ id: 5, ...initialize });
    for (const id of [3, 4, 5]) expect((await server.answer(id)).error?.code).toBe(ErrorCodes.InvalidRequest);
    server.send({ method: "exit" });
    expect(await server.exit).toBe(0);
  });

  it("that are unknown, or lack parameters, get an error and change nothing", async () => {
    const server = await started();
    for (const message of [[1, 2], "x", null, {}, { jsonrpc: "2.0" }, { id: {} }]) {
      const text = JSON.stringify(message);
      server.write(`Content-Length: ${text.length}\r\n\r\n${text}`);
    }
    for (const params of [
      null,
      {},
      { textDocument: null },
      { textDocument: { uri: 1 } },
      { textDocument: { uri: "file:///a.cl" }, contentChanges: [{}] },
    ])
      for (const method of ["didOpen", "didChange", "didClose"]) server.send({ method: `textDocument/${method}`, params });
    server.send({ id: 2, method: "no/such/method" });
    expect((await server.answer(2)).error?.code).toBe(ErrorCodes.MethodNotFound);
    server.send({ id: 3, method: "textDocument/hover" });
    expect((await server.answer(3)).error).toBeDefined();
    server.send({ id: 4, method: "workspace/executeCommand", params: { command: "gpu-qualifiers.rules" } });
    expect((await server.answer(4)).result).toEqual(expect.arrayContaining([expect.objectContaining({ id: "const-write" })]));
  });
});

describe("the end of the process", () => {
  it("without 'shutdown' is a failure", async () => {
    const server = await started();
    server.send({ method: "exit" });
    expect(await server.exit).toBe(1);
  });

  it("comes after the client has closed the connection", async () => {
    const server = await started();
    server.end();
    expect(await server.exit).toBe(1);
  });

  it.each([
    ["garbage\r\n\r\n", "a line of a header has no colon"],
    ["Content-Length: -1\r\n\r\n{}", "the 'Content-Length' of a header is not a number"],
    ["Content-Length: 99999999999\r\n\r\n{}", "a message is larger than 256 MB"],
  ])("comes with a message after a header that cannot be read: %j", async (text, why) => {
    for (const server of [start(), await started()]) {
      server.write(text);
      expect(await server.exit).toBe(1);
      expect(server.error()).toBe(`gpu-qualifiers: the session ends, because ${why}\n`);
      expect(server.out()).toContain(why);
    }
  });

  it("does not come after a message that is not JSON", async () => {
    const server = await started();
    server.write("Content-Length: 5\r\n\r\n{abc}");
    expect((await server.answer(null)).error?.code).toBe(ErrorCodes.ParseError);
    server.send({ id: 3, ...hover });
    expect((await server.answer(3)).result).toBeNull();
  });
});
