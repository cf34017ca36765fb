/** The language server in Node: over standard input and output, Node's IPC, a pipe or a socket, as its arguments say. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createConnection, ProposedFeatures } from "vscode-languageserver/node";
import { version } from "../../../package.json";
import { nodeTransport } from "../lsp/node-transport.ts";
import { createLifecycle } from "../lsp/protocol/lifecycle.ts";
import { startServer } from "../lsp/server.ts";
import { folderOf } from "../names.ts";
import { createNodeFiles } from "../node/node-files.ts";
import { loadNodeParser } from "../node/node-parser.ts";
import { projectRootOf } from "../node/project-root.ts";

const lifecycle = createLifecycle();
const [reader, writer] = nodeTransport(process.argv.slice(2), lifecycle);

startServer(
  createConnection(ProposedFeatures.all, reader, writer, { messageStrategy: lifecycle }),
  {
    loadParser: () => loadNodeParser(import.meta.dirname),
    openFiles: (root, project) => ({ ...createNodeFiles({ root, ...project }), fetch: async () => undefined }),
    rootOf: (name) => projectRootOf(folderOf(name)).root,
    backgroundLimit: 1_000,
    documentation: pathToFileURL(join(import.meta.dirname, "docs")).href,
  },
  version,
  lifecycle,
);
