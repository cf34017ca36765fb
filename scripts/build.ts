/**
 * Bundles every entry into `dist/` and copies the two wasm files there. `dist/` is CommonJS whatever the root package says,
 * because VS Code loads extensions with `require`. The settings file's schema is generated here from the rules.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { type BuildOptions, build, type Plugin } from "esbuild";
import { rules } from "../server/src/rules/index.ts";
import { settingsSchema } from "../server/src/settings/settings-schema.ts";
import { writeDeclarations } from "./declarations.ts";
import { htmlPage } from "./docs/html-pages.ts";
import { noticesOf } from "./notices.ts";

const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");
// Built in a separate folder and then moved into place, so that a server running from `dist/` never sees half of a build.
const fresh = join(root, `dist.${process.pid}`);

const common: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  format: "cjs",
  target: "es2022",
  sourcemap: "linked",
  minifySyntax: true,
  // Names stay, so that stack traces are readable.
  minifyWhitespace: true,
  keepNames: false,
  legalComments: "none",
  logLevel: "warning",
};

const node: BuildOptions = {
  ...common,
  platform: "node",
  target: "node20",
  // A CommonJS bundle has no import.meta, which the parser's ESM build uses, so its CommonJS build is bundled.
  define: { "import.meta.dirname": "__dirname", "import.meta.filename": "__filename" },
  alias: { "web-tree-sitter": "./node_modules/web-tree-sitter/web-tree-sitter.cjs" },
  mainFields: ["module", "main"],
};

const browser: BuildOptions = {
  ...common,
  platform: "browser",
  // The parser's runtime imports these only in Node.
  external: ["fs", "fs/promises", "module", "path", "url", "vscode"],
};

/** Keeps an imported file a bundle of its own, which is loaded when it is needed. */
function loadedLater(imported: RegExp, bundled: string): Plugin {
  return {
    name: "loaded later",
    setup(bundle) {
      bundle.onResolve({ filter: imported }, () => ({ path: bundled, external: true }));
    },
  };
}

const bundles: readonly BuildOptions[] = [
  {
    ...node,
    entryPoints: ["server/src/entries/cli.ts"],
    outfile: join(fresh, "cli.js"),
    banner: { js: "#!/usr/bin/env node" },
    // Few runs of the program need the library of this protocol.
    plugins: [loadedLater(/^\.\/mcp\/server\.ts$/, "./mcp.js")],
    supported: { "dynamic-import": false },
  },
  { ...node, entryPoints: ["server/src/cli/mcp/server.ts"], outfile: join(fresh, "mcp.js") },
  {
    ...node,
    entryPoints: ["server/src/entries/server-node.ts"],
    outfile: join(fresh, "server-node.js"),
    banner: { js: "#!/usr/bin/env node" },
  },
  { ...node, entryPoints: ["server/src/entries/api.ts"], outfile: join(fresh, "api.js") },
  { ...browser, format: "iife", entryPoints: ["server/src/entries/server-browser.ts"], outfile: join(fresh, "server-browser.js") },
  {
    ...node,
    entryPoints: ["client/src/desktop.ts"],
    outfile: join(fresh, "client-desktop.js"),
    external: ["vscode"],
    // Code that is loaded in every window with C, C++ or Python must be small.
    plugins: [loadedLater(/^\.\/desktop-client\.ts$/, "./client-desktop-later.js")],
    supported: { "dynamic-import": false },
  },
  { ...node, entryPoints: ["client/src/desktop-client.ts"], outfile: join(fresh, "client-desktop-later.js"), external: ["vscode"] },
  { ...browser, entryPoints: ["client/src/web.ts"], outfile: join(fresh, "client-web.js") },
];

const wasm = ["node_modules/web-tree-sitter/web-tree-sitter.wasm", "grammars/tree-sitter-gpu.wasm"];

const schema = {
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "gpu-qualifiers.json",
  allowComments: true,
  allowTrailingCommas: true,
  ...settingsSchema(rules),
};

const pages = join(root, "server/docs");

/** Copies the pages for Markdown previews, with the names of languages that these know and color, and as HTML for browsers. */
async function copyPages(to: string): Promise<void> {
  await mkdir(to);
  const known: Readonly<Record<string, string>> = { cuda: "cpp", opencl: "c" };
  for (const name of (await readdir(pages, { recursive: true })).filter((path) => path.endsWith(".md"))) {
    // The comment that says where the page comes from is for those who would edit it.
    const text = (await readFile(join(pages, name), "utf8")).replace(/^<!--.*?-->\s*/s, "");
    const page = text.replace(/^```(cuda|opencl)$/gm, (fence, language: string) => fence.replace(language, known[language] ?? language));
    await writeFile(join(to, basename(name)), page);
    await writeFile(join(to, `${basename(name, ".md")}.html`), htmlPage(page));
  }
}

try {
  await mkdir(fresh, { recursive: true });
  await writeFile(join(fresh, "package.json"), `${JSON.stringify({ type: "commonjs" })}\n`);
  await writeFile(join(fresh, "gpu-qualifiers.schema.json"), `${JSON.stringify(schema, undefined, 2)}\n`);
  // The pages that the code of a finding links to.
  if (existsSync(pages)) await copyPages(join(fresh, "docs"));
  const parts = await Promise.allSettled([
    Promise.all(bundles.map((options) => build({ ...options, metafile: true }))).then((results) => {
      const inputs = results.flatMap(({ metafile }) => Object.keys(metafile?.inputs ?? {}));
      return writeFile(join(fresh, "third-party-notices.txt"), noticesOf(inputs));
    }),
    writeDeclarations(join(fresh, "types")),
    ...wasm.map((path) => copyFile(join(root, path), join(fresh, path.slice(path.lastIndexOf("/") + 1)))),
  ]);
  const failed = parts.find((part) => part.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  // The results that one build has stored must not be used by another.
  const hash = createHash("sha256");
  for (const part of ["cli.js", "server-node.js", "tree-sitter-gpu.wasm"]) hash.update(await readFile(join(fresh, part)));
  await writeFile(join(fresh, "build.txt"), `${hash.digest("hex")}\n`);
  // npm sets the same mode when it installs the package.
  for (const program of ["cli.js", "server-node.js"]) await chmod(join(fresh, program), 0o755);
  await rm(dist, { recursive: true, force: true });
  await rename(fresh, dist);
} finally {
  await rm(fresh, { recursive: true, force: true });
}
