/**
 * Bundles every entry into `dist/` and copies the two wasm files there. The programs and the library are modules that share their
 * chunks; VS Code loads extensions with `require`, so the client is CommonJS. The settings file's schema is generated here from the rules.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { basename, join } from "node:path";
import { type BuildOptions, build, type Plugin } from "esbuild";
import { builtinPage } from "../server/src/editor/language/builtin-page.ts";
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
  target: "es2022",
  sourcemap: "linked",
  minifySyntax: true,
  // Names stay, so that stack traces are readable.
  minifyWhitespace: true,
  keepNames: false,
  legalComments: "none",
  logLevel: "warning",
  metafile: true,
};

const node: BuildOptions = {
  ...common,
  platform: "node",
  target: "node20",
  // Libraries of both kinds are bundled once, as modules where they have them.
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

/**
 * Node's own modules as imports where CommonJS asks for them with `require`, which modules lack. Nothing then has to be put before every
 * chunk, and a browser can load those that the server in its worker shares with Node's programs.
 */
const builtinsAsImports: Plugin = {
  name: "builtins as imports",
  setup(bundle) {
    bundle.onResolve({ filter: /^[\w:/]+$/ }, ({ path, kind }) =>
      kind === "require-call" && isBuiltin(path) ? { path, namespace: "builtin" } : undefined,
    );
    bundle.onLoad({ filter: /.*/, namespace: "builtin" }, ({ path }) => ({
      contents: `import builtin from ${JSON.stringify(path)};\nmodule.exports = builtin;`,
    }));
  },
};

/** The file that Node loads as `clangd-file.js`: its only function loads the bundle at its first call, because the core cannot wait. */
const clangdFileInNode = `import{createRequire}from"node:module";
const require=createRequire(import.meta.url);
let loaded;
export const readClangdFile=(...args)=>(loaded??=require("./clangd-file.cjs")).readClangdFile(...args);
`;

const bundles: readonly BuildOptions[] = [
  {
    // What the programs, the library and the server in a browser's worker share is in chunks, which each of them imports.
    ...node,
    format: "esm",
    splitting: true,
    outdir: fresh,
    entryPoints: ["cli", "server-node", "api", "server-browser"].map((name) => `server/src/entries/${name}.ts`),
    chunkNames: "core-[hash]",
    alias: Object.fromEntries(
      ["vscode-languageserver", "vscode-languageserver-protocol", "vscode-jsonrpc"].map((name) => [
        `${name}/browser`,
        join(root, "node_modules", name, "lib/browser/main.js"),
      ]),
    ),
    plugins: [builtinsAsImports, loadedLater(/\/clangd-file\.ts$/, "./clangd-file.js")],
  },
  {
    // Few projects have the file that two large libraries are for. A browser's worker loads the same bundle as Node's programs.
    ...browser,
    format: "cjs",
    entryPoints: ["server/src/settings/clangd-file.ts"],
    outfile: join(fresh, "clangd-file.cjs"),
  },
  {
    ...node,
    format: "cjs",
    entryPoints: ["client/src/desktop.ts"],
    outfile: join(fresh, "client-desktop.cjs"),
    external: ["vscode"],
    // Code that is loaded in every window with C, C++ or Python must be small.
    plugins: [loadedLater(/^\.\/desktop-client\.ts$/, "./client-desktop-later.cjs")],
    supported: { "dynamic-import": false },
  },
  {
    ...node,
    format: "cjs",
    entryPoints: ["client/src/desktop-client.ts"],
    outfile: join(fresh, "client-desktop-later.cjs"),
    external: ["vscode"],
  },
  { ...browser, format: "cjs", entryPoints: ["client/src/web.ts"], outfile: join(fresh, "client-web.js") },
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
  await writeFile(join(fresh, "package.json"), `${JSON.stringify({ type: "module" })}\n`);
  await writeFile(join(fresh, "clangd-file.js"), clangdFileInNode);
  await writeFile(join(fresh, "gpu-qualifiers.schema.json"), `${JSON.stringify(schema, undefined, 2)}\n`);
  // The pages that the code of a finding links to.
  if (existsSync(pages)) await copyPages(join(fresh, "docs"));
  // Where a definition of a language's own function leads. Nobody should edit them.
  await mkdir(join(fresh, "docs"), { recursive: true });
  for (const { fileName, text } of [builtinPage("opencl"), builtinPage("cuda")])
    await writeFile(join(fresh, "docs", fileName), text, { mode: 0o444 });
  const parts = await Promise.allSettled([
    Promise.all(bundles.map((options) => build(options))).then((results) =>
      writeFile(
        join(fresh, "third-party-notices.txt"),
        noticesOf(results.flatMap(({ metafile }) => (metafile === undefined ? [] : [metafile]))),
      ),
    ),
    writeDeclarations(join(fresh, "types")),
    ...wasm.map((path) => copyFile(join(root, path), join(fresh, path.slice(path.lastIndexOf("/") + 1)))),
  ]);
  const failed = parts.find((part) => part.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  // The results that one build has stored must not be used by another.
  const hash = createHash("sha256");
  for (const part of (await readdir(fresh)).filter((name) => /\.(?:c?js|wasm)$/.test(name)).sort())
    hash.update(await readFile(join(fresh, part)));
  await writeFile(join(fresh, "build.txt"), `${hash.digest("hex")}\n`);
  // npm sets the same mode when it installs the package.
  for (const program of ["cli.js", "server-node.js"]) await chmod(join(fresh, program), 0o755);
  await rm(dist, { recursive: true, force: true });
  await rename(fresh, dist);
} finally {
  await rm(fresh, { recursive: true, force: true });
}
