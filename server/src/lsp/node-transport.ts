/**
 * Connects a server in Node with its client: over standard input and output, Node's IPC, a pipe or a socket, as its arguments
 * request. It ends the process when the client is gone, or when the start of the next message cannot be found.
 */
import { Console } from "node:console";
import {
  createServerPipeTransport,
  createServerSocketTransport,
  ErrorCodes,
  IPCMessageReader,
  IPCMessageWriter,
  type Message,
  type MessageReader,
  type MessageWriter,
  StreamMessageReader,
} from "vscode-languageserver/node";
import { NodeMessageWriter } from "./node-writer.ts";
import { watchFraming } from "./protocol/framing.ts";
import type { Lifecycle } from "./protocol/lifecycle.ts";

/** Creates the transport. It must run before anything else listens. */
export function nodeTransport(args: readonly string[], lifecycle: Lifecycle): readonly [MessageReader, MessageWriter] {
  /** When the client dies, the input ends without an `exit` message. */
  const end = () => process.exit(lifecycle.isDown() ? 0 : 1);
  let tell = async (_: object): Promise<void> => undefined;
  const refuse = (why: string) => {
    const message = `gpu-qualifiers: the session ends, because ${why}`;
    process.stderr.write(`${message}\n`);
    void tell({ method: "window/logMessage", params: { type: 1, message } }).finally(() => process.exit(1));
  };
  const transport = open(args, refuse, end);
  const [reader, writer] = transport;
  tell = (content) => writer.write({ jsonrpc: "2.0", ...content } as Message).catch(() => undefined);
  reader.onClose(end);
  writer.onClose(end);
  // A message that is not JSON cannot be answered, but the next one may be valid.
  reader.onError((error) => {
    if (error instanceof SyntaxError) void tell({ id: null, error: { code: ErrorCodes.ParseError, message: "the message is not JSON" } });
  });
  return transport;
}

/** Uses standard input and output unless the arguments request another channel. */
function open(args: readonly string[], refuse: (why: string) => void, end: () => void): readonly [MessageReader, MessageWriter] {
  const valueOf = (option: string) => {
    const at = args.findIndex((arg) => arg === option || arg.startsWith(`${option}=`));
    return at < 0 ? undefined : args[at]?.slice(option.length + 1) || args[at + 1];
  };
  if (args.includes("--node-ipc")) return [new IPCMessageReader(process), new IPCMessageWriter(process)];
  const pipe = valueOf("--pipe");
  if (pipe !== undefined) return createServerPipeTransport(pipe);
  const port = Number(valueOf("--socket"));
  if (port > 0) return createServerSocketTransport(port);
  // Any text on standard output would corrupt the messages.
  globalThis.console = new Console(process.stderr);
  const { stdin, stdout } = process;
  stdin.on("data", watchFraming(refuse));
  stdin.on("end", end);
  stdin.on("error", end);
  stdout.on("error", end);
  return [new StreamMessageReader(stdin), new NodeMessageWriter(stdout)];
}
