/**
 * `npm run package`: packages the built extension as `dist/gpu-qualifiers.vsix`, from a folder that contains only the files that
 * the extension needs. It does not need the command line program and the library, which are in the npm package. Until the project
 * has a public address, the extension's page has no pictures, because VS Code loads them only from the web.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { home } from "../server/src/cli/home.ts";

const root = join(import.meta.dirname, "..");
const vsce = join(root, "node_modules/@vscode/vsce/vsce");
const staging = join(root, ".cache/package");
const vsix = join(root, "dist/gpu-qualifiers.vsix");

const notForEditors = /^(?:dist\/(?:types|docs\/.*\.html$|.*\.(?:map|vsix)$)|client\/(?:src|playground|icon\.svg|images\/tour\.png))/;
/** The files that the extension starts; the other programs and their chunks are in the npm package. */
const started = ["client-desktop.cjs", "client-web.js", "server-node.js", "server-browser.js"];

interface Manifest {
  readonly [name: string]: unknown;
}

/** Packages the extension; returns the package's path and its files. */
export function packageExtension(): { readonly path: string; readonly files: readonly string[] } {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest;
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging, { recursive: true });
  const scripts = loadedBy(started);
  const isNeeded = (path: string) =>
    !notForEditors.test(path) && (!/^dist\/[^/]+\.c?js$/.test(path) || scripts.has(path.slice("dist/".length)));
  for (const name of ["dist", "client", "docs"])
    cpSync(join(root, name), join(staging, name), { recursive: true, filter: (from) => isNeeded(from.slice(root.length + 1)) });
  for (const name of ["package.nls.json", "CHANGELOG.md", "SECURITY.md", "LICENSE"]) copyFileSync(join(root, name), join(staging, name));
  const readme = readFileSync(join(root, "README.md"), "utf8");
  writeFileSync(join(staging, "README.md"), home.repository === undefined ? selfContained(readme) : withoutDrawings(readme));
  const {
    bin: _bin,
    exports: _exports,
    scripts: _scripts,
    devDependencies: _dependencies,
    workspaces: _workspaces,
    files: _files,
    ...rest
  } = manifest;
  writeFileSync(join(staging, "package.json"), JSON.stringify({ ...rest, files: ["**"] }, undefined, 2));

  const run = (...args: readonly string[]) =>
    execFileSync(process.execPath, [vsce, ...args], { cwd: staging, encoding: "utf8", stdio: "pipe" });
  // vsce knows only two hosts by itself.
  const links =
    home.repository === undefined
      ? ["--allow-missing-repository", "--no-rewrite-relative-links"]
      : ["--baseContentUrl", `${home.repository}/blob/main`, "--baseImagesUrl", `${home.repository}/raw/main`];
  run("package", "--no-dependencies", ...links, "--out", vsix);
  return { path: vsix, files: run("ls", "--no-dependencies").trim().split("\n") };
}

/** The files of `dist/` that these load, at their start or later. */
function loadedBy(names: readonly string[]): ReadonlySet<string> {
  const found = new Set(names);
  // A set visits what is added to it meanwhile.
  for (const name of found)
    for (const [, imported = ""] of readFileSync(join(root, "dist", name), "utf8").matchAll(
      /(?:from|import|import\(|require\()"\.\/([\w.-]+\.c?js)"/g,
    ))
      found.add(imported);
  return found;
}

/** Replaces SVG pictures in Markdown, which the store of extensions refuses, by their descriptions. */
export function withoutDrawings(markdown: string): string {
  return markdown.replace(/!\[([^\]]*)\]\([^)]+\.svg\)/g, "$1");
}

/** Removes pictures from the repository, and links that are not addresses, from Markdown. */
export function selfContained(markdown: string): string {
  return markdown.replace(/^.*!\[[^\]]*\]\((?!\w+:)[^)]+\).*\n\n?/gm, "").replace(/(?<!!)\[([^\]]*)\]\((?!\w+:|#)[^)]+\)/g, "$1");
}

if (process.argv[1] === import.meta.filename) console.log(`made ${packageExtension().path}`);
