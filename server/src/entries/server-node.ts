#!/usr/bin/env node
/** The language server in Node: over standard input and output, Node's IPC, a pipe or a socket, as the arguments request. */
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
import { clangFormat } from "../node/clang-format.ts";
import { folderOfModule } from "../node/folder-of-module.ts";
import { createNodeFiles } from "../node/node-files.ts";
import { loadNodeParser } from "../node/node-parser.ts";
import { projectRootOf } from "../node/project-root.ts";
import { realNameOf } from "../node/real-files.ts";
import { createTidier } from "../node/tidy.ts";
import { compileParserOnce } from "../node/v8-flags.ts";

const here = folderOfModule(import.meta.url);
const lifecycle = createLifecycle();
const [reader, writer] = nodeTransport(process.argv.slice(2), lifecycle);

// Two builds do not share answers; a build without a name shares none.
const program = buildOf(here);
const folder = cacheFolder(process.env);
// The parser is loaded when a client has said hello, after this.
compileParserOnce();
// Runs a minute after the start, when the server is idle, and does not keep the process alive.
if (program !== undefined) setTimeout(() => pruneStore(folder), 60_000).unref();

const format = clangFormat();

startServer(
  createConnection(ProposedFeatures.all, reader, writer, { messageStrategy: lifecycle }),
  {
    loadParser: () => loadNodeParser(here),
    openFiles: (root, project) => ({ ...createNodeFiles({ root, ...project }), fetch: async () => undefined }),
    ...(program === undefined
      ? {}
      : { openAnswers: (project, files) => openCheckCache({ store: openStore(folder), program, project, files }) }),
    rootOf: (name) => projectRootOf(folderOf(name)).root,
    realNameOf,
    backgroundLimit: 1_000,
    noteMessage: createTidier().noteMessage,
    documentation: pathToFileURL(join(here, "docs")).href,
    ...(format === undefined ? {} : { format }),
  },
  version,
  lifecycle,
);
