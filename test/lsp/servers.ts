/**
 * The language server, started in one of two ways. In this process it costs next to nothing. The real program is for tests that need a
 * process: that it answers while it works, how it ends, and how it treats hostile clients.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { pathToFileURL } from "node:url";
import {
  createConnection,
  type MessageReader,
  type MessageWriter,
  ProposedFeatures,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { createLifecycle } from "../../server/src/lsp/protocol/lifecycle.ts";
import { startServer } from "../../server/src/lsp/server.ts";
import { folderOf } from "../../server/src/names.ts";
import { openStore } from "../../server/src/node/answer-store.ts";
import { openCheckCache } from "../../server/src/node/check-cache.ts";
import { clangFormat } from "../../server/src/node/clang-format.ts";
import { createNodeFiles } from "../../server/src/node/node-files.ts";
import { projectRootOf } from "../../server/src/node/project-root.ts";
import { realNameOf } from "../../server/src/node/real-files.ts";
import { testParser } from "../service.ts";

export const root = join(import.meta.dirname, "../..");

/** A server without its client. */
export interface Server {
  readonly reader: MessageReader;
  readonly writer: MessageWriter;
  /** The process of the client, whose end the server watches; null if both share a process. */
  readonly clientId: number | null;
  /** Ends it after the answer to `shutdown`, by sending `exit` if it is a process; the result is the exit code. */
  end(exit: () => Promise<void>): Promise<number | null>;
}

/** A server in a process of its own. */
export interface ServerProcess extends Server {
  readonly process: ChildProcess;
}

/** Starts the real program. `cache` is where it stores results from one session to the next; nowhere if absent. */
export function startProcess(cache: string | undefined): ServerProcess {
  const child = spawn(process.execPath, [join(root, "dist/server-node.js"), "--stdio"], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, GPU_QUALIFIERS_CACHE: cache ?? "/dev/null" },
  });
  const exited = new Promise<number | null>((resolve) => child.on("exit", resolve));
  return {
    process: child,
    reader: new StreamMessageReader(child.stdout),
    writer: new StreamMessageWriter(child.stdin),
    clientId: process.pid,
    async end(exit) {
      await exit();
      return exited;
    },
  };
}

/** Starts a server that shares this process, and the parser, with the tests. It has the platform of `entries/server-node.ts`. */
export function startHere(cache: string | undefined): Server {
  const format = clangFormat();
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  const lifecycle = createLifecycle();
  // Readers and writers, because the end of a stream would end this process.
  const connection = createConnection(ProposedFeatures.all, new StreamMessageReader(toServer), new StreamMessageWriter(toClient), {
    messageStrategy: lifecycle,
  });
  startServer(
    connection,
    {
      loadParser: testParser,
      openFiles: (folder, project) => ({ ...createNodeFiles({ root: folder, ...project }), fetch: async () => undefined }),
      ...(cache !== undefined && {
        openAnswers: (project, files) => openCheckCache({ store: openStore(cache), program: "test", project, files }),
      }),
      realNameOf,
      rootOf: (name) => projectRootOf(folderOf(name)).root,
      backgroundLimit: 1_000,
      documentation: pathToFileURL(join(root, "dist/docs")).href,
      ...(format === undefined ? {} : { format }),
    },
    "0.0.0",
    lifecycle,
  );
  return {
    reader: new StreamMessageReader(toClient),
    writer: new StreamMessageWriter(toServer),
    clientId: null,
    // The notification `exit` would end this process.
    async end() {
      connection.dispose();
      return 0;
    },
  };
}
