/** The language server in Node: over standard input and output, Node's IPC, a pipe or a socket, as its arguments say. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createConnection, ProposedFeatures } from "vscode-languageserver/node";
import { version } from "../../../package.json";
import { nodeTransport } from "../lsp/node-transport.ts";
import { createLifecycle } from "../lsp/protocol/lifecycle.ts";
import { startServer } from "../lsp/server.ts";
import { folderOf } from "../names.ts";
import { buildOf, cacheFolder, openStore, pruneStore } from "../node/answer-store.ts";
import { openCheckCache } from "../node/check-cache.ts";
import { createNodeFiles } from "../node/node-files.ts";
import { loadNodeParser } from "../node/node-parser.ts";
import { projectRootOf } from "../node/project-root.ts";
import { createTidier } from "../node/tidy.ts";

const lifecycle = createLifecycle();
const [reader, writer] = nodeTransport(process.argv.slice(2), lifecycle);

// Two builds do not take each other's answers; nor does anybody from one that has no name.
const program = buildOf(import.meta.dirname);
const folder = cacheFolder(process.env);
// While nobody waits for the start any more, and without keeping the process alive.
if (program !== undefined) setTimeout(() => pruneStore(folder), 60_000).unref();

startServer(
  createConnection(ProposedFeatures.all, reader, writer, { messageStrategy: lifecycle }),
  {
    loadParser: () => loadNodeParser(import.meta.dirname),
    openFiles: (root, project) => ({ ...createNodeFiles({ root, ...project }), fetch: async () => undefined }),
    ...(program === undefined
      ? {}
      : { openAnswers: (project, files) => openCheckCache({ store: openStore(folder), program, project, files }) }),
    rootOf: (name) => projectRootOf(folderOf(name)).root,
    backgroundLimit: 1_000,
    heard: createTidier().heard,
    documentation: pathToFileURL(join(import.meta.dirname, "docs")).href,
  },
  version,
  lifecycle,
);
