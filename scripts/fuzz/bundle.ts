/**
 * Bundles the program of one process. Compiled at the start, as other scripts are, each function would carry a call that gives it its
 * name, which costs a fifth of the time.
 */
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = join(import.meta.dirname, "../..");

/** The path of the bundle. */
export async function bundled(): Promise<string> {
  const outfile = join(root, "node_modules/.cache/gpu-qualifiers-fuzz/process.mjs");
  await build({
    absWorkingDir: root,
    entryPoints: ["scripts/fuzz/process.ts"],
    outfile,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
    sourcemap: "inline",
    sourcesContent: false,
    logLevel: "warning",
    plugins: [
      {
        name: "places of files",
        setup: ({ onLoad }) =>
          onLoad({ filter: /\.ts$/ }, async ({ path }) => {
            const text = await readFile(path, "utf8");
            return { loader: "ts", contents: placed(text, path) };
          }),
      },
    ],
  });
  return outfile;
}

/** The text of a file, in which its place is that of the file instead of that of the bundle. */
function placed(text: string, path: string): string {
  return text
    .replaceAll("import.meta.dirname", () => JSON.stringify(dirname(path)))
    .replaceAll("import.meta.filename", () => JSON.stringify(path))
    .replaceAll("import.meta.url", () => JSON.stringify(pathToFileURL(path).href));
}
