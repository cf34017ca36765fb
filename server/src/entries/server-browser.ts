/** The language server in a browser's worker. The client passes the parser's bytes and reads files for it. */
import { BrowserMessageReader, BrowserMessageWriter, createConnection } from "vscode-languageserver/browser";
import { version } from "../../../package.json";
import { createRemoteFiles } from "../lsp/projects/remote-files.ts";
import { createLifecycle } from "../lsp/protocol/lifecycle.ts";
import { startServer } from "../lsp/server.ts";
import { folderOf } from "../names.ts";
import { loadParser } from "../syntax/parser.ts";

const worker = globalThis as unknown as Worker;
const lifecycle = createLifecycle();
const connection = createConnection(new BrowserMessageReader(worker), new BrowserMessageWriter(worker), { messageStrategy: lifecycle });

startServer(
  connection,
  {
    loadParser({ runtimeWasm, grammarWasm }) {
      if (runtimeWasm === undefined || grammarWasm === undefined)
        throw new Error("the client has not sent the parser: runtimeWasm and grammarWasm");
      return loadParser(runtimeWasm, grammarWasm);
    },
    openFiles: (root, { isExcluded }) => createRemoteFiles(connection, root, isExcluded),
    rootOf: folderOf,
    backgroundLimit: 200,
    documentation: undefined,
  },
  version,
  lifecycle,
);
