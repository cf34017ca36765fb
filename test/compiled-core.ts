/**
 * Tests run the core's modules compiled, as users do. Vitest's own form of a module reads each imported name from an object, through a
 * getter, which took an eighth of the processor time of the core's tests. The modules are compiled once for each state of the sources.
 */
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { build, version } from "esbuild";
import type { Plugin } from "vitest/config";

const root = join(import.meta.dirname, "..");
const sources = join(root, "server/src");
const cache = join(root, "node_modules/.cache/compiled-core");

/** A link to the present state. Vitest keeps transformed tests, which name it. */
const present = join(cache, "present");

/** How many states are kept, for other runs in the same folder. */
const statesKept = 3;

/** Imports of the core's sources lead to what is compiled of them, except in runs that have to see each source by itself. */
export function compiledCore(): Plugin {
  let isCompiled = false;
  return {
    name: "compiled-core",
    enforce: "pre",
    async configureVitest({ vitest: { config }, experimental_defineCacheKeyGenerator: defineCacheKey }) {
      const needsSources = config.watch || config.changed || config.related || config.coverage.enabled || process.platform === "win32";
      if (!needsSources) await compile();
      isCompiled = !needsSources;
      defineCacheKey(() => (isCompiled ? present : "sources"));
    },
    resolveId(source, importer) {
      if (!isCompiled || importer === undefined || !source.startsWith(".")) return undefined;
      const path = resolve(dirname(importer), source);
      return isOfCore(path) ? join(present, relative(sources, path).replace(/\.ts$/, ".js")) : undefined;
    },
  };
}

/** The entries of programs run something when they are imported. */
function isOfCore(path: string): boolean {
  return path.startsWith(sources + sep) && path.endsWith(".ts") && !path.startsWith(join(sources, "entries") + sep);
}

/** Makes the present state of the sources what the link names. Several runs may do this at the same time. */
async function compile(): Promise<void> {
  const paths = readdirSync(sources, { recursive: true, encoding: "utf8" })
    .map((name) => join(sources, name))
    .filter(isOfCore)
    .sort();
  const hash = createHash("sha256")
    .update(version)
    .update(readFileSync(import.meta.filename));
  for (const path of paths) hash.update(`\0${path}\0`).update(readFileSync(path));
  const folder = join(cache, hash.digest("hex").slice(0, 16));
  mkdirSync(cache, { recursive: true });
  const scratch = mkdtempSync(join(cache, "new-"));
  if (!existsSync(folder)) {
    const outdir = join(scratch, "compiled");
    await build({
      absWorkingDir: root,
      entryPoints: paths,
      outbase: sources,
      outdir,
      bundle: true,
      splitting: true,
      format: "esm",
      platform: "node",
      packages: "external",
      sourcemap: true,
      sourcesContent: false,
      logLevel: "warning",
    });
    if (!existsSync(folder)) renameSync(outdir, folder);
  }
  symlinkSync(folder, join(scratch, "link"));
  renameSync(join(scratch, "link"), present);
  rmSync(scratch, { recursive: true });
  const now = new Date();
  utimesSync(folder, now, now);
  const ages = new Map(readdirSync(cache).map((name) => [name, statSync(join(cache, name), { throwIfNoEntry: false })?.mtimeMs ?? 0]));
  const old = [...ages].filter(([name]) => /^[0-9a-f]{16}$/.test(name)).sort(([, a], [, b]) => b - a);
  for (const [name] of old.slice(statesKept)) rmSync(join(cache, name), { recursive: true, force: true });
}
