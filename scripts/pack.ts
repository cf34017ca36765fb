/**
 * `npm run pack [-- FOLDER]`: makes the package for npm, from a folder with the files of a plain `npm pack`. Its manifest has only what
 * users of the package need: of the script `prepare`, which builds a clone, npm would warn them, and VS Code's settings are for the extension.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const root = join(import.meta.dirname, "..");
const staging = join(root, ".cache/pack");
const members = [
  ...["name", "version", "description", "keywords", "license", "type", "engines", "bin", "exports", "files"],
  ...["repository", "homepage", "bugs"],
];

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

function pack(folder: string, ...options: readonly string[]): Packed {
  const all = ["pack", "--json", "--ignore-scripts", "--offline", "--loglevel=error", ...options];
  const said = execFileSync("npm", all, { cwd: folder, encoding: "utf8", shell: process.platform === "win32" });
  const [packed] = JSON.parse(said) as readonly Packed[];
  if (packed === undefined) throw new Error("npm has packed nothing");
  return packed;
}

/** Packs what `dist/` contains into a folder; returns the package's path and its files. */
export function packForNpm(to: string): { readonly path: string; readonly files: readonly string[] } {
  rmSync(staging, { recursive: true, force: true });
  for (const { path } of pack(root, "--dry-run").files) {
    mkdirSync(dirname(join(staging, path)), { recursive: true });
    cpSync(join(root, path), join(staging, path));
  }
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Readonly<Record<string, unknown>>;
  const kept = Object.fromEntries(members.flatMap((name) => (name in manifest ? [[name, manifest[name]]] : [])));
  writeFileSync(join(staging, "package.json"), `${JSON.stringify(kept, undefined, 2)}\n`);
  mkdirSync(to, { recursive: true });
  const { filename, files } = pack(staging, "--pack-destination", resolve(to));
  return { path: join(resolve(to), filename), files: files.map(({ path }) => path) };
}

if (process.argv[1] === import.meta.filename) console.log(packForNpm(process.argv[2] ?? ".").path);
