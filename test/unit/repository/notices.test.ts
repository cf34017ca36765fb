/** The licenses that are shipped: those of the packages whose code is in the bundles, and no others. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Metafile } from "esbuild";
import { expect, it } from "vitest";
import { noticesOf } from "../../../scripts/notices.ts";

const root = join(import.meta.dirname, "../../..");

it("name the packages of which the bundler has kept code", () => {
  const kept = { "node_modules/commander/index.js": { bytesInOutput: 10 }, "node_modules/zod/index.js": { bytesInOutput: 0 } };
  const built: Metafile = { inputs: {}, outputs: { "dist/cli.js": { bytes: 10, inputs: kept, imports: [], exports: [] } } };
  const names = [...noticesOf([built]).matchAll(/^(\S+) \d+\.\d+\.\d+ \(/gm)].map(([, name]) => name);
  expect(names).toEqual(["commander", "tree-sitter-c", "tree-sitter-cpp", "web-tree-sitter"]);
});

it("the two halves of the protocol's library have one version", () => {
  const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expect(devDependencies["vscode-languageserver"]).toBe(devDependencies["vscode-languageclient"]);
});
