/**
 * How a server in Node hears its client: over standard input and output, Node's IPC, a pipe or a socket, as its arguments say.
 * It ends the process when the client is gone, or when nobody can tell any more where a message begins.
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
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { watchFraming } from "./protocol/framing.ts";
import type { Lifecycle } from "./protocol/lifecycle.ts";

/** To be made before anything else listens. */
export function nodeTransport(args: readonly string[], lifecycle: Lifecycle): readonly [MessageReader, MessageWriter] {
  /** The input ends without `exit` where the client has died. */
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
  // What is not JSON is no message that could be answered, but the next one may be.
  reader.onError((error) => {
    if (error instanceof SyntaxError) void tell({ id: null, error: { code: ErrorCodes.ParseError, message: "the message is not JSON" } });
  });
  return transport;
}

/** Standard input and output where nothing else is asked for. */
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
  // A word on standard output would be a broken message.
  globalThis.console = new Console(process.stderr);
  const { stdin, stdout } = process;
  stdin.on("data", watchFraming(refuse));
  stdin.on("end", end);
  stdin.on("error", end);
  stdout.on("error", end);
  return [new StreamMessageReader(stdin), new StreamMessageWriter(stdout)];
}
