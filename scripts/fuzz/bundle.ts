/**
 * Bundles the program of one process. Compiled at the start, as other scripts are, each function would carry a call that gives it its
 * name, which costs a fifth of the time. `portable` writes a folder that needs nothing except Node.
 */
import { cp, mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { build } from "esbuild";

const root = join(import.meta.dirname, "../..");

/** The path of the bundle, which uses this repository. */
export async function bundled(): Promise<string> {
  const outfile = join(root, "node_modules/.cache/gpu-qualifiers-fuzz/process.mjs");
  await bundle("scripts/fuzz/process.ts", outfile, root, false);
  return outfile;
}

/**
 * Writes the fuzzer, its packages and the files that it reads to a folder: `node FOLDER/fuzz.mjs` runs it without this repository. The
 * program must have been built.
 */
export async function portable(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await bundle("scripts/fuzz/portable.ts", join(folder, "fuzz.mjs"), folder, true);
  await bundle("scripts/fuzz/process.ts", join(folder, "process.mjs"), folder, true);
  const ofParser = createRequire(join(root, "test/service.ts")).resolve("web-tree-sitter/web-tree-sitter.wasm");
  const isWanted = (path: string): boolean => !path.endsWith(".map") && basename(path) !== "types";
  for (const path of ["dist", "grammars/tree-sitter-gpu.wasm", "test/fixtures", "scripts/oracle/shim.h"])
    await cp(join(root, path), join(folder, path), { recursive: true, filter: isWanted });
  for (const path of [ofParser, join(dirname(ofParser), "package.json")])
    await cp(path, join(folder, "node_modules/web-tree-sitter", basename(path)));
}

/** Bundles a program that finds its files below `base`. It keeps working when that folder is moved along with it. */
async function bundle(entry: string, outfile: string, base: string, withPackages: boolean): Promise<void> {
  const toBase = JSON.stringify(`${relative(dirname(outfile), base) || "."}/`);
  await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    packages: withPackages ? "bundle" : "external",
    // Packages that have both forms hide what they require in the older one.
    mainFields: ["module", "main"],
    platform: "node",
    format: "esm",
    target: "node20",
    sourcemap: "inline",
    sourcesContent: false,
    logLevel: "warning",
    banner: {
      js: [
        'import { createRequire as requireFrom } from "node:module";',
        'import { fileURLToPath as pathOf } from "node:url";',
        "const require = requireFrom(import.meta.url);",
        `const baseFolder = new URL(${toBase}, import.meta.url);`,
      ].join("\n"),
    },
    plugins: [
      {
        name: "places of files",
        setup: ({ onLoad }) =>
          onLoad({ filter: /\.ts$/ }, async ({ path }) => {
            const text = await readFile(path, "utf8");
            return { loader: "ts", contents: placed(text, relative(root, path)) };
          }),
      },
    ],
  });
}

/** The text of a file, in which its place is that of the file below the base instead of that of the bundle. */
function placed(text: string, path: string): string {
  const urlOf = (place: string): string => `new URL(${JSON.stringify(place)}, baseFolder)`;
  return text
    .replaceAll("import.meta.dirname", () => `pathOf(${urlOf(dirname(path))})`)
    .replaceAll("import.meta.filename", () => `pathOf(${urlOf(path)})`)
    .replaceAll("import.meta.url", () => `${urlOf(path)}.href`);
}
