/**
 * `npm run package`: packages the built extension as `dist/gpu-qualifiers.vsix`, from a folder that contains only the files that
 * the extension needs. It does not need the command line program and the library, which are in the npm package. Until the project
 * has a public address, the extension's page has no pictures, because VS Code loads them only from the web.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const vsce = join(root, "node_modules/@vscode/vsce/vsce");
const staging = join(root, ".cache/package");
const vsix = join(root, "dist/gpu-qualifiers.vsix");

const notForEditors =
  /^(?:dist\/(?:cli\.js|api\.js|mcp\.js|types|docs\/.*\.html$|.*\.(?:map|vsix)$)|integrations|client\/(?:src|playground|icon\.svg|images\/tour\.png))/;

interface Manifest {
  readonly repository?: unknown;
  readonly files: readonly string[];
  readonly [name: string]: unknown;
}

/** Packages the extension; returns the package's path and its files. */
export function packageExtension(): { readonly path: string; readonly files: readonly string[] } {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest;
  const hasAddress = manifest.repository !== undefined;
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging, { recursive: true });
  for (const name of ["dist", "client", "docs"])
    cpSync(join(root, name), join(staging, name), { recursive: true, filter: (from) => !notForEditors.test(from.slice(root.length + 1)) });
  for (const name of ["package.nls.json", "CHANGELOG.md", "SECURITY.md", "LICENSE"]) copyFileSync(join(root, name), join(staging, name));
  const readme = readFileSync(join(root, "README.md"), "utf8");
  writeFileSync(join(staging, "README.md"), hasAddress ? readme : selfContained(readme));
  const {
    bin: _bin,
    exports: _exports,
    scripts: _scripts,
    devDependencies: _dependencies,
    workspaces: _workspaces,
    files,
    ...rest
  } = manifest;
  writeFileSync(
    join(staging, "package.json"),
    JSON.stringify({ ...rest, files: files.filter((pattern) => !pattern.startsWith("!") && !notForEditors.test(pattern)) }, undefined, 2),
  );

  const run = (...args: readonly string[]) =>
    execFileSync(process.execPath, [vsce, ...args], { cwd: staging, encoding: "utf8", stdio: "pipe" });
  run("package", "--no-dependencies", ...(hasAddress ? [] : ["--allow-missing-repository", "--no-rewrite-relative-links"]), "--out", vsix);
  return { path: vsix, files: run("ls", "--no-dependencies").trim().split("\n") };
}

/** Removes pictures from the repository, and links that are not addresses, from Markdown. */
export function selfContained(markdown: string): string {
  return markdown.replace(/^.*!\[[^\]]*\]\((?!\w+:)[^)]+\).*\n\n?/gm, "").replace(/(?<!!)\[([^\]]*)\]\((?!\w+:|#)[^)]+\)/g, "$1");
}

if (process.argv[1] === import.meta.filename) console.log(`made ${packageExtension().path}`);
