/**
 * The types of `gpu-qualifiers/api`: compiles the declarations of its entry, and keeps the files that it refers to. These refer to
 * each other by JavaScript names, so that every way of resolving modules finds them.
 */
import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";

const root = join(import.meta.dirname, "..");

/** Writes the declarations into a folder; the entry's file is `entries/api.d.ts`. */
export async function writeDeclarations(folder: string): Promise<void> {
  const emitted = await mkdtemp(join(tmpdir(), "gpu-qualifiers-types-"));
  try {
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    // Type errors are reported by the linter; declarations are emitted in spite of them.
    spawnSync(process.execPath, [compiler, "-p", join(root, "tsconfig.api.json"), "--outDir", emitted], { stdio: ["ignore", 2, 2] });
    const seen = new Set<string>();
    for (let next = [join(emitted, "entries/api.d.ts")]; next.length > 0; ) {
      const path = next.pop() ?? "";
      if (seen.has(path)) continue;
      seen.add(path);
      const text = await readFile(path, "utf8");
      for (const [, from] of text.matchAll(/\b(?:from|import)\s*\(?\s*"(\.[^"]+)\.ts"/g)) next.push(join(dirname(path), `${from}.d.ts`));
      const to = join(folder, relative(emitted, path));
      await mkdir(dirname(to), { recursive: true });
      await writeFile(to, text.replace(/(\b(?:from|import)\s*\(?\s*"\.[^"]+)\.ts"/g, '$1.js"'));
    }
  } finally {
    await rm(emitted, { recursive: true, force: true });
  }
}
