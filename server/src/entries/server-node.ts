/** The language server in Node: over standard input and output, Node's IPC, a pipe or a socket, as its arguments say. */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createConnection, ProposedFeatures } from "vscode-languageserver/node";
import { version } from "../../../package.json";
import { createNodeFiles } from "../host/node-files.ts";
import { loadNodeParser } from "../host/node-parser.ts";
import { projectRootOf } from "../host/project-root.ts";
import { startServer } from "../lsp/server.ts";
import { folderOf } from "../names.ts";

const transports = /^--(stdio|node-ipc|pipe|socket)\b/;
if (!process.argv.some((argument) => transports.test(argument))) process.argv.push("--stdio");

startServer(
  createConnection(ProposedFeatures.all),
  {
    loadParser: () => loadNodeParser(import.meta.dirname),
    openFiles: (root, isExcluded) => ({ ...createNodeFiles({ root, isExcluded }), fetch: async () => undefined }),
    rootOf: (name) => projectRootOf(folderOf(name)).root,
    backgroundLimit: 1_000,
    documentation: pathToFileURL(join(import.meta.dirname, "docs")).href,
  },
  version,
);
