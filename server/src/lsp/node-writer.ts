/**
 * Writes messages to a stream of Node. A message leaves in one piece, in the call that sends it. The library's writer waits for a
 * turn of the event loop before a message and for another one between its header and its body, and other work may run in those
 * turns.
 */
import type { Writable } from "node:stream";
import { AbstractMessageWriter, type Message, type MessageWriter } from "vscode-languageserver/node";

/** Writes messages with the headers of the base protocol. A failed write rejects, and is reported to `onError`. */
export class NodeMessageWriter extends AbstractMessageWriter implements MessageWriter {
  readonly #stream: Writable;
  #failures = 0;

  /** Writes to the stream until that closes. */
  constructor(stream: Writable) {
    super();
    this.#stream = stream;
    stream.on("error", (error) => this.fireError(error));
    stream.on("close", () => this.fireClose());
  }

  /** Resolves when the stream has taken the whole message. Messages leave in the order of the calls. */
  write(message: Message): Promise<void> {
    return new Promise((resolve, reject) => {
      const body = Buffer.from(JSON.stringify(message), "utf8");
      const header = Buffer.from(`Content-Length: ${body.length}\r\n\r\n`, "ascii");
      this.#stream.write(Buffer.concat([header, body]), (error) => {
        if (error === null || error === undefined) return resolve();
        this.#failures += 1;
        this.fireError(error, message, this.#failures);
        reject(error);
      });
    });
  }

  /** Ends the stream. */
  end(): void {
    this.#stream.end();
  }
}
